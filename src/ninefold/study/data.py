"""Values, evaluations and reviews as plain data, for the JSON of every interface."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from ninefold.analysis import Evaluation, Result, Value
from ninefold.core.move import Move
from ninefold.core.seat import SEATS
from ninefold.core.state import State
from ninefold.study.reviews import Review


def position_data(state: State[Any], moves: Iterable[Move]) -> dict[str, Any]:
    """The game and setup of a position, the moves that led to it, and who is to move."""
    return {
        "game": state.game.slug,
        "setup": dict(state.setup),
        "moves": [str(move) for move in moves],
        "movers": [str(seat) for seat in state.movers],
    }


def value_data(value: Value) -> dict[str, Any]:
    return {
        "result": str(value.result),
        "first_wins": None if value.first_wins is None else str(value.first_wins),
        "plies": value.plies,
        "margin": value.margin,
    }


def value_from_data(data: Mapping[str, Any]) -> Value:
    first_wins = None if data["first_wins"] is None else Fraction(data["first_wins"])
    return Value(Result(data["result"]), first_wins, data["plies"], data["margin"])


def evaluation_data(found: Evaluation) -> dict[str, Any]:
    options = [
        {
            "seat": str(choice.seat),
            "move": str(choice.move),
            **value_data(choice.value),
            "best": choice.best,
            "mix": None if choice.mix is None else str(choice.mix),
        }
        for choice in found.choices
    ]
    return {**value_data(found.value), "options": options}


def review_data(found: Review) -> dict[str, Any]:
    moves = [
        {
            "number": one.number,
            "seat": str(one.seat),
            "move": str(one.move),
            "before": value_data(one.before),
            "after": value_data(one.after),
            "best": [str(move) for move in one.best],
            "cost": str(one.cost),
            "mark": str(one.mark),
            "luck": None if one.luck is None else str(one.luck),
        }
        for one in found.moves
    ]
    shares = zip(SEATS, found.accuracy, strict=True)
    return {
        "moves": moves,
        "accuracy": {str(seat): None if share is None else str(share) for seat, share in shares},
        "deciding": found.deciding and found.deciding.number,
    }
