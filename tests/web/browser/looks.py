"""States of pages that are worth a look. Each function gives the person whose page is to be looked at."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from playwright.sync_api import expect

from ninefold import SLUGS, Seat, load
from tests.web.browser.support import People, Person, at_random, place, seated
from tests.web.support import OPEN

Look = Callable[[People], Person]


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
    assert table.ask("takeback", Seat.SECOND, "ask").status_code == 200
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
    ann.page.locator("#resign summary").click()
    ann.does("resign")
    expect(ann.page.locator(".ending")).to_be_visible()
    ann.asks("rematch", "ask")
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


def named(*looks: Look) -> dict[str, Look]:
    return {look.__name__.replace("_", "-"): look for look in looks}


LOOKS = named(
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
MORE_LOOKS = named(their_turn, chosen, move_refused, choosing, watched, resigned)
# Every game, in the middle and at the end.
GAMES: dict[str, Look] = {
    **{f"match-{game}": partial(example, game=game, count=4) for game in SLUGS},
    **{f"over-{game}": partial(example, game=game) for game in SLUGS},
    **{f"explore-{game}": partial(explored, game=game) for game in SLUGS},
}
