# Needs python3 (3.11 or later), gcc and make; everything else goes into .venv by itself.
#
#   make demo          the main job on an example
#   make test          every check: format, lint, types, imports, documentation, tests
#   make format        format the code and mend what the linter can mend
#   make fuzz          random programs against their execution (COUNT=10000)
#   make fuzz-broken   broken C against the reader (BROKEN=5000)
#   make fuzz-ast      random schedules against the loops generated from them (SCHEDULES=20000)
#   make fuzz-deps     random programs against dependences by brute force (PROGRAMS=5000), and
#                      random schedules against their execution (TRANSFORMED=2000)
#   make fuzz-schedules random constraints against the laws of schedules (CONSTRAINTS=10000)
#   make fuzz-optimize random programs, optimized, against their execution (OPTIMIZED=3000)
#   make fuzz-scripts  random scripts on random programs, against their execution (SCRIPTED=5000)
#   make fuzz-surroundings random regions in random surroundings against gcc (DRESSED=20000)
#   make fuzz-interleavings random regions against brute force by z3 (REGIONS=1000)
#   make bench         the benchmarks
#   make docs          the documentation, into site/
#   make clean         remove what the above made

PYTHON ?= python3
COUNT ?= 10000
BROKEN ?= 5000
SCHEDULES ?= 20000
PROGRAMS ?= 5000
TRANSFORMED ?= 2000
CONSTRAINTS ?= 10000
OPTIMIZED ?= 3000
SCRIPTED ?= 5000
REGIONS ?= 1000
DRESSED ?= 20000

VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed
INSTALLED_DEV := $(VENV)/installed-dev
# -qq: errors only; without it pip warns about every package index that lacks a package.
PIP_INSTALL := PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install -qq

# No --quiet: it would hide warnings from --strict, too.
# mkdocs-material announces its end of life (2027) in every build; see docs/decisions/0002.
MKDOCS := NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

heading = @printf '\n== %s\n' '$(1)'

.PHONY: demo test format fuzz fuzz-broken fuzz-ast fuzz-deps fuzz-schedules fuzz-optimize fuzz-scripts fuzz-interleavings fuzz-surroundings bench docs clean
.DEFAULT_GOAL := test

$(BIN)/python:
	@echo "== creating $(VENV)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "loopwright needs Python 3.11 or later")'
	@$(PYTHON) -m venv $(VENV)

$(INSTALLED): pyproject.toml | $(BIN)/python
	@echo "== installing loopwright into $(VENV)"
	@$(PIP_INSTALL) -e .
	@touch $@

$(INSTALLED_DEV): pyproject.toml | $(BIN)/python
	@echo "== installing loopwright and its checks into $(VENV)"
	@$(PIP_INSTALL) -e '.[dev]'
	@touch $(INSTALLED) $@

demo: $(INSTALLED)
	$(call heading,examples/matmul.c)
	@sed -n '/#pragma scop/,/#pragma endscop/p' examples/matmul.c
	$(call heading,loopwright model --text examples/matmul.c)
	@$(BIN)/loopwright model --text examples/matmul.c
	$(call heading,loopwright optimize --quiet examples/matmul.c -o build/matmul.c)
	@mkdir -p build
	@$(BIN)/loopwright optimize --quiet examples/matmul.c -o build/matmul.c
	@sed -n '/#pragma omp parallel for/,/^    } else {/p' build/matmul.c
	$(call heading,loopwright optimize --run examples/matmul.c -o build/matmul.c)
	@$(BIN)/loopwright optimize --run examples/matmul.c -o build/matmul.c

test: $(INSTALLED_DEV)
	$(call heading,format)
	@$(BIN)/ruff format --check .
	$(call heading,lint)
	@$(BIN)/ruff check .
	$(call heading,types)
	@$(BIN)/basedpyright --warnings
	$(call heading,imports)
	@$(BIN)/lint-imports --no-logo
	$(call heading,documentation)
	@$(MKDOCS)
	$(call heading,tests)
# Tests start hundreds of commands, and where Python may not write what it has compiled, each of
# them would compile the package again.
	@$(BIN)/python -m compileall -q src
	@$(BIN)/pytest -q -n auto --dist worksteal

format: $(INSTALLED_DEV)
	@$(BIN)/ruff check --fix-only .
	@$(BIN)/ruff format .

fuzz: $(INSTALLED_DEV)
	@PYTHONPATH=. $(BIN)/python tests/execution/fuzz.py --count $(COUNT)

fuzz-broken: $(INSTALLED_DEV)
	@PYTHONPATH=. $(BIN)/python tests/broken/fuzz.py --count $(BROKEN)

fuzz-ast: $(INSTALLED_DEV)
	@PYTHONPATH=. $(BIN)/python tests/codegen/fuzz.py --count $(SCHEDULES)

fuzz-deps: $(INSTALLED_DEV)
	@PYTHONPATH=. $(BIN)/python tests/dependence/fuzz.py --count $(PROGRAMS)
	@PYTHONPATH=. $(BIN)/python tests/dependence/legality_fuzz.py --count $(TRANSFORMED)

fuzz-schedules: $(INSTALLED_DEV)
	@PYTHONPATH=. $(BIN)/python tests/scheduling/fuzz.py --count $(CONSTRAINTS)

fuzz-optimize: $(INSTALLED_DEV)
	@PYTHONPATH=. $(BIN)/python tests/optimize/fuzz.py --count $(OPTIMIZED)

fuzz-scripts: $(INSTALLED_DEV)
	@PYTHONPATH=. $(BIN)/python tests/optimize/fuzz.py --kind scripts --statements 3 --count $(SCRIPTED)

fuzz-interleavings: $(INSTALLED_DEV)
	@PYTHONPATH=. $(BIN)/python tests/interleaving/fuzz.py --count $(REGIONS)

fuzz-surroundings: $(INSTALLED_DEV)
	@PYTHONPATH=. $(BIN)/python tests/soundness/fuzz.py --count $(DRESSED)

bench: $(INSTALLED_DEV)
	@PYTHONPATH=. $(BIN)/python benchmarks/frontend.py
	@PYTHONPATH=. $(BIN)/python benchmarks/dependence.py
	@PYTHONPATH=. $(BIN)/python benchmarks/ast_generation.py
	@PYTHONPATH=. $(BIN)/python benchmarks/overhead.py
	@PYTHONPATH=. $(BIN)/python benchmarks/scheduling.py
	@PYTHONPATH=. $(BIN)/python benchmarks/compile_time.py
	@PYTHONPATH=. $(BIN)/python benchmarks/cpu.py
	@PYTHONPATH=. $(BIN)/python benchmarks/flat.py
	@PYTHONPATH=. $(BIN)/python benchmarks/scripts.py
	@PYTHONPATH=. $(BIN)/python benchmarks/verify.py
	@PYTHONPATH=. $(BIN)/python benchmarks/unpleasant_header.py
	@PYTHONPATH=. $(BIN)/python benchmarks/coats.py
	@PYTHONPATH=. $(BIN)/python benchmarks/applications.py
	@PYTHONPATH=. $(BIN)/python benchmarks/mutants.py
	@PYTHONPATH=. $(BIN)/python benchmarks/interleavings.py
	@PYTHONPATH=. $(BIN)/python benchmarks/tune.py

docs: $(INSTALLED_DEV)
	@$(MKDOCS)

clean:
	rm -rf $(VENV) site dist build .hypothesis .pytest_cache .ruff_cache .import_linter_cache
	find src tests benchmarks examples -name __pycache__ -type d -prune -exec rm -rf {} +
