"""The program with its input from a pipe: every command, every prompt, every way to leave."""

from __future__ import annotations

import errno
import json
import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

import ninefold
from ninefold import Reason, Seat
from ninefold.cli import COMMANDS
from ninefold.cli.console import Console
from ninefold.core.script import Cast
from ninefold.match import Match, Record
from ninefold.match.record import NAME_LIMIT
from ninefold.store.files import Matches, Saved
from tests.cli.session import (
    ALL_PLACED,
    COMMAND,
    GRID,
    Session,
    id_in,
    kept,
    lines,
    moves_of,
    only_file,
    only_kept,
    oracle,
    program,
    run,
)

Setup = dict[str, int | str]


# A game of each kind, to the end


@dataclass(frozen=True)
class Whole:
    """A game from its first line to its last."""

    words: tuple[str, ...]
    lobby: tuple[str, ...]
    typed: tuple[str, ...]
    moves: tuple[str, ...]
    setup: Setup
    winner: str
    last_line: str

    @property
    def all_typed(self) -> tuple[str, ...]:
        return (*self.lobby, *self.typed)


WHOLE = {
    "shadow": Whole(
        words=("play", "shadow"),
        lobby=("Alice", "Bob", "15"),
        typed=("5", "1,1", "9", "2 2", "6", "(1, 2)", "8@3,3", "4 1 3"),
        moves=("5@1,1", "9@2,2", "6@1,2", "8@3,3", "4@1,3"),
        setup={"target": 15},
        winner="Alice",
        last_line="Alice wins!",
    ),
    "battle": Whole(
        words=("play", "battle", "--grid", GRID),
        lobby=(),
        typed=("2 2", "2,1", "(2,0)", "12", "1 1", "1 0", "0 2", "0 1", "row 0 col 0"),
        moves=("2,2", "2,1", "2,0", "1,2", "1,1", "1,0", "0,2", "0,1", "0,0"),
        setup={"grid": GRID},
        winner="Player 1",
        last_line="Player 1 wins!",
    ),
    "pattern": Whole(
        words=("play", "pattern"),
        lobby=(),
        typed=("2", "1,1", "1", "1 1", "7@1,2", "3", "22", "6", "(1,3)"),
        moves=("2@1,1", "1@1,1", "7@1,2", "3@2,2", "6@1,3"),
        setup={},
        winner="Player 1",
        last_line="Game Over.",
    ),
    "conquest": Whole(
        words=("play", "conquest", "--size", "2"),
        lobby=(),
        typed=("claim", "1", "claim 2", "cl", "3", "claim:4", "challenge", "2", "5", "1"),
        moves=("claim:1", "claim:2", "claim:3", "claim:4", "challenge:2", "bid:5", "bid:1"),
        setup={"size": 2},
        winner="Player 1",
        last_line="Winner: Player 1",
    ),
    "cross": Whole(
        words=("play", "cross", "--grid", GRID),
        lobby=(),
        typed=("Row3", "row 1", "c3", "COL 1", " r2 ", "column2"),
        moves=("Row3", "Row1", "Col3", "Col1", "Row2", "Col2"),
        setup={"grid": GRID},
        winner="Player 1",
        last_line="Congratulations, Player 1!",
    ),
}
assert tuple(WHOLE) == ninefold.SLUGS
every_game = pytest.mark.parametrize("whole", WHOLE.values(), ids=WHOLE.keys())


@every_game
def test_a_game_is_played_to_its_end(whole: Whole) -> None:
    session = run(*whole.words, typed=whole.all_typed)
    assert session.status == 0
    assert session.err == ""
    match = only_kept()
    assert moves_of(match) == list(whole.moves)
    assert match.state.setup == whole.setup
    assert match.outcome is not None
    assert match.player(match.outcome.winner).name == whole.winner
    said = session.out[: session.out.index("Play again")].splitlines()
    assert said[-2:] == [whole.last_line, ""]


@every_game
def test_a_process_of_its_own_plays_the_same_game(whole: Whole) -> None:
    typed = lines(*whole.all_typed)
    session = program(*whole.words, typed=typed)
    assert session == run(*whole.words, typed=typed)
    assert len(kept()) == 2


@every_game
def test_lines_may_end_as_they_do_elsewhere(whole: Whole) -> None:
    usual = run(*whole.words, typed=whole.all_typed)
    typed = lines(*whole.all_typed)
    assert run(*whole.words, typed=typed.replace(b"\n", b"\r\n")) == usual
    assert run(*whole.words, typed=typed[:-1]) == usual


@every_game
def test_what_goes_into_a_pipe_has_no_escape_characters(whole: Whole) -> None:
    for line in run(*whole.words, typed=whole.all_typed).out.splitlines():
        assert line.isprintable()


@every_game
def test_what_was_typed_reads_like_a_session_at_a_terminal(whole: Whole) -> None:
    out = run(*whole.words, typed=whole.all_typed).out
    secret = [move.removeprefix("bid:") for move in whole.moves if move.startswith("bid")]
    for typed in whole.all_typed[: len(whole.all_typed) - len(secret)]:
        assert re.search(rf"(: |:\n){re.escape(typed)}\n", out)


# Setting up


@pytest.mark.parametrize(
    ("slug", "flags", "setup"),
    [
        ("shadow", ["--target", "10"], {"target": 10}),
        ("shadow", ["--target", "20"], {"target": 20}),
        ("battle", ["--grid", "792415863"], {"grid": "792415863"}),
        ("battle", ["--grid", "7 9 2 / 4 1 5 / 8 6 3"], {"grid": "792415863"}),
        ("pattern", [], {}),
        ("conquest", [], {"size": 3}),
        ("conquest", ["--size", "2"], {"size": 2}),
        ("conquest", ["--size=4"], {"size": 4}),
        ("cross", ["--grid", "792,415,863"], {"grid": "792415863"}),
    ],
)
def test_a_game_is_set_up_by_flags(slug: str, flags: list[str], setup: Setup) -> None:
    names = ["--name1", "Alice", "--name2", "Bob"]
    session = run("play", slug, *names, *flags)
    assert session.status == 1  # nothing was typed
    match = only_kept()
    assert match.state.setup == setup
    assert [player.name for player in match.players] == ["Alice", "Bob"]
    assert "Alice" in session.out


def test_shadow_asks_for_names_and_the_target() -> None:
    session = run("play", "shadow", typed=["Alice", "Bob", "17"])
    assert only_kept().state.setup == {"target": 17}
    assert [player.name for player in only_kept().players] == ["Alice", "Bob"]
    assert "Player 1, enter your name: Alice\nPlayer 2, enter your name: Bob\n" in session.out
    assert "Secret Target Number agreed upon: 17" in session.out


def test_names_and_a_target_left_blank_are_filled_in() -> None:
    run("play", "shadow", "--seed", "1", typed=["", "", ""])
    match = only_kept()
    assert [player.name for player in match.players] == ["Player 1", "Player 2"]
    assert 10 <= int(match.state.setup["target"]) <= 20


def test_only_what_no_flag_says_is_asked() -> None:
    run("play", "shadow", "--name2", "Bob", typed=["Alice", "11"])
    assert [player.name for player in only_kept().players] == ["Alice", "Bob"]
    assert only_kept().state.setup == {"target": 11}


