"""Exact values of every position of a placing duel, in one small table.

Shadow Grid Duel and the placing part of Pattern Match are the same duel with the words exchanged.
There are nine *slots*, shared: a turn takes a free one for good. Each seat has nine *tokens* of its
own and puts an unused one on the slot it takes. Three own slots in a line whose tokens fit win.

                    slots                                  tokens                  tokens that fit
    Shadow          cells of the shared grid               own numbers             add up to the target
    Pattern Match   numbers of the pool, seen as cells     cells of the own grid   lie in a line
                    of a magic square, whose lines are
                    the triples that add up to 15

Which slots are whose is the *outline* of a position; up to the eight symmetries there are about 800.
What a seat has put on its slots, in the order of the slots, is its *filling*. Inside an outline the
two fillings meet only through the slots that get taken. So fillings that offer the same futures,
whatever slots get taken, are of the same *kind*, and a position's value depends on its outline and
two kinds. There are few kinds, because only lines that can still be won tell fillings apart.
`kernel.fill` works from the full outlines back to the empty one: the kind of a filling is known by
the kinds it can become, the value of a pair of kinds by the values of the pairs that follow.

A value is a *code*, one byte, about the first player: the larger, the better for the first player.

    0 .. 127      the second player wins, at this ply of the game
    128           endless: neither can force a win
    129 .. 255    the first player wins, at ply 255 - code
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate, combinations, permutations, product
from operator import mul
from typing import Any

from ninefold.analysis import kernel
from ninefold.analysis.choices import ENDLESS, won
from ninefold.analysis.evaluation import Value
from ninefold.analysis.kernel import Progress
from ninefold.core.grid import CELLS, LINES, SYMMETRIES
from ninefold.core.seat import SEATS, Seat

Fits = Callable[[int, int, int], bool]  # whether three tokens on a line win

ENDLESS_CODE = 128
MOST = 5  # slots that one seat can take


def code(winner: Seat, ply: int) -> int:
    """The code of a win at this ply of the game."""
    return 255 - ply if winner is Seat.FIRST else ply


def decoded(code: int, ply: int) -> Value:
    """The value that a code stands for at this ply of the game."""
    if code == ENDLESS_CODE:
        return ENDLESS
    if code > ENDLESS_CODE:
        return won(Seat.FIRST, 255 - code - ply)
    return won(Seat.SECOND, code - ply)


# WIN_AT[ply]: the code of the position at this ply whose mover completes a line.
WIN_AT = bytes(code(Seat(ply % 2), ply + 1) for ply in CELLS)


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
    outlines: list[Outline] = []
    where: dict[tuple[int, int], tuple[int, int]] = {}
    for ply in range(9, -1, -1):
        for first, second in _masks_at(ply):
            if (first, second) in where:
                continue
            index = len(outlines)
            # Each image is reached by some symmetry k; the way back is the inverse of k.
            images = {(turn[first], turn[second]): k for k, turn in enumerate(turned)}
            for image, k in images.items():
                where[image] = (index, _INVERSE[k])
            outlines.append(Outline((first, second), len(images)))
    return tuple(outlines), where


_INVERSE = tuple(
    next(k for k, back in enumerate(SYMMETRIES) if all(back[to[slot]] == slot for slot in CELLS))
    for to in SYMMETRIES
)
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
KINDS = (
    PLAN[kernel.STARTS + 1 - kernel.RECORD] + 1
)  # entries in all tables of kinds: the empty outline's come last


@dataclass(frozen=True, slots=True)
class Tables:
    """The exact value of every position of one duel."""

    kinds: array[int]
    counts: array[int]
    codes: bytes
    starts: tuple[int, ...]  # where each outline's codes begin

    def code(self, filled: tuple[Mapping[int, int], Mapping[int, int]]) -> int:
        """The code of a position, given as the token on each taken slot, for each seat.

        No line must be won yet.
        """
        masks = [sum(1 << slot for slot in tokens) for tokens in filled]
        outline, symmetry = WHERE[masks[0], masks[1]]
        kinds = [self._kind(outline, symmetry, seat, tokens) for seat, tokens in enumerate(filled)]
        return self.codes[self.starts[outline] + kinds[0] * self.counts[2 * outline + 1] + kinds[1]]

    def _kind(self, outline: int, symmetry: int, seat: int, tokens: Mapping[int, int]) -> int:
        scale = weights(OUTLINES[outline].masks[seat], symmetry, tokens)
        number = sum([token * weight for token, weight in zip(tokens.values(), scale, strict=True)])
        place = INDEX[INDEX_AT[len(tokens)] + number]
        return self.kinds[PLAN[outline * kernel.RECORD + kernel.STARTS + seat] + place]

    def positions(self, plies: range) -> int:
        """How many positions these plies have, each valued here: all that can be reached unwon."""
        total = 0
        for o, outline in enumerate(OUTLINES):
            if outline.ply in plies:
                first, second = (len(kinds) - kinds.count(kernel.DEAD) for kinds in self.fillings(o))
                total += outline.twins * first * second
        return total

    def fillings(self, outline: int) -> tuple[array[int], array[int]]:
        """The kinds of all fillings of an outline, for each seat."""
        at = outline * kernel.RECORD
        first, second = PLAN[at + kernel.STARTS], PLAN[at + kernel.STARTS + 1]
        end = second + kernel.SIZES[PLAN[at + kernel.SLOTS + 1]]
        return self.kinds[first:second], self.kinds[second:end]


@dataclass(frozen=True, slots=True)
class Full:
    """The kinds, and the codes of their pairs, in one full outline: where the going back begins."""

    kinds: tuple[array[int], array[int]]  # of all fillings, for each seat
    counts: tuple[int, int]
    codes: bytes


def solved(fits: Fits, full: Callable[[Outline], Full], progress: Progress | None = None) -> Tables:
    """The tables of a duel, given which tokens win on a line and what a full board comes to.

    Fillings with a winning line need no kind of their own in `full`.
    """
    kinds = array("H", bytes(2 * KINDS))
    counts = array("i", bytes(2 * array("i").itemsize * len(OUTLINES)))
    codes = bytearray()
    for o, outline in enumerate(OUTLINES):
        if outline.ply < 9:
            break
        end = full(outline)
        for seat in SEATS:
            start = PLAN[o * kernel.RECORD + kernel.STARTS + seat]
            kinds[start : start + len(end.kinds[seat])] = end.kinds[seat]
            counts[2 * o + seat] = end.counts[seat]
        codes += end.codes
    wins = bytes(fits(a, b, c) for a, b, c in product(CELLS, repeat=3))
    job = kernel.Job(PLAN, TOKENS, INDEX, wins, WIN_AT, kinds, counts, bytes(codes))
    filled = kernel.fill(job, progress)
    sizes = [counts[o] * counts[o + 1] for o in range(0, len(counts), 2)]
    return Tables(kinds, counts, filled, tuple(accumulate(sizes, initial=0)))


@dataclass(frozen=True, slots=True)
class Solution:
    """A game solved from its start."""

    value: Value
    openings: tuple[Any, ...]  # the best first moves
    positions: int  # whose exact value is known now
