"""Solutions, as `show` prints them."""

import ast
import io
import re
import tokenize

import nbformat
import numpy as np
import pytest
import run_notebooks

from helpers import language
from helpers.exercises import check, show, solutions
from helpers.exercises.catalogue import EXERCISES, PAGES
from helpers.exercises.checks import judge
from helpers.exercises.show import COLUMNS
from helpers.language import WIDTH, columns

from ..conftest import TOP
from .common import printed

NAMES = pytest.mark.parametrize("name", EXERCISES)
NUMBER = {e.name: page.number for page in PAGES for e in page.exercises}


def test_solutions_are_shown_and_used_by_nobody():
    """Red: a page or a helper shows a solution that nobody asked for."""
    text = printed(show, "softmax")
    assert text.startswith("def my_softmax(scores):\n") and "keepdims=True" in text
    with pytest.raises(ValueError, match="no exercise is called 'show'"):
        show("show")
    files = [*(TOP / "helpers").glob("*.py"), *(TOP / "tools").glob("*.py")]
    users = [
        path.name
        for path in files
        if re.search(r"import.*\bsolutions\b", path.read_text(encoding="utf-8"))
    ]
    assert users == []
    for path in run_notebooks.notebooks():
        for cell in nbformat.read(path, as_version=4).cells:
            assert cell.cell_type != "code" or "solutions" not in cell.source, path.name


def page_names(number):
    """What the code of a page imports from helpers, without checks and pictures."""
    (path,) = (TOP / "notebooks").glob(f"{number:02}_*.ipynb")
    found = {"np": np}
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            for node in ast.parse(cell.source).body:
                if isinstance(node, ast.ImportFrom) and node.module == "helpers":
                    exec(ast.unparse(node), found)
    return found


@NAMES
def test_a_solution_runs_as_it_is_shown(name):
    """Red: a solution pasted into its page stops with an error, or is refused."""
    exercise = EXERCISES[name]
    page = page_names(NUMBER[name])
    exec(printed(show, name), page)
    verdict = judge(name, page[exercise.title])
    assert verdict.kind == "right", verdict.text


def test_a_shown_solution_keeps_its_comments():
    """Red: the reasons are lost with the annotations."""
    assert printed(show, "scaled_score") == (
        "# The width of queries and keys, and its root: √9 = 3.\n"
        "my_scaled_score = 12 / 9**0.5\n"
    )
    assert "    # A copy of the scores, and floats" in printed(show, "hide_key")


def comments_and_code(source):
    """Return the comments of a piece of code, and all the rest of it."""
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    layout = (tokenize.COMMENT, tokenize.NL)
    comments = [t.string for t in tokens if t.type == tokenize.COMMENT]
    return comments, [t.string for t in tokens if t.type not in layout]


@NAMES
def test_a_chinese_page_shows_chinese_comments(name, monkeypatch):
    """Red: a solution is explained in English, its code is another, or it is wide."""
    _, code = comments_and_code(printed(show, name))
    monkeypatch.setattr(language, "of_page", "zh")
    text = printed(show, name)
    comments, chinese_code = comments_and_code(text)
    assert chinese_code == code
    words = set(re.findall(r"(?<![A-Za-z_])[A-Za-z]{3,}", " ".join(comments)))
    assert words <= {"love", "True", *code}
    for line in text.split("\n"):
        width = COLUMNS if line.lstrip().startswith("#") else WIDTH
        assert columns(line) <= width, line
    assert getattr(check, name).__doc__ != EXERCISES[name].asked


def test_a_missing_solution_is_said(monkeypatch):
    """Red: a new exercise without a solution stops with a bare KeyError."""
    monkeypatch.delattr(solutions, "softmax")
    with pytest.raises(ValueError, match="'softmax' has no solution; write a function"):
        show("softmax")
