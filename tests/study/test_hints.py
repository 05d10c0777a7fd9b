"""Hints and verdicts in words."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import islice

import pytest

import ninefold
from ninefold import Seat
from ninefold.analysis import Result, Value, evaluate
from ninefold.core.cast import Cast
from ninefold.core.words import pluralize
from ninefold.show.hints import say_hint
from ninefold.show.values import margin_text, percent, verdict
from ninefold.study.facts import chance_of
from ninefold.study.hints import find_hint
from tests.setups import Setup, every_table
from tests.study.test_facts import sample

CAST = Cast(("Ann", "Ben"))


def hint(slug: str, moves: str, **setup: int | str) -> str:
    game = ninefold.load(slug)
    state = game.sequence(game.set_up(setup), moves.split())
    seat = state.movers[0]
    return say_hint(state, find_hint(state, seat), CAST.for_reader(seat))


def test_a_winning_line_is_named() -> None:
    said = hint("shadow", "5@1,1 7@1,2 6@2,2 8@1,3", target=15)
    assert said == "4 in the bottom right: completes 5 + 6 + 4 = 15 on a diagonal. It wins at once."


def test_a_block_names_the_line_that_it_prevents() -> None:
    assert ": blocks 5 + 6 + 4 on a diagonal." in hint("shadow", "5@1,1 7@1,2 6@2,2", target=15)


def test_in_pattern_a_block_takes_the_number() -> None:
    said = hint("pattern", "5@2,2 1@1,1 6@1,1")
    assert said.startswith("4 in the ")
    assert ": blocks 6 + 5 + 4 on a diagonal" in said


@pytest.mark.parametrize("slug", ["battle", "cross"])
def test_in_the_games_of_sums_the_gain_is_named(slug: str) -> None:
    said = hint(slug, "", grid="792415863")
    assert ", the most possible. " in said
    assert "With best play, you win by " in said


def test_a_mixture_says_how_often_to_choose_each_number() -> None:
    said = hint("conquest", "claim:5 challenge:5")
    assert "Mix your numbers: " in said
    assert "bid:" not in said


@every_table
def test_a_hint_counts_moves_like_the_verdict_on_its_position(slug: str, setup: Setup) -> None:
    for state, seat in islice(sample(slug, setup), 12):
        said = say_hint(state, find_hint(state, seat), CAST)
        assert said.endswith(".")
        value = evaluate(state).value
        length, margin = pluralize(value.plies or 0, "move"), margin_text(value)
        told = verdict(value, CAST).removeprefix("With best play, "), "It wins at once."
        ends = (*told, f"the longest: {length}.", f"but this one only{margin}.")
        assert re.sub(r"(?<=\.) [^.]* (replies|choices|reply|choice) [^.]*\.$", "", said).endswith(ends)


def test_who_is_losing_is_told_how_few_replies_still_win() -> None:
    assert hint("shadow", "6@1,2 8@2,3 5@2,1 4@1,1", target=15) == (
        "1 in the center: threatens 6 + 1 + 8 in the middle column. Every move loses, but this one holds "
        "out the longest: 5 moves. Only 7 of Ben's 28 replies still win."
    )


@every_table
def test_no_hint_calls_losing_moves_equally_good(slug: str, setup: Setup) -> None:
    for state, seat in islice(sample(slug, setup), 12):
        lost = all(chance_of(one.value, seat) == 0 for one in evaluate(state).choices_of(seat))
        assert not (lost and "equally good" in say_hint(state, find_hint(state, seat), CAST))


@pytest.mark.parametrize(
    ("value", "you", "said"),
    [
        (Value(Result.FIRST, Fraction(1), 5), None, "With best play, Ann wins in 5 moves."),
        (Value(Result.FIRST, Fraction(1), 5), Seat.FIRST, "With best play, you win in 5 moves."),
        (Value(Result.FIRST, Fraction(1), 6, 4), None, "With best play, Ann wins by 4 in 6 moves."),
        (
            Value(Result.SECOND, Fraction(0), 1, -3),
            None,
            "With best play, Ben wins by 3 after one more move.",
        ),
        (Value(Result.SECOND, Fraction(0), 2, 0), None, "With best play, Ben wins on a tie in 2 moves."),
        (Value(Result.SECOND, Fraction(0), 0), None, "Ben has won."),
        (Value(Result.SECOND, Fraction(0), 0), Seat.SECOND, "You have won."),
        (Value(Result.MIXED, Fraction(5, 8)), None, "With best play, Ann wins 62.5% of the time."),
        (Value(Result.MIXED, Fraction(1, 4)), None, "With best play, Ben wins 75% of the time."),
        (Value(Result.MIXED, Fraction(1, 4)), Seat.FIRST, "With best play, you win 25% of the time."),
        (Value(Result.ENDLESS, None), None, "With best play, neither side can force a win."),
    ],
)
def test_the_verdict_says_who_wins_and_how(value: Value, you: Seat | None, said: str) -> None:
    assert verdict(value, CAST.for_reader(you)) == said


@pytest.mark.parametrize(
    ("part", "shown"),
    [("0", "0%"), ("1", "100%"), ("1/3", "33.3%"), ("1/99999", "0.1%"), ("9999/10000", "99.9%")],
)
def test_only_what_is_certain_is_rounded_to_certainty(part: str, shown: str) -> None:
    assert percent(Fraction(part)) == shown
