"""Without a script: every page works by being loaded again."""

from __future__ import annotations

from functools import partial

from playwright.sync_api import expect

from ninefold import Seat
from tests.web.browser.support import People, at_random, at_rest, check_ending, seated


def test_a_game_against_the_computer_needs_no_script(people: People) -> None:
    ann = people(javascript=False)
    ann.starts("shadow", "computer")
    pick = at_random(4)
    while not ann.over:
        at_rest(ann.table)
        ann.page.reload()
        if not ann.over:
            ann.plays(pick)
    check_ending(ann)


def test_two_browsers_without_scripts_play_a_game_by_reloading(people: People) -> None:
    ann, ben = people(javascript=False), people(javascript=False)
    ann.starts("cross", "friend")
    ben.joins(ann.id)
    pick = at_random(1)
    while not (ann.over and ben.over):
        for one in (ann, ben):
            one.page.reload()
            if one.turn:
                one.plays(pick)
    check_ending(ann, ben)


def test_a_refusal_is_a_sentence_on_the_page(people: People) -> None:
    ann = people(javascript=False)
    ann.expects("422")
    ann.starts("shadow", "here")
    ann.form.evaluate("form => { form.noValidate = true; }")  # a browser of long ago
    ann.spot("0-4").click()
    expect(ann.page.get_by_role("alert")).to_have_text("Choose a number first, then a cell.")
    assert len(ann.offers()) == 81
    ann.plays(at_random(1))
    expect(ann.page.get_by_role("alert")).to_have_count(0)


def test_without_a_script_nothing_is_offered_that_needs_one(people: People) -> None:
    ann = people(javascript=False)
    ann.starts("battle", "here")
    ann.page.locator("#share summary").click()
    expect(ann.page.locator("#link")).to_be_visible()
    for name in ("copy", "sound", "keys-open"):
        expect(ann.page.locator(f"#{name}")).to_be_hidden()


def test_a_cell_without_its_number_is_not_sent(people: People) -> None:
    ann = people(javascript=False)
    ann.starts("shadow", "here")
    ann.spot("0-4").click()  # the browser itself asks for the number
    assert ann.version == 0
    assert ann.page.locator("input[name=number]:invalid").count() > 0


def test_hints_and_wishes_need_no_script(people: People) -> None:
    ann, table = seated(partial(people, javascript=False), "cross")
    ann.does("hint")
    expect(ann.page.locator("#hint")).to_contain_text("Hint:")
    ann.does("eval")
    expect(ann.page.locator(".bar figcaption")).not_to_be_empty()
    ann.plays(at_random(1))
    expect(ann.page.locator(".bar figcaption")).not_to_be_empty()
    ann.asks("takeback", "offer")
    assert table.ask("takeback", Seat.SECOND, "accept").status_code == 200
    ann.page.reload()
    assert ann.turn
    ann.page.locator("#resign summary").click()
    ann.does("resign")
    expect(ann.page.locator(".ending")).to_contain_text("You resigned.")
