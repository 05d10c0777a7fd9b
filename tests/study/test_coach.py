"""The coach speaks exactly when something is given away, and what it says is true."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from ninefold import Seat
from ninefold.analysis import Result, evaluate
from ninefold.core.cast import Cast
from ninefold.core.game import Game
from ninefold.core.move import Move
from ninefold.core.state import State
from ninefold.games import every_game, load
from ninefold.match import Match, Player
from ninefold.players import LEVELS, seat_player
from ninefold.show.coach import draw_warning, say_warning, warn_of_move
from ninefold.show.values import points
from ninefold.study.coach import coach_move, find_moments
from ninefold.study.lessons import pose
from ninefold.study.reviews import review_match

CAST = Cast(("You", "Computer"), you=Seat.FIRST)
MOVES = 40  # of a game, at most


def chance(first: Fraction | None, seat: Seat) -> Fraction:
    """A seat's chance; an endless game counts as one half."""
    first = Fraction(1, 2) if first is None else first
    return first if seat is Seat.FIRST else 1 - first


def given_away(state: State[Any], seat: Seat, move: Move) -> Fraction:
    """What a move gives away: of an open move, by the values before and after it."""
    if state.secret:
        worth = {c.move: chance(c.value.first_wins, seat) for c in evaluate(state).choices_of(seat)}
        return max(worth.values()) - worth[move]
    before, after = evaluate(state), evaluate(state.after(move, seat))
    return chance(before.first_wins, seat) - chance(after.first_wins, seat)


def check(game: Game, level: int, seed: int) -> int:
    """Play a game of a level against itself; returns how often the coach spoke."""
    rng = Random(f"{game.slug} {level} {seed}")
    state, spoken = game.set_up({}, rng), 0
    player = seat_player(f"level:{level}", rng)
    assert player is not None
    for _ in range(MOVES):
        if not state.movers or state.dead:
            break
        seat = state.movers[0]
        known = state.open_state
        move = player.choose(known, seat)
        found, lost = coach_move(known, seat, move), given_away(known, seat, move)
        assert (found is not None) == (lost > 0)
        if chance(evaluate(known).first_wins, seat) == 0:
            assert found is None  # nothing could be saved
        if found is not None:
            spoken += 1
            assert found.cost == lost
            warned = say_warning(known, found, CAST.for_reader(seat))
            assert warned.said[0].startswith("Coach: ")
            if known.secret:
                assert warned.path == ()
            else:
                chances = f"lowers your chances by {points(lost)}." in warned.said[0]
                assert chances == (found.value.result is Result.MIXED)
                assert warned.path[0] == move
                shown = game.sequence(known, warned.path)  # the reply leaves no more than was kept
                assert chance(evaluate(shown).first_wins, seat) == chance(found.value.first_wins, seat)
        state = state.after(move, seat)
    return spoken


every_level = pytest.mark.parametrize("level", LEVELS)
each_game = pytest.mark.parametrize("game", every_game(), ids=lambda game: game.slug)


@each_game
def test_it_speaks_exactly_when_value_is_given_away(game: Game) -> None:
    assert sum(check(game, level, 0) for level in (1, 5, 9)) > 0 or game.slug not in ("shadow", "battle")


@pytest.mark.long
@every_level
@each_game
def test_it_speaks_exactly_when_value_is_given_away_in_many_games(game: Game, level: int) -> None:
    for seed in range(50):
        check(game, level, seed)


def test_a_number_of_the_mixture_is_never_a_mistake() -> None:
    """Whatever the numbers turn out to be: that is luck."""
    game = load("conquest")
    state = game.sequence(game.start(size=2), ["claim:1", "challenge:1"])
    for seat in state.movers:
        for choice in evaluate(state).choices_of(seat):
            found = coach_move(state, seat, choice.move)
            assert (found is None) == choice.best


def test_the_moments_of_a_match_are_the_two_costliest_mistakes() -> None:
    game = load("battle")
    match = Match(game.start(grid="792415863"), (Player("Ann", Seat.FIRST), Player("Ben", Seat.SECOND)))
    for move in ("1,1", "2,2", "0,2", "1,0", "0,1", "2,0", "0,0", "1,2", "2,1"):
        match.submit(match.state.movers[0], move)
    found = review_match(match)
    for seat in Seat:
        moments = find_moments(found, seat)
        costs = sorted((one.cost for one in found.moves if one.seat is seat and one.cost), reverse=True)
        assert sorted((one.cost for one in moments), reverse=True) == costs[:2]
        assert [one.number for one in moments] == sorted(one.number for one in moments)


def test_of_a_secret_choice_it_speaks_of_the_mixture_and_shows_no_reply() -> None:
    one = pose(load("conquest"), "ideas", 5)
    state, seat = one.puzzle.state, one.puzzle.seat
    (bad,) = (move for move in state.moves(seat) if move not in one.puzzle.answers)
    found = coach_move(state, seat, bad)
    assert found is not None
    warned = say_warning(state, found, CAST.for_reader(seat))
    assert warned.path == ()
    assert warned.said == [
        "Coach: The 5 lowers your chances by 100 points against best play. Better: the 1."
    ]
    one = pose(load("conquest"), "ideas", 4)
    state, seat = one.puzzle.state, one.puzzle.seat
    found = coach_move(state, seat, state.moves(seat)[1])
    assert found is not None
    assert "Mix your numbers: 1 (50%), 4 (50%)." in say_warning(state, found, CAST).said[0]


def test_what_the_other_has_chosen_in_secret_changes_no_warning() -> None:
    puzzle = pose(load("conquest"), "ideas", 4).puzzle
    seat, seen = puzzle.seat, set()
    for choice in (None, *puzzle.state.moves(seat.other)):
        match = Match(
            load("conquest").set_up(puzzle.setup),
            (Player("You", Seat.FIRST), Player("Computer", Seat.SECOND, "perfect")),
            coach=True,
        )
        for move in puzzle.moves:
            match.submit(match.state.movers[0], move)
        if choice is not None:
            match.submit(seat.other, choice)
        warned = warn_of_move(match, seat, puzzle.state.moves(seat)[1], CAST)
        assert warned is not None
        assert warned.path == ()
        scene = draw_warning(match, warned, seat, CAST)
        seen.add((choice is None, *warned.said, repr(scene.view), repr(scene.drawing)))
    assert len(seen) == 2  # that the other has chosen is no secret
