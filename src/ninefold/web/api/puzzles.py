"""The endpoint for puzzles: the question, and the verdict on the answers given."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from ninefold.core.view import as_data
from ninefold.show.puzzles import ask_task, cast_for, explain, say_trial
from ninefold.study.puzzles import Verdict, puzzle_data, question_data, try_answers
from ninefold.web import shared
from ninefold.web.computing import answer_in_worker
from ninefold.web.responses import JsonResponse


async def read_puzzle(request: Request) -> Response:
    """A puzzle, the verdict on the answers given, and the answer once it is solved or asked for."""
    return await answer_in_worker(request, _make_puzzle, key=())


def _make_puzzle(request: Request) -> Response:
    label = shared.label_of(request)
    puzzle = label.find()
    trial = try_answers(puzzle, request.query_params.getlist("given")[: shared.MOST])
    cast = cast_for(puzzle)
    solved = trial.verdict is Verdict.SOLVED
    shown = request.query_params.get("show") == "1" and not solved
    state = puzzle.state.game.sequence(puzzle.state, trial.path)
    return JsonResponse(
        {
            "label": str(label),
            **question_data(puzzle),
            "question": ask_task(puzzle, cast),
            "verdict": str(trial.verdict),
            "path": [str(move) for move in trial.path],
            "text": explain(puzzle, cast) if shown else say_trial(puzzle, trial, cast),
            "view": as_data(state.view(puzzle.seat)),
            "answer": puzzle_data(puzzle) if solved or shown else None,
        }
    )
