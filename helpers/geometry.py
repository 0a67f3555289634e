"""Live views that show attention in the plane: arrows, a hull, turning arrows, masks.

Each is a widget: put it last in a cell, or `display` it.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from helpers.arrays import Array, real, whole_number
from helpers.core import attention_scores, softmax
from helpers.language import phrase, say
from helpers.live import View
from helpers.marks import colours, distinct
from helpers.positions import rotate

SCORES = (-4.0, 4.0, 0.1)  # least, most and step of the sliders of a hull


class Arrows(View):
    """A query and its keys as arrows from 0, whose tips can be moved.

    Of the query its shadow on each key is drawn: the dot product is the length of the
    shadow times the length of the key.

    Parameters
    ----------
    query : (2,)
    keys : (n, 2)
    labels : n labels of the keys, drawn literally.
    scale : factor on every dot product; None is the standard 1/√d_k, here 1/√2.
    """

    _script = ("plane.js", "arrows.js")
    _style = ("plane.css",)

    def __init__(
        self,
        query: ArrayLike,
        keys: ArrayLike,
        labels: Sequence[str],
        scale: float | None = None,
    ) -> None:
        tip = _places("query", np.array([query]), 1)[0]
        tips = _places("keys", keys, len(labels))
        self.scale = 1 / math.sqrt(2) if scale is None else float(scale)
        data = {
            "labels": distinct([phrase(str(label)) for label in labels]),
            "limit": _limit([tip, *tips]),
            "scale": self.scale,
            "colours": colours(),
            "texts": {
                "plane": say("arrows in the plane"),
                "query": say("query"),
                "key": say("key"),
                "score": say("score"),
                "weight": say("weight"),
            },
        }
        super().__init__(data, {"query": tip, "keys": tips})

    @property
    def scores(self) -> Array:
        """The scores of the query, (n,)."""
        query, keys = [self.state["query"]], self.state["keys"]
        return np.asarray(attention_scores(query, keys, scale=self.scale)[0])

    @property
    def weights(self) -> Array:
        """The weights of the query, (n,)."""
        return softmax(self.scores)


class Hull(View):
    """Values as points, and the output among them, with a slider for each score.

    The output is an average, so it never leaves the hull of the values: their triangle,
    or their segment.

    Parameters
    ----------
    values : (n, 2)
    labels : n labels, drawn literally.
    scores : (n,) where the sliders start, each from −4 to 4; None starts at 0.
    """

    _script = ("plane.js", "hull.js")
    _style = ("plane.css",)

    def __init__(
        self,
        values: ArrayLike,
        labels: Sequence[str],
        scores: ArrayLike | None = None,
    ) -> None:
        places = _places("values", values, len(labels))
        given = np.zeros(len(labels)) if scores is None else scores
        start = real("scores", given, min_ndim=1, finite=True).round(1)
        least, most, _ = SCORES
        if start.shape != (len(labels),) or np.abs(start).max() > most:
            raise ValueError(
                f"scores has shape {start.shape}, with numbers up to "
                f"{np.abs(start).max(initial=0):g}; it needs shape ({len(labels)},) and "
                f"numbers from {least:g} to {most:g}"
            )
        data = {
            "labels": distinct([phrase(str(label)) for label in labels]),
            "values": places,
            "edge": _hull(np.array(places)),
            "limit": _limit(places),
            "scores": SCORES,
            "colours": colours(),
            "texts": {
                "plane": say("values in the plane"),
                "output": say("output"),
                "score": say("score"),
                "weight": say("weight"),
            },
        }
        super().__init__(data, {"scores": start.tolist()})

    @property
    def weights(self) -> Array:
        """The weights of the values, (n,)."""
        return softmax(self.state["scores"])

    @property
    def output(self) -> Array:
        """The output, (2,)."""
        return np.asarray(self.weights @ np.array(self.data["values"]))


class Turning(View):
    """A query and a key that turn with their positions, as rotary positions do.

    Parameters
    ----------
    query, key : (2,) each, as at position 0.
    step : how far one position turns, in degrees.
    last : the last position.
    """

    _script = ("plane.js", "turning.js")
    _style = ("plane.css",)

    def __init__(
        self, query: ArrayLike, key: ArrayLike, step: float = 20.0, last: int = 17
    ) -> None:
        tips = [
            _places("query", np.array([query]), 1)[0],
            _places("key", np.array([key]), 1)[0],
        ]
        data = {
            "query": tips[0],
            "key": tips[1],
            "step": math.radians(step),
            "last": whole_number("last", last, 1),
            "limit": _limit([[math.hypot(*tip), 0.0] for tip in tips]),
            "colours": colours(),
            "texts": {
                "plane": say("turning arrows"),
                "query": say("query"),
                "key": say("key"),
                "query_position": say("position of the query"),
                "key_position": say("position of the key"),
                "both": say("Move both"),
                "distance": say("distance"),
                "score": say("score"),
            },
        }
        super().__init__(data, {"query": 2, "key": 0})

    @property
    def score(self) -> float:
        """The dot product of the two arrows as they are turned."""
        step, now = self.data["step"], self.state
        query, key = (
            rotate([self.data[name]], [step * now[name]])[0]
            for name in ("query", "key")
        )
        return float(np.dot(query, key))


class Gallery(View):
    """Masks side by side, with a slider for the length of the text.

    Parameters
    ----------
    masks : by name, for each length a mask of (n_queries, n_keys), True = may attend.
    lengths : what the slider says, one for each mask of a name.
    """

    _script = ("gallery.js",)

    def __init__(
        self, masks: Mapping[str, Sequence[ArrayLike]], lengths: Sequence[int]
    ) -> None:
        for name, of_lengths in masks.items():
            if len(of_lengths) != len(lengths):
                raise ValueError(
                    f"masks has {len(of_lengths)} masks for {name!r}; it needs one for "
                    f"each of the {len(lengths)} lengths"
                )
        data = {
            "names": [phrase(str(name)) for name in masks],
            "lengths": [int(length) for length in lengths],
            "masks": [[_bits(m) for m in of_lengths] for of_lengths in masks.values()],
            "colour": colours()["accent"],
            "texts": {"length": say("length"), "visible": say("visible")},
        }
        super().__init__(data, {"at": len(lengths) // 2})


def _places(name: str, x: ArrayLike, n: int) -> list[list[float]]:
    """Return n places in the plane, or say what is wrong with them."""
    places = real(name, x, min_ndim=0, finite=True)
    if places.shape != (n, 2):
        raise ValueError(f"{name} has shape {places.shape}; it needs shape ({n}, 2)")
    listed: list[list[float]] = places.astype(float).tolist()
    return listed


def _limit(places: Sequence[Sequence[float]]) -> float:
    """Return how far the plane goes: to the next whole number, and a bit farther."""
    return math.ceil(max(abs(x) for place in places for x in place)) + 0.5


def _hull(points: Array) -> list[int]:
    """Return the corners of the hull of (n, 2) points, once around."""
    _, first = np.unique(points, axis=0, return_index=True)  # sorted, each place once
    order = first.tolist()

    def chain(indices: list[int]) -> list[int]:
        corners: list[int] = []
        for i in indices:
            while len(corners) > 1 and _turn(points[[*corners[-2:], i]]) <= 0:
                corners.pop()
            corners.append(i)
        return corners[:-1]

    return chain(order) + chain(order[::-1]) or order[:1]


def _turn(corner: Array) -> float:
    """Return whether three points turn to the left, more than 0, or to the right."""
    (a, b), (c, d) = (corner[1:] - corner[:-1]).tolist()
    turn: float = a * d - b * c
    return turn


def _bits(mask: ArrayLike) -> list[list[int]]:
    bits = np.asarray(mask)
    if bits.ndim != 2 or bits.dtype != bool:
        raise ValueError(
            f"a mask has shape {bits.shape} and dtype {bits.dtype}; it needs shape "
            f"(n_queries, n_keys) and True and False"
        )
    listed: list[list[int]] = bits.astype(int).tolist()
    return listed
