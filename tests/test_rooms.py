"""The structure of helpers: who may import whom, and how thin the mathematics is."""

import ast
import io
import tokenize

from .conftest import TOP

HELPERS = TOP / "helpers"
# A room imports from the floors below its own. A new module is put on one of them.
FLOORS = (
    ("arrays", "language", "moved", "folders"),
    ("core", "layers", "marks", "live", "zh"),
    ("gradients", "positions", "examples"),
    ("heads", "training", "environment", "pictures"),
    ("block", "sliders", "film", "explorer", "geometry"),
    ("exercises.model",),
    ("exercises.comparing", "exercises.reading"),
    ("exercises.eNN",),  # and each page may use what stands with an earlier one
    ("exercises.catalogue", "exercises.solutions", "exercises.progress"),
    ("exercises.running",),
    ("exercises.show", "exercises.checks", "exercises.buttons", "exercises.board"),
    ("exercises",),
    ("",),  # helpers itself, as a page imports it
)
FLOOR = {room: height for height, rooms in enumerate(FLOORS) for room in rooms}
HEAVY = {"matplotlib", "ipywidgets", "anywidget", "IPython", "helpers.language"}
MOST_CODE = 1000  # lines, of the mathematics


def modules():
    """Return the path of each module of helpers by its name, without `helpers.`."""
    found = {}
    for path in sorted(HELPERS.rglob("*.py")):
        parts = path.relative_to(HELPERS).with_suffix("").parts
        found[".".join(part for part in parts if part != "__init__")] = path
    return found


MODULES = modules()


def room(name):
    """Return where a module lives: all pages of exercises live in one room."""
    page = name.removeprefix("exercises.e")
    return "exercises.eNN" if page != name and page[:2].isdigit() else name


def imports(path):
    """Yield what a module imports: line, module and name; also inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: imports name the whole way"
            yield from ((node.lineno, node.module, a.name) for a in node.names)


def imported(path):
    """Return the modules of helpers that a module imports, without `helpers.`."""
    found = set()
    for _, module, name in imports(path):
        for whole in (f"{module}.{name}", module):
            if whole == "helpers" or whole.startswith("helpers."):
                if whole.partition(".")[2] in MODULES:
                    found.add(whole.partition(".")[2])
                    break
    return found


def code_lines(source):
    """Count the lines that are neither empty nor comment nor docstring."""
    lines = set()
    layout = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in (*layout, tokenize.DEDENT, tokenize.ENDMARKER):
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                lines -= set(range(first.lineno, first.end_lineno + 1))
    return len(lines)


def test_every_module_has_a_floor():
    """Red: a module was added or taken away; put it on its floor in FLOORS."""
    assert {room(name) for name in MODULES} == set(FLOOR)


def test_imports_lead_downwards():
    """Red: a room stands on one above it, or two stand on each other."""
    upward = []
    for name, path in MODULES.items():
        for other in imported(path):
            pages = room(name) == room(other) == "exercises.eNN" and other < name
            if FLOOR[room(other)] >= FLOOR[room(name)] and not pages:
                upward.append(f"{name or 'helpers'} imports {other or 'helpers'}")
    assert not upward


def test_no_private_name_is_imported():
    """Red: a room uses what another keeps to itself; make it public, with a name."""
    found = []
    for folder in ("helpers", "tools", "benchmarks"):
        for path in sorted((TOP / folder).rglob("*.py")):
            for line, module, name in imports(path):
                ours = module.partition(".")[0] in ("helpers", "run_notebooks")
                if ours and name.startswith("_"):
                    found.append(f"{path.relative_to(TOP)}:{line} {module} {name}")
            source = path.read_text(encoding="utf-8")
            names = {name.rpartition(".")[2] for name in MODULES}
            for node in ast.walk(ast.parse(source)):
                if (
                    isinstance(node, ast.Attribute)
                    and node.attr.startswith("_")
                    and not node.attr.startswith("__")
                    and getattr(node.value, "id", "") in names
                ):
                    found.append(f"{path.relative_to(TOP)}:{node.lineno} {node.attr}")
    assert not found


def light(name, seen=()):
    """Tell whether a module draws nothing and says nothing, nor what it stands on."""
    path = MODULES[name]
    direct = {module.partition(".")[0] for _, module, _ in imports(path)}
    direct |= {f"helpers.{other}" for other in imported(path)}
    return not direct & HEAVY and all(
        light(other, (*seen, name)) for other in imported(path) if other not in seen
    )


def mathematics():
    """Return the modules that need neither matplotlib nor widgets nor texts."""
    own = {name for name in MODULES if not name.startswith("exercises")}
    return {name for name in own - {"language", "folders"} if light(name)}


def test_the_mathematics_is_thin():
    """Red: more than a reader can read; raising MOST_CODE is a commit of its own."""
    lines = {
        name: code_lines(MODULES[name].read_text(encoding="utf-8"))
        for name in mathematics()
    }
    assert {"arrays", "core", "heads", "block", "training"} <= set(lines)
    assert sum(lines.values()) <= MOST_CODE, lines


def test_code_lines_are_counted_as_promised():
    """Red: docstrings or comments count, or code does not."""
    source = (
        '"""Doc."""\n\n# why\nx = (\n    1,\n)\n\ndef f():\n    """More\n    doc."""\n'
    )
    assert code_lines(source + "    return x  # y\n") == 5
