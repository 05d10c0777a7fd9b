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
from typing import Any

from ninefold.analysis import evaluate, search, solver_of
from ninefold.analysis.evaluation import Choice, worth
from ninefold.analysis.taking import survey as survey_taking
from ninefold.core.edits import edit_game
from ninefold.core.outcome import Reason
from ninefold.core.seat import Seat
from ninefold.core.state import Setup, State
from ninefold.games import load
from ninefold.lab.measures import perfect_value
from ninefold.lab.sampling import play
from ninefold.lab.walk import find_starts, walk_game
from ninefold.show.values import percent

SEED = 34
GAMES = 400  # random games that are looked through where there are too many positions


class BookVerdict(StrEnum):
    TRUE = "True"
    FALSE = "False"
    ONLY_IF = "True only if"
    UNCHECKABLE = "Not checkable"


@dataclass(frozen=True, slots=True)
class Witness:
    """A game from its start that shows a verdict: replay it through the rules."""

    setup: Setup
    moves: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    verdict: BookVerdict
    why: str  # a sentence or two, with the figures
    witness: Witness | None = None


@dataclass(frozen=True, slots=True)
class BookClaim:
    slug: str
    line: int  # of the rule book
    quote: str  # a few words of it
    check: Callable[[], Finding]

    def to_data(self) -> dict[str, Any]:
        found = self.check()
        data = {"line": self.line, "quote": self.quote, "verdict": str(found.verdict), "why": found.why}
        if found.witness:
            data["witness"] = {"setup": dict(found.witness.setup), "moves": list(found.witness.moves)}
        return data


Wanted = Callable[[Any], bool]  # of a position

CLAIMS: list[BookClaim] = []


def claims_of(slug: str) -> list[BookClaim]:
    """The claims of a game's book, in its order."""
    return sorted((one for one in CLAIMS if one.slug == slug), key=lambda one: one.line)


def claim(slug: str, line: int, quote: str) -> Callable[[Callable[[], Finding]], Callable[[], Finding]]:
    def add(check: Callable[[], Finding]) -> Callable[[], Finding]:
        CLAIMS.append(BookClaim(slug, line, quote, cache(check)))
        return check

    return add


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


def judge(holds: object, true: str, false: str, witness: Witness | None = None) -> Finding:
    """Whether a claim holds, with the sentence that says why it does, or does not."""
    return Finding(BookVerdict.TRUE if holds else BookVerdict.FALSE, true if holds else false, witness)


def refute(witness: Witness | None, why: str, otherwise: str) -> Finding:
    """False if there is a witness against the claim, else true."""
    return judge(witness is None, otherwise, why, witness)


def confirm(witness: Witness | None, why: str, otherwise: str) -> Finding:
    """True if there is an example, else false."""
    return judge(witness, why, otherwise, witness)


def _starts(slug: str) -> list[State[Any]]:
    return [start for start, _ in find_starts(load(slug), {})]


def _perfect_game(slug: str, setup: Setup) -> Witness:
    """A game between two perfect players, the first of equal moves each time."""
    state, moves = load(slug).set_up(setup), []
    while state.movers:
        choice = evaluate(state).choices[0]
        moves.append(str(choice.move))
        state = state.after(choice.move, choice.seat)
    return Witness(setup, tuple(moves))


def _keeps(state: State[Any]) -> list[Choice]:
    """The choices of the player to move that keep the win, if there is one to keep and one to lose."""
    choices = [*evaluate(state).choices]
    winning = [c for c in choices if worth(c.value, c.seat).chance == 1]
    return winning if len(winning) < len(choices) else []


def _blocks(state: State[Any]) -> bool:
    """Whether the opponent threatens one line, and only stopping it keeps the win."""
    if not state.movers or state.threats(state.movers[0]):
        return False
    seat = state.movers[0]
    threats = state.threats(seat.other)
    if len(threats) != 1:
        return False
    kept = [choice.move for choice in _keeps(state)]
    return bool(kept) and all(not state.after(move, seat).threats(seat.other) for move in kept)


# Shadow Grid Duel


@claim("shadow", 3, "a skilled player can consistently outperform an unskilled one")
def _shadow_skill() -> Finding:
    games = [
        play(load("shadow"), {}, pair, 4000, SEED)
        for pair in (("perfect", "random"), ("random", "perfect"))
    ]
    first, second = games[0].chance(0).value, games[1].chance(1).value
    why = (
        f"A perfect player beats a random one in about {percent(Fraction(first))} of the games as first "
        f"player and in {percent(Fraction(second))} as second, over 4,000 sampled games each."
    )
    return judge(min(first, second) > 0.9, why, why)


