"""What a contest found: ratings, cross table, first move, regret and failures, as data and as text."""

from __future__ import annotations

import csv
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from math import fsum, sqrt
from pathlib import Path
from typing import Any

from ninefold.arena.exact import Known
from ninefold.arena.folder import Line, pair_of, read_pairs, read_plan
from ninefold.arena.plan import Plan
from ninefold.arena.ratings import Pair, Rating, Ratings, rate
from ninefold.arena.sequential import SequentialTest
from ninefold.games import SLUGS, load
from ninefold.show.values import percent
from ninefold.study.reports import Z, ratio_interval

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
    """Everything that a contest's folder says. Players are in the order of their ratings."""

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
    test: SequentialTest | None = None
    players: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.players = [rating.player for rating in self.joint.players]

    @property
    def disagreements(self) -> list[str]:
        """Where the order by rating and the order by regret differ, as sentences."""
        return [
            f"{high} is rated above {low}, but gives away more per decision: "
            f"{percent(self.regret[high].mean)} against {percent(self.regret[low].mean)}."
            for high, low in pairwise(name for name in self.players if name in self.regret)
            if self.regret[high].mean > self.regret[low].mean
        ]

    def title(self, game: str) -> str:
        """A game as people read it; one with settings of its own keeps its label."""
        return load(game).title if game in SLUGS else game

    @property
    def first_move(self) -> dict[str, tuple[float, tuple[float, float]]]:
        """By game, in the plan's order: the first player's share between equals, with its interval."""
        found = self.joint.first_move
        return {game: found[game] for game in self.plan.games if game in found}

    def mean_score(self, one: str, other: str) -> float | None:
        """A player's score against another, in the mean of the games; None if they did not meet."""
        own = [cell.score for (_, *names), cell in self.scores.items() if names == [one, other]]
        own += [1 - cell.score for (_, *names), cell in self.scores.items() if names == [other, one]]
        return sum(own) / len(own) if own else None

    def say_exact(self) -> str:
        """Which scores are exact."""
        exact = sum(cell.interval is None for cell in self.scores.values())
        return f"{exact} of {len(self.scores)} scores of pairings are exact, the others are sampled."

    def to_data(self) -> dict[str, Any]:
        """The report as plain data, ready for JSON."""
        return {
            "plan": self.plan.to_data(),
            "pairs": self.pairs,
            "games": dict(self.games),
            "stopped": dict(self.stopped),
            "ratings": {
                name: [vars_of(rating) for rating in ratings.players]
                for name, ratings in ({ALL: self.joint} | self.by_game).items()
            },
            "first_move": {
                game: {"share": share, "interval": list(interval)}
                for game, (share, interval) in self.first_move.items()
            },
            "scores": [
                {"game": game, "players": names, **vars_of(cell), "exact": cell.interval is None}
                for (game, *names), cell in self.scores.items()
            ],
            "regret": {name: vars_of(regret) for name, regret in self.regret.items()},
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
        wide = max([len("PLAYER"), *map(len, self.players)])
        heads = [short_name(name) for name in self.players]
        lines = [
            f"{'PLAYER':{wide}}  RATING  95% INTERVAL  REGRET  "
            + " ".join(f"{head:>4}" for head in heads)
        ]
        for rating in self.joint.players:
            name, regret = rating.player, self.regret.get(rating.player)
            scores = (self.mean_score(name, other) for other in self.players)
            cells = ("" if score is None else f"{100 * score:.0f}" for score in scores)
            shown = " ".join(
                f"{cell:>{max(4, len(head))}}" for cell, head in zip(cells, heads, strict=True)
            )
            given_away = "" if regret is None else percent(regret.mean)
            figures = f"{say_elo(rating):>6}  {say_interval(rating):>12}  {given_away:>6}"
            lines.append(f"{name:{wide}}  {figures}  {shown}".rstrip())
        lines.append(f"Scores in percent, of the row against the column. {self.say_exact()}")
        for game, (share, (low, high)) in self.first_move.items():
            span = f"{percent(share)} between equals ({percent(low)} to {percent(high)})"
            lines.append(f"{self.title(game)}: the first player scores {span}.")
        lines += [f"{rating.player}: {rating.note}." for rating in self.joint.players if rating.note]
        lines += self.disagreements
        lines += [self.say_stopped(), *self.say_failures()]
        return "\n".join(filter(None, lines))

    def say_stopped(self) -> str:
        share = self.stopped.total() / max(1, self.games.total())
        return f"{percent(share)} of the games were stopped; each counts one half." if share else ""

    def say_failures(self) -> Iterator[str]:
        for (name, seat, failure), count in sorted(self.failures.items()):
            yield f"{name}, {seat} player: {failure} in {count:,} of its games."


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
    return ContestReport(
        plan,
        rate(pairs, anchor),
        {game: rate([pair for pair in pairs if pair.game == game], anchor) for game in plan.games}
        if len(plan.games) > 1
        else {},
        _scores(pairs, known),
        {
            name: Regret(fsum(cost for cost, _ in of) / n, ratio_interval(sorted(of)), n)
            for name, of in units.items()
            if (n := sum(count for _, count in of))
        },
        {
            (game, name): found
            for game in plan.games
            for name in plan.players
            if plan.ours(name) and (found := known.exploitability(game, name)) is not None
        },
        failures,
        {name: why for name, (*_, why) in sorted(words.items())},
        len(pairs),
        stopped,
        games,
        test,
    )


def _regrets(line: Line) -> Iterator[tuple[str, tuple[float, int]]]:
    """By player: the regret and the real decisions of a pair."""
    for at, name in enumerate(line["players"]):
        seats = [at, 1 - at]  # in the pair's two games
        costs = [game["regret"][seat] for game, seat in zip(line["games"], seats, strict=True)]
        counts = [game["decisions"][seat] for game, seat in zip(line["games"], seats, strict=True)]
        yield name, (sum(costs), sum(counts))


def _scores(pairs: list[Pair], known: Known) -> dict[tuple[str, str, str], PairingScore]:
    """By game and pairing: the score of the first named, exact where it is known."""
    sampled: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for pair in pairs:
        sampled[pair[:3]].append(sum(pair.scores) / 2)
    found = {}
    for (game, one, other), scores in sorted(sampled.items()):
        exact = known.score(game, one, other)
        if exact is not None:
            found[game, one, other] = PairingScore(float(exact.score), None)
            continue
        n, mean = len(scores), sum(scores) / len(scores)
        wide = Z * sqrt(sum((score - mean) ** 2 for score in scores) / max(1, n - 1) / n)
        span = (max(0.0, mean - wide), min(1.0, mean + wide)) if n > 1 else (0.0, 1.0)
        found[game, one, other] = PairingScore(mean, span)
    return found


def write_data(report: ContestReport, path: Path) -> list[Path]:
    """Write report.json, ratings.csv and pairs.csv."""
    whole, ratings, pairs = path / "report.json", path / "ratings.csv", path / "pairs.csv"
    whole.write_text(json.dumps(report.to_data(), indent=1) + "\n", encoding="utf-8")
    with ratings.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(("games", "player", "elo", "low", "high", "note"))
        for name, found in ({ALL: report.joint} | report.by_game).items():
            for one in found.players:
                rows.writerow((name, one.player, one.elo, *(one.interval or ("", "")), one.note))
    with pairs.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(("game", "one", "other", "pair", "one first", "one second", "failures"))
        for line in read_pairs(path):
            failed = (game.get("failed", {}) for game in line["games"])
            said = "; ".join(f"{one['player']}: {one['failure']}" for one in failed if one)
            rows.writerow((line["game"], *line["players"], line["pair"], *line["scores"], said))
    return [whole, ratings, pairs]


def vars_of(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__slots__}


def say_elo(rating: Rating) -> str:
    return "-" if rating.elo is None else f"{rating.elo:.0f}"


def say_interval(rating: Rating) -> str:
    if rating.elo is None:
        return ""
    if rating.interval is None:
        return "anchor"
    low, high = rating.interval
    return f"{low:.0f} to {high:.0f}"


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
