"""The table: moves seen as they are made, and everybody told what happens."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from ninefold import SLUGS, Seat
from tests.web.browser.support import (
    People,
    Person,
    at_random,
    at_rest,
    begun,
    bid,
    place,
    seated,
)

FIRST, SECOND = Seat.FIRST, Seat.SECOND
# Moves that are pointed at: the game, the moves before it, where, the number, and what is seen there.
KINDS = {
    "a number in a cell": ("shadow", (), "0-4", "5", "5"),
    "a cell": ("battle", (), "0-4", "", None),
    "a number from the pool": ("pattern", (), "0-4", "5", "5"),
    "a claim": ("conquest", (), "0-1", "", ""),
    "a line": ("cross", (), "0-3.4.5", "", None),
}


class Held:
    """Answers to moves that are held back until they are let go."""

    def __init__(self, one: Person) -> None:
        self.routes: list[Route] = []
        one.page.route("**/m/*/move*", lambda route: self.routes.append(route))

    def let_go(self) -> None:
        for route in self.routes:
            route.continue_()


@pytest.mark.parametrize("kind", KINDS)
def test_a_move_is_drawn_before_the_server_answers_and_settles(people: People, kind: str) -> None:
    game, moves, spot, number, text = KINDS[kind]
    ann, _ = seated(people, game, *moves)
    held = Held(ann)
    there = ann.page.locator(f"[id='c-{spot}']")
    shown = there.locator(".number").inner_text() if text is None else text
    if number:
        ann.number(number).click()
    ann.spot(spot).click()
    expect(there).to_have_class(re.compile(r"\bx\b.*\bpending\b|\bpending\b.*\bx\b"))
    assert there.locator(".number").all_inner_texts() == [shown] * bool(shown)
    expect(there.locator(".mark")).to_have_count(1)
    expect(ann.main).to_have_class("slow")  # it takes its time, and that shows
    for other in ann.page.locator("button.cell, button.line").all()[:2]:
        other.click()  # nothing else can be played meanwhile
    held.let_go()
    ann.sees(1)
    expect(ann.page.locator(".pending")).to_have_count(0)
    assert there.locator(".number").all_inner_texts() == [shown] * bool(shown)
    assert len(held.routes) == 1


def test_a_secret_number_is_lifted_at_once_and_stays_to_be_seen_by_its_owner(people: People) -> None:
    ann, ben = begun(people, "conquest", "claim:1", "claim:2", "challenge:2")
    held = Held(ann)
    ann.number("4").click()
    expect(ann.page.locator("#n-4")).to_have_class(re.compile("pending"))
    held.let_go()
    ann.sees(4)
    ben.sees(4)
    expect(ann.page.locator(".near .chip.secret")).to_have_text("4")
    expect(ann.page.locator(".near")).to_contain_text("Secret number")
    expect(ben.page.locator(".chip.secret")).to_have_count(0)
    expect(ben.main).not_to_contain_text("Secret number")


def test_a_refused_move_returns_with_the_reason(people: People) -> None:
    ann, table = seated(people, "battle")
    ann.expects("409")
    held = Held(ann)
    ann.spot("0-4").click()
    expect(ann.page.locator(".pending")).to_have_count(1)
    table.play("0,0")  # from another browser of hers
    held.let_go()
    expect(ann.page.get_by_role("alert")).to_have_text("The match has moved on since you saw it.")
    expect(ann.page.locator(".pending")).to_have_count(0)
    expect(ann.page.locator("[id='c-0-4']")).not_to_have_class(re.compile(r"\bx\b"))


@pytest.mark.parametrize("kind", KINDS)
def test_offline_the_move_stays_and_the_notice_moves_nothing(people: People, kind: str) -> None:
    game, moves, spot, number, _ = KINDS[kind]
    ann, table = seated(people, game, *moves)
    ann.expects("ERR_INTERNET_DISCONNECTED")
    where = "one => one.getBoundingClientRect().y + scrollY"
    before = ann.page.locator(".mine").evaluate(where)
    ann.context.set_offline(True)
    if number:
        ann.number(number).click()
    ann.spot(spot).click()
    expect(ann.page.locator("#connection")).to_contain_text("What you did will be sent")
    expect(ann.page.locator(f"[id='c-{spot}']")).to_have_class(re.compile("pending"))
    assert ann.page.locator(".mine").evaluate(where) == before
    for other in ann.page.locator("button.cell, button.line").all():
        other.click()
    ann.context.set_offline(False)
    ann.sees(1)
    assert len(table.seen()["moves"]) == 1
    expect(ann.page.locator(f"[id='c-{spot}']")).to_have_class(re.compile(r"\bx\b"))


def test_the_computer_answers_after_a_moment_that_one_can_see(people: People) -> None:
    ann = people(reduced_motion="no-preference")
    ann.page.clock.install(time=0)
    table = ann.server.create("battle", first={"kind": "person"}, second={"kind": "level:1"})
    ann.holds(table.id, table.tokens[FIRST])
    ann.page.clock.pause_at(60_000)
    with ann.page.expect_response(re.compile(f"/m/{table.id}$")):
        ann.spot("0-4").click()
    assert at_rest(table) == 2  # the server does not wait
    expect(ann.page.locator("[id='c-0-4']")).to_have_class(re.compile(r"\bx\b"))
    ann.page.clock.run_for(600)
    ann.page.evaluate("fetch('/healthz').then(answer => answer.text())")
    assert ann.version < 2
    ann.page.clock.run_for(100)
    ann.sees(2)


def test_a_revealed_challenge_turns_over_two_cards_that_can_be_skipped(people: People) -> None:
    ann = people(reduced_motion="no-preference")
    table = ann.server.create("conquest")
    table.play("claim:1", "claim:2", "challenge:2")
    ann.holds(table.id, table.tokens[FIRST])
    ann.plays(bid(3))
    table.play("bid:3")
    cards = ann.page.locator(".showdown .revealed")
    expect(cards).to_have_count(2)
    ann.page.keyboard.press("Escape")
    expect(cards).to_have_count(0)
    expect(ann.page.locator(".news")).to_contain_text("because a tie goes to the defender")
    expect(ann.page.locator(".reveal")).to_be_visible()


def heard(one: Person) -> str:
    return one.page.locator("#live").inner_text()


SOUNDS = """window.tones = [];
const make = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () { window.tones.push(1); return make.call(this); };
if (location.protocol === "http:") localStorage.setItem("sound", "on");"""


def tones(one: Person) -> int:
    """How many have sounded since the last call."""
    return int(one.page.evaluate("window.tones.splice(0).length"))


def test_everything_that_happens_reaches_the_other_by_ear_title_and_sound(people: People) -> None:
    ann, ben = people(reduced_motion="reduce"), people()
    ann.page.add_init_script(SOUNDS)
    ann.sets_up("cross", against="friend", side="first", name="Ann")
    id = ann.id
    live, title = ann.page.locator("#live"), re.compile
    ben.joins(id, "Ben")
    expect(ann.page).to_have_title(title("^Your turn"))
    expect(live).to_contain_text("Claim a row or a column.")
    assert tones(ann) == 1
    ann.plays(place("0-0.1.2"))
    ben.sees(2)
    ben.plays(place("0-3.4.5"))
    expect(live).to_contain_text("Ben claimed Row 2")
    expect(ann.page).to_have_title(title("^Your turn"))
    assert tones(ann) == 2
    ben.asks("takeback", "offer")
    expect(live).to_have_text("Ben wants to take back their last turn.")
    expect(ann.page).to_have_title(title("^Ben asks you"))
    assert tones(ann) == 1
    ann.asks("takeback", "decline")
    ben.sees(ann.version)
    tones(ann)
    ben.page.locator("#resign summary").click()
    ben.does("resign")
    expect(live).to_contain_text("You win. Ben resigned.")
    expect(ann.page).to_have_title(title("^You won"))
    assert tones(ann) == 3
    ben.asks("rematch", "offer")
    expect(live).to_have_text("Ben offers a rematch with the sides swapped.")
    expect(ann.page).to_have_title(title("^Ben asks you"))
    assert tones(ann) == 1
    ann.does("rematch", "accept")
    for one in (ann, ben):
        one.page.wait_for_url(lambda url: id not in url)
    assert ann.id == ben.id
    expect(ben.page.locator("#live")).to_contain_text("Claim a row or a column.")


def test_the_numbers_of_a_player_never_change_their_places(people: People) -> None:
    ann, table = seated(people, "shadow")
    where = "all => all.map(one => [one.textContent.trim(), one.getBoundingClientRect().x])"
    chips = ann.page.locator(".near .chip")
    before = chips.evaluate_all(where)
    ann.plays(at_random(1))
    table.play("9@3,3" if ann.page.locator("[id='c-0-8'] .number").count() == 0 else "9@3,2")
    ann.sees(2)
    for (number, x), (same, there) in zip(before, chips.evaluate_all(where), strict=True):
        assert (number, x) == (same, pytest.approx(there, abs=3))
    assert ann.page.locator(".near .chip.spent").count() == 1


def test_a_number_that_is_chosen_shows_faintly_where_it_would_go(people: People) -> None:
    ann, _ = seated(people)
    ann.number("8").click()
    ann.spot("0-0").hover()
    ghost = "one => getComputedStyle(one, '::after').content"
    assert ann.spot("0-0").evaluate(ghost) == '"8"'
    assert ann.spot("0-1").evaluate(ghost) == "none"


def test_a_line_lights_its_cells_and_a_cell_offers_its_lines(people: People) -> None:
    ann, _ = seated(people, "cross")
    lit = "all => all.map(one => one.id)"
    ann.spot("0-1.4.7").hover()
    assert ann.page.locator(".lit-down").evaluate_all(lit) == ["c-0-1", "c-0-4", "c-0-7"]
    ann.spot("0-3.4.5").focus()
    assert ann.page.locator(".lit-across").evaluate_all(lit) == ["c-0-3", "c-0-4", "c-0-5"]
    ann.page.locator("[id='c-0-5']").click()
    assert ann.page.locator(".menu button").all_inner_texts() == ["Row 2", "Column 3"]
    ann.page.get_by_role("button", name="Column 3", exact=True).click()
    ann.sees(1)
    expect(ann.page.locator(".moves li")).to_contain_text(["Column 3"])


FITS = """() => [...document.querySelectorAll(".seat, .mine, .state")]
  .every(one => one.getBoundingClientRect().bottom <= innerHeight + 1)"""


@pytest.mark.parametrize("game", SLUGS)
def test_the_table_fits_a_desk_and_a_phone_without_scrolling(people: People, game: str) -> None:
    ann, _ = seated(people, game)
    for width, height in ((1440, 900), (820, 1100), (390, 844)):
        ann.page.set_viewport_size({"width": width, "height": height})
        assert ann.page.evaluate(FITS), (width, height)
    if game in ("shadow", "battle", "conquest"):
        ann.page.set_viewport_size({"width": 1440, "height": 900})
        box = ann.page.locator(".mine .board").bounding_box()
        assert box is not None
        share = 0.61 if game == "conquest" else 0.64  # its sentences are the longest
        assert box["height"] > share * 900


def test_a_sum_is_told_where_one_points(people: People) -> None:
    ann, _ = seated(people, "cross", "Row2", "Row3", "Col3", "Row1", setup={"grid": "164597238"})
    before = ann.page.locator(".mine .board").bounding_box()
    ann.spot("0-1.4.7").hover()
    expect(ann.page.locator("#peek")).to_have_text("Column 2: 6 + 9 + 3 = 18 makes you 58.")
    expect(ann.page.locator("#news")).to_be_hidden()
    expect(ann.page.locator(".near .score-now")).to_have_attribute("data-then", "58")
    assert ann.page.locator(".mine .board").bounding_box() == before
    ann.page.locator("h1").hover()
    expect(ann.page.locator("#peek")).to_be_hidden()
    expect(ann.page.locator("#news")).to_contain_text("Ben claimed Row 1")
    assert ann.page.locator(".crossing").count() == 3  # of Column 3 with each row
    assert ann.page.locator(".crossing.twice").count() == 1


def test_the_status_follows_what_is_chosen(people: People) -> None:
    ann, _ = seated(people, "shadow")
    asks = ann.page.locator("#asks")
    usual = asks.inner_text()
    ann.number("8").click()
    expect(asks).to_have_text("Place your 8: choose a cell.")
    ann.page.keyboard.press("Escape")
    expect(asks).to_have_text(usual)
    ann.spot("0-0").click()
    expect(asks).to_have_text("Choose a number for cell 1,1.")


def test_each_turn_is_one_row_and_each_side_has_its_cells(people: People) -> None:
    moves = ("claim:1", "claim:2", "challenge:2", "bid:4", "bid:2")
    ann, _ = seated(people, "conquest", *moves, setup={"size": 3})
    expect(ann.page.locator("#moves li")).to_have_text(
        ["You: Claim 1", "Ben: Claim 2", "You: Challenge 2: 4 beats 2"]
    )
    expect(ann.page.locator(".near .figure")).to_have_text("Cells 2")
    expect(ann.page.locator(".far .figure")).to_have_text("Cells 0")
    expect(ann.page.locator(".goal")).to_have_text("Grid full: 5 of the 9 cells win.")


def test_the_end_has_a_sentence_of_insight(people: People) -> None:
    ann, _ = seated(people, "battle", "0,0", "2,2", setup={"grid": "123456789"})
    ann.page.locator("#resign summary").click()
    ann.page.get_by_role("button", name="Yes, resign").click()
    insight = ann.page.locator("#insight")
    expect(insight).to_contain_text("Your 1 lost it.")
    expect(insight).to_contain_text("Accuracy ")
    ann.page.set_viewport_size({"width": 1280, "height": 800})
    assert ann.page.evaluate("document.documentElement.scrollHeight") == 800


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("game", SLUGS)
def test_an_offered_rematch_is_in_sight_and_widens_nothing(people: People, game: str, width: int) -> None:
    ann, table = seated(people, game)
    ann.page.set_viewport_size({"width": width, "height": 800 if width == 1280 else 844})
    ann.resigns()
    assert table.ask("rematch", Seat.SECOND, "offer").status_code == 200
    accept = ann.page.locator("#do-rematch-accept")
    expect(accept).to_be_in_viewport(ratio=1)
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= width
    assert width < 1280 or ann.page.evaluate("document.documentElement.scrollHeight") == 800


def test_the_names_in_the_bars_are_whole(people: People) -> None:
    ann = people()
    ann.page.set_viewport_size({"width": 1280, "height": 800})
    ann.starts("shadow", "computer")
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent)"
    expect(ann.page.locator(".far .who b")).to_have_text("Computer")
    assert ann.page.locator(".who > *").evaluate_all(cut) == []
