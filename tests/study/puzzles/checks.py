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
from ninefold.study.puzzles.tasks import Amount, Mix


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
    if puzzle.task is not Task.LAST:
        assert state.outcome is None
        assert puzzle.seat in state.movers
    assert not state.dead
    assert not state.pending
    assert 1 <= puzzle.grade <= 9
    {
        Task.WIN: check_win,
        Task.SAVE: check_save,
        Task.LOSE: check_lose,
        Task.MIX: check_mix,
        Task.SHARES: check_shares,
        Task.CHANCE: check_chance,
        Task.KIND: check_kind,
        Task.COUNT: check_count,
        Task.LEAST: check_least,
        Task.HEAD_START: check_head_start,
        Task.LAST: check_last,
    }[puzzle.task](puzzle, state)
    check_themes(puzzle, state)


def check_win(puzzle: Puzzle, state: State[Any]) -> None:
    """Only one move wins; the line goes on until the win is on the board, or until any move wins."""
    seat, line = puzzle.seat, list(puzzle.solution)
    assert list(puzzle.answers) == [move for move in state.moves(seat) if wins(state, seat, move)]
    assert len({kind(move) for move in puzzle.answers}) == 1
    assert len(puzzle.answers) < len(state.moves(seat))
    chances = {n: Fraction(1) for n in range(1, 10)}
    while state.outcome is None:
        if seat in state.movers:
            right = [move for move in state.moves(seat) if wins(state, seat, move)]
            if len(right) == len(state.moves(seat)):
                break
            assert right
            for n in chances:
                chances[n] *= sighted(state, seat, n, right)
        state = follow(state, seat, line)
    assert not line
    assert state.outcome is None or state.outcome.winner is seat
    assert {n: chances[n] for n in puzzle.chances} == puzzle.chances
    assert next(n for n in chances if chances[n] >= Fraction(1, 2)) == puzzle.grade == max(puzzle.chances)


def hold_out(state: State[Any], seat: Seat) -> tuple[Fraction, int, int]:
    """How good a position is for a seat that defends: by value, then by margin, then by length."""
    value = evaluate(state).value
    margin = value.margin or 0
    pace = 0 if value.plies is None else value.plies * (-1 if chance(value, seat) else 1)
    return chance(value, seat), -margin if seat else margin, pace


def follow(state: State[Any], seat: Seat, line: list[Move]) -> State[Any]:
    """Play the line on by a move or two bids; the opponent's must be the strongest."""
    if state.secret:
        moves = {mover: line.pop(0) for mover in state.movers}
        assert wins(state, seat, moves[seat])
        found = {r: after_both(state, seat, moves[seat], r) for r in state.moves(seat.other)}
        move = moves[seat.other]
    else:
        found = {move: state.play(move) for move in state.moves()}
        move = line.pop(0)
        if seat in state.movers:
            assert wins(state, seat, move)
            return found[move]
    strongest = max(hold_out(one, seat.other) for one in found.values())
    assert hold_out(found[move], seat.other) == strongest
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
    chances = {n: sighted(state, seat, n, keep) for n in puzzle.chances}
    assert chances == puzzle.chances
    assert [n for n in chances if chances[n] * 2 >= 1] == [puzzle.grade] == [max(chances)]


def check_lose(puzzle: Puzzle, state: State[Any]) -> None:
    """One move loses, whatever follows it; it takes a sight of the grade to see that."""
    seat = puzzle.seat
    values = {move: evaluate(state.play(move)).value for move in state.moves()}
    losing = [move for move, value in values.items() if chance(value, seat) == 0]
    assert list(puzzle.answers) == losing
    assert len({kind(move) for move in losing}) == 1
    assert all(
        chance(value, seat) >= Fraction(1, 100) for move, value in values.items() if move not in losing
    )
    plies = values[losing[0]].plies
    assert plies is not None
    assert next(n for n in range(1, 10) if plies + 1 <= 2 * n) == puzzle.grade
    assert puzzle.solution[0] == losing[0]
    assert chance(evaluate(state.game.sequence(state, puzzle.solution)).value, seat) == 0


def payoffs(state: State[Any], seat: Seat) -> list[list[Fraction]]:
    own, replies = state.moves(seat), state.moves(seat.other)
    return [[chance(evaluate(after_both(state, seat, a, b)).value, seat) for b in replies] for a in own]


