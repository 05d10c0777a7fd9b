"""What the adapters share: one game at a time between two seats, with moves as action numbers.

It holds no rules: legality, turns and results come from the state.
"""

from __future__ import annotations

from random import Random
from typing import Any

from ninefold.batch import LIMIT, encoding
from ninefold.core.errors import NinefoldError, SetupError, quote
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.games import load
from ninefold.players import Chooser, PlayerFailed


def read_seat(seat: object) -> Seat | None:
    """The seat for `first`, `second`, 0 or 1, and None for `random`. Raises SetupError."""
    if seat == "random":
        return None
    for one in SEATS:
        if seat == one or seat == str(one):
            return one
    raise SetupError(f"{quote(str(seat))} is not a seat. It must be first (0), second (1) or random.")


class Episode:
    """A game as an environment plays it; `reset` begins the next episode.

    Settings that are not given are drawn for each game. `winner` is None while the game goes on and if
    it is cut off, after `limit` moves or as soon as nobody can win any more. An illegal move loses the
    game, and `illegal` says why.
    """

    def __init__(self, slug: str, limit: int = LIMIT, **setup: int | str) -> None:
        self.game = load(slug)
        self.limit = limit
        self._setup = setup
        self._rng = Random()
        self.game.set_up(setup, Random(0))  # raises SetupError now rather than at the first reset

    def reset(self, seed: int | None = None, **settings: int | str) -> None:
        """Begin a game; settings given here apply to this game only."""
        if seed is not None:
            self._rng = Random(seed)
        self.state: State[Any] = self.game.set_up({**self._setup, **settings}, self._rng)
        self.winner: Seat | None = None
        self.illegal = ""
        self.moves_made = 0
        self._dead = False  # nobody can win any more
        self._mask: tuple[Seat, bytes] | None = None  # of this position, for the seat last asked for

    @property
    def terminated(self) -> bool:
        return self.winner is not None

    @property
    def truncated(self) -> bool:
        return self.winner is None and (self.moves_made >= self.limit or self._dead)

    def play(self, action: int, seat: Seat) -> None:
        """Make the move of that action number."""
        moves = self.game.moves
        if not 0 <= action < len(moves):
            self.forfeit(seat, f"{action} is not a move here: they go from 0 to {len(moves) - 1}.")
            return
        if self.mask(seat)[action]:
            state = self.state.after(moves[action], seat)
        else:
            self.forfeit(seat, self._refusal(moves[action], seat))
            return
        self.moves_made += 1
        self.state, self._dead = state, state.dead
        self._mask = None
        if (outcome := state.outcome) is not None:
            self.winner = outcome.winner

    def ask(self, player: Chooser, seat: Seat) -> int:
        """Play what a player chooses. Returns the action, or -1 if the player failed, which forfeits."""
        try:
            move = player.choose(self.state.open_state, seat)
        except PlayerFailed as error:
            self.forfeit(seat, str(error))
            return -1
        action = move if isinstance(move, int) else self.game.index(move)
        self.play(action, seat)
        return action

    def _refusal(self, move: Any, seat: Seat) -> str:
        """Why a move is not legal."""
        try:
            self.state.play(move, seat)
        except NinefoldError as error:
            return str(error)
        raise AssertionError(f"{move} is legal")

    def forfeit(self, seat: Seat, why: str) -> None:
        """The seat loses: its answer was not a legal move, or it gave none."""
        self.illegal, self.winner = why, seat.other

    def reward(self, seat: Seat) -> int:
        """1 for a won game, -1 for a lost one, 0 while it goes on and if it was cut off."""
        return 0 if self.winner is None else 1 if self.winner is seat else -1

    def info(self, seat: Seat, truth: bool) -> dict[str, Any]:
        """What accompanies an observation: the ground truth if wanted, and why a move was illegal."""
        found: dict[str, Any] = {"illegal": self.illegal} if self.illegal else {}
        if truth and self.winner is None and seat in self.state.movers:
            from ninefold.envs.truth import supervision

            found |= supervision(self.state.open_state, seat)
        return found

    def observe(self, seat: Seat) -> list[int]:
        return encoding.observe(self.state, seat)

    def mask(self, seat: Seat) -> bytes:
        """One byte for each move of the game; all 0 when the game is over."""
        if self.terminated or self.truncated:
            return bytes(len(self.game.moves))
        if self._mask is None or self._mask[0] is not seat:
            self._mask = seat, encoding.mask(self.state, seat)
        return self._mask[1]
