"""`ninefold arena`: contests between players and programs."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ninefold.core.errors import NinefoldError
from ninefold.games import SLUGS, every_game, load, say_slugs
from ninefold.spread import add_workers
from ninefold.store.files.settings import read_settings

EPILOG = """\
Players are random, greedy, level:1 to level:9, sight:1 to sight:9, perfect and program:COMMAND; give one
a name of its own with NAME=PLAYER. Every deal and opening is played twice, with the seats swapped. Run
the same command again to go on with a contest that was stopped. See docs/arena.md.

examples:
  ninefold arena run --players perfect,level:5,mine=program:./mine --games shadow,conquest --out contest
  ninefold arena report contest
  ninefold arena exact level:5 level:4 conquest
  ninefold arena test mine=program:./mine level:5 --games battle --elo 0,20 --out test
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True, title="verbs")

    def add(name: str, summary: str) -> argparse.ArgumentParser:
        verb = verbs.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
        verb.add_argument(
            "--plain",
            action="store_true",
            default=argparse.SUPPRESS,  # it may stand before the verb
            help="for screen readers: progress as lines, nothing redrawn",
        )
        return verb

    run = add("run", "play a contest, or go on with it")
    run.add_argument(
        "plan", metavar="PLAN", nargs="?", help="a file with the plan: TOML, or a contest's plan.json"
    )
    run.add_argument("--players", metavar="LIST", help="players, separated by commas")
    run.add_argument("--gauntlet", metavar="NAME", help="the player who meets all others")
    _add_plan_options(run)
    test = add("test", "play pairs until it is settled whether A is better than B")
    test.add_argument("players", metavar="A B", nargs="*", help="two players")
    test.add_argument(
        "--elo",
        type=_elo,
        default=(0.0, 20.0),
        metavar="LOW,HIGH",
        help="the two values of normalized Elo to decide between (0,20)",
    )
    test.add_argument(
        "--counts",
        type=_counts,
        metavar="N,N,N,N,N",
        help="calculate from pairs that scored 0, 1/4, 1/2, 3/4 and 1 instead of playing",
    )
    test.add_argument("--json", action="store_true", help="print one JSON object")
    _add_plan_options(test)
    exact = add("exact", "compute the exact score of one player of ours against another")
    for name, letter in (("one", "A"), ("other", "B")):
        exact.add_argument(name, metavar=letter, help="a player of ours")
    exact.add_argument("game", metavar="GAME", help=f"one of {say_slugs()}")
    for option in {option.name: option for game in every_game() for option in game.options}.values():
        exact.add_argument(f"--{option.name}", metavar=option.name.upper(), help=option.allowed)
    exact.add_argument(
        "--pairs",
        type=int,
        default=2000,
        metavar="N",
        help="pairs to play where it is too large to compute (2000)",
    )
    exact.add_argument("--json", action="store_true", help="print one JSON object")
    report = add("report", "print the table of a contest, and write it as a page, JSON and CSV")
    report.add_argument("folder", metavar="FOLDER", type=Path)
    report.add_argument(
        "--anchor", metavar="NAME", default="", help="the player whose rating is 1500 (the plan's first)"
    )
    report.add_argument("--pick", metavar="NAME", default="", help="the player to pick out in the plots")
    report.add_argument(
        "--server",
        metavar="URL",
        default="http://127.0.0.1:8909",
        help="the server whose explorer replays games (http://127.0.0.1:8909)",
    )
    report.add_argument("--sampled", action="store_true", help="compute no exact scores")
    report.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    add_workers(report)
    game = add("game", "print the record of one game of a contest, for `ninefold replay`")
    game.add_argument("folder", metavar="FOLDER", type=Path)
    for name in ("game", "one", "other"):
        game.add_argument(name, metavar=name.upper())
    game.add_argument("pair", metavar="PAIR", type=int)
    game.add_argument("--swapped", action="store_true", help="the pair's second game")


