"""What an exercise is; `helpers.catalogue` has all of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from helpers.core import Array

PAPER = 6e-4  # the tolerance for a number that was rounded to three digits


class FormError(Exception):
    """The answer is not of the kind that was asked."""


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that people give, and what to say about it.

    Attributes
    ----------
    name : a few words, the same wherever the mistake is met.
    answer : the wrong answer itself: a function, or a value.
    text : what was done and why it is not right, in one or two sentences.
    """

    name: str
    answer: Any
    text: str


@dataclass(frozen=True)
class Case:
    """An input on which functions are tried.

    Attributes
    ----------
    args : the arguments.
    tag : what is special: "wide" (not square), "batch" (one more axis on the left),
        "integers" or "large"; empty for a plain one.
    """

    args: tuple[Any, ...]
    tag: str = ""


@dataclass(frozen=True)
class Exercise:
    """A question whose answer is a value, or a function to write.

    Attributes
    ----------
    name : as in `check.name(answer)`.
    notebook : its number.
    call : how the function is called, `my_softmax(scores)`; for a value its name,
        `my_two_scores`.
    asked : what is asked.
    means : what a right answer means, in a sentence.
    right : the right function or value.
    mistakes : the wrong ones that have a name.
    cases : what functions are tried on, smallest first. Here the mistakes differ from
        each other. None for a value.
    returns : names of the results where a function returns several.
    tolerance : how far a number may be off, relative to the largest one or to 1.
    near : how far a wrong value may be off a mistake and still have its name.
    read : for a value that may be right in many ways, what is compared instead of it.
    """

    name: str
    notebook: int
    call: str
    asked: str
    means: str
    right: Any
    mistakes: tuple[Mistake, ...]
    cases: tuple[Case, ...] = ()
    returns: tuple[str, ...] = ()
    tolerance: float = 1e-9
    near: float = 0.01
    read: Callable[[Any], Any] | None = None

    @property
    def arguments(self) -> list[str]:
        """The names of the function's arguments, none for a value."""
        inside = self.call.partition("(")[2].rstrip(")")
        return inside.split(", ") if inside else []


def tenths(seed: int, *shape: int) -> Array:
    """Return one-digit numbers with one decimal, the same on every machine."""
    return np.random.RandomState(seed).randint(-30, 31, shape) / 10
