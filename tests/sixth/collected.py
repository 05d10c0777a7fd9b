"""A pytest plugin: lists all tests that a run could choose from, also those that it then leaves out."""

from __future__ import annotations

import pytest


@pytest.hookimpl(tryfirst=True)  # before any are left out
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    assert reporter is not None
    for item in items:
        reporter.write_line(f"COLLECTED {item.nodeid}")
