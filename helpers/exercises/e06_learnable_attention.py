"""The questions and exercises of page 06."""

from typing import Any

import numpy as np

from helpers.arrays import Array
from helpers.core import softmax
from helpers.examples import three_tokens
from helpers.exercises.model import (
    PAPER,
    Case,
    Exercise,
    FormError,
    Mistake,
    Option,
    Page,
    Question,
    tenths,
)

TARGET = np.eye(3)[[1, 2, 0]]
X34 = np.array([[1.0, 0, 0, 1], [0, 2, 0, 0], [0, 1, 1, 0]])
POSITIVE = np.array([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.3, 0.1, 0.6]])


def _at_right(weights: Array, T: Array) -> Array:
    return np.asarray((weights * T).sum(axis=-1))


def _root(K: Array) -> float:
    return float(1 / np.sqrt(K.shape[-1]))


def _wq_gradient(
    dscores: Any = lambda w, T: (w - T) / len(T),
    dQ_of: Any = lambda dS, Q, K: dS @ K,
    weigh: Any = softmax,
    there: Any = lambda K: 1,
    back: Any = lambda K: 1,
) -> Any:
    """Return the gradient of the loss with one step replaced."""

    def gradient(X: Array, Wq: Array, Wk: Array, T: Array) -> Array:
        Q, K = X @ Wq, X @ Wk
        dS = dscores(weigh(Q @ K.T * there(K)), T) * back(K)
        return np.asarray(X.T @ dQ_of(dS, Q, K))

    return gradient


def _looks_at(query: Any) -> int:
    """Return which key has more than 0.9 of the weight, or -1 if none has."""
    numbers = np.asarray(query, dtype=float)
    if numbers.shape != (3,):
        raise FormError("The answer has three numbers.")
    example = three_tokens()
    weights = softmax(example.X @ example.Wk @ numbers)
    return int(weights.argmax()) if weights.max() > 0.9 else -1


QUESTIONS = (
    Question(
        name="what_moves_the_weights",
        text="我 should look at love. What can a model change for that?",
        options=(
            Option("the query of 我", "It is computed from X and Wq."),
            Option("the weights", "They are computed from the scores."),
            Option("Wq and Wk", "They make queries and keys, and are trained.", True),
        ),
    ),
)

