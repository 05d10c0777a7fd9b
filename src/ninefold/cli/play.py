"""`ninefold play GAME`: two people at one screen, for a game, a series, and rematches."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from ninefold.cli import add_screen_options
from ninefold.cli.console import Console, EndOfInput, console_for
from ninefold.cli.setup import (
    LeftBeforeStart,
    Lobby,
    add_game,
    add_setup,
    given_setup,
    player1_seat,
    seeded,
)
from ninefold.cli.table import Quit, Table
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.match import Match, Player, Series
from ninefold.match.record import clean_name
from ninefold.store.files import Matches

EPILOG = """\
examples:
  ninefold play shadow --target 15 --name1 Alice --name2 Bob
  ninefold play battle --grid 792415863
  ninefold play conquest --size 4 --first random
  ninefold play cross --seed 7 --best-of 3

At any prompt: help, rules, board, undo, resign, quit. Every move is kept on disk;
`ninefold resume` goes on with a game that was left.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    add_game(parser)
    parser.add_argument("--name1", metavar="NAME", type=_name, help="who is Player 1")
    parser.add_argument("--name2", metavar="NAME", type=_name, help="who is Player 2")
    parser.add_argument(
        "--first", choices=("1", "2", "random"), default="1", help="who starts (default: Player 1)"
    )
    parser.add_argument(
        "--best-of",
        metavar="N",
        type=_best_of,
        help="a series of up to N games, an odd number; the players take turns in starting",
    )
    add_setup(parser)
    add_screen_options(parser)


def _name(text: str) -> str:
    try:
        return clean_name(text)
    except NinefoldError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _best_of(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 3 and int(text) % 2 == 1):
        raise argparse.ArgumentTypeError(f"{text!r}: it must be an odd number from 1 to 99")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    game: Game = arguments.game
    try:
        setup = given_setup(arguments, game)
        if arguments.name1 is not None and arguments.name1 == arguments.name2:
            raise NinefoldError("The players need two different names.")
    except NinefoldError as error:
        print(f"ninefold play: {error}", file=sys.stderr)
        return 2
    sitting = Sitting(
        console=console_for(arguments),
        game=game,
        setup=setup,
        rng=seeded(arguments),
        names=(arguments.name1, arguments.name2),
        first=arguments.first,
        best_of=arguments.best_of,
    )
    return sitting.start()


@dataclass
class Sitting:
    """Two people who sit down for one game or several."""

    console: Console
    game: Game
    setup: Mapping[str, int | str]
    rng: Random
    names: tuple[str | None, str | None] = (None, None)
    first: str = "1"
    best_of: int | None = None
    ask_all: bool = False  # ask for every setting, not only for what the book settles aloud

    def start(self) -> int:
        """Greet, ask what is open, play. The exit status."""
        if self.game.script.greeting:
            self.console.say(*self.game.script.greeting, "")
        lobby = Lobby(self.console, self.game)
        try:
            names = lobby.names(self.names)
            seat = player1_seat(self.first, self.rng)
            if self.game.script.asks_names:
                self.console.say("")
            series = Series(self.best_of) if self.best_of else None
            match = self._new_match(lobby, names, seat, series)
            return self.play_on(match, Matches(), resumed=None)
        except LeftBeforeStart:
            return 0
        except EndOfInput:
            self.console.warn("ninefold: input ended before the game began.")
            return 1

    def _new_match(
        self, lobby: Lobby, names: tuple[str, str], player1: Seat, series: Series | None
    ) -> Match:
        start = lobby.settle(self.setup, self.rng, ask_all=self.ask_all)
        players = (Player(names[0], player1), Player(names[1], player1.other))
        return Match(start, players, series=series)

    def play_on(self, match: Match, matches: Matches, resumed: str | None) -> int:
        """Play a match, a new one or the one kept as `resumed`, and those that follow from it."""
        while True:
            saved = matches.new() if resumed is None else matches.resume(resumed)[0]
            with saved:
                table = Table(self.console, match, saved)
                try:
                    table.run(resumed=resumed is not None)
                except Quit:
                    self._kept(table)
                    return 0
                except EndOfInput:
                    self.console.warn("ninefold: input ended before the game did.")
                    self._kept(table)
                    return 1
                except KeyboardInterrupt:
                    self.console.say("")
                    self._kept(table)
                    raise
            following = self._following(match)
            if following is None:
                return 0
            match, resumed = following, None

    def _kept(self, table: Table) -> None:
        if table.unsaved:
            self.console.warn("ninefold: the match could not be saved.")
        else:
            self.console.warn(f"The match is kept. To go on: ninefold resume {table.saved.id}")

    def _following(self, match: Match) -> Match | None:
        """The next game of the series, or a rematch if they want one, with the other starting."""
        player1, player2 = match.players
        names = (player1.name, player2.name)
        series = match.series
        if series is not None:
            assert match.outcome is not None
            wins = list(series.wins)
            wins[match.outcome.winner != player1.seat] += 1
            self.console.say("", f"Series: {names[0]} {wins[0]}, {names[1]} {wins[1]}.")
            if max(wins) < series.needed:
                series = Series(series.best_of, (wins[0], wins[1]))
                return self._next(names, player1.seat.other, series)
            winner = names[wins[1] > wins[0]]
            self.console.say(f"{winner} wins the best of {series.best_of}!")
            series = Series(series.best_of)
        self.console.say("")
        try:
            answer = self.console.ask("Play again, the other one starting? [y/N] ").strip().lower()
            if answer not in ("y", "yes"):
                return None
            return self._next(names, player1.seat.other, series)
        except (EndOfInput, LeftBeforeStart):
            return None

    def _next(self, names: tuple[str, str], player1: Seat, series: Series | None) -> Match:
        starter = names[player1 == Seat.SECOND]
        self.console.say("", f"Next game: {starter} starts.")
        return self._new_match(Lobby(self.console, self.game), names, player1, series)
