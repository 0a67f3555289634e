"""Tell a reader in words whether the installed packages fit the course."""

from importlib import metadata

from packaging.requirements import Requirement

from helpers.examples import DATA
from helpers.language import say

PROJECT = "attention-by-hand"


def check_environment() -> None:
    """Compare the installed packages with the ranges of `pyproject.toml`.

    Prints one line that names no version, so that it is the same everywhere.

    Raises
    ------
    RuntimeError
        If a package is missing or out of range, or the course's data folder is not
        where `helpers` looks for it.
    """
    needed = [Requirement(r) for r in metadata.requires(PROJECT) or []]
    needed = [r for r in needed if r.marker is None or r.marker.evaluate()]
    wrong = [problem for r in needed if (problem := _problem(r))]
    if not DATA.is_dir():
        wrong.append(say("the course's data folder is missing beside helpers"))
    if wrong:
        raise RuntimeError(
            say(
                "{problems}. Install the course as its README says, and start "
                "JupyterLab from that environment.",
                problems=say("; ").join(wrong),
            )
        )
    names = say(", ").join(sorted(r.name for r in needed))
    print(say("All in place: {names}", names=names))


def _problem(needed: Requirement) -> str | None:
    try:
        version = metadata.version(needed.name)
    except metadata.PackageNotFoundError:
        return say("{name} is not installed", name=needed.name)
    if needed.specifier.contains(version, prereleases=True):
        return None
    return say(
        "{name} is {version}, the course needs {range}",
        name=needed.name,
        version=version,
        range=needed.specifier,
    )
