"""Tell a reader in words whether what is installed fits the course.

Page 00 does this before anything else. It has to be able to speak with an old NumPy:
nothing that is loaded on the way here may import a name that is new in NumPy 2.
"""

import platform
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

from helpers.examples import DATA
from helpers.language import say

PROJECT = "attention-by-hand"
TOP = DATA.parent


def check_environment() -> None:
    """Compare Python and the packages with the ranges of `pyproject.toml`.

    Prints one line that names no version, so that it is the same everywhere.

    Raises
    ------
    RuntimeError
        If a package is missing or out of range, the data folder is not where `helpers`
        looks for it, or `helpers` belong to another copy of the course.
    """
    if wrong := say("; ").join(_problems()):
        raise RuntimeError(
            say(
                "{problems}. Install the course as its README says, and start "
                "JupyterLab from that environment.",
                problems=wrong,
            )
        )
    names = say(", ").join(sorted(r.name for r in _needed()))
    print(say("All in place: {names}", names=names))


def _problems() -> Iterator[str]:
    here = _course_of_the_page()
    if here not in (None, TOP):
        yield say(
            "helpers come from {there}, perhaps by way of PYTHONPATH, and not from "
            "{here}, where this page is",
            there=TOP,
            here=here,
        )
    if not DATA.is_dir():
        yield say("the course's data folder is missing beside helpers")
    try:
        python = metadata.metadata(PROJECT)["Requires-Python"]
    except metadata.PackageNotFoundError:
        yield say("{name} is not installed", name=PROJECT)
        return
    yield from _misfit(Requirement(f"Python{python}"), platform.python_version())
    for requirement in _needed():
        try:
            version = metadata.version(requirement.name)
        except metadata.PackageNotFoundError:
            yield say("{name} is not installed", name=requirement.name)
        else:
            yield from _misfit(requirement, version)


def _course_of_the_page() -> Path | None:
    """Return the folder of the course in which the page runs, if it is in one."""
    here = Path.cwd().resolve()
    folders = (here, *here.parents)
    return next((f for f in folders if (f / "helpers/environment.py").exists()), None)


def _needed() -> list[Requirement]:
    requirements = map(Requirement, metadata.requires(PROJECT) or [])
    return [r for r in requirements if r.marker is None or r.marker.evaluate()]


def _misfit(needed: Requirement, version: str) -> Iterator[str]:
    if not needed.specifier.contains(version, prereleases=True):
        yield say(
            "{name} is {version}, the course needs {range}",
            name=needed.name,
            version=version,
            range=needed.specifier,
        )
