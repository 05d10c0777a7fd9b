"""What every table can do, wherever its match is kept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from threading import Event

from ninefold.analysis import NoValues, Value, evaluate
from ninefold.core.cast import Cast
from ninefold.core.errors import NinefoldError
from ninefold.core.move import Move
from ninefold.core.seat import Seat
from ninefold.match import Match
from ninefold.match.sitting import Deed, Sitting
from ninefold.show.coach import Warned, warn_of_move
from ninefold.show.hints import say_hint
from ninefold.show.levels import say_suggestion
from ninefold.show.moves import cast_of
from ninefold.show.scene import Scene, scene_at
from ninefold.show.status import NO_HINTS
from ninefold.store.files.matches import all_entries
from ninefold.study.coach import find_moments
from ninefold.study.hints import find_hint
from ninefold.study.reviews import Judged, review_match


class Table(ABC):
    """A match that somebody sits at. Without anybody's seat, it is watched."""

    match: Match
    covers = True  # whether a secret choice waits until its player is alone with the screen
    link = ""  # of a match on a server
    paint: Callable[[Seat, str], str] | None = None  # gives a text the color of a seat
    news: Callable[[], None] = staticmethod(lambda: None)  # called when something came from elsewhere
    _alone: tuple[int, tuple[Seat, ...]] | None = None  # the secret choice that somebody is alone for

    # What is known

    @property
    @abstractmethod
    def kept_as(self) -> str:
        """The id of the match among those that are kept on this machine."""

    @property
    @abstractmethod
    def sitting(self) -> Sitting:
        """Who sits here, and what is known of the match besides its moves."""

    @property
    def you(self) -> Seat | None:
        """The one person who reads here; None for two at one screen, and for spectators."""
        return self.sitting.you

    @property
    def mover(self) -> Seat | None:
        """The seat that chooses a move here now."""
        return self.sitting.mover

    @property
    def cast(self) -> Cast:
        return cast_of(self.match, self.you, self.paint)

    @property
    def over(self) -> bool:
        return self.match.over

    @property
    def ticking(self) -> bool:
        """Whether time runs, so that it has to be drawn again."""
        return False

    @property
    def computer(self) -> Seat | None:
        """The seat for which a computer here is to choose."""
        return None

    def allows(self, deed: Deed) -> bool:
        """Whether something can be done here now."""
        return self.sitting.allows(deed)

    @property
    def _ready(self) -> bool:
        """Whether the next secret choice can be made: its player is alone, or nothing shows it."""
        return not self.covers or self._alone == self._choice

    @property
    def _choice(self) -> tuple[int, tuple[Seat, ...]]:
        """The next choice: its number, and who makes it."""
        return len(self.match.played), self.match.state.movers[:1]

    def uncover(self) -> None:
        """Whoever is to choose in secret next is alone with the screen now."""
        self._alone = self._choice

    # What is drawn and said

    def scene(self, *, hint: tuple[Move, str] | None = None, value: Value | None = None) -> Scene:
        """All that there is to draw, with a hint and the value of the position if they were asked for."""
        return scene_at(self.sitting, self.cast, hint=hint, value=value)

    @property
    def notice(self) -> str:
        """What there is to say about keeping the match, and about the other player."""
        return ""

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
        """The best move, and a sentence that says why. Raises NinefoldError."""
        self._refuse_advice()
        state = self.match.open_state
        found = find_hint(state, seat)
        return found.move, say_hint(state, found, self.cast)

    def _refuse_advice(self) -> None:
        if not self.match.hints:
            raise NinefoldError(NO_HINTS)

    def warn(self, seat: Seat, move: Move) -> Warned | None:
        """What the coach says of a move before it is made; None if there is none, or nothing to say."""
        return warn_of_move(self.match, seat, move, self.cast)

    def find_moments(self) -> list[Judged]:
        """The moments of a coached match that mattered; empty without a coach."""
        if not self.match.coach or self.you is None:
            return []
        try:
            return find_moments(review_match(self.match), self.you)
        except NoValues:
            return []

    def suggest_level(self) -> list[str]:
        """Which level to play next, after several wins or losses in a row; else nothing."""
        return [] if self.you is None else say_suggestion(self._latest())

    def _latest(self) -> Iterator[Match]:
        """This match, then those of the same game that were kept before it, the latest first."""
        yield self.match
        for entry in all_entries():
            kept = entry.match if entry.id != self.kept_as else None
            if kept is not None and kept.over and kept.game.slug == self.match.game.slug:
                yield kept

    def value(self) -> Value:
        """What perfect play makes of the position. Raises NinefoldError."""
        self._refuse_advice()
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
