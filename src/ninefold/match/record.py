"""The record of a match: one JSON object that holds moves, never positions.

Reading a record replays it through the rules (see Match.of), so one that loads is a legal match.
The version covers the format and the rulings.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ninefold.core.errors import MalformedMove, NinefoldError, SetupError, quote
from ninefold.core.game import Game
from ninefold.core.outcome import LIMIT, Reason, Stop
from ninefold.core.seat import Seat
from ninefold.core.turns import Played
from ninefold.games import load
from ninefold.players import PERSON, kind

VERSION = 1
# Unicode's default-ignorable characters that are printable by Python's reckoning, blanks of other kinds,
# and the zero-width joiner, which joins emoji into one.
INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200d\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U00016fe4\U0001d159\U000e0100-\U000e01ef]"
)
ACCENTS = 3  # stacked on one character
NAME_LIMIT = 24
TEXT_LIMIT = 100


class RecordError(NinefoldError):
    """Not the record of a legal match."""


@dataclass(frozen=True, slots=True)
class Player:
    name: str
    seat: Seat
    kind: str = PERSON  # see `players.kind`


@dataclass(frozen=True, slots=True)
class Series:
    """The games that one belongs to: the score before it, and the settings that all of them share.

    Without a `best_of`, it is a game and its rematches, which go on for as long as the players want.
    """

    best_of: int | None = None
    wins: tuple[int, int] = (0, 0)  # by player
    setup: Mapping[str, int | str] = field(default_factory=dict)
    stopped: int = 0  # games that nobody won

    @property
    def over(self) -> bool:
        """Whether the series is decided, or all its games have been played."""
        if self.best_of is None:
            return False
        return max(self.wins) > self.best_of // 2 or self.games >= self.best_of

    @property
    def goes_on(self) -> bool:
        """Whether more games belong to what was agreed on."""
        return self.best_of is not None and not self.over

    @property
    def games(self) -> int:
        """How many games have been played."""
        return sum(self.wins) + self.stopped

    def after(self, winner: int | None) -> Series:
        """The series after a game that Player 1 (0), Player 2 (1) or nobody (None) won."""
        if winner is None:
            return replace(self, stopped=self.stopped + 1)
        first, second = self.wins
        return replace(self, wins=(first, second + 1) if winner else (first + 1, second))

    def following(self) -> Series:
        """What the next game belongs to: this series or, once it is over, another one like it."""
        return Series(self.best_of, setup=self.setup) if self.over else self

    def score(self, *, over: bool) -> Series | None:
        """What everybody may know of it; None for a single game, `over` or not, which nobody counts.

        The settings are left out, as they may hold a secret.
        """
        return replace(self, setup={}) if self.best_of or self.games > over else None


@dataclass(frozen=True, slots=True)
class Record:
    game: str
    setup: Mapping[str, int | str]
    players: tuple[Player, Player]  # Player 1 and Player 2
    started: str
    moves: tuple[Played, ...] = ()
    result: tuple[Seat, Reason] | Stop | None = None  # who won and why, or why nobody did
    series: Series | None = None
    hints: bool = True  # whether the players may ask for hint and eval
    coach: bool = False  # whether the person was told of mistakes at once, and could take them back
    clock: int | None = None  # seconds for a move
    limit: int = LIMIT  # moves after which the game is stopped if no person plays

    def to_data(self) -> dict[str, Any]:
        """The record as plain data, ready for JSON."""
        data: dict[str, Any] = {
            "ninefold": VERSION,
            "game": self.game,
            "setup": dict(self.setup),
            "players": [{"name": p.name, "seat": str(p.seat), "kind": p.kind} for p in self.players],
            "started": self.started,
            "moves": [{"seat": str(m.seat), "move": str(m.move), "at": m.at} for m in self.moves],
            "result": None,
        }
        if self.result is not None:
            data["result"] = result_data(self.result)
        if self.series is not None:
            data["series"] = {
                "best_of": self.series.best_of,
                "wins": list(self.series.wins),
                "setup": dict(self.series.setup),
            }
            if self.series.stopped:
                data["series"]["stopped"] = self.series.stopped
        if not self.hints:
            data["hints"] = False
        if self.coach:
            data["coach"] = True
        if self.clock is not None:
            data["clock"] = self.clock
        if self.limit != LIMIT:
            data["limit"] = self.limit
        return data

    def to_json(self) -> str:
        return json.dumps(self.to_data(), indent=1, ensure_ascii=False) + "\n"

    @staticmethod
    def from_json(text: str) -> Record:
        """Read a record and check its format. Match.of checks that it is a legal match."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            raise RecordError("This is not a match record: it is not valid JSON.") from None
        if not isinstance(data, dict) or "ninefold" not in data:
            raise RecordError("This is not a match record.")
        version = data["ninefold"]
        if type(version) is not int or version != VERSION:
            raise RecordError(
                f"This record has version {quote(str(version))}. This program reads version {VERSION}."
            )
        game = _read_game(data)
        return Record(
            game=game.slug,
            setup=_read_setup(_get(data, "setup", dict)),
            players=_read_players(_get(data, "players", list)),
            started=_text(data, "started"),
            moves=_read_moves(game, _get(data, "moves", list)),
            result=_read_result(data.get("result")),
            series=_read_series(data.get("series")),
            hints=_read_switch(data, "hints", usual=True),
            coach=_read_switch(data, "coach", usual=False),
            clock=_read_positive(data, "clock"),
            limit=_read_positive(data, "limit") or LIMIT,
        )


