"""Grid Conquest."""

from ninefold.core.game import Game
from ninefold.games.conquest import notation, rules
from ninefold.games.conquest.edits import EDITS
from ninefold.games.conquest.example import EXAMPLE
from ninefold.games.conquest.lessons import COURSES
from ninefold.games.conquest.puzzles import PUZZLES
from ninefold.games.conquest.script import SCRIPT
from ninefold.games.conquest.view import numbers, spot, view
from ninefold.games.conquest.words import WORDS

GAME = Game(
    slug="conquest",
    title="Grid Conquest",
    summary="Claim cells, and fight for them with secret numbers. More cells win.",
    options=rules.OPTIONS,
    moves=(*rules.CLAIMS, *rules.CHALLENGES, *(rules.BIDS[number] for number in rules.HAND)),
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
rules.Conquest.game = GAME
