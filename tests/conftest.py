from __future__ import annotations

import os

import pytest

from ninefold import SLUGS
from tests.thin import thin_out

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
KEPT = 2  # games


@pytest.hookimpl(optionalhook=True)  # not every environment has pytest-xdist
def pytest_xdist_auto_num_workers() -> int:
    """Two more workers than processors: a test often waits for a server or a screen."""
    return (os.cpu_count() or 1) + 2


@pytest.hookimpl(tryfirst=True)  # before the long ones are left out
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.pluginmanager.hasplugin("tests.sixth.plugin"):  # it thins out its own games
        thin_out([item for item in items if item.nodeid.startswith(SLOW)], SLUGS, KEPT)
