"""Nothing jumps: bars, boards, columns and buttons keep their places from the first turn to the last."""

from __future__ import annotations

from itertools import chain

import pytest

from ninefold import SLUGS, load
from tests.web.browser.support import People, Person, Pick, at_rest, begun, challenging, seated

# Columns may grow downward, and a button may become wider when it says something else.
BOXES = """() => Object.fromEntries([
  [".headline", "x y"], [".table > .below", "x y"], [".side", "x y"], [".pool", "x y width height"],
  [".seat.far", "x y width height"], [".seat.near", "x y width height"],
  [".mine .board", "x y width height"], [".theirs .board", "x y width height"],
  ["#do-hint", "x y"], ["#do-eval", "x y"], ["#do-takeback-offer", "x y"], ["#resign", "x y"],
].map(([one, sides]) => [one, sides.split(" "), document.querySelector(one)?.getBoundingClientRect()])
 .filter(([one, sides, box]) => box)
 .map(([one, sides, box]) => [one, sides.map((side) => box[side])]))"""
UNSEEN = 0.5  # pixels: layouts differ by a fraction of one, which nobody sees
TURNS = 14
BOOKS = [slug for slug in SLUGS if load(slug).script is not None]  # other games may have panels that go
SIZES = {"desktop": (1280, 800), "phone": (390, 844)}


Boxes = dict[str, list[float]]


def boxes(one: Person) -> Boxes:
    one.page.evaluate("scrollTo(0, 0)")
    found: Boxes = one.page.evaluate(BOXES)
    return found


def moved(found: list[Boxes]) -> dict[str, list[list[float]]]:
    """What was not always at the same place, with all its places."""
    places = {name: [one[name] for one in found if name in one] for name in {*chain(*found)}}
    return {
        name: all_of
        for name, all_of in places.items()
        if any(max(side) - min(side) > UNSEEN for side in zip(*all_of, strict=True))
    }


def played(ann: Person, ben: Person, pick: Pick) -> list[Boxes]:
    """The boxes on Ann's page at each of the first turns of a match."""
    found = [boxes(ann)]
    while len(found) < TURNS:
        one, other = (ann, ben) if ann.turn else (ben, ann)
        one.plays(pick)
        other.sees(one.version)
        if ann.over:
            break
        found.append(boxes(ann))
    return found


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", BOOKS)
def test_nothing_moves_from_turn_to_turn(people: People, game: str, size: str) -> None:
    ann, ben = begun(people, game, hints=True, clock=600)
    width, height = SIZES[size]
    for one in (ann, ben):
        one.page.emulate_media(reduced_motion="reduce")
        one.page.set_viewport_size({"width": width, "height": height})
    assert not moved(played(ann, ben, challenging(3)))


# At every frame: where things are, and whether a cell shows a number and its ghost on top of each other.
WATCH = """() => {
  const boxes = BOXES;
  window.seen = {};
  window.doubled = [];
  const look = () => {
    const main = document.querySelector("main");
    if (main.dataset.over === "1") return;
    const now = boxes();
    seen[JSON.stringify(now)] = now;
    for (const cell of main.querySelectorAll(".cell")) {
      const ghost = getComputedStyle(cell, "::after").content;
      const number = cell.querySelector(".number")?.textContent;
      if (number && /[0-9]/.test(ghost)) doubled.push([cell.id, number, ghost]);
    }
    requestAnimationFrame(look);
  };
  look();
}""".replace("BOXES", BOXES)


@pytest.mark.parametrize("size", ["desktop", pytest.param("phone", marks=pytest.mark.long)])
@pytest.mark.parametrize("game", BOOKS)
def test_nothing_moves_while_a_slow_game_waits_under_a_resting_pointer(
    people: People, game: str, size: str
) -> None:
    """A whole game, 400 ms from the server, with the pointer left where it last clicked."""
    ann, table = seated(people, game, second={"kind": "random"}, hints=True, clock=600)
    width, height = SIZES[size]
    ann.page.set_viewport_size({"width": width, "height": height})
    ann.delays(400)
    ann.page.evaluate(WATCH)
    pick = challenging(3)
    for turn in range(TURNS):
        ann.sees(at_rest(table))
        if ann.over:
            break
        ann.plays(pick, cell_first=turn % 2 == 1)
    assert ann.page.evaluate("window.doubled") == []
    assert not moved(ann.page.evaluate("Object.values(seen)"))
