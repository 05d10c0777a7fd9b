"""The outlines of a placing duel and the fillings of their slots, numbered for the kernel.

`tables` explains the words.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from operator import mul

from ninefold.analysis import kernel
from ninefold.core.grid import CELLS, LINES, SYMMETRIES
from ninefold.core.seat import SEATS

MOST = 5  # slots that one seat can take


@dataclass(frozen=True, slots=True)
class Outline:
    """The slots of each seat, as bit masks, of one outline out of its eight symmetric ones."""

    masks: tuple[int, int]
    twins: int  # how many outlines its symmetries make, itself included

    @property
    def ply(self) -> int:
        return sum(mask.bit_count() for mask in self.masks)


def slots_of(mask: int) -> tuple[int, ...]:
    return tuple(slot for slot in CELLS if mask >> slot & 1)


def _masks_at(ply: int) -> Iterator[tuple[int, int]]:
    for taken in combinations(CELLS, ply):
        for first in combinations(taken, (ply + 1) // 2):
            mask = sum(1 << slot for slot in first)
            yield mask, sum(1 << slot for slot in taken) - mask


def _outlines() -> tuple[tuple[Outline, ...], dict[tuple[int, int], tuple[int, int]]]:
    """One outline of each symmetric set, full ones first, and where to find any other.

    The second part gives for the masks of any outline the index of its representative and the
    symmetry that leads there.
    """
    turned = [
        [sum(1 << to[slot] for slot in CELLS if mask >> slot & 1) for mask in range(512)]
        for to in SYMMETRIES
    ]
    inverse = [SYMMETRIES.index(tuple(map(to.index, CELLS))) for to in SYMMETRIES]
    outlines: list[Outline] = []
    where: dict[tuple[int, int], tuple[int, int]] = {}
    for ply in range(9, -1, -1):
        for first, second in _masks_at(ply):
            if (first, second) in where:
                continue
            index = len(outlines)
            # Each image is reached by some symmetry; it is the inverse one that leads back.
            images = {(turn[first], turn[second]): k for k, turn in enumerate(turned)}
            for image, k in images.items():
                where[image] = (index, inverse[k])
            outlines.append(Outline((first, second), len(images)))
    return tuple(outlines), where


OUTLINES, WHERE = _outlines()


def weights(mask: int, symmetry: int, slots: Iterable[int]) -> list[int]:
    """What a token on each of these slots adds to the number of a filling, once turned.

    `mask` has the seat's slots after the symmetry. A filling's number has one digit to the base 9
    for each of these slots, the lowest slot's digit being the lowest.
    """
    to = SYMMETRIES[symmetry]
    return [9 ** (mask & ((1 << to[slot]) - 1)).bit_count() for slot in slots]


def _fillings() -> tuple[bytes, array[int]]:
    """All fillings of 0 slots, of 1, ... of 5 slots with different tokens, in a fixed order.

    The first part holds their tokens; the second gives, for 0 slots, for 1, ..., the place of a
    filling by its number.
    """
    tokens = bytearray()
    index = array("H")
    for k, size in enumerate(kernel.SIZES):
        places = array("H", bytes(2 * 9**k))
        powers = [9**place for place in range(k)]
        for i, filling in zip(range(size), permutations(CELLS, k), strict=True):
            tokens += bytes(filling)
            places[sum(map(mul, filling, powers))] = i
        index += places
    return bytes(tokens), index


TOKENS, INDEX = _fillings()
# INDEX_AT[k]: where the fillings of k slots begin in INDEX.
INDEX_AT = (0, 1, 10, 91, 820, 7381)


def plan() -> array[int]:
    """All outlines as the kernel wants them: a record each (see `kernel.RECORD`)."""
    records = array("i")
    start = 0
    for outline in OUTLINES:
        own = [slots_of(mask) for mask in outline.masks]
        record = [outline.ply, len(own[0]), len(own[1])]
        for slots in own:
            record.append(start)
            start += kernel.SIZES[len(slots)]
        for slots in own:
            lines = [line.cells for line in LINES if {*line.cells} <= {*slots}]
            places = [slots.index(cell) for cells in lines for cell in cells]
            record += (places + [-1] * 6)[:6]
        free = [slot for slot in CELLS if slot not in own[0] + own[1]]
        record.append(len(free))
        for slot in free:
            record += _move(outline, own, slot)
        records.extend(record + [0] * (kernel.RECORD - len(record)))
    return records


def _move(outline: Outline, own: list[tuple[int, ...]], slot: int) -> list[int]:
    """A move of a record: the outline after the slot is taken, the weights of both seats' tokens."""
    mover = outline.ply % 2
    masks = list(outline.masks)
    masks[mover] |= 1 << slot
    later, symmetry = WHERE[masks[0], masks[1]]
    move = [later]
    for seat in SEATS:
        slots = (*own[seat], slot) if seat == mover else own[seat]
        move += (weights(OUTLINES[later].masks[seat], symmetry, slots) + [0] * MOST)[:MOST]
    return move


PLAN = plan()
# How many entries the kinds of all outlines take: those of the second player in the empty one come last.
KINDS = PLAN[kernel.STARTS + 1 - kernel.RECORD] + 1
