"""States of pages that are worth a look. Each function gives the person whose page is to be looked at;
a walk gives them again and again, as their page changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from urllib.parse import urlencode

from playwright.sync_api import expect

from ninefold import SEATS, SLUGS, Seat, load
from tests.web.browser.support import (
    People,
    Person,
    at_random,
    line_of,
    lost,
    lost_line,
    named,
    place,
    seated,
)
from tests.web.support import OPEN, Server, got, wait_for

Look = Callable[[People], Person]
Walk = Callable[[People, str], Iterator[Person]]  # through the states of a game's pages

# Every page by its address, with ID for a match that is over.
ADDRESSES = [
    "/",
    "/games",
    "/games?show=finished",
    *(f"/new/{game}" for game in SLUGS),
    "/rules",
    *(f"/rules/{game}" for game in SLUGS),
    "/explore",
    "/puzzle",
    "/puzzle?month=2026-01",
    "/puzzle/2026-01-02",
    "/puzzle/shadow/3",
    "/puzzle/battle/3?task=count",
    "/puzzle/conquest/3?task=shares",
    "/learn",
    "/learn/shadow",
    "/learn/shadow/basics/4",
    "/learn/shadow/basics/4?given=9%401%2C3",
    "/learn/pattern/basics/3?hint=1",
    "/learn/conquest/ideas/3",
    "/learn/cross/basics/5?given=Row1",
    *(f"/explore/{game}" for game in SLUGS),
    "/about",
    "/m/ID",
    "/m/ID/review",
]


def filled(server: Server, address: str) -> str:
    """An address with a match of its own, if it needs one."""
    return address.replace("ID", lost(server, "cross")[0].id) if "ID" in address else address


def example(people: People, game: str = "shadow", count: int | None = None) -> Person:
    """Ann, in front of the game's example after so many of its moves; by default at its end."""
    shown = load(game).example
    ann, _ = seated(people, game, *(move for move, _ in shown.moves[:count]), setup=shown.setup)
    return ann


def at_home(people: People) -> Person:
    """With a match of one's own, one to join, and one to watch."""
    ann, _ = seated(people)
    ann.server.create("battle", second=OPEN, listed=True)
    ann.server.create("cross", listed=True).play("Row1")
    ann.goes("/")
    expect(ann.card("cross").locator(".live-now")).to_be_visible()
    expect(ann.page.get_by_role("region", name="Your turn")).to_be_visible()
    expect(ann.page.get_by_role("region", name="Open seats")).to_be_visible()
    return ann


def keys(people: People) -> Person:
    ann = people()
    ann.goes("/")
    ann.page.keyboard.press("?")
    expect(ann.page.get_by_role("dialog", name="Keys")).to_be_visible()
    return ann


def settings_refused(people: People) -> Person:
    ann = people()
    ann.expects("422")
    ann.goes("/new/battle")
    ann.page.get_by_label("Grid").fill("99")
    ann.page.get_by_role("button", name="Start").click()
    expect(ann.page.get_by_role("alert")).to_contain_text("99")
    return ann


def settings_of(people: People, against: str) -> Person:
    """Of a match against a friend, or at one screen."""
    ann = people()
    ann.goes("/new/conquest")
    ann.page.locator(f"[name=against][value={against}]").check()
    return ann


def warned(people: People) -> Person:
    """Stopped by the coach before a mistake is made."""
    ann = people()
    ann.sets_up("cross", against="computer", level="perfect", coach="yes", grid="542689713")
    ann.form.get_by_role("button", name="Row 3").first.click()
    expect(ann.page.locator("#take-back")).to_be_visible()
    return ann


def coached(people: People) -> Person:
    """At the end of a coached game, with the moment that mattered."""
    ann = warned(people)
    ann.page.locator("#play-on").click()
    ann.waits()
    ann.resigns()
    expect(ann.page.locator("#mattered")).to_be_visible()
    return ann


def no_such_match(people: People) -> Person:
    return failed(people, "/m/nowhere", 404)


def failed(people: People, address: str, status: int) -> Person:
    """Told that there is nothing to see."""
    ann = people()
    ann.expects(str(status))
    answer = ann.page.goto(ann.base + filled(ann.server, address))
    assert answer is not None
    assert answer.status == status
    return ann


