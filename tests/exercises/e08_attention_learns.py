"""Page 08: other right answers, and wrong ones with the name that each gets."""

import numpy as np

from helpers.exercises.catalogue import FOR_TAG

from .common import softmax_log


def right_ones(logits, answer):
    return logits.argmax(1) == answer


def right_by_a_search_from_0(logits, answer):
    """Count with a loop that takes no logit below 0 for the largest."""
    found = []
    for row in logits:
        best, top = 0, 0
        for i, logit in enumerate(row):
            if logit > top:
                best, top = i, logit
        found.append(best)
    return np.mean(found == answer)


def dlogits_of(probability):
    return lambda logits, answer: (
        (probability(logits) - np.eye(logits.shape[1])[answer]) / len(answer)
    )


def exp_of_all(logits):
    return np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)


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
    ("accuracy", right_by_a_search_from_0, FOR_TAG["negative"].name),
    (
        "accuracy",
        lambda logits, a: np.mean(exp_of_all(logits)[range(len(a)), a] > 0.5),
        "a right answer has to be above one half",
    ),
    (
        "accuracy",
        lambda logits, a: np.mean(logits[range(len(a)), a] > 0),
        "a right answer has to be above 0",
    ),
    (
        "accuracy",
        lambda logits, answer: right_ones(logits.astype(int), answer).mean(),
        FOR_TAG["decimals"].name,
    ),
    (
        "accuracy",
        lambda logits, answer: (~right_ones(logits, answer)).sum(),
        "the number of the wrong ones",
    ),
    ("accuracy", right_ones, "one by one"),
    ("descent", lambda P, G, rate: P, "nothing moved"),
    ("descent", lambda P, G, rate: G, ""),
    (
        "descent",
        lambda P, G, rate: {
            n: p - rate * g for (n, p), g in zip(P.items(), G.values(), strict=True)
        },
        "gradients taken in their order",
    ),
    (
        "descent",
        lambda P, G, rate: {n: P[n] - 0.1 * G[n] for n in P},
        FOR_TAG["other"].name,
    ),
    ("dlogits", dlogits_of(exp_of_all), FOR_TAG["large"].name),
    (
        "dlogits",
        dlogits_of(lambda logits: softmax_log(logits.T).T),
        "softmax over the wrong axis",
    ),
    ("even_loss", -np.log(7 / 8), ""),
    ("even_loss", 0.875, "the probability of a wrong answer"),
    ("even_loss", 1.79, "six answers, as on the page"),
    ("even_loss", 0.26, "multiplied by the probability"),
    ("weight_on_right", lambda w, place: w[place].mean(), "whole rows averaged"),
    (
        "weight_on_right",
        lambda w, place: np.diag(w[place]).mean(),
        "rows and columns exchanged",
    ),
]

MATRICES = {
    "3-D": "questions and classes are all the axes there are",
    "4-D": "questions and classes are all the axes there are",
    "−∞": "a read-out makes finite logits",
}
EXCUSED = {
    "accuracy": MATRICES,
    "dlogits": MATRICES,
    "descent": {
        "3-D": "it moves matrices",
        "4-D": "it moves matrices",
        "−∞": "matrices and their gradients are finite",
    },
    "weight_on_right": {
        "3-D": "questions and tokens are all the axes there are",
        "4-D": "questions and tokens are all the axes there are",
        "a negative row": "weights are not negative",
        "−∞": "weights are not negative",
        "large": "no weight is above 1",
        "sign ignored": "weights are not negative",
    },
}
