"""Every step of every lesson: all that reaches its goal is right, and its sentences are true."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from ninefold import NinefoldError, Seat
from ninefold.analysis import evaluate
from ninefold.core.lessons import Check, Goal, Step
from ninefold.core.move import Move
from ninefold.core.outcome import WonLine
from ninefold.core.state import State
from ninefold.games import every_game, load
from ninefold.show.lessons import FIELD, STAGES, ask_step, fill, lesson_cast, say_answer, say_clue
from ninefold.study.lessons import (
    Exercise,
    NoSuchLesson,
    courses_of,
    find_lesson,
    pose,
    pose_step,
)
from ninefold.study.puzzles import Verdict, find_seed, try_answers
from ninefold.study.puzzles.tasks import Mix

STEPS = [
    (game.slug, course.slug, number)
    for game in every_game()
    for course in courses_of(game)
    for number in range(1, len(course.steps) + 1)
]
every_step = pytest.mark.parametrize("one", STEPS, ids=lambda one: "/".join(map(str, one)), indirect=True)


@pytest.fixture
def one(request: pytest.FixtureRequest) -> Exercise:
    """A step, posed when a test takes it: whoever imports this module does not wait for the solvers."""
    slug, course, number = request.param
    return pose(load(slug), course, number)


def chance(state: State[Any], seat: Seat) -> Fraction:
    """A seat's chance with best play; an endless game counts as one half."""
    first = evaluate(state).first_wins
    if first is None:
        return Fraction(1, 2)
    return first if seat is Seat.FIRST else 1 - first


def values(state: State[Any], seat: Seat) -> dict[Move, Fraction]:
    """What every legal move is worth to a seat, from the solver."""
    found = {}
    for choice in evaluate(state).choices_of(seat):
        first = choice.value.first_wins
        first = Fraction(1, 2) if first is None else first
        found[choice.move] = first if seat is Seat.FIRST else 1 - first
    return found


def keepers(state: State[Any], seat: Seat) -> set[Move]:
    worth = values(state, seat)
    return {move for move in worth if worth[move] == max(worth.values())}


def completes(state: State[Any], seat: Seat) -> bool:
    """Whether a seat that is to move can complete a line."""
    ends = (state.after(move, seat).outcome for move in state.moves(seat))
    return any(end is not None and end.winner is seat and isinstance(end.detail, WonLine) for end in ends)


def reaches(one: Exercise, move: Move) -> bool:
    """The goal, by the rules and by playing on, without the facts that lessons are judged by."""
    state, seat = one.puzzle.state, one.puzzle.seat
    later = state.after(move, seat)
    match one.goal:
        case Goal.COMPLETE:
            return later.outcome is not None and later.outcome.winner is seat
        case Goal.BLOCK:
            return not completes(later, seat.other)
        case Goal.DOUBLE:
            replies = [later.after(reply, seat.other) for reply in later.moves(seat.other)]
            return all(completes(after, seat) for after in replies if after.outcome is None) and not any(
                after.outcome for after in replies if after.threats(seat) == ()
            )
        case Goal.MOST:
            scores = {
                other: state.after(other, seat).view(seat).number("score", seat)
                for other in state.moves(seat)
            }
            return scores[move] == max(scores.values())
        case Goal.WIN:
            plies = next(c.value.plies for c in evaluate(state).choices_of(seat) if c.move == move)
            wins = values(state, seat)[move] == 1
            return wins and (one.step.within is None or (plies or 0) + 1 <= one.step.within)
    return move in keepers(state, seat)


def asks_for_moves(one: Exercise) -> bool:
    return one.goal not in (Goal.MIX, Goal.WHO, Goal.COUNT)


@pytest.mark.parametrize("game", [game.slug for game in every_game()])
def test_a_course_has_at_most_eight_steps_and_every_game_has_one(game: str) -> None:
    courses = courses_of(load(game))
    assert courses
    assert all(1 <= len(course.steps) <= 8 for course in courses)
    if load(game).courses:
        assert [course.slug for course in courses] == ["basics", "ideas"]


@every_step
def test_the_goal_is_reached_by_exactly_the_moves_that_pass_and_each_keeps_the_value(
    one: Exercise,
) -> None:
    state, seat = one.puzzle.state, one.puzzle.seat
    assert state.outcome is None
    assert one.puzzle.answers
    if not asks_for_moves(one):
        return
    accepted = set(one.puzzle.answers)
    assert accepted == {move for move in state.moves(seat) if reaches(one, move)}
    assert accepted <= keepers(state, seat)
    assert len(accepted) < len(state.moves(seat)) or len(state.moves(seat)) == 1 or one.goal is Goal.WIN


