"""Two people at one screen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from ninefold import SLUGS, Seat, load
from tests.setups import has_secrets
from tests.web.browser.support import (
    People,
    Person,
    at_random,
    bid,
    challenging,
    check_ending,
    place,
    play_alone,
)

OPEN = [slug for slug in SLUGS if not has_secrets(slug)]


@pytest.mark.parametrize("game", OPEN)
def test_two_people_play_a_game_at_one_screen(people: People, game: str) -> None:
    ann = people()
    ann.starts(game, "here")
    starter = load(game).starter
    name = "Player 2" if starter is Seat.SECOND else "Player 1"
    expect(ann.page).to_have_title(re.compile(f"^{name}, your turn"))
    expect(ann.page.locator(".status")).to_contain_text(f"{name}, your turn.")
    ann.plays(at_random(48))
    expect(ann.page).to_have_title(re.compile("^Player [12], your turn"))
    play_alone(ann, at_random(48))
    check_ending(ann)


@pytest.mark.parametrize("game", [slug for slug in SLUGS if has_secrets(slug)])
def test_before_each_secret_choice_the_device_is_handed_over(people: People, game: str) -> None:
    ann = people()
    ann.sets_up(game, against="here", name="Ann", other="Ben")
    pick = challenging(1)
    handed: list[str] = []
    revealed: set[str | None] = set()
    while not ann.over:
        if takes(ann):
            handed.append(takes(ann))
            assert ann.offers() == []
            expect(ann.page.locator(".numbers")).to_have_count(0)
            ann.page.locator("#ready").click()
            expect(ann.page.locator(".numbers")).to_be_visible()
            expect(ann.page.locator(".status")).to_contain_text(f"{handed[-1]}, your turn.")
        ann.plays(pick)
        revealed |= {one.get_attribute("data-count") for one in ann.page.locator("#reveal").all()}
    assert revealed
    assert len(handed) == 2 * len(revealed)
    assert all({*handed[k : k + 2]} == {"Ann", "Ben"} for k in range(0, len(handed), 2))
    check_ending(ann)


def takes(one: Person) -> str:
    """Who is asked to take the device, if somebody is."""
    asked = one.page.locator(".handover").all_inner_texts()
    return asked[0].split(",")[0] if asked else ""


def test_the_one_who_is_challenged_is_not_offered_to_take_the_challenge_back(people: People) -> None:
    ann = people()
    ann.sets_up("conquest", against="here", name="Ann", other="Ben", size="2")
    for spot in ("0-0", "0-1", "0-1"):
        ann.plays(place(spot))
    for name in ("Ann", "Ben"):
        assert takes(ann) == name
        ann.page.locator("#ready").click()
        expect(ann.page.locator(".numbers")).to_be_visible()
        expect(ann.page.locator("#do-takeback-offer:enabled")).to_have_count(int(name == "Ann"))
        if name == "Ann":
            ann.plays(bid(2))


def test_while_the_second_chooses_the_number_of_the_first_is_nowhere(people: People) -> None:
    """Two matches that differ only in that number look the same until both are shown."""
    one, other = (chosen(people, secret) for secret in (2, 5))
    assert one == other


def chosen(people: People, secret: int) -> list[str]:
    """Everything on the page and from the server between the first choice and the second."""
    ann = people(extra_http_headers={"Accept-Encoding": "identity"})
    ann.sets_up("conquest", against="here", name="Ann", other="Ben", size="2")
    for spot in ("0-0", "0-1", "0-1"):
        ann.plays(place(spot))
    assert takes(ann) == "Ann"
    ann.page.locator("#ready").click()
    expect(ann.page.locator(".numbers")).to_be_visible()
    ann.forgets()
    ann.plays(bid(secret))
    assert takes(ann) == "Ben"
    shown = [ann.page.content()]
    ann.page.locator("#ready").click()
    expect(ann.page.locator(".status")).to_contain_text(re.compile("Ben, your turn.*Ann has chosen"))
    shown.append(ann.page.content())
    ann.does("hint")
    expect(ann.page.locator("#hint")).to_be_visible()
    shown += [ann.page.content(), *ann.received()]
    ann.plays(bid(3))
    assert {"".join(text.split()) for text in ann.page.locator(".revealed").all_inner_texts()} == {
        f"Ann{secret}",
        "Ben3",
    }
    return [text.replace(ann.id, "ID") for text in shown]
