"""Every function exercise refuses a right answer that is spoiled for one kind of input.

A defect is not one wrong answer but a kind: "wrong on a batch of batches", "loses
decimals". Where an exercise may not meet a kind, EXCUSED in the module of its page says
why. No function is tried with float32: pages hold float64, and an answer that is right
there, such as one with log(w + 1e-300), is right.
"""

from importlib import import_module

import numpy as np
import pytest

from helpers.exercises.catalogue import EXERCISES, MODULES
from helpers.exercises.checks import judge

from .common import solution


def arrays(args):
    """The arrays among the arguments, those in dicts, too."""
    for x in args:
        if isinstance(x, dict):
            yield from arrays(x.values())
        elif isinstance(x, np.ndarray):
            yield x


def numbers(args):
    """The arrays of numbers, not of True and False."""
    return [x for x in arrays(args) if x.dtype != bool]


def some(test):
    """Tell whether an array of numbers is such that the defect shows."""
    return lambda args: any(test(x) for x in numbers(args))


def wrong(value):
    """What a spoiled function returns instead of the right value."""
    if isinstance(value, dict):
        return {name: wrong(x) for name, x in value.items()}
    if isinstance(value, tuple):
        return tuple(wrong(x) for x in value)
    value = np.asarray(value)
    return ~value if value.dtype == bool else value + 1


def changed(args, change):
    """Change every array of floats among the arguments."""
    return [
        {k: change(v) for k, v in x.items()}
        if isinstance(x, dict)
        else change(x)
        if isinstance(x, np.ndarray) and x.dtype.kind == "f"
        else x
        for x in args
    ]


def negative_row(x):
    finite = np.isfinite(x).all()
    return x.ndim and x.size and finite and (x < 0).all(axis=-1).any()


# Wrong where the arguments are of a kind.
KINDS = {
    "3-D": some(lambda x: x.ndim == 3),
    "4-D": some(lambda x: x.ndim > 3),
    "one row": some(lambda x: x.ndim > 1 and x.shape[-2] == 1),
    "one column": some(lambda x: x.ndim > 0 and x.shape[-1] == 1),
    "more than four rows": some(lambda x: x.ndim > 1 and x.shape[-2] > 4),
    "a negative row": some(negative_row),
    "whole numbers": some(lambda x: x.dtype.kind == "i"),
    "−∞": some(lambda x: np.isneginf(x).any()),
    "large": some(lambda x: x.size and np.abs(x[np.isfinite(x)]).max(initial=0) > 700),
}


def frozen(name):
    """Each argument that is a number, as it is in the first case."""
    first = EXERCISES[name].at(0).cases[0].args
    return lambda args: [
        a if isinstance(b, int | float) else b for a, b in zip(first, args, strict=True)
    ]


# Right, but of other arguments.
CHANGES = {
    "decimals cut off": lambda _: lambda args: changed(args, np.trunc),
    "two decimals": lambda _: lambda args: changed(args, lambda x: x.round(2)),
    "sign ignored": lambda _: lambda args: changed(args, np.abs),
    "a fixed number": frozen,
}

PAGES = [import_module(f"tests.exercises.{name}") for name in MODULES]
EXCUSED = {k: v for page in PAGES for k, v in getattr(page, "EXCUSED", {}).items()}


def applies(name, defect):
    """Tell whether a function has arguments that can be of the kind."""
    first = EXERCISES[name].at(0).cases[0].args
    if defect == "a fixed number":
        return any(isinstance(x, int | float) for x in first)
    if defect == "whole numbers":
        return any(x.dtype.kind == "i" for x in arrays(first))
    return any(x.dtype.kind == "f" for x in arrays(first))


def accepted(name, defect):
    """Tell whether an answer with the defect counts as right."""
    right = solution(name)
    bad = KINDS.get(defect, lambda _: False)
    change = CHANGES[defect](name) if defect in CHANGES else list

    def answer(*args):
        value = right(*change(args))
        return wrong(value) if bad(args) else value

    return judge(name, answer).kind == "right"


FUNCTIONS = [e.name for e in EXERCISES.values() if e.arguments]
DEFECTS = [*KINDS, *CHANGES]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_spoiled_answer_is_refused(name):
    """Red: a function that is wrong for one kind of input counts as right."""
    here = [defect for defect in DEFECTS if applies(name, defect)]
    passed = [defect for defect in here if accepted(name, defect)]
    excused = EXCUSED.get(name, {})
    assert passed == [d for d in here if d in excused], f"excused: {excused}"
