"""Positions as a task of Inspect AI: `inspect eval ninefold/positions --model PROVIDER/MODEL`.

The score is the exact regret of each decision, the same as `ninefold evaluate` computes. Less is better.
"""

from __future__ import annotations

from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser
from inspect_ai.scorer import Score, Scorer, Target, ci, mean, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from ninefold.games import SLUGS
from ninefold.text import prompt
from ninefold.text.episode import TextEpisode
from ninefold.text.runs import TextQuestion, questions
from ninefold.text.twins import Twin

EPISODE = "ninefold"  # what the answer was, in the metadata of a sample


@task  # type: ignore[untyped-decorator]
def positions(
    games: str = ",".join(SLUGS),
    count: int = 90,
    seed: int = 0,
    twins: str = "",
    listed: bool = False,
    rules: str = "short",
    board: str = "drawn",
    retries: int = 0,
) -> Task:
    """Positions of a set. Games and twins are separated by commas; `count` is per game."""
    told = prompt.TextTask(listed, rules, board, retries)
    wanted = [Twin(one) for one in twins.split(",") if one]
    found = {one.id: one for one in questions(games.split(","), count, seed, [told], wanted)}
    samples = [_sample(one) for one in found.values()]
    return Task(dataset=MemoryDataset(samples, name=told.name), solver=_answer(found), scorer=regret())


def _sample(question: TextQuestion) -> Sample:
    said = TextEpisode.of(question.position, question.task, question.twin).messages
    asked = [ChatMessageSystem(content=said[0]["content"]), ChatMessageUser(content=said[1]["content"])]
    metadata = {"pair": question.pair, "twin": str(question.twin), "game": question.game}
    return Sample(id=question.id, input=asked, metadata=metadata)


@solver  # type: ignore[untyped-decorator]
def _answer(found: dict[str, TextQuestion]) -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        asked = found[str(state.sample_id)]
        episode = TextEpisode.of(asked.position, asked.task, asked.twin)
        while not episode.done:
            state = await generate(state)
            episode.hear(state.output.completion)
            if not episode.done:
                state.messages.append(ChatMessageUser(content=episode.messages[-1]["content"]))
        state.metadata[EPISODE] = {
            "regret": float(episode.regret),
            "move": str(episode.move or ""),
            "failure": str(episode.failure or ""),
            "why": episode.why,
            "retries": episode.retries,
        }
        return state

    return solve


@scorer(metrics=[mean(), ci(cluster="pair")])  # type: ignore[untyped-decorator]
def regret() -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        found: dict[str, Any] = state.metadata[EPISODE]
        return Score(
            value=found["regret"], answer=found["move"], explanation=found["why"], metadata=found
        )

    return score
