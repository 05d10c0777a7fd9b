"""The program on a terminal: a pseudo-terminal with real keys, signals and window sizes."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import re
import shutil
import signal
import termios
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pexpect  # type: ignore[import-untyped]
import pytest

import ninefold
from ninefold import Seat
from ninefold.cli.console import Console
from ninefold.store.files.matches import Matches
from tests.cli.session import (
    CROSS,
    NAMES,
    id_in,
    moves_of,
    only_file,
    only_id,
    only_saved,
    run,
    saved_matches,
)
from tests.cli.terminals import end, spawn
from tests.program import PROGRAM
from tests.setups import every_slug

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")

PATIENCE = 120
SGR = re.compile(r"\x1b\[[0-9;]*m")
CSI = re.compile(r"\x1b\[[?0-9;]*[A-Za-z]")
UP, CTRL_C, CTRL_D, CTRL_Z = "\x1b[A", "\x03", "\x04", "\x1a"

LINE = "Enter the line you want to claim: "
ACTION = "Enter your action: "
NUMBER = "Select a challenge number from your available numbers [1, 2, 3, 4, 5]: "
KEPT = "The match is saved. To continue: ninefold resume "


class Terminal:
    """The program on a terminal of its own."""

    def __init__(self, words: list[str], size: tuple[int, int]) -> None:
        self.child = spawn(words, timeout=PATIENCE, dimensions=size)
        self.child.logfile_read = io.StringIO()

    @property
    def screen(self) -> str:
        """Everything shown so far."""
        return str(self.child.logfile_read.getvalue()).replace("\r\n", "\n")

    def see(self, text: str) -> None:
        self.child.expect_exact(text.replace("\n", "\r\n"))

    def type(self, line: str) -> None:
        self.child.sendline(line)

    def answer(self, prompt: str, line: str) -> None:
        self.see(prompt)
        self.type(line)

    def press(self, keys: str) -> None:
        self.wait_until_it_waits()
        self.child.send(keys)

    @property
    def program(self) -> int:
        """The process of the program itself, which a shell may have started."""
        (*children,) = Path(f"/proc/{self.child.pid}/task/{self.child.pid}/children").read_text().split()
        return int(children[0]) if children else int(self.child.pid)

    def wait_until_it_waits(self) -> None:
        """Wait until the program sleeps, waiting for a key.

        Between showing a prompt and reading a key there is a moment in which Python notes a signal
        but acts on it only at the next key. People are not that quick, tests are.
        """
        while Path(f"/proc/{self.program}/stat").read_text().rpartition(")")[2].split()[0] != "S":
            os.sched_yield()

    def send(self, number: signal.Signals) -> None:
        self.wait_until_it_waits()
        os.kill(self.program, number)

    def echoes(self) -> bool:
        return bool(termios.tcgetattr(self.child.child_fd)[3] & termios.ECHO)

    def leave(self) -> int:
        """Wait for the end of the program. Returns its exit status, or minus the signal that ended it."""
        self.child.expect(pexpect.EOF)
        self.child.wait()
        return -self.child.signalstatus if self.child.exitstatus is None else int(self.child.exitstatus)


@contextlib.contextmanager
def terminal(*words: str, size: tuple[int, int] = (24, 80)) -> Iterator[Terminal]:
    opened = Terminal([*PROGRAM, *words], size)
    try:
        yield opened
    finally:
        end(opened.child)


@contextlib.contextmanager
def shell(script: str, name: str = "/bin/sh") -> Iterator[Terminal]:
    """A shell on a terminal, for a script that runs the program as `"$0" "$@"`."""
    opened = Terminal([name, "-c", script, *PROGRAM], (24, 80))
    try:
        yield opened
    finally:
        end(opened.child)


# The menu

GAMES = ninefold.every_game()
CHOOSE = "Your choice: "
START = "Enter: start, c: change > "
GO_ON = "Enter: menu, q: leave > "
NEXT = "Enter: menu, n: another like it, q: leave > "
ONE = "Your choice (Enter for 1): "
WHICH = "Which match (Enter for 1, b to go back): "


def test_the_menu_leads_to_the_rules_and_to_a_game_and_comes_back() -> None:
    with terminal("--no-color") as at:
        for wrong in (str(len(GAMES) + 1), "chess", "", "help"):
            at.answer(CHOOSE, wrong)
            at.see(f"Type a number from 1 to {len(GAMES)}, a game's name, or one of c, l, n, p,")
        for number, game in enumerate(GAMES, 1):
            assert re.search(rf"^ {number}  {game.title} ", at.screen, re.MULTILINE)
        at.answer(CHOOSE, "2")
        at.see(GAMES[1].title)
        at.answer(CHOOSE, "x")
        at.see("or just press Enter.")
        at.answer(CHOOSE, "r")
        at.see(f"{GAMES[1].title}\n\n")
        at.answer(CHOOSE, "b")
        at.answer(CHOOSE, "Number Cross")
        at.answer(CHOOSE, "2")
        at.answer(START, "")
        at.see("(Type ? for help.)")
        at.answer(LINE, "Row1")
        at.answer(LINE, "q")
        at.see(KEPT)
        at.answer(CHOOSE, "l")
        at.see("Player 1 - Player 2  1      unfinished")
        at.answer(GO_ON, "")
        at.answer(CHOOSE, "q")
        assert at.leave() == 0
    assert moves_of(only_saved()) == ["Row1"]


@pytest.mark.parametrize(
    ("keys", "status"),
    [("q\n", 0), ("quit\n", 0), ("cross\nq\n", 0), (CTRL_D, 0), (CTRL_C, 130)],
    ids=["q", "quit", "q for a game", "Ctrl-D", "Ctrl-C"],
)
def test_the_menu_can_be_left(keys: str, status: int) -> None:
    with terminal() as at:
        at.see(CHOOSE)
        at.press(keys)
        assert at.leave() == status
        assert "Traceback" not in at.screen
        assert at.screen.endswith("\n")
    assert saved_matches() == []


@pytest.mark.parametrize(
    ("slug", "typed", "setup"),
    [
        ("conquest", ["5", "2"], {"size": 2}),
        ("cross", ["11", "792 415 863"], {"grid": "792415863"}),
        ("cross", [""], None),
    ],
    ids=["size", "grid", "dealt"],
)
def test_names_side_best_of_and_settings_are_asked_for_in_the_menu(
    slug: str, typed: list[str], setup: object
) -> None:
    (option,), script = ninefold.load(slug).options, ninefold.load(slug).script
    assert script is not None
    with terminal(size=(24, 120)) as at:
        at.answer(CHOOSE, slug)
        at.answer(CHOOSE, "2")
        at.answer(START, "c")
        at.answer("Player 1's name (Enter for Player 1): ", "Ann")
        at.answer("Player 2's name (Enter for Player 2): ", "Ann")
        at.see("Ann is already at this table.")
        at.answer("Player 2's name (Enter for Player 2): ", "")
        for first in ("3", "2"):
            at.answer("Who starts: 1, 2 or random (Enter for 1): ", first)
        for games in ("2", "3"):
            at.answer("Best of how many games (Enter for one game): ", games)
        for value in typed:
            at.answer(script.prompts[option.name], value)
        at.answer(": ", {"conquest": "claim 1", "cross": "Row1"}[slug])
        at.answer(": ", "quit")
        at.see(KEPT)
        at.answer(CHOOSE, "q")
        assert at.leave() == 0
        assert at.screen.count("Type 1, 2 or random.") == 1
        assert at.screen.count("It must be ") == len(typed) - 1
    match = only_saved()
    assert [player.name for player in match.players] == ["Ann", "Player 2"]
    assert match.player(Seat.FIRST).name == "Player 2"
    assert match.series is not None
    assert match.series.best_of == 3
    assert match.state.setup == setup or (setup is None and option.value(match.state.setup["grid"]))


def test_the_menu_lists_the_matches_to_continue() -> None:
    with terminal() as at:
        at.answer(CHOOSE, "c")
        at.see("There is no unfinished match.")
        at.answer(CHOOSE, "q")
        assert at.leave() == 0
    run(*CROSS, typed=["Row1", "quit"])
    run(*CROSS, typed=["Row2", "Row3", "quit"])
    with terminal() as at:
        at.answer(CHOOSE, "c")
        at.answer(WHICH, "2")
        at.see("1 move so far.")
        at.answer(LINE, "Row3")
        at.answer(LINE, "q")
        at.answer(CHOOSE, "q")
        assert at.leave() == 0
    assert sorted(moves_of(match) for match in saved_matches()) == [["Row1", "Row3"], ["Row2", "Row3"]]


def test_a_game_is_followed_by_a_rematch_a_review_and_the_menu() -> None:
    with terminal(*CROSS, "--no-color") as at:
        at.answer(LINE, "Row1")
        at.answer(LINE, "resign")
        at.answer("Resign this game? [y/N] ", "n")
        at.answer(LINE, "resign")
        at.answer("Resign this game? [y/N] ", "y")
        at.see("To review it: ninefold review ")
        at.answer("Rematch? Player 2 starts. [y/N] ", "v")
        at.see("Number Cross: Player 1 against Player 2")
        at.answer("Better move: ", "n")
        at.see("accuracy: ")
        at.answer("Rematch? Player 2 starts. [y/N] ", "y")
        at.answer(LINE, "Row1")
        at.answer(LINE, "resign")
        at.answer("[y/N] ", "y")
        at.see("Games so far: Player 1 1, Player 2 1.")
        at.answer("Rematch? Player 1 starts. [y/N] ", "m")
        at.answer(CHOOSE, "q")
        assert at.leave() == 0


# Every path from the menu: what is typed, what is on the screen then, at which prompt, and the way back.
PATHS: tuple[tuple[str, str, str, str], ...] = (
    ("?", "your name, the computer's level", CHOOSE, ""),
    ("xyzzy", "Type a number from 1", CHOOSE, ""),
    ("c", "unfinished", WHICH, "b"),
    ("c/1/b", "|  7  |  8  |  9  |", LINE, "q"),
    ("c/1/q", "To continue: ", CHOOSE, ""),
    ("l", "ID     LAST MOVE", GO_ON, "Enter"),
    ("p", "today's: ", ONE, "b"),
    ("p/1/?", "Your answer", "help): ", "q"),
    ("p/Enter/Enter", "Solved so far: 0.", NEXT, "Enter"),
    ("puzzle/2", "Which game", "(1-5): ", "b"),
    ("p/2/5", "Find the mistake that lost", "(Enter for any): ", "b"),
    ("p/2/5/1", "from easy to hard (3, 4, 5;", "Enter for any): ", "b"),
    ("p/2/5/2/5/b", "What is the smallest line that still wins?", "help): ", "q"),
    ("p/2/5/2/5/Enter", "Solved so far: 0.", NEXT, "Enter"),
    ("p/2/5/1/3/Enter/n", "Number Cross, count it out, grade 3", "help): ", "q"),
    ("p/3", "you looked at the answer", "(Enter for 1): ", "b"),
    ("p/3/Enter", "Number Cross, count it out, grade 3", "help): ", "q"),
    ("v", "Number Cross", WHICH, "b"),
    ("v/1", "What is better?", "Better move: ", "q/Enter"),
    ("v/1/n", "accuracy: ", GO_ON, "Enter"),
    ("o", "join a match by its link", CHOOSE, "b"),
    ("o/1", "Which game", "(1-5): ", "b"),
    ("o/1/5", "http://127.0.0.1:8909", ": ", "b"),
    ("o/2", "Link: ", "Link: ", "b"),
    ("o/2/nonsense", '"nonsense" is not a match link', CHOOSE, ""),
    ("o/3/nonsense", '"nonsense" is not a match link', CHOOSE, ""),
    ("r", "Which game", "(1-5): ", "b"),
    ("r/5", "any time", GO_ON, "Enter"),
    ("5", "The larger sum wins; on a tie, whoever moved second.", CHOOSE, "b"),
    ("5/r", "against the computer", CHOOSE, "b"),
    ("5/1", "Level 3. You start. One game.", START, "b"),
    ("5/1/c", "1 to 9 or perfect", "(Enter for 3): ", "b"),
    ("5/1/c/Enter", "Coach, who stops you at a mistake", "(Enter for n): ", "b"),
    ("5/1/c/Enter/Enter", "1 you, 2 the computer or random", "(Enter for 1): ", "b"),
    ("5/1/c/Enter/Enter/Enter", "Best of how many games", "one game): ", "b"),
    ("5/1/Enter", "Your turn.", "Line: ", "q"),
    ("5/2", "Player 1 starts. One game.", START, "b"),
    ("5/2/c", "Player 1's name", "(Enter for Player 1): ", "b"),
    ("5/2/Enter", "Player 1's Turn:", LINE, "q"),
    ("5/3", "http://127.0.0.1:8909", ": ", "b"),
    ("5/w", "ours, with a clearer board", CHOOSE, "w/b"),
    ("s", "for screen readers", "done): ", "b"),
    ("s/1/Zoe", "name   Zoe", "done): ", "Enter"),
    ("s/2/7", "level  7", "done): ", "Enter"),
    ("s/3", "color  off", "done): ", "Enter"),
    ("s/4", "plain  on", "done): ", "4/Enter"),
    ("s/5", "ours, with a clearer board", "done): ", "Enter"),
)


def test_what_was_asked_for_is_on_the_screen_when_the_menu_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGER", "")
    rows = 24
    run(*CROSS, typed=["Row1", "Row3", "resign"])
    run(*CROSS, typed=["Row1", "quit"])
    with terminal("--no-color", size=(rows, 80)) as at:
        at.see(CHOOSE)
        for typed, wanted, prompt, back in PATHS:
            for line in typed.split("/"):
                at.type(line.removeprefix("Enter"))
                at.child.expect(r"(?:: |> |\] )$")
            assert at.screen.endswith(prompt), (typed, at.screen[-200:])
            visible = at.screen.splitlines()[-rows:]
            assert any(wanted in line for line in visible), (typed, visible)
            for line in filter(None, back.split("/")):
                at.type(line.removeprefix("Enter"))
                at.child.expect(r"(?:: |> |\] )$")
            assert at.screen.endswith(CHOOSE), (typed, at.screen[-200:])
        at.type("q")
        assert at.leave() == 0


@pytest.mark.parametrize("command", ["resume", "review", "replay"])
def test_without_an_id_there_is_a_list_to_choose_from(command: str) -> None:
    for line in ("Row1", "Row2"):
        run(*CROSS, typed=[line, "quit"])
    which = "Which match (Enter for 1, q to leave): "
    with terminal(command, "--no-color") as at:
        at.answer(which, "7")
        at.see("Type the number of a match")
        at.answer(which, "2")
        at.see("Number Cross: ")
        at.see({"resume": "1 move so far.", "review": "Row 1", "replay": "[0/1]"}[command])
    with terminal(command) as at:
        at.answer(which, "q")
        assert at.leave() == 0


def test_a_resumed_game_leads_to_the_menu() -> None:
    run(*CROSS, typed=["Row1", "quit"])
    with terminal("resume", "--no-color") as at:
        at.answer(LINE, "resign")
        at.answer("[y/N] ", "y")
        at.answer("Rematch? Player 2 starts. [y/N] ", "m")
        at.answer(CHOOSE, "l")
        at.answer(GO_ON, "")
        at.answer(CHOOSE, "q")
        assert at.leave() == 0


def test_settings_are_saved_and_used() -> None:
    with terminal() as at:
        at.answer(CHOOSE, "s")
        for number, answer in (("1", "Computer"), ("1", "Zo\u00eb"), ("2", "0"), ("2", "7")):
            if answer in ("Zo\u00eb",):
                at.answer(CHOOSE, "s")  # a name that cannot be used leads back to the menu
            if answer != "7":
                at.answer("Change which (Enter: done): ", number)
            at.answer("): ", answer)
        at.answer("Change which (Enter: done): ", "3")
        at.answer("Change which (Enter: done): ", "")
        at.answer(CHOOSE, "cross")
        at.see(CHOOSE)
        assert SGR.search(at.screen)
        before = len(at.screen)
        at.type("1")
        at.see("Level 7. You start. One game. ")
        at.answer(START, "")
        at.answer("Line: ", "Row1")
        at.answer("Line: ", "q")
        at.answer(CHOOSE, "q")
        assert at.leave() == 0
        assert not SGR.search(at.screen[before:])
    match = only_saved()
    assert [(player.name, player.kind) for player in match.players] == [
        ("Zo\u00eb", "person"),
        ("Computer", "level:7"),
    ]


def test_a_match_without_a_move_is_not_saved() -> None:
    with terminal(*CROSS) as at:
        at.answer(LINE, "q")
        at.see("Nothing was played, so nothing was saved.")
        assert at.leave() == 0
    assert saved_matches() == []
    with terminal(*CROSS) as at:
        at.answer(LINE, "Row1")
        at.see(LINE)
        assert len(saved_matches()) == 1
        at.type("u")
        at.answer(LINE, "q")
        assert at.leave() == 0
    assert saved_matches() == []


# Secret numbers


def test_a_whole_challenge_tells_nothing_before_both_numbers_are_in() -> None:
    """The same keys but for the first number: not a byte of the screen or of the file may differ."""
    screens: set[str] = set()
    files: set[str] = set()
    for number in ("2", "5"):
        with terminal("play", "conquest") as at:
            at.answer(ACTION, "claim 1")
            at.answer(ACTION, "challenge 1")
            at.see("Player 2")
            at.see("choose your number in secret.")
            at.see("Player 1")
            at.see("please look away.")
            at.see(NUMBER)
            assert not at.echoes()
            at.type(number)
            at.see("Waiting for ")
            at.see("choose your number in secret.")
            at.see("Player 2")
            at.see("please look away.")
            at.see(NUMBER)
            assert not at.echoes()
            screens.add(at.screen)
            path = only_file()
            text = path.read_text()
            assert "bid" not in text
            files.add(re.sub(r"2\d{3}-\d\d-\d\dT[\d:+]+", "", text))
            at.type("3")
            at.see("Challenge results:")
            at.see(f"number: {number}\n")
            at.see("number: 3\n")
            at.see(ACTION)
            assert moves_of(saved_matches()[-1])[-2:] == [f"bid:{number}", "bid:3"]
            at.type("quit")
            assert at.leave() == 0
        path.unlink()
    assert len(screens) == 1
    assert len(files) == 1


def test_commands_work_at_a_secret_prompt_and_a_wrong_number_is_not_shown() -> None:
    with terminal("play", "conquest") as at:
        at.answer(ACTION, "claim 1")
        at.answer(ACTION, "challenge 1")
        for wrong in ("47", "4 or 5", "qwerty"):
            at.answer(NUMBER, wrong)
            at.see("Please select a valid number.")
        at.answer(NUMBER, "help")
        at.see("It stays hidden until both have chosen.")
        at.see(NUMBER)
        assert not re.search("47|4 or 5|qwerty", at.screen)
        at.type("undo")
        at.see("The last turn was taken back.")
        at.answer(ACTION, "resign")
        at.answer("Resign this game? [y/N] ", "y")
        for said in ("Player 1", " wins.", "Player 2", " resigned.", "Rematch? "):
            at.see(said)
        at.answer(" [y/N] ", "n")
        assert at.leave() == 0
    assert moves_of(only_saved()) == ["claim:1"]


@pytest.mark.skipif(importlib.util.find_spec("readline") is None, reason="Python without readline")
def test_a_number_is_not_in_the_input_history() -> None:
    with terminal("play", "conquest", size=(24, 200)) as at:
        at.answer(ACTION, "claim 1")
        at.answer(ACTION, "challenge 1")
        at.answer(NUMBER, "4")
        at.answer(NUMBER, "3")
        at.see("- Opponent's number: 3")
        at.see(ACTION)
        at.press(UP + "\n")  # the last thing in the history is the challenge
        at.see("challenges cell 1.")
        at.answer("numbers [1, 2, 4, 5]: ", "5")
        at.answer("numbers [1, 2, 3, 5]: ", "5")
        at.see(ACTION)
        at.press(UP + UP + UP + "\n")  # two challenges back is the claim
        at.see("Cell 1 is not empty")
        at.answer(ACTION, "quit")
        assert at.leave() == 0


def test_a_number_typed_on_a_terminal_is_hidden_when_only_the_output_is_a_pipe() -> None:
    with shell('"$0" "$@" play conquest | cat') as at:
        at.answer(ACTION, "claim 1")
        at.answer(ACTION, "challenge 1")
        at.see(NUMBER)
        assert not at.echoes()
        at.type("4")
        at.see(NUMBER)
        at.type("3")
        at.see("- Your number: 4")
        at.see(ACTION)
        assert "\x1b" not in at.screen
        assert at.screen.count("4\n") == at.screen.count(": 4\n") == 1


def test_all_that_was_said_is_out_before_a_number_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The question goes to the terminal directly, the rest through a pipe: it must not stay in it."""
    terminal_in, pipe = io.StringIO(), io.BytesIO()
    monkeypatch.setattr(terminal_in, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdin", terminal_in)
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(pipe, encoding="utf-8"))
    out: list[bytes] = []

    def asked(_: str) -> str:
        out.append(pipe.getvalue())
        return "4"

    monkeypatch.setattr("getpass.getpass", asked)
    console = Console(color=False, plain=False)
    console.say("Player 1, please look away.")
    assert console.ask(NUMBER, secret=True) == "4"
    assert out == [b"Player 1, please look away.\n"]


