"""A lookup table learns Number Grid Battle by playing itself, and its exact regret falls.

python examples/learn.py [--games 20000] [--seed 1] [--plot regret.svg]

Monte Carlo control in self-play: for each observation and move, the table keeps the average result of
the games in which that move was made. Every so often, the agent that makes the move with the best average
plays against `random` and `greedy`, and each of its moves is compared with exact play. NumPy is enough.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ninefold
from ninefold import Seat, State
from ninefold.batch import encoding
from ninefold.envs import evaluate_agent

GAME, GRID = ninefold.load("battle"), "792415863"
CHECKS = 12


class Table:
    """The average result, from -1 to 1, of each move in each position that came up."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        moves = len(GAME.moves)
        self.sums: dict[bytes, NDArray[Any]] = defaultdict(lambda: np.zeros(moves))
        self.counts: dict[bytes, NDArray[Any]] = defaultdict(lambda: np.full(moves, 1e-9))

    def best(self, state: State[Any], seat: Seat) -> int:
        """The legal move with the best average."""
        key, legal = _key(state, seat), encoding.legal(state, seat)
        if key not in self.sums:
            return self.rng.choice(legal)
        averages = self.sums[key] / self.counts[key]
        return max(legal, key=lambda action: averages[action])

    def play(self, exploration: float) -> None:
        """Play a game against itself, and learn from it."""
        state = GAME.start(grid=GRID)
        made: list[tuple[Seat, bytes, int]] = []
        while state.movers:
            (seat,) = state.movers
            explores = self.rng.random() < exploration
            action = self.rng.choice(encoding.legal(state, seat)) if explores else self.best(state, seat)
            made.append((seat, _key(state, seat), action))
            state = state.play(GAME.moves[action])
        assert state.outcome is not None
        for seat, key, action in made:
            self.sums[key][action] += 1 if state.outcome.winner is seat else -1
            self.counts[key][action] += 1


def _key(state: State[Any], seat: Seat) -> bytes:
    return np.array(encoding.observe(state, seat), np.int8).tobytes()


def regret(table: Table) -> float:
    """The exact regret per game, against two opponents."""
    reports = [
        evaluate_agent(table.best, GAME, 60, opponent, seed=7, positions=0, grid=GRID)
        for opponent in ("random", "greedy")
    ]
    return sum(report.regret_per_game for report in reports) / len(reports)


def learn(games: int, seed: int) -> list[tuple[int, float]]:
    """Pairs of a number of games and the regret after them, from 0 games to all."""
    table = Table(seed)
    found = [(0, regret(table))]
    for check in range(1, CHECKS + 1):
        for number in range(games * (check - 1) // CHECKS, games * check // CHECKS):
            table.play(exploration=max(0.05, 1 - 1.5 * number / games))
        found.append((games * check // CHECKS, regret(table)))
    return found


def plot(found: list[tuple[int, float]]) -> str:
    """The curve as an SVG picture."""
    width, height, left, bottom = 640, 360, 70, 50
    games, top = found[-1][0], max(value for _, value in found) or 1.0

    def place(x: float, y: float) -> tuple[float, float]:
        return left + x / games * (width - left - 20), height - bottom - y / top * (height - bottom - 30)

    points = " ".join("{:.1f},{:.1f}".format(*place(x, y)) for x, y in found)
    marks = []
    for part in range(5):
        x, _ = place(games * part / 4, 0)
        _, y = place(0, top * part / 4)
        marks.append(
            f'<text x="{x:.0f}" y="{height - 30}" text-anchor="middle">{games * part // 4:,}</text>'
        )
        marks.append(
            f'<text x="{left - 8}" y="{y + 4:.0f}" text-anchor="end">{top * part / 4:.3f}</text>'
        )
        marks.append(f'<path d="M{left} {y:.1f}H{width - 20}" stroke="#ddd"/>')
    return f"""<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"
 font-family="sans-serif" font-size="12">
<rect width="{width}" height="{height}" fill="white"/>
{chr(10).join(marks)}
<polyline points="{points}" fill="none" stroke="#4878a8" stroke-width="2.5"/>
<text x="{width / 2}" y="{height - 10}" text-anchor="middle">games of self-play</text>
<text x="{left}" y="18">exact regret per game: chance to win given away</text>
</svg>
"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--games", type=int, default=20_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--plot", type=Path, default=Path("regret.svg"))
    given = options.parse_args()
    found = learn(given.games, given.seed)
    most = max(value for _, value in found) or 1.0
    for games, value in found:
        print(f"{games:8,} games  regret {value:.4f}  {'#' * round(50 * value / most)}")
    given.plot.write_text(plot(found), encoding="utf-8")
    print(f"The curve is in {given.plot}.")


if __name__ == "__main__":
    main()
