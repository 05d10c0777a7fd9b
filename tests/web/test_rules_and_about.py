"""The pages to read: the rules of every game with its example, and what is known exactly."""

from __future__ import annotations

import asyncio
import html
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlsplit

import pytest

import ninefold
from ninefold import SEATS, SLUGS, Game, Seat, every_game, load
from ninefold.analysis import evaluate
from ninefold.analysis.evaluation import Result, Value
from ninefold.analysis.solve import Solved, Survey, solve
from ninefold.core.cast import Cast
from ninefold.core.turns import ends_turn
from ninefold.show import solutions
from ninefold.show.endings import ending_of
from ninefold.show.examples import example_match
from ninefold.show.moves import say_move, tell_last
from ninefold.show.solutions import meaning, result
from ninefold.web.jobs import Jobs, Lane
from ninefold.web.page import about as about_page
from ninefold.web.page import rules
from ninefold.web.page.about import Solutions
from ninefold.web.page.explorer import position_url
from tests.web.support import PATIENCE, Server, wait_for

T = TypeVar("T")
games = pytest.mark.parametrize("game", every_game(), ids=SLUGS)


def text_of(page: str) -> str:
    """What a page says, without its tags."""
    body = page[page.index("<main") : page.index("</main>")]
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", body)).split())


def said(sentence: str) -> str:
    return " ".join(sentence.split())


def read(server: Server, path: str) -> str:
    answer = server.get(path, headers={"Accept": "text/html"})
    assert answer.status_code == 200, answer.text
    return answer.text


def link(page: str, id: str) -> str | None:
    """Where the link of that id leads."""
    found = re.search(rf'<a [^>]*id="{id}" href="([^"]*)"', page)
    return None if found is None else html.unescape(found[1])


# The rules


def test_the_list_has_every_game_with_its_summary(server: Server) -> None:
    page = read(server, "/rules")
    for game in every_game():
        assert game.title in text_of(page)
        assert game.summary in text_of(page)
        assert f'href="/rules/{game.slug}"' in page
        assert f'href="/explore/{game.slug}"' in page


def rulings(game: Game) -> list[str]:
    """The rulings as they are written, without the marks of Markdown."""
    _, _, written = game.rules.partition("## Rulings\n")
    return [re.sub(r"[*`]", "", said(one)) for one in written.split("\n- ")]


@games
def test_the_rules_are_all_there_and_nothing_of_them_is_markdown(server: Server, game: Game) -> None:
    page = read(server, f"/rules/{game.slug}")
    shown = text_of(page)
    for ruling in rulings(game):
        assert ruling.removeprefix("- ") in re.sub(r" ([.,:;])", r"\1", shown)
    for title in re.findall(r"^## (.*)", game.rules, flags=re.MULTILINE):
        assert re.search(rf"<h2[^>]*>{title}</h2>", page)
    assert not re.search(r"[*`]|##", shown)
    assert re.findall(r"<h1[^>]*>([^<]*)</h1>", page) == [game.title]


def test_html_in_rules_would_be_shown_as_text() -> None:
    (chapter,) = rules.split_chapters("A <script>alert(1)</script>")
    assert chapter.text == "<p>A &lt;script&gt;alert(1)&lt;/script&gt;</p>\n"


@games
def test_a_match_can_be_started_from_the_rules(server: Server, game: Game) -> None:
    page = read(server, f"/rules/{game.slug}")
    assert f'action="/new/{game.slug}"' in page
    for against in ("computer", "friend", "here"):
        assert f'name="against" value="{against}"' in page
    answer = server.http.post(f"/new/{game.slug}", data={"against": "here"})
    assert (answer.status_code, answer.headers["location"][:3]) == (303, "/m/")


