"""The fair editions: what makes them, what their words say, how they differ from their base games."""

from __future__ import annotations

import copy
import json
import pickle
import re
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

import ninefold
from ninefold import SEATS, Game, Reason, Seat, State, load
from ninefold.analysis import Result, evaluate, search, solver_of
from ninefold.analysis.evaluation import worth
from ninefold.analysis.solve import solve
from ninefold.batch import NOBODY, Batch, playouts
from ninefold.core.cast import Cast
from ninefold.core.edits import edit_game, find_edits
from ninefold.core.outcome import LIMIT
from ninefold.core.turns import Played, group_turns
from ninefold.games import VARIANTS, editions_of, with_variants
from ninefold.games.conquest.rules import Holdings
from ninefold.lab.edits import EQUAL
from ninefold.lab.measures import perfect_value
from ninefold.lab.walk import walk_game
from ninefold.match import Match, Player, Record
from ninefold.players.exact import perfect_policy
from ninefold.show.board import draw
from ninefold.study.puzzles.days import rotation, today
from ninefold.study.responses import exploitability

REPORTS = Path(__file__).parents[2] / "docs" / "lab"
FAIR = [load(slug) for slug in VARIANTS]
ORDERED = [game for game in FAIR if "urns go" in game.summary]
every_edition = pytest.mark.parametrize("game", FAIR, ids=lambda game: game.slug)
every_order = pytest.mark.parametrize("game", ORDERED, ids=lambda game: game.slug)


def base_of(game: Game) -> Game:
    return load(game.base)


def found_of(game: Game) -> dict[str, Any]:
    """What the laboratory found for the base game."""
    found: dict[str, Any] = json.loads((REPORTS / f"{game.base}.json").read_text(encoding="utf-8"))
    return found


def random_line(start: State[Any], rng: Random) -> tuple[tuple[State[Any], ...], tuple[Played, ...]]:
    """A random game: its positions and its moves."""
    state, moves = start, list[Any]()
    while state.movers and not state.dead and len(moves) < LIMIT:
        moves.append(rng.choice(state.moves()))
        state = state.after(moves[-1], state.movers[0])
    return start.game.replay(start, moves)


def random_game(game: Game, seed: int) -> tuple[tuple[State[Any], ...], tuple[Played, ...]]:
    return random_line(game.start(rng=Random(seed)), Random(seed))


def order_in_words(game: Game) -> list[Seat]:
    """The order of turns, as the summary has it."""
    said = re.search(r"turns go ([12](?:, [12])+)", game.summary, re.IGNORECASE)
    assert said is not None
    return [SEATS[int(digit) - 1] for digit in said[1].split(", ")]


def head_start_in_words(game: Game) -> int:
    said = re.search(r"second player starts with (\d)", game.summary)
    return int(said[1]) if said else 0


# The registry


def test_the_games_stay_five_and_each_is_followed_by_its_editions() -> None:
    assert not {*VARIANTS} & {*ninefold.SLUGS}
    assert [game.slug for game in with_variants() if not game.base] == list(ninefold.SLUGS)
    for game in ninefold.every_game():
        editions = editions_of(game)
        assert editions[0] is game
        assert all(one.base == game.slug and editions_of(one) == editions for one in editions[1:])


@every_edition
def test_an_edition_is_loaded_by_its_slug_and_is_always_the_same(game: Game) -> None:
    assert load(f" {game.slug.upper()} ") is game is pickle.loads(pickle.dumps(game))
    assert game.title.startswith(base_of(game).title)
    assert {game: 1}[load(game.slug)] == 1
    assert (game.moves, game.options) == (base_of(game).moves, base_of(game).options)


def test_who_asks_for_another_game_is_told_of_the_editions() -> None:
    with pytest.raises(ninefold.SetupError, match=f"an edition: {', '.join(VARIANTS)}"):
        load("conquest-unfair")


@every_edition
def test_an_edition_has_no_daily_puzzles_and_no_book(game: Game) -> None:
    assert game not in [one for one, _ in rotation(today())]
    assert (game.puzzles.week, game.script) == (None, None)


# The rules


