"""What all tests share: where things are, and how property tests run."""

import sys
from pathlib import Path

from hypothesis import settings

TOP = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP / "tools"))  # so that tests can import run_notebooks

# The same examples on every run: a red test stays red until somebody repairs it.
settings.register_profile("course", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("course")
