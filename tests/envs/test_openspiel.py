"""The games in OpenSpiel: its own simulation test, its own solvers, and golden playthroughs."""

from __future__ import annotations

import sys
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as spiel_policy
from open_spiel.python.algorithms import get_all_states
from open_spiel.python.algorithms.minimax_solver import MinimaxSolver

import ninefold
from ninefold import SEATS
from ninefold.analysis import evaluate, matrix
from ninefold.envs import chance, exploitability
from ninefold.envs.ids import spiel_name
from ninefold.envs.openspiel_setup import as_parameters
from ninefold.players import policy_of
from ninefold.players.policy import Policy
from tests.envs import playthroughs
from tests.envs.walks import walk
from tests.setups import GAMES, TABLES, Setup
from tests.setups import every_table as every_setup


def load(slug: str, **setup: int | str) -> pyspiel.Game:
    return pyspiel.load_game(
        spiel_name(slug), as_parameters(ninefold.load(slug), {k: str(v) for k, v in setup.items()})
    )


@every_setup
def test_openspiel_finds_nothing_wrong(slug: str, setup: Setup) -> None:
    pyspiel.random_sim_test(load(slug, **setup), num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize("slug", [path.stem for path in sorted(playthroughs.FOLDER.glob("*.txt"))])
def test_a_playthrough_is_the_golden_one(slug: str) -> None:
    golden = (playthroughs.FOLDER / f"{slug}.txt").read_text(encoding="utf-8")
    assert playthroughs.playthrough(slug, seed=7).splitlines() == golden.splitlines()


@every_setup
def test_the_adapter_follows_the_rules(slug: str, setup: Setup) -> None:
    rng = Random(1)
    node = load(slug, **setup).new_initial_state()
    ours = ninefold.load(slug).start(**setup)
    while not node.is_terminal():
        assert ours.movers
        for seat in SEATS:
            assert [ours.game.moves[action] for action in node.legal_actions(seat)] == list(
                ours.moves(seat)
            )
        chosen = {seat: rng.choice(ours.moves(seat)) for seat in ours.movers}
        if len(chosen) > 1:
            assert node.is_simultaneous_node()
            node.apply_actions([ours.game.index(chosen[seat]) for seat in SEATS])
        else:
            (move,) = chosen.values()
            node.apply_action(ours.game.index(move))
        for seat, move in chosen.items():
            ours = ours.play(move, seat)
    if ours.outcome is None:
        assert node.move_number() == 200
        assert node.returns() == [0.0, 0.0]
    else:
        assert node.returns()[ours.outcome.winner] == 1.0
        assert sum(node.returns()) == 0.0


@every_setup
def test_a_game_survives_its_text_and_a_state_its_serialization(slug: str, setup: Setup) -> None:
    game = pyspiel.load_game(str(load(slug, **setup)))
    state = game.new_initial_state()
    for _ in range(3):
        state.apply_action(state.legal_actions()[0])
        _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
        assert str(again) == str(state)
        if state.is_simultaneous_node():
            break


@pytest.mark.parametrize("grid", ["792415863", "123456789", "519283746"])
@pytest.mark.parametrize("slug", ["cross", pytest.param("battle", marks=pytest.mark.long)])
def test_openspiels_minimax_gives_our_values(slug: str, grid: str) -> None:
    name = f"{spiel_name(slug)}(grid={grid})"
    solver = MinimaxSolver(name)
    table = solver.solve()
    states = get_all_states.get_all_states(
        pyspiel.load_game(name), include_terminals=False, to_string=str
    )
    assert len(states) == len(table) > 600
    for key, state in states.items():
        seat = SEATS[state.current_player()]
        assert table[key].value == 2 * chance(state.ours, seat) - 1
        for choice in evaluate(state.ours).choices:
            action = state.ours.game.index(choice.move)
            wins = choice.value.first_wins if seat == 0 else 1 - (choice.value.first_wins or 0)
            assert table[key].action_values[action] == 2 * (wins or 0) - 1


@pytest.fixture
def matrix_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenSpiel's value iteration takes its matrix games from a module that needs cvxpy: lend it ours."""

    def solve(game: pyspiel.MatrixGame) -> tuple[None, None, float, float]:
        payoffs = np.asarray(game.row_utilities()).reshape(game.num_rows(), game.num_cols())
        scale = 10**9
        solution = matrix.solve(
            [[round((entry + 2) * scale) for entry in row] for row in payoffs.tolist()]
        )
        value = solution.value / solution.total / scale - 2
        return None, None, value, -value

    lender = ModuleType("lp_solver")
    lender.solve_zero_sum_matrix_game = solve  # type: ignore[attr-defined]
    name = "open_spiel.python.algorithms.lp_solver"
    monkeypatch.setitem(sys.modules, name, lender)
    monkeypatch.setattr("open_spiel.python.algorithms.lp_solver", lender, raising=False)


@pytest.mark.usefixtures("matrix_games")
def test_openspiels_value_iteration_gives_our_values_for_secret_choices() -> None:
    from open_spiel.python.algorithms import value_iteration

    game = load("conquest", size=2, first_hand=13, second_hand=23)
    values = value_iteration.value_iteration(game, depth_limit=-1, threshold=1e-9, cyclic_game=True)
    states = get_all_states.get_all_states(game, include_terminals=False, to_string=str)
    simultaneous = 0
    for key, state in states.items():
        wins = evaluate(state.ours).first_wins
        assert wins is not None
        assert values[key] == pytest.approx(float(2 * wins - 1), abs=1e-6)
        simultaneous += state.is_simultaneous_node()
    assert simultaneous > 50


@pytest.mark.parametrize("size", [2, 3, 4])
def test_what_a_player_sees_hides_what_its_view_hides(size: int) -> None:
    from ninefold.batch import encoding

    compared = 0
    for seed in range(10):
        for state, _, _ in walk("conquest", {"size": size}, seed):
            if len(state.movers) == 2:
                for bidder in SEATS:
                    pending = [state.play(bid, bidder) for bid in state.moves(bidder)]
                    assert len({tuple(encoding.observe(s, bidder.other)) for s in pending}) == 1
                    assert len({tuple(encoding.observe(s, bidder)) for s in pending}) == len(pending)
                    compared += len(pending) > 1
    assert compared


def test_positions_that_differ_are_seen_to_differ() -> None:
    from ninefold.batch import encoding

    for slug, setup in TABLES:
        seen: dict[tuple[int, ...], str] = {}
        for seed in range(5):
            for state, *_ in walk(slug, setup, seed):
                for seat in SEATS:
                    key = tuple(encoding.observe(state, seat))
                    view = state.view(seat)
                    known = repr((view.boards, view.setup, view.movers, view.pending, set(view.moves)))
                    assert seen.setdefault(key, known) == known
                    assert len(key) == encoding.width(state.game)
                    low, high = GAMES[slug].bounds
                    assert low <= min(key) <= max(key) <= high


class Named(spiel_policy.Policy):  # type: ignore[misc]
    """One of our policies, as OpenSpiel has them."""

    def __init__(self, game: pyspiel.Game, policy: Policy) -> None:
        super().__init__(game, [0, 1])
        self.ours = policy

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        position = state.ours
        parts = self.ours(position, position.movers[0])
        return {position.game.index(move): float(parts.get(move, 0)) for move in position.moves()}


def test_openspiel_s_exploitability_is_twice_ours() -> None:
    """OpenSpiel counts from -1 for a loss to 1 for a win, and we count from 0 to 1."""
    from open_spiel.python.algorithms.exploitability import exploitability as spiels

    for name in ("random", "level:4"):
        policy = policy_of(name)
        assert policy is not None

        game = load("cross", grid="792415863")
        found = spiels(game, Named(game, policy))
        assert found == pytest.approx(2 * float(exploitability(name, "cross", grid="792415863")))
