"""Four ways to tell attention where a token stands, without the learned table.

Sinusoidal codes are added to X, rotary positions turn queries and keys, ALiBi adds a
penalty to the scores. (A learned table needs no function: X + P[:n_tokens].) Position
0 is the first token, everywhere.

Sources: Vaswani et al., 2017, arXiv:1706.03762, section 3.5; Su et al., "RoFormer",
2021, arXiv:2104.09864; Press et al., "Train Short, Test Long", 2021, arXiv:2108.12409.

Where nothing else is said, a TypeError means that an argument does not hold real
numbers, a ValueError that a shape does not fit, or that it holds NaN or ±∞, and an
OverflowError that finite numbers lead out of the range of their type.
"""

import numpy as np
from numpy.typing import ArrayLike

from helpers.arrays import Array, finite_float, in_range, real, whole_number


def sinusoidal(n_positions: int, d_model: int) -> Array:
    """Return the codes of the positions 0, 1, …: sines and cosines of many wavelengths.

    code[t, 2i] = sin(t / 10000^(2i / d_model)), and code[t, 2i + 1] is the cosine of
    the same angle. An odd width ends with a sine that has no cosine.

    Parameters
    ----------
    n_positions : how many positions, at least 0.
    d_model : the width of a code, at least 0.

    Returns
    -------
    codes : (n_positions, d_model), to be added to X of shape (..., n_tokens, d_model).
        They are float64; `codes.astype(X.dtype)` keeps an X of float32 as it is.

    Raises
    ------
    TypeError
        If a number is not a whole number.
    ValueError
        If a number is negative.

    Source: Vaswani et al., 2017, arXiv:1706.03762, section 3.5.
    """
    t = np.arange(whole_number("n_positions", n_positions))[:, None]
    j = np.arange(whole_number("d_model", d_model))
    pair = j // 2  # a sine and its cosine share one frequency
    angles = t / 10000 ** (2 * pair / d_model)  # [n, 1], [d] -> [n, d]
    return np.where(j % 2 == 0, np.sin(angles), np.cos(angles))


@in_range
def rotate(
    x: ArrayLike, positions: ArrayLike | None = None, base: float = 10000.0
) -> Array:
    """Turn queries or keys by angles that grow with the position (RoPE).

    Components i and i + d/2 are the two coordinates of a point, which is turned by
    position · base^(−2i / d). Su et al. pair the neighbours 2i and 2i + 1; halves, as
    here, are what many libraries pair. The two differ by an order of the components,
    and Q and K need the same one.

    Parameters
    ----------
    x : (..., n_tokens, d), d even.
    positions : (n_tokens,) numbers; None is 0, 1, … n_tokens − 1.
    base : the longest wavelength is nearly 2π · base.

    Returns
    -------
    Array of the shape and float dtype of `x`. No row changes its length, and the dot
    product of two rows depends on the difference of their positions alone.

    Raises
    ------
    TypeError
        If an argument does not hold real numbers.
    ValueError
        If `d` is odd or 0, a shape does not fit, `base` is not positive, or an
        argument holds NaN or ±∞.

    Source: Su et al., 2021, arXiv:2104.09864, section 3.4.2.
    """
    return _turn("x", x, positions, base, 1)


@in_range
def rotate_backward(
    drotated: ArrayLike, positions: ArrayLike | None = None, base: float = 10000.0
) -> Array:
    """Go back through `rotate`: turn the gradient by the same angles, the other way.

    A rotation's transpose is its inverse.

    Parameters
    ----------
    drotated : (..., n_tokens, d), the gradient with respect to what `rotate` returned.
    positions, base : as they were given to `rotate`.

    Returns
    -------
    dx : (..., n_tokens, d)

    """
    return _turn("drotated", drotated, positions, base, -1)


