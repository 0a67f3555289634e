"""Write a copy of the course for a class into `handout/`.

    python tools/handout.py

The notebooks come without outputs, counts and solutions, and
`helpers/exercises/solutions.py` stays behind. The checks need to know what is right:
who reads the source of `helpers/exercises/` finds it there.
"""

import json
import re
import shutil
import sys
from pathlib import Path

import nbformat
from run_notebooks import canonical

from helpers.exercises.show import reasons

TOP = Path(__file__).resolve().parent.parent
FOLDERS = ("helpers", "notebooks", "data", "jupyter", "docs")
FILES = (
    ".gitignore",
    "CONTRIBUTING.md",
    "LICENSE",
    "LICENSE-text",
    "Makefile",
    "README.md",
    "README.zh.md",
    "environment.yml",
    "pyproject.toml",
    "requirements.lock",
)
LEFT_OUT = ("solutions.py", "my_*", "__pycache__", ".*", "*.egg-info")
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
        ignore = shutil.ignore_patterns(*LEFT_OUT)
        shutil.copytree(TOP / name, target / name, ignore=ignore)
    for name in FILES:
        shutil.copy(TOP / name, target / name)
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
    print(
        "Written to handout/. Its `make test` has nothing to compare: use `make lab`."
    )
