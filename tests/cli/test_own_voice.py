"""Whole games against the computer: what is said is said to one person, in words, and it is true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import pytest

import ninefold
from ninefold import Game, Seat
from ninefold.core.words import Words
from ninefold.match import Match
from ninefold.players import HUMAN
from ninefold.show.moves import cast_of
from ninefold.show.talk import own_voice
from tests.cli.questions import answers
from tests.cli.session import Session, flags, only_kept, run
from tests.setups import Setup, every_game, every_table, setups_of

LONG = 40
COMMANDS = ("help", "hint", "eval", "board", "undo", "xyzzy", "")
# One sentence for each move, and nothing else that is said begins like this.
NEWS = re.compile(r"(?:(?:You|The computer) (?!win|lose|start)[a-z]|(?:Your|The computer's) \d).*\.")


def person_of(match: Match) -> Seat:
    return next(player.seat for player in match.players if player.kind == HUMAN)


def play_on(rng: Random, *, ask: bool = False) -> Iterator[str]:
    """What somebody types who makes random moves, one question after the other, until the game is over.

    A game that takes too long is resigned. With `ask`, commands and moves that are not allowed are tried
    before each move.
    """
    while (match := only_kept()).outcome is None:
        seat, state = person_of(match), match.state
        if len(match.played) > LONG:
            yield "resign"
        assert not state.pending, "a number is on disk before both are in"
        if ask:
            yield from COMMANDS[: None if seat in state.movers else 0]
            match = only_kept()  # something may have been taken back
            seat, state = person_of(match), match.state
            wrong = [move for move in state.game.moves if move not in state.moves(seat)]
            yield from (str(move) for move in rng.sample(wrong, min(2, len(wrong))))
        move = rng.choice(state.moves(seat))
        yield from answers(own_voice(match.game), state, cast_of(match), move, seat)


@dataclass(frozen=True)
class Played:
    """A game that was played, and what was said in it: without what was typed, and its last line."""

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
    return Played(session, only_kept(), "".join([before, *answered]).partition("\nAccuracy:")[0])


def assert_own_voice(game: Game, done: Played) -> None:
    assert (done.session.status, done.session.err) == (0, "")
    assert not re.search("Congratulations|Winner|Player [12]|Opponent", done.said)
    assert not re.search(r"(?<![Tt]he )\b[Cc]omputer\b", done.said)
    assert not re.search(r"\byou (wins|loses|has|takes|keeps|starts)\b", done.said, re.IGNORECASE)
    assert not re.search(r"\b(?:the|The) computer (win|have|take|keep|start)\b", done.said)


def assert_no_notation(game: Game, said: str) -> None:
    """No move is written as programs write it, but in an example of what can be typed.

    Cells are called what is written beside them. A small game may leave its moves as they are.
    """
    if game.words.move is Words().move:
        return
    labels = {cell.label for board in game.start(rng=Random(1)).view(None).boards for cell in board.cells}
    texts = sorted({str(move) for move in game.moves} - labels)
    raw = re.compile(rf"(?<![\w,])({'|'.join(map(re.escape, texts))})\b")
    for line in said.splitlines():
        assert not raw.search(re.sub(r"like \S+", "", line)), line


@every_table
@pytest.mark.parametrize("computer", ["--p2", "--p1"])
def test_a_game_against_the_computer_speaks_to_one_person(slug: str, setup: Setup, computer: str) -> None:
    done = played(slug, setup, computer, "perfect")
    assert_own_voice(ninefold.load(slug), done)
    person = person_of(done.match)
    starts = "You start." if person is Seat.FIRST else "The computer starts."
    assert starts in done.lines
    news = [line for line in done.lines if NEWS.fullmatch(line)]
    assert len(news) == len(done.match.played)
    yours = sum(one.seat is person for one in done.match.played)
    assert sum(bool(re.search(r"\byou\b|\byour\b", line, re.IGNORECASE)) for line in news) >= yours
    assert done.match.outcome is not None
    endings = [line for line in done.lines if re.match("You (win|lose)", line)]
    assert [line.split()[1].strip(",.") for line in endings] == [
        "win" if done.match.outcome.winner is person else "lose"
    ]


@every_table
def test_moves_are_said_in_words(slug: str, setup: Setup) -> None:
    assert_no_notation(ninefold.load(slug), played(slug, setup, "--p2", "random").said)


@every_game
def test_commands_and_refusals_speak_to_one_person_as_well(game: Game) -> None:
    done = played(game.slug, setups_of(game)[0], "--p2", "random", ask=True)
    assert_own_voice(game, done)
    assert_no_notation(game, done.said)
    for word in ("You can also type:", "Hint: ", "With best play, ", "was taken back"):
        assert word in done.said


@every_game
def test_the_ending_says_who_won_to_the_one_who_reads(game: Game) -> None:
    """Between equals either may win: a random person against a random computer."""
    results = set()
    for seed in range(8):
        done = played(game.slug, setups_of(game)[-1], "--p2", "random", seed=seed)
        (ending,) = [line for line in done.lines if re.match(r"You (win|lose)\b.*\.$", line)]
        assert done.match.outcome is not None
        won = done.match.outcome.winner is person_of(done.match)
        assert ending.startswith("You win" if won else "You lose")
        results.add(won)
    assert results == {True, False}
