"""Check an answer to an exercise, and name the mistake.

    from helpers.checks import check
    check.softmax(my_softmax)

An answer is tried on inputs that tell the mistakes apart. The smallest input on which
it is wrong decides: a known mistake that is wrong there in the same way gives its name.
For a value the right one is never said, for a function it is: a number of an example
does not give the function away.

A Python loop that does not end is stopped after 5 seconds. Not guarded against: an
answer that uses up the memory, and one that crashes or never leaves native code.
"""

import contextvars
import copy
import ctypes
import dis
import linecache
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

import numpy as np

from helpers import progress
from helpers.catalogue import EXERCISES
from helpers.core import Array
from helpers.exercises import Case, Exercise, FormError, Mistake
from helpers.language import fold, say

LIMIT = 5.0  # seconds
FLOAT32 = 1e-5  # how far an answer in float32 may be off
NEARLY = 0.02  # how far, relatively, a value is off that only lacks digits
LARGEST = 12  # an array with more entries is not printed in full
HUGE = 100_000  # no right answer has as many entries

CHANGED = Mistake(
    "input modified in place",
    None,
    "Your function changes {argument}, which belongs to the caller: the next line that "
    "uses it gets other numbers. Make a new array; -=, /= and [...] = work in the old "
    "one.",
)
FOR_TAG = {
    "wide": Mistake(
        "works only for square matrices",
        None,
        "Right for a square matrix, and not for this one, whose axes have different "
        "lengths.",
    ),
    "batch": Mistake(
        "works only for 2-D",
        None,
        "Right for one matrix, and not for a batch, which has one more axis on the "
        "left. Count axes from the end, axis=-1 and swapaxes(-1, -2) instead of .T, or "
        "use @ in place of loops and np.dot.",
    ),
    "integers": Mistake(
        "integer input truncated",
        None,
        "Right for floats, and not for whole numbers. An array made like an integer "
        "one, with zeros_like for instance, cuts the decimals off.",
    ),
    "large": Mistake(
        "breaks for large scores", None, "Right for small scores, and not for these."
    ),
}

NO_INFINITY = Mistake(
    "whole numbers cannot hold −∞",
    None,
    "Right for floats. An array of whole numbers has no place for -np.inf: make a copy "
    "that holds floats, scores.astype(float).",
)
NO_FRACTIONS = Mistake(
    "whole numbers cannot be changed by fractions in place",
    None,
    "Right for floats. -=, *= and /= work in the old array, and one of whole numbers "
    "has no place for fractions: NumPy refuses. Make a new array, or a copy that holds "
    "floats, with .astype(float).",
)
PLACES = {
    1: "entry {i}",
    2: "row {i}, column {j}",
    3: "matrix {h}, row {i}, column {j}",
}


@dataclass(frozen=True)
class Verdict:
    """What a check found.

    Attributes
    ----------
    kind : "right", "unsolved", "mistake", "wrong", "error", "endless" or "form".
    name : of the mistake, if it has one.
    text : what is printed.
    """

    kind: str
    text: str
    name: str = ""


@dataclass
class Outcome:
    """What a function did with one input."""

    parts: dict[str, Array] = field(default_factory=dict)
    error: BaseException | None = None
    changed: str = ""  # the argument that is no longer what it was
    empty: bool = False  # it returned None, ..., or raised NotImplementedError


class Check:
    """One method for each exercise: `check.softmax(my_softmax)`."""

    def __getattr__(self, name: str) -> Callable[[Any], None]:
        """Return the check of one exercise."""
        if name.startswith("_") or name not in EXERCISES:
            raise AttributeError(f"no exercise is called {name!r}")

        def check_one(answer: Any) -> None:
            verdict = judge(name, answer)
            print(verdict.text)
            if verdict.kind == "right" and (message := progress.record(name)):
                print(message)

        check_one.__name__ = name
        check_one.__doc__ = say(EXERCISES[name].asked)
        return check_one

    def __dir__(self) -> list[str]:
        """Name the exercises, for completion."""
        return sorted(EXERCISES)


