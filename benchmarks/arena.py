"""Contests per second: in batches, one by one, and over one and two worker processes.

python -m benchmarks.arena
"""

from __future__ import annotations

from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from ninefold import SLUGS
from ninefold.arena.plan import Chunk, Plan
from ninefold.arena.play import play_chunk, play_each
from ninefold.arena.run import run_contest

ONE, TWO = 40, 1000  # pairs: one by one, and in a batch
SPREAD = {"battle": 20_000, "pattern": 6_000}  # pairs for workers


def make_plan(slug: str, pairs: int) -> Plan:
    return Plan.of({"players": ["a=level:5", "b=level:5"], "games": [slug], "pairs": pairs})


def games_per_second(slug: str, pairs: int, batch: bool) -> float:
    plan = make_plan(slug, pairs)
    chunk = Chunk(plan, slug, ("a", "b"), tuple(range(pairs)))
    starts = [plan.start(slug, chunk.players, number) for number in chunk.numbers]
    play_chunk(chunk._replace(numbers=(0, 1)))  # makes the tables
    began = process_time()
    if batch:
        play_chunk(chunk)
    else:
        play_each(chunk, starts)
    return 2 * pairs / (process_time() - began)


def spread_rate(slug: str, workers: int) -> tuple[float, float]:
    """Games per second of a whole run, and the seconds of processor time that it took in all processes.

    The workers start and make their tables in that time.
    """
    with TemporaryDirectory() as folder:
        began, before, own = perf_counter(), _children(), process_time()
        run_contest(make_plan(slug, SPREAD[slug]), Path(folder), workers)
        seconds, others, own = perf_counter() - began, _children() - before, process_time() - own
        return 2 * SPREAD[slug] / seconds, own + others


def _children() -> float:
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    print("level:5 against itself, games per second of a core's time:")
    for slug in SLUGS:
        fast, slow = games_per_second(slug, TWO, True), games_per_second(slug, ONE, False)
        print(f"  {slug:9} {fast:7,.0f} in batches, {slow:5,.0f} one by one: {fast / slow:.0f} times")
    print("A whole run, with everything that it writes:")
    for slug in SPREAD:
        (one, alone), (two, shared) = (spread_rate(slug, workers) for workers in (1, 2))
        print(
            f"  {slug:9} {one:7,.0f} games per second with 1 worker, {two:7,.0f} with 2: "
            f"{two / one:.2f} times; by processor time, two free cores reach {2 * alone / shared:.2f}"
        )


if __name__ == "__main__":
    main()
