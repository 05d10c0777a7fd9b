"""`ninefold play GAME`: play at this terminal: a game, a series, rematches."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from ninefold.cli import program
from ninefold.cli.arguments import (
    add_game,
    add_setup,
    argument_type,
    make_rng,
    number_type,
    read_setup,
    usage_errors,
)
from ninefold.cli.console import Console, EndOfInput, console_for
from ninefold.cli.local import LocalMatch
from ninefold.cli.prompt import Quit, ask_line
from ninefold.cli.setup import SetupQuestions
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game, Option
from ninefold.core.outcome import LIMIT
from ninefold.match import Match
from ninefold.match.record import clean_name
from ninefold.match.seating import SIDES, fill_names
from ninefold.players import PERSON, kind
from ninefold.show.moves import cast_of, only_person
from ninefold.show.offers import say_next_start, say_score, say_series_result
from ninefold.store.settings import read_settings
from ninefold.table.file import FileTable

BEST_OF = range(1, 100, 2)  # how many games a series may have

EPILOG = """\
players:
  person           somebody at this terminal (the default)
  random, greedy   any legal move; the move that gains the most right away
  level:1 .. 9     makes mistakes, fewer at each higher level
  sight:1 .. 9     sees the wins and losses of the next 2 to 18 moves, and nothing else
  perfect          never gives away a won position
  program:COMMAND  any program (see docs/players.md); program@60:COMMAND has 60 seconds for a move

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
            type=argument_type(kind),
            default=PERSON,
            help=f"who plays as Player {player} (default: person)",
        )
        parser.add_argument(
            f"--name{player}",
            metavar="NAME",
            type=argument_type(clean_name),
            help=f"Player {player}'s name",
        )
    parser.add_argument("--first", choices=SIDES, default="1", help="who starts (default: Player 1)")
    parser.add_argument(
        "--best-of",
        metavar="N",
        type=number_type(BEST_OF, "an odd number"),
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
        type=number_type(range(1, 1_000_000)),
        default=LIMIT,
        help=f"stop after N moves, without a winner, if no person plays ({LIMIT})",
    )
    add_setup(parser)


def run(arguments: argparse.Namespace) -> int:
    game: Game = arguments.game
    kinds = (arguments.p1, arguments.p2)
    names = (arguments.name1, arguments.name2)
    with usage_errors():
        setup = read_setup(arguments, game)
        fill_names(names, kinds)  # refuses two equal names here, where that is wrong usage
    if (name := read_settings().name) and kinds.count(PERSON) == 1:
        person = kinds.index(PERSON)
        names = (names[0] or name, names[1]) if person == 0 else (names[0], names[1] or name)
    pairing = Pairing(
        console=console_for(arguments),
        game=game,
        setup=setup,
        rng=make_rng(arguments),
        kinds=kinds,
        names=names,
        first=arguments.first,
        best_of=arguments.best_of,
        hints=not arguments.no_help,
        limit=arguments.limit,
    )
    status = pairing.start()
    if pairing.to_menu:
        from ninefold.cli import menu

        return menu.run(arguments)
    return status


