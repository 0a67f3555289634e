"""Pages and files of before the modules moved."""

import os
import subprocess
import sys

import nbformat
import pytest
from nbclient import NotebookClient

from helpers import exercises, moved
from helpers.exercises import buttons, catalogue, checks

from .conftest import TOP


def test_a_readers_page_of_before_still_runs(tmp_path, monkeypatch):
    """Red: a copy that a reader keeps stops at its imports, or forgets its progress."""
    file = tmp_path / "progress.json"
    file.write_text('{"solved": ["one_score", "two_scores"]}', encoding="utf-8")
    monkeypatch.setenv("ATTENTION_PROGRESS", str(file))
    page = nbformat.read(TOP / "tests/data/my_03_softmax.ipynb", as_version=4)
    page.cells += [
        nbformat.v4.new_code_cell(source)
        for source in (
            "from helpers.progress import show_progress\nshow_progress()",
            "from helpers.solutions import show\nshow('softmax')",
            "check.softmax(lambda scores: scores)",
            "check.sum_of_weights(4)",
        )
    ]
    NotebookClient(page, timeout=60, kernel_name="python3").execute()
    *_, wrong, right = ("".join(o.text for o in c.outputs) for c in page.cells[-2:])
    assert wrong.startswith("Not yet: scores used as weights.")
    assert right.startswith("Right.")
    for name in ("one_score", "sum_of_weights", "two_scores"):
        assert f'"{name}"' in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("module", "name", "now"),
    [
        ("checks", "check", exercises.check),
        ("checks", "judge", checks.judge),
        ("questions", "ask", buttons.ask),
        ("solutions", "show", exercises.show),
        ("progress", "show_progress", exercises.show_progress),
        ("progress", "reset_progress", exercises.reset_progress),
        ("catalogue", "EXERCISES", catalogue.EXERCISES),
    ],
)
def test_an_old_name_is_the_new_thing(module, name, now):
    """Red: an import of an earlier page fails, or finds something else."""
    space = {}
    exec(f"from helpers.{module} import {name} as found", space)
    assert space["found"] is now


def test_a_name_that_never_was_is_refused():
    """Red: a typing error in an import is answered with something."""
    with pytest.raises(ImportError):
        exec("from helpers.checks import chek")
    with pytest.raises(ModuleNotFoundError):
        exec("import helpers.cheks")
    moved.forward()
    finders = [type(finder).__name__ for finder in sys.meta_path]
    assert finders.count("_Forward") == 1


def test_judging_loads_no_widget_library():
    """Red: a grader without a screen pays for widgets and pictures, or needs them."""
    code = (
        "import sys\n"
        "from helpers.exercises.checks import judge\n"
        "assert judge('softmax', lambda scores: scores).name\n"
        "loaded = {'ipywidgets', 'anywidget', 'IPython', 'matplotlib', 'traitlets'}\n"
        "print(sorted(loaded & set(sys.modules)))"
    )
    env = {**os.environ, "PYTHONPATH": str(TOP)}
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout == "[]\n"