@in_range
def alibi(n_queries: int, n_keys: int | None = None, *, slope: ArrayLike) -> Array:
    """Return ALiBi's bias on the scores: −slope · distance.

    It goes in as the float mask of `attention`. Like `causal_mask` it is aligned at
    the lower right: with fewer queries than keys the queries are the newest tokens, so
    query i stands at position i + n_keys − n_queries. ALiBi was published for causal
    attention; without a causal mask, a later key is penalised by its distance, too.

    Parameters
    ----------
    n_queries : number of queries, at least 0.
    n_keys : number of keys; None means as many as queries.
    slope : one number, or one for each head, (n_heads,); none is negative.

    Returns
    -------
    bias : (n_queries, n_keys), or (n_heads, n_queries, n_keys), of the float dtype of
        `slope`.

    Raises
    ------
    TypeError
        If a number is not a whole number, or `slope` does not hold real numbers.
    ValueError
        If a number or a slope is negative, a slope is NaN or ∞, or `slope` has more
        than one axis.

    Source: Press et al., 2021, arXiv:2108.12409, section 3.
    """
    rows = whole_number("n_queries", n_queries)
    columns = rows if n_keys is None else whole_number("n_keys", n_keys)
    slope = real("slope", slope, min_ndim=0, finite=True)
    if slope.ndim > 1:
        raise ValueError(
            f"slope has shape {slope.shape}; it needs to be one number, or to have "
            f"shape (n_heads,)"
        )
    if (slope < 0).any():
        raise ValueError(f"slope holds {slope.min():g}; it needs to be at least 0")
    t = np.arange(rows)[:, None] + columns - rows  # where each query stands
    distance = np.abs(t - np.arange(columns))
    return np.asarray(0 - slope[..., None, None] * distance).astype(slope.dtype)


def alibi_slopes(n_heads: int) -> Array:
    """Return one slope for each head: a few heads look far, others stay near.

    For n heads, a power of 2, they are 2^(−8/n), 2^(−16/n), … 2^(−8). Otherwise, as
    in the authors' code: the slopes of the power of 2 below n, and then every other
    slope of the power of 2 above.

    Parameters
    ----------
    n_heads : at least 1.

    Returns
    -------
    slopes : (n_heads,)

    Raises
    ------
    TypeError
        If `n_heads` is not a whole number.
    ValueError
        If `n_heads` is below 1.

    Source: Press et al., 2021, arXiv:2108.12409, section 3.
    """
    n = whole_number("n_heads", n_heads, 1)
    below = 1 << (n.bit_length() - 1)  # the largest power of 2 that is not above n
    slopes = 2.0 ** (-8 / below * np.arange(1, below + 1))
    between = 2.0 ** (-4 / below * np.arange(1, 2 * (n - below), 2))
    return np.concatenate([slopes, between])


def _turn(
    name: str, x: ArrayLike, positions: ArrayLike | None, base: float, way: int
) -> Array:
    """Turn by the angles of the positions, forwards (1) or backwards (−1)."""
    x = real(name, x, min_ndim=2, finite=True)
    n, d = x.shape[-2:]
    if d == 0 or d % 2:
        raise ValueError(
            f"{name} has shape {x.shape}; its last axis needs an even width of at "
            f"least 2, since components are turned in pairs"
        )
    given = np.arange(n) if positions is None else positions
    t = real("positions", given, min_ndim=1, finite=True)
    if t.shape != (n,):
        raise ValueError(
            f"positions has shape {t.shape}; with {name} of shape {x.shape} "
            f"it needs shape ({n},)"
        )
    base = finite_float("base", base)
    if base <= 0:
        raise ValueError(f"base is {base:g}; it needs to be positive")
    frequencies = base ** (-2 * np.arange(d // 2) / d)
    angles = way * t[:, None] * frequencies  # [n, d/2]
    cos, sin = np.cos(angles).astype(x.dtype), np.sin(angles).astype(x.dtype)
    first, second = np.split(x, 2, axis=-1)
    turned = first * cos - second * sin, first * sin + second * cos
    return np.concatenate(turned, axis=-1)
