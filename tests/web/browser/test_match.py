"""What can be done and seen beside the board."""

from __future__ import annotations

import re
from functools import partial

import pytest
from playwright.sync_api import Route, expect

import ninefold
from ninefold import SEATS, Seat
from ninefold.analysis import evaluate
from tests.web.browser.support import People, Person, at_random, begun, place, seated
from tests.web.support import API, OPEN, PERSON, Server, Table, got

FIRST, SECOND = SEATS


def turns(one: Person, other: Person, count: int) -> None:
    """Some moves, each seen by both."""
    for _ in range(count):
        one.plays(at_random(1))
        other.sees(one.version)
        one, other = other, one


# Advice


def test_a_hint_is_a_sentence_until_the_move_is_made(people: People) -> None:
    ann, table = seated(people)
    ann.does("hint")
    expect(ann.page.locator("#hint")).to_have_text(re.compile(r"^Hint: .+[.!]$"))
    ann.plays(at_random(1))
    expect(ann.page.locator("#hint, a#do-hint")).to_have_count(0)
    table.play("9@3,3" if ann.page.locator("[id='c-0-8'] .number").count() == 0 else "9@3,2")
    ann.sees(3)  # the hint, and two moves
    expect(ann.page.locator("#hint")).to_have_count(0)
    ann.goes(f"/m/{ann.id}?hint=0")  # of a move that has been made
    expect(ann.page.locator("#do-hint")).to_be_visible()
    expect(ann.page.locator("#hint")).to_have_count(0)


def test_who_is_winning_is_shown_until_it_is_hidden(people: People) -> None:
    ann, table = seated(people, "cross")
    button, bar = ann.page.locator("#do-eval"), ann.page.locator(".bar")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(bar.locator("figcaption")).to_have_text(re.compile(r"\bwins?\b"))
    table.play("Row1", "Row2")
    ann.sees(2)
    expect(bar).to_be_visible()
    ann.plays(place("0-6.7.8"))
    expect(bar).to_be_visible()
    button.click()
    expect(bar).to_have_count(0)
    table.play("Col1")
    ann.sees(4)
    expect(bar).to_have_count(0)


def test_who_is_winning_is_in_sight_on_a_phone(people: People) -> None:
    ann, _ = seated(people)
    ann.page.set_viewport_size({"width": 390, "height": 844})
    before = ann.page.locator(".seat.near").bounding_box()
    ann.does("eval")
    said = ann.page.locator(".bar figcaption").inner_text()
    expect(ann.page.locator(".goal.balance")).to_have_text(said)
    expect(ann.page.locator(".goal.balance")).to_be_in_viewport(ratio=1)
    assert ann.page.locator(".seat.near").bounding_box() == before


def test_a_hint_and_who_is_winning_are_shown_together(people: People) -> None:
    ann, _ = seated(people)
    ann.does("hint")
    expect(ann.page.locator("#hint")).to_be_visible()
    ann.does("eval")
    expect(ann.page.locator(".bar")).to_be_visible()
    expect(ann.page.locator("#hint")).to_be_visible()


def test_the_bar_is_as_long_as_the_first_player_is_likely_to_win(people: People) -> None:
    moves = ("claim:1", "claim:2")
    ann, _ = seated(people, "conquest", *moves, setup={"size": 2})
    game = ninefold.load("conquest")
    likely = evaluate(game.sequence(game.start(size=2), moves)).value.first_wins
    assert likely is not None
    assert 0 < likely < 1
    ann.does("eval")
    expect(ann.page.locator(".bar")).to_be_visible()
    widths = [float(rect.get_attribute("width") or 0) for rect in ann.page.locator(".bar rect").all()]
    assert widths == [100, pytest.approx(100 * float(likely), abs=0.05)]


def test_neither_is_offered_where_it_was_ruled_out(people: People) -> None:
    ann = people()
    ann.sets_up("shadow", against="here", hints="no")
    expect(ann.page.locator("#do-hint, #do-eval")).to_have_count(0)
    ann.goes(f"/m/{ann.id}?hint=0&eval=1")
    expect(ann.page.locator(".status")).to_be_visible()
    expect(ann.page.locator("#hint, .bar")).to_have_count(0)


