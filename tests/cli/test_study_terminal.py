"""The computer and the review on a terminal."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.cli.session import BATTLE, only_id, run
from tests.cli.test_study import LOST_AT_ONCE
from tests.cli.test_terminal import CTRL_D, Terminal, terminal

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")


def test_the_menu_seats_a_computer_and_shows_it_thinking() -> None:
    with terminal() as screen:
        screen.answer("q to quit: ", "battle")
        screen.answer("Your choice: ", "c")
        screen.answer("(Enter for 3)? ", "eleven")
        screen.see("Type a number from 1 to 9, perfect, random or greedy.")
        screen.answer("(Enter for 3)? ", "perfect")
        screen.answer("1 for you, 2 for the computer, or random (Enter for 1)? ", "2")
        screen.see("omputer")
        screen.see("is thinking...")
        screen.see("The computer")
        screen.see("took the 9 and has 9.")
        screen.answer("Cell (row,column): ", "quit")
        assert screen.leave() == 0


QUESTION = "Go back to move 1 and find a better one? [y/N] "
TRY = "Your move, or press Enter to see the answer: "
TOLD = "The winning move: the 9."


@pytest.fixture
def screen() -> Iterator[Terminal]:
    """The review of a game that was lost at its first move."""
    run(*BATTLE, typed=LOST_AT_ONCE)
    with terminal("review", only_id(), "--no-color") as opened:
        yield opened


def test_the_deciding_move_can_be_found_before_the_review_tells_it(screen: Terminal) -> None:
    screen.answer(QUESTION, "y")
    screen.see("Player 1's move 1: the 1. What is better?")
    for wrong in ("9 9", "2", "hint"):
        screen.answer(TRY, wrong)
        screen.see("Type a whole move, like 0,0")
    screen.answer(TRY, "0 1")
    screen.see("The 2 isn't the move. Try again.")
    screen.see(TRY)
    assert "the 9" not in screen.screen.lower()
    assert "BETTER" not in screen.screen
    screen.type("2 2")
    screen.see("Yes: the 9.")
    screen.see(TOLD)
    assert screen.leave() == 0


def test_the_better_move_is_shown_to_whoever_gives_up(screen: Terminal) -> None:
    screen.answer(QUESTION, "y")
    screen.answer(TRY, "")
    screen.see("Best: the 9.")
    screen.see(TOLD)
    assert screen.leave() == 0


def test_an_answer_that_is_neither_yes_nor_no_is_asked_for_again(screen: Terminal) -> None:
    screen.answer(QUESTION, "foo")
    screen.see("Type y to look for it, or n to see the review.")
    screen.answer(QUESTION, "n")
    screen.see(TOLD)
    assert screen.leave() == 0


def test_the_end_of_input_is_a_no(screen: Terminal) -> None:
    screen.see(QUESTION)
    screen.press(CTRL_D)
    screen.see(TOLD)
    assert screen.leave() == 0
