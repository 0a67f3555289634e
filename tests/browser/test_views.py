"""The small views, bars, film and questions: in JupyterLab, reopened, and alone."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from helpers import causal_mask, softmax
from helpers.exercises.buttons import Buttons
from helpers.exercises.catalogue import QUESTIONS
from helpers.film import Film
from helpers.geometry import Arrows, Gallery, Hull, Turning
from helpers.sliders import Bars

from .lab import Lab, eventually, python

BARS = """
import numpy as np
from helpers import softmax
from helpers.sliders import slide

def weights_of(stretch=1.0, shift=0):
    return softmax(stretch * np.array([0.5, 1.0]) + shift)

slide(weights_of, stretch=(0.0, 10.0, 0.5), shift=(-5, 5, 1), labels=["我", "<b>"])
"""
FILM = """
from helpers.film import Film

film = Film(3, ["B?"], ["0", "1"], [1])
film.show()
for weight in (0.5, 0.75, 1.0):
    film.add([[1 - weight, weight]], "a long line " * 9 + f"{weight}")
"""
QUESTION = """
from helpers.exercises import ask
ask("which_axis")
"""


@pytest.fixture(scope="module")
def page(lab: Lab) -> Page:
    return lab.run("small.ipynb", BARS, FILM, QUESTION, live=3)


@pytest.fixture
def alone(chromium: Browser) -> Iterator[Any]:
    """A page without a network, which notes what it asked for and what went wrong."""
    context = chromium.new_context(offline=True, has_touch=True)
    page: Any = context.new_page()
    page.wrong = []
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on("request", lambda r: page.wrong.append(r.url) if r.url[:4] != "file" else 0)
    yield page
    context.close()


def views(page: Page) -> Any:
    return page.locator(".course-live")


def said(page: Page, i: int) -> str:
    return str(views(page).nth(i).get_by_role("img").get_attribute("aria-label"))


def drawn(page: Page) -> Any:
    """Return what the first view shows, in full precision."""
    return views(page).first.evaluate("view => view.drawn")


def test_each_slider_has_a_name_and_a_value(page: Page) -> None:
    """Red: a screen reader says "slider" and nothing else."""
    tree = views(page).first.aria_snapshot()
    assert 'img "weight: 我 0.378, <b> 0.622"' in tree
    for name, value in (("stretch", "1"), ("shift", "0")):
        handle = views(page).first.get_by_role("slider", name=name)
        assert handle.get_attribute("aria-valuetext") == value


def test_the_keyboard_moves_the_bars_at_once_and_the_page_stays(page: Page) -> None:
    """Red: JupyterLab swallows the keys, or the picture waits for Python."""
    view = views(page).first
    height = view.bounding_box()["height"]
    stretch = view.get_by_role("slider", name="stretch")
    stretch.focus()
    for key, weights in [
        ("End", "我 0.007, <b> 0.993"),
        ("Home", "我 0.500, <b> 0.500"),
        ("ArrowRight", "我 0.438, <b> 0.562"),
    ]:
        page.keyboard.press(key)
        assert said(page, 0) == f"weight: {weights}"
    assert stretch.get_attribute("aria-valuetext") == "0.5"
    assert view.bounding_box()["height"] == height


def test_python_sees_where_a_view_stands_and_moves_it(page: Page) -> None:
    """Red: the state is not shared where a kernel runs."""
    views(page).nth(1).get_by_role("slider", name="picture").press("Home")
    eventually(
        lambda: python(page, "print(film.state['at'])") == 0, "Python sees the film"
    )
    python(page, "film.state = {'at': 1}")
    eventually(lambda: "0.750" in said(page, 1), "the film follows Python")


def test_the_start_is_hidden_while_the_sliders_live(page: Page) -> None:
    """Red: a stale picture stands above the live one, or a question is hidden."""
    cell = page.locator(".jp-Cell").first
    assert cell.locator("img").count() == 1
    assert not cell.locator("img").is_visible()
    assert not cell.get_by_text("at the start").is_visible()
    question = page.locator(".jp-Cell").nth(2)
    assert question.get_by_text("What sums to 1?").is_visible()


def test_the_film_slides_back_and_says_its_numbers(page: Page) -> None:
    """Red: the handle shows another picture than it names, or its line is cut."""
    view = views(page).nth(1)
    handle = view.get_by_role("slider", name="picture")
    handle.press("End")
    assert said(page, 1) == "weights. B?, the right key is 1: 0.000, 1.000"
    handle.press("Home")
    assert said(page, 1) == "weights. B?, the right key is 1: 0.500, 0.500"
    page.set_viewport_size({"width": 800, "height": 900})
    line = view.get_by_text("a long line")
    assert line.evaluate("e => e.scrollWidth <= e.clientWidth + 1")
    page.set_viewport_size({"width": 1280, "height": 900})


def test_the_film_plays_to_its_end_and_can_be_paused(page: Page) -> None:
    """Red: the button does nothing, or the film never stops."""
    view = views(page).nth(1)
    view.get_by_role("slider", name="picture").press("Home")
    view.get_by_role("button", name="Play").click()
    assert view.get_by_role("button", name="Pause").is_visible()
    eventually(lambda: "1.000" in said(page, 1), "the film plays")
    view.get_by_role("button", name="Play").wait_for()
    view.get_by_role("button", name="Play").click()  # from the beginning
    eventually(lambda: "0.750" in said(page, 1), "the film plays again")
    view.get_by_role("button", name="Pause").click()
    assert view.get_by_role("button", name="Play").is_visible()


def test_a_click_answers_at_once(page: Page) -> None:
    """Red: a button is silent, or says what belongs to another option."""
    view = views(page).nth(2)
    for option in QUESTIONS["which_axis"].options:
        button = view.get_by_role("button", name=option.text)
        button.click()
        assert option.reply in view.get_by_role("status").inner_text()
        kind = "right" if option.right else "wrong"
        assert kind in str(button.get_attribute("class"))


def test_views_live_in_a_notebook_that_is_opened_again(page: Page, lab: Lab) -> None:
    """Red: after saving and closing, the sliders are dead until the cells run."""
    page.evaluate("jupyterapp.commands.execute('docmanager:save')")
    path = lab.folder / "small.ipynb"
    eventually(
        lambda: "widgets" in json.loads(path.read_text("utf-8"))["metadata"],
        "the state of the views is saved",
    )
    page.evaluate("jupyterapp.serviceManager.sessions.shutdownAll()")
    page.close()
    page = lab.open("small.ipynb")
    views(page).nth(2).wait_for()
    views(page).first.get_by_role("slider", name="stretch").press("End")
    assert said(page, 0) == "weight: 我 0.007, <b> 0.993"
    views(page).nth(1).get_by_role("slider", name="picture").press("Home")
    assert "0.500" in said(page, 1)
    views(page).nth(2).get_by_role("button", name="each row").click()
    assert "Right." in views(page).nth(2).get_by_role("status").inner_text()
    page.close()


def test_bars_alone_show_what_python_computes(alone: Any, tmp_path: Path) -> None:
    """Red: away from the kernel a slider shows the numbers of another position."""

    def compute(stretch: float = 1.0, shift: int = 0) -> Any:
        return softmax(stretch * np.array([0.5, 1.0, -1.0])) + shift

    ranges = {"stretch": (-3.0, 10.0, 0.5), "shift": (-5, 5, 1)}
    bars = Bars(compute, ranges, labels=["<img src=x>", "$x_$", "猫"], low=-5, high=6)
    bars.save_page(tmp_path / "bars.html")
    alone.goto((tmp_path / "bars.html").as_uri())
    stretch = alone.get_by_role("slider", name="stretch")
    shift = alone.get_by_role("slider", name="shift")
    chance = random.Random(0)
    places = [(chance.randrange(27), chance.randrange(11)) for _ in range(20)]
    for i, j in [(0, 0), (26, 10), *places]:
        stretch.fill(str(i))
        shift.fill(str(j))
        bars.state = {"at": [i, j]}
        assert np.allclose(drawn(alone), bars.numbers, rtol=0, atol=1e-12)
        assert drawn(alone) == compute(*bars.values.values()).tolist()
    assert alone.locator("img").count() == 0 and alone.wrong == []


def test_film_and_question_live_alone(alone: Any, tmp_path: Path) -> None:
    """Red: away from the kernel a film stands still, or a question has no answer."""
    film = Film(5, ["a", "b"], ["0", "1"], [0, 1])
    for i in range(5):
        film.add([[i / 4, 1 - i / 4], [0.3, 0.7]], f"step {i}")
    film.save_page(tmp_path / "film.html")
    alone.goto((tmp_path / "film.html").as_uri())
    for i in (0, 3, 4):
        alone.get_by_role("slider").fill(str(i))
        assert drawn(alone) == film.frames[i]["weights"]
        assert alone.get_by_text(f"step {i}").is_visible()
    Buttons(QUESTIONS["which_axis"]).save_page(tmp_path / "question.html")
    alone.goto((tmp_path / "question.html").as_uri())
    alone.get_by_role("button", name="each column").tap()
    assert "Not this one" in alone.get_by_role("status").inner_text()
    assert alone.wrong == []


def test_arrows_follow_finger_and_keyboard(alone: Any, tmp_path: Path) -> None:
    """Red: a tip cannot be moved, or its scores are not those of Python."""
    view = Arrows([1.5, 1], [[2, 0], [0.5, 1.5]], ["<b>", "猫"])
    view.save_page(tmp_path / "arrows.html")
    alone.goto((tmp_path / "arrows.html").as_uri())
    query = alone.get_by_role("slider", name="query", exact=True)
    query.press("ArrowLeft")
    query.press("ArrowUp")
    assert query.get_attribute("aria-valuetext") == "1.4, 1.1"
    box = query.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    alone.mouse.move(x, y)
    alone.mouse.down()
    alone.mouse.move(x - 64, y + 64, steps=4)  # a unit is 64 pixels
    alone.mouse.up()
    assert query.get_attribute("aria-valuetext") == "0.4, 0.1"
    alone.get_by_role("slider", name="key 猫").press("ArrowDown")
    view.state = {"query": [0.4, 0.1], "keys": [[2.0, 0.0], [0.5, 1.4]]}
    shown = drawn(alone)
    assert np.allclose(shown["scores"], view.scores, rtol=0, atol=1e-12)
    assert np.allclose(shown["weights"], view.weights, rtol=0, atol=1e-12)
    assert alone.wrong == []


def test_hull_turning_and_gallery_show_what_python_says(
    alone: Any, tmp_path: Path
) -> None:
    """Red: a view of the plane draws other numbers than Python computes."""
    hull = Hull([[2, 0], [0, 2], [-2, -1]], ["a", "b", "c"])
    hull.save_page(tmp_path / "hull.html")
    alone.goto((tmp_path / "hull.html").as_uri())
    chance = random.Random(0)
    for places in ([0, 80, 0], [80, 80, 80], *(chance.choices(range(81), k=3),) * 5):
        for name, i in zip("abc", places, strict=True):
            alone.get_by_role("slider", name=f"score {name}").fill(str(i))
        hull.state = {"scores": [round(-4 + 0.1 * i, 1) for i in places]}
        assert np.allclose(drawn(alone)["output"], hull.output, rtol=0, atol=1e-12)

    turning = Turning([1.5, 0.5], [1, 1])
    turning.save_page(tmp_path / "turning.html")
    alone.goto((tmp_path / "turning.html").as_uri())
    alone.get_by_role("slider", name="position of the key").press("End")
    turning.state = {"query": 2, "key": 17}
    assert abs(drawn(alone)["score"] - turning.score) < 1e-12
    alone.get_by_role("slider", name="position of the key").press("ArrowLeft")
    alone.get_by_role("button", name="Move both").tap()
    turning.state = {"query": 3, "key": 17}
    assert abs(drawn(alone)["score"] - turning.score) < 1e-12
    assert alone.get_by_role("button", name="Move both").is_disabled()

    lengths = range(2, 6)
    masks = {"causal": [causal_mask(n) for n in lengths]}
    Gallery(masks, list(lengths)).save_page(tmp_path / "gallery.html")
    alone.goto((tmp_path / "gallery.html").as_uri())
    alone.get_by_role("slider", name="length").press("Home")
    assert drawn(alone) == [[[1, 0], [1, 1]]]
    assert alone.get_by_role("img", name="causal: 3 / 4 visible").is_visible()
    assert alone.wrong == []
