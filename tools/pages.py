"""Write everything that repeats the titles of the pages.

    python tools/pages.py

A page's title says what it asks, `# Why divide by √d_k?`, and may say what it is about:
`# Who came first? Order`, or `# Self-attention: all steps in one function`. Where it
does not, its exercises do (`PAGE.topic`, and its Chinese). From these come the tables
in both READMEs and on the map of 00, the links to the neighbours at the end of each
page, and the link to the other edition under its title. What else stands in these
cells stays.

A table begins with the page that its first row names, and goes on to the page before
the next table's first. On a Chinese page a cell that is still English is left alone
until it is translated.
"""

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import editions
import nbformat
import run_notebooks

from helpers.exercises.catalogue import PAGES
from helpers.language import chinese

TOP = run_notebooks.TOP
START = "00_start_here"
TITLE = re.compile(r"# (?:(.+[?？])(?: ?(\S.*))?|([^:：]+)[:：] ?(\S.*))")
TABLE = re.compile(r"(\|.*\n\|[-|]+\n)((?:\|.*(?:\n|$))+)")
NEIGHBOURS = re.compile(r"\*\*(?:Previous:|Next:|上一页：|下一页：)\*\* ")


@dataclass(frozen=True)
class Edition:
    """One language: its folder, its README, and its words."""

    folder: str
    readme: str
    twin: str  # the folder of the other edition, seen from this one
    twin_name: str
    previous: str
    following: str


EDITIONS = (
    Edition("notebooks", "README.md", "zh/", "中文版", "Previous:", "Next:"),
    Edition("notebooks/zh", "README.zh.md", "../", "English", "上一页：", "下一页："),
)
# The cells with lists and links; the texts of a whole edition are such cells by page.
CELLS = ("title", "map", "next")
Texts = dict[str, dict[str, str]]


def stale(top: Path = TOP) -> dict[Path, str]:
    """Return the files that do not repeat the titles, with the text they should have.

    Parameters
    ----------
    top : the folder that holds `notebooks`, the READMEs and `tools/translated.json`.

    Raises
    ------
    ValueError
        If a title does not say what the page asks and what it is about, or a page has
        no cell `title` or `next`.
    """
    old = [_read(top / edition.folder) for edition in EDITIONS]
    new = [_renewed(texts, ed) for texts, ed in zip(old, EDITIONS, strict=True)]
    _leave_untranslated(old, new)
    files = {}
    for edition, before, after in zip(EDITIONS, old, new, strict=True):
        readme = top / edition.readme
        rows = _rows(before, f"{edition.folder}/", edition)
        files[readme] = _with_tables(readme.read_text(encoding="utf-8"), rows)
        for page, cells in after.items():
            if cells != before[page]:
                path = top / edition.folder / f"{page}.ipynb"
                files[path] = _with_cells(path, cells)
    record = top / "tools" / editions.RECORD.name
    files[record] = _in_step(record, old, new)
    return {p: text for p, text in files.items() if p.read_text("utf-8") != text}


def question_and_topic(title: str) -> tuple[str, str]:
    """Take a title apart.

    Parameters
    ----------
    title : as "# Who came first? Order" or "# Self-attention: all steps at once".

    Returns
    -------
    question, topic : "Who came first?" and "Order"; the topic may be empty.

    Raises
    ------
    ValueError
        If the title has another form.
    """
    found = TITLE.fullmatch(title)
    if found is None:
        raise ValueError(
            f"{title!r}: write '# Question?', '# Question? Topic' or "
            f"'# Topic: the rest'"
        )
    question, after, before, rest = found.groups()
    if question:
        return question, after or ""
    return rest[0].upper() + rest[1:], before


def _topic(page: str, edition: Edition) -> str:
    """Return what the exercises of a page call it."""
    topic = next((p.topic for p in PAGES if p.number == int(page[:2])), page[3:])
    if edition.folder.endswith("zh"):
        return chinese(topic, "page")
    return topic[0].upper() + topic[1:]


