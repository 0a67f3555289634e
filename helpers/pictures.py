"""The static figures of the course.

Each function draws one figure, stores a one-sentence description with the key
numbers as its text form and alternative text, and prints it as the caption. Row =
query, column = key, everywhere. Weights are coloured from 0 to 1, signed numbers over
a fixed range that is symmetric about 0, whatever the numbers are.

All functions raise TypeError where numbers are not real, and ValueError where a shape
or the number of labels does not fit, weights lie outside 0…1, or a kind is unknown.
"""

import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Literal

import matplotlib as mpl
import numpy as np
from IPython.display import display
from matplotlib import font_manager, style
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.ft2font import FT2Font
from matplotlib.patches import FancyArrowPatch
from numpy.typing import ArrayLike

from helpers.arrays import Array, real
from helpers.language import columns as width_of
from helpers.language import fold, phrase, say
from helpers.marks import NEGATIVE, POSITIVE, check_weights, ink_on, number, short

Kind = Literal["weights", "scores", "values"]
Picture = Literal["Heat map of {title}", "Bars of {title}"]
# The matrices of the chain: name, colours, row and column of the figure's grid.
CHAIN: list[tuple[str, Kind, int, int]] = [
    ("X", "values", 2, 0),
    ("Q", "values", 0, 1),
    ("K", "values", 2, 1),
    ("V", "values", 4, 1),
    ("scores", "scores", 1, 2),
    ("weights", "weights", 1, 3),
    ("output", "values", 3, 4),
]

WEIGHT_COLOURS = LinearSegmentedColormap.from_list("weights", POSITIVE.split())
SIGNED_COLOURS = LinearSegmentedColormap.from_list(
    "signed", NEGATIVE.split()[:0:-1] + POSITIVE.split()
)

# Where there are more than so many rows, columns or bars, these get narrower, so that a
# picture does not grow with them, and the cells of a map have no numbers.
MANY = 16
LINE = 0.12  # inches that a label needs, at the least, across its direction

DPI = 192  # twice the screen's 96, so that figures stay sharp on dense screens
FONT_FILE = Path(__file__).parent / "fonts" / "CourseSansSC-Regular.otf"
FONTS = ["DejaVu Sans", "Course Sans SC"]


def print_table(
    matrix: ArrayLike,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    digits: int = 3,
) -> None:
    """Print a matrix with its labels, the same on every platform.

    Parameters
    ----------
    matrix : (n_rows, n_columns), or (n_columns,) for a single row.
    rows, columns : labels; None leaves them out.
    digits : decimals to print.

    """
    matrix = real("matrix", matrix, min_ndim=1)
    single = matrix.ndim == 1
    matrix = _two_axes(matrix[None] if single else matrix)
    cells = [[number(x, digits) for x in row] for row in matrix]
    names = _labels("rows", rows, len(cells), "")
    heads = _labels("columns", columns, matrix.shape[1], "")
    width = max([2 + width_of(t) for row in [heads, *cells] for t in row], default=0)
    left = max(map(width_of, names))
    if columns is not None:
        print(" " * left + "".join(_pad(head, width) for head in heads))
    for name, row in zip(names, cells, strict=True):
        print(
            name + " " * (left - width_of(name)) + "".join(_pad(t, width) for t in row)
        )


def heat_map(
    matrix: ArrayLike,
    *,
    kind: Kind = "weights",
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    title: str = "",
    limit: float = 1.0,
) -> None:
    """Show a matrix as a heat map, up to 16 by 16 with its numbers in the cells.

    Parameters
    ----------
    matrix : (n_rows, n_columns)
    kind : "weights" for 0…1, row = query, column = key; "scores" for signed numbers,
        row = query, column = key; "values" for signed numbers, row = token,
        column = component.
    rows, columns : labels, drawn literally; None numbers them from 0.
    title : text above the map.
    limit : signed numbers are coloured from −limit to +limit.

    """
    heat_maps({title: matrix}, kind=kind, rows=rows, columns=columns, limit=limit)


