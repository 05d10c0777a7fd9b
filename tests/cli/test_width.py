"""Our text fits the terminal from 40 columns on, and no word of it is broken."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from ninefold import Game
from ninefold.cli.voice import Voice
from ninefold.commands import COMMANDS
from ninefold.show.moves import cast_of
from tests.cli.questions import answers, whole_match
from tests.cli.session import BATTLE, Session, at_random, flags, only_saved, run, save, saved_matches
from tests.cli.terminals import end
from tests.cli.test_own_voice import person_of
from tests.cli.test_terminal import CSI, Terminal, terminal
from tests.program import PROGRAM
from tests.setups import GAMES, every_game, setups_of

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")

WIDTHS = (40, 80, 120)
TRIED = ("?", "h", "e", "b", "r", "xyzzy", "9@9,9", "")


@pytest.fixture(params=WIDTHS)
def width(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """The width of a terminal, in this process."""
    monkeypatch.setattr("ninefold.cli.console.width_of_terminal", lambda _: request.param)
    monkeypatch.setenv("COLUMNS", str(request.param))
    return int(request.param)


def too_wide(text: str, width: int) -> list[str]:
    """The lines that do not fit. A word of its own, such as a link, cannot be broken."""
    return [line for line in text.splitlines() if len(line) > width and " " in line.strip()]


def words(text: str) -> Counter[str]:
    """A long question has its answer on a line of its own, after a sign."""
    return Counter(word for word in re.sub(r"review \w+", "", text).split() if word != ">")


def play(rng: Random) -> Iterator[str]:
    """What somebody types who tries every command and plays at random."""
    yield "u"
    while not (match := only_saved()).over and len(match.played) < 12:
        yield from TRIED
        state, seat = only_saved().state, person_of(match)
        yield from answers(Voice(), state, cast_of(match), rng.choice(state.moves(seat)), seat)
    yield from () if only_saved().over else ("resign",)


def game_at(game: Game, *more: str) -> Session:
    """A whole game against the computer, the same every time."""
    for match in saved_matches():
        assert match.over
    setup = setups_of(game)[-1]
    words = ("play", game.slug, "--p2", "random", "--seed", "1", *flags(setup), *more)
    return run(*words, typed=play(Random(1)))


@every_game
@pytest.mark.parametrize("more", [[], ["--plain"]], ids=["", "plain"])
def test_a_game_fits_and_says_the_same_words_at_every_width(
    game: Game, more: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    said = []
    for width in (None, *(WIDTHS if not more else WIDTHS[:1])):
        monkeypatch.setattr("ninefold.cli.console.width_of_terminal", lambda _, width=width: width)
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        session = game_at(game, *more)
        assert session.status == 0
        assert width is None or too_wide(session.out, width) == []
        assert not more or not re.search(r"[+|]--|--[+|]|^ *\|", session.out, re.MULTILINE)
        said.append(words(session.out))
    assert all(one == said[0] for one in said)


@every_game
def test_what_commands_say_about_a_match_fits(game: Game, width: int) -> None:
    id = save(whole_match(game.slug, setups_of(game)[0]))
    save(at_random(game.slug, setups_of(game)[0], 1, moves=3))
    analyze = ("analyze", game.slug, *flags(setups_of(game)[0]))
    for command in (("review", id), ("replay", id), ("history",), ("rules", game.slug), analyze):
        for more in ((), ("--plain",)) if width == WIDTHS[0] else ((),):
            session = run(*command, *more)
            assert (session.status, too_wide(session.out, width)) == (0, [])


@pytest.mark.parametrize("columns", [60, 80, 90, 120])
def test_lists_of_matches_and_of_turns_are_tables(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the names are. The head says which columns there was room for."""
    monkeypatch.setattr("ninefold.cli.console.width_of_terminal", lambda _: columns)
    for slug, game in GAMES.items():
        match = whole_match(slug, setups_of(game)[0])
        first, second = match.players
        match.players = (replace(first, name="Bartholomew the 2nd"), replace(second, name="W" * 20))
        id = save(match)
        lines = run("review", id).out.splitlines()
        (head,) = (line for line in lines if re.fullmatch(r" +(PLAYER +)?TURN +(THEN|REMARK).*", line))
        start = head.index("TURN")
        rows = lines[lines.index(head) + 1 : lines.index("", lines.index(head))]
        assert len([row for row in rows if row[:2].strip()]) == len(match.turns)
        assert all(row[start - 2 : start] == "  " for row in rows)
    history = run("history").out.splitlines()
    assert re.fullmatch(r"ID .*GAME +PLAYERS +(MOVES +)?RESULT", history[0])
    assert "LAST MOVE" in history[0] or columns < 120
    assert too_wide("\n".join([*history, *lines]), columns) == []
    start = history[0].index("RESULT")
    assert all(row[start - 2 : start] == "  " for row in history)


def test_errors_and_long_names_fit(width: int) -> None:
    names = ("--name1", "W" * 20, "--name2", "M M M M M M M M M M")
    for command in (
        (*BATTLE, *names),
        ("resume", "nosuch"),
        ("play", "chess"),
        ("play", "battle", "--target", "3"),
        ("review", "http://127.0.0.1:1/m/x"),
    ):
        session = run(*command, "--plain", typed=["9", "?", "h", "quit"])
        assert too_wide(session.err, width) == []
        assert too_wide(session.out, width) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_help_fits_a_terminal(width: int) -> None:
    script = "; ".join(f'"$0" "$@" {command} --help' for command in ("", "play", "review", "host"))
    assert {"play", "review", "host"} <= set(COMMANDS)
    shown = Terminal(["env", "-u", "COLUMNS", "/bin/sh", "-c", script, *PROGRAM], (50, width))
    try:
        assert shown.leave() == 0
        assert too_wide(shown.screen, width) == []
        assert "examples:\n" in shown.screen
    finally:
        end(shown.child)


@every_game
def test_a_game_on_a_narrow_terminal_fits_it(game: Game) -> None:
    setup, width = setups_of(game)[-1], WIDTHS[0]
    words = ("play", game.slug, "--p2", "random", "--seed", "1", *flags(setup))
    typed = [*TRIED[:-1], "resign", "y", "n"]
    with terminal(*words, "--no-color", size=(24, width)) as at:
        for line in typed:
            at.child.expect(r"(?:: |> |\[y/N\] |\(not shown\) )$")
            at.type(line)
        assert at.leave() == 0
        assert too_wide(CSI.sub("", at.screen), width) == []


def test_the_pager_says_how_to_leave_and_writes_no_files(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if shutil.which("less") is None:
        pytest.skip("there is no less here")
    monkeypatch.delenv("PAGER", raising=False)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(os.path.abspath, sys.path)))
    monkeypatch.chdir(tmp_path)
    with terminal("rules", "cross", "--no-color", size=(10, 80)) as at:
        at.see("q: leave")
        at.press("stop\n")
        at.press("q")
        assert at.leave() == 0
    assert list(tmp_path.iterdir()) == []


def test_rules_are_paged_if_they_are_longer_than_the_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PAGER", "sed s/^/paged:/")
    with terminal("rules", "cross", "--no-color", size=(10, 80)) as at:
        assert at.leave() == 0
        assert at.screen.startswith("paged:Number Cross\n")
    with terminal("rules", "cross", "--no-color", size=(200, 80)) as at:
        assert at.leave() == 0
        assert at.screen.startswith("Number Cross\n")
    monkeypatch.setenv("PAGER", "/no/such/program")
    with terminal("rules", "cross", "--no-color", size=(10, 80)) as at:
        assert at.leave() == 0
        assert at.screen.startswith("Number Cross\n")
