"""Page 07: other right answers, and wrong ones with the name that each gets."""

import numpy as np

from helpers.exercises.catalogue import FOR_TAG

from .common import over_batch, softmax_log


def dscores_jacobian(w, g):
    J = np.diag(w) - np.outer(w, w)
    return J @ g


def backward_einsum(Q, K, V, w, d):
    root = Q.shape[-1] ** 0.5
    g = np.einsum("...qv,...kv->...qk", d, V)
    s = (w * g - w * np.einsum("...qk,...qk->...q", w, g)[..., None]) / root
    return (
        np.einsum("...qk,...kd->...qd", s, K),
        np.einsum("...qk,...qd->...kd", s, Q),
        np.einsum("...qk,...qv->...kv", w, d),
    )


def backward_scaled(root):
    """Go back through attention with another scale than √d_k."""

    def backward(Q, K, V, w, d):
        g = d @ V.swapaxes(-1, -2)
        s = w * (g - (w * g).sum(-1, keepdims=True)) / root(Q, K, V)
        return s @ K, s.swapaxes(-1, -2) @ Q, w.swapaxes(-1, -2) @ d

    return backward


def weights_of(Q, K):
    """Make the weights anew; they have to be those that were given."""
    return softmax_log(Q @ K.swapaxes(-1, -2) / Q.shape[-1] ** 0.5)


def backward_half_scaled(Q, K, V, w, d):
    dQ, dK, dV = backward_einsum(Q, K, V, w, d)
    return dQ, dK * Q.shape[-1] ** 0.5, dV


ALSO_RIGHT = {
    "softmax_backward": [
        over_batch(lambda w, g: np.array(list(map(dscores_jacobian, w, g)))),
        lambda w, g: w * g - w * np.einsum("...k,...k->...", w, g)[..., None],
        lambda w, g: (w * (g - (g * w).sum(-1)[..., None])).astype(np.float32),
    ],
    "attention_backward": [
        backward_einsum,
        lambda Q, K, V, w, d: backward_einsum(Q, K, V, weights_of(Q, K), d),
    ],
    "dwq": [
        lambda X, dQ: np.einsum("tm,tk->mk", X, dQ),
        lambda X, dQ: sum(np.outer(x, q) for x, q in zip(X, dQ, strict=True)),
        lambda X, dQ: (dQ.T @ X).T,
    ],
}


def dwq_of_three(X, dQ):
    """Look at three tokens at most."""
    return X[:3].T @ dQ[:3]


EXCHANGED = "weights and gradients exchanged"

NAMED = [
    ("dweight", 16, "a minus lost"),
    ("dweight", 11, "multiplied crosswise"),
    ("dweight", 2.83, "scaled"),
    ("dweight", 8, "added instead of multiplied"),
    ("dweight", 5, "off by one"),
    ("jacobian_entry", 0.06, "the wrong sign"),
    ("jacobian_entry", 0.04, "the two formulas mixed"),
    ("jacobian_entry", -0.03, "another pair"),
    ("jacobian_entry", -0.6, "one weight alone"),
    ("jacobian_entry", 0.2, ""),
    ("attention_backward", backward_half_scaled, "scale forgotten in dK"),
    ("softmax_backward", lambda w, g: g * (w - (w * g).sum(-1)[..., None]), EXCHANGED),
    ("dwq", lambda X, dQ: X.astype(int).T @ dQ, FOR_TAG["decimals"].name),
    ("dwq", dwq_of_three, FOR_TAG["wide"].name),
    (
        "attention_backward",
        backward_scaled(lambda Q, K, V: V.shape[-1] ** 0.5),
        "scaled by √d_v",
    ),
    (
        "attention_backward",
        backward_scaled(lambda Q, K, V: len(K) ** 0.5),
        "scaled by the number of keys",
    ),
    ("attention_backward", backward_scaled(lambda *_: 2**0.5), "a fixed d_k"),
    (
        "softmax_backward",
        lambda w, g: w * g - np.einsum("...k,...k->...", w, g)[..., None],
        "parentheses missing",
    ),
    (
        "attention_backward",
        lambda Q, K, *rest: backward_einsum(K, Q, *rest),
        "Q used for dQ, K for dK",
    ),
]

FINITE = "gradients are finite; −∞ belongs to scores"
EXCUSED = {
    "softmax_backward": {"−∞": FINITE},
    "attention_backward": {"−∞": FINITE},
    "dwq": {
        "3-D": "no batch is asked for",
        "4-D": "no batch is asked for",
        "−∞": FINITE,
    },
}
