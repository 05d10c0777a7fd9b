"""What exact play says about positions, matches and players."""

from __future__ import annotations

import pickle
import sys
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

import ninefold
from ninefold import SEATS, Seat, State
from ninefold.analysis import evaluate
from ninefold.core.errors import SetupError
from ninefold.envs import (
    Report,
    Scored,
    best_response,
    chance,
    evaluate_agent,
    exploitability,
    optimal_distribution,
    regrets,
    score,
)
from ninefold.envs.agents import Takes, what_it_takes
from ninefold.envs.gymnasium import GameEnv
from ninefold.envs.vector import GameVectorEnv
from ninefold.match import Match, Player, RecordError
from tests.envs.walks import walk

PLAYERS = (Player("Ann", Seat.FIRST), Player("Ben", Seat.SECOND))


def last_legal(state: State[Any], seat: Seat) -> int:
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
    assert perfect.positions is not None
    assert perfect.positions.regret == 0
    bad = evaluate_agent(last_legal, "conquest", 20, "perfect", size=2)
    assert bad.regret_per_decision > 0.01
    assert bad.positions is not None
    assert bad.positions.regret > Fraction(1, 10)
    assert bad.win_rate < perfect.win_rate


def test_each_deal_is_played_from_both_seats_and_a_seed_decides_everything() -> None:
    seats: list[Seat] = []

    def agent(state: State[Any], seat: Seat) -> int:
        seats.append(seat)
        return last_legal(state, seat)

    one = evaluate_agent(agent, "cross", 10, "random", seed=3, positions=0)
    assert seats == [Seat.FIRST, Seat.FIRST, Seat.FIRST, Seat.SECOND, Seat.SECOND, Seat.SECOND] * 5
    assert one == evaluate_agent(agent, "cross", 10, "random", seed=3, positions=0)
    assert one != evaluate_agent(agent, "cross", 10, "random", seed=4, positions=0)
    assert (one.games, one.moves) == (10, 30)


@pytest.mark.parametrize(("agent", "opponent"), [("random", "greedy"), ("greedy", "perfect")])
def test_the_same_seed_gives_the_same_deals_whoever_plays(agent: str, opponent: str) -> None:
    deals: dict[str, list[str]] = {}

    def watch(name: str) -> Any:
        deals[name] = []

        def choose(state: State[Any], seat: Seat) -> Any:
            if len(state.moves()) >= 5:  # its first move of a game
                deals[name].append(str(state.setup["grid"]))
            return Random(len(deals[name])).choice(state.moves(seat))

        return choose

    evaluate_agent(watch("one"), "cross", 8, opponent, seed=3, positions=0)
    evaluate_agent(agent, "cross", 8, watch("other"), seed=3, positions=0)
    assert sorted(deals["one"]) == sorted(deals["other"])
    assert [*map(deals["one"].count, deals["one"])] == [2] * 8


def test_an_agent_is_asked_for_a_bid_before_the_other_one_is_in() -> None:
    def agent(state: State[Any], seat: Seat) -> int:
        assert state.view(seat).pending == ()
        return last_legal(state, seat)

    found = evaluate_agent(agent, "conquest", 6, "greedy", size=3)
    assert found.moves
    assert found.forfeits == 0


def test_an_illegal_answer_loses_and_is_counted() -> None:
    found = evaluate_agent(lambda *_: 0, "cross", 4, "random")
    assert (found.wins, found.illegal) == (0, 4)


GRID = "792415863"  # the first player wins battle and cross on it, as perfect play goes


def crashes(state: State[Any], seat: Seat) -> int:
    raise ZeroDivisionError("division by zero")


def leaves(state: State[Any], seat: Seat) -> int:
    raise SystemExit(1)


