"""Whose turn it is and what to do, for one reader."""

from __future__ import annotations

from ninefold.core.cast import Cast
from ninefold.core.seat import Seat
from ninefold.core.words import pluralize
from ninefold.match import Match
from ninefold.match.kinds import Clock, Presence
from ninefold.match.sitting import Sitting
from ninefold.players import PERSON
from ninefold.show.endings import say_winner
from ninefold.show.moves import say_order

# The time for a move, in words.
CLOCKS = {
    Clock.HALF_MINUTE: "30 seconds",
    Clock.TWO_MINUTES: "2 minutes",
    Clock.TEN_MINUTES: "10 minutes",
    Clock.DAY: "a day",
}


def say_title(sitting: Sitting, cast: Cast) -> str:
    """How a match stands, in a few words: `Your turn`, `Ben to move`, `Ann won`, `Nobody won`."""
    match, mover = sitting.match, sitting.covered if sitting.covered is not None else sitting.viewer
    if sitting.offered is not None:
        return f"{cast.name(sitting.offers[sitting.offered])} asks you"
    if sitting.waiting:
        return "Waiting for a player"
    if match.over:
        return say_winner(match, cast)
    if mover is not None and mover in match.state.movers:
        return "Your turn" if mover is cast.you else f"{cast.name(mover)}, your turn"
    return f"{_names(match.state.movers, cast)} to move"


def say_status(sitting: Sitting, cast: Cast) -> str:
    """What is going on in a match, and what the viewer has to choose. Nothing once it is over."""
    if sitting.waiting:
        return "Waiting for someone to take the other seat." if sitting.seats else "A seat is open."
    if sitting.match.over:
        return ""
    if sitting.sending:
        return "Sending your move..."
    if sitting.covered is not None:
        return say_handover(sitting.covered, cast)
    return _say_turn(sitting.match, sitting.viewer, cast)


def _say_turn(match: Match, viewer: Seat | None, cast: Cast) -> str:
    """Whose turn it is in an unfinished match, and what the viewer has to choose."""
    view = match.state.view(viewer)
    others = [seat for seat in view.pending if seat != viewer]
    said = f"{_names(others, cast)} has chosen." if others else ""
    if viewer is not None and viewer in view.movers:
        return f"{match.game.words.choose(view, cast)} {said}".rstrip()
    if viewer is not None and viewer in view.pending:
        return f"You have chosen. {cast.subject(viewer.other)} is still choosing."
    waiting = view.movers
    verb = "are" if len(waiting) > 1 else "is"
    if match.open_state.secret:
        return f"{said} {_names(waiting, cast)} {verb} choosing in secret.".lstrip()
    computers = all(match.player(seat).kind != PERSON for seat in waiting)
    return f"{_names(waiting, cast)} {verb} {'thinking' if computers else 'to move'}."


def say_terms(sitting: Sitting, cast: Cast) -> str:
    """What whoever takes the open seat agrees to."""
    match, seat = sitting.match, sitting.free[0]
    said = [f"{cast.name(seat.other)} is waiting. You would {say_order(match.game, seat)}."]
    said.append(say_hints(match.hints))
    if sitting.score is not None and sitting.score.best_of:
        said.append(f"You play a best of {sitting.score.best_of}.")
    said += [f"Each move has to be made within {text}." for n, text in CLOCKS.items() if n == match.clock]
    return " ".join(said)


NO_HINTS = "This match is played without hints."


def say_hints(allowed: bool) -> str:
    """Whether two people who play each other from different places get hints."""
    return "Both of you can ask for hints." if allowed else "Nobody gets hints."


def say_note(presence: Presence | None, hints: int, left: int | None) -> str:
    """The note beside a player's name: `here` or `away`, hints used, and the time left for a move."""
    used, time = pluralize(hints, "hint") if hints else "", "" if left is None else say_time(left)
    return ", ".join(filter(None, [presence or "", used, time]))


def say_time(seconds: int) -> str:
    """`0:29`, `2:00`, `23:59:59`"""
    minutes, seconds = divmod(seconds, 60)
    hours = f"{minutes // 60}:{minutes % 60:02}" if minutes >= 60 else str(minutes)
    return f"{hours}:{seconds:02}"


def say_handover(seat: Seat, cast: Cast) -> str:
    """The announcement of a secret choice to two people who share a screen."""
    other = cast.name(seat.other)
    return f"{cast.name(seat)} chooses in secret now. {other}, please look away."


def _names(seats: tuple[Seat, ...] | list[Seat], cast: Cast) -> str:
    first, *rest = seats
    return " and ".join([cast.subject(first), *(cast.who(seat) for seat in rest)])