def test_a_spectator_is_offered_nothing(site: Server, people: People) -> None:
    table = site.create("shadow")
    table.play("5@2,2")
    cat = people()
    cat.goes(f"/m/{table.id}?hint=1&eval=1")
    expect(cat.page.locator(".status")).to_have_text("Player 2 is to move.")
    expect(cat.page.locator("#hint, .bar")).to_have_count(0)
    expect(cat.page.locator("main button:visible, main .actions a")).to_have_count(0)


# Offers


def test_a_takeback_is_asked_for_declined_and_accepted(people: People) -> None:
    ann, ben = begun(people, "shadow", "5@2,2", "1@1,1")
    offers = [one.page.get_by_role("group", name="Takeback") for one in (ann, ben)]
    ben.asks("takeback", "offer")
    expect(offers[0]).to_contain_text("Ben wants to take back their last turn.")
    expect(offers[1]).to_contain_text("Ann has to agree.")
    ann.asks("takeback", "decline")
    for one, offer in zip((ann, ben), offers, strict=True):
        one.sees(ann.version)
        expect(offer).to_have_count(0)
        expect(one.page.locator(".moves li")).to_have_count(2)
    ben.asks("takeback", "offer")
    ann.sees(ben.version)
    ann.asks("takeback", "accept")
    for one in (ann, ben):
        one.sees(ann.version)
        expect(one.page.locator(".moves li")).to_have_count(1)
    assert ben.turn
    assert not ann.turn


def test_one_who_asked_for_a_takeback_can_think_better_of_it(people: People) -> None:
    ann, _ = seated(people, "shadow", "5@2,2")
    ann.asks("takeback", "offer")
    ann.page.get_by_role("button", name="Never mind").click()
    expect(ann.page.get_by_role("group", name="Takeback")).to_have_count(0)
    expect(ann.page.locator("#do-takeback-offer:enabled")).to_be_visible()


def test_a_move_answers_the_wish_for_a_takeback(people: People) -> None:
    ann, table = seated(people, "shadow", "5@2,2")
    ann.asks("takeback", "offer")
    table.play("1@1,1")
    expect(ann.page.locator(".moves li")).to_have_count(2)
    expect(ann.page.get_by_role("group", name="Takeback")).to_have_count(0)


def test_to_resign_takes_two_clicks_and_both_see_it(people: People) -> None:
    ann, ben = begun(people)
    expect(ben.page.locator("#do-resign")).to_be_hidden()
    ben.page.locator("#resign summary").click()
    ben.page.get_by_role("button", name="Yes, resign").click()
    for one, resigned, title in ((ann, "Ben", "You won"), (ben, "You", "Ann won")):
        expect(one.page.locator(".ending")).to_contain_text(f"{resigned} resigned.")
        expect(one.page).to_have_title(re.compile(f"^{title}"))
        assert one.offers() == []


def test_to_stop_is_proposed_declined_and_accepted(people: People) -> None:
    ann, ben = begun(people, "pattern", "5@2,2")
    for answer in ("decline", "accept"):
        expect(ann.page.locator("#do-stop-offer")).to_be_hidden()
        ann.page.locator("#stop summary").click()
        ann.asks("stop", "offer")
        expect(ann.page.get_by_role("group", name="Stop")).to_contain_text("Ben has to agree.")
        expect(ben.page.get_by_role("group", name="Stop")).to_contain_text("Ann offers to stop")
        ben.asks("stop", answer)
        ann.sees(ben.version)
        expect(ann.page.get_by_role("group", name="Stop")).to_have_count(0)
        if answer == "decline":
            expect(ann.page.get_by_text("The offer to stop was declined.")).to_be_visible()
    for one, other in ((ann, "Ben"), (ben, "Ann")):
        ending = f"Nobody wins: you and {other} agreed to stop."
        expect(one.page.locator(".ending")).to_have_text(ending)
        expect(one.page).to_have_title(re.compile("^Nobody won"))
        assert one.offers() == []


