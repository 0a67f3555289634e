# What a reader types: the Makefile of a hand-out, and the first part of the course's own.
# Paths are relative on purpose: make cannot handle a target whose absolute path holds a
# space.

PYTHON ?= python3
VENV = .venv
PY = $(VENV)/bin/python
READY = $(VENV)/ready

.PHONY: help lab
.DEFAULT_GOAL := help

help::
	@echo "make lab          open the course in JupyterLab"

lab: $(READY)
	JUPYTER_CONFIG_PATH="$$PWD/jupyter" $(PY) -m jupyterlab

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one with make PYTHON=python3.12"; exit 1; }
	@echo "Installing the course's packages into $(VENV): about a minute, once."
	@$(PYTHON) -m venv $(VENV)
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements.lock
	@$(PY) -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	@touch $(READY)
