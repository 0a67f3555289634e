"""How soon the picture follows the hand: stock `interact` and the course's views.

    python benchmarks/views.py

All run in one real JupyterLab in headless Chromium, in turn. README.md beside this
file says what the columns mean.
"""

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tests.browser.lab import FLAGS, Lab, find_chromium, python

ROUNDS, PRESSES, STEPS = 3, 40, 100
SETUP = """
import json, time
import matplotlib.pyplot as plt
import numpy as np
from ipywidgets import FloatSlider, interact
from helpers import attention_scores, project, softmax
from helpers.examples import three_tokens
from helpers.explorer import Explorer

e = three_tokens()
explorer = Explorer(e.tokens, e.X, e.Wq, e.Wk, e.Wv)
rng = np.random.default_rng(0)
large = Explorer("abcdefghijkl", rng.normal(size=(12, 8)),
                 *(rng.normal(size=(8, 8)) for _ in range(3)))
"""
INTERACT = """
@interact(w=FloatSlider(value=0.15, min=-3, max=3, step=0.05))
def draw(w):
    Wq = e.Wq.copy()
    Wq[0, 0] = w
    Q, K, V = project(e.X, Wq, e.Wk, e.Wv)
    scores = attention_scores(Q, K, scale=1.0)
    weights = softmax(scores)
    _, axes = plt.subplots(1, 4, figsize=(10, 2.4))
    for panel, matrix, low in zip(axes, (scores, weights), (-1, 0)):
        panel.imshow(matrix, vmin=low, vmax=1)
        for (i, j), x in np.ndenumerate(matrix):
            panel.text(j, i, f"{x:.3f}", ha="center", va="center")
    axes[2].bar(range(3), weights[0])
    axes[2].set_ylim(0, 1)
    axes[3].imshow((weights @ V)[:1], vmin=-1, vmax=1)
    plt.show()
"""
VIEWS = {  # a cell for each, and the name of the slider that is moved
    "explorer": ("explorer.show()", "Wq[0, 0]"),
    "bars": (
        """
from helpers.sliders import Bars
Bars(lambda w=0.15: softmax([w, 0.5, 1.0]), {"w": (-3.0, 3.0, 0.05)},
     labels=e.tokens)
""",
        "w",
    ),
    "film": (
        """
from helpers.film import Film
film = Film(121, e.tokens, e.tokens, [0, 1, 2])
for w in np.linspace(-3, 3, 121):
    film.add(softmax([[w, 0, 1], [0, w, 1], [1, 0, w]]), f"w = {w:.2f}")
film.state = {"at": 60}
film
""",
        "picture",
    ),
    "arrows": (
        """
from helpers.geometry import Arrows
Arrows([0.1, 1.0], [[2, 0], [0.5, 1.5], [-1, -1]], e.tokens)
""",
        "query",
    ),
    "hull": (
        """
from helpers.geometry import Hull
Hull([[2, 0], [0, 2], [-2, -1]], e.tokens)
""",
        "score love",
    ),
}
KERNEL = """
start, times = large.state, []
for k in range(200):
    state = {**start, "Wq": (large.Wq + 0.01 * (-1) ** k).tolist()}
    before = time.perf_counter()
    large.set_state({"state": state})
    large.scores, large.weights, large.output
    times.append(1000 * (time.perf_counter() - before))
print(json.dumps(times))
"""
# The moment of a picture is the moment at which its numbers stand in the page: for an
# image when it has been decoded, for a view when its texts have changed.
WATCH = """(area) => {
    window.watch?.end.abort();
    const end = new AbortController();
    const log = window.watch =
        { end, pictures: [], heights: new Set(), scrolls: new Set() };
    for (const name of ["keydown", "pointermove", "input"]) {
        log[name] = [];
        document.addEventListener(name, (e) => log[name].push(e.timeStamp),
                                  { capture: true, signal: end.signal });
    }
    const scroller = area.closest(".jp-WindowedPanel-outer") ?? document.body;
    let last = "";
    const observer = new MutationObserver(async () => {
        const view = area.querySelector(".course-live");
        const image = view ? null : area.querySelector("img");
        if (image) await image.decode().catch(() => {});
        const now = image?.src ?? view?.textContent ?? "";
        if (now && now !== last) log.pictures.push(performance.now());
        last = now || last;
    });
    observer.observe(area, { subtree: true, childList: true, characterData: true,
                             attributes: true });
    end.signal.addEventListener("abort", () => observer.disconnect());
    const sample = () => {
        log.heights.add(Math.round(area.getBoundingClientRect().height));
        log.scrolls.add(Math.round(scroller.scrollTop));
        if (!end.signal.aborted) requestAnimationFrame(sample);
    };
    sample();
}"""
FORGET = """() => {
    for (const name of ["keydown", "pointermove", "input", "pictures"])
        watch[name].length = 0;
}"""
READ = """() => ({ ...watch, end: null, heights: [...watch.heights],
                   scrolls: [...watch.scrolls] })"""


def main() -> None:
    """Measure in turn and print the table."""
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=FLAGS
        )
        lab = Lab(Path(folder), browser)
        try:
            cells = [cell for cell, _ in VIEWS.values()]
            page = lab.run("benchmark.ipynb", SETUP, INTERACT, *cells, live=len(VIEWS))
            page.wait_for_selector(".jp-Cell:nth-of-type(2) img, .jp-OutputArea img")
            figures = measure(page)
        finally:
            lab.stop()
    report(figures)


