"""What exact play says about positions, matches and players."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

import ninefold
from ninefold import SEATS, Seat, State
from ninefold.analysis import evaluate
from ninefold.envs import chance, evaluate_agent, optimal_distribution, regrets, score
from ninefold.match import Match, Player, RecordError
from tests.envs.tables import walk

PLAYERS = (Player("Ann", Seat.FIRST), Player("Ben", Seat.SECOND))


def last_legal(state: State[object], seat: Seat) -> int:
    return state.game.index(state.moves(seat)[-1])


@pytest.mark.parametrize("slug", ["battle", "cross", "conquest"])
def test_regrets_are_what_a_move_loses_and_the_best_move_loses_nothing(slug: str) -> None:
    for seed in range(5):
        setup = ninefold.load(slug).start(rng=Random(seed)).setup
        for state, seat, _ in walk(slug, dict(setup), seed):
            if len(state.movers) == 1 and state.secret:
                continue
            lost = regrets(state, seat)
            assert sorted(lost) == sorted(map(state.game.index, state.moves(seat)))
            assert min(lost.values()) == 0
            if not state.secret:
                for action, regret in lost.items():
                    later = state.play(state.game.moves[action])
                    assert chance(state, seat) - chance(later, seat) == regret


@pytest.mark.parametrize("slug", ["battle", "cross", "conquest"])
def test_the_optimal_distribution_gives_nothing_away(slug: str) -> None:
    setup = ninefold.load(slug).start(rng=Random(1)).setup
    for state, seat, _ in walk(slug, dict(setup), 1):
        best = optimal_distribution(state, seat)
        assert sum(best.values()) == 1
        assert all(regrets(state, seat)[action] == 0 for action in best)


def test_chances_add_up() -> None:
    for state, *_ in walk("conquest", {"size": 3}, 2):
        assert chance(state, Seat.FIRST) + chance(state, Seat.SECOND) == 1
        assert chance(state, Seat.FIRST) == evaluate(state).first_wins


def test_a_match_is_scored_by_what_was_given_away() -> None:
    game = ninefold.load("battle")
    match = Match(game.start(grid="123456789"), PLAYERS)
    seats = iter(SEATS * 5)
    for text in ("2,2", "2,1", "2,0", "1,2", "1,1", "1,0", "0,2", "0,1", "0,0"):
        match.submit(next(seats), text)
    found = score(match.record(None))
    assert (found.winner, found.moves, found.regret) == (Seat.FIRST, (5, 4), (Fraction(0), Fraction(0)))
    match = Match(game.start(grid="123456789"), PLAYERS)
    match.submit(Seat.FIRST, "0,0")  # the smallest number: the win is gone
    found = score(match.record(None))
    assert (found.winner, found.moves, found.regret) == (None, (1, 0), (Fraction(1), Fraction(0)))
    assert found.accuracy == (Fraction(0), None)


def test_a_record_that_is_no_legal_match_has_no_score() -> None:
    match = Match(ninefold.load("cross").start(grid="123456789"), PLAYERS)
    match.submit(Seat.FIRST, "Row1")
    record = match.record(None)
    with pytest.raises(RecordError):
        score(type(record)(record.game, record.setup, PLAYERS, "", (*record.moves, *record.moves)))


def test_the_perfect_player_has_no_regret_and_a_bad_one_has() -> None:
    perfect = evaluate_agent("perfect", "conquest", 20, "random", size=2)
    assert perfect.regret == 0
    assert perfect.win_rate > 0.5
    bad = evaluate_agent(last_legal, "conquest", 20, "perfect", size=2)
    assert bad.regret_per_move > 0.01
    assert bad.win_rate < perfect.win_rate


def test_an_agent_plays_both_seats_by_turns_and_a_seed_decides_everything() -> None:
    seats: list[Seat] = []

    def agent(state: State[object], seat: Seat) -> int:
        seats.append(seat)
        return last_legal(state, seat)

    one = evaluate_agent(agent, "cross", 10, "random", seed=3)
    assert seats == [Seat.FIRST, Seat.FIRST, Seat.FIRST, Seat.SECOND, Seat.SECOND, Seat.SECOND] * 5
    assert one == evaluate_agent(agent, "cross", 10, "random", seed=3)
    assert one != evaluate_agent(agent, "cross", 10, "random", seed=4)
    assert (one.games, one.moves) == (10, 30)


def test_an_agent_is_asked_for_a_bid_before_the_other_one_is_in() -> None:
    def agent(state: State[object], seat: Seat) -> int:
        assert state.view(seat).pending == ()
        return last_legal(state, seat)

    assert evaluate_agent(agent, "conquest", 6, "greedy", size=3).moves


def test_an_illegal_answer_loses_and_is_counted() -> None:
    found = evaluate_agent(lambda *_: 0, "cross", 4, "random")
    assert (found.wins, found.illegal) == (0, 4)


def test_a_game_that_is_cut_off_is_counted_as_such() -> None:
    found = evaluate_agent(last_legal, "pattern", 2, "random", turns=2)
    assert (found.wins, found.cut_off, found.illegal) == (0, 2, 0)


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (81, 263, 0.2553, 0.3662)],
)
def test_the_interval_is_wilsons(wins: int, games: int, low: float, high: float) -> None:
    from ninefold.envs import Report

    report = Report(games, wins, 0, 0, 1, Fraction(0))
    assert report.interval == pytest.approx((low, high), abs=1e-4)


def test_a_person_cannot_be_asked() -> None:
    with pytest.raises(ninefold.SetupError, match="name a computer player"):
        evaluate_agent("human", "cross", 1)
