# pencilc: every target sets up what it needs.  A fresh machine must have python3 (3.10 or later) with venv, make,
# gcc and g++; nvcc is taken from the PATH or, where a target needs one, installed from PyPI into .venv-cuda.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PENCILC := $(BIN)/pencilc
PYTEST := $(BIN)/python -m pytest

# The nvcc of the PATH serves if it knows the newest architecture that the tests compile for.
CUDA_TOOLKIT := cuda-toolkit[nvcc,cudart,cccl]==13.0.*
SYSTEM_NVCC := $(shell nvcc --list-gpu-code 2>/dev/null | grep -qx sm_100 && command -v nvcc)
NVCC ?= $(or $(SYSTEM_NVCC),$(CURDIR)/.venv-cuda/bin/nvcc)
export NVCC

# Without an environment, but with generated files at hand (make bench-gpu-pack), any Python measures.
BENCH_CARRIED := $(if $(wildcard $(VENV)/.stamp),,$(wildcard bench/gpu/generated/reasons.json))
BENCH_PYTHON ?= $(if $(BENCH_CARRIED),$(PYTHON),$(BIN)/python)
BENCH_READY := $(if $(filter $(BIN)/python,$(BENCH_PYTHON)),$(VENV)/.stamp)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help venv nvcc demo test test-full fuzz docs lint format bench-compile bench-gpu bench-gpu-check bench-gpu-pack update-golden clean distclean

help:  ## show this list
	@sed -n 's/^\([a-z-]*\):.*  ## \(.*\)/  make \1 | \2/p' $(MAKEFILE_LIST) | column -t -s '|' 2>/dev/null \
	  || sed -n 's/^\([a-z-]*\):.*  ## \(.*\)/  make \1  \2/p' $(MAKEFILE_LIST)

venv: $(VENV)/.stamp  ## create the Python environment in .venv

$(VENV)/.stamp: setup.cfg pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
	  { echo "pencilc needs Python 3.10 or later; say which with make PYTHON=..." >&2; exit 1; }
	@echo "setting up $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@

nvcc: $(NVCC)  ## install nvcc from PyPI into .venv-cuda, unless the PATH has one
	@$(NVCC) --version | tail -2

# A wrapper, because the linker does not look into the wheel's lib folder by itself.
$(CURDIR)/.venv-cuda/bin/nvcc:
	@echo "setting up .venv-cuda with $(CUDA_TOOLKIT)"
	@$(PYTHON) -m venv .venv-cuda
	@.venv-cuda/bin/python -m pip install --quiet --disable-pip-version-check '$(CUDA_TOOLKIT)'
	@root=$$(dirname $$(dirname $$(find $(CURDIR)/.venv-cuda/lib -path '*/bin/nvcc'))) && \
	  printf '#!/bin/sh\nexec "%s/bin/nvcc" "-L%s/lib" "$$@"\n' "$$root" "$$root" > $@
	@chmod +x $@

demo: $(VENV)/.stamp  ## compile a dozen samples, run them on the CPU executor, print both results (SAMPLES=all)
	@$(BIN)/python -m samples.demo $(SAMPLES)

test: $(VENV)/.stamp $(NVCC)  ## every layer of tests on a fixed selection (what CI runs)
	$(PYTEST) -n auto -m 'not full'

test-full: $(VENV)/.stamp $(NVCC)  ## every test
	$(PYTEST) -n auto

MINUTES ?= 10
fuzz: $(VENV)/.stamp $(NVCC)  ## new random programs through compiler, executor and nvcc (MINUTES=10; goes on where it ended)
	$(BIN)/python -m tests.fuzz.run --minutes $(MINUTES)

docs: $(VENV)/.stamp  ## the documents as a site in build/site
	$(BIN)/python -m mkdocs build

lint: $(VENV)/.stamp  ## ruff and mypy
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: $(VENV)/.stamp  ## rewrite the Python files as ruff formats them
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench-compile: $(VENV)/.stamp $(NVCC)  ## measure the compile time and the memory of pencilc, and nvcc on its output
	$(BIN)/python -m bench.compile_time

# BENCH_PYTHON=python3 takes a Python that has PyTorch; what pencilc needs must be there too, or bench-gpu-pack's files.
bench-gpu: $(BENCH_READY)  ## measure beside CUB, Thrust and PyTorch on this machine's GPU (BENCH="--quick", "--paper")
	$(BENCH_PYTHON) -m bench.gpu $(BENCH)

bench-gpu-check: $(VENV)/.stamp  ## check the results of the same kernels on the CPU executor; no GPU needed
	$(BIN)/python -m bench.gpu --on cpu $(BENCH)

bench-gpu-pack: $(VENV)/.stamp  ## put bench/gpu with pencilc's generated files into build/bench-gpu.tar.gz, to be carried
	$(BIN)/python -m bench.gpu --pack
	@mkdir -p build
	tar czf build/bench-gpu.tar.gz --exclude=__pycache__ --transform 's,^,bench-gpu/,' \
	  bench/gpu pencilc/__init__.py pencilc/records.py pencilc/tune
	@echo "unpack build/bench-gpu.tar.gz there and run: cd bench-gpu && python3 -m bench.gpu"

update-golden: $(VENV)/.stamp  ## rewrite the expected files and the excerpts in the documents; the run still fails, review with git diff
	-$(PYTEST) tests/golden --update-golden

clean:  ## remove what was built, but not the environments
	rm -rf build samples/build *.egg-info .pytest_cache
	find . -name __pycache__ -not -path './.venv*' -prune -exec rm -rf {} +

distclean: clean  ## remove the environments too
	rm -rf .venv .venv-cuda
