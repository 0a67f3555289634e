"""Execute notebooks and save them in the one form that the repository keeps.

    python tools/run_notebooks.py                     every notebook of the course
    python tools/run_notebooks.py notebooks/02*.ipynb the named ones

The form: kernelspec python3, execution counts 1..n, sorted keys, one-space indent,
no timings, no widget state, and a widget's output kept as its text alone, since its
model lives only as long as the kernel. Cell ids stay as they are.
"""

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

TOP = Path(__file__).resolve().parent.parent
FOLDERS = (TOP / "notebooks", TOP / "notebooks" / "zh")
PAGE = re.compile(r"\d\d_[a-z0-9_]+\.ipynb")  # other names are a reader's own, or stray
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
KERNEL = {
    "display_name": "Python 3 (ipykernel)",
    "language": "python",
    "name": "python3",
}


def notebooks() -> list[Path]:
    """Return every notebook of the course, in order."""
    return [path for folder in FOLDERS for path in pages_in(folder)]


def pages_in(folder: Path) -> list[Path]:
    """Return the pages of one edition, in order, and nothing else that lies there."""
    return sorted(path for path in folder.glob("*.ipynb") if is_page(path))


def is_page(path: Path) -> bool:
    """Tell a page, as 03_softmax.ipynb, from a copy, as 03_softmax-Copy1.ipynb."""
    return PAGE.fullmatch(path.name) is not None


def canonical(notebook: Any) -> str:
    """Return the text under which an executed notebook is stored."""
    notebook = nbformat.from_dict(notebook)
    notebook.metadata = nbformat.from_dict(
        {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    )
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict({})
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET_VIEW, None)
    nbformat.validate(notebook)
    return str(nbformat.writes(notebook)).rstrip("\n") + "\n"


def run(path: Path) -> None:
    """Execute one notebook in its own folder and save it."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=60,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        extra_arguments=["--log-level=ERROR"],
        store_widget_state=False,
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute()
    path.write_text(canonical(notebook), encoding="utf-8", newline="\n")


def main(arguments: list[str]) -> None:
    """Execute what is named, or everything."""
    paths = [Path(a).resolve() for a in arguments] or notebooks()
    with tempfile.TemporaryDirectory() as folder:
        # The reader's progress stays as it is; kernels inherit this place.
        os.environ["ATTENTION_PROGRESS"] = str(Path(folder) / "progress.json")
        os.environ.pop("ATTENTION_LANGUAGE", None)  # that of the page
        for path in paths:
            if not path.exists():
                sys.exit(f"{path.name} is not there; try NB=notebooks/02_scores.ipynb")
            print(path.name, flush=True)
            run(path)


if __name__ == "__main__":
    main(sys.argv[1:])
