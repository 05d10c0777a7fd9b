"""Puzzles on the page and in the API: answers are judged, and nothing tells the right one too soon."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import count
from typing import Any, cast
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from starlette.requests import Request

from ninefold.core.move import Move
from ninefold.games import every_game
from ninefold.show.puzzles import cast_for, explain_line
from ninefold.study.puzzles import (
    Asks,
    Puzzle,
    Task,
    Theme,
    daily,
    find_seed,
    puzzle,
    puzzle_data,
    question_data,
)
from ninefold.study.puzzles.labels import Label, read_day, read_label
from ninefold.study.puzzles.making import grades_of
from ninefold.web.jobs import Lane
from ninefold.web.page import puzzles
from ninefold.web.page.daily import Today, make_card
from tests.study.puzzles.test_puzzles import TASKS
from tests.study.puzzles.test_solving import answers_of as answers
from tests.web.support import API, Server, got
from tests.web.test_studies import read

DAY = "2026-01-16"
every_task = pytest.mark.parametrize(("game", "task"), TASKS)


def wrong_answer(found: Puzzle) -> str:
    if found.task.asks is Asks.NUMBER:
        return str(next(n for n in (10, 20) if str(n) != str(found.answers[0])))
    if found.task.asks is Asks.OPTION:
        return next(option.key for option in found.options if option not in found.answers)
    moves = found.state.moves(found.seat)
    if found.task is Task.MIX:
        return " ".join(map(str, moves))
    return next(str(move) for move in moves if move not in found.answers)


@every_task
def test_the_api_asks_judges_and_tells_the_answer_only_in_the_end(
    server: Server, game: str, task: str
) -> None:
    found, path = puzzle(game, 2, task), f"{API}/puzzles/{game}/2"
    asked = got(server.get(path, query={"task": task}))
    assert {name: asked[name] for name in question_data(found)} == question_data(found)
    assert (asked["verdict"], asked["path"], asked["answer"]) == ("open", [], None)
    wrong = got(server.get(path, query={"task": task, "given": wrong_answer(found)}))
    assert (wrong["verdict"], wrong["answer"]) == ("wrong", None)
    assert wrong["text"]
    solved = got(server.get(path, query={"task": task, "given": answers(found)}))
    assert (solved["verdict"], solved["answer"]) == ("solved", puzzle_data(found))
    shown = got(server.get(path, query={"task": task, "show": "1"}))
    assert (shown["verdict"], shown["answer"]) == ("open", puzzle_data(found))


def test_the_api_has_the_puzzle_of_every_day(server: Server) -> None:
    asked = got(server.get(f"{API}/puzzles/{DAY}"))
    found = daily(read_day(DAY))
    assert (asked["label"], asked["game"]) == (DAY, found.game)
    assert asked["moves"] == [str(move) for move in found.moves]


@pytest.mark.parametrize(
    "path",
    [
        *("yesterday", "2026-13-01", "chess/1", "cross/1?task=mix", "cross/1?grade=x", "cross/a%20b"),
        "cross/1?task=count&given=nonsense",
    ],
)
def test_what_is_not_there_is_refused_with_a_sentence(server: Server, path: str) -> None:
    answer = server.get(f"{API}/puzzles/{path}")
    assert answer.status_code == 422
    assert answer.json()["detail"].endswith(".")
    assert read(server, f"/puzzle/{path}", status=422)


@every_task
def test_a_puzzle_is_played_through_on_the_page_without_a_script(
    server: Server, game: str, task: str
) -> None:
    found, path = puzzle(game, 2, task), f"/puzzle/{game}/{find_seed(game, 2, task)}"
    page = read(server, path)
    assert page.one("main").attributes["data-result"] == "open"
    wrong = wrong_answer(found)
    page = read(server, f"{path}?{urlencode({'given': wrong})}")
    assert (page.one("main").attributes["data-result"], page.one("main").attributes["data-wrong"]) == (
        "wrong",
        wrong,
    )
    assert page.one("a", id="again").attributes["href"] == path
    page = read(server, f"{path}?{urlencode([('given', one) for one in answers(found)])}")
    assert page.one("main").attributes["data-result"] == "solved"
    assert page.one("a", id="explore").attributes["href"].startswith(f"/explore/{game}")
    read(server, page.one("a", id="explore").attributes["href"])
    page = read(server, f"{path}?show=1")
    assert page.one("main").attributes["data-result"] == "shown"


def test_the_forms_of_a_number_an_option_and_a_mixture_are_understood(server: Server) -> None:
    for slug, task in (("battle", "count"), ("conquest", "shares"), ("cross", "last")):
        seed = find_seed(slug, 3, task)
        page = read(server, f"/puzzle/{slug}/{seed}")
        (answer,) = puzzle(slug, seed).answers
        fields = [one for one in page.all("input") if one.attributes.get("name") == "given"]
        assert {one.attributes["type"] for one in fields} == {"number" if task == "count" else "radio"}
        page = read(server, f"/puzzle/{slug}/{seed}?given={answer}")
        assert page.one("main").attributes["data-result"] == "solved"
    (margin,) = puzzle("battle", seed := find_seed("battle", 3, "count")).answers
    winner = "computer" if str(margin).startswith("-") else "you"
    page = read(server, f"/puzzle/battle/{seed}?winner={winner}&given={str(margin).lstrip('-')}")
    assert page.one("main").attributes["data-result"] == "solved"
    seed = find_seed("conquest", 3, "mix")
    mix = puzzle("conquest", seed)
    picked = urlencode([("pick", one) for one in str(mix.answers[0]).replace("bid:", "").split()])
    page = read(server, f"/puzzle/conquest/{seed}?{picked}")
    assert page.one("main").attributes["data-result"] == "solved"


def test_all_puzzles_lead_to_that_of_the_day_and_to_one_of_each_game(server: Server) -> None:
    page = read(server, "/puzzle")
    assert read(server, page.one("a", id="today").attributes["href"])
    page = read(server, "/puzzle/shadow?task=win&grade=2&theme=")
    assert "/puzzle/shadow/" in page.address
    assert "Grade 2 of 9" in page.text
    assert any(link.startswith("/puzzle") for link in read(server, "/").links("button"))


@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.long)])
def test_every_choice_that_is_offered_leads_to_a_puzzle_of_its_kind(server: Server, step: int) -> None:
    """Every grade, theme and task on the page, with every grade of a task; each `step`th is followed."""
    page = read(server, "/puzzle")
    links = {link for link in page.links() if link.startswith("/puzzle/") and "?" in link}
    offered = {(game.slug, grade) for game in every_game() for grade in grades_of(game)}
    asked = []
    for place, link in enumerate(sorted(links)):
        game, query = urlsplit(link).path.rpartition("/")[2], dict(parse_qsl(urlsplit(link).query))
        asked.append((game, query))
        if place % step:
            continue
        found = read_label(read(server, link).address.partition("/puzzle/")[2]).find()
        assert found.game == game
        assert query.get("task", found.task) == found.task
        assert int(query.get("grade", found.grade)) == found.grade
        assert query.get("theme") in (None, *found.themes)
    assert {(game, int(one["grade"])) for game, one in asked if one.keys() == {"grade"}} == offered
    themes = {(game.slug, theme) for game in every_game() for theme in game.puzzles.themes}
    assert {(game, one["theme"]) for game, one in asked if "theme" in one} == themes
    tasks = {(game.slug, str(one.task)) for game in every_game() for one in game.puzzles.sources}
    assert {(game, one["task"]) for game, one in asked if "task" in one} == tasks


def test_a_theme_is_told_only_once_the_puzzle_is_solved(server: Server) -> None:
    seed = find_seed("shadow", 3, theme="double threat")
    found, path = puzzle("shadow", seed), f"/puzzle/shadow/{seed}"
    wrong = urlencode({"given": wrong_answer(found)})
    for query in ("", "?hint=2", f"?{wrong}", f"?{urlencode({'given': str(found.solution[0])})}"):
        assert "double threat" not in read(server, path + query).text
    solved = read(server, f"{path}?{urlencode([('given', one) for one in answers(found)])}")
    assert "double threat" in solved.text
    another = parse_qsl(urlsplit(solved.one("a", id="another").attributes["href"]).query)
    assert dict(another) == {"task": "win", "grade": "2", "theme": "double threat"}


def test_a_win_goes_on_to_the_end_of_the_solution_against_the_best_defense(server: Server) -> None:
    seeds = (find_seed("shadow", number, "win", 2) for number in count())
    seed = next(seed for seed in seeds if len(puzzle("shadow", seed).solution) > 2)
    found, given = puzzle("shadow", seed), list[str]()
    for played in range(0, len(found.solution), 2):
        page = read(server, f"/puzzle/shadow/{seed}?{urlencode([('given', one) for one in given])}")
        assert page.one("main").attributes["data-result"] == "open"
        reached = found.state.game.sequence(found.state, found.solution[:played])
        numbers = [cell.number for cell in reached.view(None).boards[0].cells if cell.number]
        cells = [one.text for one in page.all("span", "number")][: len(numbers)]
        assert sorted(cells) == sorted(map(str, numbers))
        given.append(str(found.solution[played]))
    page = read(server, f"/puzzle/shadow/{seed}?{urlencode([('given', one) for one in given])}")
    assert page.one("main").attributes["data-result"] == "solved"
    assert len(page.all("span", "won")) == 3


@every_task
def test_hints_narrow_down_the_next_move(server: Server, game: str, task: str) -> None:
    """The first leaves several cells or lines, the right one among them; the second names the number."""
    seed = find_seed(game, 2, task)
    found = puzzle(game, seed)
    page = read(server, f"/puzzle/{game}/{seed}")
    clues = [one for one in page.elements if one.attributes.get("id", "").startswith("hint-")]
    assert bool(clues) == (found.task.asks is Asks.MOVES and not found.state.secret)
    if not clues:
        return
    spot = found.state.game.spot(found.solution[0])
    board = int(found.seat) if len(found.state.view(found.seat).boards) > 1 else 0
    right = f"c-{board}-{'.'.join(map(str, spot.cells))}"
    page = read(server, page.one("a", id="hint-1").attributes["href"])
    ringed = [one.attributes["id"] for one in page.all("a", "hinted")]
    assert right in ringed
    assert "Hint:" in page.one("p", "hinting").text
    if len(clues) > 1:
        page = read(server, page.one("a", id="hint-2").attributes["href"])
        assert [one.attributes["id"] for one in page.all("a", "hinted")] != ringed
        assert f"Use the {spot.number}." in page.one("p", "hinting").text


def test_the_calendar_has_every_day_of_a_month_that_has_come(server: Server) -> None:
    page = read(server, "/puzzle?month=2024-02")
    days = [one.attributes["href"] for one in page.all("a") if "data-day" in one.attributes]
    assert days == [f"/puzzle/2024-02-{day:02}" for day in range(1, 30)]
    before, after = (page.one("a", id=id).attributes["href"] for id in ("earlier", "later"))
    assert (before, after) == ("/puzzle?month=2024-01", "/puzzle?month=2024-03")
    assert not read(server, "/puzzle").all("a", id="later")
    assert not read(server, "/puzzle?month=2000-01").all("a", id="earlier")
    for text in ("2999-01", "2024-13", "x"):
        assert read(server, f"/puzzle?month={text}", status=422).one("p", "refusal").text.endswith(".")


def test_a_wish_leads_to_the_one_address_of_a_puzzle(server: Server) -> None:
    page = read(server, "/puzzle/cross/5?task=least")
    assert page.address.endswith(f"/puzzle/cross/{find_seed('cross', 5, 'least')}")
    asked = got(server.get(f"{API}/puzzles/cross/5", query={"task": "least"}))
    assert asked["label"] == f"cross/{find_seed('cross', 5, 'least')}"


def test_a_day_that_has_not_come_is_closed(server: Server) -> None:
    for path in (f"{API}/puzzles/2999-12-31", "/puzzle/2999-12-31"):
        answer = server.get(path)
        assert answer.status_code == 422
        assert "opens on that day" in answer.text


def test_progress_from_elsewhere_is_read_without_a_script(server: Server) -> None:
    text = "ninefold-puzzles-1 2026-01-16;solved cross/5-2;open;Row1"
    page = read(server, f"/puzzle?{urlencode({'progress': text})}")
    assert page.one("section", id="carried").attributes["data-progress"] == text
    assert "Solved so far: 1." in page.text
    assert read(server, f"/puzzle?{urlencode({'progress': 'nonsense'})}", status=422)


def shown(monkeypatch: pytest.MonkeyPatch, found: Puzzle, query: str) -> bytes:
    """The bytes of the page of a puzzle, put in the place of the one that is asked for."""
    monkeypatch.setattr(Label, "find", lambda _: found)
    scope: dict[str, Any] = {
        "type": "http",
        "method": "GET",
        "path": "/puzzle/x",
        "query_string": query.encode(),
        "headers": [(b"host", b"test")],
        "path_params": {"game": found.game, "seed": "1"},
        "root": "",
    }
    return bytes(puzzles._render(Request(scope)).body)


@every_task
def test_nothing_on_the_page_depends_on_the_answer_until_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, game: str, task: str
) -> None:
    """Change the secret, and the bytes are the same."""
    found = puzzle(game, 4, task)
    other = replace(
        found,
        answers=(Move(),),
        solution=(Move(), Move()),  # both choices, where both choose in secret
        chances={1: Fraction(1, 7)},
        themes=tuple(Theme),
    )
    assert shown(monkeypatch, found, "") == shown(monkeypatch, other, "")
    assert shown(monkeypatch, found, "") != shown(monkeypatch, found, "show=1")
    assert question_data(found) == question_data(other)


def test_the_refutation_stands_on_the_board(server: Server) -> None:
    found = puzzle("shadow", 3, grade=2)
    wrong = wrong_answer(found)
    seed = find_seed("shadow", 3, grade=2)
    page = read(server, f"/puzzle/shadow/{seed}?{urlencode({'given': wrong})}")
    asked = got(server.get(f"{API}/puzzles/shadow/{seed}", query={"given": wrong}))
    path = [found.state.game.parse(text) for text in asked["path"]]
    end = found.state.game.sequence(found.state, path)
    numbers = [cell.number for cell in end.view(None).boards[0].cells if cell.number]
    told = [one.text for one in page.all("span", "number")]
    assert sorted(told[: len(numbers)]) == sorted(map(str, numbers))
    assert all(said in page.text for said in explain_line(found.state, path, cast_for(found)))


def test_every_page_leads_to_the_puzzles_and_says_where_it_is(server: Server) -> None:
    for path, marked in (
        ("/", []),
        ("/rules", ["/rules"]),
        ("/puzzle", ["/puzzle"]),
        (f"/puzzle/{DAY}", ["/puzzle"]),
    ):
        (nav,) = re.findall(r'<nav aria-label="Pages">(.*?)</nav>', server.get(path).text, re.DOTALL)
        links = dict(re.findall(r'href="(/\w+)"( aria-current="page")?', nav))
        assert tuple(links) == ("/games", "/learn", "/puzzle", "/rules", "/explore", "/about"), path
        assert [address for address, current in links.items() if current] == marked


def test_a_card_has_the_board_the_weekday_and_the_grade_of_its_day() -> None:
    card, found = make_card(read_day(DAY)), daily(read_day(DAY))
    assert (card.title, card.when, card.grade) == ("Friday's puzzle", "Friday, January 16", found.grade)
    assert [str(day) for day in card.week] == [f"2026-01-{day}" for day in range(10, 17)]
    cells = [cell for board in found.state.view(found.seat).boards for cell in board.cells]
    shown = [part for grid in card.scene.drawing.grids for row in grid.rows for part in row]
    assert [part.text for part in shown] == [
        "" if one.number is None else str(one.number) for one in cells
    ]
    assert not any(part.moves for part in shown)


def test_no_page_waits_long_for_the_card_of_the_day() -> None:
    async def ask() -> None:
        gate, asked = asyncio.Event(), []

        class Jobs:
            async def run(self, lane: Lane, work: Callable[..., Any], *given: Any) -> Any:
                asked.append(given)
                await gate.wait()
                return work(*given)

        cards, jobs = Today(), cast(Any, Jobs())
        assert await cards.find(jobs, 0) is None
        assert await cards.find(jobs, 0) is None
        gate.set()
        found = await cards.find(jobs, 60)
        assert found is not None
        assert await cards.find(jobs, 0) is found
        assert asked == [(found.day,)]  # once

    asyncio.run(ask())
