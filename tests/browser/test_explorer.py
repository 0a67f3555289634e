"""The explorer as a reader has it: JupyterLab, Chromium, mouse and keyboard."""

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from nbconvert import HTMLExporter
from playwright.sync_api import Browser, Page

from helpers import attention_scores, project, softmax
from helpers.examples import three_tokens
from helpers.explorer import Explorer

from .lab import Lab, eventually, python, run_all

EXAMPLE = three_tokens()
SETUP = """
import json
from helpers.examples import three_tokens
from helpers.explorer import Explorer
e = three_tokens()
explorer = Explorer(e.tokens, e.X, e.Wq, e.Wk, e.Wv)
other = Explorer(e.tokens, e.X, e.Wq, e.Wk, e.Wv, scale=None, with_Wk=True)
"""
HOSTILE = [
    *("$x_$", "<b>b</b>", '"', "&amp;", "😀🎉", "w" * 40, "我" * 40),
    *("love", "love", "<img src=x onerror=document.title='run'>"),
    *("w" * 39 + "v", "</script>"),
]
LARGE = f"""
import numpy as np
from helpers.explorer import Explorer
rng = np.random.default_rng(0)
X, Wq, Wk, Wv = (rng.normal(size=s) for s in [(12, 8), (8, 8), (8, 8), (8, 8)])
large = Explorer({HOSTILE!r}, X, Wq, Wk, Wv, scale=None, with_Wk=True)
"""
RUN_ME = "Run this cell to move the sliders."
BOTH = ["Wq", "Wk"]


@pytest.fixture(scope="module")
def notebook(lab: Lab) -> Page:
    """One notebook with an explorer, another explorer, and the first once more."""
    shows = ["explorer.show()", "other.show()", "explorer.show()"]
    return lab.run("main.ipynb", SETUP, *shows, live=3)


@pytest.fixture
def page(notebook: Page) -> Page:
    python(notebook, "explorer.reset(); other.reset()")
    start = Explorer(**_given()).state
    eventually(
        lambda: notebook.evaluate(
            "document.querySelectorAll('.course-live .changed').length === 0"
        ),
        f"every view shows the start, {start}",
    )
    return notebook


@pytest.fixture(scope="module")
def large(lab: Lab) -> Page:
    """Twelve hostile tokens and d = 8, and then a mistake in the same cell."""
    return lab.run("large.ipynb", LARGE, "large.show()\nlarge.Wq = [[1]]")


def _given() -> dict[str, Any]:
    return {name: getattr(EXAMPLE, name) for name in ("tokens", "X", "Wq", "Wk", "Wv")}


def view(page: Page, i: int = 0) -> Any:
    return page.locator(".course-live").nth(i)


def slider(page: Page, name: str, i: int = 0) -> Any:
    return view(page, i).get_by_role("slider", name=name, exact=True)


def drawn(page: Page, i: int = 0) -> dict[str, list[list[float]]]:
    """Return scores, weights and output in full precision, as the view has them."""
    numbers: dict[str, list[list[float]]] = view(page, i).evaluate("v => v.attention")
    return numbers


def told(page: Page, what: str, i: int = 0) -> str:
    """Return the description of a picture."""
    images = view(page, i).get_by_role("img")
    names = [str(images.nth(k).get_attribute("aria-label")) for k in range(6)]
    return next(name for name in names if name.startswith(what))


def close(a: Any, b: Any) -> bool:
    a, b = np.asarray(a), np.asarray(b)
    return bool(np.abs(a - b).max() <= 1e-12 * max(1, np.abs(b).max()))


def kernel_agrees(page: Page, name: str = "explorer", i: int = 0) -> None:
    """Wait until Python holds what the picture shows."""
    names = "Q", "K", "scores", "weights", "output"
    lists = ", ".join(f"{name}.{what}.tolist()" for what in names)
    code = f"print(json.dumps([{lists}]))"

    def agrees() -> bool:
        return all(map(close, python(page, code), drawn(page, i).values()))

    eventually(agrees, f"{name} in Python equals the picture")


