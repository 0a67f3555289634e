"""What helpers say, in both languages, from one source."""

import ast
import os
import re
import runpy
import string
import subprocess
import sys
from collections import Counter

import extract
import nbformat
import pytest
import run_notebooks
import texts
from nbclient import NotebookClient

from helpers import language
from helpers.exercises import catalogue
from helpers.exercises.catalogue import EXERCISES, QUESTIONS

from .common import CHINESE, HALF_WIDTH, TEXTS
from .conftest import TOP

FOUND = extract.everything()
PO = texts.PO.read_text(encoding="utf-8")
PAGES = run_notebooks.pages_in(TOP / "notebooks")
PRINT = {"print", "add"}  # what a page says by itself; a film has captions
SYMBOLS = extract.NAMES | {"model", "ab", "Wo"}


def test_every_text_is_found_and_every_text_is_said():
    """Red: helpers show English that no test can see the Chinese of."""
    assert not FOUND.wrong, "\n".join(FOUND.wrong)


def test_the_chinese_is_in_step():
    """Red: a text is new, changed, moved or gone, or a file was changed by hand."""
    json_text = texts.TABLE.read_text(encoding="utf-8")
    found = texts.out_of_step(PO, json_text, FOUND.texts)
    assert not found, "\n".join(["run `make texts`:", *found])


def test_every_chinese_was_read_with_its_english():
    """Red: a text has no Chinese, or the English changed since its Chinese was read."""
    left = texts.open_ends(texts.read(PO).values())
    what = "in translations/zh.po write the msgstr, or read it and take out `#, fuzzy`"
    assert not left, "\n".join([f"{what}; then `make texts`:", *left])


def test_what_exercises_hold_is_what_the_source_says():
    """Red: a text of an exercise is computed, and the source does not have it."""
    held = {(exercise.asked, "") for exercise in EXERCISES.values()}
    held |= {(exercise.means, "") for exercise in EXERCISES.values()}
    for mistake in (m for exercise in EXERCISES.values() for m in exercise.mistakes):
        held |= {(mistake.name, "mistake"), (mistake.text, "")}
    for question in QUESTIONS.values():
        held |= {(question.text, "")}
        held |= {(t, "") for o in question.options for t in (o.text, o.reply)}
    topics = {page.topic for page in catalogue.PAGES} - extract.NAMES
    held |= {(topic, "page") for topic in topics}
    assert not held - {(text.english, text.context) for text in FOUND.texts}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_prints_symbols_names_and_numbers(path):
    """Red: a code cell prints English, which the Chinese page would print, too."""
    cells = nbformat.read(path, as_version=4).cells
    trees = {c.id: ast.parse(c.source) for c in cells if c.cell_type == "code"}
    names = {w for tree in trees.values() for w in words_of_code(tree)} | SYMBOLS
    for id_, tree in trees.items():
        for text in printed(tree):
            words = set(re.findall(r"[A-Za-z]{2,}", text)) - names
            assert not words, f"{path.name}, cell {id_}: {words} belongs into prose"


def printed(tree):
    """Return the texts that a cell prints, or writes below a film."""
    for call in ast.walk(tree):
        if isinstance(call, ast.Call):
            if getattr(call.func, "id", getattr(call.func, "attr", "")) in PRINT:
                for node in ast.walk(call):
                    if isinstance(node, ast.Constant) and isinstance(node.value, str):
                        yield node.value


def words_of_code(tree):
    """Return the words that names in code consist of."""
    for node in ast.walk(tree):
        for kind in ("id", "attr", "arg", "name"):
            name = getattr(node, kind, None)
            if isinstance(name, str):
                yield from (name, *re.findall("[A-Za-z]+", name))
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            yield from re.findall("[A-Za-z]+", str(node.slice.value))


def fields(text):
    return [name for _, name, _, _ in string.Formatter().parse(text) if name]


def offenders(fits):
    """Return the texts whose Chinese does not fit, both below each other."""
    wrong = [f"{text}\n{chinese}" for text, chinese in TEXTS if not fits(text, chinese)]
    return "\n".join(["translations/zh.po:", *wrong]) if wrong else ""


def test_values_stand_in_the_same_order():
    """Red: a value is missing in Chinese, or the editions could not be compared."""
    found = offenders(lambda text, chinese: fields(chinese) == fields(text))
    assert not found, found


def test_chinese_has_its_own_punctuation():
    """Red: half-width punctuation beside a Chinese character."""
    found = offenders(lambda _, chinese: not re.search(HALF_WIDTH, chinese))
    assert not found, found


def test_the_chinese_is_chinese():
    """Red: an English text stands in the place of the Chinese."""

    def fits(text, chinese):
        words = re.search(r"[A-Za-z]{2}", re.sub(r"{\w+}", "", text))
        return re.search(CHINESE, chinese) or not words or text == "{done} of {all}"

    found = offenders(fits)
    assert not found, found


def test_the_chinese_has_the_numbers():
    """Red: a number of the English is not in the Chinese."""

    def numbers(text):
        return Counter(re.findall(r"\d+(?:\.\d+)?", text))

    found = offenders(lambda text, chinese: not numbers(text) - numbers(chinese))
    assert not found, found


