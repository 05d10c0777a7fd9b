"""Makes puzzles from a seed: tries positions of random games until one is a puzzle as wanted.

It is fast because it looks only at the stages of a game where puzzles of that task and grade are common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.state import State
from ninefold.core.words import comma_list
from ninefold.games import load
from ninefold.study.puzzles.tasks import Puzzle, Task, Theme, solve_task
from ninefold.study.puzzles.themes import find_themes

LIMIT = 50_000  # positions to try before giving up
ANY = range(12)  # after how many moves to look, in a game without sources

Setup = Mapping[str, int | str]
Path = tuple[State[Any], tuple[str, ...]]  # a position, and the moves that led to it


class NoSuchPuzzle(NinefoldError):
    """There is no such puzzle; the message says which puzzles there are."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where puzzles of one task and grade are found: after how many moves of a random game.

    Where such positions are too rare in random games, `guide` draws a setup and moves.
    """

    task: Task
    grade: int | None
    plies: tuple[int, ...]
    guide: Callable[[Random], tuple[Setup, list[str]]] | None = None

    def draw(self, game: Game, rng: Random) -> Path | None:
        """A position to try; None if the random game ended too early."""
        if self.guide is not None:
            setup, moves = self.guide(rng)
            return game.sequence(game.set_up(setup), moves), tuple(moves)
        return wander(game, rng, rng.choice(self.plies))


def wander(game: Game, rng: Random, plies: int) -> Path | None:
    """The position after this many random moves, or one more if a secret choice would be pending."""
    state = game.set_up(
        {
            option.name: option.draw(rng) if option.draw else rng.choice(list(option.values()))
            for option in game.options
        }
    )
    moves: list[str] = []
    while len(moves) < plies or state.pending:
        seat = state.movers[0]
        legal = state.moves(seat)
        move = legal[rng.randrange(len(legal))]
        moves.append(str(move))
        state = state.after(move, seat)
        if state.outcome is not None or state.dead:
            return None
    return state, tuple(moves)


def _far_duel(rng: Random) -> tuple[Setup, list[str]]:
    """Shadow Grid Duel after two moves: a number on an edge, and the opponent's 8 or 9 beside it.

    Only these positions, and those with 10-n for every number n, have a single winning move that wins in
    seven moves.
    """
    target, own, large = rng.choice((10, 11)), rng.randrange(4, 8), rng.choice((8, 9))
    if rng.random() < 0.5:
        target, own, large = 30 - target, 10 - own, 10 - large
    edge, corner = rng.choice(
        (
            *(("1,2", "1,1"), ("1,2", "1,3"), ("2,1", "1,1"), ("2,1", "3,1")),
            *(("2,3", "1,3"), ("2,3", "3,3"), ("3,2", "3,1"), ("3,2", "3,3")),
        )
    )
    return {"target": target}, [f"{own}@{edge}", f"{large}@{corner}"]


def _sources(task: Task, *found: tuple[int, tuple[int, ...]]) -> tuple[Source, ...]:
    return tuple(Source(task, grade, plies) for grade, plies in found)


SOURCES: dict[str, tuple[Source, ...]] = {
    "shadow": (
        *_sources(Task.WIN, (1, (4, 5, 6, 7, 8)), (2, (4, 6))),
        Source(Task.WIN, 4, (2,), _far_duel),
    ),
    "battle": (
        *_sources(Task.WIN, (1, (7,)), (2, (5, 6)), (3, (3, 4)), (4, (1, 2))),
        *_sources(Task.COUNT, (2, (7,)), (3, (6,)), (4, (5,)), (5, (4,)), (6, (3,)), (7, (2,))),
        *_sources(Task.LEAST, (4, (5,)), (5, (4,)), (6, (3,)), (7, (2,))),
    ),
    "pattern": (
        *_sources(Task.WIN, (1, (5, 7, 11)), (2, (5,)), *((grade, (8,)) for grade in range(3, 10))),
        *_sources(Task.SAVE, (1, (9, 13)), (4, (9,)), (5, (9,)), (6, (7, 9)), (7, (7, 9)), (8, (7,))),
    ),
    "conquest": (
        *_sources(Task.WIN, (1, (6, 9, 12, 19)), (2, (7, 10, 15)), (3, (10, 13, 16)), (4, (6, 10, 13))),
        *_sources(Task.WIN, (5, (13, 20, 22)), (6, (12, 18, 20)), (7, (14, 16))),
        *_sources(Task.SAVE, (1, (5, 9, 11)), (2, (4, 5, 8)), (3, (5, 7, 8)), (4, (5, 7)), (5, (7, 15))),
        *_sources(Task.SAVE, (6, (15,)), (9, (3, 5, 7))),
        *_sources(Task.MIX, (3, (11, 13, 14)), (4, (7, 8)), (5, (6, 9, 10)), (6, (7,)), (7, (5,))),
    ),
    "cross": (
        *_sources(Task.WIN, (1, (4,)), (2, (2, 3)), (3, (0, 1))),
        *_sources(Task.COUNT, (2, (4,)), (3, (3,)), (4, (2,)), (5, (1,)), (6, (0,))),
        *_sources(Task.LEAST, (4, (2,)), (5, (1,)), (6, (0,))),
    ),
}


# By theme, the grades of each game and task at which it is common enough to be found quickly.
FOUND: dict[Theme, dict[tuple[str, Task], tuple[int, ...]]] = {
    Theme.AT_ONCE: {(game, Task.WIN): (1,) for game in ("shadow", "pattern", "conquest")},
    Theme.BLOCK: {
        **{(game, Task.WIN): (2,) for game in ("shadow", "pattern")},
        ("pattern", Task.SAVE): (6, 7),
    },
    Theme.DOUBLE: {(game, Task.WIN): (2,) for game in ("shadow", "pattern")},
    Theme.QUIET: {("pattern", Task.WIN): (7, 8, 9), ("pattern", Task.SAVE): (6, 7, 8)},
    Theme.LAST_NUMBER: {("pattern", Task.WIN): (3, 4, 5, 6, 7, 8, 9), ("conquest", Task.WIN): (1,)},
    **{
        theme: {("conquest", Task.WIN): (1, 2, 4), ("conquest", Task.SAVE): (1, 2, 3, 4, 5, 6)}
        for theme in (Theme.NOT_GREEDY, Theme.CHALLENGE)
    },
    Theme.TIE_BREAK: {
        ("conquest", Task.WIN): (1, 2),
        ("cross", Task.WIN): (2, 3),
        ("cross", Task.COUNT): (2, 3, 4, 5, 6),
        ("cross", Task.LEAST): (5,),
    },
}


def sources_of(
    game: Game, task: Task | None = None, grade: int | None = None, theme: Theme | None = None
) -> tuple[Source, ...]:
    """Where to look for such puzzles. Raises NoSuchPuzzle, which says what there is instead."""
    every = SOURCES.get(game.slug) or (Source(Task.WIN, None, tuple(ANY)),)
    found = [source for source in every if task in (None, source.task)]
    if not found:
        tasks = comma_list(dict.fromkeys(source.task for source in every))
        raise NoSuchPuzzle(f"{game.title} has no {task} puzzles. Its tasks: {tasks}.")
    what = f"{task} puzzles" if task else "puzzles"
    if theme is not None:
        themed = [one for one in found if one.grade in FOUND[theme].get((game.slug, one.task), ())]
        if not themed:
            themes = [other for other in Theme if any(key[0] == game.slug for key in FOUND[other])]
            has = comma_list(themes) or "none"
            raise NoSuchPuzzle(f"{game.title} has no {what} with the theme {theme}. Its themes: {has}.")
        found, what = themed, f"{what} with the theme {theme}"
    graded = [source for source in found if None in (grade, source.grade) or source.grade == grade]
    if not graded:
        grades = comma_list(sorted({source.grade for source in found if source.grade is not None}))
        raise NoSuchPuzzle(f"{game.title} has no {what} of grade {grade}. The grades: {grades}.")
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
        path = source.draw(game, rng)
        if path is not None and wanted(path[0]) and (found := pose(*path, source, rng)):
            yield found


def pose(state: State[Any], moves: tuple[str, ...], source: Source, rng: Random) -> Puzzle | None:
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
        line=found.line,
        grade=found.grade,
        chances=found.chances,
        themes=find_themes(state, seat, source.task, found),
    )
