"""A game's example, played as a match: a short game with a remark on every move."""

from __future__ import annotations

from ninefold.core.game import Game
from ninefold.core.seat import SEATS, Seat
from ninefold.match import Match, Player

READER = Seat.FIRST  # the viewer of an example: a player, who may know all settings


def example_match(game: Game, count: int | None = None) -> Match:
    """The game's example after the first `count` of its moves, by default after all of them."""
    first, second = (Player(name, seat) for seat, name in zip(SEATS, game.example.names, strict=True))
    match = Match(game.set_up(game.example.setup), (first, second))
    for text, _ in game.example.moves[:count]:
        match.submit(match.state.movers[0], text)
    return match
