"""What a page asks: its questions, its exercises, and what became of an answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from helpers.arrays import Array

PAPER = 6e-4  # the tolerance for a number that was rounded to three digits
PAGE_SEED = 0  # with this seed an exercise is as it stands on its page


class FormError(Exception):
    """The answer is not of the kind that was asked.

    Attributes
    ----------
    text : in English, as `say` takes it.
    values : what its {names} stand for.
    """

    def __init__(self, text: str, **values: Any) -> None:
        super().__init__(text)
        self.text, self.values = text, values


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that people give, and what to say about it.

    Attributes
    ----------
    name : a few words, the same wherever the mistake is met.
    answer : the wrong answer itself: a function, or a value. Where the exercise draws
        its numbers, a function of these that returns the value.
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
    tag : in what alone it differs from the plain ones before it; empty for a plain one.
        "wide": the lengths of axes, "other": an argument that is a number, "decimals":
        the digits of the entries, "negative": rows all negative, "batch": one more
        axis on the left, "integers": the type (only where whole numbers give a result
        with decimals), "large": the size. A function that is wrong here first
        gets the mistake of the tag, which says no more than that.
    """

    args: tuple[Any, ...]
    tag: str = ""


Cases = tuple[Case, ...]
Numbers = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """A task whose answer is a value, or a function to write.

    Attributes
    ----------
    name : as in `check.name(answer)`.
    call : how the function is called, `my_softmax(scores)`; for a value its name,
        `my_two_scores`.
    asked : what is asked. {names} stand for the numbers.
    means : what a right answer means, in a sentence.
    right : the right function or value. With numbers, a function of these that returns
        the value.
    mistakes : the wrong ones that have a name.
    cases : what functions are tried on, smallest first. Here the mistakes differ from
        each other. A function of a seed draws them. None for a value. One more is
        made of them: the first batch with one more axis.
    numbers : of a value's text, by name, as they stand on the page.
    draw : returns other such numbers; it takes a random generator.
    returns : names of the results where a function returns several.
    tolerance : how far a number may be off, relative to the largest one or to 1.
    near : how far a wrong value may be off a mistake and still have its name.
    read : for a value that may be right in many ways, what is compared instead of it.
    """

    name: str
    call: str
    asked: str
    means: str
    right: Any
    mistakes: tuple[Mistake, ...]
    cases: Cases | Callable[[int], Cases] = ()
    numbers: Numbers = field(default_factory=lambda: MappingProxyType({}))
    draw: Callable[[np.random.RandomState], Numbers] | None = None
    returns: tuple[str, ...] = ()
    tolerance: float = 1e-6
    near: float = 0.01
    read: Callable[[Any], Any] | None = None

    @property
    def title(self) -> str:
        """The name that the answer has on the page."""
        return self.call.partition("(")[0]

    @property
    def arguments(self) -> list[str]:
        """The names of the function's arguments, none for a value."""
        inside = self.call.partition("(")[2].rstrip(")")
        return inside.split(", ") if inside else []

    def at(self, seed: int) -> "Drawn":
        """Return the exercise with the inputs and numbers of a seed."""
        numbers = self.numbers
        if self.draw is not None and seed != PAGE_SEED:
            numbers = self.draw(np.random.RandomState(seed))
        right, mistakes = self.right, self.mistakes
        if numbers:
            right = right(**numbers)
            mistakes = tuple(replace(m, answer=m.answer(**numbers)) for m in mistakes)
        cases = self.cases(seed) if callable(self.cases) else self.cases
        return Drawn(self, right, mistakes, (*cases, *_with_more_axes(cases)), numbers)


@dataclass(frozen=True)
class Drawn:
    """An exercise with the inputs and numbers of one seed.

    Attributes
    ----------
    exercise : what was drawn.
    right : the right function or value.
    mistakes : the wrong ones, likewise.
    cases : what functions are tried on; none for a value.
    numbers : what the {names} of the texts stand for.
    """

    exercise: Exercise
    right: Any
    mistakes: tuple[Mistake, ...]
    cases: Cases
    numbers: Numbers


@dataclass(frozen=True)
class Option:
    """One of the answers to choose from.

    Attributes
    ----------
    text : the answer.
    reply : what is said to who chooses it.
    right : whether it is right.
    """

    text: str
    reply: str
    right: bool = False


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question with two options or more, exactly one of them right.

    Attributes
    ----------
    name : as in `ask(name)`.
    text : the question.
    options : in the order in which they are shown.
    """

    name: str
    text: str
    options: tuple[Option, ...]


@dataclass(frozen=True, kw_only=True)
class Page:
    """What one page asks.

    Attributes
    ----------
    number : of the page, as in its file's name.
    topic : a word or two for it, as in its file's name.
    questions : answered with a click.
    exercises : answered with a value or a function.
    """

    number: int
    topic: str
    questions: tuple[Question, ...]
    exercises: tuple[Exercise, ...]


@dataclass(frozen=True)
class Stopped:
    """An exception that an answer raised.

    Attributes
    ----------
    error : its type and message.
    line : the number of the reader's line that raised it, if it was one.
    source : that line.
    """

    error: str
    line: int | None = None
    source: str = ""


@dataclass
class Outcome:
    """What an answer did with one input. It can be sent from one process to another.

    Attributes
    ----------
    parts : the results by name; a single one has the name "".
    stopped : what it raised instead.
    form : why the result is not of the kind that was asked.
    changed : the argument that is no longer what it was.
    empty : it returned None or ..., or raised NotImplementedError.
    forgot : it returned nothing, although it looks at its arguments.
    unsteady : called once more with the same input, it gave something else.
    reads : the variables of the page on which its result depends.
    """

    parts: dict[str, Array] = field(default_factory=dict)
    stopped: Stopped | None = None
    form: FormError | None = None
    changed: str = ""
    empty: bool = False
    forgot: bool = False
    unsteady: bool = False
    reads: tuple[str, ...] = ()


def tenths(seed: int, *shape: int) -> Array:
    """Return one-digit numbers with one decimal, the same on every machine."""
    return np.random.RandomState(seed).randint(-30, 31, shape) / 10


def _with_more_axes(cases: Cases) -> Cases:
    """Return the first batch with one more axis: who takes one, has to take two."""
    batch = next((c for c in cases if c.tag == "batch"), None)
    return (Case(tuple(map(_stacked, batch.args)), "axes"),) if batch else ()


def _stacked(x: Any) -> Any:
    return np.stack([x, x[::-1]]) if np.ndim(x) > 2 else x