def heat_maps(
    matrices: Mapping[str, ArrayLike],
    *,
    kind: Kind = "weights",
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    limit: float = 1.0,
) -> None:
    """Show several matrices of the same kind side by side.

    Parameters
    ----------
    matrices : title and matrix of each map, all (n_rows, n_columns).
    kind, rows, columns, limit : as in `heat_map`.

    """
    maps = {
        t: _two_axes(real("matrix", m, min_ndim=2, finite=True))
        for t, m in matrices.items()
    }
    shapes = {m.shape for m in maps.values()}
    if len(shapes) != 1:
        raise ValueError(f"matrices has shapes {sorted(shapes)}; all need the same one")
    (n_rows, n_columns), *_ = shapes
    rows = _labels("rows", rows, n_rows)
    columns = _labels("columns", columns, n_columns)
    size = 0.7 * min(n_columns, MANY), 0.5 * min(n_rows, MANY)
    width = 1.2 + (0.6 + size[0]) * len(maps)
    with _figure(width, 1.4 + size[1] + _turned(columns, size[0])) as figure:
        maps = {say(title, context="label"): matrix for title, matrix in maps.items()}
        panels = figure.subplots(1, len(maps), squeeze=False)[0]
        for axes, (title, matrix) in zip(panels, maps.items(), strict=True):
            image = _draw_matrix(axes, matrix, kind, rows, columns, title, limit, size)
            axes.set_xlabel(say("component" if kind == "values" else "key"))
            axes.set_ylabel(say("token" if kind == "values" else "query"))
        beyond = kind != "weights" and any(abs(m).max() > limit for m in maps.values())
        extend = "both" if beyond else "neither"
        figure.colorbar(image, ax=list(panels), shrink=0.9, extend=extend)
        said = (_say_matrix(m, kind, rows, columns, t) for t, m in maps.items())
        _show(figure, " ".join(said), *maps.values())


def chain(
    X: ArrayLike,
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    scores: ArrayLike,
    weights: ArrayLike,
    output: ArrayLike,
    tokens: Sequence[str],
    *,
    limit: float = 1.0,
) -> None:
    """Show the whole way X → Q, K, V → scores → weights → output in one picture.

    Parameters
    ----------
    X, Q, K, V, scores, weights, output : the matrices of one self-attention,
        (n_tokens, …) each.
    tokens : their labels, n_tokens of them.
    limit : signed numbers are coloured from −limit to +limit.

    """
    given = dict(X=X, Q=Q, K=K, V=V, scores=scores, weights=weights, output=output)
    M = {n: _two_axes(real(n, m, min_ndim=2, finite=True), n) for n, m in given.items()}
    tokens = _labels("tokens", tokens, M["X"].shape[0])
    for name, m in M.items():
        if len(m) != len(tokens):
            raise ValueError(
                f"{name} has shape {m.shape}; it needs a row for each of the "
                f"{len(tokens)} tokens"
            )
    lines = min(max(len(tokens), 2), MANY)
    size = 1.4, 0.32 * lines
    height = 2.1 + 3 * (size[1] + _turned(tokens, size[0], 8))
    with _figure(10.5, height) as figure:
        figure.set_layout_engine("constrained", wspace=0.14)
        grid = figure.add_gridspec(6, 5, width_ratios=[1.2, 1, 1.1, 1.1, 1])
        axes = {}
        for name, kind, row, column in CHAIN:
            columns = None if kind == "values" else tokens
            heads = _labels("columns", columns, M[name].shape[1])
            axes[name] = figure.add_subplot(grid[row : row + 2, column])
            shape = " × ".join(map(str, M[name].shape))
            text = f"{say(name)}  ({shape})"
            given_here = axes[name], M[name], kind, tokens, heads, text, limit
            _draw_matrix(*given_here, size, fontsize=8, digits=2)
            if kind != "values":
                axes[name].set_xlabel(say("key"), fontsize=8)
                axes[name].set_ylabel(say("query"), fontsize=8)
        _arrows(figure, axes, "X Q, X K, X V, Q scores, K scores")
        _arrows(figure, axes, "scores weights, weights output, V output")
        first = tokens[0]
        _show(
            figure,
            say(
                "From X to output: each of the {n} tokens becomes a query, a key and "
                "a value; {token} scores {scores}, weighs {weights} and takes away "
                "{output}.",
                n=len(tokens),
                token=first,
                scores=_row(M["scores"][0]),
                weights=_row(M["weights"][0]),
                output=_row(M["output"][0]),
            ),
            *M.values(),
        )


