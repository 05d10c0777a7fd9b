"""Two games of other shapes go through everything that takes a game, without a change to the package.

The tests of the other games are run again with the two in the registry: whatever iterates over the games
must take them as they are. A table of games that somebody wrote by hand is noticed, because then they are
missing from it. An edition of a game goes through the same runs.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from ninefold import Seat, SetupError
from ninefold.cli.console import Console
from ninefold.cli.setup import SetupQuestions
from ninefold.games import VARIANTS
from ninefold.show.board import describe_settings
from tests.golden.sessions import read
from tests.sixth import EDITION, NEW
from tests.sixth.garden import GAME as GARDEN

ROOT = Path(__file__).parents[2]
PLUGIN = ("-p", "tests.sixth.plugin", "-p", "no:cacheprovider", "-q", "-n", "0")

# The settings of a game are all gone through for the games of the package, and in the long tests.
FEW = ("--cases", "1")

APART = ("cli", "tui", "web", "sixth", "lab/test_report.py")  # the last has what is written of the books
LIBRARY = ("tests", *(f"--ignore=tests/{name}" for name in APART))
PAGES = "tests/web/browser"
QUIET = ("puzzles", "studies", "traffic")

# Which tests a run takes, and at least how many of a folder take the new games. Several folders share a
# run, because starting takes longer than most tests.
SUITES = (
    (
        (*LIBRARY, *FEW),
        {
            "conformance": 150,
            "players": 30,
            "match": 20,
            "study": 60,
            "show": 20,
            "batch": 25,
            "envs": 50,
        },
    ),
    (("tests/cli", "tests/tui", "--half", *FEW), {"cli": 50, "tui": 7}),
    (
        # Of the pages that are looked at through a browser, those that somebody plays at.
        ("tests/web", "--half", *FEW, *(f"--deselect={PAGES}/test_{page}.py" for page in QUIET)),
        {"web": 40},
    ),
    pytest.param(LIBRARY, {}, marks=pytest.mark.long),
    pytest.param(("tests/cli", "tests/tui", "tests/web"), {}, marks=pytest.mark.long),
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


def trouble(done: subprocess.CompletedProcess[str]) -> str:
    """What a run said at its end, but for the tests that passed."""
    return re.sub(r"^PASSED .*\n", "", done.stdout, flags=re.MULTILINE)[-5000:] + done.stderr


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


@pytest.mark.parametrize(("taken", "least"), SUITES)
def test_the_tests_of_every_game_pass_for_the_new_ones(
    taken: tuple[str, ...], least: dict[str, int]
) -> None:
    done = pytest_run(*taken, "-k", " or ".join((*NEW, EDITION)), "-m", "not long", "-rp")
    assert done.returncode == 0, trouble(done)
    passed = Counter(re.findall(r"^PASSED tests/(\w+)/", done.stdout, re.MULTILINE))
    assert {suite for suite, count in least.items() if passed[suite] < count} == set()


@pytest.mark.long
def test_the_tests_of_every_game_pass_for_the_other_editions() -> None:
    others = " or ".join(slug for slug in VARIANTS if slug != EDITION)
    left_out = [f"--ignore=tests/{name}" for name in ("sixth", "lab/test_report.py")]
    done = pytest_run("tests", *left_out, "-k", others, "-m", "not long")
    assert done.returncode == 0, trouble(done)


def test_a_table_of_the_games_is_noticed(tmp_path: Path) -> None:
    games = ["shadow", "battle", "pattern", "conquest", "cross"]
    test = f"@__import__('pytest').mark.parametrize('game', {games})\ndef test_it(game): pass\n"
    (tmp_path / "test_table.py").write_text(test, encoding="utf-8")
    assert "test_table.py::test_it: a table of the games" in pytest_run(str(tmp_path)).stderr


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
    assert "Turn 1: " in program("replay", match[1], folder=tmp_path)
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
