"""The review of a finished match: who was winning when, and what each turn gave away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from ninefold.core.cast import Cast
from ninefold.core.errors import NinefoldError, quote
from ninefold.core.seat import Seat
from ninefold.core.turns import Turn, turn_number
from ninefold.core.words import pluralize
from ninefold.match import Match
from ninefold.players import PERSON
from ninefold.show import reviews
from ninefold.show.board import describe_settings
from ninefold.show.endings import describe_ending
from ninefold.show.moves import cast_of, say_kind, say_move, say_news
from ninefold.show.scene import Scene, scene_of, scene_of_match
from ninefold.show.values import outlook, verdict
from ninefold.store.sql.database import Room
from ninefold.study.coach import find_theme
from ninefold.study.facts import chance_of
from ninefold.study.lessons import Exercise
from ninefold.study.reviews import Judged, Review, review_match
from ninefold.web.computing import answer_in_worker
from ninefold.web.page import explorer
from ninefold.web.page.better_move import find_better_move
from ninefold.web.page.cookies import held_tokens
from ninefold.web.page.curve import Curve, draw_curve
from ninefold.web.page.rendering import render_page
from ninefold.web.page.table import LinkedTable
from ninefold.web.requests import absolute_url, parse_number, root_of, server_of

SPECTATOR = "spectator"
UNSEEN = "It will be judged when it is revealed."


@dataclass(frozen=True, slots=True)
class TurnRow:
    """A turn in the list."""

    number: int  # of the turn, from 1
    stop: int  # how many moves have been made after it
    mark: str
    name: str
    text: str
    mistake: bool
    yours: bool
    decides: bool
    here: bool


@dataclass(frozen=True, slots=True)
class Moment:
    """A mistake: whose chance to win fell, and how far. What was better is not told."""

    one: Judged
    turn: int
    mark: str
    text: str
    before: Fraction
    after: Fraction
    decides: bool
    lesson: Exercise | None  # the step that teaches what was better


async def show(request: Request) -> Response:
    room = await server_of(request).room(request.path_params["id"])
    if not room.match.over:
        return render_page(request, "unfinished.html", status=409, room=room)
    seats = held_tokens(request).seats(room)
    own, you = (*seats, Seat.FIRST)[0], seats[0] if len(seats) == 1 else None
    return await answer_in_worker(request, _render, room, own, you, key=(room.version, own, you))


def _render(request: Request, room: Room, own: Seat, you: Seat | None) -> Response:
    match, cast, found = room.match, cast_of(room.match, you), review_match(room.match)
    end, turns = match.ply, match.turns_of(match.ply)
    wrong = found.mistakes()
    if (number := request.query_params.get("find")) is not None:
        one = _find_mistake(wrong, number)
        return find_better_move(request, room, one, cast)
    at, eyes = _read_at(request, end), _read_eyes(request, own)
    here = turn_number(turns, at)
    path = f"{root_of(request)}/m/{room.id}/review"

    def link(at: int, eyes: Seat | None = eyes) -> str:
        return f"{path}?{urlencode({'at': at, 'eyes': SPECTATOR if eyes is None else str(eyes)})}"

    scene = _make_scene(match, at, eyes, cast)
    judged = _judged_now(found, turns[here - 1], at, scene) if here else ()
    mine = [one for one in wrong if you in (None, one.seat)]
    moments = [_make_moment(match, found, one, scene, at) for one in mine]
    return render_page(
        request,
        "review.html",
        room=room,
        match=match,
        game=match.game,
        cast=cast,
        table=LinkedTable(scene, notes=_say_notes(match, found, cast)),
        at=at,
        end=end,
        turn=here,
        turns=len(turns),
        stops=(0, *(turn.stop for turn in turns)),
        here_at=link,
        summary=_summarize(match, found, cast),
        moments=moments,
        better=_choose_mistake(wrong, moments, judged, found),
        path=path,
        turn_of=lambda one: turn_number(turns, one.number),
        kept=lambda one: chance_of(one.before, one.seat),
        curve_seat=reviews.chart_seat(cast),
        curve=_make_curve(match, found, cast, turns, at),
        rows=_make_rows(match, found, turns, scene, at),
        all_eyes=[(name, link(at, seat), seat is eyes) for seat, name in _list_eyes(match, cast)],
        news=_say_news(match, at, scene, cast) if at else "",
        judgment=reviews.judge_turn(match, judged, cast)
        if judged
        else [UNSEEN]
        if scene.view.pending
        else [],
        verdict=verdict(found.values[at], cast),
        ending=describe_ending(match, cast) if at == end else None,
        explore=_explorer_url(request, match, scene, at),
        link=absolute_url(request, link(at)),
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


def _find_mistake(wrong: Sequence[Judged], number: str) -> Judged:
    """The mistake to find the better move for, by the number of the move. Raises NinefoldError."""
    for one in wrong:
        if str(one.number) == number:
            return one
    raise NinefoldError(f"Move {quote(number)} was no mistake, so there is no better one to find.")


def _list_eyes(match: Match, cast: Cast) -> list[tuple[Seat | None, str]]:
    """The viewers to choose from; none if everybody always saw the same."""
    start = match.states[0]
    if start.view(None).setup == start.setup and not any(state.secret for state in match.states):
        return []
    players: list[tuple[Seat | None, str]] = [(seat, f"{cast.whose(seat)} eyes") for seat in cast.players]
    return [*players, (None, "a spectator's eyes")]


def _make_scene(match: Match, at: int, eyes: Seat | None, cast: Cast) -> Scene:
    """What a viewer saw. At the end no setting is secret, even if the match was resigned."""
    scene = scene_of(match.states[: at + 1], match.played[:at], eyes, cast, ())
    if at < match.ply:
        return scene
    view = replace(scene.view, setup=match.state.setup)
    return replace(scene, view=view, settings=describe_settings(match.game, view.setup))


def _say_notes(match: Match, found: Review, cast: Cast) -> tuple[str, str]:
    """What stands beside each name, by seat: a computer's level, and the accuracy."""

    def say(seat: Seat) -> str:
        kind, share = match.player(seat).kind, found.accuracy[seat]
        level = "" if kind == PERSON else say_kind(kind)
        exact = "" if share is None else f"accuracy {float(share):.0%}"
        return ", ".join(filter(None, [level, exact]))

    return say(Seat.FIRST), say(Seat.SECOND)


