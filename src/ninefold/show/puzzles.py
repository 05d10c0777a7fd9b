"""Puzzles in words: the question, the verdict on an answer, the explanation, and a result to share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ninefold.analysis import Choice, evaluate
from ninefold.core.cast import Cast
from ninefold.core.move import Move
from ninefold.core.puzzles import Task, Theme
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.words import pluralize
from ninefold.games import load
from ninefold.match.seating import NAMES
from ninefold.show.hints import say_hint, say_mixture
from ninefold.show.moves import capitalize, say_move, say_moves, tell_last
from ninefold.show.values import outlook, verdict
from ninefold.study.facts import chance_of, find_facts, gain_of
from ninefold.study.hints import Hint
from ninefold.study.puzzles import Puzzle, Trial, Verdict, try_answers
from ninefold.study.puzzles.labels import Label
from ninefold.study.puzzles.tasks import Margin, Mix

RIGHT, WRONG, OPEN = "\N{LARGE GREEN SQUARE}", "\N{LARGE RED SQUARE}", "\N{WHITE LARGE SQUARE}"

# The names of the tasks in a list.
TASKS = {
    Task.WIN: "find the winning move",
    Task.SAVE: "save what can be saved",
    Task.MIX: "choose the mixture",
    Task.COUNT: "count it out",
    Task.LEAST: "the least that wins",
}

# The tasks as questions; a game may have its own.
QUESTIONS = {
    Task.WIN: "Only one move wins. Find it.",
    Task.SAVE: "You cannot force a win. Only one move keeps you from losing. Find it.",
    Task.MIX: "A perfect player would mix some of your numbers and leave out the others. Which ones?",
    Task.COUNT: "Who wins with best play, and by how much?",
    Task.LEAST: "What is the smallest number that still wins?",
}

# A theme, as a sentence about the answer.
THEMES = {
    Theme.AT_ONCE: "It wins at once.",
    Theme.BLOCK: "It blocks a line that would have won.",
    Theme.DOUBLE: "It is a double threat: no reply stops every line.",
    Theme.QUIET: "It is a quiet move: it threatens nothing yet.",
    Theme.NOT_GREEDY: "It is not the move that gains the most right away.",
    Theme.LAST_NUMBER: "It uses the last number.",
    Theme.CHALLENGE: "Only a challenge will do.",
    Theme.TIE_BREAK: "A tie decides the game.",
}


def cast_for(puzzle: Puzzle, paint: Callable[[Seat, str], str] | None = None) -> Cast:
    """The players' names, for the person who solves the puzzle."""
    cast = Cast(NAMES, you=puzzle.seat)
    return cast if paint is None else cast.with_paint(paint)


def say_puzzle(puzzle: Puzzle, label: Label) -> str:
    """`Puzzle of 2026-11-16: Shadow Grid Duel, find the winning move, grade 2`"""
    return f"{say_label(label)}: {load(puzzle.game).title}, {TASKS[puzzle.task]}, grade {puzzle.grade}"


def say_label(label: Label) -> str:
    """`Puzzle of 2026-11-16`, `Puzzle shadow/12`"""
    return f"Puzzle of {label}" if label.day is not None else f"Puzzle {label.game}/{label.seed}"


def ask_task(puzzle: Puzzle, cast: Cast) -> str:
    """The task, as a question to the solver."""
    state, other = puzzle.state, cast.who(puzzle.seat.other)
    asked = state.game.puzzles.questions.get(puzzle.task, QUESTIONS[puzzle.task])
    if state.secret and puzzle.task is Task.WIN:
        asked = f"Only one of your numbers wins whatever {other} chooses. Find it."
    return f"You play {cast.mark(puzzle.seat)}. {_say_last_move(puzzle, cast)}{asked}"


def _say_last_move(puzzle: Puzzle, cast: Cast) -> str:
    """The move that a secret choice follows."""
    if not puzzle.state.secret:
        return ""
    game = load(puzzle.game)
    states, played = game.replay(game.set_up(puzzle.setup), puzzle.moves)
    return f"{tell_last(states, played, puzzle.seat, cast)} " if played else ""


def how_to_answer(puzzle: Puzzle, given: Sequence[str] = ()) -> str:
    """An example of what to type next: a wrong answer where possible, so that it spoils nothing."""
    state = puzzle.state.game.sequence(puzzle.state, try_answers(puzzle, given).path)
    match puzzle.task:
        case Task.COUNT:
            return "you 4"
        case Task.MIX:
            return " ".join(map(str, numbers_of(puzzle)))
    moves = state.moves(puzzle.seat)
    return str(next((one for one in moves if one not in (*puzzle.answers, *puzzle.solution)), moves[0]))


