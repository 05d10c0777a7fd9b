from __future__ import annotations

import os

import pytest


@pytest.hookimpl(optionalhook=True)  # not every environment has pytest-xdist
def pytest_xdist_auto_num_workers() -> int:
    """Two more workers than processors: a test often waits for a server or a screen."""
    return (os.cpu_count() or 1) + 2
