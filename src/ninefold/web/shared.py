"""What the page and the API do alike with a request."""

from __future__ import annotations

from functools import partial
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request

from ninefold.client import wire
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.games import load
from ninefold.match.kinds import Action, SeatKind, Status
from ninefold.players import agrees_to_stop
from ninefold.show.status import NO_HINTS
from ninefold.store.sql import queries
from ninefold.store.sql.database import Room, SavedEvent
from ninefold.study.lessons import Exercise, pose
from ninefold.study.puzzles.labels import Label, Wanted, find_label, read_day, read_wanted
from ninefold.web.actions import changes, matches, offers, play, tokens
from ninefold.web.computing import compute
from ninefold.web.requests import client_of, parse_number, server_of
from ninefold.web.server import Server

LISTED = 100  # the most matches with an open seat that are listed
LONGEST = 500  # the most moves that may lead to a position to evaluate
MOST = 40  # answers; any more in a URL are ignored


async def create_match(
    request: Request, wanted: wire.NewMatch, token: str | None = None, key: str | None = None
) -> tuple[Room, list[tokens.Ticket]]:
    """Create a match. Raises an HTTPException if there are too many."""
    server = server_of(request)
    limits = server.limits
    maker = tokens.hash_client(client_of(request))
    full = limits.matches and await server.read(queries.count_unfinished) >= limits.matches
    if full and not await server.remove_idle():
        raise HTTPException(503, "There are too many matches here now. Try again later.")
    if (
        limits.matches_per_client
        and await server.read(partial(queries.count_unfinished, maker=maker)) >= limits.matches_per_client
    ):
        raise HTTPException(
            429, "You have too many unfinished matches here. Finish or leave some, or try again later."
        )
    create = partial(matches.create, wanted=wanted, token=token, maker=maker, key=key)
    (room, tickets), _ = await server.run(create)
    server.metrics.count("matches_created")
    server.wake_computer(room)
    return room, tickets


async def find_open(server: Server) -> list[tuple[Room, Seat]]:
    """The listed matches with an open seat, each with that seat."""
    rooms = await server.find(LISTED, queries.OPEN_TO_ALL)
    return [(room, seat) for room in rooms for seat in SEATS if room.kinds[seat] == SeatKind.OPEN]


async def claim(server: Server, id: str, token: str | None) -> tuple[Room, list[SavedEvent]]:
    """Win because the opponent has been away too long. Raises Stale if it is too early."""
    room = await server.room(id)
    other = tokens.require_seat(room, token).other
    if server.presence.is_here(id, other):
        raise changes.Stale(f"{room.match.player(other).name} is here.")
    room, events = await server.run(lambda tx: play.claim(tx, id, token))
    if room.status is not Status.OVER:
        await server.publish(events)
        raise changes.Stale("Your opponent may be away. If so, you can claim the game in 10 minutes.")
    return room, events


async def find_agreement(request: Request, action: Action) -> State[Any] | None:
    """The position in which a computer agrees to stop; None if it has no offer, or does not agree."""
    if action is not Action.OFFER:
        return None
    room = await server_of(request).room(request.path_params["id"])
    state = room.match.open_state
    asked = offers.is_asking_computer(room) and await compute(request, agrees_to_stop, state)
    return state if asked else None


def refuse_advice(room: Room) -> None:
    if not room.hints:
        raise tokens.Forbidden(NO_HINTS)
    if room.status is not Status.PLAYING:
        raise changes.Stale("The match is not being played.")


def refuse_hint(room: Room, seat: Seat) -> None:
    """Raise Forbidden or Stale if a seat can get no hint now."""
    refuse_advice(room)
    if seat not in room.match.state.movers:
        raise changes.Stale("It is not your turn.")


async def publish_hint(server: Server, room: Room, seat: Seat) -> None:
    """Let the other player know that a hint was given."""
    _, events = await server.run(partial(play.note_hint, id=room.id, seat=seat))
    await server.publish(events)


def split_moves(text: str) -> list[str]:
    """The moves in a URL. Raises NinefoldError if there are too many to evaluate."""
    moves = text.replace("+", " ").split()
    if len(moves) > LONGEST:
        raise NinefoldError(f"That is more than {LONGEST} moves.")
    return moves


def wanted_of(request: Request) -> Wanted:
    """The kind of puzzle that a URL asks for. Raises NinefoldError."""
    return read_wanted(*(request.query_params.get(name) for name in ("task", "grade", "theme")))


def lesson_of(request: Request) -> tuple[Game, Exercise]:
    """The step that a URL leads to, and its game. Raises a 404 if there is none."""
    path = request.path_params
    try:
        game = load(path["game"])
        return game, pose(game, path["course"], parse_number(path["step"]) or 0)
    except NinefoldError as error:
        raise HTTPException(404, str(error)) from None


def label_of(request: Request) -> Label:
    """The puzzle that a URL leads to. Raises NinefoldError."""
    path = request.path_params
    if "day" in path:
        return Label(day=read_day(path["day"]))
    return find_label(load(path["game"]), path["seed"], wanted_of(request))