class Chooses:
    """An object like our players, whose answer is whatever it was made with."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def choose(self, state: State[Any], seat: Seat) -> Any:
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


FAILURES = [
    (lambda *_: 99, "illegal", "99 is not a move here: they go from 0 to 8."),
    (lambda *_: "7,7", "unreadable", "is not on the grid"),
    (lambda *_: {0: Fraction(1, 2)}, "unreadable", "add up to 0.5"),
    (lambda *_: {0: 2, 1: -1}, "unreadable", "negative"),
    (lambda *_: [0.5, 0.5], "unreadable", "An array of probabilities needs 9, not 2."),
    (lambda *_: object(), "unreadable", "is not a move"),
    (lambda *_: None, "resigned", "The agent resigned."),
    (crashes, "crashed", "The agent crashed: ZeroDivisionError: division by zero"),
    (leaves, "crashed", "The agent crashed: SystemExit: 1"),
    (Chooses(ZeroDivisionError("no")), "crashed", "ZeroDivisionError: no"),
    (Chooses(SystemExit("no")), "crashed", "SystemExit: no"),
    (Chooses(3.5), "unreadable", "3.5"),
    (Chooses("7,7"), "unreadable", "is not on the grid"),
    (f"program:{sys.executable} -c pass", "crashed", "The program has stopped"),
]


@pytest.mark.parametrize(("agent", "failure", "why"), FAILURES)
def test_a_forfeit_costs_all_that_was_left(agent: Any, failure: str, why: str) -> None:
    found = evaluate_agent(agent, "battle", 4, "random", grid=GRID, positions=0)
    assert (found.wins, found.forfeits, found.opponent_forfeits) == (0, 4, 0)
    assert found.failures == {failure: 4}
    assert found.first.regret == 2  # a won game given away, twice
    assert found.first.regret_per_decision == found.first.regret_per_game == 1.0
    assert found.first.accuracy == 0.0
    assert why in next(iter(found.first.reasons))
    assert (found.first.par, found.second.par, found.par) == (Fraction(1), Fraction(0), Fraction(1, 2))


@pytest.mark.parametrize(("agent", "failure", "why"), FAILURES)
def test_a_forfeit_costs_as_much_in_a_best_response_and_in_an_environment(
    agent: Any, failure: str, why: str
) -> None:
    alone = GameEnv("battle", opponent=agent, seat="second", grid=GRID)
    _, info = alone.reset(seed=1)
    assert why in info["illegal"]
    alone.close()
    many = GameVectorEnv("battle", 2, opponent=agent, seat="second", grid=GRID)
    _, info = many.reset(seed=1)
    assert many.batch.winners.tolist() == [1, 1]
    assert all(why in said for said in info["illegal"])
    many.close()
    if not isinstance(agent, str):
        assert [best_response(agent, "battle", seat, grid=GRID) for seat in SEATS] == [1, 1]


@pytest.mark.parametrize("agent", [last_legal, Chooses(0)])
def test_an_answer_that_comes_too_late_is_a_forfeit(agent: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(0, 10**6, 5))
    monkeypatch.setattr("ninefold.study.answers.monotonic", lambda: float(next(ticks)))
    assert evaluate_agent(agent, "battle", 2, "random", seconds=5, positions=0).failures.keys() <= {
        "illegal"
    }
    late = evaluate_agent(agent, "battle", 2, "random", seconds=4.5, positions=0)
    assert late.failures == {"late": 2}
    assert late.reasons == {"The agent did not answer within 4.5 seconds.": 2}
    assert best_response(agent, "battle", 1, seconds=4.5, grid=GRID) == 1
    assert exploitability(last_legal, "battle", seconds=4.5, grid=GRID) == Fraction(1, 2)


def test_resigning_a_lost_game_is_shown_apart_and_a_won_one_costs_accuracy_too() -> None:
    def resigns(state: State[Any], seat: Seat) -> Any:
        return None

    found = evaluate_agent(resigns, "battle", 4, "perfect", grid=GRID, positions=0)
    assert (found.resigned_lost, found.first.resigned_lost) == (2, 0)
    assert found.failures == {"resigned": 4}
    assert found.regret == 2
    assert found.accuracy == 0
    assert "failed when lost   2" in str(found)


def by_move(state: State[Any], seat: Seat) -> dict[Any, Fraction]:
    return {state.game.moves[action]: lost for action, lost in regrets(state, seat).items()}


def stalls(state: State[Any], seat: Seat) -> Any:
    """The slowest move that keeps the most: in Pattern Match it never has to end a won game."""
    kept = [move for move, lost in by_move(state, seat).items() if not lost]
    return max(kept, key=lambda move: evaluate(state.play(move)).plies or 0)


def test_stalling_costs_and_the_limit_does_not_change_how_much() -> None:
    short, long = (
        evaluate_agent(stalls, "pattern", 4, "level:1", limit=limit, positions=0) for limit in (40, 80)
    )
    for found in (short, long):
        stalled = [game for game in found.played if game.winner is None and game.regret]
        assert stalled
        assert {game.regret for game in stalled} == {Fraction(1, 2)}
    assert short.regret_per_game == long.regret_per_game
    assert short.regret_per_decision == long.regret_per_decision


def test_an_opponent_that_forfeits_is_counted_apart() -> None:
    found = evaluate_agent("perfect", "battle", 4, lambda *_: None, grid=GRID)
    assert (found.wins, found.forfeits, found.opponent_forfeits, found.illegal) == (4, 0, 4, 4)
    assert found.regret == 0
    assert found.reasons == {"The agent resigned.": 4}


def test_a_report_tells_the_same_by_seat() -> None:
    found = evaluate_agent("level:2", "conquest", 9, "greedy", size=2)
    assert (found.first.games, found.second.games) == (5, 4)
    for name in ("games", "wins", "cut_off", "illegal", "moves", "regret"):
        assert getattr(found.first, name) + getattr(found.second, name) == getattr(found, name)
    assert found.par == Fraction(5, 9) * Fraction(457, 700) + Fraction(4, 9) * Fraction(243, 700)
    assert {game.seat for game in found.second.played} == {Seat.SECOND}


def test_the_regret_s_interval_counts_games_and_not_moves() -> None:
    """One game of ten regrets says less than ten games of one: by hand, and by resampling games."""
    games = [
        Scored(Seat.FIRST, Fraction(1), deal, decisions=10, regret=Fraction(r))
        for deal, r in enumerate((5, 0, 0, 0))
    ]
    report = Report(tuple(games))
    assert report.regret_per_decision == 5 / 40
    assert report.regret_per_game == 5 / 4
    rng = Random(1)
    means = sorted(sum(rng.choice((5, 0, 0, 0)) for _ in range(4)) / 40 for _ in range(4000))
    low, high = report.decision_interval
    assert low == 0
    assert report.regret_interval == pytest.approx((0, 10 * high))
    assert high == pytest.approx(0.125 + 1.96 * sqrt(4 / 3 * (3.75**2 + 3 * 1.25**2)) / 40, abs=1e-5)
    assert high == pytest.approx(means[3900], abs=0.03)
    assert Report(tuple(games[:1])).regret_interval == (0.0, 1.0)
    apart = Report(tuple(replace(game, deal=k) for k, game in enumerate(games * 2)))
    paired = Report(tuple(replace(game, deal=k % 4) for k, game in enumerate(games * 2)))
    assert apart.decision_interval[1] < paired.decision_interval[1]  # four deals say less than eight


def test_accuracy_is_about_the_choices_where_one_move_keeps_the_result() -> None:
    only: list[bool] = []

    def agent(state: State[Any], seat: Seat) -> Any:
        """Finds the only move every other time."""
        moves = state.moves(seat)
        kept = [move for move in moves if chance(state.play(move), seat) == chance(state, seat)]
        if len(kept) == 1 < len(moves):
            only.append(not only or not only[-1])
            return kept[0] if only[-1] else next(move for move in moves if move not in kept)
        return moves[0]

    found = evaluate_agent(agent, "cross", 30, "random", seed=1, positions=0)
    assert sum(game.only for game in found.played) == len(only) > 20
    assert found.accuracy == sum(only) / len(only)
    assert evaluate_agent("perfect", "cross", 10, "random").accuracy == 1.0
    magic = evaluate_agent("random", "cross", 4, grid="492357816")  # all lines have the same sum
    assert magic.accuracy is None
    assert "regret, 0 positions  0.0000" in str(magic)


def half(state: State[Any], seat: Seat) -> dict[Any, Fraction]:
    moves = state.moves(seat)
    return (
        {moves[0]: Fraction(1, 2), moves[-1]: Fraction(1, 2)}
        if len(moves) > 1
        else {moves[0]: Fraction(1)}
    )


def indexed(state: State[Any], seat: Seat) -> dict[int, float]:
    return {state.game.index(move): float(part) for move, part in half(state, seat).items()}


def written(state: State[Any], seat: Seat) -> Any:
    import numpy as np

    parts = np.zeros(len(state.game.moves))
    parts[[*indexed(state, seat)]] = [*indexed(state, seat).values()]
    return parts


def looks(observation: Any, action_mask: Any) -> Any:
    legal = action_mask.nonzero()[0]
    assert observation[1] == 1  # it has to choose
    return {legal[0]: 0.5, legal[-1]: 0.5} if len(legal) > 1 else legal[0]


class Predicts:
    """What evaluate_agent asks of a model of Stable-Baselines3: the first legal action."""

    def predict(self, observation: Any, *, deterministic: bool, action_masks: Any = None) -> Any:
        assert deterministic
        assert (observation[:, 1] == 1).all()
        return action_masks.argmax(axis=1), None


@pytest.mark.parametrize("agent", [half, indexed, written, looks])
@pytest.mark.parametrize("slug", ["cross", "conquest"])
def test_an_agent_may_answer_with_a_distribution(agent: Any, slug: str) -> None:
    setup: dict[str, Any] = {"size": 2} if slug == "conquest" else {"grid": GRID}
    found = evaluate_agent(agent, slug, 10, "greedy", seed=3, **setup)
    assert found.forfeits == 0
    same = evaluate_agent(half, slug, 10, "greedy", seed=3, **setup)
    assert found.positions == same.positions
    if agent is not looks:  # it plays all games at once, so the opponent's random numbers differ
        assert found == same
    if slug == "cross":
        assert best_response(agent, slug, 1, **setup) == best_response(half, slug, Seat.SECOND, **setup)


def test_a_model_that_predicts_is_an_agent() -> None:
    found = evaluate_agent(Predicts(), "conquest", 10, "random", size=2)
    expected = evaluate_agent(lambda s, seat: s.moves(seat)[0], "conquest", 10, "random", size=2)
    assert found.positions == expected.positions
    assert found.forfeits == 0


class Tensor:
    """As much of PyTorch's tensors as is asked for."""

    def __init__(self, found: Any) -> None:
        self.found = found

    def detach(self) -> Tensor:
        return self

    cpu = detach

    def numpy(self) -> Any:
        return self.found