EXERCISES = (
    Exercise(
        name="dscores",
        call="my_dscores",
        asked=(
            "A query has the weights [0.2, 0.5, 0.3], and key 1 is the right one. Its "
            "loss is -log of the weight there. Which gradient do its three scores have?"
        ),
        means=(
            "Weights minus target: the right score shall rise, the others shall fall."
        ),
        right=(0.2, -0.5, 0.3),
        mistakes=(
            Mistake(
                "the wrong sign",
                (-0.2, 0.5, -0.3),
                "The gradient points uphill, and descent goes against it: weights "
                "minus target.",
            ),
            Mistake(
                "target forgotten", (0.2, 0.5, 0.3), "Subtract 1 at the right key."
            ),
            Mistake(
                "only the right key",
                (0, -0.5, 0),
                "The other scores are felt, too: they take weight from the right one.",
            ),
            Mistake(
                "the gradient of the weights",
                (0, -2, 0),
                "-1/0.5 is the gradient of the weight. Softmax is still to be passed.",
            ),
            Mistake(
                "divided by three",
                (0.2 / 3, -0.5 / 3, 0.1),
                "Here is one query. Only a mean over several divides by their number.",
            ),
        ),
        tolerance=PAPER,
    ),
    Exercise(
        name="loss",
        call="my_loss(weights, T)",
        asked=(
            "Write my_loss(weights, T): the mean over the queries of -log of the "
            "weight on the right key, where T holds a 1."
        ),
        means="0 when every query looks where it should, and larger the less it does.",
        right=lambda weights, T: -np.log(_at_right(weights, T)).mean(),
        mistakes=(
            Mistake(
                "the wrong sign",
                lambda weights, T: np.log(_at_right(weights, T)).mean(),
                "The minus is missing: the log of a weight is negative.",
            ),
            Mistake(
                "sum instead of mean",
                lambda weights, T: -np.log(_at_right(weights, T)).sum(),
                "You added up the queries. Take their mean.",
            ),
            Mistake(
                "logarithm of the mean",
                lambda weights, T: -np.log(_at_right(weights, T).mean()),
                "You took the mean of the weights first. First the log of each, then "
                "the mean.",
            ),
            Mistake(
                "mean over all entries",
                lambda weights, T: -(T * np.log(weights)).mean(),
                "You divided by the number of entries. Divide by that of the queries.",
            ),
            Mistake(
                "wrong axis",
                lambda weights, T: -np.log((weights * T).sum(axis=0)).mean(),
                "You added down the columns, over the queries. A query is a row: "
                "axis=-1.",
            ),
            Mistake(
                "divided by the number of keys",
                lambda weights, T: (
                    -np.log(_at_right(weights, T)).sum() / weights.shape[1]
                ),
                "You divided by the number of keys. Divide by that of the queries.",
            ),
            Mistake(
                "logarithm of zero",
                lambda weights, T: -np.log(weights * T).sum(axis=-1).mean(),
                "Where T holds a 0 you took the logarithm of 0. First the weight on "
                "the right key, then its log.",
            ),
            Mistake(
                "logarithm of base 2",
                lambda weights, T: -np.log2(_at_right(weights, T)).mean(),
                "Here the base is e: np.log.",
            ),
            Mistake(
                "no logarithm",
                lambda weights, T: 1 - _at_right(weights, T).mean(),
                "You took 1 - weight. Take -log of the weight.",
            ),
            Mistake(
                "not averaged",
                lambda weights, T: -np.log(_at_right(weights, T)),
                "That is the loss of each query. Take their mean.",
            ),
        ),
        cases=(
            Case((POSITIVE[[0, 1, 2, 0]], np.eye(3)[[1, 2, 0, 1]])),
            Case((POSITIVE[:2], TARGET[1:])),
        ),
        tolerance=1e-6,
    ),
    Exercise(
        name="gradient_step",
        call="my_gradient_step(W, dW, rate)",
        asked=(
            "Write my_gradient_step(W, dW, rate): the matrix after one step of "
            "gradient descent. W itself stays as it is."
        ),
        means="A small step against the gradient: the loss falls.",
        right=lambda W, dW, rate: W - rate * dW,
        mistakes=(
            Mistake(
                "uphill",
                lambda W, dW, rate: W + rate * dW,
                "You went with the gradient, which points uphill. Go against it: "
                "minus.",
            ),
            Mistake(
                "rate forgotten",
                lambda W, dW, rate: W - dW,
                "Your step is the whole gradient. Multiply it by the rate.",
            ),
            Mistake(
                "divided by the rate",
                lambda W, dW, rate: W - dW / rate,
                "You divided by the rate. A smaller rate should make a smaller step.",
            ),
            Mistake(
                "only the step",
                lambda W, dW, rate: -rate * dW,
                "That is the step. Add it to W.",
            ),
            Mistake(
                "W made smaller, too",
                lambda W, dW, rate: rate * (W - dW),
                "You multiplied W by the rate as well. Only the gradient has it.",
            ),
        ),
        cases=(
            Case((np.array([[1.0, 2], [3, 4]]), np.array([[10.0, 0], [-20, 5]]), 0.1)),
            Case((np.array([[1.0, 2, 3]]), np.array([[1.0, -1, 2]]), 0.3), "wide"),
            Case(
                (np.array([[1, 2], [3, 4]]), np.array([[1, 0], [2, 5]]), 0.1),
                "integers",
            ),
        ),
    ),
    Exercise(
        name="wq_gradient",
        call="my_wq_gradient(X, Wq, Wk, T)",
        asked=(
            "Write my_wq_gradient(X, Wq, Wk, T): the gradient of the loss above with "
            "respect to Wq. The scores are not scaled. You may use softmax."
        ),
        means="Xᵀ dS K: the loss has found its way to Wq.",
        right=_wq_gradient(),
        mistakes=(
            Mistake(
                "sum instead of mean",
                _wq_gradient(lambda w, T: w - T),
                "The loss is a mean over the queries: divide by their number.",
            ),
            Mistake(
                "the wrong sign",
                _wq_gradient(lambda w, T: (T - w) / len(T)),
                "The gradient of the scores is weights minus target.",
            ),
            Mistake(
                "target forgotten",
                _wq_gradient(lambda w, T: w / len(T)),
                "You went back with the weights. Subtract the target first.",
            ),
            Mistake(
                "the gradient of Wk",
                _wq_gradient(dQ_of=lambda dS, Q, K: dS.T @ Q),
                "That is dWk. A query is felt through the keys: dQ = dS K.",
            ),
            Mistake(
                "Q used for dQ",
                _wq_gradient(dQ_of=lambda dS, Q, K: dS @ Q),
                "You multiplied dS with Q. A query is felt through the keys: dQ = dS "
                "K.",
            ),
            Mistake(
                "dS turned around",
                _wq_gradient(dQ_of=lambda dS, Q, K: dS.T @ K),
                "You turned dS around. Its rows are queries, and so are those of dQ: "
                "leave it as it is.",
            ),
            Mistake(
                "softmax over the wrong axis",
                _wq_gradient(weigh=lambda scores: softmax(scores, axis=0)),
                "Your columns sum to 1. A query is a row: softmax along the last axis.",
            ),
            Mistake(
                "divided by all entries",
                _wq_gradient(lambda w, T: (w - T) / T.size),
                "You divided by the number of entries. Divide by that of the queries.",
            ),
            Mistake(
                "scaled",
                _wq_gradient(there=_root, back=_root),
                "You scaled the scores. In this exercise they are not scaled.",
            ),
            Mistake(
                "scaled",
                _wq_gradient(there=_root),
                "You scaled the scores. In this exercise they are not scaled.",
            ),
            Mistake(
                "a fixed number of queries",
                _wq_gradient(lambda w, T: (w - T) / 3),
                "You divided by 3, always. Divide by the number of queries, len(X).",
            ),
            Mistake(
                "X left out",
                lambda X, Wq, Wk, T: (softmax(X @ Wq @ (X @ Wk).T) - T) / 3 @ (X @ Wk),
                "That is dQ. Q = X Wq, so one more product is missing: Xᵀ.",
            ),
        ),
        cases=lambda seed: (
            Case(
                (
                    X34,
                    tenths(seed + 11, 4, 2) / 3,
                    tenths(seed + 12, 4, 2) / 3,
                    TARGET,
                )
            ),
            Case(
                (
                    tenths(seed + 13, 5, 3) / 3,
                    tenths(seed + 14, 3, 3),
                    tenths(seed + 15, 3, 3),
                    np.eye(5)[[4, 0, 1, 1, 2]],
                ),
                "wide",
            ),
        ),
    ),
    Exercise(
        name="query_for_love",
        call="my_query_for_love",
        asked=(
            "Find a query of three numbers that puts more than 0.9 of the weight on "
            "love, with the three keys K of this notebook and scores that are not "
            "scaled."
        ),
        means=(
            "More than 0.9 on love: a query decides where to look, and its length how "
            "firmly."
        ),
        right=(0, 30, 0),
        mistakes=(
            Mistake(
                "it looks at 我",
                (0, -30, 0),
                "More than 0.9 of the weight is on 我.",
            ),
            Mistake(
                "it looks at 猫",
                (0, 0, 10),
                "More than 0.9 of the weight is on 猫. The key of love leads there, "
                "too: 猫 scores higher with it.",
            ),
            Mistake(
                "undecided",
                (0, 3, 0),
                "No key has more than 0.9 of the weight. When love leads, make the "
                "query longer.",
            ),
        ),
        read=_looks_at,
    ),
)

PAGE = Page(
    number=6, topic="learnable attention", questions=QUESTIONS, exercises=EXERCISES
)
