"""Contests per second: in batches, one by one, and over one and two worker processes.

python -m benchmarks.arena
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from ninefold import SLUGS
from ninefold.arena.plan import Chunk, Plan
from ninefold.arena.play import play_chunk, play_each
from ninefold.arena.run import run_contest

ONE, TWO = 40, 1000  # pairs: one by one, and in a batch
SPREAD = 3000  # pairs for workers


def make_plan(slug: str, pairs: int) -> Plan:
    return Plan.of({"players": ["a=level:5", "b=level:5"], "games": [slug], "pairs": pairs})


def games_per_second(slug: str, pairs: int, batch: bool) -> float:
    plan = make_plan(slug, pairs)
    chunk = Chunk(plan, slug, ("a", "b"), tuple(range(pairs)))
    starts = [plan.start(slug, chunk.players, number) for number in chunk.numbers]
    play_chunk(chunk._replace(numbers=(0, 1)))  # makes the tables
    began = perf_counter()
    if batch:
        play_chunk(chunk)
    else:
        play_each(chunk, starts)
    return 2 * pairs / (perf_counter() - began)


def spread_rate(slug: str, workers: int) -> float:
    """Games per second of a whole run, on disk; the processes start and make their tables in that time."""
    with TemporaryDirectory() as folder:
        began = perf_counter()
        run_contest(make_plan(slug, SPREAD), Path(folder), workers)
        return 2 * SPREAD / (perf_counter() - began)


def main() -> None:
    print("level:5 against itself, games per second on one core:")
    for slug in SLUGS:
        fast, slow = games_per_second(slug, TWO, True), games_per_second(slug, ONE, False)
        print(f"  {slug:9} {fast:7,.0f} in batches, {slow:5,.0f} one by one: {fast / slow:.0f} times")
    print(f"A run of {SPREAD:,} pairs, with everything that it writes:")
    for slug in ("battle", "pattern"):
        one, two = (spread_rate(slug, workers) for workers in (1, 2))
        print(f"  {slug:9} {one:7,.0f} with 1 worker, {two:7,.0f} with 2: {two / one:.2f} times")


if __name__ == "__main__":
    main()
