"""What sits in a seat: it makes legal moves, and as good ones as it says."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ninefold
from ninefold import SLUGS, NinefoldError, Seat, State
from ninefold.analysis import Result, evaluate
from ninefold.batch import NOBODY, ON, Batch
from ninefold.players import COMMAND_LIMIT, Chooser, PlayerFailed, kind, seat_player
from ninefold.players.program import ProgramPlayer

CAP = 60
COMPUTERS = ("random", "greedy", "level:1", "level:5", "level:9", "perfect")


def seat_named(name: str, rng: random.Random) -> Chooser:
    player = seat_player(name, rng)
    assert player is not None
    return player


def play_out(start: State[Any], names: tuple[str, str], rng: random.Random) -> State[Any]:
    players = [seat_named(name, rng) for name in names]
    state = start
    for _ in range(CAP):
        if not state.movers:
            break
        seat = state.movers[0]
        state = state.play(players[seat].choose(state, seat), seat)
    return state


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("name", COMPUTERS)
def test_every_computer_makes_legal_moves_in_every_game(slug: str, name: str) -> None:
    rng = random.Random(1)
    for _ in range(3):
        state = play_out(ninefold.load(slug).start(rng=rng), (name, "random"), rng)
        assert state.outcome is not None or state.game.endless


@pytest.mark.parametrize("slug", SLUGS)
def test_the_same_seed_gives_the_same_game(slug: str) -> None:
    ends = [
        play_out(ninefold.load(slug).start(rng=rng), ("level:3", "perfect"), rng)
        for rng in (random.Random(4), random.Random(4))
    ]
    assert ends[0] == ends[1]


def random_position(slug: str, rng: random.Random, most: int = 6) -> State[Any]:
    """A position from random play, at the start of a turn and not at the end of the game."""
    while True:
        state = ninefold.load(slug).start(rng=rng)
        for _ in range(rng.randrange(most)):
            if state.movers:
                seat = state.movers[0]
                state = state.play(rng.choice(state.moves(seat)), seat)
        if state.outcome is None and not state.pending:
            return state


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("opponent", ["random", "greedy", "level:6", "perfect"])
def test_perfect_never_loses_from_a_won_position(slug: str, opponent: str) -> None:
    rng = random.Random(11)
    tried = 0
    while tried < 12:
        state = random_position(slug, rng, most=10)
        result = evaluate(state).result
        if result not in (Result.FIRST, Result.SECOND):
            continue
        tried += 1
        winner = Seat.FIRST if result is Result.FIRST else Seat.SECOND
        names = ("perfect", opponent) if winner is Seat.FIRST else (opponent, "perfect")
        end = play_out(state, names, rng)
        assert end.outcome is not None
        assert end.outcome.winner is winner


@pytest.mark.long
@pytest.mark.parametrize("slug", SLUGS)
def test_perfect_never_loses_from_many_won_positions(slug: str) -> None:
    rng = random.Random(12)
    for _ in range(1500):
        state = random_position(slug, rng, most=12)
        result = evaluate(state).result
        if result in (Result.FIRST, Result.SECOND):
            winner = Seat.FIRST if result is Result.FIRST else Seat.SECOND
            names = ("perfect", "random") if winner is Seat.FIRST else ("random", "perfect")
            end = play_out(state, names, rng)
            assert end.outcome is not None
            assert end.outcome.winner is winner


def count_decided(slug: str, starts: int, seed: int) -> int:
    """Play perfect against perfect from random positions, and return how many of these were decided."""
    rng = random.Random(seed)
    decided = 0
    for _ in range(starts):
        state = random_position(slug, rng, most=24 if slug.startswith("conquest") else 9)
        value = evaluate(state).value
        if value.plies is None:
            continue
        decided += 1
        players = [seat_named("perfect", rng), seat_named("perfect", rng)]
        plies = 0
        while state.movers:
            seat = state.movers[0]
            state = state.play(players[seat].choose(state, seat), seat)
            plies += 1
        assert state.outcome is not None
        assert (str(state.outcome.winner), plies) == (str(value.result), value.plies)
    return decided


@pytest.mark.parametrize("slug", SLUGS)
def test_perfect_against_perfect_brings_the_stated_result_and_length(slug: str) -> None:
    assert count_decided(slug, starts=40, seed=21) >= 5


@pytest.mark.long
@pytest.mark.parametrize("slug", SLUGS)
def test_perfect_against_perfect_brings_them_from_thousands_of_starts(slug: str) -> None:
    assert count_decided(slug, starts=2000, seed=22) >= 200


def test_greedy_takes_an_immediate_win() -> None:
    state = ninefold.load("pattern").start()
    for move in ("5@2,2", "8@1,3", "6@1,1", "9@3,2"):
        state = state.play(move)
    assert str(seat_named("greedy", random.Random(1)).choose(state, Seat.FIRST)) == "4@3,3"


def test_greedy_takes_the_largest_number() -> None:
    state = ninefold.load("battle").start(grid="792415863")
    assert str(seat_named("greedy", random.Random(1)).choose(state, Seat.FIRST)) == "0,1"


def wins(slug: str, strong: str, weak: str, games: int, seed: int) -> float:
    """The stronger one's share of wins, both starting equally often; a cut-off game is half a win."""
    rng = random.Random(seed)
    won = 0.0
    for game in range(games):
        start = ninefold.load(slug).start(rng=rng)
        names = (strong, weak) if game % 2 else (weak, strong)
        outcome = play_out(start, names, rng).outcome
        won += 0.5 if outcome is None else names[outcome.winner] == strong
    return won / games


