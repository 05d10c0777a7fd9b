"""Every fact that a hint can state is checked against the position, through the rules and `evaluate`.

The checks share no code with study/facts.py: lines are found by looking at views, values by playing the
move and evaluating what follows. They go both ways: a fact is stated exactly if it holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Any

import pytest

import ninefold
from ninefold import Seat, State
from ninefold.analysis import Value, evaluate
from ninefold.core.grid import LINES
from ninefold.core.view import View
from ninefold.study.facts import (
    Blocks,
    Completes,
    Fact,
    Forced,
    Gains,
    GivesAway,
    HoldsOutLongest,
    LeadsTo,
    LosesByLeast,
    Mixture,
    NoDifference,
    OnlyMove,
    Safe,
    StillWin,
    Threatens,
    find_facts,
)
from ninefold.study.hints import find_hint
from tests.setups import Setup, every_table

POSITIONS, MOVES = 40, 6  # of each setup, and how many moves are looked at in each position

few_or_many = pytest.mark.parametrize("count", [15, pytest.param(100, marks=pytest.mark.long)])


def sample(slug: str, setup: Setup) -> Iterator[tuple[State[Any], Seat]]:
    """Positions of random games, with each seat that has to choose."""
    rng = Random(f"{slug} {setup}")
    while True:
        state = ninefold.load(slug).set_up(setup)
        for _ in range(30):
            if not state.movers:
                break
            for seat in state.movers:
                yield state, seat
            seat = state.movers[0]
            state = state.play(rng.choice(state.moves(seat)), seat)


def chance(value: Value, seat: Seat) -> Fraction:
    first = Fraction(1, 2) if value.first_wins is None else value.first_wins
    return 1 - first if seat else first


def value_after(state: State[Any], seat: Seat, move: Any) -> Value:
    """What a move leads to: by playing it, or where it stays secret, as its position says."""
    if state.secret:
        return next(c.value for c in evaluate(state).choices if c.seat is seat and c.move == move)
    return evaluate(state.play(move, seat)).value


def one(facts: tuple[Fact, ...], kind: type) -> Any:
    found = [fact for fact in facts if isinstance(fact, kind)]
    assert len(found) <= 1
    return found[0] if found else None


def completable(view: View, seat: Seat) -> set[tuple[tuple[int, ...], int, int]]:
    """Lines with two numbers of a seat's whose gap a number at hand would fill: line, gap, number."""
    total = view.setup.get("target", 15)
    at_hand = view.numbers("hand", seat) or view.numbers("pool")
    board = view.boards[seat if len(view.boards) > 1 else 0]
    found: set[tuple[tuple[int, ...], int, int]] = set()
    for line in LINES:
        cells = [board.cells[cell] for cell in line.cells]
        gaps = [cell for cell in line.cells if board.cells[cell].number is None]
        held = [cell.number or 0 for cell in cells if cell.owner is seat]
        if len(gaps) == 1 and len(held) == 2 and int(total) - sum(held) in at_hand:
            found.add((line.cells, gaps[0], int(total) - sum(held)))
    return found


def said(fact: Blocks | Threatens | None) -> set[tuple[tuple[int, ...], int, int]]:
    return {(t.line.cells, t.gap, t.needed) for t in fact.threats} if fact else set()


@few_or_many
@every_table
def test_what_a_move_is_said_to_do_is_what_it_does(slug: str, setup: Setup, count: int) -> None:
    rng = Random(slug)
    for state, seat in islice(sample(slug, setup), count):
        legal = state.moves(seat)
        gain = {m: _score(state.play(m, seat), seat) - _score(state, seat) for m in legal}
        for move in rng.sample(legal, min(len(legal), MOVES)):
            facts = find_facts(state, seat, move)
            if state.secret:
                assert not any(isinstance(f, Completes | Blocks | Threatens | Gains) for f in facts)
                continue
            before, later = state.view(seat), state.play(move, seat)
            after = later.view(seat)
            completes = one(facts, Completes)
            if completes is not None:
                assert later.outcome is not None
                assert (later.outcome.winner, later.outcome.detail) == (seat, completes.line)
                board = after.boards[seat if len(after.boards) > 1 else 0]
                numbers = tuple(board.cells[cell].number for cell in completes.line.line.cells)
                assert numbers == completes.line.numbers
                assert sum(completes.line.numbers) == state.setup.get("target", 15)
                continue
            assert later.outcome is None or later.outcome.reason != "line"
            if before.phase == "placing":
                theirs, mine = seat.other, seat
                gone = completable(before, theirs) - completable(after, theirs)
                new = completable(after, mine) - completable(before, mine)
                assert said(one(facts, Blocks)) == gone
                assert said(one(facts, Threatens)) == (new if later.outcome is None else set())
            else:
                assert one(facts, Blocks) is one(facts, Threatens) is None
            gains = one(facts, Gains)
            assert (gains.amount if gains else 0) == gain[move]
            if gains:
                assert gains.most == (gain[move] == max(gain.values()))


def _score(state: State[Any], seat: Seat) -> int:
    return state.view(seat).number("score", seat)


