"""Finds the themes of a puzzle: what is remarkable about its answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ninefold.analysis import evaluate
from ninefold.core.outcome import Reason
from ninefold.core.puzzles import Task, Theme
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.players.simple import greedy_policy
from ninefold.study.judging import play_out
from ninefold.study.puzzles.tasks import EITHER, Proof

TIE_BREAKS = (Reason.TIE, Reason.UNUSED, Reason.SPENT)


def find_themes(state: State[Any], seat: Seat, task: Task, found: Proof) -> tuple[Theme, ...]:
    """The themes of a puzzle, in the order of `Theme`: these, and what only the game can tell.

    - wins at once: the answer ends the game; if it is a secret number, whatever the reply
    - block: after some other move the opponent could complete a line at once, but not after the answer
    - double threat: the answer threatens two lines or more, and no reply stops them all
    - quiet move: in a game of lines, the answer neither wins nor blocks, and whatever the reply, the
      solver cannot win with the next move
    - against the greedy move: the answer is none of the moves that gain the most at once
    - last number: the answer places the last number of the pool
    - tie-break: with best play after the solution, the game is decided by a rule for ties
    """
    end = play_out(state.game.sequence(state, found.solution))
    themes = {Theme.TIE_BREAK} if end is not None and end.reason in TIE_BREAKS else set()
    if task in (Task.WIN, Task.SAVE):
        themes |= _find_move_themes(state, seat, found.answers)
    elif task is Task.KIND and EITHER not in found.answers:
        themes |= _find_own_themes(state, seat, found.solution)
    return tuple(theme for theme in Theme if theme in themes)


def _find_move_themes(state: State[Any], seat: Seat, answers: Sequence[Any]) -> set[Theme]:
    move = answers[0]
    themes = _find_own_themes(state, seat, answers)
    choice = next(choice for choice in evaluate(state).choices_of(seat) if choice.move == move)
    if choice.value.plies == int(state.secret):
        themes.add(Theme.AT_ONCE)
    if state.game.spot(move).number is not None and len(state.view(seat).numbers("pool")) == 1:
        themes.add(Theme.LAST_NUMBER)
    if type(state).threats is not State.threats and Theme.AT_ONCE not in themes:
        themes |= _find_line_themes(state, seat, move)
    return themes


def _find_own_themes(state: State[Any], seat: Seat, answers: Sequence[Any]) -> set[Theme]:
    """What the game tells of the first answer, and whether all of them are against the greedy move."""
    themes = set(state.game.puzzles.find_themes(state, seat, answers[0]))
    return themes | (
        {Theme.NOT_GREEDY} if greedy_policy(state, seat).keys().isdisjoint(answers) else set()
    )


def _find_line_themes(state: State[Any], seat: Seat, move: Any) -> set[Theme]:
    later, opponent = state.after(move, seat), seat.other
    replied = [later.after(reply, opponent) for reply in later.moves()]
    others = (state.after(other, seat) for other in state.moves(seat))
    if any(_can_win(other, opponent) for other in others) and not _can_win(later, opponent):
        themes = {Theme.BLOCK}
    else:
        themes = set() if any(_can_win(after, seat) for after in replied) else {Theme.QUIET}
    if len(later.threats(seat)) > 1 and all(after.threats(seat) for after in replied):
        themes.add(Theme.DOUBLE)
    return themes


def _can_win(state: State[Any], seat: Seat) -> bool:
    """Whether the seat, if it is to move, can win at once."""
    ends = (state.after(move, seat).outcome for move in state.moves(seat))
    return any(end is not None and end.winner is seat for end in ends)
