"""What can be done to a match on the server, each as one request to the database.

A function here takes a `Transaction`, checks who asks, goes through the match's own authority, and
saves. It knows nothing of HTTP. News are for every viewer: they hold nothing secret.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import math
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from ipaddress import IPv6Address, ip_address, ip_network
from random import SystemRandom
from typing import Any

from msgspec.structs import replace

from ninefold.core.errors import GameOver, NinefoldError, NotYourTurn
from ninefold.core.outcome import Reason
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.games import load
from ninefold.match import Match, Player
from ninefold.match.record import clean_name, result_data
from ninefold.match.seating import fill_names, keep_settings, swap_sides
from ninefold.players import HUMAN, agrees_to_stop, kind
from ninefold.show.endings import say_refusal
from ninefold.show.moves import cast_of
from ninefold.store.database import NoSuchMatch, Room, Status, Transaction
from ninefold.web.messages import NewMatch, SeatRequest

PERSON, OPEN = "person", "open"
ID_BYTES = 9
ID_LENGTH = 12  # characters that so many bytes are
TOKEN_BYTES = 24
ABSENCE = 600.0  # seconds of being away on one's own turn after which the other may claim the game
KEYS = 8  # requests that a match remembers so as not to do them twice
KEY_LENGTH = 12


class Forbidden(NinefoldError):
    """Only the seat's holder may do this."""


class Stale(NinefoldError):
    """The match is not where the request takes it to be."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """A seat's token, which exists in plain text only here and with its owner."""

    match_id: str
    seat: Seat
    token: str


def token_hash(token: str) -> str:
    """Tokens are long and random, so a plain hash is enough to make a stolen table useless."""
    return hashlib.sha256(token.encode()).hexdigest()


def holder(room: Room, token: str | None) -> Seat | None:
    """The seat that a token holds; None for a spectator. Raises Forbidden for a wrong token."""
    if token is None:
        return None
    offered = token_hash(token)
    held = [seat for seat in SEATS if hmac.compare_digest(room.hashes[seat] or "", offered)]
    if not held:
        raise Forbidden("This token does not hold a seat in this match.")
    return held[0]


def seat_of(room: Room, token: str | None, wanted: Seat | None = None) -> Seat:
    """The seat of somebody who has to hold one; the wanted one where the token holds both."""
    seat = holder(room, token)
    if seat is None:
        raise Forbidden("This needs the token of a seat.")
    return wanted if wanted is not None and shared(room) else seat


def shared(room: Room) -> bool:
    """Whether one token holds both seats: two people at one screen."""
    return room.hashes[0] is not None and room.hashes[0] == room.hashes[1]


def maker_of(address: str) -> str:
    """A client for the count of its matches: too short a hash to find the address again.

    Whoever has an IPv6 address has its whole network.
    """
    with suppress(ValueError):
        found = ip_address(address)
        if isinstance(found, IPv6Address):
            address = str(ip_network((found, 64), strict=False))
    return token_hash(address)[:6]


