"""`ninefold solve GAME|all`: who wins under perfect play."""

from __future__ import annotations

import argparse
import json
import resource
import time

from ninefold.analysis.advice import percent, verdict
from ninefold.analysis.data import value_data
from ninefold.analysis.solve import Solved, solve
from ninefold.cli.analyze import NAMES
from ninefold.cli.console import show_progress
from ninefold.cli.setup import add_setup, argument, given_setup, usage
from ninefold.core.game import Game
from ninefold.games import SLUGS, every_game, load

EPILOG = """\
Without settings: every target of shadow, every size of conquest, all grids of battle and cross.

examples:
  ninefold solve shadow --target 15
  ninefold solve all --json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument(
        "game", metavar="GAME", type=argument(_games), help=f"all, or one of {', '.join(SLUGS)}"
    )
    parser.add_argument("--json", action="store_true", help="as one JSON object")
    add_setup(parser, seed=False)


def _games(text: str) -> tuple[Game, ...]:
    return every_game() if text.strip().lower() == "all" else (load(text),)


def run(arguments: argparse.Namespace) -> int:
    with usage():
        settings = {game: given_setup(arguments, game) for game in arguments.game}
    show_progress()
    began = time.perf_counter()
    found = []
    for game, setup in settings.items():
        for solved in solve(game, setup):
            found.append(solved)
            if not arguments.json:
                print("\n".join(_lines(solved)), flush=True)
    seconds = time.perf_counter() - began
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    if arguments.json:
        data = {
            "solved": [_data(one) for one in found],
            "seconds": round(seconds, 3),
            "mebibytes": memory,
        }
        print(json.dumps(data, indent=1))
    else:
        print(f"In all {seconds:.2f} s and {memory} MiB.")
    return 0


def _lines(solved: Solved) -> list[str]:
    setup = f"all {solved.grids:,} grids" if solved.grids > 1 else solved.settings
    lines = [f"{solved.game.title}, {setup}" if setup else solved.game.title]
    if solved.value is not None:
        lines.append(f"  {verdict(solved.value, NAMES)}")
    if solved.first is not None and solved.margins is not None:
        share = percent(solved.first_share)
        lines.append(f"  The first player wins {solved.first:,} of them ({share}).")
        worst, best = min(solved.margins), max(solved.margins)
        if worst != best:
            lines.append(f"  The first player's margin goes from {worst} to {best}.")
    if solved.openings:
        shown = " ".join(solved.openings[:9]) + (" ..." if len(solved.openings) > 9 else "")
        lines.append(f"  Best openings ({len(solved.openings)}): {shown}")
    lines.append(f"  {solved.positions:,} positions, {solved.seconds:.2f} s")
    return lines


def _data(solved: Solved) -> dict[str, object]:
    data: dict[str, object] = {"game": solved.game.slug, "setup": dict(solved.setup)}
    if solved.value is not None:
        data |= value_data(solved.value)
    data |= {"openings": list(solved.openings), "grids": solved.grids}
    if solved.margins is not None:
        data |= {"first": solved.first, "margins": {str(k): v for k, v in solved.margins.items()}}
    return data | {"positions": solved.positions, "seconds": round(solved.seconds, 3)}
