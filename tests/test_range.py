"""Every function of the mathematics with numbers at the edge of their type.

A product of finite numbers may leave the range of its type. −∞ would then be taken for
a key that was hidden on purpose, NaN for nothing at all: the result is right, or there
is one error that names the arguments. And each argument comes in every form in which
arrays come along; what looks like an array of numbers and is none is refused.
"""

import importlib
import inspect
import re
import warnings
from fractions import Fraction

import numpy as np
import pytest

from helpers import attention, attention_scores, project, softmax
from helpers.block import NAMES, block, block_backward
from helpers.core import self_attention
from helpers.gradients import (
    attention_backward,
    project_backward,
    self_attention_backward,
    softmax_backward,
)
from helpers.heads import (
    merge_heads,
    multi_head_attention,
    multi_head_attention_backward,
    repeat_heads,
    split_heads,
)
from helpers.layers import (
    feed_forward,
    feed_forward_backward,
    gelu,
    gelu_backward,
    layer_norm,
    layer_norm_backward,
    rms_norm,
)
from helpers.positions import alibi, rotate, rotate_backward
from helpers.training import Adam, Batch, answer, cross_entropy, loss_and_gradients

from .test_core import assert_close
from .test_rooms import mathematics

# The door itself, files that are read, and old names of modules.
NO_FORMULAS = {"", "arrays", "examples", "moved"}
# They take whole numbers or look at shapes, or they make the numbers themselves.
NO_FLOATS = set(
    "causal_mask padding_mask sinusoidal alibi_slopes recall spell before_marker "
    "start scale_factor".split()
)
# Right, but without a digit: the turn that is left of an angle of 1e30, or what keys or
# values differ in when a bias adds the same large number to each.
NO_DIGITS = {"rotate", "rotate_backward", "block", "block_backward"}
NO_DIGITS |= {"multi_head_attention_backward"}
SHAPES = {"Wq": (4, 4), "Wk": (4, 4), "Wv": (4, 4), "Wo": (4, 4)}
SHAPES |= {"W1": (4, 5), "b1": (5,), "W2": (5, 4)}


def parameters(a, names):
    return {name: a(*SHAPES.get(name, (4,))) for name in names}


def batch(a):
    return Batch(a(2, 3, 4), np.array([0, 2]), np.array([1, 1]), np.array([3, 0]))


MATRICES = ("Wq", "Wk", "Wv", "Wo")
HEADS = (*MATRICES, "bq", "bv", "bo")
EVEN = np.full((3, 3), 1 / 3)  # weights of a row, which no argument makes too large
# Each function with arguments that `a` makes: `a(3, 4)` is an array of that shape.
CALLS = {
    "softmax": lambda a: softmax(a(3, 4)),
    "project": lambda a: project(a(3, 4), a(4, 2), a(4, 2), a(4, 3)),
    "attention_scores": lambda a: attention_scores(a(3, 4), a(2, 4)),
    "attention": lambda a: attention(a(3, 4), a(3, 4), a(3, 2), mask=a(3, 3)),
    "self_attention": lambda a: self_attention(a(3, 4), a(4, 2), a(4, 2), a(4, 3)),
    "softmax_backward": lambda a: softmax_backward(a(3, 4), a(3, 4)),
    "attention_backward": lambda a: attention_backward(
        a(3, 4), a(3, 4), a(3, 2), EVEN.astype(a.dtype), a(3, 2)
    ),
    "project_backward": lambda a: project_backward(
        a(3, 4), a(4, 2), a(4, 2), a(4, 3), a(3, 2), a(3, 2), a(3, 3)
    ),
    "self_attention_backward": lambda a: self_attention_backward(
        a(3, 4), a(4, 2), a(4, 2), a(4, 3), EVEN.astype(a.dtype), a(3, 3)
    ),
    "rotate": lambda a: rotate(a(3, 4), a(3)),
    "rotate_backward": lambda a: rotate_backward(a(3, 4), a(3)),
    "alibi": lambda a: alibi(3, 5, slope=a(2, signs=(1,))),
    "split_heads": lambda a: split_heads(a(3, 4), 2),
    "merge_heads": lambda a: merge_heads(a(2, 3, 2)),
    "repeat_heads": lambda a: repeat_heads(a(2, 3, 2), 4),
    "multi_head_attention": lambda a: multi_head_attention(
        a(3, 4), parameters(a, HEADS), 2, context=a(3, 4), mask=a(3, 3)
    ),
    "multi_head_attention_backward": lambda a: multi_head_attention_backward(
        a(3, 4),
        parameters(a, HEADS),
        2,
        np.stack([EVEN, EVEN]).astype(a.dtype),
        a(3, 4),
        context=a(3, 4),
    ),
    "layer_norm": lambda a: layer_norm(a(3, 4), a(4), a(4)),
    "layer_norm_backward": lambda a: layer_norm_backward(a(3, 4), a(4), a(3, 4)),
    "rms_norm": lambda a: rms_norm(a(3, 4), a(4)),
    "gelu": lambda a: (gelu(a(3, 4)), gelu(a(3, 4), "tanh")),
    "gelu_backward": lambda a: (
        gelu_backward(a(3, 4), a(3, 4)),
        gelu_backward(a(3, 4), a(3, 4), "tanh"),
    ),
    "feed_forward": lambda a: feed_forward(a(3, 4), a(4, 5), a(5), a(5, 2), a(2)),
    "feed_forward_backward": lambda a: feed_forward_backward(
        a(3, 4), a(4, 5), a(5), a(5, 2), a(2), a(3, 2)
    ),
    "block": lambda a: block(a(3, 4), parameters(a, NAMES), 2, mask=a(3, 3)),
    "block_backward": lambda a: block_backward(
        a(3, 4), parameters(a, NAMES), 2, a(3, 4), mask=a(3, 3)
    ),
    "answer": lambda a: answer(parameters(a, MATRICES), batch(a)),
    "loss_and_gradients": lambda a: loss_and_gradients(
        parameters(a, MATRICES), batch(a)
    ),
    "cross_entropy": lambda a: cross_entropy(a(2, 4), [3, 0]),
    "Adam.step": lambda a: Adam(0.1).step({"Wq": a(4, 4)}, {"Wq": a(4, 4)}),
}


