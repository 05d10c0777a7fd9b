"""Exact values of every position of the placing duel, in one small table.

Shadow Grid Duel and the placing part of Pattern Match are the same duel with the words exchanged.
There are nine *slots*, shared: a turn takes a free one for good. Each seat has nine *tokens* of its
own and puts an unused one on the slot it takes. Three own slots in a line whose tokens fit win.

                    slots                                  tokens                  tokens that fit
    Shadow          cells of the shared grid               own numbers             add up to the target
    Pattern Match   numbers of the pool, seen as cells     cells of the own grid   lie in a line
                    of a magic square, whose lines are
                    the triples that add up to 15

Which slots are whose is the *outline* of a position; up to the eight symmetries there are 850.
What a seat has put on its slots, in the order of the slots, is its *filling*. Inside an outline the
two fillings meet only through the slots that get taken. So fillings that offer the same futures,
whatever slots get taken, are of the same *kind*, and a position's value depends on its outline and
two kinds. There are few kinds, because only lines that can still be won tell fillings apart.
`kernel.fill` works from the full outlines back to the empty one: the kind of a filling is known by
the kinds it can become, the value of a pair of kinds by the values of the pairs that follow. The page
docs/solver.md draws all this.

A value is a *code*, one byte, about the first player: the larger, the better for the first player.

    0 .. 127      the second player wins, at this ply of the game
    128           endless: neither can force a win
    129 .. 255    the first player wins, at ply 255 - code
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, product
from operator import mul

from ninefold.analysis.evaluation import ENDLESS, OnProgress, Value, forced_win
from ninefold.analysis.placing import kernel
from ninefold.analysis.placing.buffers import (
    HAS_LINE,
    MOVE,
    MOVES,
    RECORD,
    SIZES,
    SLOTS,
    STARTS,
    Job,
)
from ninefold.analysis.placing.outlines import (
    INDEX,
    INDEX_AT,
    KINDS,
    OUTLINES,
    PLAN,
    TOKENS,
    WHERE,
    Outline,
)
from ninefold.core.grid import CELLS, SYMMETRIES
from ninefold.core.seat import SEATS, Seat

Fits = Callable[[int, int, int], bool]  # whether three tokens on a line win
Filled = tuple[Mapping[int, int], Mapping[int, int]]  # the token on each taken slot, by seat

ENDLESS_CODE = 128


def encode(winner: Seat, ply: int) -> int:
    """The code of a win at this ply of the game."""
    return 255 - ply if winner is Seat.FIRST else ply


@cache
def decode(code: int, ply: int) -> Value:
    """The value that a code stands for at this ply of the game."""
    if code == ENDLESS_CODE:
        return ENDLESS
    if code > ENDLESS_CODE:
        return forced_win(Seat.FIRST, 255 - code - ply)
    return forced_win(Seat.SECOND, code - ply)


def count_codes(codes: bytes, ply: int) -> dict[Value, int]:
    """How often each value is among these codes at this ply of the game."""
    return {decode(code, ply): codes.count(code) for code in set(codes)}


# WIN_AT[ply]: the code of the position at this ply whose mover completes a line.
WIN_AT = bytes(encode(Seat(ply % 2), ply + 1) for ply in CELLS)


@dataclass(frozen=True, slots=True)
class Tablebase:
    """The exact value of every position of one duel."""

    kinds: array[int]
    counts: array[int]
    codes: bytes
    starts: tuple[int, ...]  # where each outline's codes begin

    def codes_after(self, filled: Filled, tokens: Sequence[int]) -> dict[int, bytes]:
        """By free slot, the codes after the moves that put one of these tokens on it, in their order.

        Nobody has a line yet, and the mover has used none of the tokens.
        """
        win, codes = WIN_AT[len(filled[0]) + len(filled[1])], self.codes
        return {
            slot: bytes([win if k == HAS_LINE else codes[origin + k * step] for k in after])
            for slot, after, origin, step in self._look_ahead(filled, tokens)
        }

    def kinds_after(self, filled: Filled, tokens: Sequence[int]) -> dict[int, list[int]]:
        """By free slot, the kinds of the mover's filling after the moves of `codes_after`.

        Where two are equal, all that can follow has the same codes, whichever of the moves was made.
        """
        return {slot: after for slot, after, _, _ in self._look_ahead(filled, tokens)}

    def _look_ahead(
        self, filled: Filled, tokens: Sequence[int]
    ) -> Iterator[tuple[int, list[int], int, int]]:
        """By free slot: the mover's kinds with each token on it, where kind 0's code is, the step."""
        masks = [sum([1 << slot for slot in taken]) for taken in filled]
        outline, symmetry = WHERE[masks[0], masks[1]]
        # The plan has the slots in their order after the symmetry.
        order = SYMMETRIES[symmetry].__getitem__
        placed = [[taken[slot] for slot in sorted(taken, key=order)] for taken in filled]
        free = sorted([slot for slot in CELLS if not (masks[0] | masks[1]) >> slot & 1], key=order)
        mover = len(placed[0]) - len(placed[1])  # 0 before the first player's turns
        other = 1 - mover
        own_at, other_at = INDEX_AT[len(placed[mover]) + 1], INDEX_AT[len(placed[other])]
        kinds = self.kinds
        for slot, (later, starts, weights) in zip(free, _moves_of(outline), strict=True):
            other_number = sum(map(mul, placed[other], weights[other]))
            other_kind = kinds[starts[other] + INDEX[other_at + other_number]]
            width = self.counts[2 * later + 1]
            step, origin = (1, other_kind * width) if mover else (width, other_kind)
            origin += self.starts[later]
            start, number = starts[mover], own_at + sum(map(mul, placed[mover], weights[mover]))
            weight = weights[mover][len(placed[mover])]
            yield slot, [kinds[start + INDEX[number + token * weight]] for token in tokens], origin, step

    def count_positions(self, plies: range) -> int:
        """How many positions these plies have: all that can be reached without a line."""
        total = 0
        for o, outline in enumerate(OUTLINES):
            if outline.ply in plies:
                first, second = (len(kinds) - kinds.count(HAS_LINE) for kinds in self.filling_kinds(o))
                total += outline.images * first * second
        return total

    def filling_kinds(self, outline: int) -> tuple[array[int], array[int]]:
        """The kinds of all fillings of an outline, for each seat."""
        at = outline * RECORD
        first, second = PLAN[at + STARTS], PLAN[at + STARTS + 1]
        end = second + SIZES[PLAN[at + SLOTS + 1]]
        return self.kinds[first:second], self.kinds[second:end]


Pair = tuple[Sequence[int], Sequence[int]]  # by seat


@cache
def _moves_of(outline: int) -> list[tuple[int, Sequence[int], Pair]]:
    """By free slot: the outline once it is taken, where the seats' kinds start there, the weights."""
    first = outline * RECORD + MOVES
    moves = [PLAN[at : at + MOVE] for at in range(first, first + MOVE * PLAN[first - 1], MOVE)]
    starts = [later * RECORD + STARTS for later, *_ in moves]
    return [
        (move[0], PLAN[start : start + 2], (move[1:6], move[6:]))
        for move, start in zip(moves, starts, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class FullOutline:
    """The kinds in one full outline and the codes of their pairs: where the solver starts."""

    kinds: tuple[array[int], array[int]]  # of all fillings, for each seat
    counts: tuple[int, int]
    codes: bytes


def make_job(fits: Fits, solve_full: Callable[[Outline], FullOutline]) -> Job:
    """A tablebase to fill in, given which tokens win on a line and how a full board ends.

    `solve_full` need not care about fillings with a winning line.
    """
    kinds = array("H", bytes(2 * KINDS))
    counts = array("i", [0, 0]) * len(OUTLINES)
    codes = bytearray()
    for o, outline in enumerate(OUTLINES):
        if outline.ply < 9:
            break
        full = solve_full(outline)
        for seat in SEATS:
            start = PLAN[o * RECORD + STARTS + seat]
            kinds[start : start + len(full.kinds[seat])] = full.kinds[seat]
            counts[2 * o + seat] = full.counts[seat]
        codes += full.codes
    wins = bytes(fits(a, b, c) for a, b, c in product(CELLS, repeat=3))
    return Job(PLAN, TOKENS, INDEX, wins, WIN_AT, kinds, counts, bytes(codes))


def solve(job: Job, progress: OnProgress | None = None) -> Tablebase:
    """Fill in the tablebase; `progress` is called with the share that is done."""
    codes = kernel.fill(job, progress)
    sizes = [job.counts[o] * job.counts[o + 1] for o in range(0, len(job.counts), 2)]
    return Tablebase(job.kinds, job.counts, codes, tuple(accumulate(sizes, initial=0)))
