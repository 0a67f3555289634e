"""Show a question about ideas, and answer a click.

The question and its options are printed, so that they stand on a page without a script,
too; the buttons below answer at once.
"""

from IPython.display import display

from helpers.exercises.catalogue import QUESTIONS
from helpers.exercises.model import Option, Question
from helpers.language import fold, say
from helpers.live import View

LETTERS = "ABCDEF"


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
    for letter, option in zip(LETTERS, question.options, strict=False):
        print(f"  {letter}  {say(option.text)}")
    display(Buttons(question))  # type: ignore[no-untyped-call]


class Buttons(View):
    """A button for each option, and the reply to the last one; `ask` shows it."""

    _script = ("quiz.js",)

    def __init__(self, question: Question) -> None:
        options = question.options
        data = {
            "question": say(question.text),
            "letters": list(LETTERS[: len(options)]),
            "options": [say(option.text) for option in options],
            "right": [option.right for option in options],
            "replies": list(map(_reply, LETTERS, options)),
        }
        super().__init__(data, {"chosen": []})

    def __repr__(self) -> str:
        """Return the line that stands for the buttons where no script runs."""
        return say("Run this cell to answer.")


def _reply(letter: str, option: Option) -> str:
    return say(
        "{letter}: Right. {reply}"
        if option.right
        else "{letter}: Not this one. {reply}",
        letter=letter,
        reply=say(option.reply),
    )
