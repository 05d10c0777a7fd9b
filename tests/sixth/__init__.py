"""A sixth game, written only by the steps in CONTRIBUTING: little more than its rules.

It has no parser, no words, no script and no solver of its own, and an option named like one of Shadow
Grid Duel's with another range. `register` puts it into the registry; the package needs no change.
"""

from ninefold.core.game import Game
from tests.sixth import rules
from tests.sixth.example import EXAMPLE
from tests.sixth.view import spot, view

GAME = Game(
    slug="straw",
    title="Last Straw",
    summary="Take numbers, but do not bring the load to the target.",
    options=rules.OPTIONS,
    moves=rules.TAKES,
    begin=rules.begin,
    view=view,
    spot=spot,
    bounds=(-9, 45),
    example=EXAMPLE,
)
rules.Straw.game = GAME