def bars(
    weights: ArrayLike,
    *,
    queries: Sequence[str] | None = None,
    keys: Sequence[str] | None = None,
    title: str = "",
) -> None:
    """Show each query's weights as bars, one panel per query.

    Parameters
    ----------
    weights : (n_queries, n_keys), each entry in 0…1; at most 16 queries.
    queries, keys : labels, drawn literally; None numbers them from 0.
    title : text above the panels.

    """
    weights = _two_axes(real("weights", weights, min_ndim=2, finite=True), "weights")
    check_weights("weights", weights)
    if len(weights) > MANY:
        raise ValueError(
            f"weights has shape {weights.shape}; bars has room for {MANY} queries, and "
            f"heat_map for all"
        )
    queries = _labels("queries", queries, weights.shape[0])
    keys = _labels("keys", keys, weights.shape[1])
    with _figure(1.2 + 2.1 * len(queries), 2.6 + _turned(keys, 2.0)) as figure:
        panels = figure.subplots(1, len(queries), sharey=True, squeeze=False)[0]
        for axes, query, row in zip(panels, queries, weights, strict=True):
            _draw_bars(axes, row, keys, 0, 1, 2.0)
            title_here = say("query {query}", query=_drawn(query))
            axes.set_title(title_here, fontsize=10, parse_math=False)
            axes.set_xlabel(say("key"))
        panels[0].set_ylabel(say("weight"))
        title = say(title, context="label")
        if title:
            figure.suptitle(title, fontsize=11, parse_math=False)
        said = _say_matrix(weights, "weights", queries, keys, title, "Bars of {title}")
        _show(figure, said, weights)


def bar_row(
    numbers: ArrayLike,
    labels: Sequence[str],
    *,
    low: float = 0.0,
    high: float = 1.0,
    ylabel: str = "weight",
    title: str = "",
) -> None:
    """Show one row of numbers as bars over a fixed range.

    Parameters
    ----------
    numbers : (n,) numbers.
    labels : one for each number, drawn literally.
    low, high : the range of the vertical axis; 0 lies in it.
    ylabel, title : texts.

    """
    numbers = real("numbers", numbers, min_ndim=1, finite=True)
    if numbers.ndim != 1:
        raise ValueError(f"numbers has shape {numbers.shape}; it needs shape (n,)")
    labels = _labels("labels", labels, len(numbers))
    ylabel, title = say(ylabel, context="label"), say(title, context="label")
    inches = 1.1 * min(len(labels), MANY)
    with _figure(1.5 + inches, 2.6 + _turned(labels, inches)) as figure:
        axes = figure.subplots()
        _draw_bars(axes, numbers, labels, low, high, inches)
        axes.set_ylabel(ylabel, parse_math=False)
        axes.set_title(title, fontsize=10, parse_math=False)
        said = (f"{t} {number(x)}" for t, x in zip(labels, numbers, strict=True))
        bars = say("Bars, {title}: {bars}.", title=title or ylabel, bars=_list(said))
        _show(figure, bars, numbers)


def curve(y: ArrayLike, *, xlabel: str, ylabel: str, title: str = "") -> None:
    """Show numbers over their index, as a line; the vertical axis starts at 0.

    Parameters
    ----------
    y : (n,) numbers.
    xlabel, ylabel, title : texts.

    """
    y = real("y", y, min_ndim=1, finite=True)
    if y.ndim != 1 or y.size == 0:
        raise ValueError(f"y has shape {y.shape}; it needs shape (n,), n at least 1")
    xlabel, ylabel = say(xlabel, context="label"), say(ylabel, context="label")
    title = say(title, context="label")
    with _figure(6, 2.8) as figure:
        axes = figure.subplots()
        axes.plot(y, color=WEIGHT_COLOURS(0.9), linewidth=2)
        axes.set_xlabel(xlabel, parse_math=False)
        axes.set_ylabel(ylabel, parse_math=False)
        axes.set_title(title, parse_math=False)
        axes.set_ylim(0, max(y.max() * 1.05, 1e-9))
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
        _show(
            figure,
            say(
                "{title}: from {first} at {xlabel} 0 to {last} at {xlabel} {end}.",
                title=title or ylabel,
                xlabel=xlabel,
                first=number(y[0]),
                last=number(y[-1]),
                end=y.size - 1,
            ),
            y,
        )


