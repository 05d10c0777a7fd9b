"""How text from outside is shown in a sentence."""

from __future__ import annotations

from ninefold.core.errors import quote


def test_quoted_text_has_no_blanks_around_it_and_stays_on_one_line() -> None:
    assert quote("  5@1,1 \n") == '"5@1,1"'
    assert quote("a\nb\x1b[0m\u202e") == '"a?b?[0m?"'
    assert quote("") == '""'


def test_quoted_text_is_cut_when_it_is_long() -> None:
    assert quote("x" * 40) == f'"{"x" * 40}"'
    assert quote("x" * 41) == f'"{"x" * 40}..."'
    assert quote("abcdef", limit=3) == '"abc..."'