def _summarize(match: Match, found: Review, cast: Cast) -> list[str]:
    """How it ended, without a secret. The move that decided it is among the moments."""
    undecided = "" if found.deciding else reviews.say_undecided(match, found, cast)
    said = (describe_ending(match, cast).headline, undecided, reviews.say_points_lost(found, cast))
    return [*filter(None, said), *reviews.say_open(match, found, cast)]


def _judged_now(found: Review, turn: Turn, at: int, scene: Scene) -> tuple[Judged, ...]:
    """The moves of a turn that this viewer can see by now, judged."""
    seen = found.moves[turn.start : min(turn.stop, at)]
    return tuple(one for one in seen if one.number != _find_unseen(scene, at, one.seat))


def _find_unseen(scene: Scene, at: int, mover: Seat) -> int | None:
    """The number of the move that has been made in secret and that this viewer cannot see yet."""
    return at if scene.view.pending and mover is not scene.view.viewer else None


def _make_moment(match: Match, found: Review, one: Judged, scene: Scene, at: int) -> Moment:
    before = chance_of(one.before, one.seat)
    unseen = one.number == _find_unseen(scene, at, one.seat)
    return Moment(
        one=one,
        turn=turn_number(match.turns, one.number),
        mark=scene.cast.mark(one.seat),
        text="Secret choice" if unseen else reviews.name_move(match, one, scene.cast),
        before=before,
        after=before - one.cost,
        decides=one is found.deciding,
        lesson=None if unseen else find_theme(match, one),
    )


