"""Every game is played to its end in full screen: by keys and by mouse, in small and large windows."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import partial
from itertools import cycle
from random import Random
from typing import Any

import pytest

import ninefold
from ninefold import Game, Seat
from ninefold.core.cast import COMPUTER
from ninefold.players import PERSON
from ninefold.show.endings import describe_ending
from ninefold.show.examples import example_match
from ninefold.show.moves import cast_of
from ninefold.show.scene import Reveal, Revealed, scene_of_match
from ninefold.store.files.matches import Matches, all_entries
from ninefold.store.files.progress import PuzzleProgress
from ninefold.table.file import FileTable
from ninefold.table.table import Table
from ninefold.tui.board.beside import Notes, describe
from ninefold.tui.board.position import PositionWidget
from ninefold.tui.board.reveal import RevealedCards
from ninefold.tui.screens.dialogs import Cover
from ninefold.tui.screens.home import Home
from ninefold.tui.screens.learn import CourseList
from ninefold.tui.screens.match import MatchScreen
from ninefold.tui.screens.puzzle import Solving
from tests.setups import GAMES, every_game
from tests.tui.pilot import SIZES, Seen, choose, go_to, run, sit_down

LIMIT = 24  # moves; then somebody resigns

# Every game at one size, and every size with a game; the golden screens have every game at every size.
at_a_size = pytest.mark.parametrize(
    ("game", "size"),
    zip(GAMES.values(), cycle(SIZES), strict=False),
    ids=[f"{slug}-{width}x{height}" for slug, (width, height) in zip(GAMES, cycle(SIZES), strict=False)],
)


async def play_on(pilot: Seen, screen: MatchScreen, rng: Random) -> None:
    """Random moves at the table until the match is over, by keys and by mouse in turns."""
    table = screen.table
    while not table.over:
        if isinstance(pilot.app.screen, Cover):
            await pilot.press("enter")
            await pilot.pause()
        await pilot.settle(lambda: table.mover is not None or table.over)
        seat = table.mover
        if seat is None:
            break
        if len(table.match.played) >= LIMIT:
            await pilot.press("g")
            await pilot.pause()
            await pilot.press("y")
            await pilot.pause()
            continue
        screen.query_one(RevealedCards).close()  # as any key would
        before = len(table.match.played)
        move = rng.choice(table.match.state.moves(seat))
        await choose(pilot, str(move), mouse=bool(before // 2 % 2))
        await pilot.settle(partial(_has_moved, table, before))
        await pilot.pause()
        assert table.match.played[before].move == move


def _has_moved(table: Table, before: int) -> bool:
    return len(table.match.played) > before


@at_a_size
def test_two_people_play_a_game_to_its_end(game: Game, size: tuple[int, int]) -> None:
    rng = Random(f"{game.slug} {size}")
    screen = sit_down(game.start(rng=rng))

    async def test(pilot: Seen) -> None:
        await pilot.app.push_screen(screen)
        await pilot.pause()
        await play_on(pilot, screen, rng)
        match = screen.table.match
        said = " ".join(pilot.text.split())
        assert describe_ending(match, screen.table.cast).headline in said
        assert [entry.match.played for entry in all_entries() if entry.match] == [match.played]

    run(test, size)


@every_game
def test_the_computer_answers_and_its_pause_is_skipped(game: Game, monkeypatch: Any) -> None:
    monkeypatch.setattr("ninefold.table.file.PAUSE", 3600)
    rng = Random(game.slug)
    screen = sit_down(game.start(rng=rng), (PERSON, "random"))

    async def test(pilot: Seen) -> None:
        await pilot.app.push_screen(screen)
        await pilot.pause()
        table = screen.table
        for _ in range(3):
            while table.computer is not None:
                await pilot.press("f12")  # any key
                await pilot.pause(0.01)
            if (seat := table.mover) is not None:
                await choose(pilot, str(rng.choice(table.match.state.moves(seat))), mouse=False)
        assert len(table.match.played) >= 5 or table.over

    run(test)


def test_a_refused_cell_says_which_rule_forbids_it() -> None:
    screen = sit_down(ninefold.load("shadow").start(target=15).play("5@2,2"))

    async def test(pilot: Seen) -> None:
        await pilot.app.push_screen(screen)
        await pilot.press("5")
        assert "Place your 5: choose a cell." in pilot.text
        await go_to(pilot, pilot.app.screen.query_one(PositionWidget), "c-0-4")
        await pilot.press("enter")
        await pilot.pause()
        assert screen.table.match.played == ()
        assert "Cell 2,2 is taken. Choose an empty one." in pilot.text

    run(test)


def test_a_small_window_shows_a_whole_hint_and_keeps_a_level_in_one_piece() -> None:
    grid = ninefold.load("cross").start(grid="584367219")
    screen = sit_down(grid, (PERSON, "level:3"), ("Ann", COMPUTER))

    async def test(pilot: Seen) -> None:
        await pilot.app.push_screen(screen)
        await pilot.pause()
        assert "O  The computer\n" in pilot.text.replace(" " * 30, "")
        await pilot.resize_terminal(40, 16)
        await pilot.press("h")
        await pilot.settle(lambda: "Hint" in pilot.text)
        _, hint = screen.table.hint(Seat.FIRST)
        assert hint in " ".join(pilot.text.split())

    run(test, (60, 20))


def screens_of(numbers: tuple[str, str]) -> list[str]:
    """Everything drawn while two people at one screen choose in secret, until both have."""
    game = ninefold.load("conquest")
    start = game.sequence(game.start(size=2), ["claim:1", "claim:2"])
    screen, drawn = sit_down(start), []

    async def test(pilot: Seen) -> None:
        await pilot.app.push_screen(screen)
        await pilot.press("2")  # challenges cell 2
        await pilot.settle(lambda: isinstance(pilot.app.screen, Cover))
        for number in numbers:
            drawn.append(pilot.text)
            await pilot.press("enter")
            await pilot.settle(lambda: pilot.app.screen is screen)
            drawn.append(pilot.text)
            count = len(screen.table.match.played)
            await pilot.press("left")  # moves no cursor that would give something away
            drawn.append(pilot.text)
            await pilot.press(number)
            await pilot.settle(partial(_has_moved, screen.table, count))
            await pilot.pause()
        assert "beat" in pilot.text or "met" in pilot.text or "lost" in pilot.text

    run(test)
    return drawn


def test_no_number_that_was_chosen_in_secret_is_drawn() -> None:
    """Whatever the first one chooses, the second one sees the same screens, to the letter."""
    seen = {tuple(screens_of((number, "3"))) for number in "124"}
    assert len(seen) == 1
    assert all("please look away" in screen for screen in next(iter(seen))[::3])


def test_a_number_typed_twice_is_not_the_other_players_choice() -> None:
    game = ninefold.load("conquest")
    screen = sit_down(game.sequence(game.start(size=2), ["claim:1", "claim:2"]))

    async def test(pilot: Seen) -> None:
        await pilot.app.push_screen(screen)
        await pilot.press("2")
        await pilot.settle(lambda: isinstance(pilot.app.screen, Cover))
        await pilot.press("enter")
        await pilot.settle(lambda: pilot.app.screen is screen)
        position = screen.query_one(PositionWidget)
        for _ in range(2):  # the second one arrives when the first has been played
            position.post_message(PositionWidget.Chosen(game.parse("bid:4")))
            await pilot.settle(lambda: isinstance(pilot.app.screen, Cover))
            await pilot.pause()
        assert [str(one.move) for one in screen.table.match.played] == ["challenge:2", "bid:4"]

    run(test)


def test_commands_of_a_match() -> None:
    """Undo, hint, eval, stop, resign and a rematch with the sides swapped."""
    screen = sit_down(ninefold.load("pattern").start())

    async def test(pilot: Seen) -> None:
        await pilot.app.push_screen(screen)
        await choose(pilot, "5@2,2", mouse=False)
        await pilot.settle(lambda: len(screen.table.match.played) == 1)
        await pilot.press("u")
        await pilot.settle(lambda: not screen.table.match.played)
        assert "undo" not in pilot.text  # there is no move to take back anymore
        await pilot.press("h")
        await pilot.settle(lambda: "Hint: " in pilot.text)
        await pilot.press("e")
        await pilot.settle(lambda: "With best play, " in pilot.text)
        await pilot.press("s")
        await pilot.settle(lambda: "Ben, do you agree?" in pilot.text)
        await pilot.press("n")
        await pilot.pause()
        assert not screen.table.over
        await pilot.press("g")
        await pilot.settle(lambda: "Resign this game?" in pilot.text)
        await pilot.press("y")
        await pilot.settle(lambda: screen.table.over)
        await pilot.pause()
        assert "Ben wins. Ann resigned." in pilot.text
        await pilot.press("n")
        await pilot.settle(lambda: not screen.table.over)
        assert [player.name for player in screen.table.match.players] == ["Ann", "Ben"]
        assert screen.table.match.player(ninefold.Seat.FIRST).name == "Ben"
        assert "Ann 0 : 1 Ben" in pilot.text

    run(test)


def test_a_match_is_left_and_gone_on_with() -> None:
    screen = sit_down(ninefold.load("battle").start(grid="123456789"))

    async def test(pilot: Seen) -> None:
        await pilot.app.push_screen(screen)
        await pilot.press("5")
        await pilot.settle(lambda: len(screen.table.match.played) == 1)
        await pilot.press("q")
        await pilot.pause()
        assert "Number Cross" in pilot.text
        await pilot.press("c")
        await pilot.settle(lambda: isinstance(pilot.app.screen, MatchScreen))
        assert pilot.app.screen is not screen
        assert "Ann took the 5" in pilot.text

    run(test)


def test_enter_after_a_digit_that_was_a_whole_move_is_only_a_habit() -> None:
    screen = sit_down(ninefold.load("battle").start(grid="123456789"))

    async def test(pilot: Seen) -> None:
        await pilot.app.push_screen(screen)
        await pilot.pause()
        position = screen.query_one(PositionWidget)
        position.action_digit("7")
        await pilot.settle(lambda: len(screen.table.match.played) == 1)
        position.action_choose()
        await pilot.pause()
        assert len(screen.table.match.played) == 1
        position.action_choose()
        await pilot.settle(lambda: len(screen.table.match.played) == 2)

    run(test)


@pytest.mark.parametrize(
    ("number", "cell", "why"),
    [
        ("5", "", "You have already used your 5. You can use each number only once."),
        ("", "c-0-4", "Cell 2,2 is taken. Choose an empty one."),
    ],
)
def test_half_a_move_is_refused_with_the_reason(number: str, cell: str, why: str) -> None:
    screen = sit_down(ninefold.load("shadow").start(target=15).play("5@2,2").play("4@1,1"))

    async def test(pilot: Seen) -> None:
        await pilot.app.push_screen(screen)
        await pilot.pause()
        if number:
            await pilot.press(number)
        else:
            await pilot.click_part(cell)
        await pilot.settle(lambda: why in pilot.text)

    run(test)


def test_a_series_is_told_of_and_won() -> None:
    async def test(pilot: Seen) -> None:
        table = FileTable.new(
            ninefold.load("cross"), (PERSON, PERSON), ("Ann", "Ben"), {"grid": "123456789"}, best_of=3
        )
        screen = MatchScreen(table)
        await pilot.app.push_screen(screen)
        await pilot.settle(lambda: "best of 3   Ann 0 : 0 Ben" in pilot.text)
        for said in ("Next game? Ben starts.", "Ben wins the best of 3! Rematch?"):
            ann = next(player.seat for player in screen.table.match.players if player.name == "Ann")
            screen.table.resign(ann)
            screen.table.news()
            await pilot.settle(lambda said=said: said in " ".join(pilot.text.split()))  # type: ignore[misc]
            await pilot.press("n")
            await pilot.settle(lambda: not screen.table.over)

    run(test)


def test_home_says_what_is_waiting_and_a_key_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    day = date(2026, 11, 16)
    monkeypatch.setattr("ninefold.tui.screens.home.today", lambda: day)
    for past in (1, 2):
        PuzzleProgress().note(str(day - timedelta(past)), solved=True)
    for slug in ("shadow", "battle"):  # one to continue, and one that is over
        match = example_match(ninefold.load(slug), 2 if slug == "battle" else None)
        with Matches().new() as saved:
            saved.update(match)

    async def test(pilot: Seen) -> None:
        await pilot.pause()
        first, last = example_match(ninefold.load("battle")).players
        listed = "\n".join(re.sub(" {2,}", "  ", line).strip() for line in pilot.lines)
        assert f"c  continue  Number Grid Battle, {first.name} - {last.name}" in listed
        assert "t  today's puzzle  Number Grid Battle, count it out (2 in a row)" in listed
        assert "l  learn  a game in three minutes" in listed
        for key, screen in (("c", MatchScreen), ("t", Solving), ("l", CourseList)):
            await pilot.press(key)
            await pilot.settle(lambda: not isinstance(pilot.app.screen, Home))
            assert isinstance(pilot.app.screen, screen)
            await pilot.press("q")
            await pilot.settle(lambda: isinstance(pilot.app.screen, Home))

    run(test)


def test_the_moment_when_numbers_are_revealed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both lie open above the table until a key is pressed; a list of turns has one row for it all."""
    monkeypatch.setattr("ninefold.tui.board.reveal.SECONDS", 3600)
    screen = sit_down(ninefold.load("conquest").start(), (PERSON, "random"))
    for text in ("claim:1", "claim:2", "challenge:2"):
        match = screen.table.match
        match.submit(match.state.movers[0], text)

    async def test(pilot: Seen) -> None:
        await pilot.app.push_screen(screen)
        cards = screen.query_one(RevealedCards)
        assert not cards.display
        await pilot.pause()
        assert pilot.text.count("You challenge") == 1  # and not "You challenged" above it
        await pilot.press("4")
        await pilot.settle(lambda: cards.display)
        await pilot.pause()
        number = screen.table.match.played[4].move
        card = "│  4  │   │  {}  │".format(str(number).removeprefix("bid:"))
        assert any(card in line for line in pilot.lines)
        await pilot.press("left")
        assert not cards.display
        await pilot.pause()
        assert sum("Challenge 2: 4 " in line for line in pilot.lines) == 1

    run(test)


