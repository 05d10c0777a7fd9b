"""Studying in full screen: rules, matches, reviews, the explorer and puzzles, for every game."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import ninefold
from ninefold import Game, Seat, State
from ninefold.analysis import evaluate
from ninefold.games import load
from ninefold.match import Match, Player
from ninefold.show.choosing import offers
from ninefold.show.endings import describe_ending, say_result
from ninefold.show.examples import example_match
from ninefold.show.exploring import follow
from ninefold.show.moves import cast_of, say_place
from ninefold.show.puzzles import EXPLAINED, explain
from ninefold.show.reviews import judgment, say_points_lost, summary
from ninefold.show.values import tone_of
from ninefold.store.files.matches import Matches, OnlineMatches, all_entries
from ninefold.store.files.progress import PuzzleProgress
from ninefold.study.puzzles import Asks, Puzzle, Task, find_seed, try_answers
from ninefold.study.puzzles.labels import Label, read_wanted
from ninefold.study.puzzles.making import sources_of, tasks_of
from ninefold.study.puzzles.solving import read_answer
from ninefold.study.puzzles.tasks import Mix
from ninefold.study.reviews import review_match
from ninefold.tui.board.position import PositionWidget
from ninefold.tui.forms.form import FormRow, Picker
from ninefold.tui.forms.puzzle import KINDS, PuzzleForm
from ninefold.tui.screens.better_move import BetterMove
from ninefold.tui.screens.dialogs import Confirm, Message
from ninefold.tui.screens.explorer import Explorer
from ninefold.tui.screens.match import MatchScreen
from ninefold.tui.screens.matches import MatchList as Browser
from ninefold.tui.screens.puzzle import Solving
from ninefold.tui.screens.replay import Replay
from ninefold.tui.screens.review import ReviewScreen
from ninefold.tui.screens.rules import Rules
from tests.setups import every_game
from tests.study.puzzles.test_solving import answers_of as answers
from tests.tui.pilot import Seen, choose, rest, run

NOW = "2026-11-16T12:00:00+00:00"


async def press(pilot: Seen, *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await rest(pilot)


async def show(pilot: Seen, screen: Any) -> None:
    await pilot.app.push_screen(screen)
    await rest(pilot)


def flat(text: str) -> str:
    """A text without its line breaks."""
    return " ".join(text.split())


def random_match(game: Game, seed: int = 1, most: int = 7) -> Match:
    """A match of random moves, Ann against Ben; who has not lost by then resigns."""
    rng = Random(f"{game.slug} {seed}")
    players = (Player("Ann", Seat.FIRST), Player("Ben", Seat.SECOND))
    match = Match(game.start(rng=rng), players, now=lambda: NOW)
    while not match.over and len(match.played) < most:
        seat = match.state.movers[0]
        match.submit(seat, rng.choice(match.state.moves(seat)))
    if not match.over and not match.state.secret:
        match.resign(Seat.FIRST)
    return match


# Rules


@every_game
def test_the_rules_can_be_read_and_the_example_is_stepped_through(game: Game) -> None:
    async def test(pilot: Seen) -> None:
        await show(pilot, Rules(game))
        assert game.title in pilot.lines[4]
        await press(pilot, "tab")
        match = example_match(game)
        assert f"Turn 0 of {len(match.turns)}" in pilot.text
        last = len(match.played)
        for number, key in (
            (1, "right"),
            (2, "right"),
            (last, "end"),
            (last - 1, "left"),
            (last, "right"),
        ):
            await pilot.press(key)
            assert say_place(match, number) in pilot.lines[0]
            assert game.example.moves[number - 1][1] in flat(pilot.text)
        assert f"Turn {len(match.turns)} of {len(match.turns)}" in pilot.lines[0]
        assert describe_ending(match, cast_of(match)).headline in flat(pilot.text)
        await press(pilot, "home", "left")
        assert "Turn 0 of" in pilot.text
        await press(pilot, "tab", "1")
        assert ninefold.every_game()[0].title in pilot.lines[0]

    run(test)


# Matches


def keep(match: Match) -> str:
    with Matches().new() as saved:
        saved.update(match)
        return saved.id


def test_matches_are_listed_continued_stepped_through_and_deleted() -> None:
    game = ninefold.load("battle")
    over, begun = random_match(game), random_match(game, most=3)
    begun = Match.of(replace(begun.shared_record(), result=None))
    for number, id in enumerate((keep(over), keep(begun))):
        os.utime(Matches().find(id), (number, number))
    (Matches().folder / "broken.json").write_text("{")

    async def test(pilot: Seen) -> None:
        await press(pilot, "m")
        assert "damaged: " in pilot.text
        assert say_result(over) in pilot.text
        assert "unfinished, 3 moves" in pilot.text
        await press(pilot, "v")
        assert "not valid JSON" in pilot.text
        await pilot.press("d")  # its worker waits for the answer
        await pilot.pause()
        assert isinstance(pilot.app.screen, Confirm)
        await press(pilot, "n")
        assert len(all_entries()) == 3
        await pilot.press("d")
        await pilot.pause()
        await press(pilot, "y")
        assert [entry.problem for entry in all_entries()] == ["", ""]
        await press(pilot, "p", "end")
        assert isinstance(pilot.app.screen, Replay)
        assert "Turn 3 of 3" in pilot.text
        await press(pilot, "q", "enter")
        assert isinstance(pilot.app.screen, MatchScreen)
        assert pilot.app.screen.table.match.played == begun.played
        await press(pilot, "q", "m", "end", "enter")
        screen = pilot.app.screen
        assert isinstance(screen, ReviewScreen)
        assert f"of {len(over.played)}" in pilot.text

    run(test)


def test_an_unfinished_match_on_a_server_is_stepped_through_but_not_studied() -> None:
    match = random_match(ninefold.load("battle"), most=3)
    record = replace(match.shared_record(), result=None)
    OnlineMatches().save("abc", "http://127.0.0.1:1/m/abc", Seat.FIRST, record)

    async def test(pilot: Seen) -> None:
        await press(pilot, "c", "v")
        assert isinstance(pilot.app.screen, Browser)
        assert "still being played" in pilot.text
        await press(pilot, "p", "x")
        assert f"Turn 0 of {len(match.turns)}" in pilot.text
        await press(pilot, "q", "enter")
        assert "is no longer saved on this machine" in flat(pilot.text)  # and asks nobody

    run(test)


def test_a_secret_of_an_unfinished_match_is_nowhere_in_its_replay() -> None:
    game, drawn = ninefold.load("conquest"), set()
    for bid in ("bid:1", "bid:4"):
        match = Match(game.start(), (Player("Ann", Seat.FIRST), Player("Ben", Seat.SECOND)))
        for move in ("claim:1", "challenge:1", bid):
            match.submit(match.state.movers[0], move)
        texts: list[str] = []

        async def test(pilot: Seen, match: Match = match, texts: list[str] = texts) -> None:
            for viewer in (Seat.FIRST, Seat.SECOND):
                await show(pilot, ReviewScreen(match, viewer))
                for key in ("home", "right", "right", "right"):
                    await press(pilot, key)
                    texts.append(pilot.text)

        run(test)
        drawn.add(tuple(texts[:4]))
        assert "(4)" in texts[-1] or "(1)" in texts[-1]  # its owner sees it
    assert len(drawn) == 1


# Reviews


@every_game
def test_a_review_judges_every_move_and_asks_for_better_ones(game: Game) -> None:
    match = random_match(game)
    found, cast = review_match(match), cast_of(match)
    mistakes = [one.number for one in found.mistakes()]

    async def test(pilot: Seen) -> None:
        review = ReviewScreen(match, None)
        await show(pilot, review)
        assert f"Turn 0 of {len(match.turns)}" in pilot.text
        for one in found.moves:
            await pilot.press("right")
            last = match.over and one.number == len(match.played)  # where the summary needs the room
            if not last or one.number in mistakes:
                assert flat(" ".join(judgment(match, one, cast))) in flat(pilot.text)
        if match.over:
            assert flat(" ".join(summary(match, found, cast))) in flat(pilot.text)
            assert flat(say_points_lost(found, cast)) in flat(pilot.text)
        await press(pilot, "home")
        visited = []
        for _ in mistakes:
            await pilot.press("n")
            visited.append(review.at)
        assert visited == mistakes
        if mistakes:
            await try_to_find(pilot, review)

    async def try_to_find(pilot: Seen, review: ReviewScreen) -> None:
        one = found.moves[review.at - 1]
        await press(pilot, "f")
        assert isinstance(pilot.app.screen, BetterMove)
        await choose(pilot, str(one.move), mouse=False)
        await rest(pilot)
        assert "isn't the move." in flat(pilot.text)
        await press(pilot, "t")
        await choose(pilot, str(one.best[0]), mouse=True)
        await rest(pilot)
        assert "Yes." in pilot.text
        await press(pilot, "q", "x")
        assert isinstance(pilot.app.screen, Explorer)
        assert pilot.app.screen.now.state == match.open_state or review.at <= match.ply

    run(test)


def test_the_chart_leads_to_the_move_that_is_clicked_on() -> None:
    match = random_match(ninefold.load("battle"))

    async def test(pilot: Seen) -> None:
        review = ReviewScreen(match, None)
        await show(pilot, review)
        await pilot.click("Chart", offset=(3 + 4, 0))
        await rest(pilot)
        assert review.at == 4

    run(test)


# The explorer


def check_tags(screen: Explorer, state: State[Any], seat: Seat) -> None:
    """Every part that is a whole move now has the tone of the position after it."""
    position = screen.query_one(PositionWidget)
    assert position.scene is not None
    for id, tag in position.tags.items():
        moves = offers(position.scene.drawing, position.chosen)[id]
        if len(moves) == 1 and not tag.chosen:
            assert tag.tone == tone_of(evaluate(state.play(moves[0], seat)).value, seat)


@every_game
def test_the_explorer_shows_the_value_of_every_move_and_takes_moves_back(game: Game) -> None:
    match = random_match(game, 2)
    written = [one.move for turn in match.turns_of(match.ply) for one in turn.written]
    before, moves = written[:-3], written[-3:]
    start = match.states[0]

    async def test(pilot: Seen) -> None:
        screen = Explorer(follow(start, before))
        await show(pilot, screen)
        for number, move in enumerate(moves):
            seat = screen.now.chooser
            assert seat is not None
            if not screen.now.state.secret:
                check_tags(screen, screen.now.state, seat)
            await choose(pilot, str(move), mouse=number > 0)
            await rest(pilot)
            assert screen.now.moves == (*before, *moves[: number + 1])
        await press(pilot, *["u"] * len(moves))
        assert screen.at == len(before)
        await press(pilot, *["y"] * len(moves))
        assert screen.now.moves == (*before, *moves)
        await press(pilot, "home", "s")
        assert "Game" in pilot.text
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, Explorer)

    run(test)


# Puzzles


async def answer(pilot: Seen, found: Puzzle, text: str) -> None:
    """Give an answer by keys."""
    if found.task.asks is not Asks.MOVES:
        (field,) = (row.field for row in pilot.app.screen.query(FormRow))
        field.focus()
        if found.task.asks is Asks.OPTION:
            while field.value != text:
                await press(pilot, "right")
        else:
            minus = ["minus"] if text.startswith("-") else []
            await press(pilot, *["backspace"] * len(field.value), *text.strip("-"), *minus)
        await press(pilot, "enter")
    elif found.task is Task.MIX:
        screen = pilot.app.screen
        assert isinstance(screen, Solving)
        wanted = {move.rpartition(":")[2] for move in text.split()}
        await press(pilot, *sorted(screen.picked ^ wanted), "a")
    else:
        await choose(pilot, text, mouse=True)
        await rest(pilot)


def wrong_answer(found: Puzzle) -> str:
    if found.task.asks is Asks.NUMBER:
        return next(n for n in ("10", "20") if n != str(found.answers[0]))
    if found.task.asks is Asks.OPTION:
        return next(option.key for option in found.options if option not in found.answers)
    moves = found.state.moves(found.seat)
    if found.task is Task.MIX:
        return next(str(move) for move in moves if (Mix((move,)),) != found.answers)
    return next(str(move) for move in moves if move not in found.answers)


@every_game
def test_puzzles_of_every_task_are_refuted_solved_and_kept(game: Game) -> None:
    async def test(pilot: Seen) -> None:
        for task in tasks_of(game):
            label = Label(game=game.slug, seed=find_seed(game, 2, task))
            found = label.find()
            wrong = wrong_answer(found)
            other = (read_answer(found, found.state, wrong),)
            await show(pilot, Solving(label, replace(found, answers=other, solution=(), themes=())))
            text = pilot.text
            pilot.app.pop_screen()
            await show(pilot, Solving(label, found))
            assert pilot.text == text  # nothing that is drawn depends on the answer
            await answer(pilot, found, wrong)
            assert re.search("isn't|wins too|doesn't lose|enough\\.", flat(pilot.text))
            assert PuzzleProgress().results[str(label)].wrong == (wrong,)
            path = try_answers(found, [wrong]).path
            if path:
                position = pilot.app.screen.query_one(PositionWidget)
                assert position.scene is not None
                state = game.sequence(found.state, path)
                assert position.scene.view == state.view(found.seat)
                await press(pilot, "left", "t")
            for text in answers(found):
                await answer(pilot, found, text)
            screen = pilot.app.screen
            assert isinstance(screen, Solving)
            path = try_answers(found, answers(found)).path
            assert screen.said == ["Solved.", *explain(found, screen.cast, path)]
            assert PuzzleProgress().results[str(label)].solved
            assert f"Solved so far: {PuzzleProgress().solved}" in pilot.text
        await press(pilot, "c")
        assert isinstance(pilot.app.screen, Message)
        assert f"Ninefold {label}" in pilot.text
        await press(pilot, "enter", "home", "x")
        assert isinstance(pilot.app.screen, Explorer)
        assert pilot.app.screen.now.moves == found.moves

    run(test)


def test_puzzles_that_were_not_solved_are_listed_and_tried_again() -> None:
    label = Label(game="battle", seed="2")
    PuzzleProgress().note(str(label), wrong="7")

    async def test(pilot: Seen) -> None:
        await press(pilot, "p")
        assert 'Number Grid Battle, count it out, grade 5: you tried "you by 7"' in pilot.text
        await press(pilot, "end", "enter")
        screen = pilot.app.screen
        assert isinstance(screen, Solving)
        assert screen.puzzle == label.find()
        await press(pilot, "question_mark")
        assert flat(EXPLAINED[screen.puzzle.task]) in flat(pilot.text.replace("│", ""))
        await press(pilot, "escape", "s")
        assert flat(" ".join(explain(screen.puzzle, screen.cast))) in flat(pilot.text)
        await press(pilot, "n")
        assert isinstance(pilot.app.screen, Solving)
        assert pilot.app.screen.label.seed != "2"

    run(test)


def test_a_move_that_is_not_legal_in_a_puzzle_is_refused_with_the_reason() -> None:
    label = Label(game="shadow", seed="0")

    async def test(pilot: Seen) -> None:
        await show(pilot, Solving(label, label.find()))
        await press(pilot, "9")
        assert "You have already used your 9." in pilot.text
        await press(pilot, "4", "up", "enter")
        assert "Cell 1,2 is taken." in pilot.text
        assert PuzzleProgress().results == {}

    run(test)


def test_any_puzzle_is_found_by_the_form() -> None:
    async def test(pilot: Seen) -> None:
        await press(pilot, "p", "a", "right", "down", "right", "down", "down", "down", "7", "enter")
        screen = pilot.app.screen
        assert isinstance(screen, Solving)
        assert str(screen.label) == f"battle/{find_seed('battle', 7, tasks_of(load('battle'))[0])}"

    run(test)


@every_game
def test_the_form_offers_only_puzzles_that_there_are(game: Game) -> None:
    async def test(pilot: Seen) -> None:
        form = PuzzleForm()
        await show(pilot, form)
        picked, task, grade, theme = (
            form.query_one(f"#row-{name} Picker", Picker) for name in ("game", *KINDS)
        )
        asked = set()

        def choices(row: Picker) -> Iterator[None]:
            for value, _ in row.choices:
                row.value = value
                form.on_changed()
                yield

        picked.value = game.slug
        form.on_changed()
        for _ in choices(task):
            for _ in choices(grade):
                for _ in choices(theme):
                    asked.add((task.value, grade.value, theme.value))
        assert {one for one, *_ in asked} == {"", *tasks_of(game)}
        for one in asked:
            wanted = read_wanted(*one)
            assert sources_of(game, wanted.task, wanted.grade, wanted.theme)

    run(test)
