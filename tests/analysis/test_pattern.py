"""Pattern Match's exact values, checked against the rules and against solvers that share no code."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from ninefold.analysis import evaluate, shadow
from ninefold.analysis import pattern as solver
from ninefold.analysis.evaluation import Result, Value
from ninefold.analysis.pattern_recycling import MAGIC, Position, every_position
from ninefold.core.grid import CELLS, SYMMETRIES
from ninefold.core.outcome import made_line
from ninefold.core.seat import SEATS, Seat
from ninefold.games.pattern.rules import Pattern, begin
from ninefold.games.shadow.rules import Shadow

PLIES = range(25)  # nine numbers are placed, one is returned, and some are swapped


def random_position(ply: int, rng: Random) -> Pattern:
    """A position that is not over, after this many random moves."""
    while True:
        state = begin()
        for _ in range(ply):
            state = state.after(rng.choice(state.moves()), state.turn)
            if state.outcome is not None:
                break
        else:
            return state


def sample(ply: int, count: int) -> list[Pattern]:
    rng = Random(ply)
    return [random_position(ply, rng) for _ in range(count)]


def summarize(value: Value) -> tuple[str, int | None]:
    if value.result is Result.ENDLESS:
        assert value.first_wins is None
    else:
        assert value.first_wins == (value.result is Result.FIRST)
    assert value.margin is None
    return str(value.result), value.plies


# A solver of the recycling of its own: every concrete position that can come up by swapping, all nine
# numbers in their places, swept again and again until no more of them can be decided.

EIGHT = ["012", "345", "678", "036", "147", "258", "048", "246"]

# The first player's five cells and the second player's three, with how many lines are among them.
SHAPES = {
    "02468 036": (2, 1),
    "01478 015": (2, 0),
    "01257 345": (1, 1),
    "01245 124": (1, 0),
    "01568 258": (0, 1),
}


class Swapping:
    """Positions are nine digits: the first player's five, the second player's three, the pool's."""

    def __init__(self, shape: str, start: str, turn: int) -> None:
        first, second = shape.split()
        self.cells = [[int(cell) for cell in first], [int(cell) for cell in second]]
        self.places = [range(5), range(5, 8)]
        self.lines = [
            [[at + own.index(cell) for cell in line] for line in EIGHT if set(line) <= set(own)]
            for own, at in ((first, 0), (second, 5))
        ]
        self.after: dict[tuple[str, int], list[tuple[str, int] | None]] = {}
        left = [(start, turn)]
        while left:
            position = left.pop()
            if position not in self.after:
                self.after[position] = list(self.swaps(*position))
                left += [later for later in self.after[position] if later is not None]
        self.plies = self.sweep()

    def swaps(self, digits: str, turn: int) -> Iterator[tuple[str, int] | None]:
        for place in self.places[turn]:
            later = list(digits)
            later[place], later[8] = later[8], later[place]
            lines = [[int(later[p]) for p in line] for line in self.lines[turn] if place in line]
            yield None if 15 in map(sum, lines) else ("".join(later), 1 - turn)

    def sweep(self) -> dict[tuple[str, int], int]:
        """The plies to the end, positive if the mover wins, for all that have an end."""
        plies = {position: 1 for position, after in self.after.items() if None in after}
        left = [position for position in self.after if position not in plies]
        count, more = 1, len(plies)
        while more:
            count += 1
            decided = {}
            for position in left:
                known = [plies.get(later, 0) for later in self.after[position] if later is not None]
                if min(known) < 0:
                    decided[position] = count
                elif min(known) > 0:
                    decided[position] = -count
            plies.update(decided)
            left = [position for position in left if position not in decided]
            more = len(decided)
        return plies

    def value(self, position: tuple[str, int]) -> tuple[str, int | None]:
        if position not in self.plies:
            return "endless", None
        wins = self.plies[position] > 0
        return "first" if wins == (position[1] == 0) else "second", abs(self.plies[position])

    def state(self, position: tuple[str, int]) -> Pattern:
        grids = [[0] * 9, [0] * 9]
        for seat in (0, 1):
            for cell, place in zip(self.cells[seat], self.places[seat], strict=True):
                grids[seat][cell] = int(position[0][place])
        return Pattern((tuple(grids[0]), tuple(grids[1])), SEATS[position[1]])


