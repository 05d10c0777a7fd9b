"""What players offer each other - to take back a turn, to stop, to play again - and the score."""

from __future__ import annotations

from ninefold.core.cast import Cast
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.match import Series
from ninefold.match.events import Declined, Event
from ninefold.match.kinds import EventKind, Offer


def say_offer(offer: Offer, seat: Seat, cast: Cast) -> str:
    """What a seat offers, and that the other player has to agree."""
    match offer:
        case Offer.TAKEBACK:
            own = "your" if seat is cast.you else "their"
            said = f"{cast.subject_does(seat, 'want')} to take back {own} last turn."
        case Offer.REMATCH:
            said = f"{cast.subject_does(seat, 'offer')} a rematch with the sides swapped."
        case Offer.STOP if seat is not cast.you:
            return say_stop_offer(seat, cast)
        case Offer.STOP:
            said = "You offer to stop, and nobody wins."
    return f"{said} {cast.subject(seat.other)} has to agree." if seat is cast.you else said


def say_stop_offer(seat: Seat, cast: Cast) -> str:
    """A seat's offer to stop, as a question to the other player."""
    offers = f"{cast.subject_does(seat, 'offer')} to stop, and nobody wins."
    asks = "Do you agree?" if cast.you is not None else f"{cast.name(seat.other)}, do you agree?"
    return f"{offers} {asks}"


def say_refusal(seat: Seat, cast: Cast, *, computer: bool) -> str:
    """That a seat does not agree to stop; for a computer, with the reason."""
    why = " It stops when neither side can force a win." if computer else ""
    return f"{cast.subject_does(seat, 'want')} to play on.{why}"


ANSWERS = {  # to accept an offer, and to decline it
    Offer.TAKEBACK: ("Allow it", "No"),
    Offer.STOP: ("Stop the game", "Play on"),
    Offer.REMATCH: ("Rematch", "No, thanks"),
}
LOCAL_LINK = "This link works only on this machine."
TAKEN_BACK = "The last turn was taken back."
STAYS = "The match stays on the server. Its link brings you back."
CANCELED = "The match has been canceled."
DECLINED = {
    Offer.TAKEBACK: "{name} declined the takeback.",
    Offer.STOP: "{name} wants to play on.",
    Offer.REMATCH: "{name} does not want a rematch.",
}
NEWS = {
    EventKind.TAKEBACK: "A turn was taken back.",
    EventKind.JOINED: "{name} has joined.",
    EventKind.AWAY: "{name} is away.",
    EventKind.HERE: "{name} is back.",
    EventKind.HINT: "{name} used a hint.",
}


def say_event(event: Event, name: str) -> str:
    """What a player has done besides moving, as a sentence; empty where there is nothing to say."""
    said = DECLINED[event.offer] if isinstance(event, Declined) else NEWS.get(event.kind, "")
    return said.format(name=name)


def say_invitation(link: str, *, local: bool) -> str:
    """The invitation to send to the other player: a link."""
    return f"Send this link: {link} {f'({LOCAL_LINK})' if local else ''}".rstrip()


def say_next_start(question: str, game: Game, cast: Cast) -> str:
    """`Rematch? Ben starts.` Where both choose at once, just the question."""
    return (
        question
        if game.starter is None
        else f"{question} {cast.subject_does(game.starter.other, 'start')}."
    )


def say_after(game: Game, score: Series | None, cast: Cast) -> str:
    """What can come after the end of a match: a rematch, or the next game of a series."""
    if score is not None and score.goes_on:
        return say_next_start("Next game?", game, cast)
    result = say_series_result(score, cast) if score is not None and score.over else ""
    return f"{result} {say_next_start('Rematch?', game, cast)}".lstrip()


def say_score(score: Series, cast: Cast) -> str:
    """`Games so far: Ann 2, Ben 1. Stopped: 1.`; in a series that was agreed on, `Series: ...`"""
    title = "Games so far" if score.best_of is None else "Series"
    each = ", ".join(
        f"{cast.who(seat)} {wins}" for seat, wins in zip(cast.players, score.wins, strict=True)
    )
    return f"{title}: {each}.{f' Stopped: {score.stopped}.' if score.stopped else ''}"


def say_series_result(series: Series, cast: Cast) -> str:
    """Who wins a series that is over, as a sentence."""
    (first, second), wins = cast.players, series.wins
    best = first if wins[0] > wins[1] else second
    wins_it = "Nobody wins" if wins[0] == wins[1] else cast.subject_does(best, "win")
    return f"{wins_it} the best of {series.best_of}!"
