"""The computer's levels in words: what each is like, and which one to play next."""

from __future__ import annotations

from collections.abc import Iterable

from ninefold.core.game import Game
from ninefold.match import Match
from ninefold.players import LEVELS, policy_of
from ninefold.players.exact import LevelPolicy
from ninefold.show.moves import capitalize, say_kind
from ninefold.show.values import percent
from ninefold.study.levels import Habits, known_habits, suggest_level

KINDS = {
    "random": "Random plays any legal move.",
    "greedy": "Greedy takes what gains the most right away.",
    "perfect": "Perfect never gives anything away.",
}


def say_habits(one: Habits) -> str:
    """What a level is like in a game, in a sentence."""
    said = []
    if one.misses_win is not None:
        said.append(f"misses a win in one {percent(one.misses_win)} of the time")
    if one.allows_win is not None:
        whose = "your win in one" if one.misses_win is None else "yours"
        often = f" {percent(one.allows_win)} of the time" if one.allows_win else ""
        said.append(f"{'' if often else 'never '}overlooks {whose}{often}")
    said.append(f"gives away {percent(one.gives_away)} of its chances per decision")
    if one.beats_next is not None:
        said.append(f"scores {percent(one.beats_next)} against level {one.level + 1}")
    *most, last = said
    return f"Level {one.level} {', '.join(most)}{',' * (len(most) > 1)} and {last}."


def say_level(kind: str, game: Game) -> str:
    """A computer player in a sentence: its habits in this game, if they are known, else in any game."""
    policy = policy_of(kind)
    if not isinstance(policy, LevelPolicy):
        return KINDS.get(kind, "")
    if known := known_habits(game):
        return say_habits(known[int(kind.partition(":")[2]) - LEVELS[0]])
    sees = "may let" if not policy.depth else "never lets"
    often = f"{capitalize(say_kind(kind))} makes a mistake in {percent(policy.miss)} of its moves"
    return f"{often}, and {sees} you win at once when it could prevent that."


def say_suggestion(matches: Iterable[Match]) -> list[str]:
    """Which level to play next, after several wins or losses in a row; else nothing."""
    found = suggest_level(matches)
    if found is None:
        return []
    level, count = found
    return [f"{abs(count)} {'wins' if count > 0 else 'losses'} in a row: try level {level}."]
