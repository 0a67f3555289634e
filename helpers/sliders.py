"""Small sliders: bars that follow a function of one or more numbers.

The bars are an SVG string, built here and pushed into a kept widget: nothing flickers,
nothing jumps, and one picture is drawn for each value of a slider.
"""

import html
import inspect
from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any

import ipywidgets as widgets
import numpy as np
from IPython.display import display
from numpy.typing import ArrayLike

from helpers.arrays import Array, real
from helpers.language import phrase, say
from helpers.live import Slider, run_me
from helpers.marks import ACCENT, number, short
from helpers.pictures import bar_row

Range = tuple[float, float, float]

WIDTH, HEIGHT = 560, 230  # of the picture, in pixels
LEFT, RIGHT, TOP, BOTTOM = 10, 10, 40, 46  # margins around the bars


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

    Below the picture at the start stands the live one; it replaces the first while
    the notebook runs.

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
        has its start or maximum between two steps; or if `compute` does not return one
        number for each label.
    """
    start = _defaults(compute)
    if set(start) != set(ranges):
        raise TypeError(
            f"compute has the arguments {', '.join(start)}; "
            f"sliders were given for {', '.join(ranges) or 'none'}"
        )
    for name, limits in ranges.items():
        _check_range(name, start[name], limits)
    if not low <= 0 <= high or low == high:
        raise ValueError(f"low is {low} and high is {high}; 0 has to lie between them")
    numbers = _numbers(compute, start, labels)
    said = say(", ").join(f"{name} = {value:g}" for name, value in start.items())
    name = say(ylabel, context="label")
    title = say("{name} at the start, {values}", name=name, values=said)
    bar_row(numbers, labels, low=low, high=high, ylabel=ylabel, title=title)
    labels, ylabel = [phrase(str(label)) for label in labels], name
    display(Live(compute, labels, low, high, ylabel, start, ranges))  # type: ignore[no-untyped-call]


class Live(widgets.VBox):  # type: ignore[misc]
    """Sliders above bars; `slide` builds it."""

    def __init__(
        self,
        compute: Callable[..., ArrayLike],
        labels: Sequence[str],
        low: float,
        high: float,
        ylabel: str,
        start: dict[str, float],
        ranges: dict[str, Range],
    ) -> None:
        self.sliders = {
            name: Slider(name, start[name], *ranges[name]) for name in start
        }
        self.picture = widgets.HTML()
        self.message = widgets.HTML()

        def draw(_: Any = None) -> None:
            values = {  # a function of whole numbers gets whole numbers
                name: type(start[name])(slider.value)
                for name, slider in self.sliders.items()
            }
            try:
                numbers = _numbers(compute, values, labels)
            except Exception as error:
                text = html.escape(f"{type(error).__name__}: {error}")
                self.message.value = say(
                    "{error} (the picture shows the value before)", error=text
                )
                return
            self.message.value = ""
            self.picture.value = bars_svg(numbers, labels, low, high, ylabel)

        for slider in self.sliders.values():
            slider.observe(draw, names="value")
        draw()
        super().__init__([*self.sliders.values(), self.picture, self.message])
        self.add_class("course-live")

    def __repr__(self) -> str:
        """Return the line that stands for the live view where no kernel runs."""
        return run_me()


def bars_svg(
    numbers: Array, labels: Sequence[str], low: float, high: float, ylabel: str
) -> str:
    """Return bars as an SVG string, all labels drawn literally.

    Parameters
    ----------
    numbers : (n,) numbers; a bar ends at `low` or `high`, its text says the number.
    labels : n labels.
    low, high : the range of the bars; 0 lies in it.
    ylabel : what the numbers are.
    """

    def y(x: float) -> float:
        inside = HEIGHT - TOP - BOTTOM
        return TOP + inside * (high - min(max(x, low), high)) / (high - low)

    slot = (WIDTH - LEFT - RIGHT) / len(labels)
    parts = []
    for j, (x, label) in enumerate(zip(numbers, labels, strict=True)):
        middle = LEFT + slot * (j + 0.5)
        above = y(x) - 5 if x >= 0 else y(x) + 15
        parts.append(
            f'<rect x="{middle - slot * 0.3:.1f}" y="{min(y(x), y(0)):.1f}" '
            f'width="{slot * 0.6:.1f}" height="{abs(y(x) - y(0)):.1f}" '
            f'fill="{ACCENT}"/>'
            f'<text x="{middle:.1f}" y="{above:.1f}">{number(x)}</text>'
            f'<text x="{middle:.1f}" y="{HEIGHT - BOTTOM + 34}">'
            f"{html.escape(short(label))}</text>"
        )
    said = ", ".join(
        f"{label} {number(x)}" for label, x in zip(labels, numbers, strict=True)
    )
    return (
        f'<svg class="course-bars" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{html.escape(ylabel)}: {html.escape(said)}" '
        f'fill="currentColor" text-anchor="middle">'
        f'<text x="{LEFT}" y="14" text-anchor="start">{html.escape(ylabel)}</text>'
        f"{''.join(parts)}"
        f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(0):.1f}" y2="{y(0):.1f}" '
        f'stroke="currentColor"/></svg>'
    )


def _check_range(name: str, start: float, limits: Range) -> None:
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
    for what, place in (("start", start), ("maximum", maximum)):
        steps = (place - minimum) / step
        if abs(steps - round(steps)) > 1e-6:
            below, above = (minimum + step * k for k in (int(steps), int(steps) + 1))
            raise ValueError(
                f"{name} has the range {limits} and the {what} {place:g}, which lies "
                f"between two steps, {below:g} and {above:g}; it needs to lie on one"
            )


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
    compute: Callable[..., ArrayLike], values: dict[str, float], labels: Sequence[str]
) -> Array:
    numbers = real("what compute returns", compute(**values), min_ndim=1, finite=True)
    if numbers.shape != (len(labels),):
        raise ValueError(
            f"compute returns shape {numbers.shape}; with {len(labels)} labels "
            f"it needs shape ({len(labels)},)"
        )
    return numbers
