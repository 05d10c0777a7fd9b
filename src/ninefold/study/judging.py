"""Judges a move that somebody tries, and answers it: the strongest reply, and what punishes a mistake.

Puzzles, "find the better move" and whatever else asks people for moves judge them here, so that no good
move is ever called wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ninefold.analysis import Choice, Value, evaluate
from ninefold.analysis.evaluation import worth
from ninefold.core.move import Move
from ninefold.core.outcome import Outcome
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.study.facts import chance_of

MOST = 10  # moves of a line that punishes a mistake: enough to fill a grid
LONGEST = 200  # moves of a game that is played out


@dataclass(frozen=True, slots=True)
class Attempt:
    """A legal move that a seat tries in a position."""

    choice: Choice
    cost: Fraction  # how much of the chance to win it gives away

    @property
    def keeps(self) -> bool:
        """Whether it gives nothing away."""
        return self.cost == 0


def try_move(state: State[Any], seat: Seat, move: Move) -> Attempt:
    """Judge a legal move of a seat by what it leads to."""
    choices = evaluate(state).choices_of(seat)
    made = next(choice for choice in choices if choice.move == move)
    best = max(chance_of(choice.value, seat) for choice in choices)
    return Attempt(made, best - chance_of(made.value, seat))


def strength(value: Value, seat: Seat) -> tuple[Fraction | int, int, int]:
    """How good a value is for a seat: by the chance to win, then by the margin, then by the length."""
    found = worth(value, seat)
    return found.chance, found.margin, found.pace


def strongest(state: State[Any], seat: Seat) -> Move:
    """The strongest move of a seat that has to choose; of equal ones, the first in the solver's order."""
    found: Choice = max(evaluate(state).choices_of(seat), key=lambda one: strength(one.value, seat))
    move: Move = found.move
    return move


def play_with_reply(state: State[Any], seat: Seat, move: Move) -> list[Move]:
    """A move and, if it is a secret choice, the reply that hurts it most, in written order."""
    opponent = seat.other
    if not state.secret or opponent not in state.movers:
        return [move]
    after = state.after(move, seat)

    def left(reply: Move) -> tuple[Fraction | int, int, int]:
        return strength(evaluate(after.after(reply, opponent)).value, seat)

    both = {seat: move, opponent: min(after.moves(opponent), key=left)}
    return [both[mover] for mover in state.movers]


def play_on(state: State[Any], seat: Seat, move: Move) -> list[Move]:
    """A seat's move and the strongest replies, until the seat has to choose again or the game is over."""
    line = play_with_reply(state, seat, move)
    now = state.game.sequence(state, line)
    while now.outcome is None and seat not in now.movers:
        reply = strongest(now, now.movers[0])
        line.append(reply)
        now = now.after(reply, now.movers[0])
    return line


def refute(state: State[Any], seat: Seat, move: Move) -> tuple[Move, ...]:
    """A bad move and the strongest play after it: up to the end if the game is lost, else one reply.

    A line that is cut short before the end of the game stops at the opponent's last reply.
    """
    line = play_with_reply(state, seat, move)
    now = state.game.sequence(state, line)
    replied = start = len(line)
    while now.outcome is None and not now.dead and len(line) < MOST:
        lost = chance_of(evaluate(now).value, seat) == 0
        if now.secret or (len(line) > start and not lost):
            break
        mover = now.movers[0]
        line.append(strongest(now, mover))
        now = now.after(line[-1], mover)
        if mover is not seat:
            replied = len(line)
    return tuple(line if now.outcome else line[:replied])


def best_play(state: State[Any], most: int = LONGEST) -> tuple[Move, ...]:
    """The strongest moves of both, in a game without secrets, up to its end or this many."""
    line: list[Move] = []
    while state.outcome is None and len(line) < most:
        mover = state.movers[0]
        line.append(strongest(state, mover))
        state = state.after(line[-1], mover)
    return tuple(line)


def play_out(state: State[Any]) -> Outcome | None:
    """How the game ends with the strongest play of both; None if chance decides, or nothing does."""
    for _ in range(LONGEST):
        value = evaluate(state).value
        if state.outcome is not None or value.plies is None:
            break
        winner = SEATS[chance_of(value, Seat.FIRST) == 0]
        seat = winner if winner in state.movers else state.movers[0]
        line = play_with_reply(state, seat, strongest(state, seat))
        state = state.game.sequence(state, line)
    return state.outcome
