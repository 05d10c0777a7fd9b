"""Sequences of turns counted twice: by the engine, and by plain code written from the rule books.

The plain counters share nothing with the engine: no move list, no position, no line table. Each
returns how many sequences of so many turns end in each way, with None for those still going on.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import permutations, product
from math import factorial
from random import Random
from typing import Any

import pytest

import ninefold
from ninefold import State, perft
from ninefold.core.perft import turns

Ends = Counter[tuple[str, str] | None]  # (winner, reason), or None: not over yet


def engine_ends(state: State[Any], depth: int, known: dict[Any, Ends] | None = None) -> Ends:
    known = {} if known is None else known
    if state.outcome is not None:
        return Counter({(str(state.outcome.winner), str(state.outcome.reason)): 1})
    if depth == 0:
        return Counter({None: 1})
    if (state, depth) not in known:
        total: Ends = Counter()
        for later in turns(state):
            total.update(engine_ends(later, depth - 1, known))
        known[state, depth] = total
    return known[state, depth]


def assert_same(state: State[Any], depth: int, plain: Ends) -> None:
    assert perft(state, depth) == plain.total()
    assert engine_ends(state, depth) == plain


def aligned(a: int, b: int, c: int) -> bool:
    """Whether three different cells, 0 to 8 row by row, lie on a straight line."""
    rows, cols = {a // 3, b // 3, c // 3}, {a % 3, b % 3, c % 3}
    if len(rows) == 1 or len(cols) == 1:
        return True
    return all(x // 3 == x % 3 for x in (a, b, c)) or all(x // 3 + x % 3 == 2 for x in (a, b, c))


def has_line(own: dict[int, int], total: int) -> bool:
    """Whether three of somebody's numbers, by cell, stand in a line and add up."""
    cells = sorted(own)
    return any(
        aligned(a, b, c) and own[a] + own[b] + own[c] == total
        for i, a in enumerate(cells)
        for j, b in enumerate(cells[i + 1 :], i + 1)
        for c in cells[j + 1 :]
    )


PLAYERS = ("first", "second")
Grids = tuple[dict[int, int], dict[int, int]]  # each player's numbers by cell


def plain_grids(moves: tuple[tuple[int, int], ...]) -> Grids:
    """The grids after (number, cell) by one player and the other in turn."""
    first, second = ({cell: number for number, cell in moves[who::2]} for who in (0, 1))
    return first, second


# Shadow Grid Duel


def shadow_ends(target: int, grids: Grids, depth: int) -> Ends:
    """`grids`: each player's numbers by cell. The one with fewer, or the first, is to move."""
    if depth == 0:
        return Counter({None: 1})
    mover = 0 if len(grids[0]) == len(grids[1]) else 1
    own = grids[mover]
    total: Ends = Counter()
    for cell in range(9):
        if cell in grids[0] or cell in grids[1]:
            continue
        for number in range(1, 10):
            if number in own.values():
                continue
            own[cell] = number
            if has_line(own, target):
                total[PLAYERS[mover], "line"] += 1
            elif len(grids[0]) + len(grids[1]) == 9:
                total[PLAYERS[1 - mover], "full"] += 1
            else:
                total.update(shadow_ends(target, grids, depth - 1))
            del own[cell]
    return total


def shadow_position(target: int, *moves: tuple[int, int]) -> tuple[State[Any], Grids]:
    """The same moves, (number, cell), in the engine and in plain dictionaries."""
    texts = [f"{number}@{cell // 3 + 1},{cell % 3 + 1}" for number, cell in moves]
    state = ninefold.load("shadow").sequence(ninefold.load("shadow").start(target=target), texts)
    return state, plain_grids(moves)


def test_shadow_agrees_over_the_first_turns() -> None:
    for depth, expected in ((1, 81), (2, 81 * 72), (3, 81 * 72 * 56)):
        state, grids = shadow_position(15)
        assert perft(state, depth) == expected
        if depth < 3:
            assert shadow_ends(15, grids, depth).total() == expected


@pytest.mark.parametrize(
    "target",
    [pytest.param(target, marks=[pytest.mark.long] if target % 5 else []) for target in range(10, 21)],
)
def test_shadow_agrees_to_the_end_from_five_numbers_on(target: int) -> None:
    # 5x .  3o
    # .  6x .     the second player has four cells to choose from
    # 2o 1x .
    state, grids = shadow_position(target, (5, 0), (3, 2), (6, 4), (2, 6), (1, 7))
    plain = shadow_ends(target, grids, 4)
    assert None not in plain
    assert len(plain) == 3, "both players' lines and a full board all occur"
    assert_same(state, 4, plain)


