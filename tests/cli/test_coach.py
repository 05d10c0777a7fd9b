"""`--coach`: a move that gives something away is shown with its reply, and can be taken back."""

from __future__ import annotations

import json

import pytest

from ninefold.store.files.matches import data_folder
from tests.cli.session import run
from tests.cli.test_terminal import terminal

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")

GRID = "542689713"  # only Row 2 wins for the first player
CROSS = ("play", "cross", "--grid", GRID, "--p2", "perfect", "--coach")


@pytest.mark.parametrize("answer", ["y", ""], ids=["yes", "Enter"])
def test_a_mistake_is_shown_taken_back_and_never_played(answer: str) -> None:
    session = run(*CROSS, typed=["Row3", answer, "Row2", "Col3", "Row1"])
    warned, _, after = session.out.partition("Take it back?")
    assert (
        "Coach: Row 3 gives something away. With best play, the computer wins by 6 in 5 moves." in warned
    )
    assert "The computer claimed Row 2 for 23 and has 23." in warned
    assert "You claimed Row 3" not in session.out
    assert "You claimed Row 2 for 23 and have 23." in after
    assert "Coach:" not in after
    assert "You win" in after


def test_a_mistake_can_be_played_on_and_is_a_moment_in_the_end() -> None:
    session = run(*CROSS, typed=["Row3", "n", "Col1", "n", "Row1", "Col3"])
    assert "You claimed Row 3 for 11 and have 11." in session.out
    assert "One moment mattered:" in session.out
    assert session.out.count("Coach:") == 1  # the game is lost from then on: nothing else can be saved


def test_at_a_terminal_the_moments_that_mattered_are_puzzles() -> None:
    with terminal(*CROSS, "--no-color") as screen:
        for line, coached in (("Row3", True), ("Col1", False), ("Row1", False)):
            screen.answer("Line: ", line)
            if coached:
                screen.answer("Take it back? [Y/n] ", "n")
        screen.see("One moment mattered:")
        screen.see("Your move on turn 1: Row 3. What is better?")
        screen.answer("Better move: ", "Col1")
        screen.see("Column 1 isn't the move.")
        screen.answer("Better move: ", "Row2")
        screen.see("Yes.")
        screen.answer("[y/N] ", "n")
        assert screen.leave() == 0


def test_the_record_says_that_there_was_a_coach() -> None:
    run(*CROSS, typed=["Row2"])
    run("play", "cross", "--grid", GRID, "--p2", "perfect", typed=["Row2"])
    records = [json.loads(path.read_text()) for path in sorted(data_folder().rglob("*.json"))]
    assert sorted("coach" in record for record in records) == [False, True]


@pytest.mark.parametrize("players", [(), ("--p1", "level:1", "--p2", "level:2")])
def test_it_is_for_one_person_against_the_computer(players: tuple[str, ...]) -> None:
    session = run("play", "cross", "--coach", *players)
    assert session.status == 2
    assert "one person who plays the computer" in session.err
