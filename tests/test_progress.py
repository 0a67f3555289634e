"""The reader's progress: one small file, never lost, never touched by a test."""

import contextlib
import errno
import io
import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import nbformat
import pytest
import run_notebooks

from helpers.exercises import progress, reset_progress
from helpers.exercises.board import Board
from helpers.exercises.catalogue import MODULES, PAGES
from helpers.exercises.progress import read, record

from .common import named
from .conftest import TOP


@pytest.fixture
def file(tmp_path, monkeypatch):
    path = tmp_path / named("进度 1.json")
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
    left = sorted(os.listdir(file.parent))
    assert left == [file.name, f"{file.name}.lock"], "a temporary file stays behind"


@pytest.mark.parametrize(
    "broken",
    [
        *(b"", b"{", b"[1]", b"5", b'{"solved": [1]}', b'{"solved": 5}', b"\xff\xfe"),
        *(b'{"solved": "abc"}', b'{"solved": {"mix": 1}}', b'{"solved": null}'),
        *(b"[" * 100_000, b'{"a":' * 100_000, b'{"solved": [' + b"9" * 5000 + b"]}"),
    ],
    ids=lambda broken: broken[:24].decode(errors="replace"),
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
    stems = [path.stem for path in run_notebooks.pages_in(TOP / "notebooks")[1:]]
    assert [name.removeprefix("e") for name in MODULES] == stems
    for page, stem in zip(PAGES, stems, strict=True):
        assert re.sub("[ -]", "_", f"{page.number:02} {page.topic}") == stem


def test_a_file_that_cannot_be_read_is_left_alone(tmp_path, monkeypatch):
    """Red: progress that could not be read is overwritten."""
    monkeypatch.setenv("ATTENTION_PROGRESS", str(tmp_path))
    assert record("softmax").startswith("Your progress cannot")
    assert not read().readable
    assert not os.listdir(tmp_path)


MANY = """
import sys
from helpers.exercises.progress import record

print("ready", flush=True)
sys.stdin.readline()
for i in range(16):
    assert record(f"{sys.argv[1]}_{i}") == ""
"""


def test_kernels_that_record_at_once_lose_nothing(file):
    """Red: what one kernel records between the read and the write of another is lost.

    (oss-autopilot#1030)
    """
    command = [sys.executable, "-c", MANY]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    kernels = [subprocess.Popen([*command, name], **pipes) for name in "abcd"]
    for kernel in kernels:
        assert kernel.stdout.readline() == "ready\n"
    for kernel in kernels:
        kernel.stdin.write("go\n")
        kernel.stdin.flush()
    for kernel in kernels:
        kernel.communicate(timeout=60)
        assert kernel.returncode == 0
    assert read().solved == {f"{name}_{i}" for name in "abcd" for i in range(16)}


def test_a_broken_file_is_set_aside_once(file):
    """Red: of two kernels that find a broken file, one takes away the other's new one.

    The threads stand for kernels: each opens the lock anew.
    """
    file.write_text("{")
    with ThreadPoolExecutor(8) as kernels:
        messages = list(kernels.map(record, "abcdefgh"))
    assert len([message for message in messages if message]) == 1
    assert read() == (set("abcdefgh"), "", True)


def test_a_lock_that_is_never_given_back_stops_nobody(file, monkeypatch):
    """Red: a kernel that hangs with the file makes every check hang."""
    monkeypatch.setattr(progress, "PATIENCE", 0.1)
    with progress._alone():
        start = time.monotonic()
        assert record("mix") == ""
        assert 0.1 < time.monotonic() - start < 5
    assert read().solved == {"mix"}


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOLCK, "No locks"), ModuleNotFoundError("fcntl")], ids=repr
)
def test_where_there_are_no_locks_progress_is_kept(error, file, monkeypatch):
    """Red: on a network drive or in Pyodide a right answer ends in a traceback."""
    monkeypatch.setattr(progress, "_lock", Mock(side_effect=error))
    assert record("mix") == "" and read().solved == {"mix"}


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_link_is_followed(file, tmp_path):
    """Red: a file that is shared by a link is replaced by one of this copy alone."""
    shared = tmp_path / "shared"
    shared.mkdir()
    file.symlink_to(shared / "p.json")
    assert record("mix") == ""
    (shared / "p.json").write_text("{")
    assert "p.json.broken1" in record("softmax")
    assert file.is_symlink()
    assert json.loads((shared / "p.json").read_text()) == {"solved": ["softmax"]}


def test_the_progress_of_before_is_still_there(file):
    """Red: a reader who updates the course has to begin anew."""
    file.write_text('{\n "solved": [\n  "mix",\n  "norm_entry",\n  "rotate"\n ]\n}\n')
    assert read().solved == {"mix", "norm_entry", "rotate"}
    assert "1 of " in Board().table.value
