"""A move that is asked for in several questions: what was typed can be chosen anew until it is whole."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ninefold.store.files import Matches
from tests.cli.session import Session, run

NAMES = ("--name1", "Ann", "--name2", "Ben")


def session(game: str, *typed: str, setup: Sequence[str] = ()) -> tuple[Session, list[str]]:
    """A session that ends with its input, and the moves that it kept."""
    left = run("play", game, *NAMES, *setup, typed=typed)
    (entry,) = Matches().entries()
    assert entry.match is not None
    return left, [one.move for one in entry.match.played]


@pytest.mark.parametrize("word", ["back", "BACK", " undo "])
def test_a_number_is_chosen_anew(word: str) -> None:
    _, moves = session("shadow", "5", word, "7", "2,2", setup=("--target", "15"))
    assert moves == ["7@2,2"]


def test_a_whole_move_takes_the_place_of_what_was_begun() -> None:
    _, moves = session("shadow", "5", "3@1,1", "4", "2,2", setup=("--target", "15"))
    assert moves == ["3@1,1", "4@2,2"]


@pytest.mark.parametrize("game", ["shadow", "pattern"])
@pytest.mark.parametrize(
    "slip", ["3,3 1", "2 2 2", "3 3 3", "1, 1, 1", "3;1,1", "3:1 1", "3 row 1 col 1"]
)
def test_a_chosen_number_is_not_replaced_by_a_slip_in_the_position(game: str, slip: str) -> None:
    setup = ("--target", "15") if game == "shadow" else ()
    left, moves = session(game, "5", slip, "2,2", setup=setup)
    assert f'"{slip}" is not a row and a column.' in left.out
    assert "Type back to choose this move anew." in left.out
    assert moves == ["5@2,2"]


def test_a_move_with_the_number_that_was_chosen_may_be_typed_in_any_way() -> None:
    for typed in ("5 2 2", "5, 2,2", "5@2,2", "5 at (2, 2)"):
        _, moves = session("pattern", "5", typed)
        assert moves == ["5@2,2"]
        for entry in Matches().entries():
            entry.path.unlink()


@pytest.mark.parametrize("typed", ["3@1,1", "3 @ 1 1", "3 at 1,1", "3 AT (1, 1)"])
def test_a_chosen_number_is_replaced_by_a_move_that_can_mean_nothing_else(typed: str) -> None:
    _, moves = session("pattern", "5", typed)
    assert moves == ["3@1,1"]


def test_a_chosen_action_is_replaced_by_a_whole_move() -> None:
    _, moves = session("conquest", "claim 1", "challenge", "claim 2")
    assert moves == ["claim:1", "claim:2"]


def test_a_challenge_that_was_a_slip_becomes_a_claim() -> None:
    left, moves = session("conquest", "claim 1", "challenge", "claim", "back", "claim", "2")
    assert "Type back to choose this move anew." in left.out
    assert moves == ["claim:1", "claim:2"]


def test_a_cell_is_a_cell_even_where_it_could_be_a_whole_move() -> None:
    _, moves = session("conquest", "claim 1", "challenge", "1")
    assert moves == ["claim:1", "challenge:1"]


def test_undo_at_the_second_question_takes_no_turn_back() -> None:
    _, moves = session("pattern", "5@1,1", "4@1,1", "6", "undo", "7", "3,3")
    assert moves == ["5@1,1", "4@1,1", "7@3,3"]


def test_undo_at_the_first_question_takes_a_turn_back() -> None:
    _, moves = session("pattern", "5@1,1", "undo", "6@1,1")
    assert moves == ["6@1,1"]


def test_help_at_the_second_question_names_the_way_back() -> None:
    left, _ = session("shadow", "5@1,1", "6", "help", setup=("--target", "15"))
    assert "  back     choose this move anew" in left.out
