"""What `make lab` sets for the server, before a learner's own `~/.jupyter` does.

Jupyter reads `JUPYTER_CONFIG_PATH` last of all folders, and files of this name after
`jupyter_lab_config.py`: what stands here counts, and all other settings of the
learner's stay in force.
"""

from pathlib import Path

c = get_config()  # noqa: F821

# The course opens from whichever folder the server was started. All three names, since
# a learner may have set any of them to a folder of their own.
course = str(Path(__file__).resolve().parent.parent)
c.ServerApp.root_dir = course
c.FileContentsManager.root_dir = course
c.FileContentsManager.preferred_dir = course

# Containers often run as root. The server listens on localhost alone and asks for its
# token, so this lets nobody else in.
c.ServerApp.allow_root = True
