"""Playing against the computer, and the commands that tell what perfect play makes of a game."""

from __future__ import annotations

import json
import re
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import ninefold
from ninefold import SLUGS
from ninefold.analysis import evaluate
from ninefold.store.files import Matches
from tests.cli.session import GRID, run

# In Number Grid Battle: the first move gives the win away.
LOST_AT_ONCE = ["0 0", "2 2", "2 1", "2 0", "1 2", "1 1", "1 0", "0 2", "0 1"]


def kept_id() -> str:
    (entry,) = Matches().entries()
    return entry.id


# Against the computer


@pytest.mark.parametrize("slug", SLUGS)
def test_two_computers_play_a_game_to_its_end_without_a_question(slug: str) -> None:
    session = run("play", slug, "--p1", "level:7", "--p2", "perfect", "--seed", "5")
    assert session.status == 0
    assert "[y/N]" not in session.out
    assert "Computer 1" in session.out


def test_the_same_seed_gives_the_same_game_against_computers() -> None:
    words = ("play", "conquest", "--p1", "level:2", "--p2", "level:3", "--seed", "9")
    assert run(*words).out == run(*words).out


def test_the_computer_is_not_addressed_as_you() -> None:
    session = run("play", "battle", "--grid", GRID, "--p2", "perfect", typed=["2 2", "quit"])
    assert "Computer claimed cell (2,1) with value 8." in session.out
    assert session.out.count("You claimed") == 1
    assert "thinking" not in session.out


def test_a_computer_that_starts_moves_first() -> None:
    session = run("play", "cross", "--grid", GRID, "--p1", "perfect", typed=["quit"])
    assert session.out.index("Computer has claimed Row3.") < session.out.index("Player 2's Turn:")


def test_undo_against_the_computer_goes_back_to_ones_own_move() -> None:
    session = run(
        "play", "battle", "--grid", GRID, "--p2", "perfect", typed=["0 0", "undo", "2 2", "quit"]
    )
    (entry,) = Matches().entries()
    assert entry.match is not None
    assert [played.move for played in entry.match.played] == ["2,2", "2,1"]
    assert "The last turn is taken back." in session.out


def test_undo_before_ones_first_move_is_refused() -> None:
    session = run("play", "battle", "--grid", GRID, "--p1", "perfect", typed=["undo", "quit"])
    assert "There is no move to take back yet." in session.out


def test_a_match_against_the_computer_is_resumed_against_it() -> None:
    run("play", "battle", "--grid", GRID, "--p2", "perfect", typed=["2 2", "quit"])
    session = run("resume", typed=["2 0", "quit"])
    assert "Computer claimed cell (1,2) with value 6." in session.out


def test_after_a_game_against_the_computer_one_line_says_how_well_it_went() -> None:
    typed = ["2 2", "2 0", "1 1", "0 2", "0 0"]
    session = run("play", "battle", "--grid", GRID, "--p2", "perfect", typed=typed)
    assert "Accuracy: Player 1 100%, Computer had nothing to decide. To look back:" in session.out
    assert f"ninefold review {kept_id()}" in session.out


def test_a_program_that_answers_nonsense_loses_with_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text("print('hello', flush=True); input(); input()")
    session = run("play", "cross", "--grid", GRID, "--p1", f"program:{sys.executable} {path}")
    assert session.status == 0
    assert 'The program answered "hello".' in session.out
    assert "Player 2 wins!" in session.out
    replayed = run("replay", kept_id())
    assert (replayed.status, "Computer cannot go on and loses." in replayed.out) == (0, True)


LAST_MOVE = f"""{sys.executable} -u -c '
import json, sys
for line in sys.stdin:
\tprint(json.loads(line)["moves"][-1])
'{" " * 200}#"""


def test_a_match_against_a_program_of_several_lines_is_resumed_against_it() -> None:
    run("play", "battle", "--grid", GRID, "--p2", f"program:{LAST_MOVE}", typed=["0 0", "quit"])
    (listed,) = json.loads(run("history", "--json").out)
    assert listed["players"][1]["kind"] == f"program:{LAST_MOVE}"
    session = run("resume", typed=["0 1", "quit"])
    assert "Computer claimed cell (2,1) with value 8." in session.out
    assert "damaged" not in run("history").out


def test_a_command_with_control_characters_is_a_usage_error() -> None:
    session = run("play", "cross", "--p1", "program:cat \x1b[2J")
    assert session.status == 2
    assert "characters that cannot be shown" in session.err


