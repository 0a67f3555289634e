"""What the reader's language is, and how a text is said in it.

Texts are written in English where they are used. Their Chinese is in
`translations/zh.po`; `make texts` writes `texts_zh.json` from it, which is read here.
The environment variable ATTENTION_LANGUAGE, en or zh, overrules the page.
"""

import io
import json
import os
import re
import sys
import textwrap
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any, Literal

# What a text is, since the same words may need another Chinese: the name of a mistake,
# a title or label that a page gives to a picture, the topic of a page, or another one.
Context = Literal["", "mistake", "label", "page"]
BETWEEN = "\x04"  # stands between context and text, as in gettext's own files

of_page = "en"  # `import helpers.zh`, a line of each Chinese page, makes it "zh"

WIDTH = 88  # columns of a printed line
# A piece that is not broken: a Chinese character or a run of others, each with the
# punctuation that may not end a line and that may not begin one.
PIECE = re.compile(
    r"\s*[（“]*(?:[^\s\u2e80-\uffef]+|[\u2e80-\uffef])[，。：；？！、）”]*"
)


def language() -> str:
    """Return "en" or "zh": what the page says, or what the reader has chosen.

    Raises
    ------
    ValueError
        If ATTENTION_LANGUAGE is set and is neither.
    """
    if chosen := os.environ.get("ATTENTION_LANGUAGE"):
        if chosen not in ("en", "zh"):
            raise ValueError(
                f"ATTENTION_LANGUAGE is {chosen!r}; it needs to be en or zh"
            )
        return chosen
    return of_page


def say(text: str, /, *, context: Context = "", **values: Any) -> str:
    """Say a text in the language of the page.

    Parameters
    ----------
    text : in English; {name} stands for a value. What is not in the table, such as a
        token, stays as it is.
    context : what kind of text it is. Its Chinese is that of this context alone.
    values : what is put in place of the names.
    """
    said = chinese(text, context) if language() == "zh" else text
    return said.format(**values) if values else said


def chinese(text: str, context: Context = "") -> str:
    """Return the Chinese of an English text, or the text where there is none."""
    return _table().get(f"{context}{BETWEEN}{text}" if context else text, text)


def phrase(label: str) -> str:
    """Say a label of more than one word; a single word may be a token, and stays."""
    return say(label, context="label") if " " in label else label


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


def print_anything() -> None:
    r"""Let \u6211 stand for 我 where the output, as a Windows console, has no 我."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


@cache
def _table() -> dict[str, str]:
    table = Path(__file__).with_name("texts_zh.json").read_text(encoding="utf-8")
    texts: dict[str, str] = json.loads(table)
    return texts
