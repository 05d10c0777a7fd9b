"""Change a secret, and every byte that anybody else gets stays the same.

Two servers get the same requests, but for the secret: Shadow's target, which spectators may not know,
or a choice that is made in secret while the other's is out. Whatever each viewer can ask for, hears on a
stream, or an operator finds in the log is compared byte by byte. Only what must differ between two runs
is replaced first: ids, tokens, times, and how long something took.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import ninefold
from ninefold import SEATS, SLUGS, Seat, State
from tests.setups import GAMES, has_secrets, setups_of
from tests.web.conftest import Start
from tests.web.support import API, OPEN, PATIENCE, SETUPS, VIEWERS, Server, Table, bearer, got, sqlite_url

FIRST, SECOND = SEATS
CHALLENGE = ["claim:1", "claim:2", "challenge:2"]
Steps = list[tuple[str, Seat, Any]]  # what is posted, by whom, with what

READ = ("", "/record", "/review", "/hint", "/evaluation")
WHENS = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:\+\d\d:\d\d)?")
DURATIONS = re.compile(r'(\\?"ms\\?": )[\d.]+')


def made_alike(text: str, tables: list[Table]) -> str:
    """Without what differs between any two runs: ids, tokens, addresses, times."""
    for place, table in enumerate(tables):
        for seat, token in table.tokens.items():
            text = text.replace(token, f"TOKEN-{place}-{seat}")
        text = text.replace(table.id, f"ID-{place}").replace(table.server.base, "BASE")
    return DURATIONS.sub(r"\1MS", WHENS.sub("WHEN", text))


class Side:
    """One of the two matches that differ in a secret, on a server of its own."""

    def __init__(self, server: Server, game: str, setup: dict[str, int | str], **more: Any) -> None:
        self.server = server
        self.tables = [server.create(game, setup, **more)]

    @property
    def table(self) -> Table:
        return self.tables[-1]

    def alike(self, text: str) -> str:
        return made_alike(text, self.tables)

    def answer(self, what: str, seat: Seat | None, body: Any) -> str:
        return self.shown(self.table.post(what, seat, body))

    def shown(self, response: Any) -> str:
        """Everything of an answer: its status, its headers, its body."""
        headers = "\n".join(f"{k}: {v}" for k, v in sorted(response.headers.items()) if k != "date")
        return self.alike(f"{response.status_code}\n{headers}\n\n{response.text}")

    def views(self, viewer: Seat | None) -> list[str]:
        """All that a viewer can ask for."""
        table, token = self.table, self.table.token(viewer)
        shown = [self.shown(table.get(what, viewer)) for what in READ]
        shown += [self.shown(self.server.get(f"{API}/matches", token))]
        version = table.seen()["version"]
        with table.stream(token=token) as stream:
            shown += [self.alike(one.text) for one in stream.take(version)]
        # Errors: a match that has moved on, moves that cannot be, offers that make no sense.
        if viewer is None:
            taken: dict[str, Any] = {} if table.seen()["status"] == "waiting" else {"/join": {}}
            for what, body in {**WRONG, **taken}.items():
                shown.append(self.shown(table.post(what, None, body)))
                wrong = self.server.http.post(
                    table.path + what, content=json.dumps(body), headers=bearer("wrong")
                )
                shown.append(self.shown(wrong))
            shown.append(self.shown(self.server.http.get(table.path, headers=bearer("wrong"))))
        return shown


WRONG: dict[str, Any] = {
    "/moves": {"move": "5@1,1", "ply": 0},
    "/resign": None,
    "/takeback": {"action": "offer"},
    "/rematch": {"action": "offer"},
}


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Server]]:
    """Two servers that get the same requests, but for the secrets in them."""
    folders = [tmp_path_factory.mktemp(name) for name in ("one", "two")]
    options = ("--log-level", "debug", "--streams-each", "0")
    first, second = (Server(folder, sqlite_url(folder), *options) for folder in folders)
    with first, second:
        yield first.start(), second.start()


def same_log(sides: tuple[Side, Side]) -> None:
    """Nothing in the logs tells the servers apart, from their start until now, but for these numbers.

    A line is written when its answer has gone, so the last ones may take a moment, in any order.
    """

    def lines(side: Side) -> list[str]:
        text = side.alike(side.server.log()).replace(str(side.server.port), "PORT")
        text = re.sub(r"process \[\d+\]", "process", text)
        return sorted(line for line in text.splitlines() if "/readyz" not in line)

    deadline = time.monotonic() + PATIENCE
    while (one := lines(sides[0])) != (two := lines(sides[1])) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert one == two


# Shadow's target, for spectators


def place(rng: Random, targets: tuple[int, int], count: int) -> list[str]:
    """Moves that end the game with neither target, so that both matches go the same way."""
    states = [ninefold.load("shadow").start(target=target) for target in targets]
    moves: list[str] = []
    while len(moves) < count:
        choices = [str(move) for move in states[0].moves()]
        rng.shuffle(choices)
        for choice in choices:
            after = [state.play(choice) for state in states]
            if all(state.outcome is None for state in after):
                states, moves = after, [*moves, choice]
                break
        else:
            return moves
    return moves


@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def test_a_spectator_cannot_tell_shadows_target(pair: tuple[Server, Server], data: st.DataObject) -> None:
    one = data.draw(st.integers(10, 20), label="target")
    two = data.draw(st.integers(10, 20).filter(lambda n: n != one), label="other target")
    rng = Random(data.draw(st.integers(0, 1000), label="seed"))
    moves = place(rng, (one, two), data.draw(st.integers(0, 6), label="moves"))
    end = data.draw(st.sampled_from(["", "takeback", "granted", "declined", "stale", "illegal"]))
    second = OPEN if not moves and data.draw(st.booleans(), label="open") else {"kind": "person"}
    sides = (
        Side(pair[0], "shadow", {"target": one}, second=second, listed=True),
        Side(pair[1], "shadow", {"target": two}, second=second, listed=True),
    )
    if second == OPEN:
        assert spectated(sides)
        for side in sides:
            side.table.tokens[SECOND] = got(side.table.post("/join", None), 201)["token"]
        assert spectated(sides)
    for ply, move in enumerate(moves):
        for side in sides:
            got(side.table.move(SEATS[ply % 2], move, ply))
    assert spectated(sides)
    if moves:
        last = SEATS[(len(moves) - 1) % 2]
        for side in sides:
            if end in ("takeback", "granted", "declined"):
                got(side.table.ask("takeback", last, "offer"))
            if end in ("granted", "declined"):
                action = {"granted": "accept", "declined": "decline"}[end]
                got(side.table.ask("takeback", last.other, action))
            if end in ("stale", "illegal"):
                ply = len(moves) - (end == "stale")
                assert side.table.move(last.other, moves[0], ply).status_code in (409, 422)
        assert spectated(sides)
    same_log(sides)
    for side in sides:
        got(side.table.post("/resign", FIRST))
    assert [side.table.seen()["setup"]["target"] for side in sides] == [one, two]


def spectated(sides: tuple[Side, Side]) -> bool:
    one, two = (side.views(None) for side in sides)
    assert one == two
    return True


def test_what_players_see_does_tell_the_target(pair: tuple[Server, Server]) -> None:
    """The comparison is not blind: the players' bytes do differ."""
    sides = (Side(pair[0], "shadow", {"target": 12}), Side(pair[1], "shadow", {"target": 13}))
    for seat in SEATS:
        assert sides[0].shown(sides[0].table.get("", seat)) != sides[1].shown(
            sides[1].table.get("", seat)
        )


