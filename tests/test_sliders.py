"""The small sliders: every one of them at both ends, and what a reader sees."""

import ast
import itertools
import re
import time
from xml.etree import ElementTree

import nbformat
import numpy as np
import pytest
import run_notebooks

from helpers import explorer, film, pictures, sliders
from helpers.sliders import slide

# The Chinese pages have the same code, which test_editions compares.
BOOKS = [path for path in run_notebooks.notebooks() if path.parent.name != "zh"]
INTEGER = np.int64(1)


@pytest.fixture
def live(monkeypatch):
    """Return a function that calls `slide` and returns the live view it shows."""
    shown = []
    monkeypatch.setattr(sliders, "display", shown.append)
    monkeypatch.setattr(pictures, "display", lambda *_, **__: None)

    def show(*args, **kwargs):
        shown.clear()
        slide(*args, **kwargs)
        (view,) = shown
        return view

    return show


def bars_of(view):
    """Return the numbers that the live picture shows, and says, and their heights."""
    svg = ElementTree.fromstring(view.picture.value)
    digits = re.compile(r"−?\d+\.\d{3}")
    drawn = [
        text.text for text in svg.iter("text") if digits.fullmatch(text.text or "")
    ]
    assert drawn == digits.findall(svg.get("aria-label"))
    heights = [float(rect.get("height")) for rect in svg.iter("rect")]
    assert len(heights) == len(drawn) and max(heights) <= sliders.HEIGHT
    return [float(x.replace("−", "-")) for x in drawn], heights


