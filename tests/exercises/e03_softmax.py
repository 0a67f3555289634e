"""Page 03: other right answers, and wrong ones with the name that each gets."""

import numpy as np

from helpers.exercises.catalogue import CHANGED, FOR_TAG

from .common import softmax_keys_first, softmax_log, softmax_loops, softmax_own_copy


def softmax_float32(scores):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    exps = np.exp(shifted.astype(np.float32))
    return exps / exps.sum(-1, keepdims=True)


def softmax_epsilon(scores):
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exps / (exps.sum(axis=-1, keepdims=True) + 1e-9)


def hide_by_delete(scores, key):
    rest = softmax_log(np.delete(scores, key, axis=-1))
    return np.insert(rest, key, 0, axis=-1)


def square_softmax(scores):
    n = len(scores)
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.array([[exps[i, j] / exps[i].sum() for j in range(n)] for i in range(n)])


def softmax_axis_1(scores):
    exps = np.exp(scores - scores.max(axis=1, keepdims=True))
    return exps / exps.sum(axis=1, keepdims=True)


def softmax_fixed_axis(scores):
    """Count the axis from the left, for one matrix and for a batch."""
    axis = 1 if scores.ndim == 2 else 2
    exps = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis, keepdims=True)


def softmax_in_place(scores):
    scores -= scores.max(axis=-1, keepdims=True)
    exps = np.exp(scores)
    return exps / exps.sum(axis=-1, keepdims=True)


def softmax_zeros_like(scores):
    weights = np.zeros_like(scores)
    weights[...] = softmax_log(scores)
    return weights


def hide_in_place(scores, key):
    scores[..., key] = -np.inf
    return softmax_log(scores)


def stable(scores, shift):
    exps = np.exp(scores - shift)
    return exps / exps.sum(axis=-1, keepdims=True)


def hide_with(filler):
    """Hide a key behind another score than −∞."""

    def hide(scores, key):
        hidden = scores.astype(float)
        hidden[..., key] = filler(scores)
        return softmax_log(hidden)

    return hide


def hide_plainly(scores, key):
    exps = np.exp(scores)
    exps[..., key] = 0
    return exps / exps.sum(axis=-1, keepdims=True)


def hide_and_divide(scores, key):
    weights = softmax_log(scores)
    weights[..., key] = 0
    return weights / weights.sum(axis=-1, keepdims=True)


def hide_below_all(scores, key):
    """Subtract the largest score of a row, be it that of the hidden key."""
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    exps[..., key] = 0
    return exps / exps.sum(axis=-1, keepdims=True)


def hide_one_maximum(scores, key):
    exps = np.exp(scores - scores.max())
    exps[..., key] = 0
    return exps / exps.sum(axis=-1, keepdims=True)


def hide_from(scores, key):
    hidden = scores.astype(float)
    hidden[..., key:] = -np.inf
    return softmax_log(hidden)


def hide_in_copy(scores, key):
    hidden = scores.copy()
    hidden[..., key] = -np.inf
    return softmax_log(hidden)


def softmax_no_keepdims(scores):
    exps = np.exp(scores - scores.max(axis=-1))
    return exps / exps.sum(axis=-1)


ALSO_RIGHT = {
    "softmax": [
        softmax_loops,
        softmax_float32,
        softmax_log,
        softmax_keys_first,
        softmax_own_copy,
        softmax_epsilon,
    ],
    "hide_key": [
        hide_by_delete,
    ],
    "two_scores": [
        np.array([0.25, 0.75], dtype=np.float32),
    ],
    "weight_ratio": [
        7.39,
    ],
}

NAMED = [
    ("two_scores", (0.28, 0.72), "divided without exp"),
    ("softmax", lambda s: stable(s, s.min(-1, keepdims=True)), "minimum subtracted"),
    ("softmax", lambda s: stable(s, s.mean(-1, keepdims=True)), "mean subtracted"),
    ("softmax", lambda s: stable(s, s[..., :1]), FOR_TAG["large"].name),
    ("softmax", lambda s: stable(s, s.max(axis=0)), "maxima of the columns"),
    ("softmax", lambda s: stable(s, s.max(axis=-1)), "maximum without keepdims"),
    ("softmax", softmax_no_keepdims, "keepdims missing twice"),
    ("hide_key", hide_plainly, "maximum not subtracted"),
    ("hide_key", hide_one_maximum, "one maximum for the whole matrix"),
    ("hide_key", hide_with(lambda s: -100), "not hidden deep enough"),
    ("hide_key", hide_with(lambda s: -1e4), "not hidden deep enough"),
    ("hide_key", hide_with(lambda s: -1e9), "not hidden deep enough"),
    ("hide_key", hide_and_divide, "mask applied after softmax"),
    ("hide_key", hide_below_all, "mask applied after softmax"),
    ("hide_key", hide_with(lambda s: 0), "hidden with a score of 0"),
    ("hide_key", hide_with(np.min), ""),
    ("hide_key", hide_from, ""),
    ("hide_key", hide_in_copy, "whole numbers cannot hold −∞"),
    ("sum_of_weights", 400, "in per cent"),
    ("two_scores", (25, 75), "in per cent"),
    ("two_scores", (0.018, 0.982), "exp of 2 and 6"),
    ("two_scores", (0.69, 1.79), "scores used as weights"),
    ("weight_ratio", 0.12, "a share"),
    ("weight_ratio", 5.44, "multiplied by e"),
    ("sum_of_weights", 0.167, "the mean weight"),
    ("softmax", lambda s: softmax_log(s.astype(int)), FOR_TAG["decimals"].name),
    ("softmax", softmax_fixed_axis, FOR_TAG["axes"].name),
    ("softmax", lambda s: softmax_log(-s), "the smallest score weighs most"),
    ("softmax", square_softmax, FOR_TAG["wide"].name),
    ("softmax", softmax_axis_1, FOR_TAG["batch"].name),
    ("softmax", softmax_in_place, CHANGED.name),
    ("softmax", softmax_zeros_like, FOR_TAG["integers"].name),
    ("hide_key", hide_in_place, CHANGED.name),
]

FINITE = "scores come in finite; hiding makes −∞ of them"
EXCUSED = {
    "softmax": {"−∞": FINITE},
    "hide_key": {"one column": "no key would be left", "−∞": FINITE},
}
