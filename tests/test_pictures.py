"""The figures and tables: right, readable everywhere, and said in words, too.

Every figure here is drawn with warnings turned into errors and with the system's fonts
hidden, as on a bare machine.
"""

import io
import os
import re
import subprocess
import sys
import time
import unicodedata
from itertools import pairwise
from typing import NamedTuple

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import font_manager
from matplotlib import pyplot as plt
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.ft2font import FT2Font
from matplotlib.image import imread

from helpers import attention, marks, pictures
from helpers.pictures import (
    bar_row,
    bars,
    chain,
    curve,
    heat_map,
    heat_maps,
    number,
    print_table,
)

from .conftest import TOP

TOKENS = ["我", "love", "猫"]
# The base case of test_failing_inputs: Q Kᵀ is not symmetric.
WEIGHTS = attention([[1, 0], [0, 1], [1, 1]], [[1, 1], [0, 1], [2, 0]], np.eye(3))[1]
SCORES = np.array([[1, 0, -2], [1, 1, 0], [2, -1, 2]]) / 4

HOSTILE = {  # the token, and what has to be drawn
    "$": "$",
    "$$": "$$",
    "$x_$": "$x_$",
    "$5 and $6": "$5 and $6",
    "_": "_",
    "\\": "\\",
    "\\frac": "\\frac",
    "<eos>": "<eos>",
    "100%": "100%",
    "🦜": "U+1F99C",  # in no font of ours
    "\n": "U+000A",
    "w" * 40: "w" * 11 + "…",
    "猫": "猫",
}
TWICE = [*HOSTILE, "猫"]  # repeated tokens stay separate
DRAWN = [*HOSTILE.values(), "猫"]

FIGURES = {
    "heat_map weights": lambda: heat_map(WEIGHTS, rows=TOKENS, columns=TOKENS),
    "heat_map scores": lambda: heat_map(SCORES, kind="scores", rows=TOKENS),
    "heat_map values": lambda: heat_map(SCORES[:, :2], kind="values", title="V"),
    "heat_maps": lambda: heat_maps({"before": WEIGHTS, "after": WEIGHTS.T}),
    "chain": lambda: chain(*[SCORES] * 5, WEIGHTS, SCORES, TOKENS),
    "bars": lambda: bars(WEIGHTS, queries=TOKENS, keys=TOKENS, title="三"),
    "bar_row": lambda: bar_row(SCORES[0], TOKENS, low=-1, title="self-attention of 我"),
    "curve": lambda: curve([2, 1, 0.5], xlabel="step", ylabel="loss"),
}
figures = pytest.mark.parametrize("draw_it", FIGURES.values(), ids=list(FIGURES))


class Shown(NamedTuple):
    """What a reader gets, and the figure it was made from."""

    figure: Figure
    png: bytes
    description: str
    numbers: list[str]
    metadata: dict
    caption: str

    @property
    def axes(self):
        return self.figure.axes[0]

    def pixel(self, x, y):
        """Return the colour of the saved picture at a place of the first axes."""
        image = imread(io.BytesIO(self.png))[..., :3]
        place = self.axes.transData.transform((x, y))
        across, up = self.figure.transFigure.inverted().transform(place)
        height, width, _ = image.shape
        return image[int((1 - up) * height), int(across * width)]


@pytest.fixture
def show(monkeypatch, capsys):
    """Return a function that draws one figure and returns what was shown."""
    made, shown = [], []

    def make(*args, **kwargs):
        made.append(Figure(*args, **kwargs))
        return made[-1]

    def record(data, *, metadata, raw):
        shown.append((data, metadata))

    monkeypatch.setattr(pictures, "DPI", 48)  # a quarter, for speed
    monkeypatch.setattr(pictures, "Figure", make)
    monkeypatch.setattr(pictures, "display", record)

    def show(draw, *args, **kwargs):
        made.clear(), shown.clear(), capsys.readouterr()
        draw(*args, **kwargs)
        ((data, metadata),) = shown
        (figure,) = made
        assert set(data) == {"image/png", "text/plain"}
        caption = capsys.readouterr().out
        description, *numbers = data["text/plain"].split("\n")
        return Shown(figure, data["image/png"], description, numbers, metadata, caption)

    return show


