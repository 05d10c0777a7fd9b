"""An alarm: the times that people wait for, as ratios, each against a bound.

python -m benchmarks.check [a Python that has pgx]

Each time is divided by another one, measured beside it in the same run, so that a slower machine makes
little difference. All are times of the processor, so that a busy machine makes little difference either,
and the best of several rounds counts. The bounds leave room for noise: what is beyond its bound has
changed, and the exit status is 1.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from time import process_time
from typing import NamedTuple

from benchmarks import loop
from benchmarks.computer import whole_games
from benchmarks.server import IN_FLIGHT, Ours, measure, run_loop, start_ours, stop_at_end
from ninefold import SLUGS
from ninefold.batch import Batch

ROUNDS = 5
GAMES = 20  # between two levels, in a round
STEPS = 20  # of the learner's loop, in a round
MATCHES = 100  # on the server, in a round
SPIEL_MOVES = 5000  # in OpenSpiel, in a round

Timer = Callable[[], float]  # seconds


class Figure(NamedTuple):
    name: str
    bound: float  # the most that ours may take, as a multiple of the other
    ours: Timer
    other: Timer


def run_python(*words: str) -> float:
    """What a new Python takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    compiled = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, check=True, env=compiled)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def count_in_python() -> float:
    """What a fixed piece of plain Python takes: about 40 ms on the machine of the bounds."""
    began = process_time()
    seen: dict[tuple[int, int], int] = {}
    for number in range(200_000):
        key = (number % 997, number & 31)
        seen[key] = seen.get(key, 0) + number
    return process_time() - began


def learn(games: Batch) -> float:
    """What a million moves take in a learner's loop."""
    began, moves = process_time(), 0
    for _ in range(STEPS):
        games.look()
        games.step(games.sample())
        moves += int((~games.dones).sum())
    return 1e6 * (process_time() - began) / moves


def play_openspiel(name: str, expand: bool) -> float:
    """What a thousand moves take in OpenSpiel: random games, or expanding the nodes of one."""
    import open_spiel.python.games.tic_tac_toe  # noqa: F401
    import pyspiel

    import ninefold.envs.openspiel  # noqa: F401

    rng, game, moves = Random(1), pyspiel.load_game(name), 0
    began = process_time()
    while moves < SPIEL_MOVES:
        state = game.new_initial_state()
        while not state.is_terminal():
            players = (0, 1) if state.is_simultaneous_node() else (state.current_player(),)
            legal = [state.legal_actions(player) for player in players]
            if expand and len(players) == 1:
                moves += len([state.child(action) for action in legal[0][:9]])
            chosen = [rng.choice(actions) for actions in legal]
            state.apply_actions(chosen) if len(players) > 1 else state.apply_action(*chosen)
            moves += 1
    return 1000 * (process_time() - began) / moves


def serve(server: Ours) -> float:
    """What a thousand moves take of the server's time."""
    found = run_loop(measure([server], MATCHES, 0.1, in_flight=IN_FLIGHT))[server.name]
    return float(1000 * found.cpu / len(found.acknowledged))


def figures(server: Ours, python: str) -> list[Figure]:
    bare = partial(run_python, "-c", "")
    found = [
        Figure("--help, to a bare Python", 3.5, partial(run_python, "-m", "ninefold", "--help"), bare),
        Figure("solve all", 100, partial(run_python, "-m", "ninefold", "solve", "all"), count_in_python),
        Figure("1,000 moves on the server", 16, partial(serve, server), count_in_python),
    ]
    for slug, bound in {"shadow": 0.4, "pattern": 0.7, "conquest": 0.35}.items():
        play = partial(whole_games, slug, "level:5", GAMES)
        found.append(Figure(f"a game of {slug} between levels", bound, play, count_in_python))
    for slug in SLUGS:
        for what, expand in (("a move", False), ("a child", True)):
            ours, peer = (
                partial(play_openspiel, name, expand)
                for name in (f"ninefold_{slug}", "python_tic_tac_toe")
            )
            found.append(Figure(f"{what} of {slug} in OpenSpiel, to tic-tac-toe", 1, ours, peer))
    pgx = loop.peer(python)
    for slug, bound, to_pgx in (("shadow", 2, 0.35), ("conquest", 2, 0.25)):
        games = Batch(slug, loop.BATCH)
        games.reset(1)
        name, steps = f"a learner's 1,000,000 moves of {slug}", partial(learn, games)
        found.append(Figure(name, bound, steps, count_in_python))
        if pgx is not None:
            found.append(Figure(f"{name}, to Pgx's", to_pgx, steps, partial(float, 1e6 / pgx)))
    return found


def check(figure: Figure) -> bool:
    """Measure a figure and print it. Returns whether it is within its bound."""
    rounds = [(figure.ours(), figure.other()) for _ in range(ROUNDS)]
    ratio = min(ours for ours, _ in rounds) / min(other for _, other in rounds)
    fine = ratio <= figure.bound
    verdict = "" if fine else "   beyond its bound"
    print(f"{figure.name:48}{ratio:8.2f}{figure.bound:8.2f}{verdict}", flush=True)
    return fine


def main() -> int:
    processes: list[subprocess.Popen[bytes]] = []
    with tempfile.TemporaryDirectory(prefix="ninefold-bench-") as name, stop_at_end(processes):
        server = start_ours(processes, Path(name))
        print(f"{'':48}{'ratio':>8}{'bound':>8}")
        results = [check(one) for one in figures(server, *sys.argv[1:] or [sys.executable])]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
