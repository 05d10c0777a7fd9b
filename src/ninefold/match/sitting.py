"""Those who sit at a match or watch it at one place, and what they can do there now. Facts, no words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from ninefold.core.errors import NinefoldError
from ninefold.core.seat import SEATS, Seat
from ninefold.match.kinds import Offer, Presence
from ninefold.match.match import Match
from ninefold.match.record import Series


class Deed(StrEnum):
    """What somebody at a match can do besides moving."""

    UNDO = "undo"  # take back the last turn, or offer it
    HINT = "hint"
    EVAL = "eval"
    STOP = "stop"  # offer to stop
    RESIGN = "resign"
    ANSWER = "answer"  # accept or decline what the other player offers
    CLAIM = "claim"  # win, because the other player has been away for too long
    ABORT = "abort"  # cancel the match before its first move
    FOLLOW = "follow"  # play or watch the next game


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """A match for whoever sits or watches at one place: at a screen, or in a browser."""

    match: Match
    seats: tuple[Seat, ...] = ()  # of the people here: one, two at one screen, or none if it is watched
    ready: bool = False  # whether whoever chooses in secret next is alone with the screen
    free: tuple[Seat, ...] = ()  # seats that nobody has taken yet
    sending: bool = False  # whether a move is on its way to the server
    gone: bool = False  # whether the server no longer has the match
    cancels: bool = False  # whether the match can be canceled here, which takes whoever made it
    following: bool = False  # whether the next game has begun
    offers: Mapping[Offer, Seat] = field(default_factory=dict)  # what is offered now, and by whom
    presence: Mapping[Seat, Presence] = field(default_factory=dict)  # of people elsewhere
    hinted: tuple[int, int] = (0, 0)  # by seat, hints given where somebody else can see it
    left: int | None = None  # seconds for the move that is awaited
    score: Series | None = None  # the games so far, from the second on

    @property
    def you(self) -> Seat | None:
        """The one person who reads here; None for two at one screen, and for spectators."""
        return self.seats[0] if len(self.seats) == 1 else None

    @property
    def shared(self) -> bool:
        """Whether two people share this screen."""
        return len(self.seats) == 2

    @property
    def waiting(self) -> bool:
        """Whether the match waits for a player."""
        return bool(self.free)

    @property
    def playing(self) -> bool:
        return not self.match.over and not self.waiting

    @property
    def _next(self) -> Seat | None:
        """The seat to choose next: where both choose in secret, one after the other."""
        return self.match.state.movers[0] if self.playing else None

    @property
    def covered(self) -> Seat | None:
        """Who is to choose in secret next, once the other one looks away."""
        return self._next if self.shared and not self.ready and self.match.state.secret else None

    @property
    def viewer(self) -> Seat | None:
        """Whose eyes the match is drawn for."""
        return None if self.covered is not None else self._next if self.shared else self.you

    @property
    def mover(self) -> Seat | None:
        """The seat that chooses a move here now."""
        idle = not self.playing or self.sending or self.gone
        return None if idle or self.viewer not in self.match.state.movers else self.viewer

    @property
    def actor(self) -> Seat | None:
        """For whom something is done here: whoever moves, or the one who sits here."""
        return self.viewer if self.viewer is not None else self.seats[0] if self.seats else None

    @property
    def offered(self) -> Offer | None:
        """What the other player offers now, which can be answered here."""
        found = (offer for offer, seat in self.offers.items() if seat is not self.you)
        return None if self.you is None or self.following else next(found, None)

    @property
    def deeds(self) -> frozenset[Deed]:
        """What can be done here now."""
        return frozenset(deed for deed in Deed if self.allows(deed))

    def allows(self, deed: Deed) -> bool:
        """Whether something can be done here now."""
        if self.gone:
            return False
        match deed:
            case Deed.FOLLOW:
                return self.match.over and (bool(self.seats) or self.following)
            case Deed.ANSWER:
                return self.offered is not None
            case Deed.ABORT:
                return (
                    self.cancels and self.you is not None and not (self.match.over or self.match.played)
                )
        if not self.playing or not self.seats or self.covered is not None:
            return False
        match deed:
            case Deed.HINT:
                return self.match.hints and self.mover is not None
            case Deed.EVAL:
                return self.match.hints
            case Deed.UNDO:
                return Offer.TAKEBACK not in self.offers and self._may_undo()
            case Deed.STOP:
                return self.match.game.endless and Offer.STOP not in self.offers
            case Deed.CLAIM:
                theirs = self.you is not None and self.you not in self.match.state.movers
                return theirs and Presence.GONE in self.presence.values()
        return deed is Deed.RESIGN

    def _may_undo(self) -> bool:
        try:
            self.match.copy().undo(SEATS if self.shared else self.seats, self.actor)
        except NinefoldError:
            return False
        return True