def test_of_a_program_that_stopped_before_its_first_move_there_is_nothing_to_judge() -> None:
    session = run(
        "play", "battle", "--grid", GRID, "--p2", "program:/no/such/program", typed=["2 2", "n"]
    )
    assert "Accuracy: Player 1 100%, Computer had no move to judge. To look back:" in session.out
    assert "Accuracy of Computer: no move to judge" in run("review", kept_id()).out


@pytest.mark.parametrize("name", ["level:0", "deep", "program:"])
def test_an_unknown_player_is_a_usage_error(name: str) -> None:
    session = run("play", "cross", "--p1", name)
    assert session.status == 2
    assert "level:1 to level:9" in session.err


# Hints


def test_hint_and_eval_say_what_is_best_and_who_is_winning() -> None:
    session = run("play", "battle", "--grid", GRID, typed=["hint", "eval", "help", "quit"])
    assert "Hint: 2,2 takes 9, the most there is; it wins by 5 in the end." in session.out
    assert "With best play Player 1 wins by 5, 9 moves from now (both players' counted)." in session.out
    assert "hint     the best move, and why" in session.out


def test_no_help_switches_them_off() -> None:
    session = run("play", "battle", "--grid", GRID, "--no-help", typed=["hint", "eval", "help", "quit"])
    assert session.out.count("This game is played without hints.") == 2
    assert "the best move, and why" not in session.out


NO_HINTS = "This game is played without hints."


def test_a_match_without_hints_is_resumed_without_them() -> None:
    run("play", "battle", "--grid", GRID, "--no-help", typed=["2 2", "quit"])
    for _ in range(2):
        assert NO_HINTS in run("resume", typed=["hint", "quit"]).out


@pytest.mark.parametrize("more", [[], ["--best-of", "3"]], ids=["rematch", "series"])
def test_what_follows_a_match_without_hints_is_without_them(more: list[str]) -> None:
    run("play", "battle", "--grid", GRID, "--no-help", *more, typed=["quit"])
    typed = ["resign", *([] if more else ["y"]), "hint", "quit"]
    assert NO_HINTS in run("resume", typed=typed).out
    assert NO_HINTS in run("resume", typed=["hint", "quit"]).out


def test_a_match_resumed_without_hints_stays_so() -> None:
    run("play", "battle", "--grid", GRID, typed=["quit"])
    assert NO_HINTS in run("resume", "--no-help", typed=["hint", "quit"]).out
    assert NO_HINTS in run("resume", typed=["hint", "quit"]).out


def test_hint_eval_and_analyze_count_the_same_moves() -> None:
    moves = ["5@1,1", "9@3,2"]
    flags = ["shadow", "--target", "10"]
    names = ["--name1", "Ann", "--name2", "Ben"]
    session = run("play", *flags, *names, typed=[*moves, "hint", "eval", "quit"])
    count = "5 moves from now (both players' counted)."
    assert f"it wins, {count}\n" in session.out
    assert f"With best play Ann wins, {count}\n" in session.out
    table = run("analyze", *flags, "--moves", " ".join(moves)).out
    assert re.search(r"^\*  first +1@1,3  first wins +5$", table, re.MULTILINE)
    assert "(IN: so many moves from now, this one and both players' counted)" in table


def test_a_hint_for_the_defender_does_not_depend_on_the_challengers_number() -> None:
    hints = {
        run("play", "conquest", typed=["claim 5", "challenge 5", number, "hint", "eval", "quit"]).out
        for number in "12345"
    }
    assert len(hints) == 1


# analyze


def test_analyze_gives_the_evaluation_as_json() -> None:
    session = run("analyze", "shadow", "--target", "15", "--moves", "5@1,1 7@1,2", "--json")
    data = json.loads(session.out)
    assert list(data) == [
        "game", "setup", "moves", "movers", "result", "first_wins", "plies", "margin", "options"
    ]  # fmt: skip
    assert (data["game"], data["setup"], data["movers"]) == ("shadow", {"target": 15}, ["first"])
    assert data["moves"] == ["5@1,1", "7@1,2"]
    assert list(data["options"][0]) == [
        "seat", "move", "result", "first_wins", "plies", "margin", "best", "mix"
    ]  # fmt: skip
    game = ninefold.load("shadow")
    found = evaluate(game.sequence(game.start(target=15), data["moves"]))
    assert data["first_wins"] == str(found.first_wins)
    assert [option["move"] for option in data["options"]] == [str(c.move) for c in found.choices]


