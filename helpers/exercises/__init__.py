"""What a page uses: `check` an answer, `ask` a question, `show` a solution.

`show_progress` shows what is solved, `reset_progress` forgets it. What draws on a
widget library is loaded when it is used: judging an answer needs none.
"""

from typing import Any

from helpers.exercises.checks import check
from helpers.exercises.progress import reset_progress
from helpers.exercises.show import show

__all__ = ["ask", "check", "reset_progress", "show", "show_progress"]


def __getattr__(name: str) -> Any:
    if name == "ask":
        from helpers.exercises.buttons import ask

        return ask
    if name == "show_progress":
        from helpers.exercises.board import show_progress

        return show_progress
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
