"""Runs a contest: plays what its folder lacks, shows how far it is, and stops when told to."""

from __future__ import annotations

import signal
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from types import FrameType

from ninefold.arena.folder import Folder, Line, read_pairs
from ninefold.arena.plan import Plan
from ninefold.arena.play import play_chunk
from ninefold.arena.sequential import SequentialTest
from ninefold.spread import spread

SCALE = 8  # pairs with a program in a chunk that is sent to another machine
EVERY = 0.5, 10.0  # seconds between two looks at the progress: on a terminal, and elsewhere


class Contest:
    """A contest under way: what is done, and the test if there is one."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.done: set[tuple[str, str, str, int]] = set()
        self.points: dict[str, float] = defaultdict(float)  # by player
        self.games: dict[str, int] = defaultdict(int)
        self.test = SequentialTest(plan.elo) if plan.elo else None

    def add(self, line: Line) -> None:
        one, other = line["players"]
        self.done.add((line["game"], one, other, line["pair"]))
        points = sum(line["scores"])
        for name, gained in ((one, points), (other, 2 - points)):
            self.points[name] += gained
            self.games[name] += 2
        if self.test:
            self.test.add(line["pair"], points / 2)

    @property
    def over(self) -> bool:
        decided = self.test is not None and self.test.decision != "continue"
        return decided or len(self.done) >= self.plan.total

    def table(self) -> list[str]:
        """The players by their share of points so far."""
        shares = {name: self.points[name] / games for name, games in self.games.items() if games}
        width = max(map(len, shares), default=0)
        ranked = sorted(shares, key=lambda name: -shares[name])
        return [
            f"{name:{width}}  {100 * shares[name]:5.1f}%  {self.games[name]:,} games" for name in ranked
        ]


def run_contest(
    plan: Plan, path: Path, workers: int = 1, cluster: str = "", *, plain: bool = False
) -> Contest:
    """Play what is missing. After Ctrl-C it finishes what is under way: see `Contest.over`.

    `plain` shows progress as lines, one after the other.
    """
    folder = Folder(path, plan)
    contest = Contest(plan)
    try:
        for line in read_pairs(path):
            contest.add(line)
        progress = _Progress(contest, plain)
        with _stop_softly() as told:
            chunks = plan.chunks(contest.done.copy(), SCALE if cluster else 1)
            results = spread(
                play_chunk,
                chunks,
                workers=workers,
                cluster=cluster,
                stop=lambda: bool(told) or contest.over,
            )
            for lines in results:
                folder.append([line for _, line in lines])
                for head, _ in lines:
                    contest.add(head)
                progress.show()
        progress.end()
    finally:
        folder.close()
    return contest


@contextmanager
def _stop_softly() -> Iterator[list[int]]:
    """Until the end of the block, Ctrl-C is noted in the list; the second time it interrupts."""
    told: list[int] = []

    def note(number: int, _: FrameType | None) -> None:
        if told:
            raise KeyboardInterrupt
        told.append(number)
        print("\nFinishing what is under way. Ctrl-C again stops at once.", file=sys.stderr, flush=True)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield told
    finally:
        signal.signal(signal.SIGINT, before)


class _Progress:
    """How far a contest is, on standard error; a terminal also shows the table so far."""

    def __init__(self, contest: Contest, plain: bool) -> None:
        self.contest = contest
        self.began = self.shown = monotonic()
        self.before = len(contest.done)
        self.terminal = sys.stderr.isatty() and not plain
        self.lines = 0  # that are on the screen

    def show(self) -> None:
        if monotonic() - self.shown >= EVERY[not self.terminal]:
            self._print()

    def end(self) -> None:
        """Clear the terminal for the result."""
        print(self._up(), end="", file=sys.stderr, flush=True)

    def _print(self) -> None:
        self.shown = monotonic()
        lines = [self._say(), *(self.contest.table() if self.terminal else ())]
        print(self._up() + "\n".join(lines), file=sys.stderr, flush=True)
        self.lines = len(lines)

    def _up(self) -> str:
        return f"\x1b[{self.lines}A\x1b[J" if self.lines and self.terminal else ""

    def _say(self) -> str:
        contest, seconds = self.contest, max(1e-9, monotonic() - self.began)
        done, total = len(contest.done), contest.plan.total
        pace = (done - self.before) / seconds
        said = f"{done:,} of {total:,} pairs, {2 * pace:,.0f} games per second"
        if contest.test is not None:
            return f"{said}, log-likelihood ratio {contest.test.ratio:+.2f}"
        left = round((total - done) / pace) if pace else 0
        return f"{said}, {left // 60}:{left % 60:02} left"
