"""Edited games: known values, plain search, and the choice of the most even version."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from ninefold.analysis import evaluate, search
from ninefold.analysis.evaluation import ENDLESS, worth
from ninefold.core.edits import Edit, edit_game, find_edits
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.games import every_game, load
from ninefold.games.pattern.rules import Pattern
from ninefold.games.shadow.rules import Shadow
from ninefold.lab.edits import EQUAL, Version, certify, pick_fairest, pie_value
from ninefold.lab.jobs import LabJob, do_job, do_jobs, find_versions, version_jobs
from ninefold.lab.measures import perfect_value
from ninefold.lab.walk import Walk

# Those that always end; plain search cannot tell what is endless.
SOLVED = [(g, edit) for g in every_game() for edit in g.edits if edit.changes and not g.endless]


def edited(slug: str, *names: str) -> Game:
    game = load(slug)
    return edit_game(game, find_edits(game, *names))


@pytest.mark.parametrize(
    ("slug", "name", "chance"),
    [
        ("conquest", "ties-take", 0.4274),
        ("conquest", "second-hand-12346", 0.5758),
        ("cross", "head-start-6", 0.4312),
        ("cross", "head-start-4", 0.6206),
        ("battle", "head-start-3", 1),
        ("battle", "head-start-5", 0),
    ],
)
def test_the_known_values_come_out(slug: str, name: str, chance: float) -> None:
    assert float(perfect_value(edited(slug, name), {})) == pytest.approx(chance, abs=5e-5)


@pytest.mark.parametrize(
    ("slug", "setup"),
    [
        ("cross", {"grid": "518294736"}),
        pytest.param("conquest", {"size": 2}, marks=pytest.mark.long),
        pytest.param("battle", {}, marks=pytest.mark.long),
    ],
)
def test_a_walk_after_others_finds_what_it_finds_alone(slug: str, setup: dict[str, Any]) -> None:
    earlier = Walk(load(slug), setup)
    for _, edit in [one for one in SOLVED if one[0].slug == slug]:
        version = edited(slug, edit.name)
        alone, earlier = Walk(version, setup), Walk(version, setup, earlier=earlier)
        for players in (("random", "random"), ("level:4", "level:7"), ("perfect", "level:1")):
            assert earlier.chance(*players) == alone.chance(*players)
        assert earlier.near_chances(EQUAL) == pytest.approx(alone.near_chances(EQUAL), abs=1e-12)
        assert earlier.mean(earlier.visits()) == alone.mean(alone.visits())


def test_with_the_full_board_the_first_player_wins_at_every_target() -> None:
    assert perfect_value(edited("shadow", "full-to-first"), {}) == 1
    assert perfect_value(load("shadow"), {}) == 0


def test_the_target_can_decide_who_wins_a_full_board() -> None:
    assert perfect_value(edited("shadow", "full-to-first-if-odd"), {}) == Fraction(5, 11)
    assert perfect_value(edited("shadow", "full-to-first-if-even"), {}) == Fraction(6, 11)


def test_nobody_can_force_a_line_if_the_first_player_returns_a_number() -> None:
    version = edited("pattern", "first-returns")
    assert evaluate(version.start()).value == ENDLESS
    assert perfect_value(version, {}) == Fraction(1, 2)


def find_forced_wins(start: Pattern) -> dict[Pattern, Seat]:
    """Who can force a line from here, in every position that swaps lead to, through the rules alone."""
    after: dict[Pattern, list[Pattern]] = {}
    left = [start]
    while left:
        state = left.pop()
        if state not in after:
            after[state] = [state.after(move, state.turn) for move in state.moves()]
            left += after[state]
    won = {state: state.outcome.winner for state in after if state.outcome is not None}
    before = -1
    while len(won) > before:
        before = len(won)
        for state, later in after.items():
            if state not in won:
                winners = [won.get(one) for one in later]
                if state.turn in winners or {*winners} == {state.turn.other}:
                    won[state] = state.turn if state.turn in winners else state.turn.other
    return won


def recycling(version: Game, rng: Random) -> Any:
    """A position of Pattern Match in which numbers are swapped from now on, after random moves."""
    while True:
        state: Any = version.start()
        while state.movers and not state.dead and not state.recycling:
            state = state.after(rng.choice(state.moves()), state.turn)
        if not state.dead and state.outcome is None:
            return state


def test_recycling_with_four_numbers_each_has_the_values_of_its_swaps() -> None:
    """Whoever can reach a won position has won, a ply later; whose swaps are all lost, has lost."""
    rng, kinds = Random(3), set()
    state = recycling(edited("pattern", "first-returns"), rng)
    for _ in range(60):
        value, mover = evaluate(state).value, str(state.turn)
        after = [state.after(move, state.turn) for move in state.moves()]
        later = [evaluate(one).value for one in after]
        won = [one.plies or 0 for one in later if one.result == mover]
        if won:
            assert (value.result, value.plies) == (mover, 1 + min(won))
        elif "endless" in {one.result for one in later}:
            assert (value.result, value.plies) == ("endless", None)
        else:
            longest = max(one.plies or 0 for one in later)
            assert (value.result, value.plies) == (str(state.turn.other), 1 + longest)
        kinds.add(value.result)
        state = rng.choice([one for one in after if one.outcome is None])
    assert len(kinds) > 1


@pytest.mark.long
def test_recycling_with_four_numbers_each_equals_a_search_of_all_swaps() -> None:
    version, rng, compared = edited("pattern", "first-returns"), Random(3), 0
    while compared < 2:
        state = recycling(version, rng)
        won = find_forced_wins(state)
        assert len(won) > 50
        for position in [state, *rng.sample([*won], 50)]:
            if position.outcome is None:
                value = evaluate(position).value
                assert value.result == {None: "endless", 0: "first", 1: "second"}[won.get(position)]
        compared += 1


def small_position(game: Game, rng: Random) -> State[Any]:
    """A position that plain search can cope with, after random moves."""
    smallest = {option.name: next(iter(option.values())) for option in game.options if option.default}
    state = game.set_up(smallest, rng)
    # Below this, few moves are left: cells, lines, or a challenge's numbers.
    while (state.longest() or 0) > 8 or state.pending or state.secret:
        seat = state.movers[0]
        later = state.after(rng.choice(state.moves(seat)), seat)
        state = game.set_up(smallest, rng) if later.outcome is not None else later
    return state


@pytest.mark.parametrize(("game", "edit"), SOLVED, ids=[f"{g.slug}-{e.name}" for g, e in SOLVED])
def test_solved_versions_equal_plain_search(game: Game, edit: Edit) -> None:
    version, rng = edit_game(game, [edit]), Random(edit.name)
    for _ in range(2):
        state = small_position(version, rng)
        if game.slug == "shadow":  # four numbers are left to place: the search allows no more
            while state.movers and (state.longest() or 0) > 4:
                seat = state.movers[0]
                state = state.after(rng.choice(state.moves(seat)), seat)
        found, plain = evaluate(state), search.evaluate(state)
        for seat in state.movers:
            chances = [
                {str(choice.move): worth(choice.value, seat).chance for choice in one.choices_of(seat)}
                for one in (found, plain)
            ]
            assert chances[0] == chances[1]
        assert found.value.first_wins == plain.value.first_wins
        assert found.value.plies == plain.value.plies


def test_an_edit_leaves_the_book_as_it_is() -> None:
    edited("shadow", "full-to-first")
    assert Shadow.clauses.full == (Seat.SECOND, Seat.SECOND)


def test_the_most_even_version_is_picked_by_perfect_play_or_by_level() -> None:
    game = load("cross")
    ends = [Version(game, (), Fraction(1), (0.9,)), Version(game, game.edits[:1], Fraction(0), (0.4,))]
    assert pick_fairest(ends) is ends[1]
    mixed = [*ends, Version(game, game.edits[:2], Fraction(1, 3))]
    assert pick_fairest(mixed) is mixed[2]
    assert "1/3" in certify(mixed)
    equal = [
        Version(game, game.edits[:1], Fraction(5, 11), (0.4,)),
        Version(game, game.edits[1:2], Fraction(6, 11), (0.49,)),
    ]
    assert pick_fairest(equal) is equal[1]
    endless = [Version(load("pattern"), (), Fraction(1)), Version(load("pattern"), (), Fraction(1, 2))]
    assert "nobody wins" in certify(endless)
    assert "no fairer" in certify([ends[0], Version(game, game.edits[:1], None)])


def test_the_pie_rule_takes_the_least_uneven_first_move() -> None:
    assert pie_value(load("conquest")) == 1 - perfect_value(load("conquest"), {})
    assert pie_value(load("battle")) == 0


def test_results_are_kept_and_not_computed_again(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    job = LabJob("battle", ("head-start-5",))
    do_jobs([job], tmp_path)
    monkeypatch.setattr("ninefold.lab.jobs.do_job", pytest.fail)
    assert do_jobs([job], tmp_path) == {job.key: {"perfect": "0", "curve": [], "exact": True}}


def test_the_most_even_version_has_its_chances_by_level() -> None:
    game = load("battle")
    jobs = [LabJob("battle"), LabJob("battle", ("head-start-3",)), LabJob("battle", ("head-start-5",))]
    chances = ("1", "1", "1/3")
    results = {
        job.key: {"perfect": chance, "curve": [], "exact": True}
        for job, chance in zip(jobs, chances, strict=True)
    }
    found = find_versions(game, jobs, results)
    assert [len(one.curve) for one in found] == [0, 0, 10]
    assert f"{found[2].distance:.4f}" == "0.1721"


def test_pairs_change_different_clauses() -> None:
    pairs = [job.names for job in version_jobs(load("battle")) if len(job.names) == 2]
    assert ("head-start-3", "order-122112211") in pairs
    assert ("head-start-3", "head-start-5") not in pairs
    key, found = do_job(LabJob("battle", ("head-start-3", "order-122112211")))
    assert (key, found["perfect"]) == ("version battle head-start-3 order-122112211", "0")
