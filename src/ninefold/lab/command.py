"""`ninefold lab`: what is true of a game, and what would be if a rule were different."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game, Option
from ninefold.core.state import Setup
from ninefold.games import SLUGS, every_game, load
from ninefold.show.layout import table, wrap
from ninefold.show.progress import ProgressLine
from ninefold.spread import add_workers
from ninefold.store.files.settings import read_settings

if TYPE_CHECKING:  # numpy is needed only where something is computed
    from ninefold.lab.edits import Version

EPILOG = """\
Settings that are not given are averaged over, or have their default. See docs/lab.md.

examples:
  ninefold lab measure conquest
  ninefold lab measure shadow --target 15 --json
  ninefold lab claims cross
  ninefold lab edits conquest
  ninefold lab fair cross --workers 2
  ninefold lab report --out lab --workers 2
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True, title="verbs")

    def add(name: str, summary: str, *, game: bool = True) -> argparse.ArgumentParser:
        verb = verbs.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
        verb.add_argument(
            "--plain",
            action="store_true",
            default=argparse.SUPPRESS,  # it may stand before the verb
            help="for screen readers: progress as lines, nothing redrawn",
        )
        if game:
            verb.add_argument("game", metavar="GAME", help=f"one of {', '.join(SLUGS)}")
            verb.add_argument("--json", action="store_true", help="print one JSON object")
        return verb

    measure = add("measure", "measure a game: how fair, how long, how much depends on skill")
    for option in _every_option().values():
        measure.add_argument(f"--{option.name}", metavar=option.name.upper(), help=option.allowed)
    add("claims", "check what the rule book of a game claims")
    for name, summary in (
        ("edits", "solve what the game would be if a rule were different"),
        ("fair", "find the most even version of a game among its listed edits and pairs of them"),
    ):
        verb = add(name, summary)
        add_workers(verb)
        verb.add_argument(
            "--keep",
            type=Path,
            metavar="FOLDER",
            help="where to keep what is computed, so that the same command goes on after Ctrl-C",
        )
    report = add("report", "write pages with all that is known of the games", game=False)
    report.description = f"{report.description} Run it again to go on after Ctrl-C."
    report.add_argument("game", metavar="GAME", nargs="?", help="one game alone (all)")
    report.add_argument("--out", type=Path, metavar="FOLDER", required=True, help="where to write")
    report.add_argument(
        "--server",
        metavar="URL",
        default="http://127.0.0.1:8909",
        help="the server whose explorer shows positions (http://127.0.0.1:8909)",
    )
    add_workers(report)


def run(arguments: argparse.Namespace) -> int:
    arguments.plain = getattr(arguments, "plain", False) or read_settings().plain
    try:
        return int(VERBS[arguments.verb](arguments))
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise NinefoldError("ninefold lab needs numpy: pip install 'ninefold[lab]'") from None


def _measure(arguments: argparse.Namespace) -> int:
    from ninefold.lab.measures import MEANINGS, measure, say_measure

    game = load(arguments.game)
    setup = _read_setup(arguments, game)
    with ProgressLine(0.5, arguments.plain) as line:
        found = measure(
            game, setup, lambda share: line.show(f"Measuring {game.title} ... {100 * share:.0f}%")
        )
    if arguments.json:
        return print_json(found)
    print(f"{game.title}: {found['method']}, {found['seconds']} s")
    rows = [(name, say_measure(one), MEANINGS[name]) for name, one in found["measures"].items()]
    print_table(("MEASURE", "VALUE", "WHAT IT MEANS"), rows, arguments.plain)
    return 0


def _every_option() -> dict[str, Option]:
    return {option.name: option for game in every_game() for option in game.options}


def _read_setup(arguments: argparse.Namespace, game: Game) -> Setup:
    setup, known = {}, {option.name: option for option in game.options}
    for name in _every_option():
        if (given := getattr(arguments, name)) is not None:
            if name not in known:
                raise NinefoldError(f"{game.title} has no --{name}.")
            setup[name] = known[name].value(given)
    return setup


