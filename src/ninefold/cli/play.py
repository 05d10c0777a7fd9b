"""`ninefold play GAME`: at one screen, for a game, a series, and rematches."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from random import Random

from ninefold.cli import program
from ninefold.cli.console import Console, EndOfInput, console_for
from ninefold.cli.prompt import ask_line
from ninefold.cli.setup import (
    LeftBeforeStart,
    Lobby,
    add_game,
    add_setup,
    argument,
    given_setup,
    seeded,
    usage,
)
from ninefold.cli.table import Quit, Table
from ninefold.core.game import Game, Option
from ninefold.core.outcome import LIMIT
from ninefold.match import Match, Player, Series
from ninefold.match.record import clean_name
from ninefold.match.seating import SIDES, choose_side, fill_names, swap_sides, winner_of
from ninefold.players import HUMAN, kind, seat_player
from ninefold.show.moves import cast_of, only_person
from ninefold.show.wishes import say_next_start, say_score
from ninefold.store.files import Matches, MatchFile
from ninefold.store.settings import read_settings

EPILOG = """\
players:
  human            somebody at this terminal (the default)
  random, greedy   any legal move; the move that gains the most right away
  level:1 .. 9     makes mistakes, fewer at each higher level
  sight:1 .. 9     sees the wins and losses of the next 2 to 18 moves, and nothing else
  perfect          never gives away a won position
  program:COMMAND  any program (see docs/players.md)

examples:
  ninefold play shadow --target 15 --name1 Alice --name2 Bob
  ninefold play pattern --p2 level:5
  ninefold play battle --grid 792415863
  ninefold play conquest --size 4 --first random --p1 perfect
  ninefold play cross --seed 7 --best-of 3

At any prompt: ? help, h hint, e eval, u undo, b board, r rules, q quit, resign, and stop in a game
that could go on forever. Every move is saved; `ninefold resume` continues an unfinished game.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    add_game(parser)
    for player in (1, 2):
        parser.add_argument(
            f"--p{player}",
            metavar="PLAYER",
            type=argument(kind),
            default=HUMAN,
            help=f"who plays as Player {player} (default: human)",
        )
        parser.add_argument(
            f"--name{player}",
            metavar="NAME",
            type=argument(clean_name),
            help=f"Player {player}'s name",
        )
    parser.add_argument("--first", choices=SIDES, default="1", help="who starts (default: Player 1)")
    parser.add_argument(
        "--best-of",
        metavar="N",
        type=_best_of,
        help="play a series of up to N games (an odd number); the players take turns starting",
    )
    parser.add_argument(
        "--no-help",
        action="store_true",
        help="turn off hint and eval for this match, also when it is resumed",
    )
    parser.add_argument(
        "--limit",
        metavar="N",
        type=_limit,
        default=LIMIT,
        help=f"stop after N moves, without a winner, if no person plays ({LIMIT})",
    )
    add_setup(parser)


def _best_of(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 3 and int(text) % 2 == 1):
        raise argparse.ArgumentTypeError(f"it must be an odd number from 1 to 99, not {text!r}")
    return int(text)


def _limit(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 7 and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r}: it must be a number from 1 to 999999")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    game: Game = arguments.game
    kinds = (arguments.p1, arguments.p2)
    names = (arguments.name1, arguments.name2)
    with usage():
        setup = given_setup(arguments, game)
        fill_names(names, kinds)  # refuses two equal names now rather than at the table
    if (name := read_settings().name) and kinds.count(HUMAN) == 1:
        person = kinds.index(HUMAN)
        names = (names[0] or name, names[1]) if person == 0 else (names[0], names[1] or name)
    sitting = Sitting(
        console=console_for(arguments),
        game=game,
        setup=setup,
        rng=seeded(arguments),
        kinds=kinds,
        names=names,
        first=arguments.first,
        best_of=arguments.best_of,
        hints=not arguments.no_help,
        limit=arguments.limit,
    )
    status = sitting.start()
    if sitting.to_menu:
        from ninefold.cli import menu

        return menu.run(arguments)
    return status


