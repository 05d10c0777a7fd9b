"""What is known of players of ours without playing: exact scores, and how far they can be exploited."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from ninefold.analysis import NoValues, solver_of
from ninefold.arena.plan import Plan, Setup
from ninefold.core.errors import SetupError
from ninefold.games import load
from ninefold.players import policy_of
from ninefold.show.progress import ProgressLine
from ninefold.spread import spread
from ninefold.store.files.atomic import replace_file
from ninefold.study import ExactScore, exact_score, exploitability
from ninefold.study.pairings import MOST
from ninefold.study.responses import MOST as SMALL

TRY = 20_000  # positions that are looked at in a game with more than SMALL, before giving up
DEALS = 12  # for exploitability, where there are more
EVERY = 0.5  # seconds between two looks at the progress
FILE = "exact.json"


def find_score(one: str, other: str, slug: str, setup: Setup, most: int = TRY) -> ExactScore | None:
    """The exact score of one player of ours against another; None if it is out of reach."""
    policy, against = policy_of(one), policy_of(other)
    if policy is None or against is None:
        return None
    given: dict[str, Any] = {**setup}
    try:
        most = MOST if _is_small(slug, setup) else most
        return exact_score(policy, against, slug, most=most, **given) if most else None
    except (NoValues, SetupError):
        return None


def _is_small(slug: str, setup: Setup) -> bool:
    game = load(slug)
    return solver_of(game).count_positions(game.set_up(setup, Random(0))) <= SMALL


class _Question(NamedTuple):
    """About two players, their score; about one, the exploitability."""

    game: str
    slug: str
    setup: Setup
    players: tuple[str, ...]  # kinds

    @property
    def key(self) -> str:
        return " ".join((self.game, *self.players))


def _answer(question: _Question) -> tuple[str, Any]:
    if len(question.players) == 2:
        found = find_score(*question.players, question.slug, question.setup, most=0)
        return question.key, None if found is None else [str(found.first), str(found.second)]
    return question.key, _exploit(question.players[0], question.slug, question.setup)


def _exploit(player: str, slug: str, setup: Setup) -> float | None:
    policy, game = policy_of(player), load(slug)
    assert policy is not None
    try:
        if not _is_small(slug, setup):
            return None
    except NoValues:
        return None
    given = {option.name: option.default for option in game.options if option.default is not None}
    deals = [*solver_of(game).deals(game, {**given, **setup})]
    if len(deals) > DEALS:  # these are drawn by their weights, and the same for every player
        rng = Random(0)
        deals = [(deal, 1) for deal, _ in rng.choices(deals, [count for _, count in deals], k=DEALS)]
    total = sum(count for _, count in deals)
    return float(
        sum(exploitability(policy, game.set_up(deal), alike=True) * count for deal, count in deals)
        / total
    )


class Known:
    """The answers that a contest's folder holds."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self._path, self._plan = path / FILE, plan
        self._answers: dict[str, Any] = {}
        if self._path.exists():
            self._answers = json.loads(self._path.read_text(encoding="utf-8"))

    def complete(self, workers: int = 1, cluster: str = "", plain: bool = False) -> None:
        """Find out what is not known yet, and keep it."""
        plan = self._plan
        asked = [(one, other) for one, other in plan.pairings if plan.ours(one, other)]
        groups: list[tuple[str, ...]] = [*asked, *((name,) for name in plan.players if plan.ours(name))]
        questions = {
            question.key: question
            for game, (slug, setup) in plan.games.items()
            for names in groups
            for question in [_Question(game, slug, setup, tuple(plan.players[name] for name in names))]
        }
        missing = [question for key, question in questions.items() if key not in self._answers]
        line = ProgressLine(EVERY, plain)
        for done, (key, answer) in enumerate(
            spread(_answer, missing, workers=workers, cluster=cluster), 1
        ):
            self._answers[key] = answer
            replace_file(self._path, json.dumps(self._answers, indent=1))
            line.show(f"{done} of {len(missing)} exact figures")
        line.clear()

    def score(self, game: str, one: str, other: str) -> ExactScore | None:
        """The exact score of one player against another in a game, if it is known."""
        kinds = self._plan.players[one], self._plan.players[other]
        if found := self._answers.get(" ".join((game, *kinds))):
            return ExactScore(*map(Fraction, found))
        return None

    def exploitability(self, game: str, player: str) -> float | None:
        found: float | None = self._answers.get(f"{game} {self._plan.players[player]}")
        return found