# Secret choices, for the other seat and for spectators


def opening(rng: Random, start: State[Any], rounds: int) -> list[str]:
    """A written sequence after which both choose in secret, if it can be for so many times by now."""
    while True:
        state, moves, asked = start, list[str](), 0
        while state.movers:
            if state.secret and not state.pending:
                asked += 1
                if asked == rounds and all(len(state.moves(seat)) > 1 for seat in SEATS):
                    return moves
            seat = state.movers[0]
            choices = state.moves(seat)
            asking = [move for move in choices if state.after(move, seat).secret]
            move = rng.choice(asking if asking and rng.random() < 0.7 else choices)
            state, moves = state.after(move, seat), [*moves, str(move)]
        rounds = max(rounds - 1, 1)


@pytest.mark.parametrize("game", [slug for slug in SLUGS if has_secrets(slug)])
@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def test_nobody_can_tell_a_number_until_both_are_in(
    pair: tuple[Server, Server], game: str, data: st.DataObject
) -> None:
    setup = data.draw(st.sampled_from(setups_of(GAMES[game])), label="setup")
    rng, start = Random(data.draw(st.integers(0, 1000), label="seed")), GAMES[game].set_up(setup)
    moves = opening(rng, start, data.draw(st.integers(1, 3), label="secret choices"))
    state = GAMES[game].sequence(start, moves)
    seat = data.draw(st.sampled_from(state.movers), label="who chooses")
    bids = [str(move) for move in state.moves(seat)]
    one, two = data.draw(st.permutations(bids), label="choices")[:2]
    sides = (Side(pair[0], game, setup), Side(pair[1], game, setup))
    for side in sides:
        side.table.play(*moves)
    ply = len(moves)
    for side, bid in zip(sides, (one, two), strict=True):
        got(side.table.move(seat, bid, ply))
        got(side.table.move(seat, bid, ply))  # once more
    alike(sides, seat)

    # The other seat may try what it likes, short of choosing.
    other = seat.other
    tries: Steps = [
        ("/moves", other, {"move": "bid:9", "ply": ply}),
        ("/moves", other, {"move": "claim:1", "ply": ply}),
        ("/moves", other, {"move": "bid:1", "ply": 0}),
        ("/takeback", other, {"action": "accept"}),
        ("/takeback", other, {"action": "decline"}),
        ("/rematch", other, {"action": "offer"}),
    ]
    for step in tries:
        answers = [side.answer(step[0], step[1], step[2]) for side in sides]
        assert answers[0] == answers[1]
        assert answers[0][:3] in ("409", "422")
    end = data.draw(st.sampled_from(["reveal", "resign", "other resigns", "asks", "asked", "granted"]))
    if end == "reveal":
        reply = str(state.moves(other)[0])
        for side in sides:
            got(side.table.move(other, reply, ply))
        shown = [side.table.seen()["moves"][-2:] for side in sides]
        assert [{move["move"] for move in pair} for pair in shown] == [{one, reply}, {two, reply}]
        return
    for side in sides:
        if end in ("resign", "other resigns"):
            got(side.table.post("/resign", seat if end == "resign" else other))
        else:
            asks = other if end == "asked" else seat
            status = side.table.ask("takeback", asks, "offer").status_code
            if end == "granted" and status == 200:
                got(side.table.ask("takeback", other, "accept"))
    alike(sides, seat)
    same_log(sides)


