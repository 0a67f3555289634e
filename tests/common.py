"""What several test files need."""

import json
import re
import sys

from helpers.language import BETWEEN

from .conftest import TOP

# Words that make a reader feel stupid.
FORBIDDEN = re.compile(
    r"\b(simply|obviously|trivial|just|easy|easily|of course|note that)\b"
    "|简单地|显然|显而易见|众所周知|很容易",
    re.IGNORECASE,
)

CHINESE = r"[\u4e00-\u9fff]"
HALF_WIDTH = rf"{CHINESE}[,;:!?.(]|[,;:!?)]{CHINESE}"
TABLE = json.loads((TOP / "helpers/texts_zh.json").read_text(encoding="utf-8"))
# Each text that helpers say with its Chinese; one may stand there in two contexts.
TEXTS = [(key.rpartition(BETWEEN)[2], chinese) for key, chinese in TABLE.items()]


def named(name):
    """Return a name for a file, in ASCII where Python can write no other: C locale."""
    if sys.getfilesystemencoding() == "utf-8":
        return name
    return name.encode("ascii", "xmlcharrefreplace").decode()


# What JupyterLab, browsers and file managers call a copy of a page, or a new one.
COPIES = [
    *("00_start_here-Copy1.ipynb", "00_start_here-Copy12.ipynb", "Untitled.ipynb"),
    *("03_softmax (1).ipynb", "03_softmax copy.ipynb", named("03_softmax副本.ipynb")),
    *("03_softmax-checkpoint.ipynb", "my_03_softmax.ipynb", "3_softmax.ipynb"),
]


def dead_links(path, text):
    """Return the relative links of a text that lead nowhere.

    Parameters
    ----------
    path : the file that holds the text.
    text : Markdown.
    """
    dead = []
    for target in re.findall(r"\]\(([^)\s]+)", text):
        if target.startswith(("http:", "https:")):
            continue
        file, _, anchor = target.partition("#")
        there = path.parent / file if file else path
        if not there.exists():
            dead.append(target)
        elif anchor and anchor not in _anchors(there.read_text("utf-8")):
            dead.append(target)
    return dead


def _anchors(text):
    """Return what may stand after # in a link, as JupyterLab and as GitHub have it."""
    heads = re.findall(r'^[ "]*#+ (.*?)(?:\\n)?"?,?$', text, re.MULTILINE)
    jupyter = {head.replace(" ", "-") for head in heads}
    github = {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in heads}
    return jupyter | github
