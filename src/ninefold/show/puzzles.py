"""Puzzles in words: the question, the verdict on an answer, the explanation, and a result to share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from itertools import islice
from typing import Any

from ninefold.analysis import evaluate
from ninefold.core.cast import COMPUTER, Cast
from ninefold.core.errors import NinefoldError, quote
from ninefold.core.move import Move
from ninefold.core.outcome import WonLine
from ninefold.core.puzzles import Asks, Task, Theme
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.core.turns import Played
from ninefold.core.words import pluralize
from ninefold.games import load
from ninefold.match.seating import NAMES
from ninefold.show.endings import ending_of
from ninefold.show.exploring import Variation, follow
from ninefold.show.hints import say_effect, say_hint, say_mixture
from ninefold.show.moves import capitalize, say_move, say_moves, say_subject, tell_last
from ninefold.show.scene import Scene, scene_of
from ninefold.show.values import outlook, percent, verdict
from ninefold.study.facts import chance_of, find_facts, gain_of
from ninefold.study.hints import Hint, find_hint
from ninefold.study.puzzles import Amount, Mix, Pick, Puzzle, Trial, Verdict
from ninefold.study.puzzles.days import kind_of_day
from ninefold.study.puzzles.labels import Label, read_label
from ninefold.study.puzzles.mixing import guarantee, kind_of
from ninefold.study.puzzles.solving import read_answer
from ninefold.study.puzzles.tasks import EITHER, Answer

RIGHT, WRONG, OPEN = "\N{LARGE GREEN SQUARE}", "\N{LARGE RED SQUARE}", "\N{WHITE LARGE SQUARE}"

MOST_TRIED = 3  # wrong answers that are listed
MOST_FAILED = 20  # puzzles to try again that are listed

# The names of the tasks in a list.
TASKS = {
    Task.WIN: "find the winning move",
    Task.SAVE: "find the only good move",
    Task.LOSE: "find the losing move",
    Task.MIX: "choose the numbers to mix",
    Task.SHARES: "how often to choose each number",
    Task.CHANCE: "estimate your chances",
    Task.KIND: "choose what to do",
    Task.COUNT: "count it out",
    Task.LEAST: "the least that wins",
    Task.HEAD_START: "how large a head start",
    Task.LAST: "find the mistake that lost",
    Task.BETTER: "find the better move",
}

# The tasks as questions; a game may have its own.
QUESTIONS = {
    Task.WIN: "Only one move wins. Find it.",
    Task.SAVE: "You cannot force a win. Only one move keeps you from losing. Find it.",
    Task.LOSE: "Only one of your moves loses. Which one?",
    Task.MIX: "Best play chooses at random among some of your numbers. Which ones?",
    Task.SHARES: "How often should you choose each of your numbers? One of these answers is right.",
    Task.CHANCE: "How likely are you to win with best play, to the nearest ten percent?",
    Task.KIND: "Which is better, or does it make no difference?",
    Task.COUNT: "Who wins with best play, and by how many points?",
    Task.LEAST: "What is the smallest number that still wins?",
    Task.HEAD_START: "With best play you lose. How many extra points would just be enough to win?",
    Task.LAST: "You lost this game. Which of your moves lost it for good?",
    Task.BETTER: "What is better?",
}

# What the tasks are about, for help.
EXPLAINED = {
    Task.WIN: "Exactly one move wins, however well your opponent plays. After it, your opponent defends"
    " as well as possible, and you go on until the game is won or every move wins.",
    Task.SAVE: "No move is sure to win, and all but one make things worse for you. Find the exception.",
    Task.LOSE: "All your moves but one are safe. Find the one that lets your opponent force a win.",
    Task.MIX: "In a secret choice you should be unpredictable: choose each of certain numbers some of"
    " the time. Name them all. How often does not matter here.",
    Task.SHARES: "Each option says how often to choose which number. One of them gives you the best"
    " chance against an opponent who knows it; the others give you less.",
    Task.CHANCE: "Both players play perfectly from here. Estimate how often you win, and round it to"
    " the nearest ten percent.",
    Task.KIND: "All that matters is what kind of move you make: compare your chances after each kind.",
    Task.COUNT: "Both players play perfectly to the end. Work out who has more points then, and how"
    " many more.",
    Task.LEAST: "Find the move that gains the fewest points and still wins, with perfect play on both"
    " sides.",
    Task.HEAD_START: "You lose even if you play perfectly. Find the smallest number of points that,"
    " added to your score now, would let you win.",
    Task.LAST: "Before one of your moves you could still have won, and after it you never could again."
    " Find that move.",
    Task.BETTER: "The move that was played gave something away. Find one that does not.",
}

# A theme, as a sentence about the answer, which takes the place of the braces.
THEMES = {
    Theme.AT_ONCE: "{} wins at once.",
    Theme.BLOCK: "{} blocks a line that would have won.",
    Theme.DOUBLE: "{} is a double threat: no reply stops every line.",
    Theme.QUIET: "{} is a quiet move: it threatens nothing yet.",
    Theme.NOT_GREEDY: "{} is not the move that gains the most right away.",
    Theme.LAST_NUMBER: "{} uses the last number.",
    Theme.CHALLENGE: "Only a challenge will do.",
    Theme.TIE_BREAK: "A tie decides the game.",
}


# Why a win is not played any further.
ANY_WINS = "Now every move wins."


def cast_for(puzzle: Puzzle, paint: Callable[[Seat, str], str] | None = None) -> Cast:
    """The players' names, for the person who solves the puzzle: the computer answers."""
    first, second = (NAMES[seat] if seat is puzzle.seat else COMPUTER for seat in SEATS)
    cast = Cast((first, second), you=puzzle.seat)
    return cast if paint is None else cast.with_paint(paint)


