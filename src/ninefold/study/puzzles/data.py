"""A puzzle as plain data, for the JSON of every interface."""

from __future__ import annotations

from typing import Any

from ninefold.study.puzzles.tasks import Answer, Mix, Pick, Puzzle


def question_data(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle without its answer, and without the solution, chances and themes, which give it away."""
    return {
        "game": puzzle.game,
        "setup": dict(puzzle.setup),
        "moves": [str(move) for move in puzzle.moves],
        "seat": str(puzzle.seat),
        "task": str(puzzle.task),
        "asks": str(puzzle.task.asks),
        "options": [_option_data(option) for option in puzzle.options],
        "grade": puzzle.grade,
        "rare": puzzle.rare,
    }


def _option_data(option: Pick) -> dict[str, Any]:
    """An option: what to answer, and for a mixture the share of each move."""
    return {"answer": option.key, "shares": {str(move): str(part) for move, part in option.shares}}


def _parts(answer: Answer) -> tuple[Answer, ...]:
    return answer.moves if isinstance(answer, Mix) else (answer,)


def puzzle_data(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle with its answer."""
    return {
        **question_data(puzzle),
        "answers": [str(one) for answer in puzzle.answers for one in _parts(answer)],
        "solution": [str(move) for move in puzzle.solution],
        "chances": {str(n): str(chance) for n, chance in puzzle.chances.items()},
        "themes": [str(theme) for theme in puzzle.themes],
    }
