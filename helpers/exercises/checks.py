"""Check an answer to an exercise, and name the mistake.

    from helpers.exercises import check
    check.softmax(my_softmax)

An answer is tried on inputs that tell the mistakes apart. The smallest input on which
it is wrong decides: a known mistake that is wrong there in the same way gives its name.
Otherwise it is looked for one way in which the answer is off on every input. For a
value the right one is never said, for a function it is: a number of an example does not
give the function away.

`run` tries an answer and knows the inputs alone; `decide` compares what came of it with
what is right. So an answer can be run where nothing right is to be found.
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from helpers.arrays import Array
from helpers.exercises import progress, running
from helpers.exercises.catalogue import (
    CHANGED,
    EXERCISES,
    FOR_TAG,
    NO_FRACTIONS,
    NO_INFINITY,
    PAGE_READ,
    SLIPS,
    UNSTEADY,
)
from helpers.exercises.comparing import Slip, distance, far, same, slip, slip_of_value
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
from helpers.exercises.running import VALUE, try_one
from helpers.language import fold, say

NEARLY = 0.02  # how far, relatively, a value is off that only lacks digits
LARGEST = 12  # an array with more entries is not printed in full
PLACES = {
    1: "entry {i}",
    2: "row {i}, column {j}",
    3: "matrix {h}, row {i}, column {j}",
}
NUMPY = {name: f for name, f in vars(np).items() if name in np.__all__ and callable(f)}


@dataclass(frozen=True)
class Verdict:
    """What a check found.

    Attributes
    ----------
    kind : "right", "unsolved", "mistake", "wrong", "error", "endless" or "form".
    text : what is printed.
    name : of the mistake, if it has one.
    input : the arguments on which the answer is wrong, if it is a function.
    """

    kind: str
    text: str
    name: str = ""
    input: tuple[Any, ...] = ()


class CheckOne:
    """Checks the answers to one exercise: `check.softmax(my_softmax)`."""

    def __init__(self, exercise: Exercise) -> None:
        self.__name__ = exercise.name
        self._input = exercise.at(PAGE_SEED).cases[0].args if exercise.cases else ()

    def __call__(self, answer: Any) -> None:
        """Print what is right or wrong with an answer."""
        verdict = judge(self.__name__, answer)
        self._input = verdict.input or self._input
        print(verdict.text)
        if verdict.kind == "right" and (message := progress.record(self.__name__)):
            print(message)

    @property
    def input(self) -> Any:
        """The input on which the last wrong answer was wrong: one or all arguments.

        Raises
        ------
        AttributeError
            If the exercise asks for a value: that is not tried on an input.
        """
        if not self._input:
            raise AttributeError(f"{self.__name__} asks for a value; it has no input")
        given = copy.deepcopy(self._input)
        return given if len(given) > 1 else given[0]


class Check:
    """One check for each exercise."""

    def __init__(self) -> None:
        self._checks: dict[str, CheckOne] = {}

    def __getattr__(self, name: str) -> CheckOne:
        """Return the check of one exercise, with its task as the docstring."""
        if name.startswith("_") or name not in EXERCISES:
            raise AttributeError(f"no exercise is called {name!r}")
        exercise = EXERCISES[name]
        one = self._checks.setdefault(name, CheckOne(exercise))
        one.__doc__ = say(exercise.asked, **exercise.numbers)
        return one

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
    if replaced := [n for n, f in NUMPY.items() if getattr(np, n, None) is not f]:
        return _form(
            FormError(
                "np.{name} is not NumPy's own any more: a line such as np.{name} = … "
                "was run. Restart the kernel, and give your variable another name.",
                name=replaced[0],
            )
        )
    if _is_ours(answer):
        return _form(FormError("This is the course's function. Give your own."))
    cases = EXERCISES[name].at(seed).cases
    return decide(name, run(name, answer, cases), seed)


def run(name: str, answer: Any, cases: Sequence[Case] = ()) -> list[Outcome]:
    """Try an answer to the exercise of this name, see `running.run`."""
    return running.run(EXERCISES[name], answer, cases)


def decide(name: str, outcomes: Sequence[Outcome], seed: int = PAGE_SEED) -> Verdict:
    """Compare what became of an answer with what is right, and name the mistake.

    Parameters
    ----------
    name : of the exercise.
    outcomes : what `run` returned for the cases of this seed.
    seed : of the numbers that it was asked with.
    """
    drawn = EXERCISES[name].at(seed)
    cases = drawn.cases or VALUE
    right = [try_one(drawn.right, case, drawn.exercise) for case in cases]
    if not drawn.cases:
        outcomes = [_fitted(outcomes[0], right[0])]
    for i, (got, wanted) in enumerate(zip(outcomes, right, strict=False)):
        if got.empty:
            return _returned_nothing(drawn, got)
        if got.changed:
            return _mistake(CHANGED, argument=got.changed)
        if got.unsteady:
            verdict = _mistake(UNSTEADY, *_input(drawn, i))
            return replace(verdict, input=drawn.cases[i].args)
        if not same(got, wanted, drawn.exercise.tolerance):
            verdict = _wrong(drawn, outcomes, right, i)
            return replace(verdict, input=drawn.cases[i].args if drawn.cases else ())
    if len(outcomes) < len(right):
        return _endless(drawn, len(outcomes))
    means = say(drawn.exercise.means, **drawn.numbers)
    return _verdict("right", say("Right. {text}", text=means))


def _fitted(got: Outcome, wanted: Outcome) -> Outcome:
    """Read a value such as [12] as the 12 that it can only mean."""
    if got.parts.keys() != wanted.parts.keys():
        return got
    parts = {
        name: x.reshape(y.shape) if x.squeeze().shape == y.squeeze().shape else x
        for (name, x), y in zip(got.parts.items(), wanted.parts.values(), strict=True)
    }
    return replace(got, parts=parts)


def _named(
    drawn: Drawn, outcomes: Sequence[Outcome], i: int
) -> tuple[Mistake | None, bool]:
    """Find the mistake that goes wrong on the same input, in the same way.

    On the inputs before that it has to be right, as the answer was. Of several, the one
    that agrees on most inputs after it counts, and for a value the nearest.

    Returns
    -------
    mistake : None if there is none.
    everywhere : whether it agrees with the answer on every input.
    """
    exercise = drawn.exercise
    near = exercise.tolerance if drawn.cases else max(exercise.tolerance, exercise.near)
    cases, found = drawn.cases or VALUE, []
    for mistake in drawn.mistakes:
        agreed = off = 0.0
        for j, (got, case) in enumerate(zip(outcomes, cases, strict=False)):
            wrong = try_one(mistake.answer, case, exercise)
            fits = same(got, wrong, near)
            if j <= i and not fits:
                break  # most mistakes are ruled out by the first input
            agreed += fits
            if not drawn.cases:
                off = distance(got, wrong)
        else:
            found.append((agreed, -off, mistake))
    if not found:
        return None, False
    agreed, _, mistake = max(found, key=lambda one: one[:2])
    return mistake, agreed == len(outcomes)


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


def _slipped(way: Slip, *shown: str) -> Verdict:
    """Say in what way results are off on every input."""
    part = say(", ").join(map(_subject, way.parts))
    return _mistake(SLIPS[way.name], *shown, part=part, amount=f"{way.amount:.4g}")


def _endless(drawn: Drawn, i: int) -> Verdict:
    return _verdict(
        "endless",
        say(
            "Not yet: your function was stopped, it did not finish within {limit} "
            "seconds. Is there a loop that never ends? (If the notebook stays slow, "
            "restart the kernel.) It was tried on",
            limit=f"{running.LIMIT:g}",
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
    mistake, everywhere = _named(drawn, outcomes, i)
    if mistake and everywhere:
        return _mistake(mistake, *shown, **drawn.numbers)
    if outcomes[0].reads:
        names = say(", ").join(outcomes[0].reads)
        return _mistake(PAGE_READ, *shown, names=names, call=drawn.exercise.call)
    if drawn.cases:
        way = slip(outcomes, right[: len(outcomes)], drawn.exercise.tolerance)
    else:
        way = slip_of_value(got, wanted, drawn.exercise.tolerance)
    if mistake and not (way and way.name != "factors"):
        return _mistake(mistake, *shown, **drawn.numbers)
    if way:
        return _slipped(way, *shown)
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
        off = far(a, b, tolerance)
        if off.any():
            place = tuple(int(n[0]) for n in np.nonzero(off)) if b.ndim else ()
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
    if _is_large(array):
        return say("an array of shape {shape}", shape=array.shape)
    if array.ndim:
        return "[" + ", ".join(_text(row) for row in array) + "]"
    return str(array) if array.dtype == bool else _number(float(array))


def _labelled(name: str, x: Array) -> str:
    return f"{name} = {_text(x)}" if name else _text(x)


def _input(drawn: Drawn, i: int) -> list[str]:
    """Write the arguments, and where one is too large for that, how to get them."""
    exercise, args = drawn.exercise, (drawn.cases or VALUE)[i].args
    lines = [
        f"  {n} = {_text(x)}" for n, x in zip(exercise.arguments, args, strict=True)
    ]
    if any(_is_large(x) for x in args):
        names = ", ".join(exercise.arguments)
        lines.append(f"  {names} = check.{exercise.name}.input")
    return lines


def _is_large(x: Any) -> bool:
    if isinstance(x, dict):
        return any(_is_large(value) for value in x.values())
    return np.size(x) > LARGEST


def _is_ours(answer: Any) -> bool:
    """Tell a function of the course's, that stands outside of the exercises."""
    module = str(getattr(answer, "__module__", ""))
    ours = module == "helpers" or module.startswith("helpers.")
    return callable(answer) and ours and not module.startswith("helpers.exercises.")


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
