"""Attention with several heads side by side, taken apart by hand in notebook 13.

Leading batch axes are accepted as in `helpers.core`, and the axis of the heads stands
right before the tokens: (..., n_heads, n_tokens, d_head).

Source: Vaswani et al., "Attention Is All You Need", 2017, arXiv:1706.03762, section
3.2.2. Keys and values with fewer heads than the queries: Shazeer, 2019,
arXiv:1911.02150 (one head for all) and Ainslie et al., 2023, arXiv:2305.13245.

Where nothing else is said, a TypeError means that an argument does not hold real
numbers, a ValueError that a shape does not fit, or that it holds NaN or ±∞, and an
OverflowError that finite numbers lead out of the range of their type.
"""

import numpy as np
from numpy.typing import ArrayLike

from helpers.arrays import (
    Array,
    Parameters,
    as_array,
    check_mapping,
    in_range,
    matmul,
    per_column,
    product_backward,
    product_shape,
    real,
    sum_to,
    whole_number,
    with_shape,
)
from helpers.core import attention
from helpers.gradients import attention_backward


def split_heads(x: ArrayLike, n_heads: int) -> Array:
    """Give each head its block of columns: head h gets those from h · d_head on.

    Parameters
    ----------
    x : (..., n_tokens, n_heads · d_head)
    n_heads : at least 1.

    Returns
    -------
    heads : (..., n_heads, n_tokens, d_head), a copy.

    Raises
    ------
    TypeError
        If `x` does not hold real numbers, or `n_heads` is not a whole number.
    ValueError
        If the width of `x` cannot be shared out evenly, or `n_heads` is below 1.
    """
    x = real("x", x, min_ndim=2)
    n_heads = whole_number("n_heads", n_heads, 1)
    d_head = _columns_per_head("x", x.shape, n_heads)
    # [..., n, h·d] -> [..., n, h, d] -> [..., h, n, d]
    return x.reshape(*x.shape[:-1], n_heads, d_head).swapaxes(-2, -3).copy()


def merge_heads(heads: ArrayLike) -> Array:
    """Put the heads' columns side by side again: the way back of `split_heads`.

    Parameters
    ----------
    heads : (..., n_heads, n_tokens, d_head)

    Returns
    -------
    x : (..., n_tokens, n_heads · d_head), a copy.

    Raises
    ------
    TypeError
        If `heads` does not hold real numbers.
    ValueError
        If `heads` has fewer than 3 axes.
    """
    heads = real("heads", heads, min_ndim=3)
    *lead, n_heads, n_tokens, d_head = heads.shape
    # [..., h, n, d] -> [..., n, h, d] -> [..., n, h·d]
    return heads.swapaxes(-2, -3).copy().reshape(*lead, n_tokens, n_heads * d_head)


