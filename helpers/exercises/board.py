"""Show which exercises are solved."""

from typing import Any

import ipywidgets as widgets
from IPython.display import display

from helpers.exercises.catalogue import PAGES
from helpers.exercises.model import Page
from helpers.exercises.progress import read
from helpers.language import say

SEE_ME = "Run this cell to see your progress."


def show_progress() -> None:
    """Show for each notebook which exercises are solved, and which are open."""
    display(Board())  # type: ignore[no-untyped-call]


class Board(widgets.VBox):  # type: ignore[misc]
    """A table of solved exercises; `show_progress` shows it."""

    def __init__(self) -> None:
        self.table = widgets.HTML()
        again = widgets.Button(description=say("Look again"))
        again.on_click(self.look)
        self.look()
        super().__init__([self.table, again])

    def __repr__(self) -> str:
        """Return the line that stands for the table where no kernel runs."""
        return say(SEE_ME)

    def look(self, _: Any = None) -> None:
        """Read the file again."""
        now = read()
        rows = "".join(_row(page, now.solved) for page in PAGES)
        self.table.value = f"<p>{now.message}</p><table>{rows}</table>"


def _row(page: Page, solved: frozenset[str]) -> str:
    here = [exercise.name for exercise in page.exercises]
    still = [name for name in here if name not in solved]
    topic = say(page.topic, context="page")
    cells = (
        f"{page.number:02} {topic}",
        "●" * (len(here) - len(still)) + "○" * len(still),
        say("{done} of {all}", done=len(here) - len(still), all=len(here)),
        say("open: {names}", names=", ".join(still)) if still else say("all solved"),
    )
    style = "text-align: left; vertical-align: top; padding: 0 1em 0 0"
    whole = f"{style}; white-space: nowrap"  # all but the list of names stay on a line
    styles = [whole, whole, whole, style]
    columns = zip(cells, styles, strict=True)
    return "<tr>" + "".join(f'<td style="{s}">{c}</td>' for c, s in columns) + "</tr>"
