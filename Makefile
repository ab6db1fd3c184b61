# The project's commands. `make demo` and `make test` need Python 3.11 or newer and nothing else.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# One process more than cores: tests wait for crawls.
TEST_PROCESSES ?= $(shell expr $$(nproc 2>/dev/null || echo 1) + 1)

.PHONY: help demo demo-web test test-all check docs format lock evaluate bench fuzz audit clean

help:
	@echo "make demo      crawl the bundled demo site and show what comes of it"
	@echo "make demo-web  the same, then shows it in a browser: open the address that it prints"
	@echo "make test      run the tests but for slow ones"
	@echo "make test-all  run all tests"
	@echo "make check     lint, formatting, types, layout rules, documentation"
	@echo "make docs      serve the documentation on loopback"
	@echo "make format    put the code into the project's format"
	@echo "make evaluate  measure quality on real sites, where their data is at hand"
	@echo "make bench     measure speed, and what killed crawls and faults lose (some 40 minutes)"
	@echo "make fuzz      fuzz everything that reads what strangers wrote (FUZZ_SECONDS each)"
	@echo "make audit     look for known vulnerabilities, and write bills of materials (wheel, container)"
	@echo "make lock      renew the locked versions of all dependencies"
	@echo "make clean     remove the virtual environment and what was built"

demo: $(VENV)/.installed
	@$(BIN)/python demo/run.py

demo-web: demo
	@$(BIN)/python -m pip install --quiet starlette uvicorn
	@$(BIN)/scrapy serve corpora/demo

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n $(TEST_PROCESSES) --dist loadfile -m "not slow"

test-all: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n $(TEST_PROCESSES) --dist loadfile

check: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/test_layout.py
	$(BIN)/mkdocs build --quiet

docs: $(VENV)/.installed-dev
	$(BIN)/mkdocs serve

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Versions and hashes of all dependencies; needs uv (pip install uv).
LOCK = uv pip compile --generate-hashes --universal --python-version 3.11 \
  --custom-compile-command "make lock" --upgrade

lock:
	$(LOCK) requirements.txt --output-file requirements.lock
	$(LOCK) pyproject.toml deploy/requirements.in --extra cluster --extra server \
	  --output-file deploy/requirements.lock

FUZZ_SECONDS ?= 600

fuzz: $(VENV)/.installed-dev
	$(BIN)/python -m pip install --quiet "atheris>=2.3"
	$(BIN)/python -m benchmarks.fuzz --seconds $(FUZZ_SECONDS)

# In an environment of its own: tools of the check are no dependencies of the program.
audit:
	$(PYTHON) -m venv build/audit
	build/audit/bin/pip install --quiet pip-audit cyclonedx-bom
	build/audit/bin/cyclonedx-py requirements requirements.lock --pyproject pyproject.toml --of JSON -o build/sbom.json
	build/audit/bin/cyclonedx-py requirements deploy/requirements.lock --pyproject pyproject.toml --of JSON -o build/sbom-container.json
	build/audit/bin/pip-audit -r requirements.lock --disable-pip --require-hashes
	build/audit/bin/pip-audit -r deploy/requirements.lock --disable-pip --require-hashes

evaluate: $(VENV)/.installed
	$(BIN)/python -m evaluation.sites
	$(BIN)/python -m evaluation.alignment
	$(BIN)/python -m evaluation.alignment_pages
	$(BIN)/python -m evaluation.encoding
	$(BIN)/python -m evaluation.classification
	$(BIN)/python -m evaluation.cleaning --sets cleaneval-final,trafilatura-eval --check
	$(BIN)/python -m evaluation.structure --check
	$(BIN)/python -m evaluation.main_text --check
	$(BIN)/python -m evaluation.framed_sites --check
	$(BIN)/python -m evaluation.language
	$(BIN)/python -m evaluation.page_language
	$(BIN)/python -m evaluation.lexicon
	$(BIN)/python -m evaluation.pairing --sites installation-guide --methods combined --check
	$(BIN)/python -m evaluation.decisions installation-guide --pairs de-it
	$(BIN)/python -m evaluation.harvest portal --pages 100 --scorers terms+learning --check
	$(BIN)/python -m evaluation.harvest misleading --scorers terms,terms+learning --check
	$(BIN)/python -m evaluation.claims 000 001 002 003

bench: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks.frontier
	$(BIN)/python -m benchmarks.lexicon
	$(BIN)/python -m benchmarks.pairing
	$(BIN)/python -m benchmarks.dedup
	$(BIN)/python -m benchmarks.alignment
	$(BIN)/python -m benchmarks.exports
	$(BIN)/python -m benchmarks.scheduler
	$(BIN)/python -m benchmarks.resume
	$(BIN)/python -m benchmarks.faults
	$(BIN)/python -m benchmarks.pipeline
	COSTS=time $(BIN)/python -m pytest -s -m costs

# Written in the Python of twenty years, so that the oldest interpreter can say what is wrong.
$(BIN)/python:
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" 2>/dev/null || { \
	  echo "ilspfc: $(PYTHON) is $$(command -v $(PYTHON) >/dev/null && $(PYTHON) --version 2>&1 || echo 'not installed'): Python 3.11 or newer is needed;" \
	       "install it and run, for example, make PYTHON=python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c "import ensurepip, venv" 2>/dev/null || { \
	  echo "ilspfc: $(PYTHON) cannot make virtual environments: the modules venv and ensurepip are missing;" \
	       "install them (on Debian and Ubuntu: apt install python3-venv)" >&2; exit 1; }
	@echo "Making the virtual environment $(VENV) …"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: requirements.txt | $(BIN)/python
	@echo "Installing the requirements …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/.installed-dev: requirements-dev.txt $(VENV)/.installed
	@echo "Installing what tests and checks need …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@$(BIN)/python setup.py --quiet build_ext --inplace
	@touch $@

clean:
	rm -rf $(VENV) build dist project.egg-info ilspfc.egg-info