def left_in(state: State[Any]) -> int:
    """Half the moves that a game of Grid Conquest can still take, the two numbers counted as one."""
    view = state.view(None)
    empty = sum(cell.owner is None for cell in view.boards[0].cells)
    numbers = len(view.numbers("hand", SEATS[0]))
    return min(max((empty + 2 * numbers - state.secret) // 2, 1), 9)


def check_shares(puzzle: Puzzle, state: State[Any]) -> None:
    """One mixture guarantees the value, and the others at least a point less."""
    seat, matrix = puzzle.seat, payoffs(state, puzzle.seat)
    value = chance(evaluate(state).value, seat)
    assert [one.key for one in puzzle.options] == ["a", "b", "c"]
    sure = []
    for option in puzzle.options:
        shares = dict(option.shares)
        assert sum(shares.values()) == 1
        row = [shares.get(move, Fraction(0)) for move in state.moves(seat)]
        columns = range(len(matrix[0]))
        sure.append(min(sum(p * line[k] for p, line in zip(row, matrix, strict=True)) for k in columns))
    assert 0 < value < 1
    assert max(sure) == value
    assert sorted(sure)[-2] <= value - Fraction(1, 100)
    assert puzzle.answers == (puzzle.options[sure.index(value)],)
    assert puzzle.grade == left_in(state)


def check_chance(puzzle: Puzzle, state: State[Any]) -> None:
    percent = 100 * chance(evaluate(state).value, puzzle.seat)
    (answer,) = (int(str(one)) for one in puzzle.answers)
    assert 0 < percent < 100
    assert answer in range(0, 101, 10)
    assert abs(percent - answer) <= 4
    assert puzzle.grade == left_in(state)


def check_kind(puzzle: Puzzle, state: State[Any]) -> None:
    by_kind: dict[str, Fraction] = {}
    for move in state.moves():
        value = chance(evaluate(state.play(move)).value, puzzle.seat)
        by_kind[kind(move)] = max(value, by_kind.get(kind(move), value))
    (low, least), (high, most) = sorted(by_kind.items(), key=lambda pair: pair[1])
    assert [one.key for one in puzzle.options] == [*sorted((low, high)), "either"]
    assert most - least >= Fraction(1, 100) or (most == least and 0 < most < 1)
    assert [str(one) for one in puzzle.answers] == ["either" if most == least else high]
    assert puzzle.grade == left_in(state)


def check_mix(puzzle: Puzzle, state: State[Any]) -> None:
    """The mixture's numbers, and that it is the only one, by trying every square of the matrix.

    The corners of the set of optimal mixtures are among the solutions of its square parts (Shapley and
    Snow), so one corner means one mixture.
    """
    seat = puzzle.seat
    own, replies = state.moves(seat), state.moves(seat.other)
    matrix = payoffs(state, seat)
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
    assert puzzle.grade == left_in(state)
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
    assert puzzle.answers == (Amount((first - second) * (-1 if puzzle.seat else 1)),)


def leads(state: State[Any], seat: Seat, ahead: int) -> bool:
    """Whether a seat that is given so many points can force the larger sum; the second wins ties."""
    if state.outcome is not None:
        own = scores(state)[seat] + ahead
        return own > scores(state)[seat.other] or (own == scores(state)[seat.other] and seat == SEATS[1])
    ends = (leads(state.play(move), seat, ahead) for move in state.moves())
    return any(ends) if state.movers == (seat,) else all(ends)


def check_head_start(puzzle: Puzzle, state: State[Any]) -> None:
    """So many points are enough and one less is not, by a search through the rules alone."""
    (answer,) = (int(str(one)) for one in puzzle.answers)
    assert answer > 0
    assert leads(state, puzzle.seat, answer)
    assert not leads(state, puzzle.seat, answer - 1)
    assert puzzle.grade == len(state.moves())
    assert state.game.sequence(state, puzzle.solution).outcome is not None


def check_last(puzzle: Puzzle, state: State[Any]) -> None:
    """The loser could hold the game before the answer, and never after it."""
    seat = puzzle.seat
    assert state.outcome is not None
    assert state.outcome.winner is seat.other
    start = state.game.set_up(puzzle.setup)
    states = state.game.positions(start, puzzle.moves)
    held = [chance(evaluate(one).value, seat) > 0 for one in states]
    (answer,) = (int(str(one)) for one in puzzle.answers)
    assert held[answer - 1]
    assert not any(held[answer:])
    own = [
        n
        for n in range(1, len(states))
        if states[n - 1].movers == (seat,) and len(states[n - 1].moves()) > 1
    ]
    assert [str(one) for one in puzzle.options] == [str(n) for n in own[-4:]]
    assert len(puzzle.options) > 2
    assert puzzle.grade == min(len(puzzle.moves), 9)


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
    end = state.game.sequence(state, puzzle.solution)
    if evaluate(end).margin == 0:
        expected.add(Theme.TIE_BREAK)
    if puzzle.task is Task.KIND or state.secret:
        expected |= {Theme.TIE_BREAK} & {*puzzle.themes}  # only the end of the game tells
    if puzzle.task is Task.KIND and str(puzzle.answers[0]) == "challenge":
        expected |= {Theme.CHALLENGE, Theme.NOT_GREEDY}  # a claim gains a cell at once
        if len(state.view(seat).numbers("hand", seat)) == 1:
            expected.add(Theme.LAST_NUMBER)
    if puzzle.task in (Task.WIN, Task.SAVE):
        answer = puzzle.answers[0]
        book = state.game.base or puzzle.game
        if book == "pattern" and len(puzzle.moves) == 8:
            expected.add(Theme.LAST_NUMBER)
        if not state.secret:
            points = {move: scores(state.play(move))[seat] for move in state.moves()}
            if all(points[one] < max(points.values()) for one in puzzle.answers):
                expected.add(Theme.NOT_GREEDY)
        at_end = max(value.plies or 0 for value in ends(state, seat, answer)) == 0
        if at_end and wins(state, seat, answer):
            expected.add(Theme.AT_ONCE)
        elif book in ("shadow", "pattern"):
            after = state.play(answer)
            replied = [after.play(reply) for reply in after.moves()]
            threatened = any(wins_next(state.play(move), other) for move in state.moves())
            if threatened and not wins_next(after, other):
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
