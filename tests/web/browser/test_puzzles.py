"""A puzzle in a browser: tried, solved, kept and shared."""

from __future__ import annotations

import re
from functools import partial
from itertools import count
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import ViewportSize, expect

from ninefold import SLUGS, load
from ninefold.study.puzzles import daily, find_seed, puzzle
from ninefold.study.puzzles.labels import read_day
from ninefold.study.puzzles.making import tasks_of
from tests.web.browser.support import People, Person, lost, lost_line, parts_of
from tests.web.support import Server, got

GAME = "shadow"
SEED = next(
    seed for n in count() if len(puzzle(GAME, seed := find_seed(GAME, n, "win", 2)).solution) == 3
)


def test_a_puzzle_is_tried_solved_kept_and_shared(people: People) -> None:
    found = puzzle(GAME, SEED)
    wrong = next(move for move in found.state.moves() if move not in found.answers)
    ann = people()
    ann.goes(f"/puzzle/{GAME}/{SEED}")
    for move, result in ((wrong, "wrong"), (found.solution[0], "open"), (found.solution[2], "solved")):
        for part in parts_of(GAME, found.seat, str(move)):
            ann.page.locator(f"[id='{part}']").click()
        if result == "wrong":
            expect(ann.main).to_have_attribute("data-result", "wrong")
            ann.goes("/puzzle")
            expect(ann.page.locator("#failed li")).to_have_text(
                "Shadow Grid Duel, grade 2, 1 wrong answer"
            )
            ann.page.locator("#failed a").click()
        else:
            expect(ann.main).to_have_attribute("data-result", result)
    shared = f"Ninefold {GAME}/{SEED}\nShadow Grid Duel, find the winning move, grade 2\n"
    expect(ann.page.locator("#link")).to_have_value(f"{shared}🟥🟩")
    expect(ann.page.locator("#copy-plain")).to_have_attribute("data-copy", f"{shared}solved on try 2")
    ann.goes("/puzzle")
    expect(ann.page.locator("#solved")).to_have_text("Solved so far: 1.")
    expect(ann.page.locator("#failed li")).to_have_count(0)


def test_a_number_and_a_cell_may_be_clicked_before_the_page_has_answered(people: People) -> None:
    found = puzzle(GAME, SEED)
    ann = people()
    ann.goes(f"/puzzle/{GAME}/{SEED}")
    ann.delays(400)
    for move in (found.solution[0], found.solution[2]):
        for part in parts_of(GAME, found.seat, str(move)):
            ann.page.locator(f"a[id='{part}']").click()
        expect(ann.page).to_have_url(re.compile(rf"given={move}$"))
    expect(ann.main).to_have_attribute("data-result", "solved")


def test_a_mixture_is_answered_by_a_form(people: People) -> None:
    seed = find_seed("conquest", 1, "mix")
    found = puzzle("conquest", seed)
    ann = people()
    ann.goes(f"/puzzle/conquest/{seed}")
    for number in str(found.answers[0]).replace("bid:", "").split():
        ann.page.locator(f"input[name=pick][value='{number}']").check()
    ann.page.locator("#send").click()
    expect(ann.main).to_have_attribute("data-result", "solved")


def test_progress_is_carried_from_one_browser_to_another(people: People) -> None:
    ann, ben = people(), people()
    found = puzzle("battle", seed := find_seed("battle", 1, "count"))
    ann.goes(f"/puzzle/battle/{seed}?given={found.answers[0]}")
    expect(ann.main).to_have_attribute("data-result", "solved")
    ann.goes("/puzzle")
    ann.page.locator("#carry summary").click()
    text = ann.page.locator("#export").input_value()
    assert text == f"ninefold-puzzles-1 battle/{seed};solved"
    ben.goes("/puzzle")
    ben.page.locator("#carry summary").click()
    ben.page.locator("#import").fill(text)
    ben.page.locator("#add").click()
    expect(ben.page.locator("#solved")).to_have_text("Solved so far: 1.")
    assert ben.page.locator("#export").input_value() == text


PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "permissions": ["clipboard-read", "clipboard-write"],
}
DAY = "2026-01-14"  # a Wednesday of Shadow Grid Duel: the win takes two moves


