"""For every test of the course, notebooks included."""

import os
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest
import run_notebooks

# Keep the reader's progress out of every test: kernels inherit this place.
_folder = tempfile.TemporaryDirectory()
os.environ["ATTENTION_PROGRESS"] = os.path.join(_folder.name, "progress.json")
# Each stored page is in its own language, whatever the reader has chosen.
os.environ.pop("ATTENTION_LANGUAGE", None)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Start two workers, and none for a single file, which would wait for them."""
    named = [Path(arg.partition("::")[0]) for arg in config.args]
    return 2 if len(named) > 1 or named[0].is_dir() else 0


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave alone what lies among the pages and is none, such as a reader's copy."""
    among_pages = collection_path.parent in run_notebooks.FOLDERS
    is_notebook = collection_path.suffix == ".ipynb"
    if among_pages and is_notebook and not run_notebooks.is_page(collection_path):
        return True
    return None  # as it would be otherwise


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Compare the pictures of a notebook's cell, too; nbval leaves them out."""
    yield
    cell = getattr(item, "cell", None)
    if cell is not None and cell.outputs:
        from tests.stored_pictures import compare

        compare(cell.outputs, item.test_outputs)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say which cell of a notebook failed by its id; nbval gives its number alone."""
    report = yield
    cell = getattr(item, "cell", None)
    if report.failed and cell is not None:
        report.longrepr = f"This is the cell {cell['id']!r}.\n{report.longrepr}"
    return report