@every_order
def test_the_turns_go_as_the_summary_says(game: Game) -> None:
    order = order_in_words(game)
    for seed in range(20):
        states, played = random_game(game, seed)
        turns = [turn.seat for turn in group_turns(states, played)]
        assert turns == (order * len(turns))[: len(turns)]


@every_order
def test_the_next_turns_are_shown_by_mark(game: Game) -> None:
    states, _ = random_game(game, 1)
    cast = Cast(("Ann", "Ben"))
    coming = [state.view(None).panel("turns") for state in states if not state.secret]
    for now, later in pairwise(coming[:-1]):
        assert isinstance(now, tuple)
        assert isinstance(later, tuple)
        assert now[1:] == later[: len(now) - 1]
    assert coming[-1] is None
    shown = {one.key: one.text for one in draw(game, states[0].view(None), cast).panels}
    assert shown["turns"] == ", ".join(cast.mark(seat) for seat in order_in_words(game))


def test_the_target_decides_who_wins_a_full_board() -> None:
    game, full = load("shadow-fair"), {10: 0, 15: 0}
    for target, seed in ((target, seed) for target in full for seed in range(30)):
        states, played = random_line(game.start(target=target), Random(seed))
        end = states[-1].outcome
        assert end is not None
        if end.reason is Reason.FULL:
            full[target] += 1
            assert end.winner is (Seat.FIRST if target % 2 else Seat.SECOND)
            assert "at an odd target" in game.words.why(states[-1].view(None), Cast(("Ann", "Ben"))) or (
                target % 2 == 0
            )
        assert [one.seat for one in played] == [SEATS[at % 2] for at in range(len(played))]
    assert min(full.values()) > 10


def test_who_wins_a_full_board_is_said_to_whoever_knows_the_target() -> None:
    game, cast = load("shadow-fair"), Cast(("Ann", "Ben"))
    for target, winner in ((10, "Ben"), (15, "Ann")):
        state = game.start(target=target)
        assert game.words.goal(state.view(Seat.FIRST), cast).endswith(f"Full grid: {winner} wins.")
        assert game.words.goal(state.view(None), cast).endswith("Full grid: the target decides.")


def test_the_first_player_returns_a_number_and_both_go_on_with_four() -> None:
    game, returned = load("pattern-fair"), 0
    for seed in range(30):
        states, played = random_game(game, seed)
        if len(played) > 9:
            returned += 1
            assert [one.seat for one in played[8:12]] == [SEATS[k] for k in (0, 0, 1, 0)][
                : len(played) - 8
            ]
            assert [str(one.move).partition("@")[0] for one in played[9:11]] == ["return", "swap"][
                : len(played) - 9
            ]
            for state in states[10:]:
                view = state.view(None)
                filled = [sum(cell.number is not None for cell in board.cells) for board in view.boards]
                assert (filled, len(view.numbers("pool"))) == ([4, 4], 1)
                assert view.phase in ("swapping", "over")
    assert returned > 5


@pytest.mark.parametrize(("slug", "sum_of_all"), [("battle-fair", 45), ("cross-fair", 90)])
def test_the_head_start_is_in_the_score_from_the_start_to_the_end(slug: str, sum_of_all: int) -> None:
    game = load(slug)
    extra = head_start_in_words(game)
    assert extra > 0
    for seed in range(40):
        states, _ = random_game(game, seed)
        start, end = states[0].view(None), states[-1].view(None)
        assert [start.number("score", seat) for seat in SEATS] == [0, extra]
        assert start.panel("head start", Seat.SECOND) == extra
        first, second = (end.number("score", seat) for seat in SEATS)
        assert first + second == sum_of_all + extra
        assert end.outcome is not None
        assert end.outcome.winner is (Seat.FIRST if first > second else Seat.SECOND)


@every_edition
def test_what_replaces_a_passage_of_the_rules_finds_it_once(game: Game) -> None:
    rules = base_of(game).rules
    for passage, instead in game.amendments.items():
        assert rules.count(passage) == 1, passage
        assert instead in game.rules
    assert base_of(game).rules == rules


# What is proven


