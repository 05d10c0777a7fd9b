"""Solved games in words: as rows of a table, and what the results mean for a player."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ninefold.analysis import Result
from ninefold.analysis.solve import Solved
from ninefold.core.cast import Cast
from ninefold.core.game import Game
from ninefold.core.move import Move
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import Setup
from ninefold.show.moves import capitalize, say_order, whoever_moves
from ninefold.show.values import margin_text, percent, standing

SIDES = Cast(("the first player", "the second player"))
BRIEF = Cast(("first", "second"))
HALF = Fraction(1, 2)


def describe_setup(setup: Setup) -> str:
    """`target 15`; empty for a game without settings."""
    return ", ".join(f"{name} {value}" for name, value in setup.items())


def setup_name(solved: Solved) -> str:
    """Which setup this is, or that it is all of them."""
    if solved.survey is not None:
        return f"all {solved.survey.setups:,} setups"
    return describe_setup(solved.setup)


def _setting(game: Game) -> str:
    """The name of a game's only setting, or `setup`."""
    return game.options[0].name if len(game.options) == 1 else "setup"


def result(solved: Solved) -> str:
    """Who wins under perfect play, briefly: `first wins by 5`."""
    if solved.value is not None:
        return f"{standing(solved.value, BRIEF)}{margin_text(solved.value)}"
    assert solved.survey is not None
    share = percent(solved.first_wins)
    return f"first wins {float(solved.survey.first):,.10g} ({share}), second the rest"


def best_openings(solved: Solved) -> tuple[Move, ...]:
    """The best first moves; empty if all are equally good or all lose."""
    return () if solved.any_opening or _opener_loses(solved) else solved.openings


def _opener_loses(solved: Solved) -> bool:
    """Whether every first move loses."""
    return solved.first_wins == (1 if solved.game.starter is Seat.SECOND else 0)


def openings_text(solved: Solved) -> str:
    """What to say about the first move instead of listing the best ones; empty if they are listed."""
    if solved.survey is not None:
        return f"depends on the {_setting(solved.game)}"
    if _opener_loses(solved):
        return "all lose"
    return "any" if solved.any_opening else ""


# All setups of a game together


def meaning(found: Sequence[Solved]) -> str:
    """What the results for all setups of a game mean for a player, in a few sentences."""
    said = (_prospect(found), _length(found), _first_move(found), _side_to_choose(found))
    return " ".join(sentence for sentence in said if sentence)


def _prospect(found: Sequence[Solved]) -> str:
    """Who wins."""
    results = {None if solved.value is None else solved.value.result for solved in found}
    if results == {None}:
        return " ".join(_by_setup(solved) for solved in found)
    if results == {Result.MIXED}:
        return _by_chance(found)
    if len(results) > 1:
        each = "; ".join(f"{setup_name(solved)}: {result(solved)}" for solved in found)
        return f"Who wins depends on the {_setting(found[0].game)}. {each[0].upper()}{each[1:]}."
    if results == {Result.ENDLESS}:
        return "Neither player can force a win: with best play, the game never ends."
    winner = SEATS[results == {Result.SECOND}]
    margins = {abs(solved.value.margin) for solved in found if solved.value and solved.value.margin}
    by = f" by at least {min(margins)}" if margins else ""
    who = capitalize(whoever_moves(found[0].game, winner))
    return f"{who} can always win{by}{_whatever(found)}."


def _by_setup(solved: Solved) -> str:
    survey, setting = solved.survey, _setting(solved.game)
    assert survey is not None
    first, second = (whoever_moves(solved.game, seat) for seat in SEATS)
    text = (
        f"Who wins depends on the {setting}: {first} wins on {float(survey.first):,.10g} of "
        f"{survey.setups:,} ({percent(solved.first_wins)}), {second} on the rest."
    )
    if survey.margins:
        low, high = min(survey.margins), max(survey.margins)
        text += f" With best play, the first player's margin ranges from {low} to {high} points."
    return text


def _by_chance(found: Sequence[Solved]) -> str:
    chances = [solved.first_wins for solved in found]
    low, high = percent(min(chances)), percent(max(chances))
    often = low if low == high else f"{low} to {high}"
    depending = "" if low == high else f", depending on the {_setting(found[0].game)}"
    first = capitalize(whoever_moves(found[0].game, Seat.FIRST))
    return (
        "Neither player can be sure of winning: perfect players make their secret choices at random. "
        f"{first} then wins {often} of the time{depending}."
    )


def _whatever(found: Sequence[Solved]) -> str:
    several = len(found) > 1 or found[0].survey is not None
    return f", whatever the {_setting(found[0].game)}" if several else ""


def _length(found: Sequence[Solved]) -> str:
    plies = {solved.plies if solved.value else None for solved in found}
    if len(plies) > 1 or plies == {None}:
        return ""
    return (
        f"When one side plays for the quickest win and the other holds out, it takes {plies.pop()} moves."
    )


def _first_move(found: Sequence[Solved]) -> str:
    if any(solved.survey is not None for solved in found):
        return ""
    if all(map(_opener_loses, found)):
        return "Every first move loses."
    if all(solved.any_opening for solved in found):
        return "No first move is better than another."
    if len(found) > 1:
        return f"Which first moves are best depends on the {_setting(found[0].game)}."
    (solved,) = found
    openings = best_openings(solved)
    if not openings:
        return ""
    total = len(solved.game.set_up(solved.setup).moves())
    return f"Of {total} first moves, {len(openings)} are best."


def _side_to_choose(found: Sequence[Solved]) -> str:
    chances = [solved.first_wins for solved in found]
    if not (min(chances) > HALF or max(chances) < HALF):
        return ""
    return f"If you can choose, {say_order(found[0].game, SEATS[max(chances) < HALF])}."
