"""Whole games against the computer: what is said is said to one person, in our own words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from ninefold import Game, Seat, State
from ninefold.cli.voice import Voice
from ninefold.core.cast import Cast
from ninefold.core.turns import ends_turn
from ninefold.core.words import Words
from ninefold.match import Match
from ninefold.players import PERSON
from ninefold.players.simple import RandomPlayer
from ninefold.show.moves import cast_of
from ninefold.show.scene import scene_of
from ninefold.store.files.settings import UserSettings, save_settings
from tests.cli.questions import answers
from tests.cli.session import CROSS, Session, flags, only_file, only_saved, run
from tests.setups import Setup, every_game, every_game_table, has_secrets, setups_of

LONG = 40
COMMANDS = ("help", "hint", "eval", "board", "xyzzy", "")
# One sentence for each move, and nothing else that is said begins like this.
NEWS = re.compile(r"(?:(?:You|The computer) (?!win|lose|start)[a-z]|(?:Your|The computer's) \d).*\.")


def person_of(match: Match) -> Seat:
    return next(player.seat for player in match.players if player.kind == PERSON)


def play_on(rng: Random, *, ask: bool = False) -> Iterator[str]:
    """What somebody types who makes random moves, one question after the other, until the game is over.

    A game that takes too long is resigned. With `ask`, commands and moves that are not allowed are tried
    before each move.
    """
    undone: set[int] = set()
    while not (match := only_saved()).over:
        seat, state = person_of(match), match.state
        if len(match.played) > LONG:
            yield "resign"
            continue
        assert not state.pending, "a number is on disk before both are in"
        if ask:
            yield from COMMANDS
            if len(match.played) not in undone:
                undone.add(len(match.played))
                yield "undo"
                state = only_saved().state
            wrong = [move for move in state.game.moves if move not in state.moves(seat)]
            yield from (str(move) for move in rng.sample(wrong, min(2, len(wrong))))
        move = rng.choice(state.moves(seat))
        yield from answers(Voice(), state, cast_of(match), move, seat)


FRAME = re.compile(r" *\+-")  # a line of a board's frame


@dataclass(frozen=True)
class Played:
    """A game that was played, and what was said in it until it was over, without what was typed."""

    session: Session
    match: Match
    said: str

    @property
    def lines(self) -> list[str]:
        return self.said.splitlines()


def played(slug: str, setup: Setup, *words: str, seed: int = 1, ask: bool = False) -> Played:
    rng = Random(seed)
    command = ("play", slug, *words, "--seed", str(seed), *flags(setup))
    session = run(*command, typed=play_on(rng, ask=ask))
    before = session.out[: len(session.out) - sum(map(len, session.exchanges))]
    answered = [exchange.partition("\n")[2] for exchange in session.exchanges]
    match = only_saved()
    only_file().unlink()
    return Played(session, match, "".join([before, *answered]).partition("\nAccuracy:")[0])


def assert_speaks_to_you(said: str) -> None:
    assert not re.search(r"Player [12]|(?<![Tt]he )\b[Cc]omputer\b", said)


def assert_own_voice(game: Game, done: Played) -> None:
    """It speaks to one person, and writes no move as programs do but where it tells what can be typed.

    Cells are called what is written beside them. A small game may leave its moves as they are.
    """
    assert (done.session.status, done.session.err) == (0, "")
    assert not re.search("Congratulations|Winner|Opponent", done.said)
    assert_speaks_to_you(done.said)
    assert not re.search(r"\byou (wins|loses|has|takes|keeps|starts)\b", done.said, re.IGNORECASE)
    assert not re.search(r"\b(?:the|The) computer (win|have|take|keep|start)\b", done.said)
    if game.words.move is Words().move:
        return
    labels = {cell.label for board in done.match.state.view(None).boards for cell in board.cells}
    texts = {str(move) for move in game.moves} - labels
    for line in done.lines:
        if not re.search(r"\bType |\bChoose ", line):
            assert texts.isdisjoint(re.findall(r"[\w@:,]*\w", line)), line


@every_game
def test_the_board_is_drawn_once_between_two_prompts(game: Game) -> None:
    """After the computer's reply; at the end, after the last move."""
    if game.starter is Seat.SECOND:
        pytest.skip("the computer starts, so there is one board more")
    setup = setups_of(game)[0]
    for seed in (1, 2, 3) if has_secrets(game.slug) else (1,):
        done = played(game.slug, setup, "--p2", "random", seed=seed)
        person = person_of(done.match)
        start = Voice().board(scene_of([game.set_up(setup)], [], person, cast_of(done.match, person)))
        frame = sum(bool(FRAME.match(line)) for line in start)
        drawn = [sum(map(bool, map(FRAME.match, said.splitlines()))) for said in done.session.exchanges]
        assert set(drawn) == {0, frame}
        if not has_secrets(game.slug):
            assert drawn.count(frame) == sum(one.seat is person for one in done.match.played)


