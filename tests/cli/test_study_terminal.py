"""The computer and the review on a terminal."""

from __future__ import annotations

import pytest

from tests.cli.session import GRID, run
from tests.cli.test_study import kept_id
from tests.cli.test_terminal import terminal

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")

LOST_AT_ONCE = ["0 0", "2 2", "2 1", "2 0", "1 2", "1 1", "1 0", "0 2", "0 1"]


def test_the_menu_seats_a_computer_and_shows_it_thinking() -> None:
    with terminal() as screen:
        screen.answer("q to quit: ", "2")
        screen.answer("Your choice: ", "c")
        screen.answer("(just Enter for 3)? ", "eleven")
        screen.see("Type a number from 1 to 9, perfect, random or greedy.")
        screen.answer("(just Enter for 3)? ", "perfect")
        screen.answer("(just Enter for 1)? ", "2")
        screen.see("is thinking...")
        screen.see("with value 9.")
        screen.answer("claim:\n", "quit")
        assert screen.leave() == 0


def test_after_a_review_the_deciding_move_can_be_found() -> None:
    run("play", "battle", "--grid", GRID, typed=LOST_AT_ONCE)
    with terminal("review", kept_id()) as screen:
        screen.see("Decided by move 1")
        screen.answer("find the better move? [y/N] ", "y")
        screen.see("What is better?")
        screen.answer("to see it: ", "9 9")
        screen.see("is not on the grid")
        screen.answer("to see it: ", "0 1")
        screen.see("No, there is better.")
        screen.answer("to see it: ", "2 2")
        screen.see("Yes, that is it.")
        assert screen.leave() == 0


def test_the_better_move_is_shown_to_who_gives_up() -> None:
    run("play", "battle", "--grid", GRID, typed=LOST_AT_ONCE)
    with terminal("review", kept_id()) as screen:
        screen.answer("find the better move? [y/N] ", "y")
        screen.answer("to see it: ", "")
        screen.see("It was 2,2.")
        assert screen.leave() == 0
