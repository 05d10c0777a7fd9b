"""A pytest plugin (`-p tests.sixth.plugin`): the two games go through a run, and no test may have a table
of the games that somebody wrote by hand."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

import tests.sixth.register  # noqa: F401
from ninefold import SLUGS
from tests.sixth import EDITION, NEW
from tests.thin import keep_cases, thin_out

# Here the games themselves are the subject: their notations, and figures that were worked out for them.
KNOWN = (
    "tests/test_documents.py::",  # what the documents show
    "tests/cli/test_puzzle.py::test_help_explains_the_task_and",  # one game for each task
    "tests/study/test_levels.py::test_what_is_known_of_a_level",  # figures that are kept for them
    "tests/study/test_lessons.py::test_each_course_ends_with_a_puzzle_of_its_theme",  # two have none
    "tests/text/test_reading.py::test_it_is_forgiving",  # of each game's notation
    "tests/lab/",  # claims of the rule books, and changes of their rules
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


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--cases", type=int, help="how many cases with one of the new games a test takes")
    parser.addoption(
        "--half", action="store_true", help="a test that takes the new games takes one of them"
    )


@pytest.hookimpl(tryfirst=True)  # while all are there
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    taken: defaultdict[str, set[str]] = defaultdict(set)
    for item in items:
        test, _, parameters = item.nodeid.partition("[")
        taken[test] |= {*re.split(r"\W+", parameters)} & {*SLUGS, *NEW}
    by_hand = {test for test, games in taken.items() if len(games) > 3 and games.isdisjoint(NEW)}
    if by_hand := {test for test in by_hand if not test.startswith(KNOWN)}:
        raise pytest.UsageError(*(f"{test}: a table of the games" for test in sorted(by_hand)))
    if config.getoption("half"):
        thin_out(items, (*NEW, EDITION), 1)
    if cases := config.getoption("cases"):
        keep_cases(items, (*NEW, EDITION), cases)
