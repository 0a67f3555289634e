"""The gradients of attention, derived by hand in notebook 07.

Each function takes the gradient of a loss with respect to a result, and returns the
gradients with respect to what the result was made from. `dX` stands for ∂loss/∂X and
has the shape of X. Leading batch and head axes are accepted as in `helpers.core`;
where an argument was stretched over a leading axis, its gradient is summed over it.

Source: the chain rule; the products are those of Vaswani et al., 2017,
arXiv:1706.03762, section 3.2.1, read backwards.

Where nothing else is said, a TypeError means that an argument does not hold real
numbers, a ValueError that a shape does not fit, or that it holds NaN or ±∞, and an
OverflowError that finite numbers lead out of the range of their type.
"""

import numpy as np
from numpy.typing import ArrayLike

from helpers.arrays import (
    Array,
    in_range,
    product_backward,
    product_shape,
    real,
    transpose,
    with_shape,
)
from helpers.core import project, scale_factor


@in_range
def softmax_backward(weights: ArrayLike, dweights: ArrayLike, axis: int = -1) -> Array:
    """Go back through softmax: from the weights to the scores.

    Every weight depends on every score of its row:
    dscoreⱼ = weightⱼ · (dweightⱼ − Σₖ dweightₖ · weightₖ).

    Parameters
    ----------
    weights : (..., n), what `softmax` returned.
    dweights : (..., n), the gradient with respect to them.
    axis : the axis along which the weights sum to 1.

    Returns
    -------
    dscores : (..., n); it sums to 0 along `axis`, since a shift changes no weight.

    Raises
    ------
    TypeError
        If an argument does not hold real numbers.
    ValueError
        If the shapes differ, or an argument holds NaN or ±∞.
    """
    weights = real("weights", weights, min_ndim=1, finite=True)
    dweights = with_shape("dweights", dweights, weights.shape, "weights")
    inner = (dweights * weights).sum(axis=axis, keepdims=True)
    return np.asarray(weights * (dweights - inner))


@in_range
def attention_backward(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    weights: ArrayLike,
    doutput: ArrayLike,
    *,
    scale: float | None = None,
) -> tuple[Array, Array, Array, Array]:
    """Go back through `attention`: from the output to Q, K, V and the scores.

    The mask is not needed: a hidden key has weight 0, so no gradient reaches it.

    Parameters
    ----------
    Q : (..., n_queries, d_k)
    K : (..., n_keys, d_k)
    V : (..., n_keys, d_v)
    weights : (..., n_queries, n_keys), what `attention` returned.
    doutput : (..., n_queries, d_v), the gradient with respect to the output.
    scale : as it was given to `attention`.

    Returns
    -------
    dQ, dK, dV : of the shapes of Q, K and V.
    dscores : (..., n_queries, n_keys), with respect to the scores after scaling; also
        the gradient of a float mask, which was added there.

    Raises
    ------
    TypeError
        If an argument does not hold real numbers.
    ValueError
        If a shape does not fit, or an argument holds NaN or ±∞.
    """
    Q = real("Q", Q, min_ndim=2, finite=True)
    K = real("K", K, min_ndim=2, finite=True)
    V = real("V", V, min_ndim=2, finite=True)
    factor = scale_factor(Q, K, scale)
    scores_shape = product_shape("Q", Q, "Kᵀ", transpose(K))
    weights = with_shape("weights", weights, scores_shape, "the scores")
    shape = product_shape("weights", weights, "V", V)
    doutput = with_shape("doutput", doutput, shape, "the output")

    # output = weights V         [n_q, n_k] @ [n_k, d_v] -> [n_q, d_v]
    dweights, dV = product_backward(weights, V, doutput)
    dscores = softmax_backward(weights, dweights)
    # scores = Q Kᵀ · scale      [n_q, d_k] @ [d_k, n_k] -> [n_q, n_k]
    dQ, dKT = product_backward(Q, transpose(K), dscores * factor)
    return dQ, transpose(dKT), dV, dscores


@in_range
def project_backward(
    X: ArrayLike,
    Wq: ArrayLike,
    Wk: ArrayLike,
    Wv: ArrayLike,
    dQ: ArrayLike,
    dK: ArrayLike,
    dV: ArrayLike,
) -> tuple[Array, Array, Array, Array]:
    """Go back through `project`: from Q, K and V to X and the three matrices.

    X was used three times, so its gradient is the sum of three.

    Parameters
    ----------
    X : (..., n_tokens, d_model)
    Wq, Wk : (..., d_model, d_k)
    Wv : (..., d_model, d_v)
    dQ, dK : (..., n_tokens, d_k)
    dV : (..., n_tokens, d_v)

    Returns
    -------
    dX, dWq, dWk, dWv : of the shapes of X, Wq, Wk and Wv.

    Raises
    ------
    TypeError
        If an argument does not hold real numbers.
    ValueError
        If a shape does not fit, or an argument holds NaN or ±∞.
    """
    X = real("X", X, min_ndim=2, finite=True)
    dX = np.zeros_like(X)
    dW = []
    for name, W, dY in (("Q", Wq, dQ), ("K", Wk, dK), ("V", Wv, dV)):
        W = real(f"W{name.lower()}", W, min_ndim=2, finite=True)
        shape = product_shape("X", X, f"W{name.lower()}", W)
        dY = with_shape(f"d{name}", dY, shape, f"X W{name.lower()}")
        more, dWeight = product_backward(X, W, dY)
        dX = dX + more
        dW.append(dWeight)
    return dX, dW[0], dW[1], dW[2]


def self_attention_backward(
    X: ArrayLike,
    Wq: ArrayLike,
    Wk: ArrayLike,
    Wv: ArrayLike,
    weights: ArrayLike,
    doutput: ArrayLike,
    *,
    scale: float | None = None,
) -> tuple[Array, Array, Array, Array]:
    """Go back through `self_attention`: from the output to X and the three matrices.

    Parameters
    ----------
    X, Wq, Wk, Wv, scale : as they were given to `self_attention`.
    weights : (..., n_tokens, n_tokens), what it returned.
    doutput : (..., n_tokens, d_v), the gradient with respect to its output.

    Returns
    -------
    dX, dWq, dWk, dWv : of the shapes of X, Wq, Wk and Wv.

    """
    Q, K, V = project(X, Wq, Wk, Wv)
    dQ, dK, dV, _ = attention_backward(Q, K, V, weights, doutput, scale=scale)
    return project_backward(X, Wq, Wk, Wv, dQ, dK, dV)
