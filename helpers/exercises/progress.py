"""Which exercises are solved: one small file in the course's top folder.

Nothing is sent anywhere. The environment variable ATTENTION_PROGRESS names another
place for the file.
"""

import json
import os
import tempfile
from pathlib import Path
from typing import NamedTuple

from helpers.language import say

TOP = Path(__file__).resolve().parents[2]


class Progress(NamedTuple):
    """What the file says.

    Attributes
    ----------
    solved : the names of the solved exercises.
    message : empty, or what is wrong with the file.
    readable : False if the file is there and cannot be read; then it is left alone.
    """

    solved: frozenset[str]
    message: str = ""
    readable: bool = True


def path() -> Path:
    """Return where the file is, whether it exists or not."""
    return Path(os.environ.get("ATTENTION_PROGRESS") or TOP / ".progress.json")


def read() -> Progress:
    """Read which exercises are solved.

    A file that cannot be understood is kept under another name, and counts as empty.
    """
    try:
        names = json.loads(path().read_text(encoding="utf-8"))["solved"]
        if not all(isinstance(name, str) for name in names):
            raise TypeError("solved needs to be a list of names")
        return Progress(frozenset(names))
    except FileNotFoundError:
        return Progress(frozenset())
    except OSError as error:
        return Progress(frozenset(), _unreadable(error), readable=False)
    except (ValueError, TypeError, KeyError):
        return _set_aside()


def record(name: str) -> str:
    """Add a solved exercise.

    Returns
    -------
    message : empty, or why it could not be kept.
    """
    now = read()
    if name in now.solved or not now.readable:
        return now.message
    return _write(now.solved | {name}) or now.message


def reset_progress() -> None:
    """Forget which exercises are solved."""
    print(_write(frozenset()) or say("Your progress is empty."))


def _write(names: frozenset[str]) -> str:
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


def _set_aside() -> Progress:
    """Rename a file that cannot be understood; never over an earlier one."""
    broken, number = path(), 1
    while (backup := broken.with_name(f"{broken.name}.broken{number}")).exists():
        number += 1
    try:
        os.replace(broken, backup)
    except OSError as error:
        return Progress(frozenset(), _unreadable(error), readable=False)
    message = say(
        "Your progress file could not be understood. It is kept as {name}, and a new "
        "one begins.",
        name=backup.name,
    )
    return Progress(frozenset(), message)


def _unreadable(error: OSError) -> str:
    return say("Your progress cannot be read: {error}", error=error.strerror)