@every_edition
def test_the_edition_is_what_the_laboratory_found(game: Game) -> None:
    found = found_of(game)
    names = found["fairest"].split("+")
    edited = edit_game(base_of(game), find_edits(base_of(game), *names))
    assert clauses_of(game) == clauses_of(edited) != clauses_of(base_of(game))
    versions = {one["name"]: one for one in found["versions"]}
    assert str(perfect_value(game, {})) == versions[found["fairest"]]["perfect"]


def clauses_of(game: Game) -> Any:
    state: Any = game.set_up(game.example.setup)
    return state.clauses


@every_edition
def test_the_rules_give_the_figures_of_the_laboratory(game: Game) -> None:
    rules, found = " ".join(game.rules.split()), found_of(game)
    versions = {one["name"]: one for one in found["versions"]}
    book, fair = versions["book"], versions[found["fairest"]]
    solved = [one for one in found["versions"] if one["perfect"] is not None]
    assert f"of the {len(solved)}" in rules
    if fair["perfect"] in "01":
        assert f"{fair['mean_distance']:.3f} from one half on average, and by the book" in rules
        assert f"by the book {book['mean_distance']:.3f}." in rules
        assert f"won by the {'second' if fair['perfect'] == '0' else 'first'} player" in rules
    else:
        assert fair["perfect"] in rules
        assert f"{float(Fraction(book['perfect'])):.1%}" in rules


def test_the_rules_of_conquest_give_the_figures_of_the_other_grids() -> None:
    game = load("conquest-fair")
    small, large = (perfect_value(game, {"size": size}) for size in (2, 4))
    assert f"{small} on 2x2, and {float(large):.1%} on 4x4" in " ".join(game.rules.split())


@pytest.mark.long
def test_battle_is_as_even_by_level_as_its_rules_say() -> None:
    found = found_of(load("battle-fair"))
    curve = walk_game(load("battle-fair"), {}).near_chances(EQUAL)
    fair = next(one for one in found["versions"] if one["name"] == found["fairest"])
    assert [*map(float, curve)] == pytest.approx(fair["by_level"])


# The examples


def replayed(slug: str) -> tuple[State[Any], ...]:
    game = load(slug)
    return game.positions(game.set_up(game.example.setup), [text for text, _ in game.example.moves])


def chances(state: State[Any]) -> dict[str, Fraction]:
    """The chance of the seat to move after each of its moves."""
    seat = state.movers[0]
    found = evaluate(state).choices_of(seat)
    return {str(choice.move): Fraction(worth(choice.value, seat).chance) for choice in found}


def scores(state: State[Any]) -> tuple[int, ...]:
    return tuple(state.view(None).number("score", seat) for seat in SEATS)


def test_the_example_of_battle_is_right() -> None:
    states = replayed("battle-fair")
    assert [scores(state) for state in states] == [
        *((0, 3), (9, 3), (9, 11), (9, 17), (16, 17), (21, 17), (21, 21), (21, 24), (23, 24), (24, 24)),
    ]
    assert {move for move, chance in chances(states[2]).items() if chance} == {"0,0", "1,0"}  # 7 and 6
    assert evaluate(states[3]).margin == 0  # only just
    end = states[-1].outcome
    assert end is not None
    assert (end.winner, end.reason) == (Seat.SECOND, Reason.TIE)


def test_the_example_of_cross_is_right() -> None:
    states = replayed("cross-fair")
    assert [scores(state) for state in states] == [
        *((0, 2), (19, 2), (19, 19), (19, 35), (34, 35), (46, 35), (46, 46)),
    ]
    assert [move for move, chance in chances(states[2]).items() if chance] == ["Row3"]
    end = states[-1].outcome
    assert end is not None
    assert (end.winner, end.reason) == (Seat.SECOND, Reason.TIE)


