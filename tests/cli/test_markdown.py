"""The rules as plain lines."""

from __future__ import annotations

from ninefold.cli.markdown import render


def test_markdown_is_shown_without_its_marks() -> None:
    source = (
        "# Title\n\nFirst *line*\nand `more`.\n\n## Part\n- **one**\n  two\n- three\n1. four\n\nEnd.\n"
    )
    shown = [
        "TITLE",
        "",
        "First line and more.",
        "",
        "PART",
        "- one two",
        "- three",
        "1. four",
        "",
        "End.",
    ]
    assert render(source, None, str.upper) == shown
