"""Conquest: every position against a naive solver, and every value against its own equation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ninefold
from ninefold import SEATS, Seat
from ninefold.analysis import Choice, Evaluation, Result, Value, evaluate, matrix
from ninefold.analysis.conquest import census
from ninefold.core.outcome import Reason
from ninefold.games.conquest.rules import Bid, Challenge, Conquest

from .square import game_value

FIRST, SECOND = SEATS
SIZES = (2, 3, 4)


def start(size: int) -> Conquest:
    state = ninefold.load("conquest").start(size=size)
    assert isinstance(state, Conquest)
    return state


def after_bids(state: Conquest, first: int, second: int) -> Conquest:
    """The position after both bids in an open challenge."""
    return state.after(Bid(first), FIRST).after(Bid(second), SECOND)


# A naive solver: through the rules, values by another method, nothing shared with the package.

Worth = tuple[Fraction, int | None]  # the first player's chance; plies where that is 1 or 0


def unchanged(state: Conquest) -> Conquest:
    return state


def sort_cells(state: Conquest) -> Conquest:
    """The same holdings with the first player's cells in front and the empty ones at the end."""
    owners = sorted(state.owners, key=lambda owner: 2 if owner is None else owner)
    return replace(state, owners=tuple(owners))


class Naive:
    def __init__(self, same: Callable[[Conquest], Conquest]) -> None:
        self.same = same
        self.known: dict[Conquest, Worth] = {}

    def worth(self, state: Conquest) -> Worth:
        """What a position is worth, between turns or with a challenge declared."""
        if not state.secret:
            state = self.same(state)
        if state not in self.known:
            self.known[state] = self.challenged(state) if state.secret else self.between_turns(state)
        return self.known[state]

    def between_turns(self, state: Conquest) -> Worth:
        if state.outcome is not None:
            return Fraction(state.outcome.winner is FIRST), 0
        options = set()
        for move in state.moves():
            chance, plies = self.worth(state.after(move, state.turn))
            options.add((chance, None if plies is None else plies + 1))
        chances = [chance for chance, _ in options]
        goal = max(chances) if state.turn is FIRST else min(chances)
        if goal not in (0, 1):
            return goal, None
        lengths = [plies for chance, plies in options if chance == goal and plies is not None]
        return goal, min(lengths) if (goal == 1) == (state.turn is FIRST) else max(lengths)

    def challenged(self, state: Conquest) -> Worth:
        """The package's docstring says how long a forced win in a challenge is."""
        rows, columns = state.hands
        after = {(a, b): self.worth(after_bids(state, a, b)) for a, b in product(rows, columns)}
        value = game_value(tuple(tuple(after[a, b][0] for b in columns) for a in rows))
        if value not in (0, 1):
            return value, None
        if value == 1:
            games = [[after[a, b] for b in columns] for a in rows]
        else:
            games = [[after[a, b] for a in rows] for b in columns]
        safe = [replies for replies in games if {chance for chance, _ in replies} == {value}]
        return value, 2 + min(max(plies or 0 for _, plies in replies) for replies in safe)


def assert_worth(value: Value, worth: Worth) -> None:
    chance, plies = worth
    named = {Fraction(1): Result.FIRST, Fraction(0): Result.SECOND}.get(chance, Result.MIXED)
    assert (value.result, value.first_wins, value.plies, value.margin) == (named, chance, plies, None)


def every_position(first: Conquest, same: Callable[[Conquest], Conquest]) -> Iterator[Conquest]:
    """All that can be reached: between turns, and with a challenge declared."""
    seen = {first}
    waiting = [first]
    while waiting:
        state = waiting.pop()
        yield state
        later: list[Conquest] = []
        if state.secret:
            later += [same(after_bids(state, a, b)) for a, b in product(*state.hands)]
        else:
            for move in state.moves():
                after = state.after(move, state.turn)
                later.append(after if after.secret else same(after))
        for one in later:
            if one not in seen:
                seen.add(one)
                waiting.append(one)