def forget_fonts():
    pictures._register_font.cache_clear()
    pictures._drawable.cache_clear()
    font_manager.fontManager._findfont_cached.cache_clear()


@pytest.fixture(autouse=True)
def bare_machine():
    """Hide every font that did not come with matplotlib."""
    known = font_manager.fontManager.ttflist
    font_manager.fontManager.ttflist = [
        font for font in known if font.fname.startswith(mpl.get_data_path())
    ]
    forget_fonts()
    yield
    font_manager.fontManager.ttflist = known
    forget_fonts()


def texts(labels):
    return [label.get_text() for label in labels]


# ---- fonts and tokens


@figures
def test_chinese_is_drawn_on_a_bare_machine(draw_it, show, caplog):
    """Red: a label becomes a box, or matplotlib warns or logs where fonts are few."""
    show(draw_it)
    assert caplog.messages == []


def test_chinese_comes_from_the_font_of_the_course(show, monkeypatch):
    """Red: the bare machine of these tests has a Chinese font: they prove nothing."""
    monkeypatch.setattr(pictures, "FONTS", ["DejaVu Sans"])
    with pytest.warns(UserWarning, match="missing from font"):
        show(heat_map, np.eye(3), title="我")


def test_the_font_of_the_course_has_the_characters_of_gb2312():
    """Red: the font file was cut too small: 熵 of 交叉熵 is one of the rare ones."""
    pairs = [
        bytes([row, cell]) for row in range(0xB0, 0xF8) for cell in range(161, 255)
    ]
    all_of_them = "".join(pair.decode("gb2312", errors="ignore") for pair in pairs)
    assert len(all_of_them) == 6763
    has = FT2Font(str(pictures.FONT_FILE)).get_charmap()
    needed = all_of_them + "，。：；？！（）“”《》、"
    assert [c for c in needed if ord(c) not in has] == []
    texts = (TOP / "helpers/texts_zh.json").read_text(encoding="utf-8")
    assert [c for c in set(texts) - {"\n"} if ord(c) not in pictures._drawable()] == []


def test_hostile_tokens_are_drawn_literally(show):
    """Red: a token is read as mathematics (matplotlib#20266), cut, or merged."""
    n = len(TWICE)
    shown = show(heat_map, np.eye(n), rows=TWICE, columns=TWICE, title="$x_$")
    assert texts(shown.axes.get_xticklabels()) == DRAWN
    assert texts(shown.axes.get_yticklabels()) == DRAWN
    assert shown.axes.get_title() == "$x_$"
    shown = show(bars, np.eye(n)[:2], queries=TWICE[1:3], keys=TWICE, title="$$")
    assert texts(shown.axes.get_xticklabels()) == DRAWN
    assert [axes.get_title() for axes in shown.figure.axes] == [
        "query $$",
        "query $x_$",
    ]
    shown = show(bar_row, np.eye(n)[0], TWICE, title="$x_$")
    assert texts(shown.axes.get_xticklabels()) == DRAWN
    shown = show(chain, *[np.eye(3)] * 7, TWICE[1:4])
    drawn = [texts(axes.get_yticklabels()) for axes in shown.figure.axes]
    assert drawn == [DRAWN[1:4]] * 7


@pytest.mark.parametrize("token", ["$", "$$", "$x_$", "$5 and $6"])
def test_no_token_is_read_as_mathematics(token, show):
    """Red: dollar signs vanish without an error, as in "$5 and $6"."""
    for shown in (
        show(heat_map, [[1.0]], rows=[token], columns=[token], title=token),
        show(bars, [[1.0]], queries=[token], keys=[token], title=token),
        show(bar_row, [1.0], [token], title=token),
    ):
        found = [t for t in shown.figure.findobj(mpl.text.Text) if "$" in t.get_text()]
        assert found
        assert not any(t.get_parse_math() for t in found), texts(found)


# ---- the picture says what the matrix says


