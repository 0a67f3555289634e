"""The English and the Chinese edition say the same, cell by cell."""

import csv
import re

import editions
import nbformat
import pytest
import run_notebooks

from .common import CHINESE, HALF_WIDTH, TEXTS
from .conftest import TOP

PAGES = editions.pages()
every_page = pytest.mark.parametrize("page", PAGES)
ENGLISH = {p: nbformat.read(editions.ENGLISH / f"{p}.ipynb", 4).cells for p in PAGES}
TWINS = {
    p: nbformat.read(editions.CHINESE / f"{p}.ipynb", 4).cells
    for p in PAGES
    if (editions.CHINESE / f"{p}.ipynb").exists()
}
LAY = "`make editions PAGE={}` lays the English code into the Chinese page and runs it"


def pairs(page, kind):
    """Return the cells of one kind with their twins."""
    chinese = {cell.id: cell for cell in TWINS.get(page, [])}
    return [
        (cell, chinese[cell.id])
        for cell in ENGLISH[page]
        if cell.cell_type == kind and cell.id in chinese  # another test misses it
    ]


def test_each_page_has_a_twin():
    """Red: a page was added or renamed in one edition alone."""
    chinese = [path.stem for path in run_notebooks.pages_in(editions.CHINESE)]
    alone = sorted(set(chinese) ^ set(PAGES))
    assert not alone, f"{alone}: in one edition alone; renamed? rename it in both"


@every_page
def test_cells_stand_in_the_same_order(page):
    """Red: a cell was added, removed, moved or renamed in one edition alone."""
    english = [(cell.id, cell.cell_type) for cell in ENGLISH[page]]
    chinese = [(cell.id, cell.cell_type) for cell in TWINS.get(page, [])]
    assert {kind for _, kind in english} == {"code", "markdown"}, page
    alone = sorted(set(english) ^ set(chinese))
    moved = [a for (a, _), (b, _) in zip(english, chinese, strict=False) if a != b]
    which = f"cells {alone} in one edition alone" if alone else f"from {moved[:1]} on"
    assert english == chinese, f"{page}, {which}: {LAY.format(page)}"


@every_page
def test_code_is_the_same(page):
    """Red: a code cell was changed in one edition alone, or does not say zh."""
    code = editions.chinese_code(page)
    assert not any("helpers.zh" in cell.source for cell, _ in pairs(page, "code")), page
    assert any(editions.SPEAK in source for source in code.values()), page
    for cell, twin in pairs(page, "code"):
        assert code[cell.id] == twin.source, (
            f"{page}, cell {cell.id}: {LAY.format(page)}"
        )
        where = f"{page}, cell {cell.id}, its count: {LAY.format(page)}"
        assert cell.execution_count == twin.execution_count, where


@every_page
def test_a_question_is_chinese_though_its_cell_is_run_alone(page):
    """Red: who opens a Chinese page and clicks on a question is asked in English."""
    for _, twin in pairs(page, "code"):
        if "from helpers.exercises import" in twin.source:
            assert editions.SPEAK in twin.source, f"zh/{page}, cell {twin.id}"


@every_page
def test_outputs_are_the_same_but_for_what_helpers_say(page):
    """Red: an output was changed in one edition alone, or a number differs."""
    for cell, twin in pairs(page, "code"):
        lay = LAY.format(page)
        where = f"{page}, cell {cell.id}: `make run` the English page, then {lay}"
        ours, theirs = list(map(parts, cell.outputs)), list(map(parts, twin.outputs))
        assert [kind for kind, _ in ours] == [kind for kind, _ in theirs], where
        for (_, text), (_, chinese) in zip(ours, theirs, strict=True):
            same = text == chinese or (
                without(text, ENGLISH_PIECES) == without(chinese, CHINESE_PIECES)
            )
            assert same, f"{where}\n{text}\n{chinese}"


def parts(output):
    """Return what kind of output it is, and its text."""
    data = output.get("data", {})
    kind = (output.output_type, output.get("name"), *sorted(data))
    return kind, output.get("text", "") + data.get("text/plain", "")


def literals(text):
    """Return the pieces of a message that stand between its values."""
    pieces = (piece.strip(" ,.:;()，。：；（）") for piece in re.split(r"{\w+}", text))
    return [piece for piece in pieces if re.search(r"[^\W\d]", piece)]


def alternatives(pieces):
    """Return a pattern for any of the pieces, the longest first."""
    return re.compile("|".join(sorted(set(pieces), key=len, reverse=True)))


# A line may be broken wherever English has a space, and between Chinese characters.
ENGLISH_PIECES = alternatives(
    r"(?:\b|(?=\W))" + r"\s+".join(map(re.escape, piece.split())) + r"(?:\b|(?<=\W))"
    for text, _ in TEXTS
    for piece in literals(text)
)
# The Chinese pages keep the names of code, and so do the sliders: English of one word.
CHINESE_PIECES = alternatives(
    r"\s*".join(map(re.escape, re.sub(r"\s", "", piece)))
    for text in [*(t for _, t in TEXTS), *(t for t, _ in TEXTS if t.isalpha())]
    for piece in literals(text)
)


