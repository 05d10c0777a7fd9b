"""A setting whose values are words goes wherever a number does."""

from __future__ import annotations

import pytest

from ninefold import Seat, SetupError
from ninefold.cli.console import Console
from ninefold.cli.setup import SetupQuestions
from ninefold.commands import main
from ninefold.games import GAMES
from ninefold.show.board import describe_settings
from tests.sixth.moody import GAME, MOOD

WILD: dict[str, int | str] = {"target": 21, "mood": "wild"}


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, GAME.slug, "tests.sixth.moody")


def test_words_are_read_in_upper_and_lower_case_and_others_are_refused() -> None:
    assert [MOOD.value(text) for text in ("calm", " Wild ", "WILD")] == ["calm", "wild", "wild"]
    with pytest.raises(SetupError, match=r'"angry" is not a valid mood. It must be calm or wild\.'):
        GAME.start(target=21, mood="angry")


def test_it_stands_beside_the_board_and_in_what_programs_observe() -> None:
    state = GAME.set_up(WILD)
    assert describe_settings(GAME, state.setup) == [("Target", "21"), ("Mood", "wild")]
    assert GAME.numbers(state, Seat.FIRST)[-2:] == [21, 1]


def test_commands_take_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", GAME.slug, "--target", "21", "--mood", "wild"]) == 0
    assert "Mood: wild" in capsys.readouterr().out
    assert main(["analyze", GAME.slug, "--target", "21", "--mood", "angry"]) == 2
    assert "It must be calm or wild." in capsys.readouterr().err


def test_line_mode_asks_for_it_in_its_own_words() -> None:
    ask = SetupQuestions(Console(color=False, plain=False), GAME).prompt_for
    asked = [ask(option) for option in GAME.options]
    assert asked == [
        "Target (a whole number from 21 to 23; Enter to draw one): ",
        "Mood (calm or wild; Enter for calm): ",
    ]


def test_the_api_lists_its_values() -> None:
    openapi = pytest.importorskip("ninefold.web.api.openapi")
    assert b'"enum":["calm","wild"]' in openapi.document.__wrapped__("")


def test_the_page_and_full_screen_offer_its_values() -> None:
    rendering = pytest.importorskip("ninefold.web.page.rendering")
    words = rendering._templates.get_template("setting.html").module.words
    assert str(words(MOOD, {})).count("<option") == 2
    assert "<option selected>wild</option>" in str(words(MOOD, WILD))
    setup = pytest.importorskip("ninefold.tui.setup")
    assert setup.field_of(MOOD).value == "calm"


def test_openspiel_takes_it_as_a_parameter() -> None:
    setup = pytest.importorskip("ninefold.envs.openspiel_setup")
    assert setup.game_type(GAME).parameter_specification["mood"] == ""
    assert setup.as_parameters(GAME, {"target": "21", "mood": "wild"}) == WILD
    assert setup.begin(GAME, {"target": 21, "mood": "wild"}).setup == WILD
    assert setup.begin(GAME, {"target": 21, "mood": ""}).setup == {**WILD, "mood": "calm"}