def test_it_starts_at_the_published_numbers(page: Page) -> None:
    for name in ("scores", "weights", "output"):
        assert close(np.round(drawn(page)[name], 3), EXAMPLE.published[name])
    assert "我: 0.313, 0.337, 0.350; love: 0.380" in told(page, "weights.")
    assert "我: 0.313, love: 0.337, 猫: 0.350" in told(page, "weights of query 我")
    kernel_agrees(page)


def test_the_start_is_hidden_while_the_live_view_is_there(page: Page) -> None:
    cell = page.locator(".jp-Cell").nth(1)
    assert cell.locator("img").count() == 1
    assert not cell.locator("img").is_visible()
    assert not cell.get_by_text("weights at the start:").is_visible()
    assert view(page).is_visible()


def test_each_step_of_a_drag_is_drawn(page: Page) -> None:
    thumb = slider(page, "Wq[0, 0]")
    view(page).evaluate(
        """view => {
            window.steps = []; // input events come here after the slider's own handler
            view.addEventListener("input", (e) => window.steps.push(
                [e.target.valueAsNumber, view.attention.scores[0][0],
                 view.querySelectorAll("svg")[2].getAttribute("aria-label")]));
        }"""
    )
    box = thumb.bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.52, y)
    page.mouse.down()
    for x in np.linspace(0.52, 0.95, 25):
        page.mouse.move(box["x"] + box["width"] * x, y)
    page.mouse.up()
    steps = page.evaluate("window.steps")
    assert len(steps) > 5
    for value, score, told in steps:
        Wq = EXAMPLE.Wq.copy()
        Wq[0, 0] = value
        scores = (EXAMPLE.X @ Wq) @ (EXAMPLE.X @ EXAMPLE.Wk).T
        assert abs(score - scores[0, 0]) <= 1e-12
        assert f"我: {scores[0, 0]:.3f}".replace("-", "−") in told
    kernel_agrees(page)
    assert python(page, "print(explorer.Wq[0, 0])") == steps[-1][0]


def test_the_keyboard_moves_the_slider_and_not_the_notebook(page: Page) -> None:
    active = "jupyterapp.shell.currentWidget.content.activeCellIndex"
    before = page.evaluate(active)
    thumb = slider(page, "Wq[0, 0]")
    thumb.focus()
    for key, value in [
        *(("End", 3), ("ArrowLeft", 2.95), ("ArrowDown", 2.9), ("Home", -3)),
        *(("ArrowRight", -2.95), ("ArrowUp", -2.9)),
    ]:
        page.keyboard.press(key)
        assert float(thumb.input_value()) == value, key
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.ariaLabel") == "Wq[0, 1]"
    assert page.evaluate(active) == before
    kernel_agrees(page)
    assert python(page, "print(explorer.Wq[0, 0])") == -2.9


def test_each_slider_reaches_both_ends_and_nothing_jumps(page: Page) -> None:
    heights = set()
    names = [f"{W}[{i}, {j}]" for W in BOTH for i in range(4) for j in range(3)]
    for name in [*names, "stretch Wq ×"]:
        thumb = slider(page, name, 1)
        thumb.focus()
        for key, end in (("Home", "min"), ("End", "max")):
            page.keyboard.press(key)
            assert thumb.input_value() == thumb.get_attribute(end)
            weights = np.array(drawn(page, 1)["weights"])
            assert np.isfinite(weights).all() and close(weights.sum(axis=1), 1)
            heights.add(view(page, 1).bounding_box()["height"])
    assert len(heights) == 1
    assert view(page, 1).locator(".changed").count() == 25
    kernel_agrees(page, "other", 1)


