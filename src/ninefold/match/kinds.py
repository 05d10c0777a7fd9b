"""The words with which a match is kept and sent: each list of them is an enum, and the only one."""

from __future__ import annotations

from enum import IntEnum, StrEnum

from ninefold.players import PERSON


class Status(StrEnum):
    """How far a match on a server has come."""

    WAITING = "waiting"  # for somebody to take the open seat
    PLAYING = "playing"
    OVER = "over"


class SeatKind(StrEnum):
    """Who a seat on a server is for: one of these, or a computer by its name (see `players.kind`)."""

    PERSON = PERSON
    OPEN = "open"  # for whoever joins


class Presence(StrEnum):
    """Whether the player in a seat on a server is there."""

    HERE = "here"
    AWAY = "away"
    GONE = "gone"  # away for so long that the game can be claimed


class Clock(IntEnum):
    """The seconds that a move may take."""

    HALF_MINUTE = 30
    TWO_MINUTES = 120
    TEN_MINUTES = 600
    DAY = 86400


class Offer(StrEnum):
    """What one player can offer the other, who accepts or declines."""

    TAKEBACK = "takeback"
    STOP = "stop"
    REMATCH = "rematch"


class Action(StrEnum):
    """What a player does about an offer."""

    OFFER = "offer"
    ACCEPT = "accept"
    DECLINE = "decline"


class EventKind(StrEnum):
    """What can happen in a match. Each kind has its class in `match.events`."""

    JOINED = "joined"
    MOVE = "move"
    CHOSEN = "chosen"
    OVER = "over"
    OFFERED = "offered"
    DECLINED = "declined"
    TAKEBACK = "takeback"
    REMATCH = "rematch"
    AWAY = "away"
    HERE = "here"
    HINT = "hint"
    LEFT = "left"
    RELOAD = "reload"


_SEAT_KINDS = frozenset(SeatKind)


def is_computer(kind: str) -> bool:
    """Whether a seat of this kind is a computer's."""
    return kind not in _SEAT_KINDS
