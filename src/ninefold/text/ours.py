"""Asks players of ours. Their answers are computed, so the work is spread over processes or machines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from typing import TypeVar

from ninefold.players import Chooser, seat_player
from ninefold.spread import spread
from ninefold.study.contests import score_game
from ninefold.study.episode import Episode
from ninefold.study.reports import Scored
from ninefold.text import runs

T = TypeVar("T")
CHUNK = 20  # questions or games
Piece = tuple[str, int]  # a game and a number


def ask_ours(
    player: str,
    asked: Sequence[runs.TextQuestion],
    saved: runs.Saved,
    progress: Callable[[], None],
    workers: int = 1,
    cluster: str = "",
) -> None:
    """Like `runs.ask_all`, for a player of ours."""
    todo = [one for one in asked if saved.find(one.key) is None]
    for lines in spread(partial(_ask, player), _chunks(todo), workers=workers, cluster=cluster):
        for line in lines:
            saved.add(line)
            progress()


def play_ours(
    pairs: runs.Pairs,
    players: tuple[str, str],
    saved: runs.Saved,
    progress: Callable[[], None],
    workers: int = 1,
    cluster: str = "",
) -> None:
    """Like `runs.play_all`, between two players of ours."""
    work = partial(_play, players, pairs.seed)
    for games in spread(work, _chunks(pairs.missing(saved)), workers=workers, cluster=cluster):
        for piece, scored in games:
            saved.add({"player": saved.player, **pairs.key(*piece), **runs.game_data(scored)})
            progress()


def _chunks(todo: Sequence[T]) -> Iterator[Sequence[T]]:
    return (todo[at : at + CHUNK] for at in range(0, len(todo), CHUNK))


def _ask(player: str, asked: Sequence[runs.TextQuestion]) -> list[runs.Line]:
    seated = runs.Named(_seat(player, Random(0)))
    return [runs.position_line(player, one, runs.ask_question([seated], one)) for one in asked]


def _play(players: tuple[str, str], seed: int, pieces: Sequence[Piece]) -> list[tuple[Piece, Scored]]:
    rngs = Random(), Random()
    own, other = (_seat(player, rng) for player, rng in zip(players, rngs, strict=True))
    return [
        ((slug, number), score_game((own, other), rngs, Episode(slug), number, seed))
        for slug, number in pieces
    ]


def _seat(player: str, rng: Random) -> Chooser:
    seated = seat_player(player, rng)
    assert seated is not None, "a person is no player of ours"
    return seated
