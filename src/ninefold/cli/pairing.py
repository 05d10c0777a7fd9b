"""Two players who play each other at this terminal: a game, a series, rematches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from random import Random

from ninefold.cli import ToMenu, program
from ninefold.cli.console import Console, EndOfInput
from ninefold.cli.local import LocalMatch
from ninefold.cli.prompt import Quit, ask_line, play_to_end
from ninefold.cli.setup import SetupQuestions
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game, Option
from ninefold.core.outcome import LIMIT
from ninefold.match import Match
from ninefold.match.seating import only_person
from ninefold.players import PERSON
from ninefold.show.moves import cast_of
from ninefold.show.offers import say_next_start, say_score, say_series_result
from ninefold.table.file import FileTable

AFTER_A_GAME = "y: rematch, v: review this game, m: menu, Enter: leave"


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
    coach: bool = False
    limit: int = LIMIT  # on moves, where no person plays
    ask_all: bool = False  # ask for every setting, not only for those that the rule book asks for

    def start(self) -> int:
        """Ask what has to be known before the first game, then play. The exit status."""
        questions = SetupQuestions(self.console, self.game, alone=self.kinds != (PERSON, PERSON))
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
                coach=self.coach,
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
        play = partial(LocalMatch(self.console, table).run, resumed=resumed)
        try:
            status = play_to_end(self.console, play, partial(self._say_how_to_continue, table))
        finally:
            table.leave()
        if status is not None:
            return status
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
        from ninefold.cli.reviewing import ask_moments
        from ninefold.show.reviews import accuracy, say_points_lost
        from ninefold.study.reviews import review_match

        try:
            found = review_match(table.match)
        except NoValues:
            self.console.say("", f"To see it again: {program()} replay {table.saved.id}")
            return
        cast = cast_of(table.match, table.you)
        shares = ", ".join(f"{accuracy(found, seat)} for {cast.who(seat)}" for seat in cast.players)
        points = filter(None, [say_points_lost(found, cast)])
        review = f"To review it: {program()} review {table.saved.id}"
        self.console.say("", f"Accuracy: {shares}.", *points)
        ask_moments(self.console, table)
        self.console.say(*table.suggest_level(), review)

    def _follow(self, table: FileTable) -> FileTable | None:
        """The next match of the series, or a rematch; None if there is none. The other player starts."""
        cast, score = cast_of(table.match, table.you), table.sitting.score
        if score is not None:
            self.console.say("", say_score(score, cast))
        if score is not None and score.over:
            self.console.say(say_series_result(score, cast))
        goes_on = score is not None and score.goes_on
        if not goes_on and not (table.people and self._ask_rematch(table.match)):
            return None
        self.console.say("", say_next_start("Next game.", self.game, cast))
        questions = SetupQuestions(self.console, self.game, alone=self.kinds != (PERSON, PERSON))
        return table.follow(lambda: questions.set_up(self.setup, self.rng, self._is_asked))

    def _ask_rematch(self, match: Match) -> bool:
        """Ask whether to play a rematch. The players can review the last game first."""
        keys = AFTER_A_GAME if self.console.interactive else ""
        self.console.say("", *filter(None, [keys]))
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
                    raise ToMenu
                case "v" | "review":
                    from ninefold.cli.reviewing import review

                    self.console.say("")
                    try:
                        review(self.console, match, only_person(match))
                    except NinefoldError as error:
                        self.console.say(str(error))
                    self.console.say("")
                case _:
                    self.console.say(keys or "Type y for a rematch, or n to stop.")