@pytest.mark.parametrize("wrong", ["9", "21", "abc", "15.0", "-15", "1\uff15"])
def test_a_wrong_target_says_what_is_allowed_and_asks_again(wrong: str) -> None:
    session = run("play", "shadow", typed=["Alice", "Bob", wrong, "15"])
    assert f'"{wrong}": it must be a whole number from 10 to 20.' in session.out
    assert session.out.count("Agree on the secret target number") == 2
    assert only_kept().state.setup == {"target": 15}


@pytest.mark.parametrize("wrong", ["x" * (NAME_LIMIT + 1), "\x07", "a\x1b[31mb"])
def test_a_wrong_name_says_what_is_allowed_and_asks_again(wrong: str) -> None:
    session = run("play", "shadow", typed=[wrong, "Alice", "Bob", "15"])
    assert f"A name has 1 to {NAME_LIMIT} printable characters." in session.out
    assert session.out.count("Player 1, enter your name: ") == 2
    assert [player.name for player in only_kept().players] == ["Alice", "Bob"]


def test_two_players_cannot_have_one_name() -> None:
    session = run("play", "shadow", typed=["Player 2", "Player 2", "", "Bob", "15"])
    assert session.out.count("Player 2 sits here already. Choose another name.") == 2
    assert [player.name for player in only_kept().players] == ["Player 2", "Bob"]


def test_blanks_around_and_in_a_name_are_tidied() -> None:
    run("play", "cross", "--name1", "  Ann   Lee ")
    assert only_kept().players[0].name == "Ann Lee"


@pytest.mark.parametrize("command", ["help", "?", "rules", "HELP"])
@pytest.mark.parametrize("before", [[], ["Alice"], ["Alice", "Bob"]], ids=["name", "name 2", "target"])
def test_help_and_rules_are_answered_before_the_game(before: list[str], command: str) -> None:
    asked = run("play", "shadow", typed=before).out
    session = run("play", "shadow", typed=[*before, command])
    answer = session.out[len(asked) - 1 :]
    assert answer.splitlines()[-1] == asked.splitlines()[-1]
    assert ("# Shadow Grid Duel" if command == "rules" else "rules, quit") in answer
    if command != "rules":
        assert re.search("a name|10 to 20", answer)


@pytest.mark.parametrize("command", ["board", "undo", "resign"])
@pytest.mark.parametrize("before", [[], ["Alice"], ["Alice", "Bob"]], ids=["name", "name 2", "target"])
def test_commands_of_a_game_are_no_names_and_no_target(before: list[str], command: str) -> None:
    asked = run("play", "shadow", typed=before).out
    answer = run("play", "shadow", typed=[*before, command]).out[len(asked) - 1 :]
    assert "The game has not begun yet." in answer
    assert answer.splitlines()[-1] == asked.splitlines()[-1]


@pytest.mark.parametrize("before", [[], ["Alice"], ["Alice", "Bob"]], ids=["name", "name 2", "target"])
def test_quit_before_the_game_leaves_nothing(before: list[str]) -> None:
    session = run("play", "shadow", typed=[*before, "quit"])
    assert session.status == 0
    assert session.err == ""
    assert kept() == []


@pytest.mark.parametrize("before", [[], ["Alice"], ["Alice", "Bob"]], ids=["name", "name 2", "target"])
def test_input_that_ends_before_the_game_is_an_error(before: list[str]) -> None:
    session = run("play", "shadow", typed=before)
    assert session.status == 1
    assert "input ended before the game began" in session.err
    assert kept() == []


@pytest.mark.parametrize("slug", ["battle", "cross", "shadow"])
def test_the_same_seed_deals_the_same_game(slug: str) -> None:
    names = ["--name1", "Alice", "--name2", "Bob"]
    deals = []
    for seed in ("1", "1", "2", "3", "4", "5", "some words"):
        run("play", slug, *names, "--seed", seed, typed=[""])
        deals.append(str(kept()[-1].state.setup))
    assert deals[0] == deals[1]
    assert len(set(deals)) > 3


def test_a_dealt_grid_is_complete_and_deals_differ() -> None:
    deals = set()
    for _ in range(4):
        run("play", "cross")
        deals.add(str(kept()[-1].state.setup["grid"]))
    assert all(sorted(deal) == list(GRID) for deal in deals)
    assert len(deals) > 1


@pytest.mark.parametrize(("first", "starter"), [("1", "Player 1"), ("2", "Player 2"), (None, "Player 1")])
def test_the_players_choose_who_starts(first: str | None, starter: str) -> None:
    flags = [] if first is None else ["--first", first]
    session = run("play", "cross", "--grid", GRID, *flags, typed=["Row1"])
    assert f"{starter}, you will go first." in session.out
    assert f"{starter} has claimed Row1." in session.out
    assert only_kept().player(Seat.FIRST).name == starter


def test_a_random_draw_lets_either_start_and_the_seed_decides() -> None:
    starters = []
    for seed in (*range(8), *range(8)):
        run("play", "cross", "--first", "random", "--seed", str(seed))
        starters.append(kept()[-1].player(Seat.FIRST).name)
    assert set(starters) == {"Player 1", "Player 2"}
    assert starters[:8] == starters[8:]


def test_the_marks_belong_to_the_players_whoever_starts() -> None:
    out = run("play", "battle", "--grid", GRID, "--first", "2", typed=["0 0"]).out
    assert "Player 2 (O), it's your turn." in out
    assert "| O  | 2 | 3 |" in out


# Wrong usage

USAGE = [
    ([], "say what to do"),
    (["fly"], "play"),
    (["play"], "GAME"),
    (["play", "chess"], "shadow, battle, pattern, conquest, cross"),
    (["play", "shadow", "--target", "9"], "a whole number from 10 to 20"),
    (["play", "shadow", "--target", "21"], "a whole number from 10 to 20"),
    (["play", "shadow", "--target", "x"], "a whole number from 10 to 20"),
    (["play", "shadow", "--target", ""], "a whole number from 10 to 20"),
    (["play", "shadow", "--grid", GRID], "--target"),
    (["play", "battle", "--grid", "123"], "the nine digits 1 to 9"),
    (["play", "battle", "--grid", "112345678"], "the nine digits 1 to 9"),
    (["play", "cross", "--grid", "0" * 5000], "the nine digits 1 to 9"),
    (["play", "cross", "--size", "3"], "--grid"),
    (["play", "pattern", "--target", "15"], "no settings"),
    (["play", "conquest", "--size", "5"], "2, 3 or 4"),
    (["play", "conquest", "--size", "3x3"], "2, 3 or 4"),
    (["play", "cross", "--first", "3"], "'1', '2', 'random'"),
    (["play", "cross", "--best-of", "2"], "an odd number from 1 to 99"),
    (["play", "cross", "--best-of", "0"], "an odd number from 1 to 99"),
    (["play", "cross", "--best-of", "101"], "an odd number from 1 to 99"),
    (["play", "cross", "--best-of", "three"], "an odd number from 1 to 99"),
    (["play", "cross", "--name1", ""], f"1 to {NAME_LIMIT} printable characters"),
    (["play", "cross", "--name2", "x" * (NAME_LIMIT + 1)], f"1 to {NAME_LIMIT} printable characters"),
    (["play", "cross", "--name1", "\x1b[2J"], f"1 to {NAME_LIMIT} printable characters"),
    (["play", "cross", "--name1", "Al", "--name2", "Al"], "two different names"),
    (["play", "cross", "--name1", "Player 2"], "two different names"),
    (["play", "cross", "--name2", "Player 1"], "two different names"),
    (["play", "cross", "--colour"], "--colour"),
    (["play", "cross", "battle"], "battle"),
    (["rules"], "GAME"),
    (["rules", "chess"], "shadow, battle, pattern, conquest, cross"),
    (["perft", "cross"], "DEPTH"),
    (["perft", "cross", "x"], "a whole number from 0"),
    (["perft", "cross", "1.5"], "a whole number from 0"),
    (["perft", "cross", "1000"], "a whole number from 0"),
    (["perft", "cross", "²"], "a whole number from 0"),
    (["perft", "cross", "-1"], ""),
    (["perft", "shadow", "1", "--target", "3"], "a whole number from 10 to 20"),
    (["replay"], "ID|FILE"),
    (["completion"], "SHELL"),
    (["completion", "tcsh"], "bash"),
]