@pytest.mark.parametrize("against", ["computer", "friend", "here"])
def test_who_moves_first_is_drawn_unless_it_was_chosen(server: Server, against: str) -> None:
    def seats(**fields: str) -> set[str]:
        found = set()
        for _ in range(5 if fields.get("side") in ("first", "second") else 30):
            form = {"against": against, "name": "Ann", "other": "Ben", **fields}
            answer = server.http.post("/new/battle", data=form)
            info = server.http.get(
                f"/api/v1/matches/{answer.headers['location'].rpartition('/')[2]}"
            ).json()
            found.add("first" if info["first"]["name"] == "Ann" else "second")
        return found

    assert seats() == seats(side="draw") == seats(side="nonsense") == {"first", "second"}
    assert seats(side="first") == {"first"}
    assert seats(side="second") == {"second"}
    assert seats(side="draw") == {"first", "second"}


def test_there_are_no_rules_of_a_game_that_does_not_exist(server: Server) -> None:
    assert server.get("/rules/chess").status_code == 404


# The example


def news(game: Game) -> Iterator[str]:
    """The sentences on the moves of the example, as a player hears them."""
    start = game.set_up(game.example.setup)
    states, played = game.replay(start, [text for text, _ in game.example.moves])
    for count in range(1, len(played) + 1):
        yield tell_last(states[: count + 1], played[:count], Seat.FIRST, Cast(game.example.names))


@games
def test_every_step_of_the_example_has_its_move_and_a_remark(server: Server, game: Game) -> None:
    for step, ((_, word), sentence) in enumerate(zip(game.example.moves, news(game), strict=True), 1):
        shown = text_of(read(server, f"/rules/{game.slug}?step={step}"))
        assert f"{said(sentence)} {said(word)}" in shown
        assert f"{step} of {len(game.example.moves)}" in shown


@games
def test_the_start_of_the_example_is_without_a_move_and_its_end_with_the_announcement(
    server: Server, game: Game
) -> None:
    end = game.sequence(game.set_up(game.example.setup), [text for text, _ in game.example.moves])
    announced = ending_of(game.words, end.view(Seat.FIRST), Cast(game.example.names))
    last = text_of(read(server, f"/rules/{game.slug}?step={len(game.example.moves)}"))
    start = text_of(read(server, f"/rules/{game.slug}"))
    assert str(announced) in last
    starter = game.starter
    assert ("Both choose." if starter is None else f"{game.example.names[starter]} moves first.") in start
    assert announced.headline not in start


@games
def test_the_example_is_walked_through_by_links_and_back(server: Server, game: Game) -> None:
    page, last = read(server, f"/rules/{game.slug}"), len(game.example.moves)
    assert (link(page, "step-first"), link(page, "step-back")) == (None, None)
    whole = example_match(game)
    ends = [k for k in range(1, last + 1) if ends_turn(whole.states[k - 1], whole.states[k])]
    rows = re.findall(r'id="move-(\d+)" href="([^"]*)"', page)
    assert rows == [(str(end), f"/rules/{game.slug}?step={end}#example") for end in ends]
    for step in range(1, last + 1):
        address = link(page, "step-next")
        assert address == f"/rules/{game.slug}?step={step}#example"
        page = read(server, address)
        assert link(page, "step-back") == f"/rules/{game.slug}?step={step - 1}#example"
    assert (link(page, "step-next"), link(page, "step-last")) == (None, None)


@games
def test_the_explorer_is_entered_at_exactly_the_step(server: Server, game: Game) -> None:
    moves = [text for text, _ in game.example.moves]
    for step in range(len(moves) + 1):
        address = link(read(server, f"/rules/{game.slug}?step={step}"), "explore")
        assert address is not None
        query = dict(parse_qsl(urlsplit(address).query))
        played = query.pop("moves", "").split()
        setup: dict[str, int | str] = dict(query)
        expected = game.sequence(game.set_up(game.example.setup), moves[:step])
        assert urlsplit(address).path == f"/explore/{game.slug}"
        assert game.sequence(game.set_up(setup), played) == expected
        assert read(server, address)


@games
def test_nothing_in_the_example_can_be_pressed_to_move(server: Server, game: Game) -> None:
    for step in range(len(game.example.moves) + 1):
        page = read(server, f"/rules/{game.slug}?step={step}")
        assert 'name="spot"' not in page
        assert 'name="number"' not in page


