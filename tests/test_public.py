"""What is public is listed: in each package's `__all__`, and on one page of the documents."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent / "docs" / "library.md"


def listed() -> dict[str, list[str]]:
    """The names in the tables of the page, by package."""
    found: dict[str, list[str]] = {}
    for part in re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        package = part.split("`")[1]
        rows = re.findall(r"^\| (`.*?) \|", part, flags=re.MULTILINE)
        found[package] = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    return found


@pytest.mark.parametrize("package", listed())
def test_the_page_lists_exactly_what_a_package_makes_public(package: str) -> None:
    module = import_module(package)
    assert sorted(listed()[package]) == sorted(module.__all__)
    for name in module.__all__:
        assert getattr(module, name) is not None


def test_every_package_that_says_what_is_public_is_on_the_page() -> None:
    source = Path(import_module("ninefold").__file__ or "").parent
    public = {
        "ninefold" if path.parent == source else ".".join(path.parent.relative_to(source.parent).parts)
        for path in source.glob("**/__init__.py")
        if "\n__all__ = [" in path.read_text(encoding="utf-8")
    }
    assert public == set(listed())
