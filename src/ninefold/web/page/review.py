"""The review of a finished match: who was winning when, and what each move gave away."""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from ninefold.core.cast import Cast
from ninefold.core.errors import NinefoldError, quote
from ninefold.core.seat import SEATS, Seat
from ninefold.core.view import View
from ninefold.core.words import pluralize
from ninefold.match import Match
from ninefold.show.board import describe_settings, draw
from ninefold.show.endings import describe_ending
from ninefold.show.moves import cast_of, say_move, say_news
from ninefold.show.reviews import judgment, remark, summary
from ninefold.show.values import likely_winner, outlook, verdict
from ninefold.store.sql.database import Room
from ninefold.study.facts import chance_of
from ninefold.study.reviews import Judged, Review, review_match
from ninefold.web.computing import answer_in_worker
from ninefold.web.page import explorer
from ninefold.web.page.better_move import find_better_move
from ninefold.web.page.cookies import held_tokens
from ninefold.web.page.rendering import render_page
from ninefold.web.requests import absolute_url, parse_number, root_of, server_of

SPECTATOR = "spectator"
HEIGHT = 100  # of a column of the chart, in its own units


@dataclass(frozen=True, slots=True)
class Column:
    """A position in the chart: a bar from the middle, up if the first player is winning, else down."""

    number: int  # how many moves have been made
    href: str
    mark: str  # the winning player's; empty if nobody is winning
    top: float
    height: float
    says: str
    decides: bool  # the move that led here lost the game
    here: bool


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """A move in the list, with a remark."""

    number: int
    href: str
    mark: str
    name: str
    move: str
    remark: str
    decides: bool
    here: bool


@dataclass(frozen=True, slots=True)
class Eyes:
    """A viewer to choose: a player or a spectator."""

    name: str
    href: str
    here: bool


async def show(request: Request) -> Response:
    room = await server_of(request).room(request.path_params["id"])
    if not room.match.over:
        return render_page(request, "unfinished.html", status=409, room=room)
    own = (*held_tokens(request).seats(room), Seat.FIRST)[0]
    return await answer_in_worker(request, _render, room, own, key=(room.version, own))


def _render(request: Request, room: Room, own: Seat) -> Response:
    found = review_match(room.match)
    if request.query_params.get("find") and found.deciding is not None:
        return find_better_move(request, room, found.deciding)
    match, cast = room.match, cast_of(room.match)
    game, end = match.game, match.ply
    at, eyes = _read_at(request, end), _read_eyes(request, own)
    view = _view(match, at, eyes)
    unseen = _find_unseen(match, view, at)
    path = f"{root_of(request)}/m/{room.id}/review"

    def here(at: int, eyes: Seat | None = eyes) -> str:
        return f"{path}?{urlencode({'at': at, 'eyes': SPECTATOR if eyes is None else str(eyes)})}"

    one = found.moves[at - 1] if at else None
    return render_page(
        request,
        "review.html",
        room=room,
        match=match,
        game=game,
        cast=cast,
        seats=SEATS,
        view=view,
        at=at,
        end=end,
        here_at=here,
        summary=summary(match, found, cast, _hide_deciding(found.deciding, unseen)),
        deciding=found.deciding,
        find=f"{path}?find=1",
        accuracy=[(seat, found.accuracy[seat]) for seat in cast.players],
        columns=[_make_column(found, cast, number, here(number), at) for number in range(end + 1)],
        rows=[_make_row(match, found, cast, one, here(one.number), at, unseen) for one in found.moves],
        all_eyes=[Eyes(name, here(at, seat), seat is eyes) for seat, name in _list_eyes(match, cast)],
        news="" if one is None else _say_news(match, one, view, eyes, cast),
        judgment=_say_judgment(match, one, cast, unseen),
        verdict=verdict(found.values[at], cast),
        ending=describe_ending(match, cast) if at == end else None,
        drawing=draw(game, view, cast, last=(None, *match.turns_of(at))[-1], moves=()),
        settings=describe_settings(game, view.setup),
        explore=_explorer_url(request, match, view, at),
        link=absolute_url(request, here(at)),
    )


