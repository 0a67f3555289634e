"""The reader's progress: one small file, never lost, never touched by a test."""

import contextlib
import io
import json
import os
import re

import nbformat
import pytest
import run_notebooks

from helpers.exercises import progress, reset_progress
from helpers.exercises.board import Board
from helpers.exercises.catalogue import MODULES, PAGES
from helpers.exercises.progress import read, record

from .conftest import TOP


@pytest.fixture
def file(tmp_path, monkeypatch):
    path = tmp_path / "进度 1.json"
    monkeypatch.setenv("ATTENTION_PROGRESS", str(path))
    return path


def quietly(call):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        call()
    return out.getvalue()


def test_the_tests_do_not_touch_the_readers_file(monkeypatch):
    """Red: a test run changes what the reader has solved."""
    assert TOP not in progress.path().parents
    monkeypatch.delenv("ATTENTION_PROGRESS")
    assert progress.path() == TOP / ".progress.json"
    assert ".progress.json*" in (TOP / ".gitignore").read_text().splitlines()


def test_make_run_does_not_touch_the_readers_file(tmp_path, file):
    """Red: executing a page records its exercises as the reader's."""
    cell = nbformat.v4.new_code_cell(
        "from helpers.exercises import progress\n"
        "print(progress.path(), progress.record('mix'))"
    )
    page = tmp_path / "page.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), page)
    run_notebooks.main([str(page)])
    (output,) = nbformat.read(page, as_version=4).cells[0].outputs
    assert "progress.json" in output.text and str(file) not in output.text
    assert not file.exists()


def test_exercises_are_added_and_forgotten(file):
    """Red: a solved exercise is lost, or cannot be reset."""
    assert read() == (set(), "", True)
    assert [record(name) for name in ("softmax", "mix", "softmax")] == ["", "", ""]
    assert read() == ({"softmax", "mix"}, "", True)
    assert json.loads(file.read_text(encoding="utf-8")) == {
        "solved": ["mix", "softmax"]
    }
    assert quietly(reset_progress) == "Your progress is empty.\n"
    assert read() == (set(), "", True)
    assert os.listdir(file.parent) == [file.name], "a temporary file stays behind"


@pytest.mark.parametrize(
    "broken",
    [b"", b"{", b"[1]", b"5", b'{"solved": [1]}', b'{"solved": 5}', b"\xff\xfe"],
)
def test_a_broken_file_is_kept_and_said(file, broken):
    """Red: a file that cannot be understood is overwritten, or stops the page."""
    file.write_bytes(broken)
    message = record("softmax")
    assert message.startswith(
        "Your progress file could not be understood. It is kept as"
    )
    kept = file.with_name(f"{file.name}.broken1")
    assert kept.name in message and kept.read_bytes() == broken
    assert read() == ({"softmax"}, "", True)
    file.write_bytes(broken)
    assert ".broken2" in read().message
    assert kept.read_bytes() == broken


def test_a_place_that_cannot_be_written(tmp_path, monkeypatch):
    """Red: a right answer ends in a traceback because of the file."""
    monkeypatch.setenv("ATTENTION_PROGRESS", str(tmp_path / "missing" / "p.json"))
    assert record("softmax").startswith("Your progress could not be saved: ")
    monkeypatch.setenv("ATTENTION_PROGRESS", str(tmp_path))
    assert record("softmax").startswith("Your progress cannot be read: ")


def test_the_table_shows_what_is_solved_and_its_text_never_changes(file):
    """Red: the page of 00 differs after an exercise, or the table does not."""
    board = Board()
    assert "0 of 5" in board.table.value and "all solved" not in board.table.value
    for exercise in PAGES[0].exercises:
        record(exercise.name)
    board.children[1].click()
    assert "●●●●●" in board.table.value and "all solved" in board.table.value
    assert repr(board) == "Run this cell to see your progress."
    file.write_text("{")
    board.look()
    assert "It is kept as" in board.table.value


def test_the_table_names_every_notebook():
    """Red: a notebook is called by another's name."""
    stems = [path.stem for path in sorted((TOP / "notebooks").glob("[0-9]*.ipynb"))[1:]]
    assert [name.removeprefix("e") for name in MODULES] == stems
    for page, stem in zip(PAGES, stems, strict=True):
        assert re.sub("[ -]", "_", f"{page.number:02} {page.topic}") == stem


def test_a_file_that_cannot_be_read_is_left_alone(tmp_path, monkeypatch):
    """Red: progress that could not be read is overwritten."""
    monkeypatch.setenv("ATTENTION_PROGRESS", str(tmp_path))
    assert record("softmax").startswith("Your progress cannot")
    assert not read().readable
    assert not os.listdir(tmp_path)


def test_the_progress_of_before_is_still_there(file):
    """Red: a reader who updates the course has to begin anew."""
    file.write_text('{\n "solved": [\n  "mix",\n  "norm_entry",\n  "rotate"\n ]\n}\n')
    assert read().solved == {"mix", "norm_entry", "rotate"}
    assert "1 of " in Board().table.value
