"""Page 01: other right answers, and wrong ones with the name that each gets."""

from itertools import pairwise

import numpy as np

from helpers.exercises.catalogue import FOR_TAG

from .common import over_batch


def slices(W):
    ends = np.cumsum([0, *(w.shape[1] for w in W)])
    return [slice(a, b) for a, b in pairwise(ends)]


ALSO_RIGHT = {
    "project_one": [
        lambda x, W: np.einsum("m,mk->k", x, W),
        lambda x, W: W.T @ x,
        lambda x, W: (x[:, None] * W).sum(axis=0),
        lambda x, W: [sum(a * b for a, b in zip(x, c, strict=True)) for c in W.T],
        lambda x, W: x.astype(np.float32) @ W.astype(np.float32),
    ],
    "project": [
        lambda X, *W: [np.einsum("...td,dk->...tk", X, w) for w in W],
        lambda X, *W: tuple((X @ np.hstack(W))[..., s] for s in slices(W)),
        lambda X, *W: tuple(X.astype(np.float32) @ w.astype(np.float32) for w in W),
        over_batch(lambda X, *W: tuple(np.array([x @ w for x in X]) for w in W)),
    ],
    "query_shape": [
        [5, 2],
    ],
    "query_entry": [
        12.0,
    ],
}

NAMED = [
    ("project", lambda X, *W: [w @ X for w in W], "W X instead of X W"),
    ("project", lambda X, *W: [X.T @ w for w in W], "X turned around"),
    ("project", lambda X, *W: [X @ w for w in W[::-1]], "Q and V exchanged"),
    ("project", lambda X, *W: [X @ w.T for w in W], "W turned around"),
    ("project_one", lambda x, W: x.astype(int) @ W, FOR_TAG["decimals"].name),
    ("project_one", lambda x, W: x * W, "multiplied along the wrong axis"),
    ("query_entry", 4, "the last column"),
    ("query_entry", 5, "a row instead of a column"),
    ("query_entry", (3, 12, 4), "the whole query"),
    ("query_shape", (6, 6), "the inner widths"),
]

FINITE = "what goes through attention is finite; −∞ belongs to scores"
EXCUSED = {
    "project_one": {
        "3-D": "one token and one matrix are asked for",
        "4-D": "one token and one matrix are asked for",
        "−∞": FINITE,
    },
    "project": {"−∞": FINITE},
}
