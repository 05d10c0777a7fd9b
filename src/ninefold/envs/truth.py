"""How well an agent plays, measured against exact values."""

from __future__ import annotations

import pickle
from contextlib import ExitStack
from itertools import chain
from random import Random
from typing import Any, NamedTuple

from ninefold.batch import LIMIT
from ninefold.core.errors import SetupError
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.envs.agents import policy_for, seat_agent
from ninefold.envs.batched import in_batches, score_in_batches
from ninefold.games import load
from ninefold.spread import spread
from ninefold.study import responses
from ninefold.study.contests import score_games
from ninefold.study.episode import Episode
from ninefold.study.positions import COUNT, make_set, score_positions
from ninefold.study.reports import PositionScore, Report, Scored
from ninefold.study.responses import Response
from ninefold.study.scores import chance, optimal_distribution, regrets

OPPONENT = "level:5"  # of whole games, unless another is named
CHUNK = 100  # games that are sent to a worker at once; even, so that no deal is split


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
    workers: int = 1,
    cluster: str = "",
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

    The work is spread over so many local `workers`, or over a dask `cluster` (see ninefold.spread), to
    which the agents are sent by pickling them. As long as an agent's answers do not depend on what it was
    asked before, the report does not depend on where the work is done.
    """
    if n < 0 or not (n or positions):
        raise SetupError(f"{n} games: there must be at least one, or some positions.")
    slug = game if isinstance(game, str) else game.slug
    title = Episode(slug, limit, **setup).game.title  # raises SetupError before any work begins
    part = _Part(agent, opponent, slug, limit, setup, seed, seconds, positions, range(n))
    if (workers, cluster) == (1, ""):
        parts = [part]
    else:
        try:
            pickle.dumps((agent, opponent))
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise SetupError(f"This agent cannot be sent to another process: {error}") from None
        cuts = (range(at, min(at + CHUNK, n)) for at in range(0, n, CHUNK))
        parts = [part._replace(positions=0, numbers=numbers) for numbers in cuts]
        parts += [part._replace(numbers=range(0))] if positions else []
    found = [*spread(_evaluate, parts, workers=workers, cluster=cluster)]
    played = sorted((games for games, _ in found if games), key=lambda games: games[0].deal)
    score = next((score for _, score in found if score is not None), None)
    against = opponent if isinstance(opponent, str) else "another agent"
    return Report(tuple(chain(*played)), score, f"{title}, games against {against}")


class _Part(NamedTuple):
    """Some of an evaluation: the set of positions, if there are any, and the games with these numbers."""

    agent: Any
    opponent: Any
    slug: str
    limit: int
    setup: dict[str, int | str]
    seed: int
    seconds: float | None
    positions: int
    numbers: range


def _evaluate(part: _Part) -> tuple[tuple[Scored, ...], PositionScore | None]:
    agent, opponent, slug, limit, setup, seed, seconds, positions, numbers = part
    episode, rngs = Episode(slug, limit, **setup), (Random(seed), Random(seed))
    with ExitStack() as stack:
        own, other = seat_agent(agent, rngs[0], seconds), seat_agent(opponent, rngs[1], seconds)
        stack.callback(own.close)
        stack.callback(other.close)
        score = score_positions(own, make_set(slug, positions, 0, setup)) if positions else None
        if in_batches(agent, opponent):
            return score_in_batches(agent, opponent, episode, numbers, seed, seconds), score
        return score_games((own, other), rngs, episode, numbers, seed), score


def best_response(
    agent: Any, game: Game | str, seat: Seat | int, *, seconds: float | None = None, **setup: int | str
) -> Response:
    """The win chance of the best possible player in that seat against the agent's policy.

    The agent is a player's name or an agent (see ninefold.envs.agents), which may answer with a
    distribution. It is asked twice in every position that it may meet, and refused if it samples its
    moves. Where there are too many positions for that, the chance is a lower bound (`exact` is False):
    what a counter-strategy scores against the agent's real answers. An agent that fails, or takes more
    than `seconds` for a move, forfeits. Raises SetupError if a setting without a default is not given.
    """
    policy, alike = policy_for(agent, seconds)
    return responses.best_response(policy, _begin(game, setup), Seat(seat), alike=alike)


def exploitability(
    agent: Any, game: Game | str, *, seconds: float | None = None, **setup: int | str
) -> Response:
    """How far the best responses to an agent exceed the game's value, averaged over both seats."""
    policy, alike = policy_for(agent, seconds)
    return responses.exploitability(policy, _begin(game, setup), alike=alike)


def _begin(game: Game | str, setup: dict[str, int | str]) -> State[Any]:
    return (load(game) if isinstance(game, str) else game).set_up(setup)
