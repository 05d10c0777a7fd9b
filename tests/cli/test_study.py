"""Playing against the computer, and the commands that say how perfect play would go."""

from __future__ import annotations

import json
import re
import sys
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

import ninefold
from ninefold.analysis import Result, evaluate
from tests.cli.questions import whole_match
from tests.cli.session import BATTLE, CONQUEST, CROSS, GRID, moves_of, only_id, only_saved, run, save
from tests.setups import every_slug

# In Number Grid Battle: the first move gives the win away.
LOST_AT_ONCE = ["0 0", "2 2", "2 1", "2 0", "1 2", "1 1", "1 0", "0 2", "0 1"]


# Against the computer


@every_slug
def test_two_computers_play_a_game_to_its_end_without_a_question(slug: str) -> None:
    session = run("play", slug, "--p1", "level:7", "--p2", "perfect", "--seed", "5")
    assert (session.status, session.exchanges) == (0, ())
    endless = evaluate(ninefold.load(slug).start(rng=Random(5))).result is Result.ENDLESS
    ending = "Nobody wins: the game is stopped" if endless else r"Computer [12] wins\b"
    assert re.search(f"^{ending}", session.out, re.MULTILINE)


def test_the_same_seed_gives_the_same_game_against_computers() -> None:
    words = (*CONQUEST, "--p1", "level:2", "--p2", "level:3", "--seed", "9")
    assert run(*words).out == run(*words).out


def test_a_computer_that_starts_moves_first() -> None:
    session = run(*CROSS, "--p1", "perfect", typed=["quit"])
    assert session.out.index("The computer claimed Row 3") < session.out.index("Your turn.")


def test_undo_against_the_computer_goes_back_to_ones_own_move() -> None:
    session = run(*BATTLE, "--p2", "perfect", typed=["0 0", "undo", "2 2", "quit"])
    assert moves_of(only_saved()) == ["2,2", "2,1"]
    assert "The last turn was taken back." in session.out


def test_undo_before_ones_first_move_is_refused() -> None:
    session = run(*BATTLE, "--p1", "perfect", typed=["undo", "quit"])
    assert "There is no move to take back yet." in session.out


def test_a_match_against_the_computer_is_resumed_against_it() -> None:
    run(*BATTLE, "--p2", "perfect", typed=["2 2", "quit"])
    session = run("resume", typed=["2 0", "quit"])
    assert "The computer took the 6 and has 14." in session.out


def test_after_a_game_against_the_computer_one_line_says_how_well_it_went() -> None:
    typed = ["2 2", "2 0", "1 1", "0 2", "0 0"]
    session = run(*BATTLE, "--p2", "perfect", typed=typed)
    assert re.search(r"^Accuracy: .+ for you, .+ for the computer\.$", session.out, re.MULTILINE)
    assert f"\nTo review it: ninefold review {only_id()}\n" in session.out


def test_a_program_that_answers_nonsense_loses_with_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text("print('hello', flush=True); input(); input()")
    session = run(*CROSS, "--p1", f"program:{sys.executable} {path}")
    assert session.status == 0
    assert 'You win.\nThe program\'s answer "hello" is unreadable.' in session.out
    replayed = run("replay", only_id())
    assert replayed.status == 0
    assert "Player 2 wins.\nThe computer could not continue.\n" in replayed.out


LAST_MOVE = f"""{sys.executable} -u -c '
import json, sys
for line in sys.stdin:
\tprint(json.loads(line)["moves"][-1])
'{" " * 200}#"""


def test_a_match_against_a_program_of_several_lines_is_resumed_against_it() -> None:
    run(*BATTLE, "--p2", f"program:{LAST_MOVE}", typed=["0 0", "quit"])
    (listed,) = json.loads(run("history", "--json").out)
    assert listed["players"][1]["kind"] == f"program:{LAST_MOVE}"
    session = run("resume", typed=["0 1", "quit"])
    assert "The computer took the 8 and has 17." in session.out
    assert "damaged" not in run("history").out


def test_a_program_is_given_the_record_of_the_match_and_the_seconds_of_its_name(tmp_path: Path) -> None:
    path = tmp_path / "keeps.py"
    path.write_text(
        "import json\nasked = json.loads(input())\n"
        f"json.dump(asked, open({str(tmp_path / 'asked')!r}, 'w'))\nprint(asked['moves'][-1])\ninput()"
    )
    run(*BATTLE, "--p2", f"program@45:{sys.executable} {path}", typed=["0 0", "quit"])
    asked = json.loads((tmp_path / "asked").read_text())
    assert (asked["id"], asked["seconds"]) == (1, 45)
    assert [move["move"] for move in asked["record"]["moves"]] == ["0,0"]
    assert asked["record"]["players"][1]["kind"].startswith("program@45:")