def numbers_of(puzzle: Puzzle) -> list[int]:
    """The numbers that the solver can choose from in secret."""
    spots = map(puzzle.state.game.spot, puzzle.state.moves(puzzle.seat))
    return [spot.number for spot in spots if spot.number is not None]


def say_line(state: State[Any], moves: Iterable[Move], cast: Cast) -> list[str]:
    """Moves as sentences, one for each turn: two secret choices share one."""
    states, played = state.game.replay(state, moves)
    ends = (count for count in range(1, len(states)) if not states[count].pending)
    return [tell_last(states[: end + 1], played[:end], cast.you, cast) for end in ends]


def say_trial(puzzle: Puzzle, trial: Trial, cast: Cast) -> list[str]:
    """The verdict on the answers so far, in sentences."""
    if trial.verdict is Verdict.SOLVED:
        return ["Solved.", *explain(puzzle, cast)]
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
    return say_line(states[start], trial.path[start:], cast)


def _say_wrong(puzzle: Puzzle, trial: Trial, cast: Cast) -> list[str]:
    match trial.wrong, puzzle.answers:
        case Margin(winner, _), (Margin(wins, _), *_):
            why = (
                "The winner is right, the margin is not." if winner is wins else "The other player wins."
            )
            return [f"That isn't it. {why}"]
        case Mix(given), (Mix(right), *_):
            extra, missing = len({*given} - {*right}), len({*right} - {*given})
            wrong = [f"{pluralize(extra, 'number')} too many"] if extra else []
            wrong += [f"{pluralize(missing, 'number')} missing"] if missing else []
            return [f"That isn't it: {' and '.join(wrong)}."]
    before = puzzle.state.game.sequence(puzzle.state, trial.path[: len(trial.path) - trial.refuted])
    choice = next(c for c in evaluate(before).choices_of(puzzle.seat) if c.move == trial.wrong)
    said = capitalize(say_move(before, choice.move))
    if puzzle.task is Task.LEAST and chance_of(choice.value, puzzle.seat) == 1:
        return [f"{said} wins, but something smaller wins too."]
    return [f"{said} isn't the move. {verdict(choice.value, cast)}", *_refutation(before, trial, cast)]


def _refutation(before: State[Any], trial: Trial, cast: Cast) -> list[str]:
    line = say_line(before, trial.path[len(trial.path) - trial.refuted :], cast)
    return [f"For example: {' '.join(line)}"] if trial.refuted > 1 else []


def explain(puzzle: Puzzle, cast: Cast) -> list[str]:
    """The answer and why it is right, as sentences."""
    state, seat = puzzle.state, puzzle.seat
    choices = evaluate(state).choices_of(seat)
    match puzzle.task:
        case Task.COUNT:
            why = "The largest is always best. " if _largest_is_best(puzzle) else ""
            line = " ".join(say_line(state, puzzle.solution, cast))
            said = [f"{why}{line}", verdict(evaluate(state).value, cast)]
        case Task.MIX:
            shares = [(choice.move, choice.mix) for choice in choices if choice.mix]
            said = [say_mixture(state, shares), verdict(evaluate(state).value, cast)]
        case Task.LEAST:
            said = _explain_least(puzzle, state, choices, cast)
        case _:
            move = puzzle.solution[0]
            hint = Hint(seat, move, find_facts(state, seat, move))
            said = [say_hint(state, hint, cast)]
            if len(puzzle.solution) > 1:
                said.append(f"The solution: {' '.join(say_line(state, puzzle.solution, cast))}")
    return [*said, *(THEMES[theme] for theme in puzzle.themes if theme is not Theme.AT_ONCE)]


def _largest_is_best(puzzle: Puzzle) -> bool:
    """Whether the moves that gain the most are best in every position of the solution."""
    for state in puzzle.state.game.positions(puzzle.state, puzzle.solution)[:-1]:
        choices = evaluate(state).choices
        gains = [gain_of(state, choice.seat, choice.move) for choice in choices]
        if not all(
            choice.best for choice, gain in zip(choices, gains, strict=True) if gain == max(gains)
        ):
            return False
    return True


def _explain_least(puzzle: Puzzle, state: State[Any], choices: Sequence[Choice], cast: Cast) -> list[str]:
    """What the answer leads to, and what the next smaller one would."""
    seat = puzzle.seat
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
    what = f"{load(puzzle.game).title}, {TASKS[puzzle.task]}, grade {puzzle.grade}"
    return "\n".join([f"Ninefold {label}", what, result])


def say_progress(solved: int, streak: int) -> str:
    """How many puzzles were solved: `Solved so far: 3, 2 daily puzzles in a row.`"""
    days = f", {streak} daily puzzles in a row" if streak > 1 else ""
    return f"Solved so far: {solved}{days}."


def say_not_kept(reason: str) -> str:
    """That progress is not kept, and why."""
    return f"Your progress could not be saved: {reason}."