def _choose_mistake(
    wrong: Sequence[Judged], moments: Sequence[Moment], judged: Sequence[Judged], found: Review
) -> Judged | None:
    """The mistake to find the better move for: one of this turn, else the one that decided the match.

    Of several mistakes in this turn, it is the deciding one, if that is among them.
    """
    now = sorted((one for one in judged if one in wrong), key=lambda one: one != found.deciding)
    rest = [one.one for one in moments]
    return (*now, *([found.deciding] if found.deciding in rest else []), *rest, None)[0]


def _make_curve(match: Match, found: Review, cast: Cast, turns: Sequence[Turn], at: int) -> Curve:
    """The chances of one seat after every move, except while secret choices are pending."""
    seat = reviews.chart_seat(cast)
    counts = [count for count in range(match.ply + 1) if not match.states[count].pending]
    chances = reviews.chances_of(found, seat)
    wrong = {one.number for one in found.mistakes() if cast.you in (None, one.seat)}
    decides = None if found.deciding is None else found.deciding.number
    reached = [range(before + 1, count + 1) for before, count in pairwise((-1, *counts))]
    return draw_curve(
        counts,
        [float(0.5 if (chance := chances[count]) is None else chance) for count in counts],
        says=[_say_position(found, cast, turns, count) for count in counts],
        marks=(cast.mark(seat), cast.mark(seat.other)),
        wrong=[bool(wrong.intersection(numbers)) for numbers in reached],
        decides=[decides in numbers for numbers in reached],
        here=max(count for count in counts if count <= at),
    )


def _say_position(found: Review, cast: Cast, turns: Sequence[Turn], count: int) -> str:
    """A point of the curve in words: `after turn 3: Ann wins in 5 moves`."""
    when = "at the start"
    if count:
        number = turn_number(turns, count)
        when = f"{'after' if count == turns[number - 1].stop else 'during'} turn {number}"
    return f"{when}: {outlook(found.values[count], cast)}"


def _make_rows(
    match: Match, found: Review, turns: Sequence[Turn], scene: Scene, at: int
) -> list[TurnRow]:
    """A row for each turn; while its choices are secret, a turn is told as far as it is known."""
    whole = scene_of_match(match, scene.view.viewer, scene.cast, match.ply)
    rows = []
    for number, (turn, (stop, seat, text)) in enumerate(zip(turns, whole.turns, strict=True), 1):
        here, judged = turn.start < at <= turn.stop, found.moves[turn.start : turn.stop]
        if here and at < turn.stop:
            text, judged = scene.turns[-1][2], _judged_now(found, turn, at, scene)
        rows.append(
            TurnRow(
                number=number,
                stop=stop,
                mark=scene.cast.mark(seat),
                name=scene.cast.subject(seat),
                text=text,
                mistake=any(one.mistake for one in judged),
                yours=any(one.mistake and one.seat is scene.cast.you for one in judged),
                decides=found.deciding in judged if found.deciding else False,
                here=here,
            )
        )
    return rows


def _say_news(match: Match, at: int, scene: Scene, cast: Cast) -> str:
    """The last move as a sentence for this viewer. The player who chose in secret sees the choice."""
    eyes, one = scene.view.viewer, match.played[at - 1]
    said = say_news(match, at, eyes, cast)
    if eyes is not None and eyes is one.seat and eyes in scene.view.pending:
        chosen = say_move(match.states[at - 1], one.move)
        return f"{said} It is {chosen}; nobody else sees it yet."
    return said


def _explorer_url(request: Request, match: Match, scene: Scene, at: int) -> str | None:
    """The explorer at this position; None unless the viewer knows all settings, which the URL holds."""
    game, known = match.game, scene.view.setup
    if any(option.name not in known for option in game.options):
        return None
    return explorer.position_url(root_of(request), game, known, match.written(at))
