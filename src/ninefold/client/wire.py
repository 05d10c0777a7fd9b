"""The messages between clients and a server: requests, answers and events, and how a client reads them.

The server reads requests and writes answers by the same types, and the OpenAPI document is made of them.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from ninefold.core.outcome import Stop
from ninefold.core.seat import Seat
from ninefold.match.events import EVENTS, Event, Reload
from ninefold.match.kinds import Action, Clock, Offer, SeatKind, Status

T = TypeVar("T")
SeatName = Literal["first", "second"]

# Requests


@dataclass(frozen=True)
class SeatRequest:
    """Who takes a seat: `person` (you get its token), `open` (for whoever joins), or a computer."""

    kind: str = SeatKind.PERSON
    name: str | None = None


@dataclass(frozen=True)
class NewMatch:
    game: str
    setup: dict[str, int | str] = field(default_factory=dict)
    first: SeatRequest = field(default_factory=SeatRequest)
    second: SeatRequest = field(default_factory=lambda: SeatRequest(SeatKind.OPEN))
    hints: bool | None = None  # by default off if a seat is open, since two people then play elsewhere
    listed: bool = False
    clock: Clock | None = None
    best_of: Literal[3, 5] | None = None  # a series of at most so many games
    coach: bool = False  # warns one person who plays a computer of mistakes


@dataclass(frozen=True)
class JoinRequest:
    name: str | None = None


@dataclass(frozen=True)
class MoveRequest:
    move: str
    ply: int


@dataclass(frozen=True)
class OfferRequest:
    """`offer` something, or `accept` or `decline` what the other player offers."""

    action: Action


@dataclass(frozen=True)
class TakebackRequest(OfferRequest):
    """With `ply`, it is meant for that position only, so that a retry is not granted twice."""

    ply: int | None = None


# Answers


@dataclass(frozen=True)
class SettingInfo:
    name: str
    allowed: str
    default: int | str | None


@dataclass(frozen=True)
class EditionInfo:
    """A game made from another by replacing clauses. It has the settings and moves of that one."""

    game: str
    title: str
    summary: str
    rules: str


@dataclass(frozen=True)
class GameInfo:
    game: str
    title: str
    summary: str
    settings: list[SettingInfo]
    moves: int
    endless: bool  # whether play can go on forever; then the players may agree to stop
    rules: str
    editions: list[EditionInfo]  # besides the one by the book


@dataclass(frozen=True)
class SeatInfo:
    kind: str
    name: str
    wins: int  # games won in this series of rematches, including this one
    hints: int  # used in this match


@dataclass(frozen=True)
class HeldSeat:
    """A seat that you hold from now on. The token is shown only this once."""

    match: str
    seat: SeatName
    token: str
    link: str


@dataclass(frozen=True)
class Created:
    match: str
    link: str
    held: list[HeldSeat]


@dataclass(frozen=True)
class MoveInfo:
    seat: SeatName
    move: str
    at: str


@dataclass(frozen=True)
class OutcomeInfo:
    winner: SeatName
    reason: str
    text: list[str]


@dataclass(frozen=True)
class CellInfo:
    label: str
    number: int | None
    owner: SeatName | None


@dataclass(frozen=True)
class BoardInfo:
    cells: list[CellInfo]
    owner: SeatName | None
    width: int


@dataclass(frozen=True)
class PanelInfo:
    key: str
    value: int | str | list[int | str] | None
    seat: SeatName | None


@dataclass(frozen=True)
class ViewInfo:
    """A position as one viewer may see it: `core.view.View` as JSON has it."""

    game: str
    viewer: SeatName | None
    setup: dict[str, int | str]
    phase: str
    movers: list[SeatName]
    pending: list[SeatName]
    moves: list[str]
    boards: list[BoardInfo]
    panels: list[PanelInfo]
    outcome: Any  # its detail differs between games


@dataclass(frozen=True)
class MatchInfo:
    """A match as one viewer may see it."""

    match: str
    game: str
    title: str
    status: Status
    you: SeatName | None
    version: int
    ply: int
    setup: dict[str, int | str]
    first: SeatInfo
    second: SeatInfo
    started: str
    moves: list[MoveInfo]
    view: ViewInfo
    outcome: OutcomeInfo | None
    stopped: Stop | None  # why it ended without an outcome
    hints: bool
    coach: bool  # whether the person who plays is warned of mistakes
    clock: int | None  # seconds per move
    best_of: int | None  # the length of the series that the match belongs to
    unwon: int  # games of that series so far that nobody won
    deadline: str | None  # when the move is due, in UTC
    away: list[SeatName]  # players without a connection for a while
    claim: str | None  # from when on the player who waits may claim the game, in UTC
    offers: dict[Offer, SeatName]  # what is offered now, and by whom
    cancels: bool  # whether the match is yours to cancel before its first move
    next: str | None

    def player(self, seat: Seat) -> SeatInfo:
        return self.second if seat else self.first

    @property
    def eyes(self) -> tuple[Seat | None, list[Seat]]:
        """Whom it was sent to, and the seats whose secret choice has been made."""
        return Seat.named(self.you), [seat for seat in Seat if str(seat) in self.view.pending]


@dataclass(frozen=True)
class OpenMatch:
    match: str
    game: str
    title: str
    seat: SeatName
    opponent: str
    link: str
    hints: bool = False


@dataclass(frozen=True)
class Accepted:
    """A move that is on disk."""

    seat: SeatName
    move: str
    ply: int
    version: int


@dataclass(frozen=True)
class Done:
    version: int
    next: str | None = None


@dataclass(frozen=True)
class HintInfo:
    """The best move: its notation, the reason, and both as a sentence."""

    move: str
    reason: str
    text: str


@dataclass(frozen=True)
class ValueInfo:
    result: Literal["first", "second", "mixed", "endless"]
    first_wins: str | None
    plies: int | None
    margin: int | None


@dataclass(frozen=True)
class EvaluationInfo(ValueInfo):
    text: str


@dataclass(frozen=True)
class MoveValue(ValueInfo):
    seat: SeatName
    move: str
    best: bool
    mix: str | None


@dataclass(frozen=True)
class PositionInfo(ValueInfo):
    game: str
    setup: dict[str, int | str]
    moves: list[str]
    movers: list[SeatName]
    view: ViewInfo
    options: list[MoveValue]


@dataclass(frozen=True)
class PuzzleOption:
    """One of the answers to choose from; `shares` has the part of each move in a mixture."""

    answer: str
    shares: dict[str, str]


@dataclass(frozen=True)
class PuzzleQuestion:
    """A puzzle without its answer. `asks` says what to give: moves in turn, an option, or a number."""

    game: str
    setup: dict[str, int | str]
    moves: list[str]
    seat: SeatName
    task: str
    asks: Literal["moves", "option", "number"]
    options: list[PuzzleOption]
    grade: int
    rare: bool  # there are few puzzles of this kind


@dataclass(frozen=True)
class PuzzleAnswer(PuzzleQuestion):
    """A puzzle with its answer, as `ninefold puzzle --json` prints it."""

    answers: list[str]
    solution: list[str]
    chances: dict[str, str]
    themes: list[str]


@dataclass(frozen=True)
class PuzzleInfo(PuzzleQuestion):
    """A puzzle, the verdict on the answers given, and the answer once it is solved or asked for."""

    label: str
    question: str
    verdict: Literal["open", "wrong", "solved"]
    path: list[str]  # the right answers so far with the replies to them, and a wrong one's refutation
    text: list[str]
    view: ViewInfo  # at the end of the path
    answer: PuzzleAnswer | None


@dataclass(frozen=True)
class LessonStep:
    """A step of a lesson, with everything that its goal accepts."""

    game: str
    course: str
    step: int
    setup: dict[str, int | str]
    moves: list[str]
    seat: SeatName
    goal: str
    accepted: list[str]


@dataclass(frozen=True)
class LessonInfo:
    """A step of a lesson as it is done: what to do, and what came of the answers given."""

    label: str
    title: str
    goal: str
    question: str
    verdict: Literal["open", "wrong", "solved"]
    path: list[str]  # the right answers so far with the replies to them, and a wrong one's refutation
    text: list[str]
    hint: str | None  # at the stage that was asked for: where to look, or the move
    view: ViewInfo  # at the end of the path


@dataclass(frozen=True)
class Problem:
    """Problem details (RFC 9457). With a move that came too late, `match` is the match as it is now."""

    title: str
    status: int
    detail: str
    type: str = "about:blank"
    match: MatchInfo | None = None


# Reading


def read(kind: type[T], data: object) -> T:
    """Data from JSON as a value of this type. Fields that it does not have are ignored.

    Raises ValueError if a field is missing or is not of its type.
    """
    found: T = _read(kind, data)
    return found


def _read(kind: Any, data: Any) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Any or (origin is Literal and data in inner):
        return data
    if origin in (Union, UnionType):
        for one in inner:
            try:
                return _read(one, data)
            except ValueError:
                continue
    elif origin is list and isinstance(data, list):
        return [_read(inner[0], one) for one in data]
    elif origin is dict and isinstance(data, dict):
        return {_read(inner[0], key): _read(inner[1], one) for key, one in data.items()}
    elif is_dataclass(kind) and isinstance(kind, type) and isinstance(data, dict):
        return kind(**{name: _read(hint, data[name]) for name, hint in _given(kind, data)})
    elif kind is Seat:
        seat = Seat.named(data)
        if seat is not None:
            return seat
    elif isinstance(kind, type) and issubclass(kind, Enum):
        return kind(data)
    elif type(data) is kind or (data is None and kind is type(None)):
        return data
    raise ValueError(f"{data!r} is not {kind}")


def _given(kind: Any, data: dict[str, Any]) -> list[tuple[str, Any]]:
    """The fields that are to be read, with their types. Raises ValueError if one is missing."""
    found = []
    for name, (hint, needed) in _fields_of(kind).items():
        if name in data:
            found.append((name, hint))
        elif needed:
            raise ValueError(f"{kind.__name__} has no {name}")
    return found


@cache
def _fields_of(kind: Any) -> dict[str, tuple[Any, bool]]:
    """By name, the type of each field and whether it has to be there."""
    hints = get_type_hints(kind)
    return {
        one.name: (hints[one.name], one.default is MISSING and one.default_factory is MISSING)
        for one in fields(kind)
    }


def read_event(data: object) -> tuple[int, Event]:
    """An event and its number. One that is not understood may come from a newer server: read the match.

    Raises ValueError without a number.
    """
    if not isinstance(data, dict):
        raise ValueError("not an event")
    number = read(int, data.get("number"))
    try:
        return number, read(EVENTS[data["kind"]], data)
    except (KeyError, TypeError, ValueError):
        return number, Reload()
