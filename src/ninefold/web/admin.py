"""`ninefold admin`: maintain the database of a server."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ninefold.core.errors import NinefoldError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ninefold.store.sql.backup import Contents

EPILOG = """\
You can make a backup while the server runs; it is verified by reading it back. Before you restore
one, stop the server; the old database is kept beside the new one. For PostgreSQL, use pg_dump and
pg_restore instead.

examples:
  ninefold admin stats
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
    ):
        action = actions.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
        if name != "stats":
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
    try:
        from ninefold.store.sql import backup
        from ninefold.web.launch import find_database
    except ModuleNotFoundError as error:
        print(f"ninefold admin needs {error.name}: pip install 'ninefold[web]'", file=sys.stderr)
        return 1
    database = find_database(arguments.database)
    if arguments.action == "stats":
        database.check_exists()
        with database.engine.connect() as connection:
            _print_contents(backup.count_contents(connection))
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
