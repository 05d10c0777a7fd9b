"""The explorer: any position of any game, with the exact value of every move on the board."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from ninefold.analysis import Evaluation, NoValues, evaluate
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.show.choosing import refusal_of, tags_of
from ninefold.show.endings import ending_of
from ninefold.show.exploring import CAST, Variation, follow, mixtures, say_legend, say_turn
from ninefold.show.moves import capitalize
from ninefold.show.scene import scene_of
from ninefold.show.values import Tag, bar_of, percent, say_alike
from ninefold.tui.board.beside import Notes
from ninefold.tui.board.position import PositionWidget
from ninefold.tui.screens.screen import BACK, RULES, PositionScreen, title_of


class Explorer(PositionScreen):
    """You move for both sides, and undo and redo moves."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u,backspace", "step(-1)", "Undo", key_display="u", tooltip="Take back a move"),
        Binding("y", "step(1)", "Redo", tooltip="Redo the move that was taken back"),
        Binding("home", "restart", "Restart", tooltip="Take back all moves"),
        Binding("s", "setup", "Setup", tooltip="Another game, or other settings"),
        RULES,
        BACK,
    ]

    def __init__(self, line: Variation) -> None:
        super().__init__()
        self.line = line
        self.at = len(line.played)
        self._found: Evaluation | None = None  # of the position that is shown
        self._unknown = ""  # why there is none
        self._said = ""

    def on_mount(self) -> None:
        self.query_one(PositionWidget).focus()
        self._go_to(self.at)

    @property
    def now(self) -> Variation:
        return self.line.until(self.at)

    def _go_to(self, at: int) -> None:
        self.at, self._found, self._unknown, self._said = at, None, "", ""
        self._draw()
        self._evaluate()
        self.refresh_bindings()

    @work(exclusive=True)
    async def _evaluate(self) -> None:
        try:
            self._found = await asyncio.to_thread(evaluate, self.now.state)
        except NoValues as error:
            self._unknown = str(error)
        self._draw()

    def _draw(self) -> None:
        now, found, position = self.now, self._found, self.query_one(PositionWidget)
        state, seat = now.state, now.chooser
        viewer = Seat.FIRST if seat is None else seat
        scene = scene_of(now.states, now.played, viewer, CAST)
        mine = found.choices_of(seat) if found and seat is not None else []
        alike = "" if state.secret else say_alike(mine, CAST)
        tags = {} if alike else tags_of(scene.drawing, position.chosen, mine, CAST)
        bar = None if found is None else bar_of(found.value, CAST)
        notes = Notes(movers=scene.view.movers, bar=bar, at=self.at)
        said = enumerate(self.line.said, 1)  # the moves that were taken back, too
        turns = tuple((number, seat, capitalize(text)) for number, (seat, text) in said)
        position.show(replace(scene, turns=turns), notes, tags=tags)
        self.write_head(title_of(scene), "Explorer")
        if found is None:
            about = self._unknown or "Working out what each move is worth..."
        elif state.secret:
            about = " ".join(_say_best_mixtures(scene.game, found))
        else:
            about = alike or say_legend(mine)
        self.write("news", about)
        self._say_status(tags)

    def _say_status(self, tags: dict[str, Tag]) -> None:
        """Whose turn it is and what to choose, and what the part with the cursor leads to."""
        now, position = self.now, self.query_one(PositionWidget)
        if now.state.outcome is not None:
            view = now.state.view(Seat.FIRST)
            self.write("status", " ".join(ending_of(now.state.game.words, view, CAST).lines))
            return
        tag, turn = tags.get(position.pointed, Tag()), say_turn(now, position.chosen)
        self.write("status", self._said or f"{turn} {f'{tag.says}.' if tag.says else ''}".rstrip())

    def on_position_widget_looked(self) -> None:
        self._said = ""
        self._draw()

    def on_position_widget_chosen(self, event: PositionWidget.Chosen) -> None:
        if event.move not in self.line.moves[self.at : self.at + 1]:
            now = self.now
            self.line = follow(now.states[0], [*now.moves, event.move])
        self._go_to(self.at + 1)

    def on_position_widget_refused(self, event: PositionWidget.Refused) -> None:
        if (seat := self.now.chooser) is not None:
            self._said = refusal_of(self.now.state, seat, event.number, event.spot)
            self._draw()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action, parameters:
            case "step", (-1,):
                return self.at > 0
            case "step", (1,):
                return self.at < len(self.line.played)
            case "restart", _:
                return self.at > 0
        return True

    def action_step(self, step: int) -> None:
        self._go_to(self.at + step)

    def action_restart(self) -> None:
        self._go_to(0)

    def action_setup(self) -> None:
        self.nine.set_up_explorer(self.line.state.game)


def _say_best_mixtures(game: Game, found: Evaluation) -> list[str]:
    """How often each seat would choose each number: `Player 1's best numbers: 5 (30%), 1 (70%).`"""
    said = []
    for choices in mixtures(game, found):
        shares = (f"{game.spot(one.move).number} ({percent(one.mix)})" for one in choices if one.mix)
        said.append(f"{CAST.name(choices[0].seat)}'s best numbers: {', '.join(shares)}.")
    return said
