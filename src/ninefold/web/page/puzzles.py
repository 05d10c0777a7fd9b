"""Puzzles as pages. The URL holds the answers given; the page holds the solution only on request."""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ninefold.core.errors import NinefoldError
from ninefold.games import SLUGS, every_game, load
from ninefold.show.board import draw
from ninefold.show.choosing import Half, mark_chosen
from ninefold.show.exploring import follow
from ninefold.show.puzzles import (
    TASKS,
    ask_task,
    cast_for,
    explain,
    list_options,
    numbers_of,
    say_progress,
    say_puzzle,
    say_trial,
    share,
    tell_game,
)
from ninefold.store.files.progress import (
    VERSION,
    count_solved,
    count_streak,
    list_failed,
    read_results,
    write_results,
)
from ninefold.study.puzzles import Asks, Puzzle, Task, Theme, Verdict, try_answers
from ninefold.study.puzzles.days import today
from ninefold.study.puzzles.labels import Label, draw_label
from ninefold.study.puzzles.making import tasks_of
from ninefold.study.puzzles.tasks import GRADES
from ninefold.web.computing import answer_in_worker
from ninefold.web.page import explorer
from ninefold.web.page.example import example_picture
from ninefold.web.page.linked_board import link_board
from ninefold.web.page.rendering import render_page
from ninefold.web.requests import root_of
from ninefold.web.shared import MOST, label_of, wanted_of


async def choose(request: Request) -> Response:
    """The list: the puzzle of the day, puzzles of each game, and this browser's unsolved ones."""
    games = [(game, example_picture(game.slug), tasks_of(game)) for game in every_game()]
    carried, refusal = {}, ""
    try:
        if text := request.query_params.get("progress", "").strip():
            carried = read_results(text)
    except NinefoldError as error:
        refusal = str(error)
    return render_page(
        request,
        "puzzles.html",
        status=422 if refusal else 200,
        refusal=refusal,
        carried=write_results(carried) if carried else "",
        progress=say_progress(count_solved(carried), count_streak(carried, today())),
        failed=list_failed(carried),
        version=VERSION,
        today=today(),
        games=games,
        tasks=TASKS,
        grades=GRADES,
        themes=list(Theme),
    )


async def show(request: Request) -> Response:
    """A puzzle, the answers given, and the verdict on them."""
    if request.path_params.get("day") in SLUGS:  # a game without a seed: go to a random puzzle of it
        return await answer_in_worker(request, _draw)
    return await answer_in_worker(request, _render, key=())


def _draw(request: Request) -> Response:
    drawn = draw_label(load(request.path_params["day"]), wanted_of(request))
    return RedirectResponse(f"{root_of(request)}/puzzle/{drawn}", 303)


def _render(request: Request) -> Response:
    root, query = root_of(request), request.query_params
    label = label_of(request)
    if any(query.get(name) for name in ("task", "grade", "theme")):  # a puzzle has one address
        tried = urlencode([("given", one) for one in query.getlist("given")])
        return RedirectResponse(f"{root}/puzzle/{label}?{tried}".removesuffix("?"), 303)
    puzzle = label.find()
    given, refusal = _read_answers(puzzle, request), ""
    try:
        trial = try_answers(puzzle, given)
    except NinefoldError as error:
        given, refusal = given[:-1], str(error)
        trial = try_answers(puzzle, given)
    path = f"{root}/puzzle/{label}"

    def at(answers: list[str], half: Half | None = None, **more: str) -> str:
        pairs = [("given", one) for one in answers]
        pairs += [*(half or {}).items(), *more.items()]
        return f"{path}?{urlencode(pairs, safe='@,:')}" if pairs else path

    shown = query.get("show") == "1" and trial.verdict is not Verdict.SOLVED
    game, cast = puzzle.state.game, cast_for(puzzle)
    position = follow(game.set_up(puzzle.setup), [*puzzle.moves, *trial.path])
    view = position.state.view(puzzle.seat)
    by_board = (
        trial.verdict is Verdict.OPEN and puzzle.task.asks is Asks.MOVES and puzzle.task != Task.MIX
    )
    drawing = draw(game, view, cast, last=position.last, moves=None if by_board else ())
    board = link_board(
        game,
        view,
        cast,
        drawing,
        query,
        lambda move: at([*given, str(move)]),
        lambda half: at(given, half),
    )
    refusal = board.refusal or refusal
    return render_page(
        request,
        "puzzle.html",
        status=422 if refusal else 200,
        label=label,
        game=game,
        puzzle=puzzle,
        cast=cast,
        title=say_puzzle(puzzle, label),
        question=ask_task(puzzle, cast),
        refusal=refusal,
        trial=trial,
        said=explain(puzzle, cast) if shown else say_trial(puzzle, trial, cast),
        shown=shown,
        board=board,
        tags=mark_chosen({}, board.chosen),
        choose=board.question if by_board else "",
        path=path,
        story=tell_game(puzzle, cast),
        options=list_options(puzzle),
        numbers=numbers_of(puzzle),
        about=_share_heading(puzzle, label),
        show=at(given if trial.verdict is Verdict.OPEN else given[:-1], show="1"),
        again=at(given[:-1]),
        over=at([]),
        explore=explorer.position_url(root, game, puzzle.setup, puzzle.moves),
        another=f"{root}/puzzle/{game.slug}?{urlencode({'task': puzzle.task, 'grade': puzzle.grade})}",
    )


def _read_answers(puzzle: Puzzle, request: Request) -> list[str]:
    """The answers in a URL, including those that the forms of a puzzle send."""
    query = request.query_params
    if puzzle.task is Task.MIX and query.getlist("pick"):
        return [" ".join(query.getlist("pick"))]
    return [query.get("who", "") + one for one in query.getlist("given")[:MOST]]


def _share_heading(puzzle: Puzzle, label: Label) -> str:
    """The first lines of a result to share; the script adds how it went."""
    return share(puzzle, label, 0, solved=True).rpartition("\n")[0]
