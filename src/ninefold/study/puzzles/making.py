"""Makes puzzles from a seed: tries positions of random games until one is a puzzle as wanted.

It is fast because it looks only at the stages of a game where puzzles of that task and grade are common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.move import Move
from ninefold.core.puzzles import Source, Task, Theme
from ninefold.core.state import State
from ninefold.core.words import comma_list
from ninefold.games import load
from ninefold.study.puzzles.tasks import Puzzle, solve_task
from ninefold.study.puzzles.themes import find_themes

LIMIT = 50_000  # positions to try before giving up

Path = tuple[State[Any], tuple[Move, ...]]  # a position, and the moves that led to it


class NoSuchPuzzle(NinefoldError):
    """There is no such puzzle; the message says which puzzles there are."""


def draw_path(source: Source, game: Game, rng: Random) -> Path | None:
    """A position to try; None if the random game ended too early."""
    if source.guide is not None:
        setup, moves = source.guide(rng)
        return game.sequence(game.set_up(setup), moves), tuple(moves)
    return wander(game, rng, rng.choice(source.plies))


def wander(game: Game, rng: Random, plies: int) -> Path | None:
    """The position after this many random moves, or one more if a secret choice would be pending."""
    state = game.set_up(
        {
            option.name: option.draw(rng) if option.draw else rng.choice(list(option.values()))
            for option in game.options
        }
    )
    moves: list[Move] = []
    while len(moves) < plies or state.pending:
        seat = state.movers[0]
        legal = state.moves(seat)
        move = legal[rng.randrange(len(legal))]
        moves.append(move)
        state = state.after(move, seat)
        if state.outcome is not None or state.dead:
            return None
    return state, tuple(moves)


def sources_of(
    game: Game, task: Task | None = None, grade: int | None = None, theme: Theme | None = None
) -> tuple[Source, ...]:
    """Where to look for such puzzles. Raises NoSuchPuzzle, which says what there is instead."""
    every, themes = game.puzzles.sources, game.puzzles.themes
    found = [source for source in every if task in (None, source.task)]
    if not found:
        tasks = comma_list(dict.fromkeys(source.task for source in every))
        raise NoSuchPuzzle(f"{game.title} has no {task} puzzles. Its tasks: {tasks}.")
    what = f"{task} puzzles" if task else "puzzles"
    if theme is not None:
        grades = themes.get(theme, {})
        themed = [one for one in found if one.grade in grades.get(one.task, ())]
        if not themed:
            has = comma_list(other for other in Theme if other in themes) or "none"
            raise NoSuchPuzzle(f"{game.title} has no {what} with the theme {theme}. Its themes: {has}.")
        found, what = themed, f"{what} with the theme {theme}"
    graded = [source for source in found if None in (grade, source.grade) or source.grade == grade]
    if not graded:
        has = comma_list(sorted({source.grade for source in found if source.grade is not None}))
        raise NoSuchPuzzle(f"{game.title} has no {what} of grade {grade}. The grades: {has}.")
    return tuple(graded)


def tasks_of(game: Game) -> list[Task]:
    """The tasks that a game has puzzles of."""
    return list(dict.fromkeys(source.task for source in sources_of(game)))


def puzzle(
    game: Game | str,
    seed: int | str,
    task: Task | str | None = None,
    grade: int | None = None,
    theme: Theme | str | None = None,
) -> Puzzle:
    """The puzzle of a seed, always the same one. A task, grade or theme that is not given can be any.

    Raises NoSuchPuzzle if there is none.
    """
    game = load(game) if isinstance(game, str) else game
    task = None if task is None else Task(task)
    theme = None if theme is None else Theme(theme)
    rng = Random(f"{game.slug} {seed} {task} {grade} {theme}")
    source = rng.choice(sources_of(game, task, grade, theme))
    for found in search(game, source, rng):
        if theme is None or theme in found.themes:
            return found
    raise NoSuchPuzzle(f"Found no {game.title} puzzle like that. Try another seed.")


def search(
    game: Game,
    source: Source,
    rng: Random,
    wanted: Callable[[State[Any]], bool] = lambda _: True,
) -> Iterator[Puzzle]:
    """Search a source for puzzles, among the positions that are `wanted`."""
    for _ in range(LIMIT):
        path = draw_path(source, game, rng)
        if path is not None and wanted(path[0]) and (found := pose(*path, source, rng)):
            yield found


def pose(state: State[Any], moves: tuple[Move, ...], source: Source, rng: Random) -> Puzzle | None:
    """Make a puzzle of a position; None if it is not one of this source's task and grade."""
    seat = rng.choice(state.movers)
    found = solve_task(state, seat, source.task)
    if found is None or source.grade not in (None, found.grade):
        return None
    return Puzzle(
        game=state.game.slug,
        setup=dict(state.setup),
        moves=moves,
        seat=seat,
        task=source.task,
        answers=found.answers,
        solution=found.solution,
        grade=found.grade,
        chances=found.chances,
        themes=find_themes(state, seat, source.task, found),
    )
