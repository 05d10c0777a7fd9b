"""The hot loops of the exact tables: in C where the extension was built, else in plain Python.

`fill` is the one in use and `NAME` says which it is. Set NINEFOLD_KERNEL=python to have the plain
one although the other is there. `tables` explains the words; both do the same work in the same
order, and their results are equal byte for byte.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import mul
from typing import NamedTuple

from ninefold.analysis.evaluation import Progress

# A record of the plan: RECORD whole numbers that say what there is to know of one outline.
RECORD = 117
SLOTS = 1  # before it the ply; here how many slots each seat has
STARTS = 3  # where the kinds of each seat's fillings start
LINES = 5  # two lines for each seat, as three places in its fillings, -1 where there is no line
MOVE_COUNT = 17
MOVES = 18  # for each free slot MOVE numbers: the outline after it is taken, then for each seat what
MOVE = 11  # a token on each of its slots adds to its filling's number, the mover's new slot last

DEAD = 0xFFFF  # stands for the kind of a filling that has a winning line: it ends the game
SIZES = (1, 9, 72, 504, 3024, 15120)  # how many fillings there are of 0, 1, 2, ... slots


@dataclass(frozen=True, slots=True)
class Job:
    """A table to be filled in, as plain buffers. The full outlines are filled in already."""

    plan: array[int]  # "i": the outlines, full ones first, as records
    tokens: bytes  # of all fillings, those of fewer slots first
    index: array[int]  # "H": the place of a filling by its number, those of fewer slots first
    fits: bytes  # [81*a + 9*b + c]: whether these tokens win on a line
    win_at: bytes  # [ply]: the code if the mover there completes a line
    kinds: array[int]  # "H": of all fillings in all outlines, the first player's before the second's
    counts: array[int]  # "i": of kinds in all outlines, the first player's before the second's
    codes: bytes  # of the full outlines


def python_fill(job: Job, progress: Progress | None = None) -> bytes:
    """Fill in `kinds` and `counts`; the codes of all pairs of kinds in all outlines.

    In an outline the second player's kinds vary faster. Fillings with a winning line get the kind DEAD
    in every outline, the full ones included.
    """
    return _Work(job).run(progress)


class _Record(NamedTuple):
    """A record of the plan; pairs are by seat."""

    ply: int
    slots: Sequence[int]
    starts: Sequence[int]
    lines: tuple[list[Sequence[int]], list[Sequence[int]]]
    moves: list[tuple[int, tuple[Sequence[int], Sequence[int]]]]


def _records(plan: Sequence[int]) -> Iterator[_Record]:
    for at in range(0, len(plan), RECORD):
        record = plan[at : at + RECORD]
        places = [record[n : n + 3] for n in range(LINES, MOVE_COUNT, 3)]
        moves = [record[n : n + MOVE] for n in range(MOVES, MOVES + MOVE * record[MOVE_COUNT], MOVE)]
        yield _Record(
            record[0],
            record[SLOTS:STARTS],
            record[STARTS:LINES],
            (
                [line for line in places[:2] if line[0] >= 0],
                [line for line in places[2:] if line[0] >= 0],
            ),
            [(move[0], (move[1:6], move[6:])) for move in moves],
        )


class _Work:
    """One run of `python_fill`."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.records = list(_records(job.plan))
        self.tokens: list[list[bytes]] = []
        self.index: list[array[int]] = []
        token_at = index_at = 0
        for k, size in enumerate(SIZES):
            self.tokens.append([job.tokens[token_at + i * k : token_at + i * k + k] for i in range(size)])
            self.index.append(job.index[index_at : index_at + 9**k])
            token_at += size * k
            index_at += 9**k
        self.unused = [[[t for t in range(9) if t not in f] for f in group] for group in self.tokens[:-1]]
        self.codes: list[bytes] = []  # of each outline
        self._winning: dict[tuple[int, ...], list[int]] = {}
        self._numbers: dict[tuple[int, ...], list[int]] = {}
        self._by_number: dict[tuple[int, int], list[int]] = {}

    def run(self, progress: Progress | None) -> bytes:
        counts = self.job.counts
        given_at = 0
        for o, record in enumerate(self.records):
            self.mark_dead(record, 0)
            self.mark_dead(record, 1)
            if record.moves:
                self.codes.append(self.outline(o, record))
            else:
                size = counts[2 * o] * counts[2 * o + 1]
                self.codes.append(self.job.codes[given_at : given_at + size])
                given_at += size
            if progress is not None:
                progress((o + 1) / len(self.records))
        return b"".join(self.codes)

    def mark_dead(self, record: _Record, seat: int) -> None:
        for a, b, c in record.lines[seat]:
            for i in self.winning(record.slots[seat], a, b, c):
                self.job.kinds[record.starts[seat] + i] = DEAD

    def winning(self, k: int, a: int, b: int, c: int) -> list[int]:
        """The fillings of k slots that win with the line of these three places."""
        key = (k, a, b, c)
        if key not in self._winning:
            fits = self.job.fits
            self._winning[key] = [
                i for i, f in enumerate(self.tokens[k]) if fits[81 * f[a] + 9 * f[b] + f[c]]
            ]
        return self._winning[key]

    def outline(self, o: int, record: _Record) -> bytes:
        """Fill in one outline's kinds and counts; its codes."""
        mover = record.ply % 2
        other = 1 - mover
        mine = self.mover_kinds(record, mover)
        theirs = self.other_kinds(record, other)
        self.job.counts[2 * o + mover] = len(mine)
        self.job.counts[2 * o + other] = len(theirs)

        # becomes[m][kind]: the kind of the other seat's filling once the mover has made move m.
        becomes = list(zip(*theirs, strict=True))
        # later[m][kind]: the codes if move m leads to this kind, by the other's kind before the move.
        later: list[dict[int, bytes]] = [{} for _ in record.moves]
        best = min if mover else max
        rows = []
        for choices in mine:
            if choices is None:
                rows.append(bytes([self.job.win_at[record.ply]]) * len(theirs))
                continue
            found = []
            for m, kinds in enumerate(choices):
                for kind in kinds:
                    if kind not in later[m]:
                        row = self.row(record.moves[m][0], mover, kind)
                        later[m][kind] = bytes([row[their_kind] for their_kind in becomes[m]])
                    found.append(later[m][kind])
            rows.append(bytes(map(best, *found)) if len(found) > 1 else found[0])
        if mover == 0:
            return b"".join(rows)
        return bytes([code for column in zip(*rows, strict=True) for code in column])

    def row(self, o: int, seat: int, kind: int) -> bytes:
        """The codes of one kind of a seat against all kinds of the other, in an outline."""
        width = self.job.counts[2 * o + 1]
        if seat == 0:
            return self.codes[o][kind * width : (kind + 1) * width]
        return self.codes[o][kind::width]

    def mover_kinds(self, record: _Record, mover: int) -> list[tuple[frozenset[int], ...] | None]:
        """Each kind as the kinds its filling can become, slot by slot; None can win at once."""
        k, start = record.slots[mover], record.starts[mover]
        own = self.job.kinds
        ways = [
            (self.numbers(k, weights[mover]), self.by_number(o, mover), weights[mover][k])
            for o, weights in record.moves
        ]
        found: dict[tuple[frozenset[int], ...] | None, int] = {}
        for i, unused in enumerate(self.unused[k]):
            if own[start + i] == DEAD:
                continue
            choices = []
            for numbers, kinds, weight in ways:
                base = numbers[i]
                here = frozenset([kinds[base + token * weight] for token in unused])
                choices.append(here)
                if DEAD in here:
                    break
            key = None if DEAD in choices[-1] else tuple(choices)
            own[start + i] = found.setdefault(key, len(found))
        return list(found)

    def other_kinds(self, record: _Record, other: int) -> list[tuple[int, ...]]:
        """Each kind as the kinds its filling becomes, by the slot the mover takes."""
        k, start = record.slots[other], record.starts[other]
        own = self.job.kinds
        columns = []
        for o, weights in record.moves:
            kinds = self.by_number(o, other)
            columns.append([kinds[number] for number in self.numbers(k, weights[other])])
        found: dict[tuple[int, ...], int] = {}
        for i, key in enumerate(zip(*columns, strict=True), start):
            if own[i] != DEAD:
                own[i] = found.setdefault(key, len(found))
        return list(found)

    def numbers(self, k: int, weights: Sequence[int]) -> list[int]:
        """What the tokens of each filling of k slots add up to with the first k weights."""
        key = (k, *weights[:k])
        if key not in self._numbers:
            # map stops at the end of the shorter one, the filling.
            self._numbers[key] = [sum(map(mul, filling, weights)) for filling in self.tokens[k]]
        return self._numbers[key]

    def by_number(self, o: int, seat: int) -> list[int]:
        """The kinds of a seat's fillings in an outline, by the number of the filling."""
        key = (o, seat)
        if key not in self._by_number:
            record = self.records[o]
            k, start = record.slots[seat], record.starts[seat]
            kinds = self.job.kinds[start : start + SIZES[k]]
            self._by_number[key] = [kinds[i] for i in self.index[k]]
        return self._by_number[key]


def c_fill(job: Job, progress: Progress | None = None) -> bytes:
    """The same by `fill` in _kernel.c; so quick that there is no progress to tell on the way."""
    from ninefold.analysis import _kernel

    filled = _kernel.fill(
        job.plan, job.tokens, job.index, job.fits, job.win_at, job.kinds, job.counts, job.codes
    )
    if progress is not None:
        progress(1.0)
    return filled


def _has_c() -> bool:
    try:
        import ninefold.analysis._kernel  # noqa: F401
    except ImportError:
        return False
    return os.environ.get("NINEFOLD_KERNEL") != "python"


fill, NAME = (c_fill, "C kernel") if _has_c() else (python_fill, "pure Python")
