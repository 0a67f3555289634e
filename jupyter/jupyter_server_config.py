"""What `make lab` sets for the server, before a learner's own `~/.jupyter` does.

Jupyter reads `JUPYTER_CONFIG_PATH` last of all folders, and files of this name after
`jupyter_lab_config.py`: what stands here counts, and all other settings of the
learner's stay in force.
"""

import glob
import sys
from pathlib import Path

c = get_config()  # noqa: F821

# JupyterLab takes the path to its extensions, the sliders' script, for a pattern. In
# a folder such as "my [2026] course" it finds none, unless the path is written as one.
c.LabApp.extra_labextensions_path = [
    glob.escape(str(Path(sys.prefix, "share", "jupyter", "labextensions")))
]

# The course opens from whichever folder the server was started. All three names, since
# a learner may have set any of them to a folder of their own.
course = str(Path(__file__).resolve().parent.parent)
c.ServerApp.root_dir = course
c.FileContentsManager.root_dir = course
c.FileContentsManager.preferred_dir = course

# Containers often run as root. The server listens on localhost alone and asks for its
# token, so this lets nobody else in.
c.ServerApp.allow_root = True