def create(
    tx: Transaction,
    wanted: NewMatch,
    token: str | None = None,
    maker: str | None = None,
    key: str | None = None,
) -> tuple[Room, list[Ticket]]:
    """A new match, with a ticket for each person's seat: by the given token, or each by a new one.

    With a key, it is the match that was made with it before, if there is one.
    """
    id = secrets.token_urlsafe(ID_BYTES) if key is None else derive(key, "match")[:ID_LENGTH]
    if key is not None:
        with suppress(NoSuchMatch):
            return _created_before(tx.room(id), key)
    rng = SystemRandom()
    start = load(wanted.game).set_up(wanted.setup, rng)
    kinds = (_seat_kind(wanted.first), _seat_kind(wanted.second))
    if kinds == (OPEN, OPEN):
        raise NinefoldError("Take one of the seats yourself, or give it to a computer.")
    player_kinds = (_player_kind(kinds[0]), _player_kind(kinds[1]))
    names = fill_names((wanted.first.name, wanted.second.name), player_kinds)
    first, second = (Player(names[seat], seat, player_kinds[seat]) for seat in SEATS)
    tickets = [
        Ticket(id, seat, token or _new_token(key, seat)) for seat in SEATS if kinds[seat] == PERSON
    ]
    hashes = {ticket.seat: token_hash(ticket.token) for ticket in tickets}
    room = Room(
        id=id,
        match=Match(start, (first, second), hints=wanted.hints, clock=wanted.clock),
        kinds=kinds,
        hashes=(hashes.get(Seat.FIRST), hashes.get(Seat.SECOND)),
        listed=wanted.listed,
        status=Status.WAITING if OPEN in kinds else Status.PLAYING,
        setup=wanted.setup,
        version=0,
        touched=time.time(),
        maker=maker,
    )
    room = _started(room)
    tx.create(room)
    return room, tickets


def _started(room: Room) -> Room:
    """A new match, with what is awaited in it."""
    clock = room.match.clock
    running = clock is not None and room.status is Status.PLAYING
    return replace(room, due=is_due(room), deadline=room.touched + clock if clock and running else None)


def _new_token(key: str | None = None, purpose: object = "") -> str:
    return secrets.token_urlsafe(TOKEN_BYTES) if key is None else derive(key, f"token {purpose}")


def derive(key: str, purpose: str) -> str:
    """What a client that chose this key would be told; nobody finds the key from it."""
    found = hmac.digest(key.encode(), purpose.encode(), "sha256")
    return base64.urlsafe_b64encode(found[:TOKEN_BYTES]).decode()


def _created_before(room: Room, key: str) -> tuple[Room, list[Ticket]]:
    tickets = [Ticket(room.id, seat, _new_token(key, seat)) for seat in SEATS]
    held = [one for one in tickets if token_hash(one.token) == room.hashes[one.seat]]
    if not held and any(room.hashes):
        raise Stale("This key was used for something else.")
    return room, held


def once(
    tx: Transaction, id: str, token: str | None, key: str | None, act: Callable[[Transaction], Room]
) -> Room:
    """Do something to a match, unless it was done before by a request with the same key."""
    if key is None:
        return act(tx)
    room = tx.room(id)
    seat = seat_of(room, token)
    mark = derive(key, f"{id} {seat}")[:KEY_LENGTH]
    if mark in room.keys:
        return room
    return tx.save_keys(act(tx), (*room.keys, mark)[-KEYS:])


def _seat_kind(wanted: SeatRequest) -> str:
    if wanted.kind in (PERSON, OPEN):
        return wanted.kind
    name = kind(wanted.kind)
    if name == HUMAN or name.startswith("program:"):
        raise NinefoldError("A seat on a server is for a person, open, or for one of its computers.")
    return name


def _player_kind(seat_kind: str) -> str:
    return HUMAN if seat_kind in (PERSON, OPEN) else seat_kind


def computer_to_move(room: Room) -> Seat | None:
    """The computer's seat that has to move now, if there is one."""
    if room.status is not Status.PLAYING:
        return None
    movers = room.match.state.movers
    return next((seat for seat in movers if room.kinds[seat] not in (PERSON, OPEN)), None)


def is_due(room: Room) -> bool:
    return computer_to_move(room) is not None


