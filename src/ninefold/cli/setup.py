"""The questions before a game: names and settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from ninefold.cli.command_words import command_word
from ninefold.cli.console import Console
from ninefold.cli.prompt import ask_line, ask_until, leave
from ninefold.cli.voice import find_book
from ninefold.core.game import Game, Option
from ninefold.core.state import State
from ninefold.match.seating import NAMES, read_name

BRIEF = 40  # the most characters of what is allowed that a question says by itself


class SetupQuestions:
    """Asks what has to be known before a game. Help, rules and quit work at each question.

    The methods raise Quit and EndOfInput.
    """

    def __init__(self, console: Console, game: Game, *, alone: bool = False) -> None:
        self.console = console
        self.game = game
        self.script = find_book(game, console.screen, people=not alone, own=console.own_voice)

    def greet(self, given: tuple[str | None, str | None]) -> tuple[str | None, str | None]:
        """Greet two people as the rule book does, and ask for names where the book does. The names."""
        if self.script is not None and self.script.greeting:
            self.console.say(*self.script.greeting, "")
        if self.game.script is None or not self.game.script.asks_names:
            return given
        first = given[0] or self._ask_name(1, taken=given[1])
        second = given[1] or self._ask_name(2, taken=first)
        if None in given:
            self.console.say("")
        return first, second

    def _ask_name(self, player: int, taken: str | None) -> str:
        default = NAMES[player - 1]
        allowed = f"Type a name, or just press Enter to be {default}."
        return ask_until(
            self.console,
            lambda: self._ask(f"Player {player}, enter your name: ", allowed),
            lambda typed: read_name(typed or default, taken),
        )

    def set_up(
        self, setup: Mapping[str, int | str], rng: Random, asked: Callable[[Option], bool]
    ) -> State[Any]:
        """Ask for the settings that are not in `setup` and that `asked` chooses. The first position."""
        options = [option for option in self.game.options if option.name not in setup and asked(option)]
        answers = {option.name: self._ask_setting(option) for option in options}
        if options:
            self.console.say("")
        given = {name: value for name, value in answers.items() if value is not None}
        return self.game.set_up({**setup, **given}, rng)

    def _ask_setting(self, option: Option) -> int | str | None:
        """A setting; None if it is left to be drawn."""
        return ask_until(
            self.console,
            lambda: self._ask(self.prompt_for(option), f"It must be {option.allowed}."),
            lambda typed: option.value(typed) if typed else None,
        )

    def prompt_for(self, option: Option) -> str:
        """The rule book's question for a setting, or else our own."""
        usual = "to draw one" if option.default is None else f"for {option.default}"
        allowed = option.allowed if len(option.allowed) <= BRIEF else "? says how to type it"
        own = f"{option.name.capitalize()} ({allowed}; Enter {usual}): "
        return own if self.script is None else self.script.prompts.get(option.name, own)

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
                    leave()
                case _:
                    return typed
