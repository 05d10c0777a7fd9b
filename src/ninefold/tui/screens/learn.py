"""Lessons: the courses of all games, and a step to be done on the board."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from ninefold.core.game import Game
from ninefold.core.lessons import Course
from ninefold.games import every_game
from ninefold.show import lessons
from ninefold.show.values import Tag
from ninefold.store.files.progress import lesson_progress
from ninefold.study.lessons import Exercise, count_done, courses_of, next_step, pose
from ninefold.study.puzzles import Trial, Verdict, try_answers
from ninefold.study.puzzles.labels import Label, Wanted
from ninefold.tui.screens.puzzle import Solving
from ninefold.tui.screens.screen import BACK, ListScreen


class CourseList(ListScreen):
    """Every course of every game; Enter goes on with one."""

    BINDINGS: ClassVar[list[BindingType]] = [BACK]

    def __init__(self) -> None:
        super().__init__()
        self._courses = [(game, course) for game in every_game() for course in courses_of(game)]

    def on_screen_resume(self) -> None:
        self.write_head("Lessons")
        done = lesson_progress().done
        self.fill(
            [
                Option(f"{game.title}, {lessons.say_course(course, count_done(game, course, done))}")
                for game, course in self._courses
            ]
        )
        self.write("status", "A course takes two or three minutes. Leave and come back as you like.")

    @work(exclusive=True)
    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        game, course = self._courses[event.option_index]
        number = next_step(game, course, lesson_progress().done)
        self.app.push_screen(Lesson(game, await asyncio.to_thread(pose, game, course.slug, number)))


class Lesson(Solving):
    """A step of a course. Nothing is drawn or said of its answer before it is found or asked for."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "hint", "Hint", tooltip="Where to look; once more for the move"),
        Binding("b", "back", "Step back", tooltip="The step before"),
        Binding("n", "next", "Next step", tooltip="The next step, done or not"),
        Binding("p", "practice", "Puzzle", tooltip="A puzzle on what the course was about"),
        Binding("g", "play", "Game", tooltip="A game against a level that suits you, with the coach"),
        Binding("r", "rules", "Rules", tooltip="The rules of this game", show=False),
    ]

    def __init__(self, game: Game, exercise: Exercise) -> None:
        super().__init__(Label(), exercise.puzzle)
        self.exercise = exercise
        self.cast = lessons.lesson_cast(exercise.puzzle.seat)
        self._lesson_game = game
        self._progress = lesson_progress()
        self._hints = int(exercise.step.points)

    @property
    def _kept_as(self) -> str:
        return self.exercise.label

    def _title(self) -> str:
        one = self.exercise
        return f"{one.step.title}, step {one.number} of {len(one.course.steps)}"

    def _ask(self) -> str:
        return lessons.ask_step(self.exercise)

    def _say_progress(self) -> str:
        if self.exercise.last:
            return " ".join(lessons.say_end(self._lesson_game, self.exercise.course))
        return f"{lessons.say_step(self._lesson_game, self.exercise)}. Press n for the next step."

    def _tags(self) -> dict[str, Tag]:
        if self.done or self.refuted:
            return {}
        return lessons.tag_clue(self.exercise, try_answers(self.puzzle, self.given), self._hints)

    def _say_trial(self, tried: Trial) -> list[str]:
        self._hints = 0
        return lessons.say_answer(self.exercise, tried, self.cast)

    def _explain(self) -> list[str]:
        start, done = Trial(Verdict.OPEN), self.exercise.step.done
        return [
            lessons.say_clue(self.exercise, start, lessons.STAGES, self.cast),
            lessons.fill(self.exercise, done),
        ]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "hint":
                return not self.done and not self.refuted
            case "back":
                return self.exercise.number > 1
            case "next":
                return True
            case "practice" | "play":
                return self.done and self.exercise.last
            case "share":
                return False
        return super().check_action(action, parameters)

    @work(exclusive=True)
    async def action_hint(self) -> None:
        self._hints = min(self._hints + 1, lessons.STAGES)
        trial = await asyncio.to_thread(try_answers, self.puzzle, self.given)
        self.said = [
            await asyncio.to_thread(lessons.say_clue, self.exercise, trial, self._hints, self.cast)
        ]
        self.draw()

    def action_back(self) -> None:
        self._go(self._lesson_game, self.exercise.course, self.exercise.number - 1)

    def action_next(self) -> None:
        game, course, number = self._lesson_game, self.exercise.course, self.exercise.number + 1
        if self.exercise.last:
            following = lessons.next_course(game, course)
            if following is None:
                self.action_leave()
                return
            (game, course), number = following, 1
        self._go(game, course, number)

    def action_practice(self) -> None:
        course = self.exercise.course
        self._open(Wanted(course.task, theme=course.theme))

    def action_play(self) -> None:
        self.nine.set_up_coached(self._lesson_game, self.exercise.course.level)

    @work(exclusive=True)
    async def _go(self, game: Game, course: Course, number: int) -> None:
        exercise = await asyncio.to_thread(pose, game, course.slug, number)
        self.app.switch_screen(Lesson(game, exercise))
