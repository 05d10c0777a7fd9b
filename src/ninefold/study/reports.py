"""An agent's games in figures, measured against exact values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import TypeVar

from ninefold.analysis.evaluation import HALF
from ninefold.core.seat import Seat
from ninefold.players import Failure

Z = 1.959964  # the quantile of the normal distribution for 95%
NONE = Fraction(0)
T = TypeVar("T")


@dataclass(slots=True)
class Scored:
    """One game of an agent, in figures.

    Regret is the chance to win that was given away, summed over the game. A forfeit counts as a choice
    that gives away all that was left. If the game is stopped or cut off, what was left above one half is
    given away, too: an agent that could win has to.
    """

    seat: Seat
    par: Fraction  # the seat's chance to win at the start under perfect play
    deal: int = 0  # which deal it was; the two games of a pair share it
    winner: Seat | None = None  # None if the game was cut off
    forfeited: Seat | None = None  # who lost by an illegal answer, or by giving none
    failure: Failure | None = None
    why: str = ""
    choices: int = 0
    decisions: int = 0  # real ones, whose legal moves differ in value; one that comes back counts once
    regret: Fraction = NONE  # summed over the choices
    only: int = 0  # choices in which just one of several moves keeps the result, and forfeits of a chance
    found: int = 0  # of these, how many found it
    failed_lost: bool = False  # the agent forfeited a game that was lost
    _seen: set[Hashable] = field(default_factory=set, compare=False, repr=False)

    def count(self, position: Hashable, lost: Mapping[int, Fraction], cost: Fraction) -> None:
        """Count one more choice, given the regrets of the legal moves and the regret of the one made."""
        only = len(lost) > 1 and [*lost.values()].count(NONE) == 1
        self.add(position, cost, any(lost.values()), only)

    def add(self, position: Hashable, cost: Fraction, real: bool, only: bool) -> None:
        """Count one more choice: what it gave away, if it was real, and if just one move was best."""
        self.choices += 1
        self.regret += cost
        self._count_decision(position, real)
        self.only += only
        self.found += only and not cost

    def forfeit(self, seat: Seat, position: Hashable, failure: Failure, why: str, left: Fraction) -> None:
        """The game ended with a forfeit, when the agent had this chance left."""
        self.forfeited, self.failure, self.why = seat, failure, why
        if seat is self.seat:
            self.choices += 1
            self.regret += left
            self._count_decision(position, left > 0)
            self.only += left > 0
            self.failed_lost = not left

    def stop(self, left: Fraction) -> None:
        """The game was stopped or cut off, when the agent had this chance left."""
        self.regret += max(NONE, left - HALF)

    def _count_decision(self, position: Hashable, real: bool) -> None:
        if real and position not in self._seen:
            self._seen.add(position)
            self.decisions += 1


@dataclass(frozen=True, slots=True)
class PositionScore:
    """How an agent did on a set of positions, each a real decision. The first figure of a report."""

    name: str  # of the set
    costs: tuple[Fraction, ...]  # by position: the chance to win given away
    failures: tuple[Failure, ...] = ()  # forfeits; each gives away the whole chance there was
    reasons: dict[str, int] = field(default_factory=dict)

    @property
    def regret(self) -> Fraction:
        """The mean over the positions; 0 if there are none, as in a game that is decided by its deal."""
        return sum(self.costs, NONE) / (len(self.costs) or 1)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval of the regret, as a sample of all such positions."""
        return ratio_interval([(cost, 1) for cost in self.costs])