check = Check()


def judge(name: str, answer: Any) -> Verdict:
    """Say what is right or wrong with an answer, and print nothing.

    Parameters
    ----------
    name : of the exercise.
    answer : a value or a function, as the exercise asks.
    """
    exercise = EXERCISES[name]
    if _is_empty(answer):
        return _unsolved(exercise)
    if exercise.cases and not callable(answer):
        return _said(
            "form",
            say(
                "Give the function itself: check.{name}({function}).",
                name=name,
                function=_title(exercise),
            ),
        )
    if not exercise.cases and callable(answer):
        return _said("form", say("Give the result, a value, not a function."))
    outcomes = _within(LIMIT, answer, exercise)
    right = _try_all(exercise.right, exercise)
    for i, (got, wanted) in enumerate(zip(outcomes, right, strict=False)):
        if got.empty:
            return _returns_nothing(answer, exercise)
        if got.changed:
            return _modified(got.changed, exercise)
        if not _same(got, wanted, exercise.tolerance):
            return _wrong(exercise, outcomes, right, i)
    if len(outcomes) < len(right):
        return _endless(exercise, len(outcomes))
    return _said("right", say("Right. {text}", text=say(exercise.means)))


# ---- running


def _cases(exercise: Exercise) -> tuple[Case, ...]:
    return exercise.cases or (Case(()),)


def _try_all(answer: Any, exercise: Exercise) -> list[Outcome]:
    return [_try(answer, case, exercise) for case in _cases(exercise)]


def _try(answer: Any, case: Case, exercise: Exercise) -> Outcome:
    """Call with a copy of the input, and look at what became of it."""
    args = copy.deepcopy(case.args)
    outcome = Outcome()
    try:
        with np.errstate(all="ignore"):
            value = answer(*args) if exercise.cases else answer
            outcome.empty = _is_empty(value)
            if not outcome.empty:
                outcome.parts = _parts(value, exercise)
    except NotImplementedError:
        outcome.empty = True
    except (Exception, SystemExit) as error:
        outcome.error = error
    for name, before, after in zip(exercise.arguments, case.args, args, strict=True):
        if not _unchanged(before, after):
            outcome.changed = name
    return outcome


class _Stop(BaseException):
    """Ends a loop that does not end."""


def _within(seconds: float, answer: Any, exercise: Exercise) -> list[Outcome]:
    """Try an answer in a thread of its own, and stop it when the time is over.

    A thread, because it can be stopped on every system, also inside a notebook, and
    because nothing of the reader's interpreter has to be changed and restored.
    """
    outcomes: list[Outcome] = []

    def work() -> None:
        try:
            for case in _cases(exercise):
                outcomes.append(_try(answer, case, exercise))
                if sum(part.size for part in outcomes[-1].parts.values()) > HUGE:
                    return  # wrong for sure; do not gather more of it
        except BaseException:
            pass  # stopped, or interrupted: the outcomes so far are there

    context = contextvars.copy_context()
    thread = threading.Thread(target=context.run, args=(work,), daemon=True)
    thread.start()
    try:
        thread.join(seconds)
    finally:
        _stop(thread)
    return list(outcomes)


def _stop(thread: threading.Thread) -> None:
    """Raise in another thread; again, if its code catches everything."""
    end = time.monotonic() + 1
    while thread.is_alive() and time.monotonic() < end:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(thread.ident or 0), ctypes.py_object(_Stop)
        )
        thread.join(0.02)


# ---- comparing


def _is_empty(value: Any) -> bool:
    return value is None or value is Ellipsis or value is NotImplemented