def test_revealed_cards_are_not_closed_by_the_timer_of_the_ones_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stopped: list[int] = []

    class Clock:
        """A timer that never runs out."""

        made = 0

        def __init__(self, widget: RevealedCards, seconds: float, act: object) -> None:
            Clock.made += 1
            self.number = Clock.made

        def stop(self) -> None:
            stopped.append(self.number)

    monkeypatch.setattr(RevealedCards, "set_timer", lambda *given: Clock(*given))
    reveal = Reveal(5, (Revealed("Ann", "X", "4"), Revealed("Ben", "O", "2")), "4 beats 2.")

    async def test(pilot: Seen) -> None:
        screen = sit_down(ninefold.load("conquest").start(), (PERSON, PERSON))
        await pilot.app.push_screen(screen)
        cards = screen.query_one(RevealedCards)
        cards.open(reveal)
        cards.close()
        assert stopped == [1]
        cards.open(reveal)
        cards.open(reveal)
        assert stopped == [1, 2]
        assert cards.display

    run(test)


def test_the_menu_is_used_with_arrows_and_enter() -> None:
    async def test(pilot: Seen) -> None:
        await pilot.press("down", "down", "down", "enter")
        await pilot.settle(lambda: "Number Grid Battle" in pilot.lines[0])

    run(test)


def test_a_turn_too_long_for_a_line_goes_on_below_its_text() -> None:
    match = sit_down(ninefold.load("conquest").start(size=3)).table.match
    for move in ("claim:1", "challenge:1", "bid:2", "bid:4", *(f"claim:{k}" for k in range(2, 8))):
        match.submit(match.state.movers[0], move)
    scene = scene_of_match(match, None, cast_of(match))
    for at, rows in [(at, rows) for at in (None, *range(len(match.played) + 1)) for rows in range(8, 16)]:
        lines = describe(scene, None, "", Notes(at=at), 28, rows).plain.split("\n")
        turns = {
            int(found[2]): number
            for number, line in enumerate(lines)
            if (found := re.match("([▸ ]) ([1-8]) [XO] C", line))
        }
        here = next((turn for turn, number in turns.items() if lines[number].startswith("▸")), None)
        assert len(lines) <= rows
        assert (here is not None) == bool(at)
        assert [*turns] == list(range(min(turns), max(turns) + 1))
        assert 8 in turns or at is not None
        if 2 in turns:
            first, second = lines[turns[2] : turns[2] + 2]
            assert (first[4:], second) == ("O Challenge 1: 2 loses", "      to 4")
