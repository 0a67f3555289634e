"""Find every text that `helpers` say, and every one that they show without saying it.

What `say` and `phrase` get has to be found in the source: a text, one of two texts, a
constant of a module (or a table of texts, or one entry of it), a parameter that is one
of a few texts by its `Literal` type, or a field of the classes in `CONTENT`. A title or
label (context "label") may also be a parameter: pages give it, and their code is read.
"""

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import run_notebooks

from helpers.exercises.show import reasons

TOP = Path(__file__).resolve().parent.parent
LABEL = "label"
BARS = {"labels", "low", "high", "ylabel"}  # what `slide` takes beside its sliders
CONTEXTS = {"", "mistake", LABEL, "page"}
# Classes whose fields are texts, and the context in which each is said.
CONTENT = {
    "Exercise": {"asked": "", "means": ""},
    "FormError": {"text": ""},
    "Mistake": {"name": "mistake", "text": ""},
    "Option": {"text": "", "reply": ""},
    "Page": {"topic": "page"},
    "Question": {"text": ""},
}
FIELDS = {field for fields in CONTENT.values() for field in fields.items()}

# Names of the mathematics, of code and of tokens: the same in every language.
NAMES = {"love", "ABab", "baAB", "softmax", "ReLU", "GELU", "FFN", "ALiBi"}
NAMES |= {"np.mean", "np.median", "std", "var", "var(q·k)", "max |Δ|", "sin, cos"}
NAMES |= {"log 2", "log₂ d_k", "exp(row)", "exp(row + 5)", "dscores[0]"}
NAMES |= {"codes[:3]", "codes[:3, None]"}
CODE = {"def", "return"}  # what a solution that is printed consists of
# What looks like a sentence and is for no reader, or a part of a mathematical error.
QUIET = {
    "scores weights, weights output, V output",
    "what compute returns",
    "(one mask per sentence and several heads: mask[:, None])",
}

WORD = re.compile(r"[A-Za-z]{3,}")
SENTENCE = re.compile(r"[A-Za-z]{2,},? [a-z]{2,},? [a-z]{2,}")
CALL = re.compile(r"\w+\(.*\)")
MARKUP = re.compile(r"<(style|script)\b.*?</\1>|<[^<>]*>|&\w+;", re.DOTALL)
SPOKEN = re.compile(r'(?:aria-label|title|alt|placeholder)="([^"]*)"')
SHOWN = {"description", "tooltip", "placeholder", "value", "alt"}  # of widgets
DRAWN = {"set_title", "set_xlabel", "set_ylabel", "suptitle", "text", "annotate"}
WRITTEN = re.compile(r'"([^"\n]*)"|\'([^\'\n]*)\'|`([^`]*)`')  # a string of JavaScript

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
LITERALS = (ast.Tuple, ast.List, ast.Set, ast.Dict)


class Text(NamedTuple):
    """A text and where it stands."""

    english: str
    context: str
    file: str


class Found(NamedTuple):
    """The texts in their order, and what is wrong, each with its file and line."""

    texts: list[Text]
    wrong: list[str]


class Unclear(Exception):
    """It cannot be read off the source what is said."""


def everything() -> Found:
    """Read all of `helpers`, and the code of the English pages."""
    paths = sorted((TOP / "helpers").rglob("*.py"))
    sources = {_name(path): path.read_text(encoding="utf-8") for path in paths}
    scripts = sorted((TOP / "helpers").rglob("*.js"))
    pages = run_notebooks.pages_in(TOP / "notebooks")
    found = in_sources(sources)
    labels = in_pages({_name(p): cells(p) for p in pages}, drawing(sources))
    solutions = next((TOP / "helpers").rglob("solutions.py"), TOP)
    why = [Text(text, "", _name(solutions)) for text in sorted(reasons())]
    wrong = [
        f"{_name(path)}: {text!r} is not said: pass it from Python"
        for path in scripts
        for text in in_script(path.read_text(encoding="utf-8"))
    ]
    texts = [*found.texts, *why, *labels]
    return Found(
        [t for t in texts if t.english not in {"", *NAMES}], [*found.wrong, *wrong]
    )


