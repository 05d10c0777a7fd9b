"""A match with everything the server knows about it, and how it is stored as rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from ninefold.core.errors import NinefoldError
from ninefold.core.outcome import Reason, Stop
from ninefold.core.seat import SEATS, Seat
from ninefold.games import load
from ninefold.match import Match, Played, Player, Record
from ninefold.match.kinds import Offer, SeatKind, Status
from ninefold.store.sql.schema import matches, moves

NO_SUCH_MATCH = "There is no such match."


class NoSuchMatch(NinefoldError):
    """There is no match with that id."""


class Unreadable(NinefoldError):
    """A match is stored, but its rows make no sense. The cause says where."""

    def __init__(self, id: str) -> None:
        super().__init__("This match is damaged and cannot be read.")
        self.id = id


class SavedEvent(msgspec.Struct, frozen=True):
    """Something that happened in a match. `data` is JSON that every viewer may see."""

    match_id: str
    number: int
    data: str


class _Rest(msgspec.Struct, frozen=True, omit_defaults=True):
    """The JSON of the column `rest`: everything about a match that has no column of its own."""

    setup: dict[str, int | str]
    offers: dict[Offer, Seat] = {}
    next: str | None = None
    wins: tuple[int, int] | None = None
    joined: Seat | None = None
    keys: tuple[str, ...] = ()
    away: tuple[float | None, float | None] = (None, None)
    hinted: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    best_of: int | None = None
    coach: bool = False
    unwon: int = 0


# Made here, not when the first match is read: msgspec crashes where two threads do that at once.
_decode_rest = msgspec.json.Decoder(_Rest).decode


class Room(msgspec.Struct, frozen=True):
    """A match with everything the server knows about it, at one version. It never changes."""

    id: str
    match: Match
    kinds: tuple[str, str]  # by seat: a SeatKind, or a computer's name
    hashes: tuple[str | None, str | None]  # of the tokens that hold the seats
    listed: bool
    status: Status
    setup: dict[str, int | str]  # the settings its maker chose; the rest were drawn
    version: int
    touched: float
    due: bool = False  # a computer has to move
    offers: dict[Offer, Seat] = {}  # what is offered now, and by whom
    next: str | None = None  # the id of the rematch, once there is one
    joined: Seat | None = None  # the seat taken by someone other than the match's maker
    keys: tuple[str, ...] = ()  # hashes of the latest idempotency keys
    deadline: float | None = None  # when the move is due, if there is a clock
    away: tuple[float | None, float | None] = (None, None)  # by seat, since when the player is away
    # by seat, the plies at which a hint was given while another person played
    hinted: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    maker: str | None = None  # a short hash of its maker's address
    wins: tuple[int, int] | None = None  # by seat, in the earlier games of this series of rematches
    unwon: int = 0  # the earlier games of the series that nobody won
    best_of: int | None = None  # the length of the series; None if it lasts as long as they want

    @property
    def hints(self) -> bool:
        return self.match.hints

    def row(self) -> dict[str, Any]:
        """All columns, for a new match."""
        return {
            "id": self.id,
            "game": self.match.game.slug,
            "setup": to_json(dict(self.match.state.setup)),
            "hints": self.hints,
            "listed": self.listed,
            "started": self.match.started,
            "maker": self.maker,
            "clock": self.match.clock,
            **self.seating(),
            **self.standing(),
            **self.progress(),
        }

    def seating(self) -> dict[str, Any]:
        """The columns that change when somebody takes a seat."""
        seats = [
            {"seat": int(player.seat), "kind": self.kinds[player.seat], "name": player.name}
            for player in self.match.players
        ]
        return {
            "seats": to_json(seats),
            "first_hash": self.hashes[0],
            "second_hash": self.hashes[1],
        }

    def standing(self) -> dict[str, Any]:
        """The columns that change when the match begins or ends, and with a clock or a computer."""
        result = None
        outcome = self.match.outcome
        if self.match.stopped is not None:
            result = to_json({"winner": None, "reason": self.match.stopped})
        elif outcome is not None and self.match.state.outcome is None:
            result = to_json({"winner": int(outcome.winner), "reason": outcome.reason})
        return {"status": self.status, "result": result, "due": self.due, "deadline": self.deadline}

    def progress(self) -> dict[str, Any]:
        """The columns that change with every move. None of them is in an index."""
        rest = _Rest(
            self.setup,
            self.offers,
            self.next,
            self.wins,
            self.joined,
            self.keys,
            self.away,
            self.hinted,
            self.best_of,
            self.match.coach,
            self.unwon,
        )
        return {"rest": to_json(rest), "version": self.version, "touched": self.touched}


def to_json(content: Any) -> str:
    return msgspec.json.encode(content).decode()


def load_match(id: str, connection: sa.Connection) -> Room:
    """Read a match from its rows. Raises NoSuchMatch or Unreadable."""
    while True:
        row = connection.execute(sa.select(matches).where(matches.c.id == id)).one_or_none()
        if row is None:
            raise NoSuchMatch(NO_SUCH_MATCH)
        played = connection.execute(
            sa.select(moves).where(moves.c.match_serial == row.serial).order_by(moves.c.place)
        ).all()
        again = connection.execute(sa.select(matches.c.version).where(matches.c.id == id))
        if again.scalar_one_or_none() == row.version:
            break  # the match and its moves belong to the same version
    try:
        return _read_room(row, played)
    except Exception as error:  # a damaged row can raise anything
        raise Unreadable(id) from error


def _read_room(row: sa.Row[Any], played: Sequence[sa.Row[Any]]) -> Room:
    seats = msgspec.json.decode(row.seats)
    result: tuple[Seat, Reason] | Stop | None = None
    if row.result is not None:
        kept = msgspec.json.decode(row.result)
        winner, reason = kept["winner"], kept["reason"]
        result = Stop(reason) if winner is None else (Seat(winner), Reason(reason))
    player1, player2 = (
        Player(
            seat["name"],
            SEATS[seat["seat"]],
            SeatKind.PERSON if seat["kind"] == SeatKind.OPEN else seat["kind"],
        )
        for seat in seats
    )
    kinds = {seat["seat"]: seat["kind"] for seat in seats}
    parse = load(row.game).parse
    rest = _decode_rest(row.rest)
    record = Record(
        game=row.game,
        setup=msgspec.json.decode(row.setup),
        players=(player1, player2),
        started=row.started,
        moves=tuple(Played(Seat(one.seat), parse(one.move), one.at) for one in played),
        result=result,
        hints=row.hints,
        coach=rest.coach,
        clock=row.clock,
    )
    return Room(
        id=row.id,
        match=Match.of(record, hosted=True),
        kinds=(kinds[0], kinds[1]),
        hashes=(row.first_hash, row.second_hash),
        listed=row.listed,
        status=Status(row.status),
        setup=rest.setup,
        version=row.version,
        touched=row.touched,
        due=row.due,
        offers=rest.offers,
        next=rest.next,
        joined=rest.joined,
        keys=rest.keys,
        away=rest.away,
        hinted=rest.hinted,
        deadline=row.deadline,
        maker=row.maker,
        wins=rest.wins,
        unwon=rest.unwon,
        best_of=rest.best_of,
    )