@pytest.mark.parametrize("target", [10, 13, 15, 20])
def test_shadow_agrees_over_three_turns_from_four_numbers_on(target: int) -> None:
    # 2x 3o .
    # .  4x .
    # 9o .  .
    state, grids = shadow_position(target, (2, 0), (3, 1), (4, 4), (9, 6))
    for depth in (1, 2, 3):
        assert_same(state, depth, shadow_ends(target, grids, depth))


@pytest.mark.long
def test_shadow_agrees_to_the_end_from_four_numbers_on() -> None:
    state, grids = shadow_position(15, (5, 4), (8, 1), (6, 2), (3, 6))
    assert_same(state, 5, shadow_ends(15, grids, 5))


# Number Grid Battle


def battle_ends(numbers: list[int], sums: list[int], depth: int) -> Ends:
    """`numbers` are still to be taken; the first player takes at every odd count."""
    if not numbers:
        return Counter({(PLAYERS[0] if sums[0] > sums[1] else PLAYERS[1], "sum"): 1})
    if depth == 0:
        return Counter({None: 1})
    mover = 0 if len(numbers) % 2 else 1
    total: Ends = Counter()
    for k, number in enumerate(numbers):
        sums[mover] += number
        total.update(battle_ends(numbers[:k] + numbers[k + 1 :], sums, depth - 1))
        sums[mover] -= number
    return total


@pytest.mark.parametrize("depth", [1, 4])
def test_battle_agrees_over_the_first_turns(depth: int) -> None:
    state = ninefold.load("battle").start(grid="792415863")
    assert_same(state, depth, battle_ends([7, 9, 2, 4, 1, 5, 8, 6, 3], [0, 0], depth))


def test_battle_agrees_to_the_end_from_two_numbers_on() -> None:
    game = ninefold.load("battle")
    state = game.sequence(game.start(grid="792415863"), ["0,0", "0,1"])
    plain = battle_ends([2, 4, 1, 5, 8, 6, 3], [7, 9], 7)
    assert plain.total() == factorial(7)
    assert len(plain) == 2, "both players win"
    assert_same(state, 7, plain)
    assert perft(state, 12) == factorial(7), "a finished game counts once"


@pytest.mark.long
def test_battle_agrees_to_the_end() -> None:
    state = ninefold.load("battle").start(grid="792415863")
    plain = battle_ends([7, 9, 2, 4, 1, 5, 8, 6, 3], [0, 0], 9)
    assert plain.total() == factorial(9)
    assert_same(state, 9, plain)
    assert perft(state, 12) == factorial(9), "a finished game counts once"


# Pattern Match


def pattern_ends(grids: Grids, mover: int, pool: set[int], returned: bool, depth: int) -> Ends:
    if depth == 0:
        return Counter({None: 1})
    total: Ends = Counter()
    own = grids[mover]

    def go_on(pool_now: set[int], returned_now: bool) -> None:
        if has_line(own, 15):
            total[PLAYERS[mover], "line"] += 1
        else:
            total.update(pattern_ends(grids, 1 - mover, pool_now, returned_now, depth - 1))

    if returned:
        (spare,) = pool
        for cell in list(own):
            old = own[cell]
            own[cell] = spare
            go_on({old}, True)
            own[cell] = old
    elif not pool:
        assert mover == 1
        for cell in list(own):
            old = own.pop(cell)
            go_on({old}, True)
            own[cell] = old
    else:
        for number, cell in product(sorted(pool), range(9)):
            if cell not in own:
                own[cell] = number
                go_on(pool - {number}, False)
                del own[cell]
    return total


def pattern_position(*moves: tuple[int, int]) -> tuple[State[Any], Grids, int, set[int]]:
    """The same placements, (number, cell), in the engine and in plain dictionaries."""
    game = ninefold.load("pattern")
    state = game.sequence(
        game.start(), [f"{number}@{cell // 3 + 1},{cell % 3 + 1}" for number, cell in moves]
    )
    return state, plain_grids(moves), len(moves) % 2, set(range(1, 10)) - {number for number, _ in moves}


