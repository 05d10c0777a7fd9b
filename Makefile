# Each target sets up what it needs; Python 3.11+ and make are enough.
PYTHON ?= python3
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest -n auto --dist worksteal

# If it were set, every process of a test run would compile the same modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play serve test test-long test-peers lint style types bench bench-check screenshots browser nginx lock clean

play: .venv/played
	@$(BIN)/ninefold || [ $$? -eq 130 ]

# For other machines too: make serve ARGS="--host 0.0.0.0"
serve: .venv/tested
	@$(BIN)/ninefold serve $(ARGS) || [ $$? -eq 130 ]

test: style browser nginx
	$(call beside_types,$(PYTEST) -m "not long")

test-long: style browser nginx
	$(call beside_types,$(PYTEST))

lint: style types

style: .venv/tested
	$(BIN)/ruff check src tests peers benchmarks examples
	$(BIN)/ruff format --check src tests peers benchmarks examples

types: .venv/tested
	$(BIN)/mypy
	$(BIN)/lint-imports

# Checking the types takes a minute of one processor: it is done while the tests run, and what it says is printed
# after them. The target fails if either does.
define beside_types
@said=$$(mktemp); trap 'rm -f $$said' EXIT; \
$(MAKE) --no-print-directory types > $$said 2>&1 & types=$$!; \
trap 'kill $$types; exit 130' INT TERM; \
echo '$(1)'; $(1); tests=$$?; \
wait $$types; types=$$?; cat $$said; \
[ $$tests -eq 0 ] && [ $$types -eq 0 ]
endef

# The programs that we compare ourselves with get an environment of their own.
bench: .venv/tested .peers/installed
	$(BIN)/python -m benchmarks .peers/bin/python

# Whether what people wait for has become slower: minutes, without other people's programs unless they are there.
bench-check: .venv/tested
	$(BIN)/python -m benchmarks.check $(wildcard .peers/bin/python)

.peers/installed:
	$(PYTHON) -m venv .peers
	@.peers/bin/python -m pip install --quiet --disable-pip-version-check \
	  open_spiel==2.0.2 pettingzoo==1.27.0 pygame==2.6.1 pgx==2.6.0
	@touch $@

# The libraries that people use with our environments, and the oldest versions that we allow, each in a virtual
# environment of its own. In the first, RLlib determines the version of Gymnasium.
test-peers: .peers-test/installed .floors/installed .inspect-test/installed .openenv-test/installed
	.inspect-test/bin/python -m pytest peers/test_inspect.py
	.openenv-test/bin/python -m pytest peers/test_openenv.py
	OMP_NUM_THREADS=1 .peers-test/bin/python -m pytest peers/test_peers.py tests/envs tests/batch -m "not long"
	.floors/bin/python -m pytest tests/envs tests/batch -m "not long" --ignore=tests/envs/test_openspiel.py

.peers-test/installed: pyproject.toml
	$(PYTHON) -m venv .peers-test
	@.peers-test/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[envs,openspiel]' \
	  'pytest>=8.4,<8.5' stable-baselines3==2.9.2 sb3-contrib==2.9.2 tianshou==2.0.1 'ray[rllib]==2.60.0'
	@touch $@

.inspect-test/installed .openenv-test/installed: .%-test/installed: pyproject.toml
	$(PYTHON) -m venv .$*-test
	@.$*-test/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[$*]' 'pytest>=8.4,<8.5'
	@touch $@

.floors/installed: pyproject.toml
	$(PYTHON) -m venv .floors
	@.floors/bin/python -m pip install --quiet --disable-pip-version-check --editable . \
	  'pytest>=8.4,<8.5' gymnasium==1.1.1 pettingzoo==1.24.3 numpy==1.26.4
	@touch $@

# Every page in many states, as pictures: make screenshots FOLDER=somewhere
FOLDER ?= build/screenshots
screenshots: .venv/tested browser
	$(BIN)/python -m tests.web.browser.screenshots $(FOLDER)

# The browser tests need Chromium; its headless shell takes half the time. Where Chromium is missing and cannot
# be installed, the tests are skipped and say so.
browser:
	@for name in chromium-headless-shell chromium chromium-browser google-chrome; do \
	  command -v $$name > /dev/null && exit; done; \
	become=; [ "$$(id -u)" = 0 ] || become="sudo -n"; \
	install="$$become env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends"; \
	command -v apt-get > /dev/null && $$become true 2> /dev/null \
	  && echo "Installing chromium for the browser tests" \
	  && { $$become apt-get -qq update; $$install chromium-headless-shell || $$install chromium; } > /dev/null 2>&1 \
	  || echo "Chromium is missing and cannot be installed here: the browser tests will be skipped"

# Two tests run the server behind nginx. Where it is missing and cannot be installed, they are skipped and say so.
nginx:
	@command -v nginx > /dev/null || [ -x /usr/sbin/nginx ] && exit; \
	become=; [ "$$(id -u)" = 0 ] || become="sudo -n"; \
	command -v apt-get > /dev/null && $$become true 2> /dev/null \
	  && echo "Installing nginx for the tests of several processes" \
	  && { $$become apt-get -qq update; \
	       $$become env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends nginx-light; \
	     } > /dev/null 2>&1 \
	  || echo "nginx is missing and cannot be installed here: its tests will be skipped"

COMPILE := uv pip compile pyproject.toml --universal --python-version 3.11 \
  --generate-hashes --no-emit-index-url --no-header
lock:
	$(COMPILE) --extra test --output-file requirements.lock
	$(COMPILE) --extra tui --constraint requirements.lock --output-file requirements-play.lock

clean:
	rm -rf .venv .peers .peers-test .floors .inspect-test .openenv-test build *.egg-info src/*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

.venv/bin/python:
	@echo "Setting up Ninefold in .venv; this happens once."
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Ninefold needs Python 3.11 or newer. Try: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv .venv

.venv/installed: .venv/bin/python pyproject.toml setup.py $(wildcard src/ninefold/*/*.c src/ninefold/*/*/*.c)
	@echo "Installing Ninefold and compiling its C parts..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

# Line mode needs nothing, so a failure here leaves a game to play.
.venv/played: .venv/installed requirements-play.lock
	@echo "Installing what full screen needs..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check \
	  --require-hashes --requirement requirements-play.lock \
	  || echo "Full screen cannot be installed here. Line mode works without it."
	@touch $@

.venv/tested: .venv/installed requirements.lock
	@echo "Installing what the server and the tests need; this takes a minute..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check \
	  --require-hashes --requirement requirements.lock
	@touch $@
