"""Lets a player play games in pairs, and compares each of its choices with exact play.

A pair is one deal, played from both seats. Deals, the player and its opponent have generators of their
own, started from the seed and a number, so the same seed gives the same deals whoever plays.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from ninefold.core.seat import SEATS, Seat
from ninefold.players import Chooser
from ninefold.study.episode import Episode
from ninefold.study.reports import Scored
from ninefold.study.scores import chance, regrets


def deal_seed(seed: int, deal: int) -> str:
    """What a deal is drawn from."""
    return f"{seed} deal {deal}"


def score_games(
    players: tuple[Chooser, Chooser],
    rngs: tuple[Random, Random],
    episode: Episode,
    numbers: Iterable[int],
    seed: int,
) -> tuple[Scored, ...]:
    """Play the games with these numbers, two to a deal, and score the first player's part in each.

    The players draw from the generators, which are seeded for each game.
    """
    return tuple(score_game(players, rngs, episode, number, seed) for number in numbers)


def score_game(
    players: tuple[Chooser, Chooser],
    rngs: tuple[Random, Random],
    episode: Episode,
    number: int,
    seed: int,
) -> Scored:
    """Play the game with this number, from 0, and score the first player's part in it."""
    deal, seat = number // 2, SEATS[number % 2]
    episode.reset(deal_seed(seed, deal))
    for rng, name in zip(rngs, ("agent", "opponent"), strict=True):
        rng.seed(f"{seed} {name} {number}")
    scored = Scored(seat, chance(episode.state, seat), deal)
    _play(episode, scored, *players)
    return scored


def _play(episode: Episode, scored: Scored, own: Chooser, other: Chooser) -> None:
    """Play one game between the player and its opponent."""
    seat: Seat = scored.seat
    while not (episode.terminated or episode.truncated):
        mover, state = episode.state.movers[0], episode.state.open_state
        action = episode.ask(own if mover is seat else other, mover)
        if episode.failure is not None:
            scored.forfeit(mover, state, episode.failure, episode.illegal, chance(state, seat))
        elif mover is seat:
            lost = regrets(state, seat)
            scored.count(state, lost, lost[action])
    scored.winner = episode.winner
    if episode.truncated:
        scored.stop(chance(episode.state, seat))
