"""Whole games between browsers, from the home page to the last word."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from ninefold import SLUGS, Seat, load
from tests.web.browser.support import (
    People,
    at_random,
    challenging,
    check_ending,
    play_alone,
    play_out,
    seated,
)
from tests.web.support import OPEN, Server

RECYCLES = 48  # with this seed a game of Pattern gets to recycling, and ends soon after


def test_every_game_is_on_the_home_page(people: People) -> None:
    ann = people()
    ann.goes("/")
    expect(ann.page.locator("article.card")).to_have_count(len(SLUGS) + 1)  # and the puzzles
    for game in SLUGS:
        expect(ann.card(game)).to_be_visible()


@pytest.mark.parametrize("game", SLUGS)
def test_two_browsers_play_a_game_to_its_end(site: Server, people: People, game: str) -> None:
    ann, ben = people(), people()
    ann.starts(game, "friend")
    ben.joins(ann.page.locator("#link").input_value().removeprefix(f"{site.base}/m/"))
    ann.sees(ben.version)
    pick = challenging(1) if game == "conquest" else at_random(RECYCLES)
    played = play_out([ann, ben], pick)
    assert {id(one) for one, _ in played} == {id(ann), id(ben)}
    wanted = {"conquest": "Challenge", "pattern": "Swap"}.get(game, "")
    assert any(wanted in offer.says for _, offer in played)
    check_ending(ann, ben)


@pytest.mark.parametrize("game", SLUGS)
def test_a_game_against_the_computer_is_played_to_its_end_by_touch_on_a_phone(
    site: Server, people: People, game: str
) -> None:
    ann = people(viewport={"width": 390, "height": 844}, has_touch=True)
    ann.starts(game, "computer")
    assert play_alone(ann, at_random(2))
    check_ending(ann)
    kinds = {site.get(f"/api/v1/matches/{ann.id}").json()[seat]["kind"] for seat in ("first", "second")}
    assert kinds == {"person", "level:3"}


def test_the_title_says_whose_turn_it_is_as_it_changes(people: People) -> None:
    game = load("battle").title
    ann, table = seated(people, "battle", second=OPEN)
    expect(ann.page).to_have_title(f"Waiting for a player · {game} · Ninefold")
    ben, cat = people(), people()
    cat.goes(f"/m/{table.id}")
    ben.joins(table.id, "Ben")
    for one, title in ((ann, "Your turn"), (ben, "Ann to move"), (cat, "Ann to move")):
        expect(one.page).to_have_title(f"{title} · {game} · Ninefold")
    ann.plays(at_random(1))
    for one, title in ((ann, "Ben to move"), (ben, "Your turn"), (cat, "Ben to move")):
        expect(one.page).to_have_title(f"{title} · {game} · Ninefold")
    assert table.post("/resign", Seat.FIRST).status_code == 200
    for one, title in ((ann, "Ben won"), (ben, "You won"), (cat, "Ben won")):
        expect(one.page).to_have_title(f"{title} · {game} · Ninefold")
