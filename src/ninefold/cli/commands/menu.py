"""The menu that a bare `ninefold` opens on a terminal: choose a game, play it, and return to the menu."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from random import Random
from types import ModuleType
from typing import TypeVar

from ninefold.cli import ToMenu, UsageError
from ninefold.cli.arguments import read_number
from ninefold.cli.commands import host, join, watch
from ninefold.cli.commands.history import show_history
from ninefold.cli.commands.learn import learn, learn_any
from ninefold.cli.commands.play import BEST_OF
from ninefold.cli.commands.puzzle import solve_on
from ninefold.cli.commands.resume import continue_match
from ninefold.cli.console import Console, EndOfInput, console_for
from ninefold.cli.pairing import Pairing
from ninefold.cli.picking import ALLOWED, find_to_review, pick, readable_matches, unfinished_matches
from ninefold.cli.prompt import ask_line, ask_until
from ninefold.cli.reviewing import review
from ninefold.client.lobby import SERVER
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.words import comma_list
from ninefold.games import editions_of, every_game, with_variants
from ninefold.match.seating import NAMES, SIDES, clean_own_name, read_name
from ninefold.players import PERSON, kind
from ninefold.show.layout import columns, width_of
from ninefold.show.lessons import NEW_HERE
from ninefold.show.levels import say_level
from ninefold.show.moves import capitalize, say_edition
from ninefold.show.puzzles import TASKS, describe_failed, say_day, say_progress
from ninefold.store.files.matches import Entry, all_entries
from ninefold.store.files.progress import PuzzleProgress, PuzzleResult, lesson_progress
from ninefold.store.files.settings import UserSettings, read_settings, save_settings
from ninefold.study.puzzles.days import today
from ninefold.study.puzzles.labels import Label, Wanted, draw_label
from ninefold.study.puzzles.making import grades_of, tasks_of

CHOICE = "Your choice: "
FULL_SCREEN = ("full screen", "all of this on one screen, with keys and mouse")
GO_ON = "Enter: menu, q: leave > "
NEXT_PUZZLE = "Enter: menu, n: another like it, q: leave > "
NEXT_HELP = "Press Enter to return to the menu, or type n for the next puzzle."
WAYS = (
    (" 1", "against the computer (or just press Enter)"),
    (" 2", "two people at this screen"),
    (" w", "words for two people: {voice}"),
    (" e", "which edition: {edition}"),
    (" 3", "online, against somebody elsewhere"),
    (" n", "new to it? learn it in three minutes"),
    (" r", "the rules"),
    (" b", "back"),
)
VOICES = ("the rule book's", "ours, with a clearer board")  # and the board that goes with them
ONLINE = (
    (" 1", "start a match and send somebody the link"),
    (" 2", "join a match by its link"),
    (" 3", "watch a match by its link"),
    (" b", "back"),
)


T = TypeVar("T")


def run(arguments: argparse.Namespace) -> int:
    try:
        while True:
            menu = Menu(arguments)
            with suppress(ToMenu):
                status = menu.choose()
                if status:
                    return status
    except EndOfInput:
        return 0


class Menu:
    """The menu, with the settings as they are when it is shown."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.console = console_for(arguments)
        self.settings = read_settings()
        self.games = every_game()
        screen = "tui" in arguments.offered and not self.console.plain
        self.entries: dict[str, tuple[str, str, Callable[[], int]]] = {
            "c": ("continue", "go on with an unfinished match", self._continue),
            "l": ("history", "list your matches", partial(self._show, show_history)),
            "n": ("learn", "new to a game? learn it in three minutes", partial(self._show, learn_any)),
            "p": ("puzzles", "solve today's puzzle, or any other", self._choose_puzzle),
            "v": ("review", "go over a match", self._review),
            "o": ("online", "play or watch on a server", self._play_online),
            "r": ("rules", "read the rules of a game", self._show_rules),
            "s": ("settings", "your name, the computer's level, colors", self._change_settings),
            **({"f": (*FULL_SCREEN, lambda: int(arguments.start(["tui"])))} if screen else {}),
            "q": ("quit", "leave", self._quit),
        }

    def choose(self) -> int:
        """Show the menu once and do what is chosen. Returns an exit status; 0 brings the menu back."""
        console = self.console
        console.say("", console.bold("Ninefold"), "")
        games = [(f" {number}", game.title, game.brief) for number, game in enumerate(self.games, 1)]
        room = console.width or 80
        if any(width_of(line) > room for line in columns(games)):
            games = [(number, title, "") for number, title, _ in games]
        console.say_columns(games)
        console.say("")
        console.say(*self._list_entries(room))
        console.say("")
        if not lesson_progress().results and not all_entries():
            console.say(f"{NEW_HERE} Type n.", "")
        numbers = f"a number from 1 to {len(self.games)}"
        while True:
            typed = ask_line(console, CHOICE).strip().lower()
            for key, (word, _, act) in self.entries.items():
                if typed in (key, word, word.removesuffix("s")) or (typed == "exit" and key == "q"):
                    return self._guard(act)
            if (game := self._find_game(typed)) is not None:
                return self._guard(partial(self._play, game))
            if typed in ("?", "help"):
                console.say_columns(
                    [(f" {key}", word, what) for key, (word, what, _) in self.entries.items()]
                )
            console.say(f"Type {numbers}, a game's name, or one of {', '.join(self.entries)}.")

    def _list_entries(self, width: int) -> list[str]:
        """The letters of the menu with their words, as many on a line as fit."""
        lines = [""]
        for key, (word, _, _) in {**self.entries, "?": ("help", "", None)}.items():
            longer = f"{lines[-1]}  {key} {word}" if lines[-1] else f" {key} {word}"
            if width_of(longer) > width:
                lines.append(f" {key} {word}")
            else:
                lines[-1] = longer
        return lines

    def _show(self, show: Callable[[Console], object]) -> int:
        """Show something, and leave it on the screen until Enter is pressed."""
        show(self.console)
        self._ask(GO_ON, "Press Enter to return to the menu.")
        return 0

    def _guard(self, act: Callable[[], int]) -> int:
        """Do what was chosen. If it is refused, say why and bring the menu back."""
        try:
            return act()
        except (NinefoldError, UsageError) as error:
            self.console.say(str(error))
            return 0

    def _find_game(self, typed: str) -> Game | None:
        if typed in (numbers := [str(number + 1) for number in range(len(self.games))]):
            return self.games[numbers.index(typed)]
        return next((one for one in with_variants() if typed in (one.slug, one.title.lower())), None)

    def _ask(self, prompt: str, allowed: str) -> str:
        """What is typed at a question of the menu. `b` raises ToMenu, and `q` raises EndOfInput."""
        while True:
            typed = ask_line(self.console, prompt).strip()
            match typed.lower():
                case "b" | "back":
                    raise ToMenu
                case "q" | "quit" | "exit":
                    raise EndOfInput
                case "?" | "help":
                    self.console.say(allowed, "Or b to go back, q to leave.")
                case _:
                    return typed

    def _ask_for(
        self, prompt: str, allowed: str, read: Callable[[str], T | None], default: str = ""
    ) -> T:
        """Ask until what is typed, in lower case, can be read. `default` stands for an empty line.

        `read` returns None for what is not allowed.
        """

        def read_typed(typed: str) -> T:
            if (found := read(typed.lower() or default)) is None:
                raise NinefoldError(allowed)
            return found

        return ask_until(self.console, lambda: self._ask(prompt, allowed), read_typed)

    def _ask_game(self) -> Game:
        allowed = f"Type a number from 1 to {len(self.games)}, or a game's name."
        return self._ask_for(f"Which game (1-{len(self.games)}): ", allowed, self._find_game)

    def _pick(self, entries: Sequence[Entry]) -> Entry | str:
        """One of these matches, or what was typed instead of a number."""
        return pick(self.console, entries, lambda prompt: self._ask(prompt, ALLOWED), "b to go back")

    # Playing

    def _play(self, game: Game) -> int:
        console = self.console
        while True:
            console.say("", console.bold(game.title), game.summary, "")
            editions = editions_of(game)
            ways = {
                key.strip(): what.format(
                    voice=VOICES[self.settings.voice == "own"], edition=say_edition(game)
                )
                for key, what in WAYS
                if (key != " w" or game.script is not None) and (key != " e" or len(editions) > 1)
            }
            console.say_columns([(f" {key}", what) for key, what in ways.items()])
            console.say("")
            keys = [key for key in ways if key != "b"]
            allowed = f"Type {', '.join(keys[:-1])} or {keys[-1]}, or just press Enter."
            match self._ask(CHOICE, allowed).lower():
                case "" | "1" | "c" | "computer":
                    return self._play_here(game, self._level())
                case "2":
                    return self._play_here(game, PERSON)
                case "3" | "online":
                    return self._host(game)
                case "n" | "learn":
                    return self._show(partial(learn, game=game))
                case "r" | "rules":
                    console.say_rules(game)
                case "w" if "w" in ways:
                    self._change_voice()
                case "e" if "e" in ways:
                    game = editions[(editions.index(game) + 1) % len(editions)]
                case _:
                    console.say(allowed)

    def _level(self) -> str:
        """The computer's level in the settings, as a kind of player."""
        return _read_level(self.settings.level) or "level:3"

    def _play_here(self, game: Game, opponent: str) -> int:
        """Play against this kind of player, with the usual settings or with others."""
        alone = opponent != PERSON
        name = self.settings.name or None
        pairing = Pairing(self.console, game, {}, Random(), (PERSON, opponent), (name, None))
        if alone:
            usual = f"Level {self.settings.level}. You start. One game."
        else:
            usual = f"{name or NAMES[0]} starts. One game."
        if self._ask(f"{usual} Enter: start, c: change > ", "Press Enter to start, or type c.") != "":
            if alone:
                self._ask_level()
                pairing.kinds = (PERSON, self._level())
                self.console.say(say_level(self._level(), game))
                pairing.coach = self._ask_coach()
            else:
                pairing.names = self._ask_names()
            pairing.first = self._ask_first("1 you, 2 the computer" if alone else "1, 2")
            pairing.best_of = self._ask_best_of()
            pairing.ask_all = True
        self.console.say("")
        return pairing.start()

    def _ask_names(self) -> tuple[str, str]:
        first = self._ask_player_name(1, self.settings.name or NAMES[0], taken=None)
        return first, self._ask_player_name(2, NAMES[1], taken=first)

    def _ask_player_name(self, player: int, default: str, taken: str | None) -> str:
        prompt = f"Player {player}'s name (Enter for {default}): "
        return ask_until(
            self.console,
            lambda: self._ask(prompt, "Type a name, or just press Enter."),
            lambda typed: read_name(typed or default, taken),
        )

    def _ask_level(self) -> None:
        current = self.settings.level
        level = self._ask_for(
            f"Level, 1 to 9 or perfect (Enter for {current}): ",
            "Type a number from 1 to 9, perfect, random or greedy.",
            lambda typed: typed if _read_level(typed) else None,
            default=current,
        )
        self._save(replace(self.settings, level=level))

    def _ask_coach(self) -> bool:
        prompt = "Coach, who stops you at a mistake: y or n (Enter for n): "
        return self._ask_for(prompt, "Type y or n.", {"y": True, "n": False}.get, default="n")

    def _ask_first(self, choices: str) -> str:
        return self._ask_for(
            f"Who starts: {choices} or random (Enter for 1): ",
            f"Type {', '.join(SIDES[:-1])} or {SIDES[-1]}.",
            lambda typed: typed if typed in SIDES else None,
            default="1",
        )

    def _ask_best_of(self) -> int | None:
        """The number of games in a series; None for a single game."""
        games = self._ask_for(
            "Best of how many games (Enter for one game): ",
            "Type an odd number from 1 to 99.",
            lambda typed: read_number(typed, BEST_OF),
            default="1",
        )
        return games if games > 1 else None

    # Matches

    def _continue(self) -> int:
        return continue_match(self.console, self._pick(unfinished_matches()))

    def _review(self) -> int:
        picked = self._pick(readable_matches(over=True))
        match, you = find_to_review(picked if isinstance(picked, str) else picked.id)
        self.console.say("")
        return self._show(partial(review, match=match, you=you))

    # Puzzles

    def _choose_puzzle(self) -> int:
        console, progress, day = self.console, PuzzleProgress(), today()
        console.say("", say_progress(progress.solved, progress.streak(day)), "")
        solved = " (solved)" if progress.results.get(str(day), PuzzleResult()).solved else ""
        again = f"one of those that you did not solve ({len(progress.failed)})"
        rows = [
            (" 1", f"today's: {say_day(day)}{solved}"),
            (" 2", "another: choose the game and the kind"),
            *([(" 3", again)] if progress.failed else []),
            (" b", "back"),
        ]
        console.say_columns(rows)
        console.say("")
        numbers = range(1, len(rows))
        allowed = f"Type a number from 1 to {numbers[-1]}, or just press Enter."
        prompt = "Your choice (Enter for 1): "
        chosen = self._ask_for(prompt, allowed, lambda typed: read_number(typed, numbers), "1")
        if chosen == 1:
            label = Label(day=day)
        else:
            label = self._draw_puzzle() if chosen == 2 else self._pick_failed(progress)
        console.say("")
        solve_on(console, label, lambda: self._ask(NEXT_PUZZLE, NEXT_HELP), plain=not console.color)
        return 0

    def _draw_puzzle(self) -> Label:
        """A puzzle of a game, with a task and a grade if they are chosen."""
        game = self._ask_game()
        tasks = tasks_of(game)
        self.console.say_columns([(f" {k}", capitalize(TASKS[one])) for k, one in enumerate(tasks, 1)])
        task = self._ask_number_of("Which kind (Enter for any): ", tasks)
        grades, grade = grades_of(game, task), 0  # any
        if len(grades) > 1:
            grade = self._ask_for(
                f"Grade, from easy to hard ({comma_list(grades)}; Enter for any): ",
                f"Type one of {comma_list(grades)}, or just press Enter.",
                {str(one): one for one in (grade, *grades)}.get,
                str(grade),
            )
        return draw_label(game, Wanted(task, grade or None))

    def _ask_number_of(self, prompt: str, values: Sequence[T]) -> T | None:
        """One of the values that were listed with numbers from 1 on; None for an empty line."""
        numbers = range(len(values) + 1)
        allowed = f"Type a number from 1 to {len(values)}, or just press Enter."
        chosen = self._ask_for(prompt, allowed, lambda typed: read_number(typed, numbers), "0")
        return values[chosen - 1] if chosen else None

    def _pick_failed(self, progress: PuzzleProgress) -> Label:
        failed = describe_failed(progress.failed)
        if not failed:  # the file has been edited
            raise NinefoldError("No puzzle is left to try again.")
        self.console.say_columns([(f" {k}", said) for k, (_, said) in enumerate(failed, 1)])
        labels = [label for label, _ in failed]
        return self._ask_number_of("Which puzzle (Enter for 1): ", labels) or labels[0]

    # Online

    def _play_online(self) -> int:
        console = self.console
        console.say_columns(ONLINE)
        while True:
            typed = self._ask(CHOICE, "Type 1, 2 or 3.")
            match typed:
                case "1":
                    return self._host(self._ask_game())
                case "2" | "3":
                    link = self._ask("Link: ", "Paste the link that you were sent.")
                    return self._run(join if typed == "2" else watch, "--", link)
                case _:
                    console.say("Type 1, 2, 3 or b.")

    def _host(self, game: Game) -> int:
        server = self._ask(f"Server (Enter for {SERVER}): ", "Type the address of a server.")
        return self._run(host, game.slug, *([f"--server={server}"] if server else []))

    def _run(self, command: ModuleType, *words: str) -> int:
        """Run a command as if it had been typed, with the options given to this menu."""
        parser = argparse.ArgumentParser(argument_default=None)
        command.configure(parser)
        arguments = parser.parse_args(words, argparse.Namespace(**vars(self.arguments)))
        return int(command.run(arguments))

    # The rest

    def _show_rules(self) -> int:
        paged = self.console.say_rules(self._ask_game())
        return 0 if paged else self._show(lambda _: None)

    def _change_settings(self) -> int:
        while True:
            settings = self.settings
            rows = [
                (" 1", "name", settings.name or "none"),
                (" 2", "level", settings.level),
                (" 3", "color", "on" if settings.color else "off"),
                (" 4", "plain", f"{'on' if settings.plain else 'off'} (on: for screen readers)"),
                (" 5", "words", f"between two people: {VOICES[settings.voice == 'own']}"),
            ]
            self.console.say("")
            self.console.say_columns(rows)
            match self._ask("Change which (Enter: done): ", "Type a number from 1 to 5."):
                case "":
                    return 0
                case "1" | "name":
                    self._ask_name()
                case "2" | "level":
                    self._ask_level()
                case "3" | "color":
                    self._save(replace(settings, color=not settings.color))
                case "4" | "plain":
                    self._save(replace(settings, plain=not settings.plain))
                case "5" | "words":
                    self._change_voice()
                case _:
                    self.console.say("Type a number from 1 to 5, or just press Enter.")

    def _change_voice(self) -> None:
        """Choose the other words for two people at this screen."""
        own = self.settings.voice != "own"
        self._save(replace(self.settings, voice="own" if own else "book"))
        self.console.own_voice = own

    def _ask_name(self) -> None:
        typed = self._ask("Your name (Enter for none): ", "Type your name.")
        self._save(replace(self.settings, name=clean_own_name(typed)))

    def _save(self, settings: UserSettings) -> None:
        if settings == self.settings:
            return
        self.settings = settings
        try:
            save_settings(settings)
        except OSError as error:
            self.console.say(f"The settings cannot be saved ({error.strerror}).")

    def _quit(self) -> int:
        raise EndOfInput


def _read_level(text: str) -> str | None:
    """A level as a kind of player: `3` is level:3, and `perfect` is perfect. None if it is no level."""
    for name in (f"level:{text}", text):
        with suppress(NinefoldError):
            if kind(name) != PERSON:
                return kind(name)
    return None