@pytest.mark.parametrize(("words", "allowed"), USAGE, ids=lambda value: str(value)[:40])
def test_wrong_usage_says_what_is_allowed(words: list[str], allowed: str) -> None:
    session = run(*words, typed=["quit"])
    assert session.status == 2
    assert session.out == ""
    assert allowed in session.err
    assert all(line.isprintable() for line in session.err.splitlines())
    assert kept() == []


def test_wrong_usage_is_status_2_of_the_process_too() -> None:
    assert program("play", "chess").status == 2
    assert program().status == 2


# Commands at every kind of prompt


@dataclass(frozen=True)
class Prompt:
    """A question of a game, and how to get there."""

    words: tuple[str, ...]
    typed: tuple[str, ...]
    asks: str
    moves: tuple[str, ...]
    setup: Setup = field(default_factory=dict)
    secret: bool = False
    wrong: tuple[str, ...] = ()

    @property
    def slug(self) -> str:
        return self.words[1]

    @property
    def begun(self) -> bool:
        """Whether a part of the move has been typed."""
        return len(self.typed) > len(self.moves)

    @property
    def match(self) -> Match:
        """The match as it stands at this prompt."""
        return oracle(self.slug, self.setup, self.moves)

    def session(self, *more: str) -> Session:
        return run(*self.words, typed=[*self.typed, *more])

    def answer(self, *more: str) -> str:
        """What is said after the prompt, in answer to what was typed there."""
        return self.session(*more).out[len(self.session().out) - 1 :]


SHADOW = ("play", "shadow", "--target", "15", "--name1", "Player 1", "--name2", "Player 2")
BATTLE = ("play", "battle", "--grid", GRID)
PATTERN = ("play", "pattern")
CONQUEST = ("play", "conquest")
CONQUEST_2 = ("play", "conquest", "--size", "2")
CROSS = ("play", "cross", "--grid", GRID)
PROMPTS = {
    "shadow number": Prompt(
        SHADOW,
        ("5@1,1",),
        "Enter number to place:",
        ("5@1,1",),
        {"target": 15},
        wrong=("0", "10", "5@1", "5@4,1", "5@1,1", "3 at 1,1", "\uff11"),
    ),
    "shadow position": Prompt(
        SHADOW,
        ("5@1,1", "9"),
        "Enter position (row,col):",
        ("5@1,1",),
        {"target": 15},
        wrong=("1", "1,1", "0,1", "4,4", "1,1,1", "5@1,1", "a,b"),
    ),
    "battle": Prompt(
        BATTLE,
        ("0 1",),
        "Enter the row and column of the cell you want to claim:",
        ("0,1",),
        {"grid": GRID},
        wrong=("0 1", "3 0", "0", "0 1 2", "-1 0", "9"),
    ),
    "pattern number": Prompt(
        PATTERN,
        ("5@2,2",),
        "Player 2, select a number:",
        ("5@2,2",),
        wrong=("5", "0", "12", "5@1,1", "return@1,1", "swap@2,2", "4@4,4"),
    ),
    "pattern position": Prompt(
        PATTERN,
        ("5@2,2", "4@1,1", "6"),
        "Choose grid position (row and column):",
        ("5@2,2", "4@1,1"),
        wrong=("2 2", "2", "4 4", "0 0", "2,2,2"),
    ),
    "pattern returning": Prompt(
        PATTERN,
        ALL_PLACED,
        "Player 2, choose the number to return (row and column):",
        ALL_PLACED,
        wrong=("6", "2 2", "swap@1,1", "return@2,2", "0", "1@1,1"),
    ),
    "pattern swapping": Prompt(
        PATTERN,
        (*ALL_PLACED, "1,1"),
        "Player 1, choose the number to swap (row and column):",
        (*ALL_PLACED, "return@1,1"),
        wrong=("4", "1 2", "return@2,2", "swap@1,2", "5@1,2"),
    ),
    "conquest action": Prompt(
        CONQUEST,
        ("claim 1",),
        "Enter your action:",
        ("claim:1",),
        {"size": 3},
        wrong=("c", "claim 1", "challenge 2", "claim 10", "bid 3", "5", "claim 99"),
    ),
    "conquest claim": Prompt(
        CONQUEST,
        ("claim 1", "claim"),
        "Enter the cell number you wish to claim (available cells: 2, 3, 4, 5, 6, 7, 8, 9):",
        ("claim:1",),
        {"size": 3},
        wrong=("1", "0", "10", "17", "claim 1"),
    ),
    "conquest challenge": Prompt(
        CONQUEST,
        ("claim 1", "challenge"),
        "Enter the cell number you wish to challenge (opponent's cells: 1):",
        ("claim:1",),
        {"size": 3},
        wrong=("2", "0", "16", "x1"),
    ),
    "challenger's number": Prompt(
        CONQUEST,
        ("claim 1", "challenge 1"),
        "Select a challenge number from your available numbers [1, 2, 3, 4, 5]:",
        ("claim:1", "challenge:1"),
        {"size": 3},
        secret=True,
        wrong=("0", "6", "33", "claim 2", "bid 6", "3 or 4"),
    ),
    "defender's number": Prompt(
        CONQUEST,
        ("claim 1", "challenge 1", "3"),
        "Select a challenge number from your available numbers [1, 2, 3, 4, 5]:",
        ("claim:1", "challenge:1", "bid:3"),
        {"size": 3},
        secret=True,
        wrong=("0", "6", "33", "challenge 1", "bid 0"),
    ),
    "sudden death": Prompt(
        CONQUEST_2,
        ("claim 1", "claim 2", "claim 3", "claim 4"),
        "Enter your action:",
        ("claim:1", "claim:2", "claim:3", "claim:4"),
        {"size": 2},
        wrong=("claim", "claim 1", "challenge 1", "challenge 5"),
    ),
    "cross": Prompt(
        CROSS,
        ("Row1",),
        "Enter the line you want to claim:",
        ("Row1",),
        {"grid": GRID},
        wrong=("Row1", "Row4", "Row0", "row", "Diagonal1", "1", "r1c1"),
    ),
}
every_prompt = pytest.mark.parametrize("prompt", PROMPTS.values(), ids=PROMPTS.keys())


def assert_asked_again(prompt: Prompt, answer: str) -> None:
    assert answer.rstrip().splitlines()[-1] == prompt.asks
    assert moves_of(kept()[-1]) == [m.move for m in prompt.match.shared_record().moves]
    assert kept()[-1].outcome is None


@every_prompt
def test_the_prompt_is_the_one_meant(prompt: Prompt) -> None:
    assert_asked_again(prompt, prompt.session().out)