def say_puzzle(puzzle: Puzzle, label: Label) -> str:
    """`Puzzle of 2026-11-16: Shadow Grid Duel, find the winning move, grade 2`"""
    return f"{say_label(label)}: {_about(puzzle)}"


def _about(puzzle: Puzzle) -> str:
    rare = ", a rare kind" if puzzle.rare else ""
    return f"{load(puzzle.game).title}, {TASKS[puzzle.task]}, grade {puzzle.grade}{rare}"


def say_label(label: Label) -> str:
    """`Puzzle of 2026-11-16`, `Puzzle shadow/12`"""
    return f"Puzzle of {label}" if label.day is not None else f"Puzzle {label}"


def say_day(day: date) -> str:
    """What a day's puzzle is about: `Shadow Grid Duel, find the winning move`"""
    game, source = kind_of_day(day)
    return f"{game.title}, {TASKS[source.task]}"


def _say_failed(puzzle: Puzzle, label: Label, wrong: Sequence[str]) -> str:
    """A puzzle to try again, with what was tried last.

    `Shadow Grid Duel, find the winning move, grade 4: you tried 1 in the top left`
    """
    about = f"{label}: {_about(puzzle)}" if label.day is not None else _about(puzzle)
    if not wrong:
        return f"{about}: you looked at the answer"
    tried = [_say_tried(puzzle, text) for text in wrong[-MOST_TRIED:]]
    return f"{about}: you tried {', then '.join(tried)}"


def describe_failed(failed: Mapping[str, Sequence[str]]) -> list[tuple[Label, str]]:
    """Puzzles to try again, in words. `failed` has the wrong answers by the text of a label."""
    found = []
    for text, wrong in islice(failed.items(), MOST_FAILED):
        with suppress(NinefoldError):  # the file may have been edited
            label = read_label(text)
            found.append((label, _say_failed(label.find(), label, wrong)))
    return found


