from tests.cli.conftest import own_home

__all__ = ["own_home"]
