"""Print the solution of an exercise."""

import ast
import importlib
import inspect
import textwrap
from types import FunctionType

from helpers.exercises.catalogue import EXERCISES
from helpers.language import fold, say

COLUMNS = 79  # of a line that is a comment


def show(name: str) -> None:
    """Print the solution of an exercise, ready to paste into the page.

    Parameters
    ----------
    name : of the exercise, as in `check.name`.

    Raises
    ------
    ValueError
        If no exercise has that name, or its solution is not there.
    """
    function = solution(name)
    exercise = EXERCISES[name]
    source = inspect.getsource(function)
    (head,) = ast.parse(source).body
    assert isinstance(head, ast.FunctionDef)
    why = say(reason(function))
    first = head.body[1] if why else head.body[0]
    body = textwrap.dedent("\n".join(source.split("\n")[first.lineno - 1 :])).rstrip()
    if why:
        body = fold(f"# {why}", "# ", COLUMNS - 4) + f"\n{body}"
    if exercise.arguments:
        arguments = ", ".join(a.arg for a in head.args.args)  # without their types
        print(f"def {exercise.title}({arguments}):\n{textwrap.indent(body, '    ')}")
    else:
        print(body.replace("return", f"{exercise.title} =", 1))


def solution(name: str) -> FunctionType:
    """Return the function that solves an exercise; for a value it has no argument."""
    if name not in EXERCISES:
        raise ValueError(f"no exercise is called {name!r}")
    try:
        solutions = importlib.import_module("helpers.exercises.solutions")
    except ModuleNotFoundError:
        raise ValueError("this copy of the course comes without solutions") from None
    found: FunctionType | None = getattr(solutions, name, None)
    if found is None:
        raise ValueError(
            f"the exercise {name!r} has no solution; "
            f"write a function of that name in helpers/exercises/solutions.py"
        )
    return found


def reason(function: FunctionType) -> str:
    """Return what the docstring of a solution says, as one line; it may be empty."""
    return " ".join((function.__doc__ or "").split())


def reasons() -> set[str]:
    """Return what all solutions say."""
    return {reason(solution(name)) for name in EXERCISES} - {""}
