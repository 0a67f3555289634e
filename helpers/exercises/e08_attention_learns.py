"""The questions and exercises of page 08."""

import numpy as np

from helpers.arrays import Array
from helpers.core import softmax
from helpers.exercises.e04_weighted_values import WEIGHTS
from helpers.exercises.e07_gradients import W24
from helpers.exercises.model import (
    Case,
    Exercise,
    Mistake,
    Numbers,
    Option,
    Page,
    Question,
    tenths,
)
from helpers.training import cross_entropy

LOGITS = np.array([[1.0, 3, 0], [2, 1, 4], [0, 1, 2], [6, 0, 5]])
ANSWER = np.array([1, 0, 0, 1])  # right: the largest logit once, the smallest twice
QKV = "Wq", "Wk", "Wv"


def _dlogits(logits: Array, answer: Array) -> Array:
    return cross_entropy(logits, answer)[1]


def _probability(logits: Array, answer: Array) -> Array:
    return softmax(logits)[np.arange(len(answer)), answer]


def _matrices(seed: int, *names: str) -> dict[str, Array]:
    return {name: tenths(seed + i, 2, i + 1) for i, name in enumerate(names)}


def _powers(rng: np.random.RandomState) -> Numbers:
    log2 = int(rng.randint(4, 11))
    return {"n": 2**log2, "log2": log2}


QUESTIONS = (
    Question(
        name="what_weights_show",
        text=(
            "A model answers everything right, with 0.66 of the weight on the right "
            "token. What follows?"
        ),
        options=(
            Option("it looks in the wrong place", "0.66 is on the right token."),
            Option(
                "weights alone do not tell how good it is",
                "Its values and its read-out do the rest.",
                True,
            ),
            Option("it is not trained yet", "All of its answers are right."),
        ),
    ),
)

