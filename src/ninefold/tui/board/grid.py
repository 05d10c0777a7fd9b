"""One grid, drawn cell by cell. It can be pointed at with the mouse; the cursor is moved from outside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from ninefold.show.board import Grid, Part
from ninefold.show.layout import width_of
from ninefold.show.values import Tag

LINE = 11  # columns for a line that is claimed as a whole, right of its row
NAMED = 5  # columns that such a line needs below its column, at least


class CellSize(NamedTuple):
    """The inside of a cell, without its frame."""

    width: int
    height: int


HIGH, MIDDLE, LOW = (15, 13, 11, 9), (11, 9, 7), (7, 5, 3)  # widths, for cells of 5, 3 and 1 rows
SIZES = tuple(
    CellSize(width, height) for height, widths in ((5, HIGH), (3, MIDDLE), (1, LOW)) for width in widths
)  # the largest first
SMALL = CellSize(3, 1)
HINTED = "hint"  # below the cell that a hint names
TONES = {"win": "+", "loss": "-", "endless": "=", "mixed": "~", "hinted": "←"}  # where words have no room


@dataclass
class Pointed(Message):
    """Somebody has clicked on a part."""

    id: str


@dataclass(frozen=True, slots=True)
class Look:
    """How a grid is to be seen now."""

    cursor: str = ""  # the part with the cursor
    preview: str = ""  # what the cell with the cursor would hold
    offered: frozenset[str] = frozenset()  # parts that can be chosen
    tags: Mapping[str, Tag] | None = None
    fresh: bool = False  # the last move was made just now


def size_of(grid: Grid, cell: CellSize) -> Size:
    """How much room a grid takes with cells of a size."""
    width = _margin(grid) + grid.width * (cell.width + 1) + 1 + (LINE if grid.row_lines else 0)
    height = len(grid.rows) * (cell.height + 1) + 1 + _has_labels(grid) + bool(grid.title)
    title = width_of(grid.title) + 4 if grid.title else 0
    return Size(max(width, title), height + (min(cell.height, 3) if grid.column_lines else 0))


def largest_cell(grid: Grid, room: Size) -> CellSize:
    """The largest cells with which a grid fits; if none do, the lowest of those that are not too wide."""
    cells = [cell for cell in SIZES if not grid.column_lines or cell.width >= NAMED]
    narrow = [cell for cell in cells if size_of(grid, cell).width <= room.width] or cells[-1:]
    fitting = [cell for cell in narrow if size_of(grid, cell).height <= room.height]
    return next(cell for cell in fitting or narrow if fitting or cell.height == SMALL.height)


def _has_labels(grid: Grid) -> bool:
    """Whether rows and columns have labels, so that a cell is named by both."""
    return "," in grid.rows[0][0].label


def _margin(grid: Grid) -> int:
    return 3 if _has_labels(grid) else 1


class GridWidget(Widget):
    """A grid. Colors come with marks, so that none is needed."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"board--{name}"
        for name in (
            *("frame", "label", "x", "o", "offer", "cursor", "last", "fresh", "won"),
            *("win", "loss", "mixed", "endless", "hinted", "best"),
        )
    }

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._strips: list[Strip] = []

    def show(self, grid: Grid, cell: CellSize, look: Look) -> None:
        """Draw a grid from now on."""
        self.styles.width, self.styles.height = size_of(grid, cell)
        self._strips = _Pen(self, grid, cell, look).strips()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        return self._strips[y] if y < len(self._strips) else Strip.blank(self.size.width, self.rich_style)

    def on_click(self, event: events.Click) -> None:
        if part := event.style.meta.get("part"):
            event.stop()  # or it would be pointed at twice
            self.post_message(Pointed(part))


