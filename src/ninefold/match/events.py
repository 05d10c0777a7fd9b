"""What happens in a match, as everybody may know it. A docstring says what its event means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ninefold.core.seat import Seat
from ninefold.match.kinds import EventKind, Offer

EVENTS: dict[str, type[Event]] = {}  # by kind


@dataclass(frozen=True)
class Event:
    """Something that happened in a match."""

    kind: ClassVar[EventKind]

    def __init_subclass__(cls, kind: EventKind | None = None) -> None:
        if kind is not None:
            cls.kind = kind
            EVENTS[kind] = cls

    def data(self) -> dict[str, Any]:
        """The event as plain data: its kind, then its fields."""
        fields = {n: str(v) if v.__class__ is Seat else v for n, v in self.__dict__.items()}
        return {"kind": self.kind, **fields}


@dataclass(frozen=True)
class SeatEvent(Event):
    """Something that the player in a seat did, or that happened to them."""

    seat: Seat


@dataclass(frozen=True)
class Joined(SeatEvent, kind=EventKind.JOINED):
    """Somebody has taken the open seat."""

    name: str
    deadline: str | None  # when the next move is due, in UTC; None without a clock


@dataclass(frozen=True)
class Moved(SeatEvent, kind=EventKind.MOVE):
    """A move was made. Secret choices come in written order."""

    move: str
    ply: int  # after the move
    deadline: str | None = None


@dataclass(frozen=True)
class Chosen(SeatEvent, kind=EventKind.CHOSEN):
    """A secret choice was made, while the other one is awaited."""

    ply: int
    deadline: str | None = None


@dataclass(frozen=True)
class Over(Event, kind=EventKind.OVER):
    """The match is over, for this reason. A stopped one has no winner."""

    winner: Seat | None
    reason: str


@dataclass(frozen=True)
class Offered(SeatEvent, kind=EventKind.OFFERED):
    """A player offers a `takeback`, a `stop` or a `rematch`."""

    offer: Offer


@dataclass(frozen=True)
class Declined(SeatEvent, kind=EventKind.DECLINED):
    """A player declined an offer, or withdrew their own."""

    offer: Offer


@dataclass(frozen=True)
class TakenBack(SeatEvent, kind=EventKind.TAKEBACK):
    """The last turn of this seat was taken back."""

    ply: int  # after that
    deadline: str | None


@dataclass(frozen=True)
class Rematch(Event, kind=EventKind.REMATCH):
    """The rematch has begun, as the match with this id."""

    match: str


@dataclass(frozen=True)
class Away(SeatEvent, kind=EventKind.AWAY):
    """A player has had no connection for a while."""


@dataclass(frozen=True)
class Here(SeatEvent, kind=EventKind.HERE):
    """A player who was away is back."""


@dataclass(frozen=True)
class Hinted(SeatEvent, kind=EventKind.HINT):
    """A player used a hint, in a match between two people."""


@dataclass(frozen=True)
class Left(SeatEvent, kind=EventKind.LEFT):
    """A player has taken the finished match off their list."""


@dataclass(frozen=True)
class Reload(Event, kind=EventKind.RELOAD):
    """The events do not continue from the number that was asked for: read the match again."""
