"""The page of a match: what its viewer sees, and what they can do."""

from __future__ import annotations

import time
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from ninefold.analysis import NoValues, evaluate
from ninefold.core.cast import Cast
from ninefold.core.seat import Seat
from ninefold.core.view import View
from ninefold.core.words import pluralize
from ninefold.match import Match, Played, Turn
from ninefold.match.kinds import Offer, SeatKind, Status, is_computer
from ninefold.show.board import describe_settings, draw, is_bare
from ninefold.show.choosing import (
    Half,
    ask_other_half,
    chosen_part,
    mark_chosen,
    offered_buttons,
    tag_hint,
)
from ninefold.show.endings import describe_ending
from ninefold.show.hints import say_hint
from ninefold.show.moves import capitalize, cast_of, latest_news, say_move, say_order
from ninefold.show.offers import say_offer
from ninefold.show.sides import Side, preview_moves, side_of
from ninefold.show.status import CLOCKS, Presence, say_handover, say_open_seat, say_status, say_title
from ninefold.show.values import Bar, bar_of
from ninefold.store.sql.database import Room
from ninefold.study.hints import Hint, find_hint
from ninefold.web.actions import changes, matches, offers, play
from ninefold.web.computing import compute
from ninefold.web.page.cookies import HeldTokens, held_tokens, name_of, own_token, remember
from ninefold.web.page.rendering import FOREVER, compress, render_page
from ninefold.web.requests import is_local, match_link, server_of
from ninefold.web.streams import open_stream


@dataclass(frozen=True, slots=True)
class PlayerInfo:
    """A player beside the board: who it is, and what they have."""

    seat: Seat
    mark: str
    name: str
    note: str  # the reader's own name, or a computer's level
    you: bool
    turn: bool
    presence: Presence | None  # None where it does not matter
    hints: int  # given while another person plays
    wins: int | None  # None before the second game of a series
    side: Side


@dataclass(frozen=True, slots=True)
class StandingOffer:
    """What a player offers the other, in words for the reader."""

    offer: Offer
    seat: Seat  # whose it is
    says: str
    yes: str
    no: str


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """Who looks at a match in this browser."""

    seats: tuple[Seat, ...]  # the ones that it holds; both if two people share it
    viewer: Seat | None  # the seat that the page is drawn for
    handover: Seat | None = None  # whose player has to take the device first

    @property
    def shared(self) -> bool:
        return len(self.seats) == 2

    @property
    def you(self) -> Seat | None:
        """The one player who reads this page; None if two share it, and for spectators."""
        return self.seats[0] if len(self.seats) == 1 else None

    @property
    def actor(self) -> Seat | None:
        """The seat that a button on this page acts for."""
        return self.viewer if self.viewer is not None else self.seats[0] if self.seats else None


def viewpoint_of(room: Room, held: HeldTokens, ready: str | None) -> Viewpoint:
    """Who looks at a match in this browser.

    `ready` names the seat whose player has confirmed that nobody else is looking.
    """
    seats = held.seats(room)
    if len(seats) < 2:
        return Viewpoint(seats, seats[0] if seats else None)
    state = room.match.state
    if room.match.over:
        return Viewpoint(seats, Seat.FIRST)
    chooser = state.movers[0]
    if state.secret and ready != str(chooser):
        return Viewpoint(seats, None, handover=chooser)
    return Viewpoint(seats, chooser)


async def show(request: Request) -> Response:
    room = await server_of(request).room(request.path_params["id"])
    return await render_match(request, room)


