"""`ninefold dataset FOLDER`: positions with their exact values, as JSON lines for training and testing.

A position and all its symmetric copies are in one split, so nothing that is tested was trained on.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from ninefold import __version__
from ninefold.analysis import evaluate
from ninefold.core.puzzles import Task
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.words import pluralize
from ninefold.study.data import evaluation_data
from ninefold.study.puzzles.tasks import Proof
from ninefold.study.puzzles.themes import find_themes
from ninefold.study.scores import chance, regrets
from ninefold.text.episode import TextEpisode
from ninefold.text.prompt import TextTask, write_rules
from ninefold.text.report import STAGES
from ninefold.text.runs import TextQuestion, add_sets, questions, read_games
from ninefold.text.twins import Twin

SPLITS = ("test", "validation", *["train"] * 8)  # by the remainder of a position's class
EPILOG = """\
examples:
  ninefold dataset positions --positions 500
  ninefold dataset fresh --games shadow conquest --seed 7 --twins
"""

CARD = """\
# Positions of Ninefold's games with exact values

{count} in {classes} classes, made by Ninefold {version}. Every position comes from a random game of its
own and is a real decision: its legal moves differ in value. `chance` and `regret` are exact fractions,
for the seat that is asked; `first_wins` is about the first player. Where players choose in secret,
`mix` is an optimal mixture. Positions that are equal up to symmetry have the same `class`, and a class
is in one split alone. `sha256sum -c SHA256SUMS` checks the files. The license is Ninefold's, MIT.

The sets:
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where to write it")
    add_sets(parser)
    parser.add_argument("--twins", action="store_true", help="add turned and renumbered copies")


def run(arguments: argparse.Namespace) -> int:
    twins = (Twin.TURNED, Twin.RENUMBERED) if arguments.twins else ()
    asked = questions(read_games(arguments), arguments.positions, arguments.seed, [TextTask()], twins)
    rows = [*map(make_row, asked)]
    write_dataset(arguments.folder, rows)
    print(f"{pluralize(len(rows), 'position')} in {arguments.folder}; README.md says what they are.")
    return 0


def make_row(question: TextQuestion) -> dict[str, Any]:
    """Everything that is known of a position."""
    position, game = question.position, question.position.state.game
    state, seat = position.state, position.seat
    key = sha256(repr((game.slug, game.puzzles.key(state))).encode()).hexdigest()
    found, lost = evaluation_data(evaluate(state)), regrets(state, seat)
    costs = {str(game.moves[action]): str(cost) for action, cost in lost.items()}
    options = [one for one in found.pop("options") if one["seat"] == str(seat)]
    return {
        "id": question.id,
        "split": SPLITS[int(key[:8], 16) % len(SPLITS)],
        "class": key[:16],
        "set": question.set,
        "game": game.slug,
        "rules": write_rules(game),
        "position": TextEpisode.of(position, question.task).messages[1]["content"],
        "setup": dict(state.setup),
        "moves": [str(one.move) for one in position.played],
        "seat": str(seat),
        "stage": STAGES[position.stage],
        "legal": [str(move) for move in state.moves(seat)],
        "value": found,
        "chance": str(chance(state, seat)),
        "options": [{**one, "regret": costs[one["move"]]} for one in options],
        "secret": state.secret,
        "themes": [*map(str, _themes(state, seat))],
    }


def _themes(state: State[Any], seat: Seat) -> Sequence[str]:
    """What is remarkable about the best move, where there is just one and it is made openly."""
    best = [action for action, cost in regrets(state, seat).items() if not cost]
    if state.secret or len(best) > 1:
        return ()
    move = state.game.moves[best[0]]
    task = Task.WIN if chance(state, seat) == 1 else Task.SAVE
    return find_themes(state, seat, task, Proof((move,), (move,), 1))


def write_dataset(folder: Path, rows: Sequence[dict[str, Any]]) -> None:
    """A file for each split, their checksums, and a card that says what is in them."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {}
    for split in dict.fromkeys(reversed(SPLITS)):
        lines = [json.dumps(row) + "\n" for row in rows if row["split"] == split]
        files[f"{split}.jsonl"] = "".join(lines)
    files["README.md"] = "\n".join(_card(rows))
    sums = [f"{sha256(text.encode()).hexdigest()}  {name}\n" for name, text in files.items()]
    for name, text in {**files, "SHA256SUMS": "".join(sums)}.items():
        (folder / name).write_text(text, encoding="utf-8")


def _card(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The data card, made from the data."""
    sets = dict.fromkeys(row["set"] for row in rows)
    classes = len({row["class"] for row in rows})
    yield CARD.format(count=pluralize(len(rows), "position"), classes=classes, version=__version__)
    yield from (f"- `{name}`" for name in sets)
    yield ""
    for column in ("game", "stage", "seat"):
        found = Counter((row[column], row["split"]) for row in rows)
        names, splits = dict.fromkeys(row[column] for row in rows), dict.fromkeys(reversed(SPLITS))
        yield f"| {column} | {' | '.join(splits)} |\n|---|{'---|' * len(splits)}"
        yield from (
            f"| {name} | {' | '.join(str(found[name, one]) for one in splits)} |" for name in names
        )
        yield ""
    themes = Counter(theme for row in rows for theme in row["themes"])
    yield "| theme | positions |\n|---|---|"
    yield from (f"| {theme} | {count} |" for theme, count in sorted(themes.items()))
    yield ""
