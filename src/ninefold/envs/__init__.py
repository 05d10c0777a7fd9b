"""The games for AI work: adapters to its libraries, and ground truth to measure agents with.

    ninefold.envs.pettingzoo    env("shadow", target=15), parallel_env("conquest")
    ninefold.envs.gymnasium     ids like ninefold/Shadow-v0: one agent against an opponent
    ninefold.envs.vector        many games at once in one native VectorEnv
    ninefold.envs.openspiel     registers ninefold_shadow(target=15) and the others

Each imports the library it adapts to; this module needs none of them.
"""

from ninefold.envs.truth import best_response, evaluate_agent, exploitability
from ninefold.study.positions import position_set
from ninefold.study.reports import PositionScore, Report, Scored
from ninefold.study.responses import Response
from ninefold.study.scores import Score, chance, optimal_distribution, regrets, score

__all__ = [
    "PositionScore",
    "Report",
    "Response",
    "Score",
    "Scored",
    "best_response",
    "chance",
    "evaluate_agent",
    "exploitability",
    "optimal_distribution",
    "position_set",
    "regrets",
    "score",
]
