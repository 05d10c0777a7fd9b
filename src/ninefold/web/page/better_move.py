"""Find the better move: the position before a mistake of a match, to try again."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from ninefold.core.cast import Cast
from ninefold.core.move import Move
from ninefold.core.turns import Played
from ninefold.show.exploring import Variation
from ninefold.show.puzzles import explain, follow_puzzle, say_trial
from ninefold.show.reviews import ask_better_move
from ninefold.show.scene import scene_of
from ninefold.store.sql.database import Room
from ninefold.study.lessons import find_lesson
from ninefold.study.puzzles import Puzzle, Trial, Verdict
from ninefold.study.puzzles.better import make_better
from ninefold.study.puzzles.solving import read_answer
from ninefold.study.reviews import Judged
from ninefold.web.page.halves import Half
from ninefold.web.page.puzzles import try_given
from ninefold.web.page.rendering import render_page
from ninefold.web.page.table import lay_table
from ninefold.web.requests import root_of


def find_better_move(request: Request, room: Room, one: Judged, cast: Cast) -> Response:
    """Show the position before a move of a turn as its player saw it. Every legal move can be tried."""
    query, match = request.query_params, room.match
    game, puzzle = match.game, make_better(match, one)
    path = f"{root_of(request)}/m/{room.id}/review"
    given, trial, refusal = try_given(puzzle, query.getlist("try")[:1])
    shown = query.get("show") == "1" and trial.verdict is Verdict.OPEN
    tried = shown or trial.verdict is not Verdict.OPEN
    solved = trial.verdict is Verdict.SOLVED

    def again(half: Half) -> str:
        return f"{path}?{urlencode({'find': one.number, **half}, safe='@,:')}"

    line = _play_on(puzzle, trial, given, shown=shown)
    table = lay_table(
        scene_of(line.states, line.played, one.seat, cast, () if tried else None),
        query,
        lambda move: again({"try": str(move)}),
        again,
        notes=None if tried else {one.seat: "to move"},
        turn=None if tried else one.seat,
    )
    refusal = table.refusal or refusal
    return render_page(
        request,
        "better_move.html",
        status=422 if refusal else 200,
        room=room,
        game=game,
        refusal=refusal,
        verdict=trial.verdict,
        shown=shown,
        said=explain(puzzle, cast) if shown else say_trial(puzzle, trial, cast) if tried else [],
        question=ask_better_move(match, one, cast),
        table=table,
        lesson=find_lesson(puzzle.state, one.seat, one.best[0]) if solved or shown else None,
        again=again,
        back=f"{path}?{urlencode({'at': one.number, 'eyes': str(one.seat)})}",
    )


def _play_on(puzzle: Puzzle, trial: Trial, given: Sequence[str], *, shown: bool) -> Variation:
    """The position with what was tried or shown. A secret choice stands in its player's hand alone."""
    line = follow_puzzle(puzzle, puzzle.solution if shown else trial.path)
    if trial.verdict is not Verdict.SOLVED or trial.path:
        return line
    chosen = read_answer(puzzle, line.state, given[0])
    assert isinstance(chosen, Move)
    then = line.state.after(chosen, puzzle.seat)
    return Variation((*line.states, then), (*line.played, Played(puzzle.seat, chosen)))
