"""Nonsense by the schema, and several clients at one match racing each other against an oracle."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

import ninefold
from ninefold import SEATS, SLUGS, GameOver, NinefoldError, NotYourTurn, Seat
from ninefold.match import Match, Player, Record
from ninefold.web.api.openapi import document
from tests.web.conftest import Start
from tests.web.support import API, PATIENCE, SETUPS, VIEWERS, Server, Table, bearer, got

FIRST, SECOND = SEATS
SCHEMA = json.loads(document(""))
OPERATIONS = [
    f"{method.upper()} {path}"
    for path, item in SCHEMA["paths"].items()
    for method in item
    if not path.endswith("/events")  # a stream does not end; see below
]
QUICK = {
    "deadline": None,
    "derandomize": True,
    "database": None,
    "phases": [Phase.explicit, Phase.generate],
    "suppress_health_check": list(HealthCheck),
}


def fuzzed(server: Server, label: str, examples: int) -> None:
    """Requests made from the document, half of them about real matches with the token of a seat."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import schemathesis
        from schemathesis import checks

        schema = schemathesis.openapi.from_dict(SCHEMA)
    operation = schema.find_operation_by_label(label)
    assert operation is not None
    tables = [server.create(game) for game in SLUGS]
    if label.endswith("/abort"):  # so that they stay
        for table in tables:
            table.play(table.seen(FIRST)["view"]["moves"][0])
    over = server.create("battle")
    got(over.post("/resign", FIRST))
    rng = Random(label)

    @settings(max_examples=examples, **QUICK)  # type: ignore[arg-type]
    @given(case=operation.as_strategy())
    def sent(case: Any) -> None:
        headers = {}
        if "{id}" in case.path and rng.random() < 0.7:
            table = rng.choice([*tables, over])
            case.path_parameters["id"] = table.id
            headers = bearer(rng.choice([*table.tokens.values(), None]))
        response = case.call(base_url=server.base, headers=headers, timeout=120)
        case.validate_response(
            response,
            checks=[
                checks.not_a_server_error,
                checks.status_code_conformance,
                checks.content_type_conformance,
                checks.response_schema_conformance,
            ],
        )

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sent()
    for table in tables:
        for viewer in VIEWERS:
            assert table.seen(viewer)["match"] == table.id


@pytest.mark.parametrize("label", OPERATIONS)
def test_no_request_makes_the_server_fail(server: Server, label: str) -> None:
    fuzzed(server, label, 15)


@pytest.mark.long
@pytest.mark.parametrize("label", OPERATIONS)
def test_no_request_of_many_makes_the_server_fail(server: Server, label: str) -> None:
    fuzzed(server, label, 400)


@pytest.mark.long
def test_no_request_makes_a_server_on_postgresql_fail(start: Start, database: str) -> None:
    server = start(database)
    for label in OPERATIONS:
        fuzzed(server, label, 60)


@settings(max_examples=60, **QUICK)  # type: ignore[arg-type]
@given(after=st.text(max_size=12), header=st.text(st.characters(max_codepoint=255), max_size=12))
def test_no_number_makes_a_stream_fail(server: Server, after: str, header: str) -> None:
    id = "nothing" if after.isdigit() else server.create("battle").id
    value = header.encode("latin-1").translate(None, b"\r\n\0").strip()
    request = server.http.build_request(
        "GET", f"{API}/matches/{id}/events", params={"after": after}, headers={b"Last-Event-ID": value}
    )
    try:
        answer = server.http.send(request, stream=True)
    except httpx.LocalProtocolError:
        return  # no header at all
    answer.close()
    assert answer.status_code < 500


@pytest.mark.parametrize("path", ["%00", "%F0%9F%8E%B2", "a%2Fb", "'; DROP TABLE matches; --"])
@pytest.mark.parametrize("what", ["", "/record", "/events", "/join", "/moves", "/resign"])
def test_strange_ids_are_not_found_on_postgresql(postgres_server: Server, path: str, what: str) -> None:
    body = {"move": "0,0", "ply": 0} if what == "/moves" else {}
    post = what in ("/join", "/moves", "/resign")
    url = f"{API}/matches/{path}{what}"
    answer = postgres_server.post(url, body) if post else postgres_server.get(url)
    assert answer.status_code in (404, 405)