@dataclass(frozen=True, slots=True)
class Report:
    """How an agent did. `first` and `second` report on the games in that seat alone.

    `positions` is its score on the fixed set of positions, None if it was not asked for. A game that was
    cut off is not a win. A forfeit - an illegal answer, a crash, a timeout, a resignation - loses the
    game, and gives away the whole chance to win that was left. `moves` counts the agent's choices,
    including forfeits, and `decisions` those whose legal moves differ in value.
    """

    played: tuple[Scored, ...] = field(repr=False)
    positions: PositionScore | None = None
    title: str = ""

    @property
    def first(self) -> Report:
        return Report(tuple(game for game in self.played if game.seat is Seat.FIRST))

    @property
    def second(self) -> Report:
        return Report(tuple(game for game in self.played if game.seat is Seat.SECOND))

    @property
    def games(self) -> int:
        return len(self.played)

    @property
    def wins(self) -> int:
        return sum(game.winner is game.seat for game in self.played)

    @property
    def cut_off(self) -> int:
        return sum(game.winner is None for game in self.played)

    @property
    def forfeits(self) -> int:
        """Games that the agent lost by an illegal answer, or by giving none."""
        return sum(game.forfeited is game.seat for game in self.played)

    @property
    def opponent_forfeits(self) -> int:
        return sum(game.forfeited is game.seat.other for game in self.played)

    @property
    def resigned_lost(self) -> int:
        """Lost games that the agent resigned. It costs nothing, and so they are shown apart."""
        return sum(game.failed_lost and game.failure is Failure.RESIGNED for game in self.played)

    @property
    def failed_lost(self) -> int:
        """Lost games that the agent forfeited in any way. It costs nothing, so they are shown apart."""
        return sum(game.failed_lost for game in self.played)

    @property
    def failures(self) -> dict[Failure, int]:
        """How the agent forfeited games, and how often."""
        return count_common(game.failure for game in self.played if game.forfeited is game.seat)

    @property
    def illegal(self) -> int:
        """Games that were forfeited, by the agent or by its opponent."""
        return self.forfeits + self.opponent_forfeits

    @property
    def reasons(self) -> dict[str, int]:
        """Why games were forfeited, and how often."""
        return count_common(game.why or None for game in self.played)

    @property
    def moves(self) -> int:
        return sum(game.choices for game in self.played)

    @property
    def decisions(self) -> int:
        return sum(game.decisions for game in self.played)

    @property
    def regret(self) -> Fraction:
        """Summed over all games."""
        return sum((game.regret for game in self.played), NONE)

    @property
    def win_rate(self) -> float:
        return self.wins / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval of the win rate (Wilson's)."""
        return share_interval(self.win_rate, self.games)

    @property
    def par(self) -> Fraction:
        """What perfect play by both sides would score from the same starts, in the same seats."""
        return sum((game.par for game in self.played), NONE) / (self.games or 1)

    @property
    def regret_per_game(self) -> float:
        return float(self.regret / self.games) if self.games else 0.0

    @property
    def regret_interval(self) -> tuple[float, float]:
        """The 95% confidence interval of the regret per game. The sample is deals."""
        return ratio_interval(self._by_deal(lambda _: 1))

    @property
    def regret_per_decision(self) -> float:
        """The mean over all real decisions; 0 if there were none."""
        return float(self.regret / self.decisions) if self.decisions else 0.0

    @property
    def decision_interval(self) -> tuple[float, float]:
        """The 95% confidence interval of the regret per real decision. The sample is deals."""
        return ratio_interval(self._by_deal(lambda game: game.decisions))

    def _by_deal(self, count: Callable[[Scored], int]) -> list[tuple[Fraction, int]]:
        sums: dict[int, tuple[Fraction, int]] = {}
        for game in self.played:
            regret, number = sums.get(game.deal, (NONE, 0))
            sums[game.deal] = regret + game.regret, number + count(game)
        return [*sums.values()]

    @property
    def accuracy(self) -> float | None:
        """Of the choices in which just one of several moves keeps the result, the share that found it.

        A forfeit with a chance left counts as not finding it. None if there were no such choices.
        """
        only = sum(game.only for game in self.played)
        return sum(game.found for game in self.played) / only if only else None

    def __str__(self) -> str:
        """A table: the position score first, then the games."""
        rows: list[tuple[str, str, str]] = []
        if self.positions is not None:
            score, name = self.positions, f"regret, {len(self.positions.costs)} positions"
            rows += [
                (name, f"{float(score.regret):.4f}", span(score.interval)),
                ("  set", score.name, ""),
            ]
            rows += [(f"  {failure}", f"{n}", "") for failure, n in count_common(score.failures).items()]
        if self.games:
            rows += [
                (f"wins, {self.games} games", f"{self.win_rate:.3f}", span(self.interval)),
                ("  par", f"{float(self.par):.3f}", ""),
                ("regret per game", f"{self.regret_per_game:.4f}", span(self.regret_interval)),
                ("  per real decision", f"{self.regret_per_decision:.4f}", span(self.decision_interval)),
            ]
            if self.accuracy is not None:
                rows.append(("only moves found", f"{self.accuracy:.3f}", ""))
            rows += [(f"  {failure}", f"{n}", "") for failure, n in self.failures.items()]
            ends = {"cut off": self.cut_off, "opponent forfeited": self.opponent_forfeits}
            ends["failed when lost"] = self.failed_lost
            rows += [(f"  {name}", f"{n}", "") for name, n in ends.items() if n]
        wide = max((len(name) for name, _, _ in rows), default=0)
        lines = [f"{name:{wide}}  {value}  {interval}".rstrip() for name, value, interval in rows]
        return "\n".join([*([self.title] if self.title else []), *lines])


def mean_interval(values: Sequence[Fraction]) -> tuple[float, float]:
    """The 95% confidence interval of a mean, of values that are independent and may be negative.

    With fewer than two it says that nothing is known.
    """
    if len(values) < 2:
        return -1.0, 1.0
    mean = sum(values, NONE) / len(values)
    squares = sum((one - mean) ** 2 for one in values)
    spread = Z * sqrt(squares / (len(values) * (len(values) - 1)))
    return float(mean) - spread, float(mean) + spread


def span(interval: tuple[float, float]) -> str:
    low, high = interval
    return f"({low:.3f} to {high:.3f})"


def count_common(found: Iterable[T | None]) -> dict[T, int]:
    """How often each occurs, the most common first; None is left out."""
    return dict(Counter(one for one in found if one is not None).most_common())


def share_interval(share: float, n: int) -> tuple[float, float]:
    """The 95% confidence interval of a share that was seen in a sample of size n (Wilson's)."""
    if not n:
        return 0.0, 1.0
    middle = (share + Z * Z / (2 * n)) / (1 + Z * Z / n)
    spread = Z / (1 + Z * Z / n) * sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    return max(0.0, middle - spread), min(1.0, middle + spread)


def ratio_interval(units: Sequence[tuple[Fraction | float, int]]) -> tuple[float, float]:
    """The 95% confidence interval of a sum divided by a count, by units that are independent.

    What is summed within a unit, such as the choices of a game, may depend on each other. It needs at
    least two units, and many to be reliable; with fewer it says that nothing is known.
    """
    total, count = sum((one for one, _ in units), NONE), sum(number for _, number in units)
    if len(units) < 2 or not count:
        return 0.0, 1.0
    mean = total / count
    squares = sum((one - mean * number) ** 2 for one, number in units)
    spread = Z * sqrt(squares * len(units) / (len(units) - 1)) / count
    return max(0.0, float(mean) - spread), float(mean) + spread