@pytest.mark.parametrize("shape", [(3, 3), (2, 3), (3, 2)])
@pytest.mark.parametrize("kind", ["weights", "scores"])
def test_rows_are_queries_and_columns_are_keys(kind, shape, show):
    """Red: rows and columns are swapped, or labels are off by one.

    (poloclub/transformer-explainer#19, matplotlib#18848)
    """
    n, m = shape
    matrix = (WEIGHTS if kind == "weights" else SCORES)[:n, :m]
    rows, columns = ["q0", "q1", "q2"][:n], ["k0", "k1", "k2"][:m]
    shown = show(heat_map, matrix, kind=kind, rows=rows, columns=columns, title="T")
    assert (shown.axes.get_ylabel(), shown.axes.get_xlabel()) == ("query", "key")
    assert texts(shown.axes.get_xticklabels()) == columns
    assert texts(shown.axes.get_yticklabels()) == rows
    assert shown.axes.get_xticks().tolist() == list(range(m))
    assert shown.axes.get_yticks().tolist() == list(range(n))
    assert shown.axes.yaxis_inverted(), "row 0 has to be at the top"
    assert not shown.axes.xaxis_inverted(), "column 0 has to be at the left"
    in_cells = {t.get_position(): t.get_text() for t in shown.axes.texts}
    colours = pictures.WEIGHT_COLOURS if kind == "weights" else pictures.SIGNED_COLOURS
    for (i, j), x in np.ndenumerate(matrix):
        assert in_cells[j, i] == number(x)
        right = colours(x if kind == "weights" else (x + 1) / 2)[:3]
        corner = shown.pixel(j - 0.4, i - 0.4)
        assert np.abs(corner - right).max() < 0.02, f"row {i}, column {j}"


def test_the_darkest_cell_is_the_largest_weight(show):
    """Red: the picture of the base case no longer shows 0.576 for 我 on 猫."""
    shown = show(heat_map, WEIGHTS, rows=TOKENS, columns=TOKENS)
    first_row = [shown.pixel(j - 0.4, -0.4).sum() for j in range(3)]
    assert int(np.argmin(first_row)) == 2
    assert shown.description == (
        "Heat map of weights, the largest of each row: "
        "我 for 猫 (0.576), love for 我 (0.401), 猫 for 我 (0.401)."
    )


def test_labels_are_numbers_where_none_are_given(show):
    """Red: a map without labels has no ticks, or ticks between the cells."""
    shown = show(heat_map, np.eye(2, 3), kind="values")
    assert texts(shown.axes.get_xticklabels()) == ["0", "1", "2"]
    assert texts(shown.axes.get_yticklabels()) == ["0", "1"]
    assert (shown.axes.get_ylabel(), shown.axes.get_xlabel()) == ("token", "component")


@pytest.mark.parametrize("factor", [0, 0.01, 1])
def test_weights_are_coloured_from_0_to_1_whatever_they_are(factor, show):
    """Red: the colours follow the data, so that two pictures cannot be compared."""
    for shown in (
        show(heat_map, factor * WEIGHTS),
        show(heat_maps, {"a": factor * WEIGHTS, "b": np.eye(3)}),
    ):
        *maps, colour_bar = shown.figure.axes
        assert {axes.images[0].get_clim() for axes in maps} == {(0, 1)}
        assert colour_bar.get_ylim() == (0, 1)
    shown = show(bars, factor * WEIGHTS)
    assert {axes.get_ylim() for axes in shown.figure.axes} == {(0, 1.15)}


@pytest.mark.parametrize("factor", [0, 1, 1e6])
@pytest.mark.parametrize("kind", ["scores", "values"])
def test_signed_numbers_are_coloured_symmetrically_about_0(kind, factor, show):
    """Red: 0 is no longer the neutral colour, or the range follows the data."""
    for limit in (1, 3):
        shown = show(heat_map, factor * SCORES, kind=kind, limit=limit)
        assert shown.axes.images[0].get_clim() == (-limit, limit)
    neutral = shown.axes.images[0].to_rgba(np.array([0.0]))[0, :3]
    assert np.ptp(neutral) < 0.02 and neutral.min() > 0.95


def test_the_chain_shows_each_matrix_in_its_own_colours(show):
    """Red: weights in the chain look like signed numbers, or a map lost its name."""
    shown = show(FIGURES["chain"])
    found = {axes.get_title(): axes for axes in shown.figure.axes}
    assert list(found) == [
        f"{name}  (3 × 3)" for name in "X Q K V scores weights output".split()
    ]
    for title, axes in found.items():
        weights = title.startswith("weights")
        assert axes.images[0].get_clim() == ((0, 1) if weights else (-1, 1))
        named = title.startswith(("weights", "scores"))
        labels = (axes.get_ylabel(), axes.get_xlabel())
        assert labels == (("query", "key") if named else ("", ""))
    assert len(shown.figure.findobj(mpl.patches.FancyArrowPatch)) == 8
    assert "我 scores [0.250, 0.000, −0.500]" in shown.description


