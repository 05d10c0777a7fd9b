"""Puzzles: every answer is the only one, grades and themes are exact, a seed always gives the same."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from ninefold import SEATS, NinefoldError, Seat, every_game, load
from ninefold.analysis import evaluate
from ninefold.core.puzzles import Source
from ninefold.study.puzzles import (
    NoSuchPuzzle,
    Puzzle,
    Task,
    Theme,
    find_seed,
    key_of,
    puzzle,
    puzzle_data,
)
from ninefold.study.puzzles.labels import Wanted, draw_label
from ninefold.study.puzzles.making import make, search
from ninefold.study.puzzles.proofs import prove
from ninefold.study.puzzles.tasks import Posed, Proof
from ninefold.study.puzzles.themes import find_themes
from tests.setups import every_slug
from tests.study.puzzles.checks import Search, check, texts_of

KINDS = [(game.slug, source) for game in every_game() for source in game.puzzles.sources]
every_kind = pytest.mark.parametrize(
    ("game", "source"), KINDS, ids=[f"{game}-{source.task}-{source.grade}" for game, source in KINDS]
)
TASKS = sorted({(game, str(source.task)) for game, source in KINDS})
# It takes a while to find one of these.
SLOW = [("pattern", "win", 9), ("pattern", "win", 8), ("pattern", "save", 8), ("shadow", "win", 4)]

STAY = [
    ({"grid": "967834521"}, "2,2 1,2 1,0 0,0 2,1", "5"),
    ({"target": 20}, "6@1,2 2@1,1", "9@2,2"),
]


def seeds_of(game: str, source: Source) -> int:
    if (game, source.task, source.grade) in SLOW:
        return 1
    return 2 if game in ("pattern", "shadow", "conquest") else 6


@every_kind
def test_every_answer_grade_and_theme_is_proven_again(game: str, source: Source) -> None:
    for seed in range(seeds_of(game, source)):
        found = next(search(load(game), source, Random(f"{game} {seed}")))
        assert (found.game, found.task) == (game, source.task)
        assert source.grade in (None, found.grade)
        check(found)


@pytest.mark.long
@pytest.mark.parametrize(("game", "task"), TASKS)
def test_hundreds_of_answers_are_proven_again(game: str, task: str) -> None:
    for seed in range(300):
        check(puzzle(game, f"many {seed}", task))


@pytest.mark.parametrize(
    ("game", "task", "grades", "most"),
    [
        ("shadow", "win", (1, 2), 5),
        ("shadow", "lose", (2,), 4),
        ("pattern", "win", (1,), 3),
    ],
)
def test_a_search_through_the_rules_alone_finds_the_same_only_move(
    game: str, task: str, grades: tuple[int, ...], most: int
) -> None:
    """Positions from which everything can be tried; the search sees as far as the game can go."""
    naive = Search()
    for grade in grades:
        puzzles = (puzzle(game, f"{grade} {n}", task, grade) for n in range(40))
        for found in islice((one for one in puzzles if remaining(one) <= most), 2):
            right = naive.winning(found.state, found.seat, remaining(found))
            if found.task is Task.LOSE:  # in shadow, whoever does not win loses
                right = [move for move in found.state.moves() if move not in right]
            assert right == list(found.answers)


def remaining(found: Puzzle) -> int:
    """How many moves can still be made, at most; in Pattern Match, until the win."""
    state = found.state
    match found.game:
        case "shadow" | "battle":
            return 9 - len(found.moves)
        case "cross":
            return 6 - len(found.moves)
        case "pattern":
            return evaluate(state).plies or 0
    view = state.view(None)
    empty = sum(cell.owner is None for cell in view.boards[0].cells)
    return empty + 3 * len(view.numbers("hand", SEATS[0]))


def test_the_example_of_the_shape_is_a_puzzle_of_ours() -> None:
    game = load("shadow")
    texts = ["5@2,2", "1@2,3", "2@1,1", "4@3,2", "8@3,3", "9@2,1"]
    moves = tuple(map(game.parse, texts))
    start = game.start(target=10)
    posed = Posed(start, moves, game.sequence(start, moves), Seat.FIRST, Random(0))
    proof = prove(posed, Task.WIN)
    assert proof is not None
    assert puzzle_data(make(posed, Task.WIN, proof)) == {
        "game": "shadow",
        "setup": {"target": 10},
        "moves": texts,
        "seat": "first",
        "task": "win",
        "asks": "moves",
        "options": [],
        "grade": 2,
        "rare": False,
        "answers": ["1@1,3"],
        "solution": ["1@1,3", "2@1,2", "4@3,1"],
        "chances": {"1": "1/18", "2": "1"},
        "themes": ["double threat"],
    }


@every_slug
def test_a_seed_always_gives_the_same_puzzle_and_another_seed_another(slug: str) -> None:
    found = [puzzle(slug, seed) for seed in range(6)]
    assert found == [puzzle(slug, seed) for seed in range(6)]
    assert len({key_of(one.state) for one in found}) > 3


def test_the_puzzles_of_some_seeds_stay_what_they_are() -> None:
    """A link to a puzzle must lead to the same one tomorrow and on another machine."""
    found = puzzle("battle", 1), puzzle("shadow", 1)
    assert [(one.setup, *texts_of(one)) for one in found] == STAY


THEMES = [
    (theme, game.slug, task, grades)
    for game in every_game()
    for theme, found in game.puzzles.themes.items()
    for task, grades in found.items()
]


@pytest.mark.parametrize(("theme", "game", "task", "grades"), THEMES)
def test_every_theme_is_found_when_it_is_asked_for(
    theme: Theme, game: str, task: Task, grades: tuple[int, ...]
) -> None:
    assert {one[0] for one in THEMES} == set(Theme)
    found = puzzle(game, 1, task, theme=theme)
    assert theme in found.themes
    assert found.grade in grades
    check(found)


@pytest.mark.parametrize(
    ("theme", "why"),
    [
        ("block", "Number Cross has no puzzles with the theme block. Its themes: tie-break."),
        ("tie-break", "Number Cross has no puzzles with the theme tie-break of grade 1."),
    ],
)
def test_a_theme_that_a_game_has_not_is_refused_at_once(theme: str, why: str) -> None:
    with pytest.raises(NoSuchPuzzle) as refused:
        puzzle("cross", 1, grade=1, theme=theme)
    assert str(refused.value).startswith(why)


@pytest.mark.parametrize(
    ("game", "task", "grade", "why"),
    [
        (
            "cross",
            "mix",
            None,
            "Number Cross has no mix puzzles. Its tasks: count, least, head-start, last.",
        ),
        ("shadow", None, 3, "Shadow Grid Duel has no puzzles of grade 3. The grades: 1, 2, 4, 9."),
        ("shadow", "win", 9, "Shadow Grid Duel has no win puzzles of grade 9. The grades: 1, 2, 4."),
    ],
)
def test_what_there_is_not_is_refused_and_says_what_there_is(
    game: str, task: str | None, grade: int | None, why: str
) -> None:
    with pytest.raises(NoSuchPuzzle) as refused:
        puzzle(game, 1, task, grade)
    assert str(refused.value) == why
    assert isinstance(refused.value, NinefoldError)


def test_a_puzzle_has_one_name_whatever_was_asked_for() -> None:
    """What is wanted leads to another seed, and that seed alone to the same puzzle."""
    for wanted in (("win", 2, None), ("lose", None, None), ("win", None, "block"), (None, None, None)):
        seed = find_seed("shadow", 5, *wanted)
        assert puzzle("shadow", seed) == puzzle("shadow", 5, *wanted)
        assert re.fullmatch(r"5(-\d+)?", seed)
    assert find_seed("shadow", 5) == "5"


def test_a_rare_kind_is_marked_and_comes_only_when_asked_for() -> None:
    rare = [(game.slug, one) for game in every_game() for one in game.puzzles.sources if one.rare]
    assert [(slug, one.task, one.grade) for slug, one in rare] == [("shadow", Task.WIN, 4)]
    shadow = load("shadow")
    assert puzzle("shadow", 1, grade=4).rare
    assert not any(draw_label(shadow, Wanted(Task.WIN)).find().rare for _ in range(20))
    assert draw_label(shadow, Wanted(grade=4)).find().rare


def test_a_block_is_found_when_numbers_are_swapped_too() -> None:
    found = next(
        one
        for one in (puzzle("pattern", n, "save", theme="block") for n in range(9))
        if len(one.moves) > 8
    )
    check(found)
    assert Theme.BLOCK in found.themes


def test_the_strongest_reply_keeps_the_margin_so_that_text_and_solution_agree() -> None:
    """Each solution of a count ends by the margin that is the answer."""
    for slug, seed in ((slug, seed) for slug in ("battle", "cross") for seed in range(30)):
        found = puzzle(slug, seed, "count")
        end = found.state.game.sequence(found.state, found.solution)
        first, second = (end.view(None).number("score", seat) for seat in SEATS)
        assert str(found.answers[0]) == str((second - first) if found.seat else (first - second))


def test_symmetric_positions_have_the_same_key_and_others_do_not() -> None:
    shadow, pattern, cross = load("shadow"), load("pattern"), load("cross")
    battle, conquest = load("battle"), load("conquest")
    twins = [
        (shadow.start(target=12), ["5@1,1", "3@2,1"], shadow.start(target=12), ["5@3,3", "3@2,3"]),
        (shadow.start(target=12), ["5@1,1", "3@2,1"], shadow.start(target=18), ["5@1,3", "7@1,2"]),
        (pattern.start(), ["5@1,1", "3@2,1"], pattern.start(), ["5@3,1", "3@1,2"]),
        (pattern.start(), ["4@1,1", "3@2,1"], pattern.start(), ["6@3,1", "7@1,2"]),
        (battle.start(grid="123456789"), ["0,0"], battle.start(grid="321654987"), ["0,2"]),
        (cross.start(grid="123456789"), ["Row1"], cross.start(grid="147258369"), ["Col1"]),
        (conquest.start(), ["claim:1", "challenge:1"], conquest.start(), ["claim:9", "challenge:9"]),
    ]
    for one, moves, other, others in twins:
        same = key_of(one.game.sequence(one, moves)), key_of(other.game.sequence(other, others))
        assert same[0] == same[1]
        assert same[0] != key_of(other.game.sequence(other, others[:-1]))
    keys = [key_of(battle.start(grid=grid)) for grid in ("123456789", "213456789")]
    assert keys[0] != keys[1]


def test_a_puzzle_can_be_kept_in_a_set_and_compared() -> None:
    found = puzzle("battle", 3)
    assert len({found, puzzle("battle", 3)}) == 1
    assert replace(found, seat=found.seat.other) != found
    assert isinstance(found.seat, Seat)


def test_two_threats_that_one_reply_stops_are_no_double_threat() -> None:
    """Both lines go through the center: whoever takes it stops both."""
    game = load("shadow")
    moves = ["1@1,1", "1@1,2", "9@3,3", "2@2,3", "2@1,3", "3@3,2"]
    state = game.sequence(game.start(target=15), moves)
    answer = game.parse("7@3,1")
    assert len(state.play(answer).threats(Seat.FIRST)) == 2
    found = Proof((answer,), (answer,), 1)
    assert Theme.DOUBLE not in find_themes(state, Seat.FIRST, Task.WIN, found)
