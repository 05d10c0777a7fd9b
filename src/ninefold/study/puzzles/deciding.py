"""The tasks that ask for a move by its value: `win`, `save` and `lose`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from ninefold.analysis import Choice, Result, evaluate
from ninefold.core.move import Move
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.players.sight import SightPolicy
from ninefold.study.facts import chance_of
from ninefold.study.judging import play_on, refute
from ninefold.study.puzzles.tasks import GRADES, POINT, Posed, Proof

SIGHTS = {n: SightPolicy(n) for n in GRADES}


def in_order(state: State[Any], seat: Seat, choices: Sequence[Choice]) -> tuple[Move, ...]:
    """The moves of some choices in the order of the legal moves."""
    found = [choice.move for choice in choices]
    return tuple(move for move in state.moves(seat) if move in found)


def _one_move(posed: Posed, choices: Sequence[Choice]) -> tuple[Move, ...]:
    """The moves of some of the choices, if they count as one move and there are others; else none."""
    state, seat, same = posed.state, posed.seat, posed.state.game.puzzles.same
    one = len({same(choice.move) for choice in choices}) == 1
    return in_order(state, seat, choices) if one and len(choices) < len(state.moves(seat)) else ()


def prove_win(posed: Posed) -> Proof | None:
    """Only one move wins, and after it the strongest defense is played until any move wins."""
    state, seat = posed.state, posed.seat
    answers = _one_move(posed, [c for c in evaluate(state).choices_of(seat) if _wins(c)])
    if not answers:
        return None
    solution: list[Move] = []
    chances = dict.fromkeys(GRADES, Fraction(1))
    while state.outcome is None:
        choices = evaluate(state).choices_of(seat)
        winning = [choice.move for choice in choices if _wins(choice)]
        if len(winning) == len(choices):
            break
        for n in GRADES:
            played = SIGHTS[n].among(choices)
            chances[n] *= sum((played.get(move, Fraction(0)) for move in winning), Fraction(0))
        line = play_on(state, seat, winning[0] if solution else answers[0])
        solution += line
        state = state.game.sequence(state, line)
    return _graded(answers, tuple(solution), chances)


def _wins(choice: Choice) -> bool:
    return chance_of(choice.value, choice.seat) == 1


def _graded(
    answers: tuple[Move, ...], solution: tuple[Move, ...], chances: Mapping[int, Fraction]
) -> Proof | None:
    """The proof, graded by the least sight that plays the solution half of the time; else None."""
    grade = next((n for n in GRADES if chances[n] * 2 >= 1), None)
    if grade is None:
        return None
    return Proof(answers, solution, grade, {n: chances[n] for n in GRADES if n <= grade})


def prove_save(posed: Posed) -> Proof | None:
    """No move is sure to win, and only one keeps the best value: all others cost a point or more."""
    state, seat = posed.state, posed.seat
    if state.secret:
        return None
    choices = evaluate(state).choices_of(seat)
    best = chance_of(choices[0].value, seat)
    keep = [choice for choice in choices if chance_of(choice.value, seat) == best]
    only = _one_move(posed, keep)
    if not 0 < best < 1 or not only:
        return None
    if choices[0].value.result is Result.MIXED:
        lost = best - max(chance_of(c.value, seat) for c in choices if c not in keep)
        return None if lost < POINT else Proof(only, only[:1], _closeness(lost))
    chances = {n: SIGHTS[n].among(choices).get(only[0], Fraction(0)) for n in GRADES}
    return _graded(only, only[:1], chances)


def _closeness(lost: Fraction) -> int:
    """The grade of a choice where a mistake costs `lost`: the smallest n with 1/2**n <= lost."""
    return next(n for n in GRADES if lost * 2**n >= 1)


def prove_lose(posed: Posed) -> Proof | None:
    """Only one move loses. It is as hard as it takes to see that."""
    state, seat = posed.state, posed.seat
    choices = evaluate(state).choices_of(seat)
    losing = [choice for choice in choices if chance_of(choice.value, seat) < POINT]
    answers = _one_move(posed, losing)
    if not answers or chance_of(losing[0].value, seat):
        return None
    grade = (losing[0].value.plies or 0) // 2 + 1
    if grade > GRADES[-1]:
        return None
    return Proof(answers, refute(state, seat, answers[0]), grade)
