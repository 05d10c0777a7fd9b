"""`ninefold history`: the matches kept on this machine."""

from __future__ import annotations

import argparse
import json
from datetime import datetime

from ninefold.cli.console import columns
from ninefold.match import Match
from ninefold.match.record import result_data
from ninefold.store.files import Entry, Matches


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print a JSON list of objects")
    parser.epilog = "example:\n  ninefold history --json"


def run(arguments: argparse.Namespace) -> int:
    entries = Matches().entries()
    if arguments.json:
        print(json.dumps([_data(entry) for entry in entries], indent=1, ensure_ascii=False))
    elif not entries:
        print("No matches yet. `ninefold play GAME` starts one.")
    else:
        head = ("ID", "LAST MOVE", "GAME", "PLAYERS", "MOVES", "RESULT")
        print(*columns([head, *(_row(entry) for entry in entries)]), sep="\n")
    return 0


def _row(entry: Entry) -> tuple[str, ...]:
    when = datetime.fromtimestamp(entry.changed).strftime("%Y-%m-%d %H:%M")
    match = entry.match
    if match is None:
        return (entry.id, when, "?", "?", "?", f"damaged: {entry.problem}")
    names = " - ".join(player.name for player in match.players)
    return (entry.id, when, match.game.slug, names, str(len(match.played)), _result(match))


def _result(match: Match) -> str:
    outcome = match.outcome
    if outcome is None:
        return f"stopped ({match.stopped})" if match.stopped else "unfinished"
    return f"{match.player(outcome.winner).name} won ({outcome.reason})"


def _data(entry: Entry) -> dict[str, object]:
    match = entry.match
    if match is None:
        return {"id": entry.id, "file": str(entry.path), "problem": entry.problem}
    return {
        "id": entry.id,
        "file": str(entry.path),
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