def test_the_reader_sees_what_the_players_agreed_on(server: Server) -> None:
    for game in every_game():
        page = text_of(read(server, f"/rules/{game.slug}?step=1"))
        assert "secret until the end" not in page
        for name, value in game.example.setup.items():
            if isinstance(value, int):
                assert f"{name.capitalize()} {value}" in page


def test_the_reader_sees_the_numbers_of_both_players(server: Server) -> None:
    hands = [game for game in every_game() if "hand" in game.words.panels]
    assert hands
    for game in hands:
        for step in range(len(game.example.moves) + 1):
            page = text_of(read(server, f"/rules/{game.slug}?step={step}"))
            assert all(f"{name}: {game.words.panels['hand']}" in page for name in game.example.names)


@pytest.mark.parametrize("step", ["{past}", "999999999999", "-1", "x", "", "1.0", "٣", "%00"])
def test_a_step_that_the_example_does_not_have_gets_a_sentence(server: Server, step: str) -> None:
    last = len(load("shadow").example.moves)
    address = "/rules/shadow?step=" + step.format(past=last + 1)
    answer = server.get(address, headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert f"has the steps 0 to {last}." in text_of(answer.text)


# What is known exactly


@pytest.fixture(scope="module")
def about(server: Server) -> str:
    """The page once everything is known. Until then it asks the browser to come again."""

    def complete() -> bool:
        answer = server.get("/about")
        assert answer.status_code == 200
        working = "Still being worked out" in answer.text
        assert ("refresh" in answer.headers) == working
        return not working

    wait_for(complete, "everything to be solved", 120)
    return read(server, "/about")


def section(about: str, game: Game) -> str:
    found = re.search(rf'<section [^>]*aria-labelledby="g-{game.slug}">.*?</section>', about, re.DOTALL)
    assert found is not None
    return found[0]


def cells(about: str, game: Game) -> list[list[str]]:
    """The rows of a game's table, as text."""
    rows = re.findall(r"<tr[^>]*>(<th scope=.row.*?)</tr>", section(about, game))
    found = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in rows]
    return [[said(html.unescape(re.sub(r"<[^>]*>", "", cell))) for cell in row] for row in found]


@games
def test_the_rows_are_what_the_solver_says_and_each_setup_leads_to_the_explorer(
    about: str, game: Game
) -> None:
    assert f'href="/explore/{game.slug}"' in section(about, game)
    found = list(solve(game, {}))
    for row, solved in zip(cells(about, game), found, strict=True):
        name, value, moves, openings, positions = row
        assert name == (solutions.setup_name(solved) or "the start")
        assert value == solutions.result(solved)
        assert moves == ("\u2013" if solved.plies is None else str(solved.plies))
        assert openings == first_moves(solved)
        assert positions == f"{solved.positions:,}"
    links = re.findall(r'<th scope="row"><a href="([^"]*)"', section(about, game))
    alone = [solved.setup for solved in found if solved.survey is None]
    assert links == [html.escape(position_url("", game, setup, ())) for setup in alone]
    assert said(meaning(found)) in text_of(about)


def first_moves(solved: Solved) -> str:
    """The best first moves, if it matters which is made."""
    if solved.survey is not None:
        return f"depends on the {solved.game.options[0].name}"
    start = solved.game.set_up(solved.setup)
    found = evaluate(start)
    best = [say_move(start, choice.move) for choice in found.choices if choice.best]
    if found.first_wins == (solved.game.starter is Seat.SECOND):
        return "all lose"
    return "any" if len(best) == len(found.choices) else ", ".join(best)


def test_the_page_says_which_version_this_is(about: str) -> None:
    assert f"Ninefold {ninefold.__version__}, free under the MIT license." in text_of(about)


# The words are made from the figures


def won(game: str, setup: dict[str, int | str], result: Result, plies: int = 9) -> Solved:
    found = load(game)
    value = Value(result, Fraction(result is Result.FIRST), plies)
    return Solved(found, setup, value, found.moves[:1], False, 10, 0.1)


def mixed(size: int, chance: Fraction) -> Solved:
    game = load("conquest")
    value = Value(Result.MIXED, chance)
    return Solved(game, {"size": size}, value, game.moves[:1], False, 10, 0.1)


