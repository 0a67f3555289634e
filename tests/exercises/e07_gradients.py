"""Page 07: other right answers, and wrong ones with the name that each gets."""

import numpy as np

from .common import over_batch


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


ALSO_RIGHT = {
    "softmax_backward": [
        over_batch(lambda w, g: np.array(list(map(dscores_jacobian, w, g)))),
        lambda w, g: w * g - w * np.einsum("...k,...k->...", w, g)[..., None],
        lambda w, g: (w * (g - (g * w).sum(-1)[..., None])).astype(np.float32),
    ],
    "attention_backward": [
        backward_einsum,
    ],
    "dwq": [
        lambda X, dQ: np.einsum("tm,tk->mk", X, dQ),
        lambda X, dQ: sum(np.outer(x, q) for x, q in zip(X, dQ, strict=True)),
        lambda X, dQ: (dQ.T @ X).T,
    ],
}

NAMED = [
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