def alike(sides: tuple[Side, Side], owner: Seat) -> None:
    for viewer in (owner.other, None):
        one, two = (side.views(viewer) for side in sides)
        assert one == two


def test_the_owner_of_a_number_sees_it(pair: tuple[Server, Server]) -> None:
    sides = (Side(pair[0], "conquest", {"size": 2}), Side(pair[1], "conquest", {"size": 2}))
    for side, bid in zip(sides, ("bid:2", "bid:3"), strict=True):
        side.table.play(*CHALLENGE, bid)
        for what in ("", "/record"):
            shown = {v: [one["move"] for one in got(side.table.get(what, v))["moves"]] for v in VIEWERS}
            assert shown == {FIRST: [*CHALLENGE, bid], SECOND: CHALLENGE, None: CHALLENGE}


# The other games keep nothing secret: there, all viewers see the same


def is_open(slug: str) -> bool:
    """Whether everybody may know everything."""
    start = GAMES[slug].set_up(GAMES[slug].example.setup)
    return not has_secrets(slug) and start.view(None).setup == start.setup


@pytest.mark.parametrize("game", [slug for slug in SLUGS if is_open(slug)])
def test_where_there_is_no_secret_everybody_sees_the_same(server: Server, game: str) -> None:
    table, rng = server.create(game), Random(2)
    for _ in range(5):
        records = {table.get("/record", viewer).text for viewer in (FIRST, SECOND, None)}
        assert len(records) == 1
        shown = []
        for viewer in (FIRST, SECOND, None):
            now = table.seen(viewer)
            del now["you"], now["cancels"], now["view"]["viewer"], now["view"]["moves"]
            shown.append(now)
        assert shown[0] == shown[1] == shown[2]
        now = table.seen()
        if now["status"] == "over":
            return
        seat = SEATS[now["view"]["movers"][0] == "second"]
        got(table.move(seat, rng.choice(table.seen(seat)["view"]["moves"]), now["ply"]))


# What the server writes down


def all_of_it(server: Server) -> list[Table]:
    """A bit of everything, with tokens in the right and in the wrong places."""
    tables = [server.create(game) for game in SLUGS]
    for table in tables:
        for seat in SEATS:
            for what in READ:
                table.get(what, seat)
            table.post("/moves", seat, {"move": "nonsense", "ply": 0})
            table.post("/nonsense", seat, {})
            table.post("/join", seat, {})
            server.get(f"{table.path}/{table.tokens[seat]}", table.tokens[seat])
            server.get(f"{API}/matches/{table.tokens[seat]}")
            server.get(
                f"{API}/evaluation", query={"game": table.tokens[seat], "token": table.tokens[seat]}
            )
            with table.stream(token=table.tokens[seat]):
                pass
        got(table.post("/resign", FIRST))
        got(table.ask("rematch", FIRST, "offer"))
        got(table.ask("rematch", SECOND, "accept"))
    return tables