def _say_tried(puzzle: Puzzle, text: str) -> str:
    """A wrong answer in words. In a puzzle of several moves, it may have been any of them."""
    for state in puzzle.state.game.positions(puzzle.state, puzzle.solution):
        with suppress(NinefoldError):
            said = say_answer(puzzle, state, read_answer(puzzle, state, text), cast_for(puzzle))
            return quote(said) if puzzle.task is Task.COUNT else said
    return text


def say_answer(puzzle: Puzzle, state: State[Any], answer: Answer, cast: Cast) -> str:
    """An answer inside a sentence: `you by 5`, `the 9`, `move 3`, `1 and 4`."""
    match answer:
        case Amount(number):
            return say_amount(puzzle, number, cast)
        case Pick(key):
            return f"move {key}" if puzzle.task is Task.LAST else key
        case Mix(moves):
            return _join(str(state.game.spot(move).number) for move in moves)
    return say_move(state, answer)


def _join(words: Iterable[str]) -> str:
    """`1`, `1 and 4`, `1, 3 and 4`"""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def say_amount(puzzle: Puzzle, number: int, cast: Cast) -> str:
    """A number as an answer: `you by 5`, `Player 2 by 5`, `a tie`, `40 percent`, `3 points`."""
    match puzzle.task:
        case Task.COUNT if number == 0:
            return "a tie"
        case Task.COUNT:
            winner = puzzle.seat if number > 0 else puzzle.seat.other
            return f"{cast.who(winner)} by {abs(number)}"
        case Task.CHANCE:
            return f"{number} percent"
    return pluralize(number, "point")


def ask_task(puzzle: Puzzle, cast: Cast) -> str:
    """The task, as a question to the solver."""
    state, other = puzzle.state, cast.who(puzzle.seat.other)
    asked = state.game.puzzles.questions.get(puzzle.task, QUESTIONS[puzzle.task])
    if state.secret and puzzle.task is Task.WIN:
        asked = f"Only one of your numbers wins whatever {other} chooses. Find it."
    return f"You play {cast.mark(puzzle.seat)}. {_say_last_move(puzzle, cast)}{asked}"


def follow_puzzle(puzzle: Puzzle, path: Sequence[Move] = ()) -> Variation:
    """A puzzle's position with these moves made from it, and the moves that led to it."""
    return follow(load(puzzle.game).set_up(puzzle.setup), [*puzzle.moves, *path])


def draw_puzzle(
    puzzle: Puzzle, path: Sequence[Move], cast: Cast, moves: Sequence[Move] | None = ()
) -> Scene:
    """The position after these moves from the puzzle's own on. By default none can be chosen."""
    line = follow_puzzle(puzzle, path)
    return scene_of(line.states, line.played, puzzle.seat, cast, moves)


def _say_last_move(puzzle: Puzzle, cast: Cast) -> str:
    """The move that a secret choice follows."""
    if not puzzle.state.secret:
        return ""
    line = follow_puzzle(puzzle)
    return f"{tell_last(line.states, line.played, puzzle.seat, cast)} " if line.played else ""


def tell_game(puzzle: Puzzle, cast: Cast) -> list[str]:
    """The game that a puzzle is about, a sentence for each move; empty unless the task shows one."""
    if puzzle.task is not Task.LAST:
        return []
    line = follow_puzzle(puzzle)
    told = (said for said, _, _ in _tell_turns(line, cast))
    return [f"{number}. {said}" for number, said in enumerate(told, 1)]


def _tell_turns(line: Variation, cast: Cast) -> Iterator[tuple[str, State[Any], Played]]:
    """Each turn as a sentence, two secret choices in one, with its last move and the position before."""
    for end in range(1, len(line.states)):
        if not line.states[end].pending:
            said = tell_last(line.states[: end + 1], line.played[:end], cast.you, cast)
            yield said, line.states[end - 1], line.played[end - 1]


def list_options(puzzle: Puzzle) -> list[tuple[str, str]]:
    """The options of a puzzle: what to answer, and what it means."""
    return [(option.key, _say_option(puzzle, option)) for option in puzzle.options]


