"""One game at a time between two seats, with moves as action numbers: for environments and contests.

It holds no rules: legality, turns and results come from the state.
"""

from __future__ import annotations

from random import Random
from typing import Any

from ninefold.batch import LIMIT, encoding
from ninefold.core.errors import NinefoldError
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.turns import Played
from ninefold.games import load
from ninefold.players import Chooser, Failure, PlayerFailed, SeenRecord
from ninefold.study.answers import record_data


class Episode:
    """A game as an environment plays it; `reset` begins the next episode.

    Settings that are not given are drawn for each game. `winner` is None while the game goes on and if
    it is cut off, after `limit` moves or as soon as nobody can win anymore. A player that fails or makes
    an illegal move loses the game: `failure` says how and `illegal` why.
    """

    def __init__(self, slug: str, limit: int = LIMIT, **setup: int | str) -> None:
        self.game = load(slug)
        self.limit = limit
        self._setup = setup
        self._rng = Random()
        self.game.set_up(setup, Random(0))  # raises SetupError now rather than at the first reset

    def deal(self, seed: str) -> State[Any]:
        """The first position of the game that `reset` begins with this seed."""
        return self.game.set_up(self._setup, Random(seed))

    def reset(self, seed: int | str | None = None, **settings: int | str) -> None:
        """Begin a game; settings given here apply to this game only."""
        if seed is not None:
            self._rng = Random(seed)
        self.state: State[Any] = self.game.set_up({**self._setup, **settings}, self._rng)
        self.winner: Seat | None = None
        self.failure: Failure | None = None
        self.illegal = ""
        self.played: list[Played] = []
        self._dead = False  # nobody can win anymore
        self._mask: tuple[Seat, bytes] | None = None  # of this position, for the seat last asked for

    @property
    def terminated(self) -> bool:
        return self.winner is not None

    @property
    def truncated(self) -> bool:
        return self.winner is None and (len(self.played) >= self.limit or self._dead)

    def play(self, action: int, seat: Seat) -> None:
        """Make the move of that action number."""
        if not 0 <= action < len(self.game.moves) or not self.mask(seat)[action]:
            self.forfeit(seat, refusal(self.state, action, seat), Failure.ILLEGAL)
            return
        move = self.game.moves[action]
        state = self.state.after(move, seat)
        self.played.append(Played(seat, move))
        self.state, self._dead = state, state.dead
        self._mask = None
        if (outcome := state.outcome) is not None:
            self.winner = outcome.winner

    def ask(self, player: Chooser, seat: Seat) -> int:
        """Play what a player chooses. Returns the action, or -1 if the player failed, which forfeits."""
        state = self.state.open_state
        try:
            move = player.choose(state, seat, self._record(state, seat))
        except PlayerFailed as error:
            self.forfeit(seat, str(error), error.failure)
            return -1
        action = move if isinstance(move, int) else self.game.index(move)
        self.play(action, seat)
        return action

    def _record(self, state: State[Any], seat: Seat) -> SeenRecord:
        """The record of what everybody knows: without the secret choices that are pending."""
        known = len(self.played) - len(self.state.pending)
        return lambda: record_data(state, self.played[:known], seat)

    def forfeit(self, seat: Seat, why: str, failure: Failure) -> None:
        """The seat loses: its answer was not a legal move, or it gave none."""
        self.illegal, self.failure, self.winner = why, failure, seat.other

    def reward(self, seat: Seat) -> int:
        """1 for a won game, -1 for a lost one, 0 while it goes on and if it was cut off."""
        return 0 if self.winner is None else 1 if self.winner is seat else -1

    def observe(self, seat: Seat) -> list[int]:
        return encoding.observe(self.state, seat)

    def mask(self, seat: Seat) -> bytes:
        """One byte for each move of the game; all 0 when the game is over."""
        if self.terminated or self.truncated:
            return bytes(len(self.game.moves))
        if self._mask is None or self._mask[0] is not seat:
            self._mask = seat, encoding.mask(self.state, seat)
        return self._mask[1]


def refusal(state: State[Any], action: int, seat: Seat) -> str:
    """Why an action is not legal."""
    moves = state.game.moves
    if not 0 <= action < len(moves):
        return f"{action} is not a move here: they go from 0 to {len(moves) - 1}."
    try:
        state.play(moves[action], seat)
    except NinefoldError as error:
        return str(error)
    raise AssertionError(f"{moves[action]} is legal")
