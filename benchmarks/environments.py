"""Single and batched games against peers in the same run; writes the table and chart of the docs.

python -m benchmarks.environments [a Python that has pettingzoo[classic], open_spiel and pgx]

Random games: a legal move is drawn by `moves[int(random() * len(moves))]` on both sides. *Rules* is
`state.moves()` and `state.after(...)` against `legal_actions` and `apply_action` of OpenSpiel's
python_tic_tac_toe. *PettingZoo* is `agent_iter`, `last`, `step`, with observations and masks, against
pettingzoo.classic.tictactoe_v3. A game of tic-tac-toe has 7.7 moves, ours have 6 to 28, so games and
moves per second are both given. All run on one core, the peer and we in turn, and the best of several
rounds counts. benchmarks.loop and benchmarks.playouts explain the other columns.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import ninefold
from benchmarks import loop, playouts

PAGE = Path(__file__).parent.parent / "docs" / "environments.md"
PICTURE = PAGE.with_suffix(".svg")
BEGIN, END = "<!-- the table: python -m benchmarks.environments -->", "<!-- end -->"
SECONDS = 1.0  # for each measurement
ROUNDS = 4
TURNS = 200

# Both sides run this: `play(random)` plays one game and returns its number of moves.
MEASURE = """
def measure(play, seconds):
    from random import Random
    from time import perf_counter
    draw = Random(1).random
    play(draw)
    games = moves = 0
    began = perf_counter()
    while perf_counter() - began < seconds:
        moves += play(draw)
        games += 1
    spent = perf_counter() - began
    return games / spent, moves / spent
"""

PLAY_PETTINGZOO = """
import numpy as np
def play_pettingzoo(env, draw):
    moves = 0
    env.reset()
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        if terminated or truncated:
            env.step(None)
        else:
            legal = np.flatnonzero(observation["action_mask"])
            env.step(int(legal[int(draw() * len(legal))]))
            moves += 1
    return moves
"""

PEER = f"""
import json, sys, warnings
warnings.simplefilter("ignore")
{MEASURE}
{PLAY_PETTINGZOO}
import pyspiel
import open_spiel.python.games.tic_tac_toe
from pettingzoo.classic import tictactoe_v3
game, env = pyspiel.load_game("python_tic_tac_toe"), tictactoe_v3.env()
def play(draw):
    state, moves = game.new_initial_state(), 0
    while not state.is_terminal():
        legal = state.legal_actions()
        state.apply_action(legal[int(draw() * len(legal))])
        moves += 1
    return moves
seconds = float(sys.argv[1])
rules = measure(play, seconds)
print(json.dumps([rules, measure(lambda draw: play_pettingzoo(env, draw), seconds)]))
"""

OURS = f"""
import json, random, sys
import ninefold
from ninefold.envs.pettingzoo import env as make
{MEASURE}
{PLAY_PETTINGZOO}
slug, turns, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
setup = ninefold.load(slug).start(rng=random.Random(1)).setup
first, env = ninefold.load(slug).start(**setup), make(slug, **setup)
def play(draw):
    state = first
    for move in range(turns):
        legal = state.moves()
        if not legal or state.dead:
            return move
        state = state.after(legal[int(draw() * len(legal))], state.movers[0])
    return turns
rules = measure(play, seconds)
print(json.dumps([rules, measure(lambda draw: play_pettingzoo(env, draw), seconds)]))
"""

Looped = tuple[float | None, dict[str, loop.Rates]]
Rates = list[list[float]]  # rules, PettingZoo: games and moves per second


def run_code(python: str, code: str, *words: str) -> Rates | None:
    done = subprocess.run([python, "-W", "ignore", "-c", code, *words], capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else None


def best(one: Rates, other: Rates | None) -> Rates:
    if other is None:
        return one
    return [[max(pair) for pair in zip(*rates, strict=True)] for rates in zip(one, other, strict=True)]


def run(python: str) -> tuple[Rates, dict[str, Rates]]:
    """The peers' rates and ours by game, the best of all rounds."""
    peer: Rates = [[0.0, 0.0], [0.0, 0.0]]
    ours: dict[str, Rates] = {slug: [[0.0, 0.0], [0.0, 0.0]] for slug in ninefold.SLUGS}
    playouts.use_cores(1)
    for _ in range(ROUNDS):
        peer = best(peer, run_code(python, PEER, str(SECONDS)))
        for slug, rates in ours.items():
            found = run_code(sys.executable, OURS, slug, str(TURNS), str(SECONDS))
            assert found is not None
            ours[slug] = best(rates, found)
    playouts.use_cores(len(playouts.ALL_CORES))
    return peer, ours