def unfinished(people: People) -> Person:
    """A review before the end."""
    ann = people()
    ann.expects("409")
    ann.goes(f"/m/{ann.server.create('cross').id}/review")
    expect(ann.page.get_by_role("heading", level=1)).to_have_text("This match is not over yet")
    return ann


def solved(people: People) -> Person:
    """Everything that is known, once it has been worked out."""
    ann = people()
    wait_for(lambda: "refresh" not in ann.server.get("/about").headers, "the games to be solved")
    ann.goes("/about")
    expect(ann.page.locator(".known table")).to_have_count(len(SLUGS))
    return ann


def elsewhere(people: People) -> Person:
    """A form that another site has sent."""
    ann = people()
    form = f"<form method=post action='{ann.base}/new/cross'><button>Win!"
    ann.page.route(
        "http://elsewhere.test/", lambda route: route.fulfill(body=form, content_type="text/html")
    )
    ann.page.goto("http://elsewhere.test/")
    ann.asked.clear()
    ann.expects("403")
    ann.page.get_by_role("button").click()
    expect(ann.main).to_contain_text("This form was sent by another site.")
    return ann


def waiting(people: People) -> Person:
    ann, _ = seated(people, second=OPEN)
    ann.page.get_by_role("img", name="QR code of the link").evaluate("image => image.decode()")
    return ann


def invited(people: People) -> Person:
    ann = people()
    ann.goes(f"/m/{ann.server.create('shadow', second=OPEN).id}")
    expect(ann.page.locator("#do-join")).to_be_visible()
    return ann


def your_turn(people: People) -> Person:
    return example(people, count=2)


def their_turn(people: People) -> Person:
    return example(people, count=1)


def advised(people: People) -> Person:
    ann = your_turn(people)
    ann.does("eval")
    expect(ann.page.locator(".bar")).to_be_visible()
    ann.does("hint")
    expect(ann.page.locator("#hint")).to_be_visible()
    expect(ann.page.locator(".bar")).to_be_visible()
    return ann


def asked(people: People) -> Person:
    """For a takeback, and about to resign."""
    ann, table = seated(people, "battle", "0,0", "0,1")
    assert table.ask("takeback", Seat.SECOND, "offer").status_code == 200
    ann.sees(3)
    ann.page.locator("#resign summary").click()
    return ann


def chosen(people: People) -> Person:
    """A cell has been chosen that waits for its number."""
    ann = people()
    ann.starts("pattern", "here")
    ann.spot("0-4").click()
    expect(ann.spot("0-4")).to_have_attribute("aria-pressed", "true")
    return ann


def move_refused(people: People) -> Person:
    ann = people()
    ann.expects("409")
    ann.starts("shadow", "here")
    ann.page.evaluate(
        """() => {
        const form = document.querySelector("form.play");
        form.seat.value = "second";
        form.querySelector("#n-5").checked = true;
        form.requestSubmit(form.querySelector("button.cell"));
    }"""
    )
    expect(ann.page.get_by_role("alert")).to_be_visible()
    return ann


def handed_over(people: People) -> Person:
    ann = people()
    ann.starts("conquest", "here")
    for spot in ("0-4", "0-4"):
        ann.plays(place(spot))
    expect(ann.page.locator(".handover")).to_be_visible()
    return ann


def choosing(people: People) -> Person:
    ann = handed_over(people)
    ann.page.locator("#ready").click()
    expect(ann.page.locator(".numbers")).to_be_visible()
    return ann


def revealed(people: People) -> Person:
    ann = choosing(people)
    ann.plays(at_random(1))
    ann.page.locator("#ready").click()
    expect(ann.page.locator(".numbers")).to_be_visible()
    ann.plays(at_random(2))
    expect(ann.page.locator(".reveal")).to_be_visible()
    return ann


def challenged(people: People) -> Person:
    """A number is to be chosen in secret, by each at a screen of their own; Ann has to choose hers."""
    ann, _ = seated(people, "conquest", "claim:1", "claim:2", "challenge:2")
    expect(ann.page.locator(".numbers")).to_be_visible()
    return ann