def _add_plan_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", metavar="LIST", help="games, as in shadow:target=15,conquest (all)")
    parser.add_argument("--pairs", type=int, metavar="N", help="pairs of each two players in each game")
    parser.add_argument("--seed", type=int, metavar="N", help="decides everything that is drawn (0)")
    parser.add_argument(
        "--opening", type=int, metavar="N", help="random turns that each pair begins with"
    )
    parser.add_argument("--memory", type=int, metavar="MB", help="memory for each process of a program")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where the contest is kept")
    add_workers(parser)


def _numbers(text: str, count: int) -> list[float]:
    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        found = []
    if len(found) != count:
        raise argparse.ArgumentTypeError(f"it must be {count} numbers, separated by commas, not {text!r}")
    return found


def _elo(text: str) -> tuple[float, float]:
    low, high = _numbers(text, 2)
    if low >= high:
        raise argparse.ArgumentTypeError("the second number must be larger than the first")
    return low, high


def _counts(text: str) -> list[float]:
    found = _numbers(text, 5)
    if min(found) < 0 or not sum(found):
        raise argparse.ArgumentTypeError("counts cannot be negative, nor all of them 0")
    return found


def run(arguments: argparse.Namespace) -> int:
    arguments.plain = getattr(arguments, "plain", False) or read_settings().plain
    try:
        return int(VERBS[arguments.verb](arguments))
    except ModuleNotFoundError as error:
        if error.name not in ("numpy", "scipy"):
            raise
        print(f"ninefold arena needs {error.name}: pip install 'ninefold[lab]'", file=sys.stderr)
        return 1


def _plan(arguments: argparse.Namespace, players: list[str], **more: Any) -> Any:
    from ninefold.arena.plan import Plan

    given = {name: getattr(arguments, name) for name in ("pairs", "seed", "opening", "memory")}
    games = arguments.games.split(",") if arguments.games else [*SLUGS]
    given = {name: value for name, value in given.items() if value is not None}
    return Plan.of({"players": players, "games": games, **given, **more})


def _run(arguments: argparse.Namespace) -> int:
    from ninefold.arena.plan import Plan
    from ninefold.arena.run import run_contest

    if (arguments.plan is None) == (arguments.players is None):
        raise NinefoldError("Give a plan, or --players.")
    if arguments.plan is not None:
        plan = Plan.read(Path(arguments.plan))
        out = arguments.out or Path(arguments.plan).with_suffix("")
    else:
        gauntlet = {"gauntlet": arguments.gauntlet} if arguments.gauntlet else {}
        plan, out = _plan(arguments, arguments.players.split(","), **gauntlet), arguments.out
    if out is None:
        raise NinefoldError("Say where to keep the contest: --out FOLDER.")
    contest = run_contest(plan, out, arguments.workers, arguments.cluster, plain=arguments.plain)
    print(*contest.table(), sep="\n")
    if not contest.over:
        print(
            f"{len(contest.done):,} of {plan.total:,} pairs are kept in {out}. "
            "Run the same command again to go on."
        )
        return 130
    print(f"All {plan.total:,} pairs are in {out}. Next: ninefold arena report {out}")
    return 0


def _test(arguments: argparse.Namespace) -> int:
    from ninefold.arena.sequential import decide, log_likelihood_ratio

    if arguments.counts is not None:
        ratio = log_likelihood_ratio(arguments.counts, arguments.elo)
        return _say_test({"llr": ratio, "decision": decide(ratio)}, arguments, ["A", "B"])
    from ninefold.arena.run import run_contest

    if len(arguments.players) != 2:
        raise NinefoldError("A test is between two players: name both, or give --counts.")
    arguments.pairs = arguments.pairs or 100_000
    plan = _plan(arguments, arguments.players, elo=arguments.elo)
    with TemporaryDirectory() as folder:
        out = arguments.out or Path(folder)
        contest = run_contest(plan, out, arguments.workers, arguments.cluster, plain=arguments.plain)
    assert contest.test is not None
    _say_test(contest.test.to_data(), arguments, [*plan.players])
    if contest.over:
        return 0
    if arguments.out:
        print(f"Run the same command again to go on with {arguments.out}.", file=sys.stderr)
    return 130