def _say_option(puzzle: Puzzle, option: Pick) -> str:
    if option == EITHER:
        return "it makes no difference"
    if puzzle.task is Task.WHO:
        return {"you": "you win", "opponent": "your opponent wins"}[option.key]
    if option.shares:
        return say_mixture(puzzle.state, option.shares).partition(": ")[2].removesuffix(".")
    if puzzle.task is Task.LAST:
        line, number = follow_puzzle(puzzle), int(option.key)
        return f"move {number}, {say_move(line.states[number - 1], line.moves[number - 1])}"
    return option.key


def numbers_of(puzzle: Puzzle) -> list[int]:
    """The numbers that the solver can choose from in secret."""
    spots = map(puzzle.state.game.spot, puzzle.state.moves(puzzle.seat))
    return [spot.number for spot in spots if spot.number is not None]


def explain_line(state: State[Any], moves: Sequence[Move], cast: Cast) -> list[str]:
    """Moves as sentences, one for each turn, each followed by what the move does."""
    said = []
    for news, before, one in _tell_turns(follow(state, moves), cast):
        effects = [] if before.secret else map(say_effect, find_facts(before, one.seat, one.move))
        clauses = " and ".join(effect for effect in effects if effect)
        said.append(f"{news} That {clauses}." if clauses else news)
    return said


def explain_to_end(state: State[Any], moves: Sequence[Move], cast: Cast) -> list[str]:
    """Like `explain_line`, and if the moves end the game without a line, how it ended."""
    said, end = explain_line(state, moves, cast), state.game.sequence(state, moves)
    if end.outcome is None or isinstance(end.outcome.detail, WonLine):
        return said
    return [*said, str(ending_of(state.game.words, end.view(cast.you), cast))]


def say_trial(puzzle: Puzzle, trial: Trial, cast: Cast) -> list[str]:
    """The verdict on the answers so far, in sentences."""
    if trial.verdict is Verdict.SOLVED:
        solved = "Yes." if puzzle.task is Task.BETTER else "Solved."
        return [solved, *explain(puzzle, cast, trial.path)]
    if trial.verdict is Verdict.WRONG:
        return _say_wrong(puzzle, trial, cast)
    if not trial.path:
        return [ask_task(puzzle, cast)]
    return [f"Right. {' '.join(_since_last_choice(puzzle, trial, cast))}", "What now?"]


def _since_last_choice(puzzle: Puzzle, trial: Trial, cast: Cast) -> list[str]:
    """The solver's last move and the opponent's reply."""
    states = puzzle.state.game.positions(puzzle.state, trial.path)
    own = [k for k, state in enumerate(states[:-1]) if puzzle.seat in state.movers and not state.pending]
    start = own[-1] if own else 0
    return explain_line(states[start], trial.path[start:], cast)


def _say_wrong(puzzle: Puzzle, trial: Trial, cast: Cast) -> list[str]:
    match trial.wrong:
        case Amount(number):
            return [_say_wrong_amount(puzzle, number, cast)]
        case Pick():
            return [f"That isn't it. {_compare_option(puzzle, trial.wrong, cast)}"]
        case Mix(given):
            right = {
                move for answer in puzzle.answers if isinstance(answer, Mix) for move in answer.moves
            }
            extra, missing = len({*given} - right), len(right - {*given})
            wrong = [f"{pluralize(extra, 'number')} too many"] if extra else []
            wrong += [f"{pluralize(missing, 'number')} missing"] if missing else []
            return [f"That isn't it: {' and '.join(wrong)}."]
    before = puzzle.state.game.sequence(puzzle.state, trial.path[: len(trial.path) - trial.refuted])
    choice = next(c for c in evaluate(before).choices_of(puzzle.seat) if c.move == trial.wrong)
    said = say_subject(before, choice.move)
    if puzzle.task is Task.LEAST and chance_of(choice.value, puzzle.seat) == 1:
        return [f"{said} wins, but something smaller wins too."]
    if puzzle.task is Task.LOSE:
        return [f"{said} doesn't lose. {verdict(choice.value, cast)}"]
    line = explain_to_end(before, trial.path[len(trial.path) - trial.refuted :], cast)
    return [f"{said} isn't the move. {verdict(choice.value, cast)}", *(line if trial.refuted > 1 else [])]


