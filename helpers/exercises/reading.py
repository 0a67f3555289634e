"""Read what an answer gave as arrays of numbers, in whatever form it came."""

from collections.abc import Collection, Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from helpers.arrays import Array
from helpers.exercises.model import Exercise, FormError

HUGE = 100_000  # no right answer has as many entries
LONGEST = 60  # characters of an answer that is shown to its author


def parts(value: Any, exercise: Exercise) -> dict[str, Array]:
    """Return what an answer consists of, by name, as arrays of numbers.

    Raises
    ------
    FormError
        If it is not of the kind that was asked.
    """
    if exercise.read is not None:
        try:
            value = exercise.read(value)
        except (TypeError, ValueError):
            raise FormError("This is not the kind of answer that is needed.") from None
    if isinstance(value, dict) and (exercise.arguments or exercise.read):
        return {str(name): numbers(x) for name, x in value.items()}
    if not exercise.returns:
        return {"": numbers(value)}
    names, several = exercise.returns, _listed(value)
    countable = isinstance(several, list) or getattr(several, "ndim", 0) > 0
    if not countable or len(several) != len(names):
        raise FormError("Return {n} things: {names}.", n=len(names), names=names)
    return {name: numbers(x) for name, x in zip(names, several, strict=True)}


def numbers(value: Any) -> Array:
    """Return an array of numbers: of fractions, decimals and texts of numbers, too.

    Raises
    ------
    FormError
        If it cannot be read as numbers in one way alone.
    """
    value = _listed(value)
    if np.ma.is_masked(value):
        raise _no_numbers(value)
    try:
        array = np.array(value)
        if array.dtype.kind in "OU":
            array = np.array([_number(x) for x in array.flat]).reshape(array.shape)
    except FormError:
        raise
    except ValueError:
        raise FormError("The rows of your answer have different lengths.") from None
    except Exception as error:  # an array of another library that will not be read
        raise FormError(
            "Your answer cannot be read as numbers: {error}", error=described(error)
        ) from None
    if array.dtype.kind not in "biuf":
        raise _no_numbers(value)
    return array


def described(error: BaseException) -> str:
    """Return the type and message of an exception, cut where it is long."""
    return cut(f"{type(error).__name__}: {_told(str, error)}", 200)


def cut(text: str, length: int) -> str:
    """Return a text, or its beginning where it is longer."""
    return text if len(text) <= length else f"{text[:length]} …"


def _listed(value: Any) -> Any:
    """Return a list in place of a generator, or of another collection than an array."""
    if isinstance(value, Iterator):
        return list(islice(value, HUGE + 1))
    plain = isinstance(value, Collection) and not hasattr(value, "__array__")
    if plain and not isinstance(value, str | bytes | dict | set | frozenset):
        return list(value)
    return value


def _number(x: Any) -> float:
    if isinstance(x, str):
        if "," in x and _is_number(x.replace(",", ".")):
            raise FormError(
                "Write a point, not a comma: {number}.", number=x.replace(",", ".")
            )
        x = x.replace("−", "-").strip()  # as the tables of the pages print it
        return float(Fraction(x)) if _is_number(x) else _give_up(x)
    if isinstance(x, bool | int | float | Decimal | Fraction | np.number | np.bool):
        return float(x)
    return float(numbers(x)) if hasattr(x, "__array__") else _give_up(x)


def _is_number(text: str) -> bool:
    try:
        Fraction(text.replace("−", "-").strip())
    except (ValueError, ZeroDivisionError):
        return False
    return True


def _give_up(value: Any) -> float:
    raise _no_numbers(value)


def _no_numbers(value: Any) -> FormError:
    shown = cut(_told(repr, value), LONGEST)
    return FormError("It should be numbers; your answer is {answer}.", answer=shown)


def _told(tell: Any, value: Any) -> str:
    """Return str or repr of something that may refuse to be told."""
    try:
        return str(tell(value))
    except Exception:
        return f"<{type(value).__name__}>"
