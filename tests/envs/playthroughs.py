"""Writes the golden playthroughs: a seeded game of each kind as OpenSpiel sees it, one line per node.

python -m tests.envs.playthroughs
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pyspiel

import ninefold
import ninefold.envs.openspiel
from ninefold.envs.ids import spiel_name

FOLDER = Path(__file__).parent / "playthroughs"


def playthrough(slug: str, seed: int) -> str:
    """A random game: who chooses, how many legal actions there are, and what is chosen."""
    rng = Random(seed)
    game = pyspiel.load_game(f"{spiel_name(slug)}(limit=24)")
    kind = game.get_type()
    lines = [str(game), f"{kind.dynamics}", f"{kind.parameter_specification}"]
    state = game.new_initial_state()
    while not state.is_terminal():
        players = (0, 1) if state.is_simultaneous_node() else (state.current_player(),)
        legal = [state.legal_actions(player) for player in players]
        actions = [rng.choice(choices) for choices in legal]
        each = zip(players, legal, actions, strict=True)
        lines += [
            "; ".join(
                f"{player}: {action} of {len(choices)} is {state.action_to_string(player, action)}"
                for player, choices, action in each
            )
        ]
        if len(players) > 1:
            state.apply_actions(actions)
        else:
            state.apply_action(actions[0])
    known = [state.information_state_string(player) for player in (0, 1)]
    seen = [state.observation_string(player) for player in (0, 1)]
    return "\n".join([*lines, *known, *seen, f"returns {state.returns()}", ""])


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for slug in ninefold.SLUGS:
        (FOLDER / f"{slug}.txt").write_text(playthrough(slug, seed=7), encoding="utf-8")
