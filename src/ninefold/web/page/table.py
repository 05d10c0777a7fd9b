"""A match on the page: what its viewer sees, and what they can do there."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from ninefold.analysis import evaluate
from ninefold.core.cast import Cast
from ninefold.core.seat import Seat
from ninefold.core.view import View
from ninefold.core.words import counted
from ninefold.match import Match, Turn
from ninefold.show.board import board_of, describe_settings, draw, spot_text
from ninefold.show.endings import describe_ending
from ninefold.show.hints import say_hint
from ninefold.show.moves import capitalize, cast_of, latest_news, say_move
from ninefold.show.sides import Side, preview_moves, side_of
from ninefold.show.status import CLOCKS, say_handover, say_open_seat, say_status, say_title
from ninefold.show.values import Bar, Tag, bar_of
from ninefold.show.wishes import say_wish
from ninefold.store.sql import Room
from ninefold.study.hints import Hint, find_hint
from ninefold.web import actions
from ninefold.web.page.rendering import FOR_EVER, packed, page
from ninefold.web.page.seats import Keys, key_of, keys_of, name_of, remember
from ninefold.web.requests import is_local, link, server_of
from ninefold.web.streams import listening
from ninefold.web.studying import note_hint


@dataclass(frozen=True, slots=True)
class Place:
    """A player at the table: who it is, and what they have."""

    seat: Seat
    mark: str
    name: str
    note: str  # the reader's own name, a computer's level
    you: bool
    turn: bool
    presence: str  # "here", "away", "gone" (the game can be claimed), or nothing for a computer
    hints: int  # given while another person plays
    wins: int | None  # None before the second game of a series
    side: Side


@dataclass(frozen=True, slots=True)
class Wish:
    """What a player asks of the other, in words for whoever looks."""

    name: str  # takeback, stop or rematch
    seat: Seat  # who asks
    says: str
    yes: str
    no: str


@dataclass(frozen=True, slots=True)
class Here:
    """Who looks at a match from this browser."""

    seats: tuple[Seat, ...]  # that it holds; both where two people share it
    viewer: Seat | None  # whose eyes the page is drawn for
    handover: Seat | None = None  # who has to take the device before anything is shown

    @property
    def shared(self) -> bool:
        return len(self.seats) == 2

    @property
    def you(self) -> Seat | None:
        """The one person who reads this page; None where two share it, and for spectators."""
        return self.seats[0] if len(self.seats) == 1 else None

    @property
    def actor(self) -> Seat | None:
        """The seat that a button on this page acts for."""
        return self.viewer if self.viewer is not None else self.seats[0] if self.seats else None


def here(room: Room, keys: Keys, ready: str | None) -> Here:
    """`ready` is the seat whose player has said that nobody else is looking."""
    seats = keys.holds(room)
    if len(seats) < 2:
        return Here(seats, seats[0] if seats else None)
    state = room.match.state
    if room.match.over:
        return Here(seats, Seat.FIRST)
    chooser = state.movers[0]
    if state.secret and ready != str(chooser):
        return Here(seats, None, handover=chooser)
    return Here(seats, chooser)


async def show(request: Request) -> Response:
    room = await server_of(request).room(request.path_params["id"])
    return await shown(request, room)


async def shown(request: Request, room: Room, refusal: str = "", status: int = 200) -> Response:
    server = server_of(request)
    match, game = room.match, room.match.game
    who = here(room, keys_of(request), request.query_params.get("ready"))
    view, cast, record = match.state.view(who.viewer), cast_of(match, who.you), match.record(who.viewer)
    turn = who.viewer is not None and who.viewer in view.movers and room.status == "playing"
    moves = view.moves if turn else ()
    drawing = draw(game, view, cast, last=last_turn(match), moves=moves)
    start = match.states[0].view(who.viewer)
    places = [
        _place(room, who, cast, side_of(game, start, view, drawing, seat, cast), seat)
        for seat in _order(who)
    ]
    wishes = _wishes(room, cast) if who.seats else []
    news, status_text = latest_news(match, who.viewer, cast), _status(room, who, cast)
    asked = [one.says for one in wishes]
    ending = describe_ending(match, cast) if match.over else None
    advised = bool(who.seats) and room.hints and room.status == "playing" and who.handover is None
    following = room.next
    hint = await _hint(request, room, who) if advised and turn else None
    advice = "" if hint is None else say_hint(match.open_state, hint, cast)
    response = page(
        request,
        "match.html",
        status=status,
        room=room,
        match=match,
        game=game,
        who=who,
        view=view,
        cast=cast,
        turn=turn,
        refusal=refusal,
        title=_title(room, who, cast, wishes),
        ending=ending,
        places=places,
        pool=side_of(game, start, view, drawing, None, cast),
        boards=_boards(view, who),
        preview=preview_moves(match.state, who.viewer, drawing, cast)
        if turn and who.viewer is not None
        else {},
        left=None if room.deadline is None else max(0, round(room.deadline - time.time())),
        deadline=actions.deadline_text(room),
        may_claim=bool(who.seats) and not turn and room.deadline is None,
        may_abort=len(who.seats) == 1 and actions.may_abort(room, who.seats[0]),
        may_take_back=bool(who.seats) and actions.may_take_back(room, who.seats[0]),
        status_text=status_text,
        said="\n".join((news, str(ending or status_text), *_beside(places), *asked, advice)),
        wishes=wishes,
        drawing=drawing,
        news=news,
        reveal=_reveal(match, cast),
        settings=describe_settings(game, record.setup),
        played=[(one.seat, _said(match, place)) for place, one in enumerate(record.moves)],
        link=link(request, room.id),
        local=is_local(request),
        terms=_terms(room, cast) if room.status == "waiting" else "",
        name=name_of(request),
        advised=advised,
        hint=advice,
        tags={} if hint is None else _hinted(room, who, hint),
        bar=await _bar(request, room, cast) if advised else None,
        watching=server.watchers.count(room.id),
        following=following,
        computer=any(kind not in (actions.PERSON, actions.OPEN) for kind in room.kinds),
        me=None if who.actor is None else str(who.actor),
    )
    if room.status == "waiting" and not who.seats:
        remember(request, response, key_of(request))  # so that taking the seat can be tried twice
    return response


def _said(match: Match, place: int) -> str:
    """A move that the viewer may see, in words. Only the last one can be hidden, so places agree."""
    return capitalize(say_move(match.states[place], match.played[place].move))


def _order(who: Here) -> tuple[Seat, Seat]:
    """Who sits at the far side of the board, and who at the near side: the reader, or who moves first."""
    near = Seat.FIRST if who.you is None else who.you
    return near.other, near


def _boards(view: View, who: Here) -> tuple[int, ...]:
    """The boards from far to near: where each player has one, in the order of the players."""
    return tuple(map(int, _order(who))) if len(view.boards) > 1 else (0,)


def _place(room: Room, who: Here, cast: Cast, side: Side, seat: Seat) -> Place:
    match, kind, you = room.match, room.kinds[seat], who.you is seat
    person = kind == actions.PERSON
    names = cast.name(seat)
    return Place(
        seat=seat,
        mark=cast.mark(seat),
        name="You" if you else "Free seat" if kind == actions.OPEN else names,
        note=names if you else "" if person or kind == actions.OPEN else kind.replace(":", " "),
        you=you,
        turn=room.status == "playing" and seat in match.state.movers,
        presence=_presence(room, who, seat) if person else "",
        hints=len(room.hinted[seat]),
        wins=None if room.wins is None else actions.score(room)[seat],
        side=side,
    )


def _beside(places: list[Place]) -> list[str]:
    """Who is not there, and who was helped, in words."""
    away = [f"{one.name} is {one.presence}." for one in places if one.presence in ("away", "gone")]
    helped = [f"{one.name} used {counted(one.hints, 'hint')}." for one in places if one.hints]
    return away + helped


def _presence(room: Room, who: Here, seat: Seat) -> str:
    if room.status != "playing" or seat in who.seats:
        return ""
    since = room.away[seat]
    if since is None:
        return "here"
    return "gone" if time.time() - since > actions.ABSENCE else "away"


ANSWERS = {  # to a wish
    "takeback": ("Allow it", "No"),
    "stop": ("Stop the game", "Play on"),
    "rematch": ("Rematch", "No, thanks"),
}


def _wishes(room: Room, cast: Cast) -> list[Wish]:
    """What the players ask of each other now."""
    asked = zip(ANSWERS, (room.takeback, room.stop, None if room.next else room.rematch), strict=True)
    return [
        Wish(name, seat, say_wish(name, seat, cast), *ANSWERS[name])
        for name, seat in asked
        if seat is not None
    ]


def _terms(room: Room, cast: Cast) -> str:
    """What whoever takes the free seat agrees to."""
    free = next((seat for seat in Seat if room.kinds[seat] == actions.OPEN), Seat.SECOND)
    said = [f"{cast.name(free.other)} is waiting. You would move {free}."]
    said.append("Both of you can ask for hints." if room.hints else "Nobody gets hints.")
    said += [
        f"Each move has to be made within {text}." for n, text in CLOCKS.items() if n == room.match.clock
    ]
    return " ".join(said)


def _title(room: Room, who: Here, cast: Cast, wishes: list[Wish]) -> str:
    for wish in wishes:
        if wish.seat not in who.seats:
            return f"{cast.name(wish.seat)} asks you"
    if room.status == "waiting":
        return "Waiting for a player"
    if who.handover is not None:
        return f"{cast.name(who.handover)}, your turn"
    return say_title(room.match, who.viewer, cast)


def _status(room: Room, who: Here, cast: Cast) -> str:
    """What is going on, as a sentence to whoever looks."""
    if room.status == "waiting":
        return say_open_seat(seated=bool(who.seats))
    if room.match.over:
        return ""
    if who.handover is not None:
        return say_handover(who.handover, cast)
    return say_status(room.match, who.viewer, cast)


def last_turn(match: Match, count: int | None = None) -> Turn | None:
    """The last turn of the first so many moves, by default of all; None before the first."""
    turns = match.turns if count is None else match.turns_of(count)
    return turns[-1] if turns else None


@dataclass(frozen=True, slots=True)
class Shown:
    name: str
    mark: str
    number: int | None


def _reveal(match: Match, cast: Cast) -> list[Shown]:
    """The numbers of a secret choice that has just been settled, side by side."""
    last, game = last_turn(match), match.game
    return [
        Shown(cast.subject(one.seat), cast.mark(one.seat), game.spot(game.parse(one.move)).number)
        for one in (last.secrets if last else ())
    ]


async def _hint(request: Request, room: Room, who: Here) -> Hint | None:
    """Only for the move it was asked for: the address keeps it."""
    if request.query_params.get("hint") != str(room.match.ply) or who.viewer is None:
        return None
    await note_hint(server_of(request), room, who.viewer)
    return await asyncio.to_thread(find_hint, room.match.open_state, who.viewer)


def _hinted(room: Room, who: Here, hint: Hint) -> dict[str, Tag]:
    """What to choose for the move that a hint names, marked on the board."""
    game, view = room.match.game, room.match.state.view(who.viewer)
    spot = game.spot(game.parse(hint.move))
    assert who.viewer is not None
    ids = [f"c-{spot_text(board_of(view, who.viewer), spot)}", f"n-{spot.number}"]
    return {id: Tag(tone="hinted", says="Hint") for id in ids}


async def _bar(request: Request, room: Room, cast: Cast) -> Bar | None:
    if request.query_params.get("eval") != "1":
        return None
    found = await asyncio.to_thread(evaluate, room.match.open_state)
    return bar_of(found.value, cast)


async def code(request: Request) -> Response:
    """The match's link as a QR code."""
    import segno  # slow to import, and not needed by everybody

    room = await server_of(request).room(request.path_params["id"])
    drawn = segno.make(link(request, room.id), error="m").svg_inline(scale=4, border=2, light="#fff")
    return packed(
        request,
        drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1).encode(),
        "image/svg+xml",
        headers={"Cache-Control": FOR_EVER},
    )


async def events(request: Request) -> Response:
    room = await server_of(request).room(request.path_params["id"])
    return listening(request, room, keys_of(request).holds(room), told=True)