@pytest.fixture(scope="module")
def postgres_server(instance: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    name = instance.create()
    with Server(tmp_path_factory.mktemp("postgres"), instance.url(name)) as server:
        yield server.start()
    instance.drop(name)


# Several clients at one match


class Racing(RuleBasedStateMachine):
    """Two seats and a spectator at one match; what the server says is what the rules say.

    Races end one way or another, so no precondition looks at the match: hypothesis has to find the
    same rules when it tries again.
    """

    def __init__(self, server: Server, pool: ThreadPoolExecutor) -> None:
        super().__init__()
        self.server, self.pool = server, pool
        self.table: Table | None = None

    @initialize(game=st.sampled_from([*SLUGS]))
    def begin(self, game: str) -> None:
        self.table = self.server.create(game)
        players = (Player("Player 1", FIRST), Player("Player 2", SECOND))
        self.oracle = Match(ninefold.load(game).set_up(SETUPS[game]), players)
        self.asked: Seat | None = None
        self.stop_offer: Seat | None = None  # who offers to stop
        self.version = 0
        self.sent: list[tuple[Seat, str, int]] = []  # accepted

    def _table(self) -> Table:
        assert self.table is not None
        return self.table

    def _move(self, seat: Seat, number: int) -> str:
        """A legal move of the seat, where it has one; else any move of the game."""
        moves = self.oracle.state.moves(seat) or self.oracle.game.moves
        return str(moves[number % len(moves)])

    def _changed(self, events: int) -> None:
        """So much has been told since."""
        version = self._table().seen()["version"]
        assert version == self.version + events
        self.version = version

    @rule(seat=st.sampled_from(SEATS), number=st.integers(0, 99), late=st.sampled_from([0, 0, 0, 1, -1]))
    def submit(self, seat: Seat, number: int, late: int) -> None:
        self._submit(seat, self._move(seat, number), self.oracle.ply + late)

    @rule(seat=st.sampled_from(SEATS), number=st.integers(0, 99))
    def submit_anything(self, seat: Seat, number: int) -> None:
        moves = (*map(str, self.oracle.game.moves), "castle", "")
        self._submit(seat, moves[number % len(moves)], self.oracle.ply)

    @rule(number=st.integers(0, 99))
    def repeat(self, number: int) -> None:
        if self.sent:
            self._submit(*self.sent[number % len(self.sent)])

    def _submit(self, seat: Seat, move: str, ply: int) -> None:
        before, over = len(self.oracle.played), self.oracle.over
        try:
            played = self.oracle.submit(seat, move, ply)
        except (NotYourTurn, GameOver):
            status = 409
        except NinefoldError:
            status = 422
        else:
            status = 200
        answer = self._table().move(seat, move, ply)
        assert answer.status_code == status, answer.text
        if status != 200:
            self._changed(0)
            return
        assert answer.json()["move"] == str(played.move)
        assert answer.json()["ply"] == self.oracle.ply
        if len(self.oracle.played) == before:
            self._changed(0)  # the same once more
            return
        self.asked = None
        self.stop_offer = None if self.stop_offer != seat else seat
        self.sent.append((seat, str(played.move), ply))
        revealed = 2 if self.oracle.states[-2].secret and not self.oracle.state.secret else 1
        self._changed(revealed + (self.oracle.over and not over))
        assert answer.json()["version"] == self.version

    @rule(
        tries=st.lists(
            st.tuples(st.sampled_from(SEATS), st.integers(0, 99), st.booleans()), min_size=2, max_size=5
        ),
        resigns=st.sampled_from([None, None, None, None, FIRST]),
    )
    def race(self, tries: Sequence[tuple[Seat, int, bool]], resigns: Seat | None) -> None:
        """Many submissions at once, some of them twice, perhaps a resignation between them."""
        table, ply, known = self._table(), self.oracle.ply, self._moves()
        wanted = [(seat, self._move(seat, number)) for seat, number, _ in tries]
        wanted += [one for one, (_, _, twice) in zip(wanted, tries, strict=True) if twice]
        answers = [self.pool.submit(table.move, seat, move, ply) for seat, move in wanted]
        resigned = None if resigns is None else self.pool.submit(table.post, "/resign", resigns)
        statuses = [answer.result(PATIENCE).status_code for answer in answers]
        assert set(statuses) <= {200, 409, 422}
        if resigned is not None:
            assert resigned.result(PATIENCE).status_code in (200, 409)  # the last move may come before it
        self.oracle = self._as_it_is()
        now = self._moves()
        assert all(now[seat][: len(known[seat])] == known[seat] for seat in SEATS)
        new = [(seat, move) for seat in SEATS for move in now[seat][len(known[seat]) :]]
        accepted = {one for one, status in zip(wanted, statuses, strict=True) if status == 200}
        before = {(seat, move) for seat in SEATS for move in known[seat]}
        assert set(new) <= accepted
        assert accepted <= set(new) | before
        assert len(set(new)) == len(new) or self.oracle.game.slug == "pattern"
        for seat, move in new:
            self.sent.append((seat, move, ply))
        if new:
            self.asked = None
        if any(seat != self.stop_offer for seat, _ in new):
            self.stop_offer = None
        version = table.seen()["version"]
        assert version - self.version >= len(new)
        self.version = version

    def _moves(self) -> dict[Seat, list[str]]:
        """Each seat's own moves in order: whichever chose first in secret, a record has one order."""
        return {seat: [str(one.move) for one in self.oracle.played if one.seat is seat] for seat in SEATS}

    def _as_it_is(self) -> Match:
        """The match with all that either seat knows, replayed through the rules."""
        records = [Record.from_json(self._table().get("/record", seat).text) for seat in SEATS]
        whole = Match.of(max(records, key=lambda record: len(record.moves)))
        assert whole.over == (self._table().seen()["status"] == "over")
        return whole

    @rule(seat=st.sampled_from(SEATS))
    def ask_for_a_takeback(self, seat: Seat) -> None:
        try:
            self.oracle.copy().undo(until=(seat,), by=seat)
        except GameOver:
            status = 409
        except NinefoldError:
            status = 422
        else:
            status = 200
        answer = self._table().ask("takeback", seat, "offer")
        assert answer.status_code == status, answer.text
        self._changed(status == 200 and self.asked != seat)
        if status == 200:
            self.asked = seat

    @rule(seat=st.sampled_from(SEATS))
    def grant_it(self, seat: Seat) -> None:
        granted = not self.oracle.over and self.asked == seat.other
        answer = self._table().ask("takeback", seat, "accept")
        assert answer.status_code == (200 if granted else 409), answer.text
        self._changed(granted)
        if granted:
            self.oracle.undo(until=(seat.other,), by=seat.other)
            self.asked = None
            self.sent = [one for one in self.sent if self._stands(*one)]

    def _stands(self, seat: Seat, move: str, ply: int) -> bool:
        before = len(self.oracle.played)
        trial = self.oracle.copy()
        try:
            trial.submit(seat, move, ply)
        except NinefoldError:
            return False
        return len(trial.played) == before

    @rule(seat=st.sampled_from(SEATS))
    def decline_it(self, seat: Seat) -> None:
        declined = not self.oracle.over and self.asked is not None
        answer = self._table().ask("takeback", seat, "decline")
        assert answer.status_code == (200 if declined else 409), answer.text
        self._changed(declined)
        if declined:
            self.asked = None

    @rule(seat=st.sampled_from(SEATS), action=st.sampled_from(["offer", "accept", "decline"]))
    def stop(self, seat: Seat, action: str) -> None:
        """Offers and answers; early in a game nobody agrees, so that something is played."""
        stop_offer, events = self.stop_offer, 0
        if action != "decline" and stop_offer == seat.other and len(self.oracle.played) < 5:
            return
        answer = self._table().ask("stop", seat, action)
        if self.oracle.over:
            status = 409
        elif not self.oracle.game.endless:
            status = 422
        elif action == "offer" and stop_offer in (seat, None):
            status, events, self.stop_offer = 200, int(stop_offer is None), seat
        elif action != "decline" and stop_offer == seat.other:
            status, events = 200, 1
            self.oracle.stop_by_agreement()
        elif action == "decline" and stop_offer is not None:
            status, events, self.stop_offer = 200, 1, None
        else:
            status = 409
        assert answer.status_code == status, answer.text
        self._changed(events)

    @rule(what=st.sampled_from(["/moves", "/resign", "/takeback", "/stop", "/rematch"]))
    def a_spectator_tries(self, what: str) -> None:
        body = {"move": self._move(FIRST, 0), "ply": self.oracle.ply} if what == "/moves" else None
        answer = self._table().post(what, None, body or {"action": "offer"})
        assert answer.status_code in (400, 403)
        self._changed(0)

    @rule(seat=st.sampled_from(SEATS))
    def resign(self, seat: Seat) -> None:
        if len(self.oracle.played) < 5:
            return  # too early: there would be little to race about
        over = self.oracle.over
        answer = self._table().post("/resign", seat)
        assert answer.status_code == (409 if over else 200)
        self._changed(not over)
        if not over:
            self.oracle.resign(seat)

    @invariant()
    def everybody_sees_the_match_as_the_rules_have_it(self) -> None:
        if self.table is None:
            return
        for viewer in VIEWERS:
            now = self.table.seen(viewer)
            record = self.oracle.record(viewer)
            assert now["ply"] == self.oracle.ply
            assert [(one["seat"], one["move"]) for one in now["moves"]] == [
                (str(one.seat), str(one.move)) for one in record.moves
            ]
            assert now["setup"] == dict(record.setup)
            outcome = self.oracle.outcome
            assert (now["outcome"] or {}).get("winner") == (
                None if outcome is None else str(outcome.winner)
            )
            assert now["stopped"] == self.oracle.stopped
            assert (now["status"] == "over") == self.oracle.over
            if not self.oracle.over:
                assert Seat.named(now["offers"].get("takeback")) == self.asked
                assert Seat.named(now["offers"].get("stop")) == self.stop_offer

    def teardown(self) -> None:
        if self.table is None:
            return
        version = self.table.seen()["version"]
        with self.table.stream() as stream:
            assert [one.id for one in stream.take(version)] == list(range(1, version + 1))


def raced(server: Server, examples: int, steps: int) -> None:
    with ThreadPoolExecutor(6) as pool:
        run_state_machine_as_test(
            lambda: Racing(server, pool),  # type: ignore[arg-type]
            settings=settings(max_examples=examples, stateful_step_count=steps, **QUICK),  # type: ignore[arg-type]
        )


def test_clients_that_race_each_other(server: Server) -> None:
    raced(server, 25, 20)


def test_clients_that_race_each_other_on_postgresql(postgres_server: Server) -> None:
    raced(postgres_server, 10, 15)


@pytest.mark.long
def test_clients_that_race_each_other_for_long(server: Server) -> None:
    raced(server, 300, 50)
