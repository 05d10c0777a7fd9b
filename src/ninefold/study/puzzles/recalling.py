"""The task that shows a whole game: `last`."""

from __future__ import annotations

from ninefold.analysis import evaluate
from ninefold.study.facts import chance_of
from ninefold.study.puzzles.tasks import GRADES, Pick, Posed, Proof

FEWEST, MOST = 3, 4  # options


def prove_last(posed: Posed) -> Proof | None:
    """The solver lost, and not from the start: one of the solver's moves lost the game for good.

    The options are the last moves of the solver that were a choice. It is as hard as the game is long.
    """
    seat, end = posed.seat, posed.state.outcome
    states = posed.start.game.positions(posed.start, posed.moves)
    if end is None or end.winner is seat or any(state.secret for state in states):
        return None
    own = [
        number
        for number, state in enumerate(states[:-1], 1)
        if state.movers == (seat,) and len(state.moves()) > 1
    ]
    own = own[-MOST:]
    saved = [number for number in own if chance_of(evaluate(states[number - 1]).value, seat)]
    if len(own) < FEWEST or not saved:
        return None
    options = tuple(Pick(str(number)) for number in own)
    return Proof((Pick(str(saved[-1])),), (), min(len(posed.moves), GRADES[-1]), options=options)
