"""A match on one screen, to play or to watch."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from ninefold.analysis import Value
from ninefold.core.errors import NinefoldError
from ninefold.core.move import Move
from ninefold.core.seat import Seat
from ninefold.match.sitting import Deed
from ninefold.show.choosing import ask_other_half, refusal_of
from ninefold.show.coach import TAKE_BACK, draw_warning, say_moments
from ninefold.show.offers import CANCELED, TAKEN_BACK, say_stop_offer
from ninefold.show.scene import Scene
from ninefold.show.status import say_handover
from ninefold.study.reviews import Judged
from ninefold.table.table import Table
from ninefold.tui.background import run_aside
from ninefold.tui.board.beside import Notes
from ninefold.tui.board.position import PositionWidget
from ninefold.tui.board.reveal import RevealedCards
from ninefold.tui.screens.better_move import BetterMove
from ninefold.tui.screens.dialogs import Confirm, Cover
from ninefold.tui.screens.review import ReviewScreen
from ninefold.tui.screens.screen import RULES, PositionScreen, title_of

AFTER = ("review", "explore")  # actions of a match that is over
COPY = "(l: copy it)"
COPIED = "The link, copied if your terminal allows it: {}"
LOOKING = "Looking for the best move..."  # until there is a hint or an evaluation
FIND = "(f: find it)"
ANSWERS = "(a: accept, d: decline)"
TICK = 1.0  # seconds between two looks at a clock


class MatchScreen(PositionScreen):
    """A match. Everything that happens goes through its table."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "answer(True)", "Accept", tooltip="Accept what the other player offers"),
        Binding("d", "answer(False)", "Decline", tooltip="Decline what the other player offers"),
        Binding(
            "w",
            "claim",
            "Win",
            tooltip="Claim the win when the other player has been away for 10 minutes",
        ),
        Binding("u", "undo", "Undo", tooltip="Take back the last turn; online, ask for it"),
        Binding("h", "hint", "Hint", tooltip="The best move, and why"),
        Binding("e", "eval", "Eval", tooltip="Show or hide who is winning"),
        Binding("n", "follow", "Rematch", tooltip="Another game, with the sides swapped"),
        Binding("v", "review", "Review", tooltip="Go over this match"),
        Binding("f", "find", "Better move", tooltip="Find the better move where it mattered"),
        RULES,
        Binding(
            "s", "stop", "Agree to stop", show=False, tooltip="Offer to stop the game without a winner"
        ),
        Binding("g", "resign", "Resign", show=False, tooltip="Resign this game"),
        Binding("x", "explore", "Explore", tooltip="Explore from this position"),
        Binding("l", "copy_link", "Link", show=False, tooltip="Copy the link of the match"),
        Binding("k", "abort", "Cancel", tooltip="Cancel the match before its first move"),
        Binding("q,escape", "leave", "Menu", tooltip="Back to the menu; the match is saved"),
    ]

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table
        self._value: Value | None = None  # of the position, if it is to be shown
        self._rating = False  # whether it is
        self._said = ""  # an answer to what was asked or tried last
        self._skip = threading.Event()
        self._drawn = 0  # moves that have been drawn
        self._mover: Seat | None = None  # who was to move then
        self._scene: Scene
        self._moments: list[Judged] = []  # of a coached match, that mattered

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield RevealedCards()

    def on_mount(self) -> None:
        self.query_one(PositionWidget).focus()
        self._sit_down(self.table)
        self.set_interval(TICK, self._tick)

    def on_unmount(self) -> None:
        self.table.leave()  # however this ends, somebody else may go on with the match

    def _sit_down(self, table: Table) -> None:
        self.table, self._value, self._said, self._moments = table, None, "", []
        self._drawn = len(table.match.played)
        loop = asyncio.get_running_loop()

        def show_soon() -> None:
            """Draw the match again soon. May be called from any thread."""
            with suppress(RuntimeError):  # the program has ended
                loop.call_soon_threadsafe(self.call_later, self._show_match)

        table.news = show_soon
        self._show_match()

    def _show_match(self) -> None:
        """Draw the match as it is now, and see whose turn it is."""
        table, covered = self.table, self.table.sitting.covered
        if covered is not None:
            self._draw()
            self.app.push_screen(Cover(say_handover(covered, table.cast)), self._lift_cover)
            return
        self._draw()
        if table.sitting.following and table.you is not None:
            self.action_follow()
        if self._rating and table.allows(Deed.EVAL):
            self._rate()
        if table.computer is not None:
            self._think()
        if table.over:
            self._look_back(table)

    @work(exclusive=True, group="moments")
    async def _look_back(self, table: Table) -> None:
        """Say which moments of a coached match mattered, and which level to play next."""
        moments = await run_aside(table.find_moments)
        said = [*say_moments(table.match, moments, table.cast), *([FIND] if moments else [])]
        said += await run_aside(table.suggest_level)
        if said and table is self.table:
            self._moments = moments
            self._say(" ".join(said))
            self.refresh_bindings()

    def _lift_cover(self, ready: bool | None) -> None:
        if not ready:
            self.action_leave()
            return
        self.table.uncover()
        self._show_match()

    def _draw(self) -> None:
        table = self.table
        rated = self._rating and (table.allows(Deed.EVAL) or table.sitting.covered is not None)
        scene, mover = table.scene(value=self._value if rated else None), table.mover
        count = len(scene.moves)
        fresh = count > self._drawn
        if (count, mover) != (self._drawn, self._mover):
            self._drawn, self._mover, self._said = count, mover, ""
        blind = table.sitting.shared and table.match.state.secret
        self._scene = scene
        notes = Notes(
            seats={one.seat: str(one) for one in scene.notes},
            movers=tuple(one.seat for one in scene.notes if one.turn),
            bar=scene.bar,
        )
        self.query_one(PositionWidget).show(scene, notes, fresh=fresh, blind=blind)
        self.write_head(title_of(scene), _show_score(scene))
        if fresh and scene.reveal is not None and scene.reveal.count == count:
            self.query_one(RevealedCards).open(scene.reveal)
        self.write("news", " ".join(scene.news))
        self._say_status()
        self.refresh_bindings()

    def _say_status(self) -> None:
        """What to do now, or the answer to what was tried."""
        table, scene = self.table, self._scene
        self.set_class(bool(self._said) or scene.ending is not None, "-told")
        beside = " ".join(filter(None, [table.notice, *(one.says for one in scene.offers)]))
        if scene.ending is not None:
            after = self._said or f"{beside or scene.after} {self._say_keys()}".rstrip()
            self.write("status", " ".join([*scene.ending.lines, after]))
        else:
            chosen = self.query_one(PositionWidget).chosen
            now = self._said or ask_other_half(scene.status, chosen)
            if table.you is None and table.mover is not None and not self._said:
                now = f"{scene.title}. {now}"  # two people read this
            notice = f"{beside} {self._say_keys()}".strip()
            self.write("status", "\n".join(filter(None, [notice, now])))

    def _say_keys(self) -> str:
        """The keys for what was just said: an offer, or an invitation."""
        if self.table.allows(Deed.ANSWER):
            return ANSWERS
        return COPY if self.table.sitting.waiting and self.table.you is not None else ""

    def _tick(self) -> None:
        if self.table.ticking:
            self._draw()

    def _say(self, text: str) -> None:
        self._said = text
        self._say_status()

    # Moves

    def on_position_widget_looked(self) -> None:
        self._say("")

    def on_position_widget_chosen(self, event: PositionWidget.Chosen) -> None:
        seat = self.table.mover
        if seat is None:
            return
        if self.table.match.coach:
            self._play_coached(seat, event.move)
        else:
            self._do(lambda: self.table.play(seat, event.move))

    @work(group="acts")
    async def _play_coached(self, seat: Seat, move: Move) -> None:
        """Make a move, unless the coach warns of it and it is taken back."""
        warned = await run_aside(lambda: self.table.warn(seat, move))
        if warned is not None:
            scene = draw_warning(self.table.match, warned, seat, self.table.cast)
            self.query_one(PositionWidget).show(scene, Notes())
            question = f"{' '.join(warned.said)} {TAKE_BACK}"
            if await self.app.push_screen_wait(Confirm(question, default=True)):
                self._show_match()
                return
        self._do(lambda: self.table.play(seat, move))

    def on_position_widget_refused(self, event: PositionWidget.Refused) -> None:
        if (seat := self.table.mover) is not None:
            self._say(refusal_of(self.table.match.state, seat, event.number, event.spot))

    @work(group="acts")
    async def _do(self, act: Callable[[], None], done: str = "") -> None:
        """Do something to the match, and say that it is done; what is refused is said instead."""
        try:
            await run_aside(act) if self.table.link else act()  # a server may take its time
        except NinefoldError as error:
            self._say(str(error))
            return
        self._said = ""
        self._show_match()
        if done and not self.table.notice:
            self._say(done)

    @work(exclusive=True, group="computer")
    async def _think(self) -> None:
        self._skip.clear()
        await run_aside(lambda: self.table.think(self._skip))
        self._show_match()

    def on_key(self, event: events.Key) -> None:
        self._skip.set()  # the computer only pretends to think: any key ends its pause
        self.query_one(RevealedCards).close()

    # Commands

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "copy_link":
            return bool(self.table.link)
        if action == "find":
            return bool(self._moments)
        if action in tuple(Deed):
            return self.table.allows(Deed(action))
        return action not in AFTER or self.table.over

    def action_undo(self) -> None:
        if (seat := self.table.sitting.actor) is not None:
            self._do(lambda: self.table.undo(seat), TAKEN_BACK)

    @work(group="acts")
    async def action_hint(self) -> None:
        seat = self.table.mover
        if seat is None:
            return
        self._say(LOOKING)
        try:
            found = await run_aside(lambda: self.table.hint(seat))
        except NinefoldError as error:
            self._say(str(error))
            return
        scene = self.table.scene(hint=found)
        self.query_one(PositionWidget).mark(scene.tags)
        self._say(f"Hint: {scene.hint}")

    def action_eval(self) -> None:
        self._rating = not self._rating
        self._show_match()

    @work(exclusive=True, group="bar")
    async def _rate(self) -> None:
        if self._value is None:
            self._say(LOOKING)
        try:
            self._value = await run_aside(self.table.value)
        except NinefoldError as error:
            self._rating = False
            self._say(str(error))
        if self._said == LOOKING:
            self._said = ""
        self._draw()

    @work(group="acts")
    async def action_resign(self) -> None:
        seat = self.table.sitting.actor
        if seat is not None and await self.app.push_screen_wait(Confirm("Resign this game?")):
            self._do(lambda: self.table.resign(seat))

    @work(group="acts")
    async def action_stop(self) -> None:
        seat, table = self.table.sitting.actor, self.table
        if seat is None:
            return
        people = table.you is None  # both sit here, so the other one answers here
        if people and not await self.app.push_screen_wait(Confirm(say_stop_offer(seat, table.cast))):
            return
        self._do(lambda: table.stop(seat))

    def action_answer(self, agree: bool) -> None:
        self._do(lambda: self.table.answer(agree=agree))

    def action_claim(self) -> None:
        self._do(self.table.claim)

    @work(group="acts")
    async def action_abort(self) -> None:
        if not await self.app.push_screen_wait(Confirm("Cancel this match?")):
            return
        try:
            await run_aside(self.table.abort)
        except NinefoldError as error:
            self._say(str(error))
            return
        self.action_leave()
        self.app.notify(CANCELED)

    def action_copy_link(self) -> None:
        self.app.copy_to_clipboard(self.table.link)
        self._say(COPIED.format(self.table.link))

    @work(exclusive=True, group="follow")
    async def action_follow(self) -> None:
        try:
            following = await run_aside(self.table.follow)
        except NinefoldError as error:
            self._say(str(error))
            return
        if following is not None:
            self._sit_down(following)

    def action_review(self) -> None:
        match = self.table.match
        self.app.push_screen(ReviewScreen(match, self.table.you, at=len(match.played)))

    def action_find(self) -> None:
        """Look for a better move at the moments that mattered, one after the other."""
        one, *rest = self._moments
        self._moments = [*rest, one]
        self.app.push_screen(BetterMove(self.table.match, one, self.table.cast))

    def action_explore(self) -> None:
        match = self.table.match
        self.nine.explore(match.game, match.state.setup, match.written())

    @property
    def line_mode(self) -> list[str]:
        return self.table.line_mode

    def action_leave(self) -> None:
        self.workers.cancel_node(self)  # nobody is here anymore for the answers
        said = self.table.leave()
        self.nine.go_home()
        if said:
            self.app.notify(said, markup=False)


def _show_score(scene: Scene) -> str:
    """`Ann 2 : 1 Ben`, with the length of a series before it; nothing before the second game."""
    score, cast = scene.score, scene.cast
    if score is None:
        return ""
    first, second = (cast.subject(seat) for seat in cast.players)
    length = f"best of {score.best_of}   " if score.best_of else ""
    return f"{length}{first} {score.wins[0]} : {score.wins[1]} {second}"
