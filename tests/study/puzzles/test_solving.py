"""Answers to puzzles: right ones go on to the end, wrong ones are refuted by best play."""

from __future__ import annotations

from itertools import count

import pytest

from ninefold import NinefoldError
from ninefold.analysis import evaluate
from ninefold.study.puzzles import Asks, Puzzle, Task, Verdict, puzzle, try_answers
from tests.study.puzzles.checks import chance
from tests.study.puzzles.test_puzzles import TASKS

every_task = pytest.mark.parametrize(("game", "task"), TASKS)


def own_moves(found: Puzzle) -> list[str]:
    """The solver's moves of the solution, as they are typed."""
    state, own, line = found.state, [], list(found.solution)
    while line:
        for seat in state.movers:
            move = line.pop(0)
            own += [str(move)] if seat is found.seat else []
            state = state.play(move, seat)
    return own


def answers_of(found: Puzzle) -> list[str]:
    """What to type to solve a puzzle."""
    return own_moves(found) if found.task is Task.WIN else [str(found.answers[0])]


@every_task
def test_the_right_answers_solve_every_puzzle_and_fewer_leave_it_open(game: str, task: str) -> None:
    for seed in range(3):
        found = puzzle(game, seed, task)
        answers = answers_of(found)
        for length in range(len(answers)):
            assert try_answers(found, answers[:length]).verdict is Verdict.OPEN
        trial = try_answers(found, answers)
        assert trial.verdict is Verdict.SOLVED
        if found.task.asks is Asks.MOVES and found.task is not Task.MIX:
            assert trial.path == found.solution


@every_task
def test_every_wrong_move_is_refuted_by_moves_that_can_be_played(game: str, task: str) -> None:
    for seed in range(2):
        found = puzzle(game, seed, task)
        if found.task.asks is not Asks.MOVES or found.task is Task.MIX:
            continue
        state = found.state
        best = max(chance(choice.value, found.seat) for choice in evaluate(state).choices)
        for move in state.moves(found.seat):
            trial = try_answers(found, [str(move)])
            if move in found.answers:
                assert trial.verdict is not Verdict.WRONG
                continue
            assert (trial.verdict, trial.wrong) == (Verdict.WRONG, move)
            assert move in trial.path
            assert trial.refuted == len(trial.path)
            end = state.game.sequence(state, trial.path)
            if found.task in (Task.WIN, Task.SAVE):
                assert chance(evaluate(end).value, found.seat) < best or state.secret
            if end.outcome is not None and found.task is Task.WIN:
                assert end.outcome.winner is not found.seat


def test_a_win_goes_on_with_any_move_that_keeps_it_until_it_is_certain() -> None:
    """Every winning second move is accepted, every other one is refuted, and the end is a won game."""
    found = puzzle("shadow", 1, "win", 4)
    first, *_ = own_moves(found)
    trial = try_answers(found, [first])
    state = found.state.game.sequence(found.state, trial.path)
    assert state.movers == (found.seat,)
    winning = {m for m in state.moves() if chance(evaluate(state.play(m)).value, found.seat) == 1}
    assert 0 < len(winning) < len(state.moves())
    for move in state.moves():
        right = try_answers(found, [first, str(move)]).verdict is not Verdict.WRONG
        assert right == (move in winning)
    end = found.state.game.sequence(found.state, try_answers(found, own_moves(found)).path)
    if end.outcome is None:
        assert all(chance(evaluate(end.play(m)).value, found.seat) == 1 for m in end.moves())
    else:
        assert end.outcome.winner is found.seat


def first(game: str, task: str) -> Puzzle:
    return puzzle(game, 1, task)


def test_a_count_can_be_told_in_several_ways() -> None:
    found = next(
        one for one in (puzzle("cross", n, "count") for n in count()) if str(one.answers[0])[0] == "-"
    )
    margin = str(found.answers[0])[1:]
    for text in (f"-{margin}", f"opponent by {margin}", f" They {margin}.", f"\N{MINUS SIGN}{margin}"):
        assert try_answers(found, [text]).verdict is Verdict.SOLVED
    for text in (margin, f"you {margin}", f"-{int(margin) + 1}", "0"):
        assert try_answers(found, [text]).verdict is Verdict.WRONG


def test_a_mixture_is_told_by_its_numbers_in_any_order() -> None:
    found = first("conquest", "mix")
    moves = str(found.answers[0])
    numbers = moves.replace("bid:", "").split()
    for text in (" ".join(reversed(numbers)), ", ".join(numbers), moves):
        assert try_answers(found, [text]).verdict is Verdict.SOLVED
    hand = [str(move).removeprefix("bid:") for move in found.state.moves(found.seat)]
    assert try_answers(found, [" ".join(hand)]).verdict is Verdict.WRONG


@pytest.mark.parametrize(
    ("game", "task", "text"),
    [
        ("battle", "count", "first second 4"),
        ("battle", "count", "4%"),
        ("battle", "count", ""),
        ("cross", "head-start", "many"),
        ("conquest", "chance", "45"),
        ("conquest", "chance", "110"),
        ("conquest", "shares", "d"),
        ("conquest", "kind", "resign"),
        ("battle", "last", "10"),
        ("conquest", "mix", "all of them"),
        ("conquest", "mix", "9"),
        ("conquest", "mix", ""),
        ("shadow", "win", "nonsense"),
        ("battle", "least", "9,9"),
    ],
)
def test_what_is_no_answer_is_refused_with_a_sentence(game: str, task: str, text: str) -> None:
    with pytest.raises(NinefoldError) as refused:
        try_answers(first(game, task), [text])
    assert str(refused.value).endswith(".")


def test_an_option_and_a_chance_can_be_typed_with_their_words() -> None:
    last, odds = first("battle", "last"), first("conquest", "chance")
    assert try_answers(last, [f"Move {last.answers[0]}"]).verdict is Verdict.SOLVED
    assert try_answers(odds, [f"{odds.answers[0]}%"]).verdict is Verdict.SOLVED


def test_of_equal_moves_any_is_accepted() -> None:
    puzzles = (puzzle("cross", seed, "least") for seed in count())
    found = next(one for one in puzzles if len(one.answers) > 1)
    for answer in found.answers:
        assert try_answers(found, [str(answer)]).path == (answer,)
