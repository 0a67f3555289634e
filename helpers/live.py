"""What the live views share: their scripts and styles, a slider, and a line of text."""

from pathlib import Path

import anywidget
import traitlets

from helpers.language import say

FOLDER = Path(__file__).parent


def run_me() -> str:
    """Return the line that stands for a live view where no kernel runs."""
    return say("Run this cell to move the sliders.")


def script(name: str) -> str:
    """Return `live.js` and the script of a view as one; it defines `render`."""
    return together("live.js", name)


def module(name: str) -> str:
    """Return the script of a view as the module that anywidget wants."""
    return script(name) + "\nexport default { render };\n"


def style(*names: str) -> str:
    """Return `live.css` and the styles of a view as one."""
    return together("live.css", *names)


def together(*names: str) -> str:
    """Return files of this folder as one text."""
    return "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in names)


class Slider(anywidget.AnyWidget):
    """A slider whose name and value a screen reader can say; see `slider.js`.

    Parameters
    ----------
    name : what stands beside it.
    value : where it starts.
    min, max, step : its range.
    """

    _esm = module("slider.js")
    _css = style()
    name = traitlets.Unicode().tag(sync=True)
    min = traitlets.Float().tag(sync=True)
    max = traitlets.Float().tag(sync=True)
    step = traitlets.Float().tag(sync=True)
    value = traitlets.Float().tag(sync=True)
    disabled = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self, name: str, value: float, min: float, max: float, step: float
    ) -> None:
        super().__init__(name=name, value=value, min=min, max=max, step=step)
