"""Every kind of question that any game asks, and how to answer it. Nothing here names a game."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from ninefold import MalformedMove, Seat
from ninefold.cli.voice import Voice, voice_for
from ninefold.core.cast import Cast
from ninefold.core.move import Move
from ninefold.core.script import Question as Asked
from ninefold.core.state import State
from ninefold.match import Match, Player
from ninefold.match.seating import only_person
from ninefold.show.moves import cast_of
from ninefold.show.scene import scene_of
from tests.cli.session import Session, at_random, oracle, run, save
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
            moves = tuple(str(played.move) for played in match.played)
            for count, state in enumerate(match.states[1:-1], 1):
                name = f"{slug} {state.view(None).phase}{' answered' if state.pending else ''}"
                if name not in found or count < len(found[name].moves):
                    found[name] = Position(slug, setup, moves[:count])
    return found


# Answers


def candidates(state: State[Any]) -> list[str]:
    """What one might type: numbers, cells, the first words of moves, whole moves."""
    cells = (cell for board in state.view(None).boards for cell in board.cells)
    texts = [str(move) for move in state.game.moves]
    return [
        *map(str, range(17)),
        *(cell.label for cell in cells),
        *(re.split("[@:]", t)[0] for t in texts),
        *texts,
    ]


def part_named(asked: Asked, text: str) -> Hashable:
    try:
        return asked.read(text)
    except MalformedMove:
        return MalformedMove


def answers(
    voice: Voice, state: State[Any], cast: Cast, move: Move, seat: Seat | None = None
) -> list[str]:
    """What a seat, by default the first that moves, types for a move, one question after the other."""
    scene = scene_of([state], [], state.movers[0] if seat is None else seat, cast)
    view, left = scene.view, state.game.moves
    places = {one: (spot.number, spot.cells) for one in left for spot in [state.game.spot(one)]}
    typed: list[str] = []
    parts: tuple[Hashable, ...] = ()
    while len({places[one] for one in left}) > 1 or len([one for one in left if one in view.moves]) > 1:
        assert len(parts) < 2, "no move takes more than two questions"
        asked = voice.question(scene, parts)
        parts = (*parts, asked.part(move))
        fitting = (text for text in candidates(state) if part_named(asked, text) == parts[-1])
        typed.append(next(fitting, str(move)))  # what has no part to name is typed as a whole
        left = tuple(one for one in left if asked.part(one) == parts[-1])
    return typed


def answers_of(match: Match) -> list[tuple[str, bool]]:
    """All that two people have to type for a match, and whether it is a secret."""
    voice, cast = voice_for(match), cast_of(match)
    return [
        (line, state.secret)
        for state, played in zip(match.states, match.played, strict=False)
        for line in answers(voice, state, cast, played.move)
    ]


def whole_match(slug: str, setup: Setup) -> Match:
    """A match that was played at random to its end."""
    matches = (at_random(slug, setup, seed) for seed in range(100))
    return next(match for match in matches if match.outcome is not None)


# Questions


@dataclass(frozen=True)
class Question:
    """A question to a person: to one of two at a screen, or to one who plays against the computer."""

    position: Position
    alone: bool
    begun: tuple[str, ...] = ()  # what has been typed of the move already

    @cached_property
    def match(self) -> Match:
        """The match as it stands, with what has been chosen in secret."""
        where = self.position
        match = oracle(where.slug, where.setup, where.moves)
        seat = match.state.movers[0]
        if self.alone:
            match.players = (Player("Player 1", seat), Player("Computer", seat.other, "random"))
        return match

    @property
    def seat(self) -> Seat:
        return self.match.state.movers[0]

    @property
    def board(self) -> str:
        match = self.match
        cast = cast_of(match, only_person(match))
        return "\n".join(voice_for(match).board(scene_of([match.state], [], self.seat, cast)))

    @cached_property
    def asked(self) -> tuple[Asked, list[Move]]:
        """The question itself, and the legal moves that are still open."""
        match = self.match
        voice, scene = voice_for(match), scene_of([match.state], [], self.seat, cast_of(match))
        moves, parts = list(match.state.moves(self.seat)), tuple[Hashable, ...]()
        for text in self.begun:
            asked = voice.question(scene, parts)
            parts = (*parts, asked.read(text))
            moves = [move for move in moves if asked.part(move) == parts[-1]]
        return voice.question(scene, parts), moves

    def takes(self, text: str) -> bool:
        """Whether a text names a legal move, or the next part of one that is still open."""
        asked, moves = self.asked
        state = self.match.state
        with suppress(MalformedMove):
            if state.game.parse(text) in state.moves(self.seat):
                return True
        if not self.begun and not asked.secret and text in self.cells:
            return True
        return part_named(asked, text) in [asked.part(move) for move in moves]

    @property
    def cells(self) -> set[str]:
        """The names of the cells that a legal move points at alone, and the numbers on them."""
        state = self.match.state
        spots = [state.game.spot(move) for move in state.moves(self.seat)]
        board = state.view(None).boards[-1 if self.seat else 0]
        found = [board.cells[spot.cells[0]] for spot in spots if len(spot.cells) == 1 and not spot.number]
        return {text for cell in found for text in (cell.label, str(cell.number))}

    def session(self, *typed: str) -> Session:
        """The match left here and resumed, with these lines typed; `exchanges` begin at this question."""
        match = self.match
        secret = [] if self.alone else [str(one.move) for one in match.played[match.ply :]]
        before = [*secret, *self.begun]
        session = run("resume", save(match), typed=[*before, *typed])
        return replace(session, exchanges=session.exchanges[len(before) :])


def questions() -> Iterator[tuple[str, Question]]:
    """By name, the first question in every position, and the second about each kind of move."""
    for name, position in positions().items():
        for alone in (False, True):
            question = Question(position, alone)
            match, name = question.match, f"{name}{', alone' if alone else ''}"
            yield name, question
            for kind, move in {type(m).__name__: m for m in match.state.moves(question.seat)}.items():
                if begun := answers(voice_for(match), match.state, cast_of(match), move)[:-1]:
                    yield f"{name}, {kind.lower()}", replace(question, begun=tuple(begun))
