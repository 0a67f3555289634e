"""Which exercises are solved: one small file in the course's top folder.

Nothing is sent anywhere. The environment variable ATTENTION_PROGRESS names another
place for the file.
"""

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import ipywidgets as widgets
from IPython.display import display

from helpers.catalogue import EXERCISES
from helpers.language import say

TOP = Path(__file__).resolve().parent.parent
SEE_ME = "Run this cell to see your progress."
UNREADABLE = "Your progress cannot be read: {error}"
NOTEBOOKS = (
    "projection",
    "scores",
    "softmax",
    "weighted values",
    "self-attention",
    "learnable attention",
    "gradients",
    "attention learns",
    "scaling",
    "masks",
    "order",
    "heads",
    "block",
)


def path() -> Path:
    """Return where the file is, whether it exists or not."""
    return Path(os.environ.get("ATTENTION_PROGRESS") or TOP / ".progress.json")


def solved() -> tuple[set[str], str]:
    """Read which exercises are solved.

    Returns
    -------
    names : of the solved exercises.
    message : empty, or what is wrong with the file. A file that cannot be understood
        is kept under another name, and counts as empty.
    """
    try:
        data = json.loads(path().read_text(encoding="utf-8"))
        names = data["solved"]
        if not all(isinstance(name, str) for name in names):
            raise TypeError("solved needs to be a list of names")
        return set(names), ""
    except FileNotFoundError:
        return set(), ""
    except OSError as error:
        return set(), say(UNREADABLE, error=error.strerror)
    except (ValueError, TypeError, KeyError):
        return set(), _set_aside()


def record(name: str) -> str:
    """Add a solved exercise.

    Returns
    -------
    message : empty, or why it could not be kept.
    """
    names, message = solved()
    if name in names or message.startswith(say(UNREADABLE, error="")):
        return message
    return _write({*names, name}) or message


def reset_progress() -> None:
    """Forget which exercises are solved."""
    print(_write(set()) or say("Your progress is empty."))


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
        names, message = solved()
        rows = [_row(number, names) for number in range(1, len(NOTEBOOKS) + 1)]
        self.table.value = f"<p>{message}</p><table>{''.join(rows)}</table>"


def _row(number: int, names: set[str]) -> str:
    here = [e.name for e in EXERCISES.values() if e.notebook == number]
    still = [name for name in here if name not in names]
    topic = say(NOTEBOOKS[number - 1], context="page")
    cells = (
        f"{number:02} {topic}",
        "●" * (len(here) - len(still)) + "○" * len(still),
        say("{done} of {all}", done=len(here) - len(still), all=len(here)),
        say("open: {names}", names=", ".join(still)) if still else say("all solved"),
    )
    style = "text-align: left; vertical-align: top; padding: 0 1em 0 0"
    whole = f"{style}; white-space: nowrap"  # all but the list of names stay on a line
    styles = [whole, whole, whole, style]
    columns = zip(cells, styles, strict=True)
    return "<tr>" + "".join(f'<td style="{s}">{c}</td>' for c, s in columns) + "</tr>"


def _write(names: set[str]) -> str:
    """Replace the file as a whole, so that it is never half written."""
    text = json.dumps({"solved": sorted(names)}, indent=1) + "\n"
    place = path()
    try:
        handle, temporary = tempfile.mkstemp(prefix=f"{place.name}.", dir=place.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, place)
    except OSError as error:
        return say("Your progress could not be saved: {error}.", error=error.strerror)
    return ""


def _set_aside() -> str:
    """Rename a file that cannot be understood; never over an earlier one."""
    broken, number = path(), 1
    while (backup := broken.with_name(f"{broken.name}.broken{number}")).exists():
        number += 1
    try:
        os.replace(broken, backup)
    except OSError as error:
        return say(UNREADABLE, error=error.strerror)
    return say(
        "Your progress file could not be understood. It is kept as {name}, and a new "
        "one begins.",
        name=backup.name,
    )