async def render_match(
    request: Request, room: Room, refusal: str = "", status: int = 200, half: Half | None = None
) -> Response:
    """The page of a match for this browser, perhaps with the reason why something was refused.

    `half` is what was chosen of a move, where a button has to decide which move it is.
    """
    server = server_of(request)
    match, game = room.match, room.match.game
    who = viewpoint_of(room, held_tokens(request), request.query_params.get("ready"))
    view, cast, record = match.state.view(who.viewer), cast_of(match, who.you), match.record(who.viewer)
    turn = who.viewer is not None and who.viewer in view.movers and room.status is Status.PLAYING
    moves = view.moves if turn else ()
    drawing = draw(game, view, cast, last=last_turn(match), moves=moves)
    chosen = chosen_part(drawing, half or {})
    start = match.states[0].view(who.viewer)
    players = [
        _describe_player(room, who, cast, side_of(game, start, view, drawing, seat, cast), seat)
        for seat in _order(who)
    ]
    standing = _find_offers(room, cast) if who.seats else []
    news = latest_news(match, who.viewer, cast)
    status_text = ask_other_half(_say_status(room, who, cast), chosen)
    offered = [one.says for one in standing]
    ending = describe_ending(match, cast) if match.over else None
    advised = bool(who.seats) and room.hints and room.status is Status.PLAYING and who.handover is None
    following = room.next
    hint, bar = None, None
    try:
        hint = await _find_hint(request, room, who) if advised and turn else None
        bar = await _evaluate(request, room, cast) if advised else None
    except NoValues as error:
        refusal = str(error)
    advice = "" if hint is None else say_hint(match.open_state, hint, cast)
    response = render_page(
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
        title=_say_title(room, who, cast, standing),
        ending=ending,
        players=players,
        pool=side_of(game, start, view, drawing, None, cast),
        boards=_order_boards(view, who),
        preview=preview_moves(match.state, who.viewer, drawing, cast)
        if turn and who.viewer is not None
        else {},
        left=None if room.deadline is None else max(0, round(room.deadline - time.time())),
        deadline=changes.deadline_text(room),
        absent=ABSENT,
        may_claim=bool(who.seats) and not turn and room.deadline is None,
        may_abort=len(who.seats) == 1 and matches.may_abort(room, who.seats[0]),
        may_take_back=bool(who.seats) and offers.may_take_back(room, who.seats[0]),
        status_text=status_text,
        said="\n".join(
            (news, str(ending or status_text), *_say_absence_and_hints(players), *offered, advice)
        ),
        offers=standing,
        drawing=drawing,
        buttons=offered_buttons(drawing, chosen),
        deciding=bool(drawing.buttons) or any(is_bare(game.spot(move)) for move in game.moves),
        news=news,
        reveal=_find_revealed(match, cast),
        settings=describe_settings(game, record.setup),
        played=[
            (one.seat, _say_played(match, place, one))
            for place, one in tuple(enumerate(record.moves))[-LISTED:]
        ],
        earlier=max(0, len(record.moves) - LISTED),
        link=match_link(request, room.id),
        local=is_local(request),
        terms=_say_terms(room, cast) if room.status is Status.WAITING else "",
        name=name_of(request),
        advised=advised,
        hint=advice,
        tags=mark_chosen(
            {} if hint is None or who.viewer is None else tag_hint(game, view, who.viewer, hint.move),
            chosen,
        ),
        bar=bar,
        watching=server.spectators.count(room.id),
        following=following,
        computer=any(map(is_computer, room.kinds)),
        me=None if who.actor is None else str(who.actor),
    )
    if room.status is Status.WAITING and not who.seats:
        remember(request, response, own_token(request))  # so that taking the seat can be retried
    return response


def _say_played(match: Match, place: int, played: Played) -> str:
    """A move of the viewer's record, in words. The record lacks only later moves, so places agree."""
    return capitalize(say_move(match.states[place], played.move))


def _order(who: Viewpoint) -> tuple[Seat, Seat]:
    """The seats at the far and the near side of the board. The near one is the reader's, or the first."""
    near = Seat.FIRST if who.you is None else who.you
    return near.other, near


def _order_boards(view: View, who: Viewpoint) -> tuple[int, ...]:
    """The boards from far to near, if each player has one."""
    return tuple(map(int, _order(who))) if len(view.boards) > 1 else (0,)


def _describe_player(room: Room, who: Viewpoint, cast: Cast, side: Side, seat: Seat) -> PlayerInfo:
    match, kind, you = room.match, room.kinds[seat], who.you is seat
    person = kind == SeatKind.PERSON
    name = cast.name(seat)
    return PlayerInfo(
        seat=seat,
        mark=cast.mark(seat),
        name="You" if you else "Free seat" if kind == SeatKind.OPEN else name,
        note=name if you else "" if person or kind == SeatKind.OPEN else kind.replace(":", " "),
        you=you,
        turn=room.status is Status.PLAYING and seat in match.state.movers,
        presence=_presence_of(room, who, seat) if person else None,
        hints=len(room.hinted[seat]),
        wins=None if room.wins is None else offers.score(room)[seat],
        side=side,
    )


LISTED = 60  # the most moves that the page lists: only endless games have more
ABSENT = (Presence.AWAY, Presence.GONE)


def _say_absence_and_hints(players: list[PlayerInfo]) -> list[str]:
    """Who is away, and who used hints, for screen readers."""
    away = [f"{one.name} is {one.presence}." for one in players if one.presence in ABSENT]
    helped = [f"{one.name} used {pluralize(one.hints, 'hint')}." for one in players if one.hints]
    return away + helped


