"""The rules of a game to read, and its example to step through."""

from __future__ import annotations

import re
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import ContentSwitcher, Markdown

from ninefold.core.game import Game
from ninefold.games import SLUGS, every_game
from ninefold.show.endings import describe_ending
from ninefold.show.examples import READER, example_match
from ninefold.show.moves import cast_of, say_place
from ninefold.show.scene import scene_of_match
from ninefold.tui.board.beside import Notes
from ninefold.tui.board.position import PositionWidget
from ninefold.tui.screens.screen import title_of
from ninefold.tui.screens.steps import STEPS, Steps

GAME_KEYS = f"1-{len(SLUGS)}"
TYPING = re.compile(r"^## How to type a move$.*?(?=^## )", re.MULTILINE | re.DOTALL)
POINTING = """\
## How to choose a move
Move with the arrow keys and press Enter, or click. A digit chooses the number, cell or line that it
stands for. Where a move needs a number and a cell, choose them in either order. `?` lists the keys of a
screen; `g` resigns{stop}.

"""
STOP = ", and `s` offers to stop"


class Rules(Steps):
    """Two pages, the rules and the example; a digit turns to another game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *STEPS,
        Binding("tab", "turn", "Rules/example", tooltip="From the rules to the example, and back"),
        Binding("1", "game(0)", "Game", key_display=GAME_KEYS, tooltip="The rules of another game"),
        *(Binding(str(n), f"game({n - 1})", show=False) for n in range(2, 10)),
        Binding("q,escape", "leave", "Back"),
    ]

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game
        self.games = every_game()

    def compose_body(self) -> ComposeResult:
        with ContentSwitcher(initial="rules"):
            with VerticalScroll(id="rules"):
                yield Markdown(open_links=False)
            yield PositionWidget(id="example")

    async def on_mount(self) -> None:
        await self._open(self.game)

    async def _open(self, game: Game) -> None:
        self.game, self.at = game, 0
        self.match = example_match(game)
        self.end = len(self.match.played)
        pointing = POINTING.format(stop=STOP if game.endless else "")
        await self.query_one(Markdown).update(TYPING.sub(pointing, game.rules))
        self._show_page("rules")
        self.draw()

    def _show_page(self, name: str) -> None:
        self.query_one(ContentSwitcher).current = name
        self.set_focus(self.query_one("#rules") if name == "rules" else None)
        if name == "rules":
            self.query_one("#rules").scroll_home(animate=False)

    @property
    def _reading(self) -> bool:
        return self.query_one(ContentSwitcher).current == "rules"

    def draw(self) -> None:
        match, cast = self.match, cast_of(self.match)
        scene = scene_of_match(match, READER, cast, self.at)
        title = self.game.title if self._reading else title_of(scene)
        self.write_head(title, "Rules" if self._reading else say_place(match, self.at))
        self.query_one(PositionWidget).show(scene, Notes(movers=scene.view.movers))
        said = self.game.example.moves[self.at - 1][1] if self.at else self.game.summary
        ending = [describe_ending(match, cast).headline] if self.at == self.end else []
        self.write("news", " ".join(scene.news))
        self.write("status", " ".join([said, *ending]))
        self.set_class(self._reading, "-reading")
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return not self._reading if action in ("step", "go") else True

    def action_turn(self) -> None:
        self._show_page("example" if self._reading else "rules")
        self.draw()

    async def action_game(self, place: int) -> None:
        if place < len(self.games):
            await self._open(self.games[place])