def test_javascript_and_numpy_agree_at_random_positions(page: Page) -> None:
    rng = np.random.default_rng(1)
    move = """(view, values) => {
        const inputs = [...view.querySelectorAll("input[type=range]")];
        return inputs.map((input, i) => {
            input.value = values[i];
            input.dispatchEvent(new Event("input", { bubbles: true }));
            return input.valueAsNumber;
        });
    }"""
    for _ in range(20):
        values = rng.uniform(-3, 3, 25)
        values[rng.random(25) < 0.3] = 3
        values[rng.random(25) < 0.3] = -3
        values[0] = rng.choice([0, 10, *rng.uniform(0, 10, 4)])
        stretch, *entries = view(page, 1).evaluate(move, values.tolist())
        Wq, Wk = np.reshape(entries, (2, 4, 3))
        Q, K, V = project(EXAMPLE.X, stretch * Wq, Wk, EXAMPLE.Wv)
        scores = attention_scores(Q, K)
        weights = softmax(scores)
        here = drawn(page, 1)
        assert close(here["scores"], scores)
        assert close(here["weights"], weights)
        assert close(here["output"], weights @ V)
    kernel_agrees(page, "other", 1)


def test_reset_restores_the_exact_start(page: Page) -> None:
    for name in ("Wq[0, 0]", "Wq[3, 2]", "stretch Wq ×"):
        slider(page, name).press("End")
    view(page).get_by_role("checkbox").check()
    view(page).get_by_role("combobox").select_option("2")
    assert view(page).locator(".changed").count() == 4
    assert "0.149 at the start" in slider(page, "Wq[0, 0]").get_attribute(
        "aria-valuetext"
    )
    kernel_agrees(page)
    view(page).get_by_role("button", name="Reset").click()
    assert view(page).locator(".changed").count() == 0
    kernel_agrees(page)
    state = python(page, "print(json.dumps(explorer.state))")
    assert state == Explorer(**_given()).state


def test_the_query_and_the_switch(page: Page) -> None:
    view(page).get_by_role("combobox").select_option("1")
    assert "love: 0.320" in told(page, "weights of query love")
    output = ", ".join(f"{x:.3f}" for x in EXAMPLE.published["output"][1])
    assert output.replace("-", "−") in told(page, "context vectors")
    view(page).get_by_role("checkbox").check()
    scores = np.array(drawn(page)["scores"])
    assert close(scores * np.sqrt(3), Explorer(**_given()).scores)
    kernel_agrees(page)
    asked = "print(json.dumps([explorer.query, explorer.scaled]))"
    assert python(page, asked) == [1, True]


def test_what_python_sets_is_drawn_and_a_mistake_changes_nothing(page: Page) -> None:
    python(page, "explorer.Wq = e.Wq + 1; explorer.stretch = 2.5; explorer.query = 2")
    expected = Explorer(**_given())
    expected.Wq, expected.stretch = EXAMPLE.Wq + 1, 2.5
    eventually(lambda: close(drawn(page)["output"], expected.output), "drawn")
    assert "1.149" in str(slider(page, "Wq[0, 0]").get_attribute("aria-valuetext"))
    assert told(page, "weights of query 猫")
    code = """
try:
    explorer.Wq = [[1, 2]]
except ValueError as error:
    print(json.dumps(str(error)))
"""
    assert "(1, 2)" in python(page, code)
    kernel_agrees(page)
    assert close(drawn(page)["output"], expected.output)


def test_numbers_beyond_the_sliders_are_drawn(page: Page) -> None:
    python(page, "explorer.Wq = 1e5 * e.Wq")
    expected = Explorer(**_given())
    expected.Wq = 1e5 * EXAMPLE.Wq
    eventually(lambda: close(drawn(page)["scores"], expected.scores), "drawn")
    assert close(drawn(page)["weights"], expected.weights), "exp does not overflow"
    thumb = slider(page, "Wq[0, 0]")
    assert abs(float(thumb.input_value()) - expected.Wq[0, 0]) < 1e-6
    thumb.press("Home")
    assert thumb.input_value() == "-3"


def test_two_explorers_are_apart_and_two_views_together(page: Page) -> None:
    other = drawn(page, 1)
    slider(page, "Wq[1, 1]", 0).press("End")
    assert drawn(page, 1) == other
    assert drawn(page, 2) == drawn(page, 0) != other
    assert slider(page, "Wq[1, 1]", 2).input_value() == "3"
    slider(page, "Wk[1, 1]", 1).press("Home")
    assert drawn(page, 1) != other
    kernel_agrees(page, "explorer", 2)
    kernel_agrees(page, "other", 1)


