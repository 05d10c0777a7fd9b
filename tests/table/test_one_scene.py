"""A match is one scene wherever somebody sits: at one screen, at a server's table, or on the page."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import httpx

from ninefold import SEATS, Seat, load
from ninefold.cli.voice import Voice
from ninefold.client import wire
from ninefold.client.seat import imagine_match
from ninefold.core.turns import Played
from ninefold.match import Match, Player, Record
from ninefold.match.kinds import Action, Offer, SeatKind
from ninefold.match.sitting import Deed, Sitting
from ninefold.players import PERSON
from ninefold.show.hints import say_hint
from ninefold.show.moves import cast_of
from ninefold.show.scene import Scene, scene_at
from ninefold.study.hints import find_hint
from ninefold.table.file import FileTable
from ninefold.table.server import sitting_from
from ninefold.web.actions.sitting import sitting_of
from ninefold.web.page.html import Site
from ninefold.web.page.match_html import Around, render_scene
from ninefold.web.server import Server
from tests.setups import Setup, every_slug, every_table
from tests.web.inside import inside
from tests.web.support import API, bearer

FIRST, SECOND = SEATS
LIMIT = 24
NAMES = {"first": {"kind": "person", "name": "Ann"}, "second": {"kind": "person", "name": "Ben"}}
ONLINE = {Deed.ABORT, Deed.CLAIM}  # only on a server


class Room:
    """A match on a server inside this process, and its scenes."""

    def __init__(self, client: httpx.AsyncClient, server: Server) -> None:
        self.client, self.server = client, server

    async def create(self, slug: str, setup: Setup, **more: Any) -> None:
        wanted = {"game": slug, "setup": setup, **NAMES, **more}
        created = (await self.client.post(f"{API}/matches", json=wanted)).json()
        self.id = created["match"]
        self.tokens = {held["seat"]: held["token"] for held in created["held"]}

    async def ask(self, method: str, path: str, viewer: Seat | None, body: Any = None) -> Any:
        headers = bearer(None if viewer is None else self.tokens[str(viewer)])
        address = f"{API}/matches/{self.id}{path}"
        answer = await self.client.request(method, address, json=body, headers=headers)
        assert answer.is_success, answer.text
        return answer.json()

    async def on_a_table(self, viewer: Seat | None) -> Sitting:
        info = wire.read(wire.MatchInfo, await self.ask("GET", "", viewer))
        record = Record.from_json(json.dumps(await self.ask("GET", "/record", viewer)))
        return sitting_from(info, imagine_match(record, *info.eyes))

    async def on_the_page(self, *seats: Seat, ready: Seat | None = None) -> Sitting:
        room = await self.server.room(self.id)
        return sitting_of(room, seats, None if ready is None else str(ready))

    async def play(self, seat: Seat, move: object) -> None:
        ply = (await self.server.room(self.id)).match.ply
        await self.ask("POST", "/moves", seat, {"move": str(move), "ply": ply})


def draw(sitting: Sitting, *, advised: bool = False) -> Scene:
    """A scene without what may differ: presence and the clock."""
    cast, state = cast_of(sitting.match, sitting.you), sitting.match.open_state
    hint = None
    if advised and sitting.mover is not None:
        found = find_hint(state, sitting.mover)
        hint = found.move, say_hint(state, found, cast)
    scene = scene_at(sitting, cast, hint=hint)
    notes = tuple(replace(one, presence=None, left=None) for one in scene.notes)
    return replace(scene, notes=notes, deeds=scene.deeds - ONLINE)


def lone(table: FileTable, *seats: Seat) -> Sitting:
    """A match in a file, as if the other players were computers: who they are changes only the words."""
    return replace(table.sitting, seats=seats)


@every_table
def test_every_moment_is_the_same_scene_everywhere(tmp_path: Path, slug: str, setup: Setup) -> None:
    rng = Random(f"{slug} {setup}")

    async def compare(client: httpx.AsyncClient, server: Server) -> None:
        room = Room(client, server)
        start = load(slug).start(rng=rng, **setup)
        await room.create(slug, dict(start.setup))
        first = "2" if start.game.starter is SECOND else "1"  # Ann has the first seat
        table = FileTable.new(load(slug), (PERSON, PERSON), ("Ann", "Ben"), start.setup, first=first)
        for ply in range(LIMIT + 1):
            match = table.match
            for viewer in (*SEATS, None):
                seats = () if viewer is None else (viewer,)
                here = draw(lone(table, *seats), advised=not ply % 8)
                assert here == draw(await room.on_the_page(*seats), advised=not ply % 8)
                assert here == draw(await room.on_a_table(viewer), advised=not ply % 8)
            assert draw(table.sitting) == draw(await room.on_the_page(*SEATS))
            if match.over:
                break
            table.uncover()
            ready = match.state.movers[0]
            assert draw(table.sitting) == draw(await room.on_the_page(*SEATS, ready=ready))
            seat = match.state.movers[0]
            move = rng.choice(match.state.moves(seat))
            if ply == LIMIT - 1:
                table.resign(seat)
                await room.ask("POST", "/resign", seat)
            else:
                table.play(seat, move)
                await room.play(seat, move)
        table.leave()

    inside(tmp_path, compare)


@every_slug
def test_offers_and_waiting_are_the_same_scene_on_page_and_table(tmp_path: Path, slug: str) -> None:
    async def compare(client: httpx.AsyncClient, server: Server) -> None:
        room = Room(client, server)
        await room.create(slug, dict(load(slug).example.setup), second={"kind": SeatKind.OPEN})

        async def same() -> dict[Seat | None, Scene]:
            found: dict[Seat | None, Scene] = {}
            for viewer in (FIRST, SECOND, None) if len(room.tokens) > 1 else (FIRST, None):
                seats = () if viewer is None else (viewer,)
                page, table = await room.on_the_page(*seats), await room.on_a_table(viewer)
                assert page.deeds - {Deed.CLAIM} == table.deeds - {Deed.CLAIM}
                found[viewer] = draw(page)
                assert found[viewer] == draw(table)
            return found

        waiting = await same()
        assert Deed.ABORT in (await room.on_the_page(FIRST)).deeds
        assert waiting[None].terms
        assert not waiting[FIRST].terms
        joined = await room.ask("POST", "/join", None, {"name": "Ben"})
        room.tokens["second"] = joined["token"]
        await same()
        match = (await server.room(room.id)).match
        seat = match.state.movers[0]
        await room.play(seat, match.state.moves(seat)[0])
        if not match.state.secret and not (await server.room(room.id)).match.state.secret:
            await room.ask("POST", f"/{Offer.TAKEBACK}", seat, {"action": Action.OFFER})
            asked = await same()
            assert Deed.ANSWER in asked[seat.other].deeds
            assert asked[seat.other].title == f"{cast_of(match).name(seat)} asks you"
            await room.ask("POST", f"/{Offer.TAKEBACK}", seat.other, {"action": Action.DECLINE})
        await room.ask("POST", "/resign", FIRST)
        await same()
        await room.ask("POST", f"/{Offer.REMATCH}", FIRST, {"action": Action.OFFER})
        ended = await same()
        assert Deed.ANSWER in ended[SECOND].deeds
        following = await room.ask("POST", f"/{Offer.REMATCH}", SECOND, {"action": Action.ACCEPT})
        await same()
        room.id = following["next"]
        room.tokens = {"first": room.tokens["second"], "second": room.tokens["first"]}
        again = await same()
        assert [one.wins for one in again[None].notes] == [1, 0]

    inside(tmp_path, compare)


def test_a_series_counts_the_games_that_nobody_won(tmp_path: Path) -> None:
    async def compare(client: httpx.AsyncClient, server: Server) -> None:
        room = Room(client, server)
        await room.create("pattern", {}, best_of=3)
        table = FileTable.new(load("pattern"), (PERSON, PERSON), ("Ann", "Ben"), {}, best_of=3)
        scores = []
        for stopped in (True, False, True, False):  # the third game ends the series
            if stopped:
                table.stop(FIRST)
                await room.ask("POST", f"/{Offer.STOP}", FIRST, {"action": Action.OFFER})
                await room.ask("POST", f"/{Offer.STOP}", SECOND, {"action": Action.ACCEPT})
            else:
                table.resign(FIRST)
                await room.ask("POST", "/resign", FIRST)
            scene = draw(lone(table, SECOND))
            assert scene == draw(await room.on_the_page(SECOND))
            assert scene == draw(await room.on_a_table(SECOND))
            assert scene.score is not None
            scores.append((scene.score.wins, scene.score.stopped, scene.score.over))
            table = table.follow()
            info = await room.ask("POST", f"/{Offer.REMATCH}", FIRST, {"action": Action.OFFER})
            if scene.score.over:  # the next game is not part of what was agreed on
                assert info["next"] is None
                info = await room.ask("POST", f"/{Offer.REMATCH}", SECOND, {"action": Action.ACCEPT})
            room.id = info["next"]
            room.tokens = {"first": room.tokens["second"], "second": room.tokens["first"]}
        table.leave()
        # Ben resigns the second game, and the fourth, which begins another series.
        assert scores == [((0, 0), 1, False), ((1, 0), 1, False), ((1, 0), 2, True), ((1, 0), 0, False)]

    inside(tmp_path, compare)


@every_table
def test_line_mode_in_our_own_voice_says_what_the_scene_has(slug: str, setup: Setup) -> None:
    rng = Random(f"{slug} {setup}")
    match = play_again(slug, load(slug).start(rng=rng, **setup).setup, [])
    for _ in range(LIMIT):
        seat = rng.choice(match.state.movers)
        match.submit(seat, rng.choice(match.state.moves(seat)))
        for you in SEATS:
            cast, sitting = cast_of(match, you), Sitting(match=match, seats=(you,))
            scene = scene_at(sitting, cast)
            told = Voice().told(match.states, match.played, you, cast)
            if scene.unfinished and scene.turn:
                assert told == []  # the question says it
            else:
                assert told[1] == (scene.latest or scene.news[-1])
                assert told[3:] == ([] if scene.unfinished else Voice().board(scene))
            if sitting.mover is not None:
                assert Voice().turn(scene) == [f"Your turn. {scene.status}"]
            if scene.ending is not None:
                assert Voice().ending(scene) == scene.ending.lines
        if match.over:
            break


# Secrets


def play_again(slug: str, setup: Mapping[str, int | str], played: Sequence[Played]) -> Match:
    match = Match(load(slug).set_up(setup), (Player("Ann", FIRST), Player("Ben", SECOND)))
    for one in played:
        if not match.over:
            match.submit(one.seat, one.move)
    return match


def twins(match: Match) -> Iterator[tuple[Match, tuple[Seat | None, ...]]]:
    """The same match with another secret, and to whom it is one: a choice, or a setting."""
    slug, state, played = match.game.slug, match.state, match.played
    if state.pending:
        (last,) = played[-1:]
        outside = tuple(viewer for viewer in (None, *SEATS) if viewer not in state.pending)
        for move in match.states[-2].moves(last.seat):
            yield play_again(slug, state.setup, [*played[:-1], replace(last, move=move)]), outside
    seen = state.view(None).setup
    for option in match.game.options:
        if option.name not in seen:
            for value in option.values():
                yield play_again(slug, {**state.setup, option.name: value}, played), (None,)


def page_of(match: Match, viewer: Seat | None) -> tuple[Scene, str]:
    sitting = Sitting(match=match, seats=() if viewer is None else (viewer,))
    scene = scene_at(sitting, cast_of(match, viewer))
    return scene, render_scene(Site(), scene, Around(id="m", ply=match.ply, seats=sitting.seats))


@every_slug
def test_a_secret_changed_elsewhere_changes_no_byte(slug: str) -> None:
    rng, compared = Random(slug), 0
    match = play_again(slug, load(slug).start(rng=rng).setup, [])
    for _ in range(LIMIT):
        if match.over:
            break
        seat = rng.choice(match.state.movers)
        match.submit(seat, rng.choice(match.state.moves(seat)))
        for twin, viewers in twins(match):
            if not match.over and not twin.over:
                assert all(page_of(match, viewer) == page_of(twin, viewer) for viewer in viewers)
                compared += 1
    secret = any(state.secret for state in match.states)
    hidden = match.states[0].view(None).setup != match.state.setup
    assert bool(compared) == (secret or hidden)


def test_a_page_is_made_where_no_server_can_be_imported() -> None:
    code = """
import sys
for name in ("starlette", "uvicorn", "sqlalchemy", "msgspec", "ninefold.store.sql"):
    sys.modules[name] = None
from ninefold import SEATS, load
from ninefold.match import Match, Player
from ninefold.match.sitting import Sitting
from ninefold.show.moves import cast_of
from ninefold.show.scene import scene_at
from ninefold.web.page.html import Site
from ninefold.web.page.match_html import Around, render_scene

match = Match(load("conquest").start(size=3), (Player("Ann", SEATS[0]), Player("Ben", SEATS[1])))
for move in ("claim:1", "claim:2", "challenge:2", "bid:1"):
    match.submit(match.state.movers[0], move)
sitting = Sitting(match=match, seats=(SEATS[1],))
scene = scene_at(sitting, cast_of(match, sitting.you))
print(render_scene(Site(), scene, Around(id="m", ply=match.ply, seats=sitting.seats)))
"""
    page = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "Ann has chosen" in page
