"""Nonsense into whole sessions: never a traceback, never a position that the rules do not know."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random
from unittest import mock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ninefold
from ninefold import MalformedMove, NinefoldError
from ninefold.core.grid import POSITION, read_cell
from ninefold.core.view import Spot
from ninefold.match import Match
from tests.cli.questions import Position, positions
from tests.cli.session import Session, lines, only_saved, oracle, program, run, save, saved_matches
from tests.setups import every_slug

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
    """Follows a session line by line through the rules alone, by the words of the rule books."""

    def __init__(self, position: Position) -> None:
        self.match = oracle(position.slug, position.setup, position.moves)
        self.half: str | None = None  # the number or the action of a move whose cell is still open
        self.left = False
        self.offered = False  # to stop: the next line is the answer
        self.cut_off()

    @property
    def over(self) -> bool:
        return self.left or self.match.over

    @property
    def legal(self) -> list[str]:
        return [str(move) for move in self.match.state.moves(self.match.state.movers[0])]

    def hear(self, line: str) -> None:
        word = line.strip().lower()
        if self.offered:
            self.offered = word not in ("y", "yes", "n", "no", "")
            if word in ("y", "yes"):
                self.match.stop_by_agreement()
            return
        match word:
            case "stop" if self.match.game.endless:
                self.offered = True
            case "" | "help" | "?" | "rules" | "r" | "board" | "b" | "hint" | "h" | "eval" | "e":
                pass
            case "quit" | "exit" | "q":
                self.left = True
            case "resign":
                self.match.resign(self.match.state.movers[0])
            case "undo" | "u" | "back" if self.half is not None:
                self.half = None
            case "undo" | "u":
                with suppress(NinefoldError):
                    self.match.undo(by=self.match.state.movers[0])
            case _:
                move = self._named(line.strip())
                if move in self.legal:
                    self.match.submit(self.match.state.movers[0], move)
                    self.half = None

    def _named(self, text: str) -> str:
        """The text of the move that was named, or "" where there is none yet."""
        if self.half is not None and (completed := self._completed(text)):
            return completed
        try:
            move = str(self.match.game.parse(text))
        except MalformedMove:
            return "" if self.half is not None else self._begun(text)
        spelled_out = "@" in text or "at" in text.lower() or text[0].isalpha()
        return move if self.half is None or spelled_out else ""

    def _begun(self, text: str) -> str:
        """The move that a text names without being one, or "" if it is a part at most."""
        view = self.match.state.view(None)
        match self.match.game.slug, view.phase:
            case "conquest", "bidding":
                return f"bid:{text}"
            case "conquest", _:
                actions = [a for a in ("claim", "challenge") if a.startswith(text.lower()) and text]
                if len(actions) == 1 and any(move.startswith(actions[0]) for move in self.legal):
                    self.half = actions[0]
                return next((m for m in self.legal if m in (f"claim:{text}", f"challenge:{text}")), "")
            case "battle", _:
                return next((c.label for c in view.boards[0].cells if text == str(c.number)), "")
            case "pattern", "returning" | "swapping":
                verb = "return" if view.phase == "returning" else "swap"
                for cell in view.boards[view.movers[0]].cells:
                    if text == str(cell.number):
                        return f"{verb}@{cell.label}"
                return self._at(verb, text)
            case "shadow" | "pattern", _:
                if any(move.startswith(f"{text}@") for move in self.legal):
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
        self.left = self.offered = False
        self.match = Match.of(self.match.shared_record())


class OwnFollower(Follower):
    """The same where we speak in our own voice: every game asks for a number, a cell, then what to do."""

    def _spots(self) -> dict[str, Spot]:
        """Where the moves are made that are still open."""
        game = self.match.game
        spots = {move: game.spot(game.parse(move)) for move in self.legal}
        return {m: s for m, s in spots.items() if self.half in (None, str(s.number), str(s.cells))}

    def _begun(self, text: str) -> str:
        spots = self._spots()
        if all(spot.number is None for spot in spots.values()):
            return self._completed(text)
        if not (text.isascii() and text.isdigit() and len(text) <= 3):
            return ""
        fitting = [move for move, spot in spots.items() if spot.number == int(text)]
        if fitting and spots[fitting[0]].cells:
            self.half = str(int(text))
            return ""
        return fitting[0] if fitting else ""

    def _completed(self, text: str) -> str:
        """A cell by its label, or by the number on it where no number is to be chosen."""
        if self.half is not None and not self.half.isdigit():
            word = text.lower()
            fitting = [move for move, spot in self._spots().items() if spot.kind.startswith(word)]
            return fitting[0] if len(fitting) == 1 else ""
        view = self.match.state.view(None)
        boards = view.boards
        cells = boards[view.movers[0] if len(boards) > 1 else 0].cells
        labels = [cell.label.lower() for cell in cells]
        text = text.lower()
        if (position := POSITION.fullmatch(text)) and ",".join(position.groups()) in labels:
            place = labels.index(",".join(position.groups()))
        elif text in labels:
            place = labels.index(text)
        elif self.half is None and text.isdigit():
            place = next((k for k, cell in enumerate(cells) if str(cell.number) == text), -1)
        else:
            return ""
        named = [move for move, spot in self._spots().items() if spot.cells == (place,)]
        if len(named) > 1:
            self.half = str((place,))
            return ""
        return named[0] if named else "taken"


any_line = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=20)
digits = st.text("0123456789", min_size=1, max_size=4)
words = ["help", "?", "rules", "r", "board", "b", "undo", "u", "Undo ", "back", "", "  ", "h", "E"]
commands = st.sampled_from(words)
rarely = st.sampled_from(["resign", "quit", "exit", "help", "stop", "y"])
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


def follow(follower: Follower, tokens: list[str | int]) -> list[str]:
    """The lines to type for these tokens, none of them after the game or the session has ended."""
    typed = []
    for token in tokens:
        if follower.over:
            break
        line = follower.legal[token % len(follower.legal)] if isinstance(token, int) else token
        follower.hear(line)
        typed.append(line)
    return typed


def assert_followed(session: Session, follower: Follower) -> None:
    """The saved match is what the rules make of the lines, and refused lines changed nothing."""
    assert session.status == (0 if follower.over else 1)
    match = only_saved()
    record = follower.match.shared_record()
    assert [(m.seat, m.move) for m in match.played] == [(m.seat, m.move) for m in record.moves]
    assert match.result == follower.match.result
    assert "Traceback" not in session.out + session.err


@pytest.mark.parametrize("position", positions().values(), ids=positions())
@pytest.mark.parametrize("own", [False, True], ids=["by the book", "in our own voice"])
@pytest.mark.parametrize("examples", [8, pytest.param(25, marks=pytest.mark.long)])
def test_nonsense_never_changes_a_position_and_may_be_cut_off_anywhere(
    position: Position, own: bool, examples: int
) -> None:
    game = ninefold.load(position.slug)
    own = own or game.script is None
    voice = ("--voice", "own") if own else ()
    tokens = typed_lines(game)

    @settings(UNHURRIED, max_examples=examples)
    @given(tokens, tokens)
    def check(before: list[str | int], after: list[str | int]) -> None:
        follower = OwnFollower(position) if own else Follower(position)
        with empty_home():
            save(follower.match)
            for typed in (before, after):
                session = run("resume", *voice, typed=follow(follower, typed))
                assert_followed(session, follower)
                if follower.match.over:
                    break
                follower.cut_off()

    check()


@given(
    st.lists(any_line | digits | st.sampled_from(["help", "rules", "?", "15", "Alice", ""]), max_size=12)
)
@settings(UNHURRIED, max_examples=60)
def test_nonsense_before_a_game_never_ends_in_a_traceback(typed: list[str]) -> None:
    with empty_home():
        session = run("play", "shadow", "--seed", "1", typed=typed)
        assert session.status in (0, 1)
        for match in saved_matches():
            first, second = match.players
            assert first.name != second.name
            assert first.name.isprintable()
            assert match.state.setup["target"] in range(10, 21)


@given(
    st.sampled_from(["rules", "history", "replay", "resume", "completion", "--complete"]),
    st.lists(any_line | st.sampled_from([*ninefold.SLUGS, "--json", "--size", "-1", "5"]), max_size=4),
)
@settings(UNHURRIED, max_examples=150)
def test_nonsense_on_the_command_line_never_ends_in_a_traceback(command: str, rest: list[str]) -> None:
    """The commands that only look; perft is left out because some depths take days."""
    with empty_home():
        session = run(command, *(word.replace("\0", "") for word in rest))
        assert session.status in (0, 1, 2)
        assert "Traceback" not in session.err


@every_slug
@pytest.mark.parametrize("more", [[], ["--p2", "random"]], ids=["two", "alone"])
def test_random_bytes_never_end_in_a_traceback(slug: str, more: list[str]) -> None:
    rng = Random(f"{slug} {more}")
    moves = [str(move) for move in ninefold.load(slug).moves]
    typed = b"".join(
        rng.choice([rng.randbytes(rng.randrange(30)), lines(rng.choice(moves)).rstrip()]) + b"\n"
        for _ in range(60)
    )
    session = program("play", slug, *more, "--seed", "1", typed=typed)
    assert session.status in (0, 1)
    assert "Traceback" not in session.err
    for match in saved_matches():
        assert match.game.slug == slug
