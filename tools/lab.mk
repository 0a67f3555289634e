# What a reader types: the Makefile of a hand-out, and the first part of the course's own.
# Paths are relative on purpose: make cannot handle a target whose absolute path holds a
# space.

PYTHON ?= python3
VENV = .venv
PY = $(VENV)/bin/python
READY = $(VENV)/ready
# `anew` where .venv no longer fits: the folder was renamed or copied, its Python has
# gone, an installation was interrupted, another NumPy came in.
ANEW := $(shell [ ! -e $(READY) ] || $(PY) -I tools/install.py check 2>/dev/null || echo anew)

.PHONY: help lab anew
.DEFAULT_GOAL := help

help::
	@echo "make lab          open the course in JupyterLab"

lab: $(READY)
	JUPYTER_CONFIG_PATH="$$PWD/jupyter" $(PY) -m jupyterlab

$(READY): requirements/reader.lock pyproject.toml $(ANEW)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one with make PYTHON=python3.12"; exit 1; }
	@echo "Installing the course's packages into $(VENV): some seconds, once."
	@$(PYTHON) tools/install.py reader
