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
        458.0,
    ],
}

NAMED = [
    (
        "layer_norm",
        lambda x, c, d, eps: np.array(layer_norm_loops(x, c, d, max(eps, 0.1))),
        "",
    ),
    ("residual_slope", 0.51, ""),
    (
        "layer_norm",
        lambda x, c, d, eps: np.array(layer_norm_loops(x, c, d, 1e-5)),
        "a fixed ε",
    ),
    (
        "layer_norm",
        lambda x, c, d, eps: layer_norm_loops(x.astype(int), c, d, eps),
        "decimals lost",
    ),
    (
        "layer_norm",
        lambda x, c, d, eps: layer_norm_loops(x, c, d, 0.01),
        "a fixed number",
    ),
    ("block_count", 4 * 36 + 2 * 6 * 20, "matrices alone"),
    ("block_count", 510, "the formula for d_ff = 4 d_model"),
    ("block_count", 434, "norms forgotten, or the biases of attention"),
    ("block_count", 438, "the first bias of the feed-forward network forgotten"),
    ("block_count", 459, "off by one"),
    ("norm_entry", 1.06, "the mean left in the variance"),
]

EXCUSED = {"layer_norm": {"−∞": "tokens are finite"}}
