"""The tasks of the games of sums: `count`, `least` and `head-start`."""

from __future__ import annotations

from ninefold.analysis import evaluate
from ninefold.core.seat import Seat
from ninefold.study.facts import chance_of, gain_of
from ninefold.study.judging import best_play
from ninefold.study.puzzles.deciding import in_order
from ninefold.study.puzzles.tasks import GRADES, Amount, Posed, Proof


def _margin(posed: Posed) -> int | None:
    """By how much the solver wins with best play, below zero for a loss; None without sums to count."""
    margin = evaluate(posed.state).margin
    if margin is None or len(posed.state.moves()) < 2:
        return None
    return -margin if posed.seat else margin


def _counted(posed: Posed, answer: int) -> Proof:
    """The proof of a number that best play to the end shows. It is as hard as there are moves left."""
    grade = min(len(posed.state.moves()), GRADES[-1])
    return Proof((Amount(answer),), best_play(posed.state), grade)


def prove_count(posed: Posed) -> Proof | None:
    margin = _margin(posed)
    return None if margin is None else _counted(posed, margin)


def prove_head_start(posed: Posed) -> Proof | None:
    """The solver loses. Extra points change no best move, so they change the margin by as much.

    A head start that makes the sums equal is enough for the second player, who wins ties.
    """
    margin = _margin(posed)
    if margin is None or chance_of(evaluate(posed.state).value, posed.seat):
        return None
    return _counted(posed, -margin + (posed.seat is Seat.FIRST))


def prove_least(posed: Posed) -> Proof | None:
    """Several moves of different sizes win, and some lose; the smallest that wins is asked for."""
    state, seat = posed.state, posed.seat
    choices = evaluate(state).choices_of(seat)
    if choices[0].value.margin is None:
        return None
    winning = [choice for choice in choices if chance_of(choice.value, seat) == 1]
    sizes = sorted({gain_of(state, seat, choice.move) for choice in winning})
    if len(sizes) < 2 or len(winning) == len(choices):
        return None
    least = [choice for choice in winning if gain_of(state, seat, choice.move) == sizes[0]]
    answers = in_order(state, seat, least)
    return Proof(answers, answers[:1], len(choices))
