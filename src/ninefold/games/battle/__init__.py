"""Number Grid Battle."""

from ninefold.core.game import Game
from ninefold.games.battle import notation, rules
from ninefold.games.battle.edits import EDITS
from ninefold.games.battle.example import EXAMPLE
from ninefold.games.battle.lessons import COURSES
from ninefold.games.battle.puzzles import PUZZLES
from ninefold.games.battle.script import SCRIPT
from ninefold.games.battle.view import numbers, spot, view
from ninefold.games.battle.words import WORDS

GAME = Game(
    slug="battle",
    title="Number Grid Battle",
    summary="Take numbers in turn. The larger sum wins.",
    options=rules.OPTIONS,
    moves=rules.TAKES,
    begin=rules.begin,
    parser=notation.parse,
    view=view,
    spot=spot,
    observe=numbers,
    words=WORDS,
    script=SCRIPT,
    example=EXAMPLE,
    puzzles=PUZZLES,
    edits=EDITS,
    courses=COURSES,
)
rules.Battle.game = GAME
