"""Several processes on one database: whichever of them a browser talks to, it is one match."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.browser.support import People, challenging, check_ending, play_out
from tests.web.conftest import Start


def test_two_browsers_play_a_game_and_spectators_are_counted(
    start: Start, database: str, people: People
) -> None:
    servers = [start(database, "--streams-each", "0") for _ in range(2)]
    ann, ben, cat, dan = (people(servers[place % 2]) for place in range(4))
    ann.sets_up("conquest", against="friend", side="first", name="Ann")
    ben.joins(ann.id, "Ben")
    for count, one in enumerate((cat, dan), 1):
        one.goes(f"/m/{ann.id}")
        for each in (ann, ben, cat, dan)[: 2 + count]:
            expect(each.page.locator("#watching")).to_have_text(f"{count} watching")
    dan.goes("/")
    for each in (ann, ben, cat):
        expect(each.page.locator("#watching")).to_have_text("1 watching")
    ann.sees(ben.version)
    played = play_out([ann, ben], challenging(1))
    assert {id(one) for one, _ in played} == {id(ann), id(ben)}
    assert any("Challenge" in offer.says for _, offer in played)
    cat.sees(ann.version)
    check_ending(ann, ben, cat)
    assert len(cat.table.seen()["moves"]) == len(played)
