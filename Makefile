# Two commands: `make lab` opens the course, `make test` tests it. The others are for authors; see CONTRIBUTING.md.
VENV    := .venv
PYTHON  ?=
TORCH   ?=
RUN     := $(VENV)/bin/python -m
READY   := $(VENV)/.installed
# A notebook, a file or a class of tests stays on one worker. (loadgroup groups nothing with pytest 9.2: xdist's issue 1386.)
PYTEST  := $(RUN) pytest -n 2 --dist loadscope --no-loadscope-reorder
STRICT  := --nbval --nbval-current-env $(wildcard chapters) $(wildcard solutions)
NB      ?=
REPO    ?=
BENCH   ?=
export PYTHON TORCH

.PHONY: help setup lab test test-all test-fast another-torch notebooks exercises book slides bench lint links clean distclean

help:
	@echo "make lab         set up on first use, then open JupyterLab on your copy of the course (TORCH=cpu|cuda: which build)"
	@echo "make test        the package, every notebook, and a sample of the exercises' wrong solutions"
	@echo "make test-all    the same, then all wrong solutions, kills, browsers, clusters, the Colab path; on Linux with an x86-64"
	@echo "                 processor the notebooks once more, with an older processor imitated"
	@echo "make test-fast   the package alone"
	@echo "make notebooks   execute chapters/ and solutions/ and store the outputs (one: NB=chapters/ch01_uct.ipynb)"
	@echo "make exercises   write exercises/ from solutions/"
	@echo "make book        the site, from the stored notebooks, in build/book/site: open its index.html"
	@echo "make slides      only its slides, in build/book/site/slides"
	@echo "make bench       tables of speed, kept in data/bench/ (one: BENCH=speed)"
	@echo "make lint        ruff, the contract of layers, the types of the contracts"
	@echo "make links       REPO=owner/name: set the public address in badges and set-up cells"
	@echo "make clean       drop the site and caches: Python's, numba's, the tests'"
	@echo "make distclean   drop caches and .venv, 4 to 8 GB that the next make installs again"

setup: $(READY)

# A TORCH that is not the one of the last set-up calls for another.
$(READY): requirements.txt pyproject.toml $(if $(TORCH),$(if $(filter $(TORCH),$(shell cat $(READY) 2>/dev/null)),,another-torch))
	@tools/install

lab: $(READY)
	$(RUN) tools.mine
	$(RUN) jupyterlab --ServerApp.root_dir=. --LabApp.default_url=/lab/tree/my/chapters/ch00_welcome.ipynb \
		$(shell [ "$$(id -u)" = 0 ] && echo --allow-root)

test: $(READY)
	$(PYTEST) -m "not slow" tests $(STRICT)

# The second line: the notebooks must hold on another processor, too; tools/conditions.py says what is imitated.
test-all: test
	$(PYTEST) -m slow tests
	MOCK5_PROCESSOR=older $(PYTEST) $(STRICT)

test-fast: $(READY)
	$(PYTEST) -m "not slow" --ignore tests/test_gate.py tests

notebooks: $(READY)
	$(RUN) tools.notebooks $(NB)

exercises: $(READY)
	$(RUN) tools.exercises

book: $(READY)
	$(RUN) tools.book

slides: $(READY)
	$(RUN) tools.book --slides

bench: $(READY)
	$(RUN) bench --keep $(BENCH)

lint: $(READY)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/lint-imports
	$(VENV)/bin/mypy

links: $(READY)
	$(RUN) tools.stamp --repository "$(REPO)"
	$(RUN) tools.exercises

clean:
	rm -rf .pytest_cache .ruff_cache .mypy_cache .hypothesis .import_linter_cache build/book
	find . -path ./$(VENV) -prune -o -name __pycache__ -prune -exec rm -rf {} +

distclean: clean
	rm -rf $(VENV)
