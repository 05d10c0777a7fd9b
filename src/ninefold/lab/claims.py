"""What the rule books claim, and whether it is true. Every verdict is computed; a game shows it.

A claim is quoted by a few words and its line in the book. Its check looks through all positions where
that can be done, else through many random ones, and the sentence says which.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

from ninefold.analysis import evaluate, search, solver_of
from ninefold.analysis.taking import survey as survey_taking
from ninefold.core.edits import edit_game
from ninefold.core.outcome import Reason
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import Setup, State
from ninefold.games import load
from ninefold.lab.measures import perfect_value
from ninefold.lab.sampling import play
from ninefold.lab.walk import find_starts, is_small, walk_game
from ninefold.show.values import percent
from ninefold.study.facts import chance_of
from ninefold.study.judging import best_play

SEED = 34
GAMES = 400  # random games that are looked through where there are too many positions
SKILLED = 4000  # sampled games in each seat, between a perfect and a random player


class BookVerdict(StrEnum):
    TRUE = "True"
    FALSE = "False"
    ONLY_IF = "True only if"
    UNCHECKABLE = "Not checkable"


class Witness(NamedTuple):
    """A game from its start that shows a verdict: replay it through the rules."""

    setup: Setup
    moves: tuple[str, ...]


class Finding(NamedTuple):
    verdict: BookVerdict
    why: str  # a sentence or two, with the figures
    witness: Witness | None = None


@dataclass(frozen=True, slots=True)
class BookClaim:
    slug: str
    line: int  # of the rule book
    quote: str  # a few words of it
    check: Callable[[str], Finding]  # takes the slug

    def to_data(self) -> dict[str, Any]:
        verdict, why, witness = self.check(self.slug)
        data = {"line": self.line, "quote": self.quote, "verdict": str(verdict), "why": why}
        if witness:
            data["witness"] = {"setup": dict(witness.setup), "moves": [*witness.moves]}
        return data


Wanted = Callable[[Any], bool]  # of a position


def claims_of(slug: str) -> list[BookClaim]:
    """The claims of a game's book, in its order."""
    return [one for one in CLAIMS if one.slug == slug]


def find_shortest(starts: Iterable[State[Any]], wanted: Wanted) -> Witness | None:
    """The shortest game to a position that is wanted; None if no position is, in all that can be reached.

    Of positions that no player of ours tells apart, one is looked at, so what is wanted must be the same
    for all of them. It suits small games.
    """
    waiting: deque[tuple[State[Any], tuple[str, ...]]] = deque((start, ()) for start in starts)
    seen = set()
    while waiting:
        state, moves = waiting.popleft()
        if wanted(state):
            return Witness(state.setup, moves)
        for seat in state.movers[:1]:
            for move in state.moves(seat):
                later = state.after(move, seat)
                if (key := (solver_of(later.game).same(later))) not in seen:
                    seen.add(key)
                    waiting.append((later, (*moves, str(move))))
    return None


def random_games(slug: str, count: int = GAMES) -> Iterator[tuple[State[Any], tuple[str, ...]]]:
    """The positions of random games, each with the moves that led there."""
    rng, game = Random(SEED), load(slug)
    for _ in range(count):
        state = game.set_up({}, rng)
        moves: tuple[str, ...] = ()
        while state.movers and not state.dead and len(moves) < 30:
            yield state, moves
            move = rng.choice(state.moves(state.movers[0]))
            state, moves = state.after(move, state.movers[0]), (*moves, str(move))
        yield state, moves


def find_random(slug: str, wanted: Wanted) -> Witness | None:
    """The shortest of some random games to a position that is wanted; None if there is none in them.

    It is the shortest of all only where every game needs as many moves to get there.
    """
    found = [Witness(state.setup, moves) for state, moves in random_games(slug) if wanted(state)]
    return min(found, key=lambda one: len(one.moves), default=None)


def judge(verdict: BookVerdict, holds: object, why: str, witness: Witness | None = None) -> Finding:
    """This verdict, if what it rests on holds; else the opposite."""
    if holds:
        return Finding(verdict, why, witness)
    opposite = BookVerdict.TRUE if verdict is BookVerdict.FALSE else BookVerdict.FALSE
    return Finding(opposite, "What was computed says so.", witness)


def refute(witness: Witness | None, why: str) -> Finding:
    """False, and why, if there is a witness against the claim; else true."""
    return judge(BookVerdict.FALSE, witness, why, witness)


