"""Whose turn it is and what to do, for one reader."""

from __future__ import annotations

from enum import StrEnum

from ninefold.core.cast import Cast
from ninefold.core.seat import Seat
from ninefold.core.words import pluralize
from ninefold.match import Match
from ninefold.match.kinds import Clock
from ninefold.players import PERSON
from ninefold.show.endings import say_winner

# The time for a move, in words.
CLOCKS = {
    Clock.HALF_MINUTE: "30 seconds",
    Clock.TWO_MINUTES: "2 minutes",
    Clock.TEN_MINUTES: "10 minutes",
    Clock.DAY: "a day",
}


class Presence(StrEnum):
    """Whether the player in a seat on a server is there, as it is shown beside the name."""

    HERE = "here"
    AWAY = "away"
    GONE = "gone"  # away for so long that the game can be claimed


def say_title(match: Match, viewer: Seat | None, cast: Cast) -> str:
    """How a match stands, in a few words: `Your turn`, `Ben to move`, `Ann won`, `Nobody won`."""
    if match.over:
        return say_winner(match, cast)
    if viewer in match.state.movers and viewer is not None:
        return "Your turn" if viewer is cast.you else f"{cast.name(viewer)}, your turn"
    return f"{_names(match.state.movers, cast)} to move"


def say_status(match: Match, viewer: Seat | None, cast: Cast) -> str:
    """Whose turn it is in an unfinished match, and what the viewer has to choose."""
    view = match.state.view(viewer)
    others = [seat for seat in view.pending if seat != viewer]
    said = f"{_names(others, cast)} has chosen. " if others else ""
    if viewer is not None and viewer in view.movers:
        return said + match.game.words.choose(view, cast)
    if viewer is not None and viewer in view.pending:
        return f"You have chosen. {cast.subject(viewer.other)} is still choosing."
    waiting = view.movers
    verb = "are" if len(waiting) > 1 else "is"
    if match.open_state.secret:
        return f"{said}{_names(waiting, cast)} {verb} choosing in secret."
    computers = all(match.player(seat).kind != PERSON for seat in waiting)
    return f"{_names(waiting, cast)} {verb} {'thinking' if computers else 'to move'}."


def say_open_seat(*, seated: bool) -> str:
    """That a match waits for its second player, said to the first one (`seated`) or to a spectator."""
    return "Waiting for someone to take the other seat." if seated else "A seat is open."


def say_sending() -> str:
    return "Sending your move..."


def say_note(presence: Presence | None, hints: int, left: int | None) -> str:
    """The note beside a player's name: `here` or `away`, hints used, and the time left for a move."""
    used, time = pluralize(hints, "hint") if hints else "", ""
    if left is not None:
        minutes, seconds = divmod(left, 60)
        hours = f"{minutes // 60}:{minutes % 60:02}" if minutes >= 60 else str(minutes)
        time = f"{hours}:{seconds:02}"
    return ", ".join(filter(None, [presence or "", used, time]))


def say_handover(seat: Seat, cast: Cast) -> str:
    """The announcement of a secret choice to two people who share a screen."""
    other = cast.name(seat.other)
    return f"{cast.name(seat)} chooses in secret now. {other}, please look away."


def _names(seats: tuple[Seat, ...] | list[Seat], cast: Cast) -> str:
    first, *rest = seats
    return " and ".join([cast.subject(first), *(cast.who(seat) for seat in rest)])