def formulas():
    """Return all public functions and methods of the mathematics by their names."""
    found = {}
    for name in mathematics() - NO_FORMULAS:
        module = importlib.import_module(f"helpers.{name}")
        own = [x for x in vars(module).values() if inspect.isclass(x)]
        for owner in (module, *own):
            found |= {
                function.__qualname__: function
                for function in vars(owner).values()
                if inspect.isfunction(function)
                and function.__module__ == module.__name__
                and not function.__name__.startswith("_")
            }
    return found


FUNCTIONS = formulas()


def test_no_function_is_left_out():
    """Red: a function is new, or gone; CALLS says how to call each with floats."""
    assert set(FUNCTIONS) == {*CALLS, *NO_FLOATS}


class Maker:
    """Make the arrays of a call: random numbers, all of one kind or one array alone.

    Parameters
    ----------
    dtype : what the numbers are rounded to.
    size : of the numbers, which lie between half of it and it, on both sides of 0.
    special : the number of the array, counted from 0, that has this size, while the
        others lie near 1, and that `change` changes; None for all of them.
    change : what is made of an array.
    """

    def __init__(self, dtype, size=1, special=None, change=lambda x: x):
        self.rng = np.random.default_rng(5)
        self.dtype, self.size = dtype, size
        self.special, self.change, self.made = special, change, 0

    def __call__(self, *shape, signs=(-1, 1)):
        x = self.rng.uniform(0.5, 1, shape) * self.rng.choice(signs, shape)
        chosen = self.special in (None, self.made)
        self.made += 1
        with np.errstate(under="ignore"):
            x = (x * (self.size if chosen else 1)).astype(self.dtype)
        return self.change(x) if chosen else x


def how_many(name):
    """Return how many arrays a function is called with."""
    a = Maker(np.float64)
    CALLS[name](a)
    return a.made


def arrays_in(result):
    """Return the arrays of a result, in tuples and dictionaries as they come."""
    if isinstance(result, dict):
        result = tuple(result.values())
    if isinstance(result, tuple):
        return [array for part in result for array in arrays_in(part)]
    return [np.float64(result) if isinstance(result, float) else result]


def quietly(name, a):
    """Call, with every warning an error, and everything that NumPy could say."""
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        return arrays_in(CALLS[name](a))


def sizes(dtype):
    """Return what is too large alone, as a square, as a cube; and what is too small."""
    info = np.finfo(dtype)
    large = [float(info.max) ** (1 / n) * 0.99 for n in (1, 2, 3, 4)]
    return [*large, float(info.smallest_subnormal) * 4]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("name", CALLS)
def test_the_result_is_right_or_an_error_names_the_arguments(name, dtype):
    """Red: finite numbers give ±∞ or NaN in silence, or a warning, or a wrong number.

    All arguments are huge, or one is while the others lie near 1. What comes out is
    compared with the same numbers in a wider type, unless that one is too narrow, too.
    """
    wide = np.longdouble if dtype is np.float64 else np.float64
    for size in sizes(dtype):
        for special in (None, *range(how_many(name))):
            try:
                results = quietly(name, Maker(dtype, size, special))
            except OverflowError as error:
                assert re.match(r"[\w.]+\(\w+, .*\): \w", str(error))
                continue
            assert all(np.isfinite(x).all() for x in results), (size, special)
            if name in NO_DIGITS:
                continue
            try:
                same = Maker(dtype, size, special, lambda x: x.astype(wide))
                right = quietly(name, same)
            except OverflowError:
                continue
            for x, y in zip(results, right, strict=True):
                assert_close(x.astype(wide), y, 0.03, f"{size:.1e}, {special}")


