"""Write a copy of the course for a class into `handout/`.

    python tools/handout.py

The notebooks come without outputs, counts and solutions;
`helpers/exercises/solutions.py`, the tests and all tools but the one that installs stay
behind, and with them what the READMEs say of them. Of make's targets the copy has `lab`
alone. The checks need to know what is right: who reads the source of
`helpers/exercises/` finds it there.
"""

import json
import re
import shutil
import sys
from pathlib import Path

import nbformat
from run_notebooks import canonical, is_page

from helpers.exercises.show import reasons

TOP = Path(__file__).resolve().parent.parent
FOLDERS = ("helpers", "notebooks", "data", "jupyter", "docs")
FILES = (
    ".gitignore",
    "LICENSE",
    "LICENSE-text",
    "environment.yml",
    "pyproject.toml",
    "requirements/installer.lock",
    "requirements/reader.lock",
    "tools/install.py",
)
LEFT_OUT = ("solutions.py", "my_*", "__pycache__", ".*", "*.egg-info")
READMES = ("README.md", "README.zh.md")
# A line of a README that speaks of what stays behind: tests, tools, benchmarks.
BEHIND = re.compile(
    r"^(make (?!lab\b)|.*(`make (?!lab`)|pytest|benchmarks/|CONTRIBUTING)).*\n",
    re.MULTILINE,
)
EMPTY = re.compile(r"^## .*\n+(?=## )", re.MULTILINE)
FOLDED = re.compile(r"<details>(?:(?!</details>).)*</details>\n*", re.DOTALL)


def write(target: Path) -> None:
    """Write the copy.

    Parameters
    ----------
    target : a folder that does not exist yet.

    Raises
    ------
    FileExistsError
        If it does: somebody may have worked in it.
    """
    if target.exists():
        raise FileExistsError(f"{target} exists; delete it or move it away first")
    target.mkdir(parents=True)
    for name in FOLDERS:
        shutil.copytree(TOP / name, target / name, ignore=left_out)
    for name in FILES:
        target.joinpath(name).parent.mkdir(exist_ok=True)
        shutil.copy(TOP / name, target / name)
    shutil.copy(TOP / "tools" / "lab.mk", target / "Makefile")
    for name in READMES:
        text = reader(TOP.joinpath(name).read_text(encoding="utf-8"))
        (target / name).write_text(text, encoding="utf-8", newline="\n")
    table = target / "helpers" / "texts_zh.json"
    texts = json.loads(table.read_text(encoding="utf-8"))
    secret = reasons()
    kept = {text: said for text, said in texts.items() if text not in secret}
    table.write_text(
        json.dumps(kept, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )
    for path in sorted((target / "notebooks").rglob("*.ipynb")):
        text = bare(path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8", newline="\n")


def left_out(folder: str, names: list[str]) -> set[str]:
    """Return the names that stay behind, as `shutil.copytree` asks."""
    books = {name for name in names if name.endswith(".ipynb")}
    copies = {name for name in books if not is_page(Path(name))}
    return copies | shutil.ignore_patterns(*LEFT_OUT)(folder, names)


def reader(text: str) -> str:
    """Return a README without what speaks of tests, tools and benchmarks."""
    text = re.sub(r"\n{3,}", "\n\n", BEHIND.sub("", text))
    return EMPTY.sub("", text)


def bare(text: str) -> str:
    """Return a notebook without outputs, counts and the folded ways to a solution."""
    notebook = nbformat.reads(text, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        else:
            cell.source = FOLDED.sub(_without_solution, cell.source).rstrip()
    return canonical(notebook)


def _without_solution(folded: re.Match[str]) -> str:
    return "" if "import show`" in folded[0] else folded[0]


if __name__ == "__main__":
    try:
        write(TOP / "handout")
    except FileExistsError as error:
        sys.exit(str(error))
    print("Written to handout/. In there, `make lab` opens it.")