def repeat_heads(heads: ArrayLike, n_heads: int) -> Array:
    """Let several query heads share each head of keys or values (grouped heads).

    Every head is repeated in place, 0 0 1 1 …, so that neighbours share one.

    Parameters
    ----------
    heads : (..., n_kv_heads, n_keys, d_head)
    n_heads : number of query heads, a multiple of n_kv_heads.

    Returns
    -------
    repeated : (..., n_heads, n_keys, d_head)

    Raises
    ------
    TypeError
        If `heads` does not hold real numbers, or `n_heads` is not a whole number.
    ValueError
        If `heads` has fewer than 3 axes, `n_heads` is below 1, or it is no multiple of
        n_kv_heads.
    """
    heads = real("heads", heads, min_ndim=3)
    n_heads = whole_number("n_heads", n_heads, 1)
    n_kv_heads = heads.shape[-3]
    if n_kv_heads == 0 or n_heads % n_kv_heads:
        raise ValueError(
            f"heads has shape {heads.shape}, so {n_kv_heads} heads; "
            f"n_heads is {n_heads}, and it needs to be a multiple of that"
        )
    return np.repeat(heads, n_heads // n_kv_heads, axis=-3)


@in_range
def multi_head_attention(
    X: ArrayLike,
    P: Parameters,
    n_heads: int,
    *,
    context: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    scale: float | None = None,
) -> tuple[Array, Array]:
    """Attend with several heads, then mix what they bring: concat(headₕ) Wo.

    Parameters
    ----------
    X : (..., n_queries, d_model), where the queries come from.
    P : the matrices by name: Wq and Wk (d_model, n_heads · d_head), Wv (d_model,
        n_heads · d_v), Wo (n_heads · d_v, d_out); and, if there, the biases bq, bk, bv
        and bo, one number per column. Other names are left alone.
    n_heads : into how many heads the columns of Q, K and V are shared out.
    context : (..., n_keys, d_context), where keys and values come from; None is X.
    mask : as in `attention`, of shape (n_queries, n_keys), or with every axis of the
        scores (..., n_heads, n_queries, n_keys): for a batch, one mask per sentence
        has shape (batch, 1, n_queries, n_keys), or (batch, 1, 1, n_keys) with one row
        for all queries: `padding_mask(…)[:, None]`. One per head, such as `alibi`, has
        shape (1, n_heads, n_queries, n_keys).
    scale : factor on every dot product; None is the standard 1/√d_head.

    Returns
    -------
    output : (..., n_queries, d_out)
    weights : (..., n_heads, n_queries, n_keys); each row sums to 1.

    Raises
    ------
    TypeError
        If an argument does not hold real numbers, the mask is of integer type, or `P`
        is no mapping.
    ValueError
        If a shape does not fit, a matrix is missing, the heads cannot share the
        columns evenly, there is no token to look at, or an argument holds NaN or ±∞.
    """
    X = real("X", X, min_ndim=2, finite=True)
    Q, K, V = _heads(X, P, n_heads, context)
    if mask is not None:
        mask = _mask_for_heads(as_array("mask", mask), Q, K)
    output, weights = attention(Q, K, V, mask=mask, scale=scale)
    return _linear("heads", merge_heads(output), P, "o"), weights


@in_range
def multi_head_attention_backward(
    X: ArrayLike,
    P: Parameters,
    n_heads: int,
    weights: ArrayLike,
    doutput: ArrayLike,
    *,
    context: ArrayLike | None = None,
    scale: float | None = None,
) -> dict[str, Array]:
    """Go back through `multi_head_attention`: to X, the context and every matrix.

    The mask is not needed: a hidden key has weight 0, so no gradient reaches it.

    Parameters
    ----------
    X, P, n_heads, context, scale : as they were given to `multi_head_attention`.
    weights : (..., n_heads, n_queries, n_keys), what it returned.
    doutput : (..., n_queries, d_out), the gradient with respect to its output.

    Returns
    -------
    gradients : "X", each matrix and bias of `P` that was used, under its name, and
        "context" if one was given, each of the shape of what it belongs to.

    """
    X = real("X", X, min_ndim=2, finite=True)
    source = X if context is None else real("context", context, min_ndim=2)
    Q, K, V = _heads(X, P, n_heads, context)
    weights = with_shape("weights", weights, _scores_shape(Q, K), "the scores")
    joined = merge_heads(matmul("weights", weights, "V", V))

    G: dict[str, Array] = {}
    djoined = _linear_backward("heads", joined, P, "o", doutput, G)
    dQ, dK, dV, _ = attention_backward(
        Q, K, V, weights, split_heads(djoined, n_heads), scale=scale
    )
    dX = _linear_backward("X", X, P, "q", merge_heads(dQ), G)
    dsource = _linear_backward("context", source, P, "k", merge_heads(dK), G)
    dsource = dsource + _linear_backward("context", source, P, "v", merge_heads(dV), G)
    if context is None:
        return {"X": dX + dsource, **G}
    return {"X": dX, "context": dsource, **G}


def _heads(
    X: Array, P: Parameters, n_heads: int, context: ArrayLike | None
) -> tuple[Array, Array, Array]:
    """Return Q, K and V, split into heads."""
    source, name = X, "X"
    if context is not None:
        name = "context"
        source = real(name, context, min_ndim=2, finite=True)
    if source.shape[-2] == 0:
        raise ValueError(
            f"{name} has shape {source.shape}; it needs at least one token"
        )
    Q = _linear("X", X, P, "q")
    K, V = (_linear(name, source, P, letter) for letter in "kv")
    q, k, v = (_parameters(P, letter)[0].shape for letter in "qkv")
    if q[-1] != k[-1]:
        raise ValueError(
            f"Wq has shape {q} and Wk has shape {k}; they need equally many columns"
        )
    for letter, shape in zip("qkv", (q, k, v), strict=True):
        _columns_per_head(f"W{letter}", shape, whole_number("n_heads", n_heads, 1))
    return split_heads(Q, n_heads), split_heads(K, n_heads), split_heads(V, n_heads)


def _mask_for_heads(mask: Array, Q: Array, K: Array) -> Array:
    """Return the mask, unless its first axis could be taken for another one."""
    if mask.ndim not in (2, max(Q.ndim, K.ndim)):
        shape = _scores_shape(Q, K)
        each = "mask[..., None, :, :]" if mask.ndim > 3 else "mask[:, None]"
        raise ValueError(
            f"mask has shape {mask.shape}; with scores of shape {shape} it needs shape "
            f"{shape[-2:]} or an axis for the heads, too: {each} if there is "
            f"one mask per sentence, mask[None] if there is one per head"
        )
    return mask


def _scores_shape(Q: Array, K: Array) -> tuple[int, ...]:
    return product_shape("Q", Q, "Kᵀ", K.swapaxes(-1, -2))


def _linear(name: str, x: Array, P: Parameters, letter: str) -> Array:
    """Return x W + b, or x W where P has no b of that letter."""
    W, b = _parameters(P, letter)
    y = matmul(name, x, f"W{letter}", W)
    return y if b is None else y + b


def _linear_backward(
    name: str, x: Array, P: Parameters, letter: str, dy: ArrayLike, G: dict[str, Array]
) -> Array:
    """Go back through `_linear`: put dW and db into G, and return dx."""
    W, b = _parameters(P, letter)
    shape = product_shape(name, x, f"W{letter}", W)
    dy = with_shape("doutput", dy, shape, "the output")
    dx, G[f"W{letter}"] = product_backward(x, W, dy)
    if b is not None:
        G[f"b{letter}"] = sum_to(dy, b.shape)
    return dx


def _parameters(P: Parameters, letter: str) -> tuple[Array, Array | None]:
    check_mapping("P", P, "Wq, Wk")
    if f"W{letter}" not in P:
        raise ValueError(
            f"P has {', '.join(P) or 'nothing'}; it needs Wq, Wk, Wv and Wo"
        )
    W = real(f"W{letter}", P[f"W{letter}"], min_ndim=2, finite=True)
    if f"b{letter}" not in P:
        return W, None
    return W, per_column(f"b{letter}", P[f"b{letter}"], f"W{letter}", W)


def _columns_per_head(name: str, shape: tuple[int, ...], n_heads: int) -> int:
    """Return how many columns each head gets, or say that they cannot be shared."""
    if shape[-1] == 0 or shape[-1] % n_heads:
        raise ValueError(
            f"{name} has shape {shape} and n_heads is {n_heads}; its last axis needs "
            f"a multiple of {n_heads}, at least {n_heads}, so that all heads get as "
            f"many columns"
        )
    return shape[-1] // n_heads
