"""Each rule book's sample session, played through a pipe; and sessions in our own voice."""

from __future__ import annotations

import pytest

from ninefold import SLUGS, load
from tests.golden.sessions import FOLDER, OWN, read

BOOKS = [slug for slug in SLUGS if load(slug).script is not None]  # the games that have a rule book


def test_every_game_has_its_golden_session() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(BOOKS)
    assert {path.stem for path in OWN.glob("*.txt")} >= set(SLUGS)


@pytest.mark.parametrize("slug", BOOKS)
def test_the_sample_session_reads_as_it_is_kept(slug: str) -> None:
    session = read(FOLDER / f"{slug}.txt")
    assert session.run() == session.output


@pytest.mark.parametrize("slug", BOOKS)
def test_every_line_that_the_book_prints_is_printed_in_its_order(slug: str) -> None:
    session = read(FOLDER / f"{slug}.txt")
    assert session.book
    printed = iter(line.rstrip() for line in session.output.splitlines())
    missing = [line for line in session.book if line.rstrip() not in printed]
    assert missing == []


def test_sessions_in_our_own_voice_read_as_they_are_kept() -> None:
    for path in sorted(OWN.glob("*.txt")):
        session = read(path)
        assert session.run() == session.output, path.stem
