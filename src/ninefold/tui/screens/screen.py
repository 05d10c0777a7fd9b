"""What all screens have in common: a head, lines to write in, help, and the way back."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ninefold.show.layout import width_of
from ninefold.show.scene import Scene
from ninefold.tui.board.position import PositionWidget
from ninefold.tui.keybar import KeyBar
from ninefold.tui.screens.dialogs import Help, keys_of

if TYPE_CHECKING:
    from ninefold.tui.app import Ninefold

# Keys that several screens have.
RULES = Binding("r", "rules", "Rules", tooltip="The rules of this game")
BACK = Binding("q,escape", "leave", "Back", key_display="q")


def title_of(scene: Scene) -> str:
    """The game, and what was agreed before it."""
    settings = (f"{title.lower()} {text}" for title, text in scene.settings)
    return "   ".join([scene.game.title, *settings])


class Leaf(Screen[None]):
    """A screen of ours. Its help is in a file of the same name as its module."""

    busy = False  # whether a server is being asked
    VERTICAL_BREAKPOINTS = [  # noqa: RUF012  (as Textual declares it)
        (0, "-tiny"),
        (18, "-short"),
        (24, "-tall"),
        (46, "-huge"),
    ]
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Back", show=False)]

    @property
    def nine(self) -> Ninefold:
        return cast("Ninefold", self.app)

    def write(self, id: str, text: str) -> None:
        """Put a text in a line of this screen."""
        self.query_one(f"#{id}", Static).update(text)

    def write_head(self, left: str, right: str = "") -> None:
        """Write the first line: as much of it as there is room for."""
        width, brief, last = (
            self.app.size.width,
            f" {', '.join(left.split('   '))}",
            right.split(", ")[-1],
        )
        full = f" Ninefold   {left}".rstrip()
        for start, end in ((full, right), (f" {left}", right), (brief, right), (brief, last)):
            if width_of(start) + width_of(end) + 2 * bool(end) <= width or (start, end) == (brief, last):
                room = width - width_of(start) - 1
                self.write("head", f"{start}{end:>{max(room, width_of(end) + 1)}}" if end else start)
                return

    def show_help(self) -> None:
        """Every key that works here, and a few words."""
        self.app.push_screen(Help(self.help_text(), list(keys_of(self))))

    def help_text(self) -> str:
        """A few words on this screen, as Markdown."""
        package, _, module = type(self).__module__.rpartition(".")
        return files(package).joinpath(f"{module}.md").read_text(encoding="utf-8")

    @property
    def line_mode(self) -> list[str]:
        """The command that goes on from here in line mode."""
        return []

    def action_leave(self) -> None:
        self.dismiss()


class ListScreen(Leaf):
    """A screen with a list to choose from. The cursor stays where it was when it is filled again."""

    def compose(self) -> ComposeResult:
        yield Static(id="head", markup=False)
        yield OptionList(markup=False)
        yield Static(id="status", markup=False)
        yield KeyBar()

    def fill(self, options: Sequence[Option]) -> None:
        listed = self.query_one(OptionList)
        at = listed.highlighted or 0
        listed.clear_options()
        listed.add_options(options)
        listed.highlighted = min(at, len(options) - 1) if options else None


class PositionScreen(Leaf):
    """A screen of a position: the boards, what happened, what to do, and the keys."""

    def compose(self) -> ComposeResult:
        yield Static(id="head", markup=False)
        yield from self.compose_body()
        yield Static(id="news", markup=False)
        yield Static(id="status", markup=False)
        yield KeyBar()

    def compose_body(self) -> ComposeResult:
        """What stands between the head and the sentences."""
        yield PositionWidget()

    def action_rules(self) -> None:
        if (scene := self.query_one(PositionWidget).scene) is not None:
            self.nine.show_rules(scene.game)
