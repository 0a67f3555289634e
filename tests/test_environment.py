"""What installs and starts the course: one set of versions, and paths that work."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import jsonschema
import nbformat
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version
from traitlets.config import PyFileConfigLoader

from helpers import environment

from .common import named
from .conftest import TOP

PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))
LOCKS = {
    path.stem: path.read_text(encoding="utf-8")
    for path in TOP.glob("requirements/*.lock")
}
MAKEFILE = "".join(
    (TOP / name).read_text(encoding="utf-8") for name in ("tools/lab.mk", "Makefile")
)
CONDA = yaml.safe_load((TOP / "environment.yml").read_text(encoding="utf-8"))
WORKFLOW, MONTHLY = (
    yaml.safe_load((TOP / f".github/workflows/{name}.yml").read_text(encoding="utf-8"))
    for name in ("test", "monthly")
)

READER = PROJECT["project"]["dependencies"]
EXTRAS = PROJECT["project"]["optional-dependencies"]
REQUIREMENTS = {r.name: r for r in map(Requirement, READER + EXTRAS["test"])}


def locked(name):
    """Return each package of a lock with its version; some have one per Python."""
    text = LOCKS[name]
    lines = re.findall(r"^([\w.-]+)==([\w.]+)(?: ; (.*))? \\$", text, re.MULTILINE)
    return [(name, Version(version)) for name, version, _ in lines]


def test_environment_yml_repeats_the_ranges_of_pyproject():
    """Red: conda users get other versions than `make` installs; edit both files."""
    plain = [item for item in CONDA["dependencies"] if isinstance(item, str)]
    names = {re.split(r"[<>=!]", item)[0]: item for item in plain}
    assert names.pop("pip") == "pip"
    python = Requirement(names.pop("python"))
    assert str(python.specifier) == PROJECT["project"]["requires-python"]
    assert {n: Requirement(i).specifier for n, i in names.items()} == {
        n: r.specifier for n, r in REQUIREMENTS.items()
    }
    assert CONDA["dependencies"][-1] == {"pip": ["-e ."]}
    assert not any(item.count("=") - item.count(">=") > 0 for item in plain), "a build"


def test_every_range_has_a_lower_and_an_upper_bound():
    """Red: an environment that solves today rots tomorrow."""
    for requirement in REQUIREMENTS.values():
        operators = {s.operator for s in requirement.specifier}
        assert {">=", "<"} <= operators, requirement.name


def test_each_group_of_packages_has_its_lock():
    """Red: a reader waits for what tests alone need, or a target installs unlocked."""
    assert set(LOCKS) == {"reader", "installer", *EXTRAS}
    test, reader = dict(locked("test")), dict(locked("reader"))
    assert reader.items() <= test.items(), "one environment, one version of each"
    assert not reader.keys() & {"pytest", "nbval", "hypothesis", "mypy", "ruff"}
    assert [name for name, _ in locked("installer")] == ["uv"]
    assert not test.keys() & set(PROJECT["tool"]["uv"]["exclude-dependencies"])


@pytest.mark.parametrize(("lock", "extra"), [("reader", []), ("test", EXTRAS["test"])])
def test_each_locked_version_lies_inside_its_range(lock, extra):
    """Red: pyproject.toml changed and the lock did not; `make lock`."""
    versions = locked(lock)
    assert {name for name, _ in versions} >= {
        Requirement(r).name for r in READER + extra
    }
    for name, version in versions:
        if name in REQUIREMENTS:
            assert version in REQUIREMENTS[name].specifier, f"{name} {version}"
    builder = Requirement(*PROJECT["build-system"]["requires"])
    assert all(v in builder.specifier for n, v in versions if n == builder.name)
    assert builder.name in dict(versions), "needed to install the course offline"


@pytest.mark.parametrize("name", LOCKS)
def test_the_locks_have_hashes_and_name_no_index(name):
    """Red: a lock would install unchecked files, or works in one network only."""
    text = LOCKS[name]
    blocks = re.split(r"\n(?=[\w.-]+==)", text)[1:]
    assert blocks and all("--hash=sha256:" in block for block in blocks)
    assert "://" not in text and "--index" not in text and "--find-links" not in text


@pytest.mark.parametrize(
    ("args", "workers"),
    [
        (["tests/test_core.py::test_softmax"], 0),
        (["notebooks/03_softmax.ipynb"], 0),
        (["notebooks", "tests"], 2),
        (["tests"], 2),
        (["tests/test_core.py", "tests/test_heads.py"], 2),
    ],
)
def test_a_single_file_waits_for_no_workers(args, workers, request):
    """Red: who repairs one red test waits for two more Pythons to start, each time."""
    config = SimpleNamespace(args=args)
    hook = request.config.hook.pytest_xdist_auto_num_workers
    assert hook(config=config) == workers


needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="no make here")


def dry_run(target, folder):
    """Return the commands that a target would run in a folder with nothing in it."""
    (folder / "tools").mkdir()
    for name in ("Makefile", "tools/lab.mk"):
        shutil.copy(TOP / name, folder / name)
    (folder / "requirements").mkdir()
    for name in (*(f"requirements/{lock}.lock" for lock in LOCKS), "pyproject.toml"):
        (folder / name).touch()
    command = ["make", "-n", *target.split()]
    # `make test PYTHON=…` runs this test: its own make tells the inner one of itself.
    env = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "PYTHON"))}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stderr}: a path is absolute, or not quoted"
    return [line for line in done.stdout.splitlines() if not line.startswith("echo ")]


@needs_make
@pytest.mark.parametrize(
    ("target", "last"),
    [
        ("lab", "-m jupyterlab"),
        ("test", "-m pytest"),
        ("run NB=x.ipynb", "tools/run_notebooks.py x.ipynb"),
    ],
)
def test_make_works_in_any_folder_and_from_its_own_environment(target, last, tmp_path):
    """Red: a space in the path (Makefile.venv#5) or another jupyter on PATH breaks it.

    JUPYTER_CONFIG_PATH leaves the reader's own settings in force beside the course's;
    JUPYTER_CONFIG_DIR would replace them.
    """
    folder = tmp_path / named("my 课程")
    folder.mkdir()
    lines = dry_run(target, folder)
    assert lines[-1].endswith(f".venv/bin/python {last}")
    assert "JUPYTER_CONFIG_DIR" not in lines[-1]
    assert ('JUPYTER_CONFIG_PATH="$PWD/jupyter"' in lines[-1]) == (target == "lab")
    python = [line for line in lines if re.search(r"\b(pytest|jupyter)", line)]
    assert all(" .venv/bin/python -m " in f" {line}" for line in python)
    assert not re.search(r"(^|[\s\"=])/\w", "\n".join(lines)), "an absolute path"


@needs_make
@pytest.mark.parametrize(("target", "locks"), [("lab", 1), ("test", 2), ("handout", 2)])
def test_a_target_installs_what_it_needs_and_no_more(target, locks, tmp_path):
    """Red: `make lab` waits for the tests' packages, or a target lacks its own."""
    lines = "\n".join(dry_run(target, tmp_path))
    installed = re.findall(r"tools/install\.py (\w+)", lines)
    assert installed == ["reader", "test"][:locks]


@needs_make
def test_make_alone_prints_help():
    """Red: a newcomer who types `make` starts something instead of reading."""
    done = subprocess.run(
        ["make", "-C", str(TOP)], capture_output=True, text=True, check=True
    )
    for target in re.findall(r"^([a-z-]+)::?(?!=)", MAKEFILE, re.MULTILINE):
        assert f"make {target}" in done.stdout or target == "help", target


def commands(job):
    return [step["run"] for step in job["steps"] if "run" in step]


def test_the_readme_gives_the_plain_commands():
    """Red: Windows, or whoever has no make, is left with commands that differ."""
    readme = (TOP / "README.md").read_text(encoding="utf-8")
    steps = commands(WORKFLOW["jobs"]["windows"])
    assert all(
        any(f"-r requirements/{lock}.lock" in step for step in steps)
        for lock in ("reader", "test")
    )
    assert steps[-1].endswith("-m pytest")
    for step in steps:
        assert step in readme, f"the workflow runs {step!r}, the README does not"


def test_the_workflow_covers_three_systems():
    """Red: a system is no longer tested, or `make test` is not what is run."""
    make, windows = WORKFLOW["jobs"]["make"], WORKFLOW["jobs"]["windows"]
    systems = {*make["strategy"]["matrix"]["os"], windows["runs-on"]}
    assert systems == {"ubuntu-latest", "macos-latest", "windows-latest"}
    assert "make test" in commands(make)
    floor = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert floor in make["strategy"]["matrix"]["python"]


def test_versions_that_the_lock_does_not_hold_are_tried_each_month():
    """Red: conda, Binder and pip users get versions that nobody has tested."""
    jobs = MONTHLY["jobs"]
    assert "schedule" in MONTHLY[True], "YAML reads the key `on` as true"
    newest = commands(jobs["newest"])
    assert not any("requirements/" in c or c.startswith("make") for c in newest)
    assert "python -m pytest" in newest
    assert any("--pre" in also for also in jobs["newest"]["strategy"]["matrix"]["also"])
    assert "make test-oldest" in commands(jobs["oldest"])


def test_links_into_the_web_and_spelling_are_looked_at_each_month():
    """Red: a dead link or a slip stays, since nobody reads every page each month."""
    steps = MONTHLY["jobs"]["text"]["steps"]
    assert "codespell" in commands(MONTHLY["jobs"]["text"])
    (lychee,) = [s for s in steps if s.get("uses", "").startswith("lycheeverse/")]
    links = lychee["with"]
    assert links["fail"] is True
    assert {"http", "https"} <= set(re.findall(r"--scheme (\w+)", links["args"]))
    assert {"*.md", "links/**/*.md"} <= set(re.findall(r"'(.*?)'", links["args"]))


@pytest.mark.parametrize("job", ["newest", "oldest", "make"])
def test_a_browser_test_that_is_skipped_is_red_where_there_is_a_browser(job):
    """Red: the image of a job loses its Chrome, and live views are tested no more."""
    job = {**MONTHLY["jobs"], **WORKFLOW["jobs"]}[job]
    places = [job.get("env", {}), *(step.get("env", {}) for step in job["steps"])]
    assert any("1" in place.get("COURSE_REQUIRE_BROWSER", "") for place in places)


def test_python_has_one_floor():
    """Red: the Makefile, the README and pyproject.toml ask for different Pythons."""
    floor = PROJECT["project"]["requires-python"].removeprefix(">=")
    assert f"({floor.replace('.', ', ')})" in MAKEFILE
    assert set(re.findall(r"--python(?:-version)? (\d[\d.]*)", MAKEFILE)) == {floor}
    assert f"Python {floor}" in (TOP / "README.md").read_text(encoding="utf-8")


def test_jupyterlab_opens_on_the_first_page_and_lets_nobody_else_in():
    """Red: the start page is missing, root is refused, or the token is off.

    Which folder is served, `tests/test_install.py` holds.
    """
    server, lab = (
        PyFileConfigLoader(
            f"jupyter_{name}_config.py", str(TOP / "jupyter")
        ).load_config()
        for name in ("server", "lab")
    )
    page = lab.LabApp.pop("default_url")
    assert (TOP / page.removeprefix("/lab/tree/")).exists()
    assert server.ServerApp.pop("allow_root") is True, "anaconda/docker-images#94"
    left = {
        (section, name) for c in (server, lab) for section in c for name in c[section]
    }
    places = {"root_dir", "preferred_dir", "extra_labextensions_path"}
    assert {n for _, n in left} == places, "no token, password, ip or port here"


FILE = TOP / "jupyter/labconfig/default_setting_overrides.json"
OVERRIDES = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("plugin", OVERRIDES)
def test_jupyterlab_knows_each_setting_of_the_course(plugin):
    """Red: JupyterLab renamed a setting, and passes over ours without a word.

    A pop-up then covers the first page, or a saved page loses its live views.
    """
    extension, _, name = plugin.partition(":")
    places = Path(sys.prefix, "share/jupyter").glob("lab*/**/schemas")
    (path,) = [f for p in places if (f := p / extension / f"{name}.json").exists()]
    known = json.loads(path.read_text(encoding="utf-8"))["properties"]
    for setting, value in OVERRIDES[plugin].items():
        jsonschema.validate(value, known[setting])
        assert value != known[setting]["default"], f"{setting} is so without us"


def test_helpers_can_be_imported_from_every_folder(tmp_path):
    """Red: `import helpers` works in one folder only, or finds another package."""
    code = (
        "import helpers, helpers.examples as e; print(helpers.__file__);print(e.DATA)"
    )
    for folder in (TOP, TOP / "notebooks", tmp_path):
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.splitlines() == [
            str(TOP / "helpers/__init__.py"),
            str(TOP / "data"),
        ]


def test_the_check_of_00_says_all_is_well(capsys):
    """Red: the first page prints versions, which differ from machine to machine."""
    environment.check_environment()
    assert capsys.readouterr().out == (
        "All in place: anywidget, ipython, ipywidgets, jupyterlab, matplotlib, numpy, "
        "packaging, traitlets\n"
    )


@pytest.mark.parametrize(
    ("needs", "message"),
    [
        (["numpy>=99"], r"numpy is [\d.]+, the course needs >=99"),
        (["no-such-package>=1"], "no-such-package is not installed"),
    ],
)
def test_the_check_of_00_names_what_is_missing(needs, message, monkeypatch):
    """Red: a reader with the wrong environment is not told what to do."""
    monkeypatch.setattr(environment.metadata, "requires", lambda _: needs)
    with pytest.raises(RuntimeError, match=message) as caught:
        environment.check_environment()
    assert "README" in str(caught.value)


def first_cell(page):
    """Return the code that a reader of page 00 runs first."""
    cells = nbformat.read(TOP / "notebooks" / page, as_version=4).cells
    return next(cell.source for cell in cells if cell.cell_type == "code")


def last_words(code, folder, **env):
    """Run code as a kernel does, whose path begins with its folder; return its end.

    That is the last line of an error, if there is one, or of what was printed.
    """
    command = [sys.executable, "-"]
    pipes = {"input": code, "capture_output": True, "encoding": "utf-8"}
    done = subprocess.run(command, cwd=folder, env={**os.environ, **env}, **pipes)
    return (done.stderr or done.stdout).splitlines()[-1]


# What else is called helpers, in a folder that is on the path before the course.
IN_THE_WAY = {
    "a file": {"helpers.py": "def softmax(x): ..."},
    "an empty file": {"helpers.py": ""},
    "a package": {"helpers/__init__.py": "", "helpers/examples.py": ""},
    "a folder": {"helpers/notes.txt": ""},
}


@pytest.mark.parametrize("page", ["00_start_here.ipynb", "zh/00_start_here.ipynb"])
@pytest.mark.parametrize("place", ["beside the page", "on PYTHONPATH"])
@pytest.mark.parametrize("what", IN_THE_WAY)
def test_00_names_what_hides_the_helpers_of_the_course(what, place, page, tmp_path):
    """Red: "'helpers' is not a package", and nobody says which file is in the way.

    (udacity SLAM#5) It depends on the kind of installation whether the course is found
    before a folder that is no package.
    """
    there = tmp_path / "there"
    for name, text in IN_THE_WAY[what].items():
        (there / name).parent.mkdir(parents=True, exist_ok=True)
        (there / name).write_text(text)
    folder, paths = (there, "") if place == "beside the page" else (tmp_path, there)
    said = last_words(first_cell(page), folder, PYTHONPATH=str(paths))
    if what != "a folder" or not said.startswith("All in place"):
        assert said.startswith("AssertionError: in the way: ")
        assert repr(str(there / "helpers"))[1:-1] in said  # Windows doubles its \\


def test_00_names_the_helpers_of_another_copy_of_the_course(tmp_path):
    """Red: a page runs with the helpers, data and progress of another folder."""
    ignore = shutil.ignore_patterns("__pycache__", "fonts", "exercises")
    shutil.copytree(TOP / "helpers", tmp_path / "helpers", ignore=ignore)
    said = last_words(
        first_cell("00_start_here.ipynb"), TOP / "notebooks", PYTHONPATH=str(tmp_path)
    )
    assert f"helpers come from {tmp_path}, perhaps by way of PYTHONPATH" in said
    assert f"not from {TOP}" in said


OLD = {
    "numpy 1.26": (
        "import numpy\n"
        "sys.modules['numpy.lib.array_utils'] = sys.modules['numpy.strings'] = None\n"
        "versions['numpy'] = '1.26.4'",
        "numpy is 1.26.4, the course needs <3,>=2.0",
    ),
    "no matplotlib": (
        "sys.modules['matplotlib'] = versions['matplotlib'] = None",
        "matplotlib is not installed",
    ),
    "matplotlib 3.8": (
        "versions['matplotlib'] = '3.8.4'",
        "matplotlib is 3.8.4, the course needs <4,>=3.9",
    ),
    "no widgets": (
        "for name in ('ipywidgets', 'anywidget', 'IPython', 'traitlets'):\n"
        "    sys.modules[name] = None\n"
        "versions['ipywidgets'] = versions['anywidget'] = None",
        "ipywidgets is not installed; anywidget is not installed",
    ),
    "Python 3.10": (
        "platform.python_version = lambda: '3.10.13'",
        "Python is 3.10.13, the course needs >=3.11",
    ),
    "helpers alone": (
        "versions['attention-by-hand'] = None",
        "attention-by-hand is not installed",
    ),
}
PRETEND = """
import platform, sys
from importlib import metadata

versions, find, version = {{}}, metadata.Distribution.from_name, metadata.version

def from_name(name):
    if name in versions and versions[name] is None:
        raise metadata.PackageNotFoundError(name)
    return find(name)

metadata.Distribution.from_name = from_name
metadata.version = lambda name: versions.get(name) or version(name)
{old}
{code}
"""


@pytest.mark.parametrize("kind", OLD)
def test_00_can_speak_where_a_package_is_missing_or_old(kind, tmp_path):
    """Red: an import fails first, and not one word says why (navo-workshop#117)."""
    old, said = OLD[kind]
    code = PRETEND.format(old=old, code=first_cell("00_start_here.ipynb"))
    assert last_words(code, tmp_path).startswith(f"RuntimeError: {said}")


def test_no_file_names_a_place_of_one_machine():
    """Red: an absolute path of somebody's machine was committed."""
    pattern = r"/(home|Users|root|tmp|work)/[a-z]|[A-Z]:\\\\Users"
    for file in [*TOP.glob("*.*"), *TOP.glob("[hdntb]*/**/*")]:
        if file.suffix in {
            ".py",
            ".md",
            ".json",
            ".ipynb",
            ".yml",
            ".toml",
            ".js",
            ".css",
        }:
            if ".venv" in file.parts or "site-packages" in file.parts:
                continue
            if file.parent.name == "tests":
                continue
            text = file.read_text(encoding="utf-8")
            if file.suffix == ".ipynb":
                text = re.sub(r'"image/png": "[^"]*"', "", text)
            found = re.search(pattern, text)
            assert not found, f"{file.name}: {found[0]}"
