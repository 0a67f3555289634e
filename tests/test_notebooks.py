"""The form of the notebooks: what strict nbval does not look at."""

import ast
import base64
import re
import statistics
import sys

import editions
import nbformat
import pytest
import run_notebooks

from helpers.exercises.catalogue import PAGES

from .common import FORBIDDEN, dead_links
from .conftest import TOP

PATHS = run_notebooks.notebooks()
BOOKS = {str(p.relative_to(TOP)): nbformat.read(p, as_version=4) for p in PATHS}
every_notebook = pytest.mark.parametrize("name", BOOKS)

UNSTABLE = r"<Figure size|\b0x[0-9a-f]{6,}|np\.float|[-−]0\.?0*(?![\d.])"


def code(name):
    return [cell for cell in BOOKS[name].cells if cell.cell_type == "code"]


def prose(name):
    return [cell for cell in BOOKS[name].cells if cell.cell_type == "markdown"]


def outputs(name):
    return [(cell.id, output) for cell in code(name) for output in cell.outputs]


def words_of(output):
    return output.get("text", "") + output.get("data", {}).get("text/plain", "")


def test_all_notebooks_are_found():
    """Red: a notebook is missing, or its number is not the next one."""
    numbers = [int(p.name[:2]) for p in PATHS if p.parent.name == "notebooks"]
    assert numbers == list(range(len(numbers)))
    assert {page.number for page in PAGES} <= set(numbers), "it has exercises"


@pytest.mark.parametrize("folder", run_notebooks.FOLDERS, ids=lambda f: f.name)
def test_no_copy_lies_among_the_pages(folder):
    """Red: JupyterLab's "Duplicate" or "New" left a file, or a page is misnamed.

    Nothing else looks at it. Your own work is safe as my_….ipynb; a page is called as
    16_language_model.ipynb.
    """
    own = {path for path in folder.glob("my_*.ipynb")}
    stray = {*folder.glob("*.ipynb")} - own - {*run_notebooks.pages_in(folder)}
    names = [str(path.relative_to(TOP)) for path in sorted(stray)]
    assert not names, f"{names}: a stray copy? Call it my_….ipynb, or delete it"


@every_notebook
def test_the_file_has_the_form_that_make_run_writes(name):
    """Red: saved from JupyterLab; `make run NB=…` brings it into form.

    Among others: kernelspec python3, no timings, no widget state, no cell metadata and
    so no tag that would make nbval skip a cell.
    """
    text = (TOP / name).read_text(encoding="utf-8")
    assert text == run_notebooks.canonical(BOOKS[name]), f"make run NB={name}"


@every_notebook
def test_each_cell_has_run_in_order(name):
    """Red: a cell without a count is never compared by nbval; `make run NB=…`."""
    counts = [cell.execution_count for cell in code(name)]
    assert counts == list(range(1, len(counts) + 1)), f"make run NB={name}"


SHOWS = {"print", "print_table", "heat_map", "heat_maps", "bars", "bar_row", "chain"}
SHOWS |= {"curve", "slide", "show", "check_environment", "ask", "show_progress"}


def shows_something(source):
    """Whether a cell prints, draws, or ends in an expression, outside of functions."""
    body = ast.parse(source).body
    outside = [n for n in body if not isinstance(n, ast.FunctionDef | ast.ClassDef)]
    calls = [n for top in outside for n in ast.walk(top) if isinstance(n, ast.Call)]
    names = {getattr(call.func, "id", getattr(call.func, "attr", "")) for call in calls}
    if any(ast.unparse(call.func).startswith("check.") for call in calls):
        return True
    last = body[-1]
    ends_in_value = isinstance(last, ast.Expr) and not isinstance(last.value, ast.Call)
    return bool(names & SHOWS) or ends_in_value


@every_notebook
def test_each_cell_that_shows_something_has_its_output(name):
    """Red: outputs were cleared, so nbval compares nothing; `make run NB=…`."""
    for cell in code(name):
        if shows_something(cell.source):
            assert cell.outputs, f"{name}, cell {cell.id}: run it and store its output"


@every_notebook
def test_ids_are_unique_and_readable(name):
    """Red: a cell has a random id; messages and editions refer to cells by id."""
    ids = [cell.id for cell in BOOKS[name].cells]
    assert len(set(ids)) == len(ids)
    for id_ in ids:
        assert not re.fullmatch(r"[0-9a-f]{8}(-.*)?", id_), f"{name}: name cell {id_}"


@every_notebook
def test_no_output_warns_fails_or_differs_between_machines(name):
    """Red: a warning, an error, an address or a NumPy repr stands in an output."""
    for id_, output in outputs(name):
        where = f"{name}, cell {id_}"
        assert output.output_type != "error" and output.get("name") != "stderr", where
        found = re.search(UNSTABLE, words_of(output))
        assert not found, f"{where}: {found[0]!r} is not stable; print it rounded"
        assert set(output.get("data", {})) <= {"text/plain", "image/png"}, where


@every_notebook
def test_each_figure_is_said_in_words(name):
    """Red: a figure without a description: nbval cannot compare, nor a reader hear."""
    for cell in code(name):
        said = "".join(
            "".join(words_of(o).split()) for o in cell.outputs if "text" in o
        )
        for output in cell.outputs:
            if "image/png" in output.get("data", {}):
                description, *numbers = output.data["text/plain"].split("\n")
                where = f"{name}, cell {cell.id}"
                assert output.metadata["image/png"]["alt"] == description, where
                assert "".join(description.split()) in said, f"{where}: no caption"
                assert re.search(r"\d", description), f"{where}: no number in it"
                assert numbers, f"{where}: the numbers that are drawn are not compared"


