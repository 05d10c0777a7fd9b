"""`ninefold solve GAME|all`: say who wins under perfect play."""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time

from ninefold.analysis import NoValues
from ninefold.analysis.solve import Solved, solve
from ninefold.cli import UsageError
from ninefold.cli.arguments import add_setup, argument_type, read_setup, usage_errors
from ninefold.cli.console import console_for, show_progress
from ninefold.core.errors import SetupError
from ninefold.core.game import Game
from ninefold.games import every_game, load, say_slugs
from ninefold.show.moves import say_move
from ninefold.show.solutions import SIDES, best_openings, setup_name
from ninefold.show.values import percent, verdict
from ninefold.study.data import value_data

MOST = 9  # of the best first moves that are listed

EPILOG = """\
Without settings, every setup of the game is solved: one by one if there are few, otherwise all at once.

examples:
  ninefold solve shadow --target 15
  ninefold solve all --json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument(
        "game", metavar="GAME", type=argument_type(_load_games), help=f"all, or one of {say_slugs()}"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_setup(parser, seed=False)


def _load_games(text: str) -> tuple[Game, ...]:
    return every_game() if text.strip().lower() == "all" else (load(text),)


def run(arguments: argparse.Namespace) -> int:
    with usage_errors():
        settings = {game: read_setup(arguments, game) for game in arguments.game}
    show_progress()
    console = console_for(arguments)
    began = time.perf_counter()
    found = []
    for game, setup in settings.items():
        try:
            for solved in solve(game, setup):
                found.append(solved)
                if not arguments.json:
                    console.say(*_lines(solved))
                    sys.stdout.flush()
        except (SetupError, NoValues) as error:  # too large; go on with the other games
            if len(settings) == 1:
                raise UsageError(str(error)) from None
            console.warn(f"ninefold solve: {error}")
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
        console.say(f"Total: {seconds:.2f} s, {memory} MiB.")
    return 0


def _lines(solved: Solved) -> list[str]:
    setup, survey = setup_name(solved), solved.survey
    lines = [f"{solved.game.title}, {setup}" if setup else solved.game.title]
    if solved.value is not None:
        lines.append(f"  {verdict(solved.value, SIDES)}")
    if survey is not None:
        won, share = float(survey.first), percent(solved.first_wins)
        lines.append(f"  The first player wins {won:,.10g} of them ({share}).")
        if len(survey.margins) > 1:
            low, high = min(survey.margins), max(survey.margins)
            lines.append(f"  The first player's margin ranges from {low} to {high}.")
    if openings := best_openings(solved):
        start = solved.game.set_up(solved.setup)
        shown = [
            *(say_move(start, move) for move in openings[:MOST]),
            *(["..."] if openings[MOST:] else []),
        ]
        lines.append(f"  Best first moves ({len(openings)}): {', '.join(shown)}")
    lines.append(f"  {solved.positions:,} positions, {solved.seconds:.2f} s")
    return lines


def _data(solved: Solved) -> dict[str, object]:
    survey = solved.survey
    data: dict[str, object] = {"game": solved.game.slug, "setup": dict(solved.setup)}
    if solved.value is not None:
        data |= value_data(solved.value)
    data |= {"openings": [str(move) for move in solved.openings], "grids": survey.setups if survey else 1}
    if survey is not None:
        first = survey.first
        data["first"] = int(first) if first.denominator == 1 else str(first)
        data["margins"] = {str(margin): count for margin, count in survey.margins.items()}
    return data | {"positions": solved.positions, "seconds": round(solved.seconds, 3)}