@pytest.mark.parametrize("slug", ["battle", "cross", "conquest"])
def test_three_levels_apart_the_higher_one_wins_clearly(slug: str) -> None:
    for low in (1, 4):
        assert wins(slug, f"level:{low + 3}", f"level:{low}", 150, seed=low) > 0.54


def share(slug: str, strong: str, weak: str, games: int, seed: int) -> float:
    """Like `wins`, with all games at once."""
    batch = Batch(slug, games, again=False)
    batch.reset(seed)
    rng, seats = np.random.default_rng(seed), np.arange(games) % 2
    while (batch.status == ON).any():
        ours = (batch.movers == seats)[:, None]
        sums = np.where(ours, batch.policies(strong), batch.policies(weak)).cumsum(axis=1)
        batch.step((sums > (rng.random(games) * sums[:, -1])[:, None]).argmax(axis=1).astype(np.int32))
    return float(np.where(batch.winners == NOBODY, 0.5, batch.winners == seats).mean())


@pytest.mark.long
@pytest.mark.parametrize("low", range(1, 9))
def test_each_level_beats_the_one_below(low: int) -> None:
    shares = [share(slug, f"level:{low + 1}", f"level:{low}", 6000, seed=low) for slug in SLUGS]
    assert min(shares) > 0.495
    assert sum(shares) / len(shares) > 0.52


@pytest.mark.parametrize(
    "text", ["person", "Random", " greedy", "LEVEL:3", "perfect", "program:cat -", "program@2.5:cat"]
)
def test_names_of_players_are_forgiving(text: str) -> None:
    assert kind(text) == kind(kind(text))


@pytest.mark.parametrize(
    "text",
    [
        *("", "level", "level:0", "level:10", "level:x", "program:", "deep", "perfect:2"),
        *("program@:cat", "program@0:cat", "program@-1:cat", "program@nan:cat", "program@1e9:cat"),
    ],
)
def test_an_unknown_player_is_refused_with_what_is_allowed(text: str) -> None:
    with pytest.raises(NinefoldError, match="level:1 to level:9"):
        kind(text)


# Programs


@pytest.mark.parametrize(
    "text",
    ["cat\x07", "cat \x1b[2J", "cat\r\n-u", "cat \udcff", "cat \x00", "x" * (COMMAND_LIMIT + 1)],
    ids=lambda text: repr(text[:8]),
)
def test_a_command_that_no_record_can_keep_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(NinefoldError, match="command") as refused:
        kind(f"program:{text}")
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 200


@pytest.fixture
def script(tmp_path: Path) -> Any:
    def make(body: str) -> str:
        path = tmp_path / "player.py"
        path.write_text(body)
        return f"{sys.executable} {path}"

    return make


FIRST_MOVE = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    assert asked["view"]["viewer"] == asked["seat"]
    print(asked["moves"][0], flush=True)
