"""Page 02: other right answers, and wrong ones with the name that each gets."""

import numpy as np

from helpers.exercises.catalogue import FOR_TAG

from .common import over_batch, scores_loops


def square_scores(Q, K):
    n = Q.shape[0]
    return (
        np.array([[Q[i] @ K[j] for j in range(n)] for i in range(n)]) / len(Q[0]) ** 0.5
    )


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
    ("score_gap", 0.176, ""),
    ("scores", square_scores, FOR_TAG["wide"].name),
    ("scores", lambda Q, K: Q @ K.T / np.sqrt(Q.shape[-1]), FOR_TAG["batch"].name),
]
