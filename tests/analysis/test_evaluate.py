"""One evaluate for all games: which solver it asks, the order of the choices, and the plain search."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from types import SimpleNamespace
from typing import Any

import pytest

import ninefold
from ninefold import SEATS, Outcome, Reason, Seat, State
from ninefold.analysis import SOLVERS, Evaluation, Result, Value, evaluate, search
from ninefold.analysis.evaluation import (
    ENDLESS,
    Candidate,
    NoValues,
    back_up,
    evaluate_finished,
    evaluate_moves,
    forced_win,
    rank,
    worth,
)
from ninefold.core.move import Move

FIRST, SECOND = SEATS


def mixed(first_wins: str) -> Value:
    return Value(Result.MIXED, Fraction(first_wins))


# The order of the choices. For the first player, best first; for the second, the other way round.

DESCENDING = [
    forced_win(FIRST, 1),
    forced_win(FIRST, 3),
    mixed("2/3"),
    ENDLESS,
    mixed("1/3"),
    forced_win(SECOND, 4),
    forced_win(SECOND, 2),
]


@pytest.mark.parametrize("seat", SEATS)
def test_choices_are_ordered_by_chance_and_then_by_pace(seat: Seat) -> None:
    expected = DESCENDING if seat is FIRST else DESCENDING[::-1]
    for values in permutations(DESCENDING):
        choices = rank(Candidate(seat, move, value) for move, value in enumerate(values))
        assert [choice.value for choice in choices] == expected
        assert [choice.best for choice in choices] == [True] + [False] * 6
        assert all(values[choice.move] is choice.value for choice in choices)


@pytest.mark.parametrize(("seat", "expected"), [(FIRST, [7, 3, -1]), (SECOND, [-1, 3, 7])])
@pytest.mark.parametrize("winner", SEATS)
def test_equal_wins_are_ordered_by_margin(winner: Seat, seat: Seat, expected: list[int]) -> None:
    for margins in permutations(expected):
        choices = rank(
            Candidate(seat, m, forced_win(winner, 2, margin)) for m, margin in enumerate(margins)
        )
        assert [choice.value.margin for choice in choices] == expected


def test_equal_choices_keep_the_order_of_the_moves_and_are_all_best() -> None:
    values = [forced_win(SECOND, 2), forced_win(FIRST, 3), forced_win(SECOND, 2), forced_win(FIRST, 3)]
    choices = rank(Candidate(FIRST, move, value) for move, value in zip("abcd", values, strict=True))
    assert [(choice.move, choice.best) for choice in choices] == [
        ("b", True),
        ("d", True),
        ("a", False),
        ("c", False),
    ]


def test_both_seats_have_their_own_order_and_the_larger_share_leads() -> None:
    half, quarter = mixed("1/2"), mixed("1/4")
    candidates = [
        Candidate(SECOND, 1, half, Fraction(1, 3)),
        Candidate(SECOND, 2, half, Fraction(2, 3)),
        Candidate(FIRST, 1, quarter, Fraction(0)),
        Candidate(FIRST, 2, half, Fraction(1)),
    ]
    assert [(c.seat, c.move, c.best, c.mix) for c in rank(candidates)] == [
        (SECOND, 2, True, Fraction(2, 3)),
        (SECOND, 1, True, Fraction(1, 3)),
        (FIRST, 2, True, Fraction(1)),
        (FIRST, 1, False, Fraction(0)),
    ]


def test_a_position_is_worth_its_best_move_a_ply_earlier() -> None:
    found = evaluate_moves(
        [Candidate(SECOND, "a", forced_win(FIRST, 4)), Candidate(SECOND, "b", forced_win(SECOND, 7, -3))]
    )
    assert found.value == forced_win(SECOND, 8, -3)
    assert [choice.move for choice in found.choices] == ["b", "a"]


def test_values_without_plies_stay_as_they_are() -> None:
    assert back_up(ENDLESS, 3) == ENDLESS
    assert back_up(mixed("1/3")) == mixed("1/3")
    assert back_up(forced_win(FIRST, 2), 3) == forced_win(FIRST, 5)


def test_what_is_good_for_one_seat_is_as_bad_for_the_other() -> None:
    for value, other in product(DESCENDING, repeat=2):
        assert (worth(value, FIRST) > worth(other, FIRST)) == (
            worth(value, SECOND) < worth(other, SECOND)
        )


# A game without a solver of its own


@dataclass(frozen=True, slots=True)
class Take(Move):
    count: int


@dataclass(frozen=True, slots=True)
class Heap(State[Take]):
    """Take one, two or three from a heap; who takes the last wins. Multiples of four are lost.

    With `passes`, one may take nothing, too.
    """

    left: int
    turn: Seat = FIRST
    passes: bool = False

    @property
    def setup(self) -> Mapping[str, int | str]:
        return {"left": self.left}

    @property
    def outcome(self) -> Outcome | None:
        return None if self.left else Outcome(self.turn.other, Reason.FULL)

    @property
    def movers(self) -> tuple[Seat, ...]:
        return (self.turn,) if self.left else ()

    def moves(self, seat: Seat | None = None) -> tuple[Take, ...]:
        return tuple(Take(count) for count in range(not self.passes, min(3, self.left) + 1))

    def after(self, move: Take, seat: Seat) -> Heap:
        return Heap(self.left - move.count, seat.other, self.passes)

    def refusal(self, move: Take, seat: Seat) -> str:
        return "There are not so many left."


Heap.game = SimpleNamespace(slug="heap", title="Heap", base="")  # type: ignore[assignment]


@pytest.mark.parametrize("left", range(1, 40))
@pytest.mark.parametrize("turn", SEATS)
def test_a_game_without_a_solver_is_searched(left: int, turn: Seat) -> None:
    found = evaluate(Heap(left, turn))
    rounds, rest = divmod(left, 4)
    winner = turn if rest else turn.other
    # The winner takes the rest, then completes every round of four: two plies each.
    assert found.value == forced_win(winner, 2 * rounds + bool(rest))
    assert {choice.move for choice in found.choices} == {Take(n) for n in range(1, min(3, left) + 1)}
    if rest:
        assert [choice.move for choice in found.choices if choice.best] == [Take(rest)]


def test_the_search_knows_the_end() -> None:
    assert evaluate(Heap(0, SECOND)) == evaluate_finished(FIRST) == Evaluation(forced_win(FIRST, 0), ())


@pytest.mark.parametrize(
    "moves",
    ["claim:1 claim:2 challenge:2", "claim:1 claim:2 claim:3 challenge:3 bid:2 bid:4 challenge:2"],
)
def test_the_search_agrees_with_a_solver_that_knows_secret_choices(moves: str) -> None:
    game = ninefold.load("conquest")
    state = game.sequence(game.start(size=2), moves.split())
    assert state.secret
    plain, known = search.evaluate(state), evaluate(state)
    assert plain.value == known.value
    for seat in SEATS:
        values = [{c.move: c.value for c in found.choices if c.seat is seat} for found in (plain, known)]
        assert set(values[0]) == set(state.moves(seat))
        assert values[0] == values[1]


def test_the_search_refuses_what_is_too_large() -> None:
    with pytest.raises(NoValues, match="Heap: more than 100,000 positions can follow"):
        evaluate(Heap(200_000))


def test_the_search_refuses_what_can_go_on_forever() -> None:
    with pytest.raises(NoValues, match="Heap can go on forever"):
        evaluate(Heap(3, passes=True))


# Which solver


def test_every_game_has_a_solver() -> None:
    assert set(SOLVERS) == set(ninefold.SLUGS)


@pytest.mark.parametrize(
    ("slug", "setup", "needed"),
    [
        ("battle", {"grid": "792415863"}, "taking"),
        ("cross", {"grid": "792415863"}, "taking"),
        ("conquest", {"size": 2}, "conquest"),
    ],
)
def test_only_the_solver_in_use_is_imported(slug: str, setup: dict[str, Any], needed: str) -> None:
    solvers = sorted({*SOLVERS.values(), "search"})
    program = f"""
import sys, ninefold, ninefold.analysis as analysis
loaded = lambda: [name for name in {solvers} if "ninefold.analysis." + name in sys.modules]
state = ninefold.load({slug!r}).start(**{setup!r})
assert loaded() == [], loaded()
analysis.evaluate(state)
assert loaded() == [{needed!r}], loaded()
"""
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("slug", ["battle", "cross", "conquest"])
def test_an_evaluation_is_the_same_in_every_process(slug: str) -> None:
    setup = "size=3" if slug == "conquest" else "grid='792415863'"
    program = f"""
import ninefold
from ninefold.analysis import evaluate
state = ninefold.load({slug!r}).start({setup})
for _ in range(4):
    print(evaluate(state))
    state = state.play(state.moves()[-1], state.movers[0])
"""
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            check=True,
            capture_output=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
