"""Scaled dot-product attention, written as the formula reads.

Every function accepts leading batch and head axes, keeps the float dtype it is
given (integers become float64) and modifies none of its arguments.

Source of the formula: Vaswani et al., "Attention Is All You Need", 2017,
arXiv:1706.03762, section 3.2.1.

Where nothing else is said, a TypeError means that an argument does not hold real
numbers, a ValueError that a shape does not fit, or that it holds NaN or ±∞, and an
OverflowError that finite numbers lead out of the range of their type.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from helpers.arrays import (
    Array,
    as_array,
    finite_float,
    in_range,
    matmul,
    real,
    whole_number,
    whole_numbers,
)


@in_range
def softmax(scores: ArrayLike, axis: int = -1) -> Array:
    """Turn scores into weights: positive, and summing to 1 along `axis`.

    The maximum is subtracted first, which changes no weight and keeps `exp` from
    overflowing. Where every score is −∞ nothing may be seen: all weights are 0.

    Parameters
    ----------
    scores : (..., n) real numbers of any size; −∞ means "may not be seen".
    axis : the axis along which the weights sum to 1; in attention the last, the keys.

    Returns
    -------
    Array of the shape of `scores`.

    Raises
    ------
    TypeError
        If `scores` does not hold real numbers.
    ValueError
        If `scores` has no entry along `axis`, or holds NaN or +∞.
    """
    scores = real("scores", scores, min_ndim=1)
    if scores.swapaxes(axis, -1).shape[-1] == 0:
        raise ValueError(
            f"scores has shape {scores.shape}; "
            f"it needs at least one entry along axis {axis}"
        )
    top = scores.max(axis=axis, keepdims=True)
    if not (top < np.inf).all():  # NaN compares false, too
        raise ValueError(
            "scores holds NaN or +inf; "
            "each score has to be a finite number, or -inf for a key that is hidden"
        )
    top[top == -np.inf] = 0  # −∞ − 0 stays −∞, while −∞ − (−∞) would be NaN
    with np.errstate(over="ignore"):  # −1e308 − 1e308 is −∞: the weight is 0
        exps: Array = np.exp(scores - top)
    total = exps.sum(axis=axis, keepdims=True)
    total[total == 0] = 1  # nothing may be seen: 0 / 1, not 0 / 0
    exps /= total
    return exps


@in_range
def project(
    X: ArrayLike, Wq: ArrayLike, Wk: ArrayLike, Wv: ArrayLike
) -> tuple[Array, Array, Array]:
    """Project one X three times: queries, keys and values.

    Parameters
    ----------
    X : (..., n_tokens, d_model)
    Wq, Wk : (..., d_model, d_k)
    Wv : (..., d_model, d_v)

    Returns
    -------
    Q, K : (..., n_tokens, d_k)
    V : (..., n_tokens, d_v)

    Raises
    ------
    TypeError
        If an argument does not hold real numbers.
    ValueError
        If a shape does not fit, or an argument holds NaN or ±∞.
    """
    X = real("X", X, min_ndim=2, finite=True)
    Q, K, V = (
        matmul("X", X, name, real(name, W, min_ndim=2, finite=True))
        for name, W in (("Wq", Wq), ("Wk", Wk), ("Wv", Wv))
    )
    return Q, K, V


@in_range
def attention_scores(
    Q: ArrayLike, K: ArrayLike, *, scale: float | None = None
) -> Array:
    """Score each query against each key: Q Kᵀ · scale.

    Parameters
    ----------
    Q : (..., n_queries, d_k)
    K : (..., n_keys, d_k)
    scale : factor on every dot product; None is the standard 1/√d_k.

    Returns
    -------
    scores : (..., n_queries, n_keys), row = query, column = key.

    Raises
    ------
    TypeError
        If an argument does not hold real numbers, or `scale` is not one.
    ValueError
        If a shape does not fit, or an argument holds NaN or ±∞.
    """
    Q = real("Q", Q, min_ndim=2, finite=True)
    K = real("K", K, min_ndim=2, finite=True)
    factor = scale_factor(Q, K, scale)
    return matmul("Q", Q * factor, "Kᵀ", K.swapaxes(-1, -2))


@in_range
def attention(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    scale: float | None = None,
) -> tuple[Array, Array]:
    """Attend: softmax(Q Kᵀ · scale) V.

    Parameters
    ----------
    Q : (..., n_queries, d_k)
    K : (..., n_keys, d_k)
    V : (..., n_keys, d_v)
    mask : (..., n_queries, n_keys), or None to let every query see every key.
        Boolean, True = may attend (the convention of PyTorch's
        `scaled_dot_product_attention` and of ONNX), or float, added to the scores;
        numbers 0/1 could mean either and are refused. Axes of length 1 are stretched,
        besides that of the keys. A mask of two axes is (n_queries, n_keys), the same
        for every sentence of a batch; one row of keys per sentence, (batch, n_keys),
        is given as (batch, 1, n_keys): `padding_mask`, or `mask[:, None]`.
    scale : factor on every dot product; None is the standard 1/√d_k.

    Returns
    -------
    output : (..., n_queries, d_v)
    weights : (..., n_queries, n_keys); each row sums to 1. A query that may see
        nothing gets zero weights and a zero output.

    Raises
    ------
    TypeError
        If an argument does not hold real numbers, or the mask is of integer type.
    ValueError
        If a shape does not fit, an argument holds NaN or +∞ (−∞ is allowed in a
        float mask), or a float mask holds 0 and 1 and nothing else.
    """
    scores = attention_scores(Q, K, scale=scale)
    V = real("V", V, min_ndim=2, finite=True)
    if mask is not None:
        scores = _masked(scores, as_array("mask", mask))
    if V.shape[-2] != scores.shape[-1]:
        raise ValueError(
            f"V has shape {V.shape}; with {scores.shape[-1]} keys "
            f"it needs shape (..., {scores.shape[-1]}, d_v)"
        )
    weights = softmax(scores)
    return matmul("weights", weights, "V", V), weights


def self_attention(
    X: ArrayLike,
    Wq: ArrayLike,
    Wk: ArrayLike,
    Wv: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    scale: float | None = None,
) -> tuple[Array, Array]:
    """Attend from X to X itself: project one X three times, then `attention`.

    Parameters
    ----------
    X : (..., n_tokens, d_model)
    Wq, Wk : (..., d_model, d_k)
    Wv : (..., d_model, d_v)
    mask, scale : as in `attention`; one row of keys per sentence is
        (batch, 1, n_tokens), as `padding_mask` has it.

    Returns
    -------
    output : (..., n_tokens, d_v)
    weights : (..., n_tokens, n_tokens)

    """
    Q, K, V = project(X, Wq, Wk, Wv)
    return attention(Q, K, V, mask=mask, scale=scale)


def causal_mask(n_queries: int, n_keys: int | None = None) -> NDArray[np.bool_]:
    """Let each query see its own position and the earlier ones.

    With fewer queries than keys the queries are the newest tokens, so the mask is
    aligned at the lower right: query i sees the keys 0 … i + n_keys − n_queries.
    With more queries than keys the first queries see nothing.

    Parameters
    ----------
    n_queries : number of queries, at least 0.
    n_keys : number of keys; None means as many as queries.

    Returns
    -------
    mask : (n_queries, n_keys), boolean, True = may attend.

    Raises
    ------
    TypeError
        If a number is not a whole number.
    ValueError
        If a number is negative.
    """
    rows = whole_number("n_queries", n_queries)
    columns = rows if n_keys is None else whole_number("n_keys", n_keys)
    return np.tri(rows, columns, k=columns - rows, dtype=bool)


def padding_mask(lengths: ArrayLike, n_keys: int) -> NDArray[np.bool_]:
    """Let every query see the real keys of its sentence, and not the padding.

    The real keys stand first: in sentence b these are the keys 0 … lengths[b] − 1.
    `padding_mask(…) & causal_mask(…)` hides what either of the two hides.

    Parameters
    ----------
    lengths : (batch,) whole numbers from 0 to `n_keys`: the real keys of each sentence.
    n_keys : number of keys, padding included.

    Returns
    -------
    mask : (batch, 1, n_keys), boolean, True = may attend; one row for all queries.

    Raises
    ------
    TypeError
        If `lengths` or `n_keys` are not whole numbers.
    ValueError
        If `lengths` does not have one axis, or a number is out of range.
    """
    columns = whole_number("n_keys", n_keys)
    lengths = whole_numbers("lengths", lengths, columns)
    if lengths.ndim != 1:
        raise ValueError(f"lengths has shape {lengths.shape}; it needs shape (batch,)")
    return np.arange(columns) < lengths[:, None, None]


def _masked(scores: Array, mask: Array) -> Array:
    """Hide in `scores`, in place, what the mask hides, or say what is wrong with it."""
    if not _fits(mask, scores):
        each = mask.ndim == 3 and scores.ndim == 4 and _fits(mask[:, None], scores)
        hint = " (one mask per sentence and several heads: mask[:, None])"
        raise ValueError(
            f"mask has shape {mask.shape}; with scores of shape {scores.shape} it "
            f"needs that shape, or 1 in place of an axis other than the last, and at "
            f"least 2 axes{hint if each else ''}"
        )
    if mask.dtype == bool:
        np.copyto(scores, -np.inf, where=~mask)
        return scores
    if mask.dtype.kind != "f":
        raise TypeError(
            f"mask has dtype {mask.dtype}; it needs bool (True = may attend) or "
            f"float (added to the scores)"
        )
    zeros, ones = mask == 0, mask == 1
    if zeros.any() and ones.any() and (zeros | ones).all():
        raise ValueError(
            "mask holds 0 and 1 alone, as floats; mask == 1 means that 1 may attend, "
            "and mask - 1 has the same weights as if 0 and 1 were added to the scores"
        )
    with np.errstate(over="ignore"):  # a filler like −1e300 is −∞ in float32
        mask = mask.astype(scores.dtype)
    if not (mask < np.inf).all():
        raise ValueError(
            f"mask holds NaN or +inf as {scores.dtype}; it needs finite numbers or -inf"
        )
    return np.asarray(scores + mask)


def _fits(mask: Array, scores: Array) -> bool:
    """Tell whether a mask says what it hides; one key does not stand for all."""
    if not 2 <= mask.ndim <= scores.ndim or mask.shape[-1] != scores.shape[-1]:
        return False
    pairs = zip(mask.shape[::-1], scores.shape[::-1], strict=False)
    return all(m in (1, s) for m, s in pairs)


def scale_factor(Q: Array, K: Array, scale: float | None) -> float:
    """Return the factor on Q Kᵀ, or say that the two have different widths."""
    d_k = Q.shape[-1]
    if K.shape[-1] != d_k or d_k == 0:
        raise ValueError(
            f"Q has shape {Q.shape} and K has shape {K.shape}; "
            f"their last axes need the same width d_k of at least 1"
        )
    # A Python float keeps float32 as it is; a NumPy float64 would widen it.
    return 1 / math.sqrt(d_k) if scale is None else finite_float("scale", scale)
