"""Old names of modules, for pages that were written before they moved.

A reader's own page may say `from helpers.checks import check`. That goes on working:
the old name is a module that hands out what the new one has.
"""

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

NEW = {
    "helpers.catalogue": "helpers.exercises.catalogue",
    "helpers.checks": "helpers.exercises.checks",
    "helpers.progress": "helpers.exercises",
    "helpers.questions": "helpers.exercises",
    "helpers.solutions": "helpers.exercises",
}


class _Forward(MetaPathFinder, Loader):
    """Finds the old names, and makes a module for each that forwards."""

    def find_spec(self, name: str, *_: Any) -> ModuleSpec | None:
        return ModuleSpec(name, self) if name in NEW else None

    def exec_module(self, module: ModuleType) -> None:
        new = NEW[module.__name__]

        def forward(name: str) -> Any:
            return getattr(import_module(new), name)

        module.__getattr__ = forward  # type: ignore[method-assign]


def forward() -> None:
    """Let the old names be imported. Twice is once."""
    if not any(isinstance(finder, _Forward) for finder in sys.meta_path):
        sys.meta_path.append(_Forward())
