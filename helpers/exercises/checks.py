"""Check an answer to an exercise, and name the mistake.

    from helpers.exercises import check
    check.softmax(my_softmax)

An answer is tried on inputs that tell the mistakes apart. The smallest input on which
it is wrong decides: a known mistake that is wrong there in the same way gives its name.
For a value the right one is never said, for a function it is: a number of an example
does not give the function away.

`run` tries an answer and knows the inputs alone; `decide` compares what came of it with
what is right. So an answer can be run where nothing right is to be found.

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
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np

from helpers.arrays import Array
from helpers.exercises import progress
from helpers.exercises.catalogue import (
    CHANGED,
    EXERCISES,
    FOR_TAG,
    NO_FRACTIONS,
    NO_INFINITY,
)
from helpers.exercises.model import (
    PAGE_SEED,
    Case,
    Drawn,
    Exercise,
    FormError,
    Mistake,
    Outcome,
    Stopped,
)
from helpers.language import fold, say

LIMIT = 5.0  # seconds
FLOAT32 = 1e-5  # how far an answer in float32 may be off
NEARLY = 0.02  # how far, relatively, a value is off that only lacks digits
LARGEST = 12  # an array with more entries is not printed in full
HUGE = 100_000  # no right answer has as many entries
PLACES = {
    1: "entry {i}",
    2: "row {i}, column {j}",
    3: "matrix {h}, row {i}, column {j}",
}
VALUE = (Case(()),)  # the one input of an answer that is a value


@dataclass(frozen=True)
class Verdict:
    """What a check found.

    Attributes
    ----------
    kind : "right", "unsolved", "mistake", "wrong", "error", "endless" or "form".
    text : what is printed.
    name : of the mistake, if it has one.
    """

    kind: str
    text: str
    name: str = ""


class Check:
    """One method for each exercise: `check.softmax(my_softmax)`."""

    def __getattr__(self, name: str) -> Callable[[Any], None]:
        """Return the check of one exercise, with its task as the docstring."""
        if name.startswith("_") or name not in EXERCISES:
            raise AttributeError(f"no exercise is called {name!r}")

        def check_one(answer: Any) -> None:
            verdict = judge(name, answer)
            print(verdict.text)
            if verdict.kind == "right" and (message := progress.record(name)):
                print(message)

        check_one.__name__ = name
        exercise = EXERCISES[name]
        check_one.__doc__ = say(exercise.asked, **exercise.numbers)
        return check_one

    def __dir__(self) -> list[str]:
        """Name the exercises, for completion."""
        return sorted(EXERCISES)


check = Check()


def judge(name: str, answer: Any, seed: int = PAGE_SEED) -> Verdict:
    """Say what is right or wrong with an answer, and print nothing.

    Parameters
    ----------
    name : of the exercise.
    answer : a value or a function, as the exercise asks.
    seed : of the numbers that it was asked with.
    """
    cases = EXERCISES[name].at(seed).cases
    return decide(name, run(name, answer, cases), seed)


def run(name: str, answer: Any, cases: Sequence[Case] = ()) -> list[Outcome]:
    """Try an answer on each case, and look at what became of it.

    Parameters
    ----------
    name : of the exercise.
    answer : a value or a function, as the exercise asks.
    cases : what a function is tried on; none for a value.

    Returns
    -------
    outcomes : one for each case; fewer if the answer had to be stopped.
    """
    exercise = EXERCISES[name]
    if _is_empty(answer):
        return [Outcome(empty=True)]
    if cases and not callable(answer):
        error = FormError(
            "Give the function itself: check.{name}({function}).",
            name=name,
            function=exercise.title,
        )
        return [Outcome(form=error)]
    if not cases and callable(answer):
        return [Outcome(form=FormError("Give the result, a value, not a function."))]
    return _run_with_limit(LIMIT, answer, exercise, cases or VALUE)


def decide(name: str, outcomes: Sequence[Outcome], seed: int = PAGE_SEED) -> Verdict:
    """Compare what became of an answer with what is right, and name the mistake.

    Parameters
    ----------
    name : of the exercise.
    outcomes : what `run` returned for the cases of this seed.
    seed : of the numbers that it was asked with.
    """
    drawn = EXERCISES[name].at(seed)
    right = _try_all(drawn.right, drawn)
    for i, (got, wanted) in enumerate(zip(outcomes, right, strict=False)):
        if got.empty:
            return _returned_nothing(drawn, got)
        if got.changed:
            return _mistake(CHANGED, argument=got.changed)
        if not _same(got, wanted, drawn.exercise.tolerance):
            return _wrong(drawn, outcomes, right, i)
    if len(outcomes) < len(right):
        return _endless(drawn, len(outcomes))
    means = say(drawn.exercise.means, **drawn.numbers)
    return _verdict("right", say("Right. {text}", text=means))


# ---- running


def _try_all(answer: Any, drawn: Drawn) -> list[Outcome]:
    return [_try(answer, case, drawn.exercise) for case in drawn.cases or VALUE]


def _try(answer: Any, case: Case, exercise: Exercise) -> Outcome:
    """Call with a copy of the input, and look at what became of it."""
    args = copy.deepcopy(case.args)
    outcome = Outcome()
    try:
        with np.errstate(all="ignore"):
            value = answer(*args) if case.args else answer
            outcome.empty = _is_empty(value)
            outcome.forgot = outcome.empty and _looks_at_arguments(answer)
            if not outcome.empty:
                outcome.parts = _parts(value, exercise)
    except FormError as error:
        outcome.form = error.with_traceback(None)
    except NotImplementedError:
        outcome.empty = True
    except (Exception, SystemExit) as error:
        outcome.stopped = _stopped(error)
    for name, before, after in zip(exercise.arguments, case.args, args, strict=True):
        if not _unchanged(before, after):
            outcome.changed = name
    return outcome


class _Stop(BaseException):
    """Ends a loop that does not end."""


def _run_with_limit(
    seconds: float, answer: Any, exercise: Exercise, cases: Sequence[Case]
) -> list[Outcome]:
    """Try an answer in a thread of its own, and stop it when the time is over.

    A thread, because it can be stopped on every system, also inside a notebook, and
    because nothing of the reader's interpreter has to be changed and restored.
    """
    outcomes: list[Outcome] = []

    def work() -> None:
        try:
            for case in cases:
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


def _is_empty(value: Any) -> bool:
    return value is None or value is Ellipsis or value is NotImplemented


def _looks_at_arguments(answer: Any) -> bool:
    """Tell a function that forgot its return from a stub, which reads no argument."""
    return isinstance(answer, FunctionType) and any(
        step.opname.startswith(("LOAD_FAST", "LOAD_DEREF"))
        for step in dis.get_instructions(answer)
    )


def _parts(value: Any, exercise: Exercise) -> dict[str, Array]:
    """Return what an answer consists of, by name, as arrays of numbers."""
    if exercise.read is not None:
        try:
            value = exercise.read(value)
        except (TypeError, ValueError):
            raise FormError("This is not the kind of answer that is needed.") from None
    if isinstance(value, dict) and (exercise.arguments or exercise.read):
        return {str(name): _numbers(x) for name, x in value.items()}
    if not exercise.returns:
        return {"": _numbers(value)}
    names = exercise.returns
    if not isinstance(value, tuple | list) or len(value) != len(names):
        raise FormError("Return {n} things: {names}.", n=len(names), names=names)
    return {name: _numbers(x) for name, x in zip(names, value, strict=True)}


def _numbers(value: Any) -> Array:
    try:
        array = np.array(value)
    except ValueError:
        raise FormError("The rows of your answer have different lengths.") from None
    except Exception as error:  # an array of another library that will not be read
        raise FormError(
            "Your answer cannot be read as numbers: {error}", error=_described(error)
        ) from None
    if array.dtype.kind not in "biuf":
        raise FormError(
            "It should be numbers; your answer is {answer}.",
            answer=_cut(repr(value), 60),
        )
    return array


def _stopped(error: BaseException) -> Stopped:
    """Return what was raised, and in which line of the reader's own."""
    file, line, trace = "", None, error.__traceback__
    while trace:
        name = trace.tb_frame.f_code.co_filename
        if name != __file__ and file in ("", name):  # below it are a library's lines
            file, line = name, trace.tb_lineno
        trace = trace.tb_next
    if line is None:
        return Stopped(_described(error))
    return Stopped(_described(error), line, linecache.getline(file, line).strip())