def assert_all_agree(size: int, same: Callable[[Conquest], Conquest]) -> int:
    naive = Naive(same)
    count = 0
    for state in every_position(start(size), same):
        found = evaluate(state)
        assert_worth(found.value, naive.worth(state))
        if not state.secret:
            count += 1
            assert {choice.move for choice in found.choices} == set(state.moves())
            for choice in found.choices:
                assert_worth(choice.value, naive.worth(state.after(choice.move, state.turn)))
    return count


def test_every_position_of_two_by_two_is_right() -> None:
    assert assert_all_agree(2, sort_cells) == census(2).positions


@pytest.mark.long
def test_every_position_on_two_by_two_boards_is_right() -> None:
    assert assert_all_agree(2, unchanged) > census(2).positions


@pytest.mark.long
def test_every_position_of_three_by_three_is_right() -> None:
    assert assert_all_agree(3, sort_cells) == census(3).positions


@pytest.mark.long
def test_every_position_of_four_by_four_is_right() -> None:
    assert assert_all_agree(4, sort_cells) == census(4).positions


# The values, each against its own equation, on boards as they come up in play


def random_games(size: int, seed: int, count: int) -> Iterator[Conquest]:
    """Positions of random games: some that mostly claim, some that mostly challenge."""
    rng = Random(f"{size} {seed}")
    for _ in range(count):
        state = start(size)
        fights = rng.choice((0.1, 0.4, 0.8))
        while state.outcome is None:
            yield state
            seat = rng.choice(state.movers)
            moves = state.moves(seat)
            challenges = [move for move in moves if isinstance(move, Challenge)]
            claims = [move for move in moves if move not in challenges]
            fighting = challenges and (not claims or rng.random() < fights)
            state = state.after(rng.choice(challenges if fighting else claims), seat)
        yield state


def chance(value: Value) -> Fraction:
    assert value.first_wins is not None
    return value.first_wins


def choices_of(found: Evaluation, seat: Seat) -> list[Choice]:
    return [choice for choice in found.choices if choice.seat is seat]


def forced_by(value: Value) -> Seat | None:
    return {Result.FIRST: FIRST, Result.SECOND: SECOND}.get(value.result)


def assert_best_of_the_moves(state: Conquest, found: Evaluation) -> None:
    """Between turns: the best chance, then the quickest win or the slowest loss."""
    mover = state.turn
    for choice in found.choices:
        assert choice.value == evaluate(state.after(choice.move, mover)).value
        assert (choice.seat, choice.mix) == (mover, None)
    chances = [chance(choice.value) for choice in found.choices]
    assert chances == sorted(chances, reverse=mover is FIRST)
    assert found.first_wins == chances[0]
    winner = forced_by(found.value)
    if winner is None:
        assert found.plies is None
        assert [choice.best for choice in found.choices] == [c == chances[0] for c in chances]
        return
    plies = [choice.value.plies or 0 for choice in found.choices if chance(choice.value) == chances[0]]
    assert plies == sorted(plies, reverse=mover is not winner)
    assert found.plies == plies[0] + 1
    best = [choice for choice in found.choices if choice.best]
    assert best == list(found.choices[: plies.count(plies[0])])


