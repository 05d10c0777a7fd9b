import pytest

from tests.cli.conftest import own_home

__all__ = ["own_home"]


@pytest.fixture(autouse=True)
def own_size(own_home: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """A window has the size that it has, whatever the environment says."""
    monkeypatch.delenv("COLUMNS", raising=False)
