"""Asks a player in many positions and games, and keeps every answer: one JSON line per decision.

A run that was interrupted goes on where it stopped: what its file holds is not asked again.
"""

from __future__ import annotations

import argparse
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from fractions import Fraction
from pathlib import Path
from queue import SimpleQueue
from random import Random
from time import monotonic
from typing import IO, Any, TypeVar

from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.turns import Played
from ninefold.games import SLUGS, load, say_slugs
from ninefold.players import Chooser, Failure, PlayerFailed, SeenRecord
from ninefold.players.policy import PolicyPlayer
from ninefold.store.files.lines import append_lines, cut_torn_line, lock_lines, open_lines, read_lines
from ninefold.study import episode as games
from ninefold.study.answers import Parts, distribution_of, record_data
from ninefold.study.contests import score_game
from ninefold.study.positions import COUNT, SetPosition, make_set
from ninefold.study.reports import Scored
from ninefold.study.scores import chance, regrets
from ninefold.text.chat import Spent, ask_model, episode_at, read_count
from ninefold.text.endpoint import Endpoint
from ninefold.text.episode import TextEpisode
from ninefold.text.prompt import Message, TextTask
from ninefold.text.twins import Twin, make_twin

Line = dict[str, Any]  # one decision or one game, as it is saved
T = TypeVar("T")
U = TypeVar("U")
SURE = Fraction(1)
NOTHING = Spent()


@dataclass(frozen=True, slots=True)
class Decided:
    """What a player chose, by action, or how it failed."""

    parts: Parts
    failure: Failure | None = None
    why: str = ""
    prompt: Sequence[Message] = ()
    answers: Sequence[str] = ()
    spent: Spent = NOTHING


@dataclass(frozen=True, slots=True)
class Model:
    """A model at an endpoint."""

    endpoint: Endpoint
    seconds: float

    def decide(self, episode: TextEpisode) -> Decided:
        spent = ask_model(episode, self.endpoint, self.seconds)
        parts = {} if episode.move is None else {episode.state.game.index(episode.move): SURE}
        return Decided(parts, episode.failure, episode.why, episode.messages, episode.answers, spent)

    def close(self) -> None:
        """Do nothing: nothing is open between two answers."""


@dataclass(frozen=True, slots=True)
class Named:
    """A player of ours, or a program. Ours say how likely each of their moves is."""

    player: Chooser

    def decide(self, episode: TextEpisode) -> Decided:
        state, seat, began = episode.state, episode.seat, monotonic()

        def record() -> dict[str, Any]:
            return record_data(state, episode.played, seat)

        try:
            parts, failed = distribution_of(self.player, state, seat, record), None
        except PlayerFailed as error:
            parts, failed = {}, error
        spent = Spent(seconds=monotonic() - began)
        return Decided(parts, None if failed is None else failed.failure, str(failed or ""), spent=spent)

    def close(self) -> None:
        self.player.close()


Asked = Model | Named


@dataclass(frozen=True, slots=True)
class TextQuestion:
    """A position of a set, or its twin, and what is told about it."""

    set: str  # the name of the set
    number: int  # in the set
    position: SetPosition
    twin: Twin
    task: TextTask

    @property
    def game(self) -> str:
        return self.position.state.game.slug

    @property
    def pair(self) -> str:
        """What a position shares with its twins."""
        return f"{self.game}-{self.number}"

    @property
    def id(self) -> str:
        return f"{self.pair}-{self.twin}" if self.twin else self.pair

    @property
    def key(self) -> Line:
        """What identifies it among the lines of a player."""
        return {
            "set": self.set,
            "task": self.task.name,
            "game": self.game,
            "number": self.number,
            "twin": str(self.twin),
        }


