"""Tasks that need attention, a model of one head that solves them, and its training.

Notebook 08 writes each piece by hand for a single sequence; here they work on a whole
batch. The model: one token asks, every token is a key and a value, and a read-out
turns what the asking token took away into an answer.

    Q = x_ask Wq, K = X Wk, V = X Wv, logits = attention(Q, K, V) Wo

Where nothing else is said, a ValueError means that a shape does not fit, or that an
argument holds NaN or ±∞, and an OverflowError that finite numbers lead out of the range
of their type.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from helpers.arrays import (
    Array,
    in_range,
    matmul,
    product_backward,
    real,
    whole_numbers,
    with_shape,
)
from helpers.core import attention, softmax
from helpers.gradients import attention_backward

# Wq, Wk: (d_model, d_k); Wv: (d_model, d_v); Wo: (d_v, n_classes)
Matrices = dict[str, Array]
PAIRS, KINDS = 4, 6  # of `recall`: pairs in a sequence, keys and values to choose from


@dataclass
class Batch:
    """Sequences, each with one question and its answer.

    Attributes
    ----------
    X : (n, n_tokens, d_model)
    asks : (n,), which token asks.
    place : (n,), the token that holds the answer; the model never sees it.
    answer : (n,), a class, counted from 0.
    """

    X: Array
    asks: Array
    place: Array
    answer: Array


Task = Callable[[np.random.Generator, int], Batch]


def recall(rng: np.random.Generator, n: int) -> Batch:
    """Make sequences of four (key, value) pairs, and a last token that names one key.

    A token is [key part | value part | 1 if it asks], both parts one-hot of six; the
    keys of a sequence differ. The answer is the value beside the named key.

    Parameters
    ----------
    rng : where the sequences come from.
    n : how many.

    Returns
    -------
    Batch with n_tokens = 5, d_model = 13, six classes.
    """
    one_hot = np.eye(KINDS)
    keys = rng.random((n, KINDS)).argsort(axis=1)[:, :PAIRS]
    values = rng.integers(KINDS, size=(n, PAIRS))
    place = rng.integers(PAIRS, size=n)
    each = np.arange(n)
    X = np.zeros((n, PAIRS + 1, 2 * KINDS + 1))
    X[:, :-1, :KINDS] = one_hot[keys]
    X[:, :-1, KINDS:-1] = one_hot[values]
    X[:, -1, :KINDS] = one_hot[keys[each, place]]
    X[:, -1, -1] = 1
    return Batch(X, np.full(n, PAIRS), place, values[each, place])


def spell(token: Array) -> str:
    """Write a token of `recall` as text: B3 for a pair, B? for the one that asks.

    Parameters
    ----------
    token : (13,)
    """
    key = "ABCDEF"[token[:KINDS].argmax()]
    return f"{key}?" if token[-1] else f"{key}{token[KINDS:-1].argmax() + 1}"


def before_marker(
    rng: np.random.Generator, n: int, n_tokens: int = 6, n_kinds: int = 6
) -> Batch:
    """Make sequences with one marker; the answer is the token before it.

    A token is [kind | 1 if it is the marker | position], kind and position one-hot.

    Parameters
    ----------
    rng : where the sequences come from.
    n : how many.
    n_tokens : tokens in each, at least 2.
    n_kinds : number of different tokens.

    Returns
    -------
    Batch with d_model = n_kinds + 1 + n_tokens, n_kinds classes.

    Raises
    ------
    ValueError
        If `n_tokens` is less than 2.
    """
    if n_tokens < 2:
        raise ValueError(f"n_tokens is {n_tokens}; it needs at least 2")
    kinds = rng.integers(n_kinds, size=(n, n_tokens))
    asks = rng.integers(1, n_tokens, size=n)
    each = np.arange(n)
    X = np.zeros((n, n_tokens, n_kinds + 1 + n_tokens))
    X[:, :, :n_kinds] = np.eye(n_kinds)[kinds]
    X[each, asks, :n_kinds] = 0
    X[each, asks, n_kinds] = 1
    X[:, :, n_kinds + 1 :] = np.eye(n_tokens)
    return Batch(X, asks, asks - 1, kinds[each, asks - 1])


def start(
    rng: np.random.Generator, d_model: int, d_k: int, d_v: int, n_classes: int
) -> Matrices:
    """Return small random matrices: weights nearly even, answers at chance."""
    shapes = {
        "Wq": (d_model, d_k),
        "Wk": (d_model, d_k),
        "Wv": (d_model, d_v),
        "Wo": (d_v, n_classes),
    }
    return {name: rng.normal(0, 0.1, shape) for name, shape in shapes.items()}


@in_range
def answer(P: Matrices, batch: Batch) -> tuple[Array, Array]:
    """Run the model forward.

    Returns
    -------
    logits : (n, n_classes), one score per possible answer.
    weights : (n, n_tokens), where the asking token looked.
    """
    P, x, X = _given(P, batch)
    output, weights = attention(*_project(P, x, X))
    return matmul("output", output[:, 0], "Wo", P["Wo"]), weights[:, 0]


@in_range
def loss_and_gradients(P: Matrices, batch: Batch) -> tuple[float, Matrices]:
    """Run the model forward and backward.

    Returns
    -------
    loss : mean cross-entropy of the answers, in nats.
    gradients : as `P`, the gradient of the loss with respect to each matrix.
    """
    P, x, X = _given(P, batch)
    Q, K, V = _project(P, x, X)
    output, weights = attention(Q, K, V)
    out = output[:, 0]
    loss, dlogits = cross_entropy(matmul("output", out, "Wo", P["Wo"]), batch.answer)
    doutput, dWo = product_backward(out, P["Wo"], dlogits)
    dQ, dK, dV, _ = attention_backward(Q, K, V, weights, doutput[:, None])
    gradients = {
        "Wq": matmul("x_askᵀ", x.T, "dQ", _flat(dQ)),
        "Wk": matmul("Xᵀ", _flat(X).T, "dK", _flat(dK)),
        "Wv": matmul("Xᵀ", _flat(X).T, "dV", _flat(dV)),
        "Wo": dWo,
    }
    return loss, gradients


@in_range
def cross_entropy(logits: ArrayLike, target: ArrayLike) -> tuple[float, Array]:
    """Score answers: the mean of −log(probability of the right one).

    Parameters
    ----------
    logits : (n, n_classes)
    target : (n,) whole numbers, the right class of each, counted from 0.

    Returns
    -------
    loss : in nats; log(n_classes) for an even guess.
    dlogits : (n, n_classes), its gradient: (softmax(logits) − one-hot target) / n.

    Raises
    ------
    TypeError
        If `logits` does not hold real numbers, or `target` whole ones.
    ValueError
        If a shape does not fit, `logits` holds NaN or ±∞, or a target is not a class.
    """
    logits = real("logits", logits, min_ndim=2, finite=True)
    if logits.ndim != 2 or not logits.size:
        raise ValueError(f"logits has shape {logits.shape}; it needs (n, n_classes)")
    n, n_classes = logits.shape
    target = whole_numbers("target", target, n_classes - 1, shape=(n,))
    right = np.arange(n), target
    shifted = logits - logits.max(axis=-1, keepdims=True)
    # −log(eʳ / Σ eˢ) = log Σ eˢ − r: the quotient may be too small for a number.
    loss = float((np.log(np.exp(shifted).sum(axis=-1)) - shifted[right]).mean())
    dlogits = softmax(logits)
    dlogits[right] -= 1
    dlogits /= n
    return loss, dlogits


class Adam:
    """Steps of a size of their own for every entry.

    Source: Kingma and Ba, "Adam: a method for stochastic optimization", 2015,
    arXiv:1412.6980, algorithm 1.

    Parameters
    ----------
    rate : about how far an entry moves in one step.
    """

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self.steps = 0
        self.mean: Matrices = {}
        self.square: Matrices = {}

    @in_range
    def step(self, P: Matrices, gradients: Matrices) -> Matrices:
        """Return new matrices; a matrix without a gradient stays as it is."""
        self.steps += 1
        moved = dict(P)
        for name, gradient in gradients.items():
            W = real(name, P[name], min_ndim=0, finite=True)
            G = with_shape(f"gradients[{name!r}]", gradient, W.shape, name)
            mean = 0.9 * self.mean.get(name, 0.0) + 0.1 * G
            square = 0.999 * self.square.get(name, 0.0) + 0.001 * G**2
            self.mean[name], self.square[name] = mean, square
            direction = mean / (1 - 0.9**self.steps)
            size = np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8
            moved[name] = W - self.rate * direction / size
        return moved


def _given(P: Matrices, batch: Batch) -> tuple[Matrices, Array, Array]:
    """Return the matrices, the asking tokens (n, d_model) and all tokens."""
    matrices = {name: real(name, W, min_ndim=2, finite=True) for name, W in P.items()}
    X = real("X", batch.X, min_ndim=3, finite=True)
    asks = whole_numbers("asks", batch.asks, X.shape[1] - 1, shape=X.shape[:1])
    return matrices, X[np.arange(len(X)), asks], X


def _project(P: Matrices, x: Array, X: Array) -> tuple[Array, Array, Array]:
    """Return Q (n, 1, d_k) of the asking tokens, and K, V of all tokens."""
    n, n_tokens, _ = X.shape
    Q = matmul("x_ask", x, "Wq", P["Wq"])[:, None]
    K = matmul("X", _flat(X), "Wk", P["Wk"]).reshape(n, n_tokens, -1)
    V = matmul("X", _flat(X), "Wv", P["Wv"]).reshape(n, n_tokens, -1)
    return Q, K, V


def _flat(x: Array) -> Array:
    """Put all sequences below each other: one large product is faster than many."""
    return x.reshape(-1, x.shape[-1])
