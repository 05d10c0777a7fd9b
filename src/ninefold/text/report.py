"""The figures of a run, computed from its lines alone: for the terminal, as JSON, and side by side.

Regret is the exact chance to win that was given away, per real decision. The sample is positions: a
position and its twins are one pair, and figures with and without the list of moves are never mixed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from ninefold.core.errors import NinefoldError
from ninefold.core.seat import SEATS
from ninefold.games import load
from ninefold.players import Failure, policy_of
from ninefold.show.layout import table
from ninefold.study import reports
from ninefold.study.reports import mean_interval, ratio_interval
from ninefold.study.scores import regrets
from ninefold.text.runs import Line, game_from_data
from ninefold.text.twins import TWINS

STAGES = ("beginning", "middle", "end")
BASELINES = ("perfect", *(f"level:{n}" for n in (9, 7, 5, 3, 1)), "greedy", "random")
# What the failures are called in a report. A player that gives up or breaks gives no answer.
FAILURES = {
    "illegal": (Failure.ILLEGAL,),
    "unreadable": (Failure.UNREADABLE,),
    "unanswered": (Failure.UNANSWERED, Failure.CRASHED, Failure.RESIGNED),
    "late": (Failure.LATE,),
}
Interval = tuple[float, float]
Data = dict[str, Any]


@dataclass(frozen=True)
class Figures:
    """The figures of some decisions."""

    lines: Sequence[Line]

    @property
    def decisions(self) -> int:
        return len(self.lines)

    @cached_property
    def regret(self) -> Fraction:
        """The mean over the decisions; 0 if there are none."""
        return sum((Fraction(one["regret"]) for one in self.lines), Fraction(0)) / (len(self.lines) or 1)

    @cached_property
    def interval(self) -> Interval:
        """The 95% confidence interval of the regret. The sample is positions."""
        sums: dict[tuple[str, int], tuple[Fraction, int]] = {}
        for line in self.lines:
            cost, count = sums.get(_pair(line), (Fraction(0), 0))
            sums[_pair(line)] = cost + Fraction(line["regret"]), count + 1
        low, high = ratio_interval([*sums.values()])
        return low, min(1.0, high)  # no decision gives away more

    @property
    def accuracy(self) -> float | None:
        """Of the decisions with just one best move, the share that found it; None if there are none."""
        only = [Fraction(one["found"]) for one in self.lines if one["only"]]
        return float(sum(only, Fraction(0)) / len(only)) if only else None

    def failures(self, name: str) -> int:
        return sum(one["failure"] in FAILURES[name] for one in self.lines)

    def mean(self, value: Callable[[Line], float]) -> float:
        return sum(map(value, self.lines)) / (len(self.lines) or 1)

    def data(self) -> Data:
        return {
            "decisions": self.decisions,
            "regret": float(self.regret),
            "exact": str(self.regret),
            "interval": self.interval,
            "only_moves": sum(one["only"] for one in self.lines),
            "only_moves_found": self.accuracy,
            **{name: self.failures(name) for name in FAILURES},
            "retries": sum(one["retries"] for one in self.lines),
            "prompt_tokens": self.mean(lambda one: one["tokens"][0]),
            "answer_tokens": self.mean(lambda one: one["tokens"][1]),
            "seconds": self.mean(lambda one: one["seconds"]),
        }


class Section(NamedTuple):
    """A table of a report."""

    title: str
    head: list[str]
    rows: list[list[str]]


@dataclass(frozen=True)
class Difference:
    """How much more one of two gives away where both were asked the same, with its interval."""

    values: Sequence[Fraction]

    @property
    def mean(self) -> Fraction:
        return sum(self.values, Fraction(0)) / (len(self.values) or 1)

    @property
    def interval(self) -> Interval:
        return mean_interval(self.values)

    def data(self) -> Data:
        pairs, mean = len(self.values), float(self.mean)
        return {"pairs": pairs, "difference": mean, "interval": self.interval}


@dataclass(frozen=True)
class RunReport:
    """The report of a player's lines. `asked` are the decisions that its first figure is made of."""

    player: str
    lines: Sequence[Line]

    @cached_property
    def positions(self) -> list[Line]:
        found = [line for line in self.lines if line["kind"] == "position"]
        return sorted(found, key=lambda one: (one["game"], one["number"], one["twin"], one["task"]))

    @property
    def tasks(self) -> list[str]:
        """The tasks, those without the list of moves first."""
        return sorted({line["task"] for line in self.positions})

    @cached_property
    def asked(self) -> Figures:
        """The decisions of the first task, without twins: what was asked of every player alike."""
        return self.select(twin="", task=(*self.tasks, "")[0])

    def select(self, **wanted: Any) -> Figures:
        found = self.positions
        return Figures([one for one in found if all(one[key] == wanted[key] for key in wanted)])

    @cached_property
    def by_game(self) -> dict[str, Figures]:
        return _group(self.asked.lines, lambda one: one["game"])

    @cached_property
    def by_stage(self) -> dict[str, Figures]:
        found = _group(self.asked.lines, lambda one: one["stage"])
        return {STAGES[stage]: found[stage] for stage in sorted(found)}

    @cached_property
    def by_seat(self) -> dict[str, Figures]:
        found = _group(self.asked.lines, lambda one: one["seat"])
        return {str(seat): found[str(seat)] for seat in SEATS if str(seat) in found}

    @cached_property
    def twins(self) -> dict[str, Difference]:
        """By sort of twin: how much more is given away in the twin than in the position itself."""
        task = (*self.tasks, "")[0]
        made = ((str(twin), self.select(twin=twin, task=task)) for twin in TWINS)
        return {twin: _compare(self.asked, found) for twin, found in made if found.lines}

    @cached_property
    def listed(self) -> dict[str, Figures]:
        """By task, if there are several: with the list of legal moves and without."""
        tasks = self.tasks
        return {task: self.select(twin="", task=task) for task in tasks} if len(tasks) > 1 else {}

    @property
    def listed_difference(self) -> Difference | None:
        """How much more is given away with the list than without; None if not both were asked."""
        on, off = ([one for one in self.tasks if f"list={word}" in one] for word in ("on", "off"))
        if not on or not off:
            return None
        return _compare(self.select(twin="", task=off[0]), self.select(twin="", task=on[0]))

    @cached_property
    def baselines(self) -> dict[str, Difference]:
        """By player of ours: how much more the player gives away than it, which is computed exactly."""
        return {
            name: Difference([Fraction(one["regret"]) - _baseline(name, one) for one in self.asked.lines])
            for name in BASELINES
        }

    @cached_property
    def games(self) -> dict[str, reports.Report]:
        """Whole games, by what was played, and by task if there are several."""
        played = [line for line in self.lines if line["kind"] == "game"]
        several = len({line["task"] for line in played}) > 1
        found = defaultdict(list)
        for line in played:
            found[f"{line['set']} ({line['task']})" if several else line["set"]].append(line)
        return {
            name: reports.Report(
                tuple(map(game_from_data, sorted(lines, key=lambda one: one["number"]))), title=name
            )
            for name, lines in sorted(found.items())
        }

    @property
    def set(self) -> str:
        """The version, count and seed of the sets."""
        return ", ".join(sorted({set_name(line) for line in self.asked.lines}))

    @property
    def tokens(self) -> int:
        return sum(sum(line["tokens"]) for line in self.lines if "tokens" in line)

    def data(self) -> Data:
        """The report, ready for JSON."""
        found: Data = {"player": self.player, "set": self.set, "task": (*self.tasks, "")[0]}
        found |= self.asked.data()
        for name, groups in (("game", self.by_game), ("stage", self.by_stage), ("seat", self.by_seat)):
            found[f"by_{name}"] = {key: figures.data() for key, figures in groups.items()}
        found["twins"] = {name: one.data() for name, one in self.twins.items()}
        found["by_task"] = {name: figures.data() for name, figures in self.listed.items()}
        listed = self.listed_difference
        found["listed"] = None if listed is None else listed.data()
        found["against"] = {
            name: {"regret": float(self.asked.regret - one.mean), **one.data()}
            for name, one in self.baselines.items()
        }
        found["games"] = {
            name: {
                "games": one.games,
                "wins": one.wins,
                "win_rate": one.win_rate,
                "interval": one.interval,
                "par": float(one.par),
                "regret": one.regret_per_decision,
                "regret_interval": one.decision_interval,
                "only_moves_found": one.accuracy,
                **{
                    key: sum(one.failures.get(failure, 0) for failure in kinds)
                    for key, kinds in FAILURES.items()
                },
                "failed_lost": one.failed_lost,
                "cut_off": one.cut_off,
            }
            for name, one in self.games.items()
        }
        return found

    @property
    def pairs(self) -> dict[str, Difference]:
        """How much more is given away in each sort of twin, and with the list of moves."""
        found = {f"{name} twin": one for name, one in self.twins.items()}
        listed = self.listed_difference
        return found if listed is None else {**found, "list of moves on": listed}

    def sections(self) -> list[Section]:
        """The report as tables."""
        head = ["", "decisions", "regret", "95% interval", "only moves", *FAILURES]
        groups = {"all": self.asked, **self.by_game}
        found = [Section("By game", head, [_row(name, one) for name, one in groups.items()])]
        for title, figures in (("By stage", self.by_stage), ("By seat", self.by_seat)):
            found.append(Section(title, head, [_row(name, one) for name, one in figures.items()]))
        if self.listed:
            found.append(Section("By task", head, [_row(name, one) for name, one in self.listed.items()]))
        if self.pairs:
            rows = [_difference_row(name, one) for name, one in self.pairs.items()]
            found.append(Section("More regret with", ["", "pairs", "difference", "95% interval"], rows))
        rows = [
            [name, f"{float(self.asked.regret - one.mean):.4f}", *_difference_row(name, one)[2:]]
            for name, one in self.baselines.items()
        ]
        found.append(Section("Beside our players", ["", "regret", "difference", "95% interval"], rows))
        spent = self.asked
        rows = [
            ["tokens of the prompt", f"{spent.mean(lambda one: one['tokens'][0]):.1f}"],
            ["tokens of the answer", f"{spent.mean(lambda one: one['tokens'][1]):.1f}"],
            ["seconds", f"{spent.mean(lambda one: one['seconds']):.2f}"],
            ["retries", f"{spent.mean(lambda one: one['retries']):.3f}"],
        ]
        found.append(Section("Per decision", ["", ""], rows))
        return found if self.positions else []

    @property
    def title(self) -> str:
        return f"{self.player} on {self.set} ({(*self.tasks, '')[0]})" if self.positions else self.player

    def text(self, width: int | None = None) -> str:
        """The report for a terminal."""
        lines = [self.title]
        for title, head, rows in self.sections():
            lines += ["", title, *table(head, rows, width)]
        for one in self.games.values():
            lines += ["", str(one)]
        return "\n".join(lines)


