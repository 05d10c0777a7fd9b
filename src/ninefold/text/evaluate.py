"""`ninefold evaluate`: measure a player by exact values, in single positions and in whole games."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from shutil import get_terminal_size
from typing import NoReturn

from ninefold.core.errors import NinefoldError
from ninefold.core.words import pluralize
from ninefold.players import CHAT_SECONDS, SECONDS, kind, seat_player
from ninefold.show.layout import table
from ninefold.show.progress import ProgressLine
from ninefold.spread import add_workers
from ninefold.store.files.lines import read_lines
from ninefold.store.files.matches import data_folder
from ninefold.store.files.settings import read_settings
from ninefold.text import runs
from ninefold.text.chat import add_task, add_temperature, read_amount, read_count
from ninefold.text.endpoint import Endpoint
from ninefold.text.ours import ask_ours, play_ours
from ninefold.text.prompt import TextTask
from ninefold.text.report import RunReport, compare, set_name
from ninefold.text.twins import TWINS, Twin

EPILOG = """\
Every answer is kept in a file, so after Ctrl-C the same command goes on where it stopped. See
docs/models.md.

examples:
  ninefold evaluate --player chat:MODEL --positions 30
  ninefold evaluate --player level:5 --games shadow cross --json
  ninefold evaluate --player chat:MODEL --twins turned neutral --list both --html report.html
  ninefold evaluate --player chat:MODEL --positions 0 --pairs 10 --against level:3
  ninefold evaluate --show one.jsonl other.jsonl
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument(
        "--player", metavar="PLAYER", type=_player, help="chat:MODEL, program:COMMAND, or one of ours"
    )
    runs.add_sets(parser)
    parser.add_argument(
        "--twins",
        nargs="+",
        choices=[*map(str, TWINS)],
        default=[],
        help="ask each position again as a twin: turned, renumbered, or without the game's name",
    )
    parser.add_argument(
        "--list", choices=("off", "on", "both"), default="off", help="list the legal moves (off)"
    )
    add_task(parser, retries=0)
    add_temperature(parser)
    parser.add_argument(
        "--seconds",
        type=read_amount,
        metavar="S",
        help=f"for a decision of a model ({CHAT_SECONDS:g}) or of a program ({SECONDS:g})",
    )
    parser.add_argument(
        "--parallel", type=read_count, default=4, metavar="N", help="requests at once (4)"
    )
    add_workers(parser)
    parser.add_argument(
        "--pairs",
        type=read_count,
        default=0,
        metavar="N",
        help="also play N deals per game in both seats",
    )
    parser.add_argument(
        "--against", metavar="PLAYER", type=_player, default="perfect", help="the opponent (perfect)"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="where the answers are kept")
    parser.add_argument(
        "--show", nargs="+", type=Path, metavar="FILE", help="report on kept answers, asking nobody"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write the report as a page, too")


def _player(text: str) -> str:
    try:
        return kind(text)
    except NinefoldError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def run(arguments: argparse.Namespace) -> int:
    if arguments.show:
        found = [one for path in arguments.show for one in _read_reports(path)]
    elif arguments.player is None:
        raise NinefoldError("Name the player to measure: --player chat:MODEL, or one of ours.")
    else:
        found = [_evaluate(arguments)]
    _print(found, arguments)
    return 0


def _read_reports(path: Path) -> list[RunReport]:
    """The reports in a file: one for each player and each set."""
    found = []
    lines = {runs.identity(line): line for line in read_lines(path) if "player" in line}.values()
    for player in dict.fromkeys(line["player"] for line in lines):
        theirs = [line for line in lines if line["player"] == player]
        sets = dict.fromkeys(set_name(line) for line in theirs if line["kind"] == "position")
        for name in sets or [""]:
            kept = [one for one in theirs if one["kind"] != "position" or set_name(one) == name]
            found.append(RunReport(player, kept))
    if not found:
        raise NinefoldError(f"{path} holds no answers.")
    return found


def _print(found: list[RunReport], arguments: argparse.Namespace) -> None:
    if arguments.html is not None:
        from ninefold.text.page import write_page

        arguments.html.write_text(write_page(found), encoding="utf-8")
    if arguments.json:
        data = [one.data() for one in found]
        print(json.dumps(data[0] if len(data) == 1 else data))
        return
    width = get_terminal_size().columns if sys.stdout.isatty() else None
    print("\n\n".join(one.text(width) for one in found))
    if len(found) == 2:
        for title, head, rows in compare(*found):
            print("", title, *table(head, rows, width), sep="\n")


def _evaluate(arguments: argparse.Namespace) -> RunReport:
    """Ask the player what has not been asked yet, and report."""
    slugs = runs.read_games(arguments)
    own, against = _seating(arguments.player, arguments), _seating(arguments.against, arguments)
    where = arguments.workers, arguments.cluster
    if where != (1, "") and not (own.ours and (against.ours or not arguments.pairs)):
        raise NinefoldError(
            "--workers and --cluster are for players of ours; for others, use --parallel."
        )
    lists = {"off": (False,), "on": (True,), "both": (False, True)}[arguments.list]
    tasks = [TextTask(listed, arguments.rules, arguments.board, arguments.retries) for listed in lists]
    twins = [Twin(one) for one in dict.fromkeys(arguments.twins)]
    asked = [*runs.questions(slugs, arguments.positions, arguments.seed, tasks, twins)]
    contests = [runs.Pairs(slugs, arguments.pairs, against.name, arguments.seed, task) for task in tasks]
    path = arguments.out or (None if own.ours and against.ours else _default_path(own.name))
    with runs.open_run(path) as file:
        saved = runs.Saved(file, own.name)
        wanted = [question.key for question in asked]
        wanted += [pairs.key(*one) for pairs in contests for one in pairs.numbers()]
        done = sum(saved.find(key) is not None for key in wanted)
        plain = getattr(arguments, "plain", False) or read_settings().plain
        progress = _Progress(saved, len(wanted), done, ProgressLine(1, plain))
        try:
            parallel = max(1, arguments.parallel)
            if own.ours:
                ask_ours(own.name, asked, saved, progress.tell, *where)
            else:
                runs.ask_all(asked, own.seat, saved, parallel, progress.tell)
            for pairs in contests if arguments.pairs else ():
                if own.ours and against.ours:
                    play_ours(pairs, (own.name, against.name), saved, progress.tell, *where)
                else:
                    files = (saved, runs.Saved(file, against.name))
                    runs.play_all(pairs, (own.seat, against.seat), files, parallel, progress.tell)
        except (KeyboardInterrupt, NinefoldError):
            progress.stop()
            raise
        progress.end()
        decisions = [line for line in saved.lines if line["kind"] == "decision"]
        return RunReport(own.name, [*filter(None, map(saved.find, wanted)), *decisions])


def _default_path(player: str) -> Path:
    short = re.sub(r"[^\w.-]+", "-", player)[:40].strip("-")
    return data_folder() / "evaluations" / f"{short}-{sha256(player.encode()).hexdigest()[:8]}.jsonl"


@dataclass(frozen=True, slots=True)
class _Seating:
    name: str  # all that has to be known of the player, as the lines have it
    ours: bool
    seat: Callable[[], runs.Asked]


def _seating(player: str, arguments: argparse.Namespace) -> _Seating:
    """The player by its name in the lines, and how to seat it. Raises NinefoldError."""
    name, _, rest = player.partition(":")
    what, _, timed = name.partition("@")
    if arguments.seconds is not None and what in ("program", "chat"):
        timed = f"{arguments.seconds:g}"
        player = kind(f"{what}@{timed}:{rest}")
    if what != "chat":
        if seat_player(player, Random()) is None:
            raise NinefoldError("A person cannot be measured here: name a computer player.")

        def seat() -> runs.Asked:
            chooser = seat_player(player, Random(0))
            assert chooser is not None
            return runs.Named(chooser)

        return _Seating(player, what != "program", seat)
    options = _Options(prog=player)
    options.add_argument("model")
    add_temperature(options)
    options.set_defaults(temperature=arguments.temperature)
    try:
        words = shlex.split(rest)
    except ValueError as error:
        raise NinefoldError(f"{player}: {error}.") from None
    given = options.parse_args(words)
    seconds = float(timed or CHAT_SECONDS)
    endpoint = Endpoint.from_environment(given.model, given.temperature)
    shown = [f"chat@{seconds:g}:{given.model}"]
    if seconds == CHAT_SECONDS:
        shown = [f"chat:{given.model}"]
    if given.temperature is not None:
        shown.append(f"--temperature {given.temperature:g}")
    return _Seating(" ".join(shown), False, lambda: runs.Model(endpoint, seconds))


class _Options(argparse.ArgumentParser):
    """The options after a model's name. What a model is told is an option of the command itself."""

    def error(self, message: str) -> NoReturn:
        raise NinefoldError(
            f"{self.prog}: {message}. Here, only --temperature may follow a model's name."
        )


class _Progress:
    """Says on standard error how far a run is, once a second, and where its answers are."""

    def __init__(self, saved: runs.Saved, total: int, done: int, line: ProgressLine) -> None:
        self.saved, self.total, self.done, self._line = saved, total, done, line

    def tell(self) -> None:
        self.done += 1
        if self._line.due:  # counting the tokens takes time
            self._line.show(f"{self.done} of {self.total} done, {self._tokens()}")

    def _tokens(self) -> str:
        return f"{RunReport('', self.saved.lines).tokens:,} tokens"

    def stop(self) -> None:
        """Say what is kept of a run that is interrupted."""
        if self.saved.path is not None:
            kept = pluralize(len(self.saved.lines), "answer")
            again = "Run the same command again to go on."
            print(f"\n{kept} ({self._tokens()}) in {self.saved.path}. {again}", file=sys.stderr)

    def end(self) -> None:
        self._line.clear()
        if self.saved.path is not None:
            print(f"{self._tokens()}; the answers are in {self.saved.path}", file=sys.stderr)
