"""Shadow Grid Duel."""

from ninefold.core.game import Game
from ninefold.games.shadow import notation, rules
from ninefold.games.shadow.edits import EDITS
from ninefold.games.shadow.example import EXAMPLE
from ninefold.games.shadow.lessons import COURSES
from ninefold.games.shadow.puzzles import PUZZLES
from ninefold.games.shadow.script import SCRIPT
from ninefold.games.shadow.view import numbers, spot, view
from ninefold.games.shadow.words import WORDS

GAME = Game(
    slug="shadow",
    title="Shadow Grid Duel",
    summary=(
        "Line up three of your numbers to hit the target. Fill the last cell without it, and you lose."
    ),
    options=rules.OPTIONS,
    moves=tuple(rules.PLACES.values()),
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
rules.Shadow.game = GAME
