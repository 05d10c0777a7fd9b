"""What every position of every game can do. Each game's rules.py implements the abstract methods."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Generic, Self, TypeVar, cast

from ninefold.core.errors import GameOver, IllegalMove, NotYourTurn
from ninefold.core.move import Move
from ninefold.core.outcome import Outcome, Threat
from ninefold.core.seat import SEATS, Seat

if TYPE_CHECKING:
    from ninefold.core.game import Game
    from ninefold.core.view import View

ALONE = tuple((seat,) for seat in SEATS)  # by seat: the `movers` where only this seat chooses

Setup = Mapping[str, int | str]  # a game's settings, by name
M = TypeVar("M", bound=Move)  # the move type of a game


class State(ABC, Generic[M]):
    """A position: immutable and hashable."""

    __slots__ = ()

    game: ClassVar[Game]  # set by the game's package

    @property
    @abstractmethod
    def setup(self) -> Mapping[str, int | str]:
        """The settings with which `game.start` begins the same game again."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """None while the game goes on."""

    @property
    @abstractmethod
    def movers(self) -> tuple[Seat, ...]:
        """The seats with a choice to make now; both where they choose in secret; () at the end."""

    @abstractmethod
    def moves(self, seat: Seat | None = None) -> tuple[M, ...]:
        """The legal moves of a seat (by default the first of `movers`) in a fixed order."""

    @abstractmethod
    def after(self, move: M, seat: Seat) -> Self:
        """The position after a legal move. For callers who took the move from `moves(seat)`."""

    @abstractmethod
    def refusal(self, move: M, seat: Seat) -> str:
        """The rule that forbids a mover this move, as a sentence. Only called if the move is illegal."""

    @property
    def secret(self) -> bool:
        """Whether the movers choose in secret now. The turn ends when all have chosen."""
        return False

    @property
    def pending(self) -> tuple[Seat, ...]:
        """The seats that have made a secret choice which is not yet revealed."""
        return ()

    @property
    def open_state(self) -> Self:
        """This position as everybody knows it: without the secret choices that are pending."""
        return self

    def threats(self, seat: Seat) -> tuple[Threat, ...]:
        """The lines that the seat could complete, and win with, if it were to move."""
        return ()

    @property
    def dead(self) -> bool:
        """Whether nobody can win anymore, whatever both play, although the game has not ended.

        The moves stay legal, so that a written sequence may continue from here.
        """
        return False

    def longest(self, together: bool = False) -> int | None:
        """The most moves that can still be made; None if there is no bound.

        With `together`, the secret choices of both seats count as one move.
        """
        return None

    def play(self, move: M | str, seat: Seat | None = None) -> Self:
        """The position after a move, which may be given as text.

        The seat is needed only where both move. Raises MalformedMove, IllegalMove, NotYourTurn or
        GameOver; this position never changes.
        """
        movers = self.movers
        if not movers:
            raise GameOver("The game is over.")
        if seat is None:
            if len(movers) > 1:
                raise NotYourTurn("Both players choose now. Say which seat this move is for.")
            seat = movers[0]
        elif seat not in movers:
            raise NotYourTurn(f"It is not the {seat} player's turn.")
        found = cast(M, self.game.parse(move)) if isinstance(move, str) else move
        legal = self.moves(seat)
        for candidate in legal:  # most callers pass an object from this very tuple: try identity first
            if candidate is found:
                return self.after(found, seat)
        if found in legal:
            return self.after(found, seat)
        self.game.index(found)  # raises if it is not a move of this game at all
        raise IllegalMove(self.refusal(found, seat))

    def view(self, viewer: Seat | None) -> View:
        """What a seat may see, or a spectator (None). Everything that people see is made from a view."""
        return self.game.view(self, viewer)
