# Everything a reader or maintainer types. Paths are relative on purpose: make cannot
# handle a target whose absolute path holds a space.

PYTHON ?= python3
VENV = .venv
PY = $(VENV)/bin/python
READY = $(VENV)/ready
NB ?=
PAGE ?=
SAME ?=

.PHONY: help lab test run editions texts mutations handout lock test-oldest
.DEFAULT_GOAL := help

help:
	@echo "make lab          open the course in JupyterLab"
	@echo "make test         re-execute and compare every notebook, and run all other checks"
	@echo "make run          execute and save every notebook, or NB=notebooks/02_scores.ipynb"
	@echo "make editions     lay the English code into the Chinese pages and run them, or PAGE=03_softmax"
	@echo "make texts        bring the Chinese of what helpers say in step with the English"
	@echo "make mutations    try every known mistake on its check, and print the table"
	@echo "make handout      write a copy for a class: no outputs, no solutions"
	@echo "make lock         renew requirements.lock from pyproject.toml (needs uv)"
	@echo "make test-oldest  run the tests with the oldest versions admitted (needs uv)"

lab: $(READY)
	JUPYTER_CONFIG_PATH="$$PWD/jupyter" $(PY) -m jupyterlab

test: $(READY)
	$(PY) -m ruff check
	$(PY) -m ruff format --check
	$(PY) -m mypy
	$(PY) -m pytest

run: $(READY)
	$(PY) tools/run_notebooks.py $(NB)

editions: $(READY)
	$(PY) tools/editions.py $(PAGE) $(if $(SAME),--same $(SAME))

texts: $(READY)
	$(PY) tools/texts.py

mutations: $(READY)
	$(PY) -m pytest -n 0 -q -s tests/test_checks.py -k table

handout: $(READY)
	$(PY) tools/handout.py

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one with make PYTHON=python3.12"; exit 1; }
	@echo "Installing the course's packages into $(VENV): about a minute, once."
	@$(PYTHON) -m venv $(VENV)
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements.lock
	@$(PY) -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	@touch $(READY)

lock:
	echo "setuptools>=77" | uv pip compile pyproject.toml - --all-extras --universal --upgrade \
	  --python-version 3.11 --generate-hashes --custom-compile-command "make lock" \
	  --output-file requirements.lock

test-oldest:
	uv venv --clear --python 3.11 .venv-oldest
	uv pip install --python .venv-oldest/bin/python --resolution lowest-direct --compile-bytecode --editable ".[test]"
	# Old packages warn about newer ones that they use; ours may not warn at all.
	.venv-oldest/bin/python -m pytest -W ignore::DeprecationWarning