class Distributes(Predicts):
    """A model of Stable-Baselines3 with a distribution: even among the legal moves."""

    def __init__(self) -> None:
        self.policy = self
        self.training = True

    def set_training_mode(self, mode: bool) -> None:
        self.training = mode

    def obs_to_tensor(self, observation: Any) -> tuple[Any, bool]:
        return observation, True

    def get_distribution(self, observation: Any, action_masks: Any = None) -> Any:
        assert not self.training
        parts = action_masks / action_masks.sum(axis=1, keepdims=True)
        return SimpleNamespace(distribution=SimpleNamespace(probs=Tensor(parts)))


def test_a_model_with_a_distribution_is_asked_for_it_and_not_for_its_mode() -> None:
    for slug, setup in (("cross", {"grid": GRID}), ("conquest", {"size": 2})):
        found = evaluate_agent(Distributes(), slug, 10, "random", **setup)
        even = evaluate_agent("random", slug, 10, "random", **setup)
        assert found.positions is not None
        assert even.positions is not None
        assert [*map(float, found.positions.costs)] == pytest.approx([*map(float, even.positions.costs)])
    assert exploitability(Distributes(), "cross", grid=GRID) == exploitability(
        "random", "cross", grid=GRID
    )


def named(parameters: str, body: str = "0") -> Any:
    """A function with parameters of these names."""
    return eval(f"lambda {parameters}: {body}")


