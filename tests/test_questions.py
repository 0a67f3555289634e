"""Questions about ideas: what is printed, and what a click says."""

import contextlib
import io

import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from helpers.exercises import ask
from helpers.exercises.buttons import Buttons
from helpers.exercises.catalogue import PAGES, QUESTIONS

from .common import FORBIDDEN

NAMES = pytest.mark.parametrize("name", QUESTIONS)


@NAMES
def test_exactly_one_option_is_right(name):
    """Red: a question cannot be answered, or twice."""
    question = QUESTIONS[name]
    assert sum(option.right for option in question.options) == 1
    assert 2 <= len(question.options) <= 4
    texts = [question.text, *(o.text + o.reply for o in question.options)]
    assert not any(FORBIDDEN.search(text) for text in texts)


@NAMES
def test_a_button_knows_its_reply(name):
    """Red: a button says what belongs to another option."""
    question = QUESTIONS[name]
    data = Buttons(question).data
    assert data["options"] == [option.text for option in question.options]
    assert data["right"] == [option.right for option in question.options]
    pairs = zip(data["letters"], data["replies"], question.options, strict=True)
    for letter, reply, option in pairs:
        verdict = "Right" if option.right else "Not this one"
        assert reply == f"{letter}: {verdict}. {option.reply}"


def test_every_notebook_asks_something():
    """Red: a notebook lost its question."""
    assert all(page.questions for page in PAGES)


def test_the_stored_output_never_changes(monkeypatch):
    """Red: strict comparison of the page fails after a click, or without a kernel."""
    monkeypatch.setattr(InteractiveShell, "initialized", lambda: True)
    with capture_output() as shown:
        ask("score_or_weight")
    assert shown.stdout == (
        "A row holds 1.4, -0.3 and 2.2. Are these scores or weights?\n"
        "  A  scores\n  B  weights\n  C  either\n"
    )
    (output,) = shown.outputs
    assert output.data["text/plain"] == "Run this cell to answer."
    view = Buttons(QUESTIONS["score_or_weight"])
    view.state = {"chosen": [1]}
    assert repr(view) == "Run this cell to answer."


def test_a_question_that_does_not_exist():
    """Red: a typing error is answered with silence."""
    with pytest.raises(ValueError, match="no question is called 'scor'"):
        with contextlib.redirect_stdout(io.StringIO()):
            ask("scor")