def test_a_rematch_is_offered_declined_and_accepted_and_swaps_the_sides(people: People) -> None:
    ann, ben = begun(people, "cross", "Row1", "Row2", "Row3", "Col1", "Col2", "Col3")
    before = ann.id
    for answer in ("decline", "accept"):
        ann.asks("rematch", "offer")
        expect(ann.page.get_by_role("group", name="Rematch")).to_contain_text("Ben has to agree.")
        ben.sees(ann.version)
        ben.does("rematch", answer)
        expect(ann.page.get_by_role("group", name="Rematch")).to_have_count(0)
    ben.page.wait_for_url(lambda url: before not in url)
    expect(ben.page).to_have_title(re.compile("^Your turn"))
    expect(ann.page).to_have_title(re.compile("^Ben to move"))  # it takes both along
    assert ann.id == ben.id != before
    turns(ben, ann, 2)


def test_a_rematch_against_the_computer_begins_at_once(people: People) -> None:
    ann, table = seated(people, "cross", second={"kind": "level:1"})
    assert table.post("/resign", FIRST).status_code == 200
    expect(ann.page.locator(".ending")).to_be_visible()
    ann.does("rematch", "offer")
    ann.page.wait_for_url(lambda url: table.id not in url)
    ann.waits()  # the computer begins
    expect(ann.page.locator(".moves li")).to_have_count(1)


# The link


def test_the_link_is_copied(people: People) -> None:
    ann = people(permissions=["clipboard-read", "clipboard-write"])
    ann.starts("shadow", "friend")
    ann.page.get_by_role("button", name="Copy").click()
    expect(ann.page.get_by_role("button", name="Copied")).to_be_visible()
    assert ann.page.evaluate("navigator.clipboard.readText()") == f"{ann.base}/m/{ann.id}"


def test_the_link_is_copied_where_a_page_may_not_write_to_the_clipboard(people: People) -> None:
    """As on a plain http address in a home network."""
    ann = people(permissions=["clipboard-read"])
    ann.page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined });")
    ann.starts("shadow", "friend")
    ann.page.get_by_role("button", name="Copy").click()
    expect(ann.page.get_by_role("button", name="Copied")).to_be_visible()
    other = ann.context.new_page()
    other.goto(ann.base)
    assert other.evaluate("navigator.clipboard.readText()") == f"{ann.base}/m/{ann.id}"


def test_the_link_is_drawn_as_a_code(people: People) -> None:
    ann, _ = seated(people, second=OPEN)
    code = ann.page.get_by_role("img", name="QR code of the link")
    expect(code).to_be_visible()
    code.evaluate("image => image.decode()")  # refuses what is no image
    assert code.evaluate("image => image.naturalWidth") > 50


def test_spectators_are_counted_and_players_are_not(people: People) -> None:
    ann, ben = begun(people)
    expect(ann.page.locator("#watching")).to_be_hidden()
    cat, dan = people(), people()
    for count, one in enumerate((cat, dan), 1):
        one.goes(f"/m/{ann.id}")
        for other in (ann, ben, one):
            expect(other.page.locator("#watching")).to_have_text(f"{count} watching")
    dan.goes("/")
    for other in (ann, ben, cat):
        expect(other.page.locator("#watching")).to_have_text("1 watching")
    cat.page.close()
    for other in (ann, ben):
        expect(other.page.locator("#watching")).to_be_hidden()


# Who may do what


def test_a_late_click_is_explained(people: People) -> None:
    ann, table = seated(partial(people, javascript=False), "battle")  # nothing happens there by itself
    table.play("0,0", "0,1")
    ann.expects("409")
    ann.spot("0-8").click()
    expect(ann.page.get_by_role("alert")).to_contain_text("The match has moved on")
    expect(ann.page.locator(".moves li")).to_have_count(2)
    ann.spot("0-8").click()
    expect(ann.page.locator(".moves li")).to_have_count(3)
    expect(ann.page.get_by_role("alert")).to_have_count(0)


def test_two_clicks_at_once_are_one_move(people: People) -> None:
    ann = people()
    ann.expects("409")
    ann.starts("battle", "here")
    ann.page.evaluate("""() => {
        const [one, other] = document.querySelectorAll("button.cell");
        one.click();
        other.click();
    }""")
    ann.sees(1)
    assert len(ann.table.seen()["moves"]) == 1


def opened(site: Server) -> tuple[Table, str]:
    """A match as a terminal makes one: the link of a seat has its token after #."""
    wanted = {"game": "shadow", "setup": {}, "first": PERSON, "second": OPEN}
    created = got(site.post(f"{API}/matches", wanted), 201)
    table = Table(site, created["match"], {FIRST: created["held"][0]["token"]})
    return table, created["held"][0]["link"]