def test_pattern_agrees_over_the_first_turns() -> None:
    state, grids, mover, pool = pattern_position()
    assert_same(state, 1, pattern_ends(grids, mover, pool, False, 1))
    assert_same(state, 2, pattern_ends(grids, mover, pool, False, 2))
    assert perft(state, 3) == 81 * 72 * 56


# First player's grid, second player's grid, who is to move and what is left:
LATE = {
    # 1 2 . | 6 7 .
    # . . 5 | . . 8    the first player; 3, 4, 9
    # . . . | . . .
    "three left": ((1, 0), (6, 0), (2, 1), (7, 1), (5, 5), (8, 5)),
    # 1 . 8 | 9 . 2
    # . 3 . | . 4 .    the second player; 6, 7
    # . 5 . | . . .
    "two left": ((1, 0), (9, 0), (3, 4), (2, 2), (8, 2), (4, 4), (5, 7)),
    # 1 5 2 | 6 7 .
    # 3 . . | . . 8    the first player; 4
    # . . . | 9 . .
    "one left": ((1, 0), (6, 0), (5, 1), (7, 1), (2, 2), (8, 5), (3, 3), (9, 6)),
    # 1 5 2 | 6 7 8
    # 3 . . | . . .    the second player; nothing
    # . . 4 | . . 9
    "none left": ((1, 0), (6, 0), (5, 1), (7, 1), (2, 2), (8, 2), (3, 3), (9, 8), (4, 8)),
}


@pytest.mark.parametrize(
    ("name", "depth"),
    [("three left", 5), ("two left", 6), ("one left", 7), ("none left", 1), ("none left", 7)],
)
def test_pattern_agrees_through_return_and_swaps(name: str, depth: int) -> None:
    state, grids, mover, pool = pattern_position(*LATE[name])
    plain = pattern_ends(grids, mover, pool, False, depth)
    assert depth == 1 or plain["first", "line"] > 0
    assert_same(state, depth, plain)


def test_pattern_positions_near_the_end_of_the_pool_show_wins_of_both_players() -> None:
    _, grids, mover, pool = pattern_position(*LATE["none left"])
    plain = pattern_ends(grids, mover, pool, False, 6)
    assert plain["first", "line"] > 0
    assert plain["second", "line"] > 0


@pytest.mark.long
def test_pattern_agrees_from_three_numbers_in_the_pool_far_into_the_swaps() -> None:
    state, grids, mover, pool = pattern_position(*LATE["three left"])
    assert_same(state, 8, pattern_ends(grids, mover, pool, False, 8))


# Grid Conquest


def conquest_verdict(
    owners: str, hands: tuple[frozenset[int], frozenset[int]], claimed: bool
) -> tuple[str, str] | None:
    """The result of a full board, just claimed or fought for; None is sudden death."""
    if owners.count("X") != owners.count("O"):
        return ("first" if owners.count("X") > owners.count("O") else "second", "cells")
    if claimed and sum(hands[0]) != sum(hands[1]):
        return ("first" if sum(hands[0]) > sum(hands[1]) else "second", "unused")
    if not hands[0] and not hands[1]:
        return ("second", "spent")
    return None


@cache
def conquest_ends(
    owners: str,
    hands: tuple[frozenset[int], frozenset[int]],
    mover: int,
    depth: int,
    claimed: bool = True,
) -> Ends:
    """`owners` has X, O or `.` for each cell. A challenge with its two numbers is one turn."""
    if "." not in owners and (verdict := conquest_verdict(owners, hands, claimed)) is not None:
        return Counter({verdict: 1})
    if depth == 0:
        return Counter({None: 1})
    mine, theirs = ("X", "O") if mover == 0 else ("O", "X")
    total: Ends = Counter()
    for cell, owner in enumerate(owners):
        taken = owners[:cell] + mine + owners[cell + 1 :]
        if owner == ".":
            total.update(conquest_ends(taken, hands, 1 - mover, depth - 1))
        elif owner == theirs:
            for attack, defence in product(hands[mover], hands[1 - mover]):
                x, o = (attack, defence) if mover == 0 else (defence, attack)
                left = hands[0] - {x}, hands[1] - {o}
                board = taken if attack > defence else owners
                total.update(conquest_ends(board, left, 1 - mover, depth - 1, False))
    return total


FIVE = frozenset({1, 2, 3, 4, 5})


