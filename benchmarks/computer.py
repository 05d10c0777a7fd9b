"""How long the computer takes to solve everything from a cold start, to move, and to play itself.

python -m benchmarks.computer
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from random import Random
from statistics import median, quantiles
from time import perf_counter, process_time

import ninefold
from ninefold.core.outcome import LIMIT
from ninefold.players import seat_player
from ninefold.players.exact import perfect_policy
from ninefold.players.policy import PolicyPlayer

SETUPS: list[tuple[str, dict[str, int | str]]] = [
    ("shadow", {"target": 15}),
    ("battle", {"grid": "792415863"}),
    ("pattern", {}),
    ("conquest", {"size": 2}),
    ("conquest", {"size": 3}),
    ("conquest", {"size": 4}),
    ("cross", {"grid": "492357816"}),
]

FIRST_MOVE = """
import random, ninefold
from ninefold.players import seat_player
state = ninefold.load({game!r}).start(**{setup!r})
seat_player("perfect", random.Random(1)).choose(state, state.movers[0])
"""


def run_cold(*words: str, kernel: str = "") -> tuple[float, str]:
    """Run a new process. Returns its seconds, including start-up and imports, and its output."""
    began = perf_counter()
    done = subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "NINEFOLD_KERNEL": kernel},
    )
    return perf_counter() - began, done.stdout


def later_moves(game: str, setup: dict[str, int | str], games: int) -> list[float]:
    """Seconds for each move of the perfect player against random play, without the first game."""
    rng = Random(1)
    player = PolicyPlayer(perfect_policy, rng)
    seconds: list[float] = []
    for number in range(games + 1):
        state = ninefold.load(game).set_up(setup)
        for ply in range(40):
            if not state.movers:
                break
            seat = state.movers[0]
            if (ply + number) % 2:
                move = rng.choice(state.moves(seat))
            else:
                began = perf_counter()
                move = player.choose(state, seat)
                if number:
                    seconds.append(perf_counter() - began)
            state = state.play(move, seat)
    return seconds


def whole_games(slug: str, player: str, games: int) -> float:
    """Seconds of processor time for a game between two such players, on average.

    The games are played twice, and the second time counts: then every setting has been solved.
    """
    spent = 0.0
    for _ in range(2):
        rng = Random(1)
        chooser = seat_player(player, rng)
        assert chooser is not None
        began = process_time()
        for _ in range(games):
            state = ninefold.load(slug).start(rng=rng)
            for _ in range(LIMIT):  # as a match between computers: levels can hold each other off forever
                if not state.movers or state.dead:
                    break
                seat = state.movers[0]
                state = state.play(chooser.choose(state, seat), seat)
        spent = process_time() - began
    return spent / games


def main() -> None:
    seconds, printed = run_cold("-m", "ninefold", "solve", "all", "--json")
    memory = json.loads(printed)["mebibytes"]
    print(f"solve all, cold: {seconds:.2f} s, {memory} MiB")
    print("the perfect player, in ms:     first, cold     without kernel   later: median       p99")
    for game, setup in SETUPS:
        code = FIRST_MOVE.format(game=game, setup=setup)
        first, plain = (run_cold("-c", code, kernel=wanted)[0] for wanted in ("", "python"))
        later = later_moves(game, setup, games=60)
        what = f"{game} {' '.join(str(value) for value in setup.values())}"
        figures = (1000 * first, 1000 * plain, 1000 * median(later), 1000 * quantiles(later, n=100)[98])
        print(f"  {what:22}{figures[0]:18,.0f}{figures[1]:19,.0f}{figures[2]:17.2f}{figures[3]:10.2f}")
    print("whole games, in ms:        level:5   times random")
    for slug in ninefold.SLUGS:
        level, random = (whole_games(slug, player, games=100) for player in ("level:5", "random"))
        print(f"  {slug:22}{1000 * level:10.2f}{level / random:15.0f}")


if __name__ == "__main__":
    main()
