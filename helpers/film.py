"""A film of weights: a progress bar while a model trains, a scrubber afterwards."""

import html
from collections.abc import Sequence
from typing import Any

import ipywidgets as widgets
from IPython.display import display
from numpy.typing import ArrayLike

from helpers.arrays import Array, real
from helpers.language import say
from helpers.live import Slider, run_me
from helpers.marks import CHOSEN, check_weights, colour_and_ink, number, short

CELL_WIDTH, CELL_HEIGHT = 76, 34  # of a cell, in pixels
LEFT, TOP = 120, 50  # room for the labels


class Film(widgets.VBox):  # type: ignore[misc]
    """Pictures of a weight matrix, one after the other, that can be slid through.

    Parameters
    ----------
    total : how many pictures there will be.
    queries, keys : labels of the rows and columns, drawn literally.
    right : (n_queries,), for each query the key to look at; that cell has a frame.
    """

    def __init__(
        self,
        total: int,
        queries: Sequence[str],
        keys: Sequence[str],
        right: Sequence[int],
    ) -> None:
        self.labels = [str(q) for q in queries], [str(k) for k in keys]
        self.right = [int(key) for key in right]
        if len(right) != len(queries) or not set(self.right) <= set(range(len(keys))):
            raise ValueError(
                f"right is {self.right}; it needs one of the {len(keys)} keys, counted "
                f"from 0, for each of the {len(queries)} queries"
            )
        self.frames: list[tuple[str, str]] = []
        self.progress = widgets.IntProgress(max=total, description=say("training"))
        self.scrubber = Slider(say("picture"), 0, 0, 0, 1)
        self.scrubber.disabled = True
        self.picture = widgets.HTML()
        self.caption = widgets.HTML()  # a Label would cut a long line off
        self.scrubber.observe(self._draw, names="value")
        super().__init__([self.progress, self.scrubber, self.caption, self.picture])
        self.add_class("course-live")

    def __repr__(self) -> str:
        """Return the line that stands for the film where no kernel runs."""
        return run_me()

    def show(self) -> None:
        """Display the film; pictures appear as they are added."""
        display(self)  # type: ignore[no-untyped-call]

    def add(self, weights: ArrayLike, caption: str) -> None:
        """Add a picture and show it.

        Parameters
        ----------
        weights : (n_queries, n_keys), each entry in 0…1.
        caption : a line above it.

        Raises
        ------
        TypeError
            If `weights` does not hold real numbers.
        ValueError
            If `weights` has another shape than the labels.
        """
        weights = real("weights", weights, min_ndim=2, finite=True)
        check_weights("weights", weights)
        queries, keys = self.labels
        if weights.shape != (len(queries), len(keys)):
            raise ValueError(
                f"weights has shape {weights.shape}; "
                f"the labels need shape ({len(queries)}, {len(keys)})"
            )
        self.frames.append((map_svg(weights, queries, keys, self.right), caption))
        self.progress.value = len(self.frames)
        self.scrubber.disabled = len(self.frames) < 2
        self.scrubber.max = len(self.frames) - 1
        self.scrubber.value = len(self.frames) - 1
        self._draw()

    def _draw(self, _: Any = None) -> None:
        picture, caption = self.frames[int(self.scrubber.value)]
        self.picture.value = picture
        self.caption.value = html.escape(caption)


def map_svg(
    weights: Array, queries: Sequence[str], keys: Sequence[str], right: Sequence[int]
) -> str:
    """Return a weight matrix as an SVG string, row = query, column = key.

    Parameters
    ----------
    weights : (n_queries, n_keys), each entry in 0…1.
    queries, keys : labels, drawn literally.
    right : (n_queries,), for each query the key whose cell has a frame.
    """
    width = LEFT + CELL_WIDTH * len(keys) + 4
    height = TOP + CELL_HEIGHT * len(queries) + 4
    axes = say("query ↓  key →")
    parts = [f'<text x="{LEFT - 10}" y="16" text-anchor="end">{axes}</text>']
    for j, key in enumerate(keys):
        middle = LEFT + CELL_WIDTH * (j + 0.5)
        parts.append(f'<text x="{middle}" y="{TOP - 12}">{_text(key)}</text>')
    said = []
    for i, query in enumerate(queries):
        on_right = number(weights[i, right[i]])
        said.append(
            say(
                "{query} on {key}, the right key: {x}",
                query=query,
                key=keys[right[i]],
                x=on_right,
            )
        )
        y = TOP + CELL_HEIGHT * i
        label = f'<text x="{LEFT - 10}" y="{y + 22}" text-anchor="end">{_text(query)}'
        parts.append(label + "</text>")
        for j, weight in enumerate(weights[i]):
            frame = f'stroke="{CHOSEN}" stroke-width="3"' if right[i] == j else ""
            colour, ink = colour_and_ink(weight)
            x = LEFT + CELL_WIDTH * j
            parts.append(
                f'<rect x="{x + 2}" y="{y + 2}" width="{CELL_WIDTH - 4}" '
                f'height="{CELL_HEIGHT - 4}" '
                f'fill="{colour}" {frame}/>'
                f'<text x="{x + CELL_WIDTH / 2}" y="{y + 22}" fill="{ink}">'
                f"{number(weight)}</text>"
            )
    return (
        f'<svg class="course-bars" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{say("weights")}: {html.escape("; ".join(said))}" '
        f'fill="currentColor" text-anchor="middle">{"".join(parts)}</svg>'
    )


def _text(label: str) -> str:
    return html.escape(short(label))
