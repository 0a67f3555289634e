"""The exercises as they stand on the pages: stub, stored output, and folded help."""

import nbformat
import pytest
import run_notebooks

from helpers.exercises.catalogue import EXERCISES, PAGES, QUESTIONS
from helpers.language import say

NUMBER = {x.name: p.number for p in PAGES for x in (*p.exercises, *p.questions)}
CELLS = {
    path.name: nbformat.read(path, as_version=4).cells
    for path in run_notebooks.notebooks()
    if path.parent.name == "notebooks"
}


def cells_with(words):
    """Return (page, cell) of every code cell that holds these words."""
    return [
        (page, cell)
        for page, cells in CELLS.items()
        for cell in cells
        if cell.cell_type == "code" and words in cell.source
    ]


@pytest.mark.parametrize("name", EXERCISES)
def test_each_exercise_stands_once_in_its_notebook(name):
    """Red: an exercise is missing on its page, is solved there, or has another stub."""
    exercise = EXERCISES[name]
    ((page, cell),) = cells_with(f"check.{name}(")
    assert page.startswith(f"{NUMBER[name]:02}_")
    stub = f"def {exercise.call}:" if exercise.arguments else f"{exercise.call} = None"
    assert stub in cell.source
    asked = say(exercise.asked, **exercise.numbers)
    said = " ".join(cell.outputs[0].text.split())
    assert said == f"Not solved yet: {asked}"
    folds = [c.source for c in CELLS[page] if f'show("{name}")' in c.source]
    assert len(folds) == 1, "one fold leads to the solution"


@pytest.mark.parametrize("name", QUESTIONS)
def test_each_question_stands_in_its_notebook(name):
    """Red: a question of the catalogue is asked nowhere, or on another page."""
    ((page, _),) = cells_with(f'ask("{name}")')
    assert page.startswith(f"{NUMBER[name]:02}_")
