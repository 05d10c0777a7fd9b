"""The endpoints for lessons: the steps of a game, and what comes of answers to one."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ninefold.core.errors import NinefoldError
from ninefold.core.view import as_data
from ninefold.games import load
from ninefold.show.lessons import STAGES, ask_step, lesson_cast, say_answer, say_clue
from ninefold.study.lessons import courses_of, exercise_data, numbers_of, pose
from ninefold.study.puzzles import Verdict, try_answers
from ninefold.web import shared
from ninefold.web.computing import answer_in_worker
from ninefold.web.requests import parse_number
from ninefold.web.responses import JsonResponse


async def list_steps(request: Request) -> Response:
    """Every step of a game's courses, with all that is accepted."""
    return await answer_in_worker(request, _list, key=())


def _list(request: Request) -> Response:
    try:
        game = load(request.path_params["game"])
    except NinefoldError as error:
        raise HTTPException(404, str(error)) from None
    return JsonResponse(
        [
            exercise_data(pose(game, course.slug, number))
            for course in courses_of(game)
            for number in numbers_of(course)
        ]
    )


async def read_step(request: Request) -> Response:
    """A step, what came of the answers given, and a hint if one is asked for."""
    return await answer_in_worker(request, _make_step, key=())


def _make_step(request: Request) -> Response:
    _, exercise = shared.lesson_of(request)
    puzzle, query = exercise.puzzle, request.query_params
    trial, cast = try_answers(puzzle, query.getlist("given")[: shared.MOST]), lesson_cast(puzzle.seat)
    stage = min(parse_number(query.get("hint", "0")) or 0, STAGES)
    state = puzzle.state.game.sequence(puzzle.state, trial.path)
    hinted = stage and trial.verdict is Verdict.OPEN
    return JsonResponse(
        {
            "label": exercise.label,
            "title": exercise.step.title,
            "goal": str(exercise.goal),
            "question": ask_step(exercise),
            "verdict": str(trial.verdict),
            "path": [str(move) for move in trial.path],
            "text": say_answer(exercise, trial, cast),
            "hint": say_clue(exercise, trial, stage, cast) if hinted else None,
            "view": as_data(state.view(puzzle.seat)),
        }
    )