@every_prompt
@pytest.mark.parametrize("command", ["help", "?", " Help "])
def test_help_says_what_can_be_typed_here(prompt: Prompt, command: str) -> None:
    answer = prompt.answer(command)
    assert re.search(r"^Type .*\.$", answer, re.MULTILINE)
    for name in ("rules", "board", "undo", "resign", "quit"):
        assert re.search(rf"^ *{name}\b", answer, re.MULTILINE)
    assert_asked_again(prompt, answer)


@every_prompt
def test_an_empty_line_is_answered_with_what_can_be_typed(prompt: Prompt) -> None:
    for blank in ("", "   ", "\t"):
        answer = prompt.answer(blank)
        assert re.search(r"^Type .*\.$", answer, re.MULTILINE)
        assert_asked_again(prompt, answer)


@every_prompt
def test_rules_prints_the_rules_of_the_game(prompt: Prompt) -> None:
    answer = prompt.answer("rules")
    assert ninefold.load(prompt.slug).rules in answer
    assert_asked_again(prompt, answer)


@every_prompt
def test_board_shows_the_position_once_more(prompt: Prompt) -> None:
    answer = prompt.answer("Board")
    state = prompt.match.state
    shown = state.game.script.board(state.view(state.movers[0]), Cast(("Player 1", "Player 2")))
    assert "\n".join(shown) in answer
    assert_asked_again(prompt, answer)


def test_undo_of_a_challenge_by_the_one_who_is_challenged_is_refused() -> None:
    prompt = PROMPTS["defender's number"]
    answer = prompt.answer("undo")
    assert "Only Player 2 can take this challenge back." in answer
    assert_asked_again(prompt, answer)


@pytest.mark.parametrize("name", [name for name in PROMPTS if name != "defender's number"])
def test_undo_takes_back_the_last_turn(name: str) -> None:
    prompt = PROMPTS[name]
    match = prompt.match
    match.undo()
    session = prompt.session(*["undo"] * (2 if prompt.begun else 1))  # the first only chooses anew
    assert "The last turn is taken back." in session.out
    assert moves_of(only_kept()) == moves_of(match)
    state = match.state
    shown = state.game.script.board(state.view(state.movers[0]), Cast(("Player 1", "Player 2")))
    assert "\n".join(shown) in session.out.split("taken back.")[1]


@every_prompt
def test_resign_gives_the_game_to_the_other(prompt: Prompt) -> None:
    asked = prompt.match.state.movers[0]
    session = prompt.session("resign")
    assert session.status == 0
    loser, winner = (f"Player {seat + 1}" for seat in (asked, asked.other))
    assert f"{loser} resigns.\n\n{winner} wins!\n" in session.out
    outcome = only_kept().outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (asked.other, Reason.RESIGNED)


@every_prompt
@pytest.mark.parametrize("command", ["quit", "exit", "QUIT"])
def test_quit_keeps_the_game_and_says_how_to_go_on(prompt: Prompt, command: str) -> None:
    session = prompt.session(command)
    assert session.status == 0
    match = only_kept()
    assert moves_of(match) == [m.move for m in prompt.match.shared_record().moves]
    again = run("resume", id_in(session.err), typed=["quit"])
    assert again.status == 0
    shown = match.game.script.board(match.state.view(None), Cast(("Player 1", "Player 2")))
    assert "\n".join(shown) in again.out
    assert moves_of(only_kept()) == moves_of(match)


@every_prompt
def test_input_that_ends_keeps_the_game_and_says_so(prompt: Prompt) -> None:
    session = prompt.session()
    assert session.status == 1
    assert "input ended before the game did" in session.err
    assert "The match is kept. To go on: ninefold resume " in session.err
    assert "resume" not in session.out
    assert id_in(session.err) == only_file().stem


WRONG = [
    pytest.param(prompt, wrong, id=f"{name}: {wrong}")
    for name, prompt in PROMPTS.items()
    for wrong in (*prompt.wrong, "xyzzy", "quit now", "x" * 1000)
]


@pytest.mark.parametrize(("prompt", "wrong"), WRONG)
def test_a_wrong_input_says_why_and_asks_again(prompt: Prompt, wrong: str) -> None:
    answer = prompt.answer(wrong)
    said = answer if prompt.secret else answer.removeprefix(wrong)
    assert re.search(r"\w+.*\.$", said, re.MULTILINE)
    assert_asked_again(prompt, answer)
    assert len(answer) < 1000 + 700
    if prompt.secret:
        assert "Please select a valid number." in answer
        assert "xyzzy" not in answer
        assert "xxx" not in answer


@every_prompt
def test_what_is_no_move_at_all_is_told_what_is_allowed(prompt: Prompt) -> None:
    assert re.search(r"^Type .*\.$", prompt.answer("xyzzy"), re.MULTILINE)


def test_nothing_can_be_taken_back_at_the_start() -> None:
    answer = run(*CROSS, typed=["undo"]).out
    assert "There is no move to take back yet." in answer
    assert moves_of(only_kept()) == []


def test_a_challenge_that_was_seen_cannot_be_taken_back() -> None:
    typed = ["claim 1", "challenge 1", "3", "2", "undo", "claim 2", "undo", "undo"]
    session = run(*CONQUEST, typed=typed)
    assert session.out.count("A challenge whose numbers have been seen cannot be taken back.") == 2
    assert session.out.count("The last turn is taken back.") == 1
    assert moves_of(only_kept()) == ["claim:1", "challenge:1", "bid:3", "bid:2"]


def test_another_move_may_be_played_after_taking_one_back() -> None:
    run(*CROSS, typed=["Row1", "Row2", "undo", "Col3"])
    assert moves_of(only_kept()) == ["Row1", "Col3"]


@pytest.mark.parametrize("name", ["challenger's number", "defender's number"])
def test_an_open_challenge_says_which_cell(name: str) -> None:
    prompt = PROMPTS[name]
    said = "Player 2 challenges cell 1.\n"
    assert said in prompt.answer("board")
    assert said in run("resume", typed=["quit"]).out


@pytest.mark.parametrize("name", ["conquest action", "sudden death", "shadow number", "pattern number"])
def test_the_example_in_a_help_text_is_legal(name: str) -> None:
    prompt = PROMPTS[name]
    (example,) = re.findall("the whole move, like (.*)[.]\n", prompt.answer("help"))
    assert prompt.match.state.play(example)


@pytest.mark.parametrize(("name", "other"), [("pattern returning", "6"), ("pattern swapping", "7")])
def test_a_number_that_is_not_ones_own_is_not_recycled(name: str, other: str) -> None:
    assert f"You have no {other} on your grid.\nType where it stands" in PROMPTS[name].answer(other)


def test_a_number_already_spent_is_refused_in_the_words_of_the_book() -> None:
    typed = ["claim 1", "challenge 1", "4", "3", "challenge 1", "3", "2", "4", "5"]
    session = run(*CONQUEST, typed=typed)
    said = "Error: Number {} has already been used. Please select a valid number."
    assert said.format(3) in session.out  # the first player spent 3
    assert said.format(4) in session.out  # and the second 4
    assert moves_of(only_kept())[-2:] == ["bid:2", "bid:5"]


# Secret numbers


def without_what_differs(text: str) -> str:
    return re.sub(r"ninefold resume \w+|2\d{3}-\d\d-\d\dT[\d:+]+", "", text)


@pytest.mark.parametrize("more", [(), ("9",), ("help",), ("board",), ("quit",), ("undo",)])
def test_until_both_numbers_are_in_nothing_depends_on_the_first(more: tuple[str, ...]) -> None:
    seen = set()
    for number in "12345":
        session = run(*CONQUEST, typed=["claim 1", "challenge 1", number, *more])
        path = Matches().entries()[0].path
        seen.add(without_what_differs(session.out + session.err + path.read_text()))
        path.unlink()
    assert len(seen) == 1


