"""The questions and exercises of page 06."""

from typing import Any

import numpy as np

from helpers.arrays import Array
from helpers.core import softmax
from helpers.examples import three_tokens
from helpers.exercises.e03_softmax import plain_softmax
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
X41 = np.array([[1.0], [0], [-1], [2]])
POSITIVE = np.array([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.3, 0.1, 0.6]])
FINE = np.array([[0.125, 0.625, 0.25], [0.375, 0.5, 0.125], [0.25, 0.125, 0.625]])
HIDDEN = np.array([[0.4, 0.6, 0], [0, 0.5, 0.5], [0.7, 0.3, 0]])  # two keys each
TALL = np.array([[0.5, 0.5], [0.2, 0.8], [0.6, 0.4], [0.9, 0.1], [0.4, 0.6]])
W22, dW22 = np.array([[1.0, 2], [3, 4]]), np.array([[10.0, 0], [-20, 5]])


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


def _back_twice(dS: Array, weights: Array) -> Array:
    return np.asarray(weights * (dS - (dS * weights).sum(axis=-1, keepdims=True)))


def _looks_at(query: Any) -> int:
    """Return which key has more than 0.9 of the weight, or -1 if none has."""
    numbers = np.asarray(query, dtype=float)
    if numbers.shape != (3,):
        raise FormError("The answer has three numbers.")
    if not np.isfinite(numbers).all():
        raise FormError("Each of the three numbers has to be finite.")
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
            Mistake(
                "counted from 1",
                (-0.8, 0.5, 0.3),
                "You subtracted 1 at the first key. Key 1 is the second: the first has "
                "the number 0.",
            ),
            Mistake(
                "another key",
                (0.2, 0.5, -0.7),
                "You subtracted 1 at the last key. Key 1 is the second.",
            ),
            Mistake(
                "only the diagonal",
                (0.16, 0.25, 0.21),
                "These are w (1 - w), how each weight feels its own score. The loss is "
                "-log of the weight of key 1.",
            ),
            *(
                Mistake(
                    "the gradient of weight 1",
                    gradient,
                    "That is how weight 1 itself feels the scores. The loss is its "
                    "-log, which multiplies by -1/0.5.",
                )
                for gradient in ((-0.1, 0.25, -0.15), (0.1, -0.25, 0.15))
            ),
            Mistake(
                "every key taken for the right one",
                (-5, -2, -10 / 3),
                "You took -1 / weight for every key. The loss asks for the weight of "
                "key 1 alone, and softmax is still to be passed.",
            ),
            Mistake(
                "the loss of each key",
                tuple(-np.log([0.2, 0.5, 0.3])),
                "You took -log of each weight. That would be losses, not a gradient.",
            ),
            Mistake(
                "the target alone",
                (0, 1, 0),
                "That is the target. Subtract it from the weights.",
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
                "logarithm of zero",
                lambda weights, T: -(T * np.log(weights)).sum(axis=-1).mean(),
                "A weight can be 0, as that of a hidden key, and 0 · log 0 is no "
                "number. First the weight on the right key, then its log.",
            ),
            Mistake(
                "logarithm of base 2",
                lambda weights, T: -np.log2(_at_right(weights, T)).mean(),
                "Here the base is e: np.log.",
            ),
            Mistake(
                "logarithm of base 10",
                lambda weights, T: -np.log10(_at_right(weights, T)).mean(),
                "Here the base is e: np.log.",
            ),
            Mistake(
                "logarithm of the sum",
                lambda weights, T: -np.log(_at_right(weights, T).sum()),
                "You added the weights first. First the log of each, then the mean.",
            ),
            Mistake(
                "squared error",
                lambda weights, T: ((weights - T) ** 2).mean(),
                "You took the mean of squared differences. Take -log of the weight on "
                "the right key.",
            ),
            Mistake(
                "squared error",
                lambda weights, T: ((weights - T) ** 2).sum(axis=-1).mean(),
                "You took the mean of squared differences. Take -log of the weight on "
                "the right key.",
            ),
            Mistake(
                "every key taken for the right one",
                lambda weights, T: -np.log(weights).mean(),
                "You took -log of all weights. Only that on the right key counts, "
                "where T holds a 1.",
            ),
            Mistake(
                "the largest weight instead of the right one",
                lambda weights, T: -np.log(weights.max(axis=-1)).mean(),
                "You took the largest weight of each row. The right key is where T "
                "holds a 1, and its weight can be small.",
            ),
            Mistake(
                "only the first query",
                lambda weights, T: -np.log(_at_right(weights, T)[0]),
                "That is the loss of the first query. Take the mean over all.",
            ),
            Mistake(
                "no logarithm",
                lambda weights, T: 1 - _at_right(weights, T).mean(),
                "You took 1 - weight. Take -log of the weight.",
            ),
            Mistake(
                "no logarithm",
                lambda weights, T: _at_right(weights, T).mean(),
                "That is the mean weight on the right key. First -log of each, then "
                "the mean.",
            ),
            Mistake(
                "no logarithm",
                lambda weights, T: -_at_right(weights, T).mean(),
                "That is minus the mean weight on the right key. First the log of "
                "each, then minus the mean.",
            ),
            Mistake(
                "not averaged",
                lambda weights, T: -np.log(_at_right(weights, T)),
                "That is the loss of each query. Take their mean.",
            ),
        ),
        cases=(
            Case((POSITIVE[[0, 1, 2, 0]], np.eye(3)[[1, 2, 0, 2]])),
            Case((HIDDEN[[0, 1, 2, 0]], np.eye(3)[[1, 2, 0, 0]])),
            Case((FINE[[0, 1, 2, 0]], np.eye(3)[[1, 2, 0, 2]]), "decimals"),
            Case((POSITIVE[:2], TARGET[1:]), "wide"),
            Case((POSITIVE[:1], TARGET[:1]), "wide"),
            Case((TALL, np.eye(2)[[1, 0, 0, 1, 1]]), "wide"),
            Case((np.ones((2, 1)), np.ones((2, 1))), "wide"),
        ),
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
                "only the step",
                lambda W, dW, rate: rate * dW,
                "That is the step, without its minus. Subtract it from W.",
            ),
            Mistake(
                "W and dW exchanged",
                lambda W, dW, rate: dW - rate * W,
                "You moved the gradient by W. It is W that moves: W - rate · dW.",
            ),
            Mistake(
                "the gradient left out",
                lambda W, dW, rate: W - rate,
                "You subtracted the rate from every entry. Multiply it by the gradient "
                "first.",
            ),
            Mistake(
                "W in place of the gradient",
                lambda W, dW, rate: W - rate * W,
                "You made W smaller. The step goes along dW: W - rate · dW.",
            ),
            Mistake(
                "only the sign of the gradient",
                lambda W, dW, rate: W - rate * np.sign(dW),
                "You used the sign of the gradient alone. Where it is larger, the step"
                " is larger.",
            ),
            Mistake(
                "nothing moved",
                lambda W, dW, rate: W,
                "That is W as it was, before the step.",
            ),
            Mistake(
                "W made smaller, too",
                lambda W, dW, rate: rate * (W - dW),
                "You multiplied W by the rate as well. Only the gradient has it.",
            ),
        ),
        cases=(
            Case((W22, dW22, 0.1)),
            Case((W22 / 8, dW22 / 8, 0.1), "decimals"),
            Case((-W22, -np.abs(dW22) - 1, 0.1), "negative"),
            Case((W22, dW22, 0.3), "other"),
            Case((np.array([[1.0, 2, 3]]), np.array([[1.0, -1, 2]]), 0.1), "wide"),
            Case(
                (np.zeros((5, 1)), np.array([[1.0], [0], [2], [-1], [3]]), 0.1), "wide"
            ),
            Case(
                (np.array([[1, 2], [3, 4]]), np.array([[1, 0], [2, 5]]), 0.1),
                "integers",
            ),
            Case((1000 * W22, 1000 * dW22, 0.1), "large"),
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
                "maximum not subtracted",
                _wq_gradient(weigh=plain_softmax),
                "Right for small scores, but e^1000 is too large for a computer. "
                "Subtract the largest score of each row first, or use softmax.",
            ),
            Mistake(
                "softmax left out",
                _wq_gradient(lambda w, T: -T / w / len(T)),
                "-1 / weight is the gradient of the weights. Softmax lies between them "
                "and the scores: weights minus target.",
            ),
            Mistake(
                "only the diagonal",
                _wq_gradient(lambda w, T: -(1 - w) * T / len(T)),
                "You went through softmax with w (1 - w) alone. The other scores of a "
                "row are felt, too: weights minus target.",
            ),
            Mistake(
                "softmax passed twice",
                _wq_gradient(lambda w, T: _back_twice((w - T) / len(T), w)),
                "Weights minus target is the gradient of the scores already: softmax "
                "has been passed.",
            ),
            Mistake(
                "scores used as weights",
                _wq_gradient(weigh=lambda scores: scores),
                "You subtracted the target from the scores. Softmax comes before.",
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
                    X34,
                    -np.abs(tenths(seed + 11, 4, 2)) - 0.1,
                    tenths(seed + 12, 4, 2) / 3,
                    TARGET,
                ),
                "negative",
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
            Case((X34[:1], X34.T, X34.T / 3, np.ones((1, 1))), "wide"),
            Case((X41, np.array([[2.0, -1]]), np.array([[1.0, 1]]), np.eye(4)), "wide"),
            Case(
                (
                    1000 * X34,
                    tenths(seed + 11, 4, 2) / 3,
                    tenths(seed + 12, 4, 2) / 3,
                    TARGET,
                ),
                "large",
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
