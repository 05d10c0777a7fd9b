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
        screen.answer("Your choice: ", "battle")
        screen.answer("Your choice: ", "")
        screen.see("Level 3. You start. One game.")
        screen.answer("c: change > ", "c")
        screen.answer("(Enter for 3): ", "eleven")
        screen.see("Type a number from 1 to 9, perfect, random or greedy.")
        screen.answer("(Enter for 3): ", "perfect")
        screen.answer("(Enter for n): ", "")
        screen.answer("1 you, 2 the computer or random (Enter for 1): ", "2")
        screen.answer("(Enter for one game): ", "")
        screen.answer("to draw one): ", "")
        screen.see("omputer")
        screen.see("is thinking...")
        screen.see("The computer")
        screen.see("took the 9 and has 9.")
        screen.answer("Number: ", "quit")
        screen.answer("Your choice: ", "q")
        assert screen.leave() == 0


TRY = "Better move: "
TOLD = "The winning move: the 9."


@pytest.fixture
def screen() -> Iterator[Terminal]:
    """The review of a game that was lost at its first move."""
    run(*BATTLE, typed=LOST_AT_ONCE)
    with terminal("review", only_id(), "--no-color") as opened:
        opened.see("Player 1 made 1 mistake and Player 2 made no mistakes.")
        opened.see("|  1  |  2  |  3  |")
        opened.see("Player 1's move on turn 1: the 1. What is better?")
        yield opened


def test_the_better_move_can_be_found_before_the_review_tells_it(screen: Terminal) -> None:
    for wrong in ("9 9", "xyzzy", "hint"):
        screen.answer(TRY, wrong)
        screen.see("Type a move like 1.")
    screen.answer(TRY, "?")
    screen.see("leave the review")
    screen.answer(TRY, "0 1")
    screen.see("The 2 isn't the move. ")
    screen.see("Try again.")
    screen.see("|  1  |  2  |  3  |")
    screen.answer(TRY, "b")
    screen.see("|  1  |  2  |  3  |")
    screen.see("What is better?")
    screen.see(TRY)
    assert "REMARK" not in screen.screen
    screen.type("9")
    screen.see("Yes.")
    screen.see(TOLD)
    assert screen.leave() == 0


def test_the_better_move_is_shown_to_whoever_gives_up(screen: Terminal) -> None:
    screen.answer(TRY, "")
    screen.see("Turn 1: Player 1 took the 1 and has 1. Gives the win away. Better: the 9.")
    screen.see(TOLD)
    assert screen.leave() == 0


def test_the_review_can_be_left(screen: Terminal) -> None:
    screen.answer(TRY, "q")
    assert screen.leave() == 0
    assert TOLD not in screen.screen


@pytest.mark.parametrize("keys", ["n\n", CTRL_D], ids=["n", "Ctrl-D"])
def test_whoever_does_not_want_to_look_for_moves_sees_the_rest(screen: Terminal, keys: str) -> None:
    screen.see(TRY)
    screen.press(keys)
    screen.see(TOLD)
    assert screen.leave() == 0


def test_against_the_computer_the_review_is_about_you() -> None:
    run(*BATTLE, "--p2", "perfect", typed=["1", "8", "resign"])
    session = run("review", only_id())
    assert session.out.startswith("Number Grid Battle: you against the computer\nYou lose.\n\nYou made ")
    first = session.out.index("Turn 1: You took the 1 and have 1. Gives the win away. Better: the 9.")
    assert first < session.out.index("Your chances to win") < session.out.index("Your accuracy: ")
    assert "You lost the game on turn 1: the 1." in session.out


def test_after_a_puzzle_there_is_another_like_it() -> None:
    with terminal("puzzle", "cross", "--seed", "2", "--task", "count", "--no-color") as at:
        at.see("Number Cross, count it out, grade ")
        at.answer("help): ", "")
        at.answer("n: another like it, Enter: leave > ", "n")
        at.see("Puzzle cross/")
        at.see("count it out, grade ")
        at.answer("help): ", "")
        at.answer("n: another like it, Enter: leave > ", "")
        assert at.leave() == 0