def _described(error: BaseException) -> str:
    return _cut(f"{type(error).__name__}: {error}", 200)


# ---- comparing


def _same(got: Outcome, wanted: Outcome, tolerance: float) -> bool:
    if got.stopped or wanted.stopped:
        return _error(got) == _error(wanted)
    if got.form or wanted.form:
        return _reason(got) == _reason(wanted)
    return got.parts.keys() == wanted.parts.keys() and all(
        _close(got.parts[name], part, tolerance) for name, part in wanted.parts.items()
    )


def _error(outcome: Outcome) -> str:
    return outcome.stopped.error if outcome.stopped else ""


def _reason(outcome: Outcome) -> tuple[str, object]:
    return (outcome.form.text, outcome.form.values) if outcome.form else ("", {})


def _close(got: Array, wanted: Array, tolerance: float) -> bool:
    if got.shape != wanted.shape or (got.dtype == bool) != (wanted.dtype == bool):
        return False
    return not _far(got, wanted, tolerance).any()


def _far(got: Array, wanted: Array, tolerance: float) -> Array:
    """Return where two arrays of one shape differ."""
    if any(x.dtype.kind == "f" and x.dtype.itemsize < 8 for x in (got, wanted)):
        tolerance = max(tolerance, FLOAT32)
    a, b = got.astype(float), wanted.astype(float)
    size = np.abs(b[np.isfinite(b)]).max(initial=1)
    return np.asarray(~np.isclose(a, b, rtol=0, atol=tolerance * size, equal_nan=True))


