"""Writes the golden playthroughs: a seeded game of each kind as OpenSpiel sees it, line by line.

python -m tests.envs.playthroughs
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pyspiel

import ninefold.envs.openspiel  # noqa: F401  registers the games

FOLDER = Path(__file__).parent / "playthroughs"
GAMES = {
    "shadow": "ninefold_shadow(target=15)",
    "battle": "ninefold_battle(grid=792415863)",
    "pattern": "ninefold_pattern(turns=24)",
    "conquest": "ninefold_conquest(size=3)",
    "cross": "ninefold_cross(grid=492357816)",
}


def playthrough(name: str, seed: int) -> str:
    """Every node of a random game with all that the interface says about it."""
    rng = Random(seed)
    game = pyspiel.load_game(name)
    lines = [str(game), f"{game.get_type().dynamics}", f"{game.num_distinct_actions()} actions", ""]
    state = game.new_initial_state()
    while not state.is_terminal():
        lines += _node(state)
        if state.is_simultaneous_node():
            both = [rng.choice(state.legal_actions(player)) for player in (0, 1)]
            chosen = [state.action_to_string(player, both[player]) for player in (0, 1)]
            lines += [f"both choose {' and '.join(chosen)}", ""]
            state.apply_actions(both)
        else:
            action = rng.choice(state.legal_actions())
            lines += [f"{action} is {state.action_to_string(state.current_player(), action)}", ""]
            state.apply_action(action)
    return "\n".join([*lines, *_node(state), f"returns {state.returns()}", ""])


def _node(state: pyspiel.State) -> list[str]:
    lines = [str(state), f"current player {state.current_player()}"]
    for player in (0, 1):
        lines.append(f"player {player} knows {state.information_state_string(player)}")
        lines.append(f"player {player} sees {state.observation_string(player)}")
        if not state.is_terminal():
            lines.append(
                f"player {player} may {' '.join(map(str, state.legal_actions(player)))}".rstrip()
            )
    return lines


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for slug, name in GAMES.items():
        (FOLDER / f"{slug}.txt").write_text(playthrough(name, seed=7), encoding="utf-8")