def test_bars_have_the_height_of_their_weight(show):
    """Red: a panel shows a column, not a row, or a bar's number is not its height."""
    shown = show(bars, WEIGHTS[:2], queries=TOKENS[:2], keys=TOKENS)
    assert len(shown.figure.axes) == 2
    for axes, row, query in zip(shown.figure.axes, WEIGHTS, TOKENS, strict=False):
        assert [bar.get_height() for bar in axes.patches] == row.tolist()
        assert texts(axes.texts) == [number(x) for x in row]
        assert texts(axes.get_xticklabels()) == TOKENS
        assert axes.get_title() == f"query {query}"
        assert axes.get_xlabel() == "key"
    assert shown.axes.get_ylabel() == "weight"
    shown = show(bar_row, [0.5, -2, 9], TOKENS, low=-1, high=1, ylabel="score")
    assert texts(shown.axes.texts) == ["0.500", "−2.000", "9.000"]
    assert shown.axes.get_ylim() == (-1.15, 1.15)
    assert all(abs(t.get_position()[1]) < 1.15 for t in shown.axes.texts), "cut off"


def test_a_curve_goes_through_its_numbers(show):
    """Red: a loss curve is drawn over another index, or its axis starts elsewhere."""
    shown = show(curve, [2, 1, 0.5], xlabel="step", ylabel="loss")
    (line,) = [line for line in shown.axes.lines if len(line.get_xdata()) == 3]
    assert line.get_xydata().tolist() == [[0, 2], [1, 1], [2, 0.5]]
    assert (shown.axes.get_xlabel(), shown.axes.get_ylabel()) == ("step", "loss")
    assert shown.axes.get_ylim()[0] == 0
    assert shown.description == "loss: from 2.000 at step 0 to 0.500 at step 2."


def test_a_large_map_is_described_as_a_whole(show):
    """Red: a map with many rows is described at a length that nobody hears out."""
    matrix = np.full((7, 7), 0.1)
    matrix[4, 2] = 0.4
    shown = show(heat_map, matrix, title="large")
    assert shown.description == (
        "Heat map of large, 7 queries by 7 keys: the largest, 0.400, is 4 for 2."
    )


def even(*shape):
    return np.full(shape, 1 / shape[-1])


def names(n, word="token"):
    return [f"{word} {i}" for i in range(n)]


@pytest.mark.parametrize("n", [30, 60, 100])
def test_a_large_map_is_drawn_soon(n, show):
    """Red: a map of 100 tokens takes minutes, as in bertviz#82, or loses numbers."""
    began = time.process_time()
    shown = show(heat_map, even(n, n), rows=names(n), columns=names(n))
    assert time.process_time() - began < 2  # under one, where nothing else runs
    assert list(shown.axes.texts) == []
    assert shown.numbers == [" ".join([number(1 / n)] * n**2)]


CROWDED = {
    "16 by 16": (heat_map, even(16, 16), names(16), names(16)),
    "17 by 17": (heat_map, even(17, 17), names(17), names(17)),
    "60 by 60": (heat_map, even(60, 60), names(60), names(60)),
    "3 by 100": (heat_map, even(3, 100), names(3), names(100)),
    "1 by 100": (heat_map, even(1, 100), names(1), names(100, "mammoths")),
    "long": (heat_map, even(9, 9), names(9, "mammoths"), names(9, "mammoths")),
    "bars": (bars, even(2, 10), names(2), names(10)),
    "bar_row": (bar_row, even(1, 100)[0], names(100)),
    "chain": (chain, *[even(12, 12)] * 7, names(12)),
}
LABELS = {heat_map: ["rows", "columns"], bars: ["queries", "keys"]}