def contents(server: Server) -> Callable[[], bytes]:
    """What lies in the database: the bytes of its files, or all its rows."""
    if server.database.startswith("sqlite"):
        folder = Path(server.database.removeprefix("sqlite:///")).parent
        return lambda: b"".join(path.read_bytes() for path in sorted(folder.glob("server.db*")))

    def rows() -> bytes:
        with closing(psycopg.connect(server.database)) as connection:
            return b"".join(
                repr(connection.execute(f"SELECT * FROM {name}".encode()).fetchall()).encode()
                for name in ("matches", "moves", "events")
            )

    return rows


def test_tokens_are_stored_nowhere(start: Start, address: str) -> None:
    server = start(address, "--log-level", "debug")
    tables = all_of_it(server)
    stored, metrics = contents(server)(), server.get("/metrics").text
    assert tables[0].id.encode() in stored
    assert server.stop() == 0
    stored += contents(server)()
    log = server.log()
    assert "/moves" in log
    for table in tables:
        for token in table.tokens.values():
            assert token not in log
            assert token not in metrics
            assert token.encode() not in stored
        assert table.id not in log


def test_the_log_of_a_failure_holds_no_secret(start: Start, instance: Any, database: str) -> None:
    """Statements that fail are logged with their trace, but not with the moves and tokens in them."""
    server = start(database, "--log-level", "debug")
    table = server.create("conquest")
    table.play("claim:1", "claim:2", "challenge:2")
    instance.execute(
        "ALTER TABLE moves ADD CONSTRAINT broken CHECK (move NOT LIKE 'bid:%')", name_in(database)
    )
    answer = table.move(FIRST, "bid:4", 3)
    assert answer.status_code in (500, 503)
    assert "bid" not in answer.text
    assert "constraint" not in answer.text.lower()
    instance.execute(
        "ALTER TABLE matches ADD CONSTRAINT broken CHECK (game <> 'shadow')", name_in(database)
    )
    answer = server.post(f"{API}/matches", {"game": "shadow", "setup": {"target": 17}})
    assert answer.status_code in (500, 503)
    log = server.log()
    assert "CheckViolation" in log
    assert "bid:4" not in log
    assert '"target": 17' not in log.replace("\\", "")
    for token in table.tokens.values():
        assert token not in log
    # And the match has lost nothing.
    instance.execute("ALTER TABLE moves DROP CONSTRAINT broken", name_in(database))
    got(table.move(SECOND, "bid:2", 3))
    got(table.move(FIRST, "bid:4", 3))


def name_in(url: str) -> str:
    return url.rpartition("?")[0].rpartition("/")[2]


def test_every_log_line_is_one_json_object(start: Start) -> None:
    server = start(None, "--log-level", "debug")
    all_of_it(server)
    server.get("/%0d%0anot-a-line")
    assert server.stop() == 0
    lines = server.log().splitlines()
    assert lines[0].startswith("Ninefold is at http://127.0.0.1")
    for line in lines[1:]:
        assert isinstance(json.loads(line), dict), line
    assert "nonsense" not in server.log()
    assert str(SETUPS["battle"]["grid"]) not in server.log()


def test_a_link_that_somebody_makes_you_open_takes_no_hint(server: Server) -> None:
    table = server.create("shadow", hints=True)
    cookie = {"Cookie": f"ninefold={table.tokens[FIRST]}", "Accept": "text/html"}
    shown = 'id="hint"'
    page = server.get(f"/m/{table.id}?hint=0", headers=cookie)
    assert (shown in page.text, table.seen()["version"]) == (False, 0)
    form = {"seat": "first", "ply": "0"}
    for site, status in (("cross-site", 403), ("same-origin", 303)):
        headers = {**cookie, "Sec-Fetch-Site": site}
        answer = server.http.post(f"/m/{table.id}/hint", data=form, headers=headers)
        assert answer.status_code == status
    assert answer.headers["location"] == f"/m/{table.id}?hint=0"
    page = server.get(answer.headers["location"], headers=cookie)
    assert (shown in page.text, table.seen()["version"]) == (True, 1)
    assert server.http.post(f"/m/{table.id}/hint", data=form).status_code == 403
    late = {"Cookie": f"ninefold={table.tokens[SECOND]}", "Accept": "text/html"}
    answer = server.http.post(f"/m/{table.id}/hint", data={"seat": "second", "ply": "0"}, headers=late)
    assert answer.status_code == 409


def test_a_path_with_a_slash_too_many_never_leads_to_another_site(server: Server) -> None:
    for path in ("//evil.example/", "/%2fevil.example/", "/%2Fevil.example%2F", "///evil.example//"):
        assert server.get(f"{server.base}{path}").status_code == 404, path
    answer = server.get("/rules/?x=1")
    assert (answer.status_code, answer.headers["location"]) == (308, "/rules?x=1")
    answer = server.get("/\\evil.example/")
    assert not answer.headers.get("location", "/x").startswith(("//", "/\\"))