def compare(one: RunReport, other: RunReport) -> list[Section]:
    """Two reports side by side, paired: the second's regret less the first's where both were asked.

    Raises NinefoldError if they have nothing in common, or were told different things.
    """
    task = next((task for task in one.tasks if task in other.tasks), "")
    both = [each.select(twin="", task=task) for each in (one, other)]
    groups = [{"all": figures, **_group(figures.lines, lambda one: one["game"])} for figures in both]
    rows = []
    for name in [name for name in groups[0] if name in groups[1]]:
        mine, theirs = (group[name] for group in groups)
        found = _compare(mine, theirs)
        if not found.values:
            raise NinefoldError("The two reports have no positions in common that were asked alike.")
        regret = [f"{float(each.regret):.4f}" for each in (mine, theirs)]
        rows.append([name, *regret, *_difference_row(name, found)[1:]])
    head = ["", one.player, other.player, "pairs", "difference", "95% interval"]
    counts = [[name, *(str(each.failures(name)) for each in both)] for name in FAILURES]
    return [Section("Regret", head, rows), Section("Failures", head[:3], counts)]


def set_name(line: Line) -> str:
    """The version, count and seed of a line's set, without the game."""
    version, _, *rest = line["set"].split()
    return " ".join([version, *rest])


def _pair(line: Line) -> tuple[str, int]:
    return line["game"], line["number"]


