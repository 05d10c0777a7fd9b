"""A game of another shape: a board that is not square, two things to do with a cell, a move without one.

It has no parser, no words, no script and no solver of its own. The second seat starts, a seat can move
twice in a row, and its setting is a word.
"""

from ninefold.core.game import Game
from ninefold.core.seat import Seat
from tests.sixth.garden import rules
from tests.sixth.garden.example import EXAMPLE
from tests.sixth.garden.view import spot, view

GAME = Game(
    slug="garden",
    title="Two Gardeners",
    summary="Plant more plots than your neighbor.",
    options=rules.OPTIONS,
    moves=rules.MOVES,
    begin=rules.begin,
    view=view,
    spot=spot,
    starter=Seat.SECOND,
    example=EXAMPLE,
)
rules.Garden.game = GAME
