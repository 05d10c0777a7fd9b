"""A game as a whole: how it is set up, its moves, and everything that depends on its rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, permutations, product
from random import Random
from typing import Any

from ninefold.core.edits import Edit
from ninefold.core.errors import MalformedMove, NinefoldError, SetupError, quote
from ninefold.core.lessons import Course
from ninefold.core.move import Move
from ninefold.core.puzzles import Puzzles
from ninefold.core.script import Script
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.turns import Played
from ninefold.core.view import Spot, View, encode_owners
from ninefold.core.words import Words

FEW = 30  # values of a setting that are chosen from, rather than typed


@dataclass(frozen=True, slots=True)
class Option:
    """A setting of a game.

    `read` turns text into a value or raises ValueError; `values` lists all values; `default` or `draw`
    supplies a value if none is given. `asked` says whether line mode asks for one before every game,
    `on_board` whether the board shows it, so that it need not be named beside it.
    """

    name: str
    allowed: str
    read: Callable[[str], int | str]
    values: Callable[[], Iterable[int | str]]
    draw: Callable[[Random], int | str] | None = None
    default: int | str | None = None
    asked: bool = False
    on_board: bool = False

    @property
    def listed(self) -> tuple[int | str, ...]:
        """All values if they are few enough to choose from; else none."""
        values = tuple(islice(self.values(), FEW + 1))
        return values if len(values) <= FEW else ()

    @property
    def words(self) -> bool:
        """Whether the values are words to choose from."""
        return any(isinstance(value, str) for value in self.listed)

    def number(self, value: int | str) -> int:
        """A value as a number: a word as its place among the values."""
        return self.listed.index(value) if self.words else int(value)

    def value(self, given: object) -> int | str:
        """Read and check a given value. Raises SetupError, which says what is allowed."""
        try:
            return self.read(str(given).strip())
        except ValueError:
            raise SetupError(
                f"{quote(str(given))} is not a valid {self.name}. It must be {self.allowed}."
            ) from None


def one_of(allowed: Iterable[int | str]) -> Callable[[str], int | str]:
    """The `read` function of an option whose values are these; words in upper or lower case."""
    texts = {str(value).lower(): value for value in allowed}

    def read(text: str) -> int | str:
        if text.lower() not in texts:
            raise ValueError(text)
        return texts[text.lower()]

    return read


def read_deal(text: str) -> str:
    """Read the digits 1 to 9, each once, row by row; blanks, commas, slashes and bars are ignored."""
    digits = re.sub(r"[\s,/|]", "", text)
    if sorted(digits) != sorted("123456789"):
        raise ValueError(text)
    return digits


DEAL = Option(
    name="grid",
    allowed="the digits 1 to 9, each once, row by row, like 792415863",
    read=read_deal,
    values=lambda: map("".join, permutations("123456789")),
    draw=lambda rng: "".join(rng.sample("123456789", 9)),
    on_board=True,
)


def _squeeze(text: str) -> str:
    """A text as the default parser compares it: `Take 5` and `take:5` are one."""
    return re.sub(r"[\s:@]|(?<=[\d\s])at(?=[\d\s])", "", text.lower())


@dataclass(frozen=True, slots=True)
class Example:
    """A short game that shows the rules at work, with a remark on each move."""

    setup: Mapping[str, int | str] = field(hash=False)
    names: tuple[str, str]  # by seat
    moves: tuple[tuple[str, str], ...]  # the move's text, and the remark


@dataclass(frozen=True)
class Game:
    """Everything about one game. The defaults suit a small game as they are."""

    slug: str
    title: str
    summary: str  # one line that says what the game is about
    moves: tuple[Move, ...]  # every move of the game; a move's index here is its action number
    begin: Callable[..., State[Any]]
    view: Callable[[Any, Seat | None], View]
    spot: Callable[[Any], Spot]  # where a move is made; no two legal moves of a seat share a spot
    example: Example
    options: tuple[Option, ...] = ()
    parser: Callable[[str], Move] | None = None  # text to move; by default the moves' own texts are read
    observe: Callable[[Any, Seat], list[int]] | None = None  # see `numbers`
    bounds: tuple[int, int] = (-9, 20)  # the smallest and the largest of `numbers`
    starter: Seat | None = Seat.FIRST  # who makes the first move; None if both choose in secret then
    endless: bool = False  # whether play can go on forever; then the players may agree to stop
    words: Words = field(default_factory=Words)
    puzzles: Puzzles = field(default_factory=Puzzles)
    courses: tuple[Course, ...] = ()  # its lessons; without any, they are made from example and puzzles
    script: Script | None = None  # the rule book's own lines, for a game that has a rule book
    edits: tuple[Edit, ...] = ()  # clauses that could be different, for the laboratory
    base: str = ""  # the slug of the game that this one is a variant of
    # What stands in a variant's rules instead of a passage in those of its base.
    amendments: Mapping[str, str] = field(default_factory=dict, hash=False)

    def start(self, *, rng: Random | None = None, **setup: int | str) -> State[Any]:
        """The first position. What is not given is drawn from `rng`; raises SetupError."""
        return self.set_up(setup, rng)

    def set_up(self, setup: Mapping[str, int | str], rng: Random | None = None) -> State[Any]:
        """Like `start`, with the settings as a mapping that need not be trusted."""
        names = [option.name for option in self.options]
        for name in setup:
            if name not in names:
                takes = ", ".join(names) or "no settings"
                raise SetupError(f"{self.title} has no setting {quote(name)}. It takes {takes}.")
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

    def setups(self, given: Mapping[str, int | str]) -> Iterator[dict[str, int | str]]:
        """Every setup with the given settings, in the order of the other options' values."""
        open_options = [option for option in self.options if option.name not in given]
        for values in product(*(option.values() for option in open_options)):
            yield {**given, **{option.name: v for option, v in zip(open_options, values, strict=True)}}

    def parse(self, text: str) -> Move:
        """The move that a text stands for. Raises MalformedMove."""
        if self.parser is not None:
            return self.parser(text)
        try:
            return self._texts[_squeeze(text)]
        except KeyError:
            example = self.moves[0]
            raise MalformedMove(
                f"{quote(text)} is not a move. Type one as it is listed, like {example}."
            ) from None

    @cached_property
    def _texts(self) -> dict[str, Move]:
        return {_squeeze(str(move)): move for move in self.moves}

    def numbers(self, state: State[Any], seat: Seat) -> list[int]:
        """What a seat sees, as a list of small integers for programs. Its length is always the same.

        By default it holds the numbers on all cells, then their owners (1 the seat, -1 the opponent, 0
        nobody), then the panels that the game starts with, and every setting that the board does not
        show. A panel with several numbers is a flag for each of them: 1 as long as it is there. A game
        that shows more has its own `observe`.
        """
        if self.observe is not None:
            return self.observe(state, seat)
        view, start = state.view(seat), self.set_up(state.setup).view(seat)
        cells = [cell for board in view.boards for cell in board.cells]
        found = [cell.number or 0 for cell in cells]
        found += encode_owners([cell.owner for cell in cells], seat)
        for panel in start.panels:
            if isinstance(panel.value, int):
                found.append(view.number(panel.key, panel.seat))
            left = view.numbers(panel.key, panel.seat)
            found += [int(number in left) for number in start.numbers(panel.key, panel.seat)]
        for option in self.options:
            if option.name in view.setup and not option.on_board:
                found.append(option.number(view.setup[option.name]))
        return found

    def sequence(self, start: State[Any], moves: Iterable[Move | str]) -> State[Any]:
        """The position after a written sequence of moves."""
        return self.positions(start, moves)[-1]

    def positions(self, start: State[Any], moves: Iterable[Move | str]) -> tuple[State[Any], ...]:
        """The positions of a written sequence of moves: the start, then one after each move."""
        return self.replay(start, moves)[0]

    def replay(
        self, start: State[Any], moves: Iterable[Move | str]
    ) -> tuple[tuple[State[Any], ...], tuple[Played, ...]]:
        """Play a written sequence of moves: its positions, from the start on, and who made each move.

        Where both seats choose, the first of `movers` comes first. An error says which move is wrong.
        """
        states, played = [start], []
        for count, given in enumerate(moves, 1):
            state = states[-1]
            seat = (*state.movers, Seat.FIRST)[0]  # at the end of the game, `play` refuses any seat
            try:
                move = self.parse(given) if isinstance(given, str) else given
                states.append(state.play(move, seat))
            except NinefoldError as error:
                raise type(error)(f"Move {count}, {quote(str(given))}: {error}") from None
            played.append(Played(seat, move))
        return tuple(states), tuple(played)

    def index(self, move: Move) -> int:
        """The action number of a move: its index in `moves`."""
        try:
            return self.actions[move]
        except (KeyError, TypeError):
            raise MalformedMove(f"{quote(repr(move))} is not a move of {self.title}.") from None

    @cached_property
    def actions(self) -> dict[Move, int]:
        """The action number of every move."""
        return {move: index for index, move in enumerate(self.moves)}

    @cached_property
    def actions_by_id(self) -> dict[int, int]:
        """The action number of every move by its identity, for callers who have the move from here."""
        return {id(move): index for index, move in enumerate(self.moves)}

    @property
    def brief(self) -> str:
        """The first sentence of the summary."""
        return f"{self.summary.split('. ')[0].rstrip('.')}."

    @property
    def rules(self) -> str:
        """The rules for players, as Markdown: `help.md` in the folder of the game's view."""
        from importlib.resources import files  # slow to import and rarely needed

        folder, _, _ = self.view.__module__.rpartition(".")
        text = files(folder).joinpath("help.md").read_text(encoding="utf-8")
        for passage, instead in self.amendments.items():
            text = text.replace(passage, instead)
        return text