def clean_name(text: str) -> str:
    """Tidy up a name for display. Raises NinefoldError if it is empty, too long or not printable.

    Invisible characters are left out. At most three accents may be stacked on a character.
    """
    name = " ".join(unicodedata.normalize("NFC", INVISIBLE.sub("", text)).split())
    if not name or len(name) > NAME_LIMIT or not name.isprintable() or _has_stacks(name):
        raise NinefoldError(f"A name must have 1 to {NAME_LIMIT} printable characters.")
    return name


def _has_stacks(name: str) -> bool:
    """Whether there are more accents than on any character that people write, or one on nothing."""
    marks = "".join("m" if unicodedata.category(one) in ("Mn", "Me") else "-" for one in name)
    return marks.startswith("m") or "m" * (ACCENTS + 1) in marks


def _get(data: dict[str, Any], key: str, kind: type) -> Any:
    value = data.get(key)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise RecordError(f"The record's {quote(key)} is missing or damaged.")
    return value


def _text(data: dict[str, Any], key: str) -> str:
    value = str(_get(data, key, str))
    if len(value) > TEXT_LIMIT or not value.isprintable():
        raise RecordError(f"The record's {quote(key)} is missing or damaged.")
    return value


def _read_seat(data: dict[str, Any], key: str) -> Seat:
    name = _get(data, key, str)
    seat = Seat.named(name)
    if seat is None:
        raise RecordError(f"The record's {quote(key)} must be first or second, not {quote(name)}.")
    return seat


def _read_setup(data: dict[str, Any]) -> dict[str, int | str]:
    for value in data.values():
        if not isinstance(value, int | str) or isinstance(value, bool):
            raise RecordError('The record\'s "setup" is missing or damaged.')
    return data


def _read_players(data: list[Any]) -> tuple[Player, Player]:
    if len(data) != 2 or not all(isinstance(item, dict) for item in data):
        raise RecordError("The record must name two players.")
    try:
        first, second = (
            Player(
                clean_name(_text(item, "name")),
                _read_seat(item, "seat"),
                kind(_get(item, "kind", str)),
            )
            for item in data
        )
    except RecordError:
        raise
    except NinefoldError as error:
        raise RecordError(f"The record's players are damaged. {error}") from None
    if first.seat == second.seat:
        raise RecordError("The record puts both players in the same seat.")
    return first, second


def _read_game(data: dict[str, Any]) -> Game:
    try:
        return load(_get(data, "game", str))
    except SetupError as error:
        raise RecordError(f"The record's game is not known. {error}") from None


def _read_moves(game: Game, data: list[Any]) -> tuple[Played, ...]:
    moves = []
    for count, item in enumerate(data, 1):
        if not isinstance(item, dict):
            raise RecordError(f"Move {count} is damaged.")
        try:
            text = _text(item, "move")
            moves.append(Played(_read_seat(item, "seat"), game.parse(text), _text(item, "at")))
        except MalformedMove as error:
            raise RecordError(f"Move {count}, {quote(text)}: {error}") from None
        except RecordError as error:
            raise RecordError(f"Move {count}: {error}") from None
    return tuple(moves)


def result_data(result: tuple[Seat, Reason] | Stop) -> dict[str, str | None]:
    """A result as plain data: the winner (None if the game was stopped) and the reason."""
    if isinstance(result, Stop):
        return {"winner": None, "reason": str(result)}
    winner, reason = result
    return {"winner": str(winner), "reason": str(reason)}


def _read_result(data: Any) -> tuple[Seat, Reason] | Stop | None:
    match data:
        case None:
            return None
        case {"winner": None, "reason": reason} if reason in tuple(Stop):
            return Stop(reason)
        case {"reason": reason} if reason in tuple(Reason):
            return _read_seat(data, "winner"), Reason(reason)
        case {"reason": str(reason)} if reason not in tuple(Stop):
            raise RecordError(
                f'The record\'s "result" has a reason that this program does not know, {quote(reason)}.'
                " It may come from a newer Ninefold."
            )
    raise RecordError('The record\'s "result" is damaged.')


def _read_series(data: Any) -> Series | None:
    match data:
        case None:
            return None
        case {"best_of": best_of, "wins": [first, second], "setup": dict(setup)}:
            counts = (first, second, data.get("stopped", 0))
            odd = best_of is None or (type(best_of) is int and best_of % 2 == 1)
            if odd and all(type(number) is int for number in counts):
                series = Series(best_of, (first, second), _read_setup(setup), counts[2])
                if min(counts) >= 0 and not series.over:
                    return series
    raise RecordError('The record\'s "series" is damaged.')


def _read_switch(data: dict[str, Any], key: str, *, usual: bool) -> bool:
    value = data.get(key, usual)
    if not isinstance(value, bool):
        raise RecordError(f"The record's {quote(key)} is damaged.")
    return value


def _read_positive(data: dict[str, Any], key: str) -> int | None:
    value = data.get(key)
    if value is not None and (type(value) is not int or value <= 0):
        raise RecordError(f"The record's {quote(key)} is damaged.")
    return value