@few_or_many
@every_table
def test_what_a_move_is_said_to_be_worth_is_what_it_is_worth(slug: str, setup: Setup, count: int) -> None:
    rng = Random(slug)
    for state, seat in islice(sample(slug, setup), count):
        legal = state.moves(seat)
        values = {move: value_after(state, seat, move) for move in legal}
        chances = {move: chance(value, seat) for move, value in values.items()}
        best = max(chances.values())
        for move in rng.sample(legal, min(len(legal), MOVES)):
            facts = find_facts(state, seat, move)
            assert one(facts, LeadsTo).value == values[move]
            gives = one(facts, GivesAway)
            assert (gives.chance if gives else 0) == best - chances[move]
            assert (one(facts, Forced) is not None) == (len(legal) == 1)
            equal = len(legal) > 1 and len(set(values.values())) == 1
            mixed = state.secret and 0 < best < 1
            assert (one(facts, NoDifference) is not None) == (equal and not mixed)
            only = len(legal) > 1 and [m for m in legal if chances[m] == best] == [move] and not equal
            assert (one(facts, OnlyMove) is not None) == only
            lost = best == 0 and len(legal) > 1 and not equal and not gives
            later = {m: (value.plies or 0, _lead(value, seat)) for m, value in values.items()}
            most, least = max(later.values()), min(later.values())
            consoles = lost and later[move] == most
            assert (one(facts, HoldsOutLongest) is not None) == (consoles and most[0] > least[0])
            assert (one(facts, LosesByLeast) is not None) == (consoles and most[0] == least[0])


def _lead(value: Value, seat: Seat) -> int:
    margin = value.margin or 0
    return -margin if seat else margin


def settled(state: State[Any], seat: Seat, mine: Any, theirs: Any) -> Fraction:
    """A seat's chance once both have chosen."""
    return chance(evaluate(state.play(mine, seat).play(theirs, seat.other)).value, seat)


@every_table
def test_mixtures_and_safe_numbers_keep_the_value_against_every_reply(slug: str, setup: Setup) -> None:
    for state, seat in islice(sample(slug, setup), 4 * POSITIONS):
        if not state.secret or len(state.movers) < 2:
            continue
        value = chance(evaluate(state).value, seat)
        for move in state.moves(seat):
            facts = find_facts(state, seat, move)
            if one(facts, Safe):
                for reply in state.moves(seat.other):
                    assert settled(state, seat, move, reply) >= value
            if mixture := one(facts, Mixture):
                assert sum(part for _, part in mixture.shares) == 1
                assert min(part for _, part in mixture.shares) > 0
                for reply in state.moves(seat.other):
                    expected = sum(part * settled(state, seat, m, reply) for m, part in mixture.shares)
                    assert expected >= value


@every_table
def test_a_hint_is_a_move_that_gives_nothing_away(slug: str, setup: Setup) -> None:
    for state, seat in islice(sample(slug, setup), POSITIONS):
        hint = find_hint(state, seat)
        assert hint.seat is seat
        assert hint.move in state.moves(seat)
        assert one(hint.facts, GivesAway) is None
        if state.secret:
            mix = {c.move: c.mix for c in evaluate(state).choices if c.seat is seat}
            assert mix[hint.move]


def count_winning(state: State[Any], seat: Seat, move: Any) -> tuple[int, int]:
    """How many of the opponent's replies to a move win, and how many there are, played by the rules."""
    later, other = state.open_state.play(move, seat), seat.other
    if other not in later.movers:
        return 0, 0

    def wins(reply: Any) -> bool:
        settled = later.play(reply, other)
        ends = [settled]
        if later.secret and seat in later.movers:  # the reply is secret, too: it has to win against all
            ends = [settled.play(mine, seat) for mine in later.moves(seat)]
        return all(chance(evaluate(end).value, other) == 1 for end in ends)

    replies = later.moves(other)
    return sum(map(wins, replies)), len(replies)


@few_or_many
@every_table
def test_where_every_move_loses_the_hint_holds_out_and_leaves_few_winning_replies(
    slug: str, setup: Setup, count: int
) -> None:
    rng = Random(slug)
    for state, seat in islice(sample(slug, setup), count):
        legal = state.moves(seat)
        if len(legal) > 50:
            continue  # the positions with few moves are enough, and soon compared
        values = {move: value_after(state, seat, move) for move in legal}
        hint = find_hint(state, seat)
        lost = all(chance(value, seat) == 0 for value in values.values())
        winning, replies = count_winning(state, seat, hint.move)
        still = StillWin(winning, replies) if lost and replies else None
        assert one(hint.facts, StillWin) == still
        if not lost:
            continue
        later = {move: (value.plies or 0, _lead(value, seat)) for move, value in values.items()}
        assert later[hint.move] == max(later.values())
        as_long = [move for move in legal if later[move] == later[hint.move]]
        if replies and not state.secret:
            for move in rng.sample(as_long, min(len(as_long), MOVES)):
                other, all_replies = count_winning(state, seat, move)
                assert other * replies >= winning * all_replies


def test_the_most_there_is_is_the_most_there_is() -> None:
    """Lines of 16 are free here, and a line of 15 is as good as they are."""
    state = ninefold.load("cross").start(grid="348572916").play("Row2").play("Col1")
    gains = one(find_facts(state, Seat.FIRST, state.game.parse("Row1")), Gains)
    assert gains == Gains(15, most=False)


def test_a_hint_does_not_look_at_a_number_that_is_still_secret() -> None:
    start = ninefold.load("conquest").start().play("claim:5").play("challenge:5")
    for bidder in (Seat.FIRST, Seat.SECOND):
        hints = {find_hint(start.play(bid, bidder), bidder.other) for bid in start.moves(bidder)}
        assert hints == {find_hint(start, bidder.other)}


@pytest.mark.parametrize("slug", ["shadow", "pattern"])
def test_threats_are_exactly_the_moves_that_would_win_at_once(slug: str) -> None:
    rng = Random(9)
    for _ in range(60):
        state = ninefold.load(slug).start(rng=rng)
        while state.movers and state.view(state.movers[0]).phase == "placing":
            wins = {
                (move.number, move.cell)
                for move in state.moves()
                if (outcome := state.play(move).outcome) and outcome.reason == "line"
            }
            threats = state.threats(state.movers[0])
            assert {(threat.needed, threat.gap) for threat in threats} == wins
            state = state.play(rng.choice(state.moves()))
