"""What `make lab` sets; a learner's own Jupyter settings stay in force beside it."""

from pathlib import Path

c = get_config()  # noqa: F821

# The course opens on its first page, from whichever folder the server was started.
c.ServerApp.root_dir = str(Path(__file__).resolve().parent.parent)
c.LabApp.default_url = "/lab/tree/notebooks/00_start_here.ipynb"

# Containers often run as root. The server listens on localhost alone and asks for its
# token, so this lets nobody else in.
c.ServerApp.allow_root = True
