"""Plays pairs: the same deal and opening twice, with the seats swapped.

Every game draws from a generator of its own, so it does not matter which chunk it is in, or where.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from random import Random
from typing import Any

from ninefold.analysis import NoValues, evaluate
from ninefold.arena.plan import Chunk, Plan
from ninefold.batch import CUT_OFF, NO_ACTION, ON, WON, Batch
from ninefold.core.outcome import Stop
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.core.turns import Played
from ninefold.match import Match, Player, Record
from ninefold.match.match import utc_now
from ninefold.players import Chooser, Failure, PlayerFailed, seat_player
from ninefold.players.program import Guard, ProgramPlayer
from ninefold.study.reports import NONE, Scored
from ninefold.study.scores import chance, regrets

Start = tuple[State[Any], list[Played]]
Data = dict[str, Any]
NAMES = tuple(map(str, SEATS))


def play_chunk(chunk: Chunk) -> list[tuple[Data, str]]:
    """Play the pairs of a chunk: for each, what it is and its scores, and the whole as a line of JSON."""
    plan, game, players, numbers = chunk
    starts = [plan.start(game, players, number) for number in numbers]
    if plan.ours(*players) and _has_values(starts[0][0]):
        pairs = [*zip(*(_play_batch(chunk, order, starts) for order in _orders(players)), strict=True)]
    else:
        pairs = play_each(chunk, starts)
    lines = []
    for number, start, pair in zip(numbers, starts, pairs, strict=True):
        scores = [_score(pair[k]["record"], k) for k in range(2)]
        head = {"game": game, "players": players, "pair": number, "scores": scores}
        lines.append((head, json.dumps({**head, "opening": len(start[1]), "games": pair})))
    return lines


def _score(record: Data, seat: int) -> float:
    """The score of whoever holds the seat; a stopped game counts one half."""
    winner = record["result"]["winner"]
    return 0.5 if winner is None else float(winner == str(SEATS[seat]))


def _orders(players: tuple[str, str]) -> tuple[tuple[str, str], tuple[str, str]]:
    one, other = players
    return players, (other, one)


def _seed(chunk: Chunk, order: tuple[str, str], number: int, name: str = "") -> str:
    return f"{chunk.plan.seed} {chunk.game} {order} {number} {name}"


def _seated(plan: Plan, order: tuple[str, str]) -> tuple[Player, Player]:
    first, second = (
        Player(name, seat, plan.players[name]) for name, seat in zip(order, SEATS, strict=True)
    )
    return first, second


def _play_batch(chunk: Chunk, order: tuple[str, str], starts: Sequence[Start]) -> list[Data]:
    """All games at once between players of ours, on the exact values of `batch`."""
    import numpy as np

    plan, count = chunk.plan, len(starts)
    kinds = [plan.players[name] for name in order]
    batch = Batch.of([_follow(start) for start in starts], limit=plan.limit)
    rngs = [Random(_seed(chunk, order, number)) for number in chunk.numbers]
    regret, decisions = np.zeros((2, count)), np.zeros((2, count), np.int64)
    seen: set[tuple[int, bytes]] = set()
    movers, history = [], []
    while (on := batch.status == ON).any():
        lost = batch.regrets()
        actions = np.full(count, NO_ACTION, np.int32)
        for seat in SEATS:
            mine = (on & (batch.movers == seat)).nonzero()[0]
            if not len(mine):
                continue
            sums = batch.policies(kinds[seat])[mine].cumsum(axis=1)
            drawn = np.array([rngs[k].random() for k in mine.tolist()])
            actions[mine] = (sums > (drawn * sums[:, -1])[:, None]).argmax(axis=1)
            regret[seat, mine] += lost[mine, actions[mine]]
            decisions[seat, mine] += _real(batch, mine, lost, seen)
        movers.append(batch.movers.tolist())
        history.append(actions.tolist())
        batch.step(actions)
    seated, now = _seated(plan, order), utc_now()
    texts = [str(move) for move in batch.game.moves]
    found = []
    for k, (start, opening) in enumerate(starts):
        state = batch.state(k)
        result: Any = Stop.DEAD if state.dead else Stop.LIMIT
        if batch.status[k] == WON:
            assert state.outcome is not None
            result = state.outcome.winner, state.outcome.reason
        for seat in SEATS if batch.status[k] == CUT_OFF else ():
            regret[seat, k] += max(0.0, float(chance(state, seat)) - 0.5)
        record = Record(
            batch.game.slug, start.setup, seated, now, tuple(opening), result, limit=plan.limit
        ).to_data()
        record["moves"] += [
            {"seat": NAMES[turn[k]], "move": texts[made[k]], "at": now}
            for turn, made in zip(movers, history, strict=True)
            if made[k] != NO_ACTION
        ]
        found.append(_game_data(record, regret[:, k].tolist(), decisions[:, k].tolist()))
    return found


def _real(batch: Batch, mine: Any, lost: Any, seen: set[tuple[int, bytes]]) -> Any:
    """Which of these games have a real decision now: one that comes back counts once."""
    import numpy as np

    real = np.nan_to_num(lost[mine]).max(axis=1) > 0
    if batch.game.endless:
        batch.look()
        for at, k in enumerate(mine.tolist()):
            key = (k, batch.observations[k].tobytes())
            real[at] &= key not in seen
            seen.add(key)
    return real


def _follow(start: Start) -> State[Any]:
    state, opening = start
    for one in opening:
        state = state.after(one.move, one.seat)
    return state


def _game_data(record: Data, regret: Sequence[float], decisions: Sequence[int]) -> Data:
    return {"record": record, "regret": [*regret], "decisions": [*decisions]}


def play_each(chunk: Chunk, starts: Sequence[Start]) -> list[tuple[Data, Data]]:
    """One game after the other, through the match. A program is started for each pair."""
    found = []
    for number, start in zip(chunk.numbers, starts, strict=True):
        rngs = {name: Random() for name in chunk.players}
        with ExitStack() as stack:
            players = {name: _seat(chunk.plan, name, rngs[name]) for name in chunk.players}
            for player in players.values():
                stack.callback(player.close)
            games = []
            for order in _orders(chunk.players):
                for name, rng in rngs.items():
                    rng.seed(_seed(chunk, order, number, name))
                games.append(_play(chunk.plan, order, [players[name] for name in order], start))
        found.append((games[0], games[1]))
    return found


def _seat(plan: Plan, name: str, rng: Random) -> Chooser:
    player = seat_player(plan.players[name], rng)
    assert player is not None
    if isinstance(player, ProgramPlayer):
        player.guard = Guard(plan.memory)
    return player


def _play(plan: Plan, order: tuple[str, str], players: Sequence[Chooser], start: Start) -> Data:
    match = Match(start[0], _seated(plan, order), limit=plan.limit)
    for one in start[1]:
        match.submit(one.seat, one.move)
    scored = [Scored(seat, NONE) for seat in SEATS]
    valued = _has_values(start[0])
    failed: Data = {}
    while not match.over:
        seat, state = match.state.movers[0], match.open_state
        try:
            move = players[seat].choose(state, seat, partial(_seen, match, seat))
        except PlayerFailed as error:
            failed = {
                "player": order[seat],
                "seat": str(seat),
                "failure": error.failure,
                "why": str(error),
            }
            if error.failure is Failure.RESIGNED:
                match.resign(seat)
            else:
                match.forfeit(seat, str(error))
            if valued:
                scored[seat].forfeit(seat, state, error.failure, str(error), chance(state, seat))
            continue
        match.submit(seat, move)
        if valued:
            lost = regrets(state, seat)
            scored[seat].count(state, lost, lost[state.game.index(move)])
    for seat in SEATS if match.stopped and valued else ():
        scored[seat].stop(chance(match.state, seat))
    regret = [float(one.regret) for one in scored]
    data = _game_data(match.record(None).to_data(), regret, [one.decisions for one in scored])
    return {**data, "failed": failed} if failed else data


def _seen(match: Match, seat: Seat) -> Data:
    return match.record(seat).to_data()


def _has_values(state: State[Any]) -> bool:
    """Whether positions of the game have exact values; a large game may have none."""
    try:
        evaluate(state)
    except NoValues:
        return False
    return True