@every_notebook
def test_cells_are_short(name):
    """Red: a page became hard to read; split the cell, or say more between cells."""
    written = [cell.source.replace(f"{editions.SPEAK}\n", "") for cell in code(name)]
    lengths = [len(source.splitlines()) for source in written]
    assert max(lengths) <= 25
    assert sum(n > 15 for n in lengths) <= 0.03 * len(lengths)
    assert statistics.median(lengths) <= 3
    for cell in code(name):
        for line in cell.source.splitlines():
            assert len(line) <= 79, f"{name}, cell {cell.id}: {line}"
    ratio = len(prose(name)) / len(lengths)
    if "00_" not in name:  # the page of orientation has more to say than to run
        assert 1.0 <= ratio <= 1.6, f"{ratio:.2f} cells of prose per cell of code"


@every_notebook
def test_code_is_plain_python_that_nbval_compares(name):
    """Red: a cell is hidden from nbval, silenced (nbval#194), or is IPython's own.

    nbval shows the value of a cell in spite of a semicolon; `_ = …` keeps it quiet.
    """
    for cell in code(name):
        where = f"{name}, cell {cell.id}"
        assert not re.search(r"nbval|PYTEST_VALIDATE", cell.source, re.I), where
        assert not re.search(r"^\s*[%!]", cell.source, re.MULTILINE), where
        assert not cell.source.rstrip().endswith(";"), where


@every_notebook
def test_prose_keeps_the_rules_of_the_house(name):
    """Red: a word that makes a reader feel stupid, or maths that GitHub breaks."""
    for cell in prose(name):
        found = FORBIDDEN.search(cell.source)
        assert not found, f"{name}, cell {cell.id}: {found[0]!r}"
        assert "$" not in cell.source, f"{name}, cell {cell.id}: write maths in Unicode"


PARTS = [
    ["You will", "You need", "It takes", "References:", "What goes wrong", "Summary"],
    ["你将", "你需要", "用时", "参考文献：", "哪里会出错", "小结"],
]


@every_notebook
def test_each_notebook_has_its_parts(name):
    """Red: a part that every page of the course has is missing."""
    first = BOOKS[name].cells[0].source
    assert first.startswith("# ")
    words = PARTS["zh/" in name]
    for part in words[:3]:
        assert f"**{part}**" in first, part
    source = "\n".join(cell.source for cell in BOOKS[name].cells)
    assert re.search(r"\b(slide|Film|Explorer)\(", source), "no slider to try"
    assert re.search(r"^assert ", source, re.MULTILINE), "no claim is asserted"
    assert f"**{words[3]}**" in BOOKS[name].cells[-1].source
    if "00_" not in name:
        assert f"\n## {words[4]}" in source
        (summary,) = re.findall(
            rf"^## {words[5]}\n\n((?:\d\. .*\n?)+)", source, re.MULTILINE
        )
        assert len(summary.splitlines()) == 5


DOCUMENTS = ["README.md", "README.zh.md", "CONTRIBUTING.md", "data/README.md", *BOOKS]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_each_relative_link_leads_somewhere(name):
    """Red: a link of a page or of the README leads to nothing."""
    if name in BOOKS:
        text = "\n".join(cell.source for cell in prose(name))
    else:
        text = (TOP / name).read_text(encoding="utf-8")
    assert not dead_links(TOP / name, text)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_each_picture_of_the_text_is_ours_and_said_in_words(name):
    """Red: a picture is missing offline, or without alternative text."""
    text = (TOP / name).read_text(encoding="utf-8")
    for words, target in re.findall(r"!\[([^]]*)\]\(([^)\s]+)", text):
        assert len(words) > 10, f"{name}: say in words what {target} shows"
        assert not target.startswith(("http:", "https:", "attachment:")), target
    assert "<img" not in text


@every_notebook
def test_imports_are_few_and_known(name):
    """Red: a page needs a package that the course does not install or teach."""
    for cell in code(name):
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                modules = [node.module]
            else:
                continue
            for module in modules:
                top = module.split(".")[0]
                assert top in {"numpy", "helpers"} | sys.stdlib_module_names, module


@pytest.mark.parametrize("name", ["06_learnable_attention", "08_attention_learns"])
def test_a_page_waits_for_the_eye_no_longer_than_it_must(name):
    """Red: `time.sleep` grew, and every run of the test suite pays for it."""
    source = "\n".join(cell.source for cell in code(f"notebooks/{name}.ipynb"))
    waits = [float(x) for x in re.findall(r"time\.sleep\(([\d.]+)\)", source)]
    assert waits and max(waits) <= 0.02


def test_the_picture_of_the_readme_is_the_one_of_page_00():
    """Red: 00 draws another chain than the README; save its picture as docs/chain.png.

    One of its outputs is that picture, byte for byte.
    """
    stored = [
        output.data["image/png"]
        for _, output in outputs("notebooks/00_start_here.ipynb")
        if "image/png" in output.get("data", {})
    ]
    shown = (TOP / "docs" / "chain.png").read_bytes()
    assert shown in [base64.b64decode(picture) for picture in stored]
