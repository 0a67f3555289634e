"""The copy for a class: nothing that gives an answer away, and it still runs."""

import json
import os
import subprocess
import sys

import handout
import nbformat
import pytest
import run_notebooks

from helpers.exercises.show import reasons

from .conftest import TOP

FOLDED = """**Softmax.**

<details><summary>Hint</summary>

Each row.

</details>

<details><summary>Solution</summary>

`from helpers.exercises import show`, then `show("softmax")`.

</details>

More text."""


def test_a_way_to_a_solution_is_left_out_and_a_hint_stays():
    """Red: the hand-out tells where the solutions are, or loses its hints."""
    cells = [nbformat.v4.new_markdown_cell(FOLDED), nbformat.v4.new_code_cell("1 + 1")]
    cells[1].outputs = [nbformat.v4.new_output("stream", text="2")]
    cells[1].execution_count = 3
    text = nbformat.writes(nbformat.v4.new_notebook(cells=cells))
    prose, code = nbformat.reads(handout.bare(text), as_version=4).cells
    assert "solution" not in prose.source.lower()
    assert "Each row." in prose.source and prose.source.endswith(
        "</details>\n\nMore text."
    )
    assert (code.outputs, code.execution_count, code.source) == ([], None, "1 + 1")


def test_the_copy_is_bare_and_runs(tmp_path):
    """Red: an output or a solution is in the hand-out, or its helpers do not load."""
    target = tmp_path / "讲义 1"
    handout.write(target)
    names = {p.relative_to(target) for p in (target / "notebooks").rglob("*.ipynb")}
    assert {p.relative_to(TOP) for p in run_notebooks.notebooks()} == names
    table = (target / "helpers/texts_zh.json").read_text(encoding="utf-8")
    assert not any(json.dumps(c, ensure_ascii=False) in table for c in reasons())
    for path in (target / "notebooks").rglob("*.ipynb"):
        text = path.read_text(encoding="utf-8")
        assert "import show`" not in text, path.name
        for cell in nbformat.reads(text, as_version=4).cells:
            if cell.cell_type == "code":
                assert cell.outputs == [] and cell.execution_count is None
    assert not list(target.rglob("*solutions*"))
    assert not list(target.rglob("__pycache__")) and not list(
        target.rglob(".progress*")
    )
    script = (
        "import helpers, helpers.examples, helpers.explorer\n"
        "from helpers.exercises import ask, check\n"
        "print(helpers.__file__, len(helpers.examples.three_tokens().tokens))\n"
        "check.softmax(None)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script],
        cwd=target,
        env={**os.environ, "PYTHONPATH": str(target)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert str(target) in ran.stdout and "Not solved yet" in ran.stdout


def test_a_folder_that_exists_is_left_alone(tmp_path):
    """Red: what somebody wrote in an earlier hand-out is overwritten."""
    with pytest.raises(FileExistsError, match="delete it or move it away"):
        handout.write(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_copy_is_ignored_by_git():
    """Red: a hand-out is committed."""
    assert "handout/" in (TOP / ".gitignore").read_text(encoding="utf-8").splitlines()
