"""Find the better move: the position before the move that lost a match, to try again."""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from ninefold.analysis import evaluate
from ninefold.core.errors import NinefoldError
from ninefold.show.board import draw
from ninefold.show.choosing import Half, mark_chosen
from ninefold.show.moves import cast_of
from ninefold.show.reviews import answer_try, ask_better_move, say_solution, tags_of_better
from ninefold.store.sql.database import Room
from ninefold.study.reviews import Judged
from ninefold.web.page.linked_board import link_board
from ninefold.web.page.rendering import render_page
from ninefold.web.requests import root_of


def find_better_move(request: Request, room: Room, one: Judged) -> Response:
    """Show the position before a move as its player saw it. Every legal move can be tried."""
    query, match, cast = request.query_params, room.match, cast_of(room.match)
    game, state = match.game, match.states[one.number - 1]
    view = state.view(one.seat)
    choices = evaluate(state).choices_of(one.seat)
    path = f"{root_of(request)}/m/{room.id}/review"

    def again(half: Half) -> str:
        return f"{path}?{urlencode({'find': 1, **half}, safe='@,:')}"

    drawing = draw(game, view, cast)
    board = link_board(game, view, cast, drawing, query, lambda move: again({"try": str(move)}), again)
    refusal, tried = board.refusal, None
    if (text := query.get("try")) and not refusal:
        try:
            move = game.parse(text)
            state.play(move, one.seat)
            tried = answer_try(state, one, choices, move, cast)
        except NinefoldError as error:
            refusal = str(error)
    shown = query.get("show") == "1"
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
        answer=say_solution(state, one, choices, cast),
        question=ask_better_move(match, one, cast),
        board=board,
        tags=mark_chosen(tags_of_better(drawing, board.chosen, one) if shown else {}, board.chosen),
        again=again,
        back=f"{path}?{urlencode({'at': one.number, 'eyes': str(one.seat)})}",
    )
