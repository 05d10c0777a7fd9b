"""Puzzles on the page and in the API: answers are judged, and nothing tells the right one too soon."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.requests import Request

from ninefold.core.move import Move
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
from ninefold.study.puzzles.labels import Label, read_day
from ninefold.web.page import puzzles
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
    assert "/puzzle" in read(server, "/").links("first")


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
        assert tuple(links) == ("/games", "/puzzle", "/rules", "/explore", "/about"), path
        assert [address for address, current in links.items() if current] == marked
