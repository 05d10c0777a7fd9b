"""What one viewer may see of a position, as plain data for any interface to draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any

from ninefold.core.move import Move
from ninefold.core.outcome import Outcome
from ninefold.core.seat import Seat

if TYPE_CHECKING:
    from ninefold.core.state import State

PanelValue = int | str | None | tuple[int, ...] | tuple[str, ...] | tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    label: str  # how a player types this cell in this game: "1,1", "0 1", "5"
    number: int | None = None
    owner: Seat | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """Rows of cells, all of them `width` cells long.

    `owner` is the seat that the board belongs to, None where it is shared.
    """

    cells: tuple[Cell, ...]
    owner: Seat | None = None
    width: int = 3

    def __post_init__(self) -> None:
        if self.width < 1 or not self.cells or len(self.cells) % self.width:
            raise ValueError(f"{len(self.cells)} cells do not fill rows of {self.width}")

    @property
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        width = self.width
        return tuple(self.cells[k : k + width] for k in range(0, len(self.cells), width))


@dataclass(frozen=True, slots=True)
class Panel:
    """Something shown beside the board. If `seat` is None, it is about both players.

    Some keys mean the same in every game: `hand` and `pool` are numbers to choose from, `score` is what
    a seat has gained, `lines` are the moves that have claimed whole lines, `turns` are the seats whose
    turns come next, by name, and `secret` is the number that a seat has chosen and only that seat sees.
    """

    key: str
    value: PanelValue
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    """How a move is made on a drawn board: the number to choose, the cells to point at, and its kind.

    `number` is None if there is none to choose. One cell stands for itself, and several for a line. Where
    each seat has a board, the cells are on the mover's own. `kind` is a word that tells apart the moves
    of a game which does several things with a cell, or with none: interfaces offer a move as a button
    where number and cells do not decide which one it is.
    """

    number: int | None = None
    cells: tuple[int, ...] = ()
    kind: str = ""


@dataclass(frozen=True, slots=True)
class View:
    game: str
    viewer: Seat | None
    setup: Mapping[str, int | str]  # without what this viewer may not know
    phase: str  # one word for what is to be chosen now; "over" at the end
    movers: tuple[Seat, ...]
    pending: tuple[Seat, ...]  # seats that have made a secret choice which is not yet revealed
    moves: tuple[Move, ...]  # what the viewer may play now
    boards: tuple[Board, ...]
    panels: tuple[Panel, ...]
    outcome: Outcome | None

    def panel(self, key: str, seat: Seat | None = None) -> PanelValue:
        """The value of a panel; None if that seat has none with this key."""
        for panel in self.panels:
            if panel.key == key and panel.seat == seat:
                return panel.value
        return None

    def numbers(self, key: str, seat: Seat | None = None) -> tuple[int, ...]:
        """The value of a panel with several numbers; empty if there is none."""
        value = self.panel(key, seat)
        return tuple(n for n in value if isinstance(n, int)) if isinstance(value, tuple) else ()

    def number(self, key: str, seat: Seat | None = None) -> int:
        """The value of a panel with one number; 0 if there is none."""
        value = self.panel(key, seat)
        return value if isinstance(value, int) else 0


def board_of(view: View, seat: Seat) -> int:
    """The board that a seat's moves point at."""
    return int(seat) if len(view.boards) > 1 else 0


def as_data(value: object) -> Any:
    """A view, or a part of one, as dicts, lists, strings and numbers, ready for JSON."""
    if isinstance(value, Seat | Move):
        return str(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: as_data(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): as_data(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [as_data(item) for item in value]
    return value


def clause_panels(turns: Sequence[Seat], head_start: int = 0) -> tuple[Panel, ...]:
    """What there is to see of clauses that a book does not have.

    That is the second player's head start, and the next turns where the players do not simply take turns.
    """
    panels = [Panel("head start", head_start, Seat.SECOND)] if head_start else []
    return (*panels, Panel("turns", tuple(map(str, turns)))) if turns else tuple(panels)


def build_view(
    state: State[Any],
    viewer: Seat | None,
    *,
    phase: str,
    boards: tuple[Board, ...],
    panels: tuple[Panel, ...],
    setup: Mapping[str, int | str] | None = None,
) -> View:
    """Build a view from what differs between games; the rest comes from the state."""
    return View(
        game=state.game.slug,
        viewer=viewer,
        setup=state.setup if setup is None else setup,
        phase=phase if state.outcome is None else "over",
        movers=state.movers,
        pending=state.pending,
        moves=() if viewer is None else state.moves(viewer),
        boards=boards,
        panels=panels,
        outcome=state.outcome,
    )


def encode_owners(owners: Sequence[Seat | None], seat: Seat) -> list[int]:
    """Owners as numbers from a seat's side: 1 is the seat itself, -1 the opponent, 0 nobody."""
    return [0 if owner is None else 1 if owner is seat else -1 for owner in owners]