def test_pictures_and_sliders_can_be_read_by_a_screen_reader(page: Page) -> None:
    slider(page, "Wq[0, 1]", 1).press("End")
    session = page.context.new_cdp_session(page)
    tree = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    seen: dict[str, dict[str, list[Any]]] = {}
    for node in tree:
        role = node.get("role", {}).get("value")
        name = node.get("name", {}).get("value")
        if not node["ignored"] and name:
            values = seen.setdefault(role, {}).setdefault(name, [])
            values.append(node.get("value", {}).get("value"))
    for W in BOTH:
        for (i, j), x in np.ndenumerate(getattr(EXAMPLE, W)):
            said = f"{x:.3f}".replace("-", "−")
            if (W, i, j) == ("Wq", 0, 1):
                x, said = 3, f"3.000, {said} at the start"
            name = f"{W}[{i}, {j}]"
            values = np.array(seen["slider"][name])  # of all views, in float32
            assert np.abs(values - x).min() < 1e-6
            assert slider(page, name, 1).get_attribute("aria-valuetext") == said
    assert "stretch Wq ×" in seen["slider"]
    assert "scores divided by √d_k" in seen["checkbox"]
    pictures = "\n".join(seen["image"])
    for title in ("scores. 我: ", "weights. 我: ", "weights of query 我. 我: "):
        assert title in pictures
    assert re.search(r"context vectors. 我: −?\d\.\d{3}, ", pictures)


def test_texts_stand_out_in_both_themes(page: Page, large: Page) -> None:
    contrast = """view => {
        const light = (rgb) => rgb.map((c) => c / 255)
            .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
            .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
        const rgb = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
        const page = rgb(getComputedStyle(view).backgroundColor);
        const pairs = [...view.querySelectorAll("text, span, h4, select, button")]
            .map((node) => {
                const { fill, color } = getComputedStyle(node);
                const cell = node.hasAttribute("fill") && node.previousSibling;
                return [rgb(node.tagName === "text" ? fill : color),
                        cell ? rgb(getComputedStyle(cell).fill) : page];
            });
        return pairs.map((pair) => pair.map(light).sort((a, b) => b - a))
            .map(([a, b]) => (a + 0.05) / (b + 0.05));
    }"""
    backgrounds = []
    for here in (page, large):
        for theme in ("JupyterLab Dark", "JupyterLab Light"):
            here.evaluate(
                "theme => jupyterapp.commands.execute("
                "'apputils:change-theme', { theme })",
                theme,
            )
            dark = str(theme == "JupyterLab Light").lower()
            here.wait_for_selector(
                f"body[data-jp-theme-light={dark}]", state="attached"
            )
            ratios = view(here).evaluate(contrast)
            assert len(ratios) > 30 and min(ratios) >= 4.5
            backgrounds.append(
                view(here).evaluate("v => getComputedStyle(v).backgroundColor")
            )
    assert len(set(backgrounds)) == 2


def test_nothing_is_cut_on_a_narrow_page(page: Page, large: Page) -> None:
    inside = """view => {
        const cut = [];
        const outer = view.getBoundingClientRect();
        for (const node of view.querySelectorAll("*")) {
            if (["STYLE", "OPTION"].includes(node.tagName)) continue;
            const box = node.getBoundingClientRect();
            const frame = node.ownerSVGElement?.getBoundingClientRect() ?? outer;
            if (box.left < frame.left - 1 || box.right > frame.right + 1
                || box.top < frame.top - 1 || box.bottom > frame.bottom + 1)
                cut.push(node.outerHTML);
        }
        for (const h4 of view.querySelectorAll("h4"))
            if (h4.scrollWidth > h4.clientWidth) cut.push(h4.outerHTML);
        return [cut, view.scrollWidth - view.clientWidth];
    }"""
    for here in (page, large):
        for width in (1280, 800):
            here.set_viewport_size({"width": width, "height": 900})
            here.wait_for_function(  # JupyterLab lays its panels out a little later
                f"innerWidth === {width} && document.querySelector('.course-live')"
                ".getBoundingClientRect().right <= innerWidth"
            )
            assert view(here).evaluate(inside) == [[], 0]
        here.set_viewport_size({"width": 1280, "height": 900})


