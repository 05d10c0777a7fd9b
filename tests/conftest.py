from __future__ import annotations

import os

import pytest


@pytest.hookimpl(optionalhook=True)  # not every environment has pytest-xdist
def pytest_xdist_auto_num_workers() -> int:
    """One more worker than processors: there is always a test that waits for a server or a browser."""
    return (os.cpu_count() or 1) + 1
