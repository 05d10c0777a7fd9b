"""`ninefold review MATCH`: go over a match: your mistakes, every turn, and the move that lost it."""

from __future__ import annotations

import argparse
import json

from ninefold.cli.console import console_for, show_progress
from ninefold.cli.picking import add_match, choose_name, find_to_review
from ninefold.cli.reviewing import review
from ninefold.match import Match
from ninefold.study.data import review_data
from ninefold.study.reviews import Review, review_match

EPILOG = """\
Your mistakes come first, each with the board before it; at a terminal, you can try to find the better
move yourself. Then every turn is listed with what it gave away. A secret number is judged against a
perfect opponent; how the two numbers met is luck, and is shown as luck.

examples:
  ninefold review                choose from a list, the last match first
  ninefold review k7f2q
  ninefold review match.json --json
  ninefold review http://127.0.0.1:8909/m/tbG7KYAnrqF7
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    add_match(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    console = console_for(arguments)
    name = choose_name(console, arguments.match)
    if name is None:
        return 0
    match, you = find_to_review(name)
    if arguments.json:
        show_progress()
        print(json.dumps(_data(match, review_match(match)), indent=1, ensure_ascii=False))
        return 0
    review(console, match, you)
    return 0


def _data(match: Match, found: Review) -> dict[str, object]:
    return {
        "game": match.game.slug,
        "setup": dict(match.state.setup),
        "players": {str(player.seat): player.name for player in match.players},
        **review_data(found),
    }
