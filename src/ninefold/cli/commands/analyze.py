"""`ninefold analyze GAME`: show the exact value of a position and of every move in it."""

from __future__ import annotations

import argparse
import json
from typing import Any

from ninefold.analysis import Choice, Evaluation, evaluate
from ninefold.cli.arguments import add_game, add_setup, make_rng, read_setup, usage_errors
from ninefold.cli.console import console_for, show_progress
from ninefold.core.cast import Cast
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.show.board_text import write_board
from ninefold.show.moves import capitalize
from ninefold.show.scene import scene_of
from ninefold.show.solutions import BRIEF, SIDES
from ninefold.show.values import percent, standing, verdict
from ninefold.study.data import evaluation_data, position_data

EPILOG = """\
Write the moves in order, separated by spaces: `5@1,1 7@1,2`. Where both players choose in secret, the
challenger's number comes first.

examples:
  ninefold analyze shadow --target 15 --moves "5@1,1 7@1,2"
  ninefold analyze conquest --moves "claim:5 challenge:5" --json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    add_game(parser)
    parser.add_argument("--moves", metavar="TEXT", default="", help="the moves that led to the position")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_setup(parser)


def run(arguments: argparse.Namespace) -> int:
    game = arguments.game
    moves = arguments.moves.split()
    with usage_errors():
        start = game.set_up(read_setup(arguments, game), make_rng(arguments))
        state = game.sequence(start, moves)
    show_progress()
    found = evaluate(state)
    if arguments.json:
        print(json.dumps({**position_data(state, moves), **evaluation_data(found)}, indent=1))
    else:
        _print(arguments, state, found)
    return 0


def _print(arguments: argparse.Namespace, state: State[Any], found: Evaluation) -> None:
    console = console_for(arguments)
    cast = Cast(("First", "Second"))
    viewer = (*state.movers, Seat.FIRST)[0]
    console.say(*write_board(scene_of([state], [], viewer, cast), console.screen), "")
    console.say(capitalize(verdict(found.value, SIDES)))
    if found.choices:
        head = ("", "SEAT", "MOVE", "THEN", "IN", "MARGIN", "SHARE")
        console.say("")
        console.say_table(head, [_row(choice) for choice in found.choices])
    if any(choice.value.plies is not None for choice in found.choices):
        console.say("(IN counts both players' moves, including this one.)")


def _row(choice: Choice) -> tuple[str, ...]:
    value = choice.value
    return (
        "*" if choice.best else "",
        str(choice.seat),
        str(choice.move),
        standing(value, BRIEF),
        "" if value.plies is None else str(value.plies + 1),
        "" if value.margin is None else str(value.margin),
        "" if choice.mix is None else percent(choice.mix),
    )