def join(
    tx: Transaction, id: str, name: str | None, token: str | None = None, key: str | None = None
) -> tuple[Room, Ticket]:
    """Take the open seat, by the given token or a new one. Raises Stale if there is none (any more).

    With a key, whoever has taken it by the same key before is answered like the first time.
    """
    room = tx.room(id)
    token = token or _new_token(key, id)
    if key is not None and token_hash(token) in room.hashes:
        return room, Ticket(id, Seat(room.hashes.index(token_hash(token))), token)
    seat = next((seat for seat in SEATS if room.kinds[seat] == OPEN), None)
    if seat is None:
        raise Stale("There is no open seat in this match.")
    match = room.match.copy()
    if name:
        wanted = clean_name(name)
        if wanted == match.player(seat.other).name:
            raise NinefoldError(f"{wanted} is already at this table. Choose another name.")
        match.seated(seat, wanted)
    ticket = Ticket(id, seat, token)
    room = _changed(
        room,
        match=match,
        kinds=_with(room.kinds, seat, PERSON),
        hashes=_with(room.hashes, seat, token_hash(ticket.token)),
        status=Status.PLAYING,
        joined=seat,
    )
    news = {"kind": "joined", "seat": str(seat), "name": match.player(seat).name}
    return tx.save(room, _dated(room, [news])), ticket


def _with(pair: tuple[Any, Any], seat: Seat, value: Any) -> tuple[Any, Any]:
    return (pair[0], value) if seat else (value, pair[1])


def _changed(before: Room, **changes: Any) -> Room:
    """A match as it is after a change that somebody made, with what follows from it."""
    room = replace(before, touched=time.time(), **changes)
    if room.match.over:
        room = replace(room, status=Status.OVER, takeback=None, stop=None, deadline=None)
    elif room.match.clock is not None and _other_turn(before, room):
        room = replace(room, deadline=room.touched + room.match.clock)
    return replace(room, due=is_due(room))


def _other_turn(before: Room, room: Room) -> bool:
    """Whether another move is awaited: the second of two secret choices is still the same."""
    if room.status is not Status.PLAYING or before.status is not Status.PLAYING:
        return room.status is Status.PLAYING
    fewer = len(room.match.played) < len(before.match.played)
    return fewer or room.match.ply != before.match.ply


def deadline_text(room: Room) -> str | None:
    if room.deadline is None:
        return None
    return datetime.fromtimestamp(room.deadline, UTC).isoformat(timespec="seconds")


