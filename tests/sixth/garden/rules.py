"""Two Gardeners: plant more plots than your neighbor.

Six plots lie in three rows of two, lettered by row and numbered by column. A turn plants an empty plot.
Once in the game, a player may pave an empty plot instead, and may then plant another one or rest. When
every plot is planted or paved, more plots win; the season says who wins a tie.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ninefold.core.game import Option, one_of
from ninefold.core.move import Move
from ninefold.core.outcome import Outcome, Reason
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import ALONE, State

ROWS, WIDTH = 3, 2
PLOTS = range(ROWS * WIDTH)
SEASONS = ("spring", "autumn")
EMPTY, PAVED = ".", "#"  # a planted plot is its seat's digit


def plot_name(plot: int) -> str:
    return f"{'ABC'[plot // WIDTH]}{plot % WIDTH + 1}"


@dataclass(frozen=True, slots=True)
class Plant(Move):
    plot: int

    def __str__(self) -> str:
        return f"plant:{plot_name(self.plot)}"


@dataclass(frozen=True, slots=True)
class Pave(Move):
    plot: int

    def __str__(self) -> str:
        return f"pave:{plot_name(self.plot)}"


@dataclass(frozen=True, slots=True)
class Rest(Move):
    def __str__(self) -> str:
        return "rest"


GardenMove = Plant | Pave | Rest
PLANTS = tuple(Plant(plot) for plot in PLOTS)
PAVES = tuple(Pave(plot) for plot in PLOTS)
REST = Rest()
MOVES = (*PLANTS, *PAVES, REST)


@dataclass(frozen=True, slots=True)
class Garden(State[GardenMove]):
    season: str
    plots: str = EMPTY * len(PLOTS)
    turn: Seat = Seat.SECOND
    paved: tuple[bool, bool] = (False, False)  # by seat
    again: bool = False  # the seat has just paved and moves once more

    @property
    def setup(self) -> Mapping[str, int | str]:
        return {"season": self.season}

    def score(self, seat: Seat) -> int:
        return self.plots.count(str(int(seat)))

    @property
    def outcome(self) -> Outcome | None:
        if EMPTY in self.plots:
            return None
        first, second = map(self.score, SEATS)
        if first == second:
            return Outcome(SEATS[self.season == "autumn"], Reason.RULE)
        return Outcome(SEATS[first < second], Reason.SUM)

    @property
    def movers(self) -> tuple[Seat, ...]:
        return ALONE[self.turn] if EMPTY in self.plots else ()

    def moves(self, seat: Seat | None = None) -> tuple[GardenMove, ...]:
        if not self.movers or (seat is not None and seat is not self.turn):
            return ()
        empty = [plot for plot in PLOTS if self.plots[plot] == EMPTY]
        plants = tuple(PLANTS[plot] for plot in empty)
        if self.again:
            return (*plants, REST)
        return plants if self.paved[self.turn] else (*plants, *(PAVES[plot] for plot in empty))

    def after(self, move: GardenMove, seat: Seat) -> Garden:
        if isinstance(move, Rest):
            return Garden(self.season, self.plots, seat.other, self.paved)
        sign = PAVED if isinstance(move, Pave) else str(int(seat))
        plots = self.plots[: move.plot] + sign + self.plots[move.plot + 1 :]
        if isinstance(move, Plant):
            return Garden(self.season, plots, seat.other, self.paved)
        paved = (self.paved[0], True) if seat else (True, self.paved[1])
        return Garden(self.season, plots, seat, paved, again=True)

    def longest(self, together: bool = False) -> int:
        return self.plots.count(EMPTY) + int(self.again and EMPTY in self.plots) + self.paved.count(False)

    def refusal(self, move: GardenMove, seat: Seat) -> str:
        if isinstance(move, Rest):
            return "You can rest only after paving a plot."
        if self.plots[move.plot] != EMPTY:
            return f"Plot {plot_name(move.plot)} is not empty."
        return "You can pave only once, and not twice in a row."


OPTIONS = (
    Option(
        name="season",
        allowed="spring or autumn",
        read=one_of(SEASONS),
        values=lambda: SEASONS,
        default="spring",
    ),
)


def begin(season: str) -> Garden:
    return Garden(season)