@dataclass(frozen=True, slots=True)
class _Pen:
    board: GridWidget
    grid: Grid
    cell: CellSize
    look: Look

    def strips(self) -> list[Strip]:
        grid, (width, _) = self.grid, self.cell
        margin = Segment(" " * _margin(grid), self._style())
        lines: list[list[Segment]] = []
        if grid.title:
            lines.append(
                [Segment(f" {grid.mark} {grid.title}", self._style("x" if grid.mark == "X" else "o"))]
            )
        if _has_labels(grid):
            heads = "".join(f" {part.label.partition(',')[2]:^{width}}" for part in grid.rows[0])
            lines.append([margin, Segment(heads, self._style("label"))])
        lines.append([margin, self._rule("┌┬┐")])
        for number, row in enumerate(grid.rows):
            lines += self._row(number, row)
            lines.append([margin, self._rule("├┼┤" if number < len(grid.rows) - 1 else "└┴┘")])
        if grid.column_lines:
            texts = zip(*(self._draw_line(part, width) for part in grid.column_lines), strict=True)
            gap = Segment(" ", self._style())
            lines += [[margin, *(one for text in row for one in (gap, text))] for row in texts]
        total = size_of(grid, self.cell).width
        return [Strip(line).adjust_cell_length(total, self._style()) for line in lines]

    def _style(self, *names: str) -> Style:
        style = self.board.rich_style
        for name in names:
            style += self.board.get_component_rich_style(f"board--{name}", partial=True)
        return style

    def _rule(self, corners: str) -> Segment:
        cells = corners[1].join("─" * self.cell.width for _ in self.grid.rows[0])
        return Segment(f"{corners[0]}{cells}{corners[2]}", self._style("frame"))

    def _row(self, number: int, row: tuple[Part, ...]) -> list[list[Segment]]:
        bar, height = Segment("│", self._style("frame")), self.cell.height
        inside = [self._inside(part) for part in row]
        claimed = self._draw_line(self.grid.row_lines[number], LINE - 1) if self.grid.row_lines else []
        lines = []
        for k in range(height):
            head = row[0].label.partition(",")[0] if _has_labels(self.grid) and k == height // 2 else ""
            line = [Segment(f"{head:>{_margin(self.grid) - 1}} ", self._style("label")), bar]
            for texts in inside:
                line += [texts[k], bar]
            place = k - (height - len(claimed) + 1) // 2  # in the middle
            if 0 <= place < len(claimed):
                line += [Segment(" ", self._style()), claimed[place]]
            lines.append(line)
        return lines

    def _inside(self, part: Part) -> list[Segment]:
        """The lines of a cell: its name above, what it holds, and what comes of it below."""
        width, height = self.cell
        tag = (self.look.tags or {}).get(part.id)
        faces = [" " * width] * height
        if height > 1:
            faces[0] = (
                "" if _has_labels(self.grid) or part.label == part.text else f" {part.label}"
            ).ljust(width)
            faces[-1] = _fit(_comment(tag, width) if tag else "", width)
        faces[height // 2] = self._middle(part, tag)
        if part.id == self.look.cursor:
            faces = _frame(faces)
        style = self._style_part(part, tag)
        return [Segment(face, style) for face in faces]

    def _middle(self, part: Part, tag: Tag | None) -> str:
        """What a cell holds, or with a question mark what it could hold, in the same place."""
        width, preview = self.cell.width, self.look.preview
        if part.id != self.look.cursor or not preview:
            return _fit(self._face(part, tag), width)
        text = _fit(preview if width > SMALL.width else preview.replace(" ", ""), width)
        end = len(text.rstrip())
        return f"{text[:end]}?{text[end + 1 :]}" if end < width else text

    def _face(self, part: Part, tag: Tag | None) -> str:
        """What a cell holds: its number and its owner's mark, with a sign for the last move and a win."""
        held = f"{part.text} {part.mark}".strip()
        if not held:
            held = "·" if part.id in self.look.offered else ""
            if not _has_labels(self.grid) and self.cell.height == 1:
                held = part.label
        if self.cell.width == SMALL.width:
            return f"{'*' if part.won else '>' if part.last else ''}{held.replace(' ', '')}"
        if part.won:
            return f"*{held}*"
        if part.last:
            return f">{held}<"
        return f"{held}{TONES.get(tag.tone, '')}" if tag and self.cell.height == 1 else held

    def _style_part(self, part: Part, tag: Tag | None) -> Style:
        names = (
            [part.mark.lower()] if part.mark else ["offer"] if part.id in self.look.offered else ["label"]
        )
        names += ["last"] * part.last + ["fresh"] * (part.last and self.look.fresh) + ["won"] * part.won
        if tag:
            names += [tag.tone] * (tag.tone in TONES) + ["best"] * tag.best
        names += ["cursor"] * (part.id == self.look.cursor)
        return self._style(*names) + Style(meta={"part": part.id})

    def _draw_line(self, part: Part, width: int) -> list[Segment]:
        """A line that is claimed as a whole: its name, its sum with a mark, and its key or a tag."""
        tag = (self.look.tags or {}).get(part.id)
        text = f"= {part.text} {part.mark}".strip()
        if self.cell.height > 1:
            said = _comment(tag, width - 2) if tag else f"({part.key})" if part.key else ""
            faces = [_fit(face, width) for face in (part.label, text, said)]
        else:
            said = f"{part.key}:{part.text}{part.mark}" if part.key else text.replace(" ", "")
            faces = [_fit(said + (TONES.get(tag.tone, "") if tag else ""), width)]
        if part.id == self.look.cursor:
            faces = [f"[{face[1:-1]}]" for face in faces]
        return [Segment(face, self._style_part(part, tag)) for face in faces]


def _comment(tag: Tag, width: int) -> str:
    """What is told of a cell, as far as there is room; a star for the best."""
    best = "*" * tag.best
    said = f"{tag.text or (HINTED if tag.tone == 'hinted' else '')}{best}"
    return said if width_of(said) <= width else f"{TONES.get(tag.tone, '')}{best}"


def _fit(text: str, width: int) -> str:
    return text[:width].center(width)


def _frame(faces: list[str]) -> list[str]:
    """A cell with the cursor: corners inside its frame, or brackets where it has one line."""
    if len(faces) == 1:
        return [f"[{faces[0][1:-1]}]"]
    first, *middle, last = faces
    return [f"┏{first[1:-1]}┓", *middle, f"┗{last[1:-1]}┛"]
