"""Boards and what lies beside them, and choosing a move there by keys and mouse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, VerticalScroll
from textual.geometry import Size
from textual.message import Message
from textual.widgets import Static

from ninefold.core.errors import NinefoldError
from ninefold.core.move import Move
from ninefold.show.board import Grid, Part
from ninefold.show.choosing import BUTTON, offered_buttons, offers, parts_of, pick
from ninefold.show.scene import Scene
from ninefold.show.sides import Preview
from ninefold.show.values import Tag
from ninefold.tui.board.beside import Notes, describe
from ninefold.tui.board.grid import SMALL, GridWidget, Look, Pointed, largest_cell, size_of

WIDE = 100  # columns from which several boards stand side by side
STACKED = Size(60, 20)  # of the screen: in less room, everything else goes below the boards
BESIDE = 28  # columns that stay for what lies beside the boards
MORE_BESIDE = 3  # and for the longer names of cells beside a board of more than three columns
STACK = 6  # rows that stay below the boards then
LARGE = Size(110, 36)  # of the screen: with that much room, everything is centered
READABLE = 44  # columns for what lies beside the boards then
FRESH = 0.7  # seconds for which a new move is highlighted
CHOOSING = ("move", "choose", "number", "digit")  # actions for whoever has something to choose
DIGITS = {"number": "1-9", "cell": "1-9", "line": "1-6"}  # what they choose, and which of them
ARROWS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class PositionWidget(Container, can_focus=True):
    """A scene. Whoever may move there chooses a number and a cell, in either order."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move('up')", "Move", key_display="←↑↓→", tooltip="Move the cursor"),
        *(Binding(key, f"move('{key}')", show=False) for key in ("down", "left", "right")),
        *(
            Binding("1", f"digit('1', '{what}')", what, key_display=keys, tooltip=f"Choose a {what}")
            for what, keys in DIGITS.items()
        ),
        *(Binding(digit, f"digit('{digit}')", show=False) for digit in "234567890"),
        Binding("enter,space", "choose", "Play", key_display="⏎", tooltip="Choose what the cursor is on"),
        Binding("tab", "number(1)", "Next number", show=False),
        Binding("shift+tab", "number(-1)", "Previous number", show=False),
        Binding("escape", "drop", "Start the move over", show=False),
    ]

    @dataclass
    class Chosen(Message):
        """A whole move has been chosen."""

        move: Move

    @dataclass
    class Refused(Message):
        """Something was pointed at that no legal move has."""

        number: str
        spot: str

    class Looked(Message):
        """The cursor has moved, or the half that is chosen has changed."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.scene: Scene | None = None
        self.chosen: Part | None = None
        self.tags: Mapping[str, Tag] = {}
        self.notes = Notes()
        self._cursor = ""
        self._fresh = False
        self._blind = False
        self._by_digit = False  # the last key was a digit that chose a whole move

    def compose(self) -> ComposeResult:
        with Horizontal(id="boards"):
            yield GridWidget(id="near")
            yield GridWidget(id="far")
        with VerticalScroll(id="beside", can_focus=False):
            yield GridWidget(id="small")
            yield Static(id="words")

    def show(
        self,
        scene: Scene,
        notes: Notes,
        *,
        tags: Mapping[str, Tag] | None = None,
        fresh: bool = False,
        blind: bool = False,
    ) -> None:
        """Draw a scene from now on. A half that was chosen stays so as long as it can.

        `tags` are shown on parts. `blind` draws no cursor, so that nobody else at the screen learns what
        is about to be chosen.
        """
        moved = self.scene is None or self.scene.view != scene.view
        self.scene, self.notes, self.tags = scene, notes, tags or {}
        self._blind = blind
        if moved and scene.cast.you is not None:
            self._by_digit = False  # whoever plays alone here cannot move for the other one
        offered = offers(scene.drawing, None)
        if self.chosen is not None:
            kept = tuple(one for one in offered.get(self.chosen.id, ()) if one in self.chosen.moves)
            same = (part for part in parts_of(scene.drawing) if part.id == self.chosen.id)
            self.chosen = next((replace(part, moves=kept) for part in same if len(kept) > 1), None)
        places = self._places()
        useful = self._cursor in offered or bool(scene.drawing.numbers)
        if self._cursor not in places or (moved and not useful):
            lines = bool(scene.drawing.grids[scene.active].row_lines)
            middle = list(places)[0 if lines else len(places) // 2] if places else ""
            free = [id for id in places if id in offered]
            self._cursor = middle if middle in free or not free else free[0]
        if fresh:
            self._fresh = True
            self.set_timer(FRESH, self._settle)
        self._draw()

    def mark(self, tags: Mapping[str, Tag]) -> None:
        """Show tags on parts until another scene is shown."""
        self.tags = tags
        self._draw()

    def _settle(self) -> None:
        self._fresh = self._by_digit = False
        self._draw()

    @property
    def pointed(self) -> str:
        """The part with the cursor."""
        return self._cursor

    # Drawing

    def on_resize(self, event: events.Resize) -> None:
        self._draw()

    def _draw(self) -> None:
        scene = self.scene
        if scene is None or not self.size or not self.is_mounted:
            return
        screen = self.screen.size
        stacked = screen.width < STACKED.width or screen.height < STACKED.height
        self.set_class(stacked, "-stacked")
        boards, small = self._draw_boards(scene, stacked=stacked, wide=screen.width >= WIDE)
        width = self.size.width - (2 if stacked else boards.width + 3)
        rows = self.size.height - (boards.height if stacked else 0)
        flat = width - small.width - 2 >= BESIDE  # the small board and the words side by side
        self.set_class(flat and bool(small), "-flat")
        if flat and small:
            width -= small.width + 2
        elif small:
            rows -= small.height + 1
        large = screen.width >= LARGE.width and screen.height >= LARGE.height
        self.screen.set_class(large, "-large")
        if large:
            width = min(width, READABLE)
        self.query_one("#beside").styles.width = max(width, 10) + 2 if large else "1fr"
        chosen = self.chosen or self._number()
        words = describe(scene, chosen, self._look(scene).cursor, self.notes, max(width, 10), rows)
        self.query_one("#words", Static).update(words)

    def _draw_boards(self, scene: Scene, *, stacked: bool, wide: bool) -> tuple[Size, Size]:
        """Draw the boards. Their size, and that of a small one that stands beside them."""
        grids, look = scene.drawing.grids, self._look(scene)
        first = scene.near if wide else scene.active  # side by side, boards keep their places
        near, far = grids[first], next((grid for k, grid in enumerate(grids) if k != first), None)
        kept = BESIDE + (MORE_BESIDE if near.width > 3 else 0)
        room = self.size.width - (0 if stacked else kept)
        if far is not None and (wide or stacked):
            room = room // 2 if wide else room - size_of(far, SMALL).width - 1
        cell = largest_cell(near, Size(room, max(self.size.height - (STACK if stacked else 0), 1)))
        beside = not (wide or stacked)
        shown = {
            "near": (near, cell),
            "far": (None if beside else far, cell if wide else SMALL),
            "small": (far if beside else None, SMALL),
        }
        for id, (grid, size) in shown.items():
            board = self.query_one(f"#{id}", GridWidget)
            board.display = grid is not None
            if grid is not None:
                board.show(grid, size, look)
        sizes = [size_of(grid, size) for id, (grid, size) in shown.items() if grid and id != "small"]
        total = Size(sum(one.width for one in sizes) + len(sizes) - 1, max(one.height for one in sizes))
        styles = self.query_one("#boards").styles
        styles.width, styles.height = total
        return total, size_of(far, SMALL) if far is not None and beside else Size()

    def _look(self, scene: Scene) -> Look:
        shown = self.has_focus and bool(offers(scene.drawing, None)) and not scene.drawing.alone
        can, viewer = offers(scene.drawing, self.chosen), scene.view.viewer
        preview = _say_preview(scene, self._cursor)
        if self.chosen is not None and self.chosen.id.startswith("n-"):
            preview = f"{self.chosen.text} {'' if viewer is None else scene.cast.mark(viewer)}".strip()
        return Look(
            cursor=self._cursor if shown else "",
            preview=preview if shown and self._cursor in can else "",
            offered=frozenset(can),
            tags=self.tags,
            fresh=self._fresh,
        )

    def _number(self) -> Part | None:
        """The number with the cursor, where numbers alone are chosen."""
        if self.scene is None or not self.scene.drawing.alone or self._blind:
            return None
        return next((one for one in self.scene.drawing.numbers if one.id == self._cursor), None)

    def on_focus(self) -> None:
        self.call_next(self._draw)  # when it is known that it has the focus

    def on_blur(self) -> None:
        self.call_next(self._draw)

    # Choosing

    def _places(self) -> dict[str, tuple[int, int]]:
        """Where the cursor can go: row and column by part."""
        if self.scene is None:
            return {}
        drawing = self.scene.drawing
        if drawing.alone:
            return {part.id: (0, place) for place, part in enumerate(drawing.numbers)}
        grid, buttons = drawing.grids[self.scene.active], offered_buttons(drawing, self.chosen)
        below = len(grid.rows) + bool(grid.column_lines)
        return {**_places_of(grid), **{part.id: (below + k, 0) for k, part in enumerate(buttons)}}

    @property
    def _can_choose(self) -> bool:
        """Whether there is a move to choose now."""
        return self.scene is not None and any(part.moves for part in parts_of(self.scene.drawing))

    def action_move(self, key: str) -> None:
        places = self._places()
        if self._cursor not in places or self._blind:
            return
        down, right = ARROWS[key]
        row, column = places[self._cursor]
        ahead = {}
        for id, (r, c) in places.items():
            along = (r - row) * down + (c - column) * right
            across = (r - row) * right + (c - column) * down
            if along > 0:
                ahead[id] = along + 3 * abs(across)
        self._by_digit = False
        if ahead:
            self._cursor = min(ahead, key=lambda id: ahead[id])
            self._look_again()

    def action_choose(self) -> None:
        """Choose what has the cursor. After a digit that was a whole move, Enter is only a habit."""
        if self._cursor and not self._blind and not self._by_digit:
            self._pick(self._cursor)
        self._by_digit = False

    def action_number(self, step: int) -> None:
        """Choose the next number, or the one before."""
        scene = self.scene
        if scene is None:
            return
        if scene.drawing.alone:
            self.action_move("right" if step > 0 else "left")
        elif scene.drawing.numbers:
            ids = [part.id for part in scene.drawing.numbers]
            before = -1 if step > 0 else 0  # the first, or the last
            at = ids.index(self.chosen.id) if self.chosen and self.chosen.id in ids else before
            self._pick(ids[(at + step) % len(ids)])

    def action_drop(self) -> None:
        if self.chosen is not None and self._cursor.startswith(BUTTON):
            self._cursor = self.chosen.id
        self.chosen = None
        self._look_again()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "drop":
            return self.chosen is not None
        if action == "digit" and parameters[1:] and self.scene is not None:
            return self._can_choose and parameters[1] == self.scene.drawing.digits
        if action in CHOOSING:  # keys for what cannot be done now are left to the screen
            return self._can_choose
        return True

    def action_digit(self, digit: str, what: str = "") -> None:
        """Choose the number, or the cell or line, that has this digit. `what` tells bindings apart."""
        if self.scene is None:
            return
        parts = list(parts_of(self.scene.drawing))
        found = next((part for part in parts if part.moves and part.key == digit), None)
        gone = next((part for part in parts if part.spot and part.text == digit), None)
        if found is not None:
            self._pick(found.id)
            self._by_digit = self.chosen is None
        elif self._can_choose:
            cell = gone if gone and not self.scene.drawing.numbers else None
            self.post_message(self.Refused("" if cell else digit, cell.spot if cell else ""))

    def on_pointed(self, event: Pointed) -> None:
        event.stop()
        self._point_at(event.id)

    def on_click(self, event: events.Click) -> None:
        if part := event.style.meta.get("part"):  # a number beside the boards
            self._point_at(part)

    def _point_at(self, id: str) -> None:
        self.focus()
        if id in self._places():
            self._cursor = id
        self._pick(id)

    def _pick(self, id: str) -> None:
        scene = self.scene
        if scene is None or not self._can_choose:
            return
        try:
            found = pick(scene.drawing, self.chosen, id)
        except NinefoldError:
            part = next(part for part in parts_of(scene.drawing) if part.id == id)
            self.post_message(self.Refused(self.chosen.text if self.chosen else "", part.spot))
            return
        if isinstance(found, Move):
            self.chosen = None
            self.post_message(self.Chosen(found))
        else:
            self.chosen = found
            # Where cell and number leave a choice, the cursor goes to the buttons that decide.
            deciding = [one for one in offered_buttons(scene.drawing, found) if one.spot or one.numbers]
            if found is not None and len(deciding) == len(found.moves):
                self._cursor = deciding[0].id
            elif self._cursor not in self._places():
                self._cursor = id
            self._look_again()

    def _look_again(self) -> None:
        self._draw()
        self.post_message(self.Looked())


def _places_of(grid: Grid) -> dict[str, tuple[int, int]]:
    """The cells, or the lines where those are chosen as a whole: right of the rows, below the columns."""
    if grid.row_lines or grid.column_lines:
        rows = {part.id: (row, grid.width) for row, part in enumerate(grid.row_lines)}
        below = len(grid.rows)
        return {**rows, **{part.id: (below, column) for column, part in enumerate(grid.column_lines)}}
    return {part.id: (r, c) for r, row in enumerate(grid.rows) for c, part in enumerate(row)}


def _say_preview(scene: Scene, id: str) -> str:
    """What a part would hold that is a whole move; nothing where that is what it holds."""
    part, one = scene.drawing.parts.get(id), scene.preview.get(id, Preview("", ""))
    same = part is None or (one.text, one.mark) == (part.text, part.mark)
    return "" if same else f"{one.text} {one.mark}".strip()
