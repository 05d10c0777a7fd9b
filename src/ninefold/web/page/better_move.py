"""Find the better move: the position before the move that lost a match, to try again."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from ninefold.analysis import Choice
from ninefold.core.cast import Cast
from ninefold.core.errors import NinefoldError
from ninefold.core.state import State
from ninefold.show.board import draw
from ninefold.show.choosing import Half, marked, offers
from ninefold.show.hints import say_mixture
from ninefold.show.moves import capitalize, cast_of, say_move, say_moves
from ninefold.show.reviews import ask_better_move
from ninefold.show.values import Tag, verdict
from ninefold.store.database import Room
from ninefold.study.facts import choices_of
from ninefold.study.reviews import Judged
from ninefold.web.page.linked_board import link_board
from ninefold.web.page.rendering import render_page
from ninefold.web.requests import server_of


@dataclass(frozen=True, slots=True)
class Attempt:
    """A move that was tried, and what to say about it."""

    move: str
    right: bool
    text: str


async def find_better_move(request: Request, room: Room, one: Judged) -> Response:
    """Show the position before a move as its player saw it. Every legal move can be tried."""
    query, match, cast = request.query_params, room.match, cast_of(room.match)
    game, state = match.game, match.states[one.number - 1]
    view = state.view(one.seat)
    choices = await asyncio.to_thread(choices_of, state, one.seat)
    path = f"{server_of(request).root_path}/m/{room.id}/review"

    def again(half: Half) -> str:
        return f"{path}?{urlencode({'find': 1, **half}, safe='@,:')}"

    drawing = draw(game, view, cast)
    board = link_board(game, view, cast, drawing, query, lambda move: again({"try": move}), again)
    refusal, tried = board.refusal, None
    if (text := query.get("try")) and not refusal:
        try:
            move = game.parse(text)
            state.play(move, one.seat)
            tried = _judge(state, one, choices, str(move), cast)
        except NinefoldError as error:
            refusal = str(error)
    shown = query.get("show") == "1"
    solution = {
        id: Tag("best", "win", True, "Best")
        for id, moves in offers(drawing, board.chosen).items()
        if any(move in one.keeps for move in moves)
    }
    return render_page(
        request,
        "better_move.html",
        status=422 if refusal else 200,
        room=room,
        game=game,
        cast=cast,
        refusal=refusal,
        tried=tried,
        shown=shown,
        answer=_say_solution(state, one, choices, cast),
        question=ask_better_move(match, one, cast),
        board=board,
        tags=marked(solution if shown else {}, board.chosen),
        again=again,
        back=f"{path}?{urlencode({'at': one.number, 'eyes': str(one.seat)})}",
    )


def _judge(state: State[Any], one: Judged, choices: list[Choice], move: str, cast: Cast) -> Attempt:
    """Every move that keeps the best result is right; a faster or safer one is pointed out."""
    choice = next(choice for choice in choices if str(choice.move) == move)
    said, then = say_move(state, move), verdict(choice.value, cast)
    if move not in one.keeps:
        return Attempt(move, False, f"{capitalize(said)} isn't the move. {then}")
    if move in one.best:
        mixed = _say_mixture(choices) if choice.mix else ""
        return Attempt(move, True, f"Yes: {said}. {mixed or then}")
    return Attempt(move, True, f"Yes: {said}. {then} Even better: {say_moves(state, one.best)}.")


def _say_solution(state: State[Any], one: Judged, choices: list[Choice], cast: Cast) -> str:
    """The best moves, and what comes of them."""
    return f"{say_moves(state, one.best)}. {_say_mixture(choices) or verdict(choices[0].value, cast)}"


def _say_mixture(choices: list[Choice]) -> str:
    """The optimal mixture of secret choices in words; empty if one move alone is best."""
    shares = [(str(choice.move), choice.mix) for choice in choices if choice.mix]
    return say_mixture(shares) if len(shares) > 1 else ""
