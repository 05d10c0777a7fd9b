"""A finished match looked at again: who was winning when, what each move threw away, from any eyes."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from ninefold.analysis.advice import percent, verdict
from ninefold.analysis.review import Judged, Mark, Review
from ninefold.core.errors import NinefoldError, quoted
from ninefold.core.outcome import STOPPED
from ninefold.core.script import Cast
from ninefold.core.seat import SEATS, Seat
from ninefold.core.view import View
from ninefold.match import Match
from ninefold.match.telling import cast_of, ending, reviewed, undecided
from ninefold.store.sql import Room
from ninefold.web.page import explorer
from ninefold.web.page.drawing import draw
from ninefold.web.page.puzzle import puzzle
from ninefold.web.page.rendering import page
from ninefold.web.page.seats import keys_of
from ninefold.web.page.table import last_turn, settings, won_text
from ninefold.web.page.values import chance_of, counted, outlook, winner_of
from ninefold.web.requests import number_in, server_of, whole

SPECTATOR = "spectator"
HEIGHT = 100  # of a column of the chart, in its own units


@dataclass(frozen=True, slots=True)
class Column:
    """A position in the chart: a bar from the middle towards who is winning, the first player up."""

    number: int  # of the moves made
    href: str
    mark: str  # of who is winning; empty if nobody is
    top: float
    height: float
    says: str
    decides: bool  # the move that led here lost the game
    here: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A move in the list."""

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
    name: str
    href: str
    here: bool


async def show(request: Request) -> Response:
    room = await server_of(request).room(request.path_params["id"])
    if room.match.outcome is None:
        return page(request, "unfinished.html", status=409, room=room)
    found = await asyncio.to_thread(reviewed, room.match)
    if request.query_params.get("find") and found.deciding is not None:
        return await puzzle(request, room, found.deciding)
    return _shown(request, room, found)


def _shown(request: Request, room: Room, found: Review) -> Response:
    match, cast = room.match, cast_of(room.match)
    game, end = match.game, match.ply
    at, eyes = _at(request, end), _eyes(request, room)
    view = _view(match, at, eyes)
    told = _Telling(match, cast, found, _unseen(match, view, at))
    path = f"{server_of(request).root_path}/m/{room.id}/review"

    def here(at: int, eyes: Seat | None = eyes) -> str:
        return f"{path}?{urlencode({'at': at, 'eyes': SPECTATOR if eyes is None else str(eyes)})}"

    one = found.moves[at - 1] if at else None
    return page(
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
        summary=told.summary(),
        deciding=found.deciding,
        find=f"{path}?find=1",
        accuracy=[(seat, found.accuracy[seat]) for seat in cast.players],
        columns=[told.column(number, here(number), at) for number in range(end + 1)],
        rows=[told.row(judged, here(judged.number), at) for judged in found.moves],
        all_eyes=[Eyes(name, here(at, seat), seat is eyes) for seat, name in _every_eye(match, cast)],
        news="" if one is None else _news(match, one, view, eyes, cast),
        judgement=told.judgement(one),
        verdict=verdict(found.values[at], cast.names),
        ending=ending(match, cast) if at == end else [],
        won=won_text(view),
        drawing=draw(game, view, cast, last=last_turn(match, at), moves=()),
        settings=settings(game, view.setup),
        explore=_explore(request, match, view, at),
        link=whole(request, here(at)),
    )


def _at(request: Request, end: int) -> int:
    """How many moves have been made, as the address says; all, if it does not say."""
    text = request.query_params.get("at", str(end))
    at = number_in(text, end)
    if at is None:
        raise NinefoldError(
            f"There is no move {quoted(text)} here: the match has {counted(end, 'move')}."
        )
    return at


def _eyes(request: Request, room: Room) -> Seat | None:
    """Whose eyes to look from: by default those of who sat here, or of who moved first."""
    name = request.query_params.get("eyes")
    if name is None:
        return (*keys_of(request).holds(room), Seat.FIRST)[0]
    if name == SPECTATOR:
        return None
    seat = Seat.named(name)
    if seat is None:
        raise NinefoldError(f"There are no eyes {quoted(name)}: they are first, second or {SPECTATOR}.")
    return seat


def _every_eye(match: Match, cast: Cast) -> list[tuple[Seat | None, str]]:
    """Whose eyes there are to choose from; none where everybody always saw the same."""
    start = match.states[0]
    if start.view(None).setup == start.setup and not any(state.secret for state in match.states):
        return []
    players: list[tuple[Seat | None, str]] = [
        (seat, f"{cast.name(seat)}'s eyes") for seat in cast.players
    ]
    return [*players, (None, "a spectator's eyes")]


def _view(match: Match, at: int, eyes: Seat | None) -> View:
    """What these eyes saw. At the end nobody's setup is secret, also where the match was given up."""
    view = match.states[at].view(eyes)
    return replace(view, setup=match.state.setup) if at == match.ply else view


def _unseen(match: Match, view: View, at: int) -> int | None:
    """The number of the move that has been made but that these eyes do not see yet."""
    if not view.pending or match.played[at - 1].seat is view.viewer:
        return None
    return at


def _news(match: Match, one: Judged, view: View, eyes: Seat | None, cast: Cast) -> str:
    """The move as a sentence that these eyes may read; who chose in secret sees what it was."""
    before = match.states[one.number - 1].view(eyes)
    said = match.game.script.news(before, one.seat, one.move, view, cast)
    if eyes is not None and eyes is one.seat and eyes in view.pending:
        return f"{said} It is {one.move}, which only {cast.name(eyes)} sees yet."
    return said


