"""Show a question about ideas, and answer a click.

The question and its options are printed, so that they stand on a page without a kernel,
too; the buttons below answer at once.
"""

import html
from typing import Any

import ipywidgets as widgets
from IPython.display import display

from helpers.exercises.catalogue import QUESTIONS
from helpers.exercises.model import Option, Question
from helpers.language import fold, say

ANSWER_ME = "Run this cell to answer."


def ask(name: str) -> None:
    """Print a question with its options, and show a button for each of them.

    Parameters
    ----------
    name : of the question, as in the catalogue.

    Raises
    ------
    ValueError
        If no question has that name.
    """
    if name not in QUESTIONS:
        raise ValueError(f"no question is called {name!r}")
    question = QUESTIONS[name]
    print(fold(say(question.text)))
    for letter, option in zip("ABCDEF", question.options, strict=False):
        print(f"  {letter}  {say(option.text)}")
    display(Buttons(question))  # type: ignore[no-untyped-call]


class Buttons(widgets.VBox):  # type: ignore[misc]
    """A button for each option, and the reply to the last one; `ask` shows it."""

    def __init__(self, question: Question) -> None:
        self.reply = widgets.HTML()
        self.buttons = [
            widgets.Button(description=letter, tooltip=say(option.text))
            for letter, option in zip("ABCDEF", question.options, strict=False)
        ]
        for button, option in zip(self.buttons, question.options, strict=True):
            button.on_click(lambda clicked, o=option: self.choose(clicked, o))
        super().__init__([widgets.HBox(self.buttons), self.reply])

    def __repr__(self) -> str:
        """Return the line that stands for the buttons where no kernel runs."""
        return say(ANSWER_ME)

    def choose(self, clicked: Any, option: Option) -> None:
        """Say at once whether an option is right."""
        said = say(
            "{letter}: Right. {reply}"
            if option.right
            else "{letter}: Not this one. {reply}",
            letter=clicked.description,
            reply=say(option.reply),
        )
        clicked.button_style = "success" if option.right else "warning"
        self.reply.value = f'<span role="status">{html.escape(said)}</span>'