def uphold(witness: Witness | None, why: str) -> Finding:
    """True, and why, if there is no witness against the claim; else false."""
    return judge(BookVerdict.TRUE, witness is None, why, witness)


def _starts(slug: str) -> list[State[Any]]:
    return [start for start, _ in find_starts(load(slug), {})]


def _perfect_game(slug: str, **setup: int | str) -> Witness:
    """A game between two perfect players, the first of equal moves each time."""
    return Witness(setup, tuple(map(str, best_play(load(slug).set_up(setup)))))


def _keeps(state: State[Any]) -> list[Any]:
    """The moves that keep the mover's win, if there is one to keep and one to lose."""
    choices = evaluate(state).choices
    winning = [one.move for one in choices if chance_of(one.value, one.seat) == 1]
    return winning if len(winning) < len(choices) else []


def _threatened(state: State[Any]) -> int:
    """How many lines the mover's opponent threatens, where the mover threatens none."""
    if not state.movers or state.threats(state.movers[0]):
        return 0
    return len(state.threats(state.movers[0].other))


def _ends_by(reason: Reason) -> Wanted:
    return lambda state: state.outcome is not None and state.outcome.reason is reason


def _skill(slug: str) -> Finding:
    game = load(slug)
    if is_small(game, {}):
        walk = walk_game(game, {})
        first, second = map(walk.best_response, SEATS)
        why = (
            f"The best possible player beats a random one in {percent(first)} of the games as first "
            f"player and in {percent(second)} as second."
        )
    else:
        pairs = ("perfect", "random"), ("random", "perfect")
        games = [play(game, {}, pair, SKILLED, SEED) for pair in pairs]
        first, second = (Fraction(games[seat].chance(seat).value) for seat in SEATS)
        why = (
            f"A perfect player beats a random one in about {percent(first)} of the games as first player "
            f"and in {percent(second)} as second, over {SKILLED:,} sampled games each."
        )
    return judge(BookVerdict.TRUE, min(first, second) > 0.9, why)


def _block(slug: str) -> Finding:
    def must_block(state: State[Any]) -> bool:
        seat = state.movers[0] if state.movers else Seat.FIRST
        if _threatened(state) != 1 or not (kept := _keeps(state)):
            return False
        return all(not state.after(move, seat).threats(seat.other) for move in kept)

    found = find_random(slug, must_block)
    why = "In this position, every move that keeps the win stops the opponent's line."
    return judge(BookVerdict.TRUE, found, why, found)


# Shadow Grid Duel


def _shadow_draw(slug: str) -> Finding:
    undecided = find_random(slug, lambda state: not state.movers and state.outcome is None)
    why = "Nine moves fill the board, and a full board without a line is lost by whoever filled it."
    return uphold(undecided, why)


def _shadow_number(slug: str) -> Finding:
    def left(state: Any, move: Any) -> frozenset[Any]:
        return frozenset(state.after(move, state.movers[0]).threats(state.movers[0].other))

    def matters(state: Any) -> bool:
        """Whether some number leaves the opponent other lines than another in the same cell."""
        if not _threatened(state):
            return False
        moves = [move for move in state.moves() if state.after(move, state.movers[0]).movers]
        return len({move.cell for move in moves}) < len(
            {(move.cell, left(state, move)) for move in moves}
        )

    return judge(
        BookVerdict.FALSE,
        find_random(slug, matters) is None,
        "It is the cell that stops the opponent: both have numbers of their own, and in all positions of "
        f"{GAMES} random games, as here, any number in the same cell stopped the same lines.",
        find_random(slug, lambda state: _threatened(state) > 0),
    )


def _shadow_line(slug: str) -> Finding:
    game = load(slug)
    ends = {perfect_value(game, {}), perfect_value(edit_game(game, game.edits[:1]), {})}
    return judge(
        BookVerdict.FALSE,
        ends == {0, 1},
        "Nobody can force a line at any of the 11 targets: whoever is given the full board wins at all "
        "of them. Against good play the full-board rule alone decides.",
        _perfect_game(slug, target=15),
    )


def _shadow_target(slug: str) -> Finding:
    return judge(
        BookVerdict.FALSE,
        len({evaluate(start).result for start in _starts(slug)}) == 1,
        "The target does not change who wins: the second player does, at all 11 of them.",
        _perfect_game(slug, target=20),
    )


# Number Grid Battle and Number Cross

