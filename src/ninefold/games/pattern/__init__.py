"""Pattern Match."""

from ninefold.core.game import Game
from ninefold.games.pattern import notation, rules
from ninefold.games.pattern.edits import EDITS
from ninefold.games.pattern.example import EXAMPLE
from ninefold.games.pattern.lessons import COURSES
from ninefold.games.pattern.puzzles import PUZZLES
from ninefold.games.pattern.script import SCRIPT
from ninefold.games.pattern.view import numbers, spot, view
from ninefold.games.pattern.words import WORDS

GAME = Game(
    slug="pattern",
    title="Pattern Match",
    summary="First to a line of 15 on their own grid wins. Both draw from one pool.",
    moves=(*rules.PLACES.values(), *rules.RETURNS, *rules.SWAPS),
    begin=rules.begin,
    parser=notation.parse,
    view=view,
    spot=spot,
    observe=numbers,
    endless=True,
    words=WORDS,
    script=SCRIPT,
    example=EXAMPLE,
    puzzles=PUZZLES,
    edits=EDITS,
    courses=COURSES,
)
rules.Pattern.game = GAME
