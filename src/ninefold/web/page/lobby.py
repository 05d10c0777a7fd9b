"""The home page, the settings of a new match, and the matches of this browser."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from random import SystemRandom

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ninefold.core.cast import Cast
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.seat import SEATS, Seat
from ninefold.games import every_game
from ninefold.match.record import clean_name
from ninefold.show.board import Drawing
from ninefold.show.endings import describe_ending
from ninefold.show.examples import example_match
from ninefold.show.moves import cast_of
from ninefold.show.status import CLOCKS, say_title
from ninefold.store import queries
from ninefold.store.sql import Room
from ninefold.web import actions
from ninefold.web import messages as m
from ninefold.web.page.example import example_picture, picture
from ninefold.web.page.rendering import game_of, page
from ninefold.web.page.seats import Keys, form_of, key_of, keys_of, remember
from ninefold.web.page.usual import COMPUTERS, LEVEL, SIDES, remember_usual, usual_of
from ninefold.web.playing import begin, open_rooms
from ninefold.web.process import Server
from ninefold.web.requests import number_in, server_of

MINE = 60  # matches of this browser in a list
TURNS = 3  # of those where it is its turn, on the home page
OPEN = 12  # matches with a free seat
PUBLIC = 20  # public matches in play to choose a board for each game from


@dataclass(frozen=True, slots=True)
class Card:
    """A game on the home page. Its board is of a public match in play, or of the game's example."""

    game: Game
    drawing: Drawing
    says: str
    live: Room | None
    names: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Mine:
    """A match of this browser in a list."""

    room: Room
    drawing: Drawing
    seat: Seat  # one that this browser holds
    against: str
    text: str  # how it stands
    turn: bool
    touched: str  # when something last happened, in UTC


async def home(request: Request) -> Response:
    server, keys = server_of(request), keys_of(request)
    public = await _public(server)
    mine = await _mine(server, keys, over=False)
    waiting = [(room, seat) for room, seat in await open_rooms(server) if not keys.holds(room)]
    return page(
        request,
        "home.html",
        cards=[_card(game, public.get(game.slug)) for game in every_game()],
        turns=[one for one in mine if one.turn][:TURNS],
        invitations=[one for one in mine if one.room.status == "waiting"],
        waiting=waiting[:OPEN],
        more=max(0, len(waiting) - OPEN),
        computers=COMPUTERS,
        sides=SIDES,
        usual=usual_of(request),
    )


async def mine(request: Request) -> Response:
    """The matches of this browser, running or finished."""
    over = request.query_params.get("show") == "finished"
    return page(
        request,
        "mine.html",
        games=await _mine(server_of(request), keys_of(request), over=over),
        over=over,
    )


async def _public(server: Server) -> dict[str, Room]:
    """By game, the public match in play that was last moved in."""
    rooms = await server.find(PUBLIC, queries.IN_PUBLIC)
    return {room.match.game.slug: room for room in reversed(rooms)}


async def _mine(server: Server, keys: Keys, *, over: bool) -> list[Mine]:
    """The matches of this browser, those where it is its turn first."""
    if not keys.tokens:
        return []
    rooms = await server.find(MINE, queries.held_by([*keys.tokens], over=over))
    return sorted((_described(room, keys) for room in rooms), key=lambda one: not one.turn)


def _described(room: Room, keys: Keys) -> Mine:
    match, seats = room.match, keys.holds(room)
    you = seats[0] if len(seats) == 1 else None
    cast = cast_of(match, you)
    turn = room.status == "playing" and any(seat in match.state.movers for seat in seats)
    if match.over:
        text = str(describe_ending(match, cast))
    elif room.status == "waiting":
        text = "Waiting for somebody to take the other seat."
    else:
        text = say_title(match, you, cast)
    return Mine(
        room=room,
        drawing=picture(match),
        seat=seats[0],
        against=_against(room, you, cast),
        text=text,
        turn=turn,
        touched=datetime.fromtimestamp(room.touched, UTC).isoformat(timespec="seconds"),
    )


def _against(room: Room, you: Seat | None, cast: Cast) -> str:
    if you is None:
        return f"{' and '.join(cast.names)} at this screen"
    return "" if room.status == "waiting" else f"against {cast.who(you.other)}"


def _card(game: Game, live: Room | None) -> Card:
    if live is None:
        drawing = example_picture(game.slug)
        return Card(game, drawing, f"A game of {game.title}", None, game.example.names)
    first, second = names = cast_of(live.match).names
    return Card(game, picture(live.match), f"{first} against {second}, in play", live, names)


async def demo(request: Request) -> Response:
    """A step of the game's example, as a small board for the home page."""
    game, last = game_of(request), len(game_of(request).example.moves)
    step = number_in(request.path_params["step"], last)
    if step is None:
        raise HTTPException(404, "There is no such step.")
    match = example_match(game, step)
    return page(request, "demo.html", cache="public, max-age=86400", drawing=picture(match), game=game)


async def settings(request: Request) -> Response:
    """Everything that can be said about a new match."""
    return _settings(request, game_of(request), {})


def _settings(
    request: Request, game: Game, given: dict[str, str], refusal: str = "", status: int = 200
) -> Response:
    return page(
        request,
        "new.html",
        status=status,
        game=game,
        given=given,
        refusal=refusal,
        computers=COMPUTERS,
        sides=SIDES,
        usual=usual_of(request),
        clocks=CLOCKS,
    )


async def create(request: Request) -> Response:
    """A match as a form asks for it, and to its page."""
    form, game = await form_of(request), game_of(request)
    key = key_of(request)
    try:
        wanted, name = _wanted(game, form)
        room, _ = await begin(request, wanted, key)
    except NinefoldError as error:
        return _settings(request, game, form, str(error), 422)
    response = RedirectResponse(f"{server_of(request).root_path}/m/{room.id}", 303)
    remember(request, response, key, None if name is None else clean_name(name))
    remember_usual(request, response, form.get("level"), form.get("side"))
    return response


def _wanted(game: Game, form: dict[str, str]) -> tuple[m.NewMatch, str | None]:
    """What the form says, and the name that its sender goes by."""
    name = form.get("name", "").strip() or None
    other = form.get("other", "").strip() or None
    opponent = {
        "computer": m.SeatRequest(kind=form.get("level", LEVEL)),
        "friend": m.SeatRequest(kind=actions.OPEN),
        "here": m.SeatRequest(kind=actions.PERSON, name=other),
    }.get(form.get("against", ""))
    if opponent is None:
        raise NinefoldError("Choose an opponent: the computer, a friend, or somebody at this screen.")
    seat = Seat.named(form.get("side"))
    if seat is None:
        seat = SystemRandom().choice(SEATS)
    me = m.SeatRequest(kind=actions.PERSON, name=name)
    setup: dict[str, int | str] = {
        option.name: form[option.name] for option in game.options if form.get(option.name, "").strip()
    }
    first, second = (me, opponent) if seat is Seat.FIRST else (opponent, me)
    return (
        m.NewMatch(
            game=game.slug,
            setup=setup,
            first=first,
            second=second,
            hints=form.get("hints") == "yes" or (not form.get("hints") and form["against"] != "friend"),
            listed=form.get("listed") == "yes",
            clock=next((clock for clock in CLOCKS if str(clock) == form.get("clock")), None),
        ),
        name,
    )
