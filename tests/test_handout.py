"""The copy for a class: nothing that gives an answer away, and it still runs."""

import json
import os
import re
import shutil
import subprocess
import sys

import handout
import nbformat
import pytest
import run_notebooks

from helpers.exercises.show import reasons

from .common import COPIES, dead_links, named
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


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    target = tmp_path_factory.mktemp("class") / named("讲义 1")
    handout.write(target)
    return target


def test_the_copy_is_bare_and_runs(copy):
    """Red: an output or a solution is in the hand-out, or its helpers do not load."""
    target = copy
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


def test_copies_of_pages_stay_behind():
    """Red: a class gets what lay among the pages, with its outputs."""
    pages = [path.name for path in run_notebooks.notebooks()]
    assert handout.left_out("notebooks", pages) == set()
    assert handout.left_out("notebooks", [*pages, *COPIES]) == set(COPIES)


def texts_of(folder):
    """Return what a reader reads, by file: READMEs, and the prose of the pages."""
    texts = {p: p.read_text("utf-8") for p in folder.rglob("*.md")}
    for path in folder.rglob("*.ipynb"):
        cells = nbformat.read(path, as_version=4).cells
        prose = [cell.source for cell in cells if cell.cell_type == "markdown"]
        texts[path] = "\n".join(prose)
    return texts


def test_each_link_of_the_copy_leads_somewhere(copy):
    """Red: a page or a README of the hand-out links to what stays behind."""
    texts = texts_of(copy)
    assert {"README.md", "README.zh.md", "00_start_here.ipynb"} <= {
        path.name for path in texts
    }
    for path, text in texts.items():
        assert not dead_links(path, text), path.name


@pytest.mark.skipif(shutil.which("make") is None, reason="no make here")
def test_the_copy_promises_no_command_that_it_has_not(copy):
    """Red: a class is told to type what cannot work there.

    The Makefile's own targets need nothing that the copy does not hold.
    """
    makefile = (copy / "Makefile").read_text("utf-8")
    targets = re.findall(r"^([a-z-]+)::?(?!=)", makefile, re.MULTILINE)
    assert sorted(targets) == ["help", "lab"]
    for path in re.findall(r"\b(?:tools|tests|requirements)/[\w.]+", makefile):
        assert (copy / path).exists(), path
    assert [p.name for p in (copy / "tools").iterdir()] == ["install.py"]
    for name, text in texts_of(copy).items():
        told = re.findall(r"(?:`|^)make ([a-z-]+)", text, re.MULTILINE)
        assert set(told) <= set(targets), name
        assert not re.search(r"pytest|tests/|tools/|benchmarks", text), name
    for readme in ("README.md", "README.zh.md"):
        assert "make lab" in (copy / readme).read_text("utf-8")
    env = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
    for target in (*targets, ".venv/ready"):
        subprocess.run(["make", "-n", target], cwd=copy, env=env, check=True)


def test_a_section_of_which_nothing_is_left_goes_too():
    """Red: the hand-out has a heading with nothing below it."""
    text = "## Tests\n\n`make test` runs them.\n\n## Licence\n\nFree.\n"
    assert handout.reader(text) == "## Licence\n\nFree.\n"


def test_a_folder_that_exists_is_left_alone(tmp_path):
    """Red: what somebody wrote in an earlier hand-out is overwritten."""
    with pytest.raises(FileExistsError, match="delete it or move it away"):
        handout.write(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["handout/x.md", "notebooks/my_1.ipynb", ".venv/x"])
def test_what_is_not_the_courses_is_ignored_by_git(name):
    """Red: a hand-out, a reader's own page or an environment is committed."""
    if not (TOP / ".git").exists():
        pytest.skip("not a checkout of git")
    assert subprocess.run(["git", "check-ignore", "-q", name], cwd=TOP).returncode == 0