def measure(page: Page) -> dict[str, Any]:
    """Return the raw times in ms for both, and the kernel's times."""
    kinds = {
        "interact": (
            page.locator(".noUi-handle"),
            page.locator(".jp-OutputArea").nth(1),
        ),
    }
    areas = page.locator(".jp-OutputArea", has=page.locator(".course-live"))
    for i, (kind, (_, name)) in enumerate(VIEWS.items()):
        slider = areas.nth(i).get_by_role("slider", name=name, exact=True)
        kinds[kind] = slider, areas.nth(i)
    found: dict[str, Any] = {
        kind: {"press": [], "drawn": [], "values": [], "lag": [], "moved": False}
        for kind in kinds
    }
    for _ in range(ROUNDS):
        for kind, (handle, area) in kinds.items():
            handle.scroll_into_view_if_needed()
            page.evaluate(WATCH, area.first.element_handle())
            found[kind]["press"] += presses(page, handle)
            drag(page, handle, found[kind])
            if kind == "explorer":
                found.setdefault("burst", []).append(burst(page, handle))
            log = page.evaluate(READ)
            if len(log["heights"]) > 1 or len(log["scrolls"]) > 1:
                found[kind]["moved"] = True
    found["kernel"] = python(page, KERNEL)
    return found


def presses(page: Page, handle: Any) -> list[float]:
    """Press an arrow key again and again; wait for each picture."""
    handle.focus()
    times = []
    for k in range(PRESSES):
        page.evaluate(FORGET)
        page.keyboard.press("ArrowRight" if k % 20 < 10 else "ArrowLeft")
        page.wait_for_function("watch.pictures.length > 0")
        log = page.evaluate(READ)
        times.append(log["pictures"][0] - log["keydown"][0])
        time.sleep(0.05)
    return times


def drag(page: Page, handle: Any, found: dict[str, Any]) -> None:
    """Drag with the mouse in 100 steps, 5 ms apart."""
    box = handle.bounding_box()
    y = box["y"] + box["height"] / 2
    # A native slider's box is the whole track, with its thumb near the middle.
    native = box["width"] > 40
    start = box["x"] + box["width"] * (0.52 if native else 0.5)
    page.mouse.move(start, y)
    page.mouse.down()
    time.sleep(0.5)
    page.evaluate(FORGET)
    for k in range(STEPS):
        page.mouse.move(start + 40 * np.sin(2 * np.pi * (k + 1) / STEPS), y)
        time.sleep(0.005)
    page.mouse.up()
    time.sleep(0.2)
    settle(page)
    log = page.evaluate(READ)
    found["drawn"].append(len(log["pictures"]))
    found["values"].append(len(log["input"]))
    found["lag"].append(max(0.0, log["pictures"][-1] - log["pointermove"][-1]))


def burst(page: Page, handle: Any) -> list[float]:
    """Send 100 input events 5 ms apart; return pictures a second and the last lag."""
    page.evaluate(FORGET)
    handle.evaluate(
        """async (input) => {
            for (let k = 0; k < 100; k++) {
                input.value = -3 + 0.05 * (k + 1);
                input.dispatchEvent(new Event("input", { bubbles: true }));
                await new Promise((done) => setTimeout(done, 5));
            }
        }"""
    )
    settle(page)
    log = page.evaluate(READ)
    seconds = (log["pictures"][-1] - log["input"][0]) / 1000
    return [
        len(log["pictures"]) / seconds,
        max(0.0, log["pictures"][-1] - log["input"][-1]),
        len(log["pictures"]),
    ]


def settle(page: Page) -> None:
    """Wait until no new picture has come for a second."""
    count = -1
    while (now := page.evaluate("watch.pictures.length")) != count:
        count = now
        time.sleep(1)


def report(found: dict[str, Any]) -> None:
    """Print medians, 95th percentiles and ratios."""
    head = "| | key press, median (ms) | 95 % (ms) | pictures in a drag "
    print(head + "| last picture after the drag (ms) | page moved |")
    print("|---|---|---|---|---|---|")
    for kind in ("interact", *VIEWS):
        f = found[kind]
        press, drawn, lag = (np.array(f[name]) for name in ("press", "drawn", "lag"))
        values = f" of {np.median(f['values']):.0f}" if any(f["values"]) else ""
        print(
            f"| {kind} | {np.median(press):.1f} | {np.percentile(press, 95):.1f} | "
            f"{np.median(drawn):.0f}{values} | {np.median(lag):.1f} | "
            f"{'yes' if f['moved'] else 'no'} |"
        )
    print("\ninteract takes so many times as long for a key press, median and 95 %:")
    for kind in VIEWS:
        slow, fast = (
            np.percentile(found[k]["press"], [50, 95]) for k in ("interact", kind)
        )
        print(f"- {kind}: {slow[0] / fast[0]:.0f} and {slow[1] / fast[1]:.0f}")
    rate, lag, count = np.median(found["burst"], axis=0)
    print(
        f"explorer, 100 input events 5 ms apart: {count:.0f} pictures, {rate:.0f} a "
        f"second, the last one {lag:.1f} ms after the last event"
    )
    kernel = np.array(found["kernel"])
    print(
        f"kernel, one update with 12 tokens and d = 8: median {np.median(kernel):.2f} "
        f"ms, 95 % {np.percentile(kernel, 95):.2f} ms"
    )


if __name__ == "__main__":
    main()
