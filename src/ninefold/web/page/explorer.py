"""The explorer: any position of any game, with the exact value of every move in it.

The URL is the position: the game, its setup, and the moves that led there, as in the API.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from random import SystemRandom
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ninefold.analysis import Choice, Result, evaluate
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.move import Move
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.games import every_game
from ninefold.show.board import Part
from ninefold.show.choosing import mark_chosen, tags_of
from ninefold.show.endings import ending_of
from ninefold.show.exploring import CAST, Variation, follow, mixtures, say_legend, say_turn
from ninefold.show.moves import say_move
from ninefold.show.scene import Scene, scene_of
from ninefold.show.values import Tag, bar_of, say_alike, standing, tone_of
from ninefold.study.facts import chance_of
from ninefold.web.computing import answer_in_worker
from ninefold.web.page.example import example_picture
from ninefold.web.page.halves import HALVES, Half
from ninefold.web.page.rendering import game_of, render_page
from ninefold.web.page.table import face_viewer, lay_table
from ninefold.web.requests import absolute_url, root_of
from ninefold.web.shared import split_moves

CACHE = "public, max-age=300"
FEW = 12  # a longer list of moves starts out folded
SHORT = 11  # characters of a fraction that fits beside its percentage


def position_url(
    root: str,
    game: Game,
    setup: Mapping[str, int | str],
    moves: Iterable[Move | str],
    half: Half | None = None,
) -> str:
    """The URL of a position, perhaps with half of the next move chosen."""
    query: dict[str, int | str] = {**setup}
    if text := " ".join(map(str, moves)):
        query["moves"] = text
    query.update(half or {})
    return f"{root}/explore/{game.slug}" + (f"?{urlencode(query, safe='@,:')}" if query else "")


@dataclass(frozen=True, slots=True)
class MoveRow:
    """A legal move in the list of all moves."""

    mark: str
    name: str  # whose move it is
    move: str
    href: str | None  # None if it is not this seat's turn yet
    best: bool
    tone: str
    then: str  # who wins after it
    plies: int | None
    margin: int | None  # the winner's
    chance: Fraction | None  # of winning, for the seat that moves; None if the outcome is certain
    share: Fraction | None  # in the optimal mixture

    @property
    def exact(self) -> list[tuple[str, Fraction]]:
        """The fractions that are too long to fit beside their percentage."""
        found = (("how often", self.share), ("chance to win", self.chance))
        return [(what, part) for what, part in found if part is not None and len(str(part)) > SHORT]


async def list_games(request: Request) -> Response:
    """All games, to choose one to explore."""
    found = [(game, example_picture(game.slug)) for game in every_game()]
    return render_page(request, "explorer_list.html", cache=CACHE, games=found)


async def show(request: Request) -> Response:
    """The position that the URL names. Settings that it leaves open are drawn."""
    game = game_of(request)
    given = dict(request.query_params)
    half = {name: given.pop(name) for name in HALVES if name in given}
    text = given.pop("moves", "")
    setup: dict[str, int | str] = {name: value for name, value in given.items() if value.strip()}
    try:
        start = game.set_up(setup, SystemRandom())
    except NinefoldError as error:
        return render_page(
            request,
            "explorer.html",
            status=422,
            game=game,
            given=given,
            refusal=str(error),
            position=None,
        )
    if any(option.name not in setup and option.default is None for option in game.options):
        drawn = position_url(root_of(request), game, start.setup, text.split())
        return RedirectResponse(drawn, 303)
    return await answer_in_worker(request, _render, start, text, half, key=())


def _render(request: Request, start: State[Any], text: str, half: Half) -> Response:
    try:
        position = follow(start, split_moves(text))
    except NinefoldError as error:
        return _render_position(request, follow(start, ()), {}, str(error))
    return _render_position(request, position, half)


def _render_position(request: Request, position: Variation, half: Half, refusal: str = "") -> Response:
    root, state, game = root_of(request), position.state, position.state.game
    chooser, url = position.chooser, partial(position_url, root, game, state.setup)
    choose = partial(url, position.moves)

    def play(move: Move) -> str:
        return url((*position.moves, move))

    def rows(choices: Iterable[Choice]) -> list[MoveRow]:
        return [_make_row(state, choice, chooser, play(choice.move)) for choice in choices]

    found = evaluate(state)
    mine = [] if chooser is None else found.choices_of(chooser)
    alike = say_alike(mine, CAST) if not state.secret else ""
    scene = _make_scene(position)

    def tags(chosen: Part | None) -> dict[str, Tag]:
        return mark_chosen({}, chosen) if alike else tags_of(scene.drawing, chosen, mine, CAST)

    table = lay_table(scene, half, play, choose, tags=tags, turn=chooser)
    refusal = table.refusal or refusal

    return render_page(
        request,
        "explorer.html",
        status=422 if refusal else 200,
        cache=CACHE,
        game=game,
        given=dict(state.setup),
        refusal=refusal,
        position=position,
        table=table,
        cast=CAST,
        alike=alike,
        bar=bar_of(found.value, CAST),
        legend=say_legend(mine),
        status_text=say_turn(position, table.chosen),
        ending=ending_of(game.words, scene.view, CAST) if state.outcome is not None else None,
        at=lambda count: url(position.moves[:count]),
        rows=[] if state.secret else rows(found.choices),
        few=FEW,
        short=SHORT,
        mixtures=[rows(choices) for choices in mixtures(game, found)] if state.secret else [],
        exact=[(row, *one) for row in rows(found.choices) for one in row.exact],
        link=absolute_url(request, choose({})),
    )


def _make_scene(position: Variation) -> Scene:
    """The position as whoever moves sees it."""
    seat = Seat.FIRST if position.chooser is None else position.chooser
    return face_viewer(scene_of(position.states, position.played, seat, CAST))


def _make_row(state: State[Any], choice: Choice, chooser: Seat | None, href: str) -> MoveRow:
    mixed = choice.value.result is Result.MIXED
    return MoveRow(
        mark=CAST.mark(choice.seat),
        name=CAST.name(choice.seat),
        move=say_move(state, choice.move),
        href=href if choice.seat is chooser else None,
        best=choice.best,
        tone=tone_of(choice.value, choice.seat),
        then=standing(choice.value, CAST),
        plies=choice.value.plies,
        margin=None if choice.value.margin is None else abs(choice.value.margin),
        chance=chance_of(choice.value, choice.seat) if mixed else None,
        share=choice.mix,
    )
