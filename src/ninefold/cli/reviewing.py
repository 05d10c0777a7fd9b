"""Going over a match at the terminal: mistakes to be found again, every turn, and a chart."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import groupby

from ninefold.cli import program
from ninefold.cli.command_words import command_word
from ninefold.cli.console import Console, EndOfInput, show_progress
from ninefold.cli.solving import how_to_answer
from ninefold.core.cast import Cast
from ninefold.core.errors import NinefoldError
from ninefold.core.seat import Seat
from ninefold.match import Match
from ninefold.show import reviews
from ninefold.show.board_text import write_board
from ninefold.show.coach import say_moments
from ninefold.show.endings import describe_ending
from ninefold.show.lessons import say_theme
from ninefold.show.moves import capitalize, cast_of
from ninefold.show.puzzles import say_trial
from ninefold.show.scene import scene_of_match
from ninefold.show.values import bar_length, clause, outlook, percent
from ninefold.study.coach import find_theme
from ninefold.study.puzzles import Puzzle, Verdict, try_answers
from ninefold.study.puzzles.better import make_better
from ninefold.study.reviews import Judged, Review, review_match
from ninefold.table.table import Table

HEAD = ("", "PLAYER", "TURN", "THEN", "REMARK")
SPARE = ("THEN", "PLAYER")  # where there is no room, the order in which columns are left out
BAR = 10  # characters in a bar
PROMPT = "Better move: "
HOW = "Type a better move, Enter to see it, n for the rest, ? for help, q to leave."
HELP = """\
  a move  the better move, typed as in the game
  b       show the position again
  Enter   show the better move
  n       no more of these: go on to the whole review
  q       leave the review""".splitlines()


class _Leave(Exception):
    """The reader wants to leave the review."""


class _SkipMistakes(Exception):
    """The reader wants to skip to the whole review."""


def review(console: Console, match: Match, you: Seat | None) -> None:
    """Show the review of a match, for one of its players or, if `you` is None, for both."""
    show_progress()
    found = review_match(match)
    cast = cast_of(match, you, console.painter(match.players[0].seat))
    who, against = (cast.who(seat) for seat in cast.players)
    console.say(f"{match.game.title}: {who} against {against}")
    if match.over:
        console.say(describe_ending(match, cast).headline)
    if found.moves:
        console.say("", reviews.count_mistakes(found, cast))
    try:
        seats = cast.players if cast.you is None else (cast.you,)
        _go_over(console, match, found.mistakes(seats), cast)
    except _Leave:
        return
    with console.paged():
        _show_turns(console, match, found, cast)


# The mistakes


def ask_moments(console: Console, table: Table) -> None:
    """The moments of a coached match that mattered; at a terminal, each as a puzzle."""
    match, cast, moments = table.match, table.cast, table.find_moments()
    title, *asked = say_moments(match, moments, cast) or [""]
    if not moments:
        return
    console.say("", title, *([] if console.interactive else asked))
    if console.interactive:
        with suppress(_Leave):
            _go_over(console, match, moments, cast)


def _go_over(console: Console, match: Match, mistakes: Sequence[Judged], cast: Cast) -> None:
    """Mistakes, each with the board before it; at a terminal, each to be tried again."""
    for place, one in enumerate(mistakes):
        before = scene_of_match(match, one.seat, cast, one.number - 1)
        question = capitalize(reviews.ask_better_move(match, one, cast))
        asked = ["", *write_board(before, console.screen), "", question]
        console.say(*(asked if console.interactive else asked[:-1]))
        if console.interactive:
            console.say(*([HOW] if place == 0 else []))
            try:
                _ask_better_move(console, make_better(match, one), cast, asked)
            except (EndOfInput, _SkipMistakes):
                return
        console.say(reviews.explain_mistake(match, one, cast))
        _say_lesson(console, match, one)


def _say_lesson(console: Console, match: Match, one: Judged) -> None:
    """The theme of a mistake, and the step of a lesson that teaches it."""
    lesson = find_theme(match, one)
    if lesson is not None:
        where = f"--course {lesson.course.slug} --step {lesson.number}"
        learn = f"{program()} learn {match.game.slug} {where}"
        console.say(f"{say_theme(lesson)} To learn it: {learn}")


def _ask_better_move(console: Console, found: Puzzle, cast: Cast, asked: Sequence[str]) -> None:
    """Ask for a better move until one is found, or until an empty line asks to see it.

    `asked` are the position and the question, to be shown again.
    """
    while typed := console.ask(PROMPT).strip():
        match command_word(typed):
            case "quit":
                raise _Leave
            case "n" | "no":
                raise _SkipMistakes
            case "help":
                console.recite(*HELP)
                continue
            case "board":
                console.say(*asked)
                continue
        try:
            trial = try_answers(found, [typed])
        except NinefoldError as error:
            console.say(str(error), *([] if "Type" in str(error) else [how_to_answer(found, cast)]))
            continue
        console.say(*say_trial(found, trial, cast))
        if trial.verdict is Verdict.SOLVED:
            return
        console.say("Try again.", *asked)


# The whole match


def _show_turns(console: Console, match: Match, found: Review, cast: Cast) -> None:
    console.say("", f"At the start: {clause(found.values[0], cast)}", "")
    if found.moves:
        console.say_table(HEAD, _make_rows(match, found, cast), SPARE)
    _show_chart(console, match, found, cast)
    console.say("", *(reviews.say_accuracy(found, seat, cast) for seat in cast.players))
    console.say("(The share of the chances to win that the moves kept, where the choice mattered.)")
    if points := reviews.say_points_lost(found, cast):
        console.say(points)
    if found.deciding is not None or match.over:
        console.say("", reviews.say_decision(match, found, cast))


def _make_rows(match: Match, found: Review, cast: Cast) -> list[tuple[str, ...]]:
    """A row for each turn."""
    rows: list[tuple[str, ...]] = []
    start = 0
    for number, (stop, seat, text) in enumerate(
        scene_of_match(match, cast.you, cast, match.ply).turns, 1
    ):
        judged = found.moves[start:stop]
        then = outlook(found.values[stop], cast)
        rows.append((str(number), cast.subject(seat), text, then, reviews.remark(match, judged, cast)))
        start = stop
    return rows


def _show_chart(console: Console, match: Match, found: Review, cast: Cast) -> None:
    """Show one player's chances from the start to the end, as bars, or in words for a screen reader."""
    seat = reviews.chart_seat(cast)
    console.say("", f"{cast.subject_whose(seat)} chances to win, with best play from there on:")
    chances, turns = reviews.chances_of(found, seat), match.turns_of(match.ply)
    after = enumerate((chances[0], *(chances[turn.stop] for turn in turns)))
    stretches = [
        (_name_stretch([number for number, _ in numbers]), chance)
        for chance, numbers in groupby(after, key=lambda one: one[1])
    ]
    if console.plain:
        console.say(*(f"{capitalize(name)}: {_say_chance(chance)}." for name, chance in stretches))
    else:
        rows = [(f"  {name}", _draw_bar(chance), _say_chance(chance)) for name, chance in stretches]
        console.say_columns(rows)


def _name_stretch(turns: Sequence[int]) -> str:
    """Consecutive turns: `start`, `turn 3`, `turns 3-7`, `start-7`"""
    first, last = turns[0], turns[-1]
    if first == last:
        return f"turn {first}" if first else "start"
    return f"turns {first}-{last}" if first else f"start-{last}"


def _draw_bar(chance: Fraction | None) -> str:
    if chance is None:
        return "~" * BAR
    full = bar_length(chance, BAR)
    return "#" * full + "." * (BAR - full)


def _say_chance(chance: Fraction | None) -> str:
    return "neither side can force a win" if chance is None else percent(chance)
