"""What a contest plays: players, games, how many pairs, and the seed that decides everything drawn."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from ninefold.core.errors import NinefoldError, quote
from ninefold.core.outcome import LIMIT
from ninefold.core.state import State
from ninefold.core.turns import Played, ends_turn
from ninefold.games import load
from ninefold.match.record import NAME_LIMIT, clean_name
from ninefold.players import PERSON, kind, policy_of

OPENING = 2  # random turns before a game in which a program plays, unless the plan says otherwise
OURS, THEIRS = 500, 1  # pairs in a chunk: between players of ours, and with a program
Setup = Mapping[str, int | str]


class Chunk(NamedTuple):
    """Pairs with consecutive numbers between two players in one game."""

    plan: Plan
    game: str
    players: tuple[str, str]
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """A contest. Everybody meets everybody, or in a gauntlet one player meets all others."""

    players: Mapping[str, str]  # by name: the kind
    games: Mapping[str, tuple[str, Setup]]  # by label, such as `shadow:target=15`: slug and settings
    pairs: int = 100  # of each two players in each game; the most, if there is a test
    seed: int = 0
    gauntlet: str = ""  # the player who meets all others
    opening: int | None = None  # random turns that each pair begins with
    limit: int = LIMIT
    memory: int = 1024  # megabytes for each process of a program
    elo: tuple[float, float] | None = None  # of a sequential test between two players

    @staticmethod
    def read(path: Path) -> Plan:
        """The plan in a TOML file, or in the JSON file of a contest's folder. Raises NinefoldError."""
        try:
            text = path.read_text(encoding="utf-8")
            data = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
        except (ValueError, OSError) as error:
            raise NinefoldError(f"{path} is not a plan: {error}") from None
        return Plan.of(data)

    @staticmethod
    def of(data: Mapping[str, Any]) -> Plan:
        """Check a plan given as plain data. Raises NinefoldError."""
        known = {field.name for field in fields(Plan)}
        if wrong := set(data) - known:
            raise NinefoldError(f"A plan has no {quote(min(wrong))}. It has {', '.join(sorted(known))}.")
        for name, least in {"pairs": 1, "opening": 0, "limit": 1, "memory": 16, "seed": None}.items():
            value = data.get(name)
            if value is not None and (type(value) is not int or (least is not None and value < least)):
                raise NinefoldError(f"{name} must be a whole number from {least or 0} up.")
        players = dict(_read_player(text) for text in _texts(data, "players"))
        if len(players) < len(_texts(data, "players")) or len(players) < 2:
            raise NinefoldError("A contest needs two players or more, with different names: a=level:5.")
        games = {label: _read_game(label) for label in _texts(data, "games")}
        gauntlet = data.get("gauntlet", "")
        if gauntlet and gauntlet not in players:
            raise NinefoldError(f"The gauntlet's {quote(str(gauntlet))} is not among the players.")
        elo = data.get("elo")
        rest = {name: data[name] for name in known & set(data) - {"players", "games", "elo"}}
        return Plan(players, games, elo=None if elo is None else (float(elo[0]), float(elo[1])), **rest)

    def to_data(self) -> dict[str, Any]:
        """The plan as plain data, which `of` reads."""
        data = {name: value for name, value in asdict(self).items() if value is not None}
        data["players"] = [f"{name}={what}" for name, what in self.players.items()]
        data["games"] = [*self.games]
        return data

    def differences(self, other: Plan) -> list[str]:
        """What another plan has different, as sentences."""
        ours, theirs = self.to_data(), other.to_data()
        return [
            f"{name}: {_say(ours.get(name))} there, {_say(theirs.get(name))} here"
            for name in sorted({*ours, *theirs})
            if ours.get(name) != theirs.get(name)
        ]

    @property
    def pairings(self) -> list[tuple[str, str]]:
        if self.gauntlet:
            return [(self.gauntlet, other) for other in self.players if other != self.gauntlet]
        return [*combinations(self.players, 2)]

    @property
    def total(self) -> int:
        """The number of pairs; in a test, the most."""
        return self.pairs if self.elo else self.pairs * len(self.pairings) * len(self.games)

    def ours(self, *players: str) -> bool:
        """Whether these players are ours, so that they have a policy."""
        return all(policy_of(self.players[name]) is not None for name in players)

    def chunks(self, done: set[tuple[str, str, str, int]], scale: int = 1) -> Iterator[Chunk]:
        """What is still to be played. Every pairing advances at about the same pace.

        In a test the games take turns, and a chunk is small, so that little is played in vain.
        """
        games = [*self.games]
        sizes = {pair: (OURS if self.ours(*pair) else THEIRS * scale) for pair in self.pairings}
        block = min(max(sizes.values()), 20) if self.elo else max(sizes.values())
        for start in range(0, self.pairs, block):
            for game in games:
                for pair in self.pairings:
                    numbers = range(start, min(start + block, self.pairs))
                    left = [
                        number
                        for number in numbers
                        if (not self.elo or games[number % len(games)] == game)
                        and (game, *pair, number) not in done
                    ]
                    size = sizes[pair]
                    for at in range(0, len(left), size):
                        yield Chunk(self, game, pair, tuple(left[at : at + size]))

    def start(self, game: str, players: tuple[str, str], number: int) -> tuple[State[Any], list[Played]]:
        """The deal of a pair, and its opening, which ends no game. All pairings have the same deals."""
        slug, setup = self.games[game]
        rng = Random(f"{self.seed} {game} deal {number}")
        state = first = load(slug).set_up(setup, rng)
        turns = self.opening
        if turns is None:
            turns = 0 if self.ours(*players) else OPENING
        opening: list[Played] = []
        for _ in range(turns):
            turn: list[Played] = []
            while True:
                seat, before = state.movers[0], state
                move = rng.choice(state.moves(seat))
                state = state.after(move, seat)
                turn.append(Played(seat, move))
                if state.outcome is not None or state.dead or ends_turn(before, state):
                    break
            if state.outcome is not None or state.dead:
                break
            opening += turn
        return first, opening


def _texts(data: Mapping[str, Any], name: str) -> list[str]:
    found = data.get(name)
    if not isinstance(found, list) or not found or not all(isinstance(one, str) for one in found):
        raise NinefoldError(f"A plan needs {name}, as a list of texts.")
    return found


def _read_player(text: str) -> tuple[str, str]:
    """The name and the kind of a player: `mine=program:./mine`, or just the kind."""
    try:
        name, what = "", kind(text)
    except NinefoldError:
        name, equals, rest = text.partition("=")
        if not equals:
            raise
        what = kind(rest)
    if what == PERSON:
        raise NinefoldError("A person cannot play in a contest: name a computer player or a program.")
    return clean_name(name or what[:NAME_LIMIT]), what


def _read_game(label: str) -> tuple[str, Setup]:
    """The game and its settings: `shadow`, `shadow:target=15`."""
    slug, *settings = label.split(":")
    game = load(slug)
    given = dict(setting.partition("=")[::2] for setting in settings)
    game.set_up(given, Random(0))  # raises SetupError
    return game.slug, {
        option.name: option.value(given[option.name]) for option in game.options if option.name in given
    }


def _say(value: object) -> str:
    return "nothing" if value is None else str(value)