def _distance(got: Outcome, wanted: Outcome) -> float:
    """Return the largest difference of two outcomes whose shapes agree."""
    pairs = [(got.parts[name].astype(float), x) for name, x in wanted.parts.items()]
    with np.errstate(invalid="ignore"):
        off = [np.nan_to_num(np.abs(a - b)).max(initial=0) for a, b in pairs]
    return float(max(off, default=0.0))


def _unchanged(before: Any, after: Any) -> bool:
    if isinstance(before, dict):
        return before.keys() == after.keys() and all(
            _unchanged(before[name], after[name]) for name in before
        )
    return np.array_equal(before, after)


def _named(drawn: Drawn, outcomes: Sequence[Outcome], i: int) -> Mistake | None:
    """Find the mistake that goes wrong on the same input, in the same way.

    On the inputs before that it has to be right, as the answer was. Of several, the
    nearest; for a function they agree to rounding, and the first counts.
    """
    exercise = drawn.exercise
    near = exercise.tolerance if drawn.cases else max(exercise.tolerance, exercise.near)
    found = []
    for mistake in drawn.mistakes:
        wrong = _try_all(mistake.answer, drawn)
        so_far = zip(outcomes[: i + 1], wrong[: i + 1], strict=True)
        if all(_same(a, b, near) for a, b in so_far):
            off = 0.0 if drawn.cases else _distance(outcomes[i], wrong[i])
            found.append((off, mistake))
    return min(found, key=lambda pair: pair[0])[1] if found else None


# ---- saying what is wrong


def _verdict(kind: str, *paragraphs: str, name: str = "") -> Verdict:
    lines = [line for paragraph in paragraphs for line in paragraph.split("\n")]
    folded = [
        fold(line, indent="  " if line[:1] == " " else "") for line in lines if line
    ]
    return Verdict(kind, "\n".join(folded), name)


def _returned_nothing(drawn: Drawn, got: Outcome) -> Verdict:
    if got.forgot:
        text = say("Not yet: your function returns nothing. Is the return missing?")
        return _verdict("form", text, name="return missing")
    asked = say(drawn.exercise.asked, **drawn.numbers)
    return _verdict("unsolved", say("Not solved yet: {asked}", asked=asked))


def _mistake(mistake: Mistake, *shown: str, **values: Any) -> Verdict:
    text = say(mistake.text, **values)
    name = say(mistake.name, context="mistake")
    first = say("Not yet: {name}. {text}", name=name, text=text)
    return _verdict("mistake", first, *shown, name=mistake.name)


def _endless(drawn: Drawn, i: int) -> Verdict:
    return _verdict(
        "endless",
        say(
            "Not yet: your function was stopped, it did not finish within {limit} "
            "seconds. Is there a loop that never ends? (If the notebook stays slow, "
            "restart the kernel.) It was tried on",
            limit=f"{LIMIT:g}",
        ),
        *_input(drawn, i),
    )


