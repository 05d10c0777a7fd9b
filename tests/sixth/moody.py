"""The sixth game with a second setting, whose values are words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ninefold.core.game import Option, one_of
from ninefold.core.seat import Seat
from tests import sixth
from tests.sixth.rules import OPTIONS, Straw, Take

MOODS = ("calm", "wild")
MOOD = Option(
    name="mood", allowed="calm or wild", read=one_of(MOODS), values=lambda: MOODS, default="calm"
)


@dataclass(frozen=True, slots=True)
class Moody(Straw):
    mood: str = "calm"

    @property
    def setup(self) -> Mapping[str, int | str]:
        return {"target": self.target, "mood": self.mood}

    def after(self, move: Take, seat: Seat) -> Moody:
        owners = (*self.owners[: move.number - 1], seat, *self.owners[move.number :])
        return Moody(self.target, owners, self.mood)


def begin(target: int, mood: str) -> Moody:
    return Moody(target, mood=mood)


GAME = replace(sixth.GAME, slug="moody", title="Moody Straw", options=(*OPTIONS, MOOD), begin=begin)
Moody.game = GAME