GRID = "792415863"


def _amount(state: Any, move: Any) -> int:
    """What a move of a taking game takes."""
    return sum(state.numbers(move.line)) if hasattr(move, "line") else int(state.grid[move.cell])


@cache
def _count_largest(slug: str) -> str:
    """How many positions there are, if taking the largest amount is a best move in all, else nothing."""
    nodes = [node for node in walk_game(load(slug), {}).nodes if node.choices]
    for node in nodes:
        (choice,) = node.choices
        amounts = [_amount(node.state, move) for move in choice.moves]
        if choice.odds.chances[amounts.index(max(amounts))] < max(choice.odds.chances):
            return ""
    return f"{len(nodes):,}"


def _largest(slug: str) -> Finding:
    count = _count_largest(slug)
    why = f"Taking whatever adds the most is a best move in all {count} positions."
    return judge(BookVerdict.TRUE, count, why)


def _both_want(slug: str) -> Finding:
    count = _count_largest(slug)
    why = f"Both want the same: in all {count} positions, whatever adds the most is a best move."
    return judge(BookVerdict.TRUE, count, why)


def _battle_draw(slug: str) -> Finding:
    tie = find_shortest(_starts(slug), _ends_by(Reason.TIE))
    return uphold(tie, "The numbers add up to 45, which is odd: nobody can tie.")


def _battle_balance(slug: str) -> Finding:
    count = _count_largest(slug)
    return judge(
        BookVerdict.FALSE,
        count,
        f"There is nothing to balance: in all {count} positions the largest number is a best move, "
        "because it is worth as much to you as to your opponent.",
        _perfect_game(slug, grid=GRID),
    )


def _battle_plan(slug: str) -> Finding:
    why = (
        "You move first, or your opponent makes a mistake: the first player wins every grid, by "
        f"{evaluate(_starts(slug)[0]).margin}, and the second can ensure nothing."
    )
    decided = perfect_value(load(slug), {}) == 1
    return judge(BookVerdict.ONLY_IF, decided, why, _perfect_game(slug, grid=GRID))


def _battle_tie(slug: str) -> Finding:
    starts = _starts(slug)
    tie = find_shortest(starts, _ends_by(Reason.TIE))
    other = find_shortest(starts, lambda s: len(s.moves()) == 1 and s.movers == (Seat.SECOND,))
    why = (
        "The scores never tie, and the first player always takes the last cell. Nobody can change either."
    )
    return judge(
        BookVerdict.FALSE, not (tie or other), why, tie or other or _perfect_game(slug, grid=GRID)
    )


def _tied_game(slug: str) -> Witness | None:
    return find_shortest([load(slug).start(grid="492357816")], _ends_by(Reason.TIE))


def _cross_tie(slug: str) -> Finding:
    why = "Every cell is in a row and in a column, so all sums add up to 90, and 45 to 45 happens."
    return refute(_tied_game(slug), why)


def _cross_rare(slug: str) -> Finding:
    survey = survey_taking(load(slug))
    perfect = Fraction(survey.margins.get(0, 0), survey.setups)
    random = Fraction(0)
    for start, share in find_starts(load(slug), {}):
        sums = [_amount(start, move) for move in start.moves()]
        random += share * Fraction(sum(sum(three) == 45 for three in combinations(sums, 3)), 20)
    why = (
        f"Over all 362,880 grids, {percent(random)} of random games and {percent(perfect)} of perfect "
        "ones tie."
    )
    return judge(BookVerdict.FALSE, min(random, perfect) > Fraction(1, 100), why, _tied_game(slug))


def _cross_overlap(slug: str) -> Finding:
    def loses(state: Any) -> bool:
        if len(state.claimed) != 2:
            return False
        mine = state.lines_of(Seat.FIRST)[0] // 3
        return {move.line // 3 for move in _keeps(state)} == {
            mine
        }  # only a line beside the first one wins

    return refute(
        find_random(slug, loses) if _count_largest(slug) else None,
        "A cell counted twice adds no more than its two lines do: only the six sums matter. Here every "
        "line that overlaps loses, and one that does not wins.",
    )


