"""Facts about play: hints, reviews, regret and scores. Typed facts, no prose; `show` words them."""

from ninefold.study.facts import Fact
from ninefold.study.hints import Hint, find_hint
from ninefold.study.reviews import Judged, Mark, Review, review_match
from ninefold.study.scores import Score, chance, optimal_distribution, regrets, score

__all__ = [
    "Fact",
    "Hint",
    "Judged",
    "Mark",
    "Review",
    "Score",
    "chance",
    "find_hint",
    "optimal_distribution",
    "regrets",
    "review_match",
    "score",
]
