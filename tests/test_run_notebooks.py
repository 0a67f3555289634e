"""`make run`, and whether the test suite notices what it is there to notice."""

import base64
import io
import os
import re
import shutil
import subprocess
import sys

import nbformat
import pytest
import run_notebooks
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from .common import COPIES, named
from .conftest import TOP
from .test_notebooks import shows_something

NAME = "01_projection.ipynb"


@pytest.fixture
def notebook():
    return nbformat.read(TOP / "notebooks" / NAME, as_version=4)


def test_the_form_is_stable(notebook):
    """Red: running a notebook twice gives two files."""
    once = run_notebooks.canonical(notebook)
    assert run_notebooks.canonical(nbformat.reads(once, as_version=4)) == once


def test_what_a_session_leaves_is_taken_away_and_ids_are_kept(notebook):
    """Red: timings, tags, widget state or a kernel's name get into the repository."""
    ids = [cell.id for cell in notebook.cells]
    stored = run_notebooks.canonical(notebook)
    assert [c.id for c in nbformat.reads(stored, as_version=4).cells] == ids
    notebook.metadata["widgets"] = {"state": {}}
    notebook.metadata["kernelspec"]["name"] = "conda-env-x-py"
    notebook.metadata["language_info"]["version"] = "3.99"
    for cell in notebook.cells:
        cell.metadata["tags"] = ["nbval-skip"]
        cell.metadata["execution"] = {"iopub.status.busy": "2000-01-01"}
        for output in cell.get("outputs", []):
            if "data" in output:
                output.data[run_notebooks.WIDGET_VIEW] = {"model_id": "1"}
    assert run_notebooks.canonical(notebook) == stored


# ---- the suite of the course, let loose on small notebooks

SOURCES = {
    "number": "x = 1 / 4\nprint(f'{x:.2f}')",
    "value": "[1, 2]",
    "folder": "from pathlib import Path\nprint(Path('here.txt').exists())",
    "widget": "import ipywidgets\nipywidgets.IntSlider()",
    "code": "print('a')",
    "later": "print(f'{x:.1f}')",
    "silent": "print('b')",
    "warning": "import warnings",
    "junk": "from helpers.pictures import curve\n"
    "curve([3, 2, 1], xlabel='x', ylabel='y')",
    "swapped": "curve([3, 2, 1.1], xlabel='x', ylabel='y')",
    "blank": "curve([2, 2, 2], xlabel='x', ylabel='y')",
    "endless": "pass",
}


def repaint(cell, words=None, colour=None):
    """Give the picture of a cell other words, or paint it over."""
    output = next(o for o in cell.outputs if "image/png" in o.get("data", {}))
    picture = Image.open(io.BytesIO(base64.b64decode(output.data["image/png"])))
    said, png = PngInfo(), io.BytesIO()
    said.add_text("Description", words or picture.text["Description"])
    if colour:
        picture.paste(colour, (0, 0, *picture.size))
    picture.save(png, "png", pnginfo=said)
    output.data["image/png"] = base64.b64encode(png.getvalue()).decode()


def replace_picture(cell):
    """Put bytes in the place of a picture that are none."""
    for output in cell.outputs:
        output.get("data", {})["image/png"] = base64.b64encode(b"junk").decode()


SPOILT = {  # what is done to a cell of a notebook that has been run
    "number": lambda cell: cell.outputs[0].update(text="0.26\n"),
    "value": lambda cell: cell.outputs[0].data.update({"text/plain": "[1, 3]"}),
    "code": lambda cell: cell.update(source="print('A')"),
    "silent": lambda cell: cell.update(source="pass"),
    "warning": lambda cell: cell.update(source="import warnings; warnings.warn('!')"),
    "junk": replace_picture,
    "swapped": lambda cell: repaint(cell, words="Bars, a: b 1.000."),
    "blank": lambda cell: repaint(cell, colour="white"),
    "endless": lambda cell: cell.update(source="while True: pass"),
}

WARNS = "import warnings\ndef test_warns():\n    warnings.warn('!')\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with one notebook that `run` has executed and saved."""
    folder = tmp_path_factory.mktemp(named("my 课程"))
    (folder / "here.txt").touch()
    cells = [new_markdown_cell("# A page", id="title")]
    cells += [new_code_cell(source, id=name) for name, source in SOURCES.items()]
    nbformat.write(new_notebook(cells=cells), folder / "good.ipynb")
    run_notebooks.run(folder / "good.ipynb")
    return folder


