"""Puzzles proven again, by computations that share no code with study/puzzles.

Values come from `evaluate`, or for a sample from a search through the rules alone.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any

from ninefold import SEATS, Seat, State
from ninefold.analysis import Value, evaluate
from ninefold.core.move import Move
from ninefold.study.puzzles import Puzzle, Task, Theme
from ninefold.study.puzzles.tasks import Margin, Mix


def chance(value: Value, seat: Seat) -> Fraction:
    first = Fraction(1, 2) if value.first_wins is None else value.first_wins
    return 1 - first if seat else first


def kind(move: object) -> str:
    """Claims that differ only in the cell are one move, challenges likewise."""
    text = str(move)
    return text.partition(":")[0] if text.startswith("c") and ":" in text else text


def after_both(state: State[Any], seat: Seat, own: Any, reply: Any) -> State[Any]:
    for mover in state.movers:
        state = state.play(own if mover is seat else reply, mover)
    return state


@lru_cache(maxsize=10_000)
def ends(state: State[Any], seat: Seat, move: Any) -> list[Value]:
    """What a move leads to: one value, or for a secret number one for each reply; its own ply counted."""
    if state.secret:
        found = [after_both(state, seat, move, reply) for reply in state.moves(seat.other)]
    else:
        found = [state.play(move, seat)]
    return [evaluate(one).value for one in found]


def wins(state: State[Any], seat: Seat, move: Any) -> bool:
    return all(chance(value, seat) == 1 for value in ends(state, seat, move))


def texts_of(puzzle: Puzzle) -> tuple[str, str]:
    """The moves and the answers, as they are written."""
    return " ".join(map(str, puzzle.moves)), " ".join(map(str, puzzle.answers))


def check(puzzle: Puzzle) -> None:
    state = puzzle.state
    assert state.outcome is None
    assert not state.dead
    assert not state.pending
    assert puzzle.seat in state.movers
    assert 1 <= puzzle.grade <= 9
    {
        Task.WIN: check_win,
        Task.SAVE: check_save,
        Task.MIX: check_mix,
        Task.COUNT: check_count,
        Task.LEAST: check_least,
    }[puzzle.task](puzzle, state)
    check_themes(puzzle, state)


def check_win(puzzle: Puzzle, state: State[Any]) -> None:
    seat, line = puzzle.seat, list(puzzle.solution)
    assert list(puzzle.answers) == [move for move in state.moves(seat) if wins(state, seat, move)]
    assert len(puzzle.answers) < len(state.moves(seat))
    chances = {n: Fraction(1) for n in range(1, 10)}
    while True:
        if state.outcome is not None:
            assert state.outcome.winner is seat
            assert not line
            break
        if seat in state.movers:
            right = [move for move in state.moves(seat) if wins(state, seat, move)]
            if len({kind(move) for move in right}) > 1:
                assert not line
                break
            for n in chances:
                chances[n] *= sighted(state, seat, n, right)
        state = follow(state, seat, line)
    assert {n: chances[n] for n in puzzle.chances} == puzzle.chances
    assert next(n for n in chances if chances[n] >= Fraction(1, 2)) == puzzle.grade == max(puzzle.chances)


def follow(state: State[Any], seat: Seat, line: list[Move]) -> State[Any]:
    """Play the line on by a move or two bids; the opponent's must delay longest, and first in order."""
    if state.secret:
        moves = {mover: line.pop(0) for mover in state.movers}
        assert wins(state, seat, moves[seat])
        found = {r: after_both(state, seat, moves[seat], r) for r in state.moves(seat.other)}
        move = moves[seat.other]
    else:
        found = {move: state.play(move) for move in state.moves()}
        move = line.pop(0)
        if seat in state.movers:
            return found[move]
    longest = max(evaluate(one).plies or 0 for one in found.values())
    assert move == next(reply for reply, one in found.items() if (evaluate(one).plies or 0) == longest)
    return found[move]


def sighted(state: State[Any], seat: Seat, n: int, right: list[Any]) -> Fraction:
    """The chance that a player who sees 2n moves makes one of the right ones."""
    seen: Counter[str] = Counter()
    by_end: dict[str, list[Any]] = {"won": [], "open": [], "lost": []}
    for move in state.moves(seat):
        made = 2 if state.secret else 1
        values = ends(state, seat, move)
        near = [value.plies is not None and value.plies + made <= 2 * n for value in values]
        won = [ok and chance(v, seat) == 1 for ok, v in zip(near, values, strict=True)]
        lost = [ok and chance(v, seat) == 0 for ok, v in zip(near, values, strict=True)]
        by_end["won" if all(won) else "lost" if any(lost) else "open"].append(move)
    among = by_end["won"] or by_end["open"] or by_end["lost"]
    seen.update(str(move) for move in among)
    return Fraction(sum(seen[str(move)] for move in right), len(among))


