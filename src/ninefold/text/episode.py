"""One decision in text: the prompt, the answers, and what was given away. Every harness uses it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ninefold.core.move import Move
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.turns import Played
from ninefold.players import Failure, PlayerFailed
from ninefold.study.positions import SetPosition
from ninefold.study.scores import chance, regrets
from ninefold.text.prompt import Message, TextTask, write_prompt
from ninefold.text.reading import read_answer
from ninefold.text.twins import Twin, states_of


@dataclass(slots=True)
class TextEpisode:
    """A position to answer: send `messages`, and `hear` what comes back, until it is `done`.

    An answer that fails is sent back with the reason as often as the task allows. `regret` is the exact
    chance to win that was given away: all there was if the last answer failed.
    """

    states: Sequence[State[Any]]  # before the moves that were played, and after each
    played: Sequence[Played]
    seat: Seat
    task: TextTask = field(default_factory=TextTask)
    neutral: bool = False
    messages: list[Message] = field(init=False)
    answers: list[str] = field(init=False, default_factory=list)
    move: Move | None = field(init=False, default=None)
    failure: Failure | None = field(init=False, default=None)  # of the last answer
    why: str = field(init=False, default="")

    def __post_init__(self) -> None:
        self.messages = write_prompt(self.states, self.played, self.seat, self.task, neutral=self.neutral)

    @classmethod
    def of(cls, position: SetPosition, task: TextTask, twin: Twin = Twin.NONE) -> TextEpisode:
        """The episode of a position of a set, which is already the twin that is asked."""
        states = states_of(position)
        return cls(states, position.played, position.seat, task, neutral=twin is Twin.NEUTRAL)

    @property
    def state(self) -> State[Any]:
        return self.states[-1]

    @property
    def done(self) -> bool:
        return self.move is not None or len(self.answers) > self.task.retries

    @property
    def retries(self) -> int:
        """How often it was asked again."""
        return max(0, len(self.answers) - 1)

    def hear(self, text: str | None, failure: PlayerFailed | None = None) -> None:
        """Take an answer, or the reason why there is none."""
        assert not self.done, "the episode is over"
        self.answers.append(text or "")
        try:
            if failure is not None:
                raise failure
            self.move = read_answer(self.state, self.seat, text)
            self.failure, self.why = None, ""
        except PlayerFailed as error:
            self.failure, self.why = error.failure, str(error)
            if not self.done:
                again = f"{error} Answer again: end with the line Answer: and your move."
                self.messages += [
                    {"role": "assistant", "content": text or "(no answer)"},
                    {"role": "user", "content": again},
                ]

    @property
    def regret(self) -> Fraction:
        """The chance to win that the decision gave away."""
        if self.move is None:
            return chance(self.state, self.seat)
        return regrets(self.state, self.seat)[self.state.game.index(self.move)]
