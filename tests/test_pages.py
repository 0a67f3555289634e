"""Whatever repeats a page's title repeats the present one."""

import re
import shutil

import editions
import nbformat
import pages
import pytest
import run_notebooks

from .common import COPIES
from .conftest import TOP


def test_all_that_repeats_a_title_is_up_to_date():
    """Red: a list, the map, or a link between pages is stale; `make pages`."""
    names = [str(path.relative_to(TOP)) for path in pages.stale()]
    assert not names, f"make pages writes {', '.join(names)}"


@pytest.fixture
def course(tmp_path):
    """A copy of what the tool reads and writes."""
    for name in ("README.md", "README.zh.md", "tools/translated.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(TOP / name, tmp_path / name)
    for path in run_notebooks.notebooks():
        copy = tmp_path / path.relative_to(TOP)
        copy.parent.mkdir(exist_ok=True, parents=True)
        shutil.copy(path, copy)
    return tmp_path


def change(path, edit, cell=0):
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[cell].source = edit(notebook.cells[cell].source)
    path.write_text(run_notebooks.canonical(notebook), encoding="utf-8")


def test_copies_among_the_pages_are_no_pages(course):
    """Red: JupyterLab's "Duplicate" makes a list or a link count a page twice."""
    folder = course / "notebooks"
    pages_before = run_notebooks.pages_in(folder)
    for name in COPIES:
        shutil.copy(folder / "03_softmax.ipynb", folder / name)
    assert run_notebooks.pages_in(folder) == pages_before
    assert not pages.stale(course)


def run(course):
    """Write what is stale; return the names."""
    found = pages.stale(course)
    for path, text in found.items():
        path.write_text(text, encoding="utf-8")
    assert not pages.stale(course), "the second run changes something"
    return sorted(str(path.relative_to(course)) for path in found)


def text_of(path, id_):
    (cell,) = [c for c in nbformat.read(path, as_version=4).cells if c.id == id_]
    return cell.source


def test_a_new_title_reaches_every_place(course):
    """Red: a reader finds a page under two names; or another cell was touched."""
    page = course / "notebooks/02_scores.ipynb"
    before = {path: path.read_text("utf-8") for path in page.parent.glob("*.ipynb")}
    change(page, lambda text: re.sub("^# .*", "# What fits? Marks", text))
    assert run(course) == [
        "README.md",
        "notebooks/00_start_here.ipynb",
        "notebooks/01_projection.ipynb",
        "notebooks/03_softmax.ipynb",
        "tools/translated.json",
    ]
    row = "| 02 | [Marks]({}02_scores.ipynb) | What fits? |\n"
    assert row.format("notebooks/") in (course / "README.md").read_text("utf-8")
    start = course / "notebooks/00_start_here.ipynb"
    assert row.format("") in text_of(start, "map")
    for name, words in (("01_projection", "Next"), ("03_softmax", "Previous")):
        text = text_of(course / f"notebooks/{name}.ipynb", "next")
        assert f"**{words}:** [02 What fits? Marks](02_scores.ipynb)" in text
        assert "\n\n**References:** " in text
    for name in ("01_projection", "03_softmax"):
        path = page.with_stem(name)
        lines = zip(
            before[path].splitlines(), path.read_text("utf-8").splitlines(), strict=True
        )
        assert sum(old != new for old, new in lines) == 1, name


def test_a_new_page_is_listed_after_its_neighbour_and_linked(course):
    """Red: a page that was added cannot be reached."""
    last = run_notebooks.pages_in(course / "notebooks")[-1]
    number = f"{int(last.name[:2]) + 1:02}"
    new = last.with_name(f"{number}_end.ipynb")
    cells = [
        nbformat.v4.new_markdown_cell("# Is it over? The end\n\nYes.", id="title"),
        nbformat.v4.new_markdown_cell("**References:** none.", id="next"),
    ]
    notebook = nbformat.v4.new_notebook(cells=cells)
    new.write_text(run_notebooks.canonical(notebook), encoding="utf-8")
    run(course)
    for name, folder in (("README.md", "notebooks/"), ("00_start_here", "")):
        path = course / (name if folder else f"notebooks/{name}.ipynb")
        text = path.read_text("utf-8") if folder else text_of(path, "map")
        *_, row = [line for line in text.splitlines() if line.startswith("|")]
        assert row == f"| {number} | [The end]({folder}{new.name}) | Is it over? |"
    assert f"[{number} Is it over? The end]({new.name})" in text_of(last, "next")
    assert text_of(new, "title").endswith(f"Yes.\n\n[中文版](zh/{new.name})")
    back = text_of(new, "next")
    assert back.startswith("**Previous:** [") and f"({last.name})" in back
    assert back.endswith("\n\n**References:** none.")


def test_only_prose_that_was_in_step_stays_in_step(course, monkeypatch):
    """Red: a person is asked about a link, or is not asked about a text."""
    chinese = course / "notebooks/zh/02_scores.ipynb"
    change(
        course / "notebooks/02_scores.ipynb", lambda text: text.replace("?", "? X", 1)
    )
    change(course / "notebooks/03_softmax.ipynb", lambda text: text + " More.", -1)
    run(course)
    monkeypatch.setattr(editions, "ENGLISH", course / "notebooks")
    monkeypatch.setattr(editions, "CHINESE", chinese.parent)
    monkeypatch.setattr(editions, "RECORD", course / "tools/translated.json")
    record = editions.read_record()
    asked = {
        page: editions.drift(page, record).keys() & set(pages.CELLS)
        for page in ("01_projection", "02_scores", "03_softmax")
    }
    assert list(asked.values()) == [set(), {"title"}, {"next"}]


def test_a_cell_that_is_not_translated_is_left_to_its_translator(course):
    """Red: a Chinese page with an English text counts as translated."""
    english = text_of(course / "notebooks/02_scores.ipynb", "title")
    chinese = course / "notebooks/zh/02_scores.ipynb"
    change(chinese, lambda _: english)
    run(course)
    assert text_of(chinese, "title") == english


@pytest.mark.parametrize(
    ("title", "parts"),
    [
        ("# Who came first? Order", ("Who came first?", "Order")),
        ("# Why divide by √d_k?", ("Why divide by √d_k?", "")),
        ("# 为什么要除以 √d_k？", ("为什么要除以 √d_k？", "")),
        ("# 谁先谁后？次序", ("谁先谁后？", "次序")),
        ("# Self-attention: all at once", ("All at once", "Self-attention")),
        ("# 自注意力：合成一个函数", ("合成一个函数", "自注意力")),
    ],
)
def test_a_title_is_taken_apart(title, parts):
    """Red: a list shows the topic as the question."""
    assert pages.question_and_topic(title) == parts


@pytest.mark.parametrize("title", ["# Scores", "Order: what", "How well?"])
def test_a_title_of_another_form_is_refused(title):
    """Red: a list has an empty place."""
    with pytest.raises(ValueError, match="Question\\? Topic"):
        pages.question_and_topic(title)
