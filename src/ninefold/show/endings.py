"""How a match ended, for one reader: who won, by how much, and why, or why nobody did."""

from __future__ import annotations

from dataclasses import dataclass

from ninefold.core.cast import Cast
from ninefold.core.outcome import Outcome, Reason, Stop
from ninefold.core.seat import SEATS, Seat
from ninefold.core.view import View
from ninefold.core.words import Words, pluralize
from ninefold.match import Match


@dataclass(frozen=True, slots=True)
class Ending:
    headline: str  # "You win, 48 to 42."
    why: str  # a sentence; empty where the headline says it all
    winner: Seat | None = None

    @property
    def lines(self) -> list[str]:
        return [self.headline, self.why] if self.why else [self.headline]

    def __str__(self) -> str:
        return " ".join(self.lines)


def describe_ending(match: Match, cast: Cast) -> Ending:
    """The end of a match that is over."""
    if match.stopped is not None:
        return _ending_without_winner(match.game.words, match.stopped, match.ply, cast)
    outcome = match.outcome
    assert outcome is not None
    if match.state.outcome is None:
        return _cut_short(outcome, cast)
    return ending_of(match.game.words, match.state.view(None), cast)


def say_winner(match: Match, cast: Cast) -> str:
    """`Ann won`, `You won` or `Nobody won`, of a match that is over."""
    return "Nobody won" if match.outcome is None else f"{cast.subject(match.outcome.winner)} won"


def say_result(match: Match) -> str:
    """The result in a list of matches: `Ann won (line)`, `stopped (dead)` or `unfinished`."""
    outcome = match.outcome
    if outcome is None:
        return f"stopped ({match.stopped})" if match.stopped else "unfinished"
    return f"{match.player(outcome.winner).name} won ({outcome.reason})"


def _ending_without_winner(words: Words, stop: Stop, moves: int, cast: Cast) -> Ending:
    """The end of a match that was stopped after this many moves."""
    match stop:
        case Stop.DEAD:
            return Ending("Nobody can win anymore: the game is stopped.", words.dead)
        case Stop.AGREED:
            first, second = sorted(SEATS, key=lambda seat: seat is not cast.you)
            return Ending(f"Nobody wins: {cast.who(first)} and {cast.who(second)} agreed to stop.", "")
    return Ending(f"Nobody wins: the game is stopped after {pluralize(moves, 'move')}.", "")


def ending_of(words: Words, view: View, cast: Cast) -> Ending:
    """The end of a game by its rules, as a view shows it."""
    assert view.outcome is not None
    first = view.outcome.winner if cast.you is None else cast.you
    score = words.score(view, first)
    headline = _headline(view.outcome, cast, f", {score}" if score else "")
    return Ending(headline, words.why(view, cast), view.outcome.winner)


def _headline(outcome: Outcome, cast: Cast, score: str = "") -> str:
    if cast.you is outcome.winner.other:
        return f"You lose{score}."
    return f"{cast.subject_does(outcome.winner, 'win')}{score}."


def _cut_short(outcome: Outcome, cast: Cast) -> Ending:
    """The end of a match that did not end by its rules: resigned, forfeited, out of time or away."""
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
    return Ending(_headline(outcome, cast), why, outcome.winner)
