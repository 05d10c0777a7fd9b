"""Find the better move: the position before the move that lost a match, to try again."""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from ninefold.core.errors import NinefoldError
from ninefold.show.board import draw
from ninefold.show.choosing import Half, mark_chosen
from ninefold.show.exploring import follow
from ninefold.show.moves import cast_of
from ninefold.show.puzzles import explain, say_trial
from ninefold.show.reviews import ask_better_move
from ninefold.store.sql.database import Room
from ninefold.study.puzzles import Verdict, try_answers
from ninefold.study.puzzles.better import make_better
from ninefold.study.reviews import Judged
from ninefold.web.page.linked_board import link_board
from ninefold.web.page.rendering import render_page
from ninefold.web.requests import root_of


def find_better_move(request: Request, room: Room, one: Judged) -> Response:
    """Show the position before a move as its player saw it. Every legal move can be tried."""
    query, match, cast = request.query_params, room.match, cast_of(room.match)
    game, puzzle, refusal = match.game, make_better(match, one), ""
    path = f"{root_of(request)}/m/{room.id}/review"
    try:
        trial = try_answers(puzzle, query.getlist("try")[:1])
    except NinefoldError as error:
        refusal, trial = str(error), try_answers(puzzle, [])
    shown = query.get("show") == "1" and trial.verdict is Verdict.OPEN
    position = follow(
        game.set_up(puzzle.setup), [*puzzle.moves, *(puzzle.solution if shown else trial.path)]
    )
    view = position.state.view(one.seat)
    tried = shown or trial.verdict is not Verdict.OPEN

    def again(half: Half) -> str:
        return f"{path}?{urlencode({'find': 1, **half}, safe='@,:')}"

    drawing = draw(game, view, cast, last=position.last if tried else None, moves=() if tried else None)
    board = link_board(game, view, cast, drawing, query, lambda move: again({"try": str(move)}), again)
    refusal = board.refusal or refusal
    return render_page(
        request,
        "better_move.html",
        status=422 if refusal else 200,
        room=room,
        game=game,
        cast=cast,
        refusal=refusal,
        verdict=trial.verdict,
        shown=shown,
        said=explain(puzzle, cast) if shown else say_trial(puzzle, trial, cast) if tried else [],
        question=ask_better_move(match, one, cast),
        board=board,
        tags=mark_chosen({}, board.chosen),
        again=again,
        back=f"{path}?{urlencode({'at': one.number, 'eyes': str(one.seat)})}",
    )
