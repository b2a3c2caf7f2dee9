# Every command a newcomer needs. Each sets up its own environment in .venv first (bench-directory and bench-readings:
# in .venv-peers, newest: in .venv-newest).

PYTHON ?= python3
BIN := .venv/bin
# Spark is tested where there is Java, PostgreSQL where it is installed; elsewhere the tests say so in one line.
ENGINES := $(if $(shell java -version 2>&1 | grep version),.venv/.spark) \
	$(if $(wildcard /usr/lib/postgresql/*/bin/initdb)$(shell command -v initdb),.venv/.warehouse)
GUESTS := papers engines
# Which tests: all but those that take long by nature, or these and all examples of long properties.
WHICH = not long
# Where the data of the papers are, for those who have them.
DATA ?= ../shared/data
# Pages are looked at where there is Chromium. (true: make drops what a shell printed that ends with "not found".)
BROWSER := $(if $(shell for name in chromium chromium-browser google-chrome google-chrome-stable; do command -v $$name; done; true),.venv/.browser)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
PEERS := pycanon==1.3.6 recordlinkage==0.16 pandas==2.3.3 numpy==2.0.2 scipy==1.15.3
# Tests start many processes: each would compile every module anew where Python may not keep what it compiled.
export PYTHONDONTWRITEBYTECODE :=

.PRECIOUS: .venv/.%
.PHONY: help demo test test-long test-most test-beside faults golden mutants worlds check docs docs-pictures pictures package newest lowest clean

help: ## show this list
	@grep -E '^[a-z%-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

demo: .venv/.core ## from made-up data to a verdict, a report and released files
	$(BIN)/giveaway demo

test: .venv/.test $(ENGINES) $(BROWSER) ## run the tests, for minutes: all but those that take long by nature
	$(MAKE) --no-print-directory --keep-going -j 2 test-most test-beside

test-long: .venv/.test $(ENGINES) $(BROWSER) ## the others: known values of public data, all worlds, all examples of long properties
	GIVEAWAY_CASES=all $(MAKE) --no-print-directory --keep-going -j 2 WHICH="(long or sized)" test-most test-beside

# The core is tested with its guests hidden.
test-most:
	GIVEAWAY_GUESTS=hidden $(BIN)/python -m pytest -n 2 --dist worksteal -m "$(WHICH) and not engines and not browser and not papers" \
		$(patsubst %,--ignore=tests/%,$(GUESTS)) $(patsubst %,--ignore=src/giveaway/%,$(GUESTS))

# Guests are tested beside it. Engines mostly wait for Java, and pages for Chromium, so these are tested one after the other
# in a process each, so that what they need starts once; what they say is shown when they have ended.
test-beside:
	@tested() { said=$$($(BIN)/python -m pytest -m "$(WHICH) and ($$1)" $$2 $$3 2>&1); status=$$?; printf '%s:\n%s\n' "$$1" "$$said"; return $$status; }; \
	tested "engines or papers"; guests=$$?; tested browser tests/browser tests/page && exit $$guests

faults: .venv/.test ## every signal and error at every file operation of publishing; test tries a part of them
	GIVEAWAY_FAULTS=all $(BIN)/python -m pytest -n 2 --dist worksteal tests/faults

golden: .venv/.test ## all golden values of releases over time; test-long counts the quick ones
	GIVEAWAY_GOLDEN=all $(BIN)/python -m pytest tests/composition

mutants: .venv/.test ## remove guards one at a time, each in a copy, and run the tests that must fail; SAMPLE=10 tries some
	$(BIN)/python -m tests.mutants.run $(if $(SAMPLE),--sample $(SAMPLE))

worlds: .venv/.test ## all small worlds of all combinations of attackers, periods and limits; test-long goes through the strongest
	GIVEAWAY_WORLDS=all $(BIN)/python -m pytest -n 2 --dist worksteal tests/worlds

check: .venv/.dev ## lint, types and the import contract
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: .venv/.dev ## build the documentation into site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

docs-pictures: .venv/.browser ## draw the pictures of the documentation again: drawings, reports of its examples, figures of the papers
	$(BIN)/python docs/pictures/draw.py
	$(BIN)/python docs/pictures/shoot.py
	$(BIN)/python docs/pictures/clicks.py
	$(if $(wildcard $(DATA)),$(BIN)/python docs/pictures/reproduced.py $(DATA))

pictures: .venv/.test .venv/.browser ## pictures of the reports in all states, into pictures/
	$(BIN)/python -m tests.browser.pictures pictures

package: .venv/.dev ## build wheel and source, and use the wheel where nothing else is installed
	.ci/package

newest: ## run the tests with the newest versions that pyproject.toml allows, whatever constraints.txt says
	$(PYTHON) -m venv --clear .venv-newest
	.venv-newest/bin/python -m pip install --quiet --disable-pip-version-check -e ".[test]"
	.venv-newest/bin/python -m pip freeze --exclude-editable
	.ci/smoke $(CURDIR)/.venv-newest/bin/python
	.venv-newest/bin/python -m pytest -n 2 --dist worksteal -m "not engines and not browser"

lowest: ## try the lowest versions that pyproject.toml allows, on every Python that is claimed and present
	.ci/lowest

bench-%: .venv/.benchmarks ## measure an attack, as in bench-items
	$(BIN)/python -m benchmarks.$*

bench-page: .venv/.browser ## measure the page in Chromium
	$(BIN)/python -m benchmarks.page --data $(DATA)

bench-directory: .venv-peers/.ready ## measure the attack directory, next to tools that need an older pandas
	.venv-peers/bin/python -m benchmarks.directory

bench-readings: .venv-peers/.ready ## measure readings and levels, beside pyCANON
	.venv-peers/bin/python -m benchmarks.readings

clean: ## remove everything that was built
	rm -rf .venv .venv-lowest .venv-newest .venv-peers site dist build giveaway-demo pictures

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/.core: .venv/bin/python pyproject.toml constraints.txt
	$(PIP) -e .
	@touch $@

.venv/.%: .venv/bin/python pyproject.toml constraints.txt
	$(PIP) -e ".[$*]"
	@touch $@

.venv-peers/.ready: pyproject.toml
	$(PYTHON) -m venv .venv-peers
	.venv-peers/bin/python -m pip install --quiet --disable-pip-version-check -e . $(PEERS)
	@touch $@
