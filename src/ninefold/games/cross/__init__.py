"""Number Cross."""

from ninefold.core.game import Game
from ninefold.games.cross import notation, rules
from ninefold.games.cross.edits import EDITS
from ninefold.games.cross.example import EXAMPLE
from ninefold.games.cross.lessons import COURSES
from ninefold.games.cross.puzzles import PUZZLES
from ninefold.games.cross.script import SCRIPT
from ninefold.games.cross.view import numbers, spot, view
from ninefold.games.cross.words import WORDS

GAME = Game(
    slug="cross",
    title="Number Cross",
    summary="Claim rows and columns. The larger sum wins; on a tie, whoever moved second.",
    options=rules.OPTIONS,
    moves=rules.CLAIMS,
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
rules.Cross.game = GAME