def test_the_link_of_a_seat_opens_the_seat_and_its_token_vanishes(site: Server, people: People) -> None:
    table, link = opened(site)
    assert link == f"{site.base}/m/{table.id}#{table.tokens[FIRST]}"
    ann = people()
    ann.page.goto(link)
    expect(ann.page.locator(".you")).to_have_count(1)
    assert ann.page.url == f"{site.base}/m/{table.id}"
    assert table.tokens[FIRST] not in ann.page.content()
    ben = people()
    ben.joins(ann.id)
    ann.sees(ben.version)
    ann.plays(at_random(1))
    ann.page.reload()
    expect(ann.page.locator(".you")).to_have_count(1)
    ann.goes("/games")
    expect(ann.page.locator(".game")).to_contain_text("to move")


def test_a_wrong_token_is_refused_in_words(site: Server, people: People) -> None:
    table, _ = opened(site)
    cat = people()
    cat.expects("403")
    cat.goes(f"/m/{table.id}#{'x' * 32}")
    expect(cat.page.get_by_role("alert")).to_have_text("This token does not hold a seat in this match.")
    assert "x" * 32 not in cat.page.url
    assert "x" * 32 not in [cookie.get("value") for cookie in cat.context.cookies()]


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(site: Server, people: People) -> None:
    ann = people()
    ann.sets_up("shadow", against="friend", name="Ann")
    ann.page.goto(opened(site)[1])
    expect(ann.page.locator(".you")).to_have_count(1)
    cookies = ann.context.cookies()
    assert len(cookies) == 4  # the key, the name, the seat, what is usually chosen
    for cookie in cookies:
        assert cookie.get("httpOnly")
        assert cookie.get("sameSite") == "Lax"
    assert ann.page.evaluate("document.cookie") == ""


FORMS = (
    "/new/shadow",
    *(f"/m/ID/{act}" for act in ("join", "hold", "move", "resign", "takeback", "rematch")),
)


@pytest.mark.parametrize("path", FORMS)
@pytest.mark.parametrize(
    "header", [{"Origin": "http://elsewhere.test"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}]
)
def test_a_form_of_another_site_is_refused(site: Server, path: str, header: dict[str, str]) -> None:
    table = site.create("shadow")
    token = table.tokens[FIRST]
    form = {"game": "shadow", "against": "computer", "seat": "first", "token": token, "action": "offer"}
    headers = {**header, "Cookie": f"ninefold={token}", "Accept": "text/html"}
    answer = site.http.post(path.replace("ID", table.id), data=form, headers=headers)
    assert answer.status_code == 403
    assert "This form was sent by another site." in answer.text
    assert "set-cookie" not in answer.headers
    assert table.seen()["status"] == "playing"


def test_another_site_cannot_have_a_browser_resign(people: People) -> None:
    ann, table = seated(people)
    action = f"{ann.base}/m/{ann.id}/resign"
    page = f"<form method=post action='{action}'><input name=seat value=first><button>Win!"

    def elsewhere(route: Route) -> None:
        route.fulfill(body=page, content_type="text/html")

    ann.context.route("http://elsewhere.test/", elsewhere)
    ann.page.goto("http://elsewhere.test/")
    ann.asked.clear()
    ann.expects("403")
    ann.page.get_by_role("button").click()
    expect(ann.page.locator("main")).to_contain_text("This form was sent by another site.")
    assert table.seen()["status"] == "playing"


