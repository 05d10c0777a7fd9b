"""How text from outside is shown in a sentence."""

from __future__ import annotations

from ninefold.core.errors import quoted


def test_quoted_text_has_no_blanks_around_it_and_stays_on_one_line() -> None:
    assert quoted("  5@1,1 \n") == '"5@1,1"'
    assert quoted("a\nb\x1b[0m\u202e") == '"a?b?[0m?"'
    assert quoted("") == '""'


def test_quoted_text_is_cut_when_it_is_long() -> None:
    assert quoted("x" * 40) == f'"{"x" * 40}"'
    assert quoted("x" * 41) == f'"{"x" * 40}..."'
    assert quoted("abcdef", limit=3) == '"abc..."'
