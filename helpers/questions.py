"""Questions about ideas, answered with a click.

The question and its options are printed, so that they stand on a page without a kernel,
too; the buttons below answer at once.
"""

import html
from dataclasses import dataclass
from typing import Any

import ipywidgets as widgets
from IPython.display import display

from helpers.language import fold, say

ANSWER_ME = "Run this cell to answer."


@dataclass(frozen=True)
class Option:
    """One of the answers to choose from.

    Attributes
    ----------
    text : the answer.
    reply : what is said to who chooses it.
    right : whether it is right.
    """

    text: str
    reply: str
    right: bool = False


@dataclass(frozen=True)
class Question:
    """A question with two options or more, exactly one of them right.

    Attributes
    ----------
    notebook : its number.
    text : the question.
    options : in the order in which they are shown.
    """

    notebook: int
    text: str
    options: tuple[Option, ...]


QUESTIONS = {
    "what_a_row_is": Question(
        1,
        "In X, Q, K and V of three tokens, what does row 2 always belong to?",
        (
            Option("the third token", "Rows are tokens, in all four.", True),
            Option("the third column of Wq", "A column of Wq makes a column of Q."),
            Option("the third component", "Components are the columns."),
        ),
    ),
    "what_is_learned": Question(
        1,
        "Which of these does training change?",
        (
            Option("Q, K and V", "They change with each input: they are computed."),
            Option("Wq, Wk and Wv", "They are the parameters of the model.", True),
            Option("the number of tokens", "The sentence decides that."),
        ),
    ),
    "who_asks": Question(
        2,
        "The score in row 0, column 2 of Q Kᵀ: which token asked?",
        (
            Option("token 0", "Row = query: token 0 asks, and token 2 answers.", True),
            Option("token 2", "Token 2 is the column: its key was compared."),
            Option("both", "One gives its query, the other its key."),
        ),
    ),
    "score_or_weight": Question(
        2,
        "A row holds 1.4, -0.3 and 2.2. Are these scores or weights?",
        (
            Option("scores", "One is negative, and they do not sum to 1.", True),
            Option("weights", "Weights are never negative, and a row sums to 1."),
            Option("either", "The -0.3 decides: no weight is negative."),
        ),
    ),
    "shift_or_stretch": Question(
        3,
        "You add 10 to every score of a row. What do its weights do?",
        (
            Option("they grow", "They still sum to 1, so they cannot all grow."),
            Option("they stay", "Only differences of scores count.", True),
            Option(
                "the largest gains",
                "That needs larger differences: a stretch, not a shift.",
            ),
        ),
    ),
    "which_axis": Question(
        3,
        "Softmax runs along the keys. What sums to 1?",
        (
            Option("each row", "A row is a query, and it shares out 100 %.", True),
            Option("each column", "Then each key would share itself out."),
            Option("the whole matrix", "Then the queries would compete."),
        ),
    ),
    "winner": Question(
        4,
        "A query has the weights 0.6, 0.3, 0.1. What does it take away?",
        (
            Option(
                "the first value",
                "The others keep 0.4 of the mixture: it is an average.",
            ),
            Option("a mixture of all three values", "0.6, 0.3 and 0.1 of each.", True),
            Option("0.6 of the first key", "Keys are compared, values are taken."),
        ),
    ),
    "order": Question(
        5,
        "No mask: does self-attention give 猫 another output in 'love 我 猫' than in "
        "'我 love 猫'?",
        (
            Option("yes", "Each output moves along with its token, unchanged."),
            Option("no", "Attention compares contents; it knows no order.", True),
        ),
    ),
    "mask_before_softmax": Question(
        5,
        "Why is a key hidden before softmax, and not after?",
        (
            Option("it is faster", "The cost is the same."),
            Option("so that its value becomes 0", "Its value stays as it was."),
            Option(
                "so that each row still sums to 1",
                "Set to 0 afterwards, its share would be missing.",
                True,
            ),
        ),
    ),
    "what_moves_the_weights": Question(
        6,
        "我 should look at love. What can a model change for that?",
        (
            Option("the query of 我", "It is computed from X and Wq."),
            Option("the weights", "They are computed from the scores."),
            Option("Wq and Wk", "They make queries and keys, and are trained.", True),
        ),
    ),
    "who_feels_a_score": Question(
        7,
        "One score of a row grows. Which weights of the row change?",
        (
            Option("its own", "The row sums to 1: what one gains, the others lose."),
            Option("all of them", "One grows, and all others shrink.", True),
            Option("the larger ones", "The small ones shrink, too."),
        ),
    ),
    "what_weights_show": Question(
        8,
        "A model answers everything right, with 0.66 of the weight on the right token. "
        "What follows?",
        (
            Option("it looks in the wrong place", "0.66 is on the right token."),
            Option(
                "weights alone do not tell how good it is",
                "Its values and its read-out do the rest.",
                True,
            ),
            Option("it is not trained yet", "All of its answers are right."),
        ),
    ),
    "why_the_root": Question(
        9,
        "Dot products have variance d_k. Why are they divided by √d_k and not by d_k?",
        (
            Option(
                "so that their variance becomes 1",
                "Dividing by c divides the variance by c².",
                True,
            ),
            Option(
                "so that they lie between -1 and 1",
                "A variance of 1 sets no bounds; about a third lies outside.",
            ),
            Option(
                "dividing by √d_k costs less",
                "Dividing by d_k costs the same, and makes the weights even.",
            ),
        ),
    ),
    "what_the_scale_is_for": Question(
        9,
        "Training may multiply Wq by √d_k and undo the scale. What is the scale for?",
        (
            Option(
                "nothing, then",
                "Without a gradient at the start, training may never leave it.",
            ),
            Option(
                "a start at which most queries can learn",
                "Random matrices of any width begin without saturation.",
                True,
            ),
            Option(
                "it keeps the weights from ever being sharp",
                "Learned scores may become as large as they like.",
            ),
        ),
    ),
    "true_means_hidden": Question(
        10,
        "A mask in which True means hidden should go into this course's attention. "
        "What do you do with it?",
        (
            Option("turn it around: mask.T", "That exchanges queries and keys."),
            Option("invert it: ~mask", "What was hidden, True, becomes False.", True),
            Option(
                "make numbers of it: mask.astype(float)",
                "They would be added to the scores, and nothing is hidden.",
            ),
        ),
    ),
    "too_good": Question(
        10,
        "A model predicts new flips of a fair coin with a mean loss of 0.05. What "
        "follows?",
        (
            Option("it is well trained", "No training beats log 2 = 0.69 here."),
            Option("it needs more data", "More data does not make a coin predictable."),
            Option(
                "it sees its answers",
                "Nobody can predict a coin: look at mask and targets.",
                True,
            ),
        ),
    ),
    "shift_of_all": Question(
        11,
        "A text is moved: every token stands 100 positions later. Whose scores stay "
        "exactly as they were?",
        (
            Option("sinusoidal codes, added to X", "Wq and Wk see the new codes, too."),
            Option("rotary positions", "Only distances count, and they stay.", True),
            Option("learned positions", "Row 105 of the table is not row 5."),
        ),
    ),
    "alibi_far": Question(
        11,
        "ALiBi, slope 1. Two keys match a query equally well; one is 3 positions "
        "further away. How do their weights compare?",
        (
            Option("the far one has 3 less", "3 less is its score."),
            Option("the far one has a third", "Weights do not go with 1 / distance."),
            Option(
                "the far one has e^−3 of the near one", "Scores are exponents.", True
            ),
        ),
    ),
    "heads_and_parameters": Question(
        13,
        "d_model is 64 and stays. You go from 4 heads to 8. What happens to Wq?",
        (
            Option("it doubles", "The heads share its columns; none are added."),
            Option(
                "it keeps its shape", "8 heads of 8 columns instead of 4 of 16.", True
            ),
            Option("it halves", "Each head gets half as many columns, of the same Wq."),
        ),
    ),
    "two_places": Question(
        13,
        "A token needs the values of two others in full. What does one head bring?",
        (
            Option("both, in full", "Its weights would have to sum to 2."),
            Option("the first of them only", "It may; then the second is missing."),
            Option(
                "a mixture of the two", "A row sums to 1: half and half at best.", True
            ),
        ),
    ),
    "norm_blind": Question(
        14,
        "A token is multiplied by 8 before LayerNorm. What comes out?",
        (
            Option("8 times as much", "It is divided by its σ, which grew eightfold."),
            Option("the same", "μ and σ grow with it, and ε hardly counts.", True),
            Option("an eighth", "8 on top, 8 below: the two cancel."),
        ),
    ),
    "weights_explain": Question(
        14,
        "Two models have the same attention weights for a sentence, in every head. Are "
        "their outputs the same?",
        (
            Option("yes", "Values, Wo and the feed-forward network may differ."),
            Option("up to a factor", "The rest is no factor: whole matrices differ."),
            Option(
                "they can differ in any way",
                "Weights say where a head reads, not what it takes or writes.",
                True,
            ),
        ),
    ),
}


def ask(name: str) -> None:
    """Print a question with its options, and show a button for each of them.

    Parameters
    ----------
    name : of the question, a key of `QUESTIONS`.

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