def _show(figure: Figure, description: str, *arrays: Array) -> None:
    """Display the figure with its description, and print it as the caption.

    The text form also holds every number that was drawn. It is compared when a notebook
    is tested, and stands in the picture itself, so that a test can tell whose it is.
    """
    numbers = [" ".join(map(number, a.ravel())) for a in arrays]
    text = "\n".join([description, *numbers])
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=DPI, metadata={"Description": text})
    size = [round(96 * inches) for inches in figure.get_size_inches()]
    display(
        {
            "image/png": buffer.getvalue(),
            "text/plain": text,
        },
        metadata={
            "image/png": {"alt": description, "width": size[0], "height": size[1]}
        },
        raw=True,
    )  # type: ignore[no-untyped-call]
    print(fold(description))


@contextmanager
def _figure(width: float, height: float) -> Iterator[Figure]:
    """Yield a figure in the course's own style; the reader's style is left alone."""
    _register_font()
    with style.context("default"):
        mpl.rc("font", family=FONTS, size=10)
        yield Figure(figsize=(width, height), layout="constrained", facecolor="white")


def _draw_matrix(
    axes: Axes,
    matrix: Array,
    kind: Kind,
    rows: Sequence[str],
    columns: Sequence[str],
    title: str,
    limit: float,
    size: tuple[float, float],
    fontsize: float = 10,
    digits: int = 3,
) -> Any:
    """Draw one map, about as large as `size` says; return its image."""
    if kind == "weights":
        check_weights("matrix", matrix)
        colours, low, high = WEIGHT_COLOURS, 0.0, 1.0
    elif kind in ("scores", "values"):
        colours, low, high = SIGNED_COLOURS, -limit, limit
    else:
        raise ValueError(f"kind is {kind!r}; it needs 'weights', 'scores' or 'values'")
    image = axes.imshow(matrix, cmap=colours, vmin=low, vmax=high, aspect="auto")
    axes.tick_params(length=0)
    _label(axes.xaxis, columns, size[0], fontsize)
    _label(axes.yaxis, rows, size[1], fontsize)
    width = _inches("−0." + "0" * digits, fontsize)
    if max(matrix.shape) <= MANY and width <= size[0] / len(columns):
        _write_numbers(axes, matrix, image, fontsize, digits)
    axes.spines[:].set_visible(False)
    axes.set_title(title, fontsize=fontsize + 1, parse_math=False)
    return image


def _write_numbers(
    axes: Axes, matrix: Array, image: Any, fontsize: float, digits: int
) -> None:
    """Write its number into each cell of a map."""
    for (i, j), x in np.ndenumerate(matrix):
        ink = ink_on(image.cmap(image.norm(x)))
        axes.text(
            j,
            i,
            number(x, digits),
            ha="center",
            va="center",
            fontsize=fontsize,
            color=ink,
        )


def _label(axis: Axis, labels: Sequence[str], inches: float, fontsize: float) -> None:
    """Write labels along a side: turned, small, and every second, where they are many.

    Parameters
    ----------
    axis : the side.
    labels : one for each place.
    inches : how long the side is, about.
    fontsize : in points, where there is room.
    """
    each = inches / len(labels)
    step = math.ceil(LINE / each)
    fontsize = min(fontsize, 60 * step * each)  # points: 72 an inch, and some air
    places = range(0, len(labels), step)
    drawn = [_drawn(labels[i]) for i in places]
    axis.set_ticks(places, drawn, parse_math=False)
    axis.set_tick_params(labelsize=fontsize)
    if axis is axis.axes.xaxis and _turned(labels, inches, fontsize):
        axis.set_tick_params(labelrotation=90)


def _turned(labels: Sequence[str], inches: float, fontsize: float = 10) -> float:
    """Return how high labels are that have to be turned; 0 where they lie flat."""
    longest = max(_inches(_drawn(label), fontsize) for label in labels)
    return longest if longest > inches / len(labels) else 0.0


def _inches(text: str, fontsize: float) -> float:
    """Return about how wide a text is; 猫 takes two columns."""
    return 0.0085 * fontsize * width_of(text)


