"""Number Grid Battle."""

from ninefold.core.game import Game
from ninefold.games.battle import notation, rules
from ninefold.games.battle.example import EXAMPLE
from ninefold.games.battle.script import SCRIPT
from ninefold.games.battle.view import numbers, spot, view

GAME = Game(
    slug="battle",
    title="Number Grid Battle",
    summary="Take the cells with the larger sum.",
    options=rules.OPTIONS,
    moves=rules.TAKES,
    begin=rules.begin,
    parse=notation.parse,
    view=view,
    spot=spot,
    numbers=numbers,
    script=SCRIPT,
    example=EXAMPLE,
)
rules.Battle.game = GAME