def check_hostile_tokens(page: Page) -> None:
    choices = view(page).locator("option").all_text_contents()
    assert choices == [f"{i}: {token}" for i, token in enumerate(HOSTILE)]
    labels = view(page).locator("svg").nth(3).locator("text").all_text_contents()
    for token in (*HOSTILE[:5], "love (7)", "love (8)"):
        assert labels.count(token) == 2, token
    long = [label for label in labels if label.startswith("www")]
    assert len(set(long)) == 2, "cut alike, but told apart"
    assert view(page).locator("b, img, script, mjx-container").count() == 0
    assert page.title() != "run"


def test_hostile_tokens_are_shown_literally(large: Page) -> None:
    check_hostile_tokens(large)


def test_the_fonts_are_those_of_the_tests(large: Page) -> None:
    """Red: the machine's own fonts decide what fits, so a test passes here alone."""
    width = """() => {
        const pen = document.createElement("canvas").getContext("2d");
        return ["sans-serif", "DejaVu Sans"].map((family) => {
            pen.font = `bold 12px ${family}`;
            return pen.measureText("<b>bold</b>").width;
        });
    }"""
    generic, bundled = large.evaluate(width)
    assert generic == bundled


def test_a_mistake_after_show_is_seen(large: Page) -> None:
    error = large.locator(".jp-Cell").nth(1).get_by_text("Wq has shape (1, 1)")
    assert error.last.is_visible()


def test_a_view_that_is_gone_is_drawn_no_more(page: Page) -> None:
    old = view(page).element_handle()
    before = drawn(page)
    page.evaluate(
        """async () => {
            jupyterapp.shell.currentWidget.content.activeCellIndex = 1;
            await jupyterapp.commands.execute("notebook:run-cell");
        }"""
    )
    eventually(lambda: not old.evaluate("v => v.isConnected"), "the old view is gone")
    page.wait_for_function("document.querySelectorAll('.course-live').length === 3")
    slider(page, "Wq[0, 0]").press("End")
    assert drawn(page) != before
    assert old.evaluate("v => v.attention") == before


def test_running_again_and_restarting_leave_nothing_behind(page: Page) -> None:
    slider(page, "Wq[0, 0]").press("End")
    old = view(page).element_handle()
    run_all(page)
    eventually(lambda: not old.evaluate("v => v.isConnected"), "the old view is gone")
    page.wait_for_function("document.querySelectorAll('.course-live').length === 3")
    assert view(page).locator(".changed").count() == 0
    slider(page, "Wq[0, 0]").press("Home")
    kernel_agrees(page)
    page.evaluate(
        "jupyterapp.shell.currentWidget.context.sessionContext.session.kernel.restart()"
    )
    slider(page, "Wq[0, 0]").press("End")
    assert "3.000" in str(slider(page, "Wq[0, 0]").get_attribute("aria-valuetext"))
    old = view(page).element_handle()
    run_all(page)
    eventually(lambda: not old.evaluate("v => v.isConnected"), "the old view is gone")
    page.wait_for_function("document.querySelectorAll('.course-live').length === 3")
    slider(page, "Wq[0, 0]").press("Home")
    kernel_agrees(page)


