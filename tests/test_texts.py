"""The tools that find what helpers say, and keep the Chinese in step."""

import textwrap

import extract
import pytest
import texts
from extract import Text

FILE = "helpers/film.py"
MODEL = """
class Mistake:
    name: str
    answer: object
    text: str

class Page:
    topic: str

KINDS = {"weights": "the weights", "K": ("the keys", "the queries")}
"""


def look(code):
    """Look for texts in a module beside another one, which holds classes."""
    code = textwrap.dedent(code)
    return extract.in_sources({"helpers/model.py": MODEL, FILE: code})


@pytest.mark.parametrize(
    "code",
    [
        'def f():\n words = "A brand new sentence for the reader"\n return say(words)',
        'def f():\n for w in [g("A brand new sentence")]:\n  say(w)',
        "def f(words):\n return say(words)",
        "say(made())",
        'say(f"{n} tokens")',
        'say("all " + "tokens")',
        "say(anything)",
        "say(thing.words)",
        "say(mistake.name)",
        'say(mistake.text, context="mistake")',
        'say("tokens", context="mistakes")',
        'def f(title):\n title = "tokens"\n say(title, context="label")',
        'def f():\n title = made()\n say(title, context="page")',
        "from helpers.model import Mistake\nMistake(made(), None, 'One word.')",
        "Mistake('no word', None, text=f'{n} words')",
    ],
)
def test_what_cannot_be_found_is_red(code):
    """Red: helpers can say an English sentence that no test asks the Chinese of."""
    wrong = [
        line for line in look(code).wrong if "is said" in line or "context" in line
    ]
    assert len(wrong) == 1 and wrong[0].startswith(f"{FILE}:"), look(code)


@pytest.mark.parametrize(
    "code",
    [
        'print("Look here")',
        'print(f"{n} tokens")',
        'HELLO = "Look here"\nprint(HELLO)',
        'def f():\n hello = "Look"\n print(hello)',
        'widgets.Button(description="Look")',
        'Slider("x", tooltip="Look")',
        'widgets.HTML("<b>Look</b>")',
        "widgets.HTML(f'<svg aria-label=\"{n} weights\">')",
        'self.message.value = "Look"',
        'raise FormError("Look")',
        'class A:\n def __repr__(self):\n  return "Look"',
        'axes.set_xlabel("key")',
        'answer("This is not the right answer.")',
        'TEXTS = {"a": "This is not the right answer."}',
    ],
)
def test_what_is_shown_and_not_said_is_red(code):
    """Red: a reader of the Chinese page can get to see English."""
    (wrong,) = look(code).wrong
    assert wrong.startswith(f"{FILE}:") and wrong.endswith("not said")


@pytest.mark.parametrize(
    "code, english",
    [
        ('print(say("Look here"))', ["Look here"]),
        ('say("one" if n == 1 else "many")', ["one", "many"]),
        ('HELLO = "Look here"\nprint(say(HELLO))', ["Look here"]),
        ('T: dict = {"a": "one thing", "b": {"c": "two"}}\nsay(T["a"])', 2),
        ("from helpers.model import KINDS as K\nsay(K[kind])", 3),
        ("from helpers.model import KINDS\n[say(k) for k in KINDS.values()]", 3),
        ('for name, x in [("weights", 1), ("K", 2)]:\n say(name)', ["weights"]),
        ('Kind = Literal["row", "column"]\ndef f(kind: Kind):\n say(kind)', 2),
        ('def f(*, title="weight"):\n say(title, context="label")', ["weight"]),
        ("def f(labels):\n return [phrase(str(label)) for label in labels]", []),
        ("def f(title):\n title = say(title, context='label')\n return title", []),
        ("say(mistake.name, context='mistake'), say(o.reply), say(e.asked)", []),
        ("Mistake('no keys', lambda: 0, text='Where?')", ["no keys", "Where?"]),
        ("Page(topic='softmax')", ["softmax"]),
        ("print('def ' + name, end='')", []),
        ("print(f'<b>{n}</b>', '<style>svg { font: bold }</style>')", []),
        ('"""The module says this."""\nraise ValueError("it needs to be a row")', []),
    ],
)
def test_what_can_be_found_is_found(code, english):
    """Red: a text is overlooked, or a rule stands in the way of good code."""
    found = look(code)
    assert not found.wrong
    if isinstance(english, int):
        assert len(found.texts) == english
    else:
        assert [text.english for text in found.texts] == english
    assert {text.file for text in found.texts} <= {FILE}


def test_labels_of_pages_are_found():
    """Red: a title that a page gives to a picture is not asked the Chinese of."""
    source = 'def show(title):\n say(title, context="label")\ndef far(t):\n show(t)\n'
    draws = extract.drawing({FILE: f"{source}def near(): pass\ndef _own(): show(1)"})
    assert draws == {"show", "far"}
    cell = 'rows = {"row sums": 1}\nfar("a title", kind="weights")\nshow(rows, "K")'
    labels = extract.in_pages({"1.ipynb": [cell, 'near("another one")']}, draws)
    assert sorted(text.english for text in labels) == ["a title", "row sums"]
    assert {text.context for text in labels} == {"label"}


