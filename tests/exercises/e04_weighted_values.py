"""Page 04: other right answers, and wrong ones with the name that each gets."""

import numpy as np

from helpers.exercises.catalogue import FOR_TAG

from .common import over_batch

ALSO_RIGHT = {
    "mix": [
        lambda w, V: np.einsum("...qk,...kv->...qv", w, V),
        over_batch(
            lambda w, V: np.array(
                [sum(a * v for a, v in zip(r, V, strict=True)) for r in w]
            )
        ),
        lambda w, V: (V.swapaxes(-1, -2) @ w.swapaxes(-1, -2)).swapaxes(-1, -2),
        lambda w, V: (w[..., None] * V[..., None, :, :]).sum(axis=-2),
        lambda w, V: w.astype(np.float32) @ V.astype(np.float32),
    ],
}

NAMED = [
    ("mix", lambda weights, V: V, "values not mixed"),
    ("mix", lambda weights, V: V.mean(axis=0), "weights ignored"),
    ("mix", lambda w, V: w / w.sum() @ V, "divided by the number of keys or queries"),
    ("mix", lambda w, V: V.T @ w, "Vᵀ weights"),
    ("mix", lambda w, V: w.round(2) @ V, FOR_TAG["decimals"].name),
    ("one_output", 1, "one share alone"),
    ("one_output", 5.67, "weights ignored"),
    ("one_output", 1.33, "divided by three"),
    ("pick_value", (0.05, 0.9, 0.05), "only the largest"),
    ("pick_value", (0.5, 0.5, 0), "a second value mixed in"),
    ("pick_value", (0.2, 0.3, 0.5), ""),
    ("weights_from_output", (4, 1.33), "upside down"),
    ("weights_from_output", (0.08, 0.92), "softmax of the output"),
]

EXCUSED = {
    "mix": {"−∞": "weights and values are finite; −∞ belongs to scores"},
}
