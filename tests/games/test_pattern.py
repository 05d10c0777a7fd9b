"""Pattern Match: its rule book and our rulings, one by one.

The drawings show the first player's grid on the left and the second player's on the right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations, product
from random import Random

import pytest

import ninefold
from ninefold import SEATS, GameOver, IllegalMove, MalformedMove, NotYourTurn, Reason, Seat
from ninefold.analysis import Result, evaluate
from ninefold.core.outcome import WonLine
from ninefold.core.perft import perft
from ninefold.core.view import Spot
from ninefold.games.pattern.rules import Pattern
from ninefold.games.pattern.script import SCRIPT
from tests.games.telling import CAST, chosen, news

GAME = ninefold.load("pattern")

# The eight lines as the book counts them, by row and column from 1.
LINES = {
    "row 1": ("1,1", "1,2", "1,3"),
    "row 2": ("2,1", "2,2", "2,3"),
    "row 3": ("3,1", "3,2", "3,3"),
    "column 1": ("1,1", "2,1", "3,1"),
    "column 2": ("1,2", "2,2", "3,2"),
    "column 3": ("1,3", "2,3", "3,3"),
    "falling diagonal": ("1,1", "2,2", "3,3"),
    "rising diagonal": ("3,1", "2,2", "1,3"),
}
POSITIONS = [f"{row},{col}" for row in (1, 2, 3) for col in (1, 2, 3)]


def played(*moves: str) -> Pattern:
    state = GAME.sequence(GAME.start(), moves)
    assert isinstance(state, Pattern)
    return state


def position(turn: Seat, picture: str) -> Pattern:
    """The position of a drawing that is not over."""
    grids: tuple[list[int], list[int]] = ([], [])
    for line in picture.strip().splitlines():
        for grid, half in zip(grids, line.split("|"), strict=True):
            grid += [0 if word == "." else int(word) for word in half.split()]
    first, second = grids
    return Pattern((tuple(first), tuple(second)), turn)


def drawn(state: Pattern) -> str:
    """The drawing of what every viewer sees."""
    first, second = state.view(None).boards
    assert (first.owner, second.owner) == SEATS
    lines = []
    for pair in zip(first.rows, second.rows, strict=True):
        halves = (
            " ".join("." if cell.number is None else str(cell.number) for cell in row) for row in pair
        )
        lines.append(" | ".join(halves))
    return "\n".join(lines)


def picture(text: str) -> str:
    return "\n".join(" ".join(line.split()) for line in text.strip().splitlines())


def pool(state: Pattern) -> tuple[int, ...]:
    return state.view(None).numbers("pool")


def texts(state: Pattern) -> set[str]:
    return {str(move) for move in state.moves()}


# The book's example


EXAMPLE = ("5@2,2", "8@1,3", "6@1,1", "9@3,2", "4@3,3")


def test_the_example_game_is_won_by_the_diagonal_of_6_5_and_4() -> None:
    state = played(*EXAMPLE)
    assert drawn(state) == picture("""
        6 . . | . . 8
        . 5 . | . . .
        . . 4 | . 9 .
    """)
    assert state.outcome is not None
    assert (state.outcome.winner, state.outcome.reason) == (Seat.FIRST, Reason.LINE)
    assert isinstance(state.outcome.detail, WonLine)
    assert state.outcome.detail.line.kind == "diagonal"
    assert state.outcome.detail.numbers == (6, 5, 4)
    assert state.outcome.detail.total == 15


def test_the_example_game_leaves_the_numbers_the_book_lists() -> None:
    pools = [pool(played(*EXAMPLE[:count])) for count in range(6)]
    assert pools == [
        (1, 2, 3, 4, 5, 6, 7, 8, 9),
        (1, 2, 3, 4, 6, 7, 8, 9),
        (1, 2, 3, 4, 6, 7, 9),
        (1, 2, 3, 4, 7, 9),
        (1, 2, 3, 4, 7),
        (1, 2, 3, 7),
    ]


def test_the_example_game_goes_on_until_its_last_move() -> None:
    for count in range(5):
        assert played(*EXAMPLE[:count]).outcome is None


# Setup and turns


def test_both_grids_start_empty_and_the_pool_holds_1_to_9() -> None:
    state = played()
    assert drawn(state) == picture("""
        . . . | . . .
        . . . | . . .
        . . . | . . .
    """)
    assert len(state.moves()) == 81
    assert state.setup == {}


def test_the_players_alternate_and_nobody_may_pass() -> None:
    state = played("5@2,2")
    assert state.movers == (Seat.SECOND,)
    with pytest.raises(NotYourTurn):
        state.play("6@1,1", Seat.FIRST)
    with pytest.raises(MalformedMove):
        state.play("pass")
    assert state.play("6@1,1").movers == (Seat.FIRST,)


def test_a_number_is_placed_on_the_movers_own_grid() -> None:
    assert drawn(played("5@2,2", "8@1,3")) == picture("""
        . . . | . . 8
        . 5 . | . . .
        . . . | . . .
    """)


def test_both_players_may_use_the_same_cell_each_on_their_own_grid() -> None:
    assert drawn(played("5@2,2", "8@2,2")) == picture("""
        . . . | . . .
        . 5 . | . 8 .
        . . . | . . .
    """)


def test_a_number_once_taken_is_gone_for_both_players() -> None:
    state = played("5@2,2")
    with pytest.raises(IllegalMove, match="5 is no longer in the pool"):
        state.play("5@1,1")
    with pytest.raises(IllegalMove, match="5 is no longer in the pool"):
        state.play("8@1,1").play("5@1,1")


def test_a_number_goes_only_on_an_empty_cell_of_the_own_grid() -> None:
    state = played("5@2,2", "8@1,3")
    with pytest.raises(IllegalMove, match="2,2 of your grid is taken"):
        state.play("6@2,2")
    assert drawn(state.play("6@1,3")) == picture("""
        . . 6 | . . 8
        . 5 . | . . .
        . . . | . . .
    """)


def test_any_number_of_the_pool_may_go_on_any_empty_cell() -> None:
    state = position(
        Seat.SECOND,
        """
        1 2 . | 6 . .
        . . 3 | . 7 .
        . . . | . . .
        """,
    )
    cells = set(POSITIONS) - {"1,1", "2,2"}
    assert texts(state) == {f"{number}@{cell}" for number in (4, 5, 8, 9) for cell in cells}


def test_a_placed_number_is_not_moved_or_replaced_while_the_pool_lasts() -> None:
    state = played("5@2,2", "8@1,3")
    with pytest.raises(IllegalMove, match="only when the pool is empty"):
        state.play("return@2,2")
    with pytest.raises(IllegalMove, match="only after a number has been returned"):
        state.play("swap@2,2")


# Winning


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("line", LINES.values(), ids=LINES.keys())
def test_a_full_line_on_the_own_grid_wins_exactly_if_it_adds_up_to_15(
    line: tuple[str, str, str], seat: Seat
) -> None:
    wins = 0
    for trio in permutations(range(1, 10), 3):
        for last in range(3):
            grid = [0] * 9
            for cell, number in zip(line, trio, strict=True):
                grid[POSITIONS.index(cell)] = number
            grid[POSITIONS.index(line[last])] = 0
            # The opponent's two numbers stand apart from any line of three.
            others = [number for number in range(1, 10) if number not in trio]
            opposite = (others[0], 0, 0, 0, 0, others[1], 0, 0, 0)
            own = tuple(grid)
            before = Pattern((opposite, own) if seat else (own, opposite), seat)
            outcome = before.play(f"{trio[last]}@{line[last]}").outcome
            if sum(trio) == 15:
                assert outcome is not None
                assert (outcome.winner, outcome.reason) == (seat, Reason.LINE)
                assert isinstance(outcome.detail, WonLine)
                assert {POSITIONS[cell] for cell in outcome.detail.line.cells} == set(line)
                assert sorted(outcome.detail.numbers) == sorted(trio)
                wins += 1
            else:
                assert outcome is None
    assert wins == 3 * 6 * 8, "eight trios of different numbers add up to 15"


def test_two_numbers_that_add_up_to_15_do_not_win() -> None:
    assert played("9@1,1", "1@3,1", "6@1,2").outcome is None


def test_three_numbers_that_add_up_to_15_off_a_line_do_not_win() -> None:
    assert played("4@1,1", "1@3,1", "5@1,2", "2@3,2", "6@2,1").outcome is None


def test_a_line_across_both_grids_does_not_count() -> None:
    assert played("4@1,1", "6@1,3", "5@1,2").outcome is None


def test_one_number_may_complete_two_lines() -> None:
    state = position(
        Seat.FIRST,
        """
        . 5 6 | 7 . .
        8 . . | . 1 .
        3 . . | . 9 2
        """,
    )
    # The second player's 7 + 1 + 2 is not 15, so nobody has won yet.
    won = state.play("4@1,1").outcome
    assert won is not None
    assert (won.winner, won.reason) == (Seat.FIRST, Reason.LINE)


def test_a_line_wins_at_once_and_nobody_moves_any_more() -> None:
    state = played(*EXAMPLE)
    assert state.movers == ()
    with pytest.raises(GameOver):
        state.play("1@3,1", Seat.SECOND)


def test_the_last_number_of_the_pool_wins_if_it_completes_a_line() -> None:
    state = position(
        Seat.FIRST,
        """
        4 5 . | 7 . 8
        1 . . | 9 . .
        . . 2 | . . 3
        """,
    )
    assert pool(state) == (6,)
    won = state.play("6@1,3")
    assert won.outcome is not None
    assert won.outcome.winner is Seat.FIRST
    assert state.play("6@3,2").outcome is None


# Recycling: the return


# The pool is empty, and no line of 15 stands:
#
#     1 2 3 | 6 7 .
#     4 . . | . . 8
#     . . 5 | 9 . .
EMPTY_POOL = ("1@1,1", "6@1,1", "2@1,2", "7@1,2", "3@1,3", "8@2,3", "4@2,1", "9@3,1", "5@3,3")


def test_when_the_pool_is_empty_the_second_player_returns_one_of_their_own_numbers() -> None:
    state = played(*EMPTY_POOL)
    assert pool(state) == ()
    assert state.outcome is None
    assert state.movers == (Seat.SECOND,)
    assert texts(state) == {"return@1,1", "return@1,2", "return@2,3", "return@3,1"}
    assert state.view(None).phase == "returning"


def test_a_return_empties_the_cell_fills_the_pool_and_is_the_whole_turn() -> None:
    state = played(*EMPTY_POOL, "return@1,2")
    assert drawn(state) == picture("""
        1 2 3 | 6 . .
        4 . . | . . 8
        . . 5 | 9 . .
    """)
    assert pool(state) == (7,)
    assert state.movers == (Seat.FIRST,)
    assert state.outcome is None


def test_while_the_pool_is_empty_nothing_can_be_placed_or_swapped() -> None:
    state = played(*EMPTY_POOL)
    with pytest.raises(IllegalMove, match="Now you return one of yours"):
        state.play("1@2,2")
    with pytest.raises(IllegalMove, match="only after a number has been returned"):
        state.play("swap@1,1")


def test_only_a_cell_with_an_own_number_can_be_returned() -> None:
    state = played(*EMPTY_POOL)
    # 1,3 holds the first player's 3 and nothing of the second player's.
    for cell in ("1,3", "2,2"):
        with pytest.raises(IllegalMove, match=f"no number at {cell}"):
            state.play(f"return@{cell}")


# Recycling: the swap


def test_after_the_return_each_turn_swaps_an_own_number_with_the_pools() -> None:
    state = played(*EMPTY_POOL, "return@1,2")
    assert texts(state) == {"swap@1,1", "swap@1,2", "swap@1,3", "swap@2,1", "swap@3,3"}
    assert state.view(None).phase == "swapping"
    state = state.play("swap@1,3")
    assert drawn(state) == picture("""
        1 2 7 | 6 . .
        4 . . | . . 8
        . . 5 | 9 . .
    """)
    assert pool(state) == (3,)
    assert state.movers == (Seat.SECOND,)
    assert texts(state) == {"swap@1,1", "swap@2,3", "swap@3,1"}
    state = state.play("swap@2,3")
    assert drawn(state) == picture("""
        1 2 7 | 6 . .
        4 . . | . . 3
        . . 5 | 9 . .
    """)
    assert pool(state) == (8,)
    assert state.movers == (Seat.FIRST,)


def test_while_swapping_nothing_can_be_placed_or_returned() -> None:
    state = played(*EMPTY_POOL, "return@1,2")
    for text in ("7@2,2", "1@2,2"):
        with pytest.raises(IllegalMove, match="Now you swap one of yours"):
            state.play(text)
    with pytest.raises(IllegalMove, match="only when the pool is empty"):
        state.play("return@1,1")


def test_only_a_cell_with_an_own_number_can_be_swapped() -> None:
    state = played(*EMPTY_POOL, "return@1,2")
    # 2,3 holds the second player's 8 and nothing of the first player's.
    for cell in ("2,2", "2,3"):
        with pytest.raises(IllegalMove, match=f"no number at {cell}"):
            state.play(f"swap@{cell}")


def test_the_returned_cell_stays_empty_for_the_rest_of_the_game() -> None:
    state = played(*EMPTY_POOL, "return@1,2", "swap@1,3")
    for refused in ("swap@1,2", "3@1,2", "return@1,2"):
        with pytest.raises(IllegalMove):
            state.play(refused)


def test_a_swap_of_the_first_player_can_win() -> None:
    state = played(
        *("1@1,1", "6@1,1", "5@1,2", "7@1,2", "2@1,3", "8@2,3", "3@2,1", "9@3,1", "4@3,3"), "return@3,1"
    )
    assert drawn(state) == picture("""
        1 5 2 | 6 7 .
        3 . . | . . 8
        . . 4 | . . .
    """)
    won = state.play("swap@1,3")
    assert won.outcome is not None
    assert (won.outcome.winner, won.outcome.reason) == (Seat.FIRST, Reason.LINE)
    assert isinstance(won.outcome.detail, WonLine)
    assert won.outcome.detail.numbers == (1, 5, 9)
    assert state.play("swap@2,1").outcome is None


def test_a_swap_of_the_second_player_can_win() -> None:
    state = played(
        *("1@1,1", "6@1,1", "2@2,2", "7@1,2", "3@1,3", "8@1,3", "4@2,1", "9@3,3", "5@3,2"),
        *("return@3,3", "swap@2,2"),
    )
    assert drawn(state) == picture("""
        1 . 3 | 6 7 8
        4 9 . | . . .
        . 5 . | . . .
    """)
    won = state.play("swap@1,3")
    assert won.outcome is not None
    assert (won.outcome.winner, won.outcome.reason) == (Seat.SECOND, Reason.LINE)
    assert isinstance(won.outcome.detail, WonLine)
    assert won.outcome.detail.numbers == (6, 7, 2)
    assert won.movers == ()


def test_a_line_with_an_empty_cell_never_wins() -> None:
    # After the return 6 + 9 and the empty cell stand in column 1.
    state = position(
        Seat.SECOND,
        """
        1 2 3 | 6 . .
        4 . . | 7 . .
        . . 5 | 9 . 8
        """,
    )
    later = state.play("return@2,1")
    assert later.outcome is None
    assert later.movers == (Seat.FIRST,)


def test_swapping_may_go_round_in_circles() -> None:
    state = played(*EMPTY_POOL, "return@3,1")
    seen = [state]
    for move in ("swap@1,3", "swap@1,2") * 3:
        state = state.play(move)
        assert state.outcome is None
        seen.append(state)
    assert seen[-1] == seen[0]
    assert len(set(seen)) == 6


# Dead positions


DEAD = """
    1 2 . | 6 7 .
    . . 3 | . . .
    4 5 . | . . 8
