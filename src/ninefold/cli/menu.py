"""A bare `ninefold` on a terminal: choose a game, read its rules, continue a match, start one."""

from __future__ import annotations

import argparse
from contextlib import suppress
from random import Random

from ninefold.cli.console import Console, EndOfInput, columns, console_for
from ninefold.cli.play import Sitting
from ninefold.cli.puzzle import run_daily
from ninefold.cli.resume import resume
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.games import every_game
from ninefold.players import HUMAN, kind

CHOICES = """\
 Enter  two people at this screen
 c      against the computer
 s      two people, with settings
 r      the rules
 b      back"""


def run(arguments: argparse.Namespace) -> int:
    console = console_for(arguments)
    games = every_game()
    try:
        while True:
            _show(console, games)
            choices = f"Choose a game (1-{len(games)}), p for a puzzle, r to resume, q to quit: "
            typed = console.ask(choices).strip().lower()
            if typed in ("q", "quit", "exit"):
                return 0
            if typed in ("p", "puzzle"):
                run_daily(console)
            elif typed in ("r", "resume"):
                try:
                    return resume(console, None)
                except NinefoldError as error:
                    console.say(str(error))
            elif (game := _chosen(games, typed)) is None:
                console.say(f"Type a number from 1 to {len(games)}, a game's name, p, r or q.")
            elif (status := _game_menu(console, game)) is not None:
                return status
    except EndOfInput:
        return 0


def _show(console: Console, games: tuple[Game, ...]) -> None:
    console.say("", console.bold("Ninefold"), "")
    rows = [(f" {number}", game.title, game.summary) for number, game in enumerate(games, 1)]
    console.say(*columns(rows), "")


def _chosen(games: tuple[Game, ...], typed: str) -> Game | None:
    for number, game in enumerate(games, 1):
        if typed in (str(number), game.slug, game.title.lower()):
            return game
    return None


def _game_menu(console: Console, game: Game) -> int | None:
    """Play the chosen game: its exit status, or None to go back."""
    while True:
        console.say("", console.bold(game.title), *CHOICES.splitlines(), "")
        typed = console.ask("Your choice: ")
        match typed.strip().lower():
            case "" | "start":
                return Sitting(console, game, {}, Random()).start()
            case "c" | "computer":
                kinds = (HUMAN, _opponent(console))
                first = _who_starts(console, "1 for you, 2 for the computer, or random")
                return Sitting(console, game, {}, Random(), kinds, first=first).start()
            case "s" | "settings":
                first = _who_starts(console)
                return Sitting(console, game, {}, Random(), first=first, ask_all=True).start()
            case "r" | "rules":
                console.say("", *game.rules.splitlines(), "")
            case "b" | "back":
                return None
            case "q" | "quit" | "exit":
                raise EndOfInput
            case _:
                console.say("Type c, s, r or b, or just press Enter.")


def _opponent(console: Console) -> str:
    while True:
        typed = console.ask("How strong: 1 to 9, or perfect (Enter for 3)? ").strip().lower()
        for name in (f"level:{typed or 3}", typed):
            with suppress(NinefoldError):
                if kind(name) != HUMAN:
                    return kind(name)
        console.say("Type a number from 1 to 9, perfect, random or greedy.")


def _who_starts(console: Console, choices: str = "1, 2 or random") -> str:
    while True:
        typed = console.ask(f"Who starts: {choices} (Enter for 1)? ").strip().lower()
        if typed in ("", "1", "2", "random", "r"):
            return "random" if typed == "r" else typed or "1"
        console.say("Type 1, 2 or random.")
