"""Answers that have been worked out are kept, up to a number of bytes."""

from __future__ import annotations

import pytest

from ninefold.web import answers
from ninefold.web.answers import REST, Answer, Answers


def test_answers_are_bounded_by_what_they_and_their_keys_take(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "CACHE", 10 * (REST + 400))
    kept = Answers()

    def keep(length: int, size: int) -> list[str]:
        """How many of twelve answers are left, with keys and bodies of these lengths."""
        keys = [f"{number:0{length}}" for number in range(12)]
        for key in keys:
            kept.keep(key, Answer(200, [], b"x" * size))
        return [key for key in keys if kept.find(key)]

    assert len(keep(length=98, size=300)) == 10
    assert len(keep(length=298, size=100)) == 10, "a long URL counts, too"
    assert len(keep(length=8, size=0)) == 12
    assert keep(length=98, size=20_000) == [], "one that is too large"


def test_the_answer_that_was_asked_for_last_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "CACHE", 2 * (REST + 100))
    kept, answer = Answers(), Answer(200, [], b"x")
    for key in ("a", "b"):
        kept.keep(key, answer)
    assert kept.find("a") is answer
    kept.keep("c", answer)
    assert [key for key in "abc" if kept.find(key)] == ["a", "c"]
