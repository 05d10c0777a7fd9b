"""A learner's loop (observe, mask, choose, step) against Pgx's tic-tac-toe, and exact values.

python -m benchmarks.loop [a Python that has pgx]

Pgx makes 100 steps of 8192 games of tic-tac-toe in one jit: a legal move is drawn from the mask, `step`
makes it and writes observation and mask, and games that are over begin again (auto_reset). We do the same
with `look`, `sample` and `step`; our games begin again in a step of their own, which does not count as a
move. Both make random legal moves on one core. The peer and we run in turn, and the best of many calls
counts. For exact values, only positions of games that go on are counted.
"""

from __future__ import annotations

import subprocess
import sys
from time import perf_counter

from benchmarks.playouts import ALL_CORES, use_cores
from ninefold import SLUGS
from ninefold.batch import Batch

BATCH = 8192
STEPS = 100
CALLS = 10
ROUNDS = 3

PEER = """
import sys, time
import jax, jax.numpy as jnp, pgx
from pgx.experimental import auto_reset

batch, steps = map(int, sys.argv[1:])
env = pgx.make("tic_tac_toe")
begin, step = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

def one(_, carry):
    state, key = carry
    key, draw, again = jax.random.split(key, 3)
    logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
    action = jax.random.categorical(draw, logits, axis=-1)
    return step(state, action, jax.random.split(again, batch)), key

play = jax.jit(lambda state, key: jax.lax.fori_loop(0, steps, one, (state, key)))
carry = play(begin(jax.random.split(jax.random.PRNGKey(0), batch)), jax.random.PRNGKey(1))
jax.block_until_ready(carry)
best = float("inf")
for _ in range(10):
    began = time.perf_counter()
    carry = play(*carry)
    jax.block_until_ready(carry)
    best = min(best, time.perf_counter() - began)
print(batch * steps / best)
"""

Rates = tuple[float, float]  # moves per second, positions with exact values per second


def peer(python: str) -> float | None:
    """Pgx's moves per second; None if it is not installed."""
    done = subprocess.run(
        [python, "-W", "ignore", "-c", PEER, str(BATCH), str(STEPS)], capture_output=True, text=True
    )
    return float(done.stdout) if done.returncode == 0 else None


def ours(slug: str) -> Rates:
    games = Batch(slug, BATCH)
    games.reset(1)
    for _ in range(STEPS):
        games.step(games.sample())
    loop = float("inf")
    for _ in range(CALLS):
        began = perf_counter()
        for _ in range(STEPS):
            games.look()
            games.step(games.sample())
        loop = min(loop, perf_counter() - began)
    games.values()  # makes the tables
    spent, positions = 0.0, 0
    for _ in range(STEPS // 2):
        games.step(games.sample())
        positions += int((~games.dones).sum())
        began = perf_counter()
        games.values()
        spent += perf_counter() - began
    moves = STEPS * positions / (STEPS // 2)  # on average, as many games go on in each step of the loop
    return moves / loop, positions / spent


def run(python: str = sys.executable) -> tuple[float | None, dict[str, Rates]]:
    """The peer's moves per second, and ours by game."""
    peers: list[float] = []
    found: dict[str, Rates] = dict.fromkeys(SLUGS, (0.0, 0.0))
    use_cores(1)
    for _ in range(ROUNDS):
        if (rate := peer(python)) is not None:
            peers.append(rate)
        for slug, (moves, positions) in found.items():
            more = ours(slug)
            found[slug] = max(moves, more[0]), max(positions, more[1])
    use_cores(len(ALL_CORES))
    return max(peers, default=None), found


def main() -> None:
    pgx, found = run(*sys.argv[1:])
    print(f"Pgx's tic-tac-toe: {f'{pgx:,.0f} moves/s' if pgx else 'pgx is not installed'}")
    print("                     moves/s   times Pgx   exact values: positions/s")
    for slug, (moves, positions) in found.items():
        ratio = f"{moves / pgx:.1f}" if pgx else "-"
        print(f"  {slug:10}{moves:16,.0f}{ratio:>12}{positions:28,.0f}")


if __name__ == "__main__":
    main()