EXERCISES = (
    Exercise(
        name="even_loss",
        call="my_even_loss",
        asked=(
            "A model guesses evenly among {n} answers. Which number is its loss, -log "
            "of the probability of the right one? Two digits after the point."
        ),
        means="log {n}: a model that has learned something lies below it.",
        numbers={"n": 8, "log2": 3},
        draw=_powers,
        right=lambda n, log2: float(np.log(n)),
        mistakes=(
            Mistake(
                "logarithm of base 2",
                lambda n, log2: log2,
                "log2 {n} = {log2}. Here the base is e.",
            ),
            Mistake("the probability", lambda n, log2: 1 / n, "Take -log of it."),
            Mistake(
                "the wrong sign",
                lambda n, log2: -float(np.log(n)),
                "-log(1/{n}) is positive.",
            ),
            Mistake(
                "logarithm of base 10",
                lambda n, log2: float(np.log10(n)),
                "Here the base is e: np.log.",
            ),
        ),
        tolerance=6e-3 / np.log(8),
    ),
    Exercise(
        name="accuracy",
        call="my_accuracy(logits, answer)",
        asked=(
            "Write my_accuracy(logits, answer): which share of the questions is "
            "answered right, if the largest logit is the answer."
        ),
        means="The first number of the judge.",
        right=lambda logits, answer: (logits.argmax(axis=1) == answer).mean(),
        mistakes=(
            Mistake(
                "a number instead of a share",
                lambda logits, answer: (logits.argmax(axis=1) == answer).sum(),
                "You counted the right ones. Divide by the number of questions.",
            ),
            Mistake(
                "the share of the wrong ones",
                lambda logits, answer: (logits.argmax(axis=1) != answer).mean(),
                "That is the share of wrong answers.",
            ),
            Mistake(
                "the mean probability",
                lambda logits, answer: _probability(logits, answer).mean(),
                "That is the mean probability of the right answer. Count the "
                "questions whose largest logit is right.",
            ),
            Mistake(
                "the number of the wrong ones",
                lambda logits, answer: (logits.argmax(axis=1) != answer).sum(),
                "You counted the wrong ones. Count the right ones, and divide by the "
                "number of questions.",
            ),
            Mistake(
                "one by one",
                lambda logits, answer: logits.argmax(axis=1) == answer,
                "You say for each question whether it is right. Take the mean.",
            ),
            Mistake(
                "one by one",
                lambda logits, answer: (logits.argmax(axis=1) == answer).astype(float),
                "You say for each question whether it is right. Take the mean.",
            ),
            Mistake(
                "divided by the number of classes",
                lambda logits, answer: (
                    (logits.argmax(axis=1) == answer).sum() / logits.shape[1]
                ),
                "You divided by the number of classes. Divide by that of the "
                "questions.",
            ),
            Mistake(
                "the smallest logit",
                lambda logits, answer: (logits.argmin(axis=1) == answer).mean(),
                "You took the smallest logit. The largest one is the answer.",
            ),
        ),
        cases=lambda seed: (
            Case((LOGITS, ANSWER)),
            Case((tenths(seed + 18, 7, 4), np.array([0, 1, 2, 2, 0, 0, 3]))),
        ),
    ),
    Exercise(
        name="weight_on_right",
        call="my_weight_on_right(weights, place)",
        asked=(
            "Write my_weight_on_right(weights, place): the mean weight on the right "
            "token, where row i of weights is question i and place[i] its right token."
        ),
        means="The second number of the judge: it sees where attention looks.",
        right=lambda weights, place: weights[np.arange(len(place)), place].mean(),
        mistakes=(
            Mistake(
                "every row with every place",
                lambda weights, place: weights[:, place].mean(),
                "weights[:, place] takes all places in every row. Row i needs "
                "place[i] alone.",
            ),
            Mistake(
                "the largest weight",
                lambda weights, place: weights.max(axis=1).mean(),
                "You took the largest weight of each row, wherever it lies.",
            ),
            Mistake(
                "sum instead of mean",
                lambda weights, place: weights[np.arange(len(place)), place].sum(),
                "You added up the questions. Take their mean.",
            ),
            Mistake(
                "how often the largest is right",
                lambda weights, place: (weights.argmax(axis=1) == place).mean(),
                "You counted how often the largest weight is right. Return how much "
                "weight is there.",
            ),
            Mistake(
                "not averaged",
                lambda weights, place: weights[np.arange(len(place)), place],
                "That is the weight of each question. Take their mean.",
            ),
        ),
        cases=(
            Case((WEIGHTS[:, [1, 0, 2]], np.array([1, 2, 2]))),
            Case((np.hstack([W24 / 2, W24[::-1] / 2]), np.array([5, 0, 3])), "wide"),
            Case((W24[:2], np.array([2, 1]))),
        ),
    ),
    Exercise(
        name="dlogits",
        call="my_dlogits(logits, answer)",
        asked=(
            "Write my_dlogits(logits, answer): the gradient of the mean loss of n "
            "questions with respect to their logits. You may use softmax."
        ),
        means="(probability - target) / n: where the way back begins.",
        right=_dlogits,
        mistakes=(
            Mistake(
                "sum instead of mean",
                lambda logits, answer: _dlogits(logits, answer) * len(answer),
                "The loss is a mean over n questions: divide by n.",
            ),
            Mistake(
                "the wrong sign",
                lambda logits, answer: -_dlogits(logits, answer),
                "The sign is the other way round: probability minus target.",
            ),
            Mistake(
                "target forgotten",
                lambda logits, answer: softmax(logits) / len(answer),
                "Subtract 1 at the right answer of each question.",
            ),
            Mistake(
                "softmax forgotten",
                lambda logits, answer: (
                    (logits - np.eye(logits.shape[1])[answer]) / len(answer)
                ),
                "You subtracted the target from the logits. Softmax comes first.",
            ),
            Mistake(
                "divided by the number of classes",
                lambda logits, answer: (
                    _dlogits(logits, answer) * len(answer) / logits.shape[1]
                ),
                "You divided by the number of classes. Divide by that of the "
                "questions.",
            ),
        ),
        cases=(
            Case((LOGITS[:2], ANSWER[:2])),
            Case((LOGITS, ANSWER)),
            Case((LOGITS.astype(int), ANSWER), "integers"),
        ),
    ),
    Exercise(
        name="descent",
        call="my_descent(P, G, rate)",
        asked=(
            "Write my_descent(P, G, rate): a new dict with every matrix of P after a "
            "step against its gradient in G. P itself stays as it is."
        ),
        means="All matrices at once, and the old ones are still there to compare.",
        right=lambda P, G, rate: {name: P[name] - rate * G[name] for name in P},
        mistakes=(
            Mistake(
                "uphill",
                lambda P, G, rate: {name: P[name] + rate * G[name] for name in P},
                "You went with the gradient, which points uphill. Go against it: "
                "minus.",
            ),
            Mistake(
                "rate forgotten",
                lambda P, G, rate: {name: P[name] - G[name] for name in P},
                "Your step is the whole gradient. Multiply it by the rate.",
            ),
            Mistake(
                "only the steps",
                lambda P, G, rate: {name: -rate * G[name] for name in P},
                "These are the steps. Add them to the matrices.",
            ),
            Mistake(
                "nothing moved",
                lambda P, G, rate: P,
                "These are the matrices as they came. Subtract rate times the "
                "gradient from each.",
            ),
            Mistake(
                "frozen Wq and Wk",
                lambda P, G, rate: {
                    name: W if name in ("Wq", "Wk") else W - rate * G[name]
                    for name, W in P.items()
                },
                "Wq and Wk did not move, so it never learns where to look.",
            ),
        ),
        cases=lambda seed: (
            Case((_matrices(seed + 50, *QKV), _matrices(seed + 60, *QKV), 0.1)),
            Case(
                (
                    _matrices(seed + 70, "Wk", "Wo", "b"),
                    _matrices(seed + 80, "Wk", "Wo", "b"),
                    0.3,
                )
            ),
        ),
    ),
)

PAGE = Page(
    number=8, topic="attention learns", questions=QUESTIONS, exercises=EXERCISES
)