def _cross_mix(slug: str) -> Finding:
    sums = {sum(_amount(start, move) for move in start.moves()[:3]) for start in _starts(slug)}

    def one_kind(state: Any) -> bool:
        return state.outcome is not None and len({line // 3 for line in state.lines_of(Seat.SECOND)}) == 1

    why = (
        "You move first: three rows, or three columns, always add up to 45. That is a tie, which the "
        "second player wins, so the first player needs a mix and the second does not."
    )
    return judge(BookVerdict.ONLY_IF, sums == {45}, why, find_random(slug, one_kind))


# Pattern Match


def _pattern_dead(slug: str) -> Finding:
    why = "From here nobody can ever win: all numbers are placed, and neither grid has a full line."
    return refute(find_random(slug, lambda state: state.dead), why)


def _pattern_replace(slug: str) -> Finding:
    why = "Line 69 has them replaced once all are placed: here a placed number goes back to the pool."
    return refute(find_random(slug, _all_placed), why)


def _pattern_remain(slug: str) -> Finding:
    left = find_random(slug, lambda state: _all_placed(state) and bool(state.pool))
    why = "When all nine numbers are used, none remains: somebody has to return one first."
    return judge(BookVerdict.FALSE, left is None, why, left or find_random(slug, _all_placed))


def _all_placed(state: Any) -> bool:
    """Whether the first number is about to be returned."""
    return any(str(move).startswith("return") for move in state.moves()) and not state.dead


def doubled(state: State[Any], same: bool) -> bool:
    """Whether only the mover's opponent threatens lines, two or more: with the same number, or not."""
    if _threatened(state) < 2:
        return False
    needed = {threat.needed for threat in state.threats(state.movers[0].other)}
    return (len(needed) == 1) is same


def lost(state: State[Any]) -> bool:
    """Whether the mover loses against good play."""
    return chance_of(evaluate(state).value, state.movers[0]) == 0


def _pattern_double(slug: str) -> Finding:
    doubles = [state for state, _ in random_games(slug, 2000) if doubled(state, same=False)]
    wins = sum(map(lost, doubles))
    weak = find_random(slug, lambda state: doubled(state, same=True) and not lost(state))
    why = (
        f"They need different numbers: then the win was certain in {wins} of {len(doubles)} random "
        "positions. If both lines wait for the same number, taking it stops both."
    )
    return judge(BookVerdict.ONLY_IF, weak and wins == len(doubles) > 0, why, weak)


def _pattern_track(_: str) -> Finding:
    return Finding(BookVerdict.UNCHECKABLE, "It is about memory. At our tables the pool lies open.")


# Grid Conquest


def _only_on_2x2(slug: str, wanted: Wanted) -> Finding:
    """True only if the number of cells is even."""
    usual, small = (find_shortest([load(slug).start(size=size)], wanted) for size in (3, 2))
    why = "The board is 2x2 or 4x4. Nine cells cannot be shared equally, so 3x3 never gets there."
    return judge(BookVerdict.ONLY_IF, small and not usual, why, small)


def _conquest_sudden(slug: str) -> Finding:
    return _only_on_2x2(slug, lambda state: state.sudden_death and state.challenged is None)


def _conquest_retain(slug: str) -> Finding:
    return _only_on_2x2(slug, _ends_by(Reason.UNUSED))


def _conquest_four(slug: str) -> Finding:
    def level(state: Any) -> bool:
        return state.outcome is not None and state.holdings.cells[0] == state.holdings.cells[1]

    found = find_shortest([load(slug).start(size=3)], level)
    return judge(
        BookVerdict.FALSE,
        found is None,
        "Four and four are eight: a 3x3 game never ends with equal cells, in all that can be reached.",
        found or Witness({"size": 3}, tuple(f"claim:{cell}" for cell in range(1, 10))),
    )


def _mix(witness: Witness, seat: Seat) -> dict[str, Fraction]:
    """How a perfect player mixes the moves at the end of a game of Grid Conquest."""
    game = load("conquest")
    found = evaluate(game.sequence(game.set_up(witness.setup), witness.moves))
    return {str(choice.move): choice.mix or Fraction(0) for choice in found.choices_of(seat)}


def _conquest_high(_: str) -> Finding:
    first = Witness({"size": 3}, ("claim:5", "challenge:5"))
    five = _mix(first, Seat.SECOND)["bid:5"]
    why = f"In the first challenge, best play mixes: the 5 in {percent(five)} of the cases."
    return judge(BookVerdict.TRUE, 0 < five < 1, why, first)


def _conquest_track(_: str) -> Finding:
    spent = [
        Witness({"size": 3}, tuple(f"claim:5 challenge:5 bid:{one} bid:5 claim:1 challenge:1".split()))
        for one in (1, 4)
    ]
    mixes = [_mix(one, Seat.FIRST) for one in spent]
    low, high = (mix["bid:4"] for mix in mixes)
    why = (
        f"How best to choose depends on them: with the challenger's 1 gone, the defender's 4 is right in "
        f"{percent(low)} of the cases here, with the challenger's 4 gone in {percent(high)}."
    )
    return judge(BookVerdict.TRUE, mixes[0] != mixes[1], why, spent[1])


def _conquest_cells(slug: str) -> Finding:
    rng, game = Random(SEED), load(slug)
    looked, differ = 0, False
    while looked < 30:
        state = game.start(size=2)
        while state.movers and ((state.longest() or 0) > 6 or state.secret):
            state = state.after(rng.choice(state.moves(state.movers[0])), state.movers[0])
        if state.movers:
            looked += 1
            found = {(type(one.move), one.value) for one in search.evaluate(state).choices}
            differ |= len(found) > len({kind for kind, _ in found})
    opening = {choice.value.first_wins for choice in evaluate(game.start(size=3)).choices}
    why = (
        f"Only how many cells you hold matters, never which: all nine first claims are worth "
        f"{percent(opening.pop() or Fraction(0))}, and plain search found no difference in {looked} "
        "positions."
    )
    return judge(BookVerdict.FALSE, not differ, why, Witness({"size": 3}, ("claim:5",)))


CLAIMS = (
    BookClaim("shadow", 3, "a skilled player can consistently outperform an unskilled one", _skill),
    BookClaim("shadow", 57, "the game cannot end in a draw", _shadow_draw),
    BookClaim("shadow", 161, "Choose numbers that [...] prevent your opponent", _shadow_number),
    BookClaim("shadow", 163, "Place numbers that can block potential alignments", _block),
    BookClaim("shadow", 165, "Think several moves ahead to set up your winning alignment", _shadow_line),
    BookClaim("shadow", 167, "Selecting a challenging secret target number adds depth", _shadow_target),
    BookClaim("battle", 5, "ensuring there is no draw", _battle_draw),
    BookClaim("battle", 73, "balance between selecting high-value cells and blocking", _battle_balance),
    BookClaim("battle", 220, "Aim to claim cells with higher numbers early", _largest),
    BookClaim("battle", 221, "Anticipate which cells your opponent might target", _both_want),
    BookClaim("battle", 222, "plan your moves to ensure you maintain a higher total", _battle_plan),
    BookClaim("battle", 223, "try to force the opponent into taking the last turn", _battle_tie),
    BookClaim("pattern", 9, "play continues until a player wins", _pattern_dead),
    BookClaim("pattern", 56, "Once placed, numbers cannot be moved or replaced", _pattern_replace),
    BookClaim("pattern", 69, "replace one [...] with an unused number (if any remain)", _pattern_remain),
    BookClaim("pattern", 204, "Focus on creating multiple opportunities to sum to 15", _pattern_double),
    BookClaim("pattern", 206, "anticipate and block their attempts to sum to 15", _block),
    BookClaim("pattern", 208, "Keep track of which numbers have been used", _pattern_track),
    BookClaim("conquest", 81, "The game proceeds to Sudden Death", _conquest_sudden),
    BookClaim("conquest", 171, "Both players control 4 cells", _conquest_four),
    BookClaim("conquest", 223, "Use higher numbers strategically", _conquest_high),
    BookClaim("conquest", 224, "Keep track of numbers your opponent has used", _conquest_track),
    BookClaim("conquest", 225, "Focus on controlling key positions", _conquest_cells),
    BookClaim("conquest", 226, "Retain higher unused numbers if you anticipate a tie", _conquest_retain),
    BookClaim("conquest", 230, "you can outmaneuver your opponent", _skill),
    BookClaim("cross", 3, "skilled players can consistently outmaneuver their opponents", _skill),
    BookClaim("cross", 86, "ties are impossible under normal gameplay", _cross_tie),
    BookClaim("cross", 158, "In the event of a tie (extremely rare)", _cross_rare),
    BookClaim("cross", 256, "Consider the sums of the lines before claiming", _largest),
    BookClaim("cross", 257, "Anticipate which lines the opponent may want", _both_want),
    BookClaim("cross", 258, "Claim lines that overlap with your existing lines", _cross_overlap),
    BookClaim("cross", 259, "Choose a mix of rows and columns", _cross_mix),
)
