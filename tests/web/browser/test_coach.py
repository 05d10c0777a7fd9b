"""The coach in a browser: a mistake is stopped before it is made, with and without scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from ninefold.games import load
from ninefold.show.levels import say_level
from tests.web.browser.support import People, Person

GRID = "542689713"  # only Row 2 wins for the first player


def sits_down(ann: Person) -> None:
    ann.sets_up("cross", against="computer", level="perfect", coach="yes", grid=GRID)


def claims(ann: Person, line: str) -> None:
    ann.form.get_by_role("button", name=line).first.click()


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "plain"])
def test_a_mistake_is_taken_back_or_played_anyway(people: People, javascript: bool) -> None:
    ann = people(javascript=javascript)
    sits_down(ann)
    address = ann.page.url
    claims(ann, "Row 3")
    warning = ann.page.locator(".status")
    expect(warning).to_contain_text("Row 3 gives something away. With best play, the computer wins")
    expect(ann.page.locator(".mine .line.won, .mine .line.x, .mine .line.o")).to_have_count(2)
    if javascript:
        expect(ann.page.locator("#take-back")).to_be_focused()
        expect(ann.page.locator("#live")).to_contain_text("Take it back?")
    ann.page.get_by_role("link", name="Take it back").click()
    ann.page.wait_for_url(address)
    expect(ann.main).to_have_attribute("data-ply", "0")
    claims(ann, "Row 3")
    ann.page.get_by_role("button", name="Play it anyway").click()
    expect(ann.main).not_to_have_attribute("data-ply", "0")
    expect(ann.page.locator(".moves li").first).to_contain_text("Row 3")


def test_a_good_move_is_simply_made(people: People) -> None:
    ann = people()
    sits_down(ann)
    before = ann.version
    claims(ann, "Row 2")
    ann.moves_on(before)
    expect(ann.page.locator(".moves li").first).to_contain_text("Row 2")


def test_only_a_game_against_the_computer_offers_a_coach(people: People) -> None:
    ann = people()
    ann.goes("/new/cross")
    coach = ann.page.get_by_role("group", name="Coach")
    expect(coach).to_be_visible()
    expect(coach.get_by_label("Off")).to_be_checked()
    for against in ("friend", "here"):
        ann.page.locator(f"[name=against][value={against}]").check()
        expect(coach).to_be_hidden()


def test_the_moments_of_a_coached_game_lead_to_their_puzzles(people: People) -> None:
    ann = people()
    sits_down(ann)
    claims(ann, "Row 3")
    ann.page.get_by_role("button", name="Play it anyway").click()
    ann.page.locator("main[data-turn='1']").wait_for()
    ann.resigns()
    after = ann.page.get_by_role("region", name="After this game")
    expect(after.get_by_role("heading")).to_have_text("One moment mattered:")
    after.get_by_role("link", name="Your move on turn 1: Row 3. What is better?").click()
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("Find the better move")


def test_each_level_says_what_it_does(people: People) -> None:
    ann = people()
    ann.goes("/new/shadow")
    strength = ann.page.get_by_role("group", name="Strength")
    for level in ("level:1", "perfect"):
        ann.page.locator(f"[name=level][value='{level}']").check()
        expect(strength.locator(".says:visible")).to_have_text(say_level(level, load("shadow")))


def test_three_losses_in_a_row_suggest_the_level_below(people: People) -> None:
    ann = people()
    ann.sets_up("battle", against="computer", level="level:3")
    after = ann.page.get_by_role("region", name="After this game")
    for losses in (1, 2, 3):
        ann.resigns()
        expect(ann.page.locator("#insight")).not_to_be_empty()
        expect(after).to_have_count(int(losses == 3))
        if losses < 3:
            ann.does("rematch", "offer")
            expect(ann.page.locator(".ending")).to_have_count(0)
            ann.waits()
    after.get_by_role("link", name="3 losses in a row: try level 2.").click()
    expect(ann.page.locator("[name=level][value='level:2']")).to_be_checked()