def assert_mixtures_guarantee(state: Conquest, found: Evaluation) -> None:
    """In a challenge: neither mixture can be beaten, so the value is between them."""
    state = replace(state, bids=(None, None))
    hands = state.hands
    after = {pair: evaluate(after_bids(state, *pair)).value for pair in product(*hands)}
    value = chance(found.value)
    mixes = []
    for seat in SEATS:
        choices = choices_of(found, seat)
        assert sorted(choice.move.number for choice in choices) == list(hands[seat])
        mix = {choice.move.number: choice.mix or Fraction(0) for choice in choices}
        assert sum(mix.values()) == 1
        assert min(mix.values()) >= 0
        mixes.append(mix)
    for b in hands[SECOND]:
        assert sum(mixes[FIRST][a] * chance(after[a, b]) for a in hands[FIRST]) >= value
    for a in hands[FIRST]:
        assert sum(mixes[SECOND][b] * chance(after[a, b]) for b in hands[SECOND]) <= value

    winner = forced_by(found.value)
    for seat in SEATS:
        choices = choices_of(found, seat)
        for choice in choices:
            number = choice.move.number
            met = [
                (after[(number, other) if seat is FIRST else (other, number)], part)
                for other, part in mixes[seat.other].items()
            ]
            expected = sum(chance(reply) * part for reply, part in met)
            if seat is winner:  # the best reply to it
                worst = min if seat is FIRST else max
                assert choice.value.first_wins == worst(chance(reply) for reply, _ in met)
            elif winner is not None:  # what the winner's safe number makes of it
                assert choice.value.first_wins == expected
                assert choice.value.plies == 1 + sum((reply.plies or 0) * part for reply, part in met)
            else:  # at most what this mixture leaves of it, see test_bids
                gap = expected - chance(choice.value)
                assert gap <= 0 if seat else gap >= 0
            assert choice.mix is not None
            assert choice.best or not choice.mix
        seen = [chance(choice.value) for choice in choices]
        assert seen == sorted(seen, reverse=seat is FIRST)
        assert seen[0] == value
    if winner is not None:
        safe, delaying = choices_of(found, winner)[0], choices_of(found, winner.other)[0]
        assert safe.mix == delaying.mix == 1
        assert found.plies is not None
        assert safe.value.plies == delaying.value.plies == found.plies - 1


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2))])
def test_every_value_satisfies_its_equation_through_the_rules(size: int, seed: int) -> None:
    kinds = set()
    for state in random_games(size, seed, count=40):
        found = evaluate(state)
        kinds.add((found.result, state.secret))
        if state.outcome is not None:
            assert found == Evaluation(found.value, ())
            assert forced_by(found.value) is state.outcome.winner
            assert found.first_wins == (state.outcome.winner is FIRST)
            assert found.plies == 0
        elif state.secret:
            assert_mixtures_guarantee(state, found)
        else:
            assert_best_of_the_moves(state, found)
    every = {(result, secret) for result in Result for secret in (False, True)}
    assert kinds == {kind for kind in every if kind[0] is not Result.ENDLESS}


@pytest.mark.parametrize("size", SIZES)
def test_a_bid_that_is_in_changes_nothing(size: int) -> None:
    pending = 0
    for state in random_games(size, seed=7, count=20):
        if state.secret and state.bids == (None, None):
            found = evaluate(state)
            for seat in SEATS:
                for move in state.moves(seat):
                    waiting = state.after(move, seat)
                    assert waiting.secret
                    assert evaluate(waiting) == found
                    pending += 1
    assert pending > 100


@pytest.mark.parametrize("size", SIZES)
def test_where_the_cells_lie_does_not_matter(size: int) -> None:
    rng = Random(size)
    for state in random_games(size, seed=8, count=20):
        order = rng.sample(range(size**2), size**2)
        place = {old + 1: new + 1 for new, old in enumerate(order)}
        moved = replace(
            state,
            owners=tuple(state.owners[old] for old in order),
            challenged=None if state.challenged is None else place[state.challenged],
        )

        def seen(choice: Choice, place: dict[int, int]) -> tuple[Any, ...]:
            move = choice.move
            where = move if isinstance(move, Bid) else type(move)(place[move.cell])
            return choice.seat, where, choice.value, choice.best, choice.mix

        found, other = evaluate(state), evaluate(moved)
        assert found.value == other.value
        unmoved = {cell: cell for cell in place}
        assert {seen(c, place) for c in found.choices} == {seen(c, unmoved) for c in other.choices}


# Forced wins


def reply(state: Conquest, seat: Seat, rng: Random) -> Any:
    """A perfect player's move: the first choice, or one drawn from the mixture."""
    choices = choices_of(evaluate(state), seat)
    if not state.secret:
        return choices[0].move
    weights = [float(choice.mix or 0) for choice in choices]
    return rng.choices([choice.move for choice in choices], weights)[0]


