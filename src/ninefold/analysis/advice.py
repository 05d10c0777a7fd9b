"""Exact values in words: who is winning, and why a move is best."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ninefold.analysis import evaluate
from ninefold.analysis.choices import worth
from ninefold.analysis.evaluation import Choice, Result, Value
from ninefold.analysis.threats import threats
from ninefold.core.outcome import WonLine
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State


@dataclass(frozen=True, slots=True)
class Advice:
    move: str
    reason: str  # a clause that goes on from the move: "wins at once"

    def __str__(self) -> str:
        return f"{self.move} {self.reason}."


def advise(state: State[Any], seat: Seat) -> Advice:
    """The best move of a seat that has to choose, and why."""
    mine = [choice for choice in evaluate(state).choices if choice.seat == seat]
    if state.secret:
        return _advise_bid(mine)
    best = mine[0]
    deeds = " and ".join(_deeds(state, best, seat))
    prospect = _prospect(best.value, seat, mine)
    return Advice(str(best.move), f"{deeds}; it {prospect}" if deeds else prospect)


def verdict(value: Value, names: tuple[str, str]) -> str:
    """Who is winning, as a sentence. `names` are by seat."""
    match value.result:
        case Result.ENDLESS:
            return "Neither side can force a win: with best play the game goes on for ever."
        case Result.MIXED:
            assert value.first_wins is not None
            ahead = Seat.FIRST if value.first_wins * 2 >= 1 else Seat.SECOND
            won = value.first_wins if ahead is Seat.FIRST else 1 - value.first_wins
            return f"With best play {names[ahead]} wins {percent(won)} of the time."
    winner = SEATS[value.result is Result.SECOND]
    if value.plies == 0:
        return f"{names[winner]} has won."
    margin = f" by {abs(value.margin)}" if value.margin else ""
    return f"With best play {names[winner]} wins{margin}, {_from_now(value.plies)}."


def percent(part: Fraction) -> str:
    """`62.5%`; never 0% or 100% for what is not certain."""
    tenths = round(part * 1000)
    if part not in (0, 1):
        tenths = min(max(tenths, 1), 999)
    return f"{tenths / 10:g}%"


def _from_now(plies: int | None) -> str:
    return "1 move from now" if plies == 1 else f"{plies} moves from now (both players' counted)"


def _deeds(state: State[Any], best: Choice, seat: Seat) -> list[str]:
    """What the move does on the board."""
    later = state.after(best.move, seat)
    if later.outcome is not None and isinstance(later.outcome.detail, WonLine):
        numbers = "-".join(map(str, later.outcome.detail.numbers))
        return [f"completes {numbers}, which makes {later.outcome.detail.total}"]
    deeds = []
    left = threats(later, seat.other)
    blocked = [threat for threat in threats(state, seat.other) if threat not in left]
    if blocked:
        deeds.append(f"blocks {blocked[0]}" + (" and more" if len(blocked) > 1 else ""))
    mine = [threat for threat in threats(later, seat) if threat not in threats(state, seat)]
    if len(mine) > 1:
        deeds.append("threatens in two places at once")
    elif mine:
        deeds.append(f"threatens {mine[0]}")
    view, after = state.view(seat), later.view(seat)
    gained = after.number("score", seat) - view.number("score", seat)
    if gained:
        deeds.append(f"takes {gained}, the most there is")
    return deeds


def _prospect(value: Value, seat: Seat, mine: list[Choice]) -> str:
    """What the move leads to. `value` is that after the move."""
    if value.result is Result.ENDLESS:
        return "keeps the game going"
    if value.result is Result.MIXED:
        assert value.first_wins is not None
        won = 1 - value.first_wins if seat else value.first_wins
        return f"wins {percent(won)} of the time"
    if value.result is (Result.SECOND if seat else Result.FIRST):
        assert value.plies is not None
        if value.plies == 0:
            return "wins at once"
        if value.margin is not None:
            return f"wins by {abs(value.margin)} in the end"
        return f"wins, {_from_now(value.plies + 1)}"  # this move is the first of them
    if value.margin is not None:
        return f"loses by {abs(value.margin)}, as little as can be" if value.margin else "loses the tie"
    if all(choice.best for choice in mine):
        return "is as good as any: the position is lost"
    return "holds out longest, though the position is lost"


def _advise_bid(mine: list[Choice]) -> Advice:
    mixed = [choice for choice in mine if choice.mix]
    best = mixed[0]
    if worth(best.value, best.seat).chance == 0:
        return Advice(str(best.move), "holds out longest, though the position is lost")
    if len(mixed) == 1:
        return Advice(str(best.move), "is right against anything your opponent may choose")
    shares = ", ".join(f"{choice.move} {percent(choice.mix or Fraction(0))}" for choice in mixed)
    return Advice(str(best.move), f"is one of the right numbers. Draw by lot: {shares}")
