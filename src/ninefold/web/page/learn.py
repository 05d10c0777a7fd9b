"""Lessons as pages. The URL holds the answers given and the hint; progress is kept in the browser."""

from __future__ import annotations

from functools import partial
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ninefold.core.cast import Cast
from ninefold.core.game import Game
from ninefold.core.lessons import Course
from ninefold.core.move import Move
from ninefold.core.seat import Seat
from ninefold.core.view import board_of
from ninefold.games import every_game
from ninefold.show import lessons
from ninefold.show.board import Part, spot_text
from ninefold.show.choosing import mark_chosen
from ninefold.show.moves import capitalize
from ninefold.show.puzzles import draw_puzzle, list_options, numbers_of
from ninefold.show.values import Tag
from ninefold.study.lessons import Exercise, courses_of, label_of
from ninefold.study.lessons import numbers_of as steps_of
from ninefold.study.puzzles import Asks, Task, Trial, Verdict
from ninefold.web.computing import answer_in_worker
from ninefold.web.page.example import example_picture
from ninefold.web.page.puzzles import answers_url, read_answers, try_given
from ninefold.web.page.rendering import game_of, render_page
from ninefold.web.page.table import lay_table
from ninefold.web.requests import parse_number, root_of
from ninefold.web.shared import lesson_of


async def list_games(request: Request) -> Response:
    """All games with their courses."""
    return await answer_in_worker(request, _list, every_game(), key=())


async def show_game(request: Request) -> Response:
    """The courses of a game."""
    return await answer_in_worker(request, _list, [game_of(request)], key=())


def _list(request: Request, games: list[Game]) -> Response:
    found = [(game, example_picture(game.slug), courses_of(game)) for game in games]
    if len(found) == 1 and not found[0][2]:
        raise HTTPException(404, lessons.say_not_made(games[0]))
    return render_page(request, "learn.html", games=found, label_of=label_of, steps_of=steps_of)


async def show_step(request: Request) -> Response:
    """A step, the answers given, and what came of them."""
    return await answer_in_worker(request, _render, key=())


def _render(request: Request) -> Response:
    root, query = root_of(request), request.query_params
    game, exercise = lesson_of(request)
    puzzle, course, cast = exercise.puzzle, exercise.course, lessons.lesson_cast(exercise.puzzle.seat)
    given, trial, refusal = try_given(puzzle, read_answers(puzzle, request))
    path = f"{root}/learn/{exercise.label}"
    at = partial(answers_url, path)
    hint = min(parse_number(query.get("hint", "0")) or 0, lessons.STAGES)
    kept = {"hint": str(hint)} if hint else {}
    solved, wrong = trial.verdict is Verdict.SOLVED, trial.verdict is Verdict.WRONG
    by_board = not (solved or wrong) and puzzle.task.asks is Asks.MOVES and puzzle.task != Task.MIX
    stage = hint or int(exercise.step.points and not given)

    def tags(chosen: Part | None) -> dict[str, Tag]:
        found = _tag_trial(exercise, trial, cast) if wrong else {}
        return mark_chosen(found if solved or wrong else lessons.tag_clue(exercise, trial, stage), chosen)

    table = lay_table(
        draw_puzzle(puzzle, trial.path, cast, None if by_board else ()),
        query,
        lambda move: at([*given, str(move)]),
        lambda half: at(given, half, **kept),
        tags=tags,
        notes={puzzle.seat.other: "lesson partner"},
        turn=puzzle.seat if by_board else None,
    )
    refusal = table.refusal or refusal
    return render_page(
        request,
        "lesson.html",
        status=422 if refusal else 200,
        game=game,
        course=course,
        exercise=exercise,
        puzzle=puzzle,
        title=lessons.say_step(game, exercise),
        question=lessons.ask_step(exercise),
        refusal=refusal,
        trial=trial,
        said=lessons.say_answer(exercise, trial, cast),
        hint=lessons.say_clue(exercise, trial, hint, cast) if hint and not (solved or wrong) else "",
        more=at(given, hint=str(stage + 1)) if stage < lessons.STAGES else "",
        stage=stage,
        table=table,
        by_board=by_board,
        path=path,
        options=list_options(puzzle),
        numbers=numbers_of(puzzle),
        again=at(given[:-1]),
        before=_link(root, game, course, exercise.number - 1) if exercise.number > 1 else "",
        after="" if exercise.last else _link(root, game, course, exercise.number + 1),
        following=lessons.next_course(game, course) if solved and exercise.last else None,
        steps=steps_of(course),
        label_of=label_of,
        play=f"{root}/new/{game.slug}?{urlencode({'level': f'level:{course.level}', 'coach': 'yes'})}",
        practice=f"{root}/puzzle/{game.slug}?{urlencode(_puzzle_like(course))}",
    )


def _link(root: str, game: Game, course: Course, number: int) -> str:
    return f"{root}/learn/{label_of(game.slug, course, number)}"


def _puzzle_like(course: Course) -> dict[str, str]:
    """What puzzle to ask for after a course."""
    wanted = {"task": course.task, "theme": course.theme}
    return {name: str(value) for name, value in wanted.items() if value is not None}


def _tag_trial(exercise: Exercise, trial: Trial, cast: Cast) -> dict[str, Tag]:
    """By part, what was tried and how it was answered, after a wrong move."""
    puzzle = exercise.puzzle
    states, played = puzzle.state.game.replay(puzzle.state, trial.path)
    first: dict[Seat, Move] = {}
    for one in played[len(played) - trial.refuted :]:
        first.setdefault(one.seat, one.move)
    tags: dict[str, Tag] = {}
    for seat, move in first.items():
        mine, spot = seat is puzzle.seat, puzzle.state.game.spot(move)
        says = "your try" if mine else f"{cast.whose(seat)} reply"
        part = f"c-{spot_text(board_of(states[-1].view(puzzle.seat), seat), spot)}"
        tags[part] = Tag(says, "tried" if mine else "loss", says=capitalize(says))
    return tags