def in_sources(sources: Mapping[str, str]) -> Found:
    """Find what modules say, and what they show and do not say.

    Parameters
    ----------
    sources : by file name, `helpers/film.py`; they may import from each other.
    """
    house = House(sources)
    texts: list[Text] = []
    wrong: list[str] = []
    said: set[int] = set()
    for module in house.modules.values():
        here: list[tuple[int, int, Text]] = []
        for node, context in module.asked(house):
            try:
                found = module.texts(node, context, house)
            except Unclear as problem:
                wrong.append(f"{module.file}:{node.lineno}: {problem}")
                continue
            said |= {id(text) for text in found}
            for t in found:
                text = Text(str(t.value), context, module.file)
                here.append((t.lineno, t.col_offset, text))
        texts += [text for *_, text in sorted(here)]
    for module in house.modules.values():
        wrong += module.unsaid(house, said)
    return Found(texts, wrong)


def drawing(sources: Mapping[str, str]) -> set[str]:
    """Return the public functions and classes that say labels, directly or not."""
    house = House(sources)
    bodies = {
        node.name: node
        for module in house.modules.values()
        for node in module.tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    calls = {
        name: {_called(c) for c in ast.walk(body) if isinstance(c, ast.Call)}
        for name, body in bodies.items()
    }
    draws = {name for name, body in bodies.items() if _says_label(body)} | {"phrase"}
    while more := {name for name in calls if calls[name] & draws} - draws:
        draws |= more
    return {name for name in draws if not name.startswith("_")} - {"phrase"}


def in_pages(pages: Mapping[str, list[str]], draws: set[str]) -> list[Text]:
    """Find the titles and labels that code cells give to pictures and tables.

    Parameters
    ----------
    pages : by file name, the code cells.
    draws : the functions that say labels.
    """
    found = []
    for file, sources in pages.items():
        for tree in map(ast.parse, sources):
            calls = [c for c in _calls(tree) if _called(c) in draws]
            given = {
                n.id for c in calls for n in ast.walk(c) if isinstance(n, ast.Name)
            }
            for node in tree.body:  # a dict of rows, or a list of labels
                if isinstance(node, ast.Assign) and isinstance(node.value, LITERALS):
                    if given & {t.id for t in node.targets if isinstance(t, ast.Name)}:
                        found += [Text(t, LABEL, file) for t in _all_texts(node.value)]
            for call in calls:
                parts = [
                    *call.args,
                    *(k.value for k in call.keywords if k.arg != "kind"),
                ]
                found += [Text(t, LABEL, file) for p in parts for t in _all_texts(p)]
                if _called(call) == "slide":  # each other keyword names a slider
                    names = [k.arg for k in call.keywords if k.arg not in BARS]
                    found += [Text(name, LABEL, file) for name in names if name]
    return [text for text in found if WORD.search(text.english)]


def in_script(source: str) -> list[str]:
    """Find strings of JavaScript that are English: words alone, two or more.

    Lists of classes, fonts and styles have hyphens, numbers or colons among them.
    """
    code = re.sub(r"(?<!:)//[^\n]*|/\*.*?\*/", "", source, flags=re.DOTALL)
    strings = ["".join(match) for match in WRITTEN.findall(code)]
    plain = [re.sub(r"\$\{.*?\}+", "…", text).strip() for text in strings]
    return [
        t for t in plain if re.fullmatch(r"(… )?[A-Za-z]{2,}(,? [\w…]+)+[.:!?]?", t)
    ]


def cells(path: Path) -> list[str]:
    """Return the code cells of a notebook."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return [
        "".join(cell["source"])
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]


class House:
    """Modules that import from each other."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self.modules = {
            _dotted(file): Module(file, ast.parse(source))
            for file, source in sources.items()
        }
        self.fields: dict[str, list[str]] = {}  # of the classes in CONTENT
        for module in self.modules.values():
            for node in module.tree.body:
                if isinstance(node, ast.ClassDef) and node.name in CONTENT:
                    self.fields[node.name] = _fields(node)


