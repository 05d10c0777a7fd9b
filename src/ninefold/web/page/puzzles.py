"""Puzzles as pages. The URL holds the answers given; the page holds the solution only on request."""

from __future__ import annotations

from calendar import Calendar
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ninefold.core.errors import NinefoldError, quote
from ninefold.games import GAMES, VARIANTS, every_game, load
from ninefold.show import puzzles
from ninefold.show.choosing import mark_chosen
from ninefold.store.files.progress import (
    VERSION,
    count_solved,
    count_streak,
    list_failed,
    read_results,
    write_results,
)
from ninefold.study.puzzles import Asks, Puzzle, Task, Trial, Verdict, try_answers
from ninefold.study.puzzles.days import today
from ninefold.study.puzzles.labels import FIRST, Label, draw_label, read_day
from ninefold.study.puzzles.making import grades_of, tasks_of, themes_of
from ninefold.study.puzzles.tasks import GRADES
from ninefold.web.computing import answer_in_worker
from ninefold.web.page import explorer
from ninefold.web.page.clues import list_clues, tell_clue
from ninefold.web.page.daily import find_card, last_days, say_date
from ninefold.web.page.halves import Half
from ninefold.web.page.rendering import render_page
from ninefold.web.page.table import lay_table
from ninefold.web.requests import parse_number, root_of
from ninefold.web.shared import MOST, label_of, wanted_of

PATIENCE = 10.0  # seconds that the page of all puzzles waits for the one of the day
WINNERS = ("you", "computer")  # as a form names them

# The page of all puzzles


@dataclass(frozen=True, slots=True)
class Month:
    """The daily puzzles of a month, from Monday to Sunday."""

    first: date
    today: date

    @property
    def weeks(self) -> list[list[date]]:
        return Calendar().monthdatescalendar(self.first.year, self.first.month)

    @property
    def title(self) -> str:
        return f"{self.first:%B %Y}"

    @property
    def earlier(self) -> str:
        """The month before; empty if it has no puzzles."""
        day = self.first - timedelta(1)
        return f"{day:%Y-%m}" if day >= FIRST else ""

    @property
    def later(self) -> str:
        """The month after; empty if it has no puzzles yet."""
        day = (self.first + timedelta(31)).replace(day=1)
        return f"{day:%Y-%m}" if day <= self.today else ""

    def has(self, day: date) -> bool:
        return day.month == self.first.month


async def choose(request: Request) -> Response:
    """The list: the puzzle of the day, those of a month, and puzzles of each game."""
    carried, refusal = {}, ""
    month = Month(today().replace(day=1), today())
    try:
        month = _read_month(request.query_params.get("month", ""), today())
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
        progress=puzzles.say_progress(count_solved(carried), count_streak(carried, today())),
        failed=list_failed(carried),
        version=VERSION,
        today=today(),
        card=await find_card(request, PATIENCE),
        month=month,
        games=every_game(),
        grades_of=grades_of,
        tasks_of=tasks_of,
        themes_of=themes_of,
        tasks=puzzles.TASKS,
        grades=GRADES,
    )


def _read_month(text: str, now: date) -> Month:
    """A month like 2026-11, by default this one. Raises NinefoldError."""
    first = read_day(f"{text}-01") if text else now.replace(day=1)
    if first > now:
        raise NinefoldError(f"The puzzles of {quote(text)} are still to come.")
    return Month(first, now)


# One puzzle