def _read(folder: Path) -> Texts:
    texts = {}
    for path in run_notebooks.pages_in(folder):
        cells = nbformat.read(path, as_version=4).cells
        texts[path.stem] = {c.id: c.source for c in cells if c.id in CELLS}
        for id_ in {"title", "next"} - texts[path.stem].keys():
            raise ValueError(f"{path.name} has no cell {id_}")
    return texts


def _title(cells: dict[str, str]) -> str:
    return cells["title"].partition("\n")[0]


def _rows(texts: Texts, folder: str, edition: Edition) -> dict[str, str]:
    """Return the row of a table for each page."""
    rows = {}
    for page, cells in texts.items():
        question, topic = question_and_topic(_title(cells))
        topic = topic or _topic(page, edition)
        rows[page] = f"| {page[:2]} | [{topic}]({folder}{page}.ipynb) | {question} |\n"
    return rows


def _with_tables(text: str, rows: dict[str, str]) -> str:
    """Put the rows into the tables of a text, each table from its own first page on."""
    firsts = [table[2][2:4] for table in TABLE.finditer(text)]
    ends = iter([*firsts[1:], "~"])

    def filled(table: re.Match[str]) -> str:
        first, end = table[2][2:4], next(ends)
        inside = "".join(row for page, row in rows.items() if first <= page[:2] < end)
        return table[1] + (inside if table[2].endswith("\n") else inside.rstrip("\n"))

    return TABLE.sub(filled, text)


def _renewed(texts: Texts, edition: Edition) -> Texts:
    pages = list(texts)
    new: Texts = {}
    for i, page in enumerate(pages):
        new[page] = dict(texts[page])
        link = f"[{edition.twin_name}]({edition.twin}{page}.ipynb)"
        new[page]["title"] = _with_twin(texts[page]["title"], link)
        ways = [
            f"**{words}** {_link(texts, pages[j])}"
            for words, j in ((edition.previous, i - 1), (edition.following, i + 1))
            if 0 <= j < len(pages)
        ]
        new[page]["next"] = _with_neighbours(texts[page]["next"], " · ".join(ways))
    new[START]["map"] = _with_tables(texts[START]["map"], _rows(texts, "", edition))
    return new


def _link(texts: Texts, page: str) -> str:
    title = _title(texts[page]).removeprefix("# ")
    return f"[{page[:2]} {title}]({page}.ipynb)"


def _with_twin(text: str, link: str) -> str:
    lines = text.split("\n")
    if re.fullmatch(r"\[(中文版|English)\]\(.*\)", lines[-1]):
        lines = lines[:-2]
    return "\n".join([*lines, "", link])


def _with_neighbours(text: str, ways: str) -> str:
    first, _, rest = text.partition("\n\n")
    return f"{ways}\n\n{rest if NEIGHBOURS.match(first) else text}"


def _leave_untranslated(old: list[Texts], new: list[Texts]) -> None:
    """Take back what was done to a cell that is English on the Chinese page."""
    english, chinese = old
    for page, cells in chinese.items():
        for id_, text in cells.items():
            if text == english.get(page, {}).get(id_):
                new[1][page][id_] = text


def _with_cells(path: Path, cells: dict[str, str]) -> str:
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.source = cells.get(cell.id, cell.source)
    return run_notebooks.canonical(notebook)


def _in_step(path: Path, old: list[Texts], new: list[Texts]) -> str:
    """Renew the fingerprints of cells that were in step: they still are."""
    record: editions.Record = json.loads(path.read_text(encoding="utf-8"))
    for page, prints in record.items():
        for id_ in CELLS:
            if prints.get(id_) == _prints(old, page, id_):
                prints[id_] = _prints(new, page, id_)
    return editions.written(record)


def _prints(texts: list[Texts], page: str, id_: str) -> list[str]:
    cells = [edition.get(page, {}).get(id_, "") for edition in texts]
    return [editions.fingerprint(text) for text in cells]


def main() -> None:
    """Write what is stale, and name it."""
    try:
        files = stale()
    except ValueError as error:
        sys.exit(str(error))
    for path, text in files.items():
        path.write_text(text, encoding="utf-8", newline="\n")
        print(path.relative_to(TOP))


if __name__ == "__main__":
    main()
