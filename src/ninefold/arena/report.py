"""What a contest found: ratings, cross table, first move, regret and failures, as data and as text."""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise
from math import fsum
from pathlib import Path
from typing import Any

from ninefold.arena.exact import Known
from ninefold.arena.folder import Line, pair_of, read_pairs, read_plan
from ninefold.arena.plan import Plan
from ninefold.arena.ratings import Pair, Rating, Ratings, rate
from ninefold.arena.sequential import SequentialTest
from ninefold.games import load
from ninefold.show.values import percent
from ninefold.study.reports import ratio_interval

ALL = "all games"
SHORT = 6  # letters at the head of a narrow column


@dataclass(frozen=True, slots=True)
class PairingScore:
    """A player's score against another, with its 95% interval by pairs; None if the score is exact."""

    score: float
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Regret:
    """The chance to win given away per real decision, with its 95% interval."""

    mean: float
    interval: tuple[float, float]
    decisions: int


@dataclass
class ContestReport:
    """Everything that a contest's folder says, whatever the order of its pairs."""

    plan: Plan
    joint: Ratings
    by_game: dict[str, Ratings]
    scores: dict[tuple[str, str, str], PairingScore]  # by game and pairing, of the first named
    regret: dict[str, Regret]
    exploitability: dict[tuple[str, str], float]  # by game and player
    failures: Counter[tuple[str, str, str]]  # by player, seat and failure
    last_words: dict[str, str]  # by player: why it failed, in the last of its pairs in which it did
    pairs: int
    stopped: Counter[str]  # by game
    games: Counter[str]
    test: SequentialTest | None

    @property
    def players(self) -> list[str]:
        """The players, best first."""
        return [rating.player for rating in self.joint.players]

    @property
    def disagreements(self) -> list[str]:
        """Where the order by rating and the order by regret differ, as sentences."""
        return [
            f"{high} is rated above {low}, but gives away more per decision: "
            f"{percent(self.regret[high].mean)} against {percent(self.regret[low].mean)}."
            for high, low in pairwise(name for name in self.players if name in self.regret)
            if self.regret[high].mean > self.regret[low].mean
        ]

    @property
    def first_move(self) -> dict[str, tuple[float, tuple[float, float]]]:
        """By game, in the plan's order: the first player's share between equals, with its interval."""
        found = self.joint.first_move
        return {game: found[game] for game in self.plan.games if game in found}

    def title(self, game: str) -> str:
        """A game or an edition as people read it; one with settings of its own keeps its label."""
        slug, setup = self.plan.games.get(game, ("", {}))
        return load(slug).title if slug and not setup else game

    def mean_score(self, one: str, other: str) -> float | None:
        """A player's score against another, in the mean of the games; None if they did not meet."""
        own = [cell.score for (_, *names), cell in self.scores.items() if names == [one, other]]
        own += [1 - cell.score for (_, *names), cell in self.scores.items() if names == [other, one]]
        return sum(own) / len(own) if own else None

    def to_data(self) -> dict[str, Any]:
        """The report as plain data, ready for JSON."""
        return {
            "plan": self.plan.to_data(),
            "pairs": self.pairs,
            "games": dict(self.games),
            "stopped": dict(self.stopped),
            "ratings": {
                name: [asdict(rating) for rating in ratings.players]
                for name, ratings in ({ALL: self.joint} | self.by_game).items()
            },
            "first_move": {
                game: {"share": share, "interval": interval}
                for game, (share, interval) in self.first_move.items()
            },
            "scores": [
                {"game": game, "players": names, **asdict(cell), "exact": cell.interval is None}
                for (game, *names), cell in self.scores.items()
            ],
            "regret": {name: asdict(regret) for name, regret in self.regret.items()},
            "exploitability": [
                {"game": game, "player": name, "value": value}
                for (game, name), value in self.exploitability.items()
            ],
            "failures": [
                {"player": name, "seat": seat, "failure": failure, "games": count}
                for (name, seat, failure), count in sorted(self.failures.items())
            ],
            "last_words": self.last_words,
            "disagreements": self.disagreements,
            **({"test": self.test.to_data()} if self.test else {}),
        }

    def to_text(self) -> str:
        """Ratings and cross table for a terminal."""
        heads = [f"{short_name(name):>4}" for name in self.players]
        wide = max([len("PLAYER"), *map(len, self.players)])
        lines = [f"{'PLAYER':{wide}}  RATING  95% INTERVAL  REGRET  {' '.join(heads)}"]
        for rating in self.joint.players:
            name, regret = rating.player, self.regret.get(rating.player)
            scores = (self.mean_score(name, other) for other in self.players)
            cells = (
                f"{'' if score is None else f'{100 * score:.0f}':>{len(head)}}"
                for score, head in zip(scores, heads, strict=True)
            )
            given_away = "" if regret is None else percent(regret.mean)
            figures = f"{say_elo(rating):>6}  {say_interval(rating):>12}  {given_away:>6}"
            lines.append(f"{name:{wide}}  {figures}  {' '.join(cells)}".rstrip())
        lines.append(f"Scores in percent, of the row against the column. {self.say_exact()}")
        for game, (share, (low, high)) in self.first_move.items():
            span = f"{percent(share)} between equals ({percent(low)} to {percent(high)})"
            lines.append(f"{self.title(game)}: the first player scores {span}.")
        lines += [f"{rating.player}: {rating.note}." for rating in self.joint.players if rating.note]
        lines += [*self.disagreements, self.say_stopped()]
        for (name, seat, failure), count in sorted(self.failures.items()):
            lines.append(f"{name}, {seat} player: {failure} in {count:,} of its games.")
        return "\n".join(filter(None, lines))

    def say_exact(self) -> str:
        """Which scores are exact."""
        exact = sum(cell.interval is None for cell in self.scores.values())
        return f"{exact} of {len(self.scores)} scores of pairings are exact, the others are sampled."

    def say_stopped(self) -> str:
        share = self.stopped.total() / max(1, self.games.total())
        return f"{percent(share)} of the games were stopped; each counts one half." if share else ""


