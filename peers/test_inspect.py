"""Inspect AI runs our task by its name, offline, with the prompts and scores of our own runner."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as run
from inspect_ai.model import ChatMessageUser, ModelOutput, ModelUsage, get_model
from peers.episodes import COUNT, GAMES, TWINS, asked, expected, script

pytestmark = pytest.mark.filterwarnings("ignore")  # the harness uses what its own libraries deprecate


def outputs() -> list[ModelOutput]:
    """What the mock model answers, in the order of the samples."""
    found = []
    for text in [text for question in asked() for text in script(question)]:
        output = ModelOutput.from_content("mockllm/model", text)
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        found.append(output)
    return found


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("logs")
    settings = {"games": ",".join(GAMES), "count": COUNT, "twins": ",".join(TWINS), "retries": 1}
    model = get_model("mockllm/model", custom_outputs=outputs())
    (found,) = run(
        "ninefold/positions",
        model=model,
        task_args=settings,
        log_dir=str(folder),
        display="none",
        max_samples=1,
    )
    assert found.status == "success", found.error
    return found


def test_prompts_and_scores_are_those_of_our_own_runner(log: Any) -> None:
    lines = expected()
    assert {sample.id for sample in log.samples} == set(lines)
    for sample in log.samples:
        line, (score,) = lines[sample.id], sample.scores.values()
        assert score.value == line["regret"]
        assert score.metadata["failure"] == line["failure"]
        asked = [one for one in sample.messages if not isinstance(one, ChatMessageUser)]
        told = [one.text for one in sample.messages if one.role in ("system", "user")]
        assert asked
        assert told == [one["content"] for one in line["prompt"] if one["role"] != "assistant"]


def test_the_interval_is_over_pairs(log: Any) -> None:
    (score,) = log.results.scores
    values = [one["regret"] for one in expected().values()]
    assert score.metrics["mean"].value == pytest.approx(sum(values) / len(values), abs=1e-12)
    assert score.metrics["lower"].params == {"cluster": "pair"}
    assert score.metrics["lower"].value < score.metrics["mean"].value < score.metrics["upper"].value
    assert len({sample.metadata["pair"] for sample in log.samples}) == COUNT * len(GAMES)