def test_news_comes_through_though_a_signal_does_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One that comes after the question is shown and before the terminal is read from wakes nobody."""
    sent: list[int] = []
    asked: list[str] = []
    kill = signal.pthread_kill

    def kill_from_the_second_time_on(thread: int, number: int) -> None:
        sent.append(number)
        if len(sent) > 1:
            kill(thread, number)

    def waited(question: str) -> str:
        asked.append(question)
        if len(asked) == 1:
            threading.Thread(target=console.notify, args=["Ben is back."]).start()
            time.sleep(30)  # unless it is interrupted
        return "y"

    terminal_in = io.StringIO()
    monkeypatch.setattr(terminal_in, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdin", terminal_in)
    monkeypatch.setattr("signal.pthread_kill", kill_from_the_second_time_on)
    monkeypatch.setattr("builtins.input", waited)
    console = Console(color=False, plain=False)
    assert console.ask("Rematch? ") == "y"
    assert asked == ["Rematch? "] * 2
    assert capsys.readouterr().err == "Ben is back.\n"


# Leaving, and being made to leave

SECRET = ("claim 1", "challenge 1")


@pytest.mark.parametrize(("key", "status"), [(CTRL_C, 130), (CTRL_D, 1)], ids=["Ctrl-C", "Ctrl-D"])
@pytest.mark.parametrize("plain", [[], ["--plain"]], ids=["", "plain"])
def test_the_key_to_leave_saves_the_match_and_says_how_to_continue(
    key: str, status: int, plain: list[str]
) -> None:
    line = "Line: " if plain else LINE
    with terminal(*CROSS, *plain) as at:
        at.answer(line, "Row1")
        at.see(line)
        at.press(key)
        at.see(KEPT)
        assert at.leave() == status
        assert "Traceback" not in at.screen
        assert id_in(at.screen) == only_file().stem
    assert moves_of(only_saved()) == ["Row1"]


@pytest.mark.parametrize(("key", "status"), [(CTRL_C, 130), (CTRL_D, 1)], ids=["Ctrl-C", "Ctrl-D"])
def test_the_key_to_leave_works_at_a_secret_prompt(key: str, status: int) -> None:
    script = '"$0" "$@" play conquest; echo "status $?"; stty -a; read line'
    with shell(f"trap : INT; {script}") as at:
        at.answer(ACTION, "claim 1")
        at.answer(ACTION, "challenge 1")
        at.answer(NUMBER, "5")
        at.see(NUMBER)
        at.press(key)
        at.see(KEPT)
        at.see(f"status {status}\n")
        at.see(" icanon ")
        at.see(" echo ")
        assert "Traceback" not in at.screen
    assert moves_of(only_saved()) == ["claim:1", "challenge:1"]


with_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")


@with_bash
@pytest.mark.parametrize("stop", [signal.SIGTSTP, signal.SIGSTOP])
def test_a_number_stays_hidden_after_the_program_was_suspended(stop: signal.Signals) -> None:
    """The shell echoes while it has the terminal; back in the program nothing typed may show."""
    script = '"$0" "$@" play conquest; stty echo; echo "stopped"; read line; fg; stty -a'
    with shell(f"set -m; {script}", "bash") as at:
        at.answer(ACTION, "claim 1")
        at.answer(ACTION, "challenge 1")
        at.see(NUMBER)
        at.send(stop)
        at.see("stopped")
        assert at.echoes()
        at.type("go on")
        at.see(NUMBER)
        assert not at.echoes()
        at.type("4")
        at.answer(NUMBER, "3")
        at.see("- Your number: 4")
        assert at.screen.count("4\n") == at.screen.count(": 4\n") == 1
        at.answer(ACTION, "quit")
        at.see(" icanon ")
        at.see(" echo ")


@with_bash
def test_ctrl_z_at_a_secret_prompt_leaves_a_terminal_that_echoes() -> None:
    with shell('set -m; "$0" "$@" play conquest; echo "stopped"; read line', "bash") as at:
        at.answer(ACTION, "claim 1")
        at.answer(ACTION, "challenge 1")
        at.see(NUMBER)
        assert not at.echoes()
        at.press(CTRL_Z)
        at.see("stopped")
        assert at.echoes()


def test_ctrl_z_without_a_shell_to_continue_the_program_changes_nothing() -> None:
    with terminal("play", "conquest") as at:
        at.answer(ACTION, "claim 1")
        at.answer(ACTION, "challenge 1")
        at.see(NUMBER)
        at.press(CTRL_Z)
        at.wait_until_it_waits()
        assert not at.echoes()
        at.type("4")
        at.see(NUMBER)


@with_bash
@pytest.mark.parametrize("stop", ["Ctrl-Z", "SIGSTOP"])
def test_a_question_is_back_after_the_program_was_suspended_and_so_is_what_was_typed(stop: str) -> None:
    script = '"$0" "$@" play cross --grid 123456789 --no-color; echo "stopped"; read line; fg'
    with shell(f"set -m; {script}", "bash") as at:
        at.answer(LINE, "Row3")
        at.see(LINE)
        at.press("Row")
        at.see("Row")
        if stop == "Ctrl-Z":
            at.press(CTRL_Z)
        else:
            at.send(signal.SIGSTOP)
        at.see("stopped")
        at.type("go on")
        at.see(f"{LINE}Row")
        at.press("1\n")
        at.see(LINE)
        assert moves_of(only_saved()) == ["Row3", "Row1"]
        at.press(UP + "\x7f2\n")  # the last line, with another number: editing works
        at.see(LINE)
        assert moves_of(only_saved()) == ["Row3", "Row1", "Row2"]


def test_pasted_lines_are_typed_one_after_the_other() -> None:
    with terminal(*CROSS) as at:
        at.see(LINE)
        at.press("Row1\nRow2\nnonsense\nCol3\n")
        for _ in range(4):
            at.see(LINE)
        assert moves_of(only_saved()) == ["Row1", "Row2", "Col3"]
        assert "\x1b[?2004h" not in at.screen  # which would make one line of them


def test_a_line_half_typed_is_lost_by_ctrl_c_and_nothing_else() -> None:
    with terminal(*CROSS) as at:
        at.answer(LINE, "Row1")
        at.see(LINE)
        at.press("Row")
        at.see("Row")
        at.press(CTRL_C)
        assert at.leave() == 130
    with terminal("resume") as at:
        at.answer(LINE, "Row2")
        at.see(LINE)
        assert moves_of(only_saved()) == ["Row1", "Row2"]


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGKILL, signal.SIGTERM])
def test_a_match_goes_on_from_the_last_move_however_the_program_ended(number: signal.Signals) -> None:
    with terminal(*CROSS) as at:
        at.answer(LINE, "Row1")
        at.answer(LINE, "Row2")
        at.see(LINE)
        at.send(number)
        assert at.leave() == (128 + number if number == signal.SIGTERM else -number)
    with terminal("resume") as at:
        at.see("2 moves so far.")
        at.answer(LINE, "Row3")
        at.see(LINE)
        assert moves_of(only_saved()) == ["Row1", "Row2", "Row3"]


def test_a_match_goes_on_after_the_terminal_was_lost() -> None:
    with terminal("play", "conquest") as at:
        at.answer(ACTION, "claim 1")
        at.answer(ACTION, "challenge 1")
        at.answer(NUMBER, "5")
        at.see(NUMBER)
        at.child.close(force=False)  # the window is closed
    with terminal("resume") as at:
        at.see("2 moves so far.")
        at.answer(NUMBER, "4")
        at.answer(NUMBER, "3")
        at.see("- Your number: 4")


@pytest.mark.parametrize("secret", [True, False])
def test_the_terminals_mode_is_restored_when_the_program_is_terminated(secret: bool) -> None:
    with shell('"$0" "$@" play conquest; echo "status $?"; stty -a; read line') as at:
        for line in SECRET:
            at.answer(ACTION, line)
        at.see(NUMBER)
        if secret:
            assert not at.echoes()
        else:
            at.type("5")
            at.answer(NUMBER, "4")
            at.see(ACTION)
        at.send(signal.SIGTERM)
        at.see("status 143\n")
        at.see(" icanon ")
        at.see(" echo ")
        assert "Traceback" not in at.screen


def test_a_match_on_another_terminal_cannot_be_resumed() -> None:
    with terminal(*CROSS) as at:
        at.answer(LINE, "Row1")
        at.see(LINE)
        session = run("resume")
        assert session.status == 1
        assert "is being played in another window" in session.err
        at.type("Row2")
        at.see(LINE)
    assert moves_of(only_saved()) == ["Row1", "Row2"]


# The window


@pytest.mark.parametrize("plain", [[], ["--plain"]], ids=["", "plain"])
def test_a_new_size_of_the_window_harms_nothing(plain: list[str]) -> None:
    action, number = ("Cell: ", "Number (1-5): ") if plain else (ACTION, NUMBER)
    with terminal("play", "conquest", *plain) as at:
        at.see(action)
        at.press("claim")
        at.see("claim")
        for size in ((10, 20), (50, 200), (24, 80)):
            at.child.setwinsize(*size)
            at.send(signal.SIGWINCH)
        at.press(" 1\n")
        at.see("claimed cell 1.")
        at.answer(action, "challenge 1")
        at.see(number)
        at.child.setwinsize(30, 100)
        at.send(signal.SIGWINCH)
        at.type("4")
        at.answer(number, "3")
        at.see("Player 2's 4 beat" if plain else "- Your number: 4")
        at.see(action)
        assert "Traceback" not in at.screen
    assert moves_of(only_saved()) == ["claim:1", "challenge:1", "bid:4", "bid:3"]


# Color


@pytest.mark.parametrize("alone", [False, True], ids=["two", "alone"])
@every_slug
def test_color_is_never_the_only_sign(slug: str, alone: bool) -> None:
    """With the colors taken out, not a character is missing: in a game, in its replay and its review."""
    typed = [str(move) for move in ninefold.load(slug).moves]  # most of them are refused by then
    words = ["play", slug, "--seed", "1", *(["--p2", "greedy"] if alone else NAMES)]
    colored, plain = (run(*words, typed=["", *typed], colors=colors).out for colors in (True, False))
    assert SGR.search(colored)
    strip = re.compile(rf"{SGR.pattern}|review \w+")  # the matches have names of their own
    assert strip.sub("", colored) == strip.sub("", plain)
    assert all(line.isprintable() for line in plain.splitlines())
    id = Matches().entries()[0].id
    for command in ("replay", "review"):
        colored, plain = (run(command, id, colors=colors).out for colors in (True, False))
        assert SGR.sub("", colored) == plain


@pytest.mark.parametrize(
    ("environment", "flags", "colors"),
    [
        ({}, [], True),
        ({"NO_COLOR": ""}, [], True),
        ({"NO_COLOR": "1"}, [], False),
        ({"NO_COLOR": "0"}, [], False),
        ({"TERM": "dumb"}, [], False),
        ({"TERM": ""}, [], False),
        ({}, ["--no-color"], False),
        ({}, ["--plain"], False),
    ],
    ids=str,
)
def test_colors_are_shown_unless_they_are_not_wanted(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], flags: list[str], colors: bool
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    for words in ([*flags, *CROSS], [*CROSS, *flags]):
        assert ("\x1b" in run(*words, typed=["Row1"], colors=True).out) == colors


@pytest.mark.parametrize("flags", [[], ["--plain"]], ids=["", "plain"])
def test_a_terminal_has_colors_unless_it_is_to_be_plain(flags: list[str]) -> None:
    line = "Line: " if flags else LINE
    with terminal(*CROSS, *flags) as at:
        at.answer(line, "Row1")
        at.see(line)
        assert bool(SGR.search(at.screen)) == (not flags)
        assert not flags or "\x1b" not in at.screen


@pytest.mark.parametrize(("term", "flags"), [("dumb", []), ("xterm", ["--plain"])], ids=["dumb", "plain"])
def test_a_simple_terminal_has_no_line_editing(
    monkeypatch: pytest.MonkeyPatch, term: str, flags: list[str]
) -> None:
    """The key that would bring back the last line is a character like any other."""
    monkeypatch.setenv("TERM", term)
    line = "Line: " if flags else LINE
    with terminal(*CROSS, *flags) as at:
        at.answer(line, "Row1")
        at.see(line)
        at.press(UP + "\n")
        at.see("is not a line.")


def test_the_menu_has_no_colors_where_they_are_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    with terminal() as at:
        at.see(CHOOSE)
        assert not SGR.search(at.screen)


# Replaying


def test_a_match_is_replayed_step_by_step() -> None:
    run(*CROSS, typed=["Row1", "Row2", "resign"])
    with terminal("replay", only_id(), "--no-color") as at:
        at.answer("[0/2] Enter: next, b: back, q: stop > ", "b")
        at.see("This is the start.")
        at.answer("[0/2] Enter: next, b: back, q: stop > ", "")
        at.see("Turn 1: Player 1 claimed Row 1")
        at.answer("[1/2] Enter: next, b: back, q: stop > ", "what")
        at.see("Press Enter, or type b or q.")
        at.answer("[1/2] Enter: next, b: back, q: stop > ", "")
        at.see("Turn 2: Player 2 claimed Row 2")
        at.see("Player 2 wins.\nPlayer 1 resigned.\n")
        at.answer("[2/2] Enter: next, b: back, q: stop > ", "b")
        at.see("Turn 1: Player 1 claimed Row 1")
        at.answer("[1/2] Enter: next, b: back, q: stop > ", "q")
        assert at.leave() == 0


@pytest.mark.parametrize(("key", "status"), [(CTRL_C, 130), (CTRL_D, 0)], ids=["Ctrl-C", "Ctrl-D"])
def test_a_replay_can_be_left_at_any_time(key: str, status: int) -> None:
    run(*CROSS, typed=["Row1", "resign"])
    with terminal("replay", only_id()) as at:
        at.see("q: stop > ")
        at.press(key)
        assert at.leave() == status
        assert "Traceback" not in at.screen
