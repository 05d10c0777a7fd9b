"""A sixth game goes through everything that takes a game, without a change to the package.

The tests of the other games are run again with the sixth in the registry: whatever iterates over the
games must take it as it is. A table of games that somebody wrote by hand is noticed, because then the
sixth is missing from it.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from tests.golden.sessions import read

ROOT = Path(__file__).parents[2]
SIXTH = "straw"
OURS = {"shadow", "battle", "pattern", "conquest", "cross"}
# Here the games themselves are the subject: their notations, and figures that were worked out for them.
KNOWN = (
    "tests/games/",
    "tests/cli/test_pipes.py::test_perft_counts_sequences_of_turns",
    "tests/test_english.py::",  # one test per file, and every game has files
    "tests/envs/test_openspiel.py::test_a_playthrough_is_the_golden_one",
    "tests/tui/test_screens.py::",  # golden, too
    "tests/study/puzzles/test_puzzles.py::test_a_search_through_the_rules_alone",  # where it is quick
    "tests/study/puzzles/test_puzzles.py::test_every_theme_is_found",  # the sixth game has none
)
PLUGINS = ("-p", "tests.sixth.register", "-p", "tests.sixth.collected", "-p", "no:cacheprovider")

# By folder, at least how many of its tests take the sixth. Two runs share the folders, because to start
# and to collect takes longer than most tests.
SCREENS = {"web": 1, "tui": 4}
REST = {
    "conformance": 100,
    "players": 5,
    "match": 20,
    "study": 15,
    "show": 4,
    "batch": 5,
    "envs": 15,
    "cli": 1,
}
RUNS = {
    "screens": (SCREENS, [f"tests/{folder}" for folder in SCREENS]),
    "rest": (REST, ["tests", *(f"--ignore=tests/{folder}" for folder in ("sixth", *SCREENS))]),
}


def pytest_run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", *PLUGINS, "-q", "-n", "0", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )


def program(*arguments: str, typed: str = "", folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "tests.sixth", *arguments],
        cwd=ROOT,
        input=typed,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={"PATH": "", "XDG_DATA_HOME": str(folder)},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(("least", "where"), RUNS.values(), ids=RUNS)
def test_the_tests_of_every_game_take_a_sixth_and_pass(least: dict[str, int], where: list[str]) -> None:
    wanted = f"{SIXTH} and not test_sessions"  # its golden session is not with the others: see below
    done = pytest_run(*where, "-k", wanted, "-m", "not long", "-rp")
    assert done.returncode == 0, done.stdout[-5000:]
    passed = Counter(re.findall(r"^PASSED tests/(\w+)/", done.stdout, re.MULTILINE))
    assert {folder for folder, count in least.items() if passed[folder] < count} == set()
    assert tests_with_a_table(done.stdout) == set()


def tests_with_a_table(output: str) -> set[str]:
    """The tests that take most of our games, but not the sixth: somebody has listed the games by hand."""
    taken: defaultdict[str, set[str]] = defaultdict(set)
    for test, parameters in re.findall(r"^COLLECTED (tests/\S+::\w+)\[(.*)\]$", output, re.MULTILINE):
        taken[test] |= {*re.split(r"\W+", parameters)} & {*OURS, SIXTH}
    assert any(SIXTH in games for games in taken.values())
    by_hand = {test for test, games in taken.items() if len(games & OURS) > 3 and SIXTH not in games}
    return {test for test in by_hand if not test.startswith(KNOWN)}


def test_its_session_reads_as_it_is_kept() -> None:
    session = read(Path(__file__).parent / "golden.txt")
    assert session.run("tests.sixth") == session.output


def test_every_command_takes_it(tmp_path: Path) -> None:
    assert "Last Straw, target 21" in program("solve", SIXTH, folder=tmp_path)
    assert "Last Straw" in program("solve", "all", folder=tmp_path)
    solved = json.loads(program("solve", SIXTH, "--json", folder=tmp_path))["solved"]
    assert [one["setup"]["target"] for one in solved] == [21, 22, 23]
    said = program("analyze", SIXTH, "--target", "23", "--moves", "take:9", folder=tmp_path)
    assert "With best play, the second player wins in 4 moves." in said
    assert "504 sequences" in program("perft", SIXTH, "3", "--target", "21", folder=tmp_path)
    assert "Last Straw" in program("rules", SIXTH, folder=tmp_path)
    puzzle = json.loads(program("puzzle", SIXTH, "--seed", "1", "--json", folder=tmp_path))
    assert (puzzle["game"], puzzle["task"]) == (SIXTH, "win")


def test_a_match_against_a_level_can_be_reviewed_and_replayed(tmp_path: Path) -> None:
    typed = "hint\neval\n" + "".join(f"{number}\n" for number in (9, 1, 2, 3, 4, 5, 6, 7, 8)) * 3
    said = program("play", SIXTH, "--seed", "1", "--p2", "level:3", typed=typed, folder=tmp_path)
    assert re.search(r"^You (win|lose)\.$", said, re.MULTILINE)
    assert "Hint: " in said
    match = re.search(r"^To review it: .* review (\w+)$", said, re.MULTILINE)
    assert match is not None
    assert " accuracy: " in program("review", match[1], folder=tmp_path)
    assert "Move 1: " in program("replay", match[1], folder=tmp_path)
    assert SIXTH in program("history", folder=tmp_path)
