"""The door of the mathematics: what comes in fits, or there is one clear error.

An error names the argument, the shape it had and the shape it needs.
"""

import math
import numbers
import operator
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]
Parameters = Mapping[str, ArrayLike]  # arrays by their names in the papers


def as_array(name: str, x: ArrayLike) -> Array:
    """Return `x` as an array, or say that its rows have different lengths."""
    try:
        return np.asarray(x)
    except ValueError:
        raise ValueError(f"{name} has rows of different lengths") from None


def real(name: str, x: ArrayLike, *, min_ndim: int, finite: bool = False) -> Array:
    """Return `x` as a float array, or say what is wrong with it."""
    array = as_array(name, x)
    if array.dtype.kind in "iu":
        array = array.astype(np.float64)
    if array.dtype.kind != "f":
        raise TypeError(f"{name} has dtype {array.dtype}; it needs real numbers")
    if array.ndim < min_ndim:
        raise ValueError(
            f"{name} has shape {array.shape}; it needs at least {min_ndim} axes"
        )
    if finite and not np.isfinite(array).all():
        raise ValueError(f"{name} holds NaN or inf; each entry has to be finite")
    return array


def with_shape(name: str, x: ArrayLike, shape: tuple[int, ...], other: str) -> Array:
    """Return `x` as a float array of the shape of another one, or say what it has."""
    array = real(name, x, min_ndim=0, finite=True)
    if array.shape != shape:
        raise ValueError(
            f"{name} has shape {array.shape}; it needs shape {shape}, that of {other}"
        )
    return array


def per_column(name: str, v: ArrayLike, other: str, array: Array) -> Array:
    """Return `v`, one number for each column of another array, or say what is wrong."""
    v = real(name, v, min_ndim=1, finite=True)
    if v.shape != array.shape[-1:]:
        raise ValueError(
            f"{name} has shape {v.shape}; with {other} of shape {array.shape} "
            f"it needs shape {array.shape[-1:]}"
        )
    return v


def matmul(left_name: str, left: Array, right_name: str, right: Array) -> Array:
    """Multiply, or say which two shapes do not fit."""
    product_shape(left_name, left, right_name, right)
    return np.asarray(left @ right)


def product_shape(
    left_name: str, left: Array, right_name: str, right: Array
) -> tuple[int, ...]:
    """Return the shape of left @ right, or say which two shapes do not fit."""
    try:
        lead = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
        fits = left.shape[-1] == right.shape[-2]
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"{left_name} has shape {left.shape} and {right_name} has shape "
            f"{right.shape}; (..., a, b) @ (..., b, c) needs the same b, "
            f"and leading axes that are equal or 1"
        )
    return (*lead, left.shape[-2], right.shape[-1])


def product_backward(X: Array, W: Array, dY: Array) -> tuple[Array, Array]:
    """Go back through Y = X W: to X and W."""
    return sum_to(dY @ transpose(W), X.shape), sum_to(transpose(X) @ dY, W.shape)


def transpose(x: Array) -> Array:
    """Swap the last two axes: the ᵀ of each matrix in a batch."""
    return x.swapaxes(-1, -2)


def sum_to(gradient: Array, shape: tuple[int, ...]) -> Array:
    """Sum a gradient over the axes along which its argument was stretched."""
    if gradient.shape == shape:
        return gradient
    extra = gradient.ndim - len(shape)
    gradient = gradient.sum(axis=tuple(range(extra)))
    stretched = tuple(
        i for i, n in enumerate(shape) if n == 1 and gradient.shape[i] != 1
    )
    return np.asarray(gradient.sum(axis=stretched, keepdims=True))


def check_mapping(name: str, P: Parameters, keys: str) -> None:
    """Say that something is no mapping."""
    if not isinstance(P, Mapping):
        raise TypeError(
            f"{name} is a {type(P).__name__}; "
            f"it needs a mapping from {keys}, … to arrays"
        )


def finite_float(name: str, x: float) -> float:
    """Return `x` as a Python float (it keeps float32 as is), or say what is wrong."""
    if not isinstance(x, numbers.Real):
        raise TypeError(f"{name} is {x!r}; it needs to be one real number")
    if not math.isfinite(x):
        raise ValueError(f"{name} is {x}; it needs to be finite")
    return float(x)


def whole_number(name: str, x: int, least: int | None = 0) -> int:
    """Return `x` as a whole number, at least `least`, or say what is wrong."""
    try:
        number = int(operator.index(x))  # True becomes 1
    except TypeError:
        raise TypeError(f"{name} is {x!r}; it needs to be a whole number") from None
    if least is not None and number < least:
        raise ValueError(f"{name} is {number}; it needs to be at least {least}")
    return number
