"""The layers around attention, made by hand in notebook 14: norms, GELU, feed-forward.

Each works on the last axis, the components of a token, so every token is on its own;
leading axes may be anything. Squares and cubes of the components have to stay within
the range of their type: they lie below 1e100, or 1e12 in float32, or 40 in float16.

A function that ends in `_backward` takes the gradient of a loss with respect to a
result, and returns those with respect to what it was made from, as in
`helpers.gradients`.

Where nothing else is said, a TypeError means that an argument does not hold real
numbers, a ValueError that a shape does not fit, or that it holds NaN or ±∞, and an
OverflowError that finite numbers lead out of the range of their type.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from helpers.arrays import (
    Array,
    finite_float,
    in_range,
    matmul,
    per_column,
    product_backward,
    product_shape,
    real,
    sum_to,
    with_shape,
)

GELUS = ("none", "tanh")
TANH_SCALE, TANH_CUBE = math.sqrt(2 / math.pi), 0.044715


@in_range
def layer_norm(
    x: ArrayLike, gamma: ArrayLike, beta: ArrayLike, eps: float = 1e-5
) -> Array:
    """Shift and stretch each token to mean 0 and variance 1; then · γ + β.

    y = (x − mean) / √(variance + ε) · γ + β, with mean and variance of each token's
    own components, and 1/n in the variance. The mean is subtracted before squaring,
    which keeps the digits of a token that lies far from 0.

    Source: Ba et al., "Layer Normalization", 2016, arXiv:1607.06450, section 3.

    Parameters
    ----------
    x : (..., d_model)
    gamma, beta : (d_model,)
    eps : added to the variance, at least 0; a token of equal components becomes β.

    Returns
    -------
    y : (..., d_model)

    Raises
    ------
    TypeError
        If an argument does not hold real numbers.
    ValueError
        If a shape does not fit, an argument holds NaN or ±∞, `eps` is negative, or
        `eps` is 0 and a token has equal components.
    """
    x = _tokens(x)
    gamma = per_column("gamma", gamma, "x", x)
    beta = per_column("beta", beta, "x", x)
    normed, _ = _normalised(x, eps, centred=True)
    return np.asarray(normed * gamma + beta)


@in_range
def layer_norm_backward(
    x: ArrayLike, gamma: ArrayLike, doutput: ArrayLike, eps: float = 1e-5
) -> tuple[Array, Array, Array]:
    """Go back through `layer_norm`: to x, γ and β.

    With x̂ the token before · γ + β, and g = doutput · γ:
    dx = (g − mean(g) − x̂ · mean(g x̂)) / √(variance + ε). What would only shift or
    stretch the token is taken out, since the output does not feel it.

    Parameters
    ----------
    x, gamma, eps : as they were given to `layer_norm`.
    doutput : (..., d_model), the gradient with respect to its output.

    Returns
    -------
    dx : (..., d_model)
    dgamma, dbeta : (d_model,), summed over all tokens.

    """
    x = _tokens(x)
    gamma = per_column("gamma", gamma, "x", x)
    doutput = with_shape("doutput", doutput, x.shape, "x")
    normed, size = _normalised(x, eps, centred=True)
    g = doutput * gamma
    along = _mean(g * normed)
    dx = (g - _mean(g) - normed * along) / size
    return (
        dx,
        sum_to(doutput * normed, gamma.shape),
        sum_to(doutput, gamma.shape),
    )


@in_range
def rms_norm(x: ArrayLike, gamma: ArrayLike, eps: float = 1e-5) -> Array:
    """Divide each token by the root of its mean square; then · γ.

    y = x / √(mean(x²) + ε) · γ: LayerNorm without the mean, and without β.

    Source: Zhang and Sennrich, "Root Mean Square Layer Normalization", 2019,
    arXiv:1910.07467, equation 4; with ε inside the root, as PyTorch has it.

    Parameters
    ----------
    x : (..., d_model)
    gamma : (d_model,)
    eps : added to the mean square, at least 0; a token of zeros stays zero.

    Returns
    -------
    y : (..., d_model)

    Raises
    ------
    TypeError
        If an argument does not hold real numbers.
    ValueError
        If a shape does not fit, an argument holds NaN or ±∞, `eps` is negative, or
        `eps` is 0 and a token is all zeros.
    """
    x = _tokens(x)
    gamma = per_column("gamma", gamma, "x", x)
    normed, _ = _normalised(x, eps, centred=False)
    return np.asarray(normed * gamma)


@in_range
def gelu(x: ArrayLike, approximate: str = "none") -> Array:
    """Let positive numbers pass and hold negative ones back, softly: x · Φ(x).

    Φ(x) = (1 + erf(x / √2)) / 2 is the share of a standard normal distribution that
    lies below x. The approximation replaces it by
    (1 + tanh(√(2/π) · (x + 0.044715 x³))) / 2.

    Source: Hendrycks and Gimpel, "Gaussian Error Linear Units", 2016,
    arXiv:1606.08415, section 2. erf is that of the standard library, number by number.

    Parameters
    ----------
    x : real numbers of any shape.
    approximate : "none" for Φ itself, "tanh" for the approximation; the names are
        PyTorch's.

    Returns
    -------
    y : of the shape of `x`.

    Raises
    ------
    TypeError
        If `x` does not hold real numbers.
    ValueError
        If `x` holds NaN or ±∞, or `approximate` is another word.
    """
    x = real("x", x, min_ndim=0, finite=True)
    return np.asarray(x * _share_below(x, approximate))


@in_range
def gelu_backward(x: ArrayLike, doutput: ArrayLike, approximate: str = "none") -> Array:
    """Go back through `gelu`: dx = doutput · (Φ(x) + x · Φ′(x)).

    Φ′ is the bell curve e^(−x²/2) / √(2π), or the derivative of the approximation.

    Parameters
    ----------
    x, approximate : as they were given to `gelu`.
    doutput : of the shape of `x`, the gradient with respect to its output.

    Returns
    -------
    dx : of the shape of `x`.

    """
    x = real("x", x, min_ndim=0, finite=True)
    doutput = with_shape("doutput", doutput, x.shape, "x")
    share = _share_below(x, approximate)
    if approximate == "none":
        slope = np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
    else:  # (1 + tanh u) / 2 has the slope u′ (1 − tanh² u) / 2
        slope = TANH_SCALE * (1 + 3 * TANH_CUBE * x**2) * 2 * share * (1 - share)
    return np.asarray(doutput * (share + x * slope))


@in_range
def feed_forward(
    x: ArrayLike, W1: ArrayLike, b1: ArrayLike, W2: ArrayLike, b2: ArrayLike
) -> Array:
    """Widen each token, let GELU choose, and narrow it: GELU(x W1 + b1) W2 + b2.

    Source: Vaswani et al., 2017, arXiv:1706.03762, section 3.3, with GELU in the place
    of ReLU.

    Parameters
    ----------
    x : (..., n_tokens, d_model)
    W1 : (d_model, d_ff)
    b1 : (d_ff,)
    W2 : (d_ff, d_out)
    b2 : (d_out,)

    Returns
    -------
    output : (..., n_tokens, d_out)

    Raises
    ------
    TypeError
        If an argument does not hold real numbers.
    ValueError
        If a shape does not fit, or an argument holds NaN or ±∞.
    """
    x = real("x", x, min_ndim=2, finite=True)
    hidden = gelu(_affine("x", x, "W1", W1, "b1", b1))
    return _affine("hidden", hidden, "W2", W2, "b2", b2)


@in_range
def feed_forward_backward(
    x: ArrayLike,
    W1: ArrayLike,
    b1: ArrayLike,
    W2: ArrayLike,
    b2: ArrayLike,
    doutput: ArrayLike,
) -> tuple[Array, Array, Array, Array, Array]:
    """Go back through `feed_forward`: to x and the four parameters.

    Parameters
    ----------
    x, W1, b1, W2, b2 : as they were given to `feed_forward`.
    doutput : (..., n_tokens, d_out), the gradient with respect to its output.

    Returns
    -------
    dx, dW1, db1, dW2, db2 : of the shapes of x, W1, b1, W2 and b2.

    """
    x = real("x", x, min_ndim=2, finite=True)
    W1 = real("W1", W1, min_ndim=2, finite=True)
    W2 = real("W2", W2, min_ndim=2, finite=True)
    before = _affine("x", x, "W1", W1, "b1", b1)
    hidden = gelu(before)
    shape = product_shape("hidden", hidden, "W2", W2)
    b2 = per_column("b2", b2, "W2", W2)
    doutput = with_shape("doutput", doutput, shape, "the output")
    dhidden, dW2 = product_backward(hidden, W2, doutput)
    dbefore = gelu_backward(before, dhidden)
    dx, dW1 = product_backward(x, W1, dbefore)
    db1, db2 = sum_to(dbefore, W1.shape[-1:]), sum_to(doutput, b2.shape)
    return dx, dW1, db1, dW2, db2


def _tokens(x: ArrayLike) -> Array:
    x = real("x", x, min_ndim=1, finite=True)
    if x.shape[-1] == 0:
        raise ValueError(f"x has shape {x.shape}; its last axis needs an entry")
    return x


def _mean(x: Array) -> Array:
    return np.asarray(x.mean(axis=-1, keepdims=True))


def _normalised(x: Array, eps: float, *, centred: bool) -> tuple[Array, Array]:
    """Return each token divided by its size, and the size: √(mean square + ε)."""
    if (eps := finite_float("eps", eps)) < 0:
        raise ValueError(f"eps is {eps}; it needs to be at least 0")
    if centred:
        x = x - _mean(x)
    size = np.sqrt(_mean(x**2) + eps)
    if not size.all():
        raise ValueError(
            "x has a token that cannot be stretched, and eps is 0; "
            "it needs an eps above 0"
        )
    return x / size, size


def _share_below(x: Array, approximate: str) -> Array:
    """Return Φ(x), or its approximation by tanh."""
    if approximate not in GELUS:
        raise ValueError(
            f"approximate is {approximate!r}; it needs to be one of {GELUS}"
        )
    if approximate == "tanh":
        u = TANH_SCALE * (x + TANH_CUBE * x**3)
        return np.asarray((1 + np.tanh(u)) / 2)
    # erfc keeps the digits of a small share, where 1 + erf would cancel.
    shares = [math.erfc(-t / math.sqrt(2)) / 2 for t in x.ravel().tolist()]
    return np.array(shares, dtype=x.dtype).reshape(x.shape)


def _affine(
    name: str, x: Array, W_name: str, W: ArrayLike, b_name: str, b: ArrayLike
) -> Array:
    """Return x W + b, or say what does not fit."""
    W = real(W_name, W, min_ndim=2, finite=True)
    y = matmul(name, x, W_name, W)
    return y + per_column(b_name, b, W_name, W)
