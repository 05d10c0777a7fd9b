"""Moves stay moves: text becomes a move only where it enters the program."""

from __future__ import annotations

import ast
from pathlib import Path

SRC = Path(__file__).parents[1] / "src" / "ninefold"

# Where text enters, and from where.
ENTRANCES = {
    "core/game.py": "a written sequence of moves",
    "core/state.py": "`State.play`",
    "core/reading.py": "an answer to a puzzle: `read_move`",
    "match/match.py": "`Match.submit`",
    "match/record.py": "a file",
    "store/sql/rooms.py": "the database",
    "players/program.py": "a program's answer",
    "study/answers.py": "an agent's answer",
    "cli/prompt.py": "a prompt",
    "cli/questions.py": "a prompt: the questions of our own voice",
    "table/server.py": "the wire",
    "web/page/coach.py": "a form: the move that the coach is asked about",
    "lab/page.py": "a measure: the value of each first move",
}
OTHERS = ("Address", "Link", "markdown", "ast")  # what else can be parsed


def parses(path: Path) -> bool:
    """Whether a module reads moves from text: it calls or passes on a game's `parse`."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == "parse":
            owner = node.value.id if isinstance(node.value, ast.Name) else ""
            if owner not in OTHERS:
                return True
    return False


def test_text_is_read_as_a_move_only_where_it_enters() -> None:
    found = {str(path.relative_to(SRC)) for path in SRC.rglob("*.py") if parses(path)}
    found -= {one for one in found if one.startswith("games/")}  # a game's own notation
    assert found == set(ENTRANCES)
