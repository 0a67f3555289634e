"""Page 13: other right answers, and wrong ones with the name that each gets."""

import numpy as np

from helpers.core import attention
from helpers.exercises.catalogue import FOR_TAG
from helpers.heads import merge_heads, split_heads

from .common import over_batch, scores_loops, softmax_log, softmax_loops


def heads_start(x, h):
    return range(0, x.shape[1], x.shape[1] // h)


def multi_head_einsum(X, Wq, Wk, Wv, Wo, h):
    """Give the matrices an axis of heads instead of Q, K and V."""
    Q, K, V = (
        np.einsum("...td,dhk->...htk", X, W.reshape(len(W), h, -1))
        for W in (Wq, Wk, Wv)
    )
    scores = np.einsum("...qd,...kd->...qk", Q, K) * Q.shape[-1] ** -0.5
    heads = softmax_log(scores) @ V
    return np.einsum("...htk,hkm->...tm", heads, Wo.reshape(h, -1, Wo.shape[1]))


def multi_head_loops(X, Wq, Wk, Wv, Wo, h):
    blocks = [np.split(X @ W, h, axis=1) for W in (Wq, Wk, Wv)]
    heads = [
        np.array(softmax_loops(scores_loops(Q, K))) @ V
        for Q, K, V in zip(*blocks, strict=True)
    ]
    return np.concatenate(heads, axis=1) @ Wo


def multi_head_scaled(root):
    """Multi-head attention whose scores are divided by another number."""

    def multi_head(X, Wq, Wk, Wv, Wo, h):
        Q, K, V = (np.stack(np.split(X @ W, h, -1), -3) for W in (Wq, Wk, Wv))
        heads = softmax_log(Q @ K.swapaxes(-1, -2) / root(Q)) @ V
        return sum(heads[..., i, :, :] @ B for i, B in enumerate(np.split(Wo, h)))

    return multi_head


def multi_head_of(n_heads):
    """Multi-head attention with a number of heads of its own."""
    return lambda *args: multi_head_einsum(*args[:-1], n_heads)


def attention_called_scaled(X, Wq, Wk, Wv, Wo, h):
    """Scale Q before `attention` scales the products."""
    d_head = Wq.shape[1] // h
    Q, K, V = (split_heads(X @ W, h) for W in (Wq, Wk, Wv))
    return merge_heads(attention(Q / np.sqrt(d_head), K, V)[0]) @ Wo


def split_by_width(x, width):
    return x.reshape(len(x), -1, width).swapaxes(0, 1)


ROOT = "the root forgotten, or scaled twice"

ALSO_RIGHT = {
    "split_heads": [
        lambda x, h: np.array(np.split(x, h, axis=1)),
        lambda x, h: x.T.reshape(h, -1, len(x)).swapaxes(1, 2),
        lambda x, h: [x[:, i : i + x.shape[1] // h] for i in heads_start(x, h)],
        lambda x, h: np.moveaxis(x.reshape(*x.shape[:-1], h, -1), -2, -3),
    ],
    "multi_head": [
        multi_head_einsum,
        over_batch(multi_head_loops),
        lambda *args: multi_head_einsum(*(np.float32(x) for x in args[:-1]), args[-1]),
    ],
}

NAMED = [
    ("multi_head", multi_head_scaled(lambda Q: Q.shape[-1]), ROOT),
    (
        "multi_head",
        multi_head_scaled(lambda Q: (Q.shape[-1] * Q.shape[-3]) ** 0.5),
        "scaled by the width of all heads",
    ),
    ("multi_head", multi_head_of(2), FOR_TAG["other"].name),
    ("multi_head", attention_called_scaled, ROOT),
    ("split_heads", lambda x, h: np.array(np.split(x, 2, axis=1)), "a fixed number"),
    ("split_heads", lambda x, h: split_by_width(x, 2), "a fixed number"),
    ("split_heads", lambda x, h: split_by_width(x, h), "n_heads and d_head exchanged"),
    ("shared_head", 2, "counted from 1, or rounded up"),
    ("merged_row", [1, 2, 7, 8], ""),
    ("head_shape", (12, 5), ""),
]

EXCUSED = {"multi_head": {"−∞": "projections are finite"}}