def test_what_is_said_is_in_the_language_of_the_page(monkeypatch):
    """Red: a Chinese page speaks English, or a page is Chinese without saying so."""
    assert language.language() == "en"
    assert language.say("{n} of {all}", n=1, all=2) == "1 of 2"
    monkeypatch.setattr(language, "of_page", "en")  # and back after the test
    runpy.run_module("helpers.zh")
    assert language.language() == "zh"
    assert language.say("weights") == "权重"
    assert language.say("猫") == "猫"


@pytest.mark.parametrize(
    ("page", "folder"),
    [
        ("zh/01_projection.ipynb", "."),
        ("zh/03_softmax.ipynb", "en"),
        ("01_projection.ipynb", "zh"),
    ],
)
def test_a_page_speaks_its_language_in_every_folder(page, folder, tmp_path):
    """Red: where a page runs, in the top folder (vscode-jupyter#17376), changes it."""
    stored = nbformat.read(TOP / "notebooks" / page, as_version=4)
    again = nbformat.from_dict(stored)
    place = tmp_path / folder
    place.mkdir(parents=True, exist_ok=True)
    resources = {"metadata": {"path": str(place)}}
    NotebookClient(
        again, timeout=60, kernel_name="python3", resources=resources
    ).execute()
    assert words_of(again) == words_of(stored)


def words_of(notebook):
    """Return what the cells of a page say, without their pictures."""
    outputs = [o for cell in notebook.cells for o in cell.get("outputs", [])]
    texts = [
        o.get("text", "") + o.get("data", {}).get("text/plain", "") for o in outputs
    ]
    return "".join(texts)


def test_the_reader_chooses_the_language(chinese_page, monkeypatch):
    """Red: ATTENTION_LANGUAGE is not heeded, or a typing error in it goes unseen."""
    monkeypatch.setenv("ATTENTION_LANGUAGE", "en")
    assert language.say("weights") == "weights"
    monkeypatch.setenv("ATTENTION_LANGUAGE", "")
    assert language.say("weights") == "权重"
    monkeypatch.setattr(language, "of_page", "en")
    monkeypatch.setenv("ATTENTION_LANGUAGE", "zh")
    assert language.say("weights") == "权重"
    monkeypatch.setenv("ATTENTION_LANGUAGE", "ZH")
    with pytest.raises(ValueError, match=r"ATTENTION_LANGUAGE is 'ZH'; .* en or zh"):
        language.language()


PRINTS = """
import helpers.zh
from helpers import attention, environment
from helpers.examples import three_tokens
from helpers.exercises import ask, check, reset_progress, show, show_progress
from helpers.explorer import Explorer
from helpers.pictures import heat_map, print_table
from helpers.sliders import slide

e = three_tokens()
print(e.tokens, "−√→αé😀")
print_table(-e.X, e.tokens)
heat_map(e.X[:, :3], rows=e.tokens)
show("softmax")
check.softmax(None), check.softmax(abs)
check.softmax(__import__("helpers").softmax)
ask("order")
explorer = Explorer(e.tokens, e.X, e.Wq, e.Wk, e.Wv)
explorer.show(), explorer.show_difference()
explorer.stretch = 2
explorer.show_difference(), explorer.save_page("page.html")
slide(lambda a=1.0: [a], a=(0, 2, 1.0), labels=["我"])
show_progress(), reset_progress(), environment.check_environment()
print("end")
"""


@pytest.mark.parametrize(
    "encoding",
    ["gbk", "cp1252", "ascii:surrogateescape"],  # the last is that of a C locale
)
def test_what_the_output_cannot_show_stops_nothing(encoding, tmp_path):
    """Red: a sign that a console does not have ends in an error (ModSimPy#49)."""
    (tmp_path / "prints.py").write_text(PRINTS, encoding="utf-8")
    command = [sys.executable, "prints.py"]
    env = {"PYTHONIOENCODING": encoding, "ATTENTION_PROGRESS": str(tmp_path / "p.json")}
    env = {**os.environ, **env}
    done = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True)
    assert done.stdout.split()[-1] == b"end", done.stderr.decode(errors="replace")
    assert rb"\u2212" in done.stdout and rb"\U0001f600" in done.stdout


def test_a_text_has_the_chinese_of_its_context(chinese_page):
    """Red: the mistake "scaled" changes what a figure titled "scaled" says."""
    assert language.say("scaled", context="mistake") == "多做了缩放"
    assert language.say("scaled") == language.say("scaled", context="label") == "scaled"
    assert language.phrase("all rows") == "all rows"
    assert language.phrase("row sums") == "行和"
    assert language.say("order", context="page") == "次序"
    assert language.say("order") == "order"


def test_chinese_lines_are_folded_between_characters(chinese_page):
    """Red: a long line runs out of the page, or begins with a comma."""
    text = "这是一个很长的句子，说的是注意力，" * 6 + "0.313 softmax(Q @ K.T)。"
    lines = language.fold(text).split("\n")
    assert len(lines) > 1 and "".join(lines) == text
    assert all(language.columns(line) <= language.WIDTH for line in lines)
    assert not any(line[0] in "，。：；？！、）”" for line in lines)