def _say_wrong_amount(puzzle: Puzzle, number: int, cast: Cast) -> str:
    """What is wrong with a number, without the right one."""
    right = next(answer.number for answer in puzzle.answers if isinstance(answer, Amount))
    said = capitalize(say_amount(puzzle, number, cast))
    match puzzle.task:
        case Task.HEAD_START:
            return f"{said} would {'not be enough' if number < right else 'be more than enough'}."
        case Task.CHANCE:
            return (
                f"{said} isn't it. Your chances are {'better' if number < right else 'worse'} than that."
            )
    if right * number > 0:
        winner = puzzle.seat if right > 0 else puzzle.seat.other
        return f"{said} isn't it: {cast.does(winner, 'win')}, but not by {abs(number)}."
    if right * number < 0:
        winner = puzzle.seat if right > 0 else puzzle.seat.other
        return f"{said} isn't it: {cast.does(winner, 'win')} with best play."
    return f"{said} isn't it. Count again."


def _compare_option(puzzle: Puzzle, wrong: Pick, cast: Cast) -> str:
    """What is wrong with an option, without the right one."""
    state, seat = puzzle.state, puzzle.seat
    match puzzle.task:
        case Task.SHARES:
            return f"It guarantees you {percent(guarantee(state, seat, wrong))}. There is better."
        case Task.KIND if wrong == EITHER:
            return "It does make a difference."
        case Task.KIND:
            choices = evaluate(state).choices_of(seat)
            value = next(choice.value for choice in choices if kind_of(choice.move) == wrong.key)
            return f"After that, {outlook(value, cast)}. The other is just as good or better."
    if chance_of(evaluate(follow_puzzle(puzzle).states[int(wrong.key)]).value, seat):
        return "After that move you were not losing yet."
    return "Before that move you were losing already."


def explain(puzzle: Puzzle, cast: Cast, played: Sequence[Move] = ()) -> list[str]:
    """The answer and why it is right, as sentences. `played` is what solved it, if not the solution."""
    state, seat = puzzle.state, puzzle.seat
    line = tuple(played) or puzzle.solution
    themes = [THEMES[theme].format("It") for theme in puzzle.themes if theme is not Theme.AT_ONCE]
    match puzzle.task:
        case Task.COUNT | Task.HEAD_START:
            said = [*_answer_number(puzzle, cast), *explain_line(state, line, cast)]
            said.append(verdict(evaluate(state).value, cast))
            if puzzle.task is Task.HEAD_START and seat is Seat.SECOND:
                said.append("Equal sums would be enough: a tie is yours.")
        case Task.CHANCE:
            said = [*_answer_number(puzzle, cast), verdict(evaluate(state).value, cast)]
        case Task.MIX | Task.SHARES:
            found = evaluate(state)
            said = [say_mixture(state, found.mixture(seat)), verdict(found.value, cast)]
        case Task.KIND:
            said = _explain_kind(puzzle, cast)
        case Task.LAST:
            said = _explain_last(puzzle, cast)
        case Task.LEAST:
            said = _explain_least(puzzle, cast)
        case Task.LOSE:
            said = [f"The losing move: {say_move(state, line[0])}.", *explain_to_end(state, line, cast)]
        case _:
            move = line[state.movers.index(seat)] if line else find_hint(state, seat).move
            said = [say_hint(state, Hint(seat, move, find_facts(state, seat, move)), cast)]
            best = [choice.move for choice in evaluate(state).choices_of(seat) if choice.best]
            if puzzle.task is Task.BETTER and move not in best:
                said.append(f"Even better: {say_moves(state, best)}.")
            said += themes
            if len(line) > 1:
                said += explain_to_end(state, line, cast)[0 if state.secret else 1 :]  # the first is told
                if state.game.sequence(state, line).outcome is None:
                    said.append(ANY_WINS)
            return said
    return [*said, *themes]


