"""Change a secret, and all that any other browser receives stays the same.

A match is played twice, but for the secret. All answers with their headers and all events of a browser
are kept, and compared after what differs between any two matches has been replaced: ids and tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pytest
from playwright.sync_api import expect

from ninefold import SEATS, SLUGS, Seat, State, load
from tests.setups import has_secrets
from tests.web.browser.support import NAMES, People, Person, bid, named
from tests.web.support import SETUPS, Server, Table, wait_for

FIRST, SECOND = SEATS
PLAIN = {"Accept-Encoding": "identity"}  # how well something packs depends on its ids


def alike(texts: Iterable[str], table: Table) -> set[str]:
    """What was received, each text once, without what differs between any two matches."""
    found = set()
    for text in texts:
        for token in table.tokens.values():
            text = text.replace(token, "TOKEN")
        text = re.sub(r"ninefold-seat-\w+", "ninefold-seat", text)
        found.add(text.replace(table.id, "ID").replace(table.server.base, "BASE"))
    return found


def three(people: People) -> tuple[Person, Person, Person]:
    ann, ben, cat = (people(extra_http_headers=PLAIN) for _ in range(3))
    return ann, ben, cat


def seated(everybody: tuple[Person, Person, Person], table: Table) -> tuple[Person, Person, Person]:
    """Ann, Ben and a spectator sit down in front of a match."""
    for one, seat in zip(everybody, SEATS, strict=False):
        one.holds(table.id, table.tokens[seat])
    everybody[2].goes(f"/m/{table.id}")
    for one in everybody:
        expect(one.page.locator("#watching")).to_have_text("1 watching")
    return everybody


@pytest.mark.parametrize("early", SEATS, ids=str)
@pytest.mark.parametrize("game", [slug for slug in SLUGS if has_secrets(slug)])
def test_a_choice_in_secret_reaches_nobody_else_until_both_are_shown_to_all(
    site: Server, people: People, game: str, early: Seat
) -> None:
    everybody = three(people)
    runs = [choose(site, everybody, game, early, secret) for secret in (1, 2)]
    (own, *others), (own_again, *others_again) = runs
    assert own != own_again  # who chose it may see it
    for received, received_again in zip(others, others_again, strict=True):
        assert received == received_again


def until_secret(state: State[Any]) -> list[str]:
    """The shortest way to a secret choice."""
    found: list[tuple[State[Any], list[str]]] = [(state, [])]
    for now, moves in found:
        if now.secret:
            return moves
        found += [(now.after(m, now.movers[0]), [*moves, str(m)]) for m in now.moves()]
    raise AssertionError("the game has no secret choices")


def choose(
    site: Server, everybody: tuple[Person, Person, Person], game: str, early: Seat, secret: int
) -> list[set[str]]:
    """What each received up to the second choice: who has chosen, the other, the spectator."""
    table = site.create(game, first=named(FIRST), second=named(SECOND))
    table.play(*until_secret(load(game).set_up(SETUPS[game])))
    for one in everybody:
        one.forgets()
    ann, ben, cat = seated(everybody, table)
    chooser, other = (ann, ben) if early is FIRST else (ben, ann)
    name, waiting = NAMES[early], NAMES[early.other]
    both = re.compile("^(Ann and Ben|Ben and Ann) are choosing in secret.$")
    expect(cat.page.locator(".status")).to_have_text(both)
    chooser.plays(bid(secret))
    for one in everybody:
        one.sees(chooser.version)
    expect(chooser.page.locator(".status")).to_have_text(f"You have chosen. {waiting} is still choosing.")
    expect(other.page.locator(".status")).to_contain_text(f"{name} has chosen.")
    expect(cat.page.locator(".status")).to_have_text(
        f"{name} has chosen. {waiting} is choosing in secret."
    )
    other.does("hint")
    expect(other.page.locator("#hint")).to_be_visible()
    for one in everybody:
        expect(one.page.get_by_text("1 hint", exact=True)).to_be_visible()
    other.does("eval")
    expect(other.page.locator(".bar")).to_be_visible()
    for one in everybody:
        expect(one.page.locator(".reveal")).to_have_count(0)
    received = [alike(one.received(), table) for one in (chooser, other, cat)]
    # That a hint was used may be heard before the hint itself has come, or not: then a page is asked for.
    received[1] = {text for text in received[1] if "You used 1 hint." not in text or 'id="hint"' in text}
    other.plays(bid(3))
    for one in everybody:
        expect(one.page.locator(".reveal .revealed")).to_have_count(2)
        shown = one.page.locator(".reveal .revealed").all_inner_texts()
        names = ["You" if one is each else told for each, told in ((chooser, name), (other, waiting))]
        assert {"".join(text.split()) for text in shown} == {f"{names[0]}{secret}", f"{names[1]}3"}
    return received


def test_shadows_target_reaches_no_spectator_until_the_end(site: Server, people: People) -> None:
    wait_for(lambda: "data-late" not in site.http.get("/").text, "today's puzzle on the home page")
    ann, cat = people(extra_http_headers=PLAIN), people(extra_http_headers=PLAIN)
    (player, spectator), (player_again, spectator_again) = (
        watched(site, ann, cat, target) for target in (15, 12)
    )
    assert player != player_again  # the players know it
    assert spectator == spectator_again


def watched(site: Server, ann: Person, cat: Person, target: int) -> tuple[set[str], set[str]]:
    """What a player and a spectator received before the end."""
    setup: dict[str, int | str] = {"target": target}
    table = site.create("shadow", setup, first=named(FIRST), second=named(SECOND), listed=True)
    for one in (ann, cat):
        one.page.goto("about:blank")  # what a page still asks for cannot be read once it is left
        one.forgets()
    ann.holds(table.id, table.tokens[FIRST])
    cat.goes(f"/m/{table.id}")
    expect(ann.page.locator("#watching")).to_have_text("1 watching")
    for ply, move in enumerate(("5@2,2", "1@1,1", "9@1,2", "2@3,3"), 1):
        table.play(move)
        ann.sees(ply)
        cat.sees(ply)
    texts = cat.received()
    cat.goes("/")
    expect(cat.card("shadow")).to_contain_text("Live")
    expect(ann.page.locator("#watching")).to_be_hidden()
    texts += cat.received()
    cat.goes(f"/m/{table.id}")
    expect(ann.page.locator("#watching")).to_have_text("1 watching")
    for version, (seat, action) in enumerate(((FIRST, "offer"), (SECOND, "decline")), 5):
        assert table.ask("takeback", seat, action).status_code == 200
        ann.sees(version)
        cat.sees(version)
    expect(cat.main).to_contain_text("Target secret until the end")
    received = alike(ann.received(), table), alike(texts + cat.received(), table)
    assert table.post("/resign", SECOND).status_code == 200
    expect(cat.main).to_contain_text(f"Target {target}")
    expect(ann.page.locator(".ending")).to_be_visible()  # else she leaves what is still on its way to her
    return received