def test_the_example_of_shadow_is_right() -> None:
    states = replayed("shadow-fair")
    assert {str(evaluate(state).value.result) for state in states} == {"first"}
    for at, seat, needed in (
        (3, 0, "2@1,1"),
        (4, 1, "7@3,3"),
        (5, 0, "5@2,3"),
        (7, 0, "4@3,1"),
        (8, 1, "8@2,1"),
    ):
        threats = states[at].threats(SEATS[seat])
        assert [f"{one.needed}@{one.gap // 3 + 1},{one.gap % 3 + 1}" for one in threats] == [needed]
    end = states[-1].outcome
    assert end is not None
    assert (end.winner, end.reason) == (Seat.FIRST, Reason.FULL)


def test_the_example_of_pattern_is_right() -> None:
    states = replayed("pattern-fair")
    kinds = [
        {str(c.move): str(c.value.result) for c in evaluate(state).choices} for state in states[9:13]
    ]
    assert [move for move, result in kinds[0].items() if result == "second"] == ["return@3,2"]
    assert [move for move, result in kinds[1].items() if result == "endless"] == ["swap@3,2"]
    assert [move for move, result in kinds[2].items() if result == "second"] == ["swap@3,2"]
    assert {move for move, result in kinds[3].items() if result == "endless"} == {"swap@2,3", "swap@3,1"}
    end = states[-1].outcome
    assert end is not None
    assert (end.winner, end.reason) == (Seat.FIRST, Reason.LINE)
    book = load("pattern")
    moves = [text for text, _ in book.example.moves[:9]]
    assert str(evaluate(book.sequence(book.set_up({}), moves)).value.result) == "first"


def test_the_example_of_conquest_is_right() -> None:
    states = replayed("conquest-fair")
    half = Fraction(1, 2)
    assert {evaluate(state).first_wins for state in states[:9]} == {half}
    assert max(chance for move, chance in chances(states[1]).items() if "challenge" in move) < half
    claimed = states[7].play("claim:8").play("claim:9").outcome
    assert claimed is not None
    assert isinstance(claimed.detail, Holdings)
    assert (claimed.winner, claimed.detail.cells) == (Seat.FIRST, (5, 4))
    assert {chance for move, chance in chances(states[7]).items() if "claim" in move} == {0}
    bidding = states[8]
    mixture = {str(c.move): c.mix for c in evaluate(bidding).choices_of(Seat.SECOND) if c.mix}
    assert mixture == {"bid:1": half, "bid:5": half}
    for theirs, own, first_wins in ((1, 4, 1), (5, 5, 1), (5, 4, 0), (1, 5, 0)):
        settled = bidding.play(f"bid:{theirs}", Seat.SECOND).play(f"bid:{own}", Seat.FIRST)
        assert evaluate(settled).first_wins == first_wins
    kept = [own for own in range(1, 6) if not taken(bidding, 5, own)]
    assert kept == [5]
    assert {*chances(states[10]).values()} == {0}
    end = states[-1].outcome
    assert end is not None
    assert isinstance(end.detail, Holdings)
    assert (end.winner, end.detail.cells) == (Seat.SECOND, (4, 5))


def taken(bidding: State[Any], theirs: int, own: int) -> bool:
    """Whether the second player takes cell 5 with these numbers."""
    settled = bidding.play(f"bid:{theirs}", Seat.SECOND).play(f"bid:{own}", Seat.FIRST)
    return settled.view(None).boards[0].cells[4].owner is Seat.SECOND


# The solver


@pytest.mark.parametrize(
    ("slug", "setup"),
    [
        ("battle-fair", {"grid": "729648315"}),
        ("cross-fair", {"grid": "629453187"}),
        ("cross-fair", {"grid": "123456789"}),
        pytest.param("conquest-fair", {"size": 2}, marks=pytest.mark.long),
    ],
)
def test_values_equal_plain_search_through_the_rules(slug: str, setup: Any) -> None:
    """From the first move on: the search knows all positions of these setups."""
    rng = Random(1)
    for _ in range(12):
        state = load(slug).set_up(setup)
        while state.movers:
            if not state.pending:
                assert_alike(state)
            seat = state.movers[0]
            state = state.after(rng.choice(state.moves(seat)), seat)