@pytest.mark.parametrize("call", CROWDED.values(), ids=list(CROWDED))
def test_labels_and_numbers_leave_each_other_room(call, show):
    """Red: what is written in a crowded picture covers its neighbour."""
    draw_it, *given = call
    named = LABELS.get(draw_it, [])
    places = given[: len(given) - len(named)]
    shown = show(draw_it, *places, **dict(zip(named, given[-2:], strict=False)))
    assert max(shown.figure.get_size_inches()) <= 20
    for axes in shown.figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            boxes = [label.get_window_extent() for label in axis.get_ticklabels()]
            assert not any(a.overlaps(b) for a, b in pairwise(boxes))
        boxes = [text.get_window_extent() for text in axes.texts]
        assert not any(a.overlaps(b) for a, b in pairwise(boxes))


def test_a_label_that_has_room_stands_at_its_place(show):
    """Red: every second label is left out, and the rest name other rows."""
    shown = show(heat_map, even(100, 100), rows=names(100), columns=names(100))
    for axis in (shown.axes.xaxis, shown.axes.yaxis):
        found = zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True)
        labelled = {int(place): label.get_text() for place, label in found}
        assert len(labelled) >= 50
        assert all(text == f"token {i}" for i, text in labelled.items())


# ---- the reader's own matplotlib

STYLES = [
    "dark_background",
    "ggplot",
    {
        "axes.grid": True,
        "savefig.transparent": True,
        "image.origin": "lower",
        # And three of our own: large type, a trimmed and coarse file, and a sketch.
        **{"font.size": 20, "font.weight": "bold", "axes.labelpad": 30},
        **{"savefig.bbox": "tight", "savefig.dpi": 30, "figure.dpi": 30},
        **{"path.sketch": (1, 100, 2), "lines.marker": "o", "axes.linewidth": 5},
    },
]


@pytest.mark.parametrize("name", ["heat_map scores", "bars", "curve"])
def test_the_style_of_the_reader_changes_no_picture(name, show):
    """Red: labels are white on white, or lines go through the cells (Qiskit 3277)."""
    ours = show(FIGURES[name]).png
    for style in STYLES:
        with plt.style.context(style):
            before = dict(mpl.rcParams)
            assert show(FIGURES[name]).png == ours
            assert dict(mpl.rcParams) == before, "the reader's style is gone"


DRAW = """
import hashlib
from helpers import pictures
def display(data, **_):
    print(hashlib.sha256(data["image/png"]).hexdigest())
pictures.display = display
pictures.heat_map([[0.2, 0.8], [0.5, 0.5]])
"""


def drawn_in(**surroundings):
    """Draw a map in a new Python with these variables alone; return what it says."""
    ours = {
        name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ
    }
    done = subprocess.run(
        [sys.executable, "-c", DRAW],
        capture_output=True,
        encoding="utf-8",
        env=ours | surroundings,
        cwd=TOP,
    )
    return done.stdout, done.stderr


@pytest.fixture(scope="module")
def drawn_at_home(tmp_path_factory):
    return drawn_in(HOME=str(tmp_path_factory.mktemp("home")))[0]


def test_the_settings_file_of_the_reader_changes_no_picture(tmp_path, drawn_at_home):
    """Red: the reader's matplotlibrc is drawn with."""
    settings = "figure.facecolor: black\ntext.color: white\nimage.origin: lower\n"
    (tmp_path / "matplotlibrc").write_text(settings)
    assert drawn_in(MPLCONFIGDIR=str(tmp_path)) == (drawn_at_home, "")


@pytest.mark.parametrize("home", ["nowhere", "full", "relative"])
def test_nothing_is_said_where_matplotlib_can_make_no_folder(
    home, tmp_path, drawn_at_home
):
    """Red: matplotlib says on the page where its folder is (matplotlib#18011)."""
    if home == "full":
        for name in (".config", ".cache", ".matplotlib"):
            (tmp_path / name).touch()
    homes = {"nowhere": f"{os.devnull}/x", "full": str(tmp_path), "relative": "~"}
    assert drawn_in(HOME=homes[home]) == (drawn_at_home, "")


# ---- the picture in words, and what it leaves behind


