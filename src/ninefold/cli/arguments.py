"""Arguments that several commands share, and how argparse reads them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import TypeVar

from ninefold.cli import UsageError
from ninefold.core.errors import NinefoldError, SetupError
from ninefold.core.game import Game
from ninefold.games import every_game, load, say_slugs

T = TypeVar("T")


@contextmanager
def usage_errors() -> Iterator[None]:
    """While arguments are read: what the game refuses is wrong usage."""
    try:
        yield
    except NinefoldError as error:
        raise UsageError(str(error)) from None


def argument_type(read: Callable[[str], T]) -> Callable[[str], T]:
    """Make a function that raises NinefoldError a `type` for argparse, which says the reason."""

    def read_argument(text: str) -> T:
        try:
            return read(text)
        except NinefoldError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return read_argument


def number_type(numbers: range, what: str = "a number") -> Callable[[str], int]:
    """A `type` for argparse that allows these numbers. `what` says in an error which ones they are."""

    def read_argument(text: str) -> int:
        if (number := read_number(text, numbers)) is None:
            allowed = f"{what} from {numbers[0]} to {numbers[-1]}"
            raise argparse.ArgumentTypeError(f"it must be {allowed}, not {text!r}")
        return number

    return read_argument


def read_number(text: str, numbers: range) -> int | None:
    """The number in a text, if it is one of these."""
    digits = text.isascii() and text.isdigit() and len(text) <= len(str(numbers[-1]))
    return int(text) if digits and int(text) in numbers else None


def add_voice(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--voice",
        choices=("book", "own"),
        help="between two people: the rule book's words (book), or ours with a clearer board (own)",
    )


def add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", type=argument_type(load), help=f"one of {say_slugs()}")


def add_setup(parser: argparse.ArgumentParser, *, seed: bool = True) -> None:
    """Add a flag for every setting of every game, and the seed for what is drawn at random."""
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


def read_setup(arguments: argparse.Namespace, game: Game) -> dict[str, int | str]:
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


def make_rng(arguments: argparse.Namespace) -> Random:
    """A generator with the seed given by `--seed`; without one, it is seeded by the system."""
    return Random(arguments.seed)
