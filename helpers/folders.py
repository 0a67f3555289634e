"""A folder for matplotlib where the reader's home has no room for one."""

import atexit
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path


def give_matplotlib_a_folder() -> None:
    """Give matplotlib a temporary folder where it cannot make its own.

    It would take one by itself, and say so in the middle of a page.
    """
    if "MPLCONFIGDIR" in os.environ or all(map(_can_be_made, _its_folders())):
        return
    folder = tempfile.mkdtemp(prefix="matplotlib-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["MPLCONFIGDIR"] = folder


def _its_folders() -> Iterator[Path]:
    """Yield the folders that matplotlib makes, by its documentation."""
    home = Path(os.path.expanduser("~"))
    if sys.platform.startswith(("linux", "freebsd")):
        for name, usual in (
            ("XDG_CONFIG_HOME", ".config"),
            ("XDG_CACHE_HOME", ".cache"),
        ):
            yield Path(os.environ.get(name) or home / usual) / "matplotlib"
    else:
        yield home / ".matplotlib"


def _can_be_made(folder: Path) -> bool:
    if not folder.is_absolute():  # it hangs on a home that nobody knows
        return False
    there = next(p for p in (folder, *folder.parents) if os.path.exists(p))
    return there.is_dir() and os.access(there, os.W_OK)