def decided(people: People) -> Person:
    """The same after Ann's choice, as a spectator sees it."""
    ann = people()
    table = ann.server.create("conquest")
    table.play("claim:1", "claim:2", "challenge:2", "bid:3")
    ann.goes(f"/m/{table.id}")
    expect(ann.page.locator(".status")).to_contain_text("has chosen.")
    return ann


def watched(people: People) -> Person:
    """By Ann, who has opened the link to share."""
    ann = people()
    table = ann.server.create("battle")
    table.play("1,1")
    ann.goes(f"/m/{table.id}")
    expect(ann.page.locator("#watching")).to_have_text("1 watching")
    ann.page.locator("#share summary").click()
    return ann


def over(people: People) -> Person:
    return example(people)


def resigned(people: People) -> Person:
    """And offers another game."""
    ann, _ = seated(people, "pattern")
    ann.resigns()
    ann.asks("rematch", "offer")
    return ann


def reviewed(people: People) -> Person:
    ann = example(people, "cross")
    ann.page.get_by_role("link", name="Review").click()
    ann.page.wait_for_url("**/review*")
    return ann


def explored(people: People, game: str = "pattern") -> Person:
    """After a move."""
    ann = people()
    ann.goes(f"/explore/{game}")
    for kind in ("chip", "cell", "line"):
        links = ann.page.locator(f".play a.{kind}")
        if links.count():
            address = links.nth(links.count() // 2).get_attribute("href") or ""
            links.nth(links.count() // 2).click()
            ann.page.wait_for_url(ann.base + address)
    return ann


def tried(people: People, query: str, result: str) -> Person:
    """A daily puzzle after these answers: one that is wrong, right so far, or all that it takes."""
    ann = people()
    ann.goes(f"/puzzle/2026-01-14?{query}")
    expect(ann.main).to_have_attribute("data-result", result)
    return ann


def next_game(people: People) -> Person:
    """Over, and followed by another."""
    ann, table = seated(people, "cross")
    assert table.post("/resign", Seat.SECOND).status_code == 200
    for seat, action in zip(SEATS, ("offer", "accept"), strict=True):
        assert table.ask("rematch", seat, action).status_code == 200
    ann.page.wait_for_url(lambda url: table.id not in url)  # it takes her along; she goes back to look
    ann.goes(f"/m/{table.id}")
    expect(ann.page.locator("#next-game")).to_be_visible()
    return ann


# Walks


def played(people: People, game: str) -> Iterator[Person]:
    """A match as a player sees it, from the start to the end."""
    shown = load(game).example
    moves = [move for move, _ in shown.moves]
    ann, table = seated(people, game, setup=shown.setup)
    yield ann
    for count in stages(game):
        table.play(*moves[int(table.seen()["ply"]) : count])
        ann.sees(int(table.seen()["version"]))
        yield ann
    expect(ann.page.locator(".ending")).to_be_visible()


def stages(game: str) -> list[int]:
    """After how many moves of its example a match is looked at: as soon as something new is asked for."""
    shown = load(game).example
    phases = [state.view(None).phase for state in line_of(game, shown.setup, [m for m, _ in shown.moves])]
    new = [count for count in range(3, len(phases)) if phases[count] not in phases[:count]]
    return sorted({4, *new, len(phases) - 1})


def spectated(people: People, game: str) -> Iterator[Person]:
    shown = load(game).example
    cat = people()
    table = cat.server.create(game, shown.setup, first=named(Seat.FIRST), second=named(Seat.SECOND))
    table.play(*(move for move, _ in shown.moves[:4]))
    cat.goes(f"/m/{table.id}")
    yield cat


def at_one_screen(people: People, game: str) -> Iterator[Person]:
    ann = people()
    ann.starts(game, "here")
    yield ann


def gone_through(people: People, game: str) -> Iterator[Person]:
    """The review of a match: its end, and its deciding move from the eyes of who did not see it.

    Then the better move: not found, and shown.
    """
    ann = people()
    table, _ = lost(ann.server, game)
    found = got(table.get("/review"))
    one = found["moves"][found["deciding"] - 1]
    ann.goes(f"/m/{table.id}/review")
    yield ann
    ann.page.locator(f"#moment-{one['number']}").click()
    ann.steps_to(one["number"])
    eyes = ann.page.locator("#eyes-3")
    if eyes.count():
        eyes.click()
        expect(eyes).to_have_attribute("aria-current", "true")
    yield ann
    ann.page.locator("#find").click()
    ann.page.wait_for_url(f"**/review?find={one['number']}")
    ann.chooses(game, SEATS[one["seat"] == "second"], one["move"])
    expect(ann.page.locator(".answer.wrong").first).to_be_visible()
    yield ann
    ann.page.locator("#show").click()
    expect(ann.page.locator(".answer.right").first).to_be_visible()
    yield ann


def explored_on(people: People, game: str) -> Iterator[Person]:
    """The explorer with its lists open, then with half a move, after it, and at the end."""
    ann = people()
    setup, moves = lost_line(game)
    states = line_of(game, setup, moves)
    before = next((k for k, state in enumerate(states) if state.secret), len(moves) - 1)
    ann.goes(f"/explore/{game}?{urlencode({**setup, 'moves': ' '.join(moves[:before])})}")
    ann.page.locator("details").evaluate_all("all => all.forEach(one => { one.open = true; })")
    yield ann
    for _ in ann.choosing(game, states[before].movers[0], moves[before]):
        yield ann
    if before < len(moves) - 1:
        ann.goes(f"/explore/{game}?{urlencode({**setup, 'moves': ' '.join(moves)})}")
        yield ann
    expect(ann.page.locator(".ending")).to_be_visible()


def learned(people: People, game: str) -> Iterator[Person]:
    """The rules at the end of their example."""
    ann = people()
    ann.goes(f"/rules/{game}")
    ann.page.locator("#step-last").click()
    expect(ann.page.locator(".told .ending")).to_be_visible()
    yield ann


def by_name(*looks: Look) -> dict[str, Look]:
    return {look.__name__.replace("_", "-"): look for look in looks}


LOOKS = by_name(
    at_home,
    keys,
    settings_refused,
    no_such_match,
    waiting,
    invited,
    your_turn,
    advised,
    asked,
    handed_over,
    revealed,
    over,
    reviewed,
    explored,
)
# What differs from those only a little.
MORE_LOOKS: dict[str, Look] = {
    **by_name(their_turn, chosen, warned, coached, move_refused, choosing, watched, resigned),
    **by_name(challenged, decided, next_game, unfinished, solved, elsewhere),
    "puzzle-hinted": partial(tried, query="hint=2", result="open"),
    "puzzle-wrong": partial(tried, query="given=1@2,3", result="wrong"),
    "puzzle-going-on": partial(tried, query="given=5@3,3&number=1", result="open"),
    "puzzle-solved": partial(tried, query="given=5@3,3&given=1@3,2", result="solved"),
    "puzzle-shown": partial(tried, query="show=1", result="shown"),
    "new-friend": partial(settings_of, against="friend"),
    "new-here": partial(settings_of, against="here"),
    "no-such-page": partial(failed, address="/nowhere", status=404),
    "no-such-step": partial(failed, address="/rules/cross?step=99", status=404),
    "no-such-method": partial(failed, address="/new", status=404),
    "no-such-move": partial(failed, address="/m/ID/review?at=99", status=422),
    "no-such-try": partial(failed, address="/m/ID/review?find=1&try=5", status=422),
    "no-such-setup": partial(failed, address="/explore/shadow?target=99", status=422),
    "no-such-position": partial(failed, address="/explore/shadow?target=15&moves=x", status=422),
}
# Every game, in the middle and at the end.
GAMES: dict[str, Look] = {
    **{f"match-{game}": partial(example, game=game, count=4) for game in SLUGS},
    **{f"over-{game}": partial(example, game=game) for game in SLUGS},
    **{f"explore-{game}": partial(explored, game=game) for game in SLUGS},
}
WALKS: tuple[Walk, ...] = (
    played,
    spectated,
    at_one_screen,
    gone_through,
    explored_on,
    learned,
)
