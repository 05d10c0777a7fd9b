"""`ninefold history`: list the matches saved on this machine, those played on servers included."""

from __future__ import annotations

import argparse
import json
from datetime import datetime

from ninefold.cli.console import Console, console_for
from ninefold.match.record import result_data
from ninefold.show.endings import say_result
from ninefold.show.moves import say_players
from ninefold.store.files.matches import Entry, all_entries

HEAD = ("ID", "LAST MOVE", "GAME", "PLAYERS", "MOVES", "RESULT")
SPARE = ("MOVES", "LAST MOVE")  # where there is no room, the order in which columns are left out


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print a JSON list of objects")
    parser.epilog = "example:\n  ninefold history --json"


def run(arguments: argparse.Namespace) -> int:
    if arguments.json:
        entries = [_data(entry) for entry in all_entries()]
        print(json.dumps(entries, indent=1, ensure_ascii=False))
    else:
        show_history(console_for(arguments))
    return 0


def show_history(console: Console) -> None:
    entries = all_entries()
    if not entries:
        console.say("No matches yet. `ninefold play GAME` starts one.")
    else:
        with console.paged():
            console.say_table(HEAD, [_row(entry) for entry in entries], SPARE)


def _row(entry: Entry) -> tuple[str, ...]:
    when = datetime.fromtimestamp(entry.changed).strftime("%Y-%m-%d %H:%M")
    match = entry.match
    if match is None:
        return (entry.id, when, "?", "?", "?", f"damaged: {entry.problem}")
    where = ", online" if entry.link else ""
    return (
        entry.id,
        when,
        match.game.slug,
        f"{say_players(match)}{where}",
        str(len(match.played)),
        say_result(match),
    )


def _data(entry: Entry) -> dict[str, object]:
    match = entry.match
    if match is None:
        return {"id": entry.id, "file": str(entry.path), "problem": entry.problem}
    return {
        "id": entry.id,
        "file": str(entry.path),
        "link": entry.link or None,
        "game": match.game.slug,
        "setup": dict(match.state.setup),
        "players": [
            {"name": player.name, "seat": str(player.seat), "kind": player.kind}
            for player in match.players
        ],
        "started": match.started,
        "moves": len(match.played),
        "result": None if match.result is None else result_data(match.result),
    }
