"""Facts about a move. Each is computed for its position, never assumed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ninefold.analysis import Choice, Value, count_values, evaluate
from ninefold.analysis.evaluation import worth
from ninefold.core.move import Move
from ninefold.core.outcome import Threat, WonLine
from ninefold.core.seat import Seat
from ninefold.core.state import State


@dataclass(frozen=True, slots=True)
class Completes:
    """The move completes a line and wins with it."""

    line: WonLine


@dataclass(frozen=True, slots=True)
class Blocks:
    """The opponent could have completed these lines with the next move, and now cannot."""

    threats: tuple[Threat, ...]


@dataclass(frozen=True, slots=True)
class Threatens:
    """The mover could complete these lines with the next move, and could not before."""

    threats: tuple[Threat, ...]


@dataclass(frozen=True, slots=True)
class Gains:
    """The move adds this much to the mover's score; `most` if no legal move adds more."""

    amount: int
    most: bool


@dataclass(frozen=True, slots=True)
class LeadsTo:
    """What perfect play makes of the position after the move."""

    value: Value


@dataclass(frozen=True, slots=True)
class NoDifference:
    """Every legal move leads to the same value; there are `moves` of them.

    Left out where secret choices have to be mixed: there it matters how often each one is made.
    """

    moves: int


@dataclass(frozen=True, slots=True)
class Forced:
    """There is no other legal move."""


@dataclass(frozen=True, slots=True)
class OnlyMove:
    """No other legal move keeps as much of the mover's chance to win."""


@dataclass(frozen=True, slots=True)
class HoldsOutLongest:
    """Every move loses, none holds out longer than this one, and some lose sooner."""


@dataclass(frozen=True, slots=True)
class LosesByLeast:
    """Every move loses, none by less than this one, and some by more."""


@dataclass(frozen=True, slots=True)
class StillWin:
    """Every move loses, but after this one only `winning` of the opponent's `replies` keep the win.

    Where both choose in secret, the replies are what the opponent may choose at the same time.
    """

    winning: int
    replies: int


@dataclass(frozen=True, slots=True)
class GivesAway:
    """The move costs this much of the mover's chance to win under perfect play."""

    chance: Fraction


@dataclass(frozen=True, slots=True)
class Mixture:
    """How often to make each of several secret choices, so that the opponent cannot exploit it."""

    shares: tuple[tuple[Move, Fraction], ...]  # by move, the likeliest first


@dataclass(frozen=True, slots=True)
class Safe:
    """A secret choice that keeps at least the value of the position, whatever the opponent chooses."""


Fact = (
    Completes
    | Blocks
    | Threatens
    | Gains
    | LeadsTo
    | NoDifference
    | Forced
    | OnlyMove
    | HoldsOutLongest
    | LosesByLeast
    | StillWin
    | GivesAway
    | Mixture
    | Safe
)


def chance_of(value: Value, seat: Seat) -> Fraction:
    """A seat's chance to win under perfect play; an endless game counts as one half."""
    return Fraction(worth(value, seat).chance)


def find_facts(state: State[Any], seat: Seat, move: Move) -> tuple[Fact, ...]:
    """All facts about a legal move: what it does on the board, then what it leads to."""
    choices = evaluate(state).choices_of(seat)
    made = next(choice for choice in choices if choice.move == move)
    return (*_find_effects(state, seat, made), *_compare(state, choices, made))


def _find_effects(state: State[Any], seat: Seat, made: Choice) -> list[Fact]:
    """What a move does on the board; a secret choice does nothing yet."""
    if state.secret:
        return []
    later = state.after(made.move, seat)
    if later.outcome is not None and isinstance(later.outcome.detail, WonLine):
        if later.outcome.winner is seat:
            return [Completes(later.outcome.detail)]
        return []
    facts: list[Fact] = []
    left = later.threats(seat.other)
    if blocked := tuple(threat for threat in state.threats(seat.other) if threat not in left):
        facts.append(Blocks(blocked))
    had = state.threats(seat)
    if later.outcome is None and (
        new := tuple(threat for threat in later.threats(seat) if threat not in had)
    ):
        facts.append(Threatens(new))
    if gain := gain_of(state, seat, made.move):
        most = max(gain_of(state, seat, move) for move in state.moves(seat))
        facts.append(Gains(gain, gain == most))
    return facts


def gain_of(state: State[Any], seat: Seat, move: Move) -> int:
    """What a move adds to the seat's score."""
    after = state.after(move, seat).view(seat)
    return after.number("score", seat) - state.view(seat).number("score", seat)


def _find_replies(state: State[Any], seat: Seat, move: Move) -> list[Fact]:
    """How many of the opponent's replies to a losing move win; nothing if they have none to make."""
    later = state.open_state.after(move, seat)
    if seat.other not in later.movers:
        return []
    if state.secret:
        settled = (later.after(reply, seat.other) for reply in later.moves(seat.other))
        counts: Mapping[Value, int] = Counter([evaluate(one).value for one in settled])
    else:
        counts = count_values(later, seat.other)
    winning = sum(count for value, count in counts.items() if chance_of(value, seat.other) == 1)
    return [StillWin(winning, sum(counts.values()))]


def _find_consolation(choices: Sequence[Choice], made: Choice) -> list[Fact]:
    """What makes the best of several losing moves the best: it lasts longer, or loses by less."""
    mine, worst = worth(made.value, made.seat), worth(choices[-1].value, made.seat)
    if mine.pace > worst.pace:
        return [HoldsOutLongest()]
    return [LosesByLeast()] if mine.margin > worst.margin else []


def _compare(state: State[Any], choices: Sequence[Choice], made: Choice) -> list[Fact]:
    """What a move is worth to its seat, compared with the other moves."""
    seat = made.seat
    chances = [chance_of(choice.value, seat) for choice in choices]
    here, best = chance_of(made.value, seat), max(chances)
    facts: list[Fact] = [LeadsTo(made.value)]
    if here < best:
        facts.append(GivesAway(best - here))
    elif len(choices) == 1:
        facts.append(Forced())
    else:
        mixed = state.secret and 0 < best < 1
        if all(choice.value == made.value for choice in choices) and not mixed:
            facts.append(NoDifference(len(choices)))
        elif chances.count(best) == 1:
            facts.append(OnlyMove())
        elif best == 0 and made.best:
            facts += _find_consolation(choices, made)
    if best == 0:
        facts += _find_replies(state, seat, made.move)
    if state.secret and 0 < here == best:
        shares = [(choice.move, choice.mix) for choice in choices if choice.mix]
        if here == 1 or made.mix == 1:
            facts.append(Safe())
        elif len(shares) > 1:
            facts.append(Mixture(tuple(sorted(shares, key=lambda share: -share[1]))))
    return facts
