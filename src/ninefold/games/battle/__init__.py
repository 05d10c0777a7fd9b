"""Number Grid Battle."""

from ninefold.core.game import Game
from ninefold.games.battle import notation, rules
from ninefold.games.battle.script import SCRIPT
from ninefold.games.battle.view import view

GAME = Game(
    slug="battle",
    title="Number Grid Battle",
    summary="Take the cells with the larger sum.",
    options=rules.OPTIONS,
    moves=rules.TAKES,
    begin=rules.begin,
    parse=notation.parse,
    view=view,
    script=SCRIPT,
)
rules.Battle.game = GAME
