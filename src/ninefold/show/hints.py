"""A hint in words: the move, what it does, and what it leads to. Every fact has one wording."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ninefold.analysis.evaluation import back_up
from ninefold.core.cast import Cast
from ninefold.core.move import Move
from ninefold.core.outcome import Threat
from ninefold.core.state import State
from ninefold.core.words import line_name, pluralize, won_line
from ninefold.show.moves import capitalize, say_move
from ninefold.show.values import margin_text, outlook, percent, points, verdict
from ninefold.study import facts
from ninefold.study.hints import Hint


def say_hint(state: State[Any], hint: Hint, cast: Cast) -> str:
    """The move and its reasons, for the player who asked; where choices must be mixed, the mixture."""
    if any(isinstance(fact, facts.Mixture) for fact in hint.facts):
        return _say_prospect(state, hint, cast)
    move, effects = capitalize(say_move(state, hint.move)), _say_effects(hint)
    return f"{move}{f': {effects}' if effects else ''}. {_say_prospect(state, hint, cast)}"


def say_reasons(state: State[Any], hint: Hint, cast: Cast) -> str:
    """Why the move is good: what it does, and what it leads to."""
    effects = _say_effects(hint)
    return f"{capitalize(effects)}{'. ' if effects else ''}{_say_prospect(state, hint, cast)}"


def _say_effects(hint: Hint) -> str:
    return " and ".join(said for fact in hint.facts if (said := say_effect(fact)))


def say_effect(fact: facts.Fact) -> str:
    """What a move does on the board, as a clause that follows the move; empty for other facts."""
    match fact:
        case facts.Completes(line):
            return f"completes {won_line(line).removesuffix('.')}"
        case facts.Blocks(threats):
            more = len(threats) - 1
            return f"blocks {say_line_of(threats[0])}" + (
                f" and {pluralize(more, 'other line')}" if more else ""
            )
        case facts.Threatens(threats):
            if len(threats) > 1:
                return f"threatens {len(threats)} lines at once"
            return f"threatens {say_line_of(threats[0])}"
        case facts.Gains(amount, most):
            return f"adds {amount}" + (", the most possible" if most else "")
    return ""


def say_line_of(threat: Threat) -> str:
    """`6 + 5 + 4 in the top row`"""
    numbers = " + ".join(str(number or threat.needed) for number in threat.numbers)
    place = line_name(threat.line)
    return f"{numbers} {'on a' if place == 'diagonal' else 'in the'} {place}"


def _say_prospect(state: State[Any], hint: Hint, cast: Cast) -> str:
    """What the move leads to, compared with the other moves, in a sentence or two."""
    seat = hint.seat
    value = next(fact.value for fact in hint.facts if isinstance(fact, facts.LeadsTo))
    now = back_up(value)  # with this move counted
    if value.plies == 0 and facts.chance_of(value, seat) == 1:
        return "It wins at once."
    said, told = [], verdict(now, cast)
    for fact in hint.facts:
        match fact:
            case facts.NoDifference() if facts.chance_of(value, seat):
                return f"Every move is equally good here: with best play, {outlook(now, cast)}."
            case facts.NoDifference():
                told = f"Every move loses: with best play, {outlook(now, cast)}."
            case facts.HoldsOutLongest():
                length = pluralize(now.plies or 0, "move")
                told = f"Every move loses, but this one holds out the longest: {length}."
            case facts.LosesByLeast():
                told = f"Every move loses, but this one only{margin_text(now)}."
            case facts.StillWin(winning, replies):
                told += f" {_say_replies(state, winning, replies, cast.whose(seat.other))}"
            case facts.Forced():
                said.append("It is the only legal move.")
            case facts.OnlyMove():
                keeps = (
                    "wins" if facts.chance_of(value, seat) == 1 else f"keeps {cast.whose(seat)} chances"
                )
                said.append(f"It is the only move that {keeps}.")
            case facts.Safe():
                said.append(f"It is right whatever {cast.does(seat.other, 'choose')}.")
            case facts.Mixture(shares):
                said.append(say_mixture(state, shares))
            case facts.GivesAway(part):
                said.append(f"It lowers {cast.whose(seat)} chances by {points(part)}.")
    return " ".join([*said, told])


def _say_replies(state: State[Any], winning: int, replies: int, whose: str) -> str:
    """How many of the opponent's replies win: `Only 2 of the computer's 14 replies still win.`"""
    what = "choice" if state.secret else "reply"
    if replies == 1:
        return f"{capitalize(whose)} only {what} {'wins' if winning else 'does not win'}."
    of = f"{whose} {replies} {'choices' if state.secret else 'replies'}"
    if winning == replies:
        return f"All of {of} win."
    return f"Only {winning} of {of} still win{'s' if winning == 1 else ''}."


def say_mixture(state: State[Any], shares: Sequence[tuple[Move, Fraction]]) -> str:
    """How often to choose each of several secret moves: `Mix your numbers: 5 (30%), 1 (26%).`"""
    numbers = [state.game.spot(move).number for move, _ in shares]
    said = [
        say_move(state, move) if None in numbers else str(n)
        for n, (move, _) in zip(numbers, shares, strict=True)
    ]
    parts = (f"{one} ({percent(part)})" for one, (_, part) in zip(said, shares, strict=True))
    return f"Mix {'these' if None in numbers else 'your numbers'}: {', '.join(parts)}."
