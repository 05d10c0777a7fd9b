"""The review of a match and the explorer, as pages: what they tell, what they hide, where they lead."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any
from urllib.parse import parse_qs, quote_plus, urlsplit

import httpx
import pytest

import ninefold
from ninefold import SEATS, SLUGS, State
from ninefold.analysis import evaluate
from ninefold.analysis.evaluation import worth
from ninefold.core.turns import Played, Turn, group_turns
from ninefold.show.moves import capitalize, say_move
from ninefold.study.reviews import Judged, Review, review
from tests.web.support import SETUPS, Server, Table, seat_named

FIRST, SECOND = SEATS
VOID = {"img", "input", "use", "rect", "path", "circle", "link", "meta", "br"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    text: str = ""

    @property
    def classes(self) -> set[str]:
        return set(self.attributes.get("class", "").split())


@dataclass
class Page:
    """What stands in a page's main part."""

    status: int
    address: str
    elements: list[Element] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All that can be read or heard, and every address."""
        told = ("aria-label", "title", "alt", "value", "href", "data-said")
        said = [one.attributes.get(name, "") for one in self.elements for name in told]
        return " ".join([self.all("main")[0].text, *said])

    def all(self, tag: str, name: str | None = None, **attributes: str) -> list[Element]:
        return [
            one
            for one in self.elements
            if one.tag == tag
            and (name is None or name in one.classes)
            and all(one.attributes.get(key) == value for key, value in attributes.items())
        ]

    def one(self, tag: str, name: str | None = None, **attributes: str) -> Element:
        found = self.all(tag, name, **attributes)
        assert len(found) == 1, f"{len(found)} of {tag} {name} {attributes}"
        return found[0]

    def links(self, name: str | None = None) -> list[str]:
        return [one.attributes["href"] for one in self.all("a", name)]


class Reader(HTMLParser):
    def __init__(self, page: Page) -> None:
        super().__init__()
        self._page = page
        self._open: list[Element] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not any(name == "style" or name.startswith("on") for name, _ in attrs), (tag, attrs)
        if tag != "main" and not self._open:
            return
        element = Element(tag, {name: value or "" for name, value in attrs})
        self._page.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._open:
            self._page.elements.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if self._open and tag not in VOID:
            assert self._open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.text += data


def read(server: Server, address: str, status: int = 200, **cookies: str) -> Page:
    headers = {"Accept": "text/html"}
    if cookies:
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
    answer = server.http.get(address, headers=headers, follow_redirects=True)
    assert answer.status_code == status, f"{address}: {answer.status_code} {answer.text}"
    assert "text/html" in answer.headers["content-type"]
    page = Page(answer.status_code, str(answer.url))
    Reader(page).feed(answer.text)
    return page


def explorer(state: State[Any], moves: list[str], more: str = "") -> str:
    setup = "".join(f"{name}={value}&" for name, value in state.setup.items())
    return f"/explore/{state.game.slug}?{setup}moves={quote_plus(' '.join(moves))}{more}"


def positions(slug: str, seed: int, count: int) -> Iterator[tuple[State[Any], list[str]]]:
    """Positions from random play, by a written sequence, none of them over."""
    rng = random.Random(seed)
    while count:
        state, moves = ninefold.load(slug).start(rng=rng), list[str]()
        until = rng.randrange(12)
        while len(moves) < until and state.movers:
            move = rng.choice(state.moves(state.movers[0]))
            state, moves = state.play(move, state.movers[0]), [*moves, str(move)]
        if state.movers:
            count -= 1
            yield state, moves


# The explorer


@pytest.mark.parametrize("slug", SLUGS)
def test_the_explorer_stars_exactly_the_best_moves(server: Server, slug: str) -> None:
    for state, moves in positions(slug, seed=1, count=12):
        page = read(server, explorer(state, moves))
        rows = page.all("th", scope="row")
        starred = [row.text.partition(" ★")[0] for row in rows if "★" in row.text]
        best = [choice.move for choice in evaluate(state).choices if choice.best]
        assert sorted(starred) == sorted(say_move(state, move) for move in best)


@pytest.mark.parametrize("slug", SLUGS)
def test_each_link_on_the_board_has_the_tone_of_what_comes_of_it(server: Server, slug: str) -> None:
    tones = {Fraction(1): {"win"}, Fraction(0): {"loss"}}
    for state, moves in positions(slug, seed=1, count=30):
        seat = state.movers[0]
        after = {str(c.move): c for c in evaluate(state).choices if c.seat is seat}
        spots = {text: state.game.spot(choice.move) for text, choice in after.items()}
        number = next(spot.number if spot.cells else None for spot in spots.values())
        page = read(server, explorer(state, moves, "" if number is None else f"&number={number}"))
        alike = len(after) > 1 and len({choice.value for choice in after.values()}) == 1
        said = bool(page.all("p", id="alike"))
        assert said == (alike and not state.secret)  # then it is said once
        played = set()
        for link in (link for kind in ("cell", "line", "chip", "button") for link in page.all("a", kind)):
            query = parse_qs(urlsplit(link.attributes["href"]).query)
            texts = query.get("moves", [""])[0].split()
            if len(texts) == len(moves) + 1 and link.attributes.get("id", "")[:2] in ("c-", "n-", "m-"):
                played.add(texts[-1])
                choice = after[texts[-1]]
                chance = Fraction(worth(choice.value, seat).chance)
                assert bool(tones.get(chance, {"mixed", "endless"}) & link.classes) == (not said)
                if "button" not in link.classes:
                    assert ("best" in link.classes) == (choice.best and not said)
        shared = Counter((spot.number, spot.cells) for spot in spots.values())  # there a button decides
        alone = {text: spot for text, spot in spots.items() if shared[spot.number, spot.cells] == 1}
        assert played >= {text for text, spot in alone.items() if number in (spot.number, None)}


@pytest.mark.parametrize("slug", SLUGS)
def test_every_link_of_the_explorer_leads_somewhere(server: Server, slug: str) -> None:
    for state, moves in positions(slug, seed=3, count=2):
        for link in set(read(server, explorer(state, moves)).links()):
            answer = server.http.get(link, headers={"Accept": "text/html"}, follow_redirects=True)
            assert answer.status_code == 200, link


def test_a_number_and_a_cell_are_chosen_in_either_order(server: Server) -> None:
    start = "/explore/shadow?target=15"

    def follow(*ids: str) -> Page:
        page = read(server, start)
        for id in ids:
            page = read(server, page.one("a", id=id).attributes["href"])
        return page

    one, other = follow("n-5", "c-0-4"), follow("c-0-4", "n-5")
    assert one.address == other.address
    assert parse_qs(urlsplit(one.address).query)["moves"] == ["5@2,2"]
    half = follow("n-5")
    assert half.one("p", "status").text.endswith(": choose a cell.")
    assert half.one("a", id="n-5").attributes["href"] == start  # once more drops it
    assert half.one("a", id="n-5").attributes["aria-current"] == "true"


def test_both_seats_choose_in_a_challenge_and_both_mixtures_are_shown(server: Server) -> None:
    state = ninefold.load("conquest").start(size=3)
    state = state.game.sequence(state, ["claim:5", "claim:1", "challenge:1"])
    page = read(server, explorer(state, ["claim:5", "claim:1", "challenge:1"]))
    shares = [cell.text.split()[0] for cell in page.all("td", "share")]
    mixes = {(c.seat, str(c.move)): c.mix for c in evaluate(state).choices}
    wanted = [mixes[seat, f"bid:{number}"] for seat in SEATS for number in range(1, 6)]
    assert [float(share.rstrip("%")) for share in shares] == pytest.approx(
        [float(100 * (mix or 0)) for mix in wanted], abs=0.051
    )
    page = read(server, page.one("a", id="n-3").attributes["href"])
    assert "Player 2, your turn" in page.text
    page = read(server, page.one("a", id="n-2").attributes["href"])
    assert re.findall(r"\d+", page.all("li")[-1].text)[-2:] == ["3", "2"]  # a challenge is one row
    assert "Player 2, your turn" in page.text  # the challenge is over, and it is their turn


def test_the_end_of_a_game_shows_the_line_that_won(server: Server) -> None:
    page = read(server, "/explore/shadow?target=15&moves=5@2,2+7@1,2+6@1,1+1@1,3+4@3,3")
    assert page.one("p", "winner").text.split() == ["Player", "1", "wins."]
    assert {one.attributes["id"] for one in page.all("span", "won")} == {"c-0-0", "c-0-4", "c-0-8"}
    assert not page.all("a", "cell")


def test_a_setting_that_is_left_open_is_drawn_into_the_address(server: Server) -> None:
    drawn = {read(server, "/explore/battle?grid=").address for _ in range(4)}
    assert len(drawn) > 1
    assert all(re.search(r"\?grid=[1-9]{9}$", address) for address in drawn)
    assert read(server, "/explore/conquest").one("input", id="option-size").attributes["value"] == "3"


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/explore/battle?grid=12", "It must be the digits 1 to 9"),
        ("/explore/shadow?target=99", "It must be a whole number from 10 to 20"),
        ("/explore/shadow?target=15&moves=5@1,1+5@1,1", "is taken"),
        ("/explore/shadow?target=15&moves=x", "Move 1"),
        ("/explore/shadow?target=15&number=12", "No move here has the number"),
        ("/explore/shadow?target=15&cell=0-9", "No move here has the cell"),
        ("/explore/pattern?grid=1", "has no setting"),
        ("/explore/pattern?moves=" + "5@2,2+" * 501, "more than 500 moves"),
        ("/explore/shadow?target=%3Cb%3E", "<b>"),
    ],
)
def test_a_bad_address_is_refused_in_words_and_leaves_a_way_on(
    server: Server, address: str, words: str
) -> None:
    page = read(server, address, 422)
    assert words in page.one("p", "refusal").text
    assert page.all("a", "cell") or page.all("a", id="restart")


def test_there_is_a_list_of_the_games_and_no_other(server: Server) -> None:
    assert len(read(server, "/explore").all("article")) == len(SLUGS)
    read(server, "/explore/chess", 404)


# The review


@dataclass(frozen=True)
class Finished:
    table: Table
    states: Sequence[State[Any]]
    played: Sequence[Played]
    found: Review

    @property
    def texts(self) -> list[str]:
        return [str(one.move) for one in self.played]

    @property
    def said(self) -> list[str]:
        """The moves in words."""
        return [say_move(s, one.move) for s, one in zip(self.states, self.played, strict=False)]

    @property
    def turns(self) -> Sequence[Turn]:
        return group_turns(self.states, self.played)

    @property
    def deciding(self) -> Judged:
        assert self.found.deciding is not None
        return self.found.deciding

    def page(self, query: str = "", status: int = 200, **cookies: str) -> Page:
        return read(self.table.server, f"/m/{self.table.id}/review{query}", status, **cookies)


def random_game(start: State[Any], rng: random.Random) -> tuple[list[State[Any]], list[Played]]:
    states, played = [start], list[Played]()
    while states[-1].movers and not states[-1].dead:
        seat = states[-1].movers[0]
        played.append(Played(seat, rng.choice(states[-1].moves(seat))))
        states.append(states[-1].play(played[-1].move, seat))
    return states, played


def finished(
    server: Server,
    slug: str,
    setup: dict[str, int | str] | None = None,
    fits: Callable[[Review], bool] = lambda found: found.deciding is not None,
) -> Finished:
    """A match from random play whose review fits."""
    rng = random.Random(4)
    setup = SETUPS[slug] if setup is None else setup
    while True:
        states, played = random_game(ninefold.load(slug).set_up(setup), rng)
        outcome = states[-1].outcome
        found = None if outcome is None else review(states, played, outcome.winner.other)
        if found is not None and fits(found):
            table = server.create(slug, setup)
            match = Finished(table, states, played, found)
            table.play(*match.texts)
            return match


def decided_by_a_bid(found: Review) -> bool:
    return found.deciding is not None and str(found.deciding.move).startswith("bid")


@pytest.mark.parametrize("slug", SLUGS)
def test_a_review_tells_every_move_and_what_decided_it(server: Server, slug: str) -> None:
    match = finished(server, slug)
    page = match.page()
    rows = [one.text for one in page.all("a") if one.attributes.get("id", "").startswith("t-")]
    assert len(rows) == len(match.turns)
    for number, (turn, row) in enumerate(zip(match.turns, rows, strict=True), 1):
        told = match.said[turn.start].split()[-1] if turn.public else ""  # a row may be shorter
        assert row.strip().startswith(str(number))
        assert told in row
        assert ("decided it" in row) == (match.deciding in match.found.moves[turn.start : turn.stop])
    points = [count for count, state in enumerate(match.states) if not state.pending]
    mistakes = {one.number for one in match.found.mistakes()}
    wrong = [any(a < number <= b for number in mistakes) for a, b in pairwise([-1, *points])]
    assert ["wrong" in one.classes for one in page.all("circle")] == wrong
    margins = match.found.values[0].margin is not None  # where the result is certain, points are left
    assert ("Points given away: " in page.text) == margins
    for link in set(page.links()):
        assert server.http.get(link, follow_redirects=True).status_code == 200, link


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("eyes", ["first", "second", "spectator"])
def test_a_review_can_be_stepped_through_from_any_eyes(server: Server, slug: str, eyes: str) -> None:
    match = finished(server, slug)
    page = match.page(f"?at=0&eyes={eyes}")
    assert not page.all("a", id="previous")
    for number in range(1, len(match.turns) + 1):
        page = read(server, page.one("a", id="next").attributes["href"])
        assert f"{number} of {len(match.turns)}" in page.text
    assert not page.all("a", id="next")
    assert page.all("div", "ending")


@pytest.mark.parametrize("slug", SLUGS)
def test_no_review_tells_what_is_still_to_be_found(server: Server, slug: str) -> None:
    match = finished(server, slug)
    wrong = [one for one in match.found.moves if one.cost]
    assert match.deciding in wrong
    for one in wrong:
        page = match.page(f"?at={one.number}")
        assert page.one("a", id="find").attributes["href"].endswith(f"?find={one.number}")
        asked = match.page(f"?find={one.number}")
        for text in (page.text, asked.text):
            assert "Better:" not in text
            assert "winning move" not in text
        state = match.states[one.number - 1]
        told = " ".join(one.text for one in page.all("p", "status") + page.all("p", "news"))
        for best in {say_move(state, best) for best in one.best}.difference(match.said):
            assert not re.search(rf"\b{re.escape(best)}\b", told), (one, told)


@pytest.mark.parametrize("slug", SLUGS)
def test_players_are_you_in_their_own_review(server: Server, slug: str) -> None:
    match = finished(server, slug)
    for seat in SEATS:
        page = match.page(f"?at={match.deciding.number}", ninefold=match.table.tokens[seat])
        bars = [one.attributes["aria-label"] for one in page.all("div", "seat")]
        assert bars[1] == "You"
        assert bars[0] == match.table.seen()[str(seat.other)]["name"]
        moments = [one for one in page.all("a") if one.attributes.get("id", "").startswith("moment-")]
        mine = [one for one in match.found.moves if one.cost and one.seat is seat]
        assert [one.attributes["id"] for one in moments] == [f"moment-{one.number}" for one in mine]


def test_a_spectators_eyes_do_not_see_the_target_before_the_end(server: Server) -> None:
    match = finished(server, "shadow", {"target": 17})
    end = len(match.played)
    for number in range(end):
        text = match.page(f"?at={number}&eyes=spectator").text
        assert "17" not in re.findall(r"\d+", text)
        assert "secret until the end" in text
        assert "17" in re.findall(r"\d+", match.page(f"?at={number}&eyes=first").text)
    assert "17" in re.findall(r"\d+", match.page(f"?at={end}&eyes=spectator").text)


def test_a_number_that_is_not_revealed_is_seen_only_by_its_player(server: Server) -> None:
    match = finished(server, "conquest", fits=decided_by_a_bid)
    pending = [n for n, state in enumerate(match.states) if state.view(None).pending]
    assert pending
    for number in pending:
        (owner,) = match.states[number].view(None).pending
        for eyes in ("first", "second", "spectator"):
            page = match.page(f"?at={number}&eyes={eyes}")
            own, chosen = eyes == str(owner), match.said[number - 1]
            news = page.one("p", "status").text
            row = page.one("li", "here").text
            assert news.partition(" has chosen.")[2].startswith(f" It is {chosen};") == own
            assert ":" not in row.partition(": ")[2]  # the numbers come when both are in
            if not own:
                assert news.endswith(" has chosen.")
            explored = parse_qs(urlsplit(page.one("a", id="explore").attributes["href"]).query)
            assert explored["moves"] == [" ".join(match.texts[: number - 1])]


def test_a_deciding_number_is_hidden_from_viewers_who_cannot_see_it(server: Server) -> None:
    def waits(found: Review) -> bool:
        one = found.deciding
        return decided_by_a_bid(found) and one is not None and one.luck is None

    match = finished(server, "conquest", fits=waits)
    one = match.deciding
    for seat in SEATS:
        page = match.page(f"?at={one.number}&eyes={seat}")
        number = match.states[0].game.spot(one.move).number
        told = f"'s {number}" if seat is one.seat else "Secret choice"
        assert told in page.one("a", id=f"moment-{one.number}").text


def test_the_explorer_is_reached_though_the_defender_chose_first(server: Server) -> None:
    table = server.create("conquest", {"size": 2})
    table.play("claim:1", "claim:2", "challenge:2")
    assert table.move(SECOND, "bid:1", 3).status_code == 200
    assert table.move(FIRST, "bid:5", 3).status_code == 200
    table.play("claim:3", "claim:4")
    assert table.seen()["status"] == "over"
    page = read(server, f"/m/{table.id}/review?at=5&eyes=first")
    address = page.one("a", id="explore").attributes["href"]
    assert parse_qs(urlsplit(address).query)["moves"] == ["claim:1 claim:2 challenge:2 bid:5 bid:1"]
    read(server, address)


def test_a_player_looks_through_their_own_eyes(server: Server) -> None:
    assert not finished(server, "battle").page().all("nav", "eyes")  # everybody sees everything there
    match = finished(server, "shadow")
    for seat in SEATS:
        page = match.page(ninefold=match.table.tokens[seat])
        assert page.one("nav", "eyes")
        here = [one for one in page.all("a") if one.attributes.get("id", "").startswith("eyes-")]
        assert [bool(one.attributes.get("aria-current")) for one in here] == [
            seat is FIRST,
            seat is SECOND,
            False,
        ]


@pytest.mark.parametrize(
    ("slug", "fits"),
    [(slug, lambda found: found.deciding is not None) for slug in SLUGS]
    + [("conquest", decided_by_a_bid)],
)
def test_finding_the_better_move_takes_exactly_the_moves_that_keep_the_best_result(
    server: Server, slug: str, fits: Callable[[Review], bool]
) -> None:
    match = finished(server, slug, fits=fits)
    one = match.deciding
    state, find = match.states[one.number - 1], f"?find={one.number}"
    choices = [choice for choice in evaluate(state).choices if choice.seat is one.seat]
    for choice in choices:
        page = match.page(f"{find}&try={quote_plus(str(choice.move))}")
        right = "right" in page.all("p", "answer")[0].classes
        keeps = worth(choice.value, one.seat).chance == worth(choices[0].value, one.seat).chance
        assert right == keeps, choice.move
        assert bool(page.all("a", id="again")) == bool(page.all("a", id="show")) == (not right)
        if right:
            assert stands(page, state, choice.move)
    assert "answer" not in {name for tag in match.page(find).all("p") for name in tag.classes}
    shown = match.page(f"{find}&show=1").all("p", "answer")[0].text
    assert shown.removeprefix("The answer. ").startswith(
        (capitalize(say_move(state, one.best[0])), "Mix your numbers: ")
    )


def stands(page: Page, state: State[Any], move: Any) -> bool:
    """Whether the board shows the move as the last one, or the hand the number chosen in secret."""
    spot = state.game.spot(move)
    if state.secret:
        return [one.text for one in page.all("span", "secret")] == [str(spot.number)]
    marked = {one.attributes["id"].partition("-")[2] for one in page.all("span", "last")}
    cells = {cell for id in marked for cell in id.partition("-")[2].split(".")}
    return cells >= set(map(str, spot.cells))


def test_a_puzzle_is_tried_by_its_links(server: Server) -> None:
    match = finished(server, "shadow")
    one = match.deciding
    spot = match.states[0].game.spot(one.best[0])
    page = match.page(f"?find={one.number}")
    for id in (f"n-{spot.number}", f"c-0-{spot.cells[0]}"):
        page = read(server, page.one("a", id=id).attributes["href"])
    assert "right" in page.all("p", "answer")[0].classes


def test_a_resigned_match_is_reviewed_as_far_as_it_is_open(server: Server) -> None:
    def shown(number: int) -> list[str]:
        """The review for every pair of eyes, without what differs between any two matches."""
        table = server.create("conquest", {"size": 3})
        table.play("claim:1", "claim:2", "challenge:2", f"bid:{number}")
        assert table.post("/resign", FIRST).status_code == 200
        pages = [read(server, f"/m/{table.id}/review?eyes={eyes}") for eyes in (*SEATS, "spectator")]
        return [page.text.replace(table.id, "ID") for page in pages]

    found = shown(4)
    assert found == shown(5)  # a number that was never revealed is told to nobody
    assert all("3 of 3" in text and "Player 1 resigned." in text for text in found)


def test_a_match_without_a_move_is_reviewed_too(server: Server) -> None:
    table = server.create("shadow")
    assert table.post("/resign", FIRST).status_code == 200
    page = read(server, f"/m/{table.id}/review?eyes=spectator")
    assert "0 of 0" in page.text
    assert (
        page.one("span", "badge").text == f"Target {SETUPS['shadow']['target']}"
    )  # it is over, so everybody may know
    assert "no mistake" in read(server, f"/m/{table.id}/review?find=1", 422).text


def test_a_match_in_play_is_not_reviewed(server: Server) -> None:
    table = server.create("battle")
    page = read(server, f"/m/{table.id}/review", 409)
    assert page.links() == [f"/m/{table.id}"]
    assert read(server, "/m/nothing/review", 404)


@pytest.mark.parametrize(
    "query", ["?at=99", "?at=-1", "?at=x", "?at=²", "?eyes=third", "?find=1&try=x", "?find=1&number=7"]
)
def test_a_bad_address_of_a_review_gets_a_sentence(server: Server, query: str) -> None:
    match = finished(server, "battle")
    page = match.page(query, 422)
    assert re.search(r"[a-z]{3,}.*[.]", page.text)


def test_the_record_can_be_downloaded_from_the_review(server: Server) -> None:
    match = finished(server, "cross")
    (link,) = [one for one in match.page().all("a") if "download" in one.attributes]
    answer: httpx.Response = server.http.get(link.attributes["href"])
    assert [move["move"] for move in answer.json()["moves"]] == match.texts
    assert seat_named(answer.json()["moves"][0]["seat"]) is FIRST
