"""The exact values of `analysis` as lookup tables for _batch.c.

They are made when they are first needed, in about a second, and kept for the life of the process.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from functools import cache
from math import nan
from typing import Any

from ninefold.analysis import conquest, pattern, pattern_recycling, shadow
from ninefold.analysis.pattern_recycling import BITS, Position
from ninefold.analysis.placing.buffers import LINES, STARTS
from ninefold.analysis.placing.buffers import RECORD as OUTLINE_RECORD
from ninefold.analysis.placing.outlines import INDEX, OUTLINES, PLAN, WHERE
from ninefold.analysis.placing.tablebase import ENDLESS_CODE, Tablebase, encode
from ninefold.core.game import Game
from ninefold.core.grid import CELLS, SYMMETRIES
from ninefold.core.seat import SEATS
from ninefold.games.conquest.rules import HAND, SIZES
from ninefold.games.shadow.rules import TARGETS

SUBSETS = 1 << 9
CELL_COUNTS = 17  # a seat has 0 to 16 cells on the largest board
HANDS = 1 << 5
RECORD = 34  # numbers for a position: 12 chances, 12 paces, and 10 probabilities in mixtures


def make_tables(game: Game, setup: Mapping[str, int | str]) -> tuple[Any, ...]:
    """The buffers that _batch.values needs for games with these settings, whatever the others are."""
    match game.slug:
        case "shadow":
            target = int(setup.get("target", 0))
            return _shadow(min(target, 2 * shadow.MIDDLE - target)) if target else _every_shadow()
        case "pattern":
            return _pattern()
        case "conquest":
            return _conquest(tuple(SIZES) if "size" not in setup else (int(setup["size"]),))
    return ()


@cache
def _shadow(target: int) -> tuple[Any, ...]:
    return (*_outlines(), b"", *_buffers(shadow.tablebase(target)))


@cache
def _every_shadow() -> tuple[Any, ...]:
    targets = range(TARGETS[0], shadow.MIDDLE + 1)
    duels = [buffer for target in targets for buffer in _buffers(shadow.tablebase(target))]
    return (*_outlines(), b"", *duels)


@cache
def _pattern() -> tuple[Any, ...]:
    return (*_outlines(), _recycling(), *_buffers(pattern.tablebase()))


def _buffers(found: Tablebase) -> tuple[Any, ...]:
    return found.kinds, found.counts, found.codes, array("i", found.starts)


@cache
def _outlines() -> tuple[Any, ...]:
    """Where each outline is, the weights of slots, the places of fillings, and where kinds start."""
    where = array("i", [-1]) * SUBSETS**2
    for (first, second), (outline, symmetry) in WHERE.items():
        where[first << 9 | second] = 8 * outline + symmetry
    weights = array("i")
    for to in SYMMETRIES:
        for mask in range(SUBSETS):
            turned = sum(1 << to[slot] for slot in CELLS if mask >> slot & 1)
            weights.extend(9 ** (turned & (1 << to[slot]) - 1).bit_count() for slot in CELLS)
    starts = array("i")
    for record in range(0, len(OUTLINES) * OUTLINE_RECORD, OUTLINE_RECORD):
        starts += PLAN[record + STARTS : record + LINES]
    return where, weights, INDEX, starts


def _recycling() -> bytes:
    """The codes, as if at ply 0, of all positions of Pattern Match's recycling.

    Indexed by the first player's numbers, the pool, the first player's lines, whether the second player
    has a line, and the turn.
    """
    found = bytearray([ENDLESS_CODE]) * (SUBSETS * 9 * 121 * 2 * 2)
    triples = [five for five in range(32) if five.bit_count() == 3]
    for first in range(SUBSETS):
        if first.bit_count() != 5:
            continue
        numbers = [bit for bit in BITS if bit & first]
        places = {
            sum(bit for k, bit in enumerate(numbers) if five >> k & 1): place
            for place, five in enumerate(triples, 1)
        }
        for lines in pattern_recycling.line_sets(first):
            low, high = sorted([0, 0, *(places[line] for line in lines)])[-2:]
            for pool, bit in enumerate(BITS):
                if bit & first:
                    continue
                for line in (False, True):
                    for turn in SEATS:
                        value = pattern_recycling.value(Position(lines, first, line, bit, turn))
                        if value is not None:
                            at = (first * 9 + pool) * 121 + 11 * low + high
                            found[(at * 2 + line) * 2 + turn] = encode(*value)
    return bytes(found)


@cache
def _conquest(sizes: tuple[int, ...]) -> tuple[Any, ...]:
    """Which record each position has, and the records. Positions without a choice need none."""
    records = array("i", [0]) * (len(SIZES) * CELL_COUNTS * CELL_COUNTS * HANDS * HANDS * 2)
    worths = array("d")
    for size in sizes:
        for position in conquest.every_position(size):
            found = conquest.find_worths(position)
            if found.claim is found.challenge is None:
                continue  # the game is over; in sudden death the same cells and hands may have a record
            first, second = (sum(1 << (n - 1) for n in hand) for hand in position.hands)
            boards = (size - SIZES[0]) * CELL_COUNTS + position.cells[0]
            hands = ((boards * CELL_COUNTS + position.cells[1]) * HANDS + first) * HANDS + second
            records[hands * 2 + position.turn] = len(worths) // RECORD
            bids = [bids.get(number) for bids in found.bids for number in HAND]
            choices = [found.claim, found.challenge, *bids]
            worths.extend(nan if choice is None else float(choice.chance) for choice in choices)
            worths.extend(0 if choice is None else choice.pace for choice in choices)
            worths.extend(float(mix.get(number, 0)) for mix in found.mixes for number in HAND)
    return records, worths