def machine() -> str:
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line.partition(":")[2].strip() for line in info.read_text().splitlines()]
        keys = [line.partition(":")[0].strip() for line in info.read_text().splitlines()]
        name = next((n for k, n in zip(keys, names, strict=True) if k == "model name"), name)
    return f"{name}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def times(ours: float, peer: float | None) -> str:
    return f"{ours / peer:.1f}" if peer else "-"


def table(
    pgx: float | None,
    batched: dict[str, tuple[float, float]],
    peer: Rates,
    ours: dict[str, Rates],
    looped: Looped,
) -> str:
    lines = [
        "| random games | rules: games/s (x) | moves/s (x) | PettingZoo: games/s (x) | moves/s (x) "
        "| learner's loop: moves/s (x) | playouts: games/s (x) | two cores (x one) "
        "| exact values: positions/s |",
        "|---|---|---|---|---|---|---|---|---|",
        f"| peer's tic-tac-toe | {peer[0][0]:,.0f} | {peer[0][1]:,.0f} | {peer[1][0]:,.0f} "
        f"| {peer[1][1]:,.0f} | {looped[0] or 0:,.0f} | {pgx or 0:,.0f} | | |",
    ]
    for slug, rates in ours.items():
        cells = [
            f"{rates[k][j]:,.0f} ({times(rates[k][j], peer[k][j])})" for k in range(2) for j in range(2)
        ]
        (one, two), (moves, positions) = batched[slug], looped[1][slug]
        cells += [f"{moves:,.0f} ({times(moves, looped[0])})", f"{one:,.0f} ({times(one, pgx)})"]
        cells += [f"{two:,.0f} ({two / one:.2f})", f"{positions:,.0f}"]
        lines.append(f"| {slug} | {' | '.join(cells)} |")
    return "\n".join([f"Measured on: {machine()}.", "", *lines])


def picture(
    pgx: float | None,
    batched: dict[str, tuple[float, float]],
    peer: Rates,
    ours: dict[str, Rates],
    looped: Looped,
) -> str:
    """A bar chart of our rates as multiples of the peer's, on a logarithmic scale."""
    from math import log2

    groups = [
        ("rules, moves/s, against OpenSpiel", {s: r[0][1] / peer[0][1] for s, r in ours.items()}),
        ("PettingZoo, moves/s, against tictactoe_v3", {s: r[1][1] / peer[1][1] for s, r in ours.items()}),
        (
            "learner's loop, moves/s, against Pgx",
            {s: moves / (looped[0] or moves) for s, (moves, _) in looped[1].items()},
        ),
        ("playouts, games/s, against Pgx", {s: one / (pgx or one) for s, (one, _) in batched.items()}),
    ]
    parts, y = [], 10
    for title, ratios in groups:
        parts.append(f'<text x="10" y="{y + 14}" font-weight="bold">{title}</text>')
        y += 24
        for slug, ratio in ratios.items():
            width = max(2.0, 70 * log2(max(ratio, 1.01)))
            parts.append(f'<text x="20" y="{y + 13}">{slug}</text>')
            parts.append(f'<rect x="100" y="{y}" width="{width:.0f}" height="16" fill="#4878a8"/>')
            parts.append(f'<text x="{106 + width:.0f}" y="{y + 13}">{ratio:.1f} times</text>')
            y += 22
        y += 12
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="640" height="{y}" font-family="sans-serif"'
    body = "\n".join(parts)
    return f'{head} font-size="13">\n<rect width="640" height="{y}" fill="white"/>\n{body}\n</svg>\n'


def main() -> None:
    python = sys.argv[1] if len(sys.argv) > 1 else sys.executable
    peer, ours = run(python)
    pgx, batched = playouts.run(python)
    looped = loop.run(python)
    made = table(pgx, batched, peer, ours, looped)
    print(made)
    if peer[0][0] and pgx and looped[0]:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        _, _, after = rest.partition(END)
        PAGE.write_text(f"{before}{BEGIN}\n\n{made}\n\n{END}{after}", encoding="utf-8")
        PICTURE.write_text(picture(pgx, batched, peer, ours, looped), encoding="utf-8")


if __name__ == "__main__":
    main()
