"""Proves the answer of a task in a position. A position without a clear answer is not a puzzle."""

from __future__ import annotations

from collections.abc import Callable

from ninefold.core.puzzles import Task
from ninefold.study.puzzles.counting import prove_count, prove_head_start, prove_least
from ninefold.study.puzzles.deciding import prove_lose, prove_save, prove_win
from ninefold.study.puzzles.mixing import prove_chance, prove_kind, prove_mix, prove_shares
from ninefold.study.puzzles.recalling import prove_last
from ninefold.study.puzzles.tasks import Posed, Proof

_PROVERS: dict[Task, Callable[[Posed], Proof | None]] = {
    Task.WIN: prove_win,
    Task.SAVE: prove_save,
    Task.LOSE: prove_lose,
    Task.MIX: prove_mix,
    Task.SHARES: prove_shares,
    Task.CHANCE: prove_chance,
    Task.KIND: prove_kind,
    Task.COUNT: prove_count,
    Task.LEAST: prove_least,
    Task.HEAD_START: prove_head_start,
    Task.LAST: prove_last,
}


def prove(posed: Posed, task: Task) -> Proof | None:
    """The answer of a task in a position; None if this is not a puzzle of that kind."""
    return _PROVERS[task](posed)
