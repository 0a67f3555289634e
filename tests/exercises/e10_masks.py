"""Page 10: other right answers, and wrong ones with the name that each gets."""

import numpy as np

from helpers.core import causal_mask, padding_mask

ALSO_RIGHT = {
    "padding_mask": [
        lambda lengths, n: np.stack([[[j < m for j in range(n)]] for m in lengths]),
        lambda lengths, n: np.tri(n + 1, n, k=-1, dtype=bool)[lengths][:, None],
        lambda lengths, n: ~(np.arange(n)[None, None] >= lengths.reshape(-1, 1, 1)),
    ],
    "both_masks": [
        lambda lengths, q, k: [
            [[j <= i + k - q and j < m for j in range(k)] for i in range(q)]
            for m in lengths
        ],
        lambda lengths, q, k: (
            np.arange(k)
            < np.minimum(lengths[:, None], np.arange(k - q, k) + 1)[..., None]
        ),
        lambda lengths, q, k: np.logical_and(
            np.tril(np.ones((k, k), dtype=bool))[k - q :],
            (np.arange(k) < lengths[:, None])[:, None],
        ),
    ],
    "shifted_targets": [
        lambda tokens: (
            np.delete(tokens, -1, axis=-1),
            np.delete(tokens, 0, axis=-1),
        ),
        lambda tokens: [tokens[..., :-1], np.roll(tokens, -1, axis=-1)[..., :-1]],
    ],
    "visible_keys": [
        9.0,
    ],
    "loss_floor": [
        1.386,
        1.39,
    ],
}

NAMED = [
    (
        "both_masks",
        lambda lengths, q, k: padding_mask(lengths, k) * 1.0 * causal_mask(q, k),
        "numbers instead of True and False",
    ),
    (
        "both_masks",
        lambda lengths, q, k: padding_mask(lengths, k) & ~causal_mask(k, k).T[k - q :],
        "off by one: its own position hidden",
    ),
    (
        "both_masks",
        lambda lengths, q, k: padding_mask(lengths, k) & np.tri(q, k, dtype=bool),
        "aligned at the upper left",
    ),
    (
        "padding_mask",
        lambda lengths, n: (np.arange(n) < lengths[:, None])[None],
        "the axis put first",
    ),
    ("loss_floor", 0.6, "logarithm to base 10"),
    ("loss_floor", 1.1, "its own letter left out"),
    ("loss_floor", 1.37, ""),
    ("visible_keys", 11, ""),
    (
        "shifted_targets",
        lambda tokens: (tokens[:, :-1], np.delete(tokens, 0, axis=1)),
        "works only for a batch",
    ),
]