def test_what_leaves_the_range_is_found():
    """Red: the test above passes since no argument is large enough for an error."""
    copied = {"split_heads", "merge_heads", "repeat_heads"}
    for name in CALLS.keys() - copied - {"softmax"}:
        with pytest.raises(OverflowError):
            quietly(name, Maker(np.float64, sizes(np.float64)[0]))
    for name in copied | {"softmax"}:
        quietly(name, Maker(np.float64, sizes(np.float64)[0]))


def float16_block(**values):
    """Return the parameters of a block, all zeros besides the ones that are given."""
    shapes = {name: (4, 4) if name[0] == "W" else (4,) for name in NAMES} | SHAPES
    return {
        name: np.full(shapes[name], values.get(name, 0), np.float16) for name in NAMES
    }


def test_a_sum_that_leaves_the_range_is_found():
    """Red: x or a gradient plus what a layer adds is ±∞, or score plus mask is −∞."""
    x = np.array([[100, 50, 20, 0]], np.float16)
    with pytest.raises(OverflowError, match=r"^block\(.*: overflow"):
        block(x, float16_block(b2=65504), 2)
    x, d = np.array([[1, 1, 1, 0], [65504, 0, 0, 0]], np.float16)[:, None]
    P = float16_block(gamma2=1, b1=0.3, W2=0.01)
    P["W1"][0], P["W1"][-1] = 0.1, -0.1
    assert all(np.isfinite(y).all() for y in arrays_in(block_backward(x, P, 2, d / 2)))
    with pytest.raises(OverflowError, match=r"^block_backward\(.*: overflow"):
        block_backward(x, P, 2, d)
    with pytest.raises(OverflowError, match=r"^attention\(.*: overflow"):
        attention([[1]], [[-1e308], [0]], [[1], [9]], mask=[[-1e308, -1]])


# ---- what looks like an array of numbers


class Holder:
    """An array inside something else, as a table's column is."""

    def __init__(self, x):
        self.x = x

    def __array__(self, dtype=None, copy=None):
        return np.array(self.x, dtype=dtype)


def masked(x):
    """Return x with its last entry masked."""
    hidden = np.zeros(x.shape, bool)
    hidden.flat[-1] = True
    return np.ma.array(x, mask=hidden)


FORMS = {
    "list": lambda x: x.tolist(),
    "tuple of rows": tuple,
    "holder": Holder,
    "longdouble": lambda x: x.astype(np.longdouble),
    "big-endian": lambda x: x.astype(">f8"),
    "nothing masked": lambda x: np.ma.array(x, mask=False),
    "matrix": lambda x: x if x.ndim != 2 else x.view(np.matrix),
}
NO_NUMBERS = {
    "masked": (masked, "masked entries"),
    "rows of it masked": (lambda x: list(masked(x)), "masked entries"),
    "Fractions": (lambda x: x.astype(object) + Fraction(0), "dtype object"),
    "complex": (lambda x: x + 0j, "dtype complex128"),
    "texts": (lambda x: x.astype(str), "dtype <U"),
    "structured": (lambda x: x.astype([("a", float)]), r"dtype \[\('a'"),
    "times": (lambda x: x.astype("m8[s]"), "dtype timedelta64"),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", CALLS)
def test_numbers_in_any_form_give_the_same(name, form):
    """Red: a form of the same numbers is refused, or changes a result or its type."""
    right = quietly(name, Maker(np.float64))
    for special in range(how_many(name)):
        ours = quietly(name, Maker(np.float64, 1, special, FORMS[form]))
        for x, y in zip(ours, right, strict=True):
            assert type(x) is type(y)
            assert_close(x, y, 1e-12)


@pytest.mark.parametrize("form", NO_NUMBERS)
@pytest.mark.parametrize("name", CALLS)
def test_what_holds_no_numbers_is_refused_by_its_name(name, form):
    """Red: a mask, a unit or a second part of the numbers is dropped in silence."""
    change, words = NO_NUMBERS[form]
    arguments = {"X", *NAMES, "gradients['Wq']"}
    for parameter in inspect.signature(FUNCTIONS[name]).parameters:
        arguments.add(parameter)
    for special in range(how_many(name)):
        with pytest.raises((TypeError, ValueError), match=words) as caught:
            quietly(name, Maker(np.float64, 1, special, change))
        assert str(caught.value).split(" has ")[0] in arguments