def _group(lines: Iterable[Line], key: Callable[[Line], Any]) -> dict[Any, Figures]:
    found = defaultdict(list)
    for line in lines:
        found[key(line)].append(line)
    return {name: Figures(group) for name, group in found.items()}


def _compare(one: Figures, other: Figures) -> Difference:
    """How much more the second gives away, in the positions that both have."""
    costs = {(line["set"], _pair(line)): Fraction(line["regret"]) for line in one.lines}
    shared = [line for line in other.lines if (line["set"], _pair(line)) in costs]
    return Difference([Fraction(line["regret"]) - costs[line["set"], _pair(line)] for line in shared])


def _baseline(name: str, line: Line) -> Fraction:
    """What a player of ours gives away in the same position."""
    if name == "perfect":
        return Fraction(0)
    if name == "random":
        return Fraction(line["random"])
    return _policy_regret(
        name, line["game"], tuple(line["setup"].items()), tuple(line["moves"]), line["seat"]
    )


@lru_cache(maxsize=20_000)
def _policy_regret(
    name: str, slug: str, setup: tuple[Any, ...], moves: tuple[str, ...], seat: str
) -> Fraction:
    game, policy = load(slug), policy_of(name)
    assert policy is not None
    state, mover = game.sequence(game.set_up(dict(setup)), moves), SEATS[seat == str(SEATS[1])]
    lost = regrets(state, mover)
    parts = policy(state, mover).items()
    return sum((part * lost[game.index(move)] for move, part in parts), Fraction(0))


def _row(name: str, figures: Figures) -> list[str]:
    found = figures.accuracy
    return [
        name,
        str(figures.decisions),
        f"{float(figures.regret):.4f}",
        _span(figures.interval),
        "" if found is None else f"{found:.3f}",
        *(str(figures.failures(one)) for one in FAILURES),
    ]


def _difference_row(name: str, found: Difference) -> list[str]:
    return [name, str(len(found.values)), f"{float(found.mean):+.4f}", _span(found.interval)]


def _span(interval: Interval) -> str:
    return f"{interval[0]:.4f} to {interval[1]:.4f}"
