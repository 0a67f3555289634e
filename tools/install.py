"""Install the course into `.venv`: what make calls when something is missing there.

    python tools/install.py reader              what `make lab` needs
    .venv/bin/python tools/install.py test      what the tests need besides
    .venv/bin/python -I tools/install.py check  whether `.venv` fits this folder

uv installs, in half the time of pip or less; where it cannot, pip does. This file needs
the standard library alone.
"""

import ast
import os
import subprocess
import sys
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
VENV = Path(".venv")
PYTHON = str(VENV / "bin" / "python")
# Stands there while packages change; found at the start, nobody knows how far they got.
UNFINISHED = VENV / "unfinished"
PIP = [PYTHON, "-m", "pip", "--disable-pip-version-check"]
LOCKED = ["--require-hashes", "--no-deps", "--requirement"]
COURSE = ["--no-build-isolation", "--no-deps", "--editable", "."]

# What pip is set to, and the variables by which uv is told so.
HANDED_ON = {
    "index-url": ["UV_DEFAULT_INDEX"],
    "extra-index-url": ["UV_INDEX"],
    "find-links": ["UV_FIND_LINKS"],
    "trusted-host": ["UV_INSECURE_HOST"],
    "cert": ["SSL_CERT_FILE"],
    "client-cert": ["SSL_CLIENT_CERT"],
    "proxy": ["HTTP_PROXY", "HTTPS_PROXY"],
}

FITS, OTHER_VERSIONS, ELSEWHERE = 0, 3, 4


def install(lock: str) -> None:
    """Install what a lock names, and with the reader's the course itself.

    Parameters
    ----------
    lock : the name of a file in `requirements`, without `.lock`.

    Raises
    ------
    SystemExit
        If neither uv nor pip can; what they say stands above.
    """
    # In .venv nothing is installed "for the user", whatever pip.conf says.
    os.environ["PIP_USER"] = "0"
    if lock == "reader" and _checked() not in (FITS, OTHER_VERSIONS):
        if not _run(sys.executable, "-m", "venv", "--clear", str(VENV)):
            sys.exit(1)
    UNFINISHED.touch()
    wheel = ["--only-binary", ":all:"]  # to build uv would take a compiler of Rust
    uv = [*LOCKED, "requirements/installer.lock"]
    with_uv = _run(*PIP, "install", "--quiet", *wheel, *uv)
    done = _install([*LOCKED, f"requirements/{lock}.lock"], with_uv)
    if lock == "reader":
        done = done and _install(COURSE, with_uv)
    UNFINISHED.unlink()
    if not done:
        sys.exit(1)
    ready = "ready" if lock == "reader" else f"ready-{lock}"
    VENV.joinpath(ready).touch()


def check() -> int:
    """Return whether the Python that runs this, that of `.venv`, fits this folder.

    Returns
    -------
    FITS, OTHER_VERSIONS than the course admits, or ELSEWHERE: it does not find this
    folder's helpers, as after the folder was renamed or copied; or it is half made.
    """
    helpers = find_spec("helpers")
    ours = TOP / "helpers" / "__init__.py"
    if helpers is None or not helpers.origin or not ours.samefile(helpers.origin):
        return ELSEWHERE
    if UNFINISHED.exists() or find_spec("pip") is None:
        return ELSEWHERE
    try:
        from packaging.requirements import Requirement

        needed = map(Requirement, metadata.requires("attention-by-hand") or [])
        for one in needed:
            if one.marker is None or one.marker.evaluate():
                if not one.specifier.contains(metadata.version(one.name), True):
                    return OTHER_VERSIONS
    except ImportError:  # or PackageNotFoundError, which is one
        return OTHER_VERSIONS
    return FITS


def settings(listing: str) -> tuple[dict[str, str], list[str]]:
    """Return the variables and the options that make uv look where pip looks.

    Parameters
    ----------
    listing : what `pip config list` prints.
    """
    pip: dict[str, str] = {}
    for section in ("global", "install", ":env:"):  # a later one counts
        for line in listing.splitlines():
            name, _, value = line.partition("=")
            if name.startswith(f"{section}.") and ast.literal_eval(value):
                pip[name.removeprefix(f"{section}.")] = ast.literal_eval(value)
    variables = {
        variable: ("," if name == "find-links" else " ").join(pip[name].split())
        for name, told in HANDED_ON.items()
        if name in pip
        for variable in told
    }
    # pip takes a version from whichever index has it; the hash says that it is ours.
    variables["UV_INDEX_STRATEGY"] = "unsafe-best-match"
    no_index = pip.get("no-index", "").lower() in {"1", "true", "t", "yes", "y", "on"}
    return variables, ["--no-index"] if no_index else []


def _install(what: list[str], with_uv: bool) -> bool:
    if with_uv:
        command = [*PIP, "config", "list"]
        pip = subprocess.run(command, capture_output=True, text=True)
        variables, options = settings(pip.stdout)
        uv = [PYTHON, "-m", "uv", "pip", "install", "--quiet", "--compile-bytecode"]
        if _run(*uv, "--python", PYTHON, *options, *what, variables=variables):
            return True
    print("uv could not; pip does it, and takes about a minute.", flush=True)
    return _run(*PIP, "install", "--quiet", *what)


def _checked() -> int:
    try:
        return subprocess.run([PYTHON, "-I", __file__, "check"]).returncode
    except OSError:  # there is no such Python, or no longer
        return ELSEWHERE


def _run(*command: str, variables: dict[str, str] | None = None) -> bool:
    done = subprocess.run(command, env={**os.environ, **(variables or {})})
    return done.returncode == 0


if __name__ == "__main__":
    if sys.argv[1] == "check":
        sys.exit(check())
    install(sys.argv[1])
