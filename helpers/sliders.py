"""Small sliders: bars that follow a function of one or more numbers.

The function is evaluated at every position of its sliders when the cell runs; the live
view looks the numbers up. So it shows exact values, follows the hand at once, and needs
no kernel afterwards.
"""

import inspect
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from IPython.display import display
from numpy.typing import ArrayLike

from helpers.arrays import Array, real
from helpers.language import phrase, say
from helpers.live import View
from helpers.marks import ACCENT, short
from helpers.pictures import bar_row

Range = tuple[float, float, float]
MOST = 20_000  # numbers in a table: more make a page slow to save and to open


def slide(
    compute: Callable[..., ArrayLike],
    *,
    labels: Sequence[str],
    low: float = 0.0,
    high: float = 1.0,
    ylabel: str = "weight",
    **ranges: Range,
) -> None:
    """Show the numbers that `compute` returns as bars, with a slider per argument.

    Below the picture at the start stands the live one, `Bars`; it replaces the first
    where its script runs.

    Parameters
    ----------
    compute : function of named numbers that returns (n,) numbers. The default of each
        argument is where its slider starts.
    labels : n labels, drawn literally.
    low, high : the fixed range of the bars; 0 lies in it.
    ylabel : what the numbers are.
    ranges : for each argument of `compute`, (minimum, maximum, step).

    Raises
    ------
    TypeError
        If `ranges` and the arguments of `compute` differ, or an argument has no
        default.
    ValueError
        If a range does not hold the start, leads from a whole number to fractions, or
        has its start or maximum between two steps; if `compute` does not return one
        number for each label; or if there would be more than 20,000 numbers.
    """
    view = Bars(compute, ranges, labels=labels, low=low, high=high, ylabel=ylabel)
    pairs = zip(view.data["names"], view.values.values(), strict=True)
    said = say(", ").join(f"{name} = {value:g}" for name, value in pairs)
    name = say(ylabel, context="label")
    title = say("{name} at the start, {values}", name=name, values=said)
    bar_row(view.numbers, labels, low=low, high=high, ylabel=ylabel, title=title)
    display(view)  # type: ignore[no-untyped-call]


class Bars(View):
    """Sliders above bars, a widget like any other; `slide` shows one.

    Parameters
    ----------
    compute, labels, low, high, ylabel : as in `slide`.
    ranges : for each argument of `compute`, (minimum, maximum, step).
    """

    _script = ("sliders.js",)

    def __init__(
        self,
        compute: Callable[..., ArrayLike],
        ranges: Mapping[str, Range],
        *,
        labels: Sequence[str],
        low: float = 0.0,
        high: float = 1.0,
        ylabel: str = "weight",
    ) -> None:
        start = _defaults(compute)
        if set(start) != set(ranges):
            raise TypeError(
                f"compute has the arguments {', '.join(start)}; "
                f"sliders were given for {', '.join(ranges) or 'none'}"
            )
        if not low <= 0 <= high or low == high:
            raise ValueError(
                f"low is {low} and high is {high}; 0 has to lie between them"
            )
        steps = [_steps(name, start[name], ranges[name]) for name in start]
        said = [phrase(str(label)) for label in labels]
        data = {
            "names": [say(name, context="label") for name in start],
            "arguments": list(start),
            "values": steps,
            "table": _table(compute, dict(zip(start, steps, strict=True)), labels),
            "labels": said,
            "shown": [short(label) for label in said],
            "low": low,
            "high": high,
            "ylabel": say(ylabel, context="label"),
            "colour": ACCENT,
        }
        at = [steps[k].index(value) for k, value in enumerate(start.values())]
        super().__init__(data, {"at": at})

    @property
    def values(self) -> dict[str, float]:
        """What the sliders say, by the names of the arguments."""
        at, data = self.state["at"], self.data
        pairs = zip(data["arguments"], data["values"], at, strict=True)
        return {name: values[i] for name, values, i in pairs}

    @property
    def numbers(self) -> Array:
        """The numbers that the bars show, (n,)."""
        shape = [len(values) for values in self.data["values"]]
        table = np.reshape(self.data["table"], (*shape, len(self.data["labels"])))
        return np.array(table[tuple(self.state["at"])])


def _steps(name: str, start: float, limits: Range) -> list[float]:
    """Return the values of a slider; those of a whole number are whole."""
    if (
        len(limits) != 3
        or not np.isfinite(limits).all()
        or not limits[0] <= start <= limits[1]
        or limits[2] <= 0
    ):
        raise ValueError(
            f"{name} has the range {limits} and starts at {start}; it needs (minimum, "
            f"maximum, step) with minimum ≤ start ≤ maximum and a step above 0"
        )
    minimum, maximum, step = limits
    if isinstance(start, Integral) and not (minimum % 1 == step % 1 == 0):
        raise ValueError(
            f"{name} starts at the whole number {start}, and the range {limits} leads "
            f"to fractions; it needs a whole minimum and step, or to start at "
            f"{float(start)}"
        )
    count = math.floor((maximum - minimum) / step + 1e-9) + 1
    kind = type(start)
    steps = [kind(round(minimum + step * i, 12)) for i in range(count)]
    nearest = min(range(count), key=lambda i: abs(steps[i] - start))
    if abs(steps[nearest] - start) > 1e-9:
        raise ValueError(
            f"{name} has the range {limits} and starts at {start}, between two of its "
            f"steps, {steps[nearest]:g} is the nearest; it needs to start on a step"
        )
    if abs(steps[-1] - maximum) > 1e-9:
        raise ValueError(
            f"{name} has the range {limits}, and its steps end at {steps[-1]:g}; "
            f"it needs a maximum that is a step"
        )
    steps[nearest] = start
    return steps


def _table(
    compute: Callable[..., ArrayLike],
    steps: Mapping[str, list[float]],
    labels: Sequence[str],
) -> list[float]:
    """Return the numbers at all positions, the last slider running fastest."""
    lengths = [len(values) for values in steps.values()]
    if math.prod(lengths) * len(labels) > MOST:
        raise ValueError(
            f"the sliders have {' × '.join(map(str, lengths))} positions with "
            f"{len(labels)} numbers each; up to {MOST} numbers fit, so choose coarser "
            f"steps"
        )
    table: list[float] = []
    for values in itertools.product(*steps.values()):
        arguments = dict(zip(steps, values, strict=True))
        table += _numbers(compute, arguments, labels).tolist()
    return table


def _defaults(compute: Callable[..., ArrayLike]) -> dict[str, float]:
    parameters = inspect.signature(compute).parameters.values()
    without = [p.name for p in parameters if p.default is inspect.Parameter.empty]
    if without:
        raise TypeError(
            f"compute has no default for {', '.join(without)}; "
            f"the default is where the slider starts"
        )
    return {p.name: p.default for p in parameters}


def _numbers(
    compute: Callable[..., ArrayLike], arguments: dict[str, Any], labels: Sequence[str]
) -> Array:
    where = ", ".join(f"{name} = {value:g}" for name, value in arguments.items())
    returned = compute(**arguments)
    try:
        numbers = real("what compute returns", returned, min_ndim=1, finite=True)
    except (TypeError, ValueError) as error:
        raise type(error)(f"for {where}: {error}") from None
    if numbers.shape != (len(labels),):
        raise ValueError(
            f"for {where}: compute returns shape {numbers.shape}; with {len(labels)} "
            f"labels it needs shape ({len(labels)},)"
        )
    return numbers
