"""Verdicts on the rule books: what their witnesses show, checked through the rules and plain search."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, permutations
from random import Random
from typing import Any

import pytest

from ninefold.analysis import Result, evaluate, search
from ninefold.core.grid import LINES, SYMMETRIES
from ninefold.core.outcome import Reason
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.games import every_game, load
from ninefold.games.pattern.rules import Pattern
from ninefold.lab.claims import (
    CLAIMS,
    BookVerdict,
    Finding,
    Witness,
    claims_of,
    doubled,
    find_random,
    find_shortest,
    lost,
    refute,
    uphold,
)

TRUE, FALSE, ONLY_IF = BookVerdict.TRUE, BookVerdict.FALSE, BookVerdict.ONLY_IF


def end(witness: Witness, slug: str) -> State[Any]:
    game = load(slug)
    return game.sequence(game.set_up(witness.setup), witness.moves)


def wins(state: State[Any]) -> set[str]:
    """The moves that force a win for the player to move, found by plain search."""
    forced = (Result.FIRST, Result.SECOND)[state.movers[0]]
    return {
        str(choice.move) for choice in search.evaluate(state).choices if choice.value.result is forced
    }


def threatened(state: State[Any]) -> set[tuple[int, int]]:
    return {(threat.gap, threat.needed) for threat in state.threats(state.movers[0].other)}


def lost_at_once(state: State[Any], move: Any) -> bool:
    """Whether the opponent can win right after this move."""
    later = state.after(move, state.movers[0])
    return any(later.after(reply, s).outcome for s in later.movers for reply in later.moves(s))


def must_block(state: Any) -> bool:
    """Whether one line is open to the opponent, and it would be completed if nobody stopped it."""
    ((gap, needed),) = threatened(state)
    unstopped = [
        m for m in state.moves() if (m.cell != gap if hasattr(state, "cells") else m.number != needed)
    ]
    return bool(unstopped) and all(lost_at_once(state, move) for move in unstopped)


def tied(state: State[Any]) -> bool:
    return state.outcome is not None and state.outcome.reason is Reason.TIE


def any_number_stops_it(state: Any) -> bool:
    """Whether a line is open to the opponent, and every number in the gap closes it."""
    seat = state.movers[0]
    gaps = {gap for gap, _ in threatened(state)}
    after = [state.after(move, seat) for move in state.moves() if move.cell in gaps]
    return len(after) == 8 and not any(one.outcome or one.threats(seat.other) for one in after)


def never_a_line(state: State[Any]) -> bool:
    return state.outcome is not None and state.outcome.reason is Reason.FULL


def only_the_largest(state: Any) -> bool:
    return bool(state.outcome.winner is Seat.FIRST and state.points == (25, 20))


def overlaps_lose(state: Any) -> bool:
    kind = "Row" if state.claimed[0] < 3 else "Col"
    winning = wins(state)
    return bool(winning) and all(move.startswith(kind) for move in winning)


def nobody_can_win(state: Any) -> bool:
    """Whether no order of the numbers makes a line, because no line is full on either grid."""
    rows = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    return not state.pool and not any(all(grid[c] for c in row) for grid in state.grids for row in rows)


def one_number_stops_two(state: Any) -> bool:
    """Whether two lines of the opponent wait for one number, and whoever takes it does not lose."""
    numbers = {number for _, number in threatened(state)}
    assert len(threatened(state)) == 2
    return len(numbers) == 1 and any(
        evaluate(state.after(move, state.turn)).value.result in (Result.ENDLESS, str(state.turn))
        for move in state.moves()
        if move.number in numbers
    )


# By claim: the verdict, and what its witness shows through the rules alone.
EXPECTED: dict[tuple[str, int], tuple[BookVerdict, Callable[[Any], bool] | None]] = {
    ("shadow", 3): (TRUE, None),
    ("shadow", 57): (TRUE, None),
    ("shadow", 161): (FALSE, any_number_stops_it),
    ("shadow", 163): (TRUE, must_block),
    ("shadow", 165): (FALSE, never_a_line),
    ("shadow", 167): (FALSE, never_a_line),
    ("battle", 5): (TRUE, None),
    ("battle", 73): (FALSE, only_the_largest),
    ("battle", 220): (TRUE, None),
    ("battle", 221): (TRUE, None),
    ("battle", 222): (ONLY_IF, only_the_largest),
    ("battle", 223): (FALSE, only_the_largest),
    ("pattern", 9): (FALSE, nobody_can_win),
    ("pattern", 56): (FALSE, lambda state: str(state.moves()[0]).startswith("return")),
    ("pattern", 69): (FALSE, lambda state: not state.pool and not state.outcome),
    ("pattern", 204): (ONLY_IF, one_number_stops_two),
    ("pattern", 206): (TRUE, must_block),
    ("pattern", 208): (BookVerdict.UNCHECKABLE, None),
    ("conquest", 81): (ONLY_IF, lambda state: state.sudden_death and state.size == 2),
    ("conquest", 171): (FALSE, lambda state: state.holdings.cells == (5, 4)),
    ("conquest", 223): (TRUE, lambda state: state.secret),
    ("conquest", 224): (TRUE, lambda state: state.secret and state.hands == ((1, 2, 3, 4), (1, 2, 3, 5))),
    ("conquest", 225): (FALSE, lambda state: state.owners.count(None) == 8),
    ("conquest", 226): (ONLY_IF, lambda state: state.outcome.reason is Reason.UNUSED and state.size == 2),
    ("conquest", 230): (TRUE, None),
    ("cross", 3): (TRUE, None),
    ("cross", 86): (FALSE, tied),
    ("cross", 158): (FALSE, tied),
    ("cross", 256): (TRUE, None),
    ("cross", 257): (TRUE, None),
    ("cross", 258): (FALSE, overlaps_lose),
    ("cross", 259): (ONLY_IF, lambda state: tied(state) and state.outcome.winner is Seat.SECOND),
}
# The fewest moves that could show it. A game of battle has nine moves and one of cross six. A full board
# takes nine, and so does placing all numbers of Pattern Match. A threat takes two numbers, an overlap a
# line of each player, and a cell one claim.
FEWEST = {
    **dict.fromkeys([("shadow", 165), ("shadow", 167), ("battle", 73), ("battle", 223)], 9),
    **dict.fromkeys([("pattern", 9), ("pattern", 56), ("pattern", 69), ("conquest", 171)], 9),
    **dict.fromkeys([("cross", 86), ("cross", 158), ("cross", 259)], 6),
    **dict.fromkeys([("shadow", 161), ("shadow", 163), ("pattern", 206)], 3),
    ("pattern", 204): 8,  # no position of seven moves shows it, see below
    ("cross", 258): 2,
    ("conquest", 225): 1,
}
SLOW = {("cross", line) for line in (3, 256, 257, 258)}  # walks through all grids


def test_every_book_has_at_least_five_claims_and_each_is_expected_here() -> None:
    assert {(one.slug, one.line) for one in CLAIMS} == {*EXPECTED}
    for slug in {one.slug for one in CLAIMS}:
        assert len(claims_of(slug)) >= 5


@pytest.mark.parametrize(
    "key",
    [pytest.param(key, marks=pytest.mark.long) if key in SLOW else key for key in EXPECTED],
    ids=lambda key: f"{key[0]}-{key[1]}",
)
def test_the_witness_of_a_verdict_shows_it(key: tuple[str, int]) -> None:
    (found,) = (one.check(one.slug) for one in CLAIMS if (one.slug, one.line) == key)
    verdict, shows = EXPECTED[key]
    assert found.verdict is verdict
    assert (found.witness is None) is (shows is None)
    if found.witness is not None and shows is not None:
        assert shows(end(found.witness, key[0]))
        assert verdict is not FALSE or key in FEWEST
        assert len(found.witness.moves) == FEWEST.get(key, len(found.witness.moves))


def test_a_game_of_conquest_with_other_cells_is_the_same_game() -> None:
    """Which cells are claimed does not matter: renamed, every game is legal and ends as before."""
    rng, game = Random(3), load("conquest")
    for _ in range(100):
        state: Any = game.start(size=rng.choice((2, 3, 4)))
        names = [*range(1, state.size**2 + 1)]
        rng.shuffle(names)
        other = state
        while state.movers:
            seat = state.movers[0]
            move = rng.choice(state.moves(seat))
            verb, _, number = str(move).partition(":")
            if verb != "bid":
                number = str(names[int(number) - 1])
            state, other = state.after(move, seat), other.play(f"{verb}:{number}", seat)
        assert (other.outcome, other.holdings) == (state.outcome, state.holdings)


def placings(numbers: tuple[int, ...]) -> set[tuple[int, ...]]:
    """All grids with these numbers; one for those that are the same up to symmetry."""
    found = set()
    for cells in permutations(range(9), len(numbers)):
        grid = dict(zip(cells, numbers, strict=True))
        found.add(min(tuple(grid.get(cell, 0) for cell in turned) for turned in SYMMETRIES))
    return found


@pytest.mark.long
def test_no_shorter_game_has_two_lines_that_wait_for_one_number_and_do_not_win() -> None:
    """Two lines that share a number wait for different ones, so it takes four numbers: seven moves."""
    second = {three: placings(three) for three in combinations(range(1, 10), 3)}
    looked = 0
    for four in combinations(range(1, 10), 4):
        others = {*range(1, 10)} - {*four}
        for grid in placings(four):
            alone = Pattern((grid, (0,) * 9), Seat.SECOND)
            if len(needed := [threat.needed for threat in alone.threats(Seat.FIRST)]) < 2:
                continue
            for three in combinations(sorted(others - {*needed}), 3) if len({*needed}) == 1 else ():
                for other in second[three]:
                    state = Pattern((grid, other), Seat.SECOND)
                    made = any(
                        sum(other[c] for c in line.cells) == 15
                        for line in LINES
                        if all(other[c] for c in line.cells)
                    )
                    if not made and doubled(state, same=True):
                        looked += 1
                        assert lost(state)
    assert looked > 60_000


def test_a_planted_false_claim_is_refuted_with_the_shortest_game() -> None:
    start = load("cross").start(grid="492357816")
    found = refute(find_shortest([start], lambda s: len(s.moves()) == 3), "A lie.")
    assert found.verdict is FALSE
    assert found.witness is not None
    assert len(found.witness.moves) == 3


def test_a_planted_true_claim_is_not_refuted() -> None:
    start = load("battle").start(grid="792415863")

    def even_totals(state: Any) -> bool:
        return state.outcome is not None and state.points[0] == state.points[1]

    nowhere = find_shortest([start], even_totals)
    assert uphold(nowhere, "True.") == Finding(TRUE, "True.")
    assert refute(nowhere, "A lie.").verdict is TRUE
    assert find_random("shadow", lambda state: not state.movers and state.outcome is None) is None


def test_the_share_of_ties_is_that_of_other_grids() -> None:
    """A sample of all grids, and every way to share their lines."""
    ties = total = 0
    for count, grid in enumerate(permutations(range(1, 10))):
        if count % 997:  # a sample of the grids, spread over all of them
            continue
        a, b, c, d, e, f, g, h, i = grid
        sums = (a + b + c, d + e + f, g + h + i, a + d + g, b + e + h, c + f + i)
        ties += sum(sum(three) == 45 for three in combinations(sums, 3))
        total += 20
    (found,) = (one.check(one.slug) for one in CLAIMS if (one.slug, one.line) == ("cross", 158))
    assert abs(ties / total - 0.181) < 0.02
    assert "18.1%" in found.why


def test_a_game_without_a_book_has_no_claims() -> None:
    assert all(claims_of(game.slug) for game in every_game() if game.script)
    assert claims_of("nothing") == []
