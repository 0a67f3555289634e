"""The exercises as they stand on the pages: stub, stored output, and folded help."""

import nbformat
import pytest
import run_notebooks

from helpers.catalogue import EXERCISES
from helpers.questions import QUESTIONS

PAGES = {
    path.name: nbformat.read(path, as_version=4).cells
    for path in run_notebooks.notebooks()
    if path.parent.name == "notebooks"
}


def cells_with(words):
    """Return (page, cell) of every code cell that holds these words."""
    return [
        (page, cell)
        for page, cells in PAGES.items()
        for cell in cells
        if cell.cell_type == "code" and words in cell.source
    ]


@pytest.mark.parametrize("name", EXERCISES)
def test_each_exercise_stands_once_in_its_notebook(name):
    """Red: an exercise is missing on its page, is solved there, or has another stub."""
    exercise = EXERCISES[name]
    ((page, cell),) = cells_with(f"check.{name}(")
    assert page.startswith(f"{exercise.notebook:02}_")
    stub = f"def {exercise.call}:" if exercise.cases else f"{exercise.call} = None"
    assert stub in cell.source
    said = " ".join(cell.outputs[0].text.split())
    assert said == f"Not solved yet: {exercise.asked}"
    folds = [c.source for c in PAGES[page] if f'show("{name}")' in c.source]
    assert len(folds) == 1, "one fold leads to the solution"


@pytest.mark.parametrize("name", QUESTIONS)
def test_each_question_stands_in_its_notebook(name):
    """Red: a question of the catalogue is asked nowhere, or on another page."""
    ((page, _),) = cells_with(f'ask("{name}")')
    assert page.startswith(f"{QUESTIONS[name].notebook:02}_")
