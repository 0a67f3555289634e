"""The exercises of notebooks 06 to 08: losses, gradients, steps and judges."""

from typing import Any

import numpy as np

from helpers.core import Array, softmax
from helpers.examples import three_tokens
from helpers.exercises import PAPER, Case, Exercise, FormError, Mistake, tenths
from helpers.exercises.forward import WEIGHTS
from helpers.gradients import attention_backward, softmax_backward
from helpers.language import say
from helpers.training import cross_entropy

# ---- 06

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
        raise FormError(say("The answer has three numbers."))
    example = three_tokens()
    weights = softmax(example.X @ example.Wk @ numbers)
    return int(weights.argmax()) if weights.max() > 0.9 else -1


LEARNABLE = (
    Exercise(
        "dscores",
        6,
        "my_dscores",
        "A query has the weights [0.2, 0.5, 0.3], and key 1 is the right one. Its "
        "loss is -log of the weight there. Which gradient do its three scores have?",
        "Weights minus target: the right score shall rise, the others shall fall.",
        (0.2, -0.5, 0.3),
        (
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
        "loss",
        6,
        "my_loss(weights, T)",
        "Write my_loss(weights, T): the mean over the queries of -log of the weight "
        "on the right key, where T holds a 1.",
        "0 when every query looks where it should, and larger the less it does.",
        lambda weights, T: -np.log(_at_right(weights, T)).mean(),
        (
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
        (
            Case((POSITIVE[[0, 1, 2, 0]], np.eye(3)[[1, 2, 0, 1]])),
            Case((POSITIVE[:2], TARGET[1:])),
        ),
        tolerance=1e-6,  # a small number may be added inside the logarithm
    ),
    Exercise(
        "gradient_step",
        6,
        "my_gradient_step(W, dW, rate)",
        "Write my_gradient_step(W, dW, rate): the matrix after one step of gradient "
        "descent. W itself stays as it is.",
        "A small step against the gradient: the loss falls.",
        lambda W, dW, rate: W - rate * dW,
        (
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
        (
            Case((np.array([[1.0, 2], [3, 4]]), np.array([[10.0, 0], [-20, 5]]), 0.1)),
            Case((np.array([[1.0, 2, 3]]), np.array([[1.0, -1, 2]]), 0.3), "wide"),
            Case(
                (np.array([[1, 2], [3, 4]]), np.array([[1, 0], [2, 5]]), 0.1),
                "integers",
            ),
        ),
    ),
    Exercise(
        "wq_gradient",
        6,
        "my_wq_gradient(X, Wq, Wk, T)",
        "Write my_wq_gradient(X, Wq, Wk, T): the gradient of the loss above with "
        "respect to Wq. The scores are not scaled. You may use softmax.",
        "Xᵀ dS K: the loss has found its way to Wq.",
        _wq_gradient(),
        (
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
        (
            Case((X34, tenths(11, 4, 2) / 3, tenths(12, 4, 2) / 3, TARGET)),
            Case(
                (
                    tenths(13, 5, 3) / 3,
                    tenths(14, 3, 3),
                    tenths(15, 3, 3),
                    np.eye(5)[[4, 0, 1, 1, 2]],
                ),
                "wide",
            ),
        ),
    ),
    Exercise(
        "query_for_love",
        6,
        "my_query_for_love",
        "Find a query of three numbers that puts more than 0.9 of the weight on love, "
        "with the three keys K of this notebook and scores that are not scaled.",
        "More than 0.9 on love: a query decides where to look, and its length how "
        "firmly.",
        (0, 30, 0),
        (
            Mistake(
                "it looks at 我", (0, -30, 0), "More than 0.9 of the weight is on 我."
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

# ---- 07

W24 = np.array([[0.5, 0.1, 0.4], [0.2, 0.2, 0.6], [0.1, 0.7, 0.2]])
G24 = np.array([[1.0, 0, -1], [2, 5, 1], [0, 3, 4]])


def _inner(weights: Array, dweights: Array) -> Array:
    return np.asarray((weights * dweights).sum(axis=-1, keepdims=True))


def _turn(x: Array) -> Array:
    return x.swapaxes(-1, -2)


def _backward(
    softmax_step: Any = softmax_backward,
    scale: Any = lambda Q, V: 1 / np.sqrt(Q.shape[-1]),
    dQ_of: Any = lambda dS, Q, K: dS @ K,
    dK_of: Any = lambda dS, Q, K: _turn(dS) @ Q,
    dV_of: Any = lambda w, doutput: _turn(w) @ doutput,
) -> Any:
    """Return the way back through attention with one step replaced."""

    def wrong(
        Q: Array, K: Array, V: Array, weights: Array, doutput: Array
    ) -> tuple[Array, Array, Array]:
        dS = softmax_step(weights, doutput @ _turn(V)) * scale(Q, V)
        return dQ_of(dS, Q, K), dK_of(dS, Q, K), dV_of(weights, doutput)

    return wrong


def _back(seed: int, lead: tuple[int, ...], *sizes: int) -> tuple[Array, ...]:
    """Return Q, K, V, weights and doutput for n_q, n_k, d_k, d_v."""
    n_q, n_k, d_k, d_v = sizes
    shapes = (n_q, d_k), (n_k, d_k), (n_k, d_v), (n_q, n_k), (n_q, d_v)
    Q, K, V, s, d = (tenths(seed + i, *lead, *x) for i, x in enumerate(shapes))
    return Q, K, V, softmax(s), d


GRADIENTS = (
    Exercise(
        "dweight",
        7,
        "my_dweight",
        "The gradient of one output row is [1, -2], and the value of a key is [3, 1]. "
        "What is the gradient of the weight of this query on this key?",
        "A weight is felt through the value that it multiplies.",
        1,
        (
            Mistake("a minus lost", 5, "The second product is -2 × 1: negative."),
            Mistake("products not added", (3, -2), "Add the two products."),
            Mistake(
                "sums multiplied", -4, "Multiply component by component, then add."
            ),
        ),
        tolerance=PAPER,
    ),
    Exercise(
        "jacobian_entry",
        7,
        "my_jacobian_entry",
        "A row has the weights [0.2, 0.3, 0.5]. How fast does weight 0 grow when "
        "score 2 grows? Use paper.",
        "-0.2 × 0.5: what one key gains, the others lose.",
        -0.1,
        (
            Mistake("the wrong sign", 0.1, "When score 2 grows, weight 0 shrinks."),
            Mistake(
                "only the diagonal",
                0,
                "Every weight depends on every score of its row, since they sum to 1.",
            ),
            Mistake(
                "its own score", 0.16, "0.2 × 0.8 is how weight 0 feels its own score."
            ),
            Mistake(
                "the other weight by its own score",
                0.25,
                "0.5 × 0.5 is how weight 2 feels score 2. The question is about "
                "weight 0.",
            ),
        ),
        tolerance=PAPER,
    ),
    Exercise(
        "softmax_backward",
        7,
        "my_dscores(weights, dweights)",
        "Write my_dscores(weights, dweights) from memory: back through softmax, along "
        "the last axis. It should work with a batch, too.",
        "Each row of it sums to 0: a shift of all scores changes nothing.",
        softmax_backward,
        (
            Mistake(
                "only the diagonal",
                lambda w, g: w * (1 - w) * g,
                "You used w (1 - w), a weight and its own score. The other weights of "
                "the row shrink, and that is felt, too.",
            ),
            Mistake(
                "weights forgotten at the end",
                lambda w, g: g - _inner(w, g),
                "You subtracted the average. Multiply the result by the weights.",
            ),
            Mistake(
                "parentheses missing",
                lambda w, g: w * g - _inner(w, g),
                "Only g was multiplied by the weights. Subtract first, then multiply: "
                "put parentheses around g − Σ g w.",
            ),
            Mistake(
                "average forgotten",
                lambda w, g: w * g,
                "You multiplied by the weights. Before that, subtract the average of "
                "the row, Σ g w.",
            ),
            Mistake(
                "mean instead of weighted average",
                lambda w, g: w * (g - g.mean(axis=-1, keepdims=True)),
                "You subtracted the mean of the row. It has to be the average with "
                "the weights, Σ g w.",
            ),
            Mistake(
                "sum not weighted",
                lambda w, g: w * (g - g.sum(axis=-1, keepdims=True)),
                "You subtracted Σ g. It has to be Σ g w.",
            ),
            Mistake(
                "summed over the wrong axis",
                lambda w, g: w * (g - (g * w).sum(axis=0)),
                "You summed down the columns. A row has its own Σ g w: axis=-1.",
            ),
            Mistake(
                "summed over the whole matrix",
                lambda w, g: w * (g - (g * w).sum()),
                "You took one sum for all rows. Each has its own: axis=-1, with "
                "keepdims=True.",
            ),
            Mistake(
                "keepdims missing",
                lambda w, g: w * (g - (g * w).sum(axis=-1)),
                "The sums of the rows were laid along the columns. keepdims=True "
                "leaves them in a column.",
            ),
            Mistake(
                "the wrong sign",
                lambda w, g: w * (_inner(w, g) - g),
                "The sign is the other way round: entry minus average.",
            ),
        ),
        (
            Case((W24, G24)),
            Case((W24[:2], G24[:2]), "wide"),
            Case((np.stack([W24, W24[::-1]]), np.stack([G24, G24 - 2])), "batch"),
            Case((W24, G24.astype(int)), "integers"),
        ),
    ),
    Exercise(
        "attention_backward",
        7,
        "my_attention_backward(Q, K, V, weights, doutput)",
        "Write my_attention_backward(Q, K, V, weights, doutput): dQ, dK and dV, with "
        "scores that were scaled by 1/√d_k. It should work with a batch, too.",
        "Three gradients, each of the shape of its matrix.",
        lambda *given: attention_backward(*given)[:3],
        (
            Mistake(
                "scale forgotten",
                _backward(scale=lambda Q, V: 1),
                "1/√d_k was a factor on the way there, so it is one on the way back.",
            ),
            Mistake(
                "scaled by d_k",
                _backward(scale=lambda Q, V: 1 / Q.shape[-1]),
                "You divided by d_k. The factor on the way there was 1/√d_k.",
            ),
            Mistake(
                "multiplied instead of divided",
                _backward(scale=lambda Q, V: np.sqrt(Q.shape[-1])),
                "You multiplied by √d_k. The factor on the way there was 1/√d_k.",
            ),
            Mistake(
                "scaled by √d_v",
                _backward(scale=lambda Q, V: 1 / np.sqrt(V.shape[-1])),
                "You divided by √d_v, the width of V. d_k is the width of Q and K.",
            ),
            Mistake(
                "scaled by the number of keys",
                _backward(scale=lambda Q, V: 1 / np.sqrt(V.shape[-2])),
                "You divided by the root of the number of keys. d_k is the width of Q "
                "and K, the last axis.",
            ),
            Mistake(
                "scaled by the number of queries",
                _backward(scale=lambda Q, V: 1 / np.sqrt(Q.shape[-2])),
                "You divided by the root of the number of queries. d_k is the width "
                "of Q and K, the last axis.",
            ),
            Mistake(
                "a fixed d_k",
                _backward(scale=lambda Q, V: 1 / np.sqrt(2)),
                "You divided by √2, always. d_k is the width of Q, Q.shape[-1].",
            ),
            Mistake(
                "K transposed",
                _backward(dQ_of=lambda dS, Q, K: dS @ _turn(K)),
                "dQ = dscores K: the query is felt through the keys, which are rows.",
            ),
            Mistake(
                "dscores not turned in dK",
                _backward(dK_of=lambda dS, Q, K: dS @ Q),
                "For dK each key collects from its queries: turn dscores around first.",
            ),
            Mistake(
                "K used for dK",
                _backward(dK_of=lambda dS, Q, K: _turn(dS) @ K),
                "For dK you multiplied with K. A key is felt through the queries, "
                "which are the rows of Q.",
            ),
            Mistake(
                "Q used for dQ",
                _backward(dQ_of=lambda dS, Q, K: dS @ Q),
                "For dQ you multiplied with Q. A query is felt through the keys, "
                "which are the rows of K.",
            ),
            Mistake(
                "Q used for dQ, K for dK",
                _backward(
                    dQ_of=lambda dS, Q, K: dS @ Q,
                    dK_of=lambda dS, Q, K: _turn(dS) @ K,
                ),
                "You used Q for dQ and K for dK. Each is felt through the other: a "
                "query through the keys, a key through the queries.",
            ),
            Mistake(
                "weights not turned in dV",
                _backward(dV_of=lambda w, d: w @ d),
                "For dV each value collects from its queries: weightsᵀ doutput.",
            ),
            Mistake(
                "dQ and dK exchanged",
                lambda *given: [attention_backward(*given)[i] for i in (1, 0, 2)],
                "Return dQ, dK and dV, in this order.",
            ),
            Mistake(
                "only the diagonal",
                _backward(softmax_step=lambda w, g: w * (1 - w) * g),
                "You went through softmax with w (1 - w) alone. Every weight depends "
                "on every score of its row.",
            ),
            Mistake(
                "softmax left out",
                _backward(softmax_step=lambda w, g: g),
                "You used dweights as dscores. Softmax lies between them.",
            ),
            Mistake(
                "mean instead of weighted average",
                _backward(
                    softmax_step=lambda w, g: w * (g - g.mean(axis=-1, keepdims=True))
                ),
                "In the softmax step, subtract the average with the weights, Σ g w.",
            ),
            Mistake(
                "parentheses missing",
                _backward(softmax_step=lambda w, g: w * g - _inner(w, g)),
                "In the softmax step, only g was multiplied by the weights. Subtract "
                "first, then multiply: put parentheses around g − Σ g w.",
            ),
        ),
        (
            Case(_back(20, (), 2, 2, 2, 2)),
            Case(_back(30, (), 3, 4, 6, 5), "wide"),
            Case(_back(40, (2,), 2, 3, 4, 2), "batch"),
        ),
        returns=("dQ", "dK", "dV"),
    ),
    Exercise(
        "dwq",
        7,
        "my_dWq(X, dQ)",
        "Write my_dWq(X, dQ): the gradient of Wq, when that of Q = X Wq is dQ. One "
        "sentence, no batch.",
        "Xᵀ dQ has the shape of Wq, as it must.",
        lambda X, dQ: X.T @ dQ,
        (
            Mistake(
                "X not turned",
                lambda X, dQ: X @ dQ,
                "Turn X first. A gradient has the shape of its matrix, (d_model, d_k).",
            ),
            Mistake(
                "transposed",
                lambda X, dQ: dQ.T @ X,
                "That is the transpose: it has the shape (d_k, d_model).",
            ),
            Mistake(
                "dQ turned",
                lambda X, dQ: X @ dQ.T,
                "You turned dQ. Tokens are summed away, and they are the rows of "
                "both: Xᵀ dQ.",
            ),
            Mistake(
                "mean over the tokens",
                lambda X, dQ: X.T @ dQ / len(X),
                "You divided by the number of tokens. What they feel is added up.",
            ),
        ),
        (
            Case((np.array([[1.0, 2], [0, 1]]), np.array([[3.0, 0], [1, 4]]))),
            Case((tenths(16, 3, 4), tenths(17, 3, 2)), "wide"),
        ),
    ),
)

# ---- 08

LOGITS = np.array([[1.0, 3, 0], [2, 1, 4], [0, 1, 2], [6, 0, 5]])
ANSWER = np.array([1, 0, 0, 1])  # one largest logit is right, two smallest are

QKV = "Wq", "Wk", "Wv"


def _dlogits(logits: Array, answer: Array) -> Array:
    return cross_entropy(logits, answer)[1]


def _probability(logits: Array, answer: Array) -> Array:
    return softmax(logits)[np.arange(len(answer)), answer]


def _matrices(seed: int, *names: str) -> dict[str, Array]:
    return {name: tenths(seed + i, 2, i + 1) for i, name in enumerate(names)}


LEARNS = (
    Exercise(
        "even_loss",
        8,
        "my_even_loss",
        "A model guesses evenly among 8 answers. Which number is its loss, -log of "
        "the probability of the right one? Two digits after the point.",
        "log 8: a model that has learned something lies below it.",
        float(np.log(8)),
        (
            Mistake("logarithm of base 2", 3, "log2 8 = 3. Here the base is e."),
            Mistake("the probability", 1 / 8, "Take -log of it."),
            Mistake("the wrong sign", -float(np.log(8)), "-log(1/8) is positive."),
            Mistake(
                "logarithm of base 10",
                float(np.log10(8)),
                "Here the base is e: np.log.",
            ),
        ),
        tolerance=6e-3 / np.log(8),
    ),
    Exercise(
        "accuracy",
        8,
        "my_accuracy(logits, answer)",
        "Write my_accuracy(logits, answer): which share of the questions is answered "
        "right, if the largest logit is the answer.",
        "The first number of the judge.",
        lambda logits, answer: (logits.argmax(axis=1) == answer).mean(),
        (
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
        (
            Case((LOGITS, ANSWER)),
            Case((tenths(18, 7, 4), np.array([0, 1, 2, 2, 0, 0, 3]))),
        ),
    ),
    Exercise(
        "weight_on_right",
        8,
        "my_weight_on_right(weights, place)",
        "Write my_weight_on_right(weights, place): the mean weight on the right "
        "token, where row i of weights is question i and place[i] its right token.",
        "The second number of the judge: it sees where attention looks.",
        lambda weights, place: weights[np.arange(len(place)), place].mean(),
        (
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
        (
            Case((WEIGHTS[:, [1, 0, 2]], np.array([1, 2, 2]))),
            Case((np.hstack([W24 / 2, W24[::-1] / 2]), np.array([5, 0, 3])), "wide"),
            Case((W24[:2], np.array([2, 1]))),
        ),
    ),
    Exercise(
        "dlogits",
        8,
        "my_dlogits(logits, answer)",
        "Write my_dlogits(logits, answer): the gradient of the mean loss of n "
        "questions with respect to their logits. You may use softmax.",
        "(probability - target) / n: where the way back begins.",
        _dlogits,
        (
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
        (
            Case((LOGITS[:2], ANSWER[:2])),
            Case((LOGITS, ANSWER)),
            Case((LOGITS.astype(int), ANSWER), "integers"),
        ),
    ),
    Exercise(
        "descent",
        8,
        "my_descent(P, G, rate)",
        "Write my_descent(P, G, rate): a new dict with every matrix of P after a step "
        "against its gradient in G. P itself stays as it is.",
        "All matrices at once, and the old ones are still there to compare.",
        lambda P, G, rate: {name: P[name] - rate * G[name] for name in P},
        (
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
        (
            Case((_matrices(50, *QKV), _matrices(60, *QKV), 0.1)),
            Case((_matrices(70, "Wk", "Wo", "b"), _matrices(80, "Wk", "Wo", "b"), 0.3)),
        ),
    ),
)

LEARNING = (*LEARNABLE, *GRADIENTS, *LEARNS)