@pytest.mark.parametrize(
    ("parameters", "takes"),
    [
        ("state, seat", Takes.STATE),
        ("position, seat", Takes.STATE),
        ("*_", Takes.STATE),
        ("observation, legal", Takes.ONE),
        ("obs, legal_actions", Takes.ONE),
        ("observations, legal", Takes.MANY),
        ("x, action_mask", Takes.ONE),
        ("observations, masks", Takes.MANY),
        ("x, action_masks", Takes.MANY),
    ],
)
def test_the_names_of_its_parameters_say_what_an_agent_takes(parameters: str, takes: Takes) -> None:
    assert what_it_takes(named(parameters)) is takes


@pytest.mark.parametrize("parameters", ["x, legal", "seen", "", "obs_and_mask"])
def test_an_agent_whose_parameters_say_nothing_is_refused_with_the_right_ones(parameters: str) -> None:
    right = r".*\(state, seat\), \(observation, mask\), or \(observations, masks\)"
    with pytest.raises(ninefold.SetupError, match=rf"\({parameters}\){right}"):
        evaluate_agent(named(parameters), "cross", 1)


def first(observation: Any, mask: Any) -> Any:
    return mask.argmax()


def last(observation: Any, mask: Any) -> Any:
    return mask.nonzero()[0][-1]