def test_analyze_gives_both_mixtures_of_a_secret_choice() -> None:
    data = json.loads(run("analyze", "conquest", "--moves", "claim:5 challenge:5", "--json").out)
    assert data["movers"] == ["second", "first"]
    for seat in ("first", "second"):
        mixes = [Fraction(option["mix"]) for option in data["options"] if option["seat"] == seat]
        assert sum(mixes) == 1


@pytest.mark.parametrize("slug", SLUGS)
def test_analyze_prints_a_table(slug: str) -> None:
    session = run("analyze", slug, "--seed", "1")
    assert session.status == 0
    assert "SEAT" in session.out
    assert "With best play" in session.out


def test_analyze_names_the_move_that_is_wrong() -> None:
    session = run("analyze", "battle", "--grid", GRID, "--moves", "0,0 0,0")
    assert session.status == 2
    assert 'Move 2, "0,0": The cell 0,0 has been claimed already.' in session.err


def test_analyze_of_a_finished_game_says_who_won() -> None:
    session = run("analyze", "cross", "--grid", GRID, "--moves", "Row1 Row2 Row3 Col1 Col2 Col3")
    assert "has won." in session.out


# solve


def test_solve_tells_who_wins_each_game() -> None:
    session = run("solve", "all", "--json")
    data = json.loads(session.out)
    solved = {(one["game"], *one["setup"].values()): one for one in data["solved"]}
    assert len(solved) == 11 + 1 + 1 + 3 + 1
    assert all(solved["shadow", target]["result"] == "second" for target in range(10, 21))
    assert (solved["pattern",]["result"], solved["pattern",]["plies"]) == ("first", 11)
    assert (solved["battle",]["first"], solved["battle",]["margins"]) == (362880, {"5": 362880})
    assert (solved["cross",]["first"], solved["cross",]["grids"]) == (343080, 362880)
    assert solved["conquest", 3]["first_wins"] == "10956205242032041645969/15979860335292629275300"


def test_solve_takes_a_setup() -> None:
    session = run("solve", "cross", "--grid", "492357816")
    assert "the second player wins" in session.out
    assert "positions" in session.out


def test_a_setting_of_another_game_is_a_usage_error() -> None:
    assert run("solve", "battle", "--target", "15").status == 2


# review


def test_review_shows_the_move_that_lost_the_game(tmp_path: Path) -> None:
    run("play", "battle", "--grid", GRID, typed=LOST_AT_ONCE)
    session = run("review", kept_id())
    assert session.status == 0
    assert "Decided by move 1: Player 1 0,0 gives the win away. Better: 2,2." in session.out
    assert "Player 2 wins in 8  " in session.out
    assert "(wins in 4: with the fourth move after this one, both players' counted)" in session.out
    assert "Player 1  #........." in session.out
    assert "Accuracy of Player 2: 100%" in session.out
    data = json.loads(run("review", kept_id(), "--json").out)
    assert data["deciding"] == 1
    assert data["moves"][0]["mark"] == "gives the win away"
    assert data["moves"][0]["before"]["result"] == "first"


def test_review_of_a_game_lost_from_the_start_claims_no_more_than_that() -> None:
    """The second player's last move lost sooner than another would have."""
    run("play", "pattern", typed=["5@2,2", "1@1,1", "6@1,1", "9@3,3", "4@3,3"])
    session = run("review", kept_id())
    assert "loses sooner" in session.out
    assert "No move of Player 2 would have changed who wins." in session.out
    assert "never had a better move" not in session.out


def test_a_review_in_a_pipe_asks_nothing() -> None:
    run("play", "battle", "--grid", GRID, typed=LOST_AT_ONCE)
    session = run("review", kept_id(), typed=["y", "2 2"])
    assert "[y/N]" not in session.out
    assert "BEST" in session.out


def test_review_of_an_unfinished_match_goes_as_far_as_it_does() -> None:
    run("play", "conquest", typed=["claim 5", "challenge 5", "quit"])
    session = run("review", kept_id())
    assert session.status == 0
    assert "Decided" not in session.out


def test_review_of_nothing_is_a_sentence() -> None:
    session = run("review", "nosuch")
    assert (session.status, session.out) == (1, "")
    assert "There is no match" in session.err