def without(text, messages):
    """Return the numbers and words of an output that are not of the message table.

    Where a message stands in both, what is left are its values, in the same order.
    """
    return re.findall(r"−?\d+(?:\.\d+)?|[^\W\d]+", messages.sub(" ", text))


def test_prose_is_in_step():
    """Red: a cell of prose was changed in one edition alone.

    Change the other one, too; then `make editions PAGE=…` records that both say the
    same. If the other needs no change: `make editions SAME=page/cell`.
    """
    record = editions.read_record()
    found = [
        f"{page}, cell {id_} {what}, then run `make editions PAGE={page}`; or, if the "
        f"other edition needs no change, `make editions SAME={page}/{id_}`"
        for page in PAGES
        for id_, what in editions.drift(page, record).items()
    ]
    assert not found, "\n".join(found)
    pages = {
        page: set(editions.prose(editions.ENGLISH / f"{page}.ipynb")) for page in PAGES
    }
    assert {page: set(cells) for page, cells in record.items()} == pages, (
        "run `make editions`"
    )


def bare(source):
    """Return prose without code, formulas in code, and the targets of links."""
    source = re.sub(r"```.*?```|`[^`]*`", "x", source, flags=re.DOTALL)
    return re.sub(r"\]\([^)]*\)", "]", source)


@every_page
def test_prose_has_the_same_numbers(page):
    """Red: a number was mistyped, or left out, in one edition."""
    for cell, twin in pairs(page, "markdown"):
        where = f"{page}, cell {cell.id}: give both pages the same numbers"
        texts = [re.sub(r"\]\([^)]*\)", "]", c.source) for c in (cell, twin)]
        ours, theirs = (set(re.findall(r"[−-]?\d+(?:\.\d+)?", t)) for t in texts)
        assert ours <= theirs, f"{where}; Chinese lacks {ours - theirs}"
        more = {number for number in theirs - ours if "." in number}
        assert not more, f"{where}; English lacks {more}"


@every_page
def test_chinese_prose_is_set_as_chinese(page):
    """Red: half-width punctuation beside Chinese, or bold that does not render."""
    for _, twin in pairs(page, "markdown"):
        text, where = bare(twin.source), f"zh/{page}, cell {twin.id}"
        assert re.search(CHINESE, text), f"{where} is not translated"
        found = re.search(HALF_WIDTH, text)
        assert not found, f"{where}: {found[0]}"
        assert not re.search(r"\s[，。：；？！]", text), where
        for before, bold, after in re.findall(r"(.?)\*\*([^*]+)\*\*(.?)", text):
            opens = not (re.match(r"\W", bold) and re.match(r"\w", before))
            closes = not (re.search(r"\W$", bold) and re.match(r"\w", after))
            assert opens and closes, f"{where}: {bold} is not rendered in bold"


GLOSSARY = list(
    csv.DictReader((TOP / "data/glossary.csv").read_text(encoding="utf-8").splitlines())
)


def test_the_glossary_is_complete():
    """Red: a term has no Chinese, no meaning, or stands there twice."""
    for row in GLOSSARY:
        assert all(row[name] for name in ("English", "中文", "meaning", "意思")), row
    for name in ("English", "中文"):
        terms = [row[name] for row in GLOSSARY]
        assert len(set(terms)) == len(terms)


TERMS = {row["English"]: row["中文"] for row in GLOSSARY}


@every_page
def test_terms_are_those_of_the_glossary(page):
    """Red: a term that is introduced in bold has another name in Chinese."""
    for cell, twin in pairs(page, "markdown"):
        for term in re.findall(r"\*\*([^*]+)\*\*", cell.source):
            singular = re.sub(r"s$", "", term.lower())
            for name in (term, term.lower(), singular):
                if name in TERMS:
                    where = f"zh/{page}, cell {cell.id}: {name} is {TERMS[name]}"
                    assert TERMS[name] in twin.source, where


@every_page
def test_each_page_links_its_twin(page):
    """Red: a reader cannot change the language."""
    assert f"[中文版](zh/{page}.ipynb)" in ENGLISH[page][0].source
    assert f"[English](../{page}.ipynb)" in TWINS[page][0].source, page


def test_the_readmes_link_each_other():
    """Red: one README does not name the other, or has other pages in its list."""
    english = (TOP / "README.md").read_text(encoding="utf-8")
    chinese = (TOP / "README.zh.md").read_text(encoding="utf-8")
    assert "[中文](README.zh.md)" in english and "[English](README.md)" in chinese
    for page in PAGES:
        assert f"](notebooks/{page}.ipynb)" in english
        assert f"](notebooks/zh/{page}.ipynb)" in chinese
    assert not re.search(HALF_WIDTH, bare(chinese))
