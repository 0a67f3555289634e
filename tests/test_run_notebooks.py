"""`make run`, and whether the test suite notices what it is there to notice."""

import re
import shutil
import subprocess
import sys

import nbformat
import pytest
import run_notebooks

from .conftest import TOP

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
    stored = run_notebooks.canonical(notebook)
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


def suite(folder, *arguments):
    """Run the suite of the course on a folder of notebooks; return what it said."""
    command = [sys.executable, "-m", "pytest", "-c", str(TOP / "pyproject.toml")]
    command += ["--rootdir", str(folder), "-n", "0", "-p", "no:cacheprovider"]
    return subprocess.run(
        [*command, *arguments, str(folder)], capture_output=True, text=True, cwd=folder
    )


@pytest.fixture
def small(tmp_path, notebook):
    """Return a function that writes the first cells of a notebook, changed."""

    def write(change):
        notebook.cells = [c for c in notebook.cells if c.cell_type == "code"][:4]
        change(notebook.cells)
        nbformat.write(notebook, tmp_path / NAME)
        return tmp_path

    return write


def test_an_unchanged_notebook_is_green(small):
    """Red: the tests below would be red for another reason than the one they name."""
    done = suite(small(lambda cells: None))
    assert done.returncode == 0, done.stdout
    assert "4 passed" in done.stdout


def test_one_changed_digit_is_noticed(small):
    """Red: a number of a page can change, and nobody is told."""

    def change(cells):
        output = cells[3].outputs[0]
        output.text = output.text.replace("0.474", "0.475")

    done = suite(small(change))
    assert done.returncode == 1 and "1 failed" in done.stdout, done.stdout


def test_an_endless_cell_is_stopped_and_named(small):
    """Red: one cell without an end stops the whole suite (nbval#133)."""

    def change(cells):
        cells[1].source = "while True: pass"

    done = suite(small(change), "--nbval-cell-timeout=3")
    assert done.returncode == 1
    assert re.search(r"Cell 1.*\n*.*[Tt]imeout|exceeded", done.stdout), done.stdout


def test_no_cell_is_skipped_by_the_settings():
    """Red: nbval runs in lax mode, filters outputs, or has no limit of time."""
    settings = (TOP / "pyproject.toml").read_text(encoding="utf-8")
    assert "--nbval --nbval-current-env --nbval-cell-timeout=60" in settings
    assert "lax" not in settings and "sanitize" not in settings
    assert "--dist loadfile" in settings, "cells of one notebook must stay together"


def test_work_of_a_reader_is_left_alone(tmp_path):
    """Red: a reader's own copy, my_….ipynb, turns the suite red."""
    shutil.copy(TOP / "notebooks" / NAME, tmp_path / "my_01.ipynb")
    done = suite(tmp_path, "--collect-only", "-q")
    assert "no tests collected" in done.stdout, done.stdout
