# Every command a newcomer needs. Each sets up its own environment in .venv first.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: help demo test check docs clean

help: ## show this list
	@grep -E '^[a-z%-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: .venv/.core ## from made-up data to a verdict, a report and released files
	$(BIN)/giveaway demo

test: .venv/.test ## run all tests
	$(BIN)/python -m pytest -n 2 --dist worksteal

check: .venv/.dev ## lint, types and the import contract
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: .venv/.dev ## build the documentation into site/
	$(BIN)/mkdocs build --strict --quiet

bench-%: .venv/.benchmarks ## measure an attack, as in bench-items
	$(BIN)/python -m benchmarks.$*

clean: ## remove everything that was built
	rm -rf .venv site dist build giveaway-demo

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/.core: .venv/bin/python pyproject.toml constraints.txt
	$(PIP) -e .
	@touch $@

.venv/.%: .venv/bin/python pyproject.toml constraints.txt
	$(PIP) -e ".[$*]"
	@touch $@
