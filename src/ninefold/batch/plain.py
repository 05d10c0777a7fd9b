"""Many games at once by asking the rules, one after the other: the twin of _batch.c.

It does the same with the same random numbers, so both give the same games. A game without C code of its
own is played here, too.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, MutableSequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ninefold.batch import layout
from ninefold.core.game import Game, Option
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State

ON, WON, CUT_OFF = 0, 1, 2  # status
NOBODY, NO_ACTION = -1, -1
WORD = (1 << 64) - 1

Numbers = MutableSequence[int] | memoryview


class Stream:
    """Random numbers of one game: SplitMix64, begun where the seed and the game's number say."""

    def __init__(self, seed: int, number: int) -> None:
        self._word = _mixed(_mixed(seed & WORD) + number & WORD)

    def below(self, bound: int) -> int:
        self._word = self._word + 0x9E3779B97F4A7C15 & WORD
        return (_mixed(self._word) >> 32) * bound >> 32


def _mixed(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
    return z ^ z >> 31


def _target(stream: Stream) -> int:
    return 10 + stream.below(11)


def _grid(stream: Stream) -> str:
    digits = list("123456789")
    for k in range(8, 0, -1):
        j = stream.below(k + 1)
        digits[k], digits[j] = digits[j], digits[k]
    return "".join(digits)


DRAWN: dict[str, Callable[[Stream], int | str]] = {"target": _target, "grid": _grid}  # as in _batch.c


def _drawn(option: Option, stream: Stream) -> int | str:
    if option.name in DRAWN:
        return DRAWN[option.name](stream)
    assert option.draw is not None, "what is neither given nor drawn has a default, which is given by now"
    return option.draw(Random(stream.below(1 << 32)))


@dataclass(slots=True)
class Row:
    """One game and its random numbers."""

    stream: Stream
    state: State[Any]
    made: int = 0
    status: int = ON
    winner: int = NOBODY

    @property
    def mover(self) -> Seat:
        """The seat that has to choose; once nobody has, the first."""
        return self.state.movers[0] if self.state.movers else SEATS[0]


class PlainGames:
    """The rows of some games of one kind. What it is to write into is the caller's."""

    def __init__(self, game: Game, count: int, turns: int, setup: dict[str, int | str]) -> None:
        self.game = game
        self.turns = turns
        self.setup = setup
        self.rows: list[Row] = []
        self.count = count

    def reset(self, seed: int, movers: Numbers, status: Numbers, winners: Numbers) -> None:
        streams = [Stream(seed, number) for number in range(self.count)]
        self.rows = [Row(stream, self._begin(stream)) for stream in streams]
        for at, row in enumerate(self.rows):
            _report(row, at, movers, status, winners)

    def _begin(self, stream: Stream) -> State[Any]:
        drawn = {o.name: _drawn(o, stream) for o in self.game.options if o.name not in self.setup}
        return self.game.set_up(self.setup | drawn)

    def step(
        self, again: bool, actions: Numbers, movers: Numbers, status: Numbers, winners: Numbers
    ) -> None:
        for at, row in enumerate(self.rows):
            if actions[at] == NO_ACTION:
                continue
            if row.status == ON:
                self._play(row, actions[at])
            elif again:
                self.rows[at] = row = Row(row.stream, self._begin(row.stream))
            _report(row, at, movers, status, winners)

    def _play(self, row: Row, action: int) -> None:
        seat = row.mover
        if action not in layout.legal(row.state, seat):
            row.status, row.winner = WON, seat.other
            return
        row.state = row.state.after(self.game.moves[action], seat)
        row.made += 1
        if (outcome := row.state.outcome) is not None:
            row.status, row.winner = WON, outcome.winner
        elif row.made >= self.turns:
            row.status = CUT_OFF

    def look(self, seats: Numbers, observations: memoryview, masks: memoryview) -> None:
        width, moves = layout.width(self.game), len(self.game.moves)
        for at, row in enumerate(self.rows):
            seat = SEATS[seats[at]]
            seen = layout.observe(row.state, seat)
            seen[1] &= row.status != WON
            observations[at * width : (at + 1) * width] = array("b", seen)
            choosing = row.status == ON and row.mover is seat
            mask = layout.mask(row.state, seat) if choosing else bytes(moves)
            masks[at * moves : (at + 1) * moves] = mask

    def sample(self, actions: Numbers) -> None:
        for at, row in enumerate(self.rows):
            actions[at] = self._drawn(row) if row.status == ON else 0

    def _drawn(self, row: Row) -> int:
        legal = layout.legal(row.state, row.mover)
        return legal[row.stream.below(len(legal))]

    def playouts(self, seed: int, winners: Numbers, lengths: Numbers) -> None:
        for at in range(self.count):
            stream = Stream(seed, at)
            row = Row(stream, self._begin(stream))
            while row.status == ON:
                self._play(row, self._drawn(row))
            winners[at], lengths[at] = row.winner, row.made


def _report(row: Row, at: int, movers: Numbers, status: Numbers, winners: Numbers) -> None:
    movers[at], status[at], winners[at] = row.mover, row.status, row.winner