def test_names_are_shown_as_they_were_typed(people: People) -> None:
    bold, image = '<b>"x"</b> &amp;', "'\"><img src=x> {{7*7}}"
    ann, ben = people(), people()
    ann.sets_up("battle", against="friend", side="first", name=bold, listed="yes")
    ben.goes("/")
    expect(ben.page.get_by_role("region", name="Open seats")).to_contain_text(bold)
    ben.joins(ann.id, image)
    ann.sees(ben.version)
    expect(ben.page).to_have_title(re.compile(f"^{re.escape(bold)} to move"))
    for mover, other, name in ((ann, ben, bold), (ben, ann, image)):
        turns(mover, other, 1)
        expect(other.page.locator(".news")).to_contain_text(name)
    for one in (ann, ben):
        for name in (bold, image):
            expect(one.page.locator(".seat").filter(has_text=name)).to_have_count(1)
        expect(one.page.locator(".who b b, .state b, main img:not(.code)")).to_have_count(0)
    ann.goes("/")
    expect(ann.card("battle")).to_contain_text(bold)
    expect(ann.card("battle")).to_contain_text(image)
    expect(ann.card("battle").locator("img")).to_have_count(0)
    ann.goes("/new/battle")
    expect(ann.page.get_by_label("Your name")).to_have_value(bold)
    ben.page.locator("#resign summary").click()
    ben.does("resign")
    ann.goes(f"/m/{ben.id}")
    expect(ann.page.locator(".ending")).to_contain_text(f"{image} resigned.")


def test_a_seat_is_taken_by_one_person_only(site: Server, people: People) -> None:
    table = site.create("shadow", second=OPEN)
    ben, cat = people(), people()
    for one in (ben, cat):
        one.page.route("**/events*", lambda route: route.abort())  # neither hears of the other
        one.expects("ERR_FAILED", "409")
        one.goes(f"/m/{table.id}")
    ben.does("join")
    expect(ben.page.locator(".you")).to_have_count(1)
    cat.does("join")
    expect(cat.page.get_by_role("alert")).to_have_text("There is no open seat in this match.")
    expect(cat.page.locator(".you")).to_have_count(0)


def test_a_spectator_cannot_move(site: Server, people: People) -> None:
    table, cat = site.create("shadow"), people()
    cat.expects("403")
    cat.goes(f"/m/{table.id}")
    cat.form.evaluate("""form => {
        form.seat.value = "first";
        form.insertAdjacentHTML("beforeend", "<button name='move' value='5@1,1'>");
        form.requestSubmit(form.querySelector("[name=move]"));
    }""")
    expect(cat.page.get_by_role("alert")).to_have_text("You do not hold this seat.")
    assert table.seen()["moves"] == []


def test_a_match_that_is_not_there_says_so(people: People) -> None:
    ann = people()
    ann.expects("404")
    ann.goes("/m/nowhere")
    expect(ann.page.get_by_role("heading", level=1)).to_be_visible()
    ann.page.get_by_role("link", name="Back to the games").click()
    expect(ann.page.locator("article.card").first).to_be_visible()


def test_settings_that_cannot_be_are_refused_and_kept(people: People) -> None:
    ann = people()
    ann.expects("422")
    ann.goes("/new/battle")
    ann.page.get_by_label("Your name").fill("Ann")
    ann.page.get_by_label("Grid").fill("99")
    ann.page.get_by_label("Friend, with a link").check()
    ann.page.get_by_role("button", name="Start").click()
    expect(ann.page.get_by_role("alert")).to_have_text(re.compile("99.*It must be"))
    expect(ann.page.get_by_label("Your name")).to_have_value("Ann")
    expect(ann.page.get_by_label("Grid")).to_have_value("99")
    expect(ann.page.get_by_label("Friend, with a link")).to_be_checked()
    ann.page.get_by_label("Grid").fill("192837465")
    ann.page.get_by_role("button", name="Start").click()
    ann.page.wait_for_url("**/m/*")
    assert ann.table.seen()["setup"] == {"grid": "192837465"}


SIDES: list[tuple[str, Seat]] = [("first", FIRST), ("second", SECOND)]


@pytest.mark.parametrize(("side", "seat"), SIDES)
def test_one_sits_on_the_side_that_was_asked_for(people: People, side: str, seat: Seat) -> None:
    ann = people()
    ann.sets_up("conquest", against="friend", side=side, name="Ann", size="4")
    seen = ann.table.seen()
    assert (seen[str(seat)]["kind"], seen[str(seat)]["name"]) == ("person", "Ann")
    assert seen[str(seat.other)]["kind"] == "open"
    expect(ann.page.locator(".cell")).to_have_count(16)


def test_sounds_are_off_until_they_are_asked_for(people: People) -> None:
    ann = people()
    ann.starts("battle", "here")
    button = ann.page.get_by_role("button", name="Sounds")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    ann.plays(at_random(1))
    ann.page.reload()
    expect(button).to_have_attribute("aria-pressed", "true")
