"""A puzzle in a browser: tried, solved, kept and shared."""

from __future__ import annotations

from itertools import count

from playwright.sync_api import expect

from ninefold.study.puzzles import find_seed, puzzle
from tests.web.browser.support import People, parts_of

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
            expect(ann.page.locator("#failed a")).to_have_text(f"{GAME}/{SEED}")
            expect(ann.page.locator("#failed li")).to_contain_text(f"wrong: {wrong}")
            ann.page.locator("#failed a").click()
        else:
            expect(ann.main).to_have_attribute("data-result", result)
    shared = f"Ninefold {GAME}/{SEED}\nShadow Grid Duel, find the winning move, grade 2\n"
    expect(ann.page.locator("#link")).to_have_value(f"{shared}🟥🟩")
    expect(ann.page.locator("#copy-plain")).to_have_attribute("data-copy", f"{shared}solved on try 2")
    ann.goes("/puzzle")
    expect(ann.page.locator("#solved")).to_have_text("Solved so far: 1.")
    expect(ann.page.locator("#failed li")).to_have_count(0)


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
