"""How well an agent plays, measured against exact values."""

from __future__ import annotations

from contextlib import ExitStack
from random import Random
from typing import Any

from ninefold.batch import LIMIT
from ninefold.core.errors import SetupError
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.envs.agents import policy_for, seat_agent
from ninefold.envs.batched import in_batches, score_in_batches
from ninefold.games import load
from ninefold.study import responses
from ninefold.study.contests import score_games
from ninefold.study.episode import Episode
from ninefold.study.positions import COUNT, make_set, score_positions
from ninefold.study.reports import Report
from ninefold.study.responses import Response
from ninefold.study.scores import chance, optimal_distribution, regrets

OPPONENT = "level:5"  # of whole games, unless another is named


def supervision(state: State[Any], seat: Seat) -> dict[str, Any]:
    """`value`, the seat's chance to win, and two arrays with an entry for each action.

    `policy` has optimal probabilities, `regrets` what each legal move gives away, NaN for other moves.
    """
    import numpy as np

    probabilities, lost = np.zeros(len(state.game.moves)), np.full(len(state.game.moves), np.nan)
    for action, probability in optimal_distribution(state, seat).items():
        probabilities[action] = float(probability)
    for action, regret in regrets(state, seat).items():
        lost[action] = float(regret)
    return {"value": float(chance(state, seat)), "policy": probabilities, "regrets": lost}


def info_of(episode: Episode, seat: Seat, truth: bool) -> dict[str, Any]:
    """What accompanies an observation: the ground truth if wanted, and why somebody forfeited."""
    found: dict[str, Any] = {"illegal": episode.illegal} if episode.illegal else {}
    if truth and episode.winner is None and seat in episode.state.movers:
        found |= supervision(episode.state.open_state, seat)
    return found


def evaluate_agent(
    agent: Any,
    game: Game | str,
    n: int = 100,
    opponent: Any = OPPONENT,
    *,
    seed: int = 0,
    limit: int = LIMIT,
    positions: int = COUNT,
    seconds: float | None = None,
    **setup: int | str,
) -> Report:
    """Ask an agent in a fixed set of positions, let it play n games, and compare with exact play.

    The first figure is the score on the positions, whose set is always the same for the same game and
    settings; `positions=0` leaves it out. The games are played in pairs: each deal from both seats. The
    seed decides the deals, whoever plays. Settings that are not given are drawn for each deal.

    ninefold.envs.agents says what an agent is, ninefold.study.answers what it may answer; the opponent is
    an agent, too. In a secret choice, both are asked in the position before anybody has chosen. An agent
    that fails, or takes more than `seconds` for a move, forfeits the game. One that takes observations
    plays all games at once against a player of ours.
    """
    if n < 0 or not (n or positions):
        raise SetupError(f"{n} games: there must be at least one, or some positions.")
    slug = game if isinstance(game, str) else game.slug
    episode = Episode(slug, limit, **setup)

    rngs = Random(seed), Random(seed)
    with ExitStack() as stack:
        own, other = seat_agent(agent, rngs[0], seconds), seat_agent(opponent, rngs[1], seconds)
        stack.callback(own.close)
        stack.callback(other.close)
        score = score_positions(own, make_set(slug, positions, 0, setup)) if positions else None
        if in_batches(agent, opponent):
            played = score_in_batches(agent, opponent, episode, n, seed, seconds)
        else:
            played = score_games((own, other), rngs, episode, n, seed)
    against = opponent if isinstance(opponent, str) else "another agent"
    return Report(played, score, f"{episode.game.title}, games against {against}")


def best_response(agent: Any, game: Game | str, seat: Seat | int, **setup: int | str) -> Response:
    """The win chance of the best possible player in that seat against the agent's policy.

    The agent is a player's name or an agent (see ninefold.envs.agents), which may answer with a
    distribution. It is asked twice in every position that it may meet, and refused if it samples its
    moves. Where there are too many positions for that, the chance is a lower bound (`exact` is False):
    what a counter-strategy scores against the agent's real answers. Raises SetupError if a setting
    without a default is not given.
    """
    policy, alike = policy_for(agent)
    return responses.best_response(policy, _begin(game, setup), Seat(seat), alike=alike)


def exploitability(agent: Any, game: Game | str, **setup: int | str) -> Response:
    """How far the best responses to an agent exceed the game's value, averaged over both seats."""
    policy, alike = policy_for(agent)
    return responses.exploitability(policy, _begin(game, setup), alike=alike)


def _begin(game: Game | str, setup: dict[str, int | str]) -> State[Any]:
    return (load(game) if isinstance(game, str) else game).set_up(setup)