@every_step
def test_every_other_move_is_refused_and_what_gives_something_away_is_refuted_by_the_best_reply(
    one: Exercise,
) -> None:
    if not asks_for_moves(one):
        return
    puzzle = one.puzzle
    state, seat = puzzle.state, puzzle.seat
    cast, worth = lesson_cast(seat), values(state, seat)
    for move in state.moves(seat):
        trial = try_answers(puzzle, [move])
        said = " ".join(say_answer(one, trial, cast))
        if move in puzzle.answers:
            assert trial.verdict is not Verdict.WRONG
            continue
        assert trial.verdict is Verdict.WRONG
        if worth[move] == max(worth.values()):
            assert trial.refuted == 1
            assert "gives nothing away" in said
            continue
        assert "gives nothing away" not in said
        line = trial.path
        mine = line[state.movers.index(seat)]
        assert mine == move
        # The reply leaves the learner no more than the mistake is worth.
        length = 2 if state.secret or len(line) > 1 else 1
        assert chance(state.game.sequence(state, line[:length]), seat) == worth[move]
        then = state.game.sequence(state, line)
        # Where both choose, no reply is sure; where nobody can win anymore, there is none.
        assert len(line) > 1 or then.outcome is not None or then.secret or then.dead
        # What is on the board is what is told: up to the last reply, or to the end and how it came.
        assert then.outcome is not None or seat in then.movers or len(line) == 1
        assert then.outcome is None or "You lose" in said or "That completes" in said


def answers_for(one: Exercise) -> list[str]:
    """What to type to finish a step: the best moves that reach the goal, against the best defense."""
    puzzle, given = one.puzzle, list[str]()
    while (trial := try_answers(puzzle, given)).verdict is Verdict.OPEN:
        if asks_for_moves(one):
            state = puzzle.state.game.sequence(puzzle.state, trial.path)
            right = keepers(state, puzzle.seat) if trial.path else set(puzzle.answers)
            best = [c.move for c in evaluate(state).choices_of(puzzle.seat) if c.move in right]
            given.append(str(best[0]))
        else:
            given.append(str(puzzle.answers[0]))
    assert trial.verdict is Verdict.SOLVED
    return given


@every_step
def test_every_step_can_be_finished_and_has_hints_on_the_way(one: Exercise) -> None:
    answers, cast = answers_for(one), lesson_cast(one.puzzle.seat)
    for length in range(len(answers)):
        trial = try_answers(one.puzzle, answers[:length])
        first, second = (say_clue(one, trial, stage, cast) for stage in range(1, STAGES + 1))
        assert "" not in (first, second)
        assert first != second
    said = say_answer(one, try_answers(one.puzzle, answers), cast)
    assert fill(one, one.step.done) in said


@every_step
def test_no_hint_of_the_first_stage_says_the_answer(one: Exercise) -> None:
    """Only where one cell or number is all there is to say is it named at the second stage alone."""
    if one.goal in (Goal.COMPLETE, Goal.BLOCK, Goal.MOST, Goal.DOUBLE):
        assert not re.search(
            r"\d", say_clue(one, try_answers(one.puzzle, []), 1, lesson_cast(Seat.FIRST))
        )


def sentences(step: Step) -> list[str]:
    return [step.title, step.ask, step.done, *step.mistakes.values()]


def lies(one: Exercise) -> list[str]:
    """What is not proven, or wrong, in the sentences of a step."""
    state, seat, step = one.puzzle.state, one.puzzle.seat, one.step
    found = [text for text in sentences(step) if re.search(r"\d", FIELD.sub("", text))]
    for text in sentences(step):
        try:
            if "{" in fill(one, text):
                found.append(text)
        except (NinefoldError, LookupError) as error:
            found.append(f"{text}: {error!r}")
    for check in step.checks:
        there = state.game.sequence(state, check.after.split())
        if check.chance not in (None, chance(there, seat)):
            found.append(f"{check}: {chance(there, seat)}")
        if check.keeps not in (None, len(keepers(there, seat)) if check.keeps else None):
            found.append(f"{check}: {len(keepers(there, seat))}")
        if check.threats not in (None, len(there.threats(seat))):
            found.append(f"{check}: {there.threats(seat)}")
    for text in step.mistakes:
        move = state.game.parse(text)
        if move not in state.moves(seat) or move in one.puzzle.answers:
            found.append(f"{text} is no mistake")
    return found


@every_step
def test_nothing_that_is_said_is_false(one: Exercise) -> None:
    if load(one.puzzle.game).courses:  # the remarks of an example are checked with the example
        assert lies(one) == []
    assert ask_step(one)


