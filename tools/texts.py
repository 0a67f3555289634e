"""Bring the Chinese of what `helpers` say in step with the English.

    python tools/texts.py

All texts stand in `translations/zh.po`, the Chinese beside the English; helpers read
`helpers/texts_zh.json`, which is written here. A changed text keeps the Chinese that it
had and is marked "fuzzy", with the English before, until somebody has read both and
takes the mark out. A text that is gone goes.
"""

import io
import json
import sys
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

import extract
from babel.messages import Catalog
from babel.messages.catalog import Message
from babel.messages.pofile import denormalize, read_po, write_po

from helpers.language import BETWEEN

PO = extract.TOP / "translations" / "zh.po"
TABLE = extract.TOP / "helpers" / "texts_zh.json"
HEADER = """\
# What helpers say, in Chinese. `make texts` brings this file in step with the English.
msgid ""
msgstr ""
"Language: zh\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""
BEFORE = "| msgid "  # Babel writes this line and reads it as a comment
Key = tuple[str, str]  # context and text


def read(text: str) -> dict[Key, Message]:
    """Return the messages of a PO file."""
    found = {}
    for message in read_po(io.StringIO(text), locale="zh"):
        if message.id:
            comments = message.user_comments
            before = [c.removeprefix(BEFORE) for c in comments if c.startswith(BEFORE)]
            message.previous_id = [denormalize(line) for line in before]
            message.user_comments = [c for c in comments if not c.startswith("|")]
            found[key_of(message)] = message
    return found


def key_of(message: Message) -> Key:
    """Return what a message is looked up by."""
    return message.context or "", str(message.id)


def files(message: Message) -> list[str]:
    """Return where the text stands."""
    return [file for file, _ in message.locations]


def update(old: dict[Key, Message], texts: Iterable[extract.Text]) -> list[Message]:
    """Return a message for each text, in their order, with the Chinese that is known.

    Parameters
    ----------
    old : the messages so far; a text that is not there gets the Chinese of the one
        that is most like it among those that are gone, marked "fuzzy".
    texts : as they stand in the source; one may stand in several places.
    """
    where: dict[Key, list[str]] = {}
    for text in texts:
        where.setdefault((text.context, text.english), []).append(text.file)
    gone = [message for key, message in old.items() if key not in where]
    new = []
    for key, places in where.items():
        message = old.get(key) or _like(key, [m for m in gone if m.string])
        message.locations = [(file, 0) for file in dict.fromkeys(places)]
        if not message.fuzzy:
            message.previous_id = []
        new.append(message)
    return new


def _like(key: Key, gone: list[Message]) -> Message:
    """Return a new message, with the Chinese of a similar one of the same context."""
    context, english = key
    there = {str(m.id): m for m in gone if (m.context or "") == context}
    message = Message(english, context=context or None)
    message.flags.clear()  # marks of formats, which depend on Babel's version
    for similar in get_close_matches(english, there, 1):
        before = there[similar]
        message.string = before.string
        message.user_comments = before.user_comments
        message.previous_id = before.previous_id or [similar]
        message.flags.add("fuzzy")
    return message


def written(messages: Iterable[Message]) -> str:
    """Return the text of a PO file."""
    catalog = Catalog(locale="zh", fuzzy=False)
    for message in messages:
        message.flags &= {"fuzzy"}
        catalog[message.id] = message
    file = io.BytesIO()
    write_po(
        file,
        catalog,
        width=0,
        omit_header=True,
        include_previous=True,
        include_lineno=False,
    )
    return HEADER + file.getvalue().decode().strip() + "\n"


def table(messages: Iterable[Message]) -> str:
    """Return what helpers read: the Chinese of each text that was read."""
    texts = {
        f"{m.context}{BETWEEN}{m.id}" if m.context else str(m.id): m.string
        for m in messages
        if m.string and not m.fuzzy
    }
    return json.dumps(texts, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def open_ends(messages: Iterable[Message]) -> list[str]:
    """Say which texts need a Chinese, or to be read again."""
    found = []
    for m in messages:
        where = f"{' '.join(files(m))}: {m.id}"
        if m.fuzzy:
            before = "".join(map(str, m.previous_id))
            found.append(f"{where}\n  before: {before}\n  Chinese: {m.string}")
        elif not m.string:
            found.append(f"{where}\n  has no Chinese yet")
    return found


def out_of_step(po: str, json_text: str, texts: Iterable[extract.Text]) -> list[str]:
    """Say what `make texts` would change; nothing, if both files are as it writes them.

    Parameters
    ----------
    po, json_text : what the two files hold.
    texts : as they stand in the source.
    """
    old = read(po)
    places = {key: files(message) for key, message in old.items()}
    new = {key_of(m): m for m in update(dict(old), texts)}
    found = [f"{PO.name} lacks: {key[1]}" for key in new if key not in old]
    found += [f"{PO.name} has, and nobody says: {key[1]}" for key in old.keys() - new]
    found += [
        f"{PO.name} has other files for: {key[1]}"
        for key in new
        if key in places and files(new[key]) != places[key]
    ]
    if not found and [*old] != [*new]:
        found.append(f"{PO.name} has another order")
    if json_text != table(new.values()):
        found.append(f"{TABLE.name} is not what {PO.name} says")
    return found


def main() -> None:
    """Renew both files, and say what is left to do."""
    found = extract.everything()
    if found.wrong:
        sys.exit("\n".join(found.wrong))
    messages = update(read(PO.read_text(encoding="utf-8")), found.texts)
    for path, text in ((PO, written(messages)), (TABLE, table(messages))):
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    if left := open_ends(messages):
        sys.exit(
            "\n".join(left) + f"\n{len(left)} texts to translate or to read again in "
            "translations/zh.po: write the msgstr, take out `#, fuzzy`, `make texts`."
        )


if __name__ == "__main__":
    main()
