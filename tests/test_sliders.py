"""The small sliders: what Python computes for them. The browser is tested elsewhere."""

import ast
import itertools
import time

import ipywidgets as widgets
import nbformat
import numpy as np
import pytest
import run_notebooks

from helpers import explorer, film, pictures, sliders
from helpers.sliders import Bars, slide

# The Chinese pages have the same code, which test_editions compares.
BOOKS = [path for path in run_notebooks.notebooks() if path.parent.name != "zh"]
INTEGER = np.int64(1)


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_every_slider_of_a_page_moves_something(path, monkeypatch):
    """Red: a slider of this notebook moves nothing."""
    views = []
    for module in (sliders, film, explorer, pictures):
        monkeypatch.setattr(
            module, "display", lambda *objects, **_: views.extend(objects)
        )
    # Pictures are tested elsewhere; here nobody looks at them, and nobody waits.
    monkeypatch.setattr(pictures.Figure, "savefig", lambda *_, **__: None)
    monkeypatch.setattr(time, "sleep", lambda _: None)
    page = {"__name__": "page"}
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            exec(
                compile(ast.parse(cell.source), f"{path.stem} {cell.id}", "exec"), page
            )
    shown = [v for v in views if isinstance(v, Bars | film.Film)]
    assert shown or any(isinstance(v, explorer.Explorer) for v in views), "no slider"
    for view in shown:
        if isinstance(view, Bars):
            axes = range(len(view.data["names"]))
            assert any(np.ptp(grid(view), axis=k).any() for k in axes)
        else:
            assert len(view.frames) > 2


def grid(view):
    """Return the numbers of a view at every position, an axis for each slider."""
    lengths = [len(values) for values in view.data["values"]]
    return np.reshape(view.data["table"], (*lengths, -1))


def test_every_position_holds_what_the_function_returns_there():
    """Red: a slider shows the numbers of another position, or rounded ones."""

    def compute(angle=0.3, power=2):
        assert isinstance(power, int), "a function of whole numbers gets fractions"
        return [angle**power, power - angle]

    ranges = {"angle": (0.0, 1.0, 0.1), "power": (-1, 5, 2)}
    with pytest.raises(ValueError, match="starts at 2, between two of its steps"):
        Bars(compute, ranges, labels=["a", "b"])
    ranges = {"angle": (0.1, 1.0, 0.1), "power": (0, 4, 2)}
    view = Bars(compute, ranges, labels=["a", "b"], high=6)
    assert view.values == {"angle": 0.3, "power": 2}
    angles, powers = view.data["values"]
    assert angles == pytest.approx(np.arange(1, 11) / 10, abs=1e-12)
    assert powers == [0, 2, 4]
    for i, j in itertools.product(range(10), range(3)):
        view.state = {"at": [i, j]}  # what the browser sends
        assert view.values == {"angle": angles[i], "power": powers[j]}
        assert view.numbers.tolist() == compute(angles[i], powers[j])


def test_a_view_is_a_widget_like_any_other():
    """Red: a view cannot be laid out, observed or linked."""
    one, two = (
        Bars(lambda x=0.0: [x], {"x": (0.0, 1.0, 0.5)}, labels=["x"]) for _ in "ab"
    )
    seen = []
    one.observe(lambda change: seen.append(one.numbers[0]), names="state")
    widgets.link((one, "state"), (two, "state"))
    assert widgets.VBox([one, two]).children == (one, two)
    two.state = {"at": [2]}
    assert seen == [1.0]


def test_a_step_at_which_the_function_fails_is_named():
    """Red: an error says nothing of where the slider stood."""
    with pytest.raises(
        ValueError, match=r"for x = 1\.5: what compute returns holds NaN or inf"
    ):
        Bars(lambda x=1.0: [np.nan if x > 1 else x], {"x": (0, 2, 0.5)}, labels=["x"])


def test_too_many_positions_are_refused():
    """Red: a page takes minutes to run, or megabytes to save."""
    ranges = {"a": (0.0, 1.0, 0.01), "b": (0.0, 1.0, 0.01)}
    with pytest.raises(ValueError, match=r"101 × 101 positions .* coarser steps"):
        Bars(lambda a=0.0, b=0.0: [a, b], ranges, labels=["a", "b"])


def test_where_no_script_runs_a_line_of_text_stands_for_the_sliders():
    """Red: a page that was not run shows code or an address instead of a hint."""
    view = Bars(lambda x=1.0: [x], {"x": (0.0, 2.0, 0.5)}, labels=["x"])
    assert repr(view) == "Run this cell to move the sliders."
    bundle, _ = view._repr_mimebundle_()
    assert bundle["text/plain"] == repr(view)


@pytest.mark.parametrize("limits", [(0, 2, 0.1), (-3.0, 3.0, 0.3), (0.1, 0.7, 0.2)])
def test_steps_that_no_float_hits_are_steps(limits):
    """Red: 0.3 is refused, since three times 0.1 is a little more."""
    minimum, maximum, step = limits
    view = Bars(lambda x=minimum + 2 * step: [x], {"x": limits}, labels=["x"])
    assert view.data["values"][0][-1] == maximum


@pytest.mark.parametrize(
    ("compute", "ranges", "kind", "message"),
    [
        (lambda x: [x], {"x": (0, 1, 1)}, TypeError, "no default for x"),
        (lambda x=1: [x], {}, TypeError, "arguments x; sliders were given for none"),
        (lambda x=1: [x], {"y": (0, 1, 1)}, TypeError, "were given for y"),
        (
            lambda x=1: [x, x],
            {"x": (0, 1, 1)},
            ValueError,
            r"\(2,\).*needs shape \(1,\)",
        ),
        (lambda x=1: [np.nan], {"x": (0, 1, 1)}, ValueError, "NaN"),
        (lambda x=5: [x], {"x": (0, 1, 1)}, ValueError, "x has the range"),
        (lambda x=1: [x], {"x": (0, 1, 0)}, ValueError, "a step above 0"),
        (lambda x=1: [x], {"x": (0, 1)}, ValueError, "minimum, maximum, step"),
        (lambda x=2: [x], {"x": (0, 5, 0.5)}, ValueError, "whole.*start at 2.0"),
        (lambda x=0.35: [x], {"x": (0, 1, 0.3)}, ValueError, "0.3 is the nearest"),
        (lambda x=2: [x], {"x": (0.5, 5, 1)}, ValueError, "whole.*start at 2.0"),
        # dat.gui#77: the function would get 0 where the slider says 0.5.
        (lambda x=1: [x], {"x": (0, 2, 0.5)}, ValueError, "whole.*start at 1.0"),
        (lambda x=INTEGER: [x], {"x": (0, 2, 0.5)}, ValueError, "start at 1.0"),
        (lambda x=0.3: [x], {"x": (0, 1, 0.3)}, ValueError, "steps end at 0.9"),
        (lambda x=0.0: [x], {"x": (-0.75, 0.75, 0.5)}, ValueError, "between two"),
        (lambda x=0.0: [x], {"x": (0, 1, 3)}, ValueError, "steps end at 0;"),
        (lambda x=1: [x], {"x": (0, 1.5, 1)}, ValueError, "steps end at 1;"),
        (lambda x=0.0: [x], {"x": (0, np.inf, 1)}, ValueError, "x has the range"),
    ],
)
def test_errors_say_what_is_wrong(compute, ranges, kind, message):
    """Red: an author of a page is not told what a slider needs."""
    with pytest.raises(kind, match=message):
        slide(compute, labels=["a"], **ranges)