class Module:
    """One file, and what its names stand for."""

    def __init__(self, file: str, tree: ast.Module) -> None:
        self.file, self.tree = file, tree
        self.parents = {
            child: node
            for node in ast.walk(tree)
            for child in ast.iter_child_nodes(node)
        }
        self.constants: dict[str, ast.expr] = {}
        self.imports: dict[str, tuple[str, str]] = {}
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.module:
                for name in node.names:
                    self.imports[name.asname or name.name] = node.module, name.name
            elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value:
                targets = (
                    node.targets if isinstance(node, ast.Assign) else [node.target]
                )
                for target in targets:
                    if isinstance(target, ast.Name):
                        self.constants[target.id] = node.value

    def asked(self, house: House) -> Iterator[tuple[ast.expr, str]]:
        """Return each argument that is a text to be said, with its context."""
        for call in _calls(self.tree):
            name = _called(call)
            if name in ("say", "phrase") and call.args:
                yield call.args[0], _context(call)
            given = {k.arg: k.value for k in call.keywords if k.arg}
            given |= dict(zip(house.fields.get(name, ()), call.args, strict=False))
            for field, context in CONTENT.get(name, {}).items():
                if field in given and name in house.fields:
                    yield given[field], context

    def texts(self, node: ast.expr, context: str, house: House) -> list[ast.Constant]:
        """Return all texts that an argument may be, or raise Unclear."""
        if context not in CONTEXTS:
            raise Unclear(f"there is no context {context!r}, only {sorted(CONTEXTS)}")
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return [node]
        if isinstance(node, ast.IfExp):
            branches = node.body, node.orelse
            return [t for b in branches for t in self.texts(b, context, house)]
        if isinstance(node, ast.Attribute) and (node.attr, context) in FIELDS:
            return []  # found where the object is made
        if isinstance(node, ast.Subscript):
            return self.texts(_innermost(node), context, house)
        if isinstance(node, ast.Call) and _called(node) == "reason":
            return []  # of a solution; all of them are in `reasons`
        if isinstance(node, ast.Call) and _called(node) == "str" and context == LABEL:
            return self.texts(node.args[0], context, house)
        if isinstance(node, ast.Name):
            return self._named(node, node.id, context, house)
        raise Unclear(
            f"{ast.unparse(node)} is said; give `say` the text itself, a constant of "
            f"the module, or a field of {', '.join(CONTENT)}"
        )

    def _named(
        self, node: ast.AST, name: str, context: str, house: House
    ) -> list[ast.Constant]:
        """Return the texts that a name may stand for, seen from a place in the code."""
        for around in self._around(node):
            for loop in _loops(around):
                if name in _targets(loop.target):
                    return self._looped(loop.iter, node, context, house)
            if isinstance(around, FUNCTIONS):
                values = list(_assigned(around, name))
                allowed = context == LABEL and not any(map(_texts, values))
                if values and not allowed:
                    raise Unclear(
                        f"{name} is said, a local name; give `say` the text itself, or "
                        f"make it a constant of the module"
                    )
                if (found := _parameter(around, name)) is not None:
                    return self._given(*found, context, house)
                if values:
                    return []
        return self.constant(name, house)

    def _given(
        self,
        name: ast.arg,
        default: ast.expr | None,
        context: str,
        house: House,
    ) -> list[ast.Constant]:
        """Return the texts that a parameter may be."""
        kind = name.annotation
        if isinstance(kind, ast.Name):
            kind = self._value(kind.id, house) or kind
        if isinstance(kind, ast.Subscript) and ast.unparse(kind.value) == "Literal":
            return _texts(kind.slice) + _texts(default)
        if context == LABEL:
            return _texts(default)
        raise Unclear(
            f"{name.arg} is said, a parameter; give `say` the text where it is known, "
            f"or let the parameter be a Literal"
        )

    def _looped(
        self, over: ast.expr, node: ast.AST, context: str, house: House
    ) -> list[ast.Constant]:
        """Return the texts that a loop goes through."""
        if isinstance(over, ast.Call) and _called(over) in ("items", "values"):
            assert isinstance(over.func, ast.Attribute)
            over = over.func.value
        over = _innermost(over)
        if isinstance(over, LITERALS) and _texts(over, every=True):
            return _texts(over)
        if isinstance(over, ast.Name):
            return self._named(self.parents[node], over.id, context, house)
        raise Unclear(f"a part of {ast.unparse(over)} is said; which texts are these?")

    def constant(self, name: str, house: House) -> list[ast.Constant]:
        """Return the texts of a constant of this module, or of one it imports."""
        value = self._value(name, house)
        if value is None or not _texts(value, every=True):
            raise Unclear(f"{name} is said, which is no text and no table of texts")
        return _texts(value)

    def _value(self, name: str, house: House) -> ast.expr | None:
        if name in self.imports:
            module, name = self.imports[name]
            there = house.modules.get(module)
            return there._value(name, house) if there else None
        return self.constants.get(name)

    def _around(self, node: ast.AST) -> Iterator[ast.AST]:
        while node in self.parents:
            node = self.parents[node]
            yield node

    def unsaid(self, house: House, said: set[int]) -> Iterator[str]:
        """Find texts that a reader gets to see in English alone."""
        told: set[int] = set(said)
        for shown in self._shown():
            for text in self._words(shown, house, told):
                yield f"{self.file}:{shown.lineno}: {text!r} is shown and not said"
        for node in ast.walk(self.tree):
            if id(node) in told or not isinstance(node, ast.Constant | ast.JoinedStr):
                continue
            for text in _plain(_joined(node)):
                quiet = text in QUIET or CALL.fullmatch(text)
                if SENTENCE.search(text) and not (quiet or self._for_programmers(node)):
                    yield f"{self.file}:{node.lineno}: {text!r} is not said"

    def _shown(self) -> Iterator[ast.expr]:
        """Return what is given to print, widgets, pictures and answers' errors."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call):
                name = _called(node)
                widget = ast.unparse(node.func).startswith("widgets.")
                if name in {"print", "FormError"} | DRAWN or widget:
                    yield from node.args
                yield from (k.value for k in node.keywords if k.arg in SHOWN)
            elif isinstance(node, ast.Assign):
                if any(getattr(t, "attr", "") in SHOWN for t in node.targets):
                    yield node.value
            elif isinstance(node, ast.FunctionDef) and node.name == "__repr__":
                returns = (n for n in ast.walk(node) if isinstance(n, ast.Return))
                yield from (n.value for n in returns if n.value)

    def _words(self, node: ast.AST, house: House, told: set[int]) -> Iterator[str]:
        """Return the words in an expression that are not said; each is told once."""
        if isinstance(node, ast.Call) and _called(node) in ("say", "phrase"):
            return
        if isinstance(node, ast.Name):
            for behind in self._behind(node, house):
                yield from self._words(behind, house, told)
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in told:
            told |= {id(part) for part in ast.walk(node) if not _is_value(part)}
            for text in _plain(_joined(node)):
                if set(WORD.findall(text)) - CODE:
                    yield text
        for child in ast.iter_child_nodes(node):
            yield from self._words(child, house, told)

    def _behind(self, node: ast.Name, house: House) -> list[ast.Constant]:
        """Return the texts that a name on the way to the reader holds."""
        for around in self._around(node):
            if isinstance(around, FUNCTIONS):
                values = list(_assigned(around, node.id))
                if values or _parameter(around, node.id):
                    return [text for value in values for text in _texts(value)]
        value = self._value(node.id, house)
        return _texts(value) if value is not None else []

    def _for_programmers(self, node: ast.AST) -> bool:
        """Tell docstrings, errors of the mathematics, and parts of a longer text."""
        parent = self.parents[node]
        if isinstance(parent, ast.Expr | ast.Compare):
            return True
        if isinstance(parent, ast.Attribute) and parent.attr == "split":
            return True  # a list of names
        for around in self._around(node):
            if isinstance(around, ast.Call):
                name = _called(around)
                if name.endswith("Error") and name != "FormError":
                    return True
            if isinstance(around, ast.JoinedStr | ast.Assert):
                return True
        return False


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _called(call: ast.Call) -> str:
    return str(getattr(call.func, "id", getattr(call.func, "attr", "")))


def _context(call: ast.Call) -> str:
    """Return the context of a call of `say` or `phrase`."""
    given = [k.value for k in call.keywords if k.arg == "context"]
    if _called(call) == "phrase":
        return LABEL
    return str(ast.literal_eval(given[0])) if given else ""


def _says_label(body: ast.AST) -> bool:
    return any(_called(c) == "say" and _context(c) == LABEL for c in _calls(body))


def _texts(node: ast.AST | None, every: bool = False) -> list[ast.Constant]:
    """Return the texts in a value, without the keys of a table.

    A symbol, such as "K", is no text, unless `every` is true or it stands alone.
    """
    if isinstance(node, ast.Constant):
        return [node] if isinstance(node.value, str) else []
    if isinstance(node, ast.Dict):
        parts: Iterable[Any] = node.values
    elif isinstance(node, ast.Tuple | ast.List | ast.Set):
        parts = node.elts
    elif isinstance(node, ast.IfExp):
        parts = [node.body, node.orelse]
    elif isinstance(node, ast.JoinedStr):
        parts = node.values
    elif isinstance(node, ast.BinOp):
        parts = [node.left, node.right]
    else:
        return []
    found = [text for part in parts for text in _texts(part, every)]
    return [t for t in found if every or WORD.search(str(t.value))]


def _all_texts(node: ast.AST) -> list[str]:
    constants = (n for n in ast.walk(node) if isinstance(n, ast.Constant))
    return [c.value for c in constants if isinstance(c.value, str)]


def _innermost(node: ast.expr) -> ast.expr:
    """Return the table of which an entry is taken."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return node


