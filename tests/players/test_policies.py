"""Policies: exact probabilities of legal moves, and players that draw from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, partial
from math import lcm
from random import Random
from typing import Any

import pytest

import ninefold
from ninefold import SLUGS, NinefoldError, Seat, State
from ninefold.analysis import Choice, Result, count_values, evaluate, group_moves
from ninefold.analysis.evaluation import worth
from ninefold.players import LEVELS, policy_of, seat_player
from ninefold.players.exact import LEVEL_POLICIES
from ninefold.players.policy import Policy, PolicyPlayer, Probabilities, draw

NAMES = ("random", "greedy", *(f"level:{level}" for level in LEVELS), "sight:1", "sight:3", "perfect")


def named(name: str) -> Policy:
    policy = policy_of(name)
    assert policy is not None
    return policy


def games(slug: str, seed: int, count: int) -> Iterator[State[Any]]:
    """The positions of random games, some with one secret choice already made."""
    rng = Random(f"{slug} {seed}")
    for _ in range(count):
        state = ninefold.load(slug).start(rng=rng)
        for _ in range(20):  # Pattern Match may go on for ever
            if not state.movers:
                break
            yield state
            seat = rng.choice(state.movers)
            state = state.after(rng.choice(state.moves(seat)), seat)


@cache
def sample(slug: str) -> tuple[State[Any], ...]:
    return tuple(games(slug, seed=1, count=8))


@cache
def probabilities(name: str, state: State[Any], seat: Seat) -> Probabilities:
    """What a policy says, found once for all tests."""
    return named(name)(state, seat)


@cache
def choices(state: State[Any], seat: Seat) -> tuple[Choice, ...]:
    return tuple(choice for choice in evaluate(state).choices if choice.seat is seat)


def chance(choice: Choice) -> Fraction:
    return Fraction(worth(choice.value, choice.seat).chance)


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("name", NAMES)
def test_a_policy_gives_legal_moves_exact_probabilities_that_add_up_to_1(name: str, slug: str) -> None:
    for number, state in enumerate(sample(slug)):
        for seat in state.movers:
            found = probabilities(name, state, seat)
            assert set(found) <= set(state.moves(seat))
            assert {type(part) for part in found.values()} == {Fraction}
            assert min(found.values()) > 0
            assert sum(found.values()) == 1
            if number % 5 == 0:
                assert named(name)(state, seat) == found


class Drawn(Random):
    """A generator that draws one given number."""

    def __init__(self, number: int) -> None:
        super().__init__(0)
        self.number = number
        self.below = 0

    def randrange(self, start: int, *_: Any) -> int:
        self.below = start
        return self.number


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("name", ["random", "greedy", "level:4", "perfect"])
def test_a_player_draws_each_move_exactly_as_often_as_its_policy_says(name: str, slug: str) -> None:
    """Of `total` numbers that may be drawn, all equally likely, each move has as many as it should."""
    policy = partial(probabilities, name)
    for state in sample(slug)[::27]:
        for seat in state.movers:
            found = policy(state, seat)
            total = lcm(*(part.denominator for part in found.values()))
            start = 0
            for move, part in found.items():
                end = start + part * total
                for number in {start, int(end) - 1}:
                    rng = Drawn(number)
                    assert PolicyPlayer(policy, rng).choose(state, seat) == move
                    assert rng.below == total
                start = int(end)
            assert start == total


def test_every_number_that_may_be_drawn_leads_to_a_move() -> None:
    parts = {"a": Fraction(1, 6), "b": Fraction(1, 4), "c": Fraction(7, 12)}
    assert [draw(parts, Drawn(number)) for number in range(12)] == [*"aabbbccccccc"]


@pytest.mark.parametrize("name", NAMES)
def test_a_pending_secret_changes_no_policy(name: str) -> None:
    policy = named(name)
    pending = 0
    for state in sample("conquest"):
        if state.secret and len(state.movers) == 2:
            for seat in state.movers:
                found = policy(state, seat)
                for move in state.moves(seat.other):
                    assert policy(state.after(move, seat.other), seat) == found
                    pending += 1
    assert pending > 20


@pytest.mark.parametrize("slug", SLUGS)
def test_a_perfect_move_costs_nothing(slug: str) -> None:
    for state in games(slug, seed=2, count=12):
        value = evaluate(state).value
        for seat in state.movers:
            best = max(map(chance, choices(state, seat)))
            by_move = {choice.move: choice for choice in choices(state, seat)}
            for move in named("perfect")(state, seat):
                assert chance(by_move[move]) == best
                if not state.secret:
                    later = evaluate(state.after(move, seat)).value
                    assert (later.first_wins, later.margin) == (value.first_wins, value.margin)
                    assert value.plies is None or later.plies == value.plies - 1


def test_a_perfect_secret_choice_is_the_optimal_mixture() -> None:
    secret = 0
    for state in sample("conquest"):
        for seat in state.movers if state.secret else ():
            secret += 1
            mixture = {choice.move: choice.mix for choice in choices(state, seat) if choice.mix}
            assert named("perfect")(state, seat) == mixture
    assert secret > 10


@pytest.mark.parametrize("slug", SLUGS)
def test_of_the_best_moves_perfect_makes_those_that_leave_the_most_mistakes(slug: str) -> None:
    compare_best_moves(slug)


def test_some_best_moves_leave_more_mistakes_than_others() -> None:
    assert any(compare_best_moves(slug) for slug in SLUGS)


def compare_best_moves(slug: str) -> int:
    """Compare the moves that perfect makes, and return how often these left different mistakes."""
    compared = 0
    for state in games(slug, seed=3, count=3):
        if state.secret:
            continue
        (seat,) = state.movers
        best = [choice.move for choice in choices(state, seat) if choice.best]
        shares = {move: mistakes(state.after(move, seat), seat.other) for move in best}
        most = [move for move in best if shares[move] == max(shares.values())]
        assert named("perfect")(state, seat) == dict.fromkeys(most, Fraction(1, len(most)))
        compared += len(set(shares.values())) > 1
    return compared


def mistakes(state: State[Any], seat: Seat) -> Fraction:
    """The share of moves after which the seat's chance is less than before."""
    if seat not in state.movers:
        return Fraction(0)
    found = [chance(choice) for choice in choices(state, seat)]
    return Fraction(sum(one < max(found) for one in found), len(found))


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("level", LEVELS)
def test_a_level_is_perfect_but_for_its_share_of_mistakes(level: int, slug: str) -> None:
    policy = LEVEL_POLICIES[level]
    made = 0
    for state in sample(slug):
        for seat in state.movers:
            found = probabilities(f"level:{level}", state, seat)
            perfect = probabilities("perfect", state, seat)
            mine = choices(state, seat)
            costs = {choice.move: chance(mine[0]) - chance(choice) for choice in mine}
            far = [one for one in mine if chance(one) or (one.value.plies or 0) >= policy.depth]
            allowed = [
                one.move
                for one in far
                if costs[one.move] > 0 and (costs[one.move] <= policy.cost or not chance(one))
            ] or [one.move for one in far if costs[one.move] == 0 and not one.best]
            if allowed:
                assert found == mixed(
                    perfect, dict.fromkeys(allowed, Fraction(1, len(allowed))), policy.miss
                )
                made += 1
            else:
                assert found == perfect
    assert made > 10


