"""What all live views share, in JavaScript."""

import numpy as np
from playwright.sync_api import Browser

from helpers import live
from helpers.marks import number


def test_a_number_is_written_as_in_python(chromium: Browser) -> None:
    """Red: a live view and the table beside it show different digits of one number."""
    rng = np.random.default_rng(0)
    halfway = [0.0625, 0.1875, -0.0625, 0.125, 0.5, 1.5, 2.5, -2.5, 0.0005, 1.0005]
    numbers = [0.0, -0.0, -0.0004, -0.4, 9.9996, -12.5, 1234.5, 99999.9995, *halfway]
    numbers += (rng.normal(size=200) * 10 ** rng.uniform(-4, 4, 200)).tolist()
    page = chromium.new_page()
    page.add_script_tag(content=live.together("live.js"))
    written = page.evaluate(
        "numbers => numbers.map((x) => [0, 1, 2, 3].map((n) => number(x, n)))",
        numbers,
    )
    page.close()
    assert written == [[number(x, digits) for digits in range(4)] for x in numbers]