def check_recycling(shape: str, count: int | None) -> None:
    """Compare that many of the positions of a shape, or all."""
    swapping = Swapping(shape, "123456789", 0)
    assert tuple(map(len, swapping.lines)) == SHAPES[shape]
    assert len(swapping.after) > 200_000
    positions = list(swapping.after)
    for position in positions if count is None else Random(count).sample(positions, count):
        value = solver.value(swapping.state(position))
        assert summarize(value) == swapping.value(position), (shape, position)


def test_going_through_all_swaps_finds_the_same_values() -> None:
    check_recycling("02468 036", 20_000)


@pytest.mark.long
@pytest.mark.parametrize("shape", SHAPES)
def test_going_through_all_swaps_finds_the_same_values_in_every_shape(shape: str) -> None:
    check_recycling(shape, None)


def state_of(position: Position) -> Pattern:
    """A state with the lines of this position."""
    first, second = [0] * 9, [0] * 9
    number = {1 << cell: MAGIC[cell] for cell in CELLS}

    def fill(grid: list[int], cells: str, mask: int) -> None:
        for cell, bit in zip(cells, [bit for bit in number if bit & mask], strict=True):
            grid[int(cell)] = number[bit]

    match position.lines:
        case ():
            fill(first, "01568", position.first)
        case (line,):
            fill(first, "012", line)
            fill(first, "57", position.first - line)
        case (a, b):
            fill(first, "4", a & b)
            fill(first, "08", a - (a & b))
            fill(first, "26", b - (a & b))
    fill(second, "036" if position.line else "015", position.second)
    return Pattern((tuple(first), tuple(second)), position.turn)


def test_every_ring_is_that_of_a_position_where_no_line_is_won() -> None:
    for position in every_position():
        state = state_of(position)
        assert solver.recycling_position(state) == position
        for grid in state.grids:
            assert not any(made_line(grid, cell, 15) for cell in CELLS)


# A solver of the placing of its own: alpha-beta on plain lists down to the first swap, whose value is
# checked above.


def naive(grids: list[list[int]], who: int, low: int = -999, high: int = 999) -> int:
    """For the mover: 200 minus the ply of the win, the ply of the loss minus 200, or 0 if endless."""
    pool = [n for n in range(1, 10) if n not in grids[0] + grids[1]]
    ply = 9 - len(pool)
    mine = grids[who]
    if not pool:
        for cell in [cell for cell in range(9) if mine[cell]]:
            kept, mine[cell] = mine[cell], 0
            low = max(low, -first_swap(grids))
            mine[cell] = kept
        return low
    moves = [(n, cell) for n in pool for cell in range(9) if mine[cell] == 0]
    for n, cell in moves:
        for line in EIGHT:
            if str(cell) in line:
                others = [mine[int(c)] for c in line if int(c) != cell]
                if all(others) and sum(others) + n == 15:
                    return 200 - (ply + 1)
    for n, cell in moves:
        mine[cell] = n
        low = max(low, -naive(grids, 1 - who, -high, -low))
        mine[cell] = 0
        if low >= high:
            break
    return low


def first_swap(grids: list[list[int]]) -> int:
    value = evaluate(Pattern((tuple(grids[0]), tuple(grids[1])), Seat.FIRST)).value
    if value.plies is None:
        return 0
    score = 200 - (10 + value.plies)
    return score if value.result is Result.FIRST else -score


def naive_value(state: Pattern) -> tuple[str, int | None]:
    score = naive([list(grid) for grid in state.grids], int(state.turn))
    if score == 0:
        return "endless", None
    winner = state.turn if score > 0 else state.turn.other
    return str(winner), 200 - abs(score) - (9 - len(state.pool))


@pytest.mark.parametrize(("ply", "count"), [(9, 200), (8, 100), (7, 30), (6, 10), (5, 2)])
def test_a_naive_solver_finds_the_same_winner_and_number_of_plies(ply: int, count: int) -> None:
    for state in sample(ply, count):
        assert summarize(evaluate(state).value) == naive_value(state), state


@pytest.mark.long
@pytest.mark.parametrize(("ply", "count"), [(8, 2000), (7, 500), (6, 100), (5, 40), (4, 6), (3, 1)])
def test_a_naive_solver_finds_the_same_on_many_positions(ply: int, count: int) -> None:
    for state in sample(ply, count):
        assert summarize(evaluate(state).value) == naive_value(state), state


