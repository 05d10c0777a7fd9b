"""Makes puzzles from a seed: tries positions of random games until one is a puzzle as wanted.

It is fast because it looks only at the stages of a game where puzzles of that task and grade are common.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import count, islice
from random import Random
from typing import Any

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.move import Move
from ninefold.core.puzzles import Source, Task, Theme
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.words import comma_list
from ninefold.games import load
from ninefold.players.sight import SightPolicy
from ninefold.study.puzzles.habits import answer_class, is_guessable
from ninefold.study.puzzles.proofs import prove
from ninefold.study.puzzles.tasks import Posed, Proof, Puzzle
from ninefold.study.puzzles.themes import find_themes

LIMIT = 50_000  # positions to try before giving up
BATCH = {  # how many are found for each puzzle, so that no answer is the commonest by far
    **dict.fromkeys((Task.COUNT, Task.HEAD_START), 30),
    **dict.fromkeys((Task.KIND, Task.LAST), 15),
    **dict.fromkeys((Task.CHANCE, Task.LEAST), 10),
}
PASSED = 0.8  # how many of the puzzles that a habit solves are passed over; not those that win at once
SHOWN = SightPolicy(1)  # plays the games of lines that are shown: it sees what is on the board

Path = tuple[State[Any], tuple[Move, ...]]  # a start, and moves from there


class NoSuchPuzzle(NinefoldError):
    """There is no such puzzle; the message says which puzzles there are."""


def draw_path(source: Source, game: Game, rng: Random) -> Path | None:
    """A position to try; None if the random game did not last as long as wanted."""
    if source.guide is not None:
        setup, moves = source.guide(rng)
        return game.set_up(setup), tuple(moves)
    start = game.set_up(
        {
            option.name: option.draw(rng) if option.draw else rng.choice(list(option.values()))
            for option in game.options
        }
    )
    if source.task is Task.LAST:
        lines = type(start).threats is not State.threats
        moves = wander(start, SHOWN if lines else _legal, rng, max(source.plies))
        over = game.sequence(start, moves).outcome is not None
        return (start, tuple(moves)) if over and len(moves) in source.plies else None
    plies = rng.choice(source.plies)
    moves = wander(start, _legal, rng, plies)
    state = game.sequence(start, moves)
    going = len(moves) >= plies and state.outcome is None and not state.dead
    return (start, tuple(moves)) if going else None


def _legal(state: State[Any], seat: Seat) -> Iterable[Move]:
    return state.moves(seat)


def wander(
    start: State[Any], among: Callable[[State[Any], Seat], Iterable[Move]], rng: Random, plies: int
) -> list[Move]:
    """This many moves, each drawn evenly `among` some of the legal ones; fewer if the game ends.

    It is one move more if a secret choice would be pending.
    """
    state = start
    moves: list[Move] = []
    while (len(moves) < plies or state.pending) and state.outcome is None and not state.dead:
        seat = state.movers[0]
        legal = list(among(state, seat))
        moves.append(legal[rng.randrange(len(legal))])
        state = state.after(moves[-1], seat)
    return moves


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
        has = comma_list(_grades(found))
        raise NoSuchPuzzle(f"{game.title} has no {what} of grade {grade}. The grades: {has}.")
    return tuple(graded)


def tasks_of(game: Game) -> list[Task]:
    """The tasks that a game has puzzles of."""
    return list(dict.fromkeys(source.task for source in sources_of(game)))


def grades_of(game: Game, task: Task | None = None, theme: Theme | None = None) -> list[int]:
    """The grades that a game has such puzzles of, easy ones first; empty if they are not known before."""
    return _grades(sources_of(game, task, None, theme))


def _grades(found: Iterable[Source]) -> list[int]:
    return sorted({source.grade for source in found if source.grade is not None})


def themes_of(game: Game, task: Task | None = None, grade: int | None = None) -> list[Theme]:
    """The themes that a game's puzzles of a task and a grade can be asked for by."""
    return [
        theme
        for theme in Theme
        if any(
            task in (None, one) and (grade is None or grade in grades)
            for one, grades in game.puzzles.themes.get(theme, {}).items()
        )
    ]


