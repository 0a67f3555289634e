"""What all tests share: where things are, and how property tests run."""

from pathlib import Path

import pytest
from hypothesis import settings

from helpers import language

TOP = Path(__file__).resolve().parents[1]

# The same examples on every run: a red test stays red until somebody repairs it.
settings.register_profile("course", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("course")


@pytest.fixture
def chinese_page(monkeypatch):
    """Let helpers speak as on a page that has said `import helpers.zh`."""
    monkeypatch.setattr(language, "of_page", "zh")