def _wrong(
    drawn: Drawn, outcomes: Sequence[Outcome], right: Sequence[Outcome], i: int
) -> Verdict:
    got, wanted, shown = outcomes[i], right[i], []
    where = _where(got, wanted, drawn.exercise.tolerance) if drawn.cases else ""
    if where:
        shown = [say("{where}, with", where=where), *_input(drawn, i)]
    if mistake := _named(drawn, outcomes, i):
        return _mistake(mistake, *shown, **drawn.numbers)
    if got.form:
        return _form(got.form)
    tag = drawn.cases[i].tag if drawn.cases else ""
    if got.stopped:
        first = _raised(got.stopped, drawn.exercise)
        tried = say("It was tried on"), *_input(drawn, i)
        if tag:
            return _mistake(_of_tag(tag, got.stopped.error), first, *tried)
        return _verdict("error", say("Not yet. {text}", text=first), *tried)
    if tag:
        return _mistake(_of_tag(tag, ""), *shown)
    if not drawn.cases:
        hint = say("That is not it.")
        if drawn.exercise.read is None:
            hint = _hint(got.parts[""], wanted.parts[""])
        return _verdict("wrong", say("Not yet. {text}", text=hint))
    return _verdict(
        "wrong",
        say("Not yet. The smallest input on which your function is wrong:"),
        *_input(drawn, i),
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


def _form(error: FormError) -> Verdict:
    values: dict[str, Any] = {
        name: say(", ").join(value) if isinstance(value, tuple) else value
        for name, value in error.values.items()
    }
    return _verdict("form", say("Not yet. {text}", text=say(error.text, **values)))


def _of_tag(tag: str, error: str) -> Mistake:
    """Return what a function cannot do that is wrong on such an input first."""
    if tag == "integers" and error.startswith("OverflowError"):
        return NO_INFINITY
    if tag == "integers" and "Cannot cast ufunc" in error:
        return NO_FRACTIONS
    return FOR_TAG[tag]


def _hint(got: Array, wanted: Array) -> str:
    """Say of a value that it is wrong, and never what it should be."""
    if _nearly(got, wanted):
        short = _shortened(got, wanted)
        return say("Nearly: give more digits." if short else "Nearly, but not exactly.")
    if got.shape == wanted.shape:
        return say("That is not it.")
    if wanted.shape == ():
        return say("The answer is one number.")
    if len(wanted.shape) == 1:
        return say("The answer has {n} numbers.", n=wanted.shape[0])
    return say("The answer has {n} rows.", n=wanted.shape[0])


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


def _where(got: Outcome, wanted: Outcome, tolerance: float) -> str:
    """Name the first number that differs, what it should be and what it is."""
    if got.stopped or got.form:
        return ""
    # The last result first: functions return (output, weights), and the weights, made
    # before the output, show where it went wrong.
    for name, b in reversed(wanted.parts.items()):
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
        far = _far(a, b, tolerance)
        if far.any():
            place = tuple(int(n[0]) for n in np.nonzero(far)) if b.ndim else ()
            should, yours = _told_apart(b[place], a[place])
            return say(
                "{part} should be {wanted}; yours is {got}",
                part=_name_of_place(name, place),
                wanted=should,
                got=yours,
            )
    return ""


def _subject(name: str) -> str:
    return name or say("The result")


def _name_of_place(name: str, place: tuple[int, ...]) -> str:
    if not place:
        return _subject(name)
    names = {1: "i", 2: "ij", 3: "hij"}.get(len(place), "")
    values: dict[str, Any] = {"i": place}
    if names:
        values = dict(zip(names, place, strict=True))
    said = say(PLACES[len(place) if names else 1], **values)
    return say(", ").join([name, said]) if name else said[0].upper() + said[1:]


def _told_apart(should: Any, yours: Any) -> tuple[str, str]:
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


def _input(drawn: Drawn, i: int) -> list[str]:
    names, cases = drawn.exercise.arguments, drawn.cases or VALUE
    return [f"  {n} = {_text(x)}" for n, x in zip(names, cases[i].args, strict=True)]


def _raised(stopped: Stopped, exercise: Exercise) -> str:
    if stopped.line is None:
        return say(
            "Your function stopped with {error}. It is called as {call}.",
            error=stopped.error,
            call=exercise.call,
        )
    return say(
        "Your function stopped with {error}, in your line {n}: {line}",
        error=stopped.error,
        n=stopped.line,
        line=stopped.source,
    )
