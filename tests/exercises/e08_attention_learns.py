"""Page 08: other right answers, and wrong ones with the name that each gets."""

import numpy as np

from .common import softmax_log


def right_ones(logits, answer):
    return logits.argmax(1) == answer


ALSO_RIGHT = {
    "accuracy": [
        lambda logits, a: (
            sum(r.argmax() == c for r, c in zip(logits, a, strict=True)) / len(a)
        ),
        lambda logits, a: float(np.mean(np.argmax(logits, -1) == a)),
    ],
    "weight_on_right": [
        lambda w, place: np.mean([w[i, p] for i, p in enumerate(place)]),
        lambda w, place: np.take_along_axis(w, place[:, None], 1).mean(),
        lambda w, place: (w * np.eye(w.shape[1])[place]).sum() / len(w),
    ],
    "dlogits": [
        lambda logits, a: (
            np.array(
                [
                    softmax_log(r) - (np.arange(len(r)) == c)
                    for r, c in zip(logits, a, strict=True)
                ]
            )
            / len(a)
        ),
    ],
    "descent": [
        lambda P, G, rate: dict((k, P[k] + -rate * G[k]) for k in reversed(P)),
        lambda P, G, rate: {k: np.float32(W - rate * G[k]) for k, W in P.items()},
    ],
    "even_loss": [
        2.08,
    ],
}

NAMED = [
    ("accuracy", lambda logits, answer: 0, ""),
    (
        "accuracy",
        lambda logits, answer: round(right_ones(logits, answer).mean(), 1),
        "rounded",
    ),
    (
        "accuracy",
        lambda logits, answer: round(right_ones(logits, answer).mean(), 2),
        "rounded",
    ),
    (
        "accuracy",
        lambda logits, answer: (~right_ones(logits, answer)).sum(),
        "the number of the wrong ones",
    ),
    ("accuracy", right_ones, "one by one"),
    ("descent", lambda P, G, rate: P, "nothing moved"),
]
