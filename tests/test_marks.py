"""How numbers, labels and colours look; tests/browser has the same in JavaScript."""

import subprocess
import sys

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from helpers import marks, pictures
from helpers.language import columns


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("love", "love"),
        ("w" * 12, "w" * 12),
        ("w" * 13, "w" * 11 + "…"),
        ("我" * 6, "我" * 6),
        ("我" * 7, "我" * 5 + "…"),
        ("a" + "我" * 6, "a" + "我" * 5 + "…"),
        ("w" * 11 + "我", "w" * 11 + "…"),
        ("\n", "U+000A"),
        ("a\tb", "aU+0009b"),
        ("😀🎉", "😀🎉"),
        ("", ""),
        ("<b>", "<b>"),
    ],
)
def test_a_label_takes_at_most_12_columns(label, shown):
    """Red: a long token runs into its neighbour, or a short one is cut."""
    assert marks.short(label) == shown
    assert columns(shown) <= 12


def test_a_label_of_a_whole_text_is_cut_at_once():
    """Red: somebody's file as a token makes the page hang."""
    assert marks.short("我" * 10**6) == "我" * 5 + "…"


def test_labels_that_are_cut_alike_are_told_apart():
    """Red: two tokens look the same, and nobody knows which row is which."""
    labels = ["love", "w" * 20, "猫", "w" * 19 + "v", "love"]
    cut = "w" * 11 + "…"
    assert marks.distinct(labels) == [
        *("love (0)", f"{cut} (1)", "猫", f"{cut} (3)", "love (4)")
    ]


@pytest.mark.parametrize("limit", [1.0, 3.0])
def test_the_browser_is_handed_the_colours_of_the_figures(limit):
    """Red: the same number has one colour in a figure and another in a live view."""
    for x in np.linspace(-limit, limit, 101):
        colour, ink = marks.colour_and_ink(x, limit)
        figure = pictures.SIGNED_COLOURS((x / limit + 1) / 2)[:3]
        assert np.abs(np.subtract(to_rgb(colour), figure)).max() < 0.02, x
        assert ink == marks.ink_on(to_rgb(colour))
    assert marks.colour_and_ink(9 * limit, limit) == marks.colour_and_ink(limit, limit)
    assert marks.colour_and_ink(0, limit)[0] == marks.POSITIVE.split()[0]


def test_the_frame_of_the_chosen_cell_stands_out():
    """Red: the frame contrasts less than 3 to 1 with the palest or the darkest cell.

    (WCAG 2, 1.4.11)
    """

    def light(colour):
        rgb = np.array(to_rgb(colour))
        linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
        return linear @ [0.2126, 0.7152, 0.0722] + 0.05

    first, *_, last = map(light, marks.POSITIVE.split())
    frame = light(marks.CHOSEN)
    assert first / frame >= 3 and frame / last >= 3, (first / frame, frame / last)


def test_marks_load_neither_pictures_nor_widgets():
    """Red: whoever writes a number waits for matplotlib or a widget library."""
    code = (
        "import sys, helpers.marks\n"
        "heavy = {'matplotlib', 'ipywidgets', 'anywidget', 'IPython'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
