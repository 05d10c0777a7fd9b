"""The home page, the form for a new match, and the list of this browser's matches."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from random import SystemRandom
from time import time

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ninefold.client import wire
from ninefold.core.cast import Cast
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.core.words import pluralize
from ninefold.games import editions_of, every_game
from ninefold.match.kinds import SeatKind, Status
from ninefold.match.record import clean_name
from ninefold.match.seating import choose_side
from ninefold.show.board import Drawing
from ninefold.show.endings import describe_ending
from ninefold.show.examples import example_match
from ninefold.show.levels import say_level
from ninefold.show.moves import cast_of, say_edition
from ninefold.show.status import CLOCKS, say_status, say_title
from ninefold.store.sql import queries
from ninefold.store.sql.database import Room
from ninefold.web.actions.sitting import sitting_of
from ninefold.web.answers import Answer, Answers
from ninefold.web.page.cookies import HeldTokens, held_tokens, own_token, remember
from ninefold.web.page.daily import find_card
from ninefold.web.page.example import draw_match, example_picture
from ninefold.web.page.html import Site, render_html
from ninefold.web.page.preferences import COMPUTERS, LEVEL, SIDES, preferences_of, remember_preferences
from ninefold.web.page.rendering import game_of, render_page
from ninefold.web.requests import parse_number, read_form, server_of
from ninefold.web.server import Server
from ninefold.web.shared import create_match, find_open

OWN = 60  # matches in the list of this browser's own
TURNS = 3  # matches on the home page in which it is this browser's turn
OPEN = 12  # matches on the home page with an open seat
PUBLIC = 20  # public matches in play, from which each game's card gets its board


@dataclass(frozen=True, slots=True)
class Card:
    """A game on the home page. Its board is that of a public match in play, or of the game's example."""

    game: Game
    drawing: Drawing
    says: str
    live: Room | None
    names: tuple[str, str]


@dataclass(frozen=True, slots=True)
class OwnMatch:
    """A match of this browser, as a list shows it."""

    room: Room
    seat: Seat  # one that this browser holds
    against: str
    text: str  # its state in words
    turn: bool
    touched: str  # when something last happened, in UTC
    ago: str  # the same in words: "5 minutes ago"
    mark: str  # of the seat that this browser holds


async def home(request: Request) -> Response:
    server, held = server_of(request), held_tokens(request)
    # By game, the public match in play with the latest move.
    public = {one.match.game.slug: one for one in reversed(await server.find(PUBLIC, queries.IN_PUBLIC))}
    own = await _find_own(server, held, over=False)
    waiting = [
        (room, seat, cast_of(room.match).mark(seat))
        for room, seat in await find_open(server)
        if not held.seats(room)
    ]
    return render_page(
        request,
        "home.html",
        cards=[_make_card(game, public.get(game.slug)) for game in every_game()],
        turns=[one for one in own if one.turn][:TURNS],
        invitations=[one for one in own if one.room.status is Status.WAITING],
        waiting=waiting[:OPEN],
        more=max(0, len(waiting) - OPEN),
        computers=COMPUTERS,
        sides=SIDES,
        preferences=preferences_of(request),
        puzzle=await find_card(request),
    )


async def my_games(request: Request) -> Response:
    """The list of this browser's matches, running or finished."""
    server, over = server_of(request), request.query_params.get("show") == "finished"
    games = await _find_own(server, held_tokens(request), over=over)
    pictures = {one.room.id: await _draw_picture(server.answers, one.room) for one in games}
    return render_page(request, "my_games.html", games=games, over=over, pictures=pictures)


async def _draw_picture(answers: Answers, room: Room) -> str:
    """The board of a match as HTML. It is kept: everybody may see it, and drawing sixty takes long."""
    key = (_draw_picture, room.id, room.version)
    found = answers.find(key)
    if found is None:
        html = render_html(Site(), "picture.html", drawing=draw_match(room.match), says="The board")
        found = Answer(200, [], html.encode())
        answers.keep(key, found)
        await asyncio.sleep(0)  # moves come first
    return found.body.decode()


async def _find_own(server: Server, held: HeldTokens, *, over: bool) -> list[OwnMatch]:
    """This browser's matches; those in which it has to move come first."""
    if not held.by_hash:
        return []
    rooms = await server.find(OWN, queries.held_by([*held.by_hash], over=over))
    return sorted((_describe(room, held) for room in rooms), key=lambda one: not one.turn)


def _describe(room: Room, held: HeldTokens) -> OwnMatch:
    match, seats = room.match, held.seats(room)
    sitting = sitting_of(room, seats)
    you = sitting.you
    cast = cast_of(match, you)
    turn = sitting.playing and any(seat in match.state.movers for seat in seats)
    if match.over:
        text = str(describe_ending(match, cast))
    else:
        text = say_status(sitting, cast) if sitting.waiting else say_title(sitting, cast)
    return OwnMatch(
        room=room,
        seat=seats[0],
        against=_say_opponent(room, you, cast),
        text=text,
        turn=turn,
        touched=datetime.fromtimestamp(room.touched, UTC).isoformat(timespec="seconds"),
        ago=_say_ago(int(time() - room.touched)),
        mark=cast.mark(seats[0]),
    )


