"""Search through the rules alone: it agrees with a solver that knows the game, or refuses."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Any

import pytest

import ninefold
from ninefold import State
from ninefold.analysis import NoValues, conquest, search
from ninefold.analysis.evaluation import Evaluation
from tests.sixth import auction, garden

START = ninefold.load("conquest").start(size=2)


@pytest.fixture(autouse=True)
def _nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_VALUES", {})
    monkeypatch.setattr(search, "_REFUSED", set())


def positions(rng: Random, least: int) -> Iterator[State[Any]]:
    """Positions of random games of Grid Conquest 2x2 after so many moves, some with a pending number."""
    while True:
        state, made = START, 0
        while state.movers:
            if made >= least:
                yield state
            seat = rng.choice(state.movers)
            state, made = state.after(rng.choice(state.moves(seat)), seat), made + 1


def told(found: Evaluation) -> tuple[object, ...]:
    """All that an evaluation says but the mixtures, of which there may be several."""
    choices = {(one.seat, one.move): (one.value, one.best) for one in found.choices}
    return found.value, choices


def assert_the_same(state: State[Any]) -> None:
    searched, known = search.evaluate(state), conquest.SOLVER.evaluate(state, None)
    assert told(searched) == told(known)
    for seat in state.movers:
        mixes = [one.mix for one in searched.choices_of(seat)]
        assert sum(mix or 0 for mix in mixes) == (1 if state.secret else 0)


def test_it_finds_what_the_games_own_solver_finds() -> None:
    for state in islice(positions(Random(1), least=5), 60):
        assert_the_same(state)


@pytest.mark.long
def test_it_finds_the_exact_chance_of_a_whole_game_with_secrets() -> None:
    assert search.evaluate(START).first_wins == Fraction(457, 700)
    for state in islice(positions(Random(2), least=0), 1000):
        assert_the_same(state)


def test_a_pending_choice_changes_nothing() -> None:
    start = auction.GAME.start(prizes=231)
    for seat in start.movers:
        for move in start.moves(seat):
            assert search.evaluate(start.after(move, seat)) == search.evaluate(start)


def test_a_game_that_is_too_large_is_refused_before_it_is_searched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start, count = garden.GAME.start(), search.count_positions(garden.GAME.start())
    monkeypatch.setattr(search, "MOST", count - 1)
    with pytest.raises(NoValues, match=f"more than {count - 1:,} positions can follow"):
        search.evaluate(start)
    assert search._VALUES == {}
    monkeypatch.setattr(search, "_order", None)  # that it is too large is known from now on
    with pytest.raises(NoValues):
        search.evaluate(start)


def test_a_game_of_just_the_right_size_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST", search.count_positions(garden.GAME.start()))
    shares: list[float] = []
    assert search.evaluate(garden.GAME.start(), shares.append).value.plies
    assert shares == sorted(shares)
    assert len(shares) > 50


def test_a_game_that_can_go_in_circles_is_refused() -> None:
    game = ninefold.load("pattern")
    state, rng = game.start(), Random(4)
    while len(state.view(None).numbers("pool")) != 1 or state.view(None).phase != "swapping":
        state = game.start() if state.outcome or state.dead else state.play(rng.choice(state.moves()))
    with pytest.raises(NoValues, match="can go on forever"):
        search.evaluate(state)