def loses_at_once(state: State[Any], move: Any, seat: Seat) -> bool:
    """Whether the opponent can win with the next move, by the rules alone."""
    after = state.after(move, seat)
    replies = [] if after.secret else after.moves(seat.other)
    ends = [after.after(reply, seat.other).outcome for reply in replies]
    return any(end is not None and end.winner is seat.other for end in ends)


@pytest.mark.parametrize("slug", SLUGS)
def test_from_level_3_up_no_move_lets_the_opponent_win_at_once_if_another_does_not(slug: str) -> None:
    """In all positions that follow some positions of random games."""
    tried = Counter[Result]()
    for state in followers(slug):
        (seat,) = state.movers
        lost = {move for move in state.moves() if loses_at_once(state, move, seat)}
        if len(lost) not in (0, len(state.moves())):
            tried[evaluate(state).result] += 1
            for level in (3, 5, 9):
                assert not lost & named(f"level:{level}")(state, seat).keys()
    assert tried.total() > 40 or slug not in ("shadow", "pattern"), tried


def followers(slug: str) -> Iterator[State[Any]]:
    """All positions after one move from positions of random games, up to 400 of them."""
    before = [state for state in games(slug, seed=6, count=20) if not state.secret and not state.dead]
    after = [state.after(move, state.movers[0]) for state in before[::2] for move in state.moves()]
    fresh = [one for one in dict.fromkeys(after) if one.movers and not one.secret and not one.dead]
    yield from fresh[:: len(fresh) // 400 + 1]


def mixed(one: Probabilities, other: Probabilities, share: Fraction) -> Probabilities:
    """What comes of drawing from the other with this probability."""
    none = Fraction(0)
    return {
        move: (1 - share) * one.get(move, none) + share * other.get(move, none)
        for move in one.keys() | other.keys()
    }


def test_higher_levels_miss_less_and_allow_less() -> None:
    policies = [LEVEL_POLICIES[level] for level in LEVELS]
    assert [policy.miss for policy in policies] == sorted((g.miss for g in policies), reverse=True)
    assert [policy.cost for policy in policies] == sorted((g.cost for g in policies), reverse=True)
    assert [policy.depth for policy in policies] == sorted(g.depth for g in policies)


def test_the_players_of_ours_have_a_policy_and_the_others_have_none() -> None:
    for name in NAMES:
        player = seat_player(name, Random(1))
        assert isinstance(player, PolicyPlayer)
        assert player.policy == policy_of(name)
    assert policy_of("person") is policy_of("program:cat -") is None
    assert not isinstance(seat_player("program:cat -", Random(1)), PolicyPlayer)
    with pytest.raises(NinefoldError, match="is not a player"):
        policy_of("deep")


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("sight", [1, 2, 4])
def test_sight_wins_what_is_near_and_avoids_what_is_near(sight: int, slug: str) -> None:
    """Told again from the values: what wins within its sight, else what does not lose within it."""
    for state in sample(slug):
        for seat in state.movers:
            mine = choices(state, seat)
            near = [
                one for one in mine if one.value.plies is not None and one.value.plies + 1 <= 2 * sight
            ]
            won = [one.move for one in near if chance(one) == 1]
            lost = [one.move for one in near if chance(one) == 0]
            fine = won or [one.move for one in mine if one.move not in lost] or lost
            part = Fraction(1, len(fine))
            assert named(f"sight:{sight}")(state, seat) == dict.fromkeys(fine, part)


def test_a_secret_number_wins_in_sight_only_if_it_wins_against_every_reply() -> None:
    state = ninefold.load("conquest").start(size=2)
    for move in ("claim:1", "claim:2", "claim:3", "challenge:1"):
        state = state.play(move)
    for seat in state.movers:
        parts = named("sight:2")(state, seat)
        for move in state.moves(seat):
            ends = []
            for reply in state.moves(seat.other):
                both = {seat: move, seat.other: reply}
                after = state
                for mover in state.movers:
                    after = after.after(both[mover], mover)
                ends.append(evaluate(after).value)
            safe = all(worth(end, seat).chance == 1 and (end.plies or 0) + 2 <= 4 for end in ends)
            won = any(worth(one.value, seat).chance == 1 for one in choices(state, seat))
            assert not won or (move in parts) == safe


@pytest.mark.parametrize("slug", ["shadow", "shadow-fair", "pattern", "pattern-fair", "cross"])
def test_moves_of_one_group_leave_the_opponent_the_same_values(slug: str) -> None:
    shared = 0
    for state in games(slug, 3, 8):
        (seat,) = state.movers
        by_group: dict[Any, Any] = {}
        for move, group in group_moves(state).items():
            left = count_values(state.after(move, seat), seat.other)
            assert by_group.setdefault(group, left) == left
        shared += len(state.moves()) - len(by_group)
    assert bool(shared) is (slug != "cross")
