"""Shadow Grid Duel's exact values, checked against the rules and against a solver that shares no code."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from random import Random

import pytest

from ninefold.analysis import evaluate
from ninefold.analysis import shadow as solver
from ninefold.analysis.evaluation import Result, Value
from ninefold.core.grid import CELLS, SYMMETRIES
from ninefold.core.seat import Seat
from ninefold.games.shadow.rules import TARGETS, Shadow, begin

WINNER = {Result.FIRST: Seat.FIRST, Result.SECOND: Seat.SECOND}


def random_position(target: int, ply: int, rng: Random) -> Shadow:
    """A position that is not over, after this many random moves."""
    while True:
        state = begin(target)
        for _ in range(ply):
            state = state.after(rng.choice(state.moves()), state.movers[0])
            if state.outcome is not None:
                break
        else:
            return state


def sample(target: int, ply: int, count: int) -> list[Shadow]:
    rng = Random(1000 * target + ply)
    return [random_position(target, ply, rng) for _ in range(count)]


# A solver of its own: alpha-beta on plain lists, no symmetry, no tables, nothing from the package.

EIGHT = ["012", "345", "678", "036", "147", "258", "048", "246"]


def naive(
    owner: list[str], number: list[int], who: str, target: int, low: int = -99, high: int = 99
) -> int:
    """For the player `who`, to move: 20 minus the ply of the win, or the ply of the loss minus 20."""
    foe = "B" if who == "A" else "A"
    free = [cell for cell in range(9) if owner[cell] == "."]
    used = [number[cell] for cell in range(9) if owner[cell] == who]
    ply = 10 - len(free)
    moves = [(n, cell) for cell in free for n in range(1, 10) if n not in used]
    for n, cell in moves:
        for line in EIGHT:
            a, b, c = map(int, line)
            if cell in (a, b, c):
                total = n
                for other in (a, b, c):
                    if other != cell:
                        total += number[other] if owner[other] == who else 100
                if total == target:
                    return 20 - ply
    if ply == 9:
        return ply - 20
    for n, cell in moves:
        owner[cell], number[cell] = who, n
        low = max(low, -naive(owner, number, foe, target, -high, -low))
        owner[cell], number[cell] = ".", 0
        if low >= high:
            break
    return low


def naive_value(state: Shadow) -> tuple[Seat, int]:
    """The winner and the plies left."""
    owner = ["." if n == 0 else "A" if n > 0 else "B" for n in state.cells]
    who = "A" if owner.count("A") == owner.count("B") else "B"
    score = naive(owner, [abs(n) for n in state.cells], who, state.target)
    winner = Seat.FIRST if (score > 0) == (who == "A") else Seat.SECOND
    return winner, 20 - abs(score) - 9 + owner.count(".")


def summarize(value: Value) -> tuple[Seat, int]:
    assert value.plies is not None
    assert value.first_wins == (value.result is Result.FIRST)
    assert value.margin is None
    return WINNER[value.result], value.plies


HOW_MANY = {8: 60, 7: 60, 6: 40, 5: 12, 4: 4}


# The lowest and the highest, one between, and that of the magic square. The long tests take all.
a_few_targets = pytest.mark.parametrize(
    "target",
    [
        pytest.param(target, marks=[] if target in (10, 13, 15, 20) else [pytest.mark.long])
        for target in TARGETS
    ],
)


@a_few_targets
def test_a_naive_solver_finds_the_same_winner_and_number_of_plies(target: int) -> None:
    for ply, count in HOW_MANY.items():
        for state in sample(target, ply, count):
            assert summarize(evaluate(state).value) == naive_value(state), state


@pytest.mark.parametrize("target", TARGETS)
def test_a_naive_solver_finds_the_same_for_every_move(target: int) -> None:
    for ply in (8, 7, 6, 5):
        for state in sample(target, ply, 2):
            for choice in evaluate(state).choices:
                later = state.after(choice.move, choice.seat)
                if later.outcome is None:
                    assert summarize(choice.value) == naive_value(later), (state, choice)
                else:
                    assert summarize(choice.value) == (later.outcome.winner, 0), (state, choice)


@pytest.mark.long
@pytest.mark.parametrize("target", TARGETS)
def test_a_naive_solver_finds_the_same_on_many_early_positions(target: int) -> None:
    for ply, count in {6: 300, 5: 100, 4: 30, 3: 4, 2: 1}.items():
        for state in sample(target, ply, count):
            assert summarize(evaluate(state).value) == naive_value(state), state


def check_moves(state: Shadow, rng: Random) -> None:
    """Every move has a value, and some are compared: it is that of the position after the move."""
    choices = evaluate(state).choices
    assert {choice.move for choice in choices} == set(state.moves())
    for choice in rng.sample(choices, min(5, len(choices))):
        later = state.after(choice.move, choice.seat)
        assert evaluate(later).value == choice.value, (state, choice)


@a_few_targets
def test_a_move_is_worth_what_the_position_after_it_is_worth(target: int) -> None:
    rng = Random(target)
    for ply in range(9):
        for state in sample(target, ply, 30):
            check_moves(state, rng)


@pytest.mark.long
@pytest.mark.parametrize("target", TARGETS)
def test_a_move_of_the_first_plies_is_worth_what_the_position_after_it_is_worth(target: int) -> None:
    rng = Random(target)
    for ply in (0, 1, 2):
        for state in reachable(begin(target), ply):
            check_moves(state, rng)


def mirror(state: Shadow) -> Shadow:
    cells = tuple(0 if n == 0 else 10 - n if n > 0 else -10 - n for n in state.cells)
    return Shadow(30 - state.target, cells)


@pytest.mark.parametrize("target", TARGETS)
def test_a_target_and_its_mirror_are_the_same_game(target: int) -> None:
    for ply in range(9):
        for state in sample(target, ply, 10):
            there = {(c.move.cell, 10 - c.move.number): c.value for c in evaluate(mirror(state)).choices}
            assert there == {(c.move.cell, c.move.number): c.value for c in evaluate(state).choices}


@pytest.mark.parametrize("target", TARGETS)
def test_symmetric_positions_have_equal_values(target: int) -> None:
    for ply in range(9):
        for state in sample(target, ply, 4):
            values = set()
            for to in SYMMETRIES:
                cells = [0] * 9
                for cell in CELLS:
                    cells[to[cell]] = state.cells[cell]
                values.add(evaluate(Shadow(target, tuple(cells))).value)
            assert len(values) == 1, state


def play_out(state: Shadow, rng: Random) -> tuple[Seat, int]:
    """The winner and the number of moves when both pick among their best moves."""
    plies = 0
    while state.outcome is None:
        best = [choice for choice in evaluate(state).choices if choice.best]
        state = state.after(rng.choice(best).move, state.movers[0])
        plies += 1
    return state.outcome.winner, plies


@pytest.mark.parametrize("target", TARGETS)
def test_best_play_comes_to_the_stated_winner_in_the_stated_number_of_plies(target: int) -> None:
    rng = Random(target)
    for ply in range(9):
        for state in sample(target, ply, 4 if ply < 3 else 25):
            assert play_out(state, rng) == summarize(evaluate(state).value), state


@pytest.mark.parametrize("target", TARGETS)
def test_a_winner_stays_ahead_against_any_defence(target: int) -> None:
    rng = Random(target)
    for ply in range(2, 8):
        for state in sample(target, ply, 6):
            winner = summarize(evaluate(state).value)[0]
            while state.outcome is None:
                found = evaluate(state)
                assert summarize(found.value)[0] is winner
                choices = found.choices
                move = choices[0].move if choices[0].seat is winner else rng.choice(choices).move
                state = state.after(move, choices[0].seat)
            assert state.outcome.winner is winner


@pytest.mark.parametrize("target", TARGETS)
def test_the_second_player_wins_every_target_on_the_full_board(target: int) -> None:
    found = solver.evaluate(begin(target))
    assert found.value == Value(Result.SECOND, Fraction(0), 9)
    assert sum(choice.best for choice in found.choices) == 81  # no first move is better than another


def reachable(state: Shadow, ply: int) -> set[Shadow]:
    """The positions that are not over, this many plies after this one."""
    positions = {state}
    for _ in range(ply):
        positions = {
            later
            for state in positions
            for move in state.moves()
            if (later := state.after(move, state.movers[0])).outcome is None
        }
    return positions


def test_the_positions_are_counted_right() -> None:
    tablebase = solver.tablebase(15)
    for ply in (0, 1, 2):
        assert tablebase.count_positions(range(ply, ply + 1)) == len(reachable(begin(15), ply))


@cache
def fillings_without_a_line(slots: tuple[int, ...], target: int) -> int:
    """How many ways there are to put different numbers on these cells without a line of the target."""
    lines = [[int(cell) for cell in line] for line in EIGHT]
    full = [tuple(map(slots.index, line)) for line in lines if {*line} <= {*slots}]
    return sum(
        not any(numbers[a] + numbers[b] + numbers[c] == target for a, b, c in full)
        for numbers in permutations(range(1, 10), len(slots))
    )


def test_all_positions_that_are_not_over_are_counted() -> None:
    total = 0
    for ply in range(9):
        for taken in combinations(CELLS, ply):
            for first in combinations(taken, (ply + 1) // 2):
                second = tuple(cell for cell in taken if cell not in first)
                total += fillings_without_a_line(first, 14) * fillings_without_a_line(second, 14)
    assert solver.count_positions(begin(14)) == total


def test_a_finished_game_has_its_result_and_no_choices() -> None:
    state = Shadow(15)
    for text in ("5@1,1", "1@2,1", "4@1,2", "2@2,2", "6@1,3"):
        state = state.play(text)
    found = evaluate(state)
    assert summarize(found.value) == (Seat.FIRST, 0)
    assert found.choices == ()
