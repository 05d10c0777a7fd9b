"""Lessons in full screen: a newcomer goes through every course by keys and mouse."""

from __future__ import annotations

import pytest

from ninefold import Seat
from ninefold.core.game import Game
from ninefold.core.lessons import Course
from ninefold.games import every_game, load
from ninefold.players import PERSON
from ninefold.show.lessons import ask_step, fill
from ninefold.store.files.progress import lesson_progress
from ninefold.study.coach import find_moments, find_theme
from ninefold.study.lessons import courses_of, numbers_of, pose
from ninefold.study.reviews import review_match
from ninefold.table.file import FileTable
from ninefold.tui.forms.form import Form
from ninefold.tui.screens.better_move import BetterMove
from ninefold.tui.screens.dialogs import Confirm
from ninefold.tui.screens.learn import CourseList, Lesson
from ninefold.tui.screens.match import MatchScreen
from ninefold.tui.screens.puzzle import Solving
from tests.study.test_lessons import answers_for
from tests.tui.pilot import Seen, choose, rest, run
from tests.tui.test_study import answer, flat, press, show

COURSES = [
    pytest.param(
        game,
        course,
        id=f"{game.slug}-{course.slug}",
        # One course of each half is enough every time: between them they have every kind of answer.
        marks=()
        if (game.slug, course.slug) in (("cross", "basics"), ("conquest", "ideas"))
        else pytest.mark.long,
    )
    for game in every_game()
    for course in courses_of(game)
]


@pytest.mark.parametrize(("game", "course"), COURSES)
def test_a_newcomer_finishes_every_course(game: Game, course: Course) -> None:
    async def test(pilot: Seen) -> None:
        await show(pilot, Lesson(game, pose(game, course.slug, 1)))
        for number in numbers_of(course):
            one = pose(game, course.slug, number)
            screen = pilot.app.screen
            assert isinstance(screen, Lesson)
            assert screen.exercise == one
            assert flat(ask_step(one)) in flat(pilot.text)
            for text in answers_for(one):
                await answer(pilot, one.puzzle, text)
            assert fill(one, one.step.done) in screen.said
            if not one.last:
                assert "p puzzle" not in pilot.text
                await press(pilot, "n")
        assert flat(course.known[0]) in flat(pilot.text)
        await press(pilot, "g")
        form = pilot.app.screen.query_one(Form).values
        assert (form["level"], form["coach"]) == (f"level:{course.level}", "yes")
        await press(pilot, "escape", "p")
        puzzle = pilot.app.screen
        assert isinstance(puzzle, Solving)
        assert puzzle.game == game
        assert course.task in (None, puzzle.puzzle.task)
        assert lesson_progress().done == {
            pose(game, course.slug, number).label for number in numbers_of(course)
        }

    run(test)


def test_the_menu_leads_to_the_courses_and_to_the_next_step() -> None:
    lesson_progress().note("shadow/basics/1", solved=True)

    async def test(pilot: Seen) -> None:
        assert "a game in three minutes" in flat(pilot.text)
        await press(pilot, "l")
        assert isinstance(pilot.app.screen, CourseList)
        assert "Shadow Grid Duel, How it is played: 1 of 7 steps done" in pilot.text
        await press(pilot, "enter")
        screen = pilot.app.screen
        assert isinstance(screen, Lesson)
        assert screen.exercise.number == 2
        await press(pilot, "b")
        assert isinstance(pilot.app.screen, Lesson)
        assert pilot.app.screen.exercise.number == 1

    run(test)


def test_a_mistake_is_refuted_and_hints_point_at_the_board() -> None:
    one = pose(load("shadow"), "basics", 5)

    async def test(pilot: Seen) -> None:
        await show(pilot, Lesson(load("shadow"), one))
        assert "hint" not in pilot.text.lower().partition("h hint")[0]
        await answer(pilot, one.puzzle, "2@1,2")
        assert "Ben put 2 in the bottom right." in flat(pilot.text)
        await press(pilot, "t", "h")
        screen = pilot.app.screen
        assert isinstance(screen, Lesson)
        assert screen.said == ["Look at Ben's numbers in the bottom row."]
        assert set(screen._tags()) == {"c-0-6", "c-0-7", "c-0-8"}
        await press(pilot, "h")
        assert "2 in the bottom right" in flat(pilot.text)
        await press(pilot, "s")
        assert fill(one, one.step.done) in screen.said

    run(test)


def test_the_coach_shows_a_mistake_on_the_board_and_it_can_be_taken_back() -> None:
    table = FileTable.new(
        load("cross"), (PERSON, "perfect"), ("Ann", None), {"grid": "542689713"}, coach=True
    )

    async def test(pilot: Seen) -> None:
        screen = MatchScreen(table)
        await show(pilot, screen)
        await choose(pilot, "Row3", mouse=True)
        while not isinstance(pilot.app.screen, Confirm):  # its worker waits for the answer
            await pilot.pause()
        await pilot.pause()
        assert "Coach: Row 3 gives something away." in flat(pilot.text)
        await press(pilot, "escape")  # whoever does not answer has not played it
        assert not screen.table.match.played
        await choose(pilot, "Row2", mouse=True)
        await rest(pilot)
        assert [str(one.move) for one in screen.table.match.played][:1] == ["Row2"]

    run(test)


def test_a_coached_game_ends_with_what_mattered_and_its_review_leads_to_the_lesson() -> None:
    table = FileTable.new(
        load("cross"), (PERSON, "perfect"), ("Ann", None), {"grid": "542689713"}, coach=True
    )
    table.play(Seat.FIRST, load("cross").parse("Row3"))
    table.resign(Seat.FIRST)
    (one,) = find_moments(review_match(table.match), Seat.FIRST)
    lesson = find_theme(table.match, one)
    assert lesson is not None

    async def test(pilot: Seen) -> None:
        await show(pilot, MatchScreen(table))
        await rest(pilot)
        said = "One moment mattered: Your move on turn 1: Row 3. What is better? (f: find it)"
        assert said in flat(pilot.text)
        await press(pilot, "f")
        assert isinstance(pilot.app.screen, BetterMove)
        assert flat("Your move on turn 1: Row 3. What is better?") in flat(pilot.text)
        await press(pilot, "escape", "v", "home", "n")
        await rest(pilot)
        assert f"Theme: {lesson.step.title.lower()}. (l: learn it)" in flat(pilot.text)
        await press(pilot, "l")
        assert isinstance(pilot.app.screen, Lesson)
        assert pilot.app.screen.exercise == lesson

    run(test)


def test_three_losses_in_a_row_suggest_the_level_below() -> None:
    tables = []
    for _ in range(3):
        table = FileTable.new(load("battle"), (PERSON, "level:3"), ("Ann", None), {})
        table.play(Seat.FIRST, table.match.state.moves()[0])
        table.resign(Seat.FIRST)
        table.leave()
        tables.append(table)

    async def test(pilot: Seen) -> None:
        await show(pilot, MatchScreen(tables[-1]))
        await rest(pilot)
        assert "3 losses in a row: try level 2." in flat(pilot.text)

    run(test)
