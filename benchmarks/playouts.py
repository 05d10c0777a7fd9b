"""Batched random games per second: ours on one core and on two, against Pgx's tic-tac-toe on one.

python -m benchmarks.playouts [a Python that has pgx]

Pgx plays a batch of 8192 games of tic-tac-toe from the first position to the last in one jit, on one
core. We play 60,000 games per call, with two threads and two cores for the
second figure. The peer and we run in turn, and the best of many calls counts. One of our games that is
cut off, because nobody can win it anymore or after 200 moves, counts as one game.
"""

from __future__ import annotations

import os
import subprocess
import sys
from time import perf_counter

from ninefold import SLUGS
from ninefold.batch import kernel, playouts

BATCH = 8192  # the peer's games per call
GAMES = 60_000  # our games per call
CALLS = 50
ROUNDS = 5

PEER = """
import sys, time
import jax, jax.numpy as jnp, pgx

env, batch = pgx.make("tic_tac_toe"), int(sys.argv[1])

def playout(key):
    key, begin = jax.random.split(key)
    state = jax.vmap(env.init)(jax.random.split(begin, batch))
    def step(carry):
        state, key = carry
        key, draw = jax.random.split(key)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        return jax.vmap(env.step)(state, jax.random.categorical(draw, logits, axis=-1)), key
    return jax.lax.while_loop(lambda carry: ~carry[0].terminated.all(), step, (state, key))[0].rewards

play = jax.jit(playout)
play(jax.random.PRNGKey(0)).block_until_ready()
best = float("inf")
for seed in range(20):
    began = time.perf_counter()
    play(jax.random.PRNGKey(seed)).block_until_ready()
    best = min(best, time.perf_counter() - began)
print(batch / best)
"""


def use_cores(count: int) -> None:
    """Restrict this process and its children to this many cores, if the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, ALL_CORES[:count])


ALL_CORES = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]


def peer(python: str) -> float | None:
    """Pgx's games per second; None if it is not installed."""
    done = subprocess.run(
        [python, "-W", "ignore", "-c", PEER, str(BATCH)], capture_output=True, text=True
    )
    return float(done.stdout) if done.returncode == 0 else None


def ours(slug: str, threads: int) -> float:
    """Our games per second, the best of many calls."""
    best = float("inf")
    for seed in range(CALLS):
        began = perf_counter()
        playouts(slug, GAMES, seed=seed, threads=threads)
        best = min(best, perf_counter() - began)
    return GAMES / best


def run(python: str = sys.executable) -> tuple[float | None, dict[str, tuple[float, float]]]:
    """Games per second: the peer's, and ours by game on one core and on two."""
    peers: list[float] = []
    found = dict.fromkeys(SLUGS, (0.0, 0.0))
    for _ in range(ROUNDS):
        use_cores(1)
        if (rate := peer(python)) is not None:
            peers.append(rate)
        for slug, (one, two) in found.items():
            use_cores(1)
            one = max(one, ours(slug, 1))
            use_cores(2)
            found[slug] = one, max(two, ours(slug, 2))
    use_cores(len(ALL_CORES))
    return max(peers, default=None), found


def main() -> None:
    pgx, found = run(*sys.argv[1:])
    print(f"{kernel()}; Pgx's tic-tac-toe: {f'{pgx:,.0f} games/s' if pgx else 'pgx is not installed'}")
    print("             games/s, one core   times Pgx   games/s, two cores   times one core")
    for slug, (one, two) in found.items():
        ratio = f"{one / pgx:.1f}" if pgx else "-"
        print(f"  {slug:10}{one:20,.0f}{ratio:>12}{two:21,.0f}{two / one:17.2f}")


if __name__ == "__main__":
    main()