def test_one_winner_in_every_setup() -> None:
    found = [won("shadow", {"target": target}, Result.FIRST) for target in (10, 11)]
    assert meaning(found) == (
        "Whoever moves first can always win, whatever the target. When one side plays for the quickest "
        "win and the other holds out, it takes 9 moves. Which first moves are best depends on the "
        "target. If you can choose, move first."
    )


def test_different_winners_are_listed_setup_by_setup_without_advice() -> None:
    found = [
        won("shadow", {"target": 10}, Result.FIRST, 7),
        won("shadow", {"target": 11}, Result.SECOND, 9),
    ]
    assert meaning(found).startswith(
        "Who wins depends on the target. Target 10: first wins; target 11: second wins."
    )
    assert "takes" not in meaning(found)
    assert "choose" not in meaning(found)


def test_a_chance_is_given_as_a_percentage() -> None:
    assert "wins 25% of the time. " in meaning([mixed(2, Fraction(1, 4))])
    both = meaning([mixed(2, Fraction(1, 4)), mixed(3, Fraction(2, 5))])
    assert " wins 25% to 40% of the time, depending on the size." in both
    assert both.endswith("If you can choose, move second.")
    assert "choose, move" not in meaning([mixed(2, Fraction(1, 2))])


def test_a_game_without_an_end_has_no_winner_and_no_advice() -> None:
    (solved,) = solve(load("pattern"), {})
    endless = replace(solved, value=Value(Result.ENDLESS, None))
    assert meaning([endless]) == (
        "Neither player can force a win: with best play, the game never ends. Of 81 first moves, "
        f"{len(solved.openings)} are best."
    )
    assert result(endless) == "endless"


def test_grids_that_differ_are_counted() -> None:
    (solved,) = solve(load("cross"), {})
    found = replace(solved, survey=Survey(100, Fraction(40), {-2: 60, 4: 40}, positions=1))
    assert meaning([found]).startswith(
        "Who wins depends on the grid: whoever moves first wins on 40 of 100 (40%), whoever moves second "
        "on the rest. With best play, the first player's margin ranges from -2 to 4 points."
    )
    assert meaning([found]).endswith("If you can choose, move second.")


def test_when_every_first_move_is_as_good_that_is_said() -> None:
    (solved,) = solve(load("conquest"), {"size": 2})
    assert "No first move is better than another." in meaning([solved])
    assert "No first move" not in meaning([replace(solved, any_opening=False)])


# Working it out


class InThreads(Jobs):
    """Does jobs in threads of the test, where it can see them."""

    async def run(self, lane: Lane, work: Callable[..., T], *given: Any) -> T:
        assert lane is Lane.NOBODY
        return await asyncio.to_thread(work, *given)


def test_the_games_are_solved_once_and_appear_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    going = threading.Event()

    def slowly(game: Game, setup: dict[str, int | str]) -> Iterator[Solved]:
        asked.append(game.slug)
        yield won("shadow", {"target": 10}, Result.FIRST)
        assert going.wait(PATIENCE)
        yield won("shadow", {"target": 11}, Result.FIRST)

    monkeypatch.setattr(about_page, "solve", slowly)
    known = Solutions()

    async def work() -> None:
        for _ in range(3):
            known.begin(InThreads())
        while asked != [*SLUGS][:1]:
            await asyncio.sleep(0)
        assert (known.found, known.complete) == ({}, False)
        going.set()
        while not known.complete:
            await asyncio.sleep(0)

    asyncio.run(work())
    assert asked == [*SLUGS] == [*known.found]
    assert {len(found) for found in known.found.values()} == {len(SEATS)}


def test_a_solver_that_fails_is_not_asked_forever(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(game: Game, setup: dict[str, int | str]) -> Iterator[Solved]:
        raise RuntimeError(game.slug)

    monkeypatch.setattr(about_page, "solve", broken)
    known = Solutions()

    async def work() -> None:
        known.begin(InThreads())
        while not known.complete:
            await asyncio.sleep(0)

    asyncio.run(work())
    assert known.found == dict.fromkeys(SLUGS, ())
    assert all(f"could not solve {slug}" in caplog.text for slug in SLUGS)