def add_sets(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which positions are asked."""
    parser.add_argument("--games", nargs="+", metavar="GAME", help=f"some of {say_slugs()} (all games)")
    parser.add_argument(
        "--positions", type=read_count, default=COUNT, metavar="N", help=f"positions per game ({COUNT})"
    )
    parser.add_argument(
        "--seed", type=int, default=0, metavar="S", help="another seed is a fresh set (0)"
    )


def read_games(arguments: argparse.Namespace) -> list[str]:
    """The games that were named, or all of them. Raises SetupError."""
    return [load(word).slug for one in arguments.games or SLUGS for word in one.split(",")]


def questions(
    slugs: Sequence[str], count: int, seed: int, tasks: Sequence[TextTask], twins: Sequence[Twin]
) -> Iterator[TextQuestion]:
    """All questions of a run. A position and its twins are a pair: they share their number."""
    for slug in slugs:
        found = make_set(slug, count, seed, {})
        for number, position in enumerate(found.positions):
            for twin in dict.fromkeys((Twin.NONE, *twins)):
                made = make_twin(position, twin, f"{found.name} {number} {twin}")
                if made is not None:
                    yield from (TextQuestion(found.name, number, made, twin, task) for task in tasks)


@contextmanager
def open_run(path: Path | None) -> Iterator[IO[bytes] | None]:
    """The file of a run; None if its lines are in memory alone.

    No other run may write to it meanwhile, because it would ask everything again. Raises NinefoldError.
    """
    if path is None:
        yield None
        return
    with open_lines(path) as file:
        lock_lines(file, path)
        yield file


class Saved:
    """The lines of a player in the file of a run, which is only ever appended to, or in memory alone."""

    def __init__(self, file: IO[bytes] | None, player: str) -> None:
        """Read what the file holds. Raises NinefoldError if it is damaged."""
        self.path = None if file is None else Path(file.name)
        self.player, self._file = player, file
        self._lock = threading.Lock()
        kept = [] if self.path is None else read_lines(self.path)
        self._known = {identity(line): line for line in kept if line.get("player") == player}
        self.lines = [*self._known.values()]
        if file is not None:
            cut_torn_line(file)

    def find(self, key: Line) -> Line | None:
        return self._known.get(identity({"player": self.player, **key}))

    def add(self, line: Line) -> None:
        """Keep a line. It is on its way to the disk before anybody goes on."""
        with self._lock:
            self.lines.append(line)
            self._known[identity(line)] = line
            if self._file is not None:
                append_lines(self._file, [json.dumps(line)])


IDENTITY = ("player", "kind", "set", "task", "game", "number", "twin", "ply", "seat")


def identity(line: Line) -> tuple[Any, ...]:
    """What a line is about. Where files were put together, the last line about the same counts."""
    parts = {"kind": "position", **line}
    if parts["kind"] != "decision":
        parts = {**parts, "seat": None}  # which follows from its number
    return tuple(parts.get(name) for name in IDENTITY)


def ask_all(
    asked: Sequence[TextQuestion],
    seat: Callable[[], Asked],
    saved: Saved,
    parallel: int,
    progress: Callable[[], None],
) -> None:
    """Ask a player all questions that have no answer yet, several at a time. Raises EndpointError."""

    def keep(question: TextQuestion, decided: Decided) -> None:
        saved.add(position_line(saved.player, question, decided))
        progress()

    todo = [one for one in asked if saved.find(one.key) is None]
    _work(todo, lambda: [seat()], ask_question, keep, parallel)


def ask_question(players: Sequence[Asked], question: TextQuestion) -> Decided:
    return players[0].decide(TextEpisode.of(question.position, question.task, question.twin))


def position_line(player: str, question: TextQuestion, decided: Decided) -> Line:
    """The answer to a question, as it is saved."""
    position = question.position
    line = {"kind": "position", "player": player, **question.key, "stage": position.stage}
    return {**line, **score(decided, position.state, position.seat, position.played)}


def score(decided: Decided, state: State[Any], seat: Seat, played: Sequence[Played]) -> Line:
    """A decision with its exact score. An answer that failed gives away the whole chance there was."""
    game, lost, whole = state.game, regrets(state, seat), chance(state, seat)
    parts, failure = decided.parts or {-1: SURE}, decided.failure
    if failure is None and not parts.keys() <= lost.keys():
        failure = Failure.ILLEGAL
    best = [action for action, cost in lost.items() if not cost]
    only = len(lost) > 1 and len(best) == 1
    cost = sum((part * lost.get(action, whole) for action, part in parts.items()), Fraction(0))
    return {
        "seat": str(seat),
        "setup": dict(state.setup),
        "moves": [str(one.move) for one in played],
        "prompt": list(decided.prompt),
        "answers": list(decided.answers),
        "choice": {str(game.moves[k]): str(part) for k, part in parts.items() if k in lost},
        "failure": failure and str(failure),
        "why": decided.why,
        "regret": str(cost),
        "chance": str(whole),
        "random": str(sum(lost.values(), Fraction(0)) / len(lost)),
        "real": any(lost.values()),
        "only": only,
        "found": str(parts.get(best[0], 0)) if only else "0",
        "tokens": list(decided.spent.tokens),
        "seconds": round(decided.spent.seconds, 3),
        "retries": max(0, len(decided.answers) - 1),
    }


def _work(
    todo: Sequence[T],
    seat: Callable[[], Sequence[Asked]],
    work: Callable[[Sequence[Asked], T], U],
    keep: Callable[[T, U], None],
    parallel: int,
) -> None:
    """Do work in threads, each with players of its own, and keep each result as it comes.

    Somebody who interrupts waits for no answer, which may take minutes, but whatever has been answered
    is kept. Raises what a thread has raised.
    """
    pieces, seated = iter(todo), list[Asked]()
    results = SimpleQueue[tuple[T, U] | BaseException | None]()
    failed, lock, done = list[BaseException](), threading.Lock(), threading.Event()

    def run() -> None:
        try:
            players = seat()
            seated.extend(players)
            while True:
                with lock:
                    piece = next(pieces, None)
                if piece is None:
                    return
                results.put((piece, work(players, piece)))
        except BaseException as error:  # whoever waits for the results raises it again
            results.put(error)

    def keep_results() -> None:
        """Keep what comes. It has a thread of its own because Ctrl-C interrupts the main one anywhere."""
        left = len(todo)
        try:
            while left and not (failed and results.empty()):
                found = results.get()
                if found is None:
                    return
                if isinstance(found, BaseException):
                    failed.append(found)
                else:
                    keep(*found)
                    left -= 1
        except BaseException as error:
            failed.append(error)
        finally:
            done.set()

    threads = [threading.Thread(target=run, daemon=True) for _ in range(min(parallel, len(todo)))]
    for thread in (*threads, threading.Thread(target=keep_results, daemon=True)):
        thread.start()
    try:
        done.wait()
    finally:
        with lock:
            pieces = iter(())
        results.put(None)
        done.wait()
        for player in seated:
            player.close()
    if failed:
        raise failed[0]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Whole games in pairs: each deal is played from both seats."""

    slugs: Sequence[str]
    count: int  # pairs for each game
    against: str  # the opponent
    seed: int
    task: TextTask

    def key(self, slug: str, number: int, kind: str = "game") -> Line:
        name = f"{slug} against {self.against}, seed={self.seed}"
        return {"kind": kind, "set": name, "task": self.task.name, "game": slug, "number": number}

    def numbers(self) -> Iterator[tuple[str, int]]:
        """The games, by slug and number."""
        return ((slug, number) for slug in self.slugs for number in range(2 * self.count))

    def missing(self, saved: Saved) -> list[tuple[str, int]]:
        """The games that are not kept yet."""
        return [one for one in self.numbers() if saved.find(self.key(*one)) is None]


class GamePlayer:
    """A player in a game whose decisions are kept, and not asked for again when the game is resumed.

    Threads take turns: only one of them computes, while the others wait for answers.
    """

    def __init__(
        self, asked: Asked, saved: Saved, key: Line, task: TextTask, turn: threading.Lock
    ) -> None:
        self.asked, self.saved, self.key, self.task, self.turn = asked, saved, key, task, turn

    def choose(self, state: State[Any], seat: Seat, record: SeenRecord | None = None) -> Any:
        assert record is not None, "an episode gives its record"
        episode = episode_at(record(), seat, self.task)
        key = {**self.key, "kind": "decision", "ply": len(episode.played), "seat": str(seat)}
        line = self.saved.find(key)
        if line is None:
            with _released(self.turn):
                decided = self.asked.decide(episode)
            line = {"player": self.saved.player, **key, **score(decided, state, seat, episode.played)}
            self.saved.add(line)
        if line["failure"] is not None:
            raise PlayerFailed(line["why"], Failure(line["failure"]))
        (text,) = line["choice"]
        return next(move for move in state.moves(seat) if str(move) == text)

    def close(self) -> None:
        """Do nothing: whoever made the player closes it."""


@contextmanager
def _released(lock: threading.Lock) -> Iterator[None]:
    lock.release()
    try:
        yield
    finally:
        lock.acquire()


def play_all(
    pairs: Pairs,
    seats: tuple[Callable[[], Asked], Callable[[], Asked]],
    saved: tuple[Saved, Saved],
    parallel: int,
    progress: Callable[[], None],
) -> None:
    """Play all games that are not finished, and keep them. `seats` make the player and its opponent."""
    turn, own = threading.Lock(), saved[0]
    todo = pairs.missing(own)

    def play(players: Sequence[Asked], piece: tuple[str, int]) -> Scored:
        with turn:
            return _play_game(pairs, players, saved, turn, *piece)

    def keep(piece: tuple[str, int], scored: Scored) -> None:
        own.add({"player": own.player, **pairs.key(*piece), **game_data(scored)})
        progress()

    _work(todo, lambda: [make() for make in seats], play, keep, parallel)


def _play_game(
    pairs: Pairs,
    asked: Sequence[Asked],
    saved: tuple[Saved, Saved],
    turn: threading.Lock,
    slug: str,
    number: int,
) -> Scored:
    players: list[Chooser] = []
    rngs = (Random(), Random())
    for one, file, rng in zip(asked, saved, rngs, strict=True):
        if isinstance(one, Named) and isinstance(one.player, PolicyPlayer):
            # its seed makes it play the same again
            players.append(type(one.player)(one.player.policy, rng))
        else:
            players.append(GamePlayer(one, file, pairs.key(slug, number), pairs.task, turn))
    return score_game((players[0], players[1]), rngs, games.Episode(slug), number, pairs.seed)


# How the fields of a game are read from a line; the others are plain.
SCORED: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("seat", "winner", "forfeited"), Seat.named),
    **dict.fromkeys(("par", "regret"), Fraction),
    "failure": lambda name: name and Failure(name),
}


def game_data(scored: Scored) -> Line:
    """A game in figures, as it is saved."""
    found = {one.name: getattr(scored, one.name) for one in fields(scored) if one.compare}
    return {name: str(one) if name in SCORED and one is not None else one for name, one in found.items()}


def game_from_data(line: Line) -> Scored:
    names = [one.name for one in fields(Scored) if one.compare]
    read: dict[str, Any] = {name: SCORED.get(name, lambda one: one)(line[name]) for name in names}
    return Scored(**read)