def test_numbers_from_a_pipe_are_not_echoed() -> None:
    out = run(*CONQUEST, typed=["claim 1", "challenge 1", "4", "2"]).out
    asked = "Select a challenge number from your available numbers [1, 2, 3, 4, 5]: \n"
    assert out.count(asked) == 2
    assert f"{asked}Waiting for Player 1 to select their challenge number...\n" in out
    assert "- Your number: 4\n- Opponent's number: 2\n" in out


def test_the_screen_says_who_chooses_and_who_should_look_away() -> None:
    out = run(*CONQUEST, typed=["claim 1", "challenge 1", "4", "2"]).out
    for chooser, other in (("Player 2", "Player 1"), ("Player 1", "Player 2")):
        assert f"{chooser}, choose your number in secret. {other}, please look away.\n" in out


def test_the_first_number_is_not_on_disk_until_the_second_is_in() -> None:
    run(*CONQUEST, typed=["claim 1", "challenge 1", "4"])
    assert "bid" not in only_file().read_text()
    run("resume", typed=["4", "2"])
    assert moves_of(only_kept()) == ["claim:1", "challenge:1", "bid:4", "bid:2"]


# Going on


@every_game
def test_a_game_goes_on_from_wherever_it_was_left(whole: Whole) -> None:
    """Each line in a run of its own: a question half answered or a secret number is asked again."""
    run(*whole.words, typed=whole.lobby)
    for count in range(len(whole.typed) + 1):
        path = only_file()
        before = path.read_bytes()
        session = run("resume", typed=whole.typed[:count])
        if count == len(whole.typed):
            break
        assert session.status == 1
        assert id_in(session.err) == path.stem
        path.write_bytes(before)
    assert session.status == 0
    assert moves_of(only_kept()) == list(whole.moves)
    assert only_kept().outcome is not None


@every_game
def test_a_game_resumed_after_every_move_ends_like_any_other(whole: Whole) -> None:
    run(*whole.words, typed=whole.lobby)
    turns = [[move] for move in whole.moves if not move.startswith("bid:")]
    turns[-1] += [move for move in whole.moves if move.startswith("bid:")]
    for turn in turns:
        assert run("resume", typed=turn).status == (0 if turn is turns[-1] else 1)
    assert moves_of(only_kept()) == list(whole.moves)


def test_resuming_shows_the_position_and_who_plays() -> None:
    run(*CROSS, "--name1", "Alice", typed=["Row1", "Col2", "quit"])
    out = run("resume", typed=["quit"]).out
    assert out.startswith("Number Cross: Alice against Player 2, 2 moves so far.\n")
    assert "Alice holds Row1, 6 in all." in out
    assert "Alice's Turn:" in out


def test_resume_without_an_id_goes_on_with_the_last_unfinished_match() -> None:
    run(*CROSS, typed=["Row1", "quit"])
    run(*CROSS, typed=["Row2", "quit"])
    run(*CROSS, typed=["Row3", "resign"])
    run("resume", typed=["Col1", "quit"])
    assert sorted(moves_of(match) for match in kept()) == [["Row1"], ["Row2", "Col1"], ["Row3"]]


def test_a_finished_match_is_not_resumed() -> None:
    run(*CROSS, typed=["resign"])
    id = only_file().stem
    session = run("resume", id)
    assert session.status == 1
    assert session.err == f"ninefold: Match {id} is over. `ninefold replay {id}` shows it.\n"
    assert session.out == ""


@pytest.mark.parametrize("id", ["zzzzz", "", "../../etc/passwd", "x" * 999])
def test_an_unknown_match_is_not_resumed(id: str) -> None:
    session = run("resume", id)
    assert session.status == 1
    assert session.err.startswith("ninefold: There is no match ")
    assert session.out == ""


def test_without_an_unfinished_match_there_is_nothing_to_resume() -> None:
    session = run("resume")
    assert session.status == 1
    assert session.err == "ninefold: There is no unfinished match. `ninefold play GAME` starts one.\n"


def test_a_damaged_match_is_not_resumed() -> None:
    run(*CROSS, typed=["Row1", "Row2"])
    path = only_file()
    path.write_text(path.read_text().replace("Row2", "Row1"))
    session = run("resume", path.stem)
    assert session.status == 1
    assert 'Move 2, "Row1": Row1 has been claimed already.' in session.err


def test_a_match_that_is_being_played_is_not_resumed() -> None:
    run(*CROSS, typed=["Row1"])
    saved, _ = Matches().resume(only_file().stem)
    with saved:
        session = run("resume", saved.id)
    assert session.status == 1
    assert "is being played in another window" in session.err


# Several games


def starters() -> list[str]:
    return [match.player(Seat.FIRST).name for match in kept()]


FIRST_WINS = WHOLE["cross"].typed


def test_a_series_alternates_who_starts() -> None:
    session = run(*CROSS, "--best-of", "3", typed=["resign", "resign", "resign"])
    assert starters() == ["Player 1", "Player 2", "Player 1"]
    assert re.findall(r"Series: .*", session.out) == [
        "Series: Player 1 0, Player 2 1.",
        "Series: Player 1 1, Player 2 1.",
        "Series: Player 1 1, Player 2 2.",
    ]
    assert re.findall(r"Next game: .*", session.out) == [
        "Next game: Player 2 starts.",
        "Next game: Player 1 starts.",
    ]
    assert "Player 2 wins the best of 3!" in session.out
    assert session.status == 0
    assert session.err == ""


def test_a_series_ends_when_it_is_decided() -> None:
    session = run(*CROSS, "--best-of", "3", typed=["resign", *FIRST_WINS])
    assert starters() == ["Player 1", "Player 2"]
    assert "Series: Player 1 0, Player 2 2.\nPlayer 2 wins the best of 3!\n" in session.out
    assert session.status == 0


def test_a_series_begins_with_whom_the_players_choose() -> None:
    run(*CROSS, "--best-of", "3", "--first", "2", typed=["resign", "resign"])
    assert starters() == ["Player 2", "Player 1", "Player 2"]


def test_a_series_of_one_is_one_game() -> None:
    session = run(*CROSS, "--best-of", "1", typed=["resign"])
    assert "Player 2 wins the best of 1!" in session.out
    assert len(kept()) == 1


@pytest.mark.parametrize("left", [0, 1, 2])
def test_a_series_survives_being_left(left: int) -> None:
    typed = ["resign"] * left
    session = run(*CROSS, "--best-of", "3", typed=[*typed, "Row1", "quit"])
    assert session.status == 0
    session = run("resume", id_in(session.err), typed=["undo", *["resign"] * (3 - left)])
    assert session.status == 0
    assert starters() == ["Player 1", "Player 2", "Player 1"]
    assert "Series: Player 1 1, Player 2 2.\nPlayer 2 wins the best of 3!\n" in session.out


def test_a_series_keeps_its_settings_when_it_is_left() -> None:
    run("play", "conquest", "--size", "2", "--best-of", "3", typed=["quit"])
    run("resume", typed=["resign", "resign", "quit"])
    assert [match.state.setup for match in kept()] == [{"size": 2}] * 3


def test_a_series_deals_each_game_anew_unless_a_grid_was_given() -> None:
    run("play", "cross", "--seed", "1", "--best-of", "5", typed=["resign"] * 5)
    assert len({match.state.setup["grid"] for match in kept()}) > 1
    run(*CROSS, "--best-of", "3", typed=["resign"] * 3)
    assert [match.state.setup["grid"] for match in kept()[-3:]] == [GRID] * 3


