"""All pages that ask something, in order: each module named eNN_topic is one.

The mistakes that fit any function are here, too.
"""

import pkgutil
import re
from importlib import import_module
from pathlib import Path

from helpers.exercises.model import Mistake, Page

MODULES = sorted(
    module.name
    for module in pkgutil.iter_modules([str(Path(__file__).parent)])
    if re.match(r"e\d\d_", module.name)
)
PAGES: tuple[Page, ...] = tuple(
    import_module(f"helpers.exercises.{name}").PAGE for name in MODULES
)
EXERCISES = {exercise.name: exercise for page in PAGES for exercise in page.exercises}
QUESTIONS = {question.name: question for page in PAGES for question in page.questions}

CHANGED = Mistake(
    "input modified in place",
    None,
    "Your function changes {argument}, which belongs to the caller: the next line "
    "that uses it gets other numbers. Make a new array; -=, /= and [...] = work in "
    "the old one.",
)
FOR_TAG = {  # what an answer does that is wrong on such an input first
    "wide": Mistake(
        "wrong for other lengths",
        None,
        "Right for the inputs before it, and not for this one, whose axes have other "
        "lengths. Is a length written into your code, or taken from the wrong axis?",
    ),
    "other": Mistake(
        "a fixed number",
        None,
        "Right for the inputs before it, and not for this one, in which an argument "
        "that is a number has another value. Is one written into your code?",
    ),
    "decimals": Mistake(
        "decimals lost",
        None,
        "Right for whole numbers, and not for numbers with decimals. Are they rounded "
        "or cut off on the way, by int, round or //?",
    ),
    "negative": Mistake(
        "wrong for negative numbers",
        None,
        "Right for the inputs before it, and not for this one, where whole rows are "
        "negative. Does a search for the largest begin with 0, or is a sign lost?",
    ),
    "batch": Mistake(
        "works only for 2-D",
        None,
        "Right for one matrix, and not for a batch, which has one more axis on the "
        "left. Count axes from the end, axis=-1 and swapaxes(-1, -2) instead of .T, "
        "or use @ in place of loops and np.dot.",
    ),
    "axes": Mistake(
        "works only up to 3-D",
        None,
        "Right for one matrix and for a batch, and not with two axes on the left, as "
        "for a batch with several heads. Count axes from the end: axis=-1 and "
        "swapaxes(-1, -2).",
    ),
    "integers": Mistake(
        "integer input truncated",
        None,
        "Right for floats, and not for whole numbers. An array made like an integer "
        "one, with zeros_like for instance, cuts the decimals off.",
    ),
    "large": Mistake(
        "breaks for large numbers",
        None,
        "Right for small numbers, and not for these.",
    ),
}
NO_INFINITY = Mistake(
    "whole numbers cannot hold −∞",
    None,
    "Right for floats. An array of whole numbers has no place for -np.inf: make a "
    "copy that holds floats, scores.astype(float).",
)
NO_FRACTIONS = Mistake(
    "whole numbers cannot be changed by fractions in place",
    None,
    "Right for floats. -=, *= and /= work in the old array, and one of whole numbers "
    "has no place for fractions: NumPy refuses. Make a new array, or a copy that "
    "holds floats, with .astype(float).",
)
UNSTEADY = Mistake(
    "another result the second time",
    None,
    "The same input, given twice, gave two results. Does your function draw random "
    "numbers, or keep something from one call to the next?",
)
PAGE_READ = Mistake(
    "a variable of the page is read",
    None,
    "What your function returns depends on {names}, which it takes from the page. It "
    "is called with other numbers: {call} may read its arguments alone.",
)
SLIPS = {  # in what way a result can be off on every input, see comparing.Slip
    "sign": Mistake(
        "the wrong sign",
        None,
        "{part}: the size is right, and the sign is not. Is a minus missing, or a "
        "difference taken the wrong way round?",
    ),
    "turned": Mistake(
        "rows and columns exchanged",
        None,
        "{part}: right when it is transposed.",
    ),
    "axis": Mistake(
        "an axis of length 1",
        None,
        "{part}: the numbers are right, and the shape is not, by an axis of length 1. "
        "keepdims=True leaves one, a sum or an index takes one away.",
    ),
    "rounded": Mistake(
        "rounded",
        None,
        "{part}: right, but for rounding (digits after the point: {amount}). Round "
        "what is printed, not what is returned.",
    ),
    "nearly": Mistake(
        "nearly right",
        None,
        "{part}: right to {amount} digits on every input, and not exactly. Was a "
        "constant shortened, or a small number added, such as an ε?",
    ),
    "factor": Mistake(
        "a factor",
        None,
        "{part}: every number is {amount} times what it should be, on every input.",
    ),
    "factors": Mistake(
        "a factor that changes with the input",
        None,
        "{part}: on every input all numbers are off by one factor, here {amount}. Is "
        "it a length, its root, or a number that was given?",
    ),
    "reversed": Mistake(
        "order exchanged",
        None,
        "The numbers are right, and their order is the wrong way round.",
    ),
    "tens": Mistake(
        "the decimal point",
        None,
        "The digits are right, and the decimal point stands in the wrong place. Did "
        "you count in per cent?",
    ),
    "one": Mistake(
        "off by one",
        None,
        "Only one away, in every number. Did you count from 0 or from 1, and are both "
        "ends counted?",
    ),
}
