"""Keep the reader's progress out of every test: kernels inherit this place."""

import os
import tempfile

_folder = tempfile.TemporaryDirectory()
os.environ["ATTENTION_PROGRESS"] = os.path.join(_folder.name, "progress.json")