@pytest.mark.parametrize(("typed", "status"), [([], 1), (["quit"], 0)], ids=["end of input", "quit"])
@pytest.mark.parametrize("resumed", [False, True])
def test_a_series_may_be_left_between_two_games(typed: list[str], status: int, resumed: bool) -> None:
    """Shadow asks for a target before each game."""
    lobby = ["Alice", "Bob", "15"]
    if resumed:
        run("play", "shadow", "--best-of", "3", typed=[*lobby, "quit"])
        session = run("resume", typed=["resign", *typed])
    else:
        session = run("play", "shadow", "--best-of", "3", typed=[*lobby, "resign", *typed])
    assert session.status == status
    assert "Traceback" not in session.err
    assert ("input ended" in session.err) == (status == 1)


def test_a_target_is_asked_for_in_every_game_of_a_series() -> None:
    run("play", "shadow", "--best-of", "3", typed=["A", "B", "15", "resign", "16", "resign", "17"])
    assert [match.state.setup["target"] for match in kept()] == [15, 16, 17]


@pytest.mark.parametrize("yes", ["y", "Y", "yes", " Yes "])
def test_a_rematch_lets_the_other_start(yes: str) -> None:
    session = run(*CROSS, typed=["resign", yes, "resign", yes, "quit"])
    assert starters() == ["Player 1", "Player 2", "Player 1"]
    assert "Next game: Player 2 starts." in session.out


@pytest.mark.parametrize("other", ["help", "maybe", "y n"])
def test_an_answer_that_is_neither_yes_nor_no_is_asked_for_again(other: str) -> None:
    session = run(*CROSS, typed=["resign", other, "y", "quit"])
    assert "Type y for another game, or n to stop." in session.out
    assert len(kept()) == 2


@pytest.mark.parametrize("no", ["", "n", "no", "quit"])
def test_without_a_yes_there_is_no_rematch(no: str) -> None:
    session = run(*CROSS, typed=["resign", no, "Row1"])
    assert session.status == 0
    assert len(kept()) == 1


def test_a_rematch_of_a_series_is_a_series() -> None:
    session = run(*CROSS, "--best-of", "1", typed=["resign", "y", "resign"])
    assert starters() == ["Player 1", "Player 2"]
    assert "Series: Player 1 1, Player 2 0.\nPlayer 1 wins the best of 1!\n" in session.out


# History and replay


def test_without_matches_the_history_says_so() -> None:
    assert run("history") == Session(0, "No matches yet. `ninefold play GAME` starts one.\n", "")
    assert run("history", "--json") == Session(0, "[]\n", "")


def test_the_history_lists_matches_from_the_last_played() -> None:
    run(*CROSS, "--name1", "Alice", typed=["Row1", "quit"])
    run(*BATTLE, typed=["0 0", "resign"])
    run(*CONQUEST, typed=WHOLE["conquest"].typed)
    head, *rows = run("history").out.splitlines()
    assert head.split("  ")[0] == "ID"
    assert [row.split()[3] for row in rows] == ["conquest", "battle", "cross"]
    assert rows[1].endswith("Player 1 - Player 2  1      Player 1 won (resigned)")
    assert rows[2].endswith("Alice - Player 2     1      unfinished")
    assert [row.split()[0] for row in rows] == [entry.id for entry in Matches().entries()]


def test_the_history_as_json() -> None:
    run(*CROSS, "--name1", "Zoë", typed=["Row1", "quit"])
    run(*BATTLE, typed=["resign"])
    battle, cross = json.loads(run("history", "--json").out)
    assert cross["game"] == "cross"
    assert cross["setup"] == {"grid": GRID}
    assert cross["players"][0]["name"] == "Zoë"
    assert cross["moves"] == 1
    assert cross["result"] is None
    assert Path(cross["file"]).stem == cross["id"]
    assert battle["result"] == {"winner": "second", "reason": "resigned"}


def test_the_history_lists_damaged_files_as_such() -> None:
    run(*CROSS, typed=["Row1", "quit"])
    folder = Matches().folder
    (folder / "aaaaa.json").write_text("{}")
    session = run("history")
    assert session.status == 0
    assert re.search(r"^aaaaa .*damaged: This is not a match record\.$", session.out, re.MULTILINE)
    problems = {entry["id"]: entry.get("problem") for entry in json.loads(run("history", "--json").out)}
    assert problems["aaaaa"] == "This is not a match record."


@every_game
def test_a_match_is_replayed_move_by_move(whole: Whole) -> None:
    played = run(*whole.words, typed=whole.all_typed).out
    path = only_file()
    session = run("replay", path.stem)
    assert session.status == 0
    shown = re.findall(r"^Move (\d+): (.*)$", session.out, re.MULTILINE)
    assert [count for count, _ in shown] == [str(n + 1) for n in range(len(whole.moves))]
    assert [text.split()[-1] for _, text in shown] == list(whole.moves)
    assert session.out.splitlines()[-1] == whole.last_line
    ending = played[: played.index("Play again")].strip().splitlines()[-3:]
    assert "\n".join(ending) in session.out
    elsewhere = path.with_name("elsewhere.txt")
    path.rename(elsewhere)
    assert run("replay", str(elsewhere)) == session


@every_game
def test_a_record_is_printed_as_it_was_kept(whole: Whole) -> None:
    run(*whole.words, typed=whole.all_typed)
    session = run("replay", only_file().stem, "--json")
    assert session == Session(0, only_file().read_text(), "")
    assert Match.of(Record.from_json(session.out)).outcome == only_kept().outcome


@every_prompt
def test_an_unfinished_match_is_replayed_as_far_as_it_goes(prompt: Prompt) -> None:
    prompt.session()
    moves = moves_of(only_kept())
    session = run("replay", only_file().stem)
    assert session.status == 0
    assert len(re.findall(r"^Move \d+: ", session.out, re.MULTILINE)) == len(moves)
    assert "wins" not in session.out.lower().split(f"move {len(moves)}:")[1]
    assert run("replay", only_file().stem, "--json").out == only_file().read_text()


def test_a_resigned_match_is_replayed_with_its_end() -> None:
    run(*CROSS, typed=["Row1", "resign"])
    out = run("replay", only_file().stem).out
    assert out.endswith("Player 2 resigns.\n\nPlayer 1 wins!\n")


def test_a_forfeited_match_is_replayed_with_its_end(tmp_path: Path) -> None:
    match = oracle("cross", {"grid": GRID}, ["Row1"])
    match.forfeit(Seat.SECOND, "The program stopped answering.")
    (tmp_path / "record.json").write_text(match.shared_record().to_json())
    session = run("replay", str(tmp_path / "record.json"))
    assert session.status == 0
    assert session.out.endswith("Player 1 wins!\n")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not valid JSON"),
        (b"\xff\xff", "not text"),
        (b"[" * 100_000, "not valid JSON"),
        (b'{"ninefold": 7}', "version"),
        (
            oracle("cross", {"grid": GRID}, ["Row1", "Row2", "Row3"])
            .shared_record()
            .to_json()
            .replace("Row3", "Row1")
            .encode(),
            'Move 3, "Row1"',
        ),
    ],
    ids=["empty", "not text", "deep", "version", "illegal"],
)
@pytest.mark.parametrize("flag", [[], ["--json"]])
def test_a_damaged_record_is_refused(
    tmp_path: Path, content: bytes, reason: str, flag: list[str]
) -> None:
    (tmp_path / "record.json").write_bytes(content)
    session = run("replay", str(tmp_path / "record.json"), *flag)
    assert session.status == 1
    assert session.out == ""
    assert session.err.startswith("ninefold: ")
    assert reason in session.err
    assert session.err.count("\n") == 1


