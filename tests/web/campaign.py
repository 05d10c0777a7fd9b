"""Heavy play: clients that play match after match, whatever happens to the server, and remember."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from random import Random
from typing import Any

import httpx

from ninefold import SEATS, SLUGS, Seat
from ninefold.match import Match, Record
from tests.web.support import PATIENCE, SETUPS, Follower, Server, Table, got, seat_named, wait_for

COMPUTER = {"kind": "level:1"}


class Client(threading.Thread):
    """Plays both seats of its matches, or one against the computer. Sends again what was not answered."""

    def __init__(self, servers: Sequence[Server], seed: int, *, patient: bool = True) -> None:
        super().__init__(daemon=True)
        self.rng = Random(seed)
        self.servers, self.patient = servers, patient
        self.acknowledged: dict[str, list[tuple[str, str]]] = {}  # by match: seat and move, in order
        self.tables: list[Table] = []
        self.followers: list[Follower] = []
        self.count = 0
        self.problem: BaseException | None = None
        self.stopping = threading.Event()

    @property
    def server(self) -> Server:
        return self.rng.choice(self.servers)

    def run(self) -> None:
        try:
            while not self.stopping.is_set():
                self._play()
        except httpx.TransportError as error:
            self.problem = error if self.patient else None
        except BaseException as error:  # handed to the test
            self.problem = error

    def _ask(self, path: str, *, token: str | None = None, body: Any = None) -> httpx.Response:
        """An answer, from whoever gives one; asked for again and again."""
        while True:
            server = self.server
            try:
                answer = server.get(path, token) if body is None else server.post(path, body, token)
                if answer.status_code < 500 or not self.patient:
                    return answer
            except httpx.TransportError:
                if not self.patient:
                    raise
            if self.stopping.wait(0.02):
                raise TimeoutError

    def _play(self) -> None:
        game = self.rng.choice([*SLUGS])
        against = self.rng.random() < 0.25
        seats = {"first": {"kind": "person"}, "second": COMPUTER if against else {"kind": "person"}}
        wanted = {"game": game, "setup": SETUPS[game], **seats}
        created = got(self._ask("/api/v1/matches", body=wanted), 201)
        tokens = {seat_named(held["seat"]): str(held["token"]) for held in created["held"]}
        table = Table(self.servers[0], created["match"], tokens)
        self.tables.append(table)
        moves = self.acknowledged[table.id] = []
        if len(self.followers) < 2:
            self.followers.append(Follower(self.server, table.id))
        for _ in range(200):
            if self.stopping.is_set():
                return
            if not self._move(table, moves):
                return

    def _move(self, table: Table, moves: list[tuple[str, str]]) -> bool:
        now = got(self._ask(table.path))
        if now["status"] == "over":
            return False
        mine = [seat for name in now["view"]["movers"] if (seat := seat_named(name)) in table.tokens]
        if not mine:
            return not self.stopping.wait(0.01)  # the computer's turn
        seat = self.rng.choice(mine)
        view = got(self._ask(table.path, token=table.tokens[seat]))["view"]
        if not view["moves"]:
            return True  # the computer has moved meanwhile
        move = self.rng.choice(view["moves"])
        body = {"move": move, "ply": now["ply"]}
        answer = self._ask(f"{table.path}/moves", token=table.tokens[seat], body=body)
        assert answer.status_code == 200, answer.text
        moves.append((str(seat), move))
        self.count += 1
        return True


class Campaign:
    """Several clients at once."""

    def __init__(self, *servers: Server, clients: int = 5, patient: bool = True) -> None:
        self.clients = [Client(servers, seed, patient=patient) for seed in range(clients)]
        for client in self.clients:
            client.start()

    @property
    def count(self) -> int:
        return sum(client.count for client in self.clients)

    def go_on(self, moves: int) -> None:
        """Until so many more moves have been acknowledged."""
        goal = self.count + moves

        def reached() -> bool:
            assert not [client.problem for client in self.clients if client.problem is not None]
            return self.count >= goal

        wait_for(reached, f"{moves} moves")

    def end(self) -> None:
        for client in self.clients:
            client.stopping.set()
        for client in self.clients:
            client.join(PATIENCE)
            assert not client.is_alive()

    def close(self) -> None:
        self.end()
        for client in self.clients:
            for follower in client.followers:
                follower.stop()

    def check(self, server: Server, *, all_acknowledged: bool = False) -> None:
        """No acknowledged move is lost, every match is legal and can be played on to its end."""
        for client in self.clients:
            assert client.problem is None or isinstance(client.problem, TimeoutError)
            for table in client.tables:
                _check_moves(table.at(server), client.acknowledged[table.id], all_acknowledged)
            for table in client.tables[-1:]:
                finish(table.at(server), Random(0))
            for follower in client.followers:
                version = Table(server, follower.match_id).seen()["version"]
                if version:
                    assert follower.until(version) == list(range(1, version + 1))


def _check_moves(table: Table, acknowledged: list[tuple[str, str]], all_acknowledged: bool) -> None:
    """Each seat's moves are those it had acknowledged, in order, and at most a last one more."""
    more = 0
    for seat in table.tokens:
        match = Match.of(Record.from_json(got_text(table, seat)))
        played = [str(one.move) for one in match.played if one.seat == seat]
        expected = [move for name, move in acknowledged if name == str(seat)]
        assert played[: len(expected)] == expected
        more += len(played) - len(expected)
    assert more <= (0 if all_acknowledged else 1)  # a last one, whose answer did not come


def got_text(table: Table, seat: Seat) -> str:
    answer = table.get("/record", seat)
    assert answer.status_code == 200, answer.text
    return answer.text


def finish(table: Table, rng: Random) -> None:
    """Play on to the end; a long game is given up at last."""
    for _ in range(120):
        now = table.seen()
        if now["status"] == "over":
            return
        mine = [seat for name in now["view"]["movers"] if (seat := seat_named(name)) in table.tokens]
        if not mine:
            ply, movers = now["ply"], now["view"]["movers"]

            def answered(ply: int = ply, movers: list[str] = movers) -> bool:
                again = table.seen()
                return bool(again["ply"] != ply or again["view"]["movers"] != movers)

            wait_for(answered, "the computer's move")
            continue
        view = table.seen(mine[0])["view"]
        if view["moves"]:
            got(table.move(mine[0], rng.choice(view["moves"]), now["ply"]))
    got(table.post("/resign", next(seat for seat in SEATS if seat in table.tokens)))