async def show(request: Request) -> Response:
    """A puzzle, the answers given, and the verdict on them."""
    if request.path_params.get("day") in GAMES | VARIANTS:  # no seed: go to a random one
        return await answer_in_worker(request, _draw)
    return await answer_in_worker(request, _render, key=(today(),))  # the heading says which day it is


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
    given, trial, refusal = try_given(puzzle, read_answers(puzzle, request))
    path = f"{root}/puzzle/{label}"
    at = partial(answers_url, path)
    shown = query.get("show") == "1" and trial.verdict is not Verdict.SOLVED
    game, cast = puzzle.state.game, puzzles.cast_for(puzzle)
    open_now = trial.verdict is Verdict.OPEN and not shown
    by_board = open_now and puzzle.task.asks is Asks.MOVES and puzzle.task != Task.MIX
    clues = list_clues(puzzle, trial.path) if by_board else []
    asked = parse_number(query.get("hint", "0"), len(clues)) or 0
    told = [tell_clue(puzzle, trial.path, clue) for clue in clues[:asked]]
    kept = {"hint": str(asked)} if told else {}
    table = lay_table(
        puzzles.draw_puzzle(puzzle, trial.path, cast, None if by_board else ()),
        query,
        lambda move: at([*given, str(move)]),
        lambda half: at(given, half, **kept),
        tags=lambda chosen: mark_chosen(
            {id: tag for _, tags in told for id, tag in tags.items()}, chosen
        ),
        notes={puzzle.seat: "to move", puzzle.seat.other: "replies perfectly"} if by_board else None,
        turn=puzzle.seat if open_now else None,
    )
    refusal = table.refusal or refusal
    return render_page(
        request,
        "puzzle.html",
        status=422 if refusal else 200,
        label=label,
        game=game,
        puzzle=puzzle,
        grades=GRADES,
        title=puzzles.say_puzzle(puzzle, label),
        heading=_say_heading(label),
        question=puzzles.ask_task(puzzle, cast),
        refusal=refusal,
        trial=trial,
        said=puzzles.explain(puzzle, cast) if shown else puzzles.say_trial(puzzle, trial, cast),
        idea=puzzles.say_idea(puzzle, cast, trial.path) if trial.verdict is Verdict.SOLVED else "",
        shown=shown,
        table=table,
        by_board=by_board,
        clues=[(name, at(given, hint=str(number))) for number, name in enumerate(clues, 1)],
        told=[said for said, _ in told],
        choose=table.question if by_board else "",
        path=path,
        explained=puzzles.EXPLAINED[puzzle.task],
        options=puzzles.list_options(puzzle),
        numbers=puzzles.numbers_of(puzzle),
        about=_share_heading(puzzle, label),
        show=at(given if trial.verdict is Verdict.OPEN else given[:-1], show="1"),
        again=at(given[:-1]),
        over=at([]),
        explore=explorer.position_url(root, game, puzzle.setup, puzzle.moves),
        another=f"{root}/puzzle/{game.slug}?{urlencode(_like(puzzle))}",
        skip=f"{root}/puzzle" if label.day else f"{root}/puzzle/{game.slug}",
        week=last_days(label.day) if label.day else [],
    )


def _like(puzzle: Puzzle) -> dict[str, str]:
    """What to ask for to get another puzzle of this kind."""
    wanted, by_theme = (
        {"task": str(puzzle.task), "grade": str(puzzle.grade)},
        puzzle.state.game.puzzles.themes,
    )
    for theme in puzzle.themes:
        if puzzle.grade in by_theme.get(theme, {}).get(puzzle.task, ()):
            return {**wanted, "theme": str(theme)}
    return wanted


def _say_heading(label: Label) -> str:
    """What kind of puzzle it is: `Monday's puzzle`, `Puzzle of Monday, November 9`, `Practice`."""
    if label.day is None:
        return "Practice"
    return f"{label.day:%A}'s puzzle" if label.day == today() else f"Puzzle of {say_date(label.day)}"


def try_given(puzzle: Puzzle, given: list[str]) -> tuple[list[str], Trial, str]:
    """Answers, what comes of them, and why the last one is left out, if it is refused."""
    try:
        return given, try_answers(puzzle, given), ""
    except NinefoldError as error:
        return given[:-1], try_answers(puzzle, given[:-1]), str(error)


def answers_url(path: str, answers: Iterable[str], half: Half | None = None, **more: str) -> str:
    """The URL of a question after these answers, with half a move or more to say, if there is any."""
    pairs = [*(("given", one) for one in answers), *(half or {}).items(), *more.items()]
    return f"{path}?{urlencode(pairs, safe='@,:')}" if pairs else path


def read_answers(puzzle: Puzzle, request: Request) -> list[str]:
    """The answers in a URL, including those that the forms of a puzzle send."""
    query = request.query_params
    if puzzle.task is Task.MIX and query.getlist("pick"):
        return [" ".join(query.getlist("pick"))]
    if puzzle.task is Task.COUNT and query.get("winner") in WINNERS and query.get("given"):
        return [f"{query['winner']} by {query['given']}"]
    return query.getlist("given")[:MOST]


def _share_heading(puzzle: Puzzle, label: Label) -> str:
    """The first lines of a result to share; the script adds how it went."""
    return puzzles.share(puzzle, label, 0, solved=True).rpartition("\n")[0]
