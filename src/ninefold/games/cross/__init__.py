"""Number Cross."""

from ninefold.core.game import Game
from ninefold.games.cross import notation, rules
from ninefold.games.cross.example import EXAMPLE
from ninefold.games.cross.script import SCRIPT
from ninefold.games.cross.view import numbers, spot, view

GAME = Game(
    slug="cross",
    title="Number Cross",
    summary="Claim the rows and columns with the larger sum.",
    options=rules.OPTIONS,
    moves=rules.CLAIMS,
    begin=rules.begin,
    parse=notation.parse,
    view=view,
    spot=spot,
    numbers=numbers,
    script=SCRIPT,
    example=EXAMPLE,
)
rules.Cross.game = GAME