def _dated(room: Room, news: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """News of a change, with until when the next move is awaited."""
    if room.deadline is not None:
        news[-1]["deadline"] = deadline_text(room)
    return news


def move(
    tx: Transaction, id: str, token: str | None, text: str, ply: int, seat: Seat | None = None
) -> tuple[Room, Seat, str]:
    """Submit a move that answers a ply. Answered again like the first time if it is sent again."""
    room = tx.room(id)
    seat = seat_of(room, token, seat)
    return _submit(tx, room, seat, text, ply)


def computer_move(tx: Transaction, seen: Room, seat: Seat, text: str) -> Room:
    """A computer's move for the match as it saw it; nothing happens if that has moved on."""
    room = tx.room(seen.id)
    same = room.match.ply == seen.match.ply and room.match.open_state == seen.match.open_state
    if room.status is not Status.PLAYING or not same or seat not in room.match.state.movers:
        return room
    return _submit(tx, room, seat, text, room.match.ply)[0]


def _submit(tx: Transaction, room: Room, seat: Seat, text: str, ply: int) -> tuple[Room, Seat, str]:
    _refuse_waiting(room)
    match = room.match.copy()
    before = len(match.played)
    try:
        played = match.submit(seat, text, ply)
    except (NotYourTurn, GameOver) as error:
        raise Stale(str(error)) from None
    if len(match.played) == before:
        return room, seat, played.move  # the same move once more
    back = _here_news(room, seat)
    stop = room.stop if room.stop is seat else None  # whoever is asked and moves wants to play on
    room = _changed(room, match=match, takeback=None, stop=stop, away=_with(room.away, seat, None))
    return tx.save(room, _dated(room, back + _move_news(match, seat))), seat, played.move


def _refuse_waiting(room: Room) -> None:
    if room.status is Status.WAITING:
        raise Stale("The match has not begun: a seat is still open.")


def _move_news(match: Match, seat: Seat) -> list[dict[str, Any]]:
    """What everybody may hear of the last move: a secret one only that it has been made."""
    state, ply = match.state, match.ply
    if state.pending:
        news: list[dict[str, Any]] = [{"kind": "chosen", "seat": str(seat), "ply": ply}]
    else:
        last = match.turns[-1]
        made = last.secrets or last.moves  # a challenge was told of before its numbers
        news = [
            {"kind": "move", "seat": str(one.seat), "move": one.move, "ply": ply - len(made) + k}
            for k, one in enumerate(made, 1)
        ]
    return news + _end_news(match)


def _end_news(match: Match) -> list[dict[str, Any]]:
    return [] if match.result is None else [{"kind": "over", **result_data(match.result)}]


def resign(tx: Transaction, id: str, token: str | None, seat: Seat | None = None) -> Room:
    room = tx.room(id)
    seat = seat_of(room, token, seat)
    _refuse_waiting(room)
    match = room.match.copy()
    try:
        match.resign(seat)
    except GameOver as error:
        raise Stale(str(error)) from None
    return tx.save(_changed(room, match=match), _end_news(match))


def may_abort(room: Room, seat: Seat) -> bool:
    """Whether the holder of a seat made the match, and nothing has been played in it yet."""
    return room.status is not Status.OVER and not room.match.played and room.joined != seat


def abort(tx: Transaction, id: str, token: str | None) -> Room:
    """Remove a match in which nothing has been played yet."""
    room = tx.room(id)
    seat = seat_of(room, token)
    if room.joined == seat:
        raise Forbidden("Only whoever made the match can abort it. You can resign.")
    if not may_abort(room, seat):
        raise Stale("The game has begun. It can be resigned, not aborted.")
    tx.remove(room)
    return room


def forget(tx: Transaction, id: str, token: str | None) -> Room:
    """Give up the seats that a token holds in a finished match, so that it is not among one's own."""
    room = tx.room(id)
    seat = seat_of(room, token)
    if room.status is not Status.OVER:
        raise Stale("The match is not over yet. You can resign.")
    first, second = (None if one == room.hashes[seat] else one for one in room.hashes)
    return _tell(tx, replace(room, hashes=(first, second)), "left", seat)


def note_hint(tx: Transaction, id: str, seat: Seat) -> Room:
    """A hint was given: told once for a move, where another person plays who should know."""
    room = tx.room(id)
    ply, given = room.match.ply, room.hinted[seat]
    if ply in given or room.status is not Status.PLAYING or not _has_to_agree(room, seat.other):
        return room
    return _tell(tx, replace(room, hinted=_with(room.hinted, seat, (*given, ply))), "hint", seat)


def forfeit(tx: Transaction, id: str, seat: Seat, why: str) -> Room:
    """A computer that cannot go on."""
    room = tx.room(id)
    match = room.match.copy()
    match.forfeit(seat, why)
    return tx.save(_changed(room, match=match), _end_news(match))


def time_out(tx: Transaction, id: str, now: float) -> Room:
    """Whoever has not moved in time loses; where both had to choose in secret, the challenger first."""
    room = tx.room(id)
    if room.deadline is None or room.deadline >= now:
        return room  # it has been made meanwhile
    return _run_out(tx, room, room.match.state.movers[0], Reason.TIME)


def _run_out(tx: Transaction, room: Room, seat: Seat, reason: Reason) -> Room:
    match = room.match.copy()
    match.run_out(seat, reason)
    return tx.save(_changed(room, match=match), _end_news(match))


def note_presence(tx: Transaction, id: str, seat: Seat, *, here: bool) -> Room:
    """Somebody is there again, or has not been for a while; told where another person waits for them."""
    room = tx.room(id)
    known = room.away[seat] is None
    if room.status is not Status.PLAYING or known == here or not _has_to_agree(room, seat.other):
        return room
    away = _with(room.away, seat, None if here else time.time())
    return _tell(tx, replace(room, away=away), "here" if here else "away", seat)


def _here_news(room: Room, seat: Seat) -> list[dict[str, Any]]:
    """Whoever moves is there."""
    return [] if room.away[seat] is None else [{"kind": "here", "seat": str(seat)}]


def claim(tx: Transaction, id: str, token: str | None, now: float | None = None) -> Room:
    """Win because the opponent has been away for too long on their own turn.

    An opponent who is not known to be away counts as such from now on, unless a stream of theirs says
    otherwise: a process may have died and left nobody to say that they have gone.
    """
    now = time.time() if now is None else now
    room = tx.room(id)
    seat = seat_of(room, token)
    name, since = room.match.player(seat.other).name, room.away[seat.other]
    movers = room.match.state.movers
    if room.status is not Status.PLAYING or seat in movers or not _has_to_agree(room, seat.other):
        raise Stale("A game can be claimed only while another person has to move.")
    if room.match.clock is not None:
        raise Stale(f"{name} loses when the time for the move is over.")
    if since is None:
        return note_presence(tx, id, seat.other, here=False)
    left = ABSENCE - (now - max(since, room.touched))
    if left > 0:
        raise Stale(f"{name} is away. You can claim the game in {math.ceil(left / 60)} min.")
    return _run_out(tx, room, seat.other, Reason.ABSENT)


def takeback(tx: Transaction, id: str, token: str | None, action: str, ply: int | None = None) -> Room:
    """Ask for one's last turn back, or answer the other's wish. A computer grants it at once.

    With `ply`, only at the position that the sender saw, so that a wish sent twice is granted once.
    """
    room = tx.room(id)
    if ply is not None and ply != room.match.ply:
        raise Stale("The match has moved on since you saw it.")
    seat = seat_of(room, token)
    if room.status is not Status.PLAYING:
        raise Stale("There is nothing to take back in this match.")
    match action:
        case "ask":
            until, seat = _takeback_by(room, seat)
            _take_back(room.match.copy(), until, seat)  # raises, if it is not possible
            if _has_to_agree(room, seat.other):
                if room.takeback == seat:
                    return room  # asked already
                return _tell(tx, _changed(room, takeback=seat), "takeback-asked", seat)
            return _taken_back(tx, room, seat, until)
        case "accept" if room.takeback == seat.other:
            return _taken_back(tx, room, seat.other, (seat.other,))
        case "decline" if room.takeback is not None:
            return _tell(tx, _changed(room, takeback=None), "takeback-declined", seat)
    raise Stale("Nobody asks for a takeback.")


def may_take_back(room: Room, seat: Seat) -> bool:
    """Whether the holder of a seat can have a turn back now, or ask for it."""
    if room.status is not Status.PLAYING or room.takeback is not None:
        return False
    try:
        _take_back(room.match.copy(), *_takeback_by(room, seat))
    except NinefoldError:
        return False
    return True


def _takeback_by(room: Room, seat: Seat) -> tuple[tuple[Seat, ...], Seat]:
    """Until whose turn a seat's wish goes back, and who wishes: at one screen, whoever is asked now."""
    return (SEATS, room.match.state.movers[0]) if shared(room) else ((seat,), seat)


def _has_to_agree(room: Room, seat: Seat) -> bool:
    """Whether a wish has to be put to this seat: not to a computer, nor to who sits beside you."""
    return room.kinds[seat] == PERSON and not shared(room)


def _take_back(match: Match, until: tuple[Seat, ...], by: Seat) -> None:
    try:
        match.undo(until, by)
    except GameOver as error:
        raise Stale(str(error)) from None


def _taken_back(tx: Transaction, room: Room, seat: Seat, until: tuple[Seat, ...]) -> Room:
    match = room.match.copy()
    _take_back(match, until, seat)
    room = _changed(room, match=match, takeback=None)
    return tx.save(room, _dated(room, [{"kind": "takeback", "seat": str(seat), "ply": match.ply}]))


def where_computer_agrees(room: Room) -> State[Any] | None:
    """The position, if a computer at the table agrees to stop there. It may take a while to find out."""
    state = room.match.open_state
    asked = room.match.game.endless and any(kind not in (PERSON, OPEN) for kind in room.kinds)
    return state if asked and agrees_to_stop(state) else None


def stop(
    tx: Transaction, id: str, token: str | None, action: str, agreed: State[Any] | None = None
) -> Room:
    """Propose to stop the game without a winner, or answer the other's proposal.

    A computer answers at once: it agrees in the position `agreed`, as `where_computer_agrees` found.
    """
    room = tx.room(id)
    seat = seat_of(room, token)
    match = room.match.copy()
    if room.status is not Status.PLAYING:
        raise Stale("The match is not being played.")
    match.stop_by_agreement()  # raises, if it is not possible
    match action:
        case "ask" if room.stop == seat:
            return room  # proposed already
        case "ask" if _has_to_agree(room, seat.other) and room.stop is None:
            return _tell(tx, _changed(room, stop=seat), "stop-proposed", seat)
        case "ask" if room.kinds[seat.other] != PERSON and room.match.open_state != agreed:
            raise NinefoldError(say_refusal(seat.other, cast_of(room.match, seat), computer=True))
        case "accept" if room.stop != seat.other:
            pass
        case "ask" | "accept":
            return tx.save(_changed(room, match=match), _end_news(match))
        case "decline" if room.stop is not None:
            return _tell(tx, _changed(room, stop=None), "stop-declined", seat)
    raise Stale("Nobody proposes to stop.")


def rematch(tx: Transaction, id: str, token: str | None, action: str) -> Room:
    """Offer another game with the sides swapped, or answer. The tokens hold the seats there too."""
    room = tx.room(id)
    seat = seat_of(room, token)
    if room.status is not Status.OVER:
        raise Stale("The match is not over yet.")
    if room.next:
        return room
    match action:
        case "ask" if _has_to_agree(room, seat.other) and room.rematch != seat.other:
            if room.rematch == seat:
                return room  # offered already
            return _tell(tx, _changed(room, rematch=seat), "rematch-offered", seat)
        case "ask" | "accept" if not _has_to_agree(room, seat.other) or room.rematch == seat.other:
            return _played_again(tx, room)
        case "decline" if room.rematch is not None:
            return _tell(tx, _changed(room, rematch=None), "rematch-declined", seat)
    raise Stale("Nobody offers a rematch.")


def score(room: Room) -> tuple[int, int]:
    """By seat, the games won up to now in this row of rematches."""
    first, second = room.wins or (0, 0)
    winner = None if room.match.outcome is None else room.match.outcome.winner
    return first + (winner is Seat.FIRST), second + (winner is Seat.SECOND)


def _played_again(tx: Transaction, room: Room) -> Room:
    setup = keep_settings(room.setup, room.match.states[0], watched=True)
    start = room.match.game.set_up(setup, SystemRandom())
    new = replace(
        room,
        id=secrets.token_urlsafe(ID_BYTES),
        match=Match(start, swap_sides(room.match), hints=room.hints, clock=room.match.clock),
        kinds=(room.kinds[1], room.kinds[0]),
        hashes=(room.hashes[1], room.hashes[0]),
        listed=False,
        status=Status.PLAYING,
        setup=setup,
        takeback=None,
        stop=None,
        rematch=None,
        joined=None,
        keys=(),
        away=room.away[::-1],
        hinted=((), ()),
        wins=score(room)[::-1],
        version=0,
        touched=time.time(),
    )
    tx.create(_started(new))
    room = _changed(room, rematch=None, next=new.id)
    return tx.save(room, [{"kind": "rematch", "match": new.id}])


def _tell(tx: Transaction, room: Room, kind: str, seat: Seat) -> Room:
    return tx.save(room, [{"kind": kind, "seat": str(seat)}])
