"""Prompts say what a seat may see and nothing else; twins are the same decision."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

import ninefold
from ninefold import SLUGS
from ninefold.core.seat import SEATS
from ninefold.core.turns import Played
from ninefold.match import Match, Player
from ninefold.players import Failure, PlayerFailed
from ninefold.study import chance, position_set, regrets
from ninefold.text.chat import episode_at
from ninefold.text.episode import TextEpisode
from ninefold.text.prompt import NEUTRAL, TextTask
from ninefold.text.twins import TWINS, Twin, make_twin

TASKS = [TextTask(listed, rules, board) for listed in (False, True) for rules, board in
         (("short", "drawn"), ("whole", "words"))]  # fmt: skip


@pytest.mark.parametrize("slug", SLUGS)
def test_the_beginning_is_always_the_same_and_the_rest_is_the_position(slug: str) -> None:
    found = position_set(slug, 12).positions
    game = ninefold.load(slug)
    for task in TASKS:
        asked = [TextEpisode.of(one, task).messages for one in found]
        assert len({said[0]["content"] for said in asked}) == 1
        assert len({said[1]["content"] for said in asked}) == len(found)
        for one, (system, user) in zip(found, asked, strict=True):
            assert game.title in system["content"]
            assert ("## Rulings" in system["content"]) == (task.rules == "whole")
            moves = " ".join(map(str, one.state.moves(one.seat)))
            assert (f"Your legal moves: {moves}" in user["content"]) == task.listed
            assert ("+--" in user["content"]) == (task.board == "drawn")
            for name, value in one.state.setup.items():
                option = next(option for option in game.options if option.name == name)
                assert option.on_board or f"{name.capitalize()}: {value}" in user["content"]
        neutral = TextEpisode.of(found[0], task, Twin.NEUTRAL).messages
        assert game.title not in neutral[0]["content"] + neutral[1]["content"]
        assert NEUTRAL in neutral[0]["content"]


@pytest.mark.parametrize("slug", SLUGS)
def test_a_secret_of_the_other_seat_changes_no_byte(slug: str) -> None:
    """In random games: whatever the other seat has chosen in secret, the prompt is the same."""
    game, rng = ninefold.load(slug), Random(slug)
    players = (Player("Ann", SEATS[0]), Player("Ben", SEATS[1]))
    for _ in range(6):
        match = Match(game.start(rng=rng), players, limit=40)
        while not match.over and len(match.played) < 40:
            state, (mover, *others) = match.state, match.state.movers
            if state.secret and others:
                said = set()
                for move in state.moves(mover):
                    after = match.copy()
                    after.submit(mover, move)
                    episode = episode_at(after.record(others[0]).to_data(), others[0], TextTask())
                    said.add(tuple(one["content"] for one in episode.messages))
                assert len(said) == 1
            match.submit(mover, rng.choice(state.moves(mover)))


@pytest.mark.parametrize("slug", SLUGS)
def test_twins_give_away_what_the_position_gives_away(slug: str) -> None:
    game, made = ninefold.load(slug), dict.fromkeys(TWINS, 0)
    for number, one in enumerate(position_set(slug, 12).positions):
        for twin in TWINS:
            if (found := make_twin(one, twin, str(number))) is None:
                continue
            made[twin] += 1
            assert found == make_twin(one, twin, str(number))
            state = game.set_up(found.state.setup)
            for played in found.played:
                state = state.play(played.move, played.seat)
            assert state == found.state
            assert (found.seat, found.stage) == (one.seat, one.stage)
            assert sorted(found.regrets.values()) == sorted(one.regrets.values())
            assert chance(found.state, found.seat) == chance(one.state, one.seat)
            if slug in ("shadow", "pattern", "battle", "conquest", "cross"):
                assert game.puzzles.key(found.state) == game.puzzles.key(one.state)
            if twin is not Twin.NEUTRAL:
                assert (
                    TextEpisode.of(found, TextTask()).messages != TextEpisode.of(one, TextTask()).messages
                )
    assert made[Twin.NEUTRAL] == len(position_set(slug, 12).positions)
    if slug in ("shadow", "pattern"):
        assert made[Twin.RENUMBERED] == 12
        assert made[Twin.TURNED] >= 11  # an empty board can be turned as one likes
    if slug in ("battle", "cross", "conquest"):
        assert (made[Twin.TURNED], made[Twin.RENUMBERED]) == (12, 0)


def test_what_is_no_symmetry_makes_no_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exchanging two cells breaks lines: where that changes a decision, it is noticed."""
    exchanged = (1, 0, *range(2, 9))
    monkeypatch.setattr("ninefold.text.twins.pictures", lambda _: (tuple(range(9)), exchanged))
    found = [(one, make_twin(one, Twin.TURNED, "")) for one in position_set("shadow", 12).positions]
    assert [twin for _, twin in found].count(None) > 6
    for one, twin in found:
        assert twin is None or sorted(twin.regrets.values()) == sorted(one.regrets.values())


def test_numbers_and_target_are_exchanged_in_shadow() -> None:
    (one, *_) = position_set("shadow", 12, target=13).positions
    found = make_twin(one, Twin.RENUMBERED, "")
    assert found is not None
    assert found.state.setup["target"] == 17
    text = [str(played.move) for played in one.played]
    assert [str(played.move) for played in found.played] == [
        f"{10 - int(move[0])}{move[1:]}" for move in text
    ]


@pytest.mark.parametrize("wrong", [{"rules": "long"}, {"board": "painted"}, {"retries": -1}])
def test_a_task_that_does_not_exist_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ninefold.SetupError, match="no task"):
        TextTask(**wrong)


def test_retries_end_and_the_last_answer_counts() -> None:
    start = ninefold.load("cross").start(grid="792415863")
    best = regrets(start, SEATS[0])
    episode = TextEpisode([start], [], SEATS[0], TextTask(retries=2))
    assert not episode.done
    episode.hear("Row9")
    assert (episode.done, episode.failure) == (False, Failure.UNREADABLE)
    episode.hear("", PlayerFailed("late", Failure.LATE))
    assert (episode.done, episode.failure, episode.retries) == (False, Failure.LATE, 1)
    episode.hear("Row1")
    assert (episode.done, episode.failure, episode.retries) == (True, None, 2)
    assert episode.regret == best[start.game.index(start.game.parse("Row1"))]
    failed = TextEpisode([start], [], SEATS[0])
    failed.hear("Row9")
    assert failed.done
    assert failed.regret == chance(start, SEATS[0]) > 0


def test_a_lost_position_has_nothing_to_give_away() -> None:
    game = ninefold.load("battle")
    start = game.start(grid="123456789")
    states, played = game.replay(start, ["2,2", "2,1", "2,0", "1,2", "1,1", "1,0"])
    assert chance(states[-2], played[-1].seat) == 0
    lost = TextEpisode(states[:-1], [Played(one.seat, one.move) for one in played[:-1]], played[-1].seat)
    lost.hear("")
    assert (lost.failure, lost.regret) == (Failure.UNANSWERED, Fraction(0))
