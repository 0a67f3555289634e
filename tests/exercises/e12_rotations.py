"""Page 12: other right answers, and wrong ones with the name that each gets."""

import numpy as np


def rotate_by_matrices(x, positions):
    d = x.shape[-1]
    result = np.zeros(x.shape)
    for row, t in enumerate(positions):
        R = np.zeros((d, d))
        for i in range(d // 2):
            angle, other = t / 10000 ** (2 * i / d), i + d // 2
            R[i, i] = R[other, other] = np.cos(angle)
            R[i, other], R[other, i] = -np.sin(angle), np.sin(angle)
        result[..., row, :] = np.einsum("de,...e->...d", R, x[..., row, :])
    return result


def rotate_by_complex_numbers(x, positions):
    half = x.shape[-1] // 2
    points = x[..., :half] + 1j * x[..., half:]
    points = points * np.exp(1j * np.outer(positions, 1e4 ** (-np.arange(half) / half)))
    return np.concatenate([points.real, points.imag], axis=-1)


def rotate_half(x, positions):
    """Turn as many libraries do, with a second array of swapped halves."""
    half = x.shape[-1] // 2
    angles = np.outer(positions, np.tile(1e4 ** (-np.arange(half) / half), 2))
    swapped = np.concatenate([-x[..., half:], x[..., :half]], axis=-1)
    return x * np.cos(angles) + swapped * np.sin(angles)


ALSO_RIGHT = {
    "alibi_share": [np.float32(0.8), 4 / 5],
    "rotate": [
        rotate_by_matrices,
        rotate_by_complex_numbers,
        rotate_half,
    ],
    "turned_score": [
        -7.0,
    ],
}

NAMED = [
    ("rotate", lambda x, t: x, "nothing turned"),
    ("rotate", lambda x, t: rotate_half(x, t % 100), "breaks for large numbers"),
    ("rotate", lambda x, t: rotate_half(x.round(2), t), "decimals lost"),
    ("alibi_share", 0.88, "the slope forgotten"),
    ("alibi_share", 0.889, ""),
    ("rotate", lambda x, t: rotate_half(x, -t), "turned the other way"),
    ("rotate", lambda x, t: rotate_half(x, t[0] + 0 * t), ""),
]

EXCUSED = {"rotate": {"−∞": "queries and keys are finite"}}
