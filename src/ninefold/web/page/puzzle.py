"""Find the better move: the position before the move that lost a match, to try again."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from ninefold.analysis import evaluate
from ninefold.analysis.advice import percent, verdict
from ninefold.analysis.evaluation import Choice
from ninefold.analysis.review import Judged
from ninefold.core.errors import NinefoldError
from ninefold.core.script import Cast
from ninefold.match.telling import cast_of
from ninefold.store.sql import Room
from ninefold.web.page.choosing import Half, asked, chosen_part, links_of, marked, offers
from ninefold.web.page.drawing import draw
from ninefold.web.page.rendering import page
from ninefold.web.page.table import settings
from ninefold.web.page.values import Tag, chance_of
from ninefold.web.requests import server_of


@dataclass(frozen=True, slots=True)
class Tried:
    """A try, and what is said to it."""

    move: str
    right: bool
    says: str


async def puzzle(request: Request, room: Room, one: Judged) -> Response:
    """The position before a move, as who made it saw it. Every legal move can be tried."""
    query, match, cast = request.query_params, room.match, cast_of(room.match)
    game, state = match.game, match.states[one.number - 1]
    view = state.view(one.seat)
    found = await asyncio.to_thread(evaluate, state)
    choices = [choice for choice in found.choices if choice.seat is one.seat]
    drawing = draw(game, view, cast)
    path = f"{server_of(request).root_path}/m/{room.id}/review"

    def again(half: Half) -> str:
        return f"{path}?{urlencode({'find': 1, **half}, safe='@,:')}"

    refusal, chosen, tried = "", None, None
    try:
        chosen = chosen_part(drawing, query)
        if text := query.get("try"):
            move = game.parse(text)
            state.play(move, one.seat)
            tried = _answered(choices, str(move), cast)
    except NinefoldError as error:
        refusal = str(error)
    shown = query.get("show") == "1"
    solved = {
        id: Tag("best", "win", True, "Best")
        for id, moves in offers(drawing, chosen).items()
        if any(move in one.best for move in moves)
    }
    return page(
        request,
        "find.html",
        status=422 if refusal else 200,
        room=room,
        game=game,
        cast=cast,
        one=one,
        view=view,
        refusal=refusal,
        tried=tried,
        shown=shown,
        answer=_answer(choices, cast),
        chosen=chosen,
        drawing=drawing,
        settings=settings(game, view.setup),
        links=links_of(drawing, chosen, lambda move: again({"try": move}), again),
        tags=marked(solved if shown else {}, chosen),
        again=again,
        back=f"{path}?{urlencode({'at': one.number, 'eyes': str(one.seat)})}",
        choose=asked(game.script.choose(view, cast), chosen),
    )


def _answered(choices: list[Choice], move: str, cast: Cast) -> Tried:
    choice = next(choice for choice in choices if str(choice.move) == move)
    then = verdict(choice.value, cast.names)
    top, here = (chance_of(one.value, one.seat) for one in (choices[0], choice))
    if choice.best:
        return Tried(move, True, f"Yes, {move} it is. {_mixture(choices) or then}")
    if here < top:
        worse = f"It wins {percent(here)} against a perfect opponent, the best {percent(top)}."
        return Tried(move, False, f"{move} is not it. {worse if choice.mix is not None else then}")
    return Tried(move, False, f"{move} keeps what there is, but there is better. {then}")


def _answer(choices: list[Choice], cast: Cast) -> str:
    """The best moves, and what comes of them."""
    right = [str(choice.move) for choice in choices if choice.best]
    return f"{', '.join(right)}. {_mixture(choices) or verdict(choices[0].value, cast.names)}"


def _mixture(choices: list[Choice]) -> str:
    """The shares of a choice that has to be left to chance; empty where one move will do."""
    shares = [(choice.move, choice.mix) for choice in choices if choice.mix]
    if len(shares) < 2:
        return ""
    listed = ", ".join(f"{move} {percent(mix)}" for move, mix in shares)
    chance = percent(chance_of(choices[0].value, choices[0].seat))
    return f"None is right every time, so draw by lot: {listed}. That wins {chance} against anybody."
