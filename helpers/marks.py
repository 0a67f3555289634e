"""How numbers, labels and colours look: one rule for tables, figures and live views.

Nothing here draws, and nothing here needs matplotlib or a widget library. A live view
that draws in the browser is handed what it needs from here.
"""

import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from helpers.arrays import Array
from helpers.language import columns

# One map: light at 0, blue for positive and orange for negative numbers, each side in
# equal steps on a straight line through CIELAB, so that equal differences look equal;
# orange and blue stay apart for colour-blind eyes, and the cells carry their numbers.
POSITIVE = "#f9f9f9 #dee0ed #c2c7e0 #a7aed3 #8b97c6 #6f80ba #5069ad #2954a0 #004093"
NEGATIVE = "#f9f9f9 #f2e0d8 #e9c6b8 #dead99 #d2957b #c57d5d #b76541 #a84d25 #973305"
ACCENT = POSITIVE.split()[6]  # the bars of a live view
CHOSEN = "#d97706"  # a frame that stands out on the lightest and on the darkest blue

LONGEST_LABEL = 12  # columns
STEPS = 128  # of colour on each side of 0: more than an eye tells apart


def number(x: float, digits: int = 3) -> str:
    """Write a number with a real minus sign, and never as −0.000.

    `number` in `live.js` writes the same.
    """
    text = f"{x:.{digits}f}"
    return f"{float(text) + 0.0:.{digits}f}".replace("-", "−")


def short(label: str) -> str:
    """Cut a label that takes more than 12 columns, and spell out control characters.

    The fonts of the machine do not matter: 猫 takes two columns, any other character
    one.
    """
    shown = "".join(
        f"U+{ord(c):04X}" if unicodedata.category(c) == "Cc" else c for c in label
    )
    if columns(shown) <= LONGEST_LABEL:
        return shown
    shown = shown[: LONGEST_LABEL - 1]
    while columns(shown) > LONGEST_LABEL - 1:
        shown = shown[:-1]
    return shown + "…"


def distinct(labels: Sequence[str]) -> list[str]:
    """Shorten labels and number those that look the same then, as in "love (7)"."""
    cut = [short(label) for label in labels]
    return [
        f"{name} ({i})" if cut.count(name) > 1 else name for i, name in enumerate(cut)
    ]


def colour_and_ink(x: float, limit: float = 1.0) -> tuple[str, str]:
    """Return the colour of a cell and the ink of its number, for the browser.

    Parameters
    ----------
    x : the number; beyond ±limit the colour stays the same.
    limit : where the map ends.
    """
    stops = (NEGATIVE if x < 0 else POSITIVE).split()
    place = min(abs(x) / limit, 1) * (len(stops) - 1)
    channels = np.transpose([list(bytes.fromhex(stop[1:])) for stop in stops])
    rgb = [round(np.interp(place, range(len(stops)), channel)) for channel in channels]
    return "#" + bytes(rgb).hex(), ink_on(np.divide(rgb, 255))


def colours() -> dict[str, Any]:
    """Return the map and the accents for a view that draws in the browser.

    Of each sign the colours, with their ink, in equal steps from 0 to the limit.
    """
    return {
        "positive": [colour_and_ink(i / STEPS) for i in range(STEPS + 1)],
        "negative": [colour_and_ink(-i / STEPS) for i in range(STEPS + 1)],
        "accent": ACCENT,
        "chosen": CHOSEN,
    }


def ink_on(colour: ArrayLike) -> str:
    """Return black or white, whichever is easier to read on a colour.

    One of the two has a contrast of at least 4.5 on any colour, as WCAG 2 counts it.

    Parameters
    ----------
    colour : red, green and blue in 0…1.
    """
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
