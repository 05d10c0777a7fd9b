"""Nonsense into whole sessions: never a traceback, never a position that the rules do not know."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random
from typing import Any
from unittest import mock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ninefold
from ninefold import MalformedMove, NinefoldError
from ninefold.core.grid import read_cell
from ninefold.match import Match
from tests.cli.session import ALL_PLACED, GRID, Session, kept, lines, only_kept, oracle, program, run

Setup = dict[str, int | str]

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
IN_MEMORY = "/dev/shm" if os.path.isdir("/dev/shm") else None  # thousands of files are written here


@contextmanager
def empty_home() -> Iterator[None]:
    """Each example has matches of its own."""
    with (
        tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder,
        mock.patch.dict(os.environ, {"XDG_DATA_HOME": folder, "HOME": folder}),
    ):
        yield


class Follower:
    """Follows a session line by line through the rules alone; knows nothing of the terminal."""

    def __init__(self, slug: str, setup: Setup, opening: tuple[str, ...]) -> None:
        self.match = oracle(slug, setup, opening)
        self.half: str | None = None  # the number or the action of a move whose cell is still open
        self.left = False

    @property
    def over(self) -> bool:
        return self.left or self.match.outcome is not None

    def hear(self, line: str) -> None:
        match line.strip().lower():
            case "" | "help" | "?" | "rules" | "board":
                pass
            case "quit" | "exit":
                self.left = True
            case "resign":
                self.match.resign(self.match.state.movers[0])
            case "undo" | "back" if self.half is not None:
                self.half = None
            case "undo":
                with suppress(NinefoldError):
                    self.match.undo(by=self.match.state.movers[0])
            case _:
                self._move(line)

    def _move(self, line: str) -> None:
        legal = {str(move) for move in self.match.state.moves(self.match.state.movers[0])}
        move = self._named(line.strip(), legal)
        if move in legal:
            self.match.submit(self.match.state.movers[0], move)
            self.half = None

    def _named(self, text: str, legal: set[str]) -> str:
        """The text of the move that was named, or "" where there is none yet."""
        if self.half is not None and (completed := self._completed(text)):
            return completed
        try:
            move = str(self.match.game.parse(text))
        except MalformedMove:
            if self.half is not None:
                return ""
        else:
            spelled_out = "@" in text or "at" in text.lower() or text[0].isalpha()
            fits = self.half is None or move.startswith((f"{self.half}@", f"{self.half}:"))
            return move if fits or spelled_out else ""
        view = self.match.state.view(None)
        match self.match.game.slug, view.phase:
            case "conquest", "bidding":
                return f"bid:{text}"
            case "conquest", _:
                actions = [a for a in ("claim", "challenge") if a.startswith(text.lower()) and text]
                if len(actions) == 1 and any(move.startswith(actions[0]) for move in legal):
                    self.half = actions[0]
            case "pattern", "returning" | "swapping":
                verb = "return" if view.phase == "returning" else "swap"
                seat = view.movers[0]
                for cell in view.boards[seat].cells:
                    if text == str(cell.number):
                        return f"{verb}@{cell.label}"
                return self._at(verb, text)
            case "shadow" | "pattern", _:
                if any(move.startswith(f"{text}@") for move in legal):
                    self.half = text
        return ""

    def _completed(self, text: str) -> str:
        assert self.half is not None
        if self.match.game.slug == "conquest":
            return f"{self.half}:{int(text)}" if text.isascii() and text.isdigit() else ""
        return self._at(self.half, text)

    def _at(self, what: str, text: str) -> str:
        try:
            row, col = divmod(read_cell(text), 3)
        except MalformedMove:
            return ""
        return f"{what}@{row + 1},{col + 1}"

    def cut_off(self) -> None:
        """The session ends here and is resumed: what was half said or secret is asked again."""
        self.half = None
        self.match = Match.of(self.match.shared_record())


any_line = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=20)
digits = st.text("0123456789", min_size=1, max_size=4)
commands = st.sampled_from(["help", "?", "rules", "board", "undo", "undo", "Undo ", "back", "", "  "])
rarely = st.sampled_from(["resign", "quit", "exit", "help"])
legal = st.integers(0, 1000)  # the legal move of that number, counted round and round


def near_misses(game: ninefold.Game) -> st.SearchStrategy[str]:
    """Moves of the game, most of them not allowed just now, and moves with something wrong."""
    texts = [str(move) for move in game.moves]
    move = st.sampled_from(texts)
    other_games = st.sampled_from([str(g.moves[-1]) for g in ninefold.every_game()])
    spoilt = st.tuples(move, st.integers(0, 10), st.sampled_from(" ,@:;.-()09a\x00\t\x1b\u0663")).map(
        lambda parts: parts[0][: parts[1]] + parts[2] + parts[0][parts[1] :]
    )
    shortened = st.tuples(move, st.integers(0, 5)).map(lambda parts: parts[0][parts[1] :])
    halves = st.sampled_from(
        ["claim", "challenge", "cl", "ch", "c", "bid", "row", "return", "swap", "1 1"]
    )
    return move | other_games | spoilt | shortened | halves


def typed_lines(game: ninefold.Game) -> st.SearchStrategy[list[str | int]]:
    line = legal | legal | near_misses(game) | digits | commands | any_line
    return st.lists(line | line | line | line | rarely, max_size=30)


TABLES: dict[str, tuple[str, Setup, tuple[str, ...]]] = {
    "shadow": ("shadow", {"target": 15}, ()),
    "battle": ("battle", {"grid": GRID}, ()),
    "pattern": ("pattern", {}, ()),
    "pattern recycling": ("pattern", {}, ALL_PLACED),
    "conquest": ("conquest", {"size": 3}, ()),
    "a challenge": ("conquest", {"size": 2}, ("claim:1", "challenge:1")),
    "sudden death": ("conquest", {"size": 2}, ("claim:1", "claim:2", "claim:3", "claim:4")),
    "cross": ("cross", {"grid": GRID}, ()),
}


def words(slug: str, setup: Setup) -> list[str]:
    names = ["--name1", "Player 1", "--name2", "Player 2"]
    return [
        "play",
        slug,
        *names,
        *(w for name, value in setup.items() for w in (f"--{name}", str(value))),
    ]


def follow(follower: Follower, tokens: list[str | int]) -> list[str]:
    """The lines to type for these tokens, none of them after the game or the session has ended."""
    typed = []
    for token in tokens:
        if follower.over:
            break
        moves: tuple[Any, ...] = follower.match.state.moves(follower.match.state.movers[0])
        line = str(moves[token % len(moves)]) if isinstance(token, int) else token
        follower.hear(line)
        typed.append(line)
    return typed


def assert_followed(session: Session, follower: Follower) -> None:
    """What was kept is what the rules make of the lines; everything refused left it as it was."""
    assert session.status == (0 if follower.over else 1)
    match = only_kept()
    record = follower.match.shared_record()
    assert [(m.seat, m.move) for m in match.played] == [(m.seat, m.move) for m in record.moves]
    assert match.outcome == follower.match.outcome
    assert "Traceback" not in session.out + session.err


@pytest.mark.parametrize("table", TABLES)
def test_nonsense_never_changes_a_position(table: str) -> None:
    slug, setup, opening = TABLES[table]

    @settings(UNHURRIED, max_examples=60)
    @given(typed_lines(ninefold.load(slug)))
    def check(tokens: list[str | int]) -> None:
        follower = Follower(slug, setup, opening)
        typed = follow(follower, tokens)
        with empty_home():
            session = run(*words(slug, setup), typed=[*opening, *typed])
            assert_followed(session, follower)

    check()


@pytest.mark.parametrize("table", TABLES)
def test_nonsense_cut_off_at_any_line_goes_on_from_there(table: str) -> None:
    slug, setup, opening = TABLES[table]
    tokens = typed_lines(ninefold.load(slug))

    @settings(UNHURRIED, max_examples=30)
    @given(tokens, tokens)
    def check(before: list[str | int], after: list[str | int]) -> None:
        follower = Follower(slug, setup, opening)
        typed = follow(follower, before)
        with empty_home():
            assert_followed(run(*words(slug, setup), typed=[*opening, *typed]), follower)
            if follower.match.outcome is not None:
                return
            follower.left = False
            follower.cut_off()
            typed = follow(follower, after)
            assert_followed(run("resume", typed=typed), follower)

    check()


@given(
    st.lists(any_line | digits | st.sampled_from(["help", "rules", "?", "15", "Alice", ""]), max_size=12)
)
@settings(UNHURRIED, max_examples=60)
def test_nonsense_before_a_game_never_ends_in_a_traceback(typed: list[str]) -> None:
    with empty_home():
        session = run("play", "shadow", "--seed", "1", typed=typed)
        assert session.status in (0, 1)
        for match in kept():
            first, second = match.players
            assert first.name != second.name
            assert first.name.isprintable()
            assert match.state.setup["target"] in range(10, 21)


@given(st.lists(any_line | st.sampled_from([*ninefold.SLUGS, "--json", "--size", "-1", "5"]), max_size=4))
@settings(UNHURRIED, max_examples=60)
def test_nonsense_on_the_command_line_never_ends_in_a_traceback(rest: list[str]) -> None:
    """The commands that only look; perft is left out because some depths take days."""
    with empty_home():
        for command in ("rules", "history", "replay", "resume", "completion", "--complete"):
            session = run(command, *(word.replace("\0", "") for word in rest))
            assert session.status in (0, 1, 2)
            assert "Traceback" not in session.err


@pytest.mark.parametrize("slug", ninefold.SLUGS)
@pytest.mark.parametrize("seed", range(2))
def test_random_bytes_never_end_in_a_traceback(slug: str, seed: int) -> None:
    rng = Random(f"{slug} {seed}")
    moves = [str(move) for move in ninefold.load(slug).moves]
    typed = b"".join(
        rng.choice([rng.randbytes(rng.randrange(30)), lines(rng.choice(moves)).rstrip()]) + b"\n"
        for _ in range(60)
    )
    session = program("play", slug, "--seed", "1", typed=typed)
    assert session.status in (0, 1)
    assert "Traceback" not in session.err
    for match in kept():
        assert match.game.slug == slug
