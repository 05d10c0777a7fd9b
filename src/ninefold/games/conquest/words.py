"""Grid Conquest in our own words."""

from __future__ import annotations

from collections.abc import Mapping

from ninefold.core.cast import Cast
from ninefold.core.outcome import Reason
from ninefold.core.seat import Seat
from ninefold.core.view import View
from ninefold.core.words import Words, pluralize
from ninefold.games.conquest.rules import Bid, Challenge, Claim, ConquestMove, Holdings
from ninefold.games.conquest.view import challenger_of, settled_challenge


def describe(view: View, move: ConquestMove) -> str:
    match move:
        case Claim(cell):
            return f"claim cell {cell}"
        case Challenge(cell):
            return f"challenge cell {cell}"
        case Bid(number):
            return f"the {number}"


def news(before: View, seat: Seat, move: Claim | Challenge, after: View, cast: Cast) -> str:
    if isinstance(move, Claim):
        return f"{cast.subject(seat)} claimed cell {move.cell}."
    return f"{cast.subject(seat)} challenged {cast.whose(seat.other)} cell {move.cell}."


def revealed(before: View, choices: Mapping[Seat, Bid], after: View, cast: Cast) -> str:
    fight = settled_challenge(before, choices, after)
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
    cast = cast.for_reader(seat)  # whoever chooses is addressed, also where somebody else reads it
    opponent, theirs = cast.subject(seat.other), cast.whose(seat.other)
    if view.phase == "bidding":
        if challenger_of(view) is seat:
            return (
                f"You challenge {theirs} cell {view.number('challenged', seat)}. Choose a number in "
                f"secret: it takes the cell if it is higher than {theirs}."
            )
        return (
            f"{opponent} challenges your cell {view.number('challenged', seat.other)}. Choose a number "
            "in secret: a tie keeps the cell."
        )
    if view.phase == "sudden death":
        return (
            "Sudden death: each turn is a challenge until somebody holds more cells. "
            f"Choose one of {theirs} cells."
        )
    if any(isinstance(move, Challenge) for move in view.moves):
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


def row(view: View, move: ConquestMove) -> str:
    return f"the {move.number}" if isinstance(move, Bid) else str(move).replace(":", " ")


def settled(before: View, choices: Mapping[Seat, Bid], after: View) -> str:
    fight = settled_challenge(before, choices, after)
    ours, theirs = fight.spent[fight.challenger], fight.spent[fight.challenger.other]
    return f"{ours} {'beats' if fight.taken else 'ties' if ours == theirs else 'loses to'} {theirs}"


def goal(view: View, cast: Cast) -> str:
    cells = len(view.boards[0].cells)
    if cells % 2:
        return f"Grid full: {cells // 2 + 1} of the {cells} cells win."
    return "More cells win; on a tie, unused numbers decide."


WORDS = Words(
    move=describe,
    row=row,
    settled=settled,
    goal=goal,
    news=news,
    revealed=revealed,
    choose=choose,
    score=score,
    why=why,
    panels={
        "cells": "Cells",
        "hand": "Numbers left",
        "challenged": None,
        "secret": "Secret number",
        "turns": "Next turns",
    },
)
