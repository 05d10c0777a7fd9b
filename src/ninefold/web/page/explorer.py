"""The explorer: any position of any game, with the exact value of every move in it.

The address is the position: the game, its setup, and the moves that led there, as in the API.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import SystemRandom
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ninefold.analysis import Choice, Result, evaluate
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.games import every_game
from ninefold.show.board import describe_settings, draw
from ninefold.show.choosing import (
    HALVES,
    Half,
    chosen_part,
    links_of,
    marked,
    tags_of,
)
from ninefold.show.endings import ending_of
from ninefold.show.exploring import CAST, Line, follow, mixtures, say_legend, say_turn
from ninefold.show.moves import say_move
from ninefold.show.values import bar_of, say_alike, standing, tone_of
from ninefold.study.facts import chance_of
from ninefold.web.page.example import example_picture
from ninefold.web.page.rendering import game_of, page
from ninefold.web.requests import server_of, whole
from ninefold.web.studying import moves_of

KEPT = "public, max-age=300"
FEW = 12  # moves that are listed without being asked for
SHORT = 11  # characters of a fraction that stands beside its percentage


def address(
    root: str, game: Game, setup: Mapping[str, int | str], moves: Iterable[str], half: Half | None = None
) -> str:
    """Where the explorer shows a position, perhaps with half of the next move chosen."""
    query: dict[str, int | str] = {**setup}
    if text := " ".join(moves):
        query["moves"] = text
    query.update(half or {})
    return f"{root}/explore/{game.slug}" + (f"?{urlencode(query, safe='@,:')}" if query else "")


@dataclass(frozen=True, slots=True)
class Row:
    """A legal move in the list of all."""

    mark: str
    name: str  # whose move it is
    move: str
    href: str | None  # None: it is not the turn of its seat yet
    best: bool
    tone: str
    then: str  # who wins
    plies: int | None
    margin: int | None  # of who wins
    chance: Fraction | None  # of the seat that moves, where chance decides
    share: Fraction | None  # in the optimal mixture

    @property
    def exact(self) -> list[tuple[str, Fraction]]:
        """The fractions that are too long to stand beside their percentage."""
        found = (("how often", self.share), ("chance to win", self.chance))
        return [(what, part) for what, part in found if part is not None and len(str(part)) > SHORT]


async def games(request: Request) -> Response:
    """The games to look into."""
    found = [(game, example_picture(game.slug)) for game in every_game()]
    return page(request, "explore.html", cache=KEPT, games=found)


async def show(request: Request) -> Response:
    """The position that the address tells of. A setting that is left open is drawn."""
    game = game_of(request)
    given = dict(request.query_params)
    half = {name: given.pop(name) for name in HALVES if name in given}
    text = given.pop("moves", "")
    setup: dict[str, int | str] = {name: value for name, value in given.items() if value.strip()}
    try:
        start = game.set_up(setup, SystemRandom())
    except NinefoldError as error:
        return page(
            request, "explorer.html", status=422, game=game, given=given, refusal=str(error), line=None
        )
    if any(option.name not in setup and option.default is None for option in game.options):
        drawn = address(server_of(request).root_path, game, start.setup, text.split())
        return RedirectResponse(drawn, 303)
    try:
        line = follow(start, moves_of(text))
    except NinefoldError as error:
        return await _shown(request, follow(start, ()), {}, str(error))
    return await _shown(request, line, half)


async def _shown(request: Request, line: Line, half: Half, refusal: str = "") -> Response:
    root, state, game = server_of(request).root_path, line.state, line.state.game
    view = state.view(Seat.FIRST if line.chooser is None else line.chooser)
    drawing = draw(game, view, CAST, last=line.last)
    try:
        chosen = chosen_part(drawing, half)
    except NinefoldError as error:
        chosen, refusal = None, str(error)
    found = await asyncio.to_thread(evaluate, state)
    mine = [choice for choice in found.choices if choice.seat is line.chooser]

    alike = say_alike(mine, CAST) if not state.secret else ""

    def at(count: int) -> str:
        return address(root, game, state.setup, line.moves[:count])

    def play(move: str) -> str:
        return address(root, game, state.setup, (*line.moves, move))

    def choose(half: Half) -> str:
        return address(root, game, state.setup, line.moves, half)

    def rows(choices: Iterable[Choice]) -> list[Row]:
        return [_row(state, choice, line.chooser, play(str(choice.move))) for choice in choices]

    return page(
        request,
        "explorer.html",
        status=422 if refusal else 200,
        cache=KEPT,
        game=game,
        given=dict(state.setup),
        refusal=refusal,
        line=line,
        view=view,
        cast=CAST,
        drawing=drawing,
        chosen=chosen,
        links=links_of(drawing, chosen, play, choose),
        tags=marked({}, chosen) if alike else tags_of(drawing, chosen, mine, CAST),
        alike=alike,
        bar=bar_of(found.value, CAST),
        legend=say_legend(mine),
        status_text=say_turn(line, chosen),
        ending=ending_of(game.words, view, CAST) if state.outcome is not None else None,
        settings=describe_settings(game, view.setup),
        at=at,
        rows=[] if state.secret else rows(found.choices),
        few=FEW,
        short=SHORT,
        mixtures=[rows(choices) for choices in mixtures(game, found)] if state.secret else [],
        exact=[(row, *one) for row in rows(found.choices) for one in row.exact],
        link=whole(request, choose({})),
    )


def _row(state: State[Any], choice: Choice, chooser: Seat | None, href: str) -> Row:
    mixed = choice.value.result is Result.MIXED
    return Row(
        mark=CAST.mark(choice.seat),
        name=CAST.name(choice.seat),
        move=say_move(state, str(choice.move)),
        href=href if choice.seat is chooser else None,
        best=choice.best,
        tone=tone_of(choice.value, choice.seat),
        then=standing(choice.value, CAST),
        plies=choice.value.plies,
        margin=None if choice.value.margin is None else abs(choice.value.margin),
        chance=chance_of(choice.value, choice.seat) if mixed else None,
        share=choice.mix,
    )
