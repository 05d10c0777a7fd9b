"""States of pages that are worth a look. Each function gives the person whose page is to be looked at."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from playwright.sync_api import expect

from ninefold import SLUGS, Seat, load
from tests.web.browser.support import People, Person, at_random, begun, named, place

Look = Callable[[People], Person]


def seated(people: People, game: str, count: int | None = 0) -> Person:
    """Ann, in front of the game's example after so many of its moves; None: at its end."""
    ann, example = people(), load(game).example
    table = ann.server.create(game, example.setup, first=named(Seat.FIRST), second=named(Seat.SECOND))
    table.play(*(move for move, _ in example.moves[:count]))
    ann.holds(table.id, table.tokens[Seat.FIRST])
    return ann


def at_home(people: People) -> Person:
    """With matches of one's own, one to join, and one to watch."""
    ann, ben = people(), people()
    ann.starts("shadow", "here")
    ben.sets_up("battle", against="friend", listed="yes", name="Ben")
    ben.sets_up("cross", against="here", listed="yes", name="Cat", other="Dan")
    ben.plays(at_random(1))
    ann.goes("/")
    expect(ann.card("cross").locator(".live-now")).to_be_visible()
    expect(ann.page.get_by_role("region", name="Your matches")).to_be_visible()
    expect(ann.page.get_by_role("region", name="Waiting for someone")).to_be_visible()
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
    ann.goes("/new/shadow")
    ann.page.get_by_label("Target").fill("99")
    ann.page.get_by_role("button", name="Start").click()
    expect(ann.page.get_by_role("alert")).to_contain_text("99")
    return ann


def no_such_match(people: People) -> Person:
    ann = people()
    ann.expects("404")
    ann.goes("/m/nowhere")
    expect(ann.page.get_by_role("heading", level=1)).to_be_visible()
    return ann


def waiting(people: People) -> Person:
    ann = people()
    ann.starts("shadow", "friend")
    ann.page.get_by_role("img", name="QR code of the link").evaluate("image => image.decode()")
    return ann


def invited(people: People) -> Person:
    ann, ben = people(), people()
    ben.starts("shadow", "friend")
    ann.goes(f"/m/{ben.id}")
    return ann


def your_turn(people: People) -> Person:
    return seated(people, "shadow", 2)


def their_turn(people: People) -> Person:
    return seated(people, "shadow", 1)


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
    ann, ben = begun(people, "battle")
    for one, other in ((ann, ben), (ben, ann)):
        one.plays(at_random(1))
        other.sees(one.version)
    ben.asks("takeback", "ask")
    ann.sees(ben.version)
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


def watched(people: People) -> Person:
    """By Ann, who has opened the link to share."""
    ann, ben = people(), people()
    ben.starts("battle", "here")
    ben.plays(at_random(1))
    ann.goes(f"/m/{ben.id}")
    expect(ann.page.locator("#watching")).to_have_text("1 watching")
    ann.page.locator("#share summary").click()
    return ann


def over(people: People) -> Person:
    return seated(people, "shadow", None)


def resigned(people: People) -> Person:
    """And offers another game."""
    ann = seated(people, "pattern")
    ann.page.locator("#resign summary").click()
    ann.does("resign")
    expect(ann.page.locator(".ending")).to_be_visible()
    ann.asks("rematch", "ask")
    return ann


def reviewed(people: People) -> Person:
    ann = seated(people, "cross", None)
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


# As many as there are ways for a page to look wrong; axe goes through all of them.
LOOKS: dict[str, Look] = {
    look.__name__.replace("_", "-"): look
    for look in (
        at_home,
        keys,
        settings_refused,
        no_such_match,
        waiting,
        invited,
        your_turn,
        their_turn,
        advised,
        asked,
        chosen,
        move_refused,
        handed_over,
        choosing,
        revealed,
        watched,
        over,
        resigned,
        reviewed,
        explored,
    )
}
# Every game, in the middle and at the end.
GAMES: dict[str, Look] = {
    **{f"match-{game}": partial(seated, game=game, count=4) for game in SLUGS},
    **{f"over-{game}": partial(seated, game=game, count=None) for game in SLUGS},
    **{f"explore-{game}": partial(explored, game=game) for game in SLUGS},
}