def _explore(request: Request, match: Match, view: View, at: int) -> str | None:
    """The explorer at this position. Its address holds the setup, so the eyes must know all of that."""
    game = match.game
    if any(option.name not in view.setup for option in game.options):
        return None
    return explorer.address(server_of(request).root_path, game, view.setup, written(match, at))


def written(match: Match, count: int) -> list[str]:
    """The first moves of a match as a sequence is written.

    Numbers chosen in secret come in the order of `movers`, whoever was quicker, and only when both
    have been revealed.
    """
    texts: list[str] = []
    while len(texts) < count:
        movers = match.states[len(texts)].movers
        turn = match.played[len(texts) : len(texts) + len(movers)]
        if len(texts) + len(turn) > count:
            break
        texts += [one.move for seat in movers for one in turn if one.seat is seat]
    return texts


@dataclass(frozen=True, slots=True)
class _Telling:
    """The review in words. `unseen` is the number of a move whose text stays hidden."""

    match: Match
    cast: Cast
    found: Review
    unseen: int | None

    def column(self, number: int, href: str, at: int) -> Column:
        value = self.found.values[number]
        chance = float(chance_of(value, Seat.FIRST))
        top = min(1 - chance, 0.5) * HEIGHT
        move = f"after move {number}" if number else "at the start"
        deciding = self.found.deciding
        return Column(
            number=number,
            href=href,
            mark="" if chance == 0.5 else self.cast.mark(winner_of(value)),
            top=top,
            height=abs(chance - 0.5) * HEIGHT,
            says=f"{move}: {outlook(value, self.cast)}",
            decides=deciding is not None and deciding.number == number,
            here=number == at,
        )

    def row(self, one: Judged, href: str, at: int) -> Row:
        hidden = one.number == self.unseen
        return Row(
            number=one.number,
            href=href,
            mark=self.cast.mark(one.seat),
            name=self.cast.name(one.seat),
            move="in secret" if hidden else one.move,
            remark="" if hidden else self._remark(one),
            decides=one is self.found.deciding,
            here=one.number == at,
        )

    def _remark(self, one: Judged) -> str:
        remarks = [str(one.mark)] if one.mark is not Mark.NONE else []
        if one.mark in (Mark.CHANCE, Mark.GIVES_AWAY) and one.cost != 1:
            remarks[0] += f" ({percent(one.cost)})"
        if one.luck:
            remarks.append(f"luck: {percent(abs(one.luck))} for {self._lucky(one)}")
        return "; ".join(remarks)

    def _lucky(self, one: Judged) -> str:
        return self.cast.name(SEATS[one.luck is not None and one.luck < 0])

    def judgement(self, one: Judged | None) -> list[str]:
        """What is to be said of a move, in sentences."""
        if one is None:
            return []
        if one.number == self.unseen:
            return ["It is judged when it is seen."]
        said = [_judged(one)]
        if one.luck:
            said.append(
                f"How the numbers met was luck, worth {percent(abs(one.luck))} to {self._lucky(one)}."
            )
        return said

    def summary(self) -> list[str]:
        """Who won, and what decided it."""
        outcome = self.match.outcome
        assert outcome is not None
        winner, loser = self.cast.name(outcome.winner), self.cast.name(outcome.winner.other)
        said = [f"{winner} won after {counted(self.match.ply, 'move')}."]
        if self.found.deciding is not None:
            said.append(self._decided(self.found.deciding))
        else:
            said.append(undecided(self.match, self.found))
        if outcome.reason in STOPPED:
            then = verdict(self.found.values[-1], self.cast.names)
            said.append(f"When {loser} stopped, {then[0].lower()}{then[1:]}")
        return said

    def _decided(self, one: Judged) -> str:
        move = "choice in secret" if one.number == self.unseen else one.move
        return f"Move {one.number}, {self.cast.name(one.seat)}'s {move}, {_lost(one)}"


def _lost(one: Judged) -> str:
    better = some(one.best, "or")
    match one.mark:
        case Mark.GIVES_AWAY:
            lost = "lost the game" if one.cost == 1 else "gave the win away"
            return f"{lost}: {better} would have won."
        case Mark.LETS_SLIP:
            return f"lost the game: {better} would have kept it going."
    return f"cost {percent(one.cost)} of the chances: {better} would have been better."


def _judged(one: Judged) -> str:
    best = one.move in one.best
    if one.mark is Mark.NONE:
        if one.at_stake == 0:
            return "No other choice would have been better or worse."
        if best:
            return "A best move." if len(one.best) > 1 else "The best move."
        return f"It throws nothing away, but {some(one.best, 'or')} is better still."
    cost = "" if one.cost in (0, 1) else f" It costs {percent(one.cost)} of the chances."
    return f"{_sentence(one.mark)}.{cost} Better: {some(one.best, 'or')}."


def _sentence(mark: Mark) -> str:
    text = str(mark)
    return text[0].upper() + text[1:]


def some(moves: Iterable[str], last: str) -> str:
    """A few of the moves, joined as in a sentence."""
    shown = list(moves)
    if len(shown) > 3:
        return f"{', '.join(shown[:3])} {last} {len(shown) - 3} more"
    return f" {last} ".join(shown) if len(shown) < 3 else f"{shown[0]}, {shown[1]} {last} {shown[2]}"