def _parts(value: Any, exercise: Exercise) -> dict[str, Array]:
    """Return what an answer consists of, by name, as arrays of numbers."""
    if exercise.read is not None:
        try:
            value = exercise.read(value)
        except (TypeError, ValueError):
            raise FormError(
                say("This is not the kind of answer that is needed.")
            ) from None
    if isinstance(value, dict) and (exercise.cases or exercise.read):
        return {str(name): _numbers(x) for name, x in value.items()}
    if not exercise.returns:
        return {"": _numbers(value)}
    names = exercise.returns
    if not isinstance(value, tuple | list) or len(value) != len(names):
        raise FormError(
            say(
                "Return {n} things: {names}.", n=len(names), names=say(", ").join(names)
            )
        )
    return {name: _numbers(x) for name, x in zip(names, value, strict=True)}


def _numbers(value: Any) -> Array:
    try:
        array = np.array(value)
    except ValueError:
        raise FormError(
            say("The rows of your answer have different lengths.")
        ) from None
    if array.dtype.kind not in "biuf":
        raise FormError(
            say(
                "It should be numbers; your answer is {answer}.",
                answer=_cut(repr(value), 60),
            )
        )
    return array


def _same(got: Outcome, wanted: Outcome, tolerance: float) -> bool:
    if got.error or wanted.error:
        return type(got.error) is type(wanted.error) and str(got.error) == str(
            wanted.error
        )
    return got.parts.keys() == wanted.parts.keys() and all(
        _close(got.parts[name], part, tolerance) for name, part in wanted.parts.items()
    )


def _close(got: Array, wanted: Array, tolerance: float) -> bool:
    if got.shape != wanted.shape or (got.dtype == bool) != (wanted.dtype == bool):
        return False
    return not _far(got, wanted, tolerance).any()


def _far(got: Array, wanted: Array, tolerance: float) -> Array:
    """Return where two arrays of one shape differ."""
    if got.dtype.kind == "f" and got.dtype.itemsize < 8:
        tolerance = max(tolerance, FLOAT32)
    a, b = got.astype(float), wanted.astype(float)
    size = np.abs(b[np.isfinite(b)]).max(initial=1)
    return np.asarray(~np.isclose(a, b, rtol=0, atol=tolerance * size, equal_nan=True))


def _unchanged(before: Any, after: Any) -> bool:
    if isinstance(before, dict):
        return before.keys() == after.keys() and all(
            _unchanged(before[name], after[name]) for name in before
        )
    return np.array_equal(before, after)


# ---- saying what is wrong


def _said(kind: str, *paragraphs: str, name: str = "") -> Verdict:
    lines = [line for paragraph in paragraphs for line in paragraph.split("\n")]
    folded = [
        fold(line, indent="  " if line[:1] == " " else "") for line in lines if line
    ]
    return Verdict(kind, "\n".join(folded), name)


def _unsolved(exercise: Exercise) -> Verdict:
    return _said("unsolved", say("Not solved yet: {asked}", asked=say(exercise.asked)))


def _returns_nothing(answer: Any, exercise: Exercise) -> Verdict:
    """Tell a stub, which reads no argument, from a forgotten return."""
    if isinstance(answer, FunctionType):
        for step in dis.get_instructions(answer):
            if step.opname.startswith(("LOAD_FAST", "LOAD_DEREF")):
                text = say(
                    "Not yet: your function returns nothing. Is the return missing?"
                )
                return _said("form", text, name="return missing")
    return _unsolved(exercise)


def _modified(argument: str, exercise: Exercise) -> Verdict:
    return _said(
        "mistake",
        _not_yet(CHANGED, argument=argument),
        name=CHANGED.name,
    )


def _endless(exercise: Exercise, i: int) -> Verdict:
    return _said(
        "endless",
        say(
            "Not yet: your function was stopped, it did not finish within {limit} "
            "seconds. Is there a loop that never ends? (If the notebook stays slow, "
            "restart the kernel.) It was tried on",
            limit=f"{LIMIT:g}",
        ),
        *_input(exercise, i),
    )