def _loops(node: ast.AST) -> list[Any]:
    """Return the loops of a node, each with a target and an iter."""
    if isinstance(node, COMPREHENSIONS):
        return node.generators
    return [node] if isinstance(node, ast.For) else []


def _targets(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def _assigned(function: ast.AST, name: str) -> Iterator[ast.expr]:
    """Return the values that a function assigns to a name."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            if any(name in _targets(t) for t in node.targets if _binds(t)):
                yield node.value
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr | ast.AugAssign):
            if name in _targets(node.target) and _binds(node.target) and node.value:
                yield node.value


def _binds(target: ast.AST) -> bool:
    return isinstance(target, ast.Name | ast.Tuple | ast.List)


def _parameter(function: Any, name: str) -> tuple[ast.arg, ast.expr | None] | None:
    """Return a parameter of a function and its default."""
    given = function.args
    plain = [*given.posonlyargs, *given.args]
    last = dict(zip(reversed(plain), reversed(given.defaults), strict=False))
    last |= dict(zip(given.kwonlyargs, given.kw_defaults, strict=True))
    for arg in [*plain, *given.kwonlyargs]:
        if arg.arg == name:
            return arg, last.get(arg)
    return None


def _fields(node: ast.ClassDef) -> list[str]:
    """Return what a class is made from, in order."""
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and part.name == "__init__":
            return [arg.arg for arg in part.args.args[1:]]
    fields = (part.target for part in node.body if isinstance(part, ast.AnnAssign))
    return [target.id for target in fields if isinstance(target, ast.Name)]


def _joined(node: ast.AST) -> str:
    """Return a text, with … for each value that is put into it."""
    if isinstance(node, ast.JoinedStr):
        return "".join(map(_joined, node.values))
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    return "…"


def _is_value(node: ast.AST) -> bool:
    return not isinstance(node, ast.Constant | ast.JoinedStr)


def _plain(text: str) -> list[str]:
    """Return what a reader sees or hears of a text: its markup is none of it."""
    return [MARKUP.sub(" ", text).strip(), *SPOKEN.findall(text)]


def _name(path: Path) -> str:
    return path.relative_to(TOP).as_posix()


def _dotted(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