def forced(size: int, seed: int) -> list[Conquest]:
    """Positions with a forced win and something still to choose."""
    return [
        state
        for state in random_games(size, seed, count=60)
        if forced_by(evaluate(state).value) is not None and state.bids == (None, None) and state.movers
    ]


@pytest.mark.parametrize("size", SIZES)
def test_two_perfect_players_take_exactly_the_stated_plies(size: int) -> None:
    rng = Random(size)
    starts = forced(size, seed=11)
    assert len(starts) > 100
    for first in starts:
        found = evaluate(first)
        state, plies = first, 0
        while state.outcome is None:
            seat = state.movers[0]
            state = state.after(reply(state, seat, rng), seat)
            plies += 1
        assert state.outcome.winner is forced_by(found.value)
        assert plies == found.plies


@pytest.mark.parametrize("size", SIZES)
def test_a_forced_win_holds_against_anyone_and_takes_no_longer(size: int) -> None:
    rng = Random(size)
    for first in forced(size, seed=12):
        found = evaluate(first)
        winner = forced_by(found.value)
        state, plies = first, 0
        while state.outcome is None:
            seat = state.movers[0]
            move = reply(state, seat, rng) if seat is winner else rng.choice(state.moves(seat))
            state = state.after(move, seat)
            plies += 1
        assert state.outcome.winner is winner
        assert found.plies is not None
        assert plies <= found.plies


@pytest.mark.parametrize("size", SIZES)
def test_only_safe_numbers_are_best_for_the_side_that_can_force_the_win(size: int) -> None:
    unsafe = 0
    for state in forced(size, seed=13):
        found = evaluate(state)
        winner = forced_by(found.value)
        if not state.secret or winner is None:
            continue
        for choice in choices_of(found, winner):
            number = choice.move.number
            replies = state.hands[winner.other]
            pairs = [(number, other) if winner is FIRST else (other, number) for other in replies]
            safe = all(forced_by(evaluate(after_bids(state, *pair)).value) is winner for pair in pairs)
            assert safe == (forced_by(choice.value) is winner)
            assert safe or not choice.best
            unsafe += not safe
    assert unsafe > 5


# Single positions


@pytest.mark.parametrize(
    ("size", "first_wins"),
    [
        (2, Fraction(457, 700)),
        (3, Fraction(10956205242032041645969, 15979860335292629275300)),
        (4, Fraction(457, 700)),
    ],
)
def test_the_value_of_the_empty_board(size: int, first_wins: Fraction) -> None:
    found = evaluate(start(size))
    assert (found.result, found.first_wins, found.plies) == (Result.MIXED, first_wins, None)
    assert len(found.choices) == size**2
    assert all(choice.best for choice in found.choices)


X, O, E = FIRST, SECOND, None  # noqa: E741


def board(rows: str) -> tuple[Seat | None, ...]:
    return tuple({"x": X, "o": O, ".": E}[mark] for mark in rows.replace(" ", ""))


def test_the_last_cell_wins_without_numbers() -> None:
    state = Conquest(3, board("xxx xoo oo."), ((), ()), SECOND)
    found = evaluate(state)
    assert found.value == Value(Result.SECOND, Fraction(0), 1)
    assert [(str(c.move), c.value.plies, c.best) for c in found.choices] == [("claim:9", 0, True)]


def test_the_loser_delays_with_a_challenge_that_cannot_help() -> None:
    state = Conquest(3, board("xxx xxo oo."), ((4, 5), (2, 3)), SECOND)
    found = evaluate(state)
    assert (found.result, found.plies) == (Result.FIRST, 4)  # a challenge, two bids, the last claim
    assert [str(c.move) for c in found.choices if c.best] == [f"challenge:{n}" for n in (1, 2, 3, 4, 5)]
    assert str(found.choices[-1].move) == "claim:9"


