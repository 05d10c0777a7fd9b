"""Positions as rows of _batch.c, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from ctypes import Structure, Union, c_int8, c_uint8, c_uint16, c_uint64
from typing import Any

from ninefold.batch import encoding
from ninefold.batch.plain import CUT_OFF, NOBODY, ON, WON
from ninefold.core.grid import CELLS
from ninefold.core.outcome import Outcome, Reason, made_line
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.games.battle.rules import Battle
from ninefold.games.conquest.rules import HAND, Conquest
from ninefold.games.cross.rules import LINES, Cross
from ninefold.games.pattern.rules import TOTAL, Pattern
from ninefold.games.shadow.rules import Shadow


class _Shadow(Structure):
    _fields_ = (
        *(("own", c_int8 * 9 * 2), ("hand", c_uint16 * 2), ("taken", c_uint16 * 2)),
        *(("empty", c_uint16), ("target", c_uint8)),
    )


class _Battle(Structure):
    _fields_ = (("grid", c_uint8 * 9), ("sum", c_uint8 * 2), ("own", c_uint16 * 2))


class _Pattern(Structure):
    _fields_ = (("own", c_int8 * 9 * 2), ("empty", c_uint16 * 2), ("pool", c_uint16))


class _Conquest(Structure):
    _fields_ = (
        *(("own", c_uint16 * 2), ("board", c_uint16), ("hand", c_uint8 * 2), ("bid", c_uint8 * 2)),
        *(("challenged", c_uint8), ("size", c_uint8), ("cells_alone", c_uint8)),
    )


class _Cross(Structure):
    _fields_ = (
        *(("grid", c_uint8 * 9), ("line", c_uint8 * 6), ("sum", c_uint8 * 2)),
        *(("own", c_uint8 * 2), ("order", c_uint8 * 6)),
    )


class _Games(Union):
    _fields_ = (
        *(("shadow", _Shadow), ("battle", _Battle), ("pattern", _Pattern)),
        *(("conquest", _Conquest), ("cross", _Cross)),
    )


class Row(Structure):
    """A game, as _batch.c has it."""

    _fields_ = (
        *(("stream", c_uint64), ("made", c_uint16), ("status", c_uint8), ("winner", c_int8)),
        *(("turn", c_uint8), ("kind", c_uint8), ("of", _Games)),
    )


def write_row(row: Row, state: State[Any]) -> None:
    """Put a position into a row. The row keeps its random numbers, and `made` counts the moves so far."""
    row.status, row.winner = ON, NOBODY
    row.turn = state.movers[0] if state.movers else 0
    row.made = encoding.count_moves(state)
    match state:
        case Shadow():
            _write_shadow(row.of.shadow, state)
        case Battle():
            _write_battle(row.of.battle, state)
        case Pattern():
            _write_pattern(row.of.pattern, state)
            row.turn = state.turn
        case Conquest():
            _write_conquest(row.of.conquest, state)
            row.turn = state.turn
        case Cross():
            _write_cross(row.of.cross, state)
    if state.outcome is not None:
        row.status, row.winner = WON, state.outcome.winner
    elif state.dead:
        row.status = CUT_OFF


def _write_shadow(row: Any, state: Shadow) -> None:
    for seat in SEATS:
        own = state.own(seat)
        row.own[seat][:] = own
        row.hand[seat] = _bits(n - 1 for n in state.hand(seat))
        row.taken[seat] = _bits(cell for cell in CELLS if own[cell])
    row.empty = _bits(cell for cell in CELLS if not state.cells[cell])
    row.target = state.target


def _write_battle(row: Any, state: Battle) -> None:
    row.grid[:] = [int(digit) for digit in state.grid]
    row.sum[:] = state.points
    row.own[:] = [_bits(c for c in CELLS if state.owners[c] is seat) for seat in SEATS]


def _write_pattern(row: Any, state: Pattern) -> None:
    for seat, grid in zip(SEATS, state.grids, strict=True):
        row.own[seat][:] = grid
        row.empty[seat] = _bits(cell for cell in CELLS if not grid[cell])
    row.pool = _bits(number - 1 for number in state.pool)


def _write_conquest(row: Any, state: Conquest) -> None:
    owners = [*enumerate(state.owners)]
    row.own[:] = [_bits(cell for cell, owner in owners if owner is seat) for seat in SEATS]
    row.board = (1 << len(owners)) - 1
    row.hand[:] = [_bits(number - 1 for number in hand) for hand in state.hands]
    row.bid[:] = [bid or 0 for bid in state.bids]
    row.challenged = state.challenged or 0
    row.size = state.size
    row.cells_alone = state.cells_alone


def _write_cross(row: Any, state: Cross) -> None:
    row.grid[:] = [int(digit) for digit in state.grid]
    row.line[:] = [sum(state.numbers(line)) for line in range(len(LINES))]
    row.sum[:] = state.sums.totals
    row.own[:] = [_bits(state.claimed[seat::2]) for seat in SEATS]
    row.order[:] = [*state.claimed, *[0] * (len(LINES) - len(state.claimed))]


def read_row(row: Row, kind: str) -> State[Any]:
    """The position in a row."""
    return READERS[kind](row)


def _read_shadow(row: Row) -> Shadow:
    own, target = row.of.shadow.own, row.of.shadow.target
    cells = tuple([first - second for first, second in zip(*own, strict=True)])
    outcome = next((found for seat in SEATS if (found := _line(cells, seat, target))), None)
    if outcome is None and 0 not in cells:
        outcome = Outcome(Seat.SECOND, Reason.FULL)
    return Shadow(target, cells, outcome)


def _line(cells: tuple[int, ...], seat: Seat, total: int) -> Outcome | None:
    """How the seat won, if it has a line."""
    lines = (made_line(cells, cell, -total if seat else total) for cell in CELLS if cells[cell])
    made = next((one for one in lines if one is not None), None)
    return None if made is None else Outcome(seat, Reason.LINE, made)


def _read_battle(row: Row) -> Battle:
    battle = row.of.battle
    owners = tuple([_owner(battle.own, cell) for cell in CELLS])
    return Battle("".join(map(str, battle.grid)), owners)


def _read_pattern(row: Row) -> Pattern:
    first, second = (tuple(own) for own in row.of.pattern.own)
    wins = (_line(first, Seat.FIRST, TOTAL), _line(second, Seat.FIRST, TOTAL))  # grids have no signs
    won = next((seat for seat in SEATS if wins[seat]), None)
    outcome = None if won is None else Outcome(won, Reason.LINE, getattr(wins[won], "detail", None))
    return Pattern((first, second), SEATS[row.turn], outcome)


def _read_conquest(row: Row) -> Conquest:
    held = row.of.conquest
    first, second = (tuple([n for n in HAND if hand >> (n - 1) & 1]) for hand in held.hand)
    return Conquest(
        size=held.size,
        owners=tuple([_owner(held.own, cell) for cell in range(held.size**2)]),
        hands=(first, second),
        turn=SEATS[row.turn],
        challenged=held.challenged or None,
        bids=(held.bid[0] or None, held.bid[1] or None),
        cells_alone=bool(held.cells_alone),
    )


def _read_cross(row: Row) -> Cross:
    cross = row.of.cross
    return Cross("".join(map(str, cross.grid)), tuple(cross.order[: row.made]))


def _owner(own: Any, cell: int) -> Seat | None:
    return next((seat for seat in SEATS if own[seat] >> cell & 1), None)


def _bits(members: Iterable[int]) -> int:
    return sum(1 << member for member in members)


READERS: dict[str, Callable[[Row], State[Any]]] = {
    "shadow": _read_shadow,
    "battle": _read_battle,
    "pattern": _read_pattern,
    "conquest": _read_conquest,
    "cross": _read_cross,
}
