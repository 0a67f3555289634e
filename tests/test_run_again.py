"""A cell run again says what it said: twice in a row, or once more after the end."""

import dis
import time
from types import CodeType

import nbformat
import pytest
import run_notebooks
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from helpers import pictures
from helpers.explorer import Explorer
from helpers.film import Film

# The Chinese pages have the same code, which test_editions compares.
PAGES = {
    path: [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
    for path in run_notebooks.notebooks()
    if path.parent.name != "zh"
}
every_page = pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)

# These print where the reader left the sliders, and the text above them says so.
READS_THE_SLIDERS = {"explorer-check", "explorer-set-code"}


def codes(code):
    """Return a code object and those of the functions in it."""
    inside = [c for c in code.co_consts if isinstance(c, CodeType)]
    return [code, *(c for inner in inside for c in codes(inner))]


def names(cell):
    """Return the names that a cell binds, and those that other cells bind for it."""
    code = compile(cell.source, cell.id, "exec")
    done = [(i.opname, i.argval) for c in codes(code) for i in dis.get_instructions(c)]
    bound = {name for what, name in done if what == "STORE_NAME"}
    used = {name for what, name in done if what in ("LOAD_NAME", "LOAD_GLOBAL")}
    return bound, used - bound


@every_page
def test_a_name_that_other_cells_use_has_one_meaning(path):
    """Red: whoever goes back to a cell changes what the cells below compute."""
    found = {cell.id: names(cell) for cell in PAGES[path]}
    for name in set().union(*(used for _, used in found.values())):
        bound = [id_ for id_, (here, _) in found.items() if name in here]
        users = [id_ for id_, (_, used) in found.items() if name in used]
        assert len(bound) < 2, f"{name} is bound in {bound} and used in {users}"


@pytest.fixture
def shell(monkeypatch):
    """Return an IPython without prompts, in which nobody looks or waits."""
    monkeypatch.setattr(pictures.Figure, "savefig", lambda *_, **__: None)
    monkeypatch.setattr(time, "sleep", lambda _: None)
    shell = InteractiveShell.instance()
    monkeypatch.setattr(shell.displayhook, "write_output_prompt", lambda: None)
    yield shell
    InteractiveShell.clear_instance()


def shown_by(shell, source):
    """Run a cell and return what it displays, what it prints, and its error."""
    with capture_output() as shown:
        result = shell.run_cell(source)
    texts = [output.data["text/plain"] for output in shown.outputs]
    error = result.error_before_exec or result.error_in_exec
    return texts, shown.stdout + shown.stderr, error


def stored(cell):
    """Return what a cell of a stored page shows, in the same form."""
    texts, printed = [], ""
    for output in cell.outputs:
        if output.output_type == "stream":
            printed += output.text
        elif output.output_type == "execute_result":
            printed += output.data["text/plain"] + "\n"
        else:
            texts.append(output.data["text/plain"])
    return texts, printed, None


def move(view):
    """Leave a live view as a reader might: everything moved from its start."""
    if isinstance(view, Explorer):
        view.Wq = view.Wq + 0.5
        view.scaled, view.stretch, view.query = True, 2.0, 1
    elif view.frames:
        view.state = {"at": 0}


@every_page
def test_each_cell_can_be_run_again(path, shell, monkeypatch):
    """Red: a cell says something else the second time, after the end, or moved.

    It adds to what it has made before, or uses a name or a slider that the cells
    below or the reader have changed.
    """
    monkeypatch.chdir(path.parent)
    wrong = []

    def run(cell, when):
        *shown, error = shown_by(shell, cell.source)
        free = when == "moved" and cell.id in READS_THE_SLIDERS
        if error or (not free and (*shown, error) != stored(cell)):
            wrong.append(f"{cell.id}, {when}: {error!r} {shown}")

    for cell in PAGES[path]:
        run(cell, "first")
        run(cell, "second")
    end = dict(shell.user_ns)
    views = [value for value in end.values() if isinstance(value, Explorer | Film)]
    for cell in PAGES[path]:
        shell.user_ns.update(end)
        for view in views:
            move(view)
        run(cell, "moved" if views else "after the end")
    assert not wrong, "\n".join(wrong)
