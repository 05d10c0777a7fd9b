"""Shadow Grid Duel solved for all targets: time, positions per second, and the time of an evaluation.

python -m benchmarks.solve_shadow [a Python that has open_spiel]

Positions are counted in two ways. *Valued* are all that can be reached and are not over: each value can
be looked up, but the solver never touches most positions (see docs/solver.md). *Written* are those of
plies 0 to 6, one of each symmetric set of outlines, for six targets (the other five mirror them): each
gets its own byte in memory, and the time includes the solving. The ratio to the peer uses the written
ones. The peer is OpenSpiel, which visits all states of its own tic-tac-toe.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from random import Random
from statistics import median, quantiles
from time import perf_counter

from ninefold.analysis import Evaluation, shadow
from ninefold.analysis.placing import kernel
from ninefold.analysis.placing.buffers import HAS_LINE
from ninefold.analysis.placing.outlines import OUTLINES
from ninefold.analysis.placing.tablebase import Tablebase
from ninefold.games.shadow.rules import TARGETS, begin

PEER = """
from time import perf_counter
import pyspiel
from open_spiel.python.algorithms.get_all_states import get_all_states
game = pyspiel.load_game("tic_tac_toe")
began = perf_counter()
count = len(get_all_states(game, to_string=str))
print(count, perf_counter() - began)
"""

FRESH = """
from time import perf_counter
began = perf_counter()
import ninefold
from ninefold.analysis import evaluate
game = ninefold.load({game!r})
state = game.sequence(game.start(**{setup!r}), {moves!r}.split())
evaluate(state)
print(perf_counter() - began)
"""

POSITIONS: list[tuple[str, dict[str, int], str]] = [
    ("shadow", {"target": 12}, ""),
    ("shadow", {"target": 15}, "5@2,2"),
    ("shadow", {"target": 18}, "5@2,2 1@1,1 7@1,2"),
    ("shadow", {"target": 20}, "5@2,2 1@1,1 7@1,2 9@3,2 4@3,3"),
    ("pattern", {}, ""),
    ("pattern", {}, "5@2,2 1@1,1 7@1,2"),
    ("pattern", {}, "1@1,1 9@1,1 2@1,2 8@1,2 3@2,1 7@2,1 4@3,2 6@3,2 5@2,3 return@1,1"),
]


def write_out(table: Tablebase) -> int:
    """Write out the code of each position of plies 0 to 6, and return how many there are."""
    count = 0
    for o, outline in enumerate(OUTLINES):
        if outline.ply > 6:
            continue
        first, second = (
            bytes([kind for kind in kinds if kind != HAS_LINE]) for kinds in table.filling_kinds(o)
        )
        width = table.counts[2 * o + 1]
        starts = range(table.starts[o], table.starts[o + 1], width)
        rows = [second.translate(table.codes[at : at + width].ljust(256)) for at in starts]
        codes = b"".join([rows[kind] for kind in first])
        count += len(codes)
    return count


def run_peer(python: str) -> float | None:
    """OpenSpiel's states per second, the best of three; None if it is not installed."""
    rates = []
    for _ in range(3):
        done = subprocess.run([python, "-c", PEER], capture_output=True, text=True)
        if done.returncode != 0:
            return None
        count, seconds = done.stdout.split()
        rates.append(int(count) / float(seconds))
    return max(rates)


def run_fresh(game: str, setup: dict[str, int], moves: str, wanted: str) -> float:
    """Seconds to the first evaluation in a new process, including imports."""
    code = FRESH.format(game=game, setup=setup, moves=moves)
    environment = {**os.environ, "NINEFOLD_KERNEL": wanted}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def later_moves(games: int = 300) -> list[float]:
    """Seconds for each evaluation along random games, once the tablebases are made."""
    rng = Random(1)
    seconds = []
    for _ in range(games):
        state = begin(rng.choice(TARGETS))
        while state.outcome is None:
            began = perf_counter()
            found: Evaluation = shadow.evaluate(state)
            seconds.append(perf_counter() - began)
            state = state.after(rng.choice(found.choices).move, state.movers[0])
    return seconds


def run(peer_python: str = sys.executable) -> dict[str, float | None]:
    """All figures; the peer's rate and the ratio are None if OpenSpiel is not installed."""
    began = perf_counter()
    valued = sum(shadow.count_positions(begin(target)) for target in TARGETS)
    solving = perf_counter() - began
    began = perf_counter()
    each = sum(write_out(shadow.tablebase(target)) for target in TARGETS if target <= shadow.MIDDLE)
    writing = perf_counter() - began
    peer = run_peer(peer_python)
    rate = each / (solving + writing)
    later = later_moves()
    return {
        "seconds_all_targets": solving,
        "valued": valued,
        "written": each,
        "written_per_second": rate,
        "openspiel_per_second": peer,
        "ratio": None if peer is None else rate / peer,
        "later_median_ms": 1000 * median(later),
        "later_p99_ms": 1000 * quantiles(later, n=100)[98],
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def main() -> None:
    found = run(*sys.argv[1:])
    print(f"{kernel.NAME}")
    print(f"all 11 targets solved             {found['seconds_all_targets']:14.2f} s")
    print(f"positions valued                  {found['valued']:14,.0f}")
    print(f"positions written out one by one  {found['written']:14,.0f}")
    print(f"written per second, with solving  {found['written_per_second']:14,.0f}")
    if found["ratio"] is None:
        print("To compare with OpenSpiel, name a Python that has open_spiel.")
    else:
        print(f"OpenSpiel, states per second      {found['openspiel_per_second']:14,.0f}")
        print(f"ratio                             {found['ratio']:14,.0f}")
    print(f"an evaluation later, median       {found['later_median_ms']:14.2f} ms")
    print(f"an evaluation later, p99          {found['later_p99_ms']:14.2f} ms")
    print(f"peak memory                       {found['peak_mib']:14.0f} MiB")
    print("first evaluation in a new process, with imports:      C kernel   pure Python")
    for game, setup, moves in POSITIONS:
        c, plain = (run_fresh(game, setup, moves, wanted) for wanted in ("", "python"))
        what = f"{game} {setup.get('target', '')} after {len(moves.split())} moves"
        print(f"    {what:46}{c:10.2f} s {plain:11.2f} s")


if __name__ == "__main__":
    main()
