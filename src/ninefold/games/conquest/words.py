"""Grid Conquest in our own words."""

from __future__ import annotations

from ninefold.core.cast import Cast
from ninefold.core.outcome import Reason
from ninefold.core.seat import Seat
from ninefold.core.view import View
from ninefold.core.words import Words, pluralize
from ninefold.games.conquest.rules import Holdings
from ninefold.games.conquest.view import challenger_of, settled_challenge


def move(view: View, text: str) -> str:
    verb, number = text.split(":")
    return f"the {number}" if verb == "bid" else f"{verb} cell {number}"


def news(before: View, seat: Seat, text: str, after: View, cast: Cast) -> str:
    verb, number = text.split(":")
    if verb == "claim":
        return f"{cast.subject(seat)} claimed cell {number}."
    if verb == "challenge":
        return f"{cast.subject(seat)} challenged {cast.whose(seat.other)} cell {number}."
    if after.pending:
        return f"{cast.subject_does(seat, 'have')} chosen a number."
    fight = settled_challenge(before, after)
    defender = fight.challenger.other
    ours = f"{cast.subject_whose(fight.challenger)} {fight.spent[fight.challenger]}"
    theirs = f"{cast.whose(defender)} {fight.spent[defender]}"
    if fight.taken:
        return f"{ours} beat {theirs}: {cast.does(fight.challenger, 'take')} cell {fight.cell}."
    keeps = f"{cast.does(defender, 'keep')} cell {fight.cell}"
    if fight.spent[0] == fight.spent[1]:
        return f"{ours} met {theirs}: {keeps}, because a tie goes to the defender."
    return f"{ours} lost to {theirs}: {keeps}."


def choose(view: View, cast: Cast) -> str:
    seat = view.movers[0] if view.viewer is None else view.viewer
    opponent, theirs = cast.subject(seat.other), cast.whose(seat.other)
    if view.phase == "bidding":
        if challenger_of(view) is seat:
            return (
                f"You challenge {theirs} cell {view.number('challenged', seat)}. Choose a number in "
                f"secret: it takes the cell if it is higher than {theirs}."
            )
        return (
            f"{opponent} challenges your cell {view.number('challenged', seat.other)}. Choose a number "
            "in secret: it keeps the cell if it is at least as high."
        )
    if view.phase == "sudden death":
        return (
            "Sudden death: each turn is a challenge until somebody holds more cells. "
            f"Choose one of {theirs} cells."
        )
    if any(move.startswith("challenge") for move in view.moves):
        return f"Claim an empty cell, or challenge one of {theirs}."
    if not view.numbers("hand", seat):
        return "Claim an empty cell. You have no numbers left to challenge with."
    return "Claim an empty cell."


def score(view: View, seat: Seat) -> str:
    """How many cells each has, if that decided the game."""
    outcome = view.outcome
    if outcome is None or outcome.reason is not Reason.CELLS:
        return ""
    assert isinstance(outcome.detail, Holdings)
    return f"{pluralize(outcome.detail.cells[seat], 'cell')} to {outcome.detail.cells[seat.other]}"


def why(view: View, cast: Cast) -> str:
    outcome = view.outcome
    assert outcome is not None
    assert isinstance(outcome.detail, Holdings)
    winner = outcome.winner
    match outcome.reason:
        case Reason.UNUSED:
            more, fewer = outcome.detail.unused[winner], outcome.detail.unused[winner.other]
            return (
                f"Both hold {pluralize(outcome.detail.cells[winner], 'cell')}, and the unused numbers "
                f"decide: {more} to {fewer}."
            )
        case Reason.SPENT:
            return (
                "Both hold the same number of cells and no numbers are left, "
                "so whoever moved second wins."
            )
    return ""


WORDS = Words(
    move=move,
    news=news,
    choose=choose,
    score=score,
    why=why,
    panels={"hand": "Numbers left", "challenged": None, "bid": "Secret number"},
)
