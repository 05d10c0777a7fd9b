"""The computer and the review on a terminal."""

from __future__ import annotations

import pytest

from tests.cli.session import GRID, run
from tests.cli.test_study import LOST_AT_ONCE, kept_id
from tests.cli.test_terminal import CTRL_D, terminal

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")


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


QUESTION = "Look at move 1 again and find the better move? [y/N] "
TRY = "Your move, or just Enter to see it: "


def test_the_deciding_move_can_be_found_before_the_review_tells_it() -> None:
    run("play", "battle", "--grid", GRID, typed=LOST_AT_ONCE)
    with terminal("review", kept_id()) as screen:
        screen.answer(QUESTION, "y")
        screen.see("What is better?")
        for wrong in ("9 9", "2", "hint"):
            screen.answer(TRY, wrong)
            screen.see("Type a whole move, like 0,0, which was played.")
        screen.answer(TRY, "0 1")
        screen.see("No, there is better.")
        screen.see(TRY)
        assert "2,2" not in screen.screen
        assert "BEST" not in screen.screen
        screen.type("2 2")
        screen.see("Yes, that is it.")
        screen.see("Decided by move 1")
        assert screen.leave() == 0


def test_the_better_move_is_shown_to_who_gives_up() -> None:
    run("play", "battle", "--grid", GRID, typed=LOST_AT_ONCE)
    with terminal("review", kept_id()) as screen:
        screen.answer(QUESTION, "y")
        screen.answer(TRY, "")
        screen.see("It was 2,2.")
        screen.see("Better: 2,2.")
        assert screen.leave() == 0


def test_an_answer_that_is_neither_yes_nor_no_is_asked_for_again() -> None:
    run("play", "battle", "--grid", GRID, typed=LOST_AT_ONCE)
    with terminal("review", kept_id()) as screen:
        screen.answer(QUESTION, "foo")
        screen.see("Type y to look for it first, or n to see the review.")
        screen.answer(QUESTION, "n")
        screen.see("Better: 2,2.")
        assert screen.leave() == 0


def test_the_end_of_input_is_a_no() -> None:
    run("play", "battle", "--grid", GRID, typed=LOST_AT_ONCE)
    with terminal("review", kept_id()) as screen:
        screen.see(QUESTION)
        screen.press(CTRL_D)
        screen.see("Better: 2,2.")
        assert screen.leave() == 0