@figures
def test_the_description_is_text_and_alternative_and_caption(
    draw_it, show, monkeypatch
):
    """Red: screen readers, nbval and readers get different descriptions, or none."""
    monkeypatch.setattr(pictures, "DPI", 192)  # the real one
    shown = show(draw_it)
    assert re.fullmatch(r"\S.{20,}\.", shown.description)
    assert shown.metadata["image/png"]["alt"] == shown.description
    squeeze = re.compile(r"\s+")
    assert squeeze.sub("", shown.caption) == squeeze.sub("", shown.description)
    assert max(map(len, shown.caption.splitlines())) <= 88
    size = shown.figure.get_size_inches()
    metadata = shown.metadata["image/png"]
    assert [metadata["width"], metadata["height"]] == [round(96 * x) for x in size]
    height, width, _ = imread(io.BytesIO(shown.png)).shape
    assert abs(width - 2 * metadata["width"]) <= 2
    assert abs(height - 2 * metadata["height"]) <= 2
    assert metadata["width"] <= 1010, "wider than a notebook's column"


@figures
def test_a_figure_leaves_nothing_behind(draw_it, show):
    """Red: figures pile up (try-jupyter#11), or the reader's settings are changed."""
    with mpl.rc_context({"font.size": 33}):
        before = dict(mpl.rcParams)
        first = show(draw_it).png
        assert plt.get_fignums() == []
        assert dict(mpl.rcParams) == before
        assert show(draw_it).png == first, "the second picture differs from the first"


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: heat_map([0.5]), ValueError, ["matrix", "(1,)", "2 axes"]),
        (lambda: heat_map(np.ones((1, 1, 1))), ValueError, ["(1, 1, 1)", "2 axes"]),
        (lambda: heat_map(np.ones((0, 2))), ValueError, ["(0, 2)", "an entry"]),
        (lambda: heat_map([["a"]]), TypeError, ["matrix", "real numbers"]),
        (lambda: heat_map([[1.5]]), ValueError, ["1.500", "0 and 1", "scores?"]),
        (lambda: heat_map([[-0.5]]), ValueError, ["−0.500", "0 and 1", "scores?"]),
        (lambda: heat_map([[1]], kind="x"), ValueError, ["kind", "'x'", "'values'"]),
        (lambda: heat_map([[1]], rows=["a", "b"]), ValueError, ["rows", "2", "1"]),
        (lambda: heat_map([[1]], columns=[]), ValueError, ["columns", "0", "1"]),
        (lambda: bars([[2]]), ValueError, ["weights", "2.000", "0 and 1"]),
        (lambda: bars([1]), ValueError, ["weights", "(1,)", "2 axes"]),
        (lambda: bars(even(17, 2)), ValueError, ["(17, 2)", "16", "heat_map"]),
        (lambda: bars([[1]], keys="ab"), ValueError, ["keys", "2", "1"]),
        (lambda: bars([[1]], queries="ab"), ValueError, ["queries", "2", "1"]),
        (lambda: bar_row([[1]], "a"), ValueError, ["numbers", "(1, 1)", "(n,)"]),
        (lambda: bar_row([1], "ab"), ValueError, ["labels", "2", "1"]),
        (lambda: bar_row(1, "a"), ValueError, ["numbers", "()", "1 ax"]),
        (
            lambda: curve([], xlabel="", ylabel=""),
            ValueError,
            ["y", "(0,)", "at least 1"],
        ),
        (lambda: curve([[1]], xlabel="", ylabel=""), ValueError, ["y", "(1, 1)"]),
        (
            lambda: chain(*[[[1]]] * 6, [1], "a"),
            ValueError,
            ["output", "(1,)", "2 axes"],
        ),
        (lambda: chain(*[[[1]]] * 7, "ab"), ValueError, ["tokens", "2", "1"]),
        (lambda: chain(*[[[2]]] * 7, "a"), ValueError, ["2.000", "0 and 1"]),
        (lambda: print_table(["a"]), TypeError, ["matrix", "real numbers"]),
        (lambda: print_table(np.ones((1, 1, 1))), ValueError, ["matrix", "2 axes"]),
        (lambda: print_table([[1]], rows="ab"), ValueError, ["rows", "2", "1"]),
        (lambda: print_table([[1]], columns="ab"), ValueError, ["columns", "2", "1"]),
    ],
)
def test_errors_say_what_is_wrong(call, kind, words):
    """Red: a wrong argument is drawn, or its message does not help to find it."""
    with pytest.raises(kind) as caught:
        call()
    message = str(caught.value)
    assert all(word in message for word in words), f"{message!r} should say {words}"


