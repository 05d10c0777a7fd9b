"""A toy interface on top of `show`: it draws, points at parts, and sends moves back.

It knows no game and words nothing. If it needed more than this to play them all, something that
belongs in `show` would be missing there.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import ninefold
from ninefold import SEATS
from ninefold.core.move import Move
from ninefold.match import Match, Player
from ninefold.show.board import Drawing, Part, describe_settings, draw
from ninefold.show.choosing import ask_other_half, offers, pick
from ninefold.show.endings import describe_ending
from ninefold.show.moves import cast_of, latest_news
from tests.setups import Setup, every_table

LIMIT = 60  # moves: a random game of Pattern Match may go on for long


def lines_of(drawing: Drawing) -> Iterator[str]:
    for grid in drawing.grids:
        yield grid.title
        for row in (*grid.rows, grid.row_lines, grid.column_lines):
            yield " ".join(f"[{part.text}{part.mark}{'*' if part.last else ''}]" for part in row)
    yield " ".join(part.text for part in (*drawing.numbers, *drawing.buttons))
    yield from (f"{panel.name} {panel.title}: {panel.text}" for panel in drawing.panels)


def point(drawing: Drawing, rng: Random) -> tuple[Move, Part | None]:
    """Point at a part, and at another one if the first is only half a move."""
    found = pick(drawing, None, rng.choice(list(offers(drawing, None))))
    if isinstance(found, Move):
        return found, None
    others = [moves for moves in offers(drawing, found).values() if len(moves) == 1]
    return rng.choice(others)[0], found


def play(match: Match, rng: Random) -> list[str]:
    """Everything that the players of a random match get to see, one screen after the other."""
    game, screen = match.game, [f"{title}: {text}" for title, text in describe_settings(match.game, {})]
    while not match.over and len(match.played) < LIMIT:
        seat = rng.choice(match.state.movers)
        view, cast = match.state.view(seat), cast_of(match, seat)
        drawing = draw(game, view, cast, last=(None, *match.turns)[-1])
        move, half = point(drawing, rng)
        screen += [*lines_of(drawing), ask_other_half(game.words.choose(view, cast), half)]
        match.submit(seat, move)
        screen.append(latest_news(match, seat, cast))
    if match.outcome is not None:
        screen += [str(describe_ending(match, cast_of(match, seat))) for seat in SEATS]
    return screen


@every_table
def test_a_toy_interface_plays_every_game(slug: str, setup: Setup) -> None:
    for seed in range(3):
        players = (Player("Ann", SEATS[0]), Player("Ben", SEATS[1]))
        match = Match(ninefold.load(slug).set_up(setup), players)
        screen = play(match, Random(seed))
        assert all(isinstance(line, str) for line in screen)
        if match.outcome is not None:
            winner, loser = screen[-2:] if match.outcome.winner is SEATS[0] else screen[:-3:-1]
            assert (winner[:7], loser[:8]) == ("You win", "You lose")