@claim("shadow", 57, "the game cannot end in a draw")
def _shadow_draw() -> Finding:
    undecided = find_random("shadow", lambda state: not state.movers and state.outcome is None)
    why = "Nine moves fill the board, and a full board without a line is lost by whoever filled it."
    return refute(undecided, "A game ended without a winner.", why)


@claim("shadow", 163, "Place numbers that can block potential alignments")
def _shadow_block() -> Finding:
    why = "In this position, every move that keeps the win stops the opponent's line."
    return confirm(find_random("shadow", _blocks), why, "Blocking never decided any of the random games.")


@claim("shadow", 165, "Think several moves ahead to set up your winning alignment")
def _shadow_line() -> Finding:
    game = load("shadow")
    ends = {perfect_value(game, {}), perfect_value(edit_game(game, game.edits[:1]), {})}
    return judge(
        ends != {0, 1},
        "At some target a player can force a line.",
        "Nobody can force a line at any of the 11 targets: whoever is given the full board wins at all "
        "of them. Against good play the full-board rule alone decides.",
        _perfect_game("shadow", {"target": 15}),
    )


@claim("shadow", 167, "Selecting a challenging secret target number adds depth")
def _shadow_target() -> Finding:
    return judge(
        len({evaluate(start).result for start in _starts("shadow")}) > 1,
        "The target decides who wins.",
        "The target does not change who wins: the second player does, at all 11 of them.",
        _perfect_game("shadow", {"target": 20}),
    )


# Number Grid Battle

GRID = {"grid": "792415863"}


def _amount(state: Any, move: Any) -> int:
    """What a move of a taking game takes."""
    return sum(state.numbers(move.line)) if hasattr(move, "line") else int(state.grid[move.cell])


@cache
def _largest_is_best(slug: str) -> tuple[bool, int]:
    """Whether taking the largest amount is a best move in every position, and how many there are."""
    nodes = [node for node in walk_game(load(slug), {}).nodes if node.choices]
    for node in nodes:
        (choice,) = node.choices
        amounts = [_amount(node.state, move) for move in choice.moves]
        if choice.odds.chances[amounts.index(max(amounts))] < max(choice.odds.chances):
            return False, len(nodes)
    return True, len(nodes)


@claim("battle", 5, "ensuring there is no draw")
def _battle_draw() -> Finding:
    tie = find_shortest(_starts("battle"), _ends_by(Reason.TIE))
    return refute(tie, "Equal sums happen.", "The numbers add up to 45, which is odd: nobody can tie.")


@claim("battle", 73, "balance between selecting high-value cells and blocking")
def _battle_balance() -> Finding:
    holds, count = _largest_is_best("battle")
    return judge(
        not holds,
        "In some position a smaller number is better.",
        f"There is nothing to balance: in all {count:,} positions the largest number is a best move, "
        "because it is worth as much to you as to your opponent.",
        _perfect_game("battle", GRID),
    )


@claim("battle", 220, "Aim to claim cells with higher numbers early")
def _battle_largest() -> Finding:
    holds, count = _largest_is_best("battle")
    return judge(
        holds,
        f"Taking the largest number left is a best move in all {count:,} positions.",
        "In some position a smaller number is better.",
    )


@claim("battle", 222, "plan your moves to ensure you maintain a higher total")
def _battle_plan() -> Finding:
    value = perfect_value(load("battle"), {})
    if value not in (0, 1):
        return Finding(BookVerdict.TRUE, "Who wins depends on the grid.")
    why = (
        "You move first, or your opponent makes a mistake: the first player wins every grid, by "
        f"{evaluate(_starts('battle')[0]).margin}, and the second can ensure nothing."
    )
    return Finding(BookVerdict.ONLY_IF, why, _perfect_game("battle", GRID))


@claim("battle", 223, "If the scores might tie, try to force the opponent into taking the last turn")
def _battle_tie() -> Finding:
    starts = _starts("battle")
    tie = find_shortest(starts, _ends_by(Reason.TIE))
    other = find_shortest(starts, lambda s: len(s.moves()) == 1 and s.movers == (Seat.SECOND,))
    return judge(
        tie or other,
        "There is something to manage.",
        "The scores never tie, and the first player always takes the last cell. Nobody can change "
        "either.",
        tie or other or _perfect_game("battle", GRID),
    )


def _ends_by(reason: Reason) -> Wanted:
    return lambda state: state.outcome is not None and state.outcome.reason is reason


# Pattern Match


