"""`ninefold admin`: maintain the database of a server."""

from __future__ import annotations

import argparse
import getpass
import os
from pathlib import Path

from ninefold.core.errors import NinefoldError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ninefold.store.sql.backup import Contents

PATIENCE = 3600.0  # seconds that a statement may take
EPILOG = """\
You can make a backup while the server runs; it is verified by reading it back. Before you restore
one, stop the server; the old database is kept beside the new one. For PostgreSQL, use pg_dump and
pg_restore instead. You can remove a match while the server runs; it notices within ten seconds.

examples:
  ninefold admin stats
  ninefold admin remove Xq3vT0aLkP9s
  ninefold admin backup /var/backups/ninefold-monday.db
  ninefold admin restore /var/backups/ninefold-monday.db --database sqlite:////var/lib/ninefold/server.db
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, summary in (
        ("backup", "copy the database, even while it is in use"),
        ("restore", "replace the database with a backup"),
        ("stats", "say what is in the database"),
        ("remove", "remove a match, with its moves and events"),
    ):
        action = actions.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
        if name == "remove":
            action.add_argument("match", metavar="MATCH", help="its id: the last part of its address")
        elif name != "stats":
            action.add_argument("file", type=Path, metavar="FILE", help="the backup")
        add_database(action)


def add_database(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--database",
        metavar="URL",
        default="",
        help="sqlite:///FILE or postgresql://... (NINEFOLD_DATABASE, or else a file in the data folder)",
    )


def run(arguments: argparse.Namespace) -> int:
    from ninefold.store.sql import backup
    from ninefold.store.sql.cleanup import remove_match
    from ninefold.store.sql.preflight import connect
    from ninefold.web.launch import find_database

    database = find_database(arguments.database, timeout=PATIENCE)
    user = database.url.username or os.environ.get("PGUSER") if database.shared else None
    print(f"Using {database.url.render_as_string()} as {user or getpass.getuser()}.")
    if arguments.action == "stats":
        with connect(database) as connection:
            _print_contents(backup.count_contents(connection))
        return 0
    if arguments.action == "remove":
        with connect(database) as connection:
            remove_match(database, arguments.match, connection)
        print(f"Match {arguments.match} has been removed.")
        return 0
    if database.shared:
        tool = "pg_dump" if arguments.action == "backup" else "pg_restore"
        raise NinefoldError(f"This is for SQLite. For PostgreSQL use {tool}; see docs/server.md.")
    path = Path(database.url.database or "")
    if arguments.action == "backup":
        _print_contents(backup.back_up(path, arguments.file))
        print(f"{arguments.file} has been written and read back.")
        return 0
    contents, replaced = backup.restore(arguments.file, path)
    _print_contents(contents)
    print(f"{path} has been restored.")
    if replaced is not None:
        print(f"The old database is now {replaced}.")
    return 0


def _print_contents(contents: Contents) -> None:
    print(f"schema {contents.revision}")
    print(f"matches {contents.matches.total()}")
    for counts in (contents.matches, contents.games):
        for name, count in sorted(counts.items()):
            print(f"  {name} {count}")
    print(f"moves {contents.moves}")
    print(f"events {contents.events}")
    if contents.damaged:
        print(f"damaged {len(contents.damaged)}: {', '.join(contents.damaged[:20])}")
