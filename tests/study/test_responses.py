"""Best responses against plain enumeration, and players that look perfect and are not."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest

import ninefold
from ninefold import SEATS, Seat, SetupError, State
from ninefold.analysis import evaluate, solver_of
from ninefold.analysis.conquest import count_asked
from ninefold.games.battle.rules import Battle
from ninefold.games.conquest.rules import HAND, Conquest
from ninefold.players import policy_of
from ninefold.study import best_response, exploitability
from ninefold.study.responses import Answers

HALF = Fraction(1, 2)


def biased(state: State[Any], seat: Seat) -> dict[Any, Fraction]:
    """Any moves with odd probabilities, which depend on the position."""
    moves = state.moves(seat)
    weights = [1 + (hash_of(state) + 3 * place) % 5 for place in range(len(moves))]
    return {move: Fraction(w, sum(weights)) for move, w in zip(moves, weights, strict=True)}


def hash_of(state: State[Any]) -> int:
    """A number that a position shares with all that differ only in which cells are whose."""
    if isinstance(state, Conquest):
        return sum(map(sum, state.hands)) + state.owners.count(None) + 2 * state.owners.count(Seat.FIRST)
    return len(state.moves()) + (int(state.grid[0]) if isinstance(state, Battle) else 0)


def enumerated(policy: Answers, state: State[Any], seat: Seat) -> Fraction:
    """The best chance by trying all: no table, no representative, numbers chosen as pairs."""
    if state.outcome is not None:
        return Fraction(state.outcome.winner is seat)
    if len(state.movers) == 2:
        parts = policy(state, seat.other)
        totals = dict.fromkeys(state.moves(seat), Fraction(0))
        for own, (other, part) in product(totals, parts.items()):
            later = state.play(own, seat).play(other, seat.other)
            totals[own] += part * enumerated(policy, later, seat)
        return max(totals.values())
    (mover,) = state.movers
    if mover is seat:
        return max(enumerated(policy, state.play(move), seat) for move in state.moves())
    parts = policy(state, mover)
    return sum((p * enumerated(policy, state.play(m), seat) for m, p in parts.items()), Fraction(0))


def small_games() -> list[State[Any]]:
    grid = ninefold.load("battle").start(grid="792415863")
    rng = Random(1)
    for _ in range(3):
        grid = grid.play(rng.choice(grid.moves()))
    return [
        grid,
        ninefold.load("cross").start(grid="792415863").play("Row1"),
        Conquest(2, (None,) * 4, ((1, 3), (2, 3))),
        Conquest(2, (None,) * 4, ((2, 4), (1, 5))).play("claim:1"),
    ]


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("start", small_games(), ids=lambda start: start.game.slug)
@pytest.mark.parametrize("name", ["random", "level:2", "biased"])
def test_it_is_the_best_of_everything_that_can_be_tried(name: str, start: State[Any], seat: Seat) -> None:
    policy = policy_of(name) if name != "biased" else biased
    assert policy is not None
    assert best_response(policy, start, seat) == enumerated(policy, start, seat)


GAMES = [("battle", {"grid": "792415863"}), ("cross", {"grid": "792415863"}), ("conquest", {"size": 2})]


@pytest.mark.parametrize(("slug", "setup"), GAMES)
def test_nobody_beats_perfect_play_more_often_than_the_value_says(slug: str, setup: Any) -> None:
    start = ninefold.load(slug).start(**setup)
    perfect = policy_of("perfect")
    assert perfect is not None
    value = evaluate(start).first_wins
    assert value is not None
    found = [best_response(perfect, start, seat, alike=True) for seat in SEATS]
    assert found == [value, 1 - value]
    assert exploitability(perfect, start, alike=True) == 0


def modal(state: State[Any], seat: Seat) -> dict[Any, Fraction]:
    """A perfect player, but for bids: always the likeliest number of the optimal mixture."""
    mine = [choice for choice in evaluate(state).choices if choice.seat is seat]
    best = max(mine, key=lambda choice: choice.mix or 0) if state.secret else mine[0]
    return {best.move: Fraction(1)}


@pytest.mark.parametrize("size", [2, 3])
def test_who_always_bids_the_likeliest_number_loses_every_game_to_somebody_who_knows(size: int) -> None:
    start = ninefold.load("conquest").start(size=size)
    assert [best_response(modal, start, seat) for seat in SEATS] == [1, 1]
    assert exploitability(modal, start) == HALF


def test_what_is_not_played_is_forfeited() -> None:
    start = ninefold.load("cross").start(grid="792415863")

    def hesitates(state: State[Any], seat: Seat) -> dict[Any, Fraction]:
        return {move: part / 2 for move, part in modal(state, seat).items()}

    assert best_response(lambda *_: {}, start, Seat.SECOND) == 1
    assert best_response(modal, start, Seat.SECOND) == 0
    assert best_response(hesitates, start, Seat.SECOND) == 1 - HALF**3


def test_a_policy_is_asked_in_every_position_twice_and_before_any_number_is_in() -> None:
    asked: Counter[State[Any]] = Counter()

    def policy(state: State[Any], seat: Seat) -> dict[Any, Fraction]:
        asked[state] += 1
        return biased(state, seat)

    start = Conquest(2, (None,) * 4, ((1, 3), (2, 3)))
    assert best_response(policy, start, Seat.FIRST).exact
    assert set(asked.values()) == {2}
    assert not any(state.pending for state in asked)
    met: set[State[Any]] = set()
    waiting: list[State[Any]] = [start]
    while waiting:
        state = waiting.pop()
        if state.outcome is None and state not in met:
            met.add(state)
            waiting += [
                one for move in state.moves() for one in reveal(state.play(move, state.movers[0]))
            ]
    assert set(asked) == {state for state in met if Seat.SECOND in state.movers}


def reveal(state: State[Any]) -> list[State[Any]]:
    """The position, or if a secret choice is pending, all that may come of it."""
    return [state.play(move) for move in state.moves()] if state.pending else [state]


def canonical(state: Conquest) -> bool:
    """Whether the cells are the first player's, then the second player's, then empty ones."""
    ranks = [2 if owner is None else int(owner) for owner in state.owners]
    if ranks != sorted(ranks):
        return False
    return state.challenged is None or state.challenged == 1 + ranks.index(state.turn.other)


@cache
def two_faced(state: State[Any], seat: Seat) -> dict[Any, Fraction]:
    """Perfect in one position of each class, random in all others."""
    assert isinstance(state, Conquest)
    policy = policy_of("perfect" if canonical(state) else "random")
    assert policy is not None
    return policy(state, seat)


FEW = Conquest(2, (None,) * 4, ((1, 3, 5), (1, 3, 5)))  # a game with a tenth of the positions


@pytest.mark.parametrize(
    ("start", "figure"),
    [(FEW, 0.368), pytest.param(replace(FEW, hands=(HAND, HAND)), 0.383, marks=pytest.mark.long)],
)
def test_an_agent_that_is_perfect_only_where_it_expects_to_be_asked_is_found_out(
    start: Conquest, figure: float
) -> None:
    found = exploitability(two_faced, start)
    assert found.exact
    assert float(found) == pytest.approx(figure, abs=5e-4)


def test_a_policy_that_samples_is_refused() -> None:
    rng = Random(1)

    def samples(state: State[Any], seat: Seat) -> dict[Any, Fraction]:
        return {rng.choice(state.moves(seat)): Fraction(1)}

    with pytest.raises(SetupError, match=r"Asked twice.*return the probability of each move"):
        best_response(samples, ninefold.load("cross").start(grid="792415863"), Seat.FIRST)


@pytest.mark.parametrize("slug", ["shadow", "pattern"])
def test_with_too_many_positions_there_is_a_lower_bound(slug: str) -> None:
    """A player that never completes nor blocks a line loses to perfect play wherever that can win."""
    start = ninefold.load(slug).set_up({"target": 15} if slug == "shadow" else {})

    def last(state: State[Any], seat: Seat) -> dict[Any, Fraction]:
        return {state.moves(seat)[-1]: Fraction(1)}

    found = [best_response(last, start, seat) for seat in SEATS]
    assert not any(one.exact for one in found)
    assert repr(found[0]).startswith("at least Fraction(")
    assert sum(found) > 1
    assert exploitability(last, start) == (sum(found) - 1) / 2


def test_a_lower_bound_is_never_above_the_exact_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    for policy in (biased, two_faced, modal):
        exact = best_response(policy, FEW, Seat.SECOND)
        with monkeypatch.context() as patch:
            patch.setattr("ninefold.study.responses.MOST", 3000)  # enough for the classes alone
            bound = best_response(policy, FEW, Seat.SECOND)
        assert exact.exact > bound.exact
        assert HALF < bound <= exact


@pytest.mark.parametrize("size", [2, *(pytest.param(size, marks=pytest.mark.long) for size in (3, 4))])
def test_the_longest_game_of_conquest_is_as_long_as_it_says(size: int) -> None:
    from ninefold.analysis.conquest import same

    known: dict[Any, int] = {}

    def longest(state: Any, together: bool) -> int:
        key = same(state), together
        if key not in known:
            known[key] = _longest(state, together)
        return known[key]

    def _longest(state: Any, together: bool) -> int:
        if state.outcome is not None:
            return 0
        if not state.secret:
            later = {same(one): one for one in map(state.play, state.moves())}
            return 1 + max(longest(one, together) for one in later.values())
        one, other = state.movers
        bids = product(state.moves(one), state.moves(other))
        ends = [state.play(a, one).play(b, other) for a, b in bids]
        after = {same(end): end for end in ends}
        return (1 if together else 2) + max(longest(end, together) for end in after.values())

    start = ninefold.load("conquest").start(size=size)
    for together in (False, True):
        assert longest(start, together) == start.longest(together)


@pytest.mark.parametrize("slug", ["shadow", "battle", "cross"])
def test_other_games_last_as_long_as_they_say(slug: str) -> None:
    for seed in range(20):
        rng = Random(seed)
        state = ninefold.load(slug).start(rng=rng)
        longest = state.longest()
        assert longest is not None
        moves = 0
        while state.movers:
            left = state.longest()
            assert left is not None
            assert left == longest - moves
            state = state.play(rng.choice(state.moves()))
            moves += 1
        assert state.longest() == 0
        assert moves <= longest


@pytest.mark.parametrize("start", [*small_games()[:2], ninefold.load("conquest").start(size=2)], ids=str)
def test_as_many_positions_are_counted_as_there_are(start: State[Any]) -> None:
    """Between secret choices, whichever cells are whose."""
    seen: set[State[Any]] = {start}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        for move in state.moves():
            for later in reveal(state.after(move, state.movers[0])):
                if later not in seen:
                    seen.add(later)
                    waiting.append(later)
    count = solver_of(start.game).count_asked
    assert count is not None
    assert count(start) == len(seen)


def test_conquest_has_as_many_positions_as_the_documents_say() -> None:
    counts = [count_asked(Conquest(size, (None,) * size**2)) for size in (2, 3)]
    assert counts == [33_322, 11_945_911]
    assert counts[1] // counts[0] == 358