def _begin(game: Game, seed: int | str) -> tuple[Source, Random]:
    """Where the puzzle of a seed is looked for, and with which generator."""
    rng = Random(f"{game.slug} {seed}")
    return rng.choice(game.puzzles.sources), rng


def find_seed(
    game: Game | str,
    seed: int | str,
    task: Task | str | None = None,
    grade: int | None = None,
    theme: Theme | str | None = None,
) -> str:
    """The first of the seeds `seed`, `seed-1`, `seed-2`, ... whose puzzle is as wanted.

    So every puzzle has one name, whatever led to it. Raises NoSuchPuzzle if there is none.
    """
    game = load(game) if isinstance(game, str) else game
    task = None if task is None else Task(task)
    theme = None if theme is None else Theme(theme)
    wanted = sources_of(game, task, grade, theme)
    for number in count():
        one = f"{seed}-{number}" if number else str(seed)
        source, _ = _begin(game, one)
        if source not in wanted:
            continue
        if theme is None and (grade is None or source.grade is not None):
            return one
        found = puzzle(game, one)
        if grade in (None, found.grade) and (theme is None or theme in found.themes):
            return one
        if number > LIMIT:
            break
    raise NoSuchPuzzle(f"Found no {game.title} puzzle like that. Try another seed.")


def puzzle(
    game: Game | str,
    seed: int | str,
    task: Task | str | None = None,
    grade: int | None = None,
    theme: Theme | str | None = None,
) -> Puzzle:
    """The puzzle of a seed, always the same one.

    With a task, grade or theme, it is that of the first seed which fits: see `find_seed`. Raises
    NoSuchPuzzle if there is none.
    """
    game = load(game) if isinstance(game, str) else game
    if (task, grade, theme) != (None, None, None):
        seed = find_seed(game, seed, task, grade, theme)
    source, rng = _begin(game, seed)
    for found in search(game, source, rng):
        return found
    raise NoSuchPuzzle(f"Found no {game.title} puzzle like that. Try another seed.")


def search(
    game: Game,
    source: Source,
    rng: Random,
    wanted: Callable[[State[Any]], bool] = lambda _: True,
) -> Iterator[Puzzle]:
    """Search a source for puzzles, among the positions that are `wanted`.

    Where a habit might guess the answer, several are found for each, and their answers spread evenly.
    """
    while True:
        batch: dict[Hashable, list[tuple[Posed, Proof]]] = {}
        for posed, found in islice(_search(game, source, rng, wanted), BATCH.get(source.task, 1)):
            kind = answer_class(posed.state, posed.seat, source.task, found)
            batch.setdefault(kind, []).append((posed, found))
        if not batch:
            return
        posed, found = rng.choice(rng.choice(list(batch.values())))
        yield make(posed, source.task, found, rare=source.rare)


def _search(
    game: Game, source: Source, rng: Random, wanted: Callable[[State[Any]], bool]
) -> Iterator[tuple[Posed, Proof]]:
    for _ in range(LIMIT):
        path = draw_path(source, game, rng)
        if path is None or not wanted(game.sequence(*path)):
            continue
        posed = _pose(path, rng)
        found = prove(posed, source.task)
        if found is None or source.grade not in (None, found.grade):
            continue
        at_once = source.task is Task.WIN and found.grade == 1
        guessable = not at_once and is_guessable(posed.state, posed.seat, source.task, found)
        if not guessable or rng.random() > PASSED:
            yield posed, found


def _pose(path: Path, rng: Random) -> Posed:
    start, moves = path
    state = start.game.sequence(start, moves)
    seat = rng.choice(state.movers) if state.outcome is None else state.outcome.winner.other
    return Posed(start, moves, state, seat, rng)


def make(posed: Posed, task: Task, found: Proof, *, rare: bool = False) -> Puzzle:
    """The puzzle of a position and what is proven about it."""
    return Puzzle(
        game=posed.state.game.slug,
        setup=dict(posed.start.setup),
        moves=posed.moves,
        seat=posed.seat,
        task=task,
        answers=found.answers,
        solution=found.solution,
        grade=found.grade,
        chances=found.chances,
        themes=find_themes(posed.state, posed.seat, task, found),
        options=found.options,
        rare=rare,
    )
