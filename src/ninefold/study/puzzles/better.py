"""A mistake of a match as a puzzle: find the better move."""

from __future__ import annotations

from ninefold.core.puzzles import Task
from ninefold.match import Match
from ninefold.study.puzzles.tasks import Puzzle
from ninefold.study.reviews import Judged


def make_better(match: Match, one: Judged) -> Puzzle:
    """The position before a move, as both knew it. Every move that gives nothing away is right."""
    before = one.number - 1
    played = before - len(match.states[before].pending)
    return Puzzle(
        game=match.game.slug,
        setup=dict(match.states[0].setup),
        moves=tuple(match.written(played)),
        seat=one.seat,
        task=Task.BETTER,
        answers=one.keeps,
        solution=() if match.states[before].secret else one.best[:1],
        grade=0,  # it has none
        chances={},
    )