def _presence_of(room: Room, who: Viewpoint, seat: Seat) -> Presence | None:
    if room.status is not Status.PLAYING or seat in who.seats:
        return None
    since = room.away[seat]
    if since is None:
        return Presence.HERE
    return Presence.GONE if time.time() - since > play.ABSENCE else Presence.AWAY


ANSWERS = {  # to accept an offer, and to decline it
    Offer.TAKEBACK: ("Allow it", "No"),
    Offer.STOP: ("Stop the game", "Play on"),
    Offer.REMATCH: ("Rematch", "No, thanks"),
}


def _find_offers(room: Room, cast: Cast) -> list[StandingOffer]:
    """What the players offer each other now."""
    return [
        StandingOffer(offer, seat, say_offer(offer, seat, cast), *ANSWERS[offer])
        for offer, seat in room.offers.items()
    ]


def _say_terms(room: Room, cast: Cast) -> str:
    """What whoever takes the open seat agrees to."""
    free = next((seat for seat in Seat if room.kinds[seat] == SeatKind.OPEN), Seat.SECOND)
    said = [f"{cast.name(free.other)} is waiting. You would {say_order(room.match.game, free)}."]
    said.append("Both of you can ask for hints." if room.hints else "Nobody gets hints.")
    said += [
        f"Each move has to be made within {text}." for n, text in CLOCKS.items() if n == room.match.clock
    ]
    return " ".join(said)


def _say_title(room: Room, who: Viewpoint, cast: Cast, standing: list[StandingOffer]) -> str:
    for one in standing:
        if one.seat not in who.seats:
            return f"{cast.name(one.seat)} asks you"
    if room.status is Status.WAITING:
        return "Waiting for a player"
    if who.handover is not None:
        return f"{cast.name(who.handover)}, your turn"
    return say_title(room.match, who.viewer, cast)


def _say_status(room: Room, who: Viewpoint, cast: Cast) -> str:
    """What is going on, as a sentence to the reader."""
    if room.status is Status.WAITING:
        return say_open_seat(seated=bool(who.seats))
    if room.match.over:
        return ""
    if who.handover is not None:
        return say_handover(who.handover, cast)
    return say_status(room.match, who.viewer, cast)


def last_turn(match: Match, count: int | None = None) -> Turn | None:
    """The last turn, or the last one after `count` moves; None before the first."""
    turns = match.turns if count is None else match.turns_of(count)
    return turns[-1] if turns else None


@dataclass(frozen=True, slots=True)
class RevealedChoice:
    """What was chosen in secret, a number or a few words, and whose it is."""

    name: str
    mark: str
    text: str


def _find_revealed(match: Match, cast: Cast) -> list[RevealedChoice]:
    """The secret choices of the last turn, if it has revealed them."""
    last, game = last_turn(match), match.game
    if last is None or not last.secrets:
        return []
    asked = match.states[last.start + last.public]
    found = []
    for one in last.secrets:
        number = game.spot(one.move).number
        text = game.words.move(asked.view(one.seat), one.move) if number is None else str(number)
        found.append(RevealedChoice(cast.subject(one.seat), cast.mark(one.seat), text))
    return found


async def _find_hint(request: Request, room: Room, who: Viewpoint) -> Hint | None:
    """The hint, if the URL names this ply: the URL stays the same when the match moves on.

    Anybody can make such a URL. So where an opponent is told of hints, a form has to have asked for it.
    """
    ply = room.match.ply
    if request.query_params.get("hint") != str(ply) or who.viewer is None:
        return None
    if ply not in room.hinted[who.viewer] and changes.needs_consent(room, who.viewer.other):
        return None
    return await compute(request, find_hint, room.match.open_state, who.viewer)


async def _evaluate(request: Request, room: Room, cast: Cast) -> Bar | None:
    """Who is winning, if the URL asks for it."""
    if request.query_params.get("eval") != "1":
        return None
    found = await compute(request, evaluate, room.match.open_state)
    return bar_of(found.value, cast)


async def qr_code(request: Request) -> Response:
    """The match's link as a QR code."""
    import segno  # slow to import, and rarely needed

    room = await server_of(request).room(request.path_params["id"])
    drawn = segno.make(match_link(request, room.id), error="m").svg_inline(
        scale=4, border=2, light="#fff"
    )
    return compress(
        request,
        drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1).encode(),
        "image/svg+xml",
        headers={"Cache-Control": FOREVER},
    )


async def events(request: Request) -> Response:
    room = await server_of(request).room(request.path_params["id"])
    return open_stream(request, room, held_tokens(request).seats(room), spectators=True)
