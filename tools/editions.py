"""Lay the code of the English pages into the Chinese ones, and run these.

    python tools/editions.py                               every page
    python tools/editions.py 03_softmax                    the named ones
    python tools/editions.py --same 03_softmax/curve-text  a change needs no translation

English is where code is written. The Chinese pages keep their prose, cell by cell, by
id; what they print is made by running them. `tools/translated.json` holds for
each cell of prose a fingerprint of both texts from when they said the same, so that a
change of one alone is seen.
"""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import nbformat
import run_notebooks

ENGLISH = run_notebooks.TOP / "notebooks"
CHINESE = ENGLISH / "zh"
RECORD = Path(__file__).with_name("translated.json")
Record = dict[str, dict[str, list[str]]]


def pages() -> list[str]:
    """Return the stem of every English page, in order."""
    return [path.stem for path in sorted(ENGLISH.glob("[0-9]*.ipynb"))]


def fingerprint(text: str) -> str:
    """Return twelve characters that change with the text."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def prose(path: Path) -> dict[str, str]:
    """Return the markdown cells of a page by id."""
    if not path.exists():
        return {}
    cells = nbformat.read(path, as_version=4).cells
    return {cell.id: cell.source for cell in cells if cell.cell_type == "markdown"}


def drift(page: str, record: Record) -> dict[str, str]:
    """Say what has to be done about the prose of a page, by cell id.

    Parameters
    ----------
    page : its stem, such as "03_softmax".
    record : the fingerprints of both texts when they said the same.
    """
    english, chinese = (
        prose(ENGLISH / f"{page}.ipynb"),
        prose(CHINESE / f"{page}.ipynb"),
    )
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
            found[id_] = "changed in both"
    return found


def lay(page: str) -> None:
    """Give the Chinese page the cells of the English one, with its own prose."""
    notebook = nbformat.read(ENGLISH / f"{page}.ipynb", as_version=4)
    path = CHINESE / f"{page}.ipynb"
    chinese = prose(path)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = chinese.pop(cell.id, cell.source)
    for id_ in chinese:
        print(f"zh/{page}: the cell {id_} is gone, since it is gone in English")
    path.write_text(run_notebooks.canonical(notebook), encoding="utf-8", newline="\n")


def read_record() -> Record:
    """Return the fingerprints, none if there is no record yet."""
    if not RECORD.exists():
        return {}
    record: Record = json.loads(RECORD.read_text(encoding="utf-8"))
    return record


def update(names: list[str], same: set[str]) -> bool:
    """Lay, compare and record the pages; return whether all prose is in step.

    Parameters
    ----------
    names : the stems of the pages; their Chinese code is replaced.
    same : "page/cell" of each change that needs none in the other language.
    """
    record = read_record()
    in_step = True
    for page in names:
        lay(page)
        left = drift(page, record)
        for id_, what in left.items():
            if what != "changed in both" and f"{page}/{id_}" not in same:
                in_step = False
                print(f"zh/{page}: the cell {id_} {what}")
        pairs: dict[str, Any] = {
            id_: [fingerprint(text), fingerprint(chinese)]
            for (id_, text), chinese in zip(
                prose(ENGLISH / f"{page}.ipynb").items(),
                prose(CHINESE / f"{page}.ipynb").values(),
                strict=True,
            )
        }
        for id_, what in left.items():
            if what != "changed in both" and f"{page}/{id_}" not in same:
                pairs[id_] = record.get(page, {}).get(id_, ["", ""])
        record[page] = pairs
    text = json.dumps(record, indent=1, sort_keys=True) + "\n"
    RECORD.write_text(text, encoding="utf-8", newline="\n")
    return in_step


def main(arguments: list[str]) -> None:
    """Bring the Chinese edition in step, and run it."""
    same = (
        set(arguments[arguments.index("--same") + 1 :])
        if "--same" in arguments
        else set()
    )
    named = arguments[: arguments.index("--same")] if same else arguments
    names = named or sorted({cell.split("/")[0] for cell in same}) or pages()
    for page in names:
        if page not in pages():
            sys.exit(f"{page} is no page; try PAGE=03_softmax")
    CHINESE.mkdir(exist_ok=True)
    in_step = update(names, same)
    run_notebooks.main([str(CHINESE / f"{page}.ipynb") for page in names])
    if not in_step:
        sys.exit("Some prose is not in step, see above; the rest is done.")


if __name__ == "__main__":
    main(sys.argv[1:])
