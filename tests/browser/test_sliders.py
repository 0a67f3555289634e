"""The small sliders and the film, in a real JupyterLab."""

import re

import pytest
from playwright.sync_api import Page

from .lab import Lab

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


@pytest.fixture(scope="module")
def page(lab: Lab) -> Page:
    return lab.run("small.ipynb", BARS, FILM, live=2)


def picture(page: Page, i: int) -> str:
    image = page.locator(".course-live").nth(i).get_by_role("img")
    return str(image.get_attribute("aria-label"))


def test_each_slider_has_a_name_and_a_value(page: Page) -> None:
    """Red: a screen reader says "slider" and nothing else."""
    tree = page.locator(".course-live").first.aria_snapshot()
    assert re.search(r'slider "stretch": "?1"?', tree), tree
    assert re.search(r'slider "shift": "?0"?', tree), tree
    assert "weight: 我 0.378, <b> 0.622" in tree


def test_the_keyboard_moves_the_bars_and_the_page_stays(page: Page) -> None:
    """Red: JupyterLab swallows the keys, or the picture does not follow."""
    view = page.locator(".course-live").first
    height = view.bounding_box()["height"]  # type: ignore[index]
    stretch = view.get_by_role("slider", name="stretch")
    stretch.focus()
    page.keyboard.press("End")
    page.wait_for_function(
        "document.querySelector('.course-live [role=img]').ariaLabel.includes('0.993')"
    )
    page.keyboard.press("Home")
    page.wait_for_function(
        "document.querySelector('.course-live [role=img]').ariaLabel"
        ".includes('我 0.500')"
    )
    page.keyboard.press("ArrowRight")
    assert stretch.input_value() == "0.5"
    assert view.bounding_box()["height"] == height  # type: ignore[index]


def test_the_start_is_hidden_while_the_sliders_live(page: Page) -> None:
    """Red: a stale picture stands above the live one."""
    cell = page.locator(".jp-Cell").first
    assert cell.locator("img").count() == 1
    assert not cell.locator("img").is_visible()
    assert not cell.get_by_text("at the start").is_visible()


def test_the_film_slides_back_and_says_its_numbers(page: Page) -> None:
    """Red: the scrubber shows another picture than it names, or its line is cut."""
    assert picture(page, 1) == "weights: B? on 1, the right key: 1.000"
    view = page.locator(".course-live").nth(1)
    view.get_by_role("slider", name="picture").focus()
    page.keyboard.press("Home")
    page.wait_for_function(
        "[...document.querySelectorAll('.course-live [role=img]')].at(-1)"
        ".ariaLabel.includes('0.500')"
    )
    page.set_viewport_size({"width": 800, "height": 900})
    line = view.get_by_text("a long line")
    assert line.evaluate("e => e.scrollWidth <= e.clientWidth + 1")
    page.set_viewport_size({"width": 1280, "height": 900})
