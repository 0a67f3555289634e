"""The door of the mathematics: what comes in fits, or there is one clear error.

An error names the argument, the shape it had and the shape it needs. A number that
leaves the range of its type on the way is an error, too: ±∞ would be taken for a score
that was hidden on purpose.
"""

import functools
import inspect
import math
import numbers
import operator
from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]
Parameters = Mapping[str, ArrayLike]  # arrays by their names in the papers
Given = ParamSpec("Given")
Result = TypeVar("Result")


def in_range(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """Let a function of the mathematics fail where finite numbers give ±∞ or NaN.

    NumPy would warn and go on. An −∞ that was given stays one, without an error; so
    does a number too small for its type become 0.
    """

    @functools.wraps(function)
    def checked(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        try:
            with np.errstate(all="raise", under="ignore"):
                return function(*args, **kwargs)
        except FloatingPointError as error:
            names = ", ".join(inspect.signature(function).parameters)
            raise OverflowError(f"{function.__qualname__}({names}): {error}") from None

    return checked


def as_array(name: str, x: ArrayLike) -> Array:
    """Return `x` as an array, or say what NumPy would pass over or not take."""
    if _has_masked_entries(x):
        raise ValueError(
            f"{name} has masked entries, which would count as numbers; "
            f"it needs an array without them, such as {name}.filled(0)"
        )
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


def whole_numbers(
    name: str, x: ArrayLike, most: int, shape: tuple[int, ...] | None = None
) -> Array:
    """Return `x` as whole numbers from 0 to `most`, or say what is wrong with it."""
    array = as_array(name, x)
    if array.shape == (0,):  # NumPy takes an empty list for floats
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} has dtype {array.dtype}; it needs whole numbers")
    if shape is not None and array.shape != shape:
        raise ValueError(f"{name} has shape {array.shape}; it needs shape {shape}")
    outside = array[(array < 0) | (array > most)]
    if outside.size:
        raise ValueError(
            f"{name} holds {outside[0]}; each has to lie between 0 and {most}"
        )
    return array


def matmul(left_name: str, left: Array, right_name: str, right: Array) -> Array:
    """Multiply, or say which two shapes do not fit or whose product is too large."""
    product_shape(left_name, left, right_name, right)
    with np.errstate(all="ignore"):  # some libraries of linear algebra raise flags
        product = np.asarray(left @ right)  # for nothing, and others none: look
    if not np.isfinite(product).all():
        raise FloatingPointError(
            f"{left_name} {right_name} leaves the range of {product.dtype}"
        )
    return product


def product_shape(
    left_name: str, left: Array, right_name: str, right: Array
) -> tuple[int, ...]:
    """Return the shape of left @ right, or say which two shapes do not fit."""
    lead, fits = left.shape[:-2], left.shape[-1] == right.shape[-2]
    if lead != right.shape[:-2]:
        try:
            lead = np.broadcast_shapes(lead, right.shape[:-2])
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
    dX, dW = matmul("dY", dY, "Wᵀ", transpose(W)), matmul("Xᵀ", transpose(X), "dY", dY)
    return sum_to(dX, X.shape), sum_to(dW, W.shape)


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


def _has_masked_entries(x: object) -> bool:
    """Tell whether entries of a masked array are masked, also in a list of them."""
    if isinstance(x, (list, tuple)):
        return any(map(_has_masked_entries, x))
    return isinstance(x, np.ma.MaskedArray) and bool(np.ma.is_masked(x))
