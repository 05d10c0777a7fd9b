"""`ninefold review ID|FILE`: a match move by move, with what was best and where it was lost."""

from __future__ import annotations

import argparse
import json
from contextlib import suppress

from ninefold.analysis import Result, Value
from ninefold.analysis.advice import percent, verdict
from ninefold.analysis.data import review_data
from ninefold.analysis.review import Judged, Mark, Review
from ninefold.cli import add_screen_options
from ninefold.cli.asking import agreed
from ninefold.cli.console import Console, EndOfInput, columns, console_for, show_progress
from ninefold.cli.replay import add_match, named_match
from ninefold.core.errors import NinefoldError
from ninefold.core.script import Cast
from ninefold.core.seat import Seat
from ninefold.match import Match
from ninefold.match.telling import accuracy, cast_of, reviewed, undecided

EPILOG = """\
Each move is shown with what it threw away. In a secret choice a number is judged against a perfect
opponent; what the numbers made of each other is luck, and shown apart. At a terminal you are asked first
whether you want to find a better move than the one that lost the game.

examples:
  ninefold review k7f2q
  ninefold review match.json --json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    add_match(parser)
    parser.add_argument("--json", action="store_true", help="as one JSON object")
    add_screen_options(parser)


def run(arguments: argparse.Namespace) -> int:
    match = named_match(arguments.match)
    show_progress()
    found = reviewed(match)
    if arguments.json:
        print(json.dumps(_data(match, found), indent=1, ensure_ascii=False))
        return 0
    console = console_for(arguments)
    cast = cast_of(match, console.painter(match.players[0].seat))
    first, second = match.players
    console.say(f"{match.game.title}: {first.name} against {second.name}", "")
    if console.interactive and found.deciding is not None:
        with suppress(EndOfInput):
            _find_the_better_move(console, match, cast, found.deciding)
    console.say(*_lines(match, found, cast))
    return 0


def _lines(match: Match, found: Review, cast: Cast) -> list[str]:
    names = (cast.name(Seat.FIRST), cast.name(Seat.SECOND))
    lines = [f"At the start: {verdict(found.values[0], names)}", ""]
    head = ("", "PLAYER", "MOVE", "THEN", "", "BEST")
    lines += columns([head, *(_row(one, match) for one in found.moves)])
    if any(value.plies for value in found.values[1:]):
        lines.append("(wins in 4: with the fourth move after this one, both players' counted)")
    lines += ["", *_chart(match, found), ""]
    for player in match.players:
        lines.append(f"Accuracy of {player.name}: {accuracy(found, player.seat)}")
    if found.deciding is not None:
        one = found.deciding
        lines += ["", f"Decided by move {one.number}: {match.player(one.seat).name} {one.move}"]
        lines[-1] += f" {one.mark}. Better: {_some(one.best)}."
    elif match.outcome is not None:
        lines += ["", undecided(match, found)]
    return lines


def _row(one: Judged, match: Match) -> tuple[str, ...]:
    remark = str(one.mark)
    if one.mark in (Mark.CHANCE, Mark.GIVES_AWAY) and one.cost != 1:
        remark += f" ({percent(one.cost)})"
    if one.luck:
        lucky = match.player(Seat.FIRST if one.luck > 0 else Seat.SECOND).name
        remark += f"{'; ' if remark else ''}luck: {percent(abs(one.luck))} for {lucky}"
    best = "" if one.mark is Mark.NONE else _some(one.best)
    return (str(one.number), match.player(one.seat).name, one.move, _then(one.after, match), remark, best)


def _then(value: Value, match: Match) -> str:
    match value.result:
        case Result.ENDLESS:
            return "endless"
        case Result.MIXED:
            assert value.first_wins is not None
            return f"{match.player(Seat.FIRST).name} wins {percent(value.first_wins)}"
        case result:
            winner = match.player(Seat.FIRST if result is Result.FIRST else Seat.SECOND).name
            return f"{winner} won" if value.plies == 0 else f"{winner} wins in {value.plies}"


def _some(moves: tuple[str, ...]) -> str:
    shown = " ".join(moves[:3])
    return f"{shown} and more" if len(moves) > 3 else shown


def _chart(match: Match, found: Review) -> list[str]:
    """Who was winning, from the start to the end: a row a player, a column a position."""
    width = max(len(player.name) for player in match.players)
    rows = []
    for player in match.players:
        marks = "".join(_column(value, player.seat) for value in found.values)
        rows.append(f"{player.name.ljust(width)}  {marks}")
    return [*rows, "(# winning, . losing, 1 to 9 tenths of the chances, ~ endless; a column a position)"]


def _column(value: Value, seat: Seat) -> str:
    if value.first_wins is None:
        return "~"
    chance = 1 - value.first_wins if seat else value.first_wins
    if chance in (0, 1):
        return "#" if chance else "."
    return str(min(9, max(1, round(chance * 10))))


def _data(match: Match, found: Review) -> dict[str, object]:
    return {
        "game": match.game.slug,
        "setup": dict(match.state.setup),
        "players": {str(player.seat): player.name for player in match.players},
        **review_data(found),
    }


def _find_the_better_move(console: Console, match: Match, cast: Cast, one: Judged) -> None:
    """Offer the deciding position as a puzzle. Raises EndOfInput."""
    question = f"Look at move {one.number} again and find the better move? [y/N] "
    if not agreed(console, question, "Type y to look for it first, or n to see the review."):
        console.say("")
        return
    state = match.states[one.number - 1]
    console.say("", *match.game.script.board(state.view(one.seat), cast), "")
    console.say(f"{cast.name(one.seat)} played {one.move}. What is better?")
    while typed := console.ask("Your move, or just Enter to see it: ").strip():
        try:
            move = match.game.parse(typed)
            state.play(move, one.seat)
        except NinefoldError as error:
            console.say(str(error), f"Type a whole move, like {one.move}, which was played.")
            continue
        if str(move) in one.best:
            console.say("Yes, that is it.", "")
            return
        console.say("No, there is better.")
    console.say(f"It was {_some(one.best)}.", "")
