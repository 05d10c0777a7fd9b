"""The outlines of the placing duel and the fillings of their slots, numbered for the kernel.

`tablebase` explains what they are.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from operator import mul

from ninefold.analysis.placing.buffers import RECORD, SIZES, STARTS
from ninefold.core.grid import CELLS, LINES, SYMMETRIES
from ninefold.core.seat import SEATS

MOST_SLOTS = 5  # the most slots that one seat can take


@dataclass(frozen=True, slots=True)
class Outline:
    """The slots of each seat, as bit masks, in the outline that stands for all symmetric to it."""

    masks: tuple[int, int]
    images: int  # how many outlines the symmetries make of it, itself included

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


def _find_outlines() -> tuple[tuple[Outline, ...], dict[tuple[int, int], tuple[int, int]]]:
    """One outline of each symmetric set, full ones first, and how to get to it from the others.

    The dictionary maps the masks of any outline to the index of the one that stands for it, and to the
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
            # A symmetry leads from the outline to each image, so its inverse leads back.
            images = {(turn[first], turn[second]): k for k, turn in enumerate(turned)}
            for image, k in images.items():
                where[image] = (index, inverse[k])
            outlines.append(Outline((first, second), len(images)))
    return tuple(outlines), where


OUTLINES, WHERE = _find_outlines()


def weights(mask: int, symmetry: int, slots: Iterable[int]) -> list[int]:
    """What a token on each of these slots adds to the number of its filling after the symmetry.

    A filling's number has one base-9 digit for each slot of the seat, the lowest slot's digit being
    the lowest. `mask` has the seat's slots after the symmetry.
    """
    to = SYMMETRIES[symmetry]
    return [9 ** (mask & ((1 << to[slot]) - 1)).bit_count() for slot in slots]


def _number_fillings() -> tuple[bytes, array[int]]:
    """All fillings of 0 slots, then of 1, ..., then of 5, with different tokens, in a fixed order.

    Returns the tokens of all fillings, and the place of each filling by its number: first for 0 slots,
    then for 1, and so on.
    """
    tokens = bytearray()
    index = array("H")
    for k, size in enumerate(SIZES):
        places = array("H", bytes(2 * 9**k))
        powers = [9**place for place in range(k)]
        for i, filling in zip(range(size), permutations(CELLS, k), strict=True):
            tokens += bytes(filling)
            places[sum(map(mul, filling, powers))] = i
        index += places
    return bytes(tokens), index


TOKENS, INDEX = _number_fillings()
# INDEX_AT[k]: where the fillings of k slots begin in INDEX.
INDEX_AT = (0, 1, 10, 91, 820, 7381)


def _make_plan() -> array[int]:
    """All outlines as the kernel wants them, one record each (see `buffers`)."""
    records = array("i")
    start = 0
    for outline in OUTLINES:
        own = [slots_of(mask) for mask in outline.masks]
        record = [outline.ply, len(own[0]), len(own[1])]
        for slots in own:
            record.append(start)
            start += SIZES[len(slots)]
        for slots in own:
            lines = [line.cells for line in LINES if {*line.cells} <= {*slots}]
            places = [slots.index(cell) for cells in lines for cell in cells]
            record += (places + [-1] * 6)[:6]
        free = [slot for slot in CELLS if slot not in own[0] + own[1]]
        record.append(len(free))
        for slot in free:
            record += _move_record(outline, own, slot)
        records.extend(record + [0] * (RECORD - len(record)))
    return records


def _move_record(outline: Outline, own: list[tuple[int, ...]], slot: int) -> list[int]:
    """One move of a record: the outline after the slot is taken, and the weights of both seats."""
    mover = outline.ply % 2
    masks = list(outline.masks)
    masks[mover] |= 1 << slot
    later, symmetry = WHERE[masks[0], masks[1]]
    move = [later]
    for seat in SEATS:
        slots = (*own[seat], slot) if seat == mover else own[seat]
        move += (weights(OUTLINES[later].masks[seat], symmetry, slots) + [0] * MOST_SLOTS)[:MOST_SLOTS]
    return move


PLAN = _make_plan()
# How many entries `Job.kinds` has. The last is the second player's only filling of the empty outline.
KINDS = PLAN[STARTS + 1 - RECORD] + 1
