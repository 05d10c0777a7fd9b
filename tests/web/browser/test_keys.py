"""No mouse: Tab and Enter lead to a match, and digits, arrows and Enter play it."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import Locator, expect

from tests.web.browser.support import ENOUGH, People, Person, check_ending

ARROWS = {name[0]: f"Arrow{name}" for name in ("Left", "Up", "Right", "Down")}


def tabs_to(one: Person, target: Locator) -> None:
    """Tab until it has the focus."""
    for _ in range(100):
        one.page.keyboard.press("Tab")
        if target.evaluate("(one) => one === document.activeElement"):
            return
    raise AssertionError("not to be reached by Tab")


def starts(one: Person, game: str, against: str) -> None:
    one.goes("/")
    tabs_to(one, one.card(game).locator("[name=against]:checked"))
    for _ in range(("computer", "friend", "here").index(against)):
        one.page.keyboard.press("ArrowRight")
    tabs_to(one, one.card(game).get_by_role("button", name="Play"))
    one.page.keyboard.press("Enter")
    one.page.wait_for_url(f"{one.base}/m/*")


def presses(one: Person, *keys: str) -> None:
    """The keys, the last of which makes a move."""
    before = one.version
    for key in keys:
        one.page.keyboard.press(key)
    one.moves_on(before)


def focused(one: Person) -> str:
    """The id of what has the focus."""
    return str(one.page.evaluate("document.activeElement.id"))


@pytest.mark.parametrize("game", ["shadow", "pattern"])
def test_numbers_and_cells_are_played_with_digits_arrows_and_enter(people: People, game: str) -> None:
    ann = people()
    starts(ann, game, "computer")
    rng = Random(5)
    for _ in range(ENOUGH):
        ann.waits()
        if ann.over:
            break
        offers = ann.offers()
        if offers[0].number:
            ann.page.keyboard.press(rng.choice(offers).number)
        spots = {f"c-{offer.spot}" for offer in offers}
        goal, pressed = rng.choice(sorted(spots)), 0
        while focused(ann) != goal and (pressed < 10 or focused(ann) not in spots):
            ann.page.keyboard.press(ARROWS[rng.choice("LURD")])
            pressed += 1
            assert pressed < 200, "the arrows do not get anywhere"
        presses(ann, "Enter")
    else:
        ann.resigns()
    check_ending(ann)


def test_cross_is_played_with_digits_alone(people: People) -> None:
    ann = people()
    starts(ann, "cross", "here")
    for key in "416253":
        presses(ann, key)
    check_ending(ann)


def test_battle_is_played_with_digits_alone(people: People) -> None:
    ann = people()
    starts(ann, "battle", "here")
    for key in "519283746":
        presses(ann, key)
    check_ending(ann)


def test_conquest_is_played_with_digits_and_enter(people: People) -> None:
    ann = people()
    starts(ann, "conquest", "here")
    presses(ann, "5")
    presses(ann, "5")  # a challenge
    for number in "31":
        tabs_to(ann, ann.page.locator("#ready"))
        ann.page.keyboard.press("Enter")
        expect(ann.page.locator(".numbers")).to_be_visible()
        presses(ann, number)
    expect(ann.page.locator(".revealed")).to_have_count(2)
    for cell in "12346789":
        presses(ann, cell)
    check_ending(ann)


def test_arrows_reach_every_cell_and_number(people: People) -> None:
    ann = people()
    ann.starts("shadow", "here")
    for key, cell in zip("DRRDLLDRR", (0, 1, 2, 5, 4, 3, 6, 7, 8), strict=True):  # as a snake
        ann.page.keyboard.press(ARROWS[key])
        assert focused(ann) == f"c-0-{cell}"
    ann.page.keyboard.press(ARROWS["D"])
    assert focused(ann).startswith("n-")
    for _ in range(8):
        ann.page.keyboard.press(ARROWS["L"])
    for number in range(1, 10):
        assert focused(ann) == f"n-{number}"
        ann.page.keyboard.press(ARROWS["R"])
    assert ann.version == 0


def test_a_question_mark_opens_the_list_of_keys_and_escape_closes_it(people: People) -> None:
    ann = people()
    ann.starts("cross", "here")
    keys = ann.page.get_by_role("dialog", name="Keys")
    expect(keys).to_be_hidden()
    ann.page.keyboard.press("?")
    expect(keys).to_be_visible()
    ann.page.keyboard.press("1")  # means nothing there
    ann.page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    assert ann.version == 0
    presses(ann, "2")
    expect(ann.page.locator(".moves li")).to_contain_text(["Row 2"])


def test_a_key_counts_as_soon_as_the_list_of_keys_is_closed(people: People) -> None:
    """The list's own field still has the focus then, until the page is drawn again."""
    ann = people()
    ann.starts("cross", "here")
    focused = ann.page.evaluate("""() => {
        const keys = document.getElementById("keys");
        keys.showModal();
        keys.close();
        const focused = document.activeElement;
        focused.dispatchEvent(new KeyboardEvent("keydown", { key: "2", bubbles: true }));
        return focused.id;
    }""")
    assert focused == "letters"
    ann.moves_on(0)
    expect(ann.page.locator(".moves li")).to_contain_text(["Row 2"])


def test_escape_drops_what_was_chosen(people: People) -> None:
    ann = people()
    ann.starts("shadow", "here")
    ann.page.keyboard.press("5")
    expect(ann.page.locator("#n-5")).to_be_checked()
    ann.page.keyboard.press("Escape")
    expect(ann.page.locator("#n-5")).not_to_be_checked()
    ann.spot("0-4").press("Enter")
    expect(ann.spot("0-4")).to_have_attribute("aria-pressed", "true")
    ann.page.keyboard.press("Escape")
    expect(ann.spot("0-4")).not_to_have_attribute("aria-pressed", "true")
    assert ann.version == 0


def test_letters_ask_for_a_hint_the_balance_and_the_last_turn_back(people: People) -> None:
    ann = people()
    ann.starts("cross", "here")
    ann.page.keyboard.press("h")
    expect(ann.page.locator("#hint")).to_be_visible()
    ann.page.keyboard.press("e")
    expect(ann.page.locator(".bar")).to_be_visible()
    presses(ann, "1")
    ann.page.keyboard.press("t")  # asks first
    expect(ann.page.locator("#connection")).to_have_text("Press Enter to take back your last turn.")
    assert ann.version == 1
    presses(ann, "Enter")
    expect(ann.page.locator(".moves")).to_have_count(0)
    for key in "123456":
        presses(ann, key)
    before = ann.id
    ann.page.keyboard.press("n")
    ann.page.wait_for_url(lambda url: before not in url)
    expect(ann.page.locator(".ending")).to_have_count(0)


def test_keys_are_left_alone_where_something_is_typed(people: People) -> None:
    ann = people()
    ann.starts("battle", "friend")
    ann.page.locator("#link").press("?")
    expect(ann.page.get_by_role("dialog", name="Keys")).to_be_hidden()
