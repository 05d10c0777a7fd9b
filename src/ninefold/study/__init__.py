"""Facts about play: hints, reviews, regret, scores, best responses. `show` puts them in words."""

from ninefold.study.facts import Fact
from ninefold.study.hints import Hint, find_hint
from ninefold.study.pairings import ExactScore, exact_score
from ninefold.study.positions import PositionSet, SetPosition, position_set, score_positions
from ninefold.study.reports import PositionScore
from ninefold.study.responses import Response, best_response, exploitability
from ninefold.study.reviews import Judged, Mark, Review, review_match
from ninefold.study.scores import Score, chance, optimal_distribution, regrets, score

__all__ = [
    "ExactScore",
    "Fact",
    "Hint",
    "Judged",
    "Mark",
    "PositionScore",
    "PositionSet",
    "Response",
    "Review",
    "Score",
    "SetPosition",
    "best_response",
    "chance",
    "exact_score",
    "exploitability",
    "find_hint",
    "optimal_distribution",
    "position_set",
    "regrets",
    "review_match",
    "score",
    "score_positions",
]
