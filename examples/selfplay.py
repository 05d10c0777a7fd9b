"""MaskablePPO learns Number Grid Battle by playing itself; prints exact scores before and after.

python examples/selfplay.py [--steps 20000] [--seed 1]        (pip install sb3-contrib)

The agent sits in either seat, drawn for each game, and the opponent is the model as it is now. Every
transition belongs to one seat and is credited with that seat's own result, so both seats are learned.
PettingZoo's tutorial for this library treats both players as one agent: the reward of the last mover is
credited to the moves of both, so the loser is rewarded for losing.
"""

from __future__ import annotations

import argparse
from fractions import Fraction
from typing import Any

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO

import ninefold.envs.gymnasium  # noqa: F401  (registers the games)
from ninefold.envs import Report, evaluate_agent, exploitability

GRID = "792415863"


def learn(steps: int, seed: int) -> list[tuple[str, Report, Fraction]]:
    """The model's report and exploitability, before and after learning."""
    found = []

    def itself(observation: Any, mask: Any) -> Any:
        seen = {"observation": observation, "action_mask": mask}
        return model.predict(seen, action_masks=mask.astype(bool), deterministic=False)[0]

    env = gymnasium.make("ninefold/Battle-v0", opponent=itself, grid=GRID)
    model = MaskablePPO("MultiInputPolicy", env, n_steps=512, seed=seed, device="cpu")
    np.random.seed(seed)
    for when in ("before", "after"):
        report = evaluate_agent(model, "battle", 100, "greedy", seed=7, grid=GRID)
        beaten = exploitability(model, "battle", grid=GRID)
        found.append((when, report, beaten))
        print(
            f"{when:7} regret {report.regret_per_game:.4f} per game, wins {report.first.win_rate:.0%} "
            f"as first and {report.second.win_rate:.0%} as second, exploitability {float(beaten):.2f}"
        )
        if when == "before":
            model.learn(steps)
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--steps", type=int, default=20_000)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    learn(given.steps, given.seed)


if __name__ == "__main__":
    main()
