"""Lay the code of the English pages into the Chinese ones, and run these.

    python tools/editions.py                               every page
    python tools/editions.py 03_softmax                    the named ones
    python tools/editions.py --same 03_softmax/curve-text  a change needs no translation

English is where code is written. The Chinese pages keep their prose, cell by cell, by
id; what they print is made by running them. One line of code they have alone, which
makes helpers speak Chinese. `tools/translated.json` holds for
each cell of prose a fingerprint of both texts from when they said the same, so that a
change of one alone is seen.
"""

import argparse
import hashlib
import json
import re
import sys
from pathlib import Path

import nbformat
import run_notebooks

ENGLISH = run_notebooks.TOP / "notebooks"
CHINESE = ENGLISH / "zh"
RECORD = Path(__file__).with_name("translated.json")
Record = dict[str, dict[str, list[str]]]
SPEAK = "import helpers.zh  # 说中文"
BOTH = "changed in both: see that they say the same"


def pages() -> list[str]:
    """Return the stem of every English page, in order."""
    return [path.stem for path in run_notebooks.pages_in(ENGLISH)]


def fingerprint(text: str) -> str:
    """Return twelve characters that change with the text."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def prose(path: Path) -> dict[str, str]:
    """Return the markdown cells of a page by id."""
    if not path.exists():
        return {}
    cells = nbformat.read(path, as_version=4).cells
    return {cell.id: cell.source for cell in cells if cell.cell_type == "markdown"}


def both(page: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return the prose of a page in English and in Chinese."""
    english, chinese = (prose(f / f"{page}.ipynb") for f in (ENGLISH, CHINESE))
    return english, chinese


def drift(page: str, record: Record) -> dict[str, str]:
    """Say what has to be done about the prose of a page, by cell id.

    Parameters
    ----------
    page : its stem, such as "03_softmax".
    record : the fingerprints of both texts when they said the same.
    """
    english, chinese = both(page)
    found = {}
    for id_, text in english.items():
        theirs = chinese.get(id_, text)
        now = [fingerprint(text), fingerprint(theirs)]
        then = record.get(page, {}).get(id_, ["", ""])
        if theirs == text:
            found[id_] = "is not translated yet"
        elif now[0] != then[0] and now[1] == then[1]:
            found[id_] = "changed in English alone: change the Chinese"
        elif now[1] != then[1] and now[0] == then[0]:
            found[id_] = "changed in Chinese alone: look at the English"
        elif now != then:
            found[id_] = BOTH
    return found


def chinese_code(page: str) -> dict[str, str]:
    """Return the code of a Chinese page by id, made from the English page.

    It is the same but for the line SPEAK, above the first import from helpers and above
    each one of exercises: their cells may be run without those before.
    """
    cells = nbformat.read(ENGLISH / f"{page}.ipynb", as_version=4).cells
    code = {cell.id: cell.source for cell in cells if cell.cell_type == "code"}
    spoken = False
    for id_, source in code.items():
        ours = re.search(r"^from helpers(\.exercises)?\b", source, re.MULTILINE)
        if ours and (ours[1] or not spoken):
            start = ours.start()
            code[id_] = f"{source[:start]}{SPEAK}\n{source[start:]}"
            spoken = True
    return code


def lay(page: str, record: Record) -> None:
    """Give the Chinese page the cells of the English one, with its own prose."""
    notebook = nbformat.read(ENGLISH / f"{page}.ipynb", as_version=4)
    path = CHINESE / f"{page}.ipynb"
    old = nbformat.read(path, as_version=4).cells if path.exists() else []
    theirs = {cell.id: cell for cell in old}
    code = chinese_code(page)
    for cell in notebook.cells:
        source = theirs.pop(cell.id, cell).source
        cell.source = code.get(cell.id, source)
        if cell.cell_type == "code" and source != cell.source:
            print(f"zh/{page}: the code of {cell.id} is replaced; it was\n{source}")
    for id_, cell in theirs.items():
        if id_ not in record.get(page, {}) and cell.cell_type == "markdown":
            sys.exit(
                f"zh/{page}: English has no cell {id_}. If it was renamed, give it "
                f"the same id in both pages; if it is new, write the English first"
            )
        print(
            f"zh/{page}: the cell {id_} is gone, since it is gone in English:\n"
            f"{cell.source}"
        )
    path.write_text(run_notebooks.canonical(notebook), encoding="utf-8", newline="\n")


def read_record() -> Record:
    """Return the fingerprints."""
    if not RECORD.exists():
        sys.exit(f"{RECORD.name} is gone; git checkout -- tools/{RECORD.name}")
    try:
        record: Record = json.loads(RECORD.read_text(encoding="utf-8"))
    except ValueError:
        sys.exit(f"{RECORD.name} cannot be read: look at it with git diff")
    return record


def written(record: Record) -> str:
    """Return the text under which the fingerprints are stored."""
    return json.dumps(record, indent=1, sort_keys=True) + "\n"


def update(page: str, same: list[str], record: Record) -> bool:
    """Compare the prose of a page, and record what says the same.

    Parameters
    ----------
    page : its stem.
    same : "page/cell" of each change that needs none in the other language.
    record : the fingerprints; those of the page are renewed.

    Returns
    -------
    in_step : whether all prose of the page is.
    """
    then = record.get(page, {})
    found = drift(page, record)
    left = {
        id_: what
        for id_, what in found.items()
        if what != BOTH and f"{page}/{id_}" not in same
    }
    for id_, what in left.items():
        print(f"zh/{page}: the cell {id_} {what}")
    for id_ in found.keys() - left.keys():
        print(f"zh/{page}: the cell {id_} is recorded as saying the same in both")
    english, chinese = both(page)
    record[page] = {
        id_: then.get(id_, ["", ""])
        if id_ in left
        else [fingerprint(text), fingerprint(chinese[id_])]
        for id_, text in english.items()
    }
    return not left


def main(arguments: list[str]) -> None:
    """Bring the Chinese edition in step, and run it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pages", nargs="*", help="such as 03_softmax; none means all")
    parser.add_argument("--same", nargs="+", default=[], metavar="PAGE/CELL")
    given = parser.parse_args(arguments)
    names = given.pages or sorted({c.split("/")[0] for c in given.same}) or pages()
    for page in names:
        if page not in pages():
            sys.exit(f"{page} is no page; try PAGE=03_softmax")
    for cell in given.same:
        page, _, id_ = cell.partition("/")
        if page not in names or id_ not in both(page)[0]:
            sys.exit(f"{cell} is no cell of these pages; try SAME=03_softmax/title")
    CHINESE.mkdir(exist_ok=True)
    record = {page: cells for page, cells in read_record().items() if page in pages()}
    for page in names:
        lay(page, record)
    run_notebooks.main([str(CHINESE / f"{page}.ipynb") for page in names])
    in_step = [update(page, given.same, record) for page in names]
    RECORD.write_text(written(record), encoding="utf-8", newline="\n")
    if not all(in_step):
        sys.exit("Some prose is not in step, see above; the rest is done.")


if __name__ == "__main__":
    main(sys.argv[1:])