def check_save(puzzle: Puzzle, state: State[Any]) -> None:
    seat = puzzle.seat
    by_move = {move: chance(evaluate(state.play(move)).value, seat) for move in state.moves()}
    best = max(by_move.values())
    keep = [move for move, here in by_move.items() if here == best]
    assert 0 < best < 1
    assert list(puzzle.answers) == keep
    assert len({kind(move) for move in keep}) == 1
    assert puzzle.solution == puzzle.answers[:1]
    if puzzle.game == "conquest":
        lost = best - max(here for here in by_move.values() if here != best)
        fits = [n for n in range(1, 10) if lost >= Fraction(1, 2**n)]
        assert puzzle.grade == (fits[0] if fits else 9)
        assert not puzzle.chances
    else:
        chances = {n: sighted(state, seat, n, keep) for n in puzzle.chances}
        assert chances == puzzle.chances
        assert [n for n in chances if chances[n] * 2 >= 1] == [puzzle.grade] == [max(chances)]


def check_mix(puzzle: Puzzle, state: State[Any]) -> None:
    """The mixture's numbers, and that it is the only one, by trying every square of the matrix.

    The corners of the set of optimal mixtures are among the solutions of its square parts (Shapley and
    Snow), so one corner means one mixture.
    """
    seat = puzzle.seat
    own, replies = state.moves(seat), state.moves(seat.other)
    matrix = [[chance(evaluate(after_both(state, seat, a, b)).value, seat) for b in replies] for a in own]
    value = chance(evaluate(state).value, seat)
    corners = {
        mix
        for size in range(1, len(own) + 1)
        for rows in combinations(range(len(own)), size)
        for columns in combinations(range(len(replies)), size)
        if (mix := equalizing(matrix, rows, columns, len(own)))
        and all(sum(p * row[j] for p, row in zip(mix, matrix, strict=True)) >= value for j in columns)
        and min(sum(p * row[j] for p, row in zip(mix, matrix, strict=True)) for j in range(len(replies)))
        == value
    }
    assert 0 < value < 1
    assert len(corners) == 1
    (mix,) = corners
    used = tuple(move for move, part in zip(own, mix, strict=True) if part)
    assert puzzle.answers == (Mix(used),)
    assert puzzle.grade == len(own) + len(used) - 2
    assert len(used) < len(own)


def equalizing(
    matrix: list[list[Fraction]], rows: tuple[int, ...], columns: tuple[int, ...], count: int
) -> tuple[Fraction, ...] | None:
    """The mixture of some rows that brings the same in all these columns, if there is exactly one."""
    size = len(rows)
    equations = [[*(matrix[i][j] for i in rows), Fraction(-1), Fraction(0)] for j in columns]
    equations.append([*[Fraction(1)] * size, Fraction(0), Fraction(1)])
    for k in range(size + 1):
        pivot = next((row for row in equations[k:] if row[k]), None)
        if pivot is None:
            return None
        equations.remove(pivot)
        equations.insert(k, [entry / pivot[k] for entry in pivot])
        for other in range(size + 1):
            if other != k:
                factor = equations[other][k]
                equations[other] = [
                    a - factor * b for a, b in zip(equations[other], equations[k], strict=True)
                ]
    parts = [row[-1] for row in equations[:size]]
    if min(parts) < 0:
        return None
    mix = [Fraction(0)] * count
    for i, part in zip(rows, parts, strict=True):
        mix[i] = part
    return tuple(mix)


def scores(state: State[Any]) -> tuple[int, int]:
    view = state.view(None)
    return view.number("score", SEATS[0]), view.number("score", SEATS[1])


def check_count(puzzle: Puzzle, state: State[Any]) -> None:
    """Both always take the largest, counted by hand."""
    assert puzzle.grade == len(state.moves())
    end = state.game.sequence(state, puzzle.solution)
    while state.outcome is None:
        seat = state.movers[0]
        state = max((state.play(move) for move in state.moves()), key=lambda one: scores(one)[seat])
    first, second = scores(state)
    assert scores(end) == (first, second)
    assert end.outcome is not None
    assert puzzle.answers == (Margin(end.outcome.winner, abs(first - second)),)


