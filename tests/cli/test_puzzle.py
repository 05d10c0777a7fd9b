"""`ninefold puzzle` through a pipe: answers are checked, refuted, explained and saved."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from ninefold import NinefoldError, load
from ninefold.cli.commands import puzzle as command
from ninefold.core.puzzles import Task
from ninefold.show.puzzles import EXPLAINED
from ninefold.store.files.matches import data_folder
from ninefold.store.files.progress import PuzzleProgress, PuzzleResult, merge_results, read_results
from ninefold.study.puzzles import Verdict, daily, find_seed, puzzle, puzzle_data, try_answers
from ninefold.study.puzzles.better import make_better
from ninefold.study.puzzles.days import today
from ninefold.study.puzzles.labels import Label, read_label
from ninefold.study.reviews import review_match
from tests.cli.session import oracle, run
from tests.study.puzzles.test_puzzles import TASKS
from tests.study.puzzles.test_solving import answers_of as answers

DAY = date(2026, 1, 16)


@pytest.mark.parametrize(("game", "task"), TASKS)
def test_a_puzzle_of_every_task_is_played_through(game: str, task: str) -> None:
    found = puzzle(game, 2, task)
    session = run("puzzle", game, "--seed", "2", "--task", task, typed=answers(found))
    assert (session.status, session.err) == (0, "")
    assert "Solved." in session.out
    assert f"grade {found.grade}" in session.out
    assert f"Ninefold {game}/{find_seed(game, 2, task)}\n" in session.out
    assert session.out.count("Your answer") == len(answers(found))


def test_a_wrong_answer_says_why_shows_the_refutation_and_asks_again() -> None:
    found = puzzle("shadow", 3, grade=2)
    wrong = next(str(m) for m in found.state.moves() if m not in found.answers)
    session = run("puzzle", "shadow", "--seed", "3", "--grade", "2", typed=[wrong, *answers(found)])
    before, _, after = session.out.partition("Try again.")
    assert "isn't the move. With best play, " in before
    assert "\nYou put " in before
    assert before.count("Target: ") == 2  # the position, and the refutation on the board
    board, asked = (session.out.split("\n\n")[k] for k in (1, 3))  # both are shown again
    assert after.startswith(f"\n\n{board}\n\n")
    assert asked.partition("\n")[0] in after.partition("Your answer")[0]
    assert "Solved." in after
    assert PuzzleProgress().results[f"shadow/{find_seed('shadow', 3, grade=2)}"].wrong == (wrong,)


def test_a_number_on_the_board_alone_is_an_answer() -> None:
    found = puzzle("battle", 2, "least")
    row, column = map(int, str(found.answers[0]).split(","))
    number = str(found.setup["grid"])[3 * row + column]
    session = run("puzzle", "battle", "--seed", "2", "--task", "least", typed=[number])
    assert "Solved." in session.out


def test_enter_shows_the_answer_and_the_puzzle_can_be_tried_again_from_a_list() -> None:
    found = daily(DAY)
    session = run("puzzle", "--date", str(DAY), typed=[""])
    assert "Not solved: 1." in session.out
    assert "To share" not in session.out
    about = "Pattern Match, find the winning move, grade 5"
    shown = f"{DAY}: {about}: you looked at the answer\n  ninefold puzzle --date {DAY}\n"
    assert run("puzzle", "--failed").out == shown
    session = run("puzzle", "--date", str(DAY), "--no-emoji", typed=answers(found))
    assert "\nsolved on try 1\n" in session.out
    assert run("puzzle", "--failed").out == "No puzzle is left to try again.\n"


@pytest.mark.parametrize(
    ("label", "wrong", "tried"),
    [
        (
            "shadow/0",
            ["1@2,2"],
            "Shadow Grid Duel, find the winning move, grade 2: you tried 1 in the center",
        ),
        ("battle/2-5", ["0,0"], "Number Grid Battle, the least that wins, grade 7: you tried the 9"),
        (
            "battle/1",
            ["9", "-3"],
            'count it out, grade 4: you tried "you by 9", then "the computer by 3"',
        ),
        ("conquest/2-1", ["bid:1 bid:2"], "choose the numbers to mix, grade 7: you tried 1 and 2"),
        ("shadow/3", ["9"], "find the mistake that lost, grade 9: you tried move 9"),
        ("shadow/0", ["nonsense"], "grade 2: you tried nonsense"),  # the file may have been edited
    ],
)
def test_the_list_says_what_was_tried_and_how_to_try_again(
    label: str, wrong: list[str], tried: str
) -> None:
    for one in wrong:
        PuzzleProgress().note(label, wrong=one)
    game, seed = label.split("/")
    shown = run("puzzle", "--failed").out
    assert shown.endswith(f"{tried}\n  ninefold puzzle {game} --seed {seed}\n")


@pytest.mark.parametrize(("task", "game"), {task: game for game, task in TASKS}.items())
def test_help_explains_the_task_and_the_board_can_be_seen_again(task: str, game: str) -> None:
    letter = "board" if task == "shares" else "b"  # where b is an option, it is the answer
    session = run("puzzle", game, "--seed", "2", "--task", task, typed=["?", "board", letter, "r", "q"])
    helped, *boards, rules, _ = (one.partition("\n")[2] for one in session.exchanges)
    assert helped.startswith(f"{EXPLAINED[Task(task)]}\nType ")
    assert len(boards) == 2
    assert all(one in session.out.partition("Your answer")[0] for one in boards)
    assert load(game).title in rules


def test_one_vocabulary_for_counts() -> None:
    found = puzzle("battle", "1")  # the second player wins by 5
    wrong = {
        "5 for me": "is not a winner and a margin.\nType an answer like you by 5 or the computer by 5",
        "you by 9": "You by 9 isn't it: you win, but not by 9.",
        "Player 1 by 5": "The computer by 5 isn't it: you win with best play.",
        "they win by 2": "The computer by 2 isn't it: you win with best play.",
        "the computer by 2": "The computer by 2 isn't it: you win with best play.",
        "tie": "A tie isn't it. Count again.",
    }
    session = run("puzzle", "battle", "--seed", "1", typed=[*wrong, "you by 5"])
    for said, exchange in zip(wrong.values(), session.exchanges, strict=False):
        assert said in exchange
    assert "Solved.\nThe answer: you by 5.\n" in session.exchanges[-1]
    for text in ("5", "+5", "you by 5", "I win by 5.", "player 2 by 5", "you 5", "5 points"):
        assert try_answers(found, [text]).verdict is Verdict.SOLVED


def test_the_number_on_a_cell_and_a_kind_of_move_are_answers_everywhere() -> None:
    """In a puzzle, and in a review: the page, full screen and the API read answers alike."""
    least = puzzle("battle", "2-5")
    assert str(try_answers(least, ["9"]).wrong) == "0,0"
    with pytest.raises(NinefoldError, match='"10" is not a number on the grid'):
        try_answers(least, ["10"])  # not the cell 1,0
    match = oracle("conquest", {"size": 2}, ["claim:1", "challenge:1", "bid:5", "bid:1", "claim:2"])
    one = next(one for one in review_match(match).moves if one.number == 5)
    better = make_better(match, one)
    assert str(try_answers(better, ["claim"]).wrong or better.answers[0]).startswith("claim")
    with pytest.raises(NinefoldError, match="is not a move"):
        try_answers(better, ["bid"])


def test_a_shared_result_gives_nothing_away() -> None:
    seed = find_seed("shadow", 5, "win", 2)
    found = puzzle("shadow", seed)
    wrong = next(str(m) for m in found.state.moves() if m not in found.answers)
    shown = run("puzzle", "shadow", "--seed", seed, typed=[wrong, *answers(found)]).out
    shared = shown.partition("To share:\n")[2].partition("\n\n")[0]
    assert shared == f"Ninefold shadow/{seed}\nShadow Grid Duel, find the winning move, grade 2\n🟥🟩"


def test_a_solved_win_says_what_every_move_does() -> None:
    found = puzzle("shadow", 0)
    shown = run("puzzle", "shadow", "--seed", "0", typed=answers(found)).out
    assert "That blocks " in shown
    assert "That completes " in shown


def test_a_game_that_is_shown_is_told_move_by_move_with_its_options() -> None:
    found = puzzle("battle", 5, "last")
    shown = run("puzzle", "battle", "--seed", "5", "--task", "last", typed=["?", "q"]).out
    assert len(re.findall(r"^\d\. (You|The computer) ", shown, re.MULTILINE)) == len(found.moves)
    assert list(re.findall(r"^  (\d): move ", shown, re.MULTILINE)) == [
        option.key for option in found.options
    ]
    assert f"Type one of {', '.join(map(str, found.options))}." in shown


def test_json_is_the_puzzle_with_its_answer_and_nothing_is_asked() -> None:
    session = run("puzzle", "cross", "--seed", "9", "--json")
    assert json.loads(session.out) == puzzle_data(puzzle("cross", "9"))
    assert session.exchanges == ()


def test_without_a_game_it_is_the_puzzle_of_the_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "today", lambda: DAY)
    assert json.loads(run("puzzle", "--json").out) == puzzle_data(daily(DAY))


def test_the_day_is_the_one_in_utc() -> None:
    before = datetime.now(UTC).date()
    assert before <= today() <= datetime.now(UTC).date()


def test_a_drawn_seed_is_shown_so_that_it_can_be_used_again() -> None:
    shown = run("puzzle", "battle", typed=["q"]).out
    seed = re.match(r"Puzzle battle/(\w+): ", shown)
    assert seed
    assert run("puzzle", "battle", "--seed", seed[1], typed=["q"]).out == shown


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--seed", "3"), "name a game"),
        (("--task", "win"), "name a game"),
        (("--date", "2999-12-31"), "opens on that day"),
        (("cross", "--date", "2026-11-16"), "give a game or --date, not both"),
        (("cross", "--task", "mix"), "Number Cross has no mix puzzles"),
        (("cross", "--task", "nonsense"), "is not a task"),
        (("cross", "--task", "better"), "is not a task"),
        (("shadow", "--grade", "7"), "The grades: 1, 2, 4, 9."),
        (("shadow", "--grade", "x"), "Grades go from 1 to 9."),
        (("shadow", "--theme", "nonsense"), "is not a theme"),
        (("shadow", "--seed", "a b"), "is not a seed"),
        (("--date", "tomorrow"), "is not a date"),
        (("--date", "2026-02-30"), "is not a date"),
        (("--date", "0001-01-01"), "is not a date"),
    ],
)
def test_what_cannot_be_asked_for_is_refused_with_what_can(words: tuple[str, ...], why: str) -> None:
    session = run("puzzle", *words)
    assert (session.status, session.out) == (2, "")
    assert why in session.err


def test_what_cannot_be_read_is_asked_again_and_help_gives_an_example() -> None:
    session = run("puzzle", "battle", "--seed", "1", "--task", "count", typed=["nonsense", "?", "q"])
    assert session.status == 1
    assert '"nonsense" is not a winner and a margin.\nType an answer like you by ' in session.out
    assert PuzzleProgress().results == {}


def test_progress_that_cannot_be_saved_does_not_stop_the_puzzle() -> None:
    data_folder().parent.mkdir(parents=True, exist_ok=True)
    data_folder().write_text("in the way", encoding="utf-8")
    found = puzzle("cross", 2)
    session = run("puzzle", "cross", "--seed", "2", typed=answers(found))
    assert "Solved." in session.out
    assert "Your progress could not be saved" in session.err


def test_a_streak_counts_the_days_in_a_row(tmp_path: Path) -> None:
    progress = PuzzleProgress(tmp_path / "puzzles.json")
    for day in ("2026-11-12", "2026-11-14", "2026-11-15"):
        progress.note(day, solved=True)
    progress.note("2026-11-16", wrong="5@1,1")
    again = PuzzleProgress(tmp_path / "puzzles.json")
    assert again.results == progress.results
    assert [again.streak(date(2026, 11, day)) for day in (12, 13, 14, 15, 16, 17)] == [1, 1, 1, 2, 2, 0]
    again.note("2026-11-16", solved=True)
    assert (again.streak(date(2026, 11, 16)), again.solved, again.failed) == (3, 4, {})
    again.note("2026-11-16", wrong="6@1,1", shown=True)
    assert again.results["2026-11-16"].wrong == ("5@1,1",)
    assert again.results["2026-11-16"].solved


@pytest.mark.parametrize("text", ["", "[]", "{", '{"2026-11-16": 3, "x": {"wrong": 5}}', "\udcff"])
def test_a_damaged_file_counts_as_nothing(tmp_path: Path, text: str) -> None:
    path = tmp_path / "puzzles.json"
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    assert PuzzleProgress(path).results == {}


@pytest.mark.parametrize("text", ["2026-11-16", "shadow/12", "pattern/a-b-7"])
def test_a_label_is_read_as_it_was_written(text: str) -> None:
    assert str(read_label(text)) == text


def test_a_label_finds_its_puzzle() -> None:
    assert Label(day=DAY).find() == daily(DAY)
    assert read_label("cross/4-1").find() == puzzle("cross", "4-1")


def test_progress_is_carried_as_one_line_and_added_to_what_is_here(tmp_path: Path) -> None:
    here, there = PuzzleProgress(), PuzzleProgress(tmp_path / "there.json")
    here.note("cross/1", wrong="Row1")
    here.note("2026-01-16", solved=True)
    there.note("cross/1", solved=True)
    there.note("conquest/4-1", wrong="bid:1 bid:2", shown=True)
    text = run("puzzle", "--export").out
    assert text == "ninefold-puzzles-1 cross/1;open;Row1 2026-01-16;solved\n"
    there.add(text)
    assert there.results == merge_results(there.results, here.results)
    assert there.results["cross/1"] == PuzzleResult(("Row1",), solved=True)
    assert read_results(there.text) == there.results
    session = run("puzzle", "--import", there.text)
    assert session.out == "Solved so far: 2.\n"
    assert PuzzleProgress().results == there.results


@pytest.mark.parametrize(
    "text", ["", "hello", "ninefold-puzzles-1 cross/1", "ninefold-puzzles-1 a b;open"]
)
def test_a_text_that_is_no_progress_is_refused_and_changes_nothing(text: str) -> None:
    PuzzleProgress().note("cross/1", solved=True)
    session = run("puzzle", "--import", text)
    assert (session.status, session.out) == (2, "")
    assert "not the progress of puzzles" in session.err
    assert list(PuzzleProgress().results) == ["cross/1"]
