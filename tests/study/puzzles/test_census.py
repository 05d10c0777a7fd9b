"""The tables of docs/puzzles.md are those that the command prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from ninefold.study.puzzles.census import main

PAGE = (Path(__file__).parents[3] / "docs" / "puzzles.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        pytest.param(["2026-01-01", "70"], marks=pytest.mark.long),
        pytest.param(["habits", "100"], marks=pytest.mark.long),
    ],
)
def test_the_tables_in_the_documents_are_up_to_date(arguments: list[str]) -> None:
    assert " ".join(["python -m ninefold.study.puzzles.census", *arguments]) in PAGE
    assert "\n".join(main(arguments)) in PAGE
