"""The exact tables of `analysis`, laid out for _batch.c: what every legal move is worth at once.

Made when they are first asked for, in about a second, and kept for the life of the process.
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
from ninefold.games.conquest.rules import HAND
from ninefold.games.shadow.rules import TARGETS

SUBSETS = 1 << 9
OUTER = 17  # how many cells a seat can have on the largest board, and none
HANDS = 1 << 5
RECORD = 34  # of a position: twelve chances, as many paces, and ten parts in mixtures


def tables(game: Game, setup: Mapping[str, int | str]) -> tuple[Any, ...]:
    """The buffers that _batch.values needs for a game with these settings; drawn ones are left out."""
    match game.slug:
        case "shadow":
            target = int(setup.get("target", 0))
            return _shadow(min(target, 2 * shadow.MIDDLE - target)) if target else _every_shadow()
        case "pattern":
            return _pattern()
        case "conquest":
            return _conquest(int(setup["size"]))
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
    """Where each outline is found, the weights of slots, the places of fillings, where kinds start."""
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
    """All positions of Pattern Match's swaps, by the first player's numbers and lines, the pool, whether
    the second player has a line, and the turn: codes as if at ply 0."""
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
def _conquest(size: int) -> tuple[Any, ...]:
    """The record of each position, and the records. Positions without a choice need none."""
    records = array("i", [0]) * (OUTER * OUTER * HANDS * HANDS * 2)
    worths = array("d")
    for position in conquest.every_position(size):
        found = conquest.find_worths(position)
        if found.claim is found.challenge is None:
            continue  # the game is over, where in sudden death it may go on with the same cells and hands
        first, second = (sum(1 << (n - 1) for n in hand) for hand in position.hands)
        cells = position.cells[0] * OUTER + position.cells[1]
        records[((cells * HANDS + first) * HANDS + second) * 2 + position.turn] = len(worths) // RECORD
        bids = [bids.get(number) for bids in found.bids for number in HAND]
        choices = [found.claim, found.challenge, *bids]
        worths.extend(nan if choice is None else float(choice.chance) for choice in choices)
        worths.extend(0 if choice is None else choice.pace for choice in choices)
        worths.extend(float(mix.get(number, 0)) for mix in found.mixes for number in HAND)
    return records, worths
