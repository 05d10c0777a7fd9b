"""What a game hands to every interface: texts that all of them take, moves that can be pointed at, and
secrets that are kept by structure, whatever the game's own words are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from ninefold import SEATS, Game, Seat, State
from ninefold.cli.command_words import LETTERS, PURPOSES
from ninefold.cli.voice import Voice
from ninefold.core.cast import Cast
from ninefold.core.move import Move
from ninefold.core.turns import Played
from ninefold.core.view import as_data
from ninefold.core.words import Words, plain_words, say_chosen
from ninefold.show.board import Part, draw
from ninefold.show.choosing import offers, parts_of, pick
from ninefold.show.moves import tell_last
from ninefold.show.scene import scene_of
from tests.setups import GAMES, Setup, every_game, every_game_table

CAST = Cast(("Ann", "Ben"))
CAP = 60
# What a text may hold, so that it fits in a link, a file and a line that somebody types.
MOVE = re.compile(r"[A-Za-z0-9]([A-Za-z0-9@,:._-]{0,38}[A-Za-z0-9])?")
LABEL = re.compile(r"[A-Za-z0-9]+(,[A-Za-z0-9]+)?")
KIND = re.compile(r"[a-z]*")
COMMANDS = {*LETTERS, *PURPOSES, "exit", "back", "y", "n", "yes", "no"}


def slug_of(game: Game) -> str:
    return game.slug


Path = tuple[list[State[Any]], list[Played]]


def paths(game: Game, setup: Mapping[str, int | str], seed: int = 0) -> Iterator[Path]:
    """A random game, move by move. Where both seats choose, either may be quicker."""
    rng = Random(f"{game.slug} {seed}")
    states, played = [game.set_up(setup)], list[Played]()
    yield states[:], played[:]
    while states[-1].movers and len(played) < CAP:
        seat = rng.choice(states[-1].movers)
        move = rng.choice(states[-1].moves(seat))
        states.append(states[-1].after(move, seat))
        played.append(Played(seat, move))
        yield states[:], played[:]


# Texts


@every_game
def test_a_move_is_written_so_that_every_interface_takes_it(game: Game) -> None:
    for move in game.moves:
        assert MOVE.fullmatch(str(move)), move
        assert str(move).lower() not in COMMANDS
        assert KIND.fullmatch(game.spot(move).kind)
        assert game.parse(str(move)) == move


@every_game_table
def test_a_label_is_no_command(game: Game, setup: Setup) -> None:
    for states, _ in paths(game, setup):
        for board in states[-1].view(None).boards:
            for cell in board.cells:
                assert LABEL.fullmatch(cell.label), cell
                assert cell.label.lower() not in COMMANDS


@every_game
def test_the_default_parser_reads_what_the_default_words_say(game: Game) -> None:
    view = game.set_up(game.example.setup).view(None)
    plain = replace(game, parser=None)
    for move in game.moves:
        assert plain.parse(plain_words(view, move)) == move
        assert plain.parse(f" {plain_words(view, move).upper()} ") == move


@every_game_table
def test_whoever_starts_is_the_one_that_the_game_names(game: Game, setup: Setup) -> None:
    movers = game.set_up(setup).movers
    assert game.starter == (movers[0] if len(movers) == 1 else None)


# Pointing


def reach(part_of: dict[str, Part], drawing: Any, wanted: Move) -> bool:
    """Whether a move can be chosen by pointing, whichever of its parts comes first."""
    reached, at_first = False, offers(drawing, None)
    for first in part_of.values():
        if wanted not in at_first.get(first.id, ()):
            continue
        chosen: Part | None = None
        offered = at_first
        for step in (first, *part_of.values(), *part_of.values()):
            if wanted not in offered.get(step.id, ()) or (chosen and step.id == chosen.id):
                continue
            found = pick(drawing, chosen, step.id)
            if isinstance(found, Move):
                assert found == wanted
                reached = True
                break
            chosen, offered = found, offers(drawing, found)
    return reached


@every_game_table
def test_every_legal_move_can_be_pointed_at(game: Game, setup: Setup) -> None:
    for states, _ in paths(game, setup):
        for seat in states[-1].movers:
            drawing = draw(game, states[-1].view(seat), CAST)
            parts = {part.id: part for part in parts_of(drawing)}
            assert len(parts) == len(list(parts_of(drawing)))
            for move in states[-1].moves(seat):
                assert reach(parts, drawing, move), move


# Secrets


def pending_paths(game: Game, setup: Mapping[str, int | str]) -> Iterator[Path]:
    for seed in range(6):
        yield from (path for path in paths(game, setup, seed) if path[0][-1].pending)


def has_secrets(game: Game) -> bool:
    return any(
        states[-1].secret for seed in range(6) for states, _ in paths(game, game.example.setup, seed)
    )


SECRET = pytest.mark.parametrize(
    "game", [game for game in GAMES.values() if has_secrets(game)], ids=slug_of
)


def twins(path: Path) -> Iterator[Path]:
    """The same path with every other choice that could be pending now."""
    states, played = path
    before, last = states[-2], played[-1]
    for move in before.moves(last.seat):
        if move != last.move:
            yield [*states[:-1], before.after(move, last.seat)], [*played[:-1], Played(last.seat, move)]


def outsiders(path: Path) -> list[Seat | None]:
    return [viewer for viewer in (None, *SEATS) if viewer not in path[0][-1].pending]


def said_to(path: Path, viewer: Seat | None) -> list[Any]:
    """Everything that is drawn and said of a position to one viewer."""
    (states, played), game, cast = path, path[0][0].game, CAST.for_reader(viewer)
    voices = [Voice(), *([Voice(book=game.script)] if game.script else [])]
    return [
        as_data(states[-1].view(viewer)),
        scene_of(states, played, viewer, cast),
        tell_last(states, played, viewer, cast),
        *(voice.told(states, played, viewer, cast) for voice in voices),
    ]


@SECRET
def test_a_pending_choice_changes_nothing_for_anybody_else(game: Game) -> None:
    paths = list(pending_paths(game, game.example.setup))
    assert paths
    for path in paths:
        for twin in twins(path):
            for viewer in outsiders(path):
                assert said_to(path, viewer) == said_to(twin, viewer)


@SECRET
def test_a_games_words_are_not_given_a_pending_choice(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With words that say everything they are given, nobody else hears of it."""
    told: list[object] = []

    def tell(*given: object) -> str:
        told.append(given)
        return str(given)

    monkeypatch.setitem(game.__dict__, "words", Words(news=tell, revealed=tell))
    for path in pending_paths(game, game.example.setup):
        told.clear()
        states, played = path
        for viewer in (None, *SEATS):
            tell_last(states, played, viewer, CAST)
            assert told == []
            said = Voice().told(states, played, viewer, CAST)
            asked = viewer in states[-1].movers  # and told by the question
            assert said == ([] if asked else ["", say_chosen(played[-1].seat, CAST)])
            told.clear()  # what earlier choices revealed is still news
        for viewer in outsiders(path):
            scene = scene_of(states, played, viewer, CAST)
            assert str(played[-1].move) not in str(replace(scene, game=None, view=None))  # type: ignore[arg-type]
