"""The explorer as Python sees it; tests/browser has what a reader sees."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from helpers import live, self_attention
from helpers.examples import three_tokens
from helpers.explorer import LARGEST, TEXTS, Explorer
from helpers.marks import number

from .common import named

EXAMPLE = three_tokens()
RUN_ME = "Run this cell to move the sliders."


def make(scale: float | None = 1.0, **changes: Any) -> Explorer:
    given = {name: getattr(EXAMPLE, name) for name in ("tokens", "X", "Wq", "Wk", "Wv")}
    return Explorer(**(given | changes), scale=scale)


def close(a: Any, b: Any) -> bool:
    return bool(np.abs(np.subtract(a, b)).max() <= 1e-12)


def test_it_starts_at_the_published_numbers() -> None:
    explorer = make()
    for name in ("Q", "K", "V", "scores", "weights", "output"):
        here = getattr(explorer, name)
        assert here.dtype == np.float64
        assert np.abs(here - EXAMPLE.published[name]).max() <= 0.0005 + 1e-12, name


@pytest.mark.parametrize("scale", [1.0, 1, None])
def test_scale_sets_the_switch(scale: float | None) -> None:
    explorer = make(scale)
    _, weights = self_attention(
        EXAMPLE.X, EXAMPLE.Wq, EXAMPLE.Wk, EXAMPLE.Wv, scale=scale
    )
    assert explorer.scaled == (scale is None)
    assert close(explorer.weights, weights)


def test_what_is_set_is_what_is_computed() -> None:
    explorer = make()
    Wq, Wk = np.arange(12).reshape(4, 3) / 10, EXAMPLE.Wk + 1
    explorer.Wq, explorer.Wk = Wq.tolist(), Wk
    explorer.stretch, explorer.scaled, explorer.query = 2.5, True, np.int64(2)
    output, weights = self_attention(EXAMPLE.X, 2.5 * Wq, Wk, EXAMPLE.Wv)
    assert close(explorer.Q, EXAMPLE.X @ (2.5 * Wq))
    assert close(explorer.weights, weights) and close(explorer.output, output)
    assert np.array_equal(explorer.Wq, Wq), "the stretch is not part of Wq"
    assert (explorer.stretch, explorer.scaled, explorer.query) == (2.5, True, 2)
    assert json.loads(json.dumps(explorer.state)) == explorer.state


def test_reset_is_exact_and_arguments_stay_as_they_were() -> None:
    given = {n: getattr(EXAMPLE, n).copy() for n in ("X", "Wq", "Wk", "Wv")}
    before = copy.deepcopy(given)
    explorer = make(**given)
    start = copy.deepcopy(explorer.state)
    assert explorer.state["Wq"] is not explorer.data["start"]["Wq"]
    for value in (0.5, 1.5, 0.5):
        explorer.Wq = explorer.Wq + value
    explorer.stretch, explorer.query, explorer.scaled = 3, 1, True
    explorer.reset()
    assert explorer.state == start
    assert explorer.state["Wq"] is not explorer.data["start"]["Wq"]
    assert all(np.array_equal(given[name], before[name]) for name in given)
    given["Wq"][0, 0] = 9
    assert explorer.Wq[0, 0] == EXAMPLE.Wq[0, 0], "the caller's array is not kept"


def test_an_entry_cannot_be_assigned_without_effect() -> None:
    with pytest.raises(ValueError, match="read-only"):
        make().Wq[0, 0] = 1
    with pytest.raises(AttributeError):
        make().weights = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    ("name", "value", "error", "message"),
    [
        ("Wq", [[1, 2]], ValueError, r"Wq has shape \(1, 2\).* needs shape \(4, 3\)"),
        ("Wq", 1.0, ValueError, r"Wq has shape \(\).* needs shape \(4, 3\)"),
        ("Wk", np.zeros((3, 4)), ValueError, r"Wk has shape \(3, 4\).*\(4, 3\)"),
        ("Wq", np.full((4, 3), np.nan), ValueError, "Wq holds NaN or inf"),
        ("Wq", np.full((4, 3), 1e300), ValueError, r"Wq holds 1e\+300.* between"),
        ("Wq", [["a"] * 3] * 4, TypeError, "Wq has dtype"),
        ("Wq", [[1, 2, 3], [4]], ValueError, "Wq has rows of different lengths"),
        ("stretch", 10.1, ValueError, "stretch is 10.1.* between 0 and 10"),
        ("stretch", -1, ValueError, "stretch is -1.* between 0 and 10"),
        ("stretch", float("nan"), ValueError, "stretch is nan.* finite"),
        ("stretch", "2", TypeError, "stretch is '2'.* real number"),
        ("scaled", 1, TypeError, "scaled is 1.* True or False"),
        ("query", 3, ValueError, "query is 3.* between 0 and 2"),
        ("query", -1, ValueError, "query is -1.* between 0 and 2"),
        ("query", "love", TypeError, "query is 'love'.* whole number"),
    ],
)
def test_a_value_that_does_not_fit_changes_nothing(
    name: str, value: Any, error: type[Exception], message: str
) -> None:
    explorer = make()
    explorer.stretch = 2
    state = copy.deepcopy(explorer.state)
    with pytest.raises(error, match=message):
        setattr(explorer, name, value)
    assert explorer.state == state


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"tokens": ["a"]}, ValueError, r"tokens has 1 .*X has shape \(3, 4\)"),
        ({"Wq": np.zeros((3, 3))}, ValueError, r"X has shape .* Wq has shape"),
        ({"Wk": np.zeros((4, 2))}, ValueError, "same width d_k"),
        ({"X": np.zeros((1, 3, 4))}, ValueError, r"X has shape \(1, 3, 4\).* 2 axes"),
        ({"X": np.zeros((0, 4)), "tokens": []}, ValueError, "needs 2 axes and an"),
        ({"Wv": [[np.inf] * 3] * 4}, ValueError, "Wv holds NaN or inf"),
        ({"scale": 0.5}, ValueError, "scale is 0.5.* None .* or 1.0"),
        ({"scale": "1"}, TypeError, "scale is '1'"),
    ],
)
def test_errors_are_raised_at_the_door(
    changes: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        make(**changes)


@pytest.mark.parametrize("size", [LARGEST, -LARGEST])
def test_the_largest_entries_keep_every_row_finite(size: float) -> None:
    M = {name: np.full((8, 8), size) for name in ("X", "Wq", "Wk", "Wv")}
    explorer = make(**M, tokens=list("abcdefgh"))
    explorer.stretch = 10
    assert np.isfinite(explorer.scores).all() and np.isfinite(explorer.output).all()
    assert close(explorer.weights.sum(axis=1), 1)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.longdouble])
def test_other_numbers_and_read_only_arrays_are_taken(dtype: Any) -> None:
    X = np.eye(3, 4, dtype=int)
    X.setflags(write=False)
    Wq = np.asfortranarray(EXAMPLE.Wq.astype(dtype))
    explorer = make(X=X, Wq=Wq)
    assert np.array_equal(explorer.Q, Wq[:3].astype(float))
    json.dumps(explorer.state)  # plain numbers, which the browser can be sent


def test_show_prints_the_start_and_then_one_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(InteractiveShell, "initialized", lambda: True)
    explorer = make()
    explorer.stretch = 5  # what is captioned "at the start" shows the start
    with capture_output() as shown:
        assert explorer.show() is None
    picture, live = (output.data for output in shown.outputs)
    assert "image/png" in picture
    assert "weights at the start" in picture["text/plain"]
    assert live["text/plain"] == RUN_ME == repr(explorer)
    for name in ("scores", "weights"):
        assert f"{name} at the start:" in shown.stdout
        for row in EXAMPLE.published[name]:
            line = r"\s+".join(re.escape(number(x)) for x in row)
            assert re.search(line, shown.stdout), (name, row)
    assert "0x" not in shown.stdout


def test_the_difference_is_told_in_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    explorer = make()
    explorer.show_difference()
    assert capsys.readouterr().out == "Nothing has changed since the start.\n"
    Wq = EXAMPLE.Wq.copy()
    Wq[0, 1] += 1.25
    explorer.Wq, explorer.stretch = Wq, 2.0
    explorer.show_difference()
    out = capsys.readouterr().out
    assert "stretch: 1.0 at the start, now 2.0" in out
    assert "1.250" in out and "Wk" not in out and "query" not in out
    moved = explorer.weights - make().weights
    for row in moved:
        assert re.search(r"\s+".join(re.escape(number(x)) for x in row), out)


def test_explorers_do_not_share_their_state() -> None:
    one, two = make(), make()
    one.Wq = np.zeros((4, 3))
    assert np.array_equal(two.Wq, EXAMPLE.Wq)
    assert len(np.unique(one.weights.round(12))) == 1


def test_the_page_stands_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hostile = ["</script><script>alert(1)</script>", "<!--", '"&amp;"']
    path = tmp_path / named("页.html")
    make(tokens=hostile).save_page(path)
    page = path.read_text(encoding="utf-8")
    assert page.count("</script>") == 1 and "<!--" not in page
    links = set(re.findall(r"\w+://[^\s\"'`]+", page))
    assert links == {"http://www.w3.org/2000/svg"}, "a name, not an address to load"
    assert str(path) in capsys.readouterr().out


def test_each_text_of_the_live_view_is_used() -> None:
    source = live.together("live.js", "maps.js", "explorer.js")
    for name in set(TEXTS["live"]) - {"Wq", "Wk"}:
        assert f"texts.{name}" in source, name
    for name in re.findall(r"texts\.(\w+)", source):
        assert name in TEXTS["live"], name
