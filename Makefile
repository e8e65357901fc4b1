# Everything runs in a virtual environment of its own, made when it is missing or older than pyproject.toml.
# PYTHON=python3.12 chooses another interpreter (3.11 or newer); "make clean" first if there is an environment already.

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
READY := $(VENV)/.ready
PYTEST := $(RUN) -m pytest
TWO := --numprocesses 2 --dist loadfile
# Files, commands, fresh processes and arrays of other libraries, which reach kernels as the arrays of numpy that all
# tests pass: whether indices are checked makes no difference to these.
NOT_OF_KERNELS := --ignore=tests/kernel/test_jit.py --ignore-glob='tests/public/test_cli*.py' \
    --ignore=tests/public/test_armies.py --ignore=tests/public/test_scene.py --ignore=tests/public/test_interop.py

.PHONY: demo test contract checked-kernels plain main-pass lint docs notebooks bench verify clean

demo: $(READY)
	$(RUN) -m ninthgeom demo
	$(RUN) -m ninthgeom evaluate examples/skirmish.json

# Three passes over the kernels: as shipped, with checked indices, and as plain Python, which is the only way to see
# their line coverage. numba's cache keeps checked and unchecked code apart (see kernel/ninthgeom_kernel/_jit.py).
# What one process does alone goes first, two of these at a time, and leaves both kinds of kernels in the cache: two
# processes that share a pass, whole files at a time, would compile each kernel twice.
test: $(READY)
	$(MAKE) --jobs=2 --output-sync=target lint contract checked-kernels plain
	$(MAKE) --jobs=2 --output-sync=target docs main-pass
	NUMBA_BOUNDSCHECK=1 $(PYTEST) $(TWO) tests/kernel tests/public $(NOT_OF_KERNELS)

# Compiles every kernel from nothing, to see how long each takes, and leaves them to whoever has none.
contract: $(READY)
	$(PYTEST) tests/test_kernel_contract.py

checked-kernels: $(READY)
	NUMBA_BOUNDSCHECK=1 $(RUN) -c 'import ninthgeom; ninthgeom.warm_up()'

plain: $(READY)
	NUMBA_DISABLE_JIT=1 $(RUN) -m coverage run -m pytest -m "not verify and not jit_only" \
	    tests/kernel tests/test_without_compiler.py --ignore=tests/kernel/test_jit.py
	$(RUN) -m coverage report

main-pass: $(READY)
	$(PYTEST) $(TWO) --ignore=tests/test_kernel_contract.py

# Documents and reference; the notebooks are executed for them. Warnings are errors.
docs: $(READY)
	rm -rf docs/_build/html docs/_build/doctrees
	$(RUN) -m sphinx -b html -W --keep-going --quiet -d docs/_build/doctrees docs docs/_build/html

# Executed copies, with all outputs, to look at.
notebooks: $(READY)
	$(RUN) -m docs.run_notebooks docs/_build/notebooks

lint: $(READY)
	$(RUN) -m ruff check
	$(RUN) -m ruff format --check
	$(RUN) -m mypy

# Writes benchmarks/RESULTS.md and renews the lines of it that README quotes; commit both or neither.
bench: $(READY)
	$(PYTEST) benchmarks --quiet --benchmark-enable --benchmark-only --benchmark-quiet \
	    --benchmark-json=bench.json
	$(RUN) -m benchmarks.results bench.json

# Long checks against independent oracles; -s shows the seeds and counts that they print.
verify: $(READY)
	$(PYTEST) -m verify -s

clean:
	rm -rf $(VENV) docs/_build .mypy_cache .ruff_cache .pytest_cache .hypothesis .benchmarks .coverage dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "ninthgeom needs Python 3.11 or newer; $(PYTHON) is: $$($(PYTHON) --version 2>&1)." >&2; \
	    echo "Name another interpreter: make PYTHON=/path/to/python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@test -x $(RUN) || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
	@echo "Installing ninthgeom and its development tools into $(VENV) (a minute or two the first time)"
	@# Modules are compiled when they are imported; most of what comes along never is.
	@$(RUN) -m pip install --quiet --disable-pip-version-check --no-compile --editable '.[dev]'
	@touch $@