def test_english_in_javascript_is_red():
    """Red: a live view can show English that Python does not know of."""
    fine = """
      // Draw the whole thing again.
      x.className = "course-live course-explorer"; x.style = `font: bold 12px ${f}`;
      pen.font = "bold 12px sans-serif"; if (event.key === "Tab") return;
      title.textContent = texts.weights; node.label = `${title}. `;
    """
    assert extract.in_script(fine) == []
    assert extract.in_script('x.textContent = "Move the slider.";') != []
    assert extract.in_script("x.title = `${name} of the query`;") != []
    assert extract.in_script("x.title = 'context vector'") == ["context vector"]


ROWS = Text("Rows are tokens, in all four.", "", "helpers/e01.py")
COLUMNS = ROWS._replace(english="Columns are tokens, in all four.")
SCALED = Text("scaled", "mistake", "helpers/e02.py")


def stored(*texts_and_chinese):
    """Return a PO file with these texts."""
    messages = texts.update({}, [text for text, _ in texts_and_chinese])
    for message, (_, chinese) in zip(messages, texts_and_chinese, strict=True):
        message.string = chinese
    return texts.written(messages)


def renewed(po, *now):
    """Return the messages and the PO file after an update."""
    messages = texts.update(texts.read(po), now)
    return messages, texts.written(messages)


def test_a_changed_text_asks_for_its_chinese_to_be_read():
    """Red: the English says the opposite, and the old Chinese goes on being shown."""
    po = stored((ROWS, "行都是词元。"), (SCALED, "多做了缩放"))
    assert texts.open_ends(texts.read(po).values()) == []
    for _ in range(2):  # and asks on
        messages, po = renewed(po, COLUMNS, SCALED)
        (left,) = texts.open_ends(messages)
        assert COLUMNS.english in left and f"before: {ROWS.english}" in left
        assert "行都是词元。" in left and "行都是词元" not in texts.table(messages)
        assert f'#| msgid "{ROWS.english}"' in po
    read = po.replace("#, fuzzy\n", "")
    messages, po = renewed(read, COLUMNS, SCALED)
    assert texts.open_ends(messages) == [] and "行都是词元。" in texts.table(messages)
    assert (
        "#|" not in po
        and texts.out_of_step(po, texts.table(messages), [COLUMNS, SCALED]) == []
    )


def test_a_text_that_changes_twice_is_compared_with_what_was_read():
    """Red: the English before is one that the Chinese was never read with."""
    po = stored((ROWS, "行都是词元。"))
    _, po = renewed(po, COLUMNS)
    (message,), _ = renewed(po, COLUMNS._replace(english="Columns are tokens."))
    assert message.previous_id == [ROWS.english]


def test_a_new_text_asks_for_its_chinese_and_an_old_one_goes():
    """Red: a new text is never translated, or the file keeps what nobody says."""
    po = stored((ROWS, "行都是词元。"))
    messages, po = renewed(po, ROWS, SCALED)
    (left,) = texts.open_ends(messages)
    assert left.startswith("helpers/e02.py: scaled") and "scaled" not in texts.table(
        messages
    )
    _, po = renewed(po, SCALED)
    assert "行都是词元" not in po


def test_a_text_takes_no_chinese_from_another_context():
    """Red: the mistake "scaled" is taken for the title "scaled", or the reverse."""
    title = SCALED._replace(context="label")
    po = stored((SCALED, "多做了缩放"), (title, "缩放后"))
    messages, po = renewed(po, SCALED, title)
    assert '"mistake\\u0004scaled": "多做了缩放"' in texts.table(messages)
    assert '"label\\u0004scaled": "缩放后"' in texts.table(messages)
    (message,), _ = renewed(stored((SCALED, "多做了缩放")), title)
    assert not message.string


def test_what_is_out_of_step_is_told():
    """Red: a text that is new, gone or elsewhere, or a table by hand, goes unseen."""
    po = stored((ROWS, "行都是词元。"), (SCALED, "多做了缩放"))
    table = texts.table(texts.read(po).values())
    now = [ROWS, SCALED]
    assert texts.out_of_step(po, table, now) == []
    assert texts.out_of_step(po, table, now[:1]) != []
    assert texts.out_of_step(po, table, [*now, COLUMNS]) == [
        f"zh.po lacks: {COLUMNS.english}"
    ]
    moved = texts.out_of_step(po, table, [ROWS, SCALED._replace(file="helpers/e03.py")])
    assert moved == ["zh.po has other files for: scaled"]
    assert texts.out_of_step(po, table, now[::-1]) == ["zh.po has another order"]
    by_hand = texts.out_of_step(po, table.replace("行", "列"), now)
    assert by_hand == ["texts_zh.json is not what zh.po says"]