def _wrong(
    exercise: Exercise, outcomes: list[Outcome], right: list[Outcome], i: int
) -> Verdict:
    got, wanted, case = outcomes[i], right[i], _cases(exercise)[i]
    where = _where(exercise, got, wanted) if exercise.cases else ""
    if mistake := _named(exercise, outcomes, i):
        text = _not_yet(mistake)
        shown = [say("{where}, with", where=where), *_input(exercise, i)]
        shown = shown if where else []
        return _said("mistake", text, *shown, name=mistake.name)
    if isinstance(got.error, FormError):
        return _said("form", say("Not yet. {text}", text=got.error))
    if case.tag:
        mistake = FOR_TAG[case.tag]
        if case.tag == "integers" and isinstance(got.error, OverflowError):
            mistake = NO_INFINITY
        elif case.tag == "integers" and "Cannot cast ufunc" in str(got.error):
            mistake = NO_FRACTIONS
        shown = [say("{where}, with", where=where), *_input(exercise, i)]
        if got.error:
            shown = _stopped(got.error, exercise, i)
        return _said("mistake", _not_yet(mistake), *shown, name=mistake.name)
    if got.error:
        first, *shown = _stopped(got.error, exercise, i)
        return _said("error", say("Not yet. {text}", text=first), *shown)
    if not exercise.cases:
        hint = _hint(exercise, got, wanted)
        return _said("wrong", say("Not yet. {text}", text=hint))
    return _said(
        "wrong",
        say("Not yet. The smallest input on which your function is wrong:"),
        *_input(exercise, i),
        *(
            "  " + say("expected {answer}", answer=_labelled(name, x))
            for name, x in wanted.parts.items()
        ),
        *(
            "  " + say("got {answer}", answer=_labelled(name, x))
            for name, x in got.parts.items()
        ),
        say("{where}.", where=where) if where else "",
    )


def _hint(exercise: Exercise, got: Outcome, wanted: Outcome) -> str:
    """Say of a value that it is wrong, and never what it should be."""
    shapes = got.parts[""].shape, wanted.parts[""].shape
    if not exercise.read and _nearly(got.parts[""], wanted.parts[""]):
        short = _shortened(got.parts[""], wanted.parts[""])
        return say("Nearly: give more digits." if short else "Nearly, but not exactly.")
    if exercise.read or shapes[0] == shapes[1]:
        return say("That is not it.")
    if shapes[1] == ():
        return say("The answer is one number.")
    if len(shapes[1]) == 1:
        return say("The answer has {n} numbers.", n=shapes[1][0])
    return say("The answer has {n} rows.", n=shapes[1][0])


def _not_yet(mistake: Mistake, **values: Any) -> str:
    name, text = say(mistake.name, context="mistake"), say(mistake.text, **values)
    return say("Not yet: {name}. {text}", name=name, text=text)


def _nearly(got: Array, wanted: Array) -> bool:
    """Tell a value that is nearly right; whole numbers have no digits to add."""
    if got.shape != wanted.shape or (wanted == wanted.round()).all():
        return False
    off = np.abs(got.astype(float) - wanted)
    return bool(((off <= NEARLY * np.abs(wanted)) | (got == wanted.round(2))).all())


def _shortened(got: Array, wanted: Array) -> bool:
    """Tell a right value that was rounded, or cut off, after some digit."""
    short = np.zeros(wanted.shape, dtype=bool)
    for digits in range(7):
        scaled = wanted * 10.0**digits
        for cut in (np.round(scaled), np.trunc(scaled)):
            short |= np.isclose(got, cut / 10.0**digits, rtol=0, atol=1e-9)
    return bool(short.all())


def _named(exercise: Exercise, outcomes: list[Outcome], i: int) -> Mistake | None:
    """Find the first mistake that goes wrong on the same input, in the same way.

    On the inputs before that it has to be right, as the answer was.
    """
    near = (
        exercise.tolerance if exercise.cases else max(exercise.tolerance, exercise.near)
    )
    for mistake in exercise.mistakes:
        wrong = _try_all(mistake.answer, exercise)
        so_far = zip(outcomes[: i + 1], wrong[: i + 1], strict=True)
        if all(_same(a, b, near) for a, b in so_far):
            return mistake
    return None