@pytest.mark.parametrize("name", ["zzzzz", "nowhere/record.json", "/", ".", "", "x" * 300, "\udcff"])
def test_what_is_neither_a_match_nor_a_file_is_not_replayed(name: str) -> None:
    session = run("replay", name)
    assert session.status == 1
    assert session.err.startswith("ninefold: There is no match ")


# Rules, perft, completion, help


@pytest.mark.parametrize("slug", ninefold.SLUGS)
def test_the_rules_are_printed(slug: str) -> None:
    assert run("rules", slug) == Session(0, ninefold.load(slug).rules, "")
    assert run("rules", slug.upper()).out == ninefold.load(slug).rules


PERFT = [
    ("cross", 0, [], 1),
    ("cross", 6, [], 720),
    ("cross", 7, [], 720),
    ("battle", 2, [], 72),
    ("battle", 9, ["--grid", GRID], 362_880),
    ("shadow", 1, ["--target", "15"], 81),
    ("shadow", 2, [], 81 * 8 * 9),
    ("pattern", 2, [], 81 * 8 * 9),
    ("conquest", 1, [], 9),
    ("conquest", 2, [], 9 * (8 + 25)),
    ("conquest", 1, ["--size", "4"], 16),
]


@pytest.mark.parametrize(("slug", "depth", "flags", "count"), PERFT)
def test_perft_counts_sequences_of_turns(slug: str, depth: int, flags: list[str], count: int) -> None:
    session = run("perft", slug, str(depth), *flags, "--seed", "1")
    assert session.status == 0
    assert session.out.endswith(f": {count} sequences of {depth} turns\n")
    data = json.loads(run("perft", slug, str(depth), *flags, "--seed", "1", "--json").out)
    assert (data["game"], data["depth"], data["count"]) == (slug, depth, count)
    for flag, value in zip(flags[::2], flags[1::2], strict=True):
        assert str(data["setup"][flag.removeprefix("--")]) == value


def test_perft_goes_as_deep_as_it_allows() -> None:
    refused = run("perft", "cross", "1000").err
    (deepest,) = re.findall(r"from 0 to (\d+)", refused)
    assert run("perft", "cross", deepest).out.endswith(f": 720 sequences of {deepest} turns\n")


COMPLETIONS = [
    ([], list(COMMANDS)),
    ([""], list(COMMANDS)),
    (["pl"], ["play"]),
    (["x"], []),
    (["play", ""], list(ninefold.SLUGS)),
    (["play", "c"], ["conquest", "cross"]),
    (["rules", "s"], ["shadow"]),
    (["perft", "b"], ["battle"]),
    (["play", "cross", "--first", ""], ["1", "2", "random"]),
    (["play", "cross", "--first", "r"], ["random"]),
    (["play", "cross", "--first", "1", "--na"], ["--name1", "--name2"]),
    (["play", "--first", "1", "c"], ["conquest", "cross"]),
    (["play", "cross", "--seed", ""], []),
    (["play", "cross", ""], []),
    (["--plain", "ru"], ["rules"]),
    (["--pl"], ["--plain"]),
    (["completion", ""], ["bash", "zsh", "fish"]),
    (["history", "--j"], ["--json"]),
    (["resume", ""], []),
    (["replay", ""], []),
]


@pytest.mark.parametrize(("words", "expected"), COMPLETIONS, ids=str)
def test_words_are_completed(words: list[str], expected: list[str]) -> None:
    session = run("--complete", *words)
    assert session.status == 0
    assert session.err == ""
    assert session.out.split() == expected


def test_matches_are_completed_by_their_ids() -> None:
    run(*CROSS, typed=["quit"])
    id = only_file().stem
    for command in ("resume", "replay"):
        assert run("--complete", command, id[:2]).out.split() == [id]


def test_only_what_can_be_resumed_is_completed_for_resume() -> None:
    run(*CROSS, typed=["resign", "n"])
    only_file().with_name("zzzzz.json").write_text("{")
    assert run("--complete", "resume", "").out.split() == []
    assert len(run("--complete", "replay", "").out.split()) == 2


