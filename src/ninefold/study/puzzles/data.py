"""A puzzle as plain data, for the JSON of every interface."""

from __future__ import annotations

from typing import Any

from ninefold.study.puzzles.tasks import Mix, Puzzle


def question_data(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle without its answer, and without the solution, chances and themes, which give it away."""
    return {
        "game": puzzle.game,
        "setup": dict(puzzle.setup),
        "moves": [str(move) for move in puzzle.moves],
        "seat": str(puzzle.seat),
        "task": str(puzzle.task),
        "asks": str(puzzle.task.asks),
        "options": [
            {"answer": one.key, "shares": {str(move): str(part) for move, part in one.shares}}
            for one in puzzle.options
        ],
        "grade": puzzle.grade,
        "rare": puzzle.rare,
    }


def puzzle_data(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle with its answer."""
    parts = (answer.moves if isinstance(answer, Mix) else (answer,) for answer in puzzle.answers)
    return {
        **question_data(puzzle),
        "answers": [str(one) for answer in parts for one in answer],
        "solution": [str(move) for move in puzzle.solution],
        "chances": {str(n): str(chance) for n, chance in puzzle.chances.items()},
        "themes": [str(theme) for theme in puzzle.themes],
    }
