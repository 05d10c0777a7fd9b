"""Twins: the same decision with other cells, other numbers or other names.

What a player does worse in a twin it had remembered rather than worked out. Every twin is proven: each
legal move gives away exactly what its counterpart does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from enum import StrEnum
from itertools import islice, product
from random import Random
from typing import Any

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.grid import pictures
from ninefold.core.move import Move
from ninefold.core.state import Setup, State
from ninefold.study.positions import SetPosition
from ninefold.study.scores import regrets

MOST = 100  # setups that are tried


class Twin(StrEnum):
    NONE = ""  # the position itself
    TURNED = "turned"  # rotated or reflected
    RENUMBERED = "renumbered"  # each number replaced by its counterpart: 10-n for 1 to 9
    NEUTRAL = "neutral"  # the game under another name


TWINS = tuple(twin for twin in Twin if twin)
Relabel = Callable[[Move], Move]


def make_twin(position: SetPosition, twin: Twin, seed: str) -> SetPosition | None:
    """The position's twin; None if the game has none of this sort. Always the same for the same seed."""
    if twin in (Twin.NONE, Twin.NEUTRAL):
        return position
    game = position.state.game
    for setup, relabel in (_turns if twin is Twin.TURNED else _renumberings)(position, Random(seed)):
        try:
            moves = [relabel(one.move) for one in position.played]
            states, played = game.replay(game.set_up(setup), moves)
            found = replace(position, state=states[-1], played=played)
            if found.state != position.state and _same_decision(position, found, relabel):
                return found
        except (NinefoldError, KeyError):  # the game does not have this symmetry
            continue
    return None


def _same_decision(position: SetPosition, twin: SetPosition, relabel: Relabel) -> bool:
    game, seat = position.state.game, position.seat
    if seat not in twin.state.movers:
        return False
    lost = regrets(position.state, seat)
    return regrets(twin.state, seat) == {
        game.index(relabel(game.moves[action])): cost for action, cost in lost.items()
    }


def _turns(position: SetPosition, rng: Random) -> Iterator[tuple[Setup, Relabel]]:
    """The ways to turn a square board, in random order."""
    state, game = position.state, position.state.game
    boards = state.view(position.seat).boards
    size = boards[0].width
    if any(len(board.cells) != size * size for board in boards):
        return
    ways = list(pictures(size)[1:])
    rng.shuffle(ways)
    by_spot = _by_spot(game)
    on_board = {option.name for option in game.options if option.on_board}
    for picture in ways:
        setup = {
            name: "".join(str(value)[cell] for cell in picture) if name in on_board else value
            for name, value in state.setup.items()
        }

        def relabel(move: Move, picture: tuple[int, ...] = picture) -> Move:
            spot = game.spot(move)
            cells = frozenset(picture.index(cell) for cell in spot.cells)
            return by_spot[type(move), spot.number, cells, spot.kind]

        yield setup, relabel


def _renumberings(position: SetPosition, rng: Random) -> Iterator[tuple[Setup, Relabel]]:
    """The setups in which the counterparts of the numbers make the same position, up to symmetry."""
    state, game = position.state, position.state.game
    numbers = [spot.number for spot in map(game.spot, game.moves) if spot.number is not None]
    if not numbers:
        return
    both = min(numbers) + max(numbers)
    by_spot = _by_spot(game)

    def relabel(move: Move) -> Move:
        spot = game.spot(move)
        number = None if spot.number is None else both - spot.number
        return by_spot[type(move), number, frozenset(spot.cells), spot.kind]

    values = [option.listed or (state.setup[option.name],) for option in game.options]
    for chosen in islice(product(*values), MOST):
        setup = {option.name: value for option, value in zip(game.options, chosen, strict=True)}
        moves = [relabel(one.move) for one in position.played]
        try:
            key = game.puzzles.key(game.sequence(game.set_up(setup), moves))
        except NinefoldError:  # with these settings the game ends before
            continue
        if key == game.puzzles.key(state):
            yield setup, relabel


def _by_spot(game: Game) -> dict[tuple[Any, ...], Move]:
    """Every move by its type and by how it is made on the board."""
    spots = ((move, game.spot(move)) for move in game.moves)
    return {(type(move), spot.number, frozenset(spot.cells), spot.kind): move for move, spot in spots}


def states_of(position: SetPosition) -> tuple[State[Any], ...]:
    """The positions of the game that led here, from the first on."""
    game = position.state.game
    return game.positions(game.set_up(position.state.setup), [one.move for one in position.played])
