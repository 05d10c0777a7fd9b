from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator
from contextlib import suppress

import pytest

from ninefold import SLUGS
from tests.thin import thin_out

# If it stayed, each process of a run would compile the same modules again: half of the time.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    sys.dont_write_bytecode = False

with suppress(ImportError):  # not every environment has it
    from hypothesis import settings

    # The same examples in every run, however busy the machine is.
    settings.register_profile("ninefold", deadline=None, derandomize=True, database=None)
    settings.load_profile("ninefold")

# Where a test of every game takes seconds for each. The pictures of screens are not among them.
SLOW = (
    "tests/cli/test_terminal.py",
    "tests/cli/test_width.py",
    "tests/tui/test_online.py",
    "tests/tui/test_study.py",
    "tests/tui/test_table.py",
    "tests/web/browser/",
    "tests/web/test_studies.py",
)
PLAYED = ("tests/tui/test_table.py", "tests/web/browser/test_play.py")  # where whole games are played

# They take longest, so they start first, each in a process of its own.
LONGEST = "tests/sixth/test_sixth.py::test_the_tests_of_every_game_pass"


@pytest.hookimpl(optionalhook=True)  # not every environment has pytest-xdist
def pytest_xdist_auto_num_workers() -> int:
    """Two more workers than processors: a test often waits for a server or a screen."""
    return (os.cpu_count() or 1) + 2


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Modules and tests stay to the end: garbage collection need not go through them, now or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)  # before the long ones are left out
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.pluginmanager.hasplugin("tests.sixth.plugin"):  # it thins out its own games
        slow = [item for item in items if item.nodeid.startswith(SLOW)]
        thin_out([item for item in slow if item.nodeid.startswith(PLAYED)], SLUGS, 2)
        thin_out([item for item in slow if not item.nodeid.startswith(PLAYED)], SLUGS, 1)


@pytest.hookimpl(tryfirst=True)  # the long ones are left out, and nobody has been told of the order
def pytest_collection_finish(session: pytest.Session) -> None:
    start_longest(session.items, getattr(session.config, "workerinput", {}).get("workercount", 1))


def start_longest(items: list[pytest.Item], workers: int) -> None:
    """Put the longest tests at the start of what each worker gets: equal parts, one after the other."""
    longest = [item for item in items if item.nodeid.startswith(LONGEST)]
    others = [item for item in items if not item.nodeid.startswith(LONGEST)]
    share = len(items) // workers
    for place, item in enumerate(longest):
        others.insert(place % workers * share + place // workers, item)
    items[:] = others