def _read_at(request: Request, end: int) -> int:
    """How many moves to show, as the URL says; by default all. Raises NinefoldError."""
    text = request.query_params.get("at", str(end))
    at = parse_number(text, end)
    if at is None:
        raise NinefoldError(
            f"There is no move {quote(text)} here: the match has {pluralize(end, 'move')}."
        )
    return at


def _read_eyes(request: Request, own: Seat) -> Seat | None:
    """Whose eyes to look through; by default one's own."""
    name = request.query_params.get("eyes")
    if name is None:
        return own
    if name == SPECTATOR:
        return None
    seat = Seat.named(name)
    if seat is None:
        raise NinefoldError(f"There is no viewer {quote(name)}. Choose first, second or {SPECTATOR}.")
    return seat


def _list_eyes(match: Match, cast: Cast) -> list[tuple[Seat | None, str]]:
    """The viewers to choose from; none if everybody always saw the same."""
    start = match.states[0]
    if start.view(None).setup == start.setup and not any(state.secret for state in match.states):
        return []
    players: list[tuple[Seat | None, str]] = [
        (seat, f"{cast.name(seat)}'s eyes") for seat in cast.players
    ]
    return [*players, (None, "a spectator's eyes")]


def _view(match: Match, at: int, eyes: Seat | None) -> View:
    """What a viewer saw. At the end no setting is secret, even if the match was resigned."""
    view = match.states[at].view(eyes)
    return replace(view, setup=match.state.setup) if at == match.ply else view


def _find_unseen(match: Match, view: View, at: int) -> int | None:
    """The number of the move that has been made in secret and that this viewer cannot see yet."""
    if not view.pending or match.played[at - 1].seat is view.viewer:
        return None
    return at


def _say_news(match: Match, one: Judged, view: View, eyes: Seat | None, cast: Cast) -> str:
    """The move as a sentence for this viewer. The player who chose in secret sees the choice."""
    said = say_news(match, one.number, eyes, cast)
    if eyes is not None and eyes is one.seat and eyes in view.pending:
        chosen = say_move(match.states[one.number - 1], one.move)
        return f"{said} It is {chosen}; nobody else sees it yet."
    return said


def _say_judgment(match: Match, one: Judged | None, cast: Cast, unseen: int | None) -> list[str]:
    if one is None:
        return []
    if one.number == unseen:
        return ["It will be judged when it is revealed."]
    return judgment(match, one, cast)


def _hide_deciding(one: Judged | None, unseen: int | None) -> str | None:
    """What to call the deciding move if this viewer cannot see it yet; else None."""
    return "secret choice" if one is not None and one.number == unseen else None


def _explorer_url(request: Request, match: Match, view: View, at: int) -> str | None:
    """The explorer at this position; None unless the viewer knows all settings, which the URL holds."""
    game = match.game
    if any(option.name not in view.setup for option in game.options):
        return None
    moves = [one.move for turn in match.turns_of(at) for one in turn.written]
    return explorer.position_url(root_of(request), game, view.setup, moves)


def _make_column(found: Review, cast: Cast, number: int, href: str, at: int) -> Column:
    value = found.values[number]
    chance = float(chance_of(value, Seat.FIRST))
    move = f"after move {number}" if number else "at the start"
    return Column(
        number=number,
        href=href,
        mark="" if chance == 0.5 else cast.mark(likely_winner(value, cast)),
        top=min(1 - chance, 0.5) * HEIGHT,
        height=abs(chance - 0.5) * HEIGHT,
        says=f"{move}: {outlook(value, cast)}",
        decides=found.deciding is not None and found.deciding.number == number,
        here=number == at,
    )


def _make_row(
    match: Match, found: Review, cast: Cast, one: Judged, href: str, at: int, unseen: int | None
) -> JudgedRow:
    hidden = one.number == unseen
    return JudgedRow(
        number=one.number,
        href=href,
        mark=cast.mark(one.seat),
        name=cast.name(one.seat),
        move="in secret" if hidden else say_move(match.states[one.number - 1], one.move),
        remark="" if hidden else remark(one, cast),
        decides=one is found.deciding,
        here=one.number == at,
    )
