"""How a match ended, for one reader: who won, by how much, and why."""

from __future__ import annotations

from dataclasses import dataclass

from ninefold.core.cast import Cast
from ninefold.core.outcome import Outcome, Reason
from ninefold.core.view import View
from ninefold.core.words import Words
from ninefold.match import Match


@dataclass(frozen=True, slots=True)
class Ending:
    headline: str  # "You win, 48 to 42."
    why: str  # a sentence, or nothing where the headline says it all

    @property
    def lines(self) -> list[str]:
        return [self.headline, self.why] if self.why else [self.headline]

    def __str__(self) -> str:
        return " ".join(self.lines)


def describe_ending(match: Match, cast: Cast) -> Ending:
    """The end of a match that is over."""
    outcome = match.outcome
    assert outcome is not None
    if match.state.outcome is None:
        return _stopped(outcome, cast)
    return ending_of(match.game.words, match.state.view(None), cast)


def ending_of(words: Words, view: View, cast: Cast) -> Ending:
    """The end of a game by its rules, as a view shows it."""
    assert view.outcome is not None
    first = view.outcome.winner if cast.you is None else cast.you
    score = words.score(view, first)
    return Ending(_headline(view.outcome, cast, f", {score}" if score else ""), words.why(view, cast))


def _headline(outcome: Outcome, cast: Cast, score: str = "") -> str:
    if cast.you is outcome.winner.other:
        return f"You lose{score}."
    return f"{cast.subject_does(outcome.winner, 'win')}{score}."


def _stopped(outcome: Outcome, cast: Cast) -> Ending:
    """A match that ended before its game did."""
    loser = cast.subject(outcome.winner.other)
    match outcome.reason:
        case Reason.RESIGNED:
            why = f"{loser} resigned."
        case Reason.TIME:
            why = f"{loser} ran out of time."
        case Reason.ABSENT:
            why = f"{cast.subject_does(outcome.winner.other, 'were')} away for too long."
        case _:
            detail = f"{outcome.detail} " if isinstance(outcome.detail, str) else ""
            why = f"{detail}{loser} could not continue."
    return Ending(_headline(outcome, cast), why)
