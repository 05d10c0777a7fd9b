"""A view as parts to draw and to point at: cells, lines and numbers, for any game and any interface."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ninefold.core.cast import Cast
from ninefold.core.game import Game
from ninefold.core.move import Move
from ninefold.core.outcome import WonLine
from ninefold.core.reading import names_cells
from ninefold.core.seat import SEATS, Seat
from ninefold.core.turns import Played, Turn
from ninefold.core.view import Board, Panel, Spot, View, board_of
from ninefold.core.words import comma_list
from ninefold.show.moves import capitalize


@dataclass(frozen=True, slots=True)
class Part:
    """A cell, a line, a number or a button. `moves` are the legal moves that it belongs to."""

    id: str
    spot: str  # the cells it stands for, as forms and URLs name them; empty for a number
    text: str
    label: str  # how it is typed; empty if it is known by the number on it
    says: str  # its description, for a screen reader
    owner: Seat | None = None
    mark: str = ""  # the owner's: X, O, or nothing
    key: str = ""  # the digit that chooses it; empty if none does
    last: bool = False  # whether the turn to highlight touched it
    won: bool = False  # whether it is part of the winning line
    moves: tuple[Move, ...] = ()
    numbers: tuple[int, ...] = ()  # the numbers that can be placed here
    across: str = ""  # the mark of whoever has claimed its row
    down: str = ""  # and its column


@dataclass(frozen=True, slots=True)
class Grid:
    title: str
    mark: str
    rows: tuple[tuple[Part, ...], ...]
    row_lines: tuple[Part, ...] = ()
    column_lines: tuple[Part, ...] = ()

    @property
    def width(self) -> int:
        return len(self.rows[0])


@dataclass(frozen=True, slots=True)
class DrawnPanel:
    """A panel beside the board, such as a hand or a score. `numbers` are drawn one by one."""

    title: str
    text: str
    numbers: tuple[int, ...] = ()
    mark: str = ""  # of the player it belongs to
    name: str = ""
    key: str = ""  # the panel's
    lines: tuple[tuple[str, int], ...] = ()  # claimed lines with their sums, drawn one by one


@dataclass(frozen=True, slots=True)
class Drawing:
    grids: tuple[Grid, ...]
    numbers: tuple[Part, ...]  # the numbers that can be chosen now
    numbers_title: str
    alone: bool  # whether a number alone is a whole move
    panels: tuple[DrawnPanel, ...]
    source: tuple[str, Seat | None] | None = None  # the panel that the numbers are taken from
    buttons: tuple[Part, ...] = ()  # moves that have no cell, or share it with a move of another kind

    @property
    def parts(self) -> dict[str, Part]:
        """The cells and lines, by their ids."""
        grids = self.grids
        lines = [grid.row_lines + grid.column_lines for grid in grids]
        rows = [row for grid in grids for row in grid.rows]
        return {part.id: part for group in (*rows, *lines) for part in group}

    @property
    def digits(self) -> str:
        """What a digit chooses: a `line`, a `number`, or a `cell` by its label."""
        if any(grid.row_lines for grid in self.grids):
            return "line"
        numbered = any(part.key and part.text for part in self.parts.values())
        return "number" if self.numbers or numbered else "cell"


def spot_text(board: int, spot: Spot) -> str:
    return f"{board}-{'.'.join(map(str, spot.cells))}" if spot.cells else ""


def draw(
    game: Game,
    view: View,
    cast: Cast,
    *,
    last: Turn | None = None,
    moves: Sequence[Move] | None = None,
) -> Drawing:
    """A view as parts. `last` is a turn to highlight.

    `moves` are the moves that can be chosen, by default the viewer's legal ones.
    """
    seat = view.viewer
    legal = view.moves if moves is None else moves
    mine = 0 if seat is None else board_of(view, seat)
    by_cells: defaultdict[str, list[tuple[Spot, Move]]] = defaultdict(list)
    by_number: defaultdict[int, list[tuple[Spot, Move]]] = defaultdict(list)
    for move in legal:
        spot = game.spot(move)
        by_cells[spot_text(mine, spot)].append((spot, move))
        if spot.number is not None:
            by_number[spot.number].append((spot, move))
    pen = _Pen(
        game,
        view,
        cast,
        by_cells,
        _touched_cells(game, view, last.written if last else ()),
        _won_cells(view),
    )
    source = _source(view, seat, by_number)
    numbers = tuple(
        _number(number, [move for _, move in found], None if source is None else source.seat)
        for number, found in sorted(by_number.items())
    )
    return Drawing(
        grids=tuple(pen.grid(place, board) for place, board in enumerate(view.boards)),
        numbers=numbers,
        numbers_title="" if source is None else panel_title(game, source) or "",
        alone=bool(numbers) and all(not spot.cells for found in by_number.values() for spot, _ in found),
        panels=tuple(
            draw_panel(game, view, panel, title, cast)
            for panel in view.panels
            if panel.value is not None and (title := panel_title(game, panel))
        ),
        source=None if source is None else (source.key, source.seat),
        buttons=tuple(_button(game, view, mine, *one) for one in _undecided(view.boards[mine], by_cells)),
    )


def _undecided(
    board: Board, by_cells: Mapping[str, Sequence[tuple[Spot, Move]]]
) -> list[tuple[Spot, Move]]:
    """The moves that cannot be made by pointing at a number, a cell, a row or a column alone."""
    found = []
    for group in by_cells.values():
        twins = Counter(spot.number for spot, _ in group)
        for spot, move in group:
            pointed = len(spot.cells) == 1 or _is_line(board, spot.cells)
            if twins[spot.number] > 1 or not (pointed or (spot.number is not None and not spot.cells)):
                found.append((spot, move))
    return found


def _is_line(board: Board, cells: tuple[int, ...]) -> bool:
    """Whether these cells are a whole row or column."""
    if len(cells) < 2:
        return False
    first = cells[0] - cells[0] % board.width
    row = tuple(range(first, first + board.width))
    return cells in (row, tuple(range(cells[0], len(board.cells), board.width)))


def _button(game: Game, view: View, mine: int, spot: Spot, move: Move) -> Part:
    said = capitalize(game.words.move(view, move))
    return Part(
        id=f"m-{game.index(move)}",
        spot=spot_text(mine, spot),
        text=said,
        label="",
        says=said,
        moves=(move,),
        numbers=() if spot.number is None else (spot.number,),
    )


def panel_title(game: Game, panel: Panel) -> str | None:
    """The title of a panel; None if the board shows it already."""
    return game.words.panels.get(panel.key, panel.key.capitalize())


def describe_settings(game: Game, known: Mapping[str, int | str]) -> list[tuple[str, str]]:
    """The settings by title, unknown ones as secret, without those that the board shows."""
    said = []
    for option in game.options:
        value = known.get(option.name)
        if value is None:
            said.append((option.name.capitalize(), "secret until the end"))
        elif not option.on_board:
            said.append((option.name.capitalize(), str(value)))
    return said


def _touched_cells(game: Game, view: View, last: Iterable[Played]) -> set[tuple[int, int]]:
    touched = set()
    for one in last:
        spot = game.spot(one.move)
        touched |= {(board_of(view, one.seat), cell) for cell in spot.cells}
    return touched


def _won_cells(view: View) -> set[tuple[int, int]]:
    if view.outcome is None or not isinstance(view.outcome.detail, WonLine):
        return set()
    board = board_of(view, view.outcome.winner)
    return {(board, cell) for cell in view.outcome.detail.line.cells}


def _number(number: int, moves: list[Move], owner: Seat | None) -> Part:
    return Part(
        id=f"n-{number}",
        spot="",
        text=str(number),
        label="",
        says=f"number {number}",
        owner=owner,
        key=str(number),
        moves=tuple(moves),
    )


def _source(view: View, seat: Seat | None, numbers: Iterable[int]) -> Panel | None:
    """The panel that holds the numbers to choose from."""
    wanted = set(numbers)
    if not wanted:
        return None
    for panel in view.panels:
        if (
            panel.seat in (seat, None)
            and isinstance(panel.value, tuple)
            and wanted <= set(view.numbers(panel.key, panel.seat))
        ):
            return panel
    return None


def draw_panel(game: Game, view: View, panel: Panel, title: str, cast: Cast) -> DrawnPanel:
    """A view's panel, ready to draw; moves in it, such as claimed lines, are put in words."""
    numbers: tuple[int, ...] = ()
    if isinstance(panel.value, tuple):
        numbers = tuple(value for value in panel.value if isinstance(value, int))
        said = (_say_entry(game, view, panel.key, one, cast) for one in panel.value)
        text = comma_list(said) or "none"
    else:
        text = str(panel.value)
    if panel.seat is None:
        return DrawnPanel(title, text, numbers, key=panel.key)
    mark, name = cast.mark(panel.seat), cast.subject(panel.seat)
    return DrawnPanel(title, text, numbers, mark, name, panel.key, _sum_lines(game, view, panel))