def make_report(
    path: Path,
    anchor: str = "",
    *,
    exact: bool = True,
    workers: int = 1,
    cluster: str = "",
    plain: bool = False,
) -> ContestReport:
    """Read a contest's folder and work everything out. Raises NinefoldError."""
    plan = read_plan(path)
    known = Known(path, plan)
    if exact:
        known.complete(workers, cluster, plain)
    pairs: list[Pair] = []
    units: dict[str, list[tuple[float, int]]] = defaultdict(list)
    failures = Counter[tuple[str, str, str]]()
    words: dict[str, tuple[int, str, str]] = {}
    stopped, games = Counter[str](), Counter[str]()
    test = SequentialTest(plan.elo) if plan.elo else None
    for line in read_pairs(path):
        pairs.append(pair_of(line))
        if test:
            test.add(line["pair"], sum(line["scores"]) / 2)
        for name, unit in _regrets(line):
            units[name].append(unit)
        for game in line["games"]:
            games[line["game"]] += 1
            stopped[line["game"]] += game["record"]["result"]["winner"] is None
            if failed := game.get("failed"):
                failures[failed["player"], failed["seat"], failed["failure"]] += 1
                latest = (line["pair"], line["game"], failed["why"])
                words[failed["player"]] = max(latest, words.get(failed["player"], latest))
    anchor = anchor or next(iter(plan.players))
    apart = plan.games if len(plan.games) > 1 else ()
    return ContestReport(
        plan,
        joint=rate(pairs, anchor),
        by_game={game: rate([pair for pair in pairs if pair.game == game], anchor) for game in apart},
        scores=_scores(pairs, known),
        regret={
            name: Regret(fsum(cost for cost, _ in of) / n, ratio_interval(sorted(of)), n)
            for name, of in units.items()
            if (n := sum(count for _, count in of))
        },
        exploitability={
            (game, name): found
            for game in plan.games
            for name in plan.players
            if (found := known.exploitability(game, name)) is not None
        },
        failures=failures,
        last_words={name: why for name, (*_, why) in sorted(words.items())},
        pairs=len(pairs),
        stopped=stopped,
        games=games,
        test=test,
    )


def _regrets(line: Line) -> Iterator[tuple[str, tuple[float, int]]]:
    """By player: the regret and the real decisions of a pair."""
    one, other = line["games"]
    for at, name in enumerate(line["players"]):
        regret, decisions = (one[what][at] + other[what][1 - at] for what in ("regret", "decisions"))
        yield name, (regret, decisions)


def _scores(pairs: list[Pair], known: Known) -> dict[tuple[str, str, str], PairingScore]:
    """By game and pairing: the score of the first named, exact where it is known."""
    sampled: dict[tuple[str, str, str], list[Pair]] = defaultdict(list)
    for pair in pairs:
        sampled[pair[:3]].append(pair)
    return {
        key: PairingScore(float(exact.score), None) if (exact := known.score(*key)) else mean_score(of)
        for key, of in sorted(sampled.items())
    }


def mean_score(pairs: Iterable[Pair]) -> PairingScore:
    """The score of whoever is named first in these pairs."""
    scores = [sum(pair.scores) / 2 for pair in pairs]
    low, high = ratio_interval([(score, 1) for score in scores])
    return PairingScore(sum(scores) / len(scores), (low, min(1.0, high)))


def write_data(report: ContestReport, path: Path) -> list[Path]:
    """Write report.json, ratings.csv and pairs.csv."""
    whole = path / "report.json"
    whole.write_text(json.dumps(report.to_data(), indent=1) + "\n", encoding="utf-8")
    ratings = (
        (name, one.player, one.elo, *(one.interval or ("", "")), one.note)
        for name, found in ({ALL: report.joint} | report.by_game).items()
        for one in found.players
    )
    pairs = (
        (line["game"], *line["players"], line["pair"], *line["scores"], _say_failed(line))
        for line in read_pairs(path)
    )
    return [
        whole,
        _write_csv(path / "ratings.csv", ("games", "player", "elo", "low", "high", "note"), ratings),
        _write_csv(
            path / "pairs.csv",
            ("game", "one", "other", "pair", "one first", "one second", "failures"),
            pairs,
        ),
    ]


def _write_csv(path: Path, head: tuple[str, ...], rows: Iterable[tuple[Any, ...]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows((head, *rows))
    return path


def _say_failed(line: Line) -> str:
    failed = (game["failed"] for game in line["games"] if "failed" in game)
    return "; ".join(f"{one['player']}: {one['failure']}" for one in failed)


def say_elo(rating: Rating) -> str:
    return "-" if rating.elo is None else f"{rating.elo:.0f}"


def say_interval(rating: Rating) -> str:
    if rating.interval is None:
        return "" if rating.elo is None else "anchor"
    return "{:.0f} to {:.0f}".format(*rating.interval)


def say_cell(cell: PairingScore) -> str:
    shown = f"{100 * cell.score:.1f}"
    if cell.interval is None:
        return f"= {shown}"
    low, high = cell.interval
    return f"{shown} ({100 * low:.1f} to {100 * high:.1f})"


def short_name(name: str) -> str:
    """A name for the head of a narrow column."""
    head, _, rest = name.partition(":")
    if rest.isdigit():
        return f"{head[:1].upper()}{rest}"
    return head if len(head) <= SHORT else head.split()[-1][:4]
