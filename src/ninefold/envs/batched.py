"""Lets an agent that takes observations play all its games at once against a player of ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

from ninefold.batch import CUT_OFF, ON, WON, Batch
from ninefold.core.game import Game
from ninefold.core.seat import SEATS
from ninefold.envs.agents import Takes, ask_many, takes_observations, what_it_takes
from ninefold.players import Failure, PlayerFailed, policy_of
from ninefold.study.answers import Parts, draw_action, guard, read_answer
from ninefold.study.contests import deal_seed
from ninefold.study.episode import Episode, refusal
from ninefold.study.reports import Scored
from ninefold.study.scores import chance, regrets

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def in_batches(agent: Any, opponent: Any) -> bool:
    """Whether these two can play all their games at once."""
    ours = isinstance(opponent, str) and policy_of(opponent) is not None
    return ours and takes_observations(agent)


def choose_rows(
    agent: Any, game: Game, seen: Any, masks: Any, rngs: Sequence[Random], seconds: float | None
) -> list[int | PlayerFailed]:
    """By game: the action of an agent that takes observations, legal or not; or how it failed.

    An agent that answers for all games at once fails in all of them.
    """
    import numpy as np

    if not hasattr(agent, "predict") and what_it_takes(agent) is Takes.ONE:

        def ask_one(one: Any, mask: Any) -> Parts:
            return read_answer(game, agent(one, mask))

        found = zip(seen, masks, rngs, strict=True)
        return [_draw(partial(ask_one, one, mask), rng, seconds) for one, mask, rng in found]

    def ask_all() -> Any:
        many = ask_many(agent)
        assert many is not None
        answers = many(game, seen, masks)
        if len(answers) != len(seen):
            why = f"The agent gave {len(answers)} answers for {len(seen)} games."
            raise PlayerFailed(why, Failure.UNREADABLE)
        return answers

    try:
        answers = guard(ask_all, seconds)
    except PlayerFailed as error:
        return [error] * len(seen)
    if isinstance(answers, np.ndarray) and answers.ndim == 1 and answers.dtype.kind in "iu":
        actions: list[int | PlayerFailed] = answers.tolist()
        return actions
    pairs = zip(answers, rngs, strict=True)
    return [_draw(partial(read_answer, game, answer), rng, None) for answer, rng in pairs]


def _draw(work: Callable[[], Parts], rng: Random, seconds: float | None) -> int | PlayerFailed:
    try:
        return draw_action(guard(work, seconds), rng)
    except PlayerFailed as error:
        return error


def score_in_batches(
    agent: Any, opponent: str, episode: Episode, numbers: range, seed: int, seconds: float | None
) -> tuple[Scored, ...]:
    """Like ninefold.study.contests.score_games, with the same deals."""
    if not numbers:
        return ()
    deals = {deal: episode.deal(deal_seed(seed, deal)) for deal in {k // 2 for k in numbers}}
    batch = Batch.of([deals[k // 2] for k in numbers], limit=episode.limit)
    pars = {(deal, seat): chance(state, seat) for deal, state in deals.items() for seat in SEATS}
    scored = [Scored(SEATS[k % 2], pars[k // 2, SEATS[k % 2]], k // 2) for k in numbers]
    run = _Run(agent, batch, scored, numbers, seed, seconds)
    while (batch.status == ON).any():
        run.step(opponent)
    for number in (batch.status == CUT_OFF).nonzero()[0].tolist():
        scored[number].stop(chance(batch.state(number), scored[number].seat))
    for one, status, winner in zip(scored, batch.status.tolist(), batch.winners.tolist(), strict=True):
        one.winner = SEATS[winner] if status == WON else None
    return tuple(scored)


class _Run:
    """All games of an agent, each with the generators that it would have alone."""

    def __init__(
        self,
        agent: Any,
        batch: Batch,
        scored: list[Scored],
        numbers: range,
        seed: int,
        seconds: float | None,
    ) -> None:
        import numpy as np

        self.agent, self.game, self.batch, self.scored = agent, batch.game, batch, scored
        self.seconds = seconds
        self.seats = np.array([one.seat for one in scored], np.int8)
        self.rngs = [Random(f"{seed} agent {k}") for k in numbers]
        self.others = [Random(f"{seed} opponent {k}") for k in numbers]

    def step(self, opponent: str) -> None:
        """Make a move in every game that goes on."""
        import numpy as np

        batch = self.batch
        on = batch.status == ON
        own = (on & (batch.movers == self.seats)).nonzero()[0]
        theirs = (on & (batch.movers != self.seats)).nonzero()[0]
        actions = np.full(len(self.scored), -1, np.int32)
        if len(own):
            actions[own] = self._choose(own)
        if len(theirs):
            sums = batch.policies(opponent)[theirs].cumsum(axis=1)
            drawn = np.array([self.others[k].random() for k in theirs.tolist()])
            actions[theirs] = (sums > (drawn * sums[:, -1])[:, None]).argmax(axis=1)
        batch.step(actions)

    def _choose(self, own: Any) -> list[int]:
        """The agent's actions in these games, which are counted and scored."""
        import numpy as np

        batch = self.batch
        batch.look()
        seen, masks = batch.observations[own], batch.masks[own].astype(np.int8)
        lost: NDArray[np.float64] = batch.regrets()[own]
        values: NDArray[np.float64] = batch.values()[own]
        legal = masks.astype(bool)
        best: Any = np.nanmax(values, axis=1)
        # Doubles hold wins, losses and endless games exactly. Other chances are looked up.
        exact: Any = np.where(legal, 2 * values % 1 == 0, True).all(axis=1)
        real: Any = (lost > 0).any(axis=1)
        only: Any = ((lost == 0).sum(axis=1) == 1) & (legal.sum(axis=1) > 1)
        chosen = []
        rngs = [self.rngs[number] for number in own.tolist()]
        actions = choose_rows(self.agent, self.game, seen.copy(), masks, rngs, self.seconds)
        for at, (number, action) in enumerate(zip(own.tolist(), actions, strict=True)):
            scored, key = self.scored[number], seen[at].tobytes()
            if isinstance(action, int) and not (0 <= action < legal.shape[1] and legal[at, action]):
                action = PlayerFailed(refusal(batch.state(number), action, scored.seat), Failure.ILLEGAL)
            if isinstance(action, PlayerFailed):
                left = Fraction(best[at]) if exact[at] else chance(batch.state(number), scored.seat)
                scored.forfeit(scored.seat, key, action.failure, str(action), left)
                chosen.append(len(self.game.moves))  # not a move, so it loses
                continue
            if exact[at]:
                cost = Fraction(float(lost[at, action]))
            else:
                cost = regrets(batch.state(number).open_state, scored.seat)[action]
            scored.add(key, cost, bool(real[at]), bool(only[at]))
            chosen.append(action)
        return chosen
