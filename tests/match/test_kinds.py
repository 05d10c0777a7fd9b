"""Kinds have one home: nobody else spells them out, and every event has its type."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import ninefold
from ninefold.match.events import EVENTS
from ninefold.match.kinds import Action, EventKind, Offer, SeatKind, Status
from ninefold.players import PERSON

SOURCE = Path(ninefold.__file__).parent
USERS = ("match", "show", "store", "client", "table", "cli", "tui", "web", "commands.py")
HOME = "match/kinds.py"
KINDS = {str(one) for kinds in (Action, EventKind, Offer, SeatKind, Status) for one in kinds}

WORDING = ("pluralize", "subject_does", "Binding")  # take words of sentences, keys, names of actions

# The same words where they mean something else.
ELSEWHERE = {
    "match/record.py": {"move"},  # a field of the record
    "store/sql/migrations/versions/0001_matches.py": {"move"},  # a column
    "store/sql/migrations/versions/0004_serials.py": {"move"},
    "store/sql/schema.py": {"move"},
    "store/sql/transactions.py": {"move"},
    "store/files/progress.py": {"open"},  # a puzzle that was tried and is not solved yet
    "client/wire.py": {"open"},  # the verdict on a puzzle that is not solved yet
    "cli/command_words.py": {"hint", "stop"},  # what is typed in line mode
    "cli/commands/learn.py": {"hint"},
    "tui/screens/learn.py": {"hint"},
    "show/lessons.py": {"left"},  # a field of a sentence
    "web/page/learn.py": {"hint"},
    "web/api/lessons.py": {"hint"},
    "cli/online.py": {"accept", "decline", "stop"},
    "cli/seated.py": {"hint", "stop"},
    "cli/setup.py": {"hint", "stop"},
    "tui/board/grid.py": {"hint", "offer"},  # looks of a cell
    "tui/board/position.py": {"left", "move"},  # arrow keys, and actions of a screen
    "match/sitting.py": {"hint", "stop"},  # what somebody at a table can do
    "web/app.py": {"accept"},  # a header
    "web/page/forms.py": {"hint", "move"},  # fields of a form, and of an address
    "web/page/lobby.py": {"here"},
    "web/page/match.py": {"hint"},
    "web/page/preferences.py": {"here"},
    "web/page/puzzles.py": {"hint"},
}


def spelled_out(tree: ast.Module) -> Iterator[str]:
    """The kinds among a module's texts. A docstring is no data, and an f-string is a sentence."""
    for node in ast.walk(tree):
        called = ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
        if called not in WORDING and not isinstance(node, ast.JoinedStr | ast.Expr):
            for one in ast.iter_child_nodes(node):
                if isinstance(one, ast.Constant) and one.value in KINDS:
                    yield one.value


def test_a_kind_is_spelled_out_in_its_enum_and_nowhere_else() -> None:
    found: dict[str, set[str]] = {}
    for user in USERS:
        root = SOURCE / user
        for path in [root] if root.is_file() else sorted(root.rglob("*.py")):
            name = path.relative_to(SOURCE).as_posix()
            words = set(spelled_out(ast.parse(path.read_text(encoding="utf-8"))))
            if words and name != HOME:
                found[name] = words
    assert found == ELSEWHERE


def test_every_kind_of_event_has_its_type() -> None:
    assert list(EVENTS) == list(EventKind)
    assert all(event.kind == kind for kind, event in EVENTS.items())


def test_a_person_is_called_the_same_at_a_table_and_on_a_server() -> None:
    assert SeatKind.PERSON == PERSON


def test_the_pages_script_knows_only_kinds_that_there_are() -> None:
    script = (SOURCE / "web/page/static/page.js").read_text(encoding="utf-8")
    kinds = re.findall(r'\bkind === "([\w-]+)"', script)
    assert kinds
    assert set(kinds) <= set(EventKind)
    offers = re.findall(r'\boffer === "([\w-]+)"', script)
    assert offers
    assert set(offers) <= set(Offer)