def firsts(observations: Any, masks: Any) -> Any:
    return masks.argmax(axis=1)


@pytest.mark.parametrize("agent", [first, firsts])
def test_an_agent_that_takes_observations_has_the_same_figures_in_a_batch_as_alone(agent: Any) -> None:
    """Against the greedy player of battle, which draws nothing, both ways play the same games."""

    def alone(state: State[Any], seat: Seat) -> Any:
        return state.moves(seat)[0]

    found = evaluate_agent(agent, "battle", 40, "greedy", seed=2)
    assert found == evaluate_agent(alone, "battle", 40, "greedy", seed=2)
    assert found.regret > 10


def test_a_batch_has_exact_fractions() -> None:
    found = evaluate_agent(last, "conquest", 40, "random", size=2, positions=0)
    parts = [game.regret.denominator for game in found.played if game.regret]
    assert any(part % 7 == 0 for part in parts)  # no double has such a denominator
    assert evaluate_agent(first, "pattern", 10, "random", limit=30, positions=0).regret.denominator <= 2


@pytest.mark.parametrize("agent", [firsts, last_legal, "level:3"])
def test_a_report_does_not_depend_on_how_the_work_was_spread(
    agent: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The parts are done backwards and each as if by another process, which gets and sends only bytes."""

    def elsewhere(work: Any, parts: Any, **_: Any) -> Any:
        return [pickle.loads(pickle.dumps(work(pickle.loads(pickle.dumps(one))))) for one in parts[::-1]]

    given: Any = {"n": 13, "opponent": "random", "seed": 3, "positions": 5}
    whole = evaluate_agent(agent, "battle", **given)
    monkeypatch.setattr("ninefold.envs.truth.spread", elsewhere)
    monkeypatch.setattr("ninefold.envs.truth.CHUNK", 4)
    assert evaluate_agent(agent, "battle", **given, workers=2) == whole
    assert [game.deal for game in whole.played] == [number // 2 for number in range(13)]


def test_an_agent_that_cannot_be_sent_to_a_worker_is_refused() -> None:
    with pytest.raises(SetupError, match="cannot be sent to another process"):
        evaluate_agent(named("state, seat"), "battle", 2, workers=2)


@pytest.mark.parametrize(
    ("parameters", "body", "why"),
    [
        ("observation, mask", "1 / 0", "ZeroDivisionError"),
        ("observation, mask", "80", "80 is not a move here"),
        ("observations, masks", "1 / 0", "ZeroDivisionError"),
        ("observations, masks", "[0]", "gave 1 answers for"),
        ("observations, masks", "None", "TypeError"),
        ("observations, masks", "masks.argmin(axis=1) + 77", "is not a move here"),
    ],
)
def test_in_a_batch_a_failure_costs_the_same(parameters: str, body: str, why: str) -> None:
    found = evaluate_agent(named(parameters, body), "battle", 6, "greedy", grid=GRID, positions=0)
    assert (found.wins, found.forfeits) == (0, 6)
    assert found.regret == found.first.regret == 3
    assert all(why in reason for reason in found.reasons)


def test_who_is_asked_second_sees_that_the_first_has_chosen_as_in_an_environment() -> None:
    flags = set()

    def agent(observation: Any, mask: Any) -> Any:
        if observation[28]:  # a challenge
            flags.add((int(observation[29]), int(observation[31])))
        return mask.nonzero()[0][-1]

    evaluate_agent(agent, "conquest", 20, "random", size=3)
    assert flags == {(1, 0), (-1, 1)}  # the challenger, and the defender once the number is in


def test_exploitability_tells_what_regret_does_not() -> None:
    def modal(state: State[Any], seat: Seat) -> int:
        best = optimal_distribution(state, seat)
        return max(best, key=lambda action: best[action])

    assert evaluate_agent(modal, "conquest", 20, "random", size=2).regret == 0
    assert exploitability(modal, "conquest", size=2) == Fraction(1, 2)
    assert exploitability("perfect", "conquest", size=2) == 0


@pytest.mark.parametrize(
    ("agent", "how", "why"),
    [
        ("random", {"game": "battle"}, "needs grid"),
        ("person", {"game": "conquest"}, "no policy"),
        ("program:cat", {"game": "conquest"}, "no policy"),
        (3, {"game": "conquest"}, "is not an agent"),
    ],
)
def test_a_best_response_that_cannot_be_computed_is_refused(agent: Any, how: Any, why: str) -> None:
    with pytest.raises(ninefold.SetupError, match=why):
        best_response(agent, seat=0, **how)


def test_resigning_is_one_more_choice_that_gives_everything_away() -> None:
    match = Match(ninefold.load("battle").start(grid=GRID), PLAYERS)
    match.submit(Seat.FIRST, "0,1")
    match.resign(Seat.FIRST)  # it was won
    found = score(match.record(None))
    assert (found.winner, found.moves, found.regret) == (Seat.SECOND, (2, 0), (Fraction(1), Fraction(0)))


def test_a_game_that_is_cut_off_is_counted_as_such() -> None:
    found = evaluate_agent(last_legal, "pattern", 2, "random", limit=2)
    assert (found.wins, found.cut_off, found.illegal) == (0, 2, 0)


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (81, 263, 0.2553, 0.3662)],
)
def test_the_interval_is_wilsons(wins: int, games: int, low: float, high: float) -> None:
    one = Scored(Seat.FIRST, Fraction(1), winner=Seat.FIRST)
    other = Scored(Seat.FIRST, Fraction(1), winner=Seat.SECOND)
    report = Report((one,) * wins + (other,) * (games - wins))
    assert (report.games, report.wins) == (games, wins)
    assert report.interval == pytest.approx((low, high), abs=1e-4)


def test_an_agent_is_closed_once_when_all_is_done() -> None:
    class Closing(Chooses):
        closed = 0

        def choose(self, state: State[Any], seat: Seat) -> Any:
            assert not self.closed
            return state.moves(seat)[0]

        def close(self) -> None:
            self.closed += 1

    agent, opponent = Closing(0), Closing(0)
    assert evaluate_agent(agent, "cross", 4, opponent, positions=5).forfeits == 0
    assert (agent.closed, opponent.closed) == (1, 1)


def test_a_person_cannot_be_asked() -> None:
    with pytest.raises(ninefold.SetupError, match="name a computer player"):
        evaluate_agent("person", "cross", 1)