"""


def on_cells(first: tuple[int, ...], second: tuple[int, ...], numbers: list[int]) -> Pattern:
    """The numbers on these cells in their order; the second player moves if none is left."""
    grids = ([0] * 9, [0] * 9)
    for grid, cells in zip(grids, (first, second), strict=True):
        for cell in cells:
            grid[cell] = numbers.pop()
    turn = Seat.FIRST if numbers else Seat.SECOND
    return Pattern((tuple(grids[0]), tuple(grids[1])), turn)


def holds_a_line(cells: tuple[int, ...]) -> bool:
    labels = {POSITIONS[cell] for cell in cells}
    return any(labels.issuperset(line) for line in LINES.values())


def recycled_cells() -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """All cells that five numbers and four, or five and three, can stand on."""
    for count in (4, 3):
        yield from product(combinations(range(9), 5), combinations(range(9), count))


def test_a_dead_position_is_never_won_and_every_move_from_it_leads_to_another() -> None:
    """On all cells without a line. What `dead` says depends on the cells alone, so this is a proof."""
    rng = Random(1)
    count = 0
    for first, second in recycled_cells():
        state = on_cells(first, second, rng.sample(range(1, 10), 9))
        assert state.dead == (not holds_a_line(first) and not holds_a_line(second))
        if state.dead:
            count += 1
            for seat in SEATS if state.recycling else (Seat.SECOND,):
                here = replace(state, turn=seat)
                for move in here.moves():
                    later = here.play(move)
                    assert later.outcome is None
                    assert later.dead
    assert count > 1000


def can_be_won(state: Pattern) -> bool:
    """Whether both players together can find a line, by plain search."""
    seen, waiting = {state}, [state]
    while waiting:
        here = waiting.pop(0)
        for move in here.moves():
            later = here.play(move)
            if later.outcome is not None:
                return True
            if later not in seen:
                seen.add(later)
                waiting.append(later)
    return False


def test_a_position_with_a_full_line_of_cells_can_still_be_won() -> None:
    rng = Random(2)
    alive = [cells for cells in recycled_cells() if any(map(holds_a_line, cells))]
    tried = 0
    for first, second in rng.sample(alive, 2000):
        state = on_cells(first, second, rng.sample(range(1, 10), 9))
        if not any(won(grid) for grid in state.grids):
            assert not state.dead
            assert can_be_won(state), drawn(state)
            tried += 1
    assert tried > 1000


def won(grid: tuple[int, ...]) -> bool:
    numbers = dict(zip(POSITIONS, grid, strict=True))
    return any(
        all(trio) and sum(trio) == 15 for trio in ([numbers[p] for p in line] for line in LINES.values())
    )


def test_no_position_is_dead_while_there_are_numbers_to_place() -> None:
    """The last number, too, can always give the first player a full line of cells."""
    assert not GAME.start().dead
    for cells in combinations(range(9), 4):
        more = [(*cells, cell) for cell in range(9) if cell not in cells]
        assert any(map(holds_a_line, more))
    rng = Random(3)
    for seed in range(300):
        for state, _ in random_game(seed, cap=9):
            assert not state.dead
    for first, second in rng.sample([*product(combinations(range(9), 4), repeat=2)], 500):
        state = on_cells(first, second, rng.sample(range(1, 10), 9))
        assert not state.dead
        if not any(won(grid) for grid in state.grids):
            assert can_be_won(state), drawn(state)


def test_about_one_random_game_in_five_comes_to_a_dead_position() -> None:
    dead = sum(any(state.dead for state, _ in random_game(seed)) for seed in range(2000))
    assert 0.17 < dead / 2000 < 0.23


def test_a_dead_position_still_takes_every_move() -> None:
    state = position(Seat.FIRST, DEAD)
    assert state.dead
    assert texts(state) == {"swap@1,1", "swap@1,2", "swap@2,3", "swap@3,1", "swap@3,2"}
    assert state.play("swap@1,1").play("swap@3,3").dead
    assert evaluate(state).result is Result.ENDLESS
    assert perft(state, 3) == 5 * 3 * 5


def random_game(seed: int, cap: int = 60) -> Iterator[tuple[Pattern, str]]:
    """Positions with the move made there."""
    rng = Random(seed)
    state = played()
    for _ in range(cap):
        if state.outcome is not None:
            return
        move = rng.choice(state.moves())
        yield state, str(move)
        state = state.play(move)


def test_the_nine_numbers_are_always_on_the_grids_or_in_the_pool_each_once() -> None:
    for seed in range(40):
        for state, _ in random_game(seed):
            on_grids = [number for grid in state.grids for number in grid if number]
            assert sorted([*on_grids, *pool(state)]) == list(range(1, 10))


def test_the_second_player_returns_once_and_from_then_on_the_pool_holds_one_number() -> None:
    recycled = 0
    for seed in range(60):
        game = list(random_game(seed))
        returns = [(k, state) for k, (state, move) in enumerate(game) if move.startswith("return")]
        if len(game) <= 9:
            assert not returns
            continue
        ((ply, state),) = returns
        assert ply == 9
        assert state.movers == (Seat.SECOND,)
        assert pool(state) == ()
        emptied = POSITIONS.index(game[9][1].removeprefix("return@"))
        for later, move in game[10:]:
            assert len(pool(later)) == 1
            assert move.startswith("swap@")
            assert later.grids[Seat.SECOND][emptied] == 0
            recycled += 1
    assert recycled > 100


# What is seen


def test_every_viewer_sees_both_grids_and_the_pool() -> None:
    state = played(*EXAMPLE[:3])
    for viewer in (None, *SEATS):
        view = state.view(viewer)
        shown = [
            {cell.label: (cell.number, cell.owner) for cell in board.cells if cell.number}
            for board in view.boards
        ]
        assert shown == [
            {"2,2": (5, Seat.FIRST), "1,1": (6, Seat.FIRST)},
            {"1,3": (8, Seat.SECOND)},
        ]
        assert all(cell.owner is None for board in view.boards for cell in board.cells if not cell.number)
        assert view.numbers("pool") == (1, 2, 3, 4, 7, 9)
        assert view.phase == "placing"


def test_both_grids_are_labeled_with_rows_and_columns_1_to_3() -> None:
    lines = SCRIPT.board(played("5@2,3").view(None), CAST)
    assert lines[2:] == [
        "Ann's Grid:",
        "[ ][ ][ ]",
        "[ ][ ][5]",
        "[ ][ ][ ]",
        " 1  2  3   columns; rows 1-3 from top to bottom",
        "",
        "Ben's Grid:",
        "[ ][ ][ ]",
        "[ ][ ][ ]",
        "[ ][ ][ ]",
        " 1  2  3   columns; rows 1-3 from top to bottom",
    ]


# What a page needs


def test_a_spot_is_the_cell_of_the_own_grid_and_while_placing_the_number_too() -> None:
    assert GAME.spot(GAME.parse("5@2,2")) == Spot(5, (4,), "place")
    assert GAME.spot(GAME.parse("return@2,2")) == Spot(None, (4,), "return")
    assert GAME.spot(GAME.parse("swap@3,3")) == Spot(None, (8,), "swap")


def test_the_page_asks_for_a_number_of_the_pool_then_for_one_to_return_then_for_one_to_swap() -> None:
    assert chosen(played()) == "Choose a number from the pool and an empty cell of your own grid."
    assert chosen(played(*EMPTY_POOL)) == (
        "All nine numbers are placed and nobody has a line of 15. Choose one of your numbers to return "
        "to the pool; its cell stays empty from now on."
    )
    returned = played(*EMPTY_POOL, "return@1,2")
    assert chosen(returned) == "Choose one of your numbers to swap for the 7."


def test_the_page_tells_what_was_placed_returned_or_swapped() -> None:
    assert news(played(), "5@2,2") == "Ann put 5 in the center."
    assert news(played(*EMPTY_POOL), "return@1,2") == "Ben returned the 7 to the pool."
    assert news(played(*EMPTY_POOL, "return@1,2"), "swap@2,1") == "Ann swapped the 4 for the 7."