@claim("pattern", 9, "play continues until a player wins")
def _pattern_dead() -> Finding:
    why = "From here nobody can ever win: all numbers are placed, and neither grid has a full line."
    return refute(find_random("pattern", lambda state: state.dead), why, "Every position can be won.")


@claim("pattern", 56, "Once placed, numbers cannot be moved or replaced")
def _pattern_replace() -> Finding:
    why = "Line 69 has them replaced once all are placed: here a placed number goes back to the pool."
    return refute(find_random("pattern", _all_placed), why, "No legal move replaces a number.")


@claim("pattern", 69, "replace one of their own numbers with an unused number (if any remain)")
def _pattern_remain() -> Finding:
    left = find_random("pattern", lambda state: _all_placed(state) and bool(state.pool))
    return judge(
        left,
        "Some remain.",
        "When all nine numbers are used, none remains: somebody has to return one first.",
        left or find_random("pattern", _all_placed),
    )


def _all_placed(state: Any) -> bool:
    """Whether the first number is about to be returned."""
    return any(str(move).startswith("return") for move in state.moves()) and not state.dead


def doubled(state: State[Any], same: bool) -> bool:
    """Whether only the mover's opponent threatens lines, two or more: with the same number, or not."""
    if not state.movers or state.threats(state.movers[0]):
        return False
    needed = [threat.needed for threat in state.threats(state.movers[0].other)]
    return len(needed) >= 2 and (len({*needed}) == 1) is same


def lost(state: State[Any]) -> bool:
    """Whether the mover loses against good play."""
    return worth(evaluate(state).value, state.movers[0]).chance == 0


@claim("pattern", 204, "creating multiple opportunities to sum to 15, increasing your chances")
def _pattern_double() -> Finding:
    doubles = [state for state, _ in random_games("pattern", 2000) if doubled(state, same=False)]
    wins = sum(map(lost, doubles))
    weak = find_random("pattern", lambda state: doubled(state, same=True) and not lost(state))
    why = (
        f"They need different numbers: then the win was certain in {wins} of {len(doubles)} random "
        "positions. If both lines wait for the same number, taking it stops both."
    )
    if not doubles or wins < len(doubles):
        return Finding(BookVerdict.FALSE, "Two open lines do not always win.")
    return Finding(BookVerdict.ONLY_IF if weak else BookVerdict.TRUE, why, weak)


@claim("pattern", 206, "anticipate and block their attempts to sum to 15")
def _pattern_block() -> Finding:
    why = "In this position, only taking the number that the opponent's line needs keeps the win."
    return confirm(
        find_random("pattern", _blocks), why, "Blocking never decided any of the random games."
    )


@claim("pattern", 208, "Keep track of which numbers have been used")
def _pattern_track() -> Finding:
    return Finding(BookVerdict.UNCHECKABLE, "It is about memory. At our tables the pool lies open.")


# Grid Conquest


@claim("conquest", 81, "The game proceeds to Sudden Death")
def _conquest_sudden() -> Finding:
    why = "The board is 2x2 or 4x4. Nine cells cannot be shared equally, so 3x3 never gets there."
    return _only_on_2x2(lambda state: state.sudden_death and state.challenged is None, why)


def _only_on_2x2(wanted: Wanted, why: str) -> Finding:
    """True only if the number of cells is even."""
    usual, small = (find_shortest([load("conquest").start(size=size)], wanted) for size in (3, 2))
    if usual or not small:
        return judge(usual, "It can happen on 3x3.", "It never happens.", usual)
    return Finding(BookVerdict.ONLY_IF, why, small)


@claim("conquest", 171, "Both players control 4 cells")
def _conquest_four() -> Finding:
    def level(state: Any) -> bool:
        return state.outcome is not None and state.holdings.cells[0] == state.holdings.cells[1]

    found = find_shortest([load("conquest").start(size=3)], level)
    return judge(
        found,
        "It can happen.",
        "Four and four are eight: a 3x3 game never ends with equal cells, in all that can be reached.",
        found or Witness({"size": 3}, tuple(f"claim:{cell}" for cell in range(1, 10))),
    )


@claim("conquest", 223, "Use higher numbers strategically")
def _conquest_high() -> Finding:
    first = Witness({"size": 3}, ("claim:5", "challenge:5"))
    five = _mix(first, Seat.SECOND)["bid:5"]
    why = f"In the first challenge, best play mixes: the 5 in {percent(five)} of the cases."
    return judge(0 < five < 1, why, why, first)


def _mix(witness: Witness, seat: Seat) -> dict[str, Fraction]:
    """How a perfect player mixes the moves at the end of a game of Grid Conquest."""
    game = load("conquest")
    found = evaluate(game.sequence(game.set_up(witness.setup), witness.moves))
    return {str(choice.move): choice.mix or Fraction(0) for choice in found.choices_of(seat)}


