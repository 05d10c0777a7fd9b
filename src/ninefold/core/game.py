"""A game as a whole: how it is set up, its moves, and everything that hangs on its rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any

from ninefold.core.errors import MalformedMove, NinefoldError, SetupError, quoted
from ninefold.core.script import Script
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.view import Spot, View


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to settle before a game starts.

    `read` turns text into the value or raises ValueError; `draw` or `default` fills it in if it is
    left open. `asked` says that the table settles it aloud before every game.
    """

    name: str
    allowed: str
    prompt: str
    read: Callable[[str], int | str]
    draw: Callable[[Random], int | str] | None = None
    default: int | str | None = None
    asked: bool = False

    def value(self, given: object) -> int | str:
        """The value for what was given, or a SetupError that says what is allowed."""
        try:
            return self.read(str(given).strip())
        except ValueError:
            raise SetupError(f"{self.name} {quoted(str(given))}: it must be {self.allowed}.") from None


def one_of(allowed: Iterable[int]) -> Callable[[str], int]:
    """A reader for options that are one of some whole numbers."""
    texts = {str(number): number for number in allowed}

    def read(text: str) -> int:
        if text not in texts:
            raise ValueError(text)
        return texts[text]

    return read


def read_deal(text: str) -> str:
    """Nine different digits, row by row; blanks and commas between them are no matter."""
    digits = re.sub(r"[\s,/|]", "", text)
    if sorted(digits) != sorted("123456789"):
        raise ValueError(text)
    return digits


DEAL = Option(
    name="grid",
    allowed="the nine digits 1 to 9, each once, row by row, like 792415863",
    prompt="Type the grid, nine digits row by row, or just Enter to deal one: ",
    read=read_deal,
    draw=lambda rng: "".join(rng.sample("123456789", 9)),
)


@dataclass(frozen=True, slots=True)
class Example:
    """A short game that shows the rules at work, each move with what is to be learned from it."""

    setup: Mapping[str, int | str] = field(hash=False)
    names: tuple[str, str]  # by seat
    moves: tuple[tuple[str, str], ...]  # the move's text, and a word on it


@dataclass(frozen=True)
class Game:
    slug: str
    title: str
    summary: str  # one line that says what the game is about
    options: tuple[Option, ...]
    moves: tuple[Any, ...]  # every move of the game; a move's place here is its index
    begin: Callable[..., State[Any]]
    parse: Callable[[str], Any]
    view: Callable[[Any, Seat | None], View]
    spot: Callable[[Any], Spot]  # of a move; the legal moves of a seat have different ones
    numbers: Callable[[Any, Seat], list[int]]  # what a seat sees, for programs; always as many
    script: Script
    example: Example

    def start(self, *, rng: Random | None = None, **setup: int | str) -> State[Any]:
        """The first position. What is not given is drawn from `rng`; raises SetupError."""
        return self.set_up(setup, rng)

    def set_up(self, setup: Mapping[str, int | str], rng: Random | None = None) -> State[Any]:
        """As `start`, for settings that come from outside as a mapping."""
        names = [option.name for option in self.options]
        for name in setup:
            if name not in names:
                takes = ", ".join(names) or "no settings"
                raise SetupError(f"{self.title} has no setting {quoted(name)}; it takes {takes}.")
        values: dict[str, int | str] = {}
        for option in self.options:
            if option.name in setup:
                values[option.name] = option.value(setup[option.name])
            elif option.default is not None:
                values[option.name] = option.default
            elif option.draw is not None and rng is not None:
                values[option.name] = option.draw(rng)
            else:
                raise SetupError(
                    f"{self.title} needs {option.name} ({option.allowed}), or an rng to draw it from."
                )
        return self.begin(**values)

    def sequence(self, start: State[Any], moves: Iterable[str]) -> State[Any]:
        """The position after a written sequence of moves."""
        return self.line(start, moves)[-1]

    def line(self, start: State[Any], moves: Iterable[str]) -> tuple[State[Any], ...]:
        """The positions of a written sequence of moves: the start, and the one after each.

        Where both seats choose, the challenger's move comes first. An error names the move's place.
        """
        states = [start]
        for count, text in enumerate(moves, 1):
            state = states[-1]
            try:
                states.append(state.play(text, state.movers[0] if state.movers else None))
            except NinefoldError as error:
                raise type(error)(f"Move {count}, {quoted(text)}: {error}") from None
        return tuple(states)

    def index(self, move: object) -> int:
        """The small integer of a move: its place in `moves`."""
        try:
            return self._indices[move]
        except (KeyError, TypeError):
            raise MalformedMove(f"{quoted(repr(move))} is not a move of {self.title}.") from None

    @cached_property
    def _indices(self) -> dict[object, int]:
        return {move: index for index, move in enumerate(self.moves)}

    @property
    def rules(self) -> str:
        """The rules for players, as Markdown."""
        from importlib.resources import files  # slow to import, and seldom needed

        return files(f"ninefold.games.{self.slug}").joinpath("help.md").read_text(encoding="utf-8")
