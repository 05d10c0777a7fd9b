"""What every table can do, wherever its match is kept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import StrEnum
from threading import Event

from ninefold.analysis import Value, evaluate
from ninefold.core.cast import Cast
from ninefold.core.move import Move
from ninefold.core.seat import Seat
from ninefold.match import Match, Series
from ninefold.players import PERSON
from ninefold.show.endings import Ending, describe_ending
from ninefold.show.hints import say_hint
from ninefold.show.moves import cast_of, say_kind
from ninefold.show.offers import say_next_start
from ninefold.show.scene import Scene, scene_of_match
from ninefold.show.status import say_status, say_title
from ninefold.study.hints import find_hint


class Deed(StrEnum):
    """What somebody at a table can do besides moving."""

    UNDO = "undo"  # take back the last turn, or offer it
    HINT = "hint"
    EVAL = "eval"
    STOP = "stop"  # offer to stop
    RESIGN = "resign"
    ANSWER = "answer"  # accept or decline what the other player offers
    CLAIM = "claim"  # win, because the other player has been away for too long
    ABORT = "abort"  # cancel the match before its first move
    COPY_LINK = "copy_link"
    FOLLOW = "follow"  # play the next game


PLAYING = (Deed.UNDO, Deed.HINT, Deed.EVAL, Deed.STOP, Deed.RESIGN)


class Table(ABC):
    """A match that somebody sits at. Without anybody's seat, it is watched."""

    match: Match
    you: Seat | None = None  # the one person who reads here; None for two at one screen, and spectators
    link = ""  # of a match on a server
    paint: Callable[[Seat, str], str] | None = None  # gives a text the color of a seat
    news: Callable[[], None] = staticmethod(lambda: None)  # called when something came from elsewhere

    # What is known

    @property
    def cast(self) -> Cast:
        return cast_of(self.match, self.you, self.paint)

    @property
    def over(self) -> bool:
        return self.match.over

    @property
    def waiting(self) -> bool:
        """Whether the second player is still to come."""
        return False

    @property
    def ticking(self) -> bool:
        """Whether time runs, so that it has to be drawn again."""
        return False

    @property
    @abstractmethod
    def mover(self) -> Seat | None:
        """The seat that chooses a move here now."""

    @property
    def viewer(self) -> Seat | None:
        """Whose eyes the match is drawn for."""
        return self.you

    @property
    def covered(self) -> Seat | None:
        """Who is to choose in secret next, with the other one looking away."""
        return None

    @property
    def computer(self) -> Seat | None:
        """The seat for which a computer here is to choose."""
        return None

    @property
    def actor(self) -> Seat | None:
        """For whom something is done here: whoever moves, or the one who sits here."""
        return self.you if self.mover is None else self.mover

    @property
    def advised(self) -> bool:
        """Whether hint and eval may be asked for."""
        return self.match.hints and not self.over

    def allows(self, deed: Deed) -> bool:
        """Whether something can be done here now."""
        if deed is Deed.FOLLOW:
            return self.over
        playing = not self.over and not self.waiting and self.actor is not None
        if deed in (Deed.HINT, Deed.EVAL):
            return playing and self.advised
        return playing and deed in PLAYING and (deed is not Deed.STOP or self.match.game.endless)

    @property
    def score(self) -> Series | None:
        """The games so far, from the second on."""
        return None

    @property
    def followed(self) -> bool:
        """Whether the next game has begun, which both players wanted."""
        return False

    # What is drawn and said

    def scene(self) -> Scene:
        """The match as its viewer may see it. Moves can be chosen by whoever moves here."""
        return scene_of_match(self.match, self.viewer, self.cast, choosing=self.mover is not None)

    @property
    def notice(self) -> str:
        """What there is to say beside what is to be done."""
        return ""

    def status(self) -> str:
        """What is going on, and what is to be chosen."""
        return say_status(self.match, self.viewer, self.cast)

    def title(self) -> str:
        return say_title(self.match, self.viewer, self.cast)

    def ending(self) -> Ending | None:
        return describe_ending(self.match, self.cast) if self.over else None

    def notes(self) -> dict[Seat, str]:
        """By seat, what stands beside its name."""
        kinds = {player.seat: player.kind for player in self.match.players}
        return {seat: say_kind(kind) for seat, kind in kinds.items() if kind != PERSON}

    def afterwards(self) -> str:
        """What can come after the end."""
        return say_next_start("Rematch?", self.match.game, self.cast)

    @property
    def line_mode(self) -> list[str]:
        """The command that goes on with the match in line mode; empty if there is none."""
        return []

    # What is done

    @abstractmethod
    def play(self, seat: Seat, move: Move, ply: int | None = None) -> None:
        """Make a move, in the position with this ply if it is given: the one that was seen."""

    @abstractmethod
    def undo(self, seat: Seat) -> None:
        """Take back the last turn, or offer it."""

    @abstractmethod
    def resign(self, seat: Seat) -> None:
        """Give up the game."""

    @abstractmethod
    def stop(self, seat: Seat) -> None:
        """Offer to stop; at one screen, the other person has agreed."""

    # Only on a server; elsewhere `allows` says no.

    def answer(self, *, agree: bool) -> None:
        """Answer what the other player offers."""
        raise NotImplementedError

    def claim(self) -> None:
        """Win, because the other player has been away for too long."""
        raise NotImplementedError

    def abort(self) -> None:
        """Cancel the match before its first move."""
        raise NotImplementedError

    def hint(self, seat: Seat) -> tuple[Move, str]:
        """The best move, and a sentence that says why."""
        state = self.match.open_state
        found = find_hint(state, seat)
        return found.move, say_hint(state, found, self.cast)

    def value(self) -> Value:
        """What perfect play makes of the position."""
        return evaluate(self.match.open_state).value

    def think(self, skip: Event | None = None) -> None:
        """Let the computer that is to move choose, after a pause that `skip` cuts short."""
        assert self.computer is None, "a table with computers lets them choose"

    @abstractmethod
    def follow(self) -> Table | None:
        """Go to the game after this one; None if the other player has yet to agree."""

    def leave(self) -> str:
        """Get up. The match is kept; how to come back, as a sentence, or nothing."""
        return ""