def _say_test(data: dict[str, Any], arguments: argparse.Namespace, names: list[str]) -> int:
    if arguments.json:
        print(json.dumps(data))
        return 0
    (low, high), (one, other) = arguments.elo, names
    said = {
        "H1": f"{one} is better than {other} by about {high:g} normalized Elo, or by more.",
        "H0": f"{one} is not better than {other} by more than about {low:g} normalized Elo.",
        "continue": "It is not decided yet.",
    }[data["decision"]]
    pairs = f" after {data['pairs']:,} pairs" if "pairs" in data else ""
    print(f"{said} The log-likelihood ratio is {data['llr']:.2f}{pairs}.")
    return 0


def _exact(arguments: argparse.Namespace) -> int:
    from ninefold.arena.exact import find_score

    game = load(arguments.game)
    setup = {o.name: o.value(given) for o in game.options if (given := getattr(arguments, o.name))}
    players = arguments.one, arguments.other
    if found := find_score(*players, game.slug, setup):
        names = ("first", "second", "score")
        data: dict[str, Any] = {name: str(getattr(found, name)) for name in names} | {"exact": True}
    else:
        data = sample_score(*players, game.slug, setup, arguments.pairs)
    if arguments.json:
        print(json.dumps(data))
        return 0
    first, second, mean = (
        f"{data[name]} ({100 * float(Fraction(data[name])):.2f}%)"
        for name in ("first", "second", "score")
    )
    sampled = "sampled: 95% interval of the mean {:.4f} to {:.4f}"
    how = "exact" if data["exact"] else sampled.format(*data["interval"])
    print(
        f"{arguments.one} against {arguments.other} in {game.title}: {first} as first player, "
        f"{second} as second, {mean} in the mean ({how})."
    )
    return 0


def sample_score(
    one: str, other: str, slug: str, setup: dict[str, int | str], count: int
) -> dict[str, Any]:
    """The score from pairs that are played, where it cannot be computed."""
    from ninefold.arena.folder import pair_of
    from ninefold.arena.plan import Plan
    from ninefold.arena.play import play_chunk
    from ninefold.arena.report import mean_score

    label = ":".join([slug, *(f"{name}={value}" for name, value in setup.items())])
    plan = Plan.of({"players": [f"one={one}", f"other={other}"], "games": [label], "pairs": count})
    pairs = [pair_of(head) for chunk in plan.chunks(set()) for head, _ in play_chunk(chunk)]
    first, second = (sum(scores) / count for scores in zip(*(pair.scores for pair in pairs), strict=True))
    found = {"first": first, "second": second, **asdict(mean_score(pairs))}
    return {**found, "exact": False, "pairs": count}


def _report(arguments: argparse.Namespace) -> int:
    from ninefold.arena.page import write_page
    from ninefold.arena.report import make_report, write_data

    report = make_report(
        arguments.folder,
        arguments.anchor,
        exact=not arguments.sampled,
        workers=arguments.workers,
        cluster=arguments.cluster,
        plain=arguments.plain,
    )
    written = write_data(report, arguments.folder)
    page = write_page(report, arguments.folder, arguments.server.rstrip("/"), arguments.pick)
    if arguments.json:
        print(json.dumps(report.to_data()))
    else:
        print(report.to_text())
        print("Written:", *(page, *written))
    return 0


def _game(arguments: argparse.Namespace) -> int:
    from ninefold.arena.folder import read_pairs

    for line in read_pairs(arguments.folder):
        key = (line["game"], *line["players"], line["pair"])
        if key == (arguments.game, arguments.one, arguments.other, arguments.pair):
            print(json.dumps(line["games"][arguments.swapped]["record"], indent=1))
            return 0
    raise NinefoldError("There is no such game in the contest.")


VERBS = {"run": _run, "test": _test, "exact": _exact, "report": _report, "game": _game}