def drive(view, chosen):
    """Move sliders to minimum, middle and maximum, in all combinations, and back."""
    start = [slider.value for slider in chosen]
    places = [(s.min, type(s.value)((s.min + s.max) / 2), s.max) for s in chosen]
    for values in [*itertools.product(*places), start]:
        for slider, value in zip(chosen, values, strict=True):
            slider.value = value
        assert view.message.value == "", f"{values}: {view.message.value}"
        assert bars_of(view)[0], values
        yield view.picture.value


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_every_slider_of_a_page_reaches_both_ends(path, monkeypatch):
    """Red: a slider of this notebook fails at minimum, middle or maximum.

    The page is run to its end first: an early slider has to work after later cells.
    """
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
    shown = [v for v in views if isinstance(v, sliders.Live | film.Film)]
    assert shown or any(isinstance(v, explorer.Explorer) for v in views), "no slider"
    for view in shown:
        if isinstance(view, film.Film):
            for place in (0, view.scrubber.max // 2, view.scrubber.max):
                view.scrubber.value = place
                assert view.caption.value == view.frames[int(place)][1]
            continue
        alone = [set(drive(view, [slider])) for slider in view.sliders.values()]
        assert any(len(seen) > 1 for seen in alone), "the sliders move nothing"
        set(drive(view, view.sliders.values()))  # all of them at their ends at once


def test_the_picture_follows_and_each_value_is_drawn_once(live):
    """Red: the bars lag behind, or are drawn several times (ipywidgets#3430)."""
    calls = []

    def compute(a=1.0, b=2):
        calls.append((a, b))
        return [a, b]

    view = live(compute, a=(0.0, 2.0, 0.1), b=(0, 5, 1), labels=["a", "b"], high=5)
    assert bars_of(view)[0] == [1, 2]
    before = len(calls)
    view.sliders["a"].set_state({"value": 1.5})  # what the browser sends
    view.sliders["b"].value = 4
    numbers, heights = bars_of(view)
    assert numbers == [1.5, 4]
    assert heights[1] / heights[0] == pytest.approx(4 / 1.5, abs=0.01)
    assert calls[before:] == [(1.5, 2), (1.5, 4)]


def test_a_function_of_whole_numbers_gets_whole_numbers(live):
    """Red: an angle of 30.0 reaches a function that counts."""
    view = live(lambda n=2: [list(range(5))[n]], n=(0, 4, 1), labels=["n"], high=4)
    view.sliders["n"].value = 3
    assert view.message.value == "" and bars_of(view)[0] == [3]


@pytest.mark.parametrize("limits", [(0, 2, 0.1), (-3.0, 3.0, 0.3), (0.1, 0.7, 0.2)])
def test_steps_that_no_float_hits_are_steps(limits, live):
    """Red: 0.3 is refused, since three times 0.1 is a little more."""
    minimum, maximum, step = limits
    view = live(lambda x=minimum + 2 * step: [x], x=limits, labels=["x"])
    view.sliders["x"].value = maximum
    assert bars_of(view)[0] == [maximum]


def test_an_error_is_said_and_the_last_picture_stays(live):
    """Red: an error vanishes, and a stale picture looks fresh (ipywidgets#1971)."""

    def compute(x=1.0):
        if x > 1:
            raise KeyError("<b>")
        return [x]

    view = live(compute, x=(0.0, 2.0, 0.5), labels=["x"])
    before = view.picture.value
    view.sliders["x"].value = 2.0
    assert "KeyError" in view.message.value and "&lt;b&gt;" in view.message.value
    assert view.picture.value == before
    view.sliders["x"].value = 0.5
    assert view.message.value == "" and bars_of(view)[0] == [0.5]


def test_without_a_kernel_a_line_of_text_stands_for_the_sliders(live):
    """Red: a page that was not run shows code or an address instead of a hint."""
    view = live(lambda x=1.0: [x], x=(0.0, 2.0, 0.5), labels=["x"])
    assert repr(view) == "Run this cell to move the sliders."
    assert view._repr_mimebundle_()["text/plain"] == repr(view)


def test_labels_are_drawn_literally(live):
    """Red: a token is read as HTML."""
    labels = ["<b>", '"', "&", "$x_$", "猫"]
    view = live(lambda x=1.0: [x] * 5, x=(0.0, 2.0, 0.5), labels=labels)
    svg = view.picture.value
    assert "&lt;b&gt;" in svg and "&quot;" in svg and "&amp;" in svg and "猫" in svg
    assert "<b>" not in svg
    view = live(lambda x=1.0: [x], x=(0.0, 2.0, 0.5), labels=["x"], ylabel="<i>")
    assert "&lt;i&gt;" in view.picture.value and "<i>" not in view.picture.value


def test_bars_stay_in_the_picture(live):
    """Red: a number beyond the range draws over the sliders."""
    view = live(lambda x=0.0: [x], x=(-9.0, 9.0, 1.0), labels=["x"], low=-1, high=1)
    for x in (-9.0, 9.0):
        view.sliders["x"].value = x
        assert bars_of(view)[0] == [x]
        places = [float(y) for y in re.findall(r' y="(-?[\d.]+)"', view.picture.value)]
        assert 0 <= min(places) and max(places) <= sliders.HEIGHT


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
        (lambda x=2: [x], {"x": (0.5, 5, 1)}, ValueError, "whole.*start at 2.0"),
        # dat.gui#77: the function would get 0 where the slider says 0.5.
        (lambda x=1: [x], {"x": (0, 2, 0.5)}, ValueError, "whole.*start at 1.0"),
        (lambda x=INTEGER: [x], {"x": (0, 2, 0.5)}, ValueError, "start at 1.0"),
        # react-rangeslider#119: the thumb would stand where no step is.
        (lambda x=0.35: [x], {"x": (0, 1, 0.05 * 6)}, ValueError, "0.3 and 0.6"),
        (lambda x=0.3: [x], {"x": (0, 1, 0.3)}, ValueError, "maximum 1,.* 0.9 and 1.2"),
        (lambda x=0.0: [x], {"x": (-0.75, 0.75, 0.5)}, ValueError, "-0.25 and 0.25"),
        (lambda x=0.0: [x], {"x": (0, 1, 3)}, ValueError, "maximum 1.* 0 and 3"),
        (lambda x=1: [x], {"x": (0, 1.5, 1)}, ValueError, "maximum 1.5"),
        (lambda x=0.0: [x], {"x": (0, np.inf, 1)}, ValueError, "x has the range"),
    ],
)
def test_errors_say_what_is_wrong(compute, ranges, kind, message, live):
    """Red: an author of a page is not told what a slider needs."""
    with pytest.raises(kind, match=message):
        live(compute, labels=["a"], **ranges)
