"""Which exercises are solved: one small file in the course's top folder.

Nothing is sent anywhere. The environment variable ATTENTION_PROGRESS names another
place for the file. Several kernels may use it at once: a lock beside it lets them do so
one after the other.
"""

import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from helpers.language import say

TOP = Path(__file__).resolve().parents[2]
PATIENCE = 5.0  # seconds to wait for another kernel, whose turn takes milliseconds


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
    """Return where the file is, whether it exists or not; a link is followed."""
    place = os.environ.get("ATTENTION_PROGRESS") or TOP / ".progress.json"
    return Path(os.path.realpath(place))


def read() -> Progress:
    """Read which exercises are solved.

    A file that cannot be understood is kept under another name, and counts as empty.
    """
    with _alone():
        return _read()


def record(name: str) -> str:
    """Add a solved exercise.

    Returns
    -------
    message : empty, or why it could not be kept.
    """
    with _alone():
        now = _read()
        if name in now.solved or not now.readable:
            return now.message
        return _write(now.solved | {name}) or now.message


def reset_progress() -> None:
    """Forget which exercises are solved."""
    with _alone():
        failed = _write(frozenset())
    print(failed or say("Your progress is empty."))


@contextmanager
def _alone() -> Iterator[None]:
    """Keep other kernels out, from reading the file to writing it.

    The system ends a lock with its process. Where none can be had, as in a folder that
    is read-only, on some network drives and in a browser, the work is done without.
    """
    with ExitStack() as stack:
        with suppress(OSError, ImportError):
            file = stack.enter_context(open(f"{path()}.lock", "ab"))
            _lock(file.fileno())
        yield


def _lock(file: int) -> None:
    """Wait for the lock on an open file, which lasts until the file is closed."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            if sys.platform == "win32":
                import msvcrt

                return msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):  # another has it: POSIX, Windows
            if time.monotonic() > end:
                raise
            time.sleep(0.01)


def _read() -> Progress:
    try:
        names = json.loads(path().read_text(encoding="utf-8"))["solved"]
        if type(names) is not list or not all(type(name) is str for name in names):
            raise TypeError("solved needs to be a list of names")
        return Progress(frozenset(names))
    except FileNotFoundError:
        return Progress(frozenset())
    except OSError as error:
        return Progress(frozenset(), _unreadable(error), readable=False)
    except (ValueError, TypeError, KeyError, RecursionError):  # 100 000 times "["
        return _set_aside()


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
