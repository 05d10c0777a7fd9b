"""Many games at once by the rules, one after the other: the plain Python twin of _batch.c.

Both use the same random numbers, so both play the same games. A game without C code of its own is always
played here.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, MutableSequence, Sequence
from dataclasses import dataclass
from math import nan
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from ninefold.analysis import evaluate
from ninefold.analysis.evaluation import worth
from ninefold.batch import encoding
from ninefold.core.game import Game
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.players.policy import Policy

if TYPE_CHECKING:
    from _typeshed import SupportsLenAndGetItem

T = TypeVar("T")

ON, WON, CUT_OFF = 0, 1, 2  # status
NOBODY, NO_ACTION = -1, -1
WORD = (1 << 64) - 1

Numbers = MutableSequence[int] | memoryview


class RandomStream(Random):
    """The random numbers of one game: SplitMix64, started from the seed and the game's number.

    `choice` and `sample` draw exactly as _batch.c does, so a game's own `draw` gives the same setups.
    """

    def __init__(self, seed: int, number: int) -> None:
        self.word = _mix(_mix(seed & WORD) + number & WORD)

    @classmethod
    def at(cls, word: int) -> RandomStream:
        """A stream that continues from this word."""
        stream = cls(0, 0)
        stream.word = word
        return stream

    def below(self, bound: int) -> int:
        return (self._next() >> 32) * bound >> 32

    def _next(self) -> int:
        self.word = self.word + 0x9E3779B97F4A7C15 & WORD
        return _mix(self.word)

    def random(self) -> float:
        return (self._next() >> 11) * 2.0**-53

    def getrandbits(self, k: int) -> int:
        words = [self._next() for _ in range(-(-k // 64))]
        return sum(word << 64 * place for place, word in enumerate(words)) & (1 << k) - 1

    def choice(self, seq: SupportsLenAndGetItem[T]) -> T:
        return seq[self.below(len(seq))]

    def sample(self, population: Sequence[T], k: int, *, counts: Iterable[int] | None = None) -> list[T]:
        if counts is not None:
            return super().sample(population, k, counts=counts)
        found = list(population)
        for last in range(len(found) - 1, 0, -1):
            other = self.below(last + 1)
            found[last], found[other] = found[other], found[last]
        return found[:k]


def _mix(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
    return z ^ z >> 31


@dataclass(slots=True)
class GameRow:
    """One game and its random numbers."""

    stream: RandomStream
    state: State[Any]
    made: int = 0  # moves so far
    status: int = ON
    winner: int = NOBODY

    @property
    def mover(self) -> Seat:
        """The seat that has to choose; the first seat if nobody has."""
        return self.state.movers[0] if self.state.movers else SEATS[0]


class PlainGames:
    """Games of one kind, each a row. The methods write into the caller's buffers."""

    def __init__(self, game: Game, count: int, limit: int, setup: dict[str, int | str]) -> None:
        self.game = game
        self.limit = limit
        self.setup = setup
        self.rows: list[GameRow] = []
        self.count = count

    def reset(
        self, seed: int | Sequence[int], movers: Numbers, status: Numbers, winners: Numbers
    ) -> None:
        if isinstance(seed, int):
            streams = [RandomStream(seed, number) for number in range(self.count)]
        else:
            streams = [RandomStream(one, 0) for one in seed]
        self.rows = [GameRow(stream, self._begin(stream)) for stream in streams]
        for at, row in enumerate(self.rows):
            _report(row, at, movers, status, winners)

    def _begin(self, stream: RandomStream) -> State[Any]:
        return self.game.set_up(self.setup, stream)

    def step(
        self, again: bool, actions: Numbers, movers: Numbers, status: Numbers, winners: Numbers
    ) -> None:
        for at, row in enumerate(self.rows):
            if actions[at] == NO_ACTION:
                continue
            if row.status == ON:
                self._play(row, actions[at])
            elif again:
                self.rows[at] = row = GameRow(row.stream, self._begin(row.stream))
            _report(row, at, movers, status, winners)

    def _play(self, row: GameRow, action: int) -> None:
        seat = row.mover
        if action not in encoding.legal(row.state, seat):
            row.status, row.winner = WON, seat.other
            return
        row.state = row.state.after(self.game.moves[action], seat)
        row.made += 1
        if (outcome := row.state.outcome) is not None:
            row.status, row.winner = WON, outcome.winner
        elif row.made >= self.limit or row.state.dead:
            row.status = CUT_OFF

    def look(self, seats: Numbers, observations: memoryview, masks: memoryview) -> None:
        width, moves = encoding.width(self.game), len(self.game.moves)
        for at, row in enumerate(self.rows):
            if seats[at] not in SEATS:
                raise ValueError(f"{seats[at]} is not a seat: game {at} needs 0 or 1.")
            seat = SEATS[seats[at]]
            seen = encoding.observe(row.state, seat)
            seen[1] &= row.status != WON
            observations[at * width : (at + 1) * width] = array("b", seen)
            choosing = row.status == ON and row.mover is seat
            mask = encoding.mask(row.state, seat) if choosing else bytes(moves)
            masks[at * moves : (at + 1) * moves] = mask

    def sample(self, actions: Numbers) -> None:
        for at, row in enumerate(self.rows):
            actions[at] = self._draw_action(row) if row.status == ON else 0

    def values(self, values: memoryview) -> None:
        for at, row in enumerate(self.rows):
            found = array("d", [nan]) * len(self.game.moves)
            if row.status == ON:
                for choice in evaluate(row.state).choices_of(row.mover):
                    chance = worth(choice.value, choice.seat).chance
                    found[self.game.index(choice.move)] = float(chance)
            values[at * len(found) : (at + 1) * len(found)] = found

    def regrets(self, regrets: memoryview) -> None:
        moves = len(self.game.moves)
        self.values(regrets)
        for at in range(0, len(regrets), moves):
            chances = regrets[at : at + moves].tolist()
            best = max((chance for chance in chances if chance == chance), default=nan)
            regrets[at : at + moves] = array("d", [best - chance for chance in chances])

    def policies(self, policy: Policy, probabilities: memoryview) -> None:
        for at, row in enumerate(self.rows):
            found = array("d", [0.0]) * len(self.game.moves)
            if row.status == ON:
                for move, part in policy(row.state.open_state, row.mover).items():
                    found[self.game.index(move)] = float(part)
            probabilities[at * len(found) : (at + 1) * len(found)] = found

    def set_states(self, states: Sequence[State[Any]], seed: int, *reports: Numbers) -> None:
        """Put these positions into the rows. The seed is for random moves from there on."""
        self.rows = []
        for at, state in enumerate(states):
            row = GameRow(RandomStream(seed, at), state, encoding.count_moves(state))
            self.rows.append(row)
            if state.outcome is not None:
                row.status, row.winner = WON, state.outcome.winner
            elif state.dead:
                row.status = CUT_OFF
            _report(row, at, *reports)

    def state(self, at: int) -> State[Any]:
        return self.rows[at].state

    def get_state(self) -> list[Any]:
        return [(row.stream.word, row.state, row.made, row.status, row.winner) for row in self.rows]

    def set_state(self, state: list[Any]) -> None:
        self.rows = [GameRow(RandomStream.at(word), *rest) for word, *rest in state]

    def _draw_action(self, row: GameRow) -> int:
        legal = encoding.legal(row.state, row.mover)
        return legal[row.stream.below(len(legal))]

    def playouts(self, seed: int, winners: Numbers, lengths: Numbers) -> None:
        for at in range(self.count):
            stream = RandomStream(seed, at)
            row = GameRow(stream, self._begin(stream))
            while row.status == ON:
                self._play(row, self._draw_action(row))
            winners[at], lengths[at] = row.winner, row.made


def _report(row: GameRow, at: int, movers: Numbers, status: Numbers, winners: Numbers) -> None:
    movers[at], status[at], winners[at] = row.mover, row.status, row.winner
