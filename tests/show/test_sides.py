"""What each player has at the table, in whole games of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from ninefold import SEATS, SLUGS, State, load
from ninefold.analysis import evaluate
from ninefold.core.cast import Cast
from ninefold.core.seat import Seat
from ninefold.match.kinds import Offer
from ninefold.show.board import draw
from ninefold.show.offers import say_offer
from ninefold.show.sides import preview_moves, side_of
from ninefold.show.values import say_alike

NAMES = ("Ann", "Ben")
LONG = 40  # moves; a game of Pattern Match can go on for ever


def played(game: str, seed: int) -> Iterator[State[Any]]:
    """The positions of a random game."""
    rng = Random(seed)
    state: State[Any] = load(game).set_up({}, rng)
    for _ in range(LONG):
        yield state
        if not state.movers:
            return
        seat = rng.choice(state.movers)
        state = state.play(rng.choice(state.moves(seat)), seat)


@pytest.mark.parametrize("game", SLUGS)
@pytest.mark.parametrize("viewer", [*SEATS, None])
def test_numbers_keep_their_places_and_say_which_are_left(game: str, viewer: Seat | None) -> None:
    start = None
    for state in played(game, seed=3):
        view, cast = state.view(viewer), Cast(NAMES, you=viewer)
        start = start or view
        drawing = draw(state.game, view, cast)
        sides = {seat: side_of(state.game, start, view, drawing, seat, cast) for seat in (*SEATS, None)}
        offered = [token for side in sides.values() for token in side.numbers if token.part]
        assert [token.part for token in offered] == list(drawing.numbers)
        for seat, side in sides.items():
            key = "pool" if seat is None else "hand"
            if start.numbers(key, seat):
                assert tuple(token.number for token in side.numbers) == start.numbers(key, seat)
                left = {token.number for token in side.numbers if token.left}
                assert left == set(view.numbers(key, seat))
            assert side.open == any(token.part for token in side.numbers)
            secret = [token.number for token in side.numbers if token.secret]
            assert not secret or (seat is viewer and secret == [view.number("secret", seat)])
            assert all(bool(panel.name) == (seat is not None) for panel in side.panels)


@pytest.mark.parametrize("game", SLUGS)
def test_a_move_looks_beforehand_as_it_will_look(game: str) -> None:
    for state in played(game, seed=5):
        for seat in state.movers:
            cast = Cast(NAMES, you=seat)
            drawing = draw(state.game, state.view(seat), cast)
            found = preview_moves(state, seat, drawing, cast)
            direct = {
                id: part
                for id, part in drawing.parts.items()
                if len(part.moves) == 1 and not part.numbers
            }
            assert found.keys() == direct.keys()
            for id, part in direct.items():
                then = draw(state.game, state.play(part.moves[0], seat).view(seat), cast).parts[id]
                assert (found[id].text, found[id].mark) == (then.text, then.mark)


@pytest.mark.parametrize("game", SLUGS)
def test_what_a_move_gains_is_told_beforehand(game: str) -> None:
    for state in played(game, seed=6):
        for seat in state.movers:
            cast = Cast(NAMES, you=seat)
            drawing = draw(state.game, state.view(seat), cast)
            for id, one in preview_moves(state, seat, drawing, cast).items():
                (move,) = drawing.parts[id].moves
                score = state.play(move, seat).view(seat).number("score", seat)
                assert one.gain == score - state.view(seat).number("score", seat)
                assert one.says.endswith(f" makes you {score}.") == bool(one.gain)


def test_cells_of_claimed_lines_have_their_owners_marks() -> None:
    state = load("cross").start(grid="164597238")
    for move in ("Row2", "Row3", "Col3"):
        state = state.play(move)
    rows = draw(state.game, state.view(Seat.FIRST), Cast(NAMES, you=Seat.FIRST)).grids[0].rows
    assert [[(one.across, one.down) for one in row] for row in rows] == [
        [("", ""), ("", ""), ("", "X")],
        [("X", ""), ("X", ""), ("X", "X")],
        [("O", ""), ("O", ""), ("O", "X")],
    ]


def test_offers_are_said_to_whoever_reads_them() -> None:
    ann, ben = Cast(NAMES, you=Seat.FIRST), Cast(NAMES, you=Seat.SECOND)
    first = Seat.FIRST
    assert say_offer(Offer.TAKEBACK, first, ben) == "Ann wants to take back their last turn."
    assert (
        say_offer(Offer.TAKEBACK, first, ann) == "You want to take back your last turn. Ben has to agree."
    )
    assert say_offer(Offer.STOP, first, ben) == "Ann offers to stop, and nobody wins. Do you agree?"
    assert say_offer(Offer.STOP, first, ann) == "You offer to stop, and nobody wins. Ben has to agree."
    assert say_offer(Offer.REMATCH, first, ben) == "Ann offers a rematch with the sides swapped."
    assert say_offer(Offer.REMATCH, first, ann) == (
        "You offer a rematch with the sides swapped. Ben has to agree."
    )


def test_that_all_moves_are_equal_is_said_once_and_only_where_it_is_true() -> None:
    cast = Cast(NAMES)
    choices = list(evaluate(load("pattern").start()).choices)
    assert len({choice.value for choice in choices}) > 1
    assert say_alike(choices, cast) == ""
    same = [choice for choice in choices if choice.value == choices[0].value]
    assert say_alike(same, cast).startswith(f"All {len(same)} moves are equally good")
    assert say_alike(same[:1], cast) == ""