@pytest.mark.parametrize(
    ("size", "depth"),
    [(2, 1), (2, 3), (2, 5), pytest.param(2, 6, marks=pytest.mark.long), (3, 1), (3, 2), (3, 4), (4, 3)],
)
def test_conquest_agrees_over_the_first_turns(size: int, depth: int) -> None:
    state = ninefold.load("conquest").start(size=size)
    assert_same(state, depth, conquest_ends("." * size**2, (FIVE, FIVE), 0, depth))


def test_conquest_agrees_through_sudden_death_to_its_end() -> None:
    game = ninefold.load("conquest")
    state = game.sequence(game.start(size=2), [f"claim:{cell}" for cell in (1, 2, 3, 4)])
    for depth in range(1, 7):
        assert_same(state, depth, conquest_ends("XOXO", (FIVE, FIVE), 0, depth))
    over = conquest_ends("XOXO", (FIVE, FIVE), 0, 5)
    assert set(over) == {("first", "cells"), ("second", "cells"), ("second", "spent")}
    # Nobody takes a cell: no challenger, the first in even turns, has the higher number.
    held = sum(
        all((x <= o, o <= x)[turn % 2] for turn, (x, o) in enumerate(zip(first, second, strict=True)))
        for first, second in product(permutations(FIVE), repeat=2)
    )
    assert over["second", "spent"] == held * 2**5
    assert perft(state, 9) == over.total()


@pytest.mark.parametrize(
    ("owners", "moves"),
    [
        ("XO.O", ["claim:1", "claim:2", "challenge:2", "bid:3", "bid:5", "claim:4"]),
        pytest.param("....", [], marks=pytest.mark.long),
    ],
)
def test_conquest_agrees_to_the_end_of_2x2(owners: str, moves: list[str]) -> None:
    hands = (FIVE - {3}, FIVE - {5}) if moves else (FIVE, FIVE)
    plain = conquest_ends(owners, hands, 0, 9)
    assert None not in plain
    assert set(plain) == {(winner, reason) for winner in PLAYERS for reason in ("cells", "unused")} | {
        ("second", "spent")
    }
    game = ninefold.load("conquest")
    assert_same(game.sequence(game.start(size=2), moves), 9, plain)


# Number Cross


def cross_ends(lines: list[int], sums: list[int], depth: int) -> Ends:
    """`lines`: the sums of the unclaimed lines; the first player claims at every even count."""
    if not lines:
        if sums[0] == sums[1]:
            return Counter({("second", "tie"): 1})
        return Counter({("first" if sums[0] > sums[1] else "second", "sum"): 1})
    if depth == 0:
        return Counter({None: 1})
    mover = len(lines) % 2
    total: Ends = Counter()
    for k, line in enumerate(lines):
        sums[mover] += line
        total.update(cross_ends(lines[:k] + lines[k + 1 :], sums, depth - 1))
        sums[mover] -= line
    return total


@pytest.mark.parametrize(
    ("grid", "lines"),
    [
        ("492357816", [15, 15, 15, 15, 15, 15]),
        ("123456789", [6, 15, 24, 12, 15, 18]),
        ("792415863", [18, 10, 17, 19, 16, 10]),
    ],
)
def test_cross_agrees_at_every_depth(grid: str, lines: list[int]) -> None:
    state = ninefold.load("cross").start(grid=grid)
    for depth in range(8):
        assert_same(state, depth, cross_ends(lines, [0, 0], depth))
    assert perft(state, 6) == 720


# The counter itself


def test_no_turns_are_one_sequence_and_one_turn_is_each_move() -> None:
    for game in ninefold.every_game():
        state = game.start(rng=Random(0))
        assert perft(state, 0) == 1
        assert perft(state, 1) == len(state.moves())


def test_what_was_counted_may_be_shared_from_call_to_call() -> None:
    state = ninefold.load("cross").start(grid="123456789")
    known: dict[tuple[State[Any], int], int] = {}
    assert [perft(state, depth, known) for depth in (3, 4, 3)] == [120, 360, 120]
    assert known


def test_a_challenge_half_way_counts_the_numbers_that_are_still_to_choose() -> None:
    game = ninefold.load("conquest")
    state = game.sequence(game.start(), ["claim:5", "challenge:5"])
    assert perft(state, 1) == 25
    assert perft(state.play("bid:3", state.movers[1]), 1) == 5
