"""What helpers say, in both languages, from one table."""

import ast
import json
import re
import string
from collections import Counter

import nbformat
import pytest

from helpers import explorer, language
from helpers.exercises import catalogue
from helpers.exercises.catalogue import EXERCISES, QUESTIONS
from helpers.exercises.show import reasons

from .conftest import TOP

TABLE = json.loads((TOP / "helpers/texts_zh.json").read_text(encoding="utf-8"))
WORD = r"[A-Za-z]{3,}"
CHINESE = r"[\u4e00-\u9fff]"
HALF_WIDTH = rf"{CHINESE}[,;:!?.(]|[,;:!?)]{CHINESE}"
DRAWS = {"print_table", "heat_map", "heat_maps", "chain", "bars", "bar_row", "curve"}
DRAWS |= {"slide", "Film"}


def calls(tree, names):
    """Return the calls of functions with one of these names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in names:
                yield node


def strings(node):
    """Return the texts in a piece of code."""
    return [
        n.value
        for n in ast.walk(node)
        if isinstance(n, ast.Constant) and isinstance(n.value, str)
    ]


def said_in_code():
    """Return the texts that stand in a call of `say`, or in a constant given to it."""
    found = set()
    for path in sorted((TOP / "helpers").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        constants = {
            node.targets[0].id: strings(node.value)
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        }
        for call in calls(tree, {"say", "FormError"}):
            text = call.args[0]
            for part in (
                (text.body, text.orelse) if isinstance(text, ast.IfExp) else [text]
            ):
                if isinstance(part, ast.Constant):
                    found.add(part.value)
                elif isinstance(part, ast.Name):
                    found.update(constants.get(part.id, []))
    return found


def said_of_exercises():
    """Return the texts of the exercises and questions."""
    found = set()
    for exercise in EXERCISES.values():
        found |= {exercise.asked, exercise.means}
        for mistake in exercise.mistakes:
            found |= {mistake.name, mistake.text}
    for question in QUESTIONS.values():
        found.add(question.text)
        for option in question.options:
            found |= {option.text, option.reply}
    return found


def said_elsewhere():
    """Return the texts that are given to `say` under a name."""
    found = {"numbers", "True and False", "weights", "scores", "values"}
    found |= {"Heat map of {title}", "Bars of {title}", "output"}
    found |= {"entry {i}", "row {i}, column {j}", "matrix {h}, row {i}, column {j}"}
    for mistake in [
        *catalogue.FOR_TAG.values(),
        *(catalogue.CHANGED, catalogue.NO_INFINITY, catalogue.NO_FRACTIONS),
    ]:
        found |= {mistake.name, mistake.text}
    live = explorer.TEXTS["live"].values()
    found |= {t for t in explorer.TEXTS.values() if isinstance(t, str)} | set(live)
    return found | {page.topic for page in catalogue.PAGES} | reasons()


def labels():
    """Return the words that code cells give to pictures and tables."""
    found = set()
    for path in sorted((TOP / "notebooks").glob("[0-9]*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "code":
                tree = ast.parse(cell.source)
                drawn = {name for call in calls(tree, DRAWS) for name in names_in(call)}
                for call in calls(tree, DRAWS):
                    found.update(strings(call))
                for node in tree.body:  # a dict of rows, or a list of labels
                    if isinstance(node, ast.Assign) and names_in(node) & drawn:
                        if isinstance(node.value, ast.Dict | ast.List):
                            found.update(strings(node.value))
    return {text for text in found if re.search(WORD, text)}


def names_in(node):
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


# Names of the mathematics, of code and of tokens: the same in every language.
NAMES = {"love", "ABab", "baAB", "softmax", "ReLU", "GELU", "FFN", "ALiBi"}
NAMES |= {"np.mean", "np.median", "std", "var", "var(q·k)", "max |Δ|", "sin, cos"}
NAMES |= {"log 2", "log₂ d_k", "exp(row)", "exp(row + 5)", "dscores[0]"}
NAMES |= {"codes[:3]", "codes[:3, None]"}

PAGES = sorted((TOP / "notebooks").glob("[0-9]*.ipynb"))
SYMBOLS = NAMES | {"model", "ab", "Wo"}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_prints_symbols_names_and_numbers(path):
    """Red: a code cell prints English, which the Chinese page would print, too."""
    cells = nbformat.read(path, as_version=4).cells
    trees = {c.id: ast.parse(c.source) for c in cells if c.cell_type == "code"}
    names = {w for tree in trees.values() for w in words_of_code(tree)} | SYMBOLS
    for id_, tree in trees.items():
        for call in calls(tree, {"print", "add"}):
            for text in strings(call):
                words = set(re.findall(r"[A-Za-z]{2,}", text)) - names
                assert not words, f"{path.name}, cell {id_}: {words} belongs into prose"


def words_of_code(tree):
    """Return the words that names in code consist of."""
    for node in ast.walk(tree):
        for kind in ("id", "attr", "arg", "name"):
            name = getattr(node, kind, None)
            if isinstance(name, str):
                yield from (name, *re.findall("[A-Za-z]+", name))
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            yield from re.findall("[A-Za-z]+", str(node.slice.value))


def needed():
    return said_in_code() | said_of_exercises() | said_elsewhere()


def test_every_text_has_its_chinese():
    """Red: a text was added or changed in English, and not in helpers/texts_zh.json."""
    missing = sorted((needed() | labels()) - NAMES - set(TABLE))
    assert not missing, "helpers/texts_zh.json needs\n" + "\n".join(missing)


def test_no_chinese_is_left_over():
    """Red: a text is gone or changed in English, and its old Chinese is still there."""
    left = sorted(set(TABLE) - needed() - labels())
    assert not left, "helpers/texts_zh.json: take out\n" + "\n".join(left)


def fields(text):
    return [name for _, name, _, _ in string.Formatter().parse(text) if name]


@pytest.mark.parametrize("english", sorted(said_in_code() | said_elsewhere()))
def test_values_stand_in_the_same_order(english):
    """Red: a value is missing in Chinese, or the editions could not be compared."""
    where = f"helpers/texts_zh.json: {english}"
    if english in TABLE:
        assert fields(TABLE[english]) == fields(english), where


@pytest.mark.parametrize("english", sorted(TABLE))
def test_the_chinese_is_chinese(english):
    """Red: half-width punctuation beside a Chinese character, or other numbers."""
    chinese = TABLE[english]
    assert not re.search(HALF_WIDTH, chinese), chinese
    words = re.search(r"[A-Za-z]{2}", re.sub(r"{\w+}", "", english))
    assert re.search(CHINESE, chinese) or not words or english == "{done} of {all}"
    numbers = [Counter(re.findall(r"\d+(?:\.\d+)?", t)) for t in (english, chinese)]
    assert not numbers[0] - numbers[1], (
        f"{english}: {numbers[0] - numbers[1]} is missing"
    )


def test_the_language_is_that_of_the_folder(tmp_path, monkeypatch):
    """Red: a page in notebooks/zh speaks English, or another one Chinese."""
    monkeypatch.chdir(tmp_path)
    assert language.language() == "en"
    assert language.say("{n} of {all}", n=1, all=2) == "1 of 2"
    (tmp_path / "zh").mkdir()
    monkeypatch.chdir(tmp_path / "zh")
    assert language.language() == "zh"
    assert language.say("weights") == "权重"
    assert language.say("猫") == "猫"


def test_chinese_lines_are_folded_between_characters(tmp_path, monkeypatch):
    """Red: a long line runs out of the page, or begins with a comma."""
    (tmp_path / "zh").mkdir()
    monkeypatch.chdir(tmp_path / "zh")
    text = "这是一个很长的句子，说的是注意力，" * 6 + "0.313 softmax(Q @ K.T)。"
    lines = language.fold(text).split("\n")
    assert len(lines) > 1 and "".join(lines) == text
    assert all(language.columns(line) <= language.WIDTH for line in lines)
    assert not any(line[0] in "，。：；？！、）”" for line in lines)


def test_a_text_is_said_where_it_is_written():
    """Red: `say` gets a text that no test can look up in the table.

    Given a name, it has to be a constant of the module, or one of the texts that
    `said_elsewhere` lists.
    """
    for path in sorted((TOP / "helpers").rglob("*.py")):
        for call in calls(ast.parse(path.read_text(encoding="utf-8")), {"say"}):
            where = f"{path.name}, line {call.lineno}: {ast.unparse(call)}"
            assert not isinstance(call.args[0], ast.JoinedStr | ast.BinOp), where


def test_words_that_helpers_print_are_said():
    """Red: a text is printed in English alone."""
    for path in sorted((TOP / "helpers").glob("*.py")):
        for call in calls(ast.parse(path.read_text(encoding="utf-8")), {"print"}):
            said = {id(n) for inner in calls(call, {"say"}) for n in ast.walk(inner)}
            words = [
                node.value
                for node in ast.walk(call)
                if isinstance(node, ast.Constant) and id(node) not in said
                if isinstance(node.value, str) and re.search(WORD, node.value)
            ]
            assert set(words) <= {"def ", "return"}, (
                f"{path.name}, line {call.lineno}: {words}"
            )