@claim("conquest", 224, "Keep track of numbers your opponent has used")
def _conquest_track() -> Finding:
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
    return judge(mixes[0] != mixes[1], why, why, spent[1])


@claim("conquest", 225, "Focus on controlling key positions")
def _conquest_cells() -> Finding:
    rng, game = Random(SEED), load("conquest")
    looked = 0
    while looked < 30:
        state = game.start(size=2)
        while state.movers and ((state.longest() or 0) > 6 or state.secret):
            state = state.after(rng.choice(state.moves(state.movers[0])), state.movers[0])
        if not state.movers:
            continue
        looked += 1
        values: dict[type, set[Any]] = {}
        for choice in search.evaluate(state).choices:
            values.setdefault(type(choice.move), set()).add(choice.value)
        if any(len(found) > 1 for found in values.values()):
            return Finding(BookVerdict.TRUE, "Some cell is worth more than another.")
    opening = {choice.value.first_wins for choice in evaluate(game.start(size=3)).choices}
    why = (
        f"Only how many cells you hold matters, never which: all nine first claims are worth "
        f"{percent(opening.pop() or Fraction(0))}, and plain search found no difference in {looked} "
        "positions."
    )
    return Finding(BookVerdict.FALSE, why, Witness({"size": 3}, ("claim:5",)))


@claim("conquest", 226, "Retain higher unused numbers if you anticipate a tie")
def _conquest_retain() -> Finding:
    why = "The board is 2x2 or 4x4. Nine cells cannot be split evenly, so 3x3 has no ties."
    return _only_on_2x2(_ends_by(Reason.UNUSED), why)


# Number Cross


@claim("cross", 86, "ties are impossible under normal gameplay")
def _cross_tie() -> Finding:
    why = "Every cell is in a row and in a column, so all sums add up to 90, and 45 to 45 happens."
    return refute(_tied_game(), why, "No game on this grid ties.")


def _tied_game() -> Witness | None:
    return find_shortest([load("cross").start(grid="492357816")], _ends_by(Reason.TIE))


@claim("cross", 158, "In the event of a tie (extremely rare)")
def _cross_rare() -> Finding:
    survey = survey_taking(load("cross"))
    perfect = Fraction(survey.margins.get(0, 0), survey.setups)
    random = Fraction(0)
    for start, share in find_starts(load("cross"), {}):
        sums = [_amount(start, move) for move in start.moves()]
        random += share * Fraction(sum(sum(three) == 45 for three in combinations(sums, 3)), 20)
    why = (
        f"Over all 362,880 grids, {percent(random)} of random games and {percent(perfect)} of perfect "
        "ones tie."
    )
    return judge(max(random, perfect) < Fraction(1, 100), why, why, _tied_game())


@claim("cross", 257, "Anticipate which lines the opponent may want and claim them first")
def _cross_block() -> Finding:
    holds, count = _largest_is_best("cross")
    why = (
        f"Both want the same: in all {count:,} positions that differ, claiming the largest sum left is a "
        "best move."
    )
    return judge(holds, why, "In some position a smaller sum is better.")


@claim("cross", 258, "Claim lines that overlap with your existing lines")
def _cross_overlap() -> Finding:
    def loses(state: Any) -> bool:
        if len(state.claimed) != 2:
            return False
        mine = state.lines_of(Seat.FIRST)[0] // 3
        kept = {choice.move.line // 3 for choice in _keeps(state)}
        return kept == {mine}  # only a line that runs beside the first one wins

    holds, _ = _largest_is_best("cross")
    return refute(
        find_random("cross", loses) if holds else None,
        "A cell counted twice adds no more than its two lines do: only the six sums matter. Here every "
        "line that overlaps loses, and one that does not wins.",
        "Overlapping lines are better in some position.",
    )


@claim("cross", 259, "Choose a mix of rows and columns")
def _cross_mix() -> Finding:
    sums = {sum(_amount(start, move) for move in start.moves()[:3]) for start in _starts("cross")}
    if sums != {45}:
        return Finding(BookVerdict.FALSE, "Three lines of one kind can win for either player.")

    def one_kind(state: Any) -> bool:
        return state.outcome is not None and len({line // 3 for line in state.lines_of(Seat.SECOND)}) == 1

    why = (
        "You move first: three rows, or three columns, always add up to 45. That is a tie, which the "
        "second player wins, so the first player needs a mix and the second does not."
    )
    return Finding(BookVerdict.ONLY_IF, why, find_random("cross", one_kind))