def check_least(puzzle: Puzzle, state: State[Any]) -> None:
    seat = puzzle.seat
    sizes = {move: scores(state.play(move))[seat] for move in state.moves()}
    winning = [move for move in state.moves() if wins(state, seat, move)]
    smallest = min(sizes[move] for move in winning)
    assert list(puzzle.answers) == [move for move in winning if sizes[move] == smallest]
    assert len({sizes[move] for move in winning}) > 1
    assert len(winning) < len(sizes)
    assert puzzle.grade == len(sizes)


def wins_next(state: State[Any], seat: Seat) -> bool:
    ends = [state.play(move).outcome for move in state.moves(seat)]
    return any(end is not None and end.winner is seat for end in ends)


def check_themes(puzzle: Puzzle, state: State[Any]) -> None:
    """Each theme holds exactly if it is stated."""
    seat, other = puzzle.seat, puzzle.seat.other
    expected = set()
    if puzzle.solution:
        end = state.game.sequence(state, puzzle.solution)
        reason = "" if end.outcome is None else str(end.outcome.reason)
        if reason in ("tie", "unused", "spent") or evaluate(end).margin == 0:
            expected.add(Theme.TIE_BREAK)
    if puzzle.task in (Task.WIN, Task.SAVE):
        answer = puzzle.answers[0]
        hand = state.view(seat).numbers("hand", seat) if puzzle.game == "conquest" else (1, 2)
        if str(answer).startswith("challenge"):
            expected.add(Theme.CHALLENGE)
            if len(hand) == 1:
                expected.add(Theme.LAST_NUMBER)
        if puzzle.game == "pattern" and len(puzzle.moves) == 8:
            expected.add(Theme.LAST_NUMBER)
        if str(answer).startswith("challenge") and any(str(m).startswith("claim") for m in state.moves()):
            expected.add(Theme.NOT_GREEDY)  # a claim gains a cell at once
        if not state.secret:
            points = {move: scores(state.play(move))[seat] for move in state.moves()}
            if all(points[one] < max(points.values()) for one in puzzle.answers):
                expected.add(Theme.NOT_GREEDY)
        at_end = max(value.plies or 0 for value in ends(state, seat, answer)) == 0
        if at_end and wins(state, seat, answer):
            expected.add(Theme.AT_ONCE)
        elif puzzle.game in ("shadow", "pattern"):
            after = state.play(answer)
            replied = [after.play(reply) for reply in after.moves()]
            if any(wins_next(state.play(move), other) for move in state.moves()) and (
                puzzle.game == "shadow" or len(puzzle.moves) < 9
            ):
                expected.add(Theme.BLOCK)
            elif not any(wins_next(one, seat) for one in replied):
                expected.add(Theme.QUIET)
            if len(puzzle.moves) < 9 and all(wins_next(one, seat) for one in replied):
                expected.add(Theme.DOUBLE)
    assert set(puzzle.themes) == expected, (puzzle.themes, expected)


class Search:
    """Who can force a win within so many moves, through the rules alone: nothing of `analysis`."""

    def __init__(self) -> None:
        self.known: dict[tuple[State[Any], Seat, int], bool] = {}

    def forces(self, state: State[Any], seat: Seat, plies: int) -> bool:
        if state.outcome is not None:
            return state.outcome.winner is seat
        if plies <= 0:
            return False
        asked = (state, seat, plies)
        if asked not in self.known:
            self.known[asked] = self._forces(state, seat, plies)
        return self.known[asked]

    def _forces(self, state: State[Any], seat: Seat, plies: int) -> bool:
        if state.secret:
            own, replies = state.moves(seat), state.moves(seat.other)
            return any(
                all(self.forces(after_both(state, seat, a, b), seat, plies - 2) for b in replies)
                for a in own
            )
        mover = state.movers[0]
        later = (self.forces(state.after(m, mover), seat, plies - 1) for m in state.moves(mover))
        return any(later) if mover is seat else all(later)

    def winning(self, state: State[Any], seat: Seat, plies: int) -> list[Move]:
        """The moves that win within so many."""
        if not state.secret:
            moves = state.moves(seat)
            return [m for m in moves if self.forces(state.after(m, seat), seat, plies - 1)]
        replies = state.moves(seat.other)
        return [
            own
            for own in state.moves(seat)
            if all(self.forces(after_both(state, seat, own, r), seat, plies - 2) for r in replies)
        ]
