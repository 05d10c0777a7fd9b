"""People with browsers: what they click, all that they received, and what went wrong on the way."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, count
from random import Random
from typing import Any, Protocol
from urllib.parse import urljoin, urlsplit

from playwright.sync_api import (
    Browser,
    BrowserContext,
    CDPSession,
    ConsoleMessage,
    Locator,
    Page,
    Playwright,
    Request,
    Response,
    ViewportSize,
    WebError,
    expect,
)

from ninefold import SEATS, Seat, State, load
from ninefold.core.move import Move
from ninefold.core.outcome import Reason
from ninefold.study.reviews import review
from tests.setups import Setup
from tests.web.support import SETUPS, Server, Table, wait_for

# The first is the same browser without windows, and quicker.
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
USUAL_SIZE: ViewportSize = {"width": 1280, "height": 720}
MISSING = "no Chromium found: install Debian's chromium"

PATIENCE = 120  # seconds to wait for what should be there at once, on a machine that is busy

expect.set_options(timeout=1000 * PATIENCE)


def chromium() -> str | None:
    """The browser's program, if there is one."""
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


def launched(playwright: Playwright, program: str) -> Browser:
    return playwright.chromium.launch(executable_path=program, args=ARGUMENTS)


# What is on offer

OFFERS = """form => ({
  numbers: [...form.querySelectorAll("button.chip")].map(one => one.id.slice(2)),
  spots: [...form.querySelectorAll("button.cell, button.line")].map(one =>
    [one.id.slice(2), one.dataset.numbers.split(" ").filter(Boolean),
     one.querySelector(".unseen").textContent]),
  buttons: [...form.querySelectorAll(".buttons button")].map(one => [one.id, one.textContent]),
})"""


@dataclass(frozen=True)
class Offer:
    """Something that the page offers to play: a place, a number, both, a button. `says` is read aloud."""

    spot: str = ""
    number: str = ""
    says: str = ""
    button: str = ""


Pick = Callable[[list[Offer]], Offer]


def at_random(seed: int) -> Pick:
    return Random(seed).choice


def challenging(seed: int, most: int = 2) -> Pick:
    """Challenges as soon as it can, but not for ever."""
    rng, challenges = Random(seed), 0

    def pick(offers: list[Offer]) -> Offer:
        nonlocal challenges
        wanted = [offer for offer in offers if ("challenge" in offer.says) == (challenges < most)]
        offer = rng.choice(wanted or offers)
        challenges += "challenge" in offer.says
        return offer

    return pick


def place(spot: str, number: str = "") -> Pick:
    """This place, with this number if it takes one."""
    return lambda offers: next(offer for offer in offers if (offer.spot, offer.number) == (spot, number))


def bid(number: int) -> Pick:
    return lambda offers: next(offer for offer in offers if offer == Offer(number=str(number)))