@dataclass
class Pairing:
    """Two players who play each other at this terminal, one game or several."""

    console: Console
    game: Game
    setup: Mapping[str, int | str]
    rng: Random
    kinds: tuple[str, str] = (PERSON, PERSON)
    names: tuple[str | None, str | None] = (None, None)
    first: str = "1"
    best_of: int | None = None
    hints: bool = True
    limit: int = LIMIT  # on moves, where no person plays
    ask_all: bool = False  # ask for every setting, not only for those that the rule book asks for
    to_menu: bool = False  # whether the player asked for the menu at the end

    def start(self) -> int:
        """Ask what has to be known before the first game, then play. The exit status."""
        questions = SetupQuestions(self.console, self.game)
        try:
            names = questions.greet(self.names) if self.kinds == (PERSON, PERSON) else self.names
            table = FileTable.new(
                self.game,
                self.kinds,
                names,
                self.setup,
                first=self.first,
                best_of=self.best_of,
                hints=self.hints,
                limit=self.limit,
                rng=self.rng,
                start=lambda: questions.set_up(self.setup, self.rng, self._is_asked),
            )
        except Quit:
            return 0
        except EndOfInput:
            self.console.warn("ninefold: input ended before the game began.")
            return 1
        return self.play_from(table)

    def _is_asked(self, option: Option) -> bool:
        """Whether to ask for a setting: if the rule book does so, and a person plays."""
        return self.ask_all or (option.asked and PERSON in self.kinds)

    def play_from(self, table: FileTable, *, resumed: bool = False) -> int:
        """Play a match from where it stands, and then those that follow it. The exit status."""
        while (status := self._play(table, resumed=resumed)) is None:
            try:
                following = self._follow(table)
            except Quit:
                return 0
            except EndOfInput:
                self.console.warn("ninefold: input ended before the next game began.")
                return 1
            if following is None:
                return 0
            table, resumed = following, False
        return status

    def _play(self, table: FileTable, *, resumed: bool) -> int | None:
        """Play one match. Returns None at its end, and the exit status if it was left before that."""
        try:
            LocalMatch(self.console, table).run(resumed=resumed)
        except Quit:
            self._say_how_to_continue(table)
            return 0
        except EndOfInput:
            self.console.warn("ninefold: input ended before the game did.")
            self._say_how_to_continue(table)
            return 1
        except KeyboardInterrupt:
            self.console.finish_line()
            self._say_how_to_continue(table)
            raise
        finally:
            table.leave()
        # Between two people, a pipe gets only the rule book's lines.
        if len(table.computers) == 1 or (not table.computers and self.console.interactive):
            self._say_accuracy(table)
        return None

    def _say_how_to_continue(self, table: FileTable) -> None:
        if table.unsaved:
            self.console.warn("ninefold: the match could not be saved.")
        elif not table.match.begun:
            self.console.warn("Nothing was played, so nothing was saved.")
        else:
            self.console.warn(f"The match is saved. To continue: {program()} resume {table.saved.id}")

    def _say_accuracy(self, table: FileTable) -> None:
        from ninefold.analysis import NoValues
        from ninefold.show.reviews import accuracy
        from ninefold.study.reviews import review_match

        try:
            found = review_match(table.match)
        except NoValues:
            self.console.say("", f"To see it again: {program()} replay {table.saved.id}")
            return
        cast = cast_of(table.match, table.you)
        shares = ", ".join(f"{accuracy(found, seat)} for {cast.who(seat)}" for seat in cast.players)
        self.console.say("", f"Accuracy: {shares}.", f"To review it: {program()} review {table.saved.id}")

    def _follow(self, table: FileTable) -> FileTable | None:
        """The next match of the series, or a rematch; None if there is none. The other player starts."""
        cast, score = cast_of(table.match, table.you), table.score
        if score is not None:
            title = "Games so far" if score.best_of is None else "Series"
            self.console.say("", f"{title}: {say_score(score, cast)}")
        if score is not None and score.over:
            self.console.say(say_series_result(score, cast))
        going_on = score is not None and score.best_of is not None and not score.over
        if not going_on and (PERSON not in self.kinds or not self._ask_rematch(table.match)):
            return None
        self.console.say("", say_next_start("Next game.", self.game, cast))
        questions = SetupQuestions(self.console, self.game)
        return table.follow(lambda: questions.set_up(self.setup, self.rng, self._is_asked))

    def _ask_rematch(self, match: Match) -> bool:
        """Ask whether to play a rematch. The players can review the last game first."""
        self.console.say("")
        if self.console.interactive:
            self.console.say("y: rematch, v: review this game, m: menu, Enter: leave")
        question = say_next_start("Rematch?", match.game, cast_of(match, only_person(match)))
        while True:
            try:
                typed = ask_line(self.console, f"{question} [y/N] ").strip().lower()
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
                    try:
                        review(self.console, match, only_person(match))
                    except NinefoldError as error:
                        self.console.say(str(error))
                    self.console.say("")
                case _:
                    self.console.say("Type y for a rematch, or n to stop.")
