"""What happens in a match, as everybody may know it. A docstring says what its event means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ninefold.core.seat import Seat
from ninefold.match.kinds import EventKind, Offer


@dataclass(frozen=True)
class Event:
    """Something that happened in a match."""

    kind: ClassVar[EventKind]

    def data(self) -> dict[str, Any]:
        """The event as plain data: its kind, then its fields."""
        fields = {n: str(v) if v.__class__ is Seat else v for n, v in self.__dict__.items()}
        return {"kind": self.kind, **fields}


@dataclass(frozen=True)
class SeatEvent(Event):
    """Something that the player in a seat did, or that happened to them."""

    seat: Seat


@dataclass(frozen=True)
class Joined(SeatEvent):
    """Somebody has taken the open seat."""

    kind = EventKind.JOINED
    name: str
    deadline: str | None  # when the next move is due, in UTC; None without a clock


@dataclass(frozen=True)
class Moved(SeatEvent):
    """A move was made. Secret choices come in written order."""

    kind = EventKind.MOVE
    move: str
    ply: int  # after the move
    deadline: str | None = None


@dataclass(frozen=True)
class Chosen(SeatEvent):
    """A secret choice was made, while the other one is awaited."""

    kind = EventKind.CHOSEN
    ply: int
    deadline: str | None = None


@dataclass(frozen=True)
class Over(Event):
    """The match is over, for this reason. A stopped one has no winner."""

    kind = EventKind.OVER
    winner: Seat | None
    reason: str


@dataclass(frozen=True)
class Offered(SeatEvent):
    """A player offers a `takeback`, a `stop` or a `rematch`."""

    kind = EventKind.OFFERED
    offer: Offer


@dataclass(frozen=True)
class Declined(SeatEvent):
    """A player declined an offer, or withdrew their own."""

    kind = EventKind.DECLINED
    offer: Offer


@dataclass(frozen=True)
class TakenBack(SeatEvent):
    """The last turn of this seat was taken back."""

    kind = EventKind.TAKEBACK
    ply: int  # after that
    deadline: str | None


@dataclass(frozen=True)
class Rematch(Event):
    """The rematch has begun, as the match with this id."""

    kind = EventKind.REMATCH
    match: str


@dataclass(frozen=True)
class Away(SeatEvent):
    """A player has had no connection for a while."""

    kind = EventKind.AWAY


@dataclass(frozen=True)
class Here(SeatEvent):
    """A player who was away is back."""

    kind = EventKind.HERE


@dataclass(frozen=True)
class Hinted(SeatEvent):
    """A player used a hint, in a match between two people."""

    kind = EventKind.HINT


@dataclass(frozen=True)
class Left(SeatEvent):
    """A player has taken the finished match off their list."""

    kind = EventKind.LEFT


@dataclass(frozen=True)
class Reload(Event):
    """The events do not continue from the number that was asked for: read the match again."""

    kind = EventKind.RELOAD


_ALL: tuple[type[Event], ...] = (
    *(Joined, Moved, Chosen, Over, Offered, Declined, TakenBack, Rematch),
    *(Away, Here, Hinted, Left, Reload),
)
EVENTS: dict[str, type[Event]] = {one.kind: one for one in _ALL}