def assert_alike(state: State[Any]) -> None:
    found, plain = evaluate(state), search.evaluate(state)
    assert (found.first_wins, found.plies) == (plain.first_wins, plain.plies)
    for seat in state.movers:
        by_move = [
            {choice.move: worth(choice.value, seat).chance for choice in one.choices_of(seat)}
            for one in (found, plain)
        ]
        assert by_move[0] == by_move[1]


def test_values_of_late_positions_of_conquest_equal_plain_search() -> None:
    rng, compared = Random(2), 0
    while compared < 20:
        start = load("conquest-fair").start(size=rng.choice((2, 3, 4)))
        for state in random_line(start, rng)[0]:
            if not state.pending and 0 < (state.longest() or 0) <= 9:
                assert_alike(state)
                compared += 1


@every_edition
def test_an_edition_and_its_base_never_share_a_value(game: Game) -> None:
    """The same moves lead to positions that look alike, and are not taken for each other."""
    rng, differ = Random(5), 0
    for _ in range(30):
        setup = dict(base_of(game).start(rng=rng).setup)
        state, other = game.set_up(setup), base_of(game).set_up(setup)
        while state.movers and state.movers == other.movers and not state.dead:
            assert state != other
            assert len({state, other}) == 2
            differ += evaluate(state).value != evaluate(other).value
            seat, move = state.movers[0], rng.choice(state.moves())
            state, other = state.after(move, seat), other.after(move, seat)
    assert differ > 10


def test_the_survey_of_a_taking_game_counts_all_grids() -> None:
    (battle,), (cross,) = (tuple(solve(load(slug), {})) for slug in ("battle-fair", "cross-fair"))
    assert battle.value is not None
    assert (battle.value.result, battle.value.margin) == (Result.SECOND, -2)
    assert cross.first_wins == perfect_value(load("cross-fair"), {}) == Fraction(67, 140)
    assert cross.survey is not None
    assert cross.survey.setups == 362_880


def test_positions_are_counted_with_the_order_of_the_edition() -> None:
    fair, book = (load(slug).start(size=2) for slug in ("conquest-fair", "conquest"))
    assert solver_of(fair.game).count_positions(fair) != solver_of(book.game).count_positions(book)
    assert exploitability(perfect_policy, fair, alike=True) == 0


# Keeping and sending


@every_edition
def test_positions_records_and_batches_come_back_as_they_were(game: Game) -> None:
    states, played = random_game(game, 3)
    for state in states:
        again = pickle.loads(pickle.dumps(state))
        assert again == state == copy.deepcopy(state)
        assert again.game is game
    match = Match(states[0], (Player("Ann", Seat.FIRST), Player("Ben", Seat.SECOND)))
    for one in played:
        match.submit(one.seat, one.move)
    kept = Match.of(Record.from_json(match.record(None).to_json()))
    assert (kept.game, kept.state, kept.outcome) == (game, states[-1], states[-1].outcome)
    batch = Batch(game.slug, 8)
    batch.reset(seed=1)
    batch.step(batch.sample())
    other = pickle.loads(pickle.dumps(batch))
    assert [other.state(k) for k in range(8)] == [batch.state(k) for k in range(8)]
    assert all(batch.state(k).game is game for k in range(8))


@every_edition
def test_a_batch_plays_the_edition_by_its_own_rules(game: Game) -> None:
    batch = Batch(game.slug, 5, again=False)
    batch.reset(seed=2)
    while not batch.dones.all():
        movers, values, states = batch.movers.tolist(), batch.values(), [batch.state(k) for k in range(5)]
        going = (~batch.dones).tolist()
        for state, mover, row, on in zip(states, movers, values, going, strict=True):
            if on:
                assert state.movers[0] == mover
                for choice in evaluate(state).choices_of(Seat(mover)):
                    assert row[game.index(choice.move)] == float(worth(choice.value, choice.seat).chance)
        actions = batch.sample()
        batch.step(actions)
        for k, state in enumerate(states):
            if going[k]:
                assert batch.state(k) == state.play(game.moves[actions[k]], Seat(movers[k]))
    ends = [batch.state(k).outcome for k in range(5)]
    assert batch.winners.tolist() == [NOBODY if end is None else end.winner for end in ends]
    assert len(playouts(game.slug, 5, seed=1).winners) == 5
