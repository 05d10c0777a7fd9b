"""Puzzles: a position that can be reached, a task, and an answer that the solver proves.

>>> from ninefold.study.puzzles import puzzle
>>> found = puzzle("shadow", 7, task="win", grade=2)
>>> found.grade, len(found.solution)
(2, 3)
"""

from ninefold.core.puzzles import Asks, Task, Theme
from ninefold.study.puzzles.data import puzzle_data, question_data
from ninefold.study.puzzles.days import daily, key_of
from ninefold.study.puzzles.making import NoSuchPuzzle, find_seed, puzzle
from ninefold.study.puzzles.solving import Trial, Verdict, try_answers
from ninefold.study.puzzles.tasks import Amount, Answer, Mix, Pick, Puzzle

__all__ = [
    "Amount",
    "Answer",
    "Asks",
    "Mix",
    "NoSuchPuzzle",
    "Pick",
    "Puzzle",
    "Task",
    "Theme",
    "Trial",
    "Verdict",
    "daily",
    "find_seed",
    "key_of",
    "puzzle",
    "puzzle_data",
    "question_data",
    "try_answers",
]