def _draw_bars(
    axes: Axes,
    numbers: Array,
    labels: Sequence[str],
    low: float,
    high: float,
    inches: float,
) -> None:
    """Draw one bar a number, with the number at its end where there is room for it."""
    axes.bar(range(len(numbers)), numbers, color=WEIGHT_COLOURS(0.8))
    gap = 0.02 * (high - low)
    each = inches / len(numbers)
    written = all(_inches(number(x), 9) <= each for x in numbers)
    for j, x in enumerate(numbers if written else []):
        end = min(max(x, low), high)
        up = x >= 0
        place = "bottom" if up else "top"
        height = end + gap if up else end - gap
        axes.text(j, height, number(x), ha="center", va=place, fontsize=9)
    _label(axes.xaxis, labels, inches, 10)
    axes.set_ylim(low * 1.15, high * 1.15)
    axes.axhline(0, color="0.4", linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)


def _arrows(figure: Figure, axes: dict[str, Axes], pairs: str) -> None:
    """Draw an arrow from map to map, from the labels of one to those of the next."""
    figure.draw_without_rendering()  # lays the maps out
    figure.set_layout_engine("none")
    to_figure = figure.transFigure.inverted()
    for pair in pairs.split(", "):
        boxes = (axes[name].get_tightbbox() for name in pair.split())
        start, end = (box.transformed(to_figure) for box in boxes if box)
        figure.add_artist(
            FancyArrowPatch(
                (start.x1 + 0.004, (start.y0 + start.y1) / 2),
                (end.x0 - 0.004, (end.y0 + end.y1) / 2),
                transform=figure.transFigure,
                arrowstyle="-|>",
                mutation_scale=10,
                color="0.4",
            )
        )


def _say_matrix(
    matrix: Array,
    kind: Kind,
    rows: Sequence[str],
    columns: Sequence[str],
    title: str,
    picture: Picture = "Heat map of {title}",
) -> str:
    """Describe a matrix in one sentence: per row, or as a whole where it is large."""
    start = say(picture, title=title or say(kind))
    size: dict[str, Any] = {"n_rows": len(rows), "n_columns": len(columns)}
    rounded = matrix.round(6)  # so that a tie does not hang on the last digit
    if kind == "values":
        low, high = number(matrix.min()), number(matrix.max())
        return say(
            "{start}, {n_rows} by {n_columns}: numbers from {low} to {high}.",
            start=start,
            low=low,
            high=high,
            **size,
        )
    best = rounded.argmax(axis=1)
    if len(rows) > 6:
        i = int(rounded.max(axis=1).argmax())
        return say(
            "{start}, {n_rows} queries by {n_columns} keys: the largest, {x}, is "
            "{row} for {column}.",
            start=start,
            x=number(matrix[i, best[i]]),
            row=rows[i],
            column=columns[best[i]],
            **size,
        )
    parts = (
        say(
            "{row} for {column} ({x})",
            row=row,
            column=columns[j],
            x=number(matrix[i, j]),
        )
        for i, (row, j) in enumerate(zip(rows, best, strict=True))
    )
    return say(
        "{start}, the largest of each row: {rows}.", start=start, rows=_list(parts)
    )


def _list(parts: Iterable[str]) -> str:
    return say(", ").join(parts)


def _row(row: Array) -> str:
    return "[" + ", ".join(map(number, row)) + "]"


def _two_axes(matrix: Array, name: str = "matrix") -> Array:
    if matrix.ndim != 2:
        raise ValueError(f"{name} has shape {matrix.shape}; it needs 2 axes")
    if 0 in matrix.shape:
        raise ValueError(f"{name} has shape {matrix.shape}; it needs an entry")
    return matrix


def _labels(
    name: str, labels: Sequence[str] | None, count: int, default: str | None = None
) -> list[str]:
    if labels is None:
        return [str(i) if default is None else default for i in range(count)]
    if len(labels) != count:
        raise ValueError(f"{name} has {len(labels)} labels; it needs {count}")
    return [phrase(str(label)) for label in labels]


def _drawn(label: str) -> str:
    """Shorten a label, and spell out what no font of ours can draw."""
    known = _drawable()
    return "".join(c if ord(c) in known else f"U+{ord(c):04X}" for c in short(label))


@cache
def _register_font() -> None:
    font_manager.fontManager.addfont(FONT_FILE)


@cache
def _drawable() -> frozenset[int]:
    """Return the code points that DejaVu Sans or the course's font can draw."""
    _register_font()
    with style.context("default"):
        files = [font_manager.findfont(family) for family in FONTS]
    return frozenset().union(*(FT2Font(file).get_charmap() for file in files))


def _pad(text: str, width: int) -> str:
    return " " * (width - width_of(text)) + text