def test_a_command_with_control_characters_is_a_usage_error() -> None:
    session = run("play", "cross", "--p1", "program:cat \x1b[2J")
    assert session.status == 2
    assert "contains unprintable characters" in session.err


def test_of_a_program_that_stopped_before_its_first_move_there_is_nothing_to_judge() -> None:
    session = run(*BATTLE, "--p2", "program:/no/such/program", typed=["2 2", "n"])
    assert "Accuracy: 100% for you, no move to judge for the computer." in session.out
    assert "The computer's accuracy: no move to judge" in run("review", only_id()).out


@pytest.mark.parametrize("name", ["level:0", "deep", "program:"])
def test_an_unknown_player_is_a_usage_error(name: str) -> None:
    session = run("play", "cross", "--p1", name)
    assert session.status == 2
    assert "level:1 to level:9" in session.err


# Hints

NO_HINTS = "This match is played without hints."


def test_hint_and_eval_say_what_is_best_and_who_is_winning() -> None:
    typed = ["hint", "eval", "help", "quit"]
    two = run(*BATTLE, typed=typed)
    hint = "Hint: The 9: adds 9, the most possible. With best play, "
    assert f"{hint}Player 1 wins by 5 in 9 moves.\n" in two.out
    assert "\nWith best play, Player 1 wins by 5 in 9 moves.\n" in two.out
    assert re.search("^  h  hint +the best move, and why$", two.out, re.MULTILINE)
    alone = run(*BATTLE, "--p2", "random", typed=typed)
    assert f"{hint}you win by 5 in 9 moves.\n" in alone.out
    assert "\nWith best play, you win by 5 in 9 moves.\n" in alone.out


def test_no_help_turns_hint_and_eval_off() -> None:
    session = run(*BATTLE, "--no-help", typed=["hint", "eval", "help", "quit"])
    assert session.out.count(NO_HINTS) == 2
    assert "the best move, and why" not in session.out


def test_a_match_without_hints_is_resumed_without_them() -> None:
    run(*BATTLE, "--no-help", typed=["2 2", "quit"])
    for _ in range(2):
        assert NO_HINTS in run("resume", typed=["hint", "quit"]).out


@pytest.mark.parametrize("more", [[], ["--best-of", "3"]], ids=["rematch", "series"])
def test_a_rematch_of_a_match_without_hints_is_without_them(more: list[str]) -> None:
    run(*BATTLE, "--no-help", *more, typed=["quit"])
    typed = ["resign", *([] if more else ["y"]), "hint", "quit"]
    assert NO_HINTS in run("resume", typed=typed).out
    assert NO_HINTS in run("resume", typed=["hint", "quit"]).out


def test_a_match_resumed_without_hints_stays_so() -> None:
    run(*BATTLE, typed=["quit"])
    assert NO_HINTS in run("resume", "--no-help", typed=["hint", "quit"]).out
    assert NO_HINTS in run("resume", typed=["hint", "quit"]).out


def test_hint_eval_and_analyze_count_the_same_moves() -> None:
    moves, words = ["5@1,1", "9@3,2"], ["shadow", "--target", "10"]
    names = ["--name1", "Ann", "--name2", "Ben"]
    session = run("play", *words, *names, typed=[*moves, "hint", "eval", "quit"])
    verdict = "With best play, Ann wins in 5 moves.\n"
    assert f". {verdict}" in session.out
    assert f"\n{verdict}" in session.out
    table = run("analyze", *words, "--moves", " ".join(moves)).out
    assert "With best play, the first player wins in 5 moves.\n" in table
    assert re.search(r"^\*  first +1@1,3  first wins +5$", table, re.MULTILINE)
    assert "(IN counts both players' moves, including this one.)" in table


