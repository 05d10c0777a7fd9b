"""Every kind of question that any game asks, how to get there and how to answer. Nothing here names a game."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from ninefold import MalformedMove, Seat
from ninefold.core.cast import Cast
from ninefold.core.script import Script, Step
from ninefold.core.state import State
from ninefold.core.view import View
from ninefold.match import Match, Player
from ninefold.show.moves import cast_of, only_person
from ninefold.show.talk import script_for
from tests.cli.session import PEOPLE, Session, at_random, keep, oracle, run
from tests.setups import TABLES, Setup

SEEDS = 20


@dataclass(frozen=True)
class Position:
    """A position in which somebody is asked, after one move at least."""

    slug: str
    setup: Setup
    moves: tuple[str, ...]


@cache
def positions() -> dict[str, Position]:
    """For every game the shortest way found by random play to each phase and to each secret choice."""
    found: dict[str, Position] = {}
    for slug, setup in TABLES:
        for seed in range(SEEDS):
            match = at_random(slug, setup, seed)
            for count, state in enumerate(match.states[1:], 1):
                name = f"{slug} {state.view(None).phase}{' answered' if state.pending else ''}"
                if state.outcome is None and (name not in found or count < len(found[name].moves)):
                    moves = tuple(played.move for played in match.played[:count])
                    found[name] = Position(slug, setup, moves)
    return found


# Answers


def candidates(state: State[Any]) -> list[str]:
    """What one might type: numbers, cells, the first words of moves, whole moves."""
    cells = (cell for board in state.view(None).boards for cell in board.cells)
    texts = [str(move) for move in state.game.moves]
    return [*map(str, range(17)), *(cell.label for cell in cells), *(re.split("[@:]", t)[0] for t in texts), *texts]


def part_named(step: Step, text: str) -> Hashable:
    try:
        return step.read(text)
    except MalformedMove:
        return MalformedMove


def answers(script: Script, state: State[Any], cast: Cast, move: Any) -> list[str]:
    """What to type for a move, one question after the other."""
    view, left = state.view(state.movers[0]), state.game.moves
    typed: list[str] = []
    parts: tuple[Hashable, ...] = ()
    while len({state.game.spot(one) for one in left}) > 1:
        assert len(parts) < 2, "no move takes more than two questions"
        step = script.step(view, cast, parts)
        parts = (*parts, step.part(move))
        typed.append(next(text for text in candidates(state) if part_named(step, text) == parts[-1]))
        left = tuple(one for one in left if step.part(one) == parts[-1])
    return typed


def answers_of(match: Match, script: Script | None = None) -> list[str]:
    """All that has to be typed for the moves of a match between two people."""
    return [
        line
        for state, played in zip(match.states, match.played, strict=False)
        for line in answers(
            script or script_for(match), state, cast_of(match), state.game.parse(played.move)
        )
    ]


# Questions


@dataclass(frozen=True)
class Question:
    """A question to a person: to one of two at a screen, or to one who plays against the computer."""

    position: Position
    alone: bool
    begun: tuple[str, ...] = ()  # what has been typed of the move already

    @property
    def match(self) -> Match:
        """The match as it stands, what is chosen in secret included."""
        where = self.position
        people = oracle(where.slug, where.setup, where.moves)
        if not self.alone:
            return people
        seat = people.state.movers[0]
        players = (Player("Player 1", seat), Player("Computer", seat.other, "random"))
        return oracle(where.slug, where.setup, where.moves, players)

    @property
    def cast(self) -> Cast:
        return cast_of(self.match, only_person(self.match))

    @property
    def view(self) -> View:
        state = self.match.state
        return state.view(state.movers[0])

    @property
    def step(self) -> Step:
        script, cast = script_for(self.match), self.cast
        parts: tuple[Hashable, ...] = ()
        for text in self.begun:
            parts = (*parts, script.step(self.view, cast, parts).read(text))
        return script.step(self.view, cast, parts)

    @property
    def board(self) -> str:
        return "\n".join(script_for(self.match).board(self.view, self.cast))

    def session(self, *typed: str) -> Session:
        """The match left here and resumed, with these lines typed; `exchanges` begin at this question."""
        match = self.match
        secret = [] if self.alone else [one.move for one in match.played[match.ply :]]
        before = [*secret, *self.begun]
        session = run("resume", keep(match), typed=[*before, *typed])
        return replace(session, exchanges=session.exchanges[len(before) :])

    def takes(self, text: str) -> bool:
        """Whether a text names a legal move, or the next part of one."""
        state, step = self.match.state, self.step
        legal = state.moves(state.movers[0])
        part = part_named(step, text)
        if any(step.part(move) == part for move in legal):
            return not self.begun or any(
                step.part(move) == part
                for move in legal
                if [*answers(script_for(self.match), state, self.cast, move)][: len(self.begun)] == [*self.begun]
            )
        return any(str(move) == text for move in legal)


def questions() -> Iterator[tuple[str, Question]]:
    for name, position in positions().items():
        for alone in (False, True):
            question = Question(position, alone)
            voice = "alone" if alone else "two"
            yield f"{name} {voice}", question
            match = question.match
            by_kind = {type(move).__name__: move for move in match.state.moves(match.state.movers[0])}
            for kind, move in by_kind.items():
                begun = answers(script_for(match), match.state, question.cast, move)[:-1]
                if begun:
                    yield f"{name} {voice} {kind}", replace(question, begun=tuple(begun))