def _where(exercise: Exercise, got: Outcome, wanted: Outcome) -> str:
    """Name the first number that differs, what it should be and what it is."""
    if got.error:
        return ""
    for name, b in reversed(wanted.parts.items()):  # what comes last was made first
        a = got.parts.get(name)
        if a is None:
            return say("{part} is missing", part=_subject(name))
        if a.shape != b.shape:
            return say(
                "{part} should have shape {wanted}; yours has {got}",
                part=_subject(name),
                wanted=b.shape,
                got=a.shape,
            )
        if a.dtype.kind != b.dtype.kind and bool in (a.dtype, b.dtype):
            kinds = say("numbers"), say("True and False")
            return say(
                "{part} should hold {wanted}; yours holds {got}",
                part=_subject(name),
                wanted=kinds[b.dtype == bool],
                got=kinds[a.dtype == bool],
            )
        far = _far(a, b, exercise.tolerance)
        if far.any():
            place = tuple(int(n[0]) for n in np.nonzero(far)) if b.ndim else ()
            should, yours = _apart(b[place], a[place])
            return say(
                "{part} should be {wanted}; yours is {got}",
                part=_place(name, place),
                wanted=should,
                got=yours,
            )
    return ""


def _subject(name: str) -> str:
    return name or say("The result")


def _place(name: str, place: tuple[int, ...]) -> str:
    if not place:
        return _subject(name)
    names = {1: "i", 2: "ij", 3: "hij"}.get(len(place), "")
    values = dict(zip(names, place, strict=True)) if names else {"i": place}
    said = say(PLACES[len(place) if names else 1], **values)
    return say(", ").join([name, said]) if name else said[0].upper() + said[1:]


def _apart(should: Any, yours: Any) -> tuple[str, str]:
    """Write two numbers with as many digits as it takes to tell them apart."""
    if isinstance(should, np.bool):
        return str(should), str(yours)
    for digits in (3, 6, 9, 12):
        a, b = _number(should, digits), _number(yours, digits)
        if a != b:
            break
    return a, b


def _number(x: float, digits: int = 4) -> str:
    return (
        f"{round(float(x), 12) + 0.0:.{digits}g}" if np.isfinite(x) else str(float(x))
    )


def _text(x: Any) -> str:
    """Write a small array in full, and of a large one the shape."""
    if isinstance(x, dict):
        return "{" + ", ".join(f"{k}: {_text(v)}" for k, v in x.items()) + "}"
    array = np.asarray(x)
    if array.size > LARGEST:
        return say("an array of shape {shape}", shape=array.shape)
    if array.ndim:
        return "[" + ", ".join(_text(row) for row in array) + "]"
    return str(array) if array.dtype == bool else _number(float(array))


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[:length]} …"


def _labelled(name: str, x: Array) -> str:
    return f"{name} = {_text(x)}" if name else _text(x)


def _input(exercise: Exercise, i: int) -> list[str]:
    args = _cases(exercise)[i].args
    names = exercise.arguments
    return [f"  {n} = {_text(x)}" for n, x in zip(names, args, strict=True)]


def _title(exercise: Exercise) -> str:
    return exercise.call.partition("(")[0]


def _stopped(error: BaseException, exercise: Exercise, i: int) -> list[str]:
    return [_error(error, exercise), say("It was tried on"), *_input(exercise, i)]


def _error(error: BaseException, exercise: Exercise) -> str:
    """Say what was raised, and in which line of the reader's own."""
    said = _cut(f"{type(error).__name__}: {error}", 200)
    frame, trace = None, error.__traceback__
    trace = trace.tb_next if trace else None  # the first is ours
    while trace:
        code = trace.tb_frame.f_code
        if frame is None or code.co_filename == frame[0]:
            frame = code.co_filename, trace.tb_lineno
        trace = trace.tb_next
    if frame is None:
        return say(
            "Your function stopped with {error}. It is called as {call}.",
            error=said,
            call=exercise.call,
        )
    line = linecache.getline(*frame).strip()
    return say(
        "Your function stopped with {error}, in your line {n}: {line}",
        error=said,
        n=frame[1],
        line=line,
    )
