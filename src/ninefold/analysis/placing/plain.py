"""The plain Python twin of _kernel.c: used where the extension was not built.

Both visit everything in the same order and number the kinds as they meet them, so their results are
equal byte for byte.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from operator import mul
from typing import NamedTuple

from ninefold.analysis.evaluation import OnProgress
from ninefold.analysis.placing.buffers import (
    HAS_LINE,
    LINES,
    MOVE,
    MOVE_COUNT,
    MOVES,
    RECORD,
    SIZES,
    SLOTS,
    STARTS,
    Job,
)


def fill(job: Job, progress: OnProgress | None = None) -> bytes:
    """Fill in `kinds` and `counts`, and return the codes of all pairs of kinds in all outlines.

    Within an outline the second player's kinds vary faster. Fillings with a winning line get HAS_LINE
    for a kind in every outline, the full ones included.
    """
    return _Fill(job).run(progress)


class _Record(NamedTuple):
    """A record of the plan, unpacked; pairs are by seat."""

    ply: int
    slots: Sequence[int]
    starts: Sequence[int]
    lines: tuple[list[Sequence[int]], list[Sequence[int]]]
    moves: list[tuple[int, tuple[Sequence[int], Sequence[int]]]]


def _unpack(plan: Sequence[int]) -> Iterator[_Record]:
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


class _Fill:
    """One run of `fill`, which caches what several outlines need."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.records = list(_unpack(job.plan))
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

    def run(self, progress: OnProgress | None) -> bytes:
        counts = self.job.counts
        given_at = 0
        for o, record in enumerate(self.records):
            self.mark_lines(record, 0)
            self.mark_lines(record, 1)
            if record.moves:
                self.codes.append(self.solve_outline(o, record))
            else:
                size = counts[2 * o] * counts[2 * o + 1]
                self.codes.append(self.job.codes[given_at : given_at + size])
                given_at += size
            if progress is not None:
                progress((o + 1) / len(self.records))
        return b"".join(self.codes)

    def mark_lines(self, record: _Record, seat: int) -> None:
        for a, b, c in record.lines[seat]:
            for i in self.winning(record.slots[seat], a, b, c):
                self.job.kinds[record.starts[seat] + i] = HAS_LINE

    def winning(self, k: int, a: int, b: int, c: int) -> list[int]:
        """The fillings of k slots that win with the line of these three places."""
        key = (k, a, b, c)
        if key not in self._winning:
            fits = self.job.fits
            self._winning[key] = [
                i for i, f in enumerate(self.tokens[k]) if fits[81 * f[a] + 9 * f[b] + f[c]]
            ]
        return self._winning[key]

    def solve_outline(self, o: int, record: _Record) -> bytes:
        """Fill in the kinds and counts of one outline, and return its codes."""
        mover = record.ply % 2
        other = 1 - mover
        mine = self.find_mover_kinds(record, mover)
        theirs = self.find_other_kinds(record, other)
        self.job.counts[2 * o + mover] = len(mine)
        self.job.counts[2 * o + other] = len(theirs)

        # becomes[m][kind]: what this kind of the other seat becomes when the mover makes move m.
        becomes = list(zip(*theirs, strict=True))
        # later[m][kind]: the codes once move m gave the mover this kind, by the other's earlier kind.
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

    def find_mover_kinds(self, record: _Record, mover: int) -> list[tuple[frozenset[int], ...] | None]:
        """The mover's kinds, each as the kinds that its filling can become, slot by slot.

        None is the kind of the fillings that can win at once: nothing else about them matters.
        """
        k, start = record.slots[mover], record.starts[mover]
        own = self.job.kinds
        ways = [
            (self.numbers(k, weights[mover]), self.by_number(o, mover), weights[mover][k])
            for o, weights in record.moves
        ]
        found: dict[tuple[frozenset[int], ...] | None, int] = {}
        for i, unused in enumerate(self.unused[k]):
            if own[start + i] == HAS_LINE:
                continue
            choices = []
            for numbers, kinds, weight in ways:
                base = numbers[i]
                here = frozenset([kinds[base + token * weight] for token in unused])
                choices.append(here)
                if HAS_LINE in here:
                    break
            key = None if HAS_LINE in choices[-1] else tuple(choices)
            own[start + i] = found.setdefault(key, len(found))
        return list(found)

    def find_other_kinds(self, record: _Record, other: int) -> list[tuple[int, ...]]:
        """The other seat's kinds, each as the kind its filling becomes, by the slot the mover takes."""
        k, start = record.slots[other], record.starts[other]
        own = self.job.kinds
        columns = []
        for o, weights in record.moves:
            kinds = self.by_number(o, other)
            columns.append([kinds[number] for number in self.numbers(k, weights[other])])
        found: dict[tuple[int, ...], int] = {}
        for i, key in enumerate(zip(*columns, strict=True), start):
            if own[i] != HAS_LINE:
                own[i] = found.setdefault(key, len(found))
        return list(found)

    def numbers(self, k: int, weights: Sequence[int]) -> list[int]:
        """The weighted sum of the tokens of each filling of k slots, by the first k weights."""
        key = (k, *weights[:k])
        if key not in self._numbers:
            # `map` stops at the end of the filling, which is the shorter one.
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
