"""Page 09: other right answers, and wrong ones with the name that each gets."""

import numpy as np


def variance_loops(Q, K):
    pairs = zip(Q, K, strict=True)
    dots = [sum(a * b for a, b in zip(q, k, strict=True)) for q, k in pairs]
    mean = sum(dots) / len(dots)
    return sum((dot - mean) ** 2 for dot in dots) / len(dots)


def entropy_loops(weights):
    if np.ndim(weights) > 1:
        return [entropy_loops(row) for row in weights]
    return sum(w * np.log(1 / w) for w in weights if w > 0)


ALSO_RIGHT = {
    "dot_variance": [
        lambda Q, K: np.einsum("nd,nd->n", Q, K).var(),
        lambda Q, K: np.var(np.diag(Q @ K.T)),
        lambda Q, K: ((Q * K).sum(1) ** 2).mean() - (Q * K).sum(1).mean() ** 2,
        variance_loops,
        lambda Q, K: np.float32((Q * K).sum(axis=1).var()),
    ],
    "entropy": [
        entropy_loops,
        lambda w: -np.nan_to_num(w * np.log(w)).sum(-1),
        lambda w: -(w * np.log(w + 1e-300)).sum(-1),
        lambda w: -np.einsum("...k,...k->...", w, np.log(np.maximum(w, 1e-30))),
        lambda w: np.log(np.where(w > 0, w**-w, 1).prod(-1)),
    ],
    "score_spread": [
        12.0,
    ],
    "same_components": [
        np.float32(4),
    ],
    "undo_scale": [
        25**0.5,
    ],
}

NAMED = [
    ("score_spread", 4.9, "standard deviations taken for variances"),
    ("dot_variance", lambda Q, K: np.var(Q * K, axis=-1).mean(), ""),
    ("dot_variance", lambda Q, K: (Q @ K.T).std() ** 2, "every query with every key"),
    ("dot_variance", lambda Q, K: (Q.astype(int) * K).sum(1).var(), "decimals lost"),
    (
        "dot_variance",
        lambda Q, K: (
            ((Q * K).sum(1) - (Q * K).sum(1).mean()).dot(
                (Q * K).sum(1) - (Q * K).sum(1).mean()
            )
            / (len(Q) - 1)
        ),
        "divided by n − 1",
    ),
    ("entropy", lambda w: -(w * np.log2(w + 1e-99)).sum(-1), "logarithm to base 2"),
    ("entropy", lambda w: -(w * np.log(np.clip(w, 1e-3, 1))).sum(-1), ""),
    ("score_spread", 6, "the width left out, or scaled"),
    ("score_spread", 3.61, "variances added"),
    ("same_components", 1, "taken as independent, or divided by d_k"),
    ("undo_scale", 1 / 25, "divided instead of multiplied"),
]

PAIRS = {
    "3-D": "Q and K are asked of shape (n, d_k)",
    "4-D": "Q and K are asked of shape (n, d_k)",
    "one row": "a single product has no spread",
    "−∞": "components are finite",
}
EXCUSED = {
    "dot_variance": PAIRS,
    "entropy": {
        "a negative row": "weights are not negative",
        "−∞": "weights are not negative",
        "large": "no weight is above 1",
        "sign ignored": "weights are not negative",
    },
}