@every_game_table
def test_two_people_can_choose_our_own_voice(game: Game, setup: Setup) -> None:
    names = ("--name1", "Ann", "--name2", "Ben", "--first", "2" if game.starter is Seat.SECOND else "1")
    done = run("play", game.slug, *names, *flags(setup), "--voice", "own", typed=["quit"])
    scene = scene_of([game.set_up(setup)], [], Seat.FIRST, Cast(("Ann", "Ben")))
    assert done.out.startswith("\n".join([*Voice().opening(scene), ""]))
    assert f"{'Ben' if game.starter is Seat.SECOND else 'Ann'}, your turn." in done.out


def test_the_voice_is_a_setting_that_an_option_overrides() -> None:
    save_settings(UserSettings(voice="own"))
    assert "Ann, your turn." in run(*CROSS, "--name1", "Ann", typed=["quit"]).out
    assert "Ann's Turn:" in run(*CROSS, "--name1", "Ann", "--voice", "book", typed=["quit"]).out


@every_game_table
@pytest.mark.parametrize("computer", ["--p2", "--p1"])
def test_a_game_against_the_computer_speaks_to_one_person(
    game: Game, setup: Setup, computer: str
) -> None:
    done = played(game.slug, setup, computer, "perfect")
    assert_own_voice(game, done)
    person = person_of(done.match)
    starts = "You start." if person is game.starter else "The computer starts."
    assert ("Both choose." if game.starter is None else starts) in done.lines
    news = [line for line in done.lines if NEWS.fullmatch(line)]
    moves = zip(pairwise(done.match.states), done.match.played, strict=True)
    # Before a secret choice, its question says what happened.
    told = [one for (then, now), one in moves if ends_turn(then, now) or person not in now.movers]
    assert len(news) == len(told)
    yours = sum(one.seat is person for one in told)
    assert sum(bool(re.search(r"\b[Yy]our?\b", line)) for line in news) >= yours
    assert done.match.outcome is not None
    (ending,) = [line for line in done.lines if re.match(r"You (win|lose)\b.*\.$", line)]
    assert ending.startswith("You win" if done.match.outcome.winner is person else "You lose")
    for line in done.lines:
        assert len(line) <= 80 or line.endswith("."), line  # a sentence may go on below


@every_game
def test_commands_and_refusals_speak_to_one_person_as_well(game: Game) -> None:
    done = played(game.slug, setups_of(game)[0], "--p2", "random", ask=True)
    assert_own_voice(game, done)
    for word in ("You can also type a letter or a word:", "Hint: ", "With best play, "):
        assert word in done.said
    assert re.search("was taken back|cannot be taken back", done.said)


@every_game
def test_the_ending_says_who_won_to_the_one_who_reads(game: Game) -> None:
    """Between equals either may win: somebody who plays at random against a random computer."""
    results = set()
    for seed in range(20):
        side = ("--p2", "--p1")[seed % 2]
        done = played(game.slug, setups_of(game)[0], side, "random", seed=seed)
        (ending,) = [line for line in done.lines if re.fullmatch(r"(You (win|lose)|Nobody)\b.*\.", line)]
        if done.match.outcome is None:
            assert ending.startswith("Nobody")
            continue
        won = done.match.outcome.winner is person_of(done.match)
        assert ending.startswith("You win" if won else "You lose")
        results.add(won)
        if len(results) == 2:
            return
    pytest.fail(f"all games ended alike: {results}")


def test_what_is_said_after_a_game_speaks_to_one_person() -> None:
    assert_speaks_to_you(run(*CROSS, "--p2", "random", "--best-of", "1", typed=["Row1", "resign"]).out)


def test_a_match_is_resumed_in_our_own_voice() -> None:
    run(*CROSS, "--p2", "random", typed=["Row1"])
    assert_speaks_to_you(run("resume", typed=["quit"]).out)


def test_names_are_not_asked_for_against_the_computer() -> None:
    session = run("play", "shadow", "--p2", "random", typed=["17"])
    assert only_saved().state.setup == {"target": 17}
    assert len(session.exchanges) == 2  # the target, then a number to place


def test_until_both_numbers_are_in_nothing_depends_on_the_computers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = set()
    for number in "12345":

        def challenge(
            self: RandomPlayer, state: State[Any], seat: Seat, record: Any = None, number: str = number
        ) -> Any:
            wanted = f"bid:{number}" if state.secret else "challenge:1"
            return state.game.parse(wanted)

        monkeypatch.setattr(RandomPlayer, "choose", challenge)
        typed = ["1", "help", "board", "hint", "eval", "undo", "9", "quit"]
        session = run("play", "conquest", "--p2", "random", typed=typed)
        assert "The computer has chosen." in session.out
        path = only_file()
        text = re.sub(r"2\d{3}-\d\d-\d\dT[\d:+]+", "", path.read_text())
        said.add((session.out, session.err.replace(path.stem, ""), text))
        path.unlink()
    assert len(said) == 1


# The size of the screen


@every_game
def test_the_position_and_the_question_fit_24_lines(game: Game) -> None:
    done = played(game.slug, setups_of(game)[-1], "--p2", "random")
    for exchange in done.session.exchanges[:-2]:  # the last move and the rematch are about more
        *_, last = re.split(r"\n(?=The computer [a-z])", exchange)
        assert last.count("\n") < 24, last
