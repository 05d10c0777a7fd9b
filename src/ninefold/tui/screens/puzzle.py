"""A puzzle: answers are given on the board, refuted there, and explained when it is solved or shown."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from ninefold.core.errors import NinefoldError
from ninefold.core.move import Move
from ninefold.show import puzzles
from ninefold.show.choosing import ask_other_half, refusal_of
from ninefold.show.exploring import Variation
from ninefold.show.scene import scene_of
from ninefold.show.values import Tag
from ninefold.store.files.progress import PuzzleProgress
from ninefold.study.puzzles import Asks, Puzzle, Task, Trial, Verdict, try_answers
from ninefold.study.puzzles.days import today
from ninefold.study.puzzles.labels import Label, Wanted, draw_label
from ninefold.study.puzzles.mixing import STEP
from ninefold.tui.board.beside import Notes
from ninefold.tui.board.position import PositionWidget
from ninefold.tui.forms.form import Form, FormRow, Picker
from ninefold.tui.screens.dialogs import Message
from ninefold.tui.screens.screen import BACK, RULES, title_of
from ninefold.tui.screens.steps import STEPS, Steps

ANSWER = "answer"  # the row of the form
LONGEST = 3  # digits of a number


class NumberEntry(Picker):
    """A number: digits and a minus can be typed, and left and right change it by a step.

    `say` puts a number in words.
    """

    def __init__(self, step: int, say: Callable[[int], str]) -> None:
        super().__init__([], "0")
        self._step, self._say = step, say

    def _show(self) -> None:
        self.update(f"◂ {self._say(int(self.value))} ▸")

    def action_turn(self, step: int) -> None:
        self.set_value(str(int(self.value) + step * self._step))

    def on_key(self, event: events.Key) -> None:
        typed = event.character or ""
        if event.key == "backspace":
            text = self.value[:-1]
        elif typed.isdigit():
            text = f"{self.value}{typed}" if len(self.value.strip("-")) < LONGEST else self.value
        elif typed == "-":
            text = self.value.removeprefix("-") if self.value.startswith("-") else f"-{self.value}"
        else:
            return
        event.stop()
        self.set_value(str(int(text) if text.strip("-") else 0))


class Solving(Steps):
    """A puzzle to solve. Nothing here depends on the answer until it is found or shown."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "fill_in", "Answer", priority=True, tooltip="Give the answer that is filled in"),
        Binding("a", "mix", "Answer", tooltip="Give the numbers that you chose as the answer"),
        Binding("t,enter", "again", "Try again", key_display="t"),
        *STEPS,
        Binding("s", "show", "Show", tooltip="Show the answer"),
        Binding("c", "share", "Share", tooltip="Copy your result, to share it"),
        Binding("x", "explore", "Explore", tooltip="Explore from this position"),
        Binding("n", "next", "Next", tooltip="Another puzzle of this kind"),
        RULES,
        BACK,
    ]

    def __init__(self, label: Label, puzzle: Puzzle) -> None:
        super().__init__()
        self.label, self.puzzle = label, puzzle
        self.cast = puzzles.cast_for(puzzle)
        self.game = puzzle.state.game
        self.given: list[str] = []  # right answers
        self.picked: set[str] = set()  # numbers of a mixture
        self.done = False  # solved or shown
        self.refuted = False  # a refutation is on the board
        self.said: list[str] = []
        self._progress = PuzzleProgress()
        self._follow(())

    def _follow(self, path: tuple[Move, ...]) -> None:
        """Go on from the puzzle's position with these moves, to their end."""
        self.line = puzzles.follow_puzzle(self.puzzle, path)
        self.at = self.end = len(path)

    def compose_body(self) -> ComposeResult:
        yield PositionWidget()
        with Form():
            options = puzzles.list_options(self.puzzle)
            if options:
                yield FormRow(ANSWER, "Your answer", Picker(options, options[0][0]))
            else:
                step = STEP if self.puzzle.task is Task.CHANCE else 1
                entry = NumberEntry(
                    step, lambda number: puzzles.say_amount(self.puzzle, number, self.cast)
                )
                yield FormRow(ANSWER, "Your answer", entry)

    def on_mount(self) -> None:
        self.draw()
        if self._asks(Asks.OPTION, Asks.NUMBER):
            self.query_one(Form).focus_first()
        else:
            self.query_one(PositionWidget).focus()

    def help_text(self) -> str:
        return f"{puzzles.EXPLAINED[self.puzzle.task]}\n\n{super().help_text()}"

    # Drawing

    def _asks(self, *kinds: Asks) -> bool:
        """Whether one of these kinds of answers is being asked for."""
        return not self.done and not self.refuted and self.puzzle.task.asks in kinds

    @property
    def _asks_mix(self) -> bool:
        return self._asks(Asks.MOVES) and self.puzzle.task is Task.MIX

    @property
    def now(self) -> Variation:
        return self.line.until(len(self.puzzle.moves) + self.at)

    def draw(self) -> None:
        puzzle, cast, now, position = self.puzzle, self.cast, self.now, self.query_one(PositionWidget)
        choosing = self._asks(Asks.MOVES)
        scene = scene_of(now.states, now.played, puzzle.seat, cast, None if choosing else ())
        picked = frozenset(f"n-{number}" for number in self.picked)
        position.show(scene, Notes(movers=scene.view.movers, picked=picked), tags=self._tags())
        self.query_one(Form).display = self._asks(Asks.OPTION, Asks.NUMBER)
        self.write_head(title_of(scene), self._title())
        self.write("news", self._say_progress() if self.done else self._ask())
        said = " ".join(self.said)
        if not said and self._asks_mix:
            said = f"Your answer: {' '.join(sorted(self.picked)) or 'none yet'}"
        elif not said and choosing:
            said = ask_other_half(scene.question, position.chosen)
        self.write("status", said)
        self.set_class(self.done or self.refuted, "-told")
        self.refresh_bindings()

    def _title(self) -> str:
        return f"{puzzles.say_label(self.label)}, grade {self.puzzle.grade}"

    def _ask(self) -> str:
        return puzzles.ask_task(self.puzzle, self.cast)

    def _tags(self) -> dict[str, Tag]:
        """What is told of parts of the board."""
        return {}

    def _say_trial(self, tried: Trial) -> list[str]:
        return puzzles.say_trial(self.puzzle, tried, self.cast)

    def _explain(self) -> list[str]:
        return puzzles.explain(self.puzzle, self.cast)

    def _say_progress(self) -> str:
        return puzzles.say_progress(self._progress.solved, self._progress.streak(today()))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "fill_in":
                return self._asks(Asks.OPTION, Asks.NUMBER)
            case "mix":
                return self._asks_mix
            case "again":
                return self.refuted
            case "step" | "go":
                return self.end > 0 and (self.done or self.refuted)
            case "show":
                return not self.done
            case "share" | "explore" | "next":
                return self.done
        return True

    # Answering

    def on_position_widget_looked(self) -> None:
        self.said = []
        self.draw()

    def on_position_widget_refused(self, event: PositionWidget.Refused) -> None:
        self.said = [refusal_of(self.now.state, self.puzzle.seat, event.number, event.spot)]
        self.draw()

    def on_position_widget_chosen(self, event: PositionWidget.Chosen) -> None:
        if self.puzzle.task is Task.MIX:
            self.picked ^= {str(self.game.spot(event.move).number)}
            self.on_position_widget_looked()
        else:
            self._answer(str(event.move))

    def action_mix(self) -> None:
        self._answer(" ".join(sorted(self.picked)))

    def action_fill_in(self) -> None:
        self._answer(self.query_one(Form).values[ANSWER])

    @work(exclusive=True)
    async def _answer(self, text: str) -> None:
        puzzle = self.puzzle
        try:
            tried = await asyncio.to_thread(try_answers, puzzle, [*self.given, text])
        except NinefoldError as error:
            self.said = [str(error)]
            self.draw()
            return
        said = await asyncio.to_thread(self._say_trial, tried)
        if tried.verdict is Verdict.WRONG:
            said += self._note(wrong=str(tried.wrong))
            self.refuted = bool(tried.path)
        else:
            self.given.append(text)
        if tried.verdict is Verdict.SOLVED:
            said += self._note(solved=True)
            self.done = True
        self.said = said
        self._follow(tried.path or (puzzle.solution if self.done else ()))
        self.draw()

    @property
    def _kept_as(self) -> str:
        """What the progress is kept under."""
        return str(self.label)

    def _note(self, *, wrong: str | None = None, solved: bool = False, shown: bool = False) -> list[str]:
        """Keep what came of an answer; what is to be said if that fails."""
        try:
            self._progress.note(self._kept_as, wrong=wrong, solved=solved, shown=shown)
        except OSError as error:  # the puzzle can be solved all the same
            return [puzzles.say_not_kept(error.strerror or "")]
        return []

    @work(exclusive=True)
    async def action_again(self) -> None:
        tried = await asyncio.to_thread(try_answers, self.puzzle, self.given)
        self.refuted, self.said = False, []
        self._follow(tried.path)
        self.draw()

    @work(exclusive=True)
    async def action_show(self) -> None:
        self.said = await asyncio.to_thread(self._explain)
        self.said += self._note(shown=True)
        self.refuted, self.done = False, True
        self._follow(self.puzzle.solution)
        self.draw()

    # Afterwards

    def action_share(self) -> None:
        result = self._progress.results[str(self.label)]
        plain = bool(os.environ.get("NO_COLOR"))
        text = puzzles.share(
            self.puzzle, self.label, len(result.wrong), solved=result.solved, plain=plain
        )
        self.app.copy_to_clipboard(text)
        self.app.push_screen(Message(text))

    def action_explore(self) -> None:
        self.nine.explore(self.game, self.puzzle.setup, self.now.moves)

    def action_next(self) -> None:
        self._open(Wanted(self.puzzle.task, self.puzzle.grade))

    @work(exclusive=True)
    async def _open(self, wanted: Wanted) -> None:
        try:
            label = await asyncio.to_thread(draw_label, self.game, wanted)
            found = await asyncio.to_thread(label.find)
        except NinefoldError as error:
            self.said = [str(error)]
            self.draw()
        else:
            self.app.switch_screen(Solving(label, found))
