"""Try an answer on inputs, and look at what became of it.

Nothing of what is right is known here, so that an answer can be run elsewhere.

A Python loop that does not end is stopped after 5 seconds. Not guarded against: an
answer that uses up the memory, and one that crashes or never leaves native code.
"""

import contextlib
import contextvars
import copy
import ctypes
import dis
import linecache
import numbers
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from helpers.exercises import reading
from helpers.exercises.comparing import same
from helpers.exercises.model import Case, Exercise, FormError, Outcome, Stopped
from helpers.exercises.reading import HUGE, described, parts

LIMIT = 5.0  # seconds for one input
PRINTED = 2000  # characters that an answer may print
STEADY = 1e-9  # how far two results of one input may lie apart
VALUE = (Case(()),)  # the one input of an answer that is a value
OURS = (__file__, reading.__file__)


def run(exercise: Exercise, answer: Any, cases: Sequence[Case] = ()) -> list[Outcome]:
    """Try an answer on each case, and look at what became of it.

    Parameters
    ----------
    exercise : what is asked.
    answer : a value or a function, as the exercise asks.
    cases : what a function is tried on; none for a value.

    Returns
    -------
    outcomes : one for each case; fewer if the answer had to be stopped.
    """
    if is_empty(answer):
        return [Outcome(empty=True)]
    if cases and not callable(answer):
        error = FormError(
            "Give the function itself: check.{name}({function}).",
            name=exercise.name,
            function=exercise.title,
        )
        return [Outcome(form=error)]
    if not cases and callable(answer):
        return [Outcome(form=FormError("Give the result, a value, not a function."))]
    return _run_with_limit(answer, exercise, cases or VALUE)


def try_one(answer: Any, case: Case, exercise: Exercise) -> Outcome:
    """Call with a copy of the input, and look at what became of it."""
    args = copy.deepcopy(case.args)
    outcome = Outcome()
    try:
        with np.errstate(all="ignore"):
            value = answer(*args) if case.args else answer
            outcome.empty = is_empty(value)
            outcome.forgot = outcome.empty and _looks_at_arguments(answer)
            if not outcome.empty:
                outcome.parts = parts(value, exercise)
    except FormError as error:
        outcome.form = error.with_traceback(None)
    except NotImplementedError:
        outcome.empty = True
    except _Stop:
        raise
    except BaseException as error:  # whatever it is, the page goes on
        outcome.stopped = _stopped(error)
    for name, before, after in zip(exercise.arguments, case.args, args, strict=True):
        if not _unchanged(before, after):
            outcome.changed = name
    return outcome


def is_empty(value: Any) -> bool:
    """Tell an answer that is still to be written."""
    return value is None or value is Ellipsis or value is NotImplemented


class _Stop(BaseException):
    """Ends a loop that does not end."""


def _run_with_limit(
    answer: Any, exercise: Exercise, cases: Sequence[Case]
) -> list[Outcome]:
    """Try an answer in a thread of its own, and stop it when the time is over.

    A thread, because it can be stopped on every system, also inside a notebook, and
    because nothing of the reader's interpreter has to be changed and restored.
    """
    outcomes: list[Outcome] = []
    printer, started = _Printer(sys.stdout), [time.monotonic()]

    def attempt(answer: Any, case: Case) -> Outcome:
        started[0] = time.monotonic()
        return try_one(answer, case, exercise)

    def work() -> None:
        # Stopped, or interrupted: the outcomes so far are there.
        with contextlib.suppress(BaseException):
            for case in cases:
                outcomes.append(attempt(answer, case))
                if sum(part.size for part in outcomes[-1].parts.values()) > HUGE:
                    return  # wrong for sure; do not gather more of it
                if case.args:
                    with printer.silent():
                        again = attempt(answer, case)
                    outcomes[-1].unsteady = not same(outcomes[-1], again, STEADY)
            if isinstance(answer, FunctionType):
                with printer.silent():
                    outcomes[0].reads = _page_variables(
                        answer, cases[0], outcomes[0], attempt
                    )

    context = contextvars.copy_context()
    thread = threading.Thread(target=context.run, args=(work,), daemon=True)
    with contextlib.redirect_stdout(printer):
        thread.start()
        try:
            while (left := started[0] + LIMIT - time.monotonic()) > 0:
                thread.join(left)
                if not thread.is_alive():
                    break
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


class _Printer:
    """Hands on what an answer prints, as long as it is not too much."""

    def __init__(self, out: Any) -> None:
        self.out, self.left, self.quiet = out, PRINTED, False

    def write(self, text: str) -> int:
        if not self.quiet and self.left > 0:
            self.out.write(text[: self.left])
            self.left -= len(text)
            if self.left <= 0:
                self.out.write(" …\n")
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.out, name)  # flush, encoding and the like

    @contextlib.contextmanager
    def silent(self) -> Iterator[None]:
        self.quiet = True
        try:
            yield
        finally:
            self.quiet = False


def _page_variables(
    answer: FunctionType,
    case: Case,
    before: Outcome,
    attempt: Callable[[Any, Case], Outcome],
) -> tuple[str, ...]:
    """Name the variables of the page that change what a function returned before."""
    page, found = answer.__globals__, []
    for name in sorted(_globals_in(answer.__code__)):
        held = page.get(name)
        if not isinstance(held, np.ndarray | numbers.Real):
            continue
        # Where it stops in any case, see whether it would have read the variable.
        other = {n: v for n, v in page.items() if n != name}
        if not before.stopped:
            other[name] = _another(held)
        changed = FunctionType(
            answer.__code__, other, None, answer.__defaults__, answer.__closure__
        )
        changed.__kwdefaults__ = answer.__kwdefaults__
        if not same(before, attempt(changed, case), STEADY):
            found.append(name)
    return tuple(found)


def _globals_in(code: CodeType) -> set[str]:
    """Return the global names that a function reads, and those inside it."""
    names = {s.argval for s in dis.get_instructions(code) if s.opname == "LOAD_GLOBAL"}
    inner = [c for c in code.co_consts if isinstance(c, CodeType)]
    return names.union(*(_globals_in(c) for c in inner))


def _another(held: Any) -> Any:
    """Return a value of the same kind that is another one everywhere."""
    if isinstance(held, np.ndarray) and held.dtype == bool:
        return ~held
    whole = (
        isinstance(held, int) or getattr(held, "dtype", np.dtype(float)).kind in "iu"
    )
    return held + 1 if whole else held * 1.5 + 0.25


def _looks_at_arguments(answer: Any) -> bool:
    """Tell a function that forgot its return from a stub, which reads no argument."""
    return isinstance(answer, FunctionType) and any(
        step.opname.startswith(("LOAD_FAST", "LOAD_DEREF"))
        for step in dis.get_instructions(answer)
    )


def _stopped(error: BaseException) -> Stopped:
    """Return what was raised, and in which line of the reader's own."""
    file, line, trace = "", None, error.__traceback__
    while trace:
        name = trace.tb_frame.f_code.co_filename
        # Below the reader's file are a library's lines.
        if name not in OURS and file in ("", name):
            file, line = name, trace.tb_lineno
        trace = trace.tb_next
    if line is None:
        return Stopped(described(error))
    return Stopped(described(error), line, linecache.getline(file, line).strip())


def _unchanged(before: Any, after: Any) -> bool:
    if isinstance(before, dict):
        return before.keys() == after.keys() and all(
            _unchanged(before[name], after[name]) for name in before
        )
    return np.array_equal(before, after)
