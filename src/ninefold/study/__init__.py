"""Facts about play: hints, reviews, regret, scores, best responses. `show` puts them in words."""

from ninefold.study.facts import Fact
from ninefold.study.hints import Hint, find_hint
from ninefold.study.responses import best_response, exploitability
from ninefold.study.reviews import Judged, Mark, Review, review_match
from ninefold.study.scores import Score, chance, optimal_distribution, regrets, score

__all__ = [
    "Fact",
    "Hint",
    "Judged",
    "Mark",
    "Review",
    "Score",
    "best_response",
    "chance",
    "exploitability",
    "find_hint",
    "optimal_distribution",
    "regrets",
    "review_match",
    "score",
]