def test_a_hint_for_the_defender_does_not_depend_on_the_challengers_number() -> None:
    hints = {
        run(*CONQUEST, typed=["claim 5", "challenge 5", number, "hint", "eval", "quit"]).out
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


@every_slug
def test_analyze_prints_a_table(slug: str) -> None:
    session = run("analyze", slug, "--seed", "1")
    assert session.status == 0
    assert "SEAT" in session.out
    assert re.search("With best play, (the |neither side can force a win)", session.out)


def test_analyze_names_the_move_that_is_wrong() -> None:
    session = run("analyze", "battle", "--grid", GRID, "--moves", "0,0 0,0")
    assert session.status == 2
    assert 'Move 2, "0,0": ' in session.err


def test_analyze_of_a_finished_game_says_who_won() -> None:
    session = run("analyze", "cross", "--grid", GRID, "--moves", "Row1 Row2 Row3 Col1 Col2 Col3")
    assert "The second player has won on a tie.\n" in session.out


# solve


def test_solve_tells_who_wins_each_game() -> None:
    session = run("solve", "all", "--json")
    solved = {(one["game"], *one["setup"].values()): one for one in json.loads(session.out)["solved"]}
    assert {game for game, *_ in solved} == set(ninefold.SLUGS)
    assert all(solved["shadow", target]["result"] == "second" for target in range(10, 21))
    assert (solved["pattern",]["result"], solved["pattern",]["plies"]) == ("first", 11)
    assert (solved["battle",]["first"], solved["battle",]["margins"]) == (362880, {"5": 362880})
    assert (solved["cross",]["first"], solved["cross",]["grids"]) == (343080, 362880)
    assert solved["conquest", 3]["first_wins"] == "10956205242032041645969/15979860335292629275300"


def test_solve_takes_a_setup() -> None:
    session = run("solve", "cross", "--grid", "492357816")
    assert "With best play, the second player wins on a tie in 6 moves.\n" in session.out
    assert "positions" in session.out


def test_a_setting_of_another_game_is_a_usage_error() -> None:
    assert run("solve", "battle", "--target", "15").status == 2


# review


def test_review_has_a_row_for_each_turn_and_names_turns_by_their_rows() -> None:
    """A challenge with its two numbers is one row, and a sentence has the number of that row."""
    match = whole_match("conquest", {"size": 2})
    out = run("review", save(match)).out
    rows = dict(re.findall(r"^(\d+) +Player [12] +(\S+ \d)", out, re.MULTILINE))
    assert [int(number) for number in rows] == [*range(1, len(match.turns) + 1)]
    assert re.search(r"^\d+ +Player [12] +Challenge \d: \d (beats|ties|loses to) \d  ", out, re.MULTILINE)
    found = re.findall(r"(\d+): Player [12] (challenge|claim)e?d .*?cell (\d)\.", out)
    assert found
    for number, deed, cell in found:
        assert rows[number] == f"{deed.capitalize()} {cell}"


def test_review_shows_the_move_that_lost_the_game() -> None:
    run(*BATTLE, typed=LOST_AT_ONCE)
    session = run("review", only_id(), typed=["y", "2 2"])
    assert session.status == 0
    assert "[y/N]" not in session.out  # in a pipe it asks nothing
    assert "At the start: with best play, Player 1 wins by 5 in 9 moves.\n" in session.out
    assert re.search(
        r"^1  Player 1  The 1  Player 2 wins by 3 in 8 moves  +gives the win away; better: the 9$",
        session.out,
        re.MULTILINE,
    )
    assert re.search(
        r" lost the game on turn 1: .*\. The winning move: the 9\.$", session.out, re.MULTILINE
    )
    chart = "  start      ##########  100%\n  turns 1-9  ..........  0%\n"
    assert f"Player 1's chances to win, with best play from there on:\n{chart}" in session.out
    assert "Player 1's accuracy: 0% (whenever the choice mattered, Player 1 made one" in session.out
    assert "Player 2's accuracy: 100%\n" in session.out
    data = json.loads(run("review", only_id(), "--json").out)
    assert data["deciding"] == 1
    assert data["moves"][0]["mark"] == "gives-away"
    assert data["moves"][0]["before"]["result"] == "first"


def test_review_of_a_game_lost_from_the_start_claims_no_more_than_that() -> None:
    """The second player's last move lost sooner than another would have."""
    run("play", "pattern", typed=["5@2,2", "1@1,1", "6@1,1", "9@3,3", "4@3,3"])
    session = run("review", only_id())
    assert "loses more quickly" in session.out
    assert "No single move lost it: Player 1 was winning from the start.\n" in session.out


def test_review_of_an_unfinished_match_goes_as_far_as_it_does() -> None:
    run(*CONQUEST, typed=["claim 5", "challenge 5", "4", "quit"])
    session = run("review", only_id())
    assert session.status == 0
    assert re.findall(r"^(\d)  ", session.out, re.MULTILINE) == ["1", "2"]
    assert "lost" not in session.out


def test_review_of_nothing_is_a_sentence() -> None:
    session = run("review", "nosuch")
    assert (session.status, session.out) == (1, "")
    assert "There is no match" in session.err
