"""What the reader's language is, and how a text is said in it.

Texts are written in English where they are used; `texts_zh.json` has the Chinese for
each of them, and is the only place that has it.
"""

import json
import re
import textwrap
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

WIDTH = 88  # columns of a printed line
# A piece that is not broken: a Chinese character or a run of others, each with the
# punctuation that may not end a line and that may not begin one.
PIECE = re.compile(
    r"\s*[（“]*(?:[^\s\u2e80-\uffef]+|[\u2e80-\uffef])[，。：；？！、）”]*"
)


def language() -> str:
    """Return "zh" for a page in the folder notebooks/zh, where it runs, or "en"."""
    return "zh" if Path.cwd().name == "zh" else "en"


def say(text: str, /, **values: Any) -> str:
    """Say a text in the language of the page.

    Parameters
    ----------
    text : in English; {name} stands for a value. What is not in the table, such as a
        token, stays as it is.
    values : what is put in place of the names.
    """
    said = _chinese().get(text, text) if language() == "zh" else text
    return said.format(**values) if values else said


def phrase(label: str) -> str:
    """Say a label of more than one word; a single word may be a token, and stays."""
    return say(label) if " " in label else label


def fold(text: str, indent: str = "", width: int = WIDTH) -> str:
    """Break a text into lines.

    Parameters
    ----------
    text : a paragraph; a Chinese character takes two columns.
    indent : put before every line but the first.
    width : columns of a line, at most.
    """
    if language() == "en":
        return textwrap.fill(
            text, width, subsequent_indent=indent, break_on_hyphens=False
        )
    lines = [""]
    for piece in PIECE.findall(text):
        if columns(lines[-1] + piece) > width and lines[-1]:
            lines.append(indent + piece.lstrip())
        else:
            lines[-1] += piece
    return "\n".join(lines)


def columns(text: str) -> int:
    """Return how many columns a text takes in a fixed-width font; 猫 takes two."""
    return sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


@cache
def _chinese() -> dict[str, str]:
    table = Path(__file__).with_name("texts_zh.json").read_text(encoding="utf-8")
    texts: dict[str, str] = json.loads(table)
    return texts