# ---- colours


def linear(rgb):
    rgb = np.asarray(rgb)
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    """Convert sRGB to CIELAB (D65), where equal distances look about equal."""
    to_xyz = np.array(
        [
            [0.4124564, 0.3575761, 0.1804375],
            [0.2126729, 0.7151522, 0.0721750],
            [0.0193339, 0.1191920, 0.9503041],
        ]
    )
    xyz = linear(rgb) @ to_xyz.T / [0.95047, 1, 1.08883]
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    x, y, z = np.moveaxis(f, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


@pytest.mark.parametrize("colours", [marks.POSITIVE, marks.NEGATIVE])
def test_each_side_of_the_map_darkens_in_equal_steps(colours):
    """Red: equal differences no longer look equal, or grey print loses the order."""
    places = lab([to_rgb(colour) for colour in colours.split()])
    steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
    assert np.ptp(steps) < 0.15 * steps.mean(), steps.round(2)
    assert (np.diff(places[:, 0]) < -5).all(), "not darker from step to step"


def test_the_map_is_light_at_0_and_the_sides_mirror_each_other():
    """Red: one sign looks stronger than the other, or 0 is not the lightest."""
    lightness = lab(pictures.SIGNED_COLOURS(np.linspace(0, 1, 256))[:, :3])[:, 0]
    assert lightness.argmax() in (127, 128)
    assert np.abs(lightness - lightness[::-1]).max() < 8
    for x in (0.25, 0.5, 1.0):
        same = pictures.SIGNED_COLOURS((1 + x) / 2), pictures.WEIGHT_COLOURS(x)
        assert np.allclose(*same, atol=0.02), "a weight and a score of the same size"


@pytest.mark.parametrize("kind", ["weights", "scores"])
def test_numbers_can_be_read_on_every_colour(kind, show):
    """Red: a number and its cell contrast less than 4.5 to 1 (WCAG AA)."""
    x = np.linspace(0 if kind == "weights" else -1, 1, 13 * 13)
    shown = show(heat_map, x.reshape(13, 13), kind=kind)
    cells = shown.axes.images[0].to_rgba(x[None])[0, :, :3]
    inks = [to_rgb(text.get_color()) for text in shown.axes.texts]
    a, b = (linear(rgb) @ [0.2126, 0.7152, 0.0722] + 0.05 for rgb in (cells, inks))
    contrast = np.maximum(a, b) / np.minimum(a, b)
    worst = contrast.argmin()
    assert contrast.min() >= 4.5, f"{contrast[worst]:.2f} at {x[worst]:.2f}"


# ---- tables


def columns_taken(text):
    return sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


def test_a_table_is_aligned_whatever_its_labels_are(capsys):
    """Red: Chinese labels push the numbers out of their columns."""
    print_table([[0.5, -10.25], [1, 0]], ["我", "love"], ["猫猫猫猫猫", "k"])
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "      猫猫猫猫猫           k",
        "我         0.500     −10.250",
        "love       1.000       0.000",
    ]
    assert {columns_taken(line) for line in lines} == {28}


def test_a_table_of_one_row_and_a_table_without_labels(capsys):
    """Red: the shapes that notebooks print are refused, or printed in another way."""
    print_table([1, 2], ["我"], digits=1)
    print_table([[1, 2], [3, 4]], digits=0)
    assert capsys.readouterr().out == "我  1.0  2.0\n  1  2\n  3  4\n"


@pytest.mark.parametrize(
    ("x", "digits", "text"),
    [
        (-0.0, 3, "0.000"),
        (-0.0004, 3, "0.000"),
        (-0.0006, 3, "−0.001"),
        (-0.4, 0, "0"),
        (-1e-17, 12, "0.000000000000"),
        (0.69999999, 3, "0.700"),
        (np.float32(0.1), 3, "0.100"),
        (1234.5, 1, "1234.5"),
    ],
)
def test_numbers_are_written_the_same_everywhere(x, digits, text, capsys):
    """Red: −0.000 appears, which differs between platforms, or a sign is lost."""
    assert number(x, digits) == text
    print_table([x], digits=digits)
    assert capsys.readouterr().out.strip() == text
