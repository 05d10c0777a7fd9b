"""What our own runner makes of scripted answers: the prompts and scores that every harness must have."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ninefold.text.endpoint import Endpoint, Reply
from ninefold.text.prompt import Message, TextTask
from ninefold.text.runs import Model, Saved, TextQuestion, ask_all, questions
from ninefold.text.twins import Twin

GAMES = ("cross", "conquest", "shadow")
COUNT = 3
TWINS = (Twin.TURNED, Twin.NEUTRAL)
TASK = TextTask(retries=1)
FAILING = ("I would rather not say.", "", "Answer: pass")


def asked() -> list[TextQuestion]:
    return [*questions(GAMES, COUNT, 0, [TASK], TWINS)]


def script(question: TextQuestion) -> list[str]:
    """The answers to a question: a legal move at once, after a failure, or never."""
    moves = question.position.state.moves(question.position.seat)
    at = question.number + len(question.twin)
    failing, move = FAILING[at % 3], f"Perhaps {moves[0]}?\n\nAnswer: {moves[at % len(moves)]}"
    return [[move], [failing, move], [failing, failing]][(at + len(question.game)) % 3]


class Scripted(Endpoint):
    """An endpoint without a network."""

    def ask(self, messages: Sequence[Message], seconds: float) -> Reply:
        answers = by_prompt[messages[0]["content"], messages[1]["content"]]
        return Reply(answers[len(messages) // 2 - 1], (0, 0))


by_prompt: dict[tuple[str, str], list[str]] = {}


def expected() -> dict[str, dict[str, Any]]:
    """By question: the whole conversation, the regret as it is saved, and how the last answer failed."""
    from ninefold.text.episode import TextEpisode

    found = asked()
    for one in found:
        said = TextEpisode.of(one.position, one.task, one.twin).messages
        by_prompt[said[0]["content"], said[1]["content"]] = script(one)
    saved = Saved(None, "scripted")
    ask_all(found, lambda: Model(Scripted("scripted", "http://nowhere"), 60.0), saved, 2, lambda: None)
    lines = {}
    for one in found:
        line = saved.find(one.key)
        assert line is not None
        regret = float(Fraction(line["regret"]))
        lines[one.id] = {"prompt": line["prompt"], "regret": regret, "failure": line["failure"] or ""}
    return lines
