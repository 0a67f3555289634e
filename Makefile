# Everything a maintainer types; what a reader needs, `make lab`, is in tools/lab.mk.

include tools/lab.mk

NB ?=
PAGE ?=
SAME ?=
TEST = $(VENV)/ready-test
UV = $(PY) -m uv
LOCK = $(UV) pip compile - --universal --upgrade --python-version 3.11 \
  --generate-hashes --custom-compile-command "make lock" --quiet

.PHONY: test run editions pages texts mutations handout lock test-oldest

help::
	@echo "make test         re-execute and compare every notebook, and run all other checks"
	@echo "make run          execute and save every notebook, or NB=notebooks/02_scores.ipynb"
	@echo "make editions     lay the English code into the Chinese pages and run them, or PAGE=03_softmax"
	@echo "make pages        write the lists of pages and the links between them from the titles"
	@echo "make texts        bring the Chinese of what helpers say in step with the English"
	@echo "make mutations    try every known mistake on its check, and print the table"
	@echo "make handout      write a copy for a class: no outputs, no solutions"
	@echo "make lock         renew the locks in requirements/ from pyproject.toml"
	@echo "make test-oldest  run the tests with the oldest versions admitted"

# What other targets need besides, installed when one of them is first asked for.
$(VENV)/ready-%: requirements/%.lock $(READY)
	@echo "Installing requirements/$*.lock into $(VENV): some seconds, once."
	@$(PY) tools/install.py $*

test: $(TEST)
	$(PY) -m ruff check
	$(PY) -m ruff format --check
	$(PY) -m mypy
	$(PY) -m pytest

run: $(TEST)
	$(PY) tools/run_notebooks.py $(NB)

editions: $(TEST)
	$(PY) tools/editions.py $(PAGE) $(if $(SAME),--same $(SAME))

pages: $(TEST)
	$(PY) tools/pages.py

texts: $(TEST)
	$(PY) tools/texts.py

mutations: $(TEST)
	$(PY) -m pytest -n 0 -q -s tests/exercises -k table

handout: $(TEST)
	$(PY) tools/handout.py

lock: $(READY)
	echo "setuptools>=77" | $(LOCK) pyproject.toml --output-file requirements/reader.lock
	echo "setuptools>=77" | $(LOCK) pyproject.toml --output-file requirements/test.lock \
	  --extra test --constraint requirements/reader.lock
	echo "uv" | $(LOCK) --output-file requirements/installer.lock

test-oldest: $(READY)
	$(UV) venv --clear --python 3.11 .venv-oldest
	$(UV) pip install --python .venv-oldest/bin/python --resolution lowest-direct \
	  --compile-bytecode --editable ".[test]"
	# Old packages warn about newer ones that they use; ours may not warn at all.
	.venv-oldest/bin/python -m pytest -W ignore::DeprecationWarning
