"""`ninefold learn`: a newcomer goes through every course, gets hints, leaves and comes back."""

from __future__ import annotations

import json

import pytest

from ninefold.core.game import Game
from ninefold.core.lessons import Course
from ninefold.games import every_game, load
from ninefold.show.lessons import ask_step, fill
from ninefold.store.files.progress import lesson_progress
from ninefold.study.lessons import courses_of, exercise_data, pose
from tests.cli.session import run
from tests.study.test_lessons import answers_for

COURSES = [(game, course) for game in every_game() for course in courses_of(game)]
every_course = pytest.mark.parametrize(
    ("game", "course"), COURSES, ids=lambda one: one.slug if isinstance(one, Game | Course) else one
)


@every_course
@pytest.mark.parametrize(
    "plain", [False, pytest.param(True, marks=pytest.mark.long)], ids=["board", "plain"]
)
def test_a_newcomer_finishes_every_course(game: Game, course: Course, plain: bool) -> None:
    steps = [pose(game, course.slug, number) for number in range(1, len(course.steps) + 1)]
    typed = [text for one in steps for text in (*answers_for(one), "")]
    options = ["--plain"] if plain else []
    session = run("learn", game.slug, "--course", course.slug, *options, typed=[*typed, "q"])
    assert (session.status, session.err) == (0, "")
    for one in steps:
        assert ask_step(one) in session.out
        assert fill(one, one.step.done) in session.out
    for known in course.known:
        assert known in session.out
    assert "Not yet." not in session.out
    assert set(lesson_progress().results) == {one.label for one in steps}
    assert f"play {game.slug} --p2 level:{course.level}" in session.out
    assert f"{course.title}: done" in run("learn", game.slug, "--list").out


def test_a_mistake_is_shown_with_its_punishment_and_taken_back() -> None:
    session = run("learn", "shadow", "--step", "4", typed=["1@1,1", "1@3,3", "q"])
    before, _, after = session.out.partition("Try again, or type h for a hint.")
    assert "Not yet." in before
    assert "Ben put 1 in the bottom right. That completes 9 + 5 + 1 = 15 in the bottom row." in before
    assert before.count("Target: 15") == 3  # the position, the mistake, and the position again
    assert "That line is gone for good" in after
    assert lesson_progress().results["shadow/basics/4"].solved


def test_a_typical_mistake_has_a_sentence_of_its_own() -> None:
    session = run("learn", "shadow", "--step", "3", typed=["4@1,3", "q"])
    assert "A line with numbers of both players counts for nobody." in session.out


def test_a_move_that_only_misses_the_goal_is_not_refuted() -> None:
    session = run("learn", "shadow", "--step", "2", typed=["5@2,1", "q"])
    assert "5 in the middle left gives nothing away, but it does not do what is asked." in session.out
    assert "Ben put" not in session.out


def test_hints_come_in_two_stages_and_only_when_asked_for() -> None:
    session = run("learn", "shadow", "--step", "5", typed=["h", "h", "q"])
    asked, first, second = session.out.split("Your answer: h")
    assert "8 + 5 + 2" not in asked
    assert "bottom row" not in asked
    assert "Look at Ben's numbers in the bottom row." in first
    assert "2 in the bottom right" in second


def test_a_step_that_points_has_only_the_move_left_as_a_hint() -> None:
    asked, hint = run("learn", "shadow", "--step", "4", typed=["h", "q"]).out.split("Your answer: h")
    assert "Look at Ben's numbers in the bottom row." in asked
    assert "in the bottom right: blocks 9 + 5 + 1" in hint


def test_how_to_answer_is_said_at_every_step() -> None:
    out = run("learn", "conquest", "--step", "3", typed=["2", "q"]).out
    assert "Type a move like 1." in out
    assert "You have no 2. Your numbers: 1, 4, 5." in out


def test_a_course_is_left_and_resumed_at_the_next_step() -> None:
    left = run("learn", "shadow", typed=["5@1,3", "", "q"])
    assert left.status == 1
    assert "`ninefold learn shadow` goes on from here." in left.out
    assert "step 2 of 7" in run("learn", "shadow", typed=["q"]).out
    assert "1 of 7 steps done" in run("learn", "shadow", "--list").out


def test_steps_can_be_skipped_and_gone_back_to() -> None:
    said = run("learn", "battle", typed=["n", "n", "b", "?", "rules", "nonsense", "q"]).out
    steps = [said.index(f"step {number} of 5") for number in (1, 2, 3)]
    assert steps == sorted(steps)
    assert said.count("step 2 of 5") == 2
    assert "h for a hint" in said
    assert "# Number Grid Battle" in said or "NUMBER GRID BATTLE" in said.upper()


def test_who_wins_is_answered_by_name() -> None:
    for typed in ("Ben", "opponent"):
        assert (
            "Ben. The best you can reach" in run("learn", "cross", "--step", "4", typed=[typed, "q"]).out
        )
    assert "Not quite." in run("learn", "cross", "--step", "4", typed=["me", "q"]).out


def test_the_json_lists_every_step_with_all_that_is_accepted() -> None:
    listed = json.loads(run("learn", "--json").out)
    assert listed == [
        exercise_data(pose(game, course.slug, number))
        for game, course in COURSES
        for number in range(1, len(course.steps) + 1)
    ]
    assert set(listed[0]) == {"game", "course", "step", "setup", "moves", "seat", "goal", "accepted"}


def test_without_a_game_a_pipe_gets_the_list() -> None:
    said = run("learn").out
    for game, course in COURSES:
        assert f"learn {game.slug} --course {course.slug}" in said


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--course", "nonsense"), 'has no course "nonsense"'),
        (("--step", "9"), "has steps 1 to"),
        (("--step", "0"), "has steps 1 to"),
    ],
)
def test_what_does_not_exist_is_refused(options: tuple[str, ...], reason: str) -> None:
    session = run("learn", load("shadow").slug, *options)
    assert session.status == 2
    assert reason in session.err
