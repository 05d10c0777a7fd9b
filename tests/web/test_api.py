"""Every endpoint in normal use, and what it answers to those who use it wrongly."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

import ninefold
from ninefold import SEATS, SLUGS, Seat
from ninefold.analysis import evaluate
from ninefold.match import Match, Record
from tests.web.conftest import Start
from tests.web.support import (
    API,
    OPEN,
    PATIENCE,
    SETUPS,
    VIEWERS,
    Ended,
    Server,
    Stream,
    Table,
    bearer,
    got,
    seat_named,
    wait_for,
)

every_game = pytest.mark.parametrize("game", SLUGS)
FIRST, SECOND = SEATS
COMPUTER = {"kind": "level:1"}
CHALLENGE = ("claim:1", "claim:2", "challenge:2")


def problem(answer: httpx.Response, status: int, *words: str) -> dict[str, Any]:
    """A problem as RFC 9457 has it, with these words in its detail."""
    assert answer.status_code == status, f"{answer.status_code}: {answer.text}"
    assert answer.headers["content-type"] == "application/problem+json"
    found = answer.json()
    assert isinstance(found, dict)
    assert found["status"] == status
    assert found["title"]
    assert "Traceback" not in answer.text
    assert "sqlalchemy" not in answer.text
    for word in words:
        assert word in found["detail"]
    return found


def play_on(table: Table, rng: Random, moves: int = 80) -> None:
    """Random moves until the match is over, each from the view of the seat that makes it."""
    for _ in range(moves):
        now = table.seen()
        if now["status"] == "over":
            return
        seat = seat_named(rng.choice(now["view"]["movers"]))
        choices = table.seen(seat)["view"]["moves"]
        got(table.move(seat, rng.choice(choices), now["ply"]))
    table.post("/resign", FIRST)


def winning_seed(game: str, first: int) -> int:
    """The first seed from this one on with which `play_on` comes to an end that somebody wins."""
    for seed in range(first, first + 50):
        rng, state = Random(seed), ninefold.load(game).set_up(SETUPS[game])
        for _ in range(80):
            if state.dead or state.outcome is not None:
                break
            seat = rng.choice(state.movers)
            state = state.after(rng.choice(state.moves(seat)), seat)
        if state.outcome is not None:
            return seed
    raise AssertionError


def open_table(server: Server, game: str = "battle", **more: Any) -> Table:
    """A match whose second seat is open."""
    return server.create(game, second=OPEN, **more)


# Games, creating, joining


def test_the_games_come_with_their_rules_and_settings(server: Server) -> None:
    answer = server.get(f"{API}/games")
    games = {one["game"]: one for one in got(answer)}
    assert tuple(games) == tuple(SLUGS)
    for slug, one in games.items():
        game = ninefold.load(slug)
        assert (one["title"], one["summary"], one["rules"]) == (game.title, game.summary, game.rules)
        assert one["moves"] == len(game.moves)
        assert [
            (setting["name"], setting["allowed"], setting["default"]) for setting in one["settings"]
        ] == [(option.name, option.allowed, option.default) for option in game.options]
    assert "max-age" in answer.headers["cache-control"]


@every_game
def test_a_match_of_two_people_is_played_to_its_end(server: Server, game: str) -> None:
    table = server.create(game)
    before = table.seen(FIRST)
    assert before["status"] == "playing"
    assert (before["version"], before["ply"], before["moves"]) == (0, 0, [])
    assert before["setup"] == (SETUPS[game] or {})
    play_on(table, Random(winning_seed(game, 7)))
    after = table.seen()
    assert after["status"] == "over"
    assert after["outcome"]["text"]
    match = Match.of(Record.from_json(table.get("/record").text))
    assert match.outcome is not None
    assert str(match.outcome.winner) == after["outcome"]["winner"]
    assert [str(played.move) for played in match.played] == [one["move"] for one in after["moves"]]
    assert match.state.view(None).outcome == match.state.outcome
    problem(table.move(FIRST, after["moves"][0]["move"], 99), 409)


@every_game
def test_the_computer_answers_by_itself_and_grants_a_takeback_at_once(server: Server, game: str) -> None:
    me = ninefold.load(game).set_up(SETUPS[game]).movers[0]
    table = server.create(game, **{str(me.other): COMPUTER})
    assert list(table.tokens) == [me]
    move = table.seen(me)["view"]["moves"][0]
    got(table.move(me, move, 0))
    wait_for(lambda: len(table.seen(me)["moves"]) >= 2, "the computer's move")
    wait_for(lambda: str(me) in table.seen()["view"]["movers"], "my turn")
    if table.seen()["view"]["phase"] == "bidding":
        problem(table.ask("takeback", me, "offer"), 422, " back")
        return
    got(table.ask("takeback", me, "offer"))
    now = table.seen(me)
    assert now["moves"] == []
    assert now["offers"].get("takeback") is None
    got(table.move(me, move, 0))


def test_two_computers_play_by_themselves(server: Server) -> None:
    table = server.create("battle", first=COMPUTER, second={"kind": "greedy"})
    assert table.tokens == {}
    wait_for(lambda: bool(table.seen()["status"] == "over"), "the end")
    match = Match.of(Record.from_json(table.get("/record").text))
    assert [player.kind for player in match.players] == ["level:1", "greedy"]


def test_a_computer_that_moves_first_waits_until_somebody_joins(server: Server) -> None:
    table = server.create("cross", first=COMPUTER, second=OPEN)
    assert table.seen()["status"] == "waiting"
    assert table.seen()["moves"] == []
    join(table)
    wait_for(lambda: len(table.seen()["moves"]) == 1, "the computer's move")


def join(table: Table, name: str | None = None) -> dict[str, Any]:
    held = got(server_join(table, name), 201)
    assert isinstance(held, dict)
    table.tokens[seat_named(held["seat"])] = held["token"]
    return held


def server_join(table: Table, name: str | None = None) -> httpx.Response:
    return table.post("/join", None, {} if name is None else {"name": name})


def test_an_open_seat_is_taken_once(server: Server) -> None:
    table = open_table(server, first={"kind": "person", "name": "Ada"})
    assert table.seen()["status"] == "waiting"
    problem(table.move(FIRST, "0,0", 0), 409, "seat is still open")
    problem(server_join(table, "Ada"), 422, "Choose another name")
    problem(server_join(table, "x" * 25), 422, "1 to 24")
    held = join(table, "Bob")
    assert held["link"].endswith(f"/m/{table.id}#{held['token']}")
    now = table.seen(SECOND)
    assert (now["you"], now["status"]) == ("second", "playing")
    assert (now["first"]["name"], now["second"]["name"]) == ("Ada", "Bob")
    problem(server_join(table, "Eve"), 409, "no open seat")
    got(table.move(FIRST, "0,0", 0))


def test_of_many_who_join_at_once_one_gets_the_seat(server: Server) -> None:
    table = open_table(server)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda n: server_join(table, f"Player {n}x"), range(8)))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7
    assert table.seen()["version"] == 1


def test_joining_without_a_body_is_enough(server: Server) -> None:
    table = open_table(server)
    assert table.post("/join", None).status_code == 201
    assert table.seen()["second"]["name"] == "Player 2"


def test_what_was_not_set_up_is_drawn(server: Server) -> None:
    grids = {server.create("battle", {}).seen()["setup"]["grid"] for _ in range(4)}
    assert len(grids) > 1
    assert all(sorted(grid) == list("123456789") for grid in grids)


BAD_BODIES: list[tuple[str, Any, int]] = [
    ("no game", {}, 400),
    ("unknown field", {"game": "battle", "colour": "red"}, 400),
    ("unknown field of a seat", {"game": "battle", "first": {"kind": "person", "age": 3}}, 400),
    ("wrong type", {"game": 7}, 400),
    ("wrong type of a setting", {"game": "shadow", "setup": {"target": 15.5}}, 400),
    ("a list", [], 400),
    ("null", None, 400),
    ("unknown game", {"game": "chess"}, 422),
    ("unknown setting", {"game": "battle", "setup": {"target": 15}}, 422),
    ("setting out of range", {"game": "shadow", "setup": {"target": 9}}, 422),
    ("huge setting", {"game": "shadow", "setup": {"target": 10**300}}, 422),
    ("setting of the wrong kind", {"game": "battle", "setup": {"grid": "123"}}, 422),
    ("unknown computer", {"game": "battle", "second": {"kind": "level:10"}}, 422),
    ("a program", {"game": "battle", "second": {"kind": "program:/bin/true"}}, 422),
    ("a model", {"game": "battle", "second": {"kind": "chat:model"}}, 422),
    ("a patient program", {"game": "battle", "second": {"kind": "program@60:/bin/true"}}, 422),
    ("a person by another name", {"game": "battle", "second": {"kind": "human"}}, 422),
    ("nobody", {"game": "battle", "first": OPEN, "second": OPEN}, 422),
    ("names", {"game": "battle", "first": {"name": "A"}, "second": {"kind": "open", "name": "A"}}, 422),
    ("a name with a control character", {"game": "battle", "first": {"name": "A\u0000b"}}, 422),
    ("a long name", {"game": "battle", "first": {"name": "A" * 25}}, 422),
]


@pytest.mark.parametrize(("body", "status"), [b[1:] for b in BAD_BODIES], ids=[b[0] for b in BAD_BODIES])
def test_a_match_that_cannot_be_is_refused_with_the_reason(
    server: Server, body: Any, status: int
) -> None:
    answer = server.http.post(f"{API}/matches", content=json.dumps(body))
    assert len(problem(answer, status)["detail"]) > 10


RAW = {
    "not JSON": b"game=battle",
    "half": b'{"game": "bat',
    "not UTF-8": b'{"game": "\xff\xfe"}',
    "half a surrogate": rb'{"game": "\ud800"}',
    "deep": b'{"game": ' + b"[" * 8000,
    "deep unknown": b'{"x": ' + b"[" * 8000,
    "many digits": b'{"game": "shadow", "setup": {"target": ' + b"9" * 8000 + b"}}",
}


@pytest.mark.parametrize("content", RAW.values(), ids=RAW)
def test_nonsense_is_refused(server: Server, content: bytes) -> None:
    answer = server.http.post(f"{API}/matches", content=content)
    assert answer.status_code in (400, 422), answer.text
    problem(answer, answer.status_code)


@pytest.mark.parametrize("what", ["", "/join", "/moves", "/takeback", "/rematch"])
def test_a_large_body_is_refused(server: Server, what: str) -> None:
    path = f"{API}/matches" if not what else open_table(server).path + what
    problem(server.http.post(path, content=b'{"game": "' + b"x" * 20_000 + b'"}'), 413, "large")


@pytest.mark.parametrize(
    ("second", "given", "hints"),
    [("open", {}, False), ("open", {"hints": True}, True), ("person", {}, True), ("random", {}, True)],
)
def test_hints_are_off_by_default_only_where_somebody_joins_from_elsewhere(
    server: Server, second: str, given: dict[str, Any], hints: bool
) -> None:
    table = server.create("cross", second={"kind": second}, listed=True, **given)
    assert table.seen()["hints"] is hints
    listed = [one["hints"] for one in got(server.get(f"{API}/matches")) if one["match"] == table.id]
    assert listed == ([hints] if second == "open" else [])


def test_open_matches_are_listed_until_somebody_joins(server: Server) -> None:
    listed = open_table(server, "shadow", setup={"target": 17}, listed=True, first={"name": "Ada"})
    hidden = open_table(server)

    def entry() -> list[dict[str, Any]]:
        return [one for one in got(server.get(f"{API}/matches")) if one["match"] == listed.id]

    (found,) = entry()
    assert (found["game"], found["seat"], found["opponent"]) == ("shadow", "second", "Ada")
    assert "#" not in found["link"]
    assert "target" not in found
    assert hidden.id not in server.get(f"{API}/matches").text
    join(listed)
    assert entry() == []


# Reading


@every_game
def test_each_viewer_reads_their_own_view(server: Server, game: str) -> None:
    table = server.create(game)
    start = ninefold.load(game).set_up(SETUPS[game])
    for viewer in VIEWERS:
        now = table.seen(viewer)
        assert now["you"] == (None if viewer is None else str(viewer))
        assert now["view"]["moves"] == [str(move) for move in start.view(viewer).moves]
        assert now["setup"] == dict(start.view(viewer).setup)


def test_a_wrong_token_is_refused_everywhere(server: Server) -> None:
    table, other = server.create("battle"), server.create("battle")
    for token in (other.tokens[FIRST], "x", "é", table.id):
        headers = {b"Authorization": f"Bearer {token}".encode()}
        for what in ("", "/record", "/hint", "/evaluation", "/events"):
            problem(server.http.get(table.path + what, headers=headers), 403)
        for what, body in POSTS.items():
            content = json.dumps(body)
            problem(server.http.post(table.path + what, content=content, headers=headers), 403)
    assert table.seen()["version"] == 0


POSTS = {
    "/moves": {"move": "0,0", "ply": 0},
    "/resign": None,
    "/takeback": {"action": "offer"},
    "/rematch": {"action": "offer"},
}


@pytest.mark.parametrize("what", POSTS)
def test_a_spectator_only_looks(server: Server, what: str) -> None:
    table = server.create("battle")
    problem(table.post(what, None, POSTS[what]), 403)
    assert table.seen()["version"] == 0


@pytest.mark.parametrize("header", ["", "Bearer", "Basic eDp5", "nonsense"])
def test_without_a_bearer_token_one_is_a_spectator(server: Server, header: str) -> None:
    table = server.create("battle")
    assert got(server.get(table.path, headers={"Authorization": header}))["you"] is None


def test_a_match_that_does_not_exist_is_not_found(server: Server) -> None:
    for id in ("nothing", "%00", "%ff", "a" * 5000):
        for what in ("", "/record", "/review", "/hint", "/evaluation", "/events"):
            answer = server.get(f"{API}/matches/{id}{what}")
            problem(answer, 404)
        for what, body in {**POSTS, "/join": {}}.items():
            problem(server.post(f"{API}/matches/{id}{what}", body), 404)


# Moves


def test_a_move_sent_again_is_answered_like_the_first(server: Server) -> None:
    table = server.create("battle")
    first = table.move(FIRST, "0,0", 0)
    assert first.json() == {"seat": "first", "move": "0,0", "ply": 1, "version": 1}
    assert table.move(FIRST, " 0 , 0 ", 0).content == first.content
    got(table.move(SECOND, "1,1", 1))
    again = got(table.move(FIRST, "0,0", 0))
    assert (again["seat"], again["move"]) == ("first", "0,0")
    assert table.seen()["version"] == 2


def test_a_stale_move_gets_the_match_as_it_is(server: Server) -> None:
    table = server.create("shadow")
    table.play("5@1,1")
    for seat, move, ply in ((FIRST, "6@2,2", 0), (SECOND, "6@2,2", 0), (SECOND, "6@2,2", 7)):
        found = problem(table.move(seat, move, ply), 409)
        assert found["match"] == table.seen(seat)
        assert found["match"]["setup"] == SETUPS["shadow"]
    assert table.seen()["version"] == 1


def test_a_move_out_of_turn_is_stale(server: Server) -> None:
    table = server.create("battle")
    found = problem(table.move(SECOND, "0,0", 0), 409, "not the second player's turn")
    assert found["match"]["ply"] == 0


@every_game
def test_an_illegal_move_changes_nothing_and_says_why(server: Server, game: str) -> None:
    table, state = server.create(game), ninefold.load(game).set_up(SETUPS[game])
    while set(state.moves()) == set(state.game.moves):  # until there is a move that is not legal
        table.play(str(state.moves()[0]))
        state = state.play(state.moves()[0], state.movers[0])
    seat, ply = state.movers[0], table.seen()["ply"]
    illegal = next(one for one in state.game.moves if one not in state.moves(seat))
    with pytest.raises(ninefold.IllegalMove) as reason:
        state.play(illegal, seat)
    before = table.get("", seat).content
    assert problem(table.move(seat, str(illegal), ply), 422)["detail"] == str(reason.value)
    assert len(problem(table.move(seat, "castle", ply), 422)["detail"]) > 10
    problem(table.move(seat, "\u0000" * 300, ply), 422)
    assert table.get("", seat).content == before


@pytest.mark.parametrize("body", [{}, {"move": "0,0"}, {"ply": 0}, {"move": 1, "ply": 0}, []])
def test_a_move_needs_text_and_a_ply(server: Server, body: Any) -> None:
    table = server.create("battle")
    problem(table.post("/moves", FIRST, body), 400)
    problem(table.post("/moves", FIRST, {"move": "0,0", "ply": "0"}), 400)
    problem(table.post("/moves", FIRST, {"move": "0,0", "ply": 0, "seat": "second"}), 400)
    assert table.seen()["version"] == 0


def challenged(server: Server) -> Table:
    table = server.create("conquest")
    table.play(*CHALLENGE[:2])
    table.play(CHALLENGE[2])
    return table


@pytest.mark.parametrize("order", [(FIRST, SECOND), (SECOND, FIRST)], ids=["in order", "crossed"])
def test_two_bids_answer_the_same_ply_in_either_order(server: Server, order: tuple[Seat, Seat]) -> None:
    table = challenged(server)
    bids = {FIRST: "bid:4", SECOND: "bid:2"}
    one = got(table.move(order[0], bids[order[0]], 3))
    assert one["ply"] == 3
    problem(table.move(order[0], "bid:1", 3), 409)
    assert got(table.move(order[0], bids[order[0]], 3)) == one
    assert got(table.move(order[1], bids[order[1]], 3))["ply"] == 5
    moves = {(one["seat"], one["move"]) for one in table.seen()["moves"][3:]}
    assert moves == {("first", "bid:4"), ("second", "bid:2")}
    assert table.seen()["view"]["boards"][0]["cells"][1]["owner"] == "first"


def test_bids_at_the_same_moment_never_disturb_each_other(server: Server) -> None:
    tables = [challenged(server) for _ in range(8)]
    start = threading.Barrier(16)

    def bid(table: Table, seat: Seat) -> int:
        start.wait(PATIENCE)
        return table.move(seat, "bid:3", 3).status_code

    with ThreadPoolExecutor(16) as pool:
        answers = [pool.submit(bid, table, seat) for table in tables for seat in SEATS]
        assert [answer.result() for answer in answers] == [200] * 16
    for table in tables:
        assert [one["move"] for one in table.seen()["moves"]] == [*CHALLENGE, "bid:3", "bid:3"]


# Resigning, taking back, playing again


@every_game
def test_resigning_ends_the_match_and_opens_its_secrets(server: Server, game: str) -> None:
    table = server.create(game)
    done = got(table.post("/resign", SECOND))
    assert done["version"] == 1
    now = table.seen()
    assert (now["status"], now["outcome"]["winner"]) == ("over", "first")
    assert now["outcome"]["reason"] == "resigned"
    assert now["setup"] == SETUPS[game]
    problem(table.post("/resign", FIRST), 409)
    problem(table.ask("takeback", FIRST, "offer"), 409)
    move = table.seen(FIRST)["view"]["moves"]
    assert move == [] or table.move(FIRST, move[0], 0).status_code == 409
    assert Match.of(Record.from_json(table.get("/record").text)).outcome is not None


def test_a_takeback_is_asked_for_and_granted(server: Server) -> None:
    table = server.create("battle")
    problem(table.ask("takeback", FIRST, "offer"), 422, "no move to take back")
    problem(table.ask("takeback", FIRST, "accept"), 409)
    table.play("0,0")
    asked = got(table.ask("takeback", FIRST, "offer"))
    assert got(table.ask("takeback", FIRST, "offer")) == asked
    assert table.seen()["offers"].get("takeback") == "first"
    problem(table.ask("takeback", FIRST, "accept"), 409)
    got(table.ask("takeback", SECOND, "accept"))
    now = table.seen()
    assert (now["moves"], now["offers"].get("takeback"), now["ply"]) == ([], None, 0)
    table.play("2,2", "1,1")
    assert [one["move"] for one in table.seen()["moves"]] == ["2,2", "1,1"]


def test_a_takeback_goes_back_to_the_turn_of_who_asks(server: Server) -> None:
    table = server.create("battle")
    table.play("0,0", "1,1")
    got(table.ask("takeback", FIRST, "offer"))
    got(table.ask("takeback", SECOND, "accept"))
    assert table.seen()["moves"] == []


def test_nobody_asks_for_the_other_players_challenge_back(server: Server) -> None:
    table = server.create("conquest")
    table.play("claim:1", "claim:2", "challenge:2")
    problem(
        table.ask("takeback", SECOND, "offer"),
        422,
        "Only the player who began this turn can take it back",
    )
    assert table.seen()["offers"].get("takeback") is None
    got(table.ask("takeback", FIRST, "offer"))
    got(table.ask("takeback", SECOND, "accept"))
    assert [one["move"] for one in table.seen()["moves"]] == ["claim:1", "claim:2"]


def test_a_takeback_is_declined_or_ignored(server: Server) -> None:
    table = server.create("battle")
    table.play("0,0")
    got(table.ask("takeback", FIRST, "offer"))
    got(table.ask("takeback", SECOND, "decline"))
    assert table.seen()["offers"].get("takeback") is None
    problem(table.ask("takeback", SECOND, "decline"), 409)
    got(table.ask("takeback", FIRST, "offer"))
    table.play("1,1")
    assert table.seen()["offers"].get("takeback") is None
    problem(table.ask("takeback", SECOND, "accept"), 409)
    assert len(table.seen()["moves"]) == 2


def test_a_challenge_is_taken_back_until_its_numbers_have_been_seen(server: Server) -> None:
    table = challenged(server)
    got(table.move(FIRST, "bid:4", 3))
    got(table.ask("takeback", FIRST, "offer"))
    got(table.ask("takeback", SECOND, "accept"))
    assert [one["move"] for one in table.seen(FIRST)["moves"]] == list(CHALLENGE[:2])
    table.play("challenge:2", "bid:4", "bid:1")
    for seat in SEATS:
        problem(table.ask("takeback", seat, "offer"), 422, "once its secret choices are revealed")


@pytest.mark.parametrize("action", ["", "ask", None, 1])
def test_only_three_things_can_be_said_about_an_offer(server: Server, action: Any) -> None:
    table = server.create("battle")
    for what in ("takeback", "rematch"):
        problem(table.post(f"/{what}", FIRST, {"action": action}), 400)


@every_game
def test_a_rematch_swaps_the_sides_and_keeps_the_rest(server: Server, game: str) -> None:
    names = {"first": {"name": "Ada"}, "second": {"kind": "person", "name": "Bob"}}
    table = server.create(game, hints=False, **names)
    open_setup = table.seen()["setup"]  # without what is secret
    problem(table.ask("rematch", FIRST, "offer"), 409, "not over")
    got(table.post("/resign", FIRST))
    problem(table.ask("rematch", SECOND, "accept"), 409)
    assert got(table.ask("rematch", FIRST, "offer"))["next"] is None
    assert table.seen()["offers"].get("rematch") == "first"
    problem(table.ask("rematch", FIRST, "accept"), 409)
    following = got(table.ask("rematch", SECOND, "accept"))["next"]
    assert table.seen()["next"] == following
    assert got(table.ask("rematch", SECOND, "offer"))["next"] == following
    again = Table(server, following, {FIRST: table.tokens[SECOND], SECOND: table.tokens[FIRST]})
    now = again.seen(FIRST)
    assert (now["you"], now["first"]["name"], now["second"]["name"]) == ("first", "Bob", "Ada")
    assert (now["hints"], now["status"]) == (False, "playing")
    assert open_setup.items() <= now["setup"].items()
    assert now["setup"].keys() == SETUPS[game].keys()
    play_on(again, Random(winning_seed(game, 3)))
    assert Match.of(Record.from_json(again.get("/record").text)).outcome is not None


@pytest.mark.parametrize(("game", "setup"), [("battle", {}), ("shadow", {"target": 15})])
def test_a_rematch_keeps_what_was_chosen_and_draws_again_what_was_drawn(
    server: Server, game: str, setup: dict[str, int | str]
) -> None:
    table = server.create(game, setup)
    setups = [table.seen(FIRST)["setup"]]
    for _ in range(12):
        got(table.post("/resign", FIRST))
        got(table.ask("rematch", FIRST, "offer"))
        following = got(table.ask("rematch", SECOND, "offer"))["next"]
        table = Table(server, following, {FIRST: table.tokens[SECOND], SECOND: table.tokens[FIRST]})
        setups.append(table.seen(FIRST)["setup"])
    assert all(one == setups[0] for one in setups) == bool(setup)


def test_the_score_goes_on_over_rematches(server: Server) -> None:
    table = server.create("battle", first={"name": "Ada"}, second={"kind": "person", "name": "Bob"})
    expected = {"Ada": 0, "Bob": 0}

    def told() -> dict[str, int]:
        now = table.seen(None)
        return {now[seat]["name"]: now[seat]["wins"] for seat in ("first", "second")}

    for loser in (FIRST, FIRST, SECOND, SECOND, SECOND):
        assert told() == expected
        winner = table.seen()[str(loser.other)]["name"]
        got(table.post("/resign", loser))
        expected[winner] += 1
        assert told() == expected
        got(table.ask("rematch", FIRST, "offer"))
        following = got(table.ask("rematch", SECOND, "offer"))["next"]
        table = Table(server, following, {FIRST: table.tokens[SECOND], SECOND: table.tokens[FIRST]})
    assert expected == {"Ada": 3, "Bob": 2}


def test_a_match_that_has_not_begun_cannot_be_resigned(server: Server) -> None:
    table = open_table(server)
    problem(table.post("/resign", FIRST), 409, "not begun")
    assert table.seen()["status"] == "waiting"


def test_a_rematch_is_declined(server: Server) -> None:
    table = server.create("battle")
    got(table.post("/resign", FIRST))
    problem(table.ask("rematch", SECOND, "decline"), 409)
    got(table.ask("rematch", FIRST, "offer"))
    got(table.ask("rematch", SECOND, "decline"))
    assert table.seen()["offers"].get("rematch") is None
    problem(table.ask("rematch", SECOND, "accept"), 409)


def test_a_computer_plays_again_at_once_and_begins(server: Server) -> None:
    table = server.create("cross", second=COMPUTER)
    got(table.post("/resign", FIRST))
    following = got(table.ask("rematch", FIRST, "offer"))["next"]
    again = Table(server, following, {SECOND: table.tokens[FIRST]})
    wait_for(lambda: len(again.seen()["moves"]) == 1, "the computer's first move")
    assert again.seen(SECOND)["you"] == "second"


# Records, reviews, advice


@every_game
def test_every_viewer_has_a_record_that_replays(server: Server, game: str) -> None:
    table = server.create(game)
    rng = Random(1)
    for _ in range(3):
        now = table.seen()
        seat = seat_named(now["view"]["movers"][0])
        got(table.move(seat, rng.choice(table.seen(seat)["view"]["moves"]), now["ply"]))
    for viewer in VIEWERS:
        answer = table.get("/record", viewer)
        assert answer.headers["content-disposition"].startswith("attachment")
        if game in ("shadow", "shadow-fair") and viewer is None:
            assert json.loads(answer.text)["setup"] == {}
            continue
        match = Match.of(Record.from_json(answer.text))
        seen = table.seen(viewer)["moves"]
        assert [str(one.move) for one in match.played] == [one["move"] for one in seen]


@every_game
def test_a_review_comes_only_after_the_end(server: Server, game: str) -> None:
    example = ninefold.load(game).example
    table, moves = server.create(game, dict(example.setup)), [move for move, _ in example.moves]
    table.play(*moves[:-1])
    for viewer in VIEWERS:
        problem(table.get("/review", viewer), 409, "not over")
    table.play(moves[-1])
    found = got(table.get("/review"))
    assert [one["move"] for one in found["moves"]] == moves
    assert table.get("/review", FIRST).json() == found


@pytest.mark.parametrize("game", [slug for slug in SLUGS if slug not in ("shadow", "pattern")])
def test_advice_is_for_the_seats(server: Server, game: str) -> None:
    table = server.create(game)
    state = ninefold.load(game).set_up(SETUPS[game])
    for seat in SEATS:
        best = {str(choice.move) for choice in evaluate(state).choices_of(seat) if choice.best}
        if seat in state.movers:
            found = got(table.get("/hint", seat))
            assert found["move"] in best
            assert found["reason"]
        else:
            problem(table.get("/hint", seat), 409, "not your turn")
        value = got(table.get("/evaluation", seat))
        assert value["result"] == str(evaluate(state).result)
        assert value["margin"] == evaluate(state).margin
        assert value["text"]
    for what in ("/hint", "/evaluation"):
        problem(table.get(what), 403)
    got(table.post("/resign", FIRST))
    for what in ("/hint", "/evaluation"):
        problem(table.get(what, FIRST), 409)


def test_a_match_may_be_played_without_advice(server: Server) -> None:
    table = server.create("battle", hints=False)
    assert table.seen()["hints"] is False
    for what in ("/hint", "/evaluation"):
        problem(table.get(what, FIRST), 403, "without hints")


@every_game
def test_the_evaluation_of_a_position_is_exact_and_may_be_cached(server: Server, game: str) -> None:
    loaded = ninefold.load(game)
    setup, moves = loaded.example.setup, [move for move, _ in loaded.example.moves]
    for count, state in enumerate(loaded.positions(loaded.set_up(setup), moves)):
        expected = evaluate(state)
        query = {"game": game, "moves": " ".join(moves[:count]), **setup}
        answer = server.get(f"{API}/evaluation", query=query)
        found = got(answer)
        assert "immutable" in answer.headers["cache-control"]
        assert "no-store" not in answer.headers["cache-control"]
        assert found["result"] == str(expected.result)
        assert found["first_wins"] == (None if expected.first_wins is None else str(expected.first_wins))
        assert (found["plies"], found["margin"]) == (expected.plies, expected.margin)
        assert found["moves"] == moves[:count]
        assert [(one["seat"], one["move"], one["best"], one["mix"]) for one in found["options"]] == [
            (str(c.seat), str(c.move), c.best, None if c.mix is None else str(c.mix))
            for c in expected.choices
        ]


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"game": "chess"},
        {"game": "battle"},
        {"game": "battle", "grid": "12"},
        {"game": "battle", "grid": "792415863", "moves": "9,9"},
        {"game": "battle", "grid": "792415863", "moves": "0,0 0,0"},
        {"game": "battle", "grid": "792415863", "colour": "red"},
        {"game": "battle", "grid": "792415863", "moves": "0,0 " * 600},
        {"game": "conquest", "moves": "\u0000"},
    ],
)
def test_a_position_that_cannot_be_is_refused(server: Server, query: dict[str, str]) -> None:
    answer = server.get(f"{API}/evaluation", query=query)
    problem(answer, 422)
    assert answer.headers["cache-control"] == "no-store"


# The server itself


SECURE = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
}


def test_every_answer_has_the_security_headers(server: Server) -> None:
    table = server.create("battle")
    answers = [
        *(server.get(path) for path in ("/healthz", "/readyz", "/metrics", "/openapi.json", "/nothing")),
        *(server.get(f"{API}{path}") for path in ("/games", "/matches", "/evaluation", "/matches/x")),
        *(table.get(what) for what in ("", "/record", "/review", "/hint")),
        table.move(FIRST, "0,0", 0),
        table.move(FIRST, "0,0", 9),
        server.http.delete(f"{API}/games"),
        server.http.post(f"{API}/matches", content=b"x" * 30_000),
    ]
    for answer in answers:
        for name, value in SECURE.items():
            assert answer.headers[name] == value, answer.request.url
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["cache-control"]
        assert "server" not in answer.headers
    with table.stream() as stream:
        for name, value in SECURE.items():
            assert stream.response.getheader(name) == value
        assert stream.response.getheader("cache-control") == "no-store"
        assert (stream.response.getheader("content-type") or "").startswith("text/event-stream")


def test_what_only_players_may_see_is_not_cached(server: Server) -> None:
    table = server.create("shadow")
    for what in ("", "/record"):
        assert table.get(what, FIRST).headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path", ["/m", "/nothing", "/api/v1", "/api/v2/games", "/api/v1/matches/x/y", "/docs"]
)
def test_an_unknown_address_is_not_found(server: Server, path: str) -> None:
    problem(server.get(path), 404)


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", f"{API}/games", {"GET"}),
        ("PUT", f"{API}/matches", {"GET", "POST"}),
        ("POST", f"{API}/evaluation", {"GET"}),
        ("GET", f"{API}/matches/x/moves", {"POST"}),
        ("PATCH", "/healthz", {"GET"}),
    ],
)
def test_a_wrong_method_is_answered_with_the_right_ones(
    server: Server, method: str, path: str, allowed: set[str]
) -> None:
    answer = server.http.request(method, path)
    problem(answer, 405)
    assert set(answer.headers["allow"].replace(",", " ").split()) - {"HEAD"} == allowed


def test_health_and_readiness_are_reported(server: Server) -> None:
    assert got(server.get("/healthz")) == {"status": "ok", "version": ninefold.__version__}
    assert got(server.get("/readyz")) == {"status": "ready"}


def test_metrics_count_what_happens(server: Server) -> None:
    def metric(name: str) -> float:
        answer = server.get("/metrics")
        assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
        lines = dict(line.rsplit(" ", 1) for line in answer.text.splitlines() if line[0] != "#")
        return float(lines.get(name, 0))

    created, moved = metric("ninefold_matches_created_total"), metric("ninefold_move_seconds_count")
    table = server.create("battle")
    table.play("0,0", "1,1")
    assert metric("ninefold_matches_created_total") >= created + 1
    assert metric("ninefold_move_seconds_count") >= moved + 2
    before = metric("ninefold_streams")
    with table.stream() as stream:
        stream.take(2)
        assert metric("ninefold_streams") >= before + 1
    assert metric('ninefold_requests_total{method="GET",status="200"}') >= 1


def test_the_openapi_document_names_every_endpoint(server: Server) -> None:
    found = got(server.get("/openapi.json"))
    assert found["openapi"].startswith("3.")
    operations = {(method, path) for path, item in found["paths"].items() for method in item}
    for method, path in [
        ("get", "/games"),
        ("post", "/matches"),
        ("get", "/matches"),
        ("get", "/matches/{id}"),
        *(
            ("post", f"/matches/{{id}}/{what}")
            for what in ("join", "moves", "resign", "takeback", "rematch")
        ),
        *(
            ("get", f"/matches/{{id}}/{what}")
            for what in ("record", "review", "hint", "evaluation", "events")
        ),
        ("get", "/evaluation"),
    ]:
        assert (method, API + path) in operations
    assert len(
        {item["operationId"] for path in found["paths"].values() for item in path.values()}
    ) == len(operations)


def test_links_carry_the_token_after_the_hash(server: Server) -> None:
    created = got(server.post(f"{API}/matches", {"game": "battle"}), 201)
    (held,) = created["held"]
    parts = urlsplit(held["link"])
    assert f"{parts.scheme}://{parts.netloc}" == server.base
    assert (parts.path, parts.fragment) == (f"/m/{created['match']}", held["token"])
    assert created["link"] == held["link"].partition("#")[0]
    assert len(held["token"]) >= 32


FORWARDED = {
    "X-Forwarded-Proto": "https",
    "X-Forwarded-For": "203.0.113.9",
    "X-Forwarded-Host": "evil.example",
    "Forwarded": "host=evil.example;proto=https",
}


def test_forwarded_headers_are_ignored_unless_told(server: Server) -> None:
    content = json.dumps({"game": "battle"})
    created = got(server.http.post(f"{API}/matches", content=content, headers=FORWARDED), 201)
    assert created["link"].startswith(server.base + "/")


@pytest.mark.parametrize("host", ["[", "a b", "x" * 3000, "evil.example", "[::1", "x:y:z"])
def test_a_strange_host_header_is_no_failure(server: Server, host: str) -> None:
    for path in (f"{API}/matches", f"{API}/games/"):
        answer = server.get(path, headers={"Host": host})
        assert answer.status_code < 500, answer.text


def test_behind_a_proxy_links_and_rates_are_those_of_the_client(start: Start) -> None:
    server = start(
        *(None, "--root-path", "/club", "--trusted-proxies", "127.0.0.1"),
        *("--rate", "0.01", "--burst", "40", "--streams-each", "2", "--streams", "3"),
    )
    content = json.dumps({"game": "battle", "listed": True})

    def create(**more: str) -> httpx.Response:
        headers = {"X-Forwarded-Proto": "https", "Host": "games.example", **more}
        return server.http.post(f"{API}/matches", content=content, headers=headers)

    created = create()
    assert got(created, 201)["link"].startswith("https://games.example/club/m/")
    id = created.json()["match"]
    assert created.headers["location"].endswith(f"/club{API}/matches/{id}")
    listed = server.get(f"{API}/matches", headers={"Host": "games.example"})
    assert got(listed)[0]["link"].startswith("http://games.example/club/m/")
    assert got(server.get("/openapi.json"))["servers"] == [{"url": "/club"}]

    # Streams: two for a client, three in all.
    with Stream(server, id), Stream(server, id):
        wait_for(lambda: "ninefold_streams 2" in server.get("/metrics").text, "two streams", 5)
        with pytest.raises(Ended, match="429"):
            Stream(server, id)
        elsewhere = {"X-Forwarded-For": "203.0.113.1"}
        with server.http.stream("GET", f"{API}/matches/{id}/events", headers=elsewhere) as third:
            assert third.status_code == 200
            wait_for(lambda: "ninefold_streams 3" in server.get("/metrics").text, "a third", 5)
            refused = server.get(f"{API}/matches/{id}/events", headers={"X-Forwarded-For": "203.0.113.2"})
            problem(refused, 503)

    # Requests: forty at once for a client, then it has to wait.
    answers = [create(**{"X-Forwarded-For": "203.0.113.9"}) for _ in range(42)]
    assert [answer.status_code for answer in answers] == [201] * 40 + [429] * 2
    problem(answers[-1], 429, "Try again")
    assert int(answers[-1].headers["retry-after"]) >= 1
    for name, value in SECURE.items():
        assert answers[-1].headers[name] == value
    assert create(**{"X-Forwarded-For": "203.0.113.10"}).status_code == 201


def test_the_number_of_unfinished_matches_is_limited(start: Start) -> None:
    limits = ("--matches", "2", "--waiting-hours", "0", "--idle-days", "0", "--kept-days", "0")
    server = start(None, *limits, "--matches-each", "0")
    first = open_table(server)
    second = server.create("battle")
    problem(server.post(f"{API}/matches", {"game": "battle"}), 503, "too many matches")
    got(second.post("/resign", FIRST))
    server.create("battle")

    assert first.seen()["status"] == "waiting"
    assert second.seen()["status"] == "over"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--database", "mysql://nobody@nowhere/x"), "database"),
        (("--database", "postgresql://nobody@127.0.0.1:9/x"), "cannot be used"),
        (("--database", "nonsense"), "address of a database"),
        (("--database", "sqlite://"), "file"),
        (("--root-path", "club"), "must begin with /"),
        (("--port", "0"), "1 to 65535"),
        (("--rate", "-1"), "0 or more"),
    ],
)
def test_it_does_not_start_with_what_cannot_be(
    start: Start, words: tuple[str, ...], message: str
) -> None:
    refused(start, words, message)


def refused(start: Callable[..., Server], words: tuple[str, ...], message: str) -> None:
    server = start(None, *words, ready=False)
    assert server.process is not None
    assert server.process.wait(PATIENCE) != 0
    assert message in server.log()
    assert "Traceback" not in server.log()


@pytest.mark.parametrize("open_seat", [True, False])
def test_a_match_is_aborted_by_its_maker_before_the_first_move(
    start: Start, address: str, open_seat: bool
) -> None:
    server = start(address)
    table = server.create("battle", second=OPEN, listed=True)
    if not open_seat:
        table.tokens[SECOND] = got(table.post("/join", None), 201)["token"]
        problem(table.post("/abort", SECOND), 403, "Only the player who created")
    problem(table.post("/abort", None), 403, "token")
    with table.stream() as stream:
        got(table.post("/abort", FIRST))
        with pytest.raises(Ended):
            stream.take(2)
    for what in ("", "/record", "/events"):
        problem(table.get(what), 404)
    problem(table.post("/abort", FIRST), 404)
    assert got(server.get(f"{API}/matches")) == []


def test_a_match_that_has_begun_is_not_aborted(server: Server) -> None:
    table = server.create("battle")
    table.play("0,0")
    for seat in SEATS:
        problem(table.post("/abort", seat), 409, "no longer cancel it")
    got(table.post("/resign", FIRST))
    problem(table.post("/abort", FIRST), 409, "no longer cancel it")


def test_a_file_has_one_server(start: Start) -> None:
    start()
    refused(start, (), "Another server is using")


def test_a_file_has_one_server_by_whatever_link_it_is_reached(start: Start, tmp_path: Path) -> None:
    start()
    (tmp_path / "link.db").symlink_to(tmp_path / "server.db")
    refused(start, ("--database", f"sqlite:///{tmp_path / 'link.db'}"), "Another server is using")


def test_a_taken_port_is_reported(start: Start, server: Server) -> None:
    refused(start, ("--port", str(server.port)), str(server.port))


def test_a_token_is_of_no_use_in_another_match(server: Server) -> None:
    table = server.create("battle")
    other = server.create("battle")
    headers = bearer(table.tokens[FIRST])
    assert server.http.get(other.path, headers=headers).status_code == 403
    assert server.http.get(table.path, headers=headers).json()["you"] == "first"
