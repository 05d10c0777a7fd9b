"""What the examples say of the rules and of good and bad moves is so."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import ninefold
from ninefold import SEATS, Reason, Seat, State
from ninefold.analysis import evaluate
from ninefold.core.grid import CELLS
from ninefold.core.outcome import WonLine
from ninefold.games.conquest.rules import Conquest
from ninefold.games.pattern.rules import Pattern, Return, Swap
from ninefold.games.shadow.rules import PLACES, Shadow


def replayed(slug: str) -> list[State[Any]]:
    """The positions of an example, from the start to the end."""
    game = ninefold.load(slug)
    texts = [text for text, _ in game.example.moves]
    start = game.set_up(game.example.setup)
    return [game.sequence(start, texts[:count]) for count in range(len(texts) + 1)]


def first_wins(state: State[Any]) -> dict[str, Fraction | None]:
    """The first player's chance after each move of the seat to choose."""
    seat = state.movers[0]
    return {str(c.move): c.value.first_wins for c in evaluate(state).choices if c.seat == seat}


def winning(state: State[Any]) -> set[str]:
    """The moves that win by force for the seat to move."""
    won = 1 if state.movers[0] is Seat.FIRST else 0
    return {move for move, chance in first_wins(state).items() if chance == won}


# Shadow


def test_shadow_shows_a_mixed_line_of_15_that_does_not_count() -> None:
    blocked = replayed("shadow")[4]
    assert isinstance(blocked, Shadow)
    assert [blocked.cells[cell] for cell in (2, 4, 6)] == [-6, 5, 4]
    assert blocked.outcome is None


def test_shadow_is_won_by_a_line_of_15() -> None:
    outcome = replayed("shadow")[-1].outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (Seat.FIRST, Reason.LINE)
    assert isinstance(outcome.detail, WonLine)
    assert outcome.detail.numbers == (8, 3, 4)


def test_shadow_is_right_that_a_corner_holds_and_an_edge_loses() -> None:
    corners = {"1,1", "1,3", "3,1", "3,3"}
    after_the_centre = replayed("shadow")[1]
    assert {move.split("@")[1] for move in winning(after_the_centre)} == corners
    assert len(winning(after_the_centre)) == 9 * len(corners)


def test_shadow_is_right_about_the_threats() -> None:
    positions = replayed("shadow")
    assert threats(positions[3], Seat.FIRST) == {"6@1,3"}
    assert threats(positions[4], Seat.SECOND) == {"2@1,1"}
    assert threats(positions[5], Seat.FIRST) == {"2@3,3", "3@2,1"}
    assert threats(positions[6], Seat.SECOND) == {"8@2,3"}
    assert threats(positions[6], Seat.FIRST) == {"3@2,1"}


def threats(state: State[Any], seat: Seat) -> set[str]:
    """What would win for a seat if it were to move."""
    assert isinstance(state, Shadow)
    places = (
        PLACES[number, cell] for number in state.hand(seat) for cell in CELLS if not state.cells[cell]
    )
    outcomes = {str(place): state.after(place, seat).outcome for place in places}
    return {place for place, outcome in outcomes.items() if outcome and outcome.winner == seat}


# Battle


def test_battle_is_right_that_4_or_less_loses_and_only_the_9_wins_against_it() -> None:
    start, after_the_4, *_ = replayed("battle")
    grid = str(start.setup["grid"])
    cells = [start.game.spot(start.game.parse(move)).cells[0] for move in winning(start)]
    assert {grid[cell] for cell in cells} == set("56789")
    assert winning(after_the_4) == {"0,2"}
    assert evaluate(start).margin == 25 - 20
    assert first_wins(start)["0,2"] == 1


def test_battle_gives_the_scores_that_the_words_name() -> None:
    assert [scores(state) for state in replayed("battle")[1:]] == [
        *([4, 0], [4, 9], [12, 9], [12, 16], [18, 16], [18, 21], [21, 21], [21, 23], [22, 23]),
    ]


def scores(state: State[Any]) -> list[int]:
    return [state.view(None).number("score", seat) for seat in SEATS]


def test_battle_is_right_that_the_largest_number_is_never_wrong() -> None:
    for state in replayed("battle")[:-1]:
        unclaimed = [cell for cell in state.view(None).boards[0].cells if cell.owner is None]
        largest = max(unclaimed, key=lambda cell: cell.number or 0)
        assert largest.label in {str(choice.move) for choice in evaluate(state).choices if choice.best}


# Pattern


def test_pattern_is_played_perfectly_by_both() -> None:
    game = ninefold.load("pattern")
    for state, (text, _) in zip(replayed("pattern"), game.example.moves, strict=False):
        assert text in {str(choice.move) for choice in evaluate(state).choices if choice.best}


def test_pattern_recycles_and_no_return_would_save_ben() -> None:
    *_, returning, swapping, over = replayed("pattern")
    assert isinstance(returning, Pattern)
    assert returning.pool == ()
    assert all(isinstance(move, Return) for move in returning.moves())
    assert winning(returning) == set()
    for move in returning.moves():
        assert any(returning.play(move).play(swap).outcome for swap in returning.play(move).moves())
    assert all(isinstance(move, Swap) for move in swapping.moves())
    assert over.outcome is not None
    assert isinstance(over.outcome.detail, WonLine)
    assert over.outcome.detail.numbers == (4, 2, 9)


# Conquest


def test_conquest_has_a_challenge_that_fails_and_one_that_succeeds() -> None:
    positions = replayed("conquest")
    changed = []
    for before, after in pairwise(positions):
        assert isinstance(before, Conquest)
        assert isinstance(after, Conquest)
        if before.secret and not after.secret:
            changed.append(before.owners != after.owners)
    assert changed == [False, True]


def test_conquest_is_right_about_claiming_and_challenging() -> None:
    positions = replayed("conquest")
    third = first_wins(positions[2])
    assert worth(third["claim:3"]) > worth(third["challenge:1"])
    fourth = first_wins(positions[3])
    assert worth(fourth["challenge:5"]) < worth(fourth["claim:2"])
    again = first_wins(positions[7])
    assert worth(again["challenge:5"]) < 1
    assert {chance for move, chance in again.items() if move.startswith("claim")} == {Fraction(1)}


def worth(chance: Fraction | None) -> Fraction:
    assert chance is not None
    return chance


def test_conquest_cannot_be_lost_by_ann_after_her_1_and_nothing_helps_ben_at_the_end() -> None:
    positions = replayed("conquest")
    for ply in range(10, 15):
        assert evaluate(positions[ply]).first_wins == 1
    last_chance = positions[13]
    assert isinstance(last_chance, Conquest)
    assert last_chance.hands == ((2, 3, 5), (1, 2, 3))
    assert set(first_wins(last_chance).values()) == {Fraction(1)}


# Cross


def test_cross_is_right_about_the_first_line_and_about_bens_second() -> None:
    positions = replayed("cross")
    assert winning(positions[0]) == {"Row3", "Col1", "Col2"}
    assert winning(positions[3]) == {"Col1"}


def test_cross_ends_45_to_45_and_is_won_by_the_second_player() -> None:
    over = replayed("cross")[-1]
    assert over.outcome is not None
    assert (over.outcome.winner, over.outcome.reason) == (Seat.SECOND, Reason.TIE)
    assert scores(over) == [45, 45]
