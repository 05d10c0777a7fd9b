"""Two games of other shapes go through everything that takes a game, without a change to the package.

The tests of the other games are run again with the two in the registry: whatever iterates over the games
must take them as they are. A table of games that somebody wrote by hand is noticed, because then they are
missing from it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from ninefold import Seat, SetupError
from ninefold.cli.console import Console
from ninefold.cli.setup import SetupQuestions
from ninefold.show.board import describe_settings
from tests.golden.sessions import read
from tests.sixth.garden import GAME as GARDEN

ROOT = Path(__file__).parents[2]
NEW = {"garden", "auction"}
OURS = {"shadow", "battle", "pattern", "conquest", "cross"}
# Here the games themselves are the subject: their notations, and figures that were worked out for them.
KNOWN = (
    "tests/games/",
    "tests/golden/",  # the rule books' lines
    "tests/cli/test_pipes.py::test_perft_counts_sequences_of_turns",
    "tests/test_english.py::",  # one test per file, and every game has files
    "tests/envs/test_openspiel.py::test_a_playthrough_is_the_golden_one",
    "tests/study/test_positions.py::test_seats_stages_and_stakes_are_balanced",  # small games are not
    "tests/tui/test_screens.py::",  # golden, too
    "tests/web/browser/test_still.py::",  # a panel of one of the new games comes and goes
    "tests/study/puzzles/test_puzzles.py::test_a_search_through_the_rules_alone",  # where it is quick
    "tests/study/puzzles/test_puzzles.py::test_every_theme_is_found",  # the new games have none
    "tests/study/puzzles/test_solving.py::test_what_is_no_answer_is_refused_with_a_sentence",  # by task
)
PLUGIN = ("-p", "tests.sixth.register", "-p", "no:cacheprovider", "-q", "-n", "0")

# Folders whose tests take every game, and at least how many of them take the new ones. Several share a
# run, because starting takes longer than most tests.
SUITES = (
    {
        "conformance": 250,
        "players": 60,
        "match": 60,
        "study": 40,
        "show": 20,
        "batch": 40,
        "envs": 50,
    },
    {"cli": 100, "tui": 14},
    {"web": 80},
)


def pytest_run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", *PLUGIN, *arguments],
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
        env={**os.environ, "XDG_DATA_HOME": str(folder)},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("suites", SUITES, ids="-".join)
def test_the_tests_of_every_game_pass_for_the_new_ones(suites: dict[str, int]) -> None:
    names = " or ".join(sorted(NEW))
    done = pytest_run(*(f"tests/{suite}" for suite in suites), "-k", names, "-m", "not long", "-rp")
    assert done.returncode == 0, done.stdout[-5000:]
    passed = Counter(re.findall(r"^PASSED tests/(\w+)/", done.stdout, re.MULTILINE))
    assert {suite for suite, least in suites.items() if passed[suite] < least} == set()


def test_no_test_has_a_table_of_the_games() -> None:
    done = pytest_run("tests", "--collect-only", "--ignore=tests/sixth")
    taken: defaultdict[str, set[str]] = defaultdict(set)
    for test, parameters in re.findall(r"^(tests/\S+::\w+)\[(.*)\]$", done.stdout, re.MULTILINE):
        taken[test] |= {*re.split(r"\W+", parameters)} & {*OURS, *NEW}
    assert any(games >= NEW for games in taken.values())
    by_hand = {test for test, games in taken.items() if len(games & OURS) > 3 and not games & NEW}
    assert {test for test in by_hand if not test.startswith(KNOWN)} == set()


@pytest.mark.parametrize("slug", sorted(NEW))
def test_a_session_reads_as_it_is_kept(slug: str) -> None:
    session = read(Path(__file__).parent / slug / "golden.txt")
    assert session.run("tests.sixth") == session.output


def test_every_command_takes_them(tmp_path: Path) -> None:
    said = program("solve", "all", folder=tmp_path)
    assert "Two Gardeners, season autumn" in said
    assert "Silent Auction, prizes 231" in said
    solved = json.loads(program("solve", "garden", "--json", folder=tmp_path))["solved"]
    assert [one["setup"]["season"] for one in solved] == ["spring", "autumn"]
    words = ("analyze", "auction", "--prizes", "123", "--moves", "bid:one bid:two")
    assert "With best play, " in program(*words, folder=tmp_path)
    assert "96 sequences" in program("perft", "garden", "2", "--season", "spring", folder=tmp_path)
    assert "Two Gardeners" in program("rules", "garden", folder=tmp_path)
    puzzle = json.loads(program("puzzle", "garden", "--seed", "1", "--json", folder=tmp_path))
    assert (puzzle["game"], puzzle["task"]) == ("garden", "win")


def test_a_match_against_a_level_can_be_reviewed_and_replayed(tmp_path: Path) -> None:
    plots = [f"plant {row}{column}" for row in "ABC" for column in "12"]
    typed = "\n".join(["hint", "eval", *plots * 2, ""])
    said = program("play", "garden", "--seed", "1", "--p2", "level:3", typed=typed, folder=tmp_path)
    assert re.search(r"^You (win|lose)\b.*\.$", said, re.MULTILINE)
    assert "Hint: " in said
    match = re.search(r"^To review it: .* review (\w+)$", said, re.MULTILINE)
    assert match is not None
    assert " accuracy: " in program("review", match[1], folder=tmp_path)
    assert "Move 1: " in program("replay", match[1], folder=tmp_path)
    assert "garden" in program("history", folder=tmp_path)


def test_a_setting_that_is_a_word_goes_wherever_a_number_does() -> None:
    (season,) = GARDEN.options
    assert [season.value(text) for text in ("spring", " Autumn ", "AUTUMN")] == [
        "spring",
        "autumn",
        "autumn",
    ]
    with pytest.raises(SetupError, match=r'"wet" is not a valid season. It must be spring or autumn\.'):
        GARDEN.start(season="wet")
    state = GARDEN.start(season="autumn")
    assert describe_settings(GARDEN, state.setup) == [("Season", "autumn")]
    assert GARDEN.numbers(state, Seat.FIRST)[-1] == 1
    ask = SetupQuestions(Console(color=False, plain=False), GARDEN).prompt_for
    assert ask(season) == "Season (spring or autumn; Enter for spring): "
