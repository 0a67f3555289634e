"""Page 10: other right answers, and wrong ones with the name that each gets."""

import numpy as np

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
    ],
}

NAMED = []