def test_a_newcomer_solves_a_daily_on_a_phone_by_touch(people: People) -> None:
    found = daily(read_day(DAY))
    wrong = next(move for move in found.state.moves() if move not in found.answers)
    ann = people(**PHONE)
    tap = partial(tapped, ann)
    ann.goes("/")
    tap("nav a[href='/puzzle']")
    expect(ann.page.locator("#today")).to_be_in_viewport()
    ann.goes("/puzzle?month=2026-01")
    tap(f"a[data-day='{DAY}']")
    expect(ann.page.locator("h1")).to_have_text("Shadow Grid Duel")
    tap("#hint-1")
    expect(ann.page.locator(".hinting")).to_be_in_viewport()
    for part in parts_of(found.game, found.seat, str(wrong)):
        tap(f"[id='{part}']")
    expect(ann.main).to_have_attribute("data-result", "wrong")
    tap("#again")
    for move in found.solution[::2]:
        for part in parts_of(found.game, found.seat, str(move)):
            tap(f"[id='{part}']")
    expect(ann.main).to_have_attribute("data-result", "solved")
    expect(ann.page.locator(".cell.won")).to_have_count(3)

    expect(ann.page.locator("#card-title")).to_have_text(re.compile("Solved on the second try"))
    days = ann.page.locator(".week li")
    expect(days).to_have_count(7)
    expect(days.last).to_have_class("now done")
    expect(days.last).to_contain_text("Wednesday: solved")
    expect(days.first).to_have_class("missed")
    expect(ann.page.locator(".days [data-streak]")).to_have_text("1 day in a row")
    expect(ann.page.locator("[data-next]")).to_have_text(re.compile(r"^\d+ h \d+ min$"))
    expect(ann.page.locator("#another")).to_be_visible()
    tap("#copy")
    expect(ann.page.locator("#copy")).to_have_text("Copied")
    copied = ann.page.evaluate("navigator.clipboard.readText()")
    assert copied == f"Ninefold {DAY}\nShadow Grid Duel, find the winning move, grade 2\n🟥🟩"
    expect(ann.page.locator("#link")).to_be_visible()
    expect(ann.page.locator("#link")).to_have_value(copied)

    ann.goes("/puzzle?month=2026-01")
    expect(ann.page.locator(".calendar .done")).to_have_attribute("data-day", DAY)
    expect(ann.page.locator(".calendar .missed")).to_have_count(30)
    ladder = ann.page.locator(".ladder[data-game=shadow]")
    expect(ladder.locator(".rung.done")).to_have_text("2")
    expect(ladder.locator(".rung.due")).to_have_text("1")
    expect(ladder.locator("[data-record]")).to_have_text("1 of 1 solved")
    expect(ladder.locator("[data-next-grade]")).to_have_attribute("href", "/puzzle/shadow?grade=1")


def tapped(one: Person, selector: str) -> None:
    one.page.locator(selector).tap()


def test_days_in_a_row_are_counted_up_to_the_puzzle(people: People) -> None:
    ann = people()
    ann.goes("/rules")
    solved = {f"2026-01-{day:02}": {"wrong": [], "solved": True} for day in (2, 3, 4, 5, 12, 13)}
    ann.page.evaluate("kept => localStorage.setItem('puzzles', JSON.stringify(kept))", solved)
    found = daily(read_day(DAY))
    ann.goes(f"/puzzle/{DAY}")
    expect(ann.page.locator(".facts [data-streak]")).to_have_text("2 days in a row")
    ann.goes(f"/puzzle/{DAY}?{urlencode([('given', str(move)) for move in found.solution[::2]])}")
    expect(ann.page.locator(".days [data-streak]")).to_have_text("3 days in a row")
    expect(ann.page.locator("[data-best]")).to_have_text("best 4")
    expect(ann.page.locator(".week .done")).to_have_count(3)


SIZES: list[ViewportSize] = [{"width": 1280, "height": 800}, {"width": 390, "height": 844}]

BOXES = """main => ["far", "near", "curve"].map(name => main.querySelector(`.${name}`)).concat(
  [...main.querySelectorAll(".board")]).filter(Boolean).map(one => {
    const box = one.getBoundingClientRect();
    return [one.className, Math.round(box.top), Math.round(box.bottom)];
  })"""


@pytest.mark.parametrize("game", SLUGS)
def test_bars_and_boards_are_on_the_first_screen(people: People, site: Server, game: str) -> None:
    ann = people()
    table, _ = lost(site, game)
    setup, moves = lost_line(game)
    wrong = got(table.get("/review"))["deciding"]
    kinds = {task.asks: task for task in tasks_of(load(game))}
    pages = [
        *(f"/puzzle/{game}/{find_seed(game, 1, task)}" for task in kinds.values()),
        f"/m/{table.id}/review",
        f"/m/{table.id}/review?at={wrong}",
        f"/m/{table.id}/review?find={wrong}",
        f"/explore/{game}?{urlencode({**setup, 'moves': ' '.join(moves[:2])})}",
    ]
    for size in SIZES:
        ann.page.set_viewport_size(size)
        for page in pages:
            ann.goes(page)
            boxes = ann.main.evaluate(BOXES)
            assert max(bottom for _, _, bottom in boxes) <= size["height"], (page, size, boxes)
            if "review?at" in page:
                ends = {name: (top, bottom) for name, top, bottom in boxes}
                boards = [box for name, box in ends.items() if name.startswith("board")]
                assert ends["curve"][0] >= max(bottom for _, bottom in boards)
