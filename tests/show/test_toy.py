"""A toy interface: it sits down at a table, draws its scene, points at parts, and sends moves back.

If it needed more to play every game, something that belongs in `show` or `table` would be missing there.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from threading import Event

import ninefold
from ninefold.client import Link
from ninefold.core.move import Move
from ninefold.players import PERSON
from ninefold.show.board import Drawing, Part
from ninefold.show.choosing import ask_other_half, offers, pick
from ninefold.table.file import FileTable
from ninefold.table.server import ServerTable
from ninefold.table.table import Table
from tests.setups import Setup, every_slug, every_table
from tests.web.support import Server

LIMIT = 60  # moves: a random game of Pattern Match may go on for long


def lines_of(drawing: Drawing) -> Iterator[str]:
    for grid in drawing.grids:
        yield grid.title
        for row in (*grid.rows, grid.row_lines, grid.column_lines):
            yield " ".join(f"[{part.text}{part.mark}{'*' if part.last else ''}]" for part in row)
    yield " ".join(part.text for part in (*drawing.numbers, *drawing.buttons))


def point(drawing: Drawing, rng: Random) -> tuple[Move, Part | None]:
    found = pick(drawing, None, rng.choice(list(offers(drawing, None))))
    if isinstance(found, Move):
        return found, None
    others = [moves for moves in offers(drawing, found).values() if len(moves) == 1]
    return rng.choice(others)[0], found


def play(tables: tuple[Table, ...], rng: Random) -> list[str]:
    """Everything that the players of a random match get to see, one screen after the other."""
    screen, news = [], Event()
    for table in tables:
        table.news, table.covers = news.set, False
    while not all(table.over for table in tables) and len(tables[0].match.played) < LIMIT:
        choosing = [table for table in tables if table.mover is not None]
        if not choosing:
            assert news.wait(60)
            news.clear()  # before looking again, so that nothing that comes meanwhile is slept through
            continue
        table = rng.choice(choosing)
        scene, seat = table.scene(), table.mover
        assert seat is not None
        move, half = point(scene.drawing, rng)
        screen += [scene.title, *lines_of(scene.drawing), ask_other_half(scene.status, half)]
        table.play(seat, move)
        screen += table.scene().news
    return [*screen, *(str(one.scene().ending) for one in tables), *(one.leave() for one in tables)]


@every_table
def test_a_toy_interface_plays_every_game_at_one_screen(slug: str, setup: Setup) -> None:
    for seed in range(3):
        table = FileTable.new(ninefold.load(slug), (PERSON, PERSON), ("Ann", "Ben"), setup)
        *_, ending, _ = play((table,), Random(seed))
        if (outcome := table.match.outcome) is not None:
            assert ending.startswith(f"{table.match.player(outcome.winner).name} wins")


@every_slug
def test_a_toy_interface_plays_every_game_on_a_server(slug: str, server: Server) -> None:
    room = server.create(slug, dict(ninefold.load(slug).example.setup))
    links = (f"{server.base}/m/{room.id}#{token}" for token in room.tokens.values())
    tables = tuple(ServerTable(Link.parse(link)) for link in links)
    *_, first, second, _, _ = play(tables, Random(slug))
    assert tables[0].match.outcome is None or {first[:7], second[:7]} == {"You win", "You los"}
