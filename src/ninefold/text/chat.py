"""`ninefold chat MODEL`: a model as a player, a program that speaks the documented protocol.

It reads one request per line and answers each with a move, as docs/players.md explains. Any match can
seat it: `chat:MODEL` as the name of a player runs this command.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ninefold.core.errors import NinefoldError
from ninefold.core.seat import Seat
from ninefold.match import Match, Record
from ninefold.players import CHAT_SECONDS, Failure, PlayerFailed
from ninefold.text.endpoint import ADDRESS, KEY, Endpoint
from ninefold.text.episode import TextEpisode
from ninefold.text.prompt import BOARDS, RULES, TextTask
from ninefold.text.reading import find_answer

SHARE = 0.95  # of the time for a move; the rest is for the way back
EPILOG = f"""\
The endpoint's address comes from {ADDRESS}, its key from {KEY}. To seat a model, name it as
a player; options of this command may follow the model's name:

examples:
  ninefold chat MODEL --list < requests.jsonl
  ninefold play shadow --p2 chat:MODEL
  ninefold play cross --p2 "chat@120:MODEL --temperature 0.5 --list"
  ninefold join http://127.0.0.1:8909/m/tbG7KYAnrqF7 --player chat:MODEL
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("model", metavar="MODEL", help="the model's name at the endpoint")
    parser.add_argument("--list", action="store_true", help="list the legal moves")
    add_temperature(parser)
    add_task(parser, retries=1)


def read_count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        raise argparse.ArgumentTypeError(f"it must be a number from 0 on, not {text!r}")
    return int(text)


def read_amount(text: str) -> float:
    """Like `read_count`, perhaps with decimals."""
    read_count(text.replace(".", "", 1))
    return float(text)


def add_temperature(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--temperature", type=read_amount, metavar="T", help="sent to the endpoint if given"
    )


def add_task(parser: argparse.ArgumentParser, retries: int) -> None:
    """Add the options that say what a model is told, besides the list of moves."""
    parser.add_argument("--rules", choices=RULES, default="short", help="without or with rulings (short)")
    parser.add_argument("--board", choices=BOARDS, default="drawn", help="how to show it (drawn)")
    parser.add_argument(
        "--retries",
        type=read_count,
        default=retries,
        metavar="N",
        help=f"how often an answer that fails is sent back with the reason ({retries})",
    )


def run(arguments: argparse.Namespace) -> int:
    endpoint = Endpoint.from_environment(arguments.model, arguments.temperature)
    task = TextTask(arguments.list, arguments.rules, arguments.board, arguments.retries)
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["record"] is None:
            raise NinefoldError("A chat player needs the record of the match.")
        seat, seconds = Seat.named(asked["seat"]) or Seat.FIRST, asked.get("seconds", CHAT_SECONDS)
        episode = episode_at(asked["record"], seat, task)
        ask_model(episode, endpoint, seconds * SHARE)
        if episode.failure is Failure.LATE:
            continue  # whoever asked has stopped waiting, or soon will
        said = None if episode.failure is Failure.RESIGNED else str(episode.move or episode.why)
        if episode.failure is Failure.ILLEGAL:
            said = str(find_answer(episode.state, seat, episode.answers[-1]))
        print(json.dumps({"id": asked["id"], "move": said}), flush=True)
    return 0


def episode_at(record: Mapping[str, Any], seat: Seat, task: TextTask) -> TextEpisode:
    """The decision that a seat has to make in a match, from the record that it may see."""
    match = Match.of(Record.from_json(json.dumps(record)))
    return TextEpisode(match.states, match.played, seat, task)


@dataclass(frozen=True, slots=True)
class Spent:
    """What the answers to one decision took."""

    tokens: tuple[int, int] = (0, 0)  # of the prompts and of the answers
    seconds: float = 0.0  # of the model alone


def ask_model(episode: TextEpisode, endpoint: Endpoint, seconds: float) -> Spent:
    """Ask a model until the episode is done; it has so many seconds in all. Raises EndpointError."""
    tokens, taken = (0, 0), 0.0
    while not episode.done:
        try:
            reply = endpoint.ask(episode.messages, seconds - taken)
        except PlayerFailed as error:
            if error.failure is Failure.LATE:
                taken = seconds
                error = PlayerFailed(
                    f"The model did not answer within {seconds:g} seconds.", Failure.LATE
                )
            episode.hear("", error)
        else:
            tokens = tokens[0] + reply.tokens[0], tokens[1] + reply.tokens[1]
            taken += reply.seconds
            episode.hear(reply.text)
    return Spent(tokens, taken)
