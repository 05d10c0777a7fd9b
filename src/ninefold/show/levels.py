"""The computer's levels in words: what each is like, and which one to play next."""

from __future__ import annotations

from collections.abc import Iterable

from ninefold.core.game import Game
from ninefold.match import Match
from ninefold.players import LEVELS, policy_of
from ninefold.players.exact import LevelPolicy
from ninefold.show.moves import capitalize, only_person, say_kind
from ninefold.show.values import percent
from ninefold.study.levels import Habits, known_habits

KINDS = {
    "random": "Random plays any legal move.",
    "greedy": "Greedy takes what gains the most right away.",
    "perfect": "Perfect never gives anything away.",
}
IN_A_ROW = 3  # wins or losses after which another level is suggested


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


def level_of(match: Match) -> int | None:
    """The level that one person plays in a match; None for other opponents."""
    you = only_person(match)
    kind = "" if you is None else match.player(you.other).kind
    name, _, rest = kind.partition(":")
    return int(rest) if name == "level" else None


def suggest_level(matches: Iterable[Match]) -> tuple[int, int] | None:
    """The level after the latest matches, and how they went: above 0 for wins, below 0 for losses.

    They are the matches of one game, the latest first. Only a row of wins or losses against one level
    suggests another: `IN_A_ROW` of them, or twice as many, and so on.
    """
    level, count = None, 0
    for match in matches:
        you = only_person(match)
        if match.outcome is None or you is None or level_of(match) is None:
            break
        won = 1 if match.outcome.winner is you else -1
        if (level is not None and level_of(match) != level) or count * won < 0:
            break
        level, count = level_of(match), count + won
    if level is None or not count or count % IN_A_ROW:
        return None
    other = level + (1 if count > 0 else -1)
    return (other, count) if other in LEVELS else None


def say_suggestion(matches: Iterable[Match]) -> list[str]:
    """Which level to play next, after several wins or losses in a row; else nothing."""
    found = suggest_level(matches)
    if found is None:
        return []
    level, count = found
    return [f"{abs(count)} {'wins' if count > 0 else 'losses'} in a row: try level {level}."]
