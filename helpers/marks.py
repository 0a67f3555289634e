"""What all pictures share: numbers, labels, colours, ink, and the rules of live views.

Neither matplotlib nor a widget library is needed here. A number in a picture or a table
has three decimals and a real minus sign; what a check prints is for pasting, and is
written as Python does.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from helpers.arrays import Array
from helpers.language import columns

# One map: light at 0, blue for positive and orange for negative numbers, each side in
# equal steps on a straight line through CIELAB, so that equal differences look equal;
# orange and blue stay apart for colour-blind eyes, and the cells carry their numbers.
POSITIVE = "#f9f9f9 #dee0ed #c2c7e0 #a7aed3 #8b97c6 #6f80ba #5069ad #2954a0 #004093"
NEGATIVE = "#f9f9f9 #f2e0d8 #e9c6b8 #dead99 #d2957b #c57d5d #b76541 #a84d25 #973305"
BAR = POSITIVE.split()[6]
FRAME = "#d97706"  # around the chosen cell

LONGEST_LABEL = 12  # columns; a Chinese character takes two
RUN_ME = "Run this cell to move the sliders."
# While a live view is on the page, the static picture before it is hidden: what that
# shows is the start, no longer what the sliders say.
LIVE_CSS = Path(__file__).with_name("live.css").read_text(encoding="utf-8")


def number(x: float, digits: int = 3) -> str:
    """Write a number with a real minus sign, and never as −0.000."""
    text = f"{x:.{digits}f}"
    return f"{float(text) + 0.0:.{digits}f}".replace("-", "−")


def short(label: str) -> str:
    """Cut a label that takes more than 12 columns; the last one becomes …."""
    if columns(label) <= LONGEST_LABEL:
        return label
    while columns(label) > LONGEST_LABEL - 1:
        label = label[:-1]
    return f"{label}…"


def told_apart(labels: Sequence[str]) -> list[str]:
    """Cut the labels of tokens; where two look alike, their numbers follow."""
    cut = [short(label) for label in labels]
    return [
        f"{label} ({i})" if cut.count(label) > 1 else label
        for i, label in enumerate(cut)
    ]


def weight_colour(weight: float) -> str:
    """Return the colour of a weight in 0…1, between two neighbours of `POSITIVE`."""
    stops = [[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in POSITIVE.split()]
    place = np.linspace(0, 1, len(stops))
    channels = zip(*stops, strict=True)
    mix = [round(np.interp(weight, place, channel)) for channel in channels]
    return "#{:02x}{:02x}{:02x}".format(*mix)


def ink_on(colour: ArrayLike | str) -> str:
    """Return black or white, whichever is easier to read on a colour.

    One of the two has a contrast of at least 4.5 on any colour, as WCAG 2 counts it.

    Parameters
    ----------
    colour : red, green and blue in 0…1, or as in "#5069ad".
    """
    if isinstance(colour, str):
        colour = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    rgb = np.asarray(colour, dtype=float)[:3]
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return "black" if linear @ [0.2126, 0.7152, 0.0722] > 0.179 else "white"


def check_weights(name: str, weights: Array) -> None:
    """Raise ValueError if an entry of `weights`, of any shape, lies outside 0…1."""
    outside = weights[(weights < -1e-9) | (weights > 1 + 1e-9)]
    if outside.size:
        raise ValueError(
            f"{name} holds {number(outside.flat[0])}; weights lie between 0 and 1 "
            f"(are these scores?)"
        )
