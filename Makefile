# Two commands do it all: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TWO_AT_ONCE := -n 2 --dist loadscope
READY := $(VENV)/.ready

.PHONY: run test explore lint clients benchmark lock clean

run: $(READY)
	@$(BIN)/ratings build
	@$(BIN)/ratings hello

# What each part does is covered by the tests of parts; following every line would make those of the whole a third slower.
test: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest $(TWO_AT_ONCE) --cov --cov-report= tests/unit tests/cases
	$(BIN)/coverage report --skip-covered --include='pipeline/formats/*,pipeline/lists/*,pipeline/warehouse/*' --fail-under=90
	$(BIN)/pytest $(TWO_AT_ONCE) tests --ignore=tests/unit --ignore=tests/cases

# Made-up examples that no run had yet: what fails is a fault, and becomes an example of its test.
explore: $(READY)
	$(BIN)/pytest $(TWO_AT_ONCE) --hypothesis-profile=explore tests/unit/formats tests/unit/players tests/unit/domain

lint: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/mypy

# Older DuckDB clients, each in an environment of its own: the published file has to open in them.
clients: .venv-clients/duckdb_1_python/.ready .venv-clients/duckdb_cli/.ready

.venv-clients/%/.ready: tests/clients/%.txt
	@test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	@$(@D)/bin/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r $<
	@touch $@

benchmark: $(READY)
	$(BIN)/pytest -m benchmark_run --override-ini=addopts= tests/benchmarks

$(READY): requirements.lock pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.lock
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

# The lock holds exact versions with hashes for every Python from 3.11 on, and names no index.
lock:
	$(BIN)/uv pip compile pyproject.toml --all-extras --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-header --quiet --output-file requirements.lock

clean:
	rm -rf $(VENV) data .mypy_cache .ruff_cache