@dataclass
class Person:
    """Somebody with a browser of their own. What they expect to go wrong there, they say before."""

    context: BrowserContext
    page: Page
    wire: CDPSession
    server: Server
    problems: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)  # the addresses, of whatever host
    responses: list[Response] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)  # on event streams
    expected: list[str] = field(default_factory=list)
    touch: bool = False  # they have fingers instead of a mouse

    # Where they are

    @property
    def base(self) -> str:
        return self.server.base

    @property
    def main(self) -> Locator:
        return self.page.locator("main")

    @property
    def form(self) -> Locator:
        return self.page.locator("form.play")

    @property
    def id(self) -> str:
        """Of the match that they look at."""
        found = re.fullmatch(r"/m/([\w-]+)", urlsplit(self.page.url.removeprefix(self.base)).path)
        assert found is not None, self.page.url
        return found[1]

    @property
    def table(self) -> Table:
        """The match that they look at, as anybody may see it."""
        return Table(self.server, self.id)

    @property
    def version(self) -> int:
        return int(self.main.get_attribute("data-version") or 0)

    @property
    def turn(self) -> bool:
        return self.main.get_attribute("data-turn") == "1"

    @property
    def over(self) -> bool:
        return self.page.locator(".ending").count() > 0

    def goes(self, path: str) -> None:
        self.page.goto(self.base + path)

    def starts(self, game: str, against: str, side: str = "first") -> None:
        """A match from the home page; `against` is computer, friend or here."""
        self.goes("/")
        self.card(game).locator("[name=side]").evaluate("(one, side) => { one.value = side; }", side)
        card = self.card(game)
        card.locator(f"[name=against][value={against}]").check(force=True)  # its label is what is seen
        card.get_by_role("button", name="Play").click()
        self.page.wait_for_url(f"{self.base}/m/*")

    def sets_up(self, game: str, **settings: str) -> None:
        """A match from the page of settings: fields by name."""
        self.goes(f"/new/{game}")
        for name, value in {"side": "first", **settings}.items():
            fields = self.page.locator(f"[name='{name}']:not([type=hidden])")
            if fields.first.get_attribute("type") == "radio":
                self.page.locator(f"[name='{name}'][value='{value}']").check()
            elif fields.evaluate("one => one.tagName") == "SELECT":
                fields.select_option(value)
            else:
                fields.fill(value)
        self.page.get_by_role("button", name="Start").click()
        self.page.wait_for_url(f"{self.base}/m/*")

    def joins(self, id: str, name: str = "") -> None:
        """By the link of a match."""
        self.goes(f"/m/{id}")
        self.page.get_by_label("Your name").fill(name)
        self.page.get_by_role("button", name="Take the seat and play").click()
        expect(self.page.locator(".invite")).to_have_count(0)

    def holds(self, id: str, token: str) -> None:
        """A seat that was taken elsewhere and whose link has been opened here before."""
        self.context.add_cookies([{"name": f"ninefold-seat-{id}", "value": token, "url": self.base}])
        self.goes(f"/m/{id}")
        expect(self.page.locator(".you")).to_have_count(1)

    def card(self, game: str) -> Locator:
        return self.page.locator(f"article:has(#g-{game})")

    def does(self, name: str, action: str = "") -> None:
        """One of the actions beside the board."""
        self.page.locator(f"#do-{name}{'-' + action if action else ''}").click()

    def asks(self, name: str, action: str) -> None:
        """As `does`, for an offer or the answer to one; until the page shows it."""
        before = self.version
        self.does(name, action)
        self.moves_on(before)

    # Playing

    def offers(self) -> list[Offer]:
        """What they can play now: all of it, and nothing else."""
        found: dict[str, Any] = self.form.evaluate(OFFERS)
        alone = [Offer(number=number) for number in found["numbers"]]
        alone += [Offer(says=says, button=button) for button, says in found["buttons"]]
        return alone + [
            Offer(spot, number, says)
            for spot, numbers, says in found["spots"]
            for number in numbers or [""]
        ]

    def number(self, number: str) -> Locator:
        """A number to choose: a button, or what covers the radio button of one."""
        return self.form.locator(f"button#n-{number}, label:has(#n-{number})")

    def spot(self, spot: str) -> Locator:
        return self.form.locator(f"button[id='c-{spot}']")

    def clicks(self, offer: Offer, *, cell_first: bool = False) -> None:
        """Play it with the mouse. Does not wait for the answer."""
        steps = [self.spot(offer.spot)] if offer.spot else []
        if offer.number and not (steps and self.form.locator(f"#n-{offer.number}").is_checked()):
            steps.insert(1 if cell_first else 0, self.number(offer.number))
        if offer.button:
            steps.append(self.form.locator(f"#{offer.button}"))
        for step in steps:
            if self.touch:
                step.tap()
            else:
                step.click()

    def plays(self, pick: Pick, *, cell_first: bool = False) -> Offer:
        """One move, whatever is picked of what the page offers; until the page shows it."""
        before, offer = self.version, pick(self.offers())
        self.clicks(offer, cell_first=cell_first)
        if offer.spot and self.is_undecided(before):
            self.clicks(pick([one for one in self.offers() if one.button]))
        self.moves_on(before)
        return offer

    def is_undecided(self, version: int) -> bool:
        """Whether the cell that was chosen leaves several moves, so that a button has to decide."""
        # While a move with a number is on its way, its cell is chosen, too, but there is no button.
        chosen = self.page.locator("form:has(.buttons button) button.cell.chosen")
        self.page.locator(f"main:not([data-version='{version}'])").or_(chosen).first.wait_for()
        return self.version == version and chosen.count() > 0

    def waits(self) -> None:
        """Until they have something to choose, or the match is over."""
        self.page.locator("main[data-turn='1'], main:has(.ending)").wait_for()

    def resigns(self) -> None:
        self.page.locator("#resign summary").click()
        self.does("resign")
        expect(self.page.locator(".ending")).to_be_visible()

    def sees(self, version: int) -> None:
        """Wait until the page shows the match as it is at this version."""
        self.page.locator(f"main[data-version='{version}']").wait_for()

    def moves_on(self, version: int) -> None:
        """Wait until the page shows another version than this one."""
        self.page.locator(f"main:not([data-version='{version}'])").wait_for()

    # Studying: positions as links

    def steps_to(self, number: int) -> None:
        """Wait until the page shows the position after so many moves."""
        self.page.locator(f"main[data-ply='{number}']").wait_for()

    def follows(self, link: Locator) -> str:
        """A link on the page, until it has led there; its address."""
        address = link.get_attribute("href") or ""
        link.click()
        self.page.wait_for_url(urljoin(self.base, address))
        return address

    def choosing(self, game: str, seat: Seat, move: str) -> Iterator[str]:
        """A move by the links of its number, cell or line, and button; after each, where it led to."""
        address, button = "", f"m-{load(game).index(load(game).parse(move))}"
        for id in (*parts_of(game, seat, move), button):
            if not address or HALF.search(address):  # else this was the whole move
                address = self.follows(self.page.locator(f".play a[id='{id}']"))
                yield address

    def chooses(self, game: str, seat: Seat, move: str) -> None:
        for _ in self.choosing(game, seat, move):
            pass

    # Coming and going

    def delays(self, milliseconds: int) -> None:
        """Whatever they ask for takes so much longer."""
        usual = {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
        self.wire.send("Network.emulateNetworkConditions", {**usual, "latency": milliseconds})

    def leaves(self) -> None:
        """Every page: what was still under way there is given up."""
        for page in self.context.pages:
            page.goto("about:blank")

    def starts_over(self) -> bool:
        """As somebody whom the server has never seen. False: not with this browser."""
        if self.context.pages != [self.page]:
            return False
        self.page.unroute_all()
        self.context.unroute_all()
        self.context.set_offline(False)
        self.page.set_viewport_size(USUAL_SIZE)
        self.page.emulate_media(color_scheme="light")
        self.delays(0)
        self.context.clear_cookies()
        self.wire.send("Storage.clearDataForOrigin", {"origin": self.base, "storageTypes": "all"})
        for kept in (self.problems, self.asked, self.responses, self.heard, self.expected):
            kept.clear()
        return True

    # What they received

    def received(self) -> list[str]:
        """All that the server sent since the last call: answers with their headers, and events.

        Without the files that all pages load: those are the same for everybody, and come when they come.
        To be called before a page is left: a browser forgets then what it loaded.
        """
        texts = self.heard[:]
        for response in self.responses:
            if urlsplit(response.url).path.startswith("/static/"):
                continue
            headers = sorted((k, v) for k, v in response.all_headers().items() if k != "date")
            shown = "".join(f"{name}: {value}\n" for name, value in headers)
            texts.append(f"{response.status}\n{shown}\n{_text(response)}")
        self.forgets()
        return texts

    def forgets(self) -> None:
        """What has been received so far."""
        self.heard.clear()
        self.responses.clear()

    # What went wrong

    def expects(self, *patterns: str) -> None:
        """Errors that belong to what is tested, as regular expressions."""
        self.expected += patterns

    def unexpected(self) -> list[str]:
        strangers = [f"asked {url}" for url in self.asked if not url.startswith(f"{self.base}/")]
        known = re.compile("|".join(self.expected) or "(?!)")
        return [problem for problem in self.problems if not known.search(problem)] + strangers


HALF = re.compile(r"\b(number|cell)=")  # in the address of a page where half of a move is chosen


def parts_of(game: str, seat: Seat, move: str) -> list[str]:
    """The ids of what stands for a move on the page: its number, then its cell or line."""
    kind = load(game)
    spot = kind.spot(kind.parse(move))
    board = int(seat) if len(kind.set_up(SETUPS[game]).view(seat).boards) > 1 else 0
    number = [] if spot.number is None else [f"n-{spot.number}"]
    return number + ([f"c-{board}-{'.'.join(map(str, spot.cells))}"] if spot.cells else [])


# What stands on the boards: each cell's number and whose it is, and whose each line is.
Drawn = tuple[list[tuple[str, str]], dict[str, str]]

DRAWN = """main => {
  const mark = one => [..."xo"].find(name => one.classList.contains(name)) || "";
  const text = (one, part) => one.querySelector(part)?.textContent || "";
  const boards = [...main.querySelectorAll(".grid .board")].sort(
    (one, other) => one.querySelector(".cell").id.localeCompare(other.querySelector(".cell").id));
  const parts = kind => boards.flatMap(board => [...board.querySelectorAll(kind)]);
  return [
    parts(".cell").map(one => [text(one, ".number"), mark(one)]),
    parts(".line").map(one => [text(one, ".corner"), mark(one)]),
  ];
}"""


def drawn(one: Person) -> Drawn:
    cells, lines = one.main.evaluate(DRAWN)
    return [tuple(cell) for cell in cells], {name: mark for name, mark in lines if mark}


def position(state: State[Any]) -> Drawn:
    """A position as `drawn` finds it on a page."""
    view = state.view(None)
    marks: dict[Seat | None, str] = {None: "", Seat.FIRST: "x", Seat.SECOND: "o"}
    cells = [cell for board in view.boards for cell in board.cells]
    lines = {seat: view.panel("lines", seat) for seat in SEATS}
    return (
        [("" if cell.number is None else str(cell.number), marks[cell.owner]) for cell in cells],
        {
            state.game.words.move(view, move): marks[seat]
            for seat, claimed in lines.items()
            if isinstance(claimed, tuple)
            for move in claimed
            if isinstance(move, Move)
        },
    )


def _text(response: Response) -> str:
    if 300 <= response.status < 400:
        return ""  # a redirect has no body that counts: browsers do not even keep it
    if (response.headers.get("content-type") or "").startswith("text/event-stream"):
        return ""  # its events are kept one by one
    return response.text()


def person(browser: Browser, server: Server, *, javascript: bool = True, **options: Any) -> Person:
    """A new browser profile with an empty page, which keeps account of all that happens there."""
    context = browser.new_context(
        java_script_enabled=javascript, **{"reduced_motion": "reduce", "viewport": USUAL_SIZE, **options}
    )
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    it = Person(context, page, context.new_cdp_session(page), server)
    it.touch = bool(options.get("has_touch"))
    context.on("console", lambda message: _console(it, message))
    context.on("weberror", lambda error: _thrown(it, error))
    context.on("requestfailed", lambda request: _failed(it, request))
    context.on("request", lambda request: it.asked.append(request.url))
    context.on("response", lambda response: it.responses.append(response))
    it.wire.send("Network.enable")
    it.wire.on("Network.eventSourceMessageReceived", lambda event: it.heard.append(_event(event)))
    return it


def _console(it: Person, message: ConsoleMessage) -> None:
    if message.type == "error":
        it.problems.append(f"console: {message.text} ({message.location.get('url', '')})")


def _thrown(it: Person, error: WebError) -> None:
    it.problems.append(f"thrown: {error.error}")


def _failed(it: Person, request: Request) -> None:
    if request.failure != "net::ERR_ABORTED":  # that is what leaving a page does to what it asked for
        it.problems.append(f"failed: {request.method} {request.url}: {request.failure}")


def _event(event: dict[str, Any]) -> str:
    return f"{event['eventName']} {event['data']}"  # its number is in the data, if it has one


# Whole matches

NAMES = {Seat.FIRST: "Ann", Seat.SECOND: "Ben"}


class People(Protocol):
    """Somebody with a browser of their own, for each call."""

    def __call__(self, server: Server = ..., *, javascript: bool = ..., **options: Any) -> Person: ...


def named(seat: Seat) -> dict[str, str]:
    return {"kind": "person", "name": NAMES[seat]}


def seated(people: People, game: str = "shadow", *moves: str, **more: Any) -> tuple[Person, Table]:
    """Ann, who moves first, in front of a match after these moves, and the match itself.

    Whoever has the match can act for Ben. `more` is for the API.
    """
    ann = people()
    names = {"first": named(Seat.FIRST), "second": named(Seat.SECOND)}
    table = ann.server.create(game, **{**names, **more})
    table.play(*moves)
    ann.holds(table.id, table.tokens[Seat.FIRST])
    return ann, table


def begun(people: People, game: str = "shadow", *moves: str, **more: Any) -> tuple[Person, Person]:
    """As `seated`, with Ben in front of a browser too."""
    ann, table = seated(people, game, *moves, **more)
    ben = people()
    ben.holds(table.id, table.tokens[Seat.SECOND])
    return ann, ben


@cache
def lost_line(game: str) -> tuple[Setup, tuple[str, ...]]:
    """A short match that a move threw away, as moves are written; a secret choice, if there are any.

    Where lines win, somebody made one.
    """
    example = load(game).example
    shown = (dict(example.setup), tuple(move for move, _ in example.moves))
    lines = chain([shown], (random_line(game, seed) for seed in count()))
    return next(line for line in lines if is_lost(line_of(game, *line), line[1]))


def random_line(game: str, seed: int) -> tuple[Setup, tuple[str, ...]]:
    rng, state, moves = Random(seed), load(game).set_up(SETUPS[game]), list[str]()
    while state.movers and len(moves) < SHORT:
        moves.append(str(rng.choice(state.moves(state.movers[0]))))
        state = state.play(moves[-1], state.movers[0])
    return SETUPS[game], tuple(moves)


def is_lost(states: Sequence[State[Any]], moves: Sequence[str]) -> bool:
    """Whether a game is over and was thrown away by a move, in secret if any was made in secret."""
    outcome, secret = states[-1].outcome, any(state.secret for state in states)
    if outcome is None or outcome.reason is Reason.FULL:
        return False
    _, played = states[0].game.replay(states[0], moves)
    one = review(states, played, outcome.winner.other).deciding
    return one is not None and states[one.number - 1].secret == secret


def line_of(game: str, setup: Mapping[str, int | str], moves: Sequence[str]) -> list[State[Any]]:
    """The positions of a written sequence of moves, from the start."""
    states: list[State[Any]] = [load(game).set_up(setup)]
    for move in moves:
        states.append(states[-1].play(move, states[-1].movers[0]))
    return states


def lost(server: Server, game: str) -> tuple[Table, list[State[Any]]]:
    """A finished match of Ann and Ben that a move threw away, and its positions."""
    setup, moves = lost_line(game)
    table = server.create(game, setup, first=named(Seat.FIRST), second=named(Seat.SECOND))
    table.play(*moves)
    return table, line_of(game, setup, moves)


SHORT = 16  # moves
ENOUGH = 40  # moves of one person against the computer
LONGEST = 400  # moves; a game that goes on for longer has gone wrong


def play_out(people: Sequence[Person], pick: Pick) -> list[tuple[Person, Offer]]:
    """Two people play on to the end with what their pages offer; who did what.

    Every other move is made cell first, then number.
    """
    played: list[tuple[Person, Offer]] = []
    while not people[0].over:
        one = next(each for each in people if each.turn)
        played.append((one, one.plays(pick, cell_first=len(played) % 2 == 1)))
        for other in people:
            other.sees(one.version)
        assert len(played) < LONGEST
    return played


def at_rest(table: Table) -> int:
    """The version of a match in which no computer has anything to do, once that is so."""

    def waiting() -> bool:
        seen.update(table.seen())
        people = (seen[seat]["kind"] == "person" for seat in seen["view"]["movers"])
        return bool(seen["stopped"]) or all(people)

    seen: dict[str, Any] = {}
    wait_for(waiting, "the computer")
    return int(seen["version"])


def play_alone(one: Person, pick: Pick) -> list[Offer]:
    """As `play_out`, where one browser makes all moves or the computer answers.

    Some games of Pattern Match would never end: whoever has made enough moves resigns.
    """
    played: list[Offer] = []
    while True:
        one.sees(at_rest(one.table))
        if one.over:
            return played
        if len(played) == ENOUGH:
            one.resigns()
            return played
        played.append(one.plays(pick, cell_first=len(played) % 2 == 1))


def reader(one: Person) -> str | None:
    """The seat of the one person who reads this page; None where two share it, and for a spectator."""
    alone = one.main.get_attribute("data-seats") == "1"
    return one.form.locator("[name=seat]").input_value() if alone else None


def check_ending(*people: Person) -> None:
    """Everybody is told the winner that the server knows and the score, and sees the line that won."""
    seen = people[0].table.seen()
    if seen["stopped"]:
        for one in people:
            expect(one.page).to_have_title(f"Nobody won · {seen['title']} · Ninefold")
            expect(one.page.locator(".ending")).to_contain_text(re.compile("^Nobody"))
            expect(one.page.locator(".won")).to_have_count(0)
        return
    winner, line = seen["outcome"]["winner"], seen["outcome"]["reason"] == "line"
    name = seen[winner]["name"].replace("Computer", "The computer")
    counted = [one for one in seen["view"]["panels"] if one["key"] == "score"]
    decided = seen["outcome"]["reason"] in ("sum", "tie")
    score = {one["seat"]: one["value"] for one in counted if decided}
    for one in people:
        you = reader(one)
        title = f"{'You' if you == winner else name} won · {seen['title']}"
        expect(one.page).to_have_title(re.compile(f"^{re.escape(title)}"))
        said = one.page.locator(".ending").inner_text().strip()
        wins = f"{name} wins" if you is None else "You win" if you == winner else "You lose"
        own = you or winner
        points = "".join(f", {score[own]} to {score[seat]}" for seat in score if seat != own)
        assert re.match(rf"{re.escape(wins + points)}\b", said)
        won = one.page.locator(".cell.won .number").all_inner_texts()
        assert bool(won) == line
        if line:
            numbers, total = re.findall(r"([\d +]+) = (\d+) ", said)[0]
            assert sorted(numbers.split(" + ")) == sorted(won)
            assert sum(map(int, won)) == int(total)
