"""Lessons in a browser: a newcomer goes through courses on a phone and by keyboard, and resumes one."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from ninefold.games import load
from ninefold.show.lessons import lesson_cast, say_answer
from ninefold.study.lessons import Exercise, find_course, numbers_of, pose
from ninefold.study.puzzles import Asks, Task, try_answers
from tests.study.test_lessons import answers_for
from tests.web.browser.support import People, Person, parts_of


def press(ann: Person, part: str, keyboard: bool) -> None:
    place = ann.page.locator(f"[id='{part}']")
    if keyboard:
        place.focus()
        ann.page.keyboard.press("Enter")
    else:
        place.click()


def give(ann: Person, one: Exercise, text: str, keyboard: bool) -> None:
    puzzle = one.puzzle
    if puzzle.task is Task.MIX:
        for move in text.split():
            ann.page.locator(f"[name=pick][value='{move.rpartition(':')[2]}']").check(force=True)
    elif puzzle.task.asks is Asks.OPTION:
        ann.page.locator(f"[name=given][value='{text}']").check(force=True)
    elif puzzle.task.asks is Asks.NUMBER:
        ann.page.locator("#given").fill(text)
    else:
        for part in parts_of(puzzle.game, puzzle.seat, text):
            press(ann, part, keyboard)
        return
    press(ann, "send", keyboard)


@pytest.mark.parametrize(
    ("slug", "course", "keyboard"),
    [("shadow", "basics", False), ("conquest", "ideas", True)],
    ids=["phone", "keyboard"],
)
def test_a_newcomer_finishes_a_course(people: People, slug: str, course: str, keyboard: bool) -> None:
    ann = people() if keyboard else people(viewport={"width": 390, "height": 844}, has_touch=True)
    game = load(slug)
    ann.goes("/learn")
    steps = numbers_of(find_course(game, course))
    ann.page.locator(f"[data-course='{slug}/{course}'] [data-resume]").click()
    for number in steps:
        one = pose(game, course, number)
        expect(ann.page.get_by_role("heading", level=1)).to_have_text(one.step.title)
        answers = answers_for(one)
        for length, text in enumerate(answers, 1):
            give(ann, one, text, keyboard)
            trial = try_answers(one.puzzle, answers[:length])
            said = " ".join(say_answer(one, trial, lesson_cast(one.puzzle.seat)))
            expect(ann.main).to_have_attribute("data-said", said)
        expect(ann.main).to_have_attribute("data-result", "solved")
        assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if not one.last:
            press(ann, "next", keyboard)
    expect(ann.page.locator("#card")).to_contain_text("Now you know")
    ann.goes("/learn")
    done = ann.page.locator(f"[data-course='{slug}/{course}'] .on")
    expect(done).to_have_count(len(steps))


HIDDEN = """() => [...document.querySelectorAll(".cell .tag")].filter((tag) => {
  const box = tag.getBoundingClientRect();
  const mark = tag.closest(".cell").querySelector(".mark")?.getBoundingClientRect();
  const level = mark && box.bottom > mark.top && box.top < mark.bottom;
  return level && box.right > mark.left && box.left < mark.right;
}).length"""


def test_on_a_phone_a_hint_can_be_read_and_a_try_hides_no_mark(people: People) -> None:
    ann = people(viewport={"width": 390, "height": 844})
    ann.goes("/learn/pattern/basics/3?hint=1")
    expect(ann.page.locator("#hint")).to_be_visible()
    ann.goes("/learn/shadow/basics/4")
    there = ann.page.locator(".mine .board").bounding_box()
    expect(ann.page.locator("#show")).to_be_in_viewport(ratio=1)
    ann.goes("/learn/shadow/basics/4?given=9%401%2C3")
    expect(ann.page.locator(".cell .tag")).to_have_text(["your try", "Ben's reply"])
    assert ann.page.evaluate(HIDDEN) == 0
    assert ann.page.locator(".mine .board").bounding_box() == there


def test_a_course_is_left_and_resumed(people: People) -> None:
    ann = people()
    ann.goes("/learn/shadow/basics/1?given=5%401%2C3")
    expect(ann.main).to_have_attribute("data-result", "solved")
    ann.goes("/learn/shadow")
    go = ann.page.locator("[data-course='shadow/basics'] [data-resume]")
    expect(go).to_have_text("Continue")
    go.click()
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("Any direction")
