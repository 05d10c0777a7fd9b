"""`ninefold review ID|FILE`: a match move by move, with what was best and where it was lost."""

from __future__ import annotations

import argparse
import json
from contextlib import suppress

from ninefold.analysis import Value
from ninefold.cli import add_screen_options
from ninefold.cli.asking import agreed
from ninefold.cli.console import Console, EndOfInput, columns, console_for, show_progress
from ninefold.cli.replay import add_match, named_match
from ninefold.core.cast import Cast
from ninefold.core.errors import NinefoldError
from ninefold.core.seat import Seat
from ninefold.match import Match
from ninefold.show.moves import capitalize, cast_of, say_move
from ninefold.show.reviews import accuracy, ask_better_move, better_moves, decided_by, remark, undecided
from ninefold.show.talk import own_voice
from ninefold.show.values import outlook, verdict
from ninefold.study.data import review_data
from ninefold.study.reviews import Judged, Mark, Review, review_match

EPILOG = """\
Each move is shown with what it gave away. A secret number is judged against a perfect opponent; how
the two numbers met is luck, and is shown as luck. At a terminal, you can first try to find a better
move than the one that lost the game.

examples:
  ninefold review k7f2q
  ninefold review match.json --json
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    add_match(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_screen_options(parser)


def run(arguments: argparse.Namespace) -> int:
    match = named_match(arguments.match)
    show_progress()
    found = review_match(match)
    if arguments.json:
        print(json.dumps(_data(match, found), indent=1, ensure_ascii=False))
        return 0
    console = console_for(arguments)
    cast = cast_of(match, paint=console.painter(match.players[0].seat))
    first, second = match.players
    console.say(f"{match.game.title}: {first.name} against {second.name}", "")
    if console.interactive and found.deciding is not None:
        with suppress(EndOfInput):
            _find_the_better_move(console, match, cast, found.deciding)
    console.say(*_lines(match, found, cast))
    return 0


def _lines(match: Match, found: Review, cast: Cast) -> list[str]:
    lines = [f"At the start: {_lower(verdict(found.values[0], cast))}", ""]
    head = ("", "PLAYER", "MOVE", "THEN", "", "BETTER")
    lines += columns([head, *(_row(one, match, cast) for one in found.moves)])
    lines += ["", *_chart(match, found), ""]
    for seat in cast.players:
        lines.append(f"{cast.subject_whose(seat)} accuracy: {accuracy(found, seat)}")
    if found.deciding is not None:
        lines += ["", decided_by(match, found.deciding, cast)]
    elif match.over:
        lines += ["", undecided(match, found, cast)]
    return lines


def _lower(sentence: str) -> str:
    """A sentence of ours that goes on after a colon; a name keeps its letters."""
    return sentence[0].lower() + sentence[1:] if sentence.startswith("With") else sentence


def _row(one: Judged, match: Match, cast: Cast) -> tuple[str, ...]:
    return (
        str(one.number),
        match.player(one.seat).name,
        say_move(match.states[one.number - 1], one.move),
        outlook(one.after, cast),
        remark(one, cast),
        "" if one.mark is Mark.NONE else better_moves(match, one),
    )


def _chart(match: Match, found: Review) -> list[str]:
    """Who was winning, from the start to the end: a row a player, a column a position."""
    width = max(len(player.name) for player in match.players)
    rows = []
    for player in match.players:
        marks = "".join(_column(value, player.seat) for value in found.values)
        rows.append(f"{player.name.ljust(width)}  {marks}")
    return [
        *rows,
        "(A column per position: # winning, . losing, 1 to 9 chances in ten, ~ endless.)",
    ]


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
    question = f"Go back to move {one.number} and find a better one? [y/N] "
    if not agreed(console, question, "Type y to look for it, or n to see the review."):
        console.say("")
        return
    state = match.states[one.number - 1]
    console.say("", *own_voice(match.game).board(state.view(one.seat), cast), "")
    console.say(ask_better_move(match, one, cast))
    while typed := console.ask("Your move, or press Enter to see the answer: ").strip():
        try:
            move = match.game.parse(typed)
            state.play(move, one.seat)
        except NinefoldError as error:
            console.say(str(error), f"Type a whole move, like {one.move}, the one that was played.")
            continue
        said = say_move(state, str(move))
        if str(move) in one.keeps:
            console.say(f"Yes: {said}.", "")
            return
        console.say(f"{capitalize(said)} isn't the move. Try again.")
    console.say(f"Best: {better_moves(match, one)}.", "")
