"""Looking back at a match: what is judged, and how."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

import ninefold
from ninefold import SLUGS, Seat, State
from ninefold.analysis import Result, evaluate
from ninefold.analysis.evaluation import worth
from ninefold.core.turns import Played
from ninefold.games.conquest.rules import Conquest
from ninefold.match import Match, Player
from ninefold.study.reviews import Mark, Review, review, review_match
from ninefold.study.scores import score

FIRST, SECOND = Seat.FIRST, Seat.SECOND


def reviewed(start: State[Any], texts: str) -> Review:
    states, played = start.game.replay(start, texts.split())
    outcome = states[-1].outcome
    return review(states, played, None if outcome is None else outcome.winner.other)


def random_match(slug: str, seed: int) -> Review:
    rng = random.Random(seed)
    states = [ninefold.load(slug).start(rng=rng)]
    played: list[Played] = []
    while states[-1].movers and len(played) < 40:
        state = states[-1]
        seat = state.movers[0]
        played.append(Played(seat, rng.choice(state.moves(seat))))
        states.append(state.play(played[-1].move, seat))
    outcome = states[-1].outcome
    return review(states, played, None if outcome is None else outcome.winner.other)


def test_the_move_that_gives_the_win_away_is_marked_and_decides() -> None:
    start = ninefold.load("battle").start(grid="123456789")
    found = reviewed(start, "0,0 2,2 2,1 2,0 1,2 1,1 1,0 0,2 0,1")
    first, best = found.moves[0], start.game.parse("2,2")
    assert (first.mark, first.cost, first.best) == (Mark.GIVES_AWAY, Fraction(1), (best,))
    assert found.deciding is first
    assert found.accuracy[FIRST] is not None
    assert found.accuracy[SECOND] == 1


def test_a_slower_win_is_marked_and_costs_nothing() -> None:
    start = ninefold.load("shadow").start(target=15)
    found = reviewed(start, "5@1,1 7@1,2 6@2,2 8@1,3 1@2,1")
    last = found.moves[-1]
    assert found.values[-2].result is Result.FIRST
    if found.values[-1].result is Result.FIRST:
        assert (last.mark, last.cost) == (Mark.SLOWER, Fraction(0))
    else:
        assert last.mark is Mark.GIVES_AWAY
    assert start.game.parse("4@3,3") in last.best


def test_an_unfinished_match_has_no_deciding_move() -> None:
    assert reviewed(ninefold.load("cross").start(grid="492357816"), "Row1 Row2").deciding is None


def test_a_perfect_game_has_no_marks_and_no_deciding_move() -> None:
    start = ninefold.load("battle").start(grid="123456789")
    found = reviewed(start, "2,2 2,1 2,0 1,2 1,1 1,0 0,2 0,1 0,0")
    assert {one.mark for one in found.moves} == {Mark.NONE}
    assert found.deciding is None
    assert found.accuracy == (Fraction(1), None)


def test_luck_is_apart_from_the_choice() -> None:
    """Whatever the numbers drawn from the optimal mixtures, nobody made a mistake."""
    start = ninefold.load("conquest").start().play("claim:5").play("challenge:5")
    right = {
        seat: [str(c.move) for c in evaluate(start).choices if c.seat is seat and c.mix]
        for seat in (FIRST, SECOND)
    }
    lucks = set()
    for mine in right[SECOND]:
        for theirs in right[FIRST]:
            found = reviewed(ninefold.load("conquest").start(), f"claim:5 challenge:5 {mine} {theirs}")
            bids = found.moves[2:]
            assert [one.cost for one in bids] == [0, 0]
            assert bids[0].luck is None
            lucks.add(bids[1].luck)
    assert len(lucks) > 1
    assert min(luck for luck in lucks if luck is not None) < 0


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("seed", range(4))
def test_values_costs_and_luck_add_up(slug: str, seed: int) -> None:
    """Along a match the first player's chance changes by costs and luck, and by nothing else."""
    found = random_match(slug, seed)
    chance = [Fraction(worth(value, FIRST).chance) for value in found.values]
    explained = Fraction(0)
    for one in found.moves:
        explained += one.cost if one.seat is SECOND else -one.cost
        explained += one.luck or 0
        assert 0 <= one.cost <= one.at_stake <= 1
        assert (one.cost > 0) <= (one.mark is not Mark.NONE)
    assert chance[-1] - chance[0] == explained


@pytest.mark.parametrize("slug", SLUGS)
def test_the_deciding_move_is_a_costly_one_of_the_loser(slug: str) -> None:
    for seed in range(6):
        found = random_match(slug, seed + 50)
        if found.deciding is not None:
            assert found.deciding.cost == max(
                one.cost for one in found.moves if one.seat is found.deciding.seat
            )


def test_numbers_that_must_be_mixed_are_not_equally_good() -> None:
    """All five numbers have the same value here, but only as a mixture: each alone can be beaten."""
    start = ninefold.load("conquest").start(size=2)
    *_, bid, reply = reviewed(start, "claim:1 challenge:1 bid:5 bid:1").moves
    assert len(bid.best) == len(reply.best) == 5
    assert not bid.equal
    assert not reply.equal


def test_numbers_of_which_none_can_be_beaten_are_equally_good() -> None:
    """With one number each there is nothing to mix; and who has the last cell to claim does not care."""
    states, played = ninefold.load("conquest").replay(
        Conquest(2, (FIRST, SECOND, None, None), ((5,), (1,))), ["challenge:2", "bid:5", "bid:1"]
    )
    assert [one.equal for one in review(states, played, None).moves[1:]] == [True, True]


@pytest.mark.parametrize("moves", ["0,1", "0,1 0,0"])
def test_resigning_a_won_game_costs_accuracy(moves: str) -> None:
    start = ninefold.load("battle").start(grid="792415863")
    match = Match(start, (Player("Ann", FIRST), Player("Ben", SECOND)))
    for seat, text in zip((FIRST, SECOND), moves.split(), strict=False):
        match.submit(seat, text)
    match.resign(FIRST)
    decided = [one for one in review_match(match).moves if one.seat is FIRST and one.at_stake]
    assert review_match(match).accuracy[FIRST] == Fraction(len(decided), len(decided) + 1)
    assert score(match.record(None)).accuracy == review_match(match).accuracy
    lost = Match(start, match.players)
    lost.submit(FIRST, "0,1")
    lost.resign(SECOND)
    assert review_match(lost).accuracy[SECOND] is None  # nothing was left to lose


def test_a_stopped_match_charges_whoever_could_win() -> None:
    """In Pattern Match a won game that is stopped by agreement is half given away."""
    rng = random.Random(5)
    for _ in range(40):
        match = Match(ninefold.load("pattern").start(), (Player("Ann", FIRST), Player("Ben", SECOND)))
        while not match.over and len(match.played) < 6:
            seat = match.state.movers[0]
            match.submit(seat, rng.choice(match.state.moves()))
        if match.over:
            continue
        before = score(match.record(None))
        match.stop_by_agreement()
        after = score(match.record(None))
        value = evaluate(match.state).value
        for seat in (FIRST, SECOND):
            left = Fraction(worth(value, seat).chance)
            assert after.regret[seat] - before.regret[seat] == max(Fraction(0), left - Fraction(1, 2))
