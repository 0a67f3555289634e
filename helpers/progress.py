"""Which exercises are solved: one small file in the course's top folder.

Nothing is sent anywhere. The environment variable ATTENTION_PROGRESS names another
place for the file.
"""

import json
import os
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
SEE_ME = "Run this cell to see your progress."


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
        return set(), f"Your progress cannot be read: {error.strerror}."
    except (ValueError, TypeError, KeyError):
        return set(), _set_aside()


def record(name: str) -> str:
    """Add a solved exercise.

    Returns
    -------
    message : empty, or why it could not be kept.
    """
    names, message = solved()
    if name in names or message.startswith("Your progress cannot"):
        return message
    return _write({*names, name}) or message


def reset_progress() -> None:
    """Forget which exercises are solved."""
    print(_write(set()) or "Your progress is empty.")


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
        return f"Your progress could not be saved: {error.strerror}."
    return ""


def _set_aside() -> str:
    """Rename a file that cannot be understood; never over an earlier one."""
    broken, number = path(), 1
    while (backup := broken.with_name(f"{broken.name}.broken{number}")).exists():
        number += 1
    try:
        os.replace(broken, backup)
    except OSError as error:
        return f"Your progress cannot be read, nor moved: {error.strerror}."
    return (
        f"Your progress file could not be understood. It is kept as {backup.name}, and "
        f"a new one begins."
    )