def _say_entry(game: Game, view: View, key: str, entry: int | str | Move, cast: Cast) -> str:
    """One of a panel's values: a move in words, and the seat of a turn by its mark."""
    if isinstance(entry, Move):
        return game.words.move(view, entry)
    seat = Seat.named(entry) if key == "turns" else None
    return str(entry) if seat is None else cast.mark(seat)


def _sum_lines(game: Game, view: View, panel: Panel) -> tuple[tuple[str, int], ...]:
    """The lines that a panel lists, in words and with their sums."""
    if panel.seat is None or not isinstance(panel.value, tuple):
        return ()
    cells = view.boards[board_of(view, panel.seat)].cells
    made = {one: game.spot(one).cells for one in panel.value if isinstance(one, Move)}
    sums = ((one, sum(cells[cell].number or 0 for cell in found)) for one, found in made.items())
    return tuple((game.words.move(view, one), total) for one, total in sums)


@dataclass(frozen=True, slots=True)
class _Pen:
    """Draws the grids of one view."""

    game: Game
    view: View
    cast: Cast
    by_cells: dict[str, list[tuple[Spot, Move]]]
    touched: set[tuple[int, int]]
    won: set[tuple[int, int]]

    def grid(self, place: int, board: Board) -> Grid:
        width = board.width
        rows, columns = self._lines(place, board)
        across, down = _marks_by_cell(rows), _marks_by_cell(columns)
        named = names_cells(self.game, board)
        parts = [
            replace(self._cell(place, cell, named), across=across.get(cell, ""), down=down.get(cell, ""))
            for cell in range(len(board.cells))
        ]
        return Grid(
            title="" if board.owner is None else f"{self.cast.subject_whose(board.owner)} grid",
            mark="" if board.owner is None else self.cast.mark(board.owner),
            rows=tuple(tuple(parts[k : k + width]) for k in range(0, len(parts), width)),
            row_lines=rows,
            column_lines=columns,
        )

    def _cell(self, place: int, cell: int, named: bool) -> Part:
        square = self.view.boards[place].cells[cell]
        spot = spot_text(place, Spot(cells=(cell,)))
        found = self.by_cells.get(spot, [])
        holds = [] if square.number is None or named else [str(square.number)]
        if square.owner is not None:
            holds.append(f"{self.cast.owner(square.owner)} ({self.cast.mark(square.owner)})")
        direct = [move for choice, move in found if choice.number is None]
        what = f"number {square.number}" if named else f"cell {square.label}"
        says = f"{what}: {', '.join(holds) or ('free' if named else 'empty')}"
        return Part(
            id=f"c-{spot}",
            spot=spot,
            text="" if square.number is None else str(square.number),
            label="" if named else square.label,
            says=f"{says}. {capitalize(' or '.join(map(self._said, direct)))}" if direct else says,
            owner=square.owner,
            mark="" if square.owner is None else self.cast.mark(square.owner),
            key=_digit(square.label, square.number) if direct else "",
            last=(place, cell) in self.touched,
            won=(place, cell) in self.won,
            moves=tuple(move for _, move in found),
            numbers=tuple(choice.number for choice, _ in found if choice.number is not None),
        )

    def _said(self, move: Move) -> str:
        return self.game.words.move(self.view, move)

    def _lines(self, place: int, board: Board) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
        """The rows and columns as parts, in a game whose moves claim whole lines."""
        rows: list[Part] = []
        columns: list[Part] = []
        for key, move in enumerate(_line_moves(self.game, board), 1):
            cells = self.game.spot(move).cells
            part = self._line(place, cells, move, str(key))
            (rows if len({cell // board.width for cell in cells}) == 1 else columns).append(part)
        return tuple(rows), tuple(columns)

    def _line(self, place: int, cells: tuple[int, ...], move: Move, key: str) -> Part:
        spot = spot_text(place, Spot(cells=cells))
        owner = line_owner(self.view, move)
        numbers = [self.view.boards[place].cells[cell].number or 0 for cell in cells]
        found = self.by_cells.get(spot, [])
        whose = "free" if owner is None else f"{self.cast.owner(owner)} ({self.cast.mark(owner)})"
        return Part(
            id=f"c-{spot}",
            spot=spot,
            text=str(sum(numbers)),
            label=self._said(move),
            says=f"{self._said(move)}, sum {sum(numbers)}: {whose}",
            owner=owner,
            mark="" if owner is None else self.cast.mark(owner),
            key=key if found else "",
            last=all((place, cell) in self.touched for cell in cells),
            moves=tuple(move for _, move in found),
        )


def _line_moves(game: Game, board: Board) -> list[Move]:
    """The moves that claim a whole row or column, one for each."""
    found: dict[tuple[int, ...], Move] = {}
    for move in game.moves:
        cells = game.spot(move).cells
        if _is_line(board, cells):
            found.setdefault(cells, move)
    return list(found.values())


def _marks_by_cell(lines: Iterable[Part]) -> dict[int, str]:
    """For each cell of these lines, the mark of whoever has claimed its line."""
    return {int(cell): one.mark for one in lines for cell in one.spot.partition("-")[2].split(".")}


def line_owner(view: View, move: Move) -> Seat | None:
    """Who has claimed a line with this move."""
    claimed = ((seat, view.panel("lines", seat)) for seat in SEATS)
    return next((seat for seat, made in claimed if isinstance(made, tuple) and move in made), None)


def _digit(label: str, number: int | None) -> str:
    """The key that chooses a cell by itself: its number, or its label."""
    text = label if number is None else str(number)
    return text if len(text) == 1 and text.isdigit() else ""
