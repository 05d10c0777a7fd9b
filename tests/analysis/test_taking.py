"""Battle and cross: the shortcut (the largest left is best) against plain search through the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ninefold
from ninefold import Seat, State
from ninefold.analysis import Evaluation, Result, Value, evaluate, search
from ninefold.analysis.taking import count_positions, margin, survey
from ninefold.games.battle.rules import Battle
from ninefold.games.cross.rules import Cross

GRIDS = ("123456789", "987654321", "792415863", "492357816", "519283746")
grids = st.permutations("123456789").map("".join)

Best = tuple[Fraction, int]  # 1 if the first player wins, else 0, and the final margin


def final_margin(state: State[Any]) -> int:
    if isinstance(state, Battle):
        first, second = state.points
    else:
        assert isinstance(state, Cross)
        first, second = state.sums.totals
    return first - second


def same_for_all_orders(state: State[Any]) -> object:
    """Who has what: the order in which it was taken apart."""
    if isinstance(state, Cross):
        return frozenset(state.claimed[0::2]), frozenset(state.claimed[1::2])
    return state


def plain_search(start: State[Any]) -> Iterator[tuple[State[Any], Best]]:
    """Every position from here with what it is worth: first to win, then by as much as possible."""
    known: dict[object, Best] = {}
    reached: dict[object, State[Any]] = {}

    def best(state: State[Any]) -> Best:
        key = same_for_all_orders(state)
        if key not in known:
            if state.outcome is not None:
                known[key] = (Fraction(state.outcome.winner is Seat.FIRST), final_margin(state))
            else:
                (seat,) = state.movers
                choose = max if seat is Seat.FIRST else min
                known[key] = choose(best(state.after(move, seat)) for move in state.moves())
            reached[key] = state
        return known[key]

    best(start)
    for key, state in reached.items():
        yield state, known[key]


def start(slug: str, grid: str) -> State[Any]:
    return ninefold.load(slug).start(grid=grid)


def assert_every_position_is_right(first: State[Any]) -> int:
    """Evaluations against plain search, with every move, from here to all ends; how many positions."""
    positions = list(plain_search(first))
    worth = {same_for_all_orders(state): best for state, best in positions}
    for state, (first_wins, final) in positions:
        found = evaluate(state)
        assert found.result is (Result.FIRST if first_wins else Result.SECOND), state
        assert (found.first_wins, found.margin) == (first_wins, final), state
        assert found.plies == len(state.moves())
        if state.outcome is not None:
            assert found.choices == ()
            continue
        (seat,) = state.movers
        assert {choice.move for choice in found.choices} == set(state.moves())
        order = []
        for choice in found.choices:
            after = worth[same_for_all_orders(state.after(choice.move, seat))]
            assert (choice.value.first_wins, choice.value.margin) == after
            assert choice.value.plies == len(state.moves()) - 1
            assert choice.best == (after == (first_wins, final))
            assert choice.seat is seat
            assert choice.mix is None
            order.append(after)
        assert order == sorted(order, reverse=seat is Seat.FIRST)
    return len(worth)


# Every position


@pytest.mark.parametrize("grid", ["123456789", "792415863"])
def test_every_position_of_a_deal_of_battle_is_right(grid: str) -> None:
    first: Any = start("battle", grid)
    assert assert_every_position_is_right(first) == count_positions(first)


@pytest.mark.parametrize("seed", range(30))
def test_every_position_of_a_grid_of_cross_is_right(seed: int) -> None:
    grid = "".join(Random(seed).sample("123456789", 9))
    first: Any = start("cross", grid)
    assert assert_every_position_is_right(first) == count_positions(first)


@pytest.mark.parametrize("grid", ["159672834", "123456789"])  # all six sums alike; two of them
def test_every_position_of_a_special_grid_of_cross_is_right(grid: str) -> None:
    assert_every_position_is_right(start("cross", grid))


@cache
def sum_patterns() -> dict[tuple[int, ...], str]:
    """A grid of cross for each set of six sums there can be. It is enough to have 1 in the corner."""
    found: dict[tuple[int, ...], str] = {}
    for b, c, d, e, f, g, h, i in permutations(range(2, 10)):
        if b < c and d < g and b < d:
            sums = (1 + b + c, d + e + f, g + h + i, 1 + d + g, b + e + h, c + f + i)
            found.setdefault(tuple(sorted(sums)), f"1{b}{c}{d}{e}{f}{g}{h}{i}")
    return found


def test_there_are_810_sets_of_six_sums() -> None:
    assert len(sum_patterns()) == 810


def plain_margins(values: tuple[int, ...]) -> Iterator[tuple[list[int], int]]:
    """For every set of values that may be left, what the player to take gains in best play."""
    best = {0: 0}
    for mask in range(1, 1 << len(values)):
        best[mask] = max(v - best[mask & ~(1 << k)] for k, v in enumerate(values) if mask >> k & 1)
        yield [v for k, v in enumerate(values) if mask >> k & 1], best[mask]


def test_the_shortcut_holds_for_whatever_is_left_of_any_grid_of_cross() -> None:
    for sums in sum_patterns():
        for left, gain in plain_margins(sums):
            assert margin(left, Seat.FIRST) == gain
            assert margin(left, Seat.SECOND) == -gain


@pytest.mark.parametrize(
    "part", [pytest.param(part, marks=[pytest.mark.long] if part >= 1 else []) for part in range(10)]
)
def test_every_position_of_cross_is_right_for_every_set_of_six_sums(part: int) -> None:
    for grid in list(sum_patterns().values())[part::10]:
        assert_every_position_is_right(start("cross", grid))


@given(st.lists(st.integers(-50, 50), max_size=8))
def test_the_shortcut_holds_for_any_values(values: list[int]) -> None:
    for left, gain in plain_margins(tuple(values)):
        assert margin(left, Seat.FIRST) == gain


# Single positions


def test_battle_is_won_by_five() -> None:
    found = evaluate(start("battle", "792415863"))
    assert found.value == Value(Result.FIRST, Fraction(1), 9, 5)
    assert [str(choice.move) for choice in found.choices if choice.best] == ["0,1"]
    assert str(found.choices[-1].move) == "1,1"


def test_a_tie_in_cross_is_the_second_players() -> None:
    found = evaluate(start("cross", "492357816"))  # a magic square: every line has 15
    assert found.value == Value(Result.SECOND, Fraction(0), 6, 0)
    assert all(choice.best for choice in found.choices)
    assert [str(c.move) for c in found.choices] == ["Row1", "Row2", "Row3", "Col1", "Col2", "Col3"]


def test_a_lost_battle_is_lost_by_as_little_as_possible() -> None:
    game = ninefold.load("battle")
    state = game.sequence(game.start(grid="123456789"), ["0,0", "2,2", "0,1", "2,1"])  # 1, 9, 2, 8
    found = evaluate(state)  # 3 to 17, and 3 to 7 are left: 7, 6, 5, 4, 3
    assert (found.result, found.margin, found.plies) == (Result.SECOND, 3 - 17 + 5, 5)
    assert str(found.choices[0].move) == "2,0"
    assert [c.best for c in found.choices] == [True, False, False, False, False]


def test_the_end_has_its_margin_and_no_choices() -> None:
    game = ninefold.load("cross")
    state = game.sequence(game.start(grid="123456789"), ["Row3", "Row2", "Col3", "Col2", "Col1", "Row1"])
    assert state.outcome is not None
    found = evaluate(state)
    assert (found.result, found.plies, found.margin, found.choices) == (Result.FIRST, 0, 18, ())


@given(grids, st.data())
def test_what_is_where_does_not_matter_in_battle(grid: str, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(9)))
    state, moved = start("battle", grid), start("battle", "".join(grid[cell] for cell in order))
    for _ in range(data.draw(st.integers(0, 8))):
        move = data.draw(st.sampled_from(state.moves()))
        state = state.play(move)
        moved = moved.play(type(move)(order.index(move.cell)))
    expected = {order.index(c.move.cell): (c.value, c.best) for c in evaluate(state).choices}
    found = evaluate(moved)
    assert found.value == evaluate(state).value
    assert {c.move.cell: (c.value, c.best) for c in found.choices} == expected


@given(grids, st.permutations(range(3)), st.permutations(range(3)), st.booleans(), st.data())
def test_symmetric_positions_of_cross_are_equal(
    grid: str, rows: list[int], columns: list[int], turned: bool, data: st.DataObject
) -> None:
    cells = [grid[3 * row + column] for row in rows for column in columns]
    if turned:
        cells = [cells[3 * column + row] for row in range(3) for column in range(3)]
    lines = [*rows, *(3 + column for column in columns)]
    if turned:
        lines = lines[3:] + lines[:3]
    state, moved = start("cross", grid), start("cross", "".join(cells))
    for _ in range(data.draw(st.integers(0, 5))):
        move = data.draw(st.sampled_from(state.moves()))
        state = state.play(move)
        moved = moved.play(type(move)(lines.index(move.line)))
    expected = {lines.index(c.move.line): (c.value, c.best) for c in evaluate(state).choices}
    found = evaluate(moved)
    assert found.value == evaluate(state).value
    assert {c.move.line: (c.value, c.best) for c in found.choices} == expected


# The search that any game can fall back on


def without_margin(found: Evaluation) -> tuple[Result, Fraction | None, int | None]:
    return found.result, found.first_wins, found.plies


@pytest.mark.parametrize(
    ("slug", "grid"), [("battle", "792415863"), ("cross", "792415863"), ("cross", "492357816")]
)
def test_the_search_through_the_rules_agrees(slug: str, grid: str) -> None:
    for state, _ in plain_search(start(slug, grid)):
        found, plain = evaluate(state), search.evaluate(state)
        assert without_margin(found) == without_margin(plain)
        results = {choice.move: choice.value.result for choice in found.choices}
        assert results == {choice.move: choice.value.result for choice in plain.choices}


# All grids


def test_the_survey_of_battle() -> None:
    found = survey(ninefold.load("battle"))
    assert (found.setups, int(found.first), found.margins) == (362_880, 362_880, {5: 362_880})
    assert found.positions == 6046


def test_the_survey_of_cross() -> None:
    found = survey(ninefold.load("cross"))
    assert (found.setups, int(found.first), found.positions) == (362_880, 343_080, 267)
    assert found.margins[0] == found.setups - found.first
    assert sum(found.margins.values()) == found.setups
    assert list(found.margins) == sorted(found.margins)


def test_every_deal_of_battle_goes_the_same_way() -> None:
    rng = Random(1)
    for _ in range(500):
        found = evaluate(start("battle", "".join(rng.sample("123456789", 9))))
        assert found.value == Value(Result.FIRST, Fraction(1), 9, 5)


def test_the_survey_of_cross_counts_every_grid() -> None:
    counts: Counter[int] = Counter()
    for a, b, c, d, e, f, g, h, i in permutations(range(1, 10)):
        s = sorted((a + b + c, d + e + f, g + h + i, a + d + g, b + e + h, c + f + i))
        counts[s[5] - s[4] + s[3] - s[2] + s[1] - s[0]] += 1
    assert counts == survey(ninefold.load("cross")).margins