@pytest.mark.parametrize(
    "planted",
    [
        {"ask": "You win with a 7."},
        {"done": "He needed {threat}, and you {nonsense}."},
        {"done": "That is {say 8@1,1}."},
        {"checks": (Check(chance=0),)},
        {"checks": (Check(chance=1, keeps=2),)},
        {"checks": (Check("9@3,3", chance=1),)},
        {"checks": (Check("1@1,3", threats=1),)},
        {"mistakes": {"5@1,3": "That is wrong."}},
        {"mistakes": {"8@1,1": "That is taken."}},
    ],
    ids=str,
)
def test_a_planted_false_sentence_is_found(planted: dict[str, Any]) -> None:
    one = pose(load("shadow"), "basics", 1)
    step = replace(one.step, **planted)
    course = replace(one.course, steps=(step, *one.course.steps[1:]))
    assert lies(replace(one, course=course))


@every_step
def test_a_mixture_that_is_asked_for_is_the_only_one(one: Exercise) -> None:
    if one.goal is not Goal.MIX:
        return
    state, seat = one.puzzle.state, one.puzzle.seat
    (answer,) = one.puzzle.answers
    assert isinstance(answer, Mix)
    assert set(answer.moves) == {c.move for c in evaluate(state).choices_of(seat) if c.best}
    trial = try_answers(one.puzzle, [Mix(answer.moves[:1])])
    assert trial.verdict is Verdict.WRONG


@pytest.mark.parametrize("game", [game.slug for game in every_game() if game.courses])
def test_each_course_ends_with_a_puzzle_of_its_theme(game: str) -> None:
    for course in courses_of(load(game)):
        assert find_seed(game, 1, course.task, None, course.theme)
        assert course.known
        assert not any(re.search(r"\d", text) for text in (*course.known, course.about, course.title))


def test_a_win_has_to_come_in_time() -> None:
    """A move that wins more slowly than asked is not refuted, only refused."""
    one = pose(load("pattern"), "ideas", 6)
    slow = next(
        move for move in keepers(one.puzzle.state, one.puzzle.seat) if move not in one.puzzle.answers
    )
    trial = try_answers(one.puzzle, [slow])
    assert (trial.verdict, trial.refuted) == (Verdict.WRONG, 1)
    assert "in time" in say_answer(one, trial, lesson_cast(one.puzzle.seat))[0]


def test_a_course_or_step_that_does_not_exist_is_refused_with_what_there_is() -> None:
    game = load("shadow")
    with pytest.raises(NoSuchLesson, match="basics, ideas"):
        pose(game, "advanced", 1)
    for number in (0, 8):
        with pytest.raises(NoSuchLesson, match="steps 1 to 7"):
            pose(game, "basics", number)


def test_a_step_whose_position_cannot_be_reached_is_refused() -> None:
    step = Step("", "", Goal.KEEP, "", "5@1,1 5@1,1", {"target": 15})
    with pytest.raises(NinefoldError, match="Move 2"):
        pose_step(load("shadow"), step)


@every_step
def test_the_theme_of_a_good_move_leads_to_a_step_that_asks_for_the_same(one: Exercise) -> None:
    """Of what a step accepts: the lesson that is found for it has the same goal, or teaches that kind."""
    state, seat = one.puzzle.state, one.puzzle.seat
    if one.goal not in (Goal.COMPLETE, Goal.MOST) or not load(one.puzzle.game).courses:
        return
    for move in one.puzzle.answers:
        assert isinstance(move, Move)
        found = find_lesson(state, seat, move)
        assert found is not None
        assert found.goal is one.goal


def test_a_challenge_or_a_claim_leads_to_the_step_about_it_on_a_board_of_that_size() -> None:
    for number in (1, 2):
        one = pose(load("conquest"), "ideas", number)
        (move, *_) = one.puzzle.answers
        assert isinstance(move, Move)
        found = find_lesson(one.puzzle.state, one.puzzle.seat, move)
        assert found is not None
        kind = load("conquest").spot(move).kind
        assert {load("conquest").spot(answer).kind for answer in found.puzzle.answers} == {kind}
        assert found.puzzle.setup == one.puzzle.setup


def test_a_wrong_guess_who_wins_is_answered_by_best_play_to_the_end() -> None:
    one = pose(load("cross"), "ideas", 5)
    said = say_answer(one, try_answers(one.puzzle, ["you"]), lesson_cast(Seat.FIRST))
    assert len(said) == 1 + 6 + 1
    assert said[-1] == "You lose, 45 to 45. A tie goes to whoever moved second."


def test_a_win_that_is_not_played_out_says_why() -> None:
    one = pose(load("battle"), "basics", 5)
    said = say_answer(one, try_answers(one.puzzle, ["6"]), lesson_cast(Seat.FIRST))
    assert said[-2:] == ["Now every move wins.", "Well counted."]
