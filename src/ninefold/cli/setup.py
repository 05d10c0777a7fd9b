"""Who plays, and which game: from flags, or asked at the table."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any, TypeVar

from ninefold.cli import UsageError
from ninefold.cli.console import Console
from ninefold.cli.prompt import ask_line
from ninefold.core.errors import NinefoldError, SetupError
from ninefold.core.game import Game, Option
from ninefold.core.state import State
from ninefold.games import SLUGS, every_game, load
from ninefold.match.record import clean_name
from ninefold.match.seating import NAMES
from ninefold.show.commands import command_word

T = TypeVar("T")


@contextmanager
def usage() -> Iterator[None]:
    """Around what reads the command line: what is refused there is wrong usage."""
    try:
        yield
    except NinefoldError as error:
        raise UsageError(str(error)) from None


def argument(read: Callable[[str], T]) -> Callable[[str], T]:
    """A reader as argparse wants it: what it refuses is a wrong argument, and why is told."""

    def reading(text: str) -> T:
        try:
            return read(text)
        except NinefoldError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return reading


def add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", type=argument(load), help=f"one of {', '.join(SLUGS)}")


def add_setup(parser: argparse.ArgumentParser, *, seed: bool = True) -> None:
    """A flag for every option of every game, and the seed for what is left to chance."""
    group = parser.add_argument_group("setup")
    games: dict[str, list[str]] = {}
    options = {}
    for game in every_game():
        for option in game.options:
            games.setdefault(option.name, []).append(game.slug)
            options[option.name] = option
    for name, option in options.items():
        group.add_argument(
            f"--{name}",
            metavar=name.upper(),
            dest=f"setup_{name}",
            help=f"{' and '.join(games[name])}: {option.allowed}",
        )
    if seed:
        group.add_argument(
            "--seed", metavar="SEED", help="any number or word; the same seed gives the same setup"
        )


def given_setup(arguments: argparse.Namespace, game: Game) -> dict[str, int | str]:
    """The settings given by flags, checked. Raises SetupError."""
    given = {
        name.removeprefix("setup_"): value
        for name, value in vars(arguments).items()
        if name.startswith("setup_") and value is not None
    }
    known = {option.name: option for option in game.options}
    for name in given:
        if name not in known:
            takes = ", ".join(f"--{option}" for option in known) or "no settings"
            raise SetupError(f"{game.title} has no --{name}. It takes {takes}.")
    return {name: known[name].value(value) for name, value in given.items()}


def seeded(arguments: argparse.Namespace) -> Random:
    return Random(arguments.seed)  # None draws from the system


class Lobby:
    """The questions before a game. At each of them help, rules and quit are understood."""

    def __init__(self, console: Console, game: Game) -> None:
        self.console = console
        self.game = game

    def greet(self, given: tuple[str | None, str | None]) -> tuple[str | None, str | None]:
        """Greet two people as the rule book does; their names, asked for where the book asks."""
        script = self.game.script
        if script is not None and script.greeting and not self.console.plain:
            self.console.say(*script.greeting, "")
        if script is None or not script.asks_names:
            return given
        first = given[0] or self._name(1, taken=given[1])
        second = given[1] or self._name(2, taken=first)
        if None in given:
            self.console.say("")
        return first, second

    def _name(self, player: int, taken: str | None) -> str:
        while True:
            default = NAMES[player - 1]
            typed = self._ask(
                f"Player {player}, enter your name: ",
                f"Type a name, or just press Enter to be {default}.",
            )
            try:
                name = clean_name(typed) if typed else default
            except NinefoldError as error:
                self.console.say(str(error))
                continue
            if name != taken:
                return name
            self.console.say(f"{name} is already at this table. Choose another name.")

    def settle(
        self, setup: Mapping[str, int | str], rng: Random, ask: Callable[[Option], bool]
    ) -> State[Any]:
        """The first position, with the settings that the table still has to agree on."""
        settled = dict(setup)
        asked = [option for option in self.game.options if option.name not in setup and ask(option)]
        for option in asked:
            while option.name not in settled:
                typed = self._ask(option.prompt, f"It must be {option.allowed}.")
                if not typed:
                    break
                try:
                    settled[option.name] = option.value(typed)
                except SetupError as error:
                    self.console.say(str(error))
        if asked:
            self.console.say("")
        return self.game.set_up(settled, rng)

    def _ask(self, prompt: str, allowed: str) -> str:
        self.console.announce_help()
        while True:
            typed = ask_line(self.console, prompt).strip()
            match command_word(typed):
                case "help":
                    self.console.say(allowed, "You can also type rules or quit.")
                case "rules":
                    self.console.say_rules(self.game)
                case "board" | "undo" | "resign" | "stop" | "hint" | "eval" if len(typed) > 1:
                    self.console.say("The game has not started yet.")
                case "quit":
                    raise LeftBeforeStart
                case _:
                    return typed


class LeftBeforeStart(Exception):
    """Somebody typed quit before there was a game to keep."""