def _say_ago(seconds: int) -> str:
    """How long ago something happened: `just now`, `5 minutes ago`, `yesterday`, `3 days ago`."""
    minutes, hours, days = seconds // 60, seconds // 3600, seconds // 86400
    if days == 1:
        return "yesterday"
    for count, unit in ((days, "day"), (hours, "hour"), (minutes, "minute")):
        if count > 0:
            return f"{pluralize(count, unit)} ago"
    return "just now"


def _say_opponent(room: Room, you: Seat | None, cast: Cast) -> str:
    if you is None:
        return f"{' and '.join(cast.names)} at this screen"
    return "" if room.status is Status.WAITING else f"with {cast.who(you.other)}"


def _make_card(game: Game, live: Room | None) -> Card:
    if live is None:
        drawing = example_picture(game.slug)
        return Card(game, drawing, f"A game of {game.title}", None, game.example.names)
    first, second = names = cast_of(live.match).names
    return Card(game, draw_match(live.match), f"{first} against {second}, in play", live, names)


async def demo(request: Request) -> Response:
    """One step of a game's example, as a small board for the home page."""
    game, last = game_of(request), len(game_of(request).example.moves)
    step = parse_number(request.path_params["step"], last)
    if step is None:
        raise HTTPException(404, "There is no such step.")
    match = example_match(game, step)
    return render_page(
        request,
        "picture.html",
        cache="public, max-age=86400",
        drawing=draw_match(match),
        says=f"A game of {game.title}",
    )


async def new_match(request: Request) -> Response:
    """The form with all settings of a new match. A lesson leads to one with the coach on."""
    given = {"coach": "yes"} if request.query_params.get("coach") == "yes" else {}
    return _render_settings(request, game_of(request), given)


def _render_settings(
    request: Request, game: Game, given: dict[str, str], refusal: str = "", status: int = 200
) -> Response:
    return render_page(
        request,
        "new.html",
        status=status,
        game=game,
        editions=[(one, say_edition(one)) for one in editions_of(game)],
        given=given,
        refusal=refusal,
        computers=COMPUTERS,
        sides=SIDES,
        preferences=preferences_of(request),
        clocks=CLOCKS,
        say_level=say_level,
    )


async def create(request: Request) -> Response:
    """Create a match from a form, and go to its page."""
    form, named = await read_form(request), game_of(request)
    game = next((one for one in editions_of(named) if one.slug == form.get("edition")), named)
    token = own_token(request)
    try:
        wanted, name = _read_new_match(game, form)
        room, _ = await create_match(request, wanted, token)
    except NinefoldError as error:
        return _render_settings(request, game, form, str(error), 422)
    response = RedirectResponse(f"{server_of(request).root_path}/m/{room.id}", 303)
    remember(request, response, token, None if name is None else clean_name(name))
    remember_preferences(request, response, form)
    return response


def _read_hints(form: dict[str, str]) -> bool:
    """Whether hints are allowed: off between friends and on elsewhere, unless the form says so."""
    if form["against"] == "friend":
        return form.get("hints_friend") == "yes"
    return form.get("hints") != "no"


def _read_new_match(game: Game, form: dict[str, str]) -> tuple[wire.NewMatch, str | None]:
    """The match that a form asks for, and the sender's name. Raises NinefoldError."""
    name = form.get("name", "").strip() or None
    other = form.get("other", "").strip() or None
    opponent = {
        "computer": wire.SeatRequest(kind=form.get("level", LEVEL)),
        "friend": wire.SeatRequest(kind=SeatKind.OPEN),
        "here": wire.SeatRequest(kind=SeatKind.PERSON, name=other),
    }.get(form.get("against", ""))
    if opponent is None:
        raise NinefoldError("Choose an opponent: the computer, a friend, or someone at this screen.")
    starts = {str(Seat.FIRST): "1", str(Seat.SECOND): "2"}.get(form.get("side", ""), "random")
    seat = choose_side(game, starts, SystemRandom())
    me = wire.SeatRequest(kind=SeatKind.PERSON, name=name)
    setup: dict[str, int | str] = {
        option.name: form[option.name] for option in game.options if form.get(option.name, "").strip()
    }
    first, second = (me, opponent) if seat is Seat.FIRST else (opponent, me)
    return (
        wire.NewMatch(
            game=game.slug,
            setup=setup,
            first=first,
            second=second,
            hints=_read_hints(form),
            listed=form.get("listed") == "yes",
            best_of=3 if form.get("games") == "3" and form["against"] != "here" else None,
            coach=form.get("coach") == "yes" and form["against"] == "computer",
            clock=next((clock for clock in CLOCKS if str(clock) == form.get("clock")), None),
        ),
        name,
    )
