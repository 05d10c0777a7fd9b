"""Around the table: the home page, my games, the theme, and what is remembered."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from ninefold import SLUGS, Seat
from tests.web.browser.support import People, begun, named, seated
from tests.web.support import Server, wait_for

FIRST, SECOND = Seat.FIRST, Seat.SECOND


def test_opponent_level_and_side_are_chosen_on_a_card_and_remembered(people: People) -> None:
    ann = people()
    ann.starts("cross", "here")
    ann.goes("/")
    card = ann.card("battle")
    expect(ann.page.locator("#here-battle")).to_be_checked()
    card.get_by_label("Your side").select_option("second")
    card.get_by_label("Computer level").select_option("level:5")  # which means the computer
    card.get_by_role("button", name="Play").click()
    ann.page.wait_for_url("**/m/*")
    assert ann.table.seen()["first"]["kind"] == "level:5"
    ann.goes("/")
    expect(ann.page.locator("#level-cross")).to_have_value("level:5")
    expect(ann.page.locator("#side-cross")).to_have_value("second")
    expect(ann.page.locator("#computer-cross")).to_be_checked()
    ann.goes("/new/cross")
    expect(ann.page.locator("[name=side][value=second]")).to_be_checked()
    expect(ann.page.locator("[name=level]:checked")).to_have_value("level:5")


def test_home_shows_only_the_matches_that_wait_for_you(people: People) -> None:
    ann, table = seated(people, "cross")
    turns = ann.page.get_by_role("region", name="Your turn")
    ann.goes("/")
    expect(turns).to_contain_text("Number Cross with Ben just now")
    table.play("Row1")
    ann.goes("/")
    expect(turns).to_have_count(0)
    ann.goes("/games")
    expect(ann.page.locator(".game")).to_contain_text(["Ben to move"])


def test_an_invitation_is_canceled_in_my_games(people: People) -> None:
    ann = people()
    ann.starts("battle", "friend")
    id = ann.id
    ann.goes("/")
    ann.page.get_by_role("region", name="Open seats").get_by_role("link", name="your invitation").click()
    ann.page.wait_for_url(f"**/m/{id}")
    ann.goes("/games")
    cancel = ann.page.get_by_role("button", name="Cancel Number Grid Battle")
    cancel.click()
    expect(cancel).to_have_count(0)
    assert ann.server.get(f"/api/v1/matches/{id}").status_code == 404


def test_finished_games_are_listed_opened_and_deleted_for_oneself(people: People) -> None:
    ann, ben = begun(people, "cross", "Row1", "Row2", "Row3", "Col1", "Col2", "Col3")
    id = ann.id
    for one in (ann, ben):
        one.goes("/games")
        one.page.get_by_role("link", name="Finished").click()
        expect(one.page.locator(".game .picture")).to_have_count(1)
        expect(one.page.locator(".game")).to_contain_text("with Ben" if one is ann else "with Ann")
        expect(one.page.locator(".game")).to_contain_text(re.compile(r"You (win|lose), \d+ to \d+\."))
    ann.page.get_by_role("button", name="Delete").click()
    expect(ann.page.locator(".game")).to_have_count(0)
    ben.page.reload()
    expect(ben.page.locator(".game")).to_have_count(1)
    ben.page.get_by_role("link", name="Open").click()
    ben.page.wait_for_url(f"**/m/{id}")
    expect(ben.page.locator(".you")).to_have_count(1)
    ann.goes(f"/m/{id}")
    expect(ann.page.locator(".you")).to_have_count(0)


def test_the_theme_is_the_systems_until_it_is_chosen_and_then_stays(people: People) -> None:
    ann = people(color_scheme="dark")
    ann.goes("/")
    button, paper = ann.page.locator("#theme"), "getComputedStyle(document.body).backgroundColor"
    dark = ann.page.evaluate(paper)
    button.click()
    expect(button).to_have_attribute("aria-label", "Theme: light")
    light = ann.page.evaluate(paper)
    assert light != dark
    ann.goes("/about")
    assert ann.page.evaluate(paper) == light
    assert ann.page.locator("html").get_attribute("data-theme") == "light"  # as the server sent it
    ann.page.emulate_media(color_scheme="light")
    button.click()
    assert ann.page.evaluate(paper) == dark
    button.click()
    expect(button).to_have_attribute("aria-label", "Theme: system")
    assert ann.page.evaluate(paper) == light


def test_the_boards_of_the_home_page_can_be_paused(people: People) -> None:
    ann = people(reduced_motion="no-preference")
    ann.page.clock.install()
    ann.goes("/")
    button = ann.page.get_by_role("button", name="Pause the boards")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    ann.page.clock.run_for(10_000)
    ann.page.evaluate("fetch('/healthz').then(answer => answer.text())")
    assert [url for url in ann.asked if "/demo/" in url] == []


def test_todays_puzzle_is_filled_in_when_it_was_not_found_in_time(people: People) -> None:
    ann = people(reduced_motion="reduce")
    home, late = ann.server.http, ' aria-labelledby="daily"'
    wait_for(lambda: "data-late" not in home.get("/").text, "today's puzzle")

    def be_early(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace(late, f"{late} data-late"))

    ann.page.route("**/", be_early, times=1)
    ann.page.clock.install()
    ann.goes("/")
    card = ann.page.locator(".daily[data-late]")
    expect(card).to_be_visible()
    ann.page.clock.run_for(3000)
    expect(card).to_have_count(0)
    expect(ann.page.locator(".daily .button")).to_be_visible()


def test_letters_can_be_switched_off_as_shortcuts(people: People) -> None:
    ann = people()
    ann.starts("cross", "here")
    ann.page.locator("#keys-open").click()
    ann.page.get_by_label("Letters and digits are shortcuts").uncheck()
    ann.page.keyboard.press("Escape")
    for key in ("1", "h", "?"):
        ann.page.keyboard.press(key)
    assert ann.version == 0
    expect(ann.page.locator("#hint, dialog[open]")).to_have_count(0)
    ann.page.reload()
    ann.page.locator("#keys-open").click()
    ann.page.get_by_label("Letters and digits are shortcuts").check()
    ann.page.keyboard.press("Escape")
    ann.page.keyboard.press("1")
    ann.sees(1)


def test_hints_between_friends_are_off_unless_switched_on_and_then_both_see_them(people: People) -> None:
    ann, ben = people(), people()
    ann.starts("cross", "friend")
    ben.goes(f"/m/{ann.id}")
    expect(ben.page.locator(".invite")).to_contain_text("Nobody gets hints.")
    ann.sets_up("cross", against="friend", side="first", hints_friend="yes", name="Ann")
    ben.goes(f"/m/{ann.id}")
    expect(ben.page.locator(".invite")).to_contain_text("Both of you can ask for hints.")
    ben.joins(ann.id, "Ben")
    ann.sees(ben.version)
    ann.does("hint")
    expect(ann.page.locator("#hint")).to_be_visible()
    expect(ben.page.locator("#live")).to_have_text("Ann used 1 hint.")
    for one in (ann, ben):
        expect(one.page.locator(".seat").filter(has_text="Ann")).to_contain_text("1 hint")
    ann.page.reload()  # the same hint
    expect(ann.page.locator(".near")).to_contain_text("1 hint")


def test_a_refused_form_can_be_loaded_again(people: People) -> None:
    ann = people(javascript=False)
    ann.expects("422", "409")
    ann.goes("/new/battle")
    ann.page.get_by_label("Grid").fill("99")
    ann.page.get_by_role("button", name="Start").click()
    expect(ann.page.get_by_role("alert")).to_be_visible()
    ann.goes(ann.page.url.removeprefix(ann.base))
    expect(ann.page.get_by_role("button", name="Start")).to_be_visible()
    table = ann.server.create("battle", first=named(FIRST), second=named(SECOND))
    ann.holds(table.id, table.tokens[FIRST])
    table.play("0,0", "0,1")
    ann.spot("0-8").click()
    expect(ann.page.get_by_role("alert")).to_be_visible()
    assert ann.page.url.endswith("/move")
    ann.goes(ann.page.url.removeprefix(ann.base))
    assert ann.page.url.endswith(f"/m/{table.id}")


def test_steps_of_an_example_leave_no_trail(people: People) -> None:
    ann = people()
    ann.goes("/rules")
    ann.goes("/rules/cross")
    for step in (1, 2, 3):
        ann.page.locator("#step-next").click()
        ann.steps_to(step)
    ann.page.go_back()
    expect(ann.page).to_have_url(f"{ann.base}/rules")


LONG = "W" * 40


def test_a_long_name_widens_no_page(people: People) -> None:
    ann, ben = people(), people()
    ann.sets_up("shadow", against="friend", name=LONG, listed="yes")
    ben.goes(f"/m/{ann.id}")
    wide = "document.documentElement.scrollWidth > innerWidth"
    for one, path in ((ben, f"/m/{ann.id}"), (ben, "/"), (ann, f"/m/{ann.id}"), (ann, "/games")):
        one.goes(path)
        for width in (320, 390, 820):
            one.page.set_viewport_size({"width": width, "height": 800})
            assert not one.page.evaluate(wide), (path, width)


@pytest.mark.parametrize("width", [640, 320], ids=["at 200 %", "at 400 %"])
def test_zoomed_in_a_game_can_be_played_without_scrolling_sideways(people: People, width: int) -> None:
    ann, _ = seated(people, "cross")
    ann.page.set_viewport_size({"width": width, "height": 256})
    assert not ann.page.evaluate("document.documentElement.scrollWidth > innerWidth")
    ann.spot("0-3.4.5").click()
    ann.sees(1)


def test_in_forced_colors_whose_a_cell_is_and_what_was_chosen_can_be_seen(people: People) -> None:
    ann, _ = seated(people, "shadow", "5@2,2", "6@1,1")
    ann.page.emulate_media(forced_colors="active")
    expect(ann.page.locator("[id='c-0-4'] .mark, [id='c-0-0'] .mark")).to_have_count(2)
    ann.number("8").click()
    chosen = ann.page.locator("label:has(#n-8)")
    assert chosen.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"


def test_a_link_tells_what_it_leads_to(site: Server) -> None:
    table = site.create("shadow", second={"kind": "open"}, first=named(FIRST))
    for path, title, about in (
        (f"/m/{table.id}", "Come and play Shadow Grid Duel", "Ann is waiting. You would move second."),
        (
            "/rules/cross",
            "Number Cross: the rules",
            "Number Cross: Claim rows and columns.",
        ),
    ):
        page = site.http.get(path, headers={"Accept": "text/html"}).text
        assert f'<meta property="og:title" content="{title}' in page
        assert f'<meta property="og:description" content="{about}' in page
        assert re.search(r'<meta property="og:image" content="http://[^"]+/icon-512\.png">', page)


def test_the_page_can_be_installed(site: Server) -> None:
    page = site.http.get("/", headers={"Accept": "text/html"}).text
    path = re.search(r'<link rel="manifest" href="([^"]+)">', page)
    assert path is not None
    told = site.http.get(path[1])
    assert told.headers["content-type"].startswith("application/manifest+json")
    assert told.json()["start_url"] == "/"
    for icon in told.json()["icons"]:
        answer = site.http.get(icon["src"])
        width = int.from_bytes(answer.content[16:20], "big")  # as a PNG says it
        assert (answer.headers["content-type"], f"{width}x{width}") == ("image/png", icon["sizes"])


def test_to_resign_stretches_nothing_beside_it(people: People) -> None:
    ann, _ = seated(people, "battle", "0,0", "0,1")
    ann.page.set_viewport_size({"width": 820, "height": 900})
    tall = "one => one.getBoundingClientRect().height"
    beside = ann.page.locator("#do-takeback-offer")
    before = beside.evaluate(tall)
    ann.page.locator("#resign summary").click()
    expect(ann.page.locator("#do-resign")).to_be_visible()
    assert beside.evaluate(tall) == before


@pytest.mark.parametrize("waiting", [False, True])
def test_home_is_one_screen(people: People, waiting: bool) -> None:
    """Five games, the daily, and the matches that wait, without scrolling."""
    ann = people()
    if waiting:
        ann, _ = seated(people)
        ann.starts("battle", "friend")
        ann.goes("/games")  # away from the match
    ann.page.set_viewport_size({"width": 1280, "height": 800})
    ann.goes("/")
    expect(ann.page.get_by_role("region", name="Your turn")).to_have_count(int(waiting))
    expect(ann.page.locator(".card.daily")).to_be_visible()
    question = ann.page.locator(".card.daily .card-text p")
    question.evaluate("one => { one.textContent = 'A question of some length. '.repeat(12); }")
    cards = ann.page.locator(".cards > .card")
    bottoms = cards.evaluate_all("all => all.map(one => one.getBoundingClientRect().bottom)")
    assert max(bottoms[:6]) <= 800  # more games than these have more rows
    for game in SLUGS:
        card = ann.card(game)
        expect(card.get_by_role("button")).to_have_count(1)
        expect(card.get_by_role("link", name="Learn in 3 minutes")).to_be_visible()


def test_settings_show_what_applies(people: People) -> None:
    ann = people()
    ann.goes("/new/conquest")
    shown = {
        "computer": {"level", "games", "hints"},
        "friend": {"games", "hints_friend"},
        "here": {"hints"},
    }
    for against, names in shown.items():
        ann.page.locator(f"[name=against][value={against}]").check()
        for name in ("level", "games", "hints", "hints_friend"):
            visible = ann.page.locator(f"fieldset:has([name='{name}'])").is_visible()
            assert visible == (name in names), (against, name)
    assert ann.page.locator("[name=size]").evaluate_all("all => all.map(one => one.value)") == [
        "2",
        "3",
        "4",
    ]


def test_a_best_of_three_goes_on_until_somebody_has_won_twice(people: People) -> None:
    ann = people()
    ann.sets_up("battle", against="computer", games="3")
    for wins in (1, 2):
        expect(ann.page.locator(".badges")).to_contain_text("Best of 3")
        ann.page.locator("#resign summary").click()
        ann.page.get_by_role("button", name="Yes, resign").click()
        expect(ann.page.locator(".far .score b")).to_have_text(str(wins))
        before = ann.id
        ann.page.get_by_role("button", name="Next game" if wins == 1 else "Rematch").click()
        expect(ann.main).not_to_have_attribute("data-match", before)
    expect(ann.page.locator(".far .score b")).to_have_text("0")  # another series


def test_a_friend_need_not_accept_the_next_game_of_a_series(people: People) -> None:
    ann, ben = people(), people()
    ann.sets_up("battle", against="friend", games="3", name="Ann")
    ben.goes(f"/m/{ann.id}")
    expect(ben.page.locator(".invite")).to_contain_text("You play a best of 3.")
    ben.joins(ann.id, "Ben")
    ann.sees(ben.version)
    ann.page.locator("#resign summary").click()
    ann.page.get_by_role("button", name="Yes, resign").click()
    before = ann.id
    ben.page.get_by_role("button", name="Next game").click()
    for one in (ann, ben):
        expect(one.main).not_to_have_attribute("data-match", before)


def test_a_guest_on_a_phone_sees_the_goal_the_rules_and_a_sample_game(people: People) -> None:
    ann, ben = people(), people()
    ann.starts("shadow", "friend")
    ben.page.set_viewport_size({"width": 390, "height": 844})
    ben.goes(f"/m/{ann.id}")
    invite = ben.page.locator(".invite")
    expect(invite).to_contain_text("Line up three of your numbers to hit the target.")
    expect(invite.locator(".picture")).to_be_visible()
    expect(invite.get_by_role("link", name="The rules, and a sample game")).to_be_visible()
    join = ben.page.locator("#do-join").bounding_box()
    assert join is not None
    assert join["y"] + join["height"] <= 844
