"""Page 14: other right answers, and wrong ones with the name that each gets."""

import numpy as np


def layer_norm_loops(x, gamma, beta, eps):
    if np.ndim(x) > 1:
        return [layer_norm_loops(row, gamma, beta, eps) for row in x]
    mean = sum(x) / len(x)
    root = (sum((a - mean) ** 2 for a in x) / len(x) + eps) ** 0.5
    parts = zip(x, gamma, beta, strict=True)
    return [(a - mean) / root * c + d for a, c, d in parts]


ALSO_RIGHT = {
    "layer_norm": [
        layer_norm_loops,
        lambda x, c, d, eps: (
            (x - x.mean(-1)[..., None])
            * (x.var(axis=-1, keepdims=True) + eps) ** -0.5
            * c
            + d
        ),
        lambda x, c, d, eps: np.float32(layer_norm_loops(x, c, d, eps)),
    ],
    "residual_slope": [
        0.512,
    ],
    "norm_entry": [
        np.float32(1.5),
    ],
    "block_count": [
        510.0,
    ],
}

NAMED = [
    (
        "layer_norm",
        lambda x, c, d, eps: np.array(layer_norm_loops(x, c, d, max(eps, 0.1))),
        "",
    ),
    ("block_count", 12 * 36, "matrices alone"),
    ("block_count", 511, "off by one"),
    ("residual_slope", 0.51, ""),
]