def test_every_flag_of_every_command_is_completed() -> None:
    for command in COMMANDS:
        shown = run(command, "--help").out.split("examples:")[0].split("example:")[0]
        flags = set(re.findall(r"(?<![\w`-])--[a-z0-9-]+", shown))
        assert flags <= set(run("--complete", command, "-").out.split())


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_is_printed(shell: str) -> None:
    session = run("completion", shell)
    assert session.status == 0
    assert "ninefold --complete" in session.out


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@pytest.mark.parametrize(
    ("typed", "completed"), [("ninefold ru", "rules"), ("ninefold play sh", "shadow")]
)
def test_bash_completes_with_the_script(typed: str, completed: str) -> None:
    script = f"""
        ninefold() {{ {sys.executable} -m ninefold "$@"; }}
        eval "$(ninefold completion bash)"
        COMP_WORDS=({typed}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
        _ninefold && printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == [completed]


def test_the_version() -> None:
    session = run("--version")
    assert session.status == 0
    assert session.out.startswith(f"ninefold {ninefold.__version__}")


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_shows_an_example(command: str | None) -> None:
    session = run(*([] if command is None else [command]), "--help")
    assert session.status == 0
    assert re.search(r"^examples?:$", session.out, re.MULTILINE)
    assert f"  ninefold {command or 'play'}" in session.out


def test_help_lists_every_command() -> None:
    out = run("--help").out
    for command, summary in COMMANDS.items():
        assert re.search(rf"^ +{command}\s+{summary}$", out, re.MULTILINE)


# The size of the screen

# The books' own questions name every cell, and what may be typed is one sentence.
MAY_BE_LONGER = re.compile(r"Type |Enter the |Select a challenge number |Agree on ")


def at_random(slug: str, setup: Setup, seed: int, moves: int = 40) -> Match:
    rng = Random(seed)
    match = oracle(slug, setup, [])
    for _ in range(moves):
        if match.outcome is None:
            seat = match.state.movers[0]
            match.submit(seat, rng.choice(match.state.moves(seat)))
    return match


TABLES: list[tuple[str, Setup]] = [
    ("shadow", {"target": 15}),
    ("shadow", {"target": 20}),
    ("battle", {"grid": GRID}),
    ("pattern", {}),
    ("conquest", {"size": 2}),
    ("conquest", {"size": 3}),
    ("conquest", {"size": 4}),
    ("cross", {"grid": GRID}),
]
every_table = pytest.mark.parametrize(("slug", "setup"), TABLES, ids=str)


@every_table
def test_every_turn_fits_a_screen_of_80_by_24(
    slug: str, setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = Console.ask

    def marked(self: Console, prompt: str, *, secret: bool = False) -> str:
        print("\f", end="")
        return ask(self, prompt, secret=secret)

    monkeypatch.setattr(Console, "ask", marked)
    flags = [word for name, value in setup.items() for word in (f"--{name}", str(value))]
    names = ["--name1", "Player 1", "--name2", "Player 2"]
    for seed in range(4):
        match = at_random(slug, setup, seed)
        out = run("play", slug, *names, *flags, typed=moves_of(match)).out
        assert moves_of(kept()[-1]) == [m.move for m in match.shared_record().moves]
        for screen in out.split("\f"):
            assert screen.count("\n") <= 24 or "wins" in screen or "Winner" in screen
        for line in out.splitlines():
            assert len(line) <= 80 or MAY_BE_LONGER.match(line)


@every_table
def test_boards_fit_80_columns_with_the_longest_names(slug: str, setup: Setup) -> None:
    cast = Cast(("W" * NAME_LIMIT, "M" * NAME_LIMIT))
    for seed in range(4):
        for state in at_random(slug, setup, seed).states:
            for line in state.game.script.board(state.view(Seat.FIRST), cast):
                assert len(line) <= 80


# Disks and pipes that fail


def in_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file" / "data"))


def too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / ("x" * 300)))


def read_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/proc/data")


@every_game
@pytest.mark.parametrize("spoil", [in_the_way, too_long, read_only])
def test_a_disk_that_cannot_be_written_is_reported_once_and_the_game_goes_on(
    whole: Whole,
    spoil: Callable[[Path, pytest.MonkeyPatch], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    usual = run(*whole.words, typed=whole.all_typed)
    spoil(tmp_path, monkeypatch)
    session = run(*whole.words, typed=whole.all_typed)
    assert session.status == 0
    assert session.out == usual.out
    assert session.err.count("\n") == 1
    assert session.err.startswith("ninefold: the match cannot be saved (")
    assert "The game goes on" in session.err
    assert run("history").status == 0


def test_a_full_disk_is_reported_once_and_the_game_goes_on() -> None:
    def no_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    whole = WHOLE["conquest"]
    session = program(*whole.words, typed=lines(*whole.typed), preexec=no_room)
    assert session.status == 0
    assert session.err.count("the match cannot be saved (") == 1
    assert session.err.count("\n") == 1
    assert "Winner: Player 1" in session.out
    assert list(Matches().folder.iterdir()) == []


def test_a_disk_that_fills_up_keeps_what_it_has() -> None:
    run(*CROSS, typed=["Row1", "quit"])
    before = only_file().read_bytes()

    def no_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    session = program("resume", typed=lines("Row2", "quit"), preexec=no_room)
    assert session.status == 0
    assert "the match could not be saved" in session.err
    assert "The match is kept" not in session.err
    assert only_file().read_bytes() == before


@pytest.mark.parametrize("ends", [["quit"], []])
def test_who_leaves_is_not_told_that_the_match_is_kept_if_it_is_not(
    ends: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_the_way(tmp_path, monkeypatch)
    session = run(*CROSS, typed=["Row1", *ends])
    assert "The match is kept" not in session.err
    assert "the match could not be saved" in session.err
    assert session.status == (0 if ends else 1)


def test_a_disk_that_recovers_is_reported_too(monkeypatch: pytest.MonkeyPatch) -> None:
    save = Saved.save
    calls = iter(range(100))

    def sometimes(self: Saved, record: Record) -> None:
        if next(calls) in (1, 2, 4):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        save(self, record)

    monkeypatch.setattr(Saved, "save", sometimes)
    session = run(*CROSS, typed=FIRST_WINS)
    assert session.status == 0
    reports = session.err.splitlines()
    assert len(reports) == 4
    for failed, saved in ((reports[0], reports[1]), (reports[2], reports[3])):
        assert failed.startswith("ninefold: the match cannot be saved (No space left on device: ")
        assert saved == "ninefold: the match is saved again."
    assert moves_of(only_kept()) == list(WHOLE["cross"].moves)


@pytest.mark.parametrize(
    "words", [["play", "battle"], ["history"], ["rules", "conquest"], ["replay", "any"]]
)
def test_a_reader_that_goes_away_is_no_reason_for_a_traceback(words: list[str]) -> None:
    if words[0] in ("history", "replay"):
        run(*CROSS, typed=FIRST_WINS)
        words = [only_file().stem if word == "any" else word for word in words]
    read_end, write_end = os.pipe()
    os.close(read_end)
    with os.fdopen(write_end, "wb") as nobody:
        done = subprocess.run(
            [*COMMAND, *words], input=b"0 0\n" * 10, stdout=nobody, stderr=subprocess.PIPE, timeout=60
        )
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr
    assert done.returncode == 1


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_the_head_of_a_session_is_no_reason_for_a_traceback() -> None:
    play = f"yes '' | {sys.executable} -m ninefold play cross --seed 1 | head -1"
    done = subprocess.run(["bash", "-c", play], capture_output=True, text=True, timeout=60)
    assert done.stdout == "Welcome to Number Cross!\n"
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "redirection", "status"),
    [
        ("play cross", "<&-", 1),
        ("rules cross", ">&-", None),
        ("rules cross", "2>&-", 0),
        ("rules cross", ">/dev/full", 1),
        ("history", ">/dev/full", 1),
        ("play chess", "2>&-", 2),
    ],
)
@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_closed_and_full_streams_are_no_reason_for_a_traceback(
    words: str, redirection: str, status: int | None
) -> None:
    line = f"{sys.executable} -m ninefold {words} {redirection}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stderr
    assert status is None or done.returncode == status


def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    program(*CROSS, typed=b"\xef\xbb\xbfRow1\n")
    assert moves_of(only_kept()) == ["Row1"]


def test_bytes_that_are_no_text_are_refused_like_any_other_input() -> None:
    typed = b"\xff\xfe\xfd\nRow1\n\xc3\x28 Row2\nRow\x002\nCol3\n"
    session = program(*CROSS, typed=typed)
    assert session.status == 1
    assert moves_of(only_kept()) == ["Row1", "Col3"]
    assert session.out.count("is not a line.") == 3


def test_an_endless_line_is_refused_like_any_other_input() -> None:
    session = run(*CROSS, typed=["Row" * 100_000, "Row1"])
    assert moves_of(only_kept()) == ["Row1"]
    refusal = next(line for line in session.out.splitlines() if "is not a line." in line)
    assert len(refusal) < 200


def test_colour_flags_are_taken_before_and_after_the_command() -> None:
    for flag in ("--no-color", "--plain"):
        assert run(*CROSS, flag, typed=["quit"]).status == 0
        assert run(flag, *CROSS, typed=["quit"]).status == 0


def test_each_move_is_on_disk_before_the_next_question(monkeypatch: pytest.MonkeyPatch) -> None:
    on_disk: list[list[str]] = []
    ask = Console.ask

    def looked(self: Console, prompt: str, *, secret: bool = False) -> str:
        if Matches().entries() and "again" not in prompt:
            on_disk.append(moves_of(only_kept()))
        return ask(self, prompt, secret=secret)

    monkeypatch.setattr(Console, "ask", looked)
    run(*CROSS, typed=FIRST_WINS)
    moves = list(WHOLE["cross"].moves)
    assert on_disk == [moves[:count] for count in range(len(moves))]
    assert all(len(after) == len(before) + 1 for before, after in pairwise(on_disk))


# The way back


def test_the_way_back_names_the_program_as_the_shell_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called = tmp_path / "bin" / "ninefold"
    called.parent.mkdir()
    called.write_text("#!/bin/sh\n")
    called.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["bin/ninefold", "play"])
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "To go on: bin/ninefold resume " in run(*PATTERN, typed=["quit"]).err
    monkeypatch.setenv("PATH", str(called.parent))
    assert "To go on: ninefold resume " in run(*PATTERN, typed=["quit"]).err
