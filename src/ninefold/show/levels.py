"""The computer's levels in words: what each is like, and which one to play next."""

from __future__ import annotations

from collections.abc import Iterable

from ninefold.match import Match
from ninefold.players import LEVELS, policy_of
from ninefold.players.exact import LevelPolicy
from ninefold.show.moves import capitalize, only_person, say_kind
from ninefold.show.values import percent
from ninefold.study.levels import Habits

KINDS = {
    "random": "Random plays any legal move.",
    "greedy": "Greedy takes what gains the most right away.",
    "perfect": "Perfect never gives anything away.",
}
IN_A_ROW = 3  # wins or losses after which another level is suggested


def say_habits(one: Habits) -> str:
    """What a level does, as a sentence or two."""
    said = []
    if one.misses_win is not None:
        said.append(f"misses a win in one {percent(one.misses_win)} of the time")
    if one.allows_win is not None:
        often = percent(one.allows_win)
        said.append(
            f"lets you win at once {often} of the time when it could prevent it"
            if one.allows_win
            else "never lets you win at once if it can prevent it"
        )
    said.append(f"gives away {percent(one.gives_away)} of its chances in a decision")
    first, *rest = said
    text = ", ".join([first, *rest[:-1]]) + f" and {rest[-1]}" if rest else first
    beats = (
        ""
        if one.beats_next is None
        else f" Against level {one.level + 1} it scores {one.beats_next:.0%}."
    )
    return f"Level {one.level} {text}.{beats}"


def say_level(kind: str) -> str:
    """A computer player in a sentence, in any game: how often it makes a mistake, and what it sees."""
    policy = policy_of(kind)
    if not isinstance(policy, LevelPolicy):
        return KINDS.get(kind, "")
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