@dataclass
class Sitting:
    """Two players who sit down for one game or several."""

    console: Console
    game: Game
    setup: Mapping[str, int | str]
    rng: Random
    kinds: tuple[str, str] = (HUMAN, HUMAN)
    names: tuple[str | None, str | None] = (None, None)
    first: str = "1"
    best_of: int | None = None
    hints: bool = True
    limit: int = LIMIT  # on moves, where no person plays
    ask_all: bool = False  # ask for every setting, not only for what the book settles aloud
    score: Series = field(default_factory=lambda: Series(1))  # of a game and its rematches
    to_menu: bool = False  # somebody wants to go to the menu next

    def start(self) -> int:
        """Greet, ask what is open, play. The exit status."""
        lobby = Lobby(self.console, self.game)
        try:
            names = lobby.greet(self.names) if self.kinds == (HUMAN, HUMAN) else self.names
            seat = choose_side(self.first, self.rng)
            series = Series(self.best_of, setup=self.setup) if self.best_of else None
            first, second = fill_names(names, self.kinds)
            players = (Player(first, seat, self.kinds[0]), Player(second, seat.other, self.kinds[1]))
            match = self._new_match(lobby, players, series)
        except LeftBeforeStart:
            return 0
        except EndOfInput:
            self.console.warn("ninefold: input ended before the game began.")
            return 1
        return self.play_on(match, Matches().new())

    def _new_match(self, lobby: Lobby, players: tuple[Player, Player], series: Series | None) -> Match:
        start = lobby.settle(self.setup, self.rng, self._asked)
        return Match(start, players, series=series, hints=self.hints, limit=self.limit)

    def _asked(self, option: Option) -> bool:
        """Whether the table is asked for a setting: if the book does so, and somebody sits there."""
        return self.ask_all or (option.asked and HUMAN in self.kinds)

    def play_on(self, match: Match, saved: MatchFile, *, resumed: bool = False) -> int:
        """Play a match, from its start or from where it was left, and those that follow from it."""
        while (status := self._play(match, saved, resumed=resumed)) is None:
            try:
                following = self._following(match)
            except LeftBeforeStart:
                return 0
            except EndOfInput:
                self.console.warn("ninefold: input ended before the next game began.")
                return 1
            if following is None:
                return 0
            match, saved, resumed = following, Matches().new(), False
        return status

    def _play(self, match: Match, saved: MatchFile, *, resumed: bool) -> int | None:
        """One match to its end: None, or the exit status if it was left before."""
        seated = {
            player.seat: seated
            for player in match.players
            if (seated := seat_player(player.kind, self.rng)) is not None
        }
        with saved, ExitStack() as leaving:
            for player in seated.values():
                leaving.callback(player.close)
            table = Table(self.console, match, saved, seated)
            try:
                table.run(resumed=resumed)
            except Quit:
                self._kept(table)
                return 0
            except EndOfInput:
                self.console.warn("ninefold: input ended before the game did.")
                self._kept(table)
                return 1
            except KeyboardInterrupt:
                self.console.finish_line()
                self._kept(table)
                raise
        # Between two people a pipe gets the book's lines and no others.
        if len(seated) == 1 or (not seated and self.console.interactive):
            self._assess(match, saved)
        return None

    def _kept(self, table: Table) -> None:
        if table.unsaved:
            self.console.warn("ninefold: the match could not be saved.")
        elif not table.match.begun:
            self.console.warn("Nothing was played, so nothing was saved.")
        else:
            self.console.warn(f"The match is saved. To continue: {program()} resume {table.saved.id}")

    def _assess(self, match: Match, saved: MatchFile) -> None:
        """One line on how well each side played."""
        from ninefold.show.reviews import accuracy
        from ninefold.study.reviews import review_match

        found = review_match(match)
        cast = cast_of(match, only_person(match))
        shares = ", ".join(f"{accuracy(found, seat)} for {cast.who(seat)}" for seat in cast.players)
        self.console.say("", f"Accuracy: {shares}.", f"To review it: {program()} review {saved.id}")

    def _following(self, match: Match) -> Match | None:
        """The next game of the series, or a rematch if they want one; the other player starts."""
        cast = cast_of(match, only_person(match))
        winner, (first, second) = winner_of(match), cast.players
        self.score = self.score.after(winner)
        series = match.series
        if series is not None:
            series = series.after(winner)
            self.console.say("", f"Series: {say_score(series, cast)}")
            if not series.over:
                return self._next(match, series)
            wins = series.wins
            best = (first, second)[wins[1] > wins[0]]
            wins_it = "Nobody wins" if wins[0] == wins[1] else cast.subject_does(best, "win")
            self.console.say(f"{wins_it} the best of {series.best_of}!")
            series = Series(series.best_of, setup=series.setup)
        elif sum(self.score.wins) + self.score.stopped > 1:
            self.console.say("", f"Games so far: {say_score(self.score, cast)}")
        if HUMAN not in self.kinds or not self._want_rematch(match):
            return None
        return self._next(match, series)

    def _want_rematch(self, match: Match) -> bool:
        """Whether there is to be another game. Before that, whoever likes can go over the last one."""
        self.console.say("")
        if self.console.interactive:
            self.console.say("y: rematch, v: review this game, m: menu, Enter: leave")
        starts = say_next_start(cast_of(match, only_person(match)))
        while True:
            try:
                typed = ask_line(self.console, f"Rematch? {starts} [y/N] ").strip().lower()
            except EndOfInput:
                return False
            match typed:
                case "y" | "yes":
                    return True
                case "" | "n" | "no" | "q" | "quit" | "exit":
                    return False
                case "m" | "menu":
                    self.to_menu = True
                    return False
                case "v" | "review":
                    from ninefold.cli.review import review

                    self.console.say("")
                    review(self.console, match, only_person(match))
                    self.console.say("")
                case _:
                    self.console.say("Type y for a rematch, or n to stop.")

    def _next(self, match: Match, series: Series | None) -> Match:
        self.console.say("", f"Next game. {say_next_start(cast_of(match, only_person(match)))}")
        return self._new_match(Lobby(self.console, self.game), swap_sides(match), series)
