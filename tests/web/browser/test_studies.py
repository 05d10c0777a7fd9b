"""Learning in a browser: the review of a match, the explorer, the examples of the rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from ninefold import SEATS, SLUGS, Seat, State, load
from ninefold.analysis import evaluate
from ninefold.core.turns import ends_turn
from ninefold.core.words import pluralize
from ninefold.match import Match, Record
from ninefold.show.moves import say_move, say_subject
from ninefold.show.values import percent
from ninefold.study.facts import chance_of
from tests.web.browser.support import (
    HALF,
    NAMES,
    People,
    Person,
    drawn,
    line_of,
    lost,
    lost_line,
    parts_of,
    position,
)
from tests.web.browser.test_keys import ARROWS, focused, tabs_to
from tests.web.support import API, Server, Table, got

FIRST, SECOND = SEATS
games = pytest.mark.parametrize("game", SLUGS)
OFTEN = 4  # every so many positions, and the last, are opened somewhere else too
RETRACED = 5  # steps that the browser's own button is pressed for


def asked_for(one: Person) -> dict[str, str]:
    """What the address says after its question mark."""
    return {name: values[0] for name, values in parse_qs(urlsplit(one.page.url).query).items()}


def say_text(state: State[Any], move: str) -> str:
    """A move that is given as text, in words."""
    return say_move(state, state.game.parse(move))


# The review


def reviewing(people: People, server: Server, game: str) -> tuple[Person, Table, list[State[Any]]]:
    """Somebody in front of the review of a match that a move threw away."""
    ann = people()
    table, states = lost(server, game)
    ann.goes(f"/m/{table.id}/review")
    return ann, table, states


STEP = """main => ({
  where: main.querySelector(".where").textContent,
  links: [...main.querySelectorAll(":is(.columns, .turn-list) [aria-current]")].map(one => one.id),
  rows: [...main.querySelectorAll(".turn-list .here .count")].map(one => one.textContent),
})"""


def stops_of(states: Sequence[State[Any]]) -> list[int]:
    """How many moves have been made at the start and after each turn."""
    ends = (n for n in range(1, len(states)) if ends_turn(states[n - 1], states[n]))
    return [0, *ends]


def check_step(one: Person, states: Sequence[State[Any]], number: int) -> None:
    """Board, address, list and curve are all at the position after so many moves."""
    one.steps_to(number)
    assert drawn(one) == position(states[number])
    stops = stops_of(states)
    turn = next(place for place, stop in enumerate(stops) if number <= stop)
    point = max(n for n in range(number + 1) if not states[n].pending)
    assert one.main.evaluate(STEP) == {
        "where": f"{turn} of {len(stops) - 1}",
        "links": [f"p-{point}", *([f"t-{turn}"] if turn else [])],
        "rows": [str(turn)] if turn else [],
    }
    assert asked_for(one).get("at", str(len(states) - 1)) == str(number)


@games
def test_arrows_step_through_a_match_and_everything_goes_along(
    site: Server, people: People, game: str
) -> None:
    ann, _, states = reviewing(people, site, game)
    *stops, end = stops_of(states)
    check_step(ann, states, end)
    expect(ann.page.locator(".ending")).to_be_visible()
    ann.page.keyboard.press("ArrowRight")  # there is nothing more
    for number in reversed(stops):
        ann.page.keyboard.press("ArrowLeft")
        check_step(ann, states, number)
        expect(ann.page.locator(".ending")).to_have_count(0)
    ann.page.keyboard.press("ArrowLeft")
    for number in (*stops[1:], end):
        ann.page.keyboard.press("ArrowRight")
        check_step(ann, states, number)


def test_buttons_and_the_list_step_too_and_back_leads_out_of_the_review(
    site: Server, people: People
) -> None:
    ann, table, states = reviewing(people, site, "shadow")
    end = len(states) - 1
    ann.goes(f"/m/{table.id}")
    ann.does("review")
    ann.page.wait_for_url("**/review")
    for id, number in (("start", 0), ("next", 1), ("end", end), ("previous", end - 1), ("t-2", 2)):
        ann.page.locator(f"#{id}").click()
        check_step(ann, states, number)
    for id, number in (("start", 0), ("end", end)):
        ann.page.locator(f"#{id}").click()
        check_step(ann, states, number)
        expect(ann.page.locator(f"a#{id}")).to_have_count(0)
    ann.page.go_back()
    expect(ann.page).to_have_url(f"{ann.base}/m/{table.id}")


POINTS = """main => [...main.querySelectorAll(".points circle")].map(
  one => [parseFloat(one.getAttribute("cx")), parseFloat(one.getAttribute("cy"))])"""


@games
def test_the_curve_shows_who_was_winning_and_what_decided_it_and_leads_there(
    site: Server, people: People, game: str
) -> None:
    ann, table, states = reviewing(people, site, game)
    found = got(table.get("/review"))
    values = [found["moves"][0]["before"], *(one["after"] for one in found["moves"])]
    shown = [number for number, state in enumerate(states) if not state.pending]
    points = ann.main.evaluate(POINTS)
    assert [x for x, _ in points] == pytest.approx(
        [100 * (place + 0.5) / len(shown) for place in range(len(shown))], abs=0.01
    )
    # A position in which nobody can force an end counts as one half.
    chances = [float(Fraction(values[number]["first_wins"] or "1/2")) for number in shown]
    assert [y for _, y in points] == pytest.approx([12 + 76 * (1 - one) for one in chances], abs=0.01)
    number = found["deciding"]
    one = found["moves"][number - 1]
    turn = next(place for place, stop in enumerate(stops_of(states)) if number <= stop)
    reached = next(place for place in shown if place >= number)
    expect(ann.page.locator(".columns .decides a")).to_have_id(f"p-{reached}")
    expect(ann.page.locator(f"#t-{turn} .verdict")).to_have_text("decided it")
    moment = ann.page.locator(f"#moment-{number}")
    said = say_text(states[number - 1], one["move"]).removeprefix("the ")
    expect(moment).to_contain_text(said, ignore_case=True)
    expect(moment).to_contain_text("this decided it")
    for at in (reached, *shown[::3], len(states) - 1):
        ann.page.locator(f"#p-{at}").click()
        check_step(ann, states, at)


def deciding(table: Table, states: Sequence[State[Any]]) -> tuple[State[Any], Seat, str, list[str]]:
    """The position that a move threw away, whose it was, the move, and all that keep the best result."""
    found = got(table.get("/review"))
    one = found["moves"][found["deciding"] - 1]
    state, seat = states[one["number"] - 1], SEATS[one["seat"] == "second"]
    choices = evaluate(state).choices_of(seat)
    chances = [chance_of(choice.value, seat) for choice in choices]
    best = [str(choice.move) for choice, won in zip(choices, chances, strict=True) if won == max(chances)]
    return state, seat, one["move"], best


@games
def test_the_better_move_is_found_by_clicking(site: Server, people: People, game: str) -> None:
    ann, table, states = reviewing(people, site, game)
    state, seat, made, best = deciding(table, states)
    number = got(table.get("/review"))["deciding"]
    ann.page.locator("#find").click()
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("Find the better move")
    before = position(state)
    assert drawn(ann) == before
    answer = ann.page.locator(".answer")
    expect(answer).to_have_count(0)
    ann.chooses(game, seat, made)
    expect(answer).to_have_class(re.compile("wrong"))
    wrong = f"{say_subject(state, load(game).parse(made))} isn't the move. With best play, "
    expect(answer).to_have_text(re.compile(rf"^{re.escape(wrong)}.* wins .*\.$", re.IGNORECASE))
    ann.page.locator("#again").click()
    for move in (best[0], best[-1]):
        expect(answer).to_have_count(0)
        assert drawn(ann) == before
        ann.chooses(game, seat, move)
        expect(answer).to_have_class(re.compile("right"))
        expect(answer).to_have_text(re.compile(r"^Yes\. "))
        expect(ann.page.locator("#show, #again, .play a")).to_have_count(0)
        if not state.secret:
            assert drawn(ann) == position(state.play(move, seat))
        ann.goes(f"/m/{table.id}/review?find={number}")
    ann.page.locator("#show").click()
    expect(answer).to_have_class(re.compile("right"))
    ann.page.locator("#back").click()
    check_step(ann, states, number)


def test_the_better_move_is_found_without_a_mouse(site: Server, people: People) -> None:
    ann, table, states = reviewing(people, site, "shadow")
    _, seat, made, best = deciding(table, states)
    tabs_to(ann, ann.page.locator("#find"))
    ann.page.keyboard.press("Enter")
    rng = Random(6)
    for move, kind in ((made, "wrong"), (best[-1], "right")):
        number, cell = parts_of("shadow", seat, move)
        expect(ann.page.locator(f"a#{number}")).to_be_visible()
        expect(ann.page.locator(".answer")).to_have_count(0)
        ann.page.keyboard.press(number.removeprefix("n-"))
        expect(ann.page.locator(f"#{number}")).to_have_attribute("aria-current", "true")
        expect(ann.page.locator(f"#{number}")).to_be_focused()
        for _ in range(200):
            ann.page.keyboard.press(ARROWS[rng.choice("LURD")])
            if focused(ann) == cell:
                break
        ann.page.keyboard.press("Enter")
        expect(ann.page.locator(".answer")).to_have_class(re.compile(kind))
        if kind == "wrong":
            tabs_to(ann, ann.page.locator("#again"))
            ann.page.keyboard.press("Enter")


def test_whose_eyes_decide_whether_shadows_target_is_seen(site: Server, people: People) -> None:
    ann, _, states = reviewing(people, site, "shadow")
    target, end = states[0].setup["target"], len(states) - 1
    badge, explore = ann.page.locator(".badge"), ann.page.locator("#explore")
    for number in (0, 3, end):
        ann.page.locator(f"#p-{number}").click()
        ann.steps_to(number)
        for place, eyes in enumerate(("Ann's eyes", "Ben's eyes", "a spectator's eyes"), 1):
            ann.page.get_by_role("link", name=eyes).click()
            expect(ann.page.locator(f"#eyes-{place}")).to_have_attribute("aria-current", "true")
            check_step(ann, states, number)
            knows = place < 3 or number == end
            expect(badge).to_have_text(f"Target {target if knows else 'secret until the end'}")
            expect(explore).to_have_count(int(knows))


def test_a_number_in_conquest_is_seen_only_by_its_owner_until_both_are_in(
    site: Server, people: People
) -> None:
    ann, table, states = reviewing(people, site, "conquest")
    _, moves = lost_line("conquest")
    eyes = {"first": 1, "second": 2, "spectator": 3}
    secret = [number for number, state in enumerate(states) if state.view(None).pending]
    assert secret
    for number in secret:
        (owner,) = states[number].view(None).pending
        for name, place in eyes.items():
            ann.goes(f"/m/{table.id}/review?at={number}&eyes={name}")
            expect(ann.page.locator(f"#eyes-{place}")).to_have_attribute("aria-current", "true")
            check_step(ann, states, number)
            row, news = ann.page.locator(".turn-list .here a"), ann.page.locator(".status")
            own, chosen = name == str(owner), moves[number - 1].removeprefix("bid:")
            expect(row).not_to_contain_text(re.compile(r": .*:"))  # what the numbers came to
            seen = f" It is the {chosen}; nobody else sees it yet." if own else ""
            expect(news).to_have_text(f"{NAMES[owner]} has chosen.{seen}")
            ann.page.keyboard.press("ArrowRight")
            check_step(ann, states, number + 1)
            expect(row).to_contain_text(re.compile(rf": .*: .*\b{chosen}\b"))


@games
def test_a_replay_is_passed_on_by_its_link_and_as_a_file(
    site: Server, people: People, tmp_path: Path, game: str
) -> None:
    ann, table, states = reviewing(people, site, game)
    ben = people()
    eyes = ann.page.locator("#eyes-2")
    if eyes.count():
        eyes.click()
        expect(eyes).to_have_attribute("aria-current", "true")
    middle = next(n for n in range(len(states) // 2, len(states)) if not states[n].pending)
    for number in (len(states) - 1, middle):
        ann.page.locator(f"#p-{number}").click()
        ann.page.wait_for_url(f"**/review?at={number}&*")
        link = ann.page.get_by_label("Link to this replay").input_value()
        assert link == ann.page.url
        ben.page.goto(link)
        check_step(ben, states, number)
        assert ben.main.inner_html() == ann.main.inner_html()
    with ben.page.expect_download() as waiting:
        ben.page.get_by_role("link", name="Download the record").click()
    file = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(file)
    assert file.name == f"ninefold-{game}-{table.id}.json"
    match = Match.of(Record.from_json(file.read_text(encoding="utf-8")))
    assert match.states == tuple(states)
    assert [match.player(seat).name for seat in SEATS] == ["Ann", "Ben"]


# The explorer

EXAMPLES = {
    game: (load(game).example.setup, tuple(move for move, _ in load(game).example.moves))
    for game in SLUGS
}


def evaluation(server: Server, state: State[Any], moves: Sequence[str]) -> dict[str, Any]:
    """What the API says of a position."""
    query = {"game": state.game.slug, **state.setup, "moves": " ".join(moves)}
    found: dict[str, Any] = got(server.get(f"{API}/evaluation", query=query))
    return found


def player(option: dict[str, Any]) -> str:
    """Who wins, or is more likely to."""
    return "Player 2" if Fraction(option["first_wins"]) * 2 < 1 else "Player 1"


def chance(option: dict[str, Any], seat: str) -> Fraction:
    first = Fraction(option["first_wins"])
    return first if seat == "first" else 1 - first


def tag(option: dict[str, Any]) -> str:
    """What a link says of the move that it makes."""
    if option["result"] == "endless":
        return "endless"
    if option["result"] == "mixed":
        return percent(chance(option, option["seat"]))
    word = "win" if option["result"] == option["seat"] else "loss"
    if option["margin"] is not None:
        return f"{word} by {abs(option['margin'])}" if option["margin"] else f"{word} on a tie"
    return f"{word} in {option['plies']}" if option["plies"] else f"{word} now"


def check_tags(one: Person, found: dict[str, Any], seat: Seat) -> None:
    """Each number, cell or line says what comes of the best move that it can become.

    Where all moves lead to the same, one sentence says so.
    """
    mine = [option for option in found["options"] if option["seat"] == str(seat)]
    worth = {(each["result"], each["first_wins"], each["plies"], each["margin"]) for each in mine}
    if len(mine) > 1 and len(worth) == 1 and found["view"]["phase"] != "bidding":
        alike = re.compile(rf"All {len(mine)} moves (are equally good|lose)[.:]")
        expect(one.page.locator("#alike")).to_contain_text(alike)
        expect(one.page.locator(".tag")).to_have_count(0)
        return
    number = asked_for(one).get("number")
    wanted: dict[str, str] = {}
    for option in found["options"]:  # best first
        if option["seat"] == str(seat):
            parts = parts_of(found["game"], seat, option["move"])
            for id in parts:
                if number is None or id.startswith("n-") or f"n-{number}" in parts:
                    wanted.setdefault(id, tag(option))
    shown = one.main.evaluate("""main => Object.fromEntries(
        [...main.querySelectorAll(".play a:not(.button)")].map(
          one => [one.id, one.querySelector(".tag").textContent]))""")
    assert shown == wanted


TABLE = """table => {
  const heads = [...table.tHead.rows[0].cells].map(cell => cell.textContent);
  return [...table.tBodies[0].rows].map(row => Object.fromEntries(
    heads.map((head, place) => [head, row.cells[place].textContent.trim()])));
}"""


def check_moves(one: Person, state: State[Any], found: dict[str, Any]) -> None:
    """Every legal move is in the list with its value and how long it takes, as the API has them."""
    rows = one.page.locator("#all-moves table").evaluate(TABLE)
    assert len(rows) == len(found["options"])
    for row, option in zip(rows, found["options"], strict=True):
        move, star, _ = row.pop("Move").partition(" ★")
        assert move == say_text(state, option["move"])
        assert bool(star) == option["best"]
        name = "Player 1" if option["seat"] == "first" else "Player 2"
        if option["result"] == "endless":
            assert row.pop("With best play") == "endless"
        elif option["result"] == "mixed":
            share = percent(max(chance(option, "first"), chance(option, "second")))
            assert row.pop("With best play") == f"{player(option)} wins {share}"
            assert row.pop(f"{name}'s chance").split()[0] == percent(chance(option, option["seat"]))
        else:
            wins = "wins" if option["plies"] else "has won"
            assert row.pop("With best play") == f"{player(option)} {wins}"
        if option["margin"] is not None:
            assert row.pop("by") == str(abs(option["margin"]) or "tie")
        assert row.pop("in", "") == (pluralize(option["plies"], "move") if option["plies"] else "")
        assert not any(row.values())


MIXTURES = """main => [...main.querySelectorAll(".mixture")].flatMap(one =>
  [...one.querySelectorAll("tbody tr")].map(row => [
    one.querySelector("h2").textContent.trim(),
    row.cells[0].textContent.split(" ★")[0],
    row.querySelector("rect:not(.bed)").getAttribute("width"),
    row.cells[1].textContent.trim(),
    row.cells[2].textContent.trim(),
  ]))"""


FRACTIONS = """main => [...main.querySelectorAll("#fractions tr")].map(row => [
  ...row.cells[0].textContent.trim().split(": "), row.cells[1].textContent,
])"""
Name = tuple[str, str]  # of a fraction: whose it is, and of what


def check_mixtures(one: Person, state: State[Any], found: dict[str, Any]) -> None:
    """Both players' best mixtures, as bars and in numbers, are the API's."""
    options = {(each["seat"], say_text(state, each["move"])): each for each in found["options"]}
    rows = one.main.evaluate(MIXTURES)
    seats = {"Player 1": "first", "Player 2": "second"}
    exact = {(seats[name], what): text for name, what, text in one.main.evaluate(FRACTIONS)}
    assert len(rows) == len(options)
    shown: set[Name] = set()
    for title, move, width, share, wins in rows:
        seat = "first" if title == "Player 1's best numbers" else "second"
        option = options.pop((seat, move))
        mix = Fraction(option["mix"])
        assert float(width) == pytest.approx(float(100 * mix), abs=0.005)
        shown |= told(share, mix, exact, (seat, f"{move}, how often"))
        if option["result"] == "mixed":
            shown |= told(wins, chance(option, seat), exact, (seat, f"{move}, chance to win"))
        else:
            assert wins.startswith(player(option))
    assert options == {}
    assert shown == set(exact)


def told(text: str, part: Fraction, exact: dict[Name, str], name: Name) -> set[Name]:
    """A part of 1 as a percentage, and exactly: beside it or, if that is long, in the list below."""
    share, *beside = text.split()
    assert share == percent(part)
    if beside or part.denominator == 1:
        assert beside == ([str(part)] if beside else [])
        return set()
    assert exact[name] == str(part)
    return {name}


def check_explored(one: Person, states: Sequence[State[Any]], moves: Sequence[str]) -> None:
    """Board, address and every value are those of the position after these moves."""
    state, found = states[len(moves)], evaluation(one.server, states[0], moves)
    one.steps_to(len(moves))
    assert drawn(one) == position(state)
    said = asked_for(one)
    assert said.pop("moves", "").split() == list(moves)
    assert said == {name: str(value) for name, value in state.setup.items()}
    if state.outcome is not None:
        winner = ("Player 1", "Player 2")[state.outcome.winner]
        expect(one.page.locator(".ending .winner")).to_contain_text(f"{winner} wins")
        expect(one.page.locator(".play a, .mixture, #all-moves, .bar")).to_have_count(0)
        return
    assert one.page.locator(".ending").count() == 0
    check_tags(one, found, state.movers[0])
    if state.secret:
        check_mixtures(one, state, found)
    else:
        check_moves(one, state, found)


@games
def test_a_game_is_played_out_in_the_explorer_and_the_address_is_the_position(
    people: People, game: str
) -> None:
    setup, moves = EXAMPLES[game]
    states = line_of(game, setup, moves)
    ann, ben = people(), people()
    ann.goes(f"/explore/{game}?{'&'.join(f'{name}={value}' for name, value in setup.items())}")
    visited = [ann.page.url]
    for count, move in enumerate(moves):
        check_explored(ann, states, moves[:count])
        for address in ann.choosing(game, states[count].movers[0], move):
            visited.append(ann.base + address)
            if HALF.search(address):
                check_tags(ann, evaluation(ann.server, states[0], moves[:count]), states[count].movers[0])
        if count % OFTEN == OFTEN - 1 or count == len(moves) - 1:
            ben.page.goto(ann.page.url)
            check_explored(ben, states, moves[: count + 1])
            assert ben.main.inner_html() == ann.main.inner_html()
            assert ann.page.get_by_label("Link to this position").input_value() == ann.page.url
    check_explored(ann, states, moves)
    for address in visited[-2 : -2 - RETRACED : -1]:
        ann.page.go_back()
        ann.page.wait_for_url(address)
        count = len(asked_for(ann).get("moves", "").split())
        ann.steps_to(count)
        assert drawn(ann) == position(states[count])


def test_the_explorer_is_used_without_a_mouse(people: People) -> None:
    setup, moves = {"grid": "491562837"}, ("Row1", "Col2", "Row3")
    states = line_of("cross", setup, moves)
    ann = people()
    ann.goes(f"/explore/cross?grid={setup['grid']}")
    for count, key in enumerate("153"):
        check_explored(ann, states, moves[:count])
        ann.page.keyboard.press(key)
    check_explored(ann, states, moves)
    for count in (2, 1):
        ann.page.keyboard.press("ArrowLeft")
        check_explored(ann, states, moves[:count])
    ann.page.locator("#restart").click()
    check_explored(ann, states, ())
    expect(ann.page.locator("a#back")).to_have_count(0)


def test_a_move_is_taken_from_the_list_of_all(people: People) -> None:
    setup, moves = EXAMPLES["shadow"]
    states = line_of("shadow", setup, moves)
    ann = people()
    ann.goes("/explore/shadow?target=15")
    ann.page.locator("#all-moves summary").click()
    for count, move in enumerate(moves[:3]):
        ann.follows(
            ann.page.locator("#all-moves").get_by_role(
                "link", name=say_text(states[count], move), exact=True
            )
        )
        check_explored(ann, states, moves[: count + 1])
        expect(ann.page.locator("#all-moves")).to_have_attribute("open", "")


def test_another_setting_starts_another_position(people: People) -> None:
    ann = people()
    ann.goes("/explore/shadow?target=15&moves=5@2,2")
    ann.page.locator("#settings summary").click()
    ann.page.get_by_label("Target").fill("17")
    ann.page.get_by_role("button", name="Start with this").click()
    ann.page.wait_for_url("**/explore/shadow?target=17")
    check_explored(ann, line_of("shadow", {"target": 17}, ()), ())
    ann.expects("422")
    ann.page.get_by_label("Target").fill("99")
    ann.page.get_by_role("button", name="Start with this").click()
    expect(ann.page.get_by_role("alert")).to_contain_text("99")
    ann.page.locator("#restart").click()
    check_explored(ann, line_of("shadow", {"target": int(asked_for(ann)["target"])}, ()), ())


# The rules

TOLD = """main => [
  main.querySelector(".where").textContent,
  main.querySelector(".moves [aria-current=step]").id,
  Boolean(main.querySelector(".told .ending")),
]"""


@games
def test_the_example_of_the_rules_is_clicked_through_to_its_end(people: People, game: str) -> None:
    example, (setup, moves) = load(game).example, EXAMPLES[game]
    states = line_of(game, setup, moves)
    ends = [k for k in range(1, len(states)) if ends_turn(states[k - 1], states[k])]
    ann = people()
    ann.goes("/rules")
    ann.card(game).get_by_role("link", name="Rules of").click()
    assert drawn(ann) == position(states[0])
    for number, (_, word) in enumerate(example.moves, 1):
        ann.page.locator("#step-next").click()
        ann.steps_to(number)
        assert drawn(ann) == position(states[number])
        assert ann.main.evaluate(TOLD) == [
            f"{number} of {len(moves)}",
            f"move-{next(k for k in ends if k >= number)}",  # the row of the turn
            number == len(moves),
        ]
        assert word in " ".join(ann.page.locator(".told").inner_text().split())
    expect(ann.page.locator("#step-next, #step-last")).to_have_count(0)
    expect(ann.page.locator("#step-back")).to_be_focused()
    ann.page.keyboard.press("ArrowLeft")
    ann.steps_to(len(moves) - 1)
    assert drawn(ann) == position(states[-2])
    ann.page.locator("#explore").click()
    check_explored(ann, states, moves[:-1])
