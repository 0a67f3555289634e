"""Page 11: other right answers, and wrong ones with the name that each gets."""

import math

import numpy as np

from helpers.exercises.catalogue import FOR_TAG

from .common import over_batch


def codes_by_loops(n, d):
    wave = math.sin, math.cos
    return [
        [wave[j % 2](t / 10000 ** (2 * (j // 2) / d)) for j in range(d)]
        for t in range(n)
    ]


def codes_by_slices(n, d):
    codes = np.zeros((n, d))
    angles = np.outer(np.arange(n), np.exp(-np.log(10000) * np.arange(0, d, 2) / d))
    codes[:, 0::2] = np.sin(angles)
    codes[:, 1::2] = np.cos(angles)[:, : d // 2]
    return codes


def codes_by_complex_numbers(n, d):
    pairs = (d + 1) // 2
    turns = np.exp(1j * np.outer(np.arange(n), 1e4 ** (-2 * np.arange(pairs) / d)))
    return np.dstack([turns.imag, turns.real]).reshape(n, 2 * pairs)[:, :d]


ALSO_RIGHT = {
    "add_positions": [
        lambda X, P: X + P[np.arange(X.shape[-2])],
        over_batch(lambda X, P: [x + p for x, p in zip(X, P, strict=False)]),
        lambda X, P: np.eye(X.shape[-2], len(P)) @ P + X,
    ],
    "sinusoidal": [
        codes_by_loops,
        codes_by_slices,
        codes_by_complex_numbers,
    ],
    "code_entry": [
        0.479,
    ],
}

NAMED = [
    ("code_entry", 0.878, "the cosine"),
    ("code_entry", -0.262, "the first pair"),
    ("code_entry", 0.005, "the component instead of the pair"),
    ("sinusoidal", lambda n, d: np.sin(np.outer(np.arange(n), np.arange(d))), ""),
    ("sinusoidal", lambda n, d: codes_by_slices(n + 1, d)[1:], "counted from 1"),
    (
        "add_positions",
        lambda X, P: X + P[: X.shape[0]].reshape(-1, *[1] * (X.ndim - 2), len(P.T)),
        "positions along the batch",
    ),
    (
        "add_positions",
        lambda X, P: X + P[: X.shape[-1]],
        "components counted instead of tokens",
    ),
    ("add_positions", lambda X, P: (X + P[: X.shape[-2]]).astype(int), "decimals lost"),
    ("code_entry", 0.471, "counted from 1"),
    ("code_entry", 0.47, ""),
    (
        "sinusoidal",
        lambda n, d: np.where(
            np.arange(d) % 2,
            np.cos(np.outer(np.arange(n), 1e4 ** (-np.arange(d) / d))),
            np.sin(np.outer(np.arange(n), 1e4 ** (-np.arange(d) / d))),
        ),
        "the cosine at another frequency",
    ),
    ("sinusoidal", lambda n, d: codes_by_slices(n, d)[np.arange(n) % 100], ""),
    ("add_positions", lambda X, P: P[: X.shape[1]] + X, FOR_TAG["wide"].name),
]

EXCUSED = {"add_positions": {"−∞": "tokens and their codes are finite"}}
