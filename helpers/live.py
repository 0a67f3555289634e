"""What the live views share: one contract, their scripts and styles, and their page.

A view is a widget that Python hands its data to once. Its script draws and looks up, or
computes, in the browser: no kernel is asked, so the view follows the hand at once, and
lives on where no kernel runs. What a reader chooses is its state, which Python sees and
can set where one does.
"""

import json
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import traitlets

from helpers.language import language, say

FOLDER = Path(__file__).parent

PAGE = """<!DOCTYPE html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<main>
<noscript>{no_script}</noscript>
{view}
</main>
</html>
"""
# A view without a widget manager: the little of its model that the script needs.
ALONE = """<style>
{style}
</style>
<div id="{id}"></div>
<script type="module">
{script}
const values = {values};
const drawers = [];
render({{
  el: document.getElementById("{id}"),
  model: {{
    get: (name) => values[name],
    set: (name, value) => {{
      values[name] = value;
      drawers.forEach((draw) => draw());
    }},
    save_changes: () => {{}},
    on: (_, draw) => drawers.push(draw),
  }},
}});
</script>"""


class View(anywidget.AnyWidget):
    """A widget that draws its data by itself, where its state says.

    A subclass names its files in this folder: in `_script` its scripts, the last of
    which defines `render`, and in `_style` the styles that are its own.

    Parameters
    ----------
    data : what nothing changes any more.
    state : what a reader can change.
    """

    _script: ClassVar[tuple[str, ...]]
    _style: ClassVar[tuple[str, ...]] = ()
    data = traitlets.Dict().tag(sync=True)
    state = traitlets.Dict().tag(sync=True)

    def __init_subclass__(cls, **more: Any) -> None:
        """Put the files of a view together, for anywidget."""
        if "_script" in vars(cls):  # not the class that anywidget makes of each view
            script = together("live.js", *cls._script)
            cls._esm = script + "\nexport default { render };\n"
            cls._css = together("live.css", *cls._style)
        super().__init_subclass__(**more)

    def __init__(self, data: dict[str, Any], state: dict[str, Any]) -> None:
        super().__init__(data=data, state=state)

    def __repr__(self) -> str:
        """Return the line that stands for the view where no script runs."""
        return say("Run this cell to move the sliders.")

    def save_page(self, path: str | Path) -> None:
        """Write one HTML file in which the view lives without a kernel or a network.

        Parameters
        ----------
        path : where to write; a file that is there is replaced.
        """
        page = PAGE.format(
            language=language(),
            title=say("Attention, by hand"),
            no_script=say("The sliders need JavaScript."),
            view=alone(type(self), {"data": self.data, "state": self.state}, "view"),
        )
        Path(path).write_text(page, encoding="utf-8", newline="\n")
        print(say("Written to {path}: open it in a browser.", path=path))


def alone(view: type[View], values: dict[str, Any], id: str) -> str:
    """Return HTML in which a view lives by itself.

    Parameters
    ----------
    view : its class.
    values : its data and state.
    id : of its place in the page.
    """
    text = json.dumps(values, ensure_ascii=False)
    return ALONE.format(
        style=together("live.css", *view._style),
        id=id,
        script=together("live.js", *view._script),
        values=text.replace("<", "\\u003c"),  # no token can end the script
    )


def together(*names: str) -> str:
    """Return files of this folder as one text."""
    return "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in names)
