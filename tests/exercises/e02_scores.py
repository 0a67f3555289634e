"""Page 02: other right answers, and wrong ones with the name that each gets."""

import numpy as np

from helpers.exercises.catalogue import FOR_TAG

from .common import over_batch, scores_loops


def square_scores(Q, K):
    n = Q.shape[0]
    return (
        np.array([[Q[i] @ K[j] for j in range(n)] for i in range(n)]) / len(Q[0]) ** 0.5
    )


def first_above_zero(scores):
    """Search for the largest from 0 on, as if no score were negative."""
    best = []
    for row in scores:
        top, where = 0, 0
        for j, score in enumerate(row):
            if score > top:
                top, where = score, j
        best.append(where)
    return best


ALSO_RIGHT = {
    "scores": [
        lambda Q, K: np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(Q.shape[-1]),
        lambda Q, K: (Q / Q.shape[-1] ** 0.5) @ np.moveaxis(K, -1, -2),
        lambda Q, K: (
            (Q[..., :, None, :] * K[..., None, :, :]).sum(-1) * K.shape[-1] ** -0.5
        ),
        over_batch(scores_loops),
        lambda Q, K: (Q @ K.mT).astype(np.float32) / np.float32(Q.shape[-1] ** 0.5),
    ],
    "best_key": [
        lambda scores: [int(np.argmax(row)) for row in scores],
        lambda scores: np.argsort(scores, axis=1)[:, -1],
        lambda scores: [max(range(len(r)), key=lambda j: r[j]) for r in scores],
    ],
    "scaled_score": [
        np.float64(4),
    ],
    "score_gap": [
        0.1045,
    ],
}

NAMED = [
    ("scaled_score", 1.33, "scaled by d_k"),
    ("scaled_score", 0.33, "scaled by d_model"),
    ("score_gap", 0.11, "only one of the two"),
    ("score_gap", 0.006, "only the other of the two"),
    ("score_gap", 0.116, "added"),
    ("score_gap", 0.172, "both from one row"),
    ("score_gap", 0.176, "both from one column"),
    ("score_gap", 0.102, "another pair"),
    ("score_gap", 0.2, ""),
    ("one_score", 5, "a minus lost"),
    ("one_score", 6, "a zero counted as one"),
    ("one_score", 0.076, "divided by the lengths"),
    ("scaled_score", 1.155, "the root of everything"),
    ("scaled_score", 108, "multiplied instead of divided"),
    ("scores", lambda Q, K: Q @ K.mT / 2**0.5, "a fixed d_k"),
    ("scores", lambda Q, K: Q @ K.mT / len(K) ** 0.5, "scaled by the number of keys"),
    ("scores", lambda Q, K: Q * K / Q.shape[-1] ** 0.5, "multiplied entry by entry"),
    ("best_key", first_above_zero, FOR_TAG["negative"].name),
    ("best_key", lambda s: s.round().argmax(-1), FOR_TAG["decimals"].name),
    ("best_key", lambda s: s.argmax(axis=-2), "the best query of each key"),
    ("scores", square_scores, FOR_TAG["wide"].name),
    ("scores", lambda Q, K: Q @ K.T / np.sqrt(Q.shape[-1]), FOR_TAG["batch"].name),
]

ONE_TABLE = "a table of scores is asked for, one number for each row"
EXCUSED = {
    "scores": {"−∞": "queries and keys are finite; −∞ belongs to scores"},
    "best_key": {"3-D": ONE_TABLE, "4-D": ONE_TABLE, "−∞": "scores come in finite"},
}