def test_a_sudden_death_that_one_number_wins() -> None:
    state = Conquest(2, board("xxoo"), ((3, 4), (2, 5)), SECOND)
    assert state.sudden_death
    found = evaluate(state)
    assert found.value == Value(Result.SECOND, Fraction(0), 3)
    assert [str(choice.move) for choice in found.choices] == ["challenge:1", "challenge:2"]
    bids = evaluate(state.play("challenge:1"))
    assert bids.value == Value(Result.SECOND, Fraction(0), 2)
    assert [choice.seat for choice in bids.choices] == [SECOND, SECOND, FIRST, FIRST]
    # 5 takes the cell from 3 and from 4. With 2 it stays, but then neither 3 nor 4 can take one from 5.
    assert [(str(c.move), c.value.plies, c.mix) for c in choices_of(bids, SECOND)] == [
        ("bid:5", 1, Fraction(1)),
        ("bid:2", 4, Fraction(0)),
    ]


def test_a_sudden_death_where_chance_decides() -> None:
    # The first player wins by taking the cell, or by drawing the 3 with the 1: with 2 and 3 against 1
    # and 2 the next challenge fails and the one after it cannot. Equal numbers are the second player's.
    state = Conquest(2, board("xxoo"), ((1, 2, 3), (1, 2, 3)), FIRST)
    half = Fraction(1, 2)
    assert evaluate(state).value == Value(Result.MIXED, half)
    declared = state.play("challenge:4")
    wins = {
        (a, b) for a, b in product((1, 2, 3), repeat=2) if evaluate(after_bids(declared, a, b)).first_wins
    }
    assert wins == {(1, 3), (2, 1), (3, 1), (3, 2)}
    bids = evaluate(declared)
    assert bids.value == Value(Result.MIXED, half)
    shares = {(c.seat, str(c.move)): c.mix for c in bids.choices}
    best = [(c.seat, str(c.move)) for c in bids.choices if c.best]
    assert {shares[one] for one in best} <= {half, Fraction(0)}
    assert all(c.value == bids.value for c in bids.choices if c.best)
    assert [shares[seat, f"bid:{n}"] for seat in SEATS for n in (1, 2, 3)] == [half, 0, half] * 2


@pytest.mark.parametrize(
    ("state", "reason", "winner"),
    [
        (Conquest(3, board("xxx xxo ooo"), ((1,), (5,)), SECOND), Reason.CELLS, Result.FIRST),
        (Conquest(2, board("xxoo"), ((1, 2), (1, 3)), FIRST), Reason.UNUSED, Result.SECOND),
        (Conquest(2, board("xxoo"), ((), ()), SECOND), Reason.SPENT, Result.SECOND),
    ],
)
def test_the_end_has_the_value_of_its_outcome(state: Conquest, reason: Reason, winner: Result) -> None:
    assert state.outcome is not None
    assert state.outcome.reason is reason
    assert evaluate(state) == Evaluation(Value(winner, Fraction(winner is Result.FIRST), 0), ())


@pytest.mark.parametrize(
    ("size", "positions", "challenges"), [(2, 2431, 1369), (3, 5175, 4161), (4, 9920, 8741)]
)
def test_the_census_counts_and_certifies_everything(size: int, positions: int, challenges: int) -> None:
    found = census(size)
    assert (found.positions, found.challenges, found.certified) == (positions, challenges, challenges)
    assert sum(found.results.values()) == positions
    assert found.value == evaluate(start(size)).value


def test_the_census_tells_a_challenge_without_a_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix, "certificate", lambda *_: False)
    assert census(2).certified == 0


@given(st.sampled_from(SIZES), st.randoms(use_true_random=False))
def test_values_are_probabilities_and_results_follow_from_them(size: int, rng: Random) -> None:
    state = start(size)
    while state.outcome is None and rng.random() < 0.95:
        seat = rng.choice(state.movers)
        state = state.after(rng.choice(state.moves(seat)), seat)
    found = evaluate(state)
    for value in (found.value, *(choice.value for choice in found.choices)):
        assert 0 <= chance(value) <= 1
        expected = Result.FIRST if value.first_wins == 1 else Result.MIXED
        assert value.result == (Result.SECOND if value.first_wins == 0 else expected)
        assert (value.plies is None) == (value.result is Result.MIXED)