def check_moves(state: Pattern, rng: Random) -> None:
    """Every move has a value, and some are compared: it is that of the position after the move."""
    choices = evaluate(state).choices
    assert {choice.move for choice in choices} == set(state.moves())
    for choice in rng.sample(choices, min(5, len(choices))):
        later = state.after(choice.move, choice.seat)
        assert evaluate(later).value == choice.value, (state, choice)


@pytest.mark.parametrize("ply", PLIES)
def test_a_move_is_worth_what_the_position_after_it_is_worth(ply: int) -> None:
    rng = Random(ply)
    for state in sample(ply, 60):
        check_moves(state, rng)


@pytest.mark.long
def test_a_move_of_the_first_plies_is_worth_what_the_position_after_it_is_worth() -> None:
    rng = Random(1)
    for one in begin().moves():
        after = begin().after(one, Seat.FIRST)
        check_moves(after, rng)
        for other in after.moves():
            check_moves(after.after(other, Seat.SECOND), rng)


@pytest.mark.parametrize("ply", range(9))
def test_before_the_recycling_it_is_shadow_of_15_with_cells_and_numbers_exchanged(ply: int) -> None:
    """Only what a full board comes to is different: there the second player has won in Shadow."""
    for state in sample(ply, 40):
        cells = [0] * 9
        for grid, sign in zip(state.grids, (1, -1), strict=True):
            for cell in CELLS:
                if grid[cell]:
                    cells[MAGIC.index(grid[cell])] = sign * MAGIC[cell]
        there = shadow.evaluate(Shadow(15, tuple(cells))).value
        here = evaluate(state).value
        if here.plies is not None and ply + here.plies <= 9:
            assert here == there
        else:
            assert there.result is Result.SECOND
            assert there.plies == 9 - ply


def turn_grid(grid: tuple[int, ...], to: tuple[int, ...]) -> tuple[int, ...]:
    cells = [0] * 9
    for cell in CELLS:
        cells[to[cell]] = grid[cell]
    return tuple(cells)


@pytest.mark.parametrize("ply", PLIES)
def test_each_grid_can_be_turned_and_mirrored_on_its_own(ply: int) -> None:
    rng = Random(ply)
    for state in sample(ply, 10):
        values = {evaluate(state).value}
        for to in SYMMETRIES:
            grids = (turn_grid(state.grids[0], to), turn_grid(state.grids[1], rng.choice(SYMMETRIES)))
            values.add(evaluate(Pattern(grids, state.turn)).value)
        assert len(values) == 1, state


@pytest.mark.parametrize("ply", PLIES)
def test_numbers_can_be_exchanged_by_the_symmetries_of_the_magic_square(ply: int) -> None:
    for state in sample(ply, 10):
        values = set()
        for to in SYMMETRIES:
            new = {MAGIC[cell]: MAGIC[to[cell]] for cell in CELLS} | {0: 0}
            first, second = (tuple(new[n] for n in grid) for grid in state.grids)
            values.add(evaluate(Pattern((first, second), state.turn)).value)
        assert len(values) == 1, state


@pytest.mark.parametrize("ply", PLIES)
def test_best_play_comes_to_the_stated_result_in_the_stated_number_of_plies(ply: int) -> None:
    rng = Random(ply)
    for state in sample(ply, 40):
        promised = evaluate(state).value
        plies = 0
        while state.outcome is None and plies < 60:
            found = evaluate(state)
            assert found.result is promised.result
            best = [choice for choice in found.choices if choice.best]
            state = state.after(rng.choice(best).move, state.turn)
            plies += 1
        if promised.plies is None:
            assert state.outcome is None
        else:
            assert state.outcome is not None
            assert (str(state.outcome.winner), plies) == summarize(promised)


def test_endless_positions_come_up_while_placing_and_while_swapping() -> None:
    for ply in (8, 9, 12):
        assert Result.ENDLESS in {evaluate(state).result for state in sample(ply, 300)}


def test_the_first_player_wins_by_starting_with_the_five() -> None:
    found = evaluate(begin())
    openings = [choice.move for choice in found.choices if choice.best]
    assert summarize(found.value) == ("first", 11)
    assert {move.number for move in openings} == {5}
    assert len(openings) == 9


def test_a_finished_game_has_its_result_and_no_choices() -> None:
    state = begin()
    for text in ("5@1,1", "1@1,1", "4@1,2", "2@2,2", "6@1,3"):
        state = state.play(text)
    found = evaluate(state)
    assert summarize(found.value) == ("first", 0)
    assert found.choices == ()
