"""The JSON messages of the API. The OpenAPI document is generated from these types."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

SeatName = Literal["first", "second"]


class Message(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """What a client sends. Unknown fields are refused, not ignored."""


class SeatRequest(Message):
    """Who takes a seat: `person` (you get its token), `open` (for whoever joins), or a computer."""

    kind: str = "person"
    name: str | None = None


class NewMatch(Message):
    game: str
    setup: dict[str, int | str] = {}
    first: SeatRequest = msgspec.field(default_factory=SeatRequest)
    second: SeatRequest = msgspec.field(default_factory=lambda: SeatRequest(kind="open"))
    hints: bool = True
    listed: bool = False
    clock: Literal[30, 120, 600, 86400] | None = None  # seconds per move


class JoinRequest(Message):
    name: str | None = None


class MoveRequest(Message):
    move: str
    ply: int


class AskRequest(Message):
    """`ask` for something, or `accept` or `decline` what the other player asks for."""

    action: Literal["ask", "accept", "decline"]


class TakebackRequest(AskRequest):
    """With `ply`, it is meant for that position only, so that a retry is not granted twice."""

    ply: int | None = None


class SettingInfo(msgspec.Struct):
    name: str
    allowed: str
    default: int | str | None


class GameInfo(msgspec.Struct):
    game: str
    title: str
    summary: str
    settings: list[SettingInfo]
    moves: int
    endless: bool  # whether play can go on forever; then the players may agree to stop
    rules: str


class SeatInfo(msgspec.Struct):
    kind: str
    name: str
    wins: int  # games won in this series of rematches, including this one
    hints: int  # used in this match


class HeldSeat(msgspec.Struct):
    """A seat that you hold from now on. The token is shown only this once."""

    match: str
    seat: SeatName
    token: str
    link: str


class Created(msgspec.Struct):
    match: str
    link: str
    held: list[HeldSeat]


class MoveInfo(msgspec.Struct):
    seat: SeatName
    move: str
    at: str


class OutcomeInfo(msgspec.Struct):
    winner: SeatName
    reason: str
    text: list[str]


class MatchInfo(msgspec.Struct):
    """A match as one viewer may see it."""

    match: str
    game: str
    title: str
    status: Literal["waiting", "playing", "over"]
    you: SeatName | None
    version: int
    ply: int
    setup: dict[str, int | str]
    first: SeatInfo
    second: SeatInfo
    started: str
    moves: list[MoveInfo]
    view: dict[str, Any]
    outcome: OutcomeInfo | None
    stopped: Literal["dead", "agreed", "limit"] | None  # why it ended without an outcome
    hints: bool
    clock: int | None  # seconds per move
    deadline: str | None  # when the move is due, in UTC
    away: list[SeatName]  # players without a connection for a while
    takeback: SeatName | None
    stop: SeatName | None  # who proposes to stop the game
    rematch: SeatName | None
    next: str | None


class OpenMatch(msgspec.Struct):
    match: str
    game: str
    title: str
    seat: SeatName
    opponent: str
    link: str


class Accepted(msgspec.Struct):
    """A move that is on disk."""

    seat: SeatName
    move: str
    ply: int
    version: int


class Done(msgspec.Struct):
    version: int
    next: str | None = None


class HintInfo(msgspec.Struct):
    """The best move: its notation, the reason, and both as a sentence."""

    move: str
    reason: str
    text: str


class ValueInfo(msgspec.Struct):
    result: Literal["first", "second", "mixed", "endless"]
    first_wins: str | None
    plies: int | None
    margin: int | None


class EvaluationInfo(ValueInfo):
    text: str


class MoveValue(ValueInfo):
    seat: SeatName
    move: str
    best: bool
    mix: str | None


class PositionInfo(ValueInfo):
    game: str
    setup: dict[str, int | str]
    moves: list[str]
    movers: list[SeatName]
    view: dict[str, Any]
    options: list[MoveValue]


class PuzzleInfo(msgspec.Struct):
    """A puzzle, the verdict on the answers given, and the solution once it is solved or asked for."""

    label: str
    game: str
    setup: dict[str, int | str]
    moves: list[str]
    seat: SeatName
    task: str
    grade: int
    verdict: Literal["open", "wrong", "solved"]
    path: list[str]  # the right answers so far with the replies to them, and a wrong one's refutation
    text: list[str]
    view: dict[str, Any]  # at the end of the path
    solution: dict[str, Any] | None


class Problem(msgspec.Struct, omit_defaults=True):
    """Problem details (RFC 9457)."""

    title: str
    status: int
    detail: str
    type: str = "about:blank"
    match: MatchInfo | None = None
