"""Lessons on the page and in the API: without scripts, step by step, and nothing told too soon."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest

from ninefold.games import every_game, load
from ninefold.show.lessons import ask_step, fill, lesson_cast, say_clue
from ninefold.study.lessons import Exercise, courses_of, exercise_data, find_lesson, numbers_of, pose
from ninefold.study.puzzles import Task, try_answers
from tests.study.test_lessons import answers_for
from tests.web.support import API, Server, got
from tests.web.test_studies import finished

COURSES = [(game.slug, course.slug) for game in every_game() for course in courses_of(game)]
every_course = pytest.mark.parametrize(("slug", "course"), COURSES)


def read(server: Server, address: str) -> str:
    """A page as it is sent, with apostrophes as people write them."""
    answer = server.http.get(address, headers={"Accept": "text/html"}, follow_redirects=True)
    assert answer.status_code == 200, answer.text
    return answer.text.replace("&#39;", "'")


def steps_of(slug: str, course: str) -> list[Exercise]:
    game = load(slug)
    (found,) = (one for one in courses_of(game) if one.slug == course)
    return [pose(game, course, number) for number in numbers_of(found)]


def query_of(one: Exercise, given: list[str]) -> str:
    if one.puzzle.task is Task.MIX and given:
        return urlencode([("pick", move.rpartition(":")[2]) for move in given[0].split()])
    return urlencode([("given", text) for text in given])


@every_course
def test_a_newcomer_finishes_every_course_without_scripts(server: Server, slug: str, course: str) -> None:
    for one in steps_of(slug, course):
        page = read(server, f"/learn/{one.label}")
        assert ask_step(one) in page
        assert fill(one, one.step.done) not in page
        answers = answers_for(one)
        for length in range(1, len(answers)):
            assert 'data-result="open"' in read(
                server, f"/learn/{one.label}?{query_of(one, answers[:length])}"
            )
        done = read(server, f"/learn/{one.label}?{query_of(one, answers)}")
        assert 'data-result="solved"' in done
        assert fill(one, one.step.done) in done
        following = f"/learn/{slug}/{course}/{one.number + 1}"
        assert (following in done) != one.last
    for known in one.course.known:
        assert known in done
    assert f"/new/{slug}?level=level%3A{one.course.level}&amp;coach=yes" in done
    assert f"/puzzle/{slug}?" in done or one.course.task is None
    page = read(server, f"/new/{slug}?level=level%3A{one.course.level}&coach=yes")
    assert re.search(rf'value="level:{one.course.level}" (selected|checked)', page)
    assert 'name="coach" value="yes" checked' in page


@every_course
def test_the_api_judges_every_step(server: Server, slug: str, course: str) -> None:
    for one in steps_of(slug, course):
        path = f"{API}/lessons/{one.label}"
        asked = got(server.get(path))
        assert (asked["verdict"], asked["hint"], asked["question"]) == ("open", None, ask_step(one))
        solved = got(server.get(path, query={"given": answers_for(one)}))
        assert solved["verdict"] == "solved"
        assert fill(one, one.step.done) in solved["text"]


def test_the_api_lists_the_steps_of_a_game(server: Server) -> None:
    for game in every_game():
        steps = [one for slug, course in COURSES if slug == game.slug for one in steps_of(slug, course)]
        assert got(server.get(f"{API}/lessons/{game.slug}")) == [exercise_data(one) for one in steps]


def test_a_mistake_is_shown_on_the_board_and_can_be_tried_again(server: Server) -> None:
    page = read(server, "/learn/shadow/basics/4?given=9%401%2C3")
    assert "Not yet." in page
    assert "your try" in page
    assert "Ben's reply" in page
    assert "Ben put 1 in the bottom right." in page
    assert 'href="/learn/shadow/basics/4" data-live>Try again' in page


def test_hints_come_in_two_stages(server: Server) -> None:
    one = pose(load("shadow"), "basics", 5)
    cast, trial = lesson_cast(one.puzzle.seat), try_answers(one.puzzle, [])
    said = [say_clue(one, trial, stage, cast) for stage in (1, 2)]
    pages = [read(server, f"/learn/{one.label}?hint={stage}") for stage in range(4)]
    assert [[text in page for text in said] for page in pages] == [
        [False, False],
        [True, False],
        [False, True],
        [False, True],
    ]
    assert "hinted" not in pages[0]
    assert 'id="c-0-8"' in pages[1]
    assert got(server.get(f"{API}/lessons/{one.label}", query={"hint": "1"}))["hint"].startswith("Look")


def test_the_lists_lead_to_every_step(server: Server) -> None:
    pages = {"": read(server, "/learn")}
    for slug, course in COURSES:
        pages.setdefault(slug, read(server, f"/learn/{slug}"))
        for one in steps_of(slug, course):
            assert f'href="/learn/{one.label}"' in pages[""]
            assert f'href="/learn/{one.label}"' in pages[slug]
    home = read(server, "/")
    for game in every_game():
        assert f'class="learn-it" href="/learn/{game.slug}"' in home


@pytest.mark.parametrize(
    "path",
    ["/learn/nonsense", "/learn/shadow/nonsense/1", "/learn/shadow/basics/0", "/learn/shadow/basics/x"],
)
def test_what_does_not_exist_is_not_found(server: Server, path: str) -> None:
    assert server.get(path).status_code == 404
    if path.count("/") == 4:
        assert server.get(f"{API}{path.replace('learn', 'lessons')}").status_code == 404


def test_an_answer_that_is_not_legal_is_refused_with_the_reason(server: Server) -> None:
    answer = server.get("/learn/shadow/basics/1?given=5%401%2C1")
    assert answer.status_code == 422
    assert "Cell 1,1 is taken" in answer.text


def test_a_better_move_leads_to_the_lesson_about_it(server: Server) -> None:
    match = finished(server, "battle")
    one = match.deciding
    lesson = find_lesson(match.states[one.number - 1], one.seat, one.best[0])
    assert lesson is not None
    asked, shown = (match.page(f"?find={one.number}{more}") for more in ("", "&show=1"))
    assert not asked.all("a", id="lesson")
    assert shown.one("a", id="lesson").attributes["href"] == f"/learn/{lesson.label}"
    theme = match.page().one("a", id=f"theme-{one.number}")
    assert (theme.attributes["href"], theme.text) == (f"/learn/{lesson.label}", lesson.step.title)