def print_json(found: object) -> int:
    print(json.dumps(found, indent=1))
    return 0


def screen_width() -> int | None:
    return get_terminal_size().columns if sys.stdout.isatty() else None


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]], plain: bool) -> None:
    print(*table(head, rows, screen_width(), plain=plain), sep="\n")


def _claims(arguments: argparse.Namespace) -> int:
    from ninefold.lab.claims import claims_of

    game = load(arguments.game)
    checked = []
    with ProgressLine(0.5, arguments.plain) as line:
        for at, one in enumerate(claims := claims_of(game.slug)):
            line.show(f"Checking {game.title} ... {100 * at // len(claims)}%")
            checked.append(one.to_data())
    if arguments.json:
        return print_json({"game": game.slug, "claims": checked})
    if not checked:
        print(f"{game.title} has no rule book.")
    for found in checked:
        said = f'{found["verdict"]}: "{found["quote"]}" (line {found["line"]}). {found["why"]}'
        print(*wrap(said, screen_width()), sep="\n")
        if witness := found.get("witness"):
            given = "".join(f" --{name} {value}" for name, value in witness["setup"].items())
            print(f'  ninefold analyze {game.slug}{given} --moves "{" ".join(witness["moves"])}"')
    return 0


def _find_versions(arguments: argparse.Namespace, pairs: bool) -> list[Version]:
    from ninefold.lab.jobs import do_jobs, find_versions, forget_jobs, version_jobs

    game = load(arguments.game)
    if not game.edits:
        raise NinefoldError(f"No edits of {game.title} are listed.")
    jobs = [job for job in version_jobs(game) if pairs or len(job.names) < 2]
    results = do_jobs(jobs, arguments.keep, arguments.workers, arguments.cluster, arguments.plain)
    versions = find_versions(game, jobs, results)
    forget_jobs(arguments.keep)
    return versions


def _edits(arguments: argparse.Namespace) -> int:
    from ninefold.lab.edits import pie_value, say_pie

    versions = _find_versions(arguments, pairs=False)
    pie = pie_value(versions[0].game)
    if arguments.json:
        return print_json({"versions": [one.to_data() for one in versions], "pie": str(pie)})
    print_versions(versions, arguments.plain)
    print(*wrap(say_pie(pie), screen_width()), sep="\n")
    return 0


def print_versions(versions: Sequence[Version], plain: bool) -> None:
    rows = []
    for one in versions:
        perfect = "not solved" if one.perfect is None else f"{float(one.perfect):.4f}"
        by_level = "" if one.distance is None else f"{'' if one.exact else 'about '}{one.distance:.4f}"
        rows.append((one.name, perfect, by_level, one.about))
    print_table(("VERSION", "PERFECT", "MEAN DISTANCE BY LEVEL", "RULE"), rows, plain)


def _fair(arguments: argparse.Namespace) -> int:
    from ninefold.lab.edits import certify, pick_fairest

    versions = _find_versions(arguments, pairs=True)
    best = pick_fairest(versions)
    if arguments.json:
        return print_json({"fairest": best.to_data(), "certificate": certify(versions)})
    print_versions([versions[0], best], arguments.plain)
    print(*wrap(certify(versions), screen_width()), sep="\n")
    return 0


def _report(arguments: argparse.Namespace) -> int:
    from ninefold.lab.jobs import do_jobs, forget_jobs
    from ninefold.lab.page import report_jobs, write_report

    games = [load(arguments.game)] if arguments.game else [*every_game()]
    folder, where = arguments.out, (arguments.workers, arguments.cluster, arguments.plain)
    results = do_jobs(report_jobs(games), folder, *where)
    print("Written:", *write_report(games, results, folder, arguments.server.rstrip("/")))
    forget_jobs(folder)
    return 0


VERBS = {"report": _report, "measure": _measure, "claims": _claims, "edits": _edits, "fair": _fair}