def say_idea(puzzle: Puzzle, cast: Cast, played: Sequence[Move] = ()) -> str:
    """What there was to see, in one sentence. `played` is what solved it, if not the solution."""
    for theme in puzzle.themes:
        if theme is not Theme.AT_ONCE:
            return THEMES[theme].format("The answer")
    if puzzle.task.asks is Asks.NUMBER:
        return verdict(evaluate(puzzle.state).value, cast)
    said, end, _ = explain(puzzle, cast, played)[0].partition(". ")
    return said + end.strip()


def _answer_number(puzzle: Puzzle, cast: Cast) -> list[str]:
    number = next(answer.number for answer in puzzle.answers if isinstance(answer, Amount))
    return [f"The answer: {say_amount(puzzle, number, cast)}."]


def _explain_kind(puzzle: Puzzle, cast: Cast) -> list[str]:
    """What each kind of move leads to."""
    best: dict[str, str] = {}
    for choice in evaluate(puzzle.state).choices_of(puzzle.seat):
        best.setdefault(kind_of(choice.move), outlook(choice.value, cast))
    return [f"After a {kind}, {then}." for kind, then in best.items()]


def _explain_last(puzzle: Puzzle, cast: Cast) -> list[str]:
    """The move that lost, and what was better."""
    (answer,) = puzzle.answers
    line, number = follow_puzzle(puzzle), int(str(answer))
    before, one, then = line.states[number - 1], line.played[number - 1], line.states[number]
    choices = evaluate(before).choices_of(one.seat)
    best = [choice.move for choice in choices if choice.best]
    return [
        f"Move {number}, {say_move(before, one.move)}: then {outlook(evaluate(then).value, cast)}.",
        f"Better: {say_moves(before, best)}. {verdict(choices[0].value, cast)}",
    ]


def _explain_least(puzzle: Puzzle, cast: Cast) -> list[str]:
    """What the answer leads to, and what the next smaller one would."""
    state, seat = puzzle.state, puzzle.seat
    choices = evaluate(state).choices_of(seat)
    sizes = {choice.move: gain_of(state, seat, choice.move) for choice in choices}
    values = {choice.move: choice.value for choice in choices}
    answers = [answer for answer in puzzle.answers if isinstance(answer, Move)]
    answer = answers[0]
    smaller = max((m for m in sizes if sizes[m] < sizes[answer]), key=lambda move: sizes[move])
    return [
        f"{capitalize(say_moves(state, answers))}: then {outlook(values[answer], cast)}.",
        f"With {say_move(state, smaller)}, the next smaller, {outlook(values[smaller], cast)}.",
    ]


def share(puzzle: Puzzle, label: Label, wrong: int, *, solved: bool, plain: bool = False) -> str:
    """A result to share, without spoilers. `plain` leaves out emoji."""
    if plain:
        result = f"solved on try {wrong + 1}" if solved else f"not solved, {pluralize(wrong, 'mistake')}"
    else:
        result = WRONG * wrong + (RIGHT if solved else OPEN)
    return "\n".join([f"Ninefold {label}", _about(puzzle), result])


def say_progress(solved: int, streak: int) -> str:
    """How many puzzles were solved: `Solved so far: 3, 2 daily puzzles in a row.`"""
    days = f", {streak} daily puzzles in a row" if streak > 1 else ""
    return f"Solved so far: {solved}{days}."


def say_not_kept(reason: str) -> str:
    """That progress is not kept, and why."""
    return f"Your progress could not be saved: {reason}."