@pytest.fixture(scope="module")
def said(folder):
    """Return what the suite says about this notebook, good, spoilt and cleared."""
    spoilt, cleared = (nbformat.read(folder / "good.ipynb", 4) for _ in range(2))
    for cell in spoilt.cells:
        SPOILT.get(cell.id, lambda cell: None)(cell)
    for cell in cleared.cells[1:]:
        cell.update(outputs=[], execution_count=None)
    nbformat.write(cleared, folder / "cleared.ipynb")
    nbformat.write(spoilt, folder / "spoilt.ipynb")
    nbformat.write(spoilt, folder / "my_copy.ipynb")
    (folder / "test_warns.py").write_text(WARNS)
    command = [sys.executable, "-m", "pytest", "-c", str(TOP / "pyproject.toml")]
    command += ["--rootdir", str(folder), "-p", "no:cacheprovider", "-rA"]
    command += ["-p", "conftest", "--nbval-cell-timeout=5", str(folder)]
    here = os.environ | {"PYTHONPATH": str(TOP)}  # where conftest is found
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=here)
    return done.stdout


def cells(said, name, verdict):
    """Return the cells of a notebook on which the suite gave this verdict."""
    found = re.findall(rf"^{verdict} .*\b{name}\.ipynb::Cell (\d+)", said, re.MULTILINE)
    return [list(SOURCES)[int(cell)] for cell in found]


def test_run_executes_and_saves_in_the_form(folder):
    """Red: `make run` saves another form than the one the hygiene test asks for."""
    text = (folder / "good.ipynb").read_text(encoding="utf-8")
    book = nbformat.reads(text, as_version=4)
    assert text == run_notebooks.canonical(book)
    number, value, place, widget = book.cells[1:5]
    assert number.outputs[0].text == "0.25\n"
    assert value.outputs[0].data == {"text/plain": "[1, 2]"}
    assert place.outputs[0].text == "True\n", "run it in the folder of the notebook"
    assert list(widget.outputs[0].data) == ["text/plain"]
    counts = [cell.execution_count for cell in book.cells[1:]]
    assert counts == list(range(1, len(SOURCES) + 1))


def test_an_unchanged_notebook_is_green(said):
    """Red: the tests below would be red for another reason than the one they name.

    Or the two workers share a notebook, which loses its variables (nbval#121, #205).
    """
    assert cells(said, "good", "PASSED") == list(SOURCES), said


@pytest.mark.parametrize("fault", SPOILT)
def test_a_spoilt_cell_is_red(fault, said):
    """Red: a page can change, warn or hang (nbval#133), and nobody is told."""
    assert fault in cells(said, "spoilt", "FAILED"), said


def test_cleared_outputs_are_noticed_by_the_test_of_the_form(said, folder):
    """Red: neither nbval nor test_notebooks sees that a page was never run."""
    assert cells(said, "cleared", "PASSED") == list(SOURCES), "nbval sees it now: good"
    book = nbformat.read(folder / "cleared.ipynb", as_version=4)
    assert [c.id for c in book.cells[1:] if shows_something(c.source)] == [
        *("number", "value", "folder", "code", "later", "silent"),
        *("junk", "swapped", "blank"),
    ]


def test_work_of_a_reader_is_left_alone(said):
    """Red: a reader's own copy, my_….ipynb, turns the suite red."""
    assert "spoilt.ipynb" in said
    assert "my_copy" not in said


@pytest.mark.parametrize("folder", run_notebooks.FOLDERS, ids=lambda f: f.name)
def test_copies_of_pages_are_left_alone(folder, tmp_path):
    """Red: JupyterLab's "Duplicate" adds the cells of a page to the suite."""
    for name in ("conftest.py", "pyproject.toml", "tools/run_notebooks.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(TOP / name, tmp_path / name)
    copy = tmp_path / folder.relative_to(TOP)
    copy.mkdir(parents=True)
    for name in ("03_softmax.ipynb", *COPIES):
        shutil.copy(folder / "03_softmax.ipynb", copy / name)
    command = [sys.executable, "-m", "pytest", "-n", "0", "--collect-only", "-q"]
    done = subprocess.run(
        [*command, "notebooks"], capture_output=True, text=True, cwd=tmp_path
    )
    books = set(re.findall(r"([^/\\]*\.ipynb)::", done.stdout))
    assert books == {"03_softmax.ipynb"}, done.stdout


def test_a_test_that_warns_is_red(said):
    """Red: a warning of NumPy or matplotlib goes by unseen."""
    assert re.search(r"^FAILED .*test_warns", said, re.MULTILINE), said


def test_the_suite_looks_at_notebooks_and_tests_and_waits_for_no_cell(pytestconfig):
    """Red: half of what `make test` promises is not run, or one cell can stop it."""
    assert {"notebooks", "tests"} <= set(pytestconfig.getini("testpaths"))
    assert 0 < pytestconfig.getoption("nbval_cell_timeout") <= 60