def test_a_saved_notebook_opens_with_the_last_state(lab: Lab) -> None:
    page = lab.run("saved.ipynb", SETUP, "explorer.show()")
    slider(page, "Wq[0, 0]").press("End")
    kernel_agrees(page)
    before = drawn(page)
    page.evaluate("jupyterapp.commands.execute('docmanager:save')")
    path = lab.folder / "saved.ipynb"
    eventually(
        lambda: "widgets" in json.loads(path.read_text("utf-8"))["metadata"], "saved"
    )
    page.evaluate(
        "jupyterapp.shell.currentWidget.context.sessionContext.shutdown()"
    )  # a reader closes everything and comes back another day
    page.close()
    page = lab.open("saved.ipynb")
    page.wait_for_selector(".course-live")
    assert drawn(page) == before
    assert not page.locator(".jp-OutputArea img").is_visible()
    slider(page, "Wq[0, 0]").press("Home")
    assert drawn(page) != before
    page.close()

    # From somebody else, so not trusted; and once more as the repository keeps it.
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.append(copy.deepcopy(notebook.cells[1]))
    notebook.cells[2].id = "stored"
    for output in notebook.cells[2].outputs:
        output.get("data", {}).pop("application/vnd.jupyter.widget-view+json", None)
    (lab.folder / "fresh.ipynb").write_text(nbformat.writes(notebook), "utf-8")
    page = lab.open("fresh.ipynb")
    for cell in (1, 2):
        check_the_start_is_there(page.locator(".jp-Cell").nth(cell))
    assert page.locator(".course-live").count() == 0
    page.close()

    html, _ = HTMLExporter().from_notebook_node(notebook)
    export = lab.folder / "export.html"
    export.write_text(html, encoding="utf-8")
    page = lab.context.new_page()
    page.route("http*://**", lambda route: route.abort())  # no network
    page.goto(export.as_uri(), wait_until="domcontentloaded")
    check_the_start_is_there(page.locator(".jp-Cell").nth(2))
    page.close()


def check_the_start_is_there(cell: Any) -> None:
    cell.get_by_text(RUN_ME, exact=True).wait_for()
    assert cell.locator("img").is_visible()
    for line in ("scores at the start:", "weights at the start:", "0.313"):
        assert cell.get_by_text(line).first.is_visible()
    assert "Error" not in cell.inner_text()


@pytest.fixture
def offline(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(offline=True, color_scheme="dark")
    page = context.new_page()
    page.asked = []  # type: ignore[attr-defined]
    page.on("request", lambda request: page.asked.append(request.url))  # type: ignore[attr-defined]
    page.errors = []  # type: ignore[attr-defined]
    page.on("pageerror", lambda error: page.errors.append(str(error)))  # type: ignore[attr-defined]
    yield page
    context.close()


def test_the_page_moves_without_kernel_and_network(
    offline: Any, tmp_path: Path
) -> None:
    path = tmp_path / "explorer.html"
    explorer = Explorer(**_given(), with_Wk=True)
    explorer.stretch = 2
    explorer.save_page(path)
    offline.goto(path.as_uri())
    assert close(drawn(offline)["output"], explorer.output)
    slider(offline, "Wk[2, 1]").press("End")
    Wk = EXAMPLE.Wk.copy()
    Wk[2, 1] = 3
    explorer.Wk = Wk
    assert close(drawn(offline)["output"], explorer.output)
    view(offline).get_by_role("button", name="Reset").click()
    explorer.reset()
    assert close(drawn(offline)["output"], explorer.output)
    background = view(offline).evaluate("v => getComputedStyle(v).backgroundColor")
    assert background == "rgb(17, 17, 17)", "dark where the system is dark"
    assert offline.asked == [path.as_uri()] and offline.errors == []


def test_the_page_shows_hostile_tokens_literally(offline: Any, tmp_path: Path) -> None:
    path = tmp_path / "explorer.html"
    rng = np.random.default_rng(0)
    X, W = rng.normal(size=(12, 8)), rng.normal(size=(8, 8))
    Explorer(HOSTILE, X, W, W, W).save_page(path)
    offline.goto(path.as_uri())
    check_hostile_tokens(offline)
    assert offline.asked == [path.as_uri()] and offline.errors == []


def test_a_chinese_page_speaks_chinese(lab: Lab) -> None:
    """Red: an English text is left."""
    setup = f"import helpers.zh\n{SETUP}"
    page = lab.run("explorer.ipynb", setup, "explorer.show()")
    assert "我: 0.313, love: 0.337" in told(page, "查询“我”的权重")
    view(page).get_by_role("button", name="重置").click()
    words = re.findall(r"[A-Za-z]{3,}", view(page).inner_text())
    assert set(words) <= {"love"}, words
    assert "开始时" in page.locator(".jp-Cell").nth(1).inner_html()
    page.close()
