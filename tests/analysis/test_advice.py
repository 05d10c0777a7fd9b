"""Hints and verdicts in words."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import ninefold
from ninefold import SLUGS
from ninefold.analysis import Result, Value, evaluate
from ninefold.analysis.advice import advise, percent, verdict
from ninefold.analysis.threats import threats

NAMES = ("Ann", "Ben")


def hint(slug: str, moves: str, **setup: int | str) -> str:
    game = ninefold.load(slug)
    state = game.sequence(game.set_up(setup), moves.split())
    return str(advise(state, state.movers[0]))


def test_a_winning_line_is_named() -> None:
    said = hint("shadow", "5@1,1 7@1,2 6@2,2 8@1,3", target=15)
    assert said == "4@3,3 completes 5-6-4, which makes 15; it wins at once."


def test_a_block_names_the_line_and_what_it_needs() -> None:
    assert "blocks 5-6-_ which needs 4" in hint("shadow", "5@1,1 7@1,2 6@2,2", target=15)


def test_in_pattern_a_block_takes_the_number() -> None:
    said = hint("pattern", "5@2,2 1@1,1 6@1,1")
    assert said.startswith("4@")
    assert "blocks 6-5-_ which needs 4" in said


@pytest.mark.parametrize("slug", ["battle", "cross"])
def test_in_the_games_of_sums_the_gain_is_named(slug: str) -> None:
    said = hint(slug, "", grid="792415863")
    assert "the most there is; it wins by" in said


@pytest.mark.parametrize(
    ("slug", "setup"), [("shadow", {"target": 10}), ("pattern", {}), ("conquest", {})]
)
def test_the_hint_counts_moves_like_the_verdict(slug: str, setup: dict[str, int]) -> None:
    """From the same position to the same end, both players' moves together."""
    rng, compared = random.Random(5), 0
    for _ in range(30):
        state = ninefold.load(slug).set_up(setup, rng)
        for _ in range(12):
            if not state.movers or state.secret:
                break
            said = advise(state, state.movers[0]).reason
            if "from now" in said:
                compared += 1
                assert said.endswith(verdict(evaluate(state).value, NAMES).partition(", ")[2].rstrip("."))
            state = state.play(rng.choice(state.moves()))
    assert compared


def test_a_mixture_says_how_to_draw() -> None:
    said = hint("conquest", "claim:5 challenge:5")
    assert "Draw by lot: bid:" in said


def test_the_best_move_has_a_reason_in_every_position_of_random_games() -> None:
    rng = random.Random(8)
    for slug in SLUGS:
        for _ in range(4):
            state = ninefold.load(slug).start(rng=rng)
            for _ in range(25):
                if state.movers:
                    seat = state.movers[0]
                    advice = advise(state, seat)
                    best = [c for c in evaluate(state).choices if c.seat is seat and c.best]
                    assert advice.move in [str(choice.move) for choice in best]
                    assert advice.reason
                    state = state.play(rng.choice(state.moves(seat)), seat)


def test_threats_are_exactly_the_moves_that_would_win_at_once() -> None:
    rng = random.Random(9)
    for slug in ("shadow", "pattern"):
        for _ in range(60):
            state = ninefold.load(slug).start(rng=rng)
            while state.movers and str(state.moves()[0])[0].isdigit():
                seat = state.movers[0]
                wins = {(m.number, m.cell) for m in state.moves() if state.play(m).outcome is not None}
                if slug == "shadow" and len(state.moves()) and state.cells.count(0) == 1:  # type: ignore[attr-defined]
                    break  # the last placement ends the game with or without a line
                assert {(threat.needed, threat.gap) for threat in threats(state, seat)} == wins
                state = state.play(rng.choice(state.moves()))


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (
            Value(Result.FIRST, Fraction(1), 5),
            "With best play Ann wins, 5 moves from now (both players' counted).",
        ),
        (Value(Result.SECOND, Fraction(0), 1, -3), "With best play Ben wins by 3, 1 move from now."),
        (Value(Result.SECOND, Fraction(0), 0), "Ben has won."),
        (Value(Result.MIXED, Fraction(5, 8)), "With best play Ann wins 62.5% of the time."),
        (Value(Result.MIXED, Fraction(1, 4)), "With best play Ben wins 75% of the time."),
    ],
)
def test_the_verdict_says_who_wins_and_how(value: Value, said: str) -> None:
    assert verdict(value, NAMES) == said


def test_an_endless_game_is_called_so() -> None:
    assert "Neither side" in verdict(Value(Result.ENDLESS, None), NAMES)


@pytest.mark.parametrize(
    ("part", "shown"),
    [("0", "0%"), ("1", "100%"), ("1/3", "33.3%"), ("1/99999", "0.1%"), ("9999/10000", "99.9%")],
)
def test_only_what_is_certain_is_rounded_to_certainty(part: str, shown: str) -> None:
    assert percent(Fraction(part)) == shown