"""


@pytest.mark.parametrize("slug", SLUGS)
def test_a_program_plays_whole_games(slug: str, script: Any) -> None:
    player = ProgramPlayer(script(FIRST_MOVE))
    state = ninefold.load(slug).start(rng=random.Random(1))
    other = seat_named("random", random.Random(2))
    try:
        for _ in range(CAP):
            if state.movers:
                seat = state.movers[0]
                state = state.play((player if seat is Seat.FIRST else other).choose(state, seat), seat)
    finally:
        player.close()
    assert state.outcome is not None or state.game.endless


GRID = ninefold.load("battle").start(grid="123456789")
UNREADABLE = "is unreadable.*Log to standard error"


@pytest.mark.parametrize(
    ("body", "failure", "why"),
    [
        ("input(); print('nonsense', flush=True); input()", "unreadable", UNREADABLE),
        ("input(); print('Engine 1.0\\n0,0', flush=True); input()", "unreadable", "Engine 1.0.*Log"),
        ("input(); print('9,9', flush=True); input()", "unreadable", "not on the grid"),
        ("input(); print('x' * 100_000, flush=True); input()", "unreadable", UNREADABLE),
        ('input(); print(\'{"id": 2, "move": "0,0"}\'); input()', "unreadable", "was number 1"),
        ("input(); print('{\"id\": 1}'); input()", "unreadable", 'needs a "move"'),
        ('input(); print(\'{"id": 1, "move": null}\'); input()', "resigned", "resigned"),
        ("import sys; sys.exit(3)", "crashed", "stopped"),
        ("import sys; sys.stdin.readline(); sys.exit(3)", "crashed", "status 3"),
        ("import sys\nfor line in sys.stdin: pass", "late", "did not answer within 0.5 seconds"),
    ],
)
def test_a_program_that_breaks_the_rules_fails_with_a_reason(
    body: str, failure: str, why: str, script: Any
) -> None:
    player = ProgramPlayer(script(body), seconds=0.5 if failure == "late" else 20)
    with pytest.raises(PlayerFailed, match=why) as failed:
        player.choose(GRID, Seat.FIRST)
    assert failed.value.failure == failure
    player.close()


SLOW_ONCE = """
import json, os, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    if not os.path.exists(MARK):
        open(MARK, "w").close()
        time.sleep(60)
    print(asked["moves"][0], flush=True)
"""


def test_a_late_answer_is_never_taken_for_a_later_one(script: Any, tmp_path: Path) -> None:
    player = ProgramPlayer(script(SLOW_ONCE.replace("MARK", repr(f"{tmp_path}/mark"))), seconds=5)
    with pytest.raises(PlayerFailed, match="within 5 seconds"):
        player.choose(GRID, Seat.FIRST)
    state = GRID
    while state.movers:  # it is started again, and its answers fit the questions
        state = state.play(player.choose(state, state.movers[0]))
    player.close()


NAMES_THE_REQUEST = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    for number in range(1, asked["id"] + 1):  # all earlier requests once more, then this one
        move = asked["moves"][0 if number == asked["id"] else -1]
        print(json.dumps({"id": number, "move": move}), flush=True)
"""


def test_an_answer_may_name_its_request_and_then_answers_no_other(script: Any) -> None:
    player = ProgramPlayer(script(NAMES_THE_REQUEST))
    state = GRID
    while state.movers:
        move = player.choose(state, state.movers[0])
        assert move == state.moves()[0]
        state = state.play(move)
    player.close()


ECHO = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps(asked), file=open(LOG, "a"))
    print(asked["moves"][0], flush=True)
"""


def test_a_request_has_a_number_the_seconds_and_the_record(script: Any, tmp_path: Path) -> None:
    log = tmp_path / "log"
    player = seat_named(f"program@7.5:{script(ECHO.replace('LOG', repr(str(log))))}", random.Random(1))
    for record in (None, lambda: {"game": "battle", "moves": []}):
        player.choose(GRID, Seat.FIRST, record)
    player.close()
    requests = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(asked["id"], asked["seconds"]) for asked in requests] == [(1, 7.5), (2, 7.5)]
    assert [asked["record"] for asked in requests] == [None, {"game": "battle", "moves": []}]


def test_a_program_that_cannot_be_started_fails_with_a_reason() -> None:
    player = ProgramPlayer("/no/such/program --at all")
    with pytest.raises(PlayerFailed, match="could not be started"):
        player.choose(ninefold.load("cross").start(grid="123456789"), Seat.FIRST)
    player.close()


def test_a_command_of_several_lines_is_told_of_on_one() -> None:
    player = ProgramPlayer("/no/such/program\n\t--at all")
    with pytest.raises(PlayerFailed, match='"/no/such/program --at all" could not be started'):
        player.choose(ninefold.load("cross").start(grid="123456789"), Seat.FIRST)
