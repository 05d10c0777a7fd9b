"""What every game promises, whatever its rules: one suite over all games and many setups."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re
from collections.abc import Iterator
from functools import partial
from itertools import product
from random import Random
from typing import Any

import pytest

import ninefold
from ninefold import SEATS, Game, Seat, State, View
from ninefold.core.cast import Cast
from ninefold.core.outcome import LIMIT
from ninefold.core.turns import Played
from ninefold.core.view import Board
from ninefold.games import editions_of
from ninefold.match import Match, Player
from ninefold.show.moves import tell_last
from tests.setups import GAMES, TABLES, Setup, every_game, has_secrets, name_of
from tests.setups import every_game_table as every_table

CAP = 200
SEEDS = range(4)


def start(game: Game, setup: Setup) -> State[Any]:
    return game.set_up(setup)


def lines(first: State[Any], rng: Random) -> Iterator[tuple[list[State[Any]], list[Played]]]:
    """A random game after each of its moves, to its end or to the cap: the positions, the moves.

    Where both seats choose, either may be quicker.
    """
    states, played = [first], list[Played]()
    for _ in range(CAP):
        state = states[-1]
        if state.outcome is not None:
            return
        seat = rng.choice(state.movers)
        move = rng.choice(state.moves(seat))
        states.append(state.play(move, seat))
        played.append(Played(seat, move))
        yield states, played


def positions(first: State[Any], rng: Random) -> Iterator[State[Any]]:
    """The positions of a random game, from the first to the last or to the cap."""
    yield first
    for (*_, later), _ in lines(first, rng):
        yield later


def games(game: Game, setup: Setup) -> Iterator[list[State[Any]]]:
    for seed in SEEDS:
        yield list(positions(start(game, setup), Random(f"{game.slug} {seed}")))


def all_positions(game: Game, setup: Setup) -> Iterator[State[Any]]:
    for played in games(game, setup):
        yield from played


# Moves


@every_table
def test_the_legal_moves_are_exactly_those_that_play_accepts(game: Game, setup: Setup) -> None:
    for state in all_positions(game, setup):
        for seat in state.movers:
            legal = state.moves(seat)
            accepted = []
            for move in game.moves:
                try:
                    state.play(move, seat)
                except ninefold.IllegalMove:
                    continue
                accepted.append(move)
            assert set(accepted) == set(legal)
            assert len(accepted) == len(legal) > 0


@every_table
def test_an_illegal_move_is_refused_with_a_sentence_and_changes_nothing(game: Game, setup: Setup) -> None:
    refused = 0
    for state in all_positions(game, setup):
        before = copy.deepcopy(state)
        for seat in state.movers:
            for move in set(game.moves) - set(state.moves(seat)):
                with pytest.raises(ninefold.IllegalMove) as error:
                    state.play(move, seat)
                assert is_a_sentence(str(error.value)), error.value
                refused += 1
        assert state == before
        assert repr(state) == repr(before)
    assert refused


@every_table
def test_a_legal_move_leaves_the_old_position_as_it_was(game: Game, setup: Setup) -> None:
    for state in all_positions(game, setup):
        before = copy.deepcopy(state)
        for seat in state.movers:
            for move in state.moves(seat):
                assert state.play(move, seat) != before
        assert state == before
        assert repr(state) == repr(before)


@every_table
def test_a_seat_that_has_nothing_to_choose_has_no_moves_and_is_told_so(game: Game, setup: Setup) -> None:
    waited = 0
    for state in all_positions(game, setup):
        if state.outcome is not None:
            continue
        for seat in set(SEATS) - set(state.movers):
            assert state.moves(seat) == ()
            for move in (*game.moves, str(game.moves[0]), "nonsense"):
                with pytest.raises(ninefold.NotYourTurn) as error:
                    state.play(move, seat)
            assert is_a_sentence(str(error.value))
            waited += 1
    assert waited


@every_table
def test_play_takes_a_move_a_copy_of_it_or_its_text(game: Game, setup: Setup) -> None:
    for state in all_positions(game, setup):
        for seat in state.movers:
            for move in state.moves(seat):
                expected = state.after(move, seat)
                assert state.play(move, seat) == expected
                assert state.play(copy.deepcopy(move), seat) == expected
                assert state.play(str(move), seat) == expected


@every_table
def test_the_seat_may_be_left_out_where_one_seat_moves_and_only_there(game: Game, setup: Setup) -> None:
    for state in all_positions(game, setup):
        if state.outcome is not None:
            continue
        assert state.moves() == state.moves(state.movers[0])
        move = state.moves()[0]
        if len(state.movers) == 1:
            assert state.play(move) == state.play(move, state.movers[0])
        else:
            with pytest.raises(ninefold.NotYourTurn):
                state.play(move)


@every_table
def test_both_seats_choose_only_in_secret(game: Game, setup: Setup) -> None:
    for state in all_positions(game, setup):
        assert len(set(state.movers)) == len(state.movers)
        assert state.secret or len(state.movers) <= 1


@every_game
def test_every_move_round_trips_through_its_text(game: Game) -> None:
    for move in game.moves:
        parsed = game.parse(str(move))
        assert parsed == move
        assert type(parsed) is type(move)
    assert len({str(move) for move in game.moves}) == len(game.moves)


@every_game
def test_every_move_round_trips_through_its_index(game: Game) -> None:
    assert [game.index(move) for move in game.moves] == list(range(len(game.moves)))
    for index, move in enumerate(game.moves):
        assert game.index(pickle.loads(pickle.dumps(move))) == index


@every_game
@pytest.mark.parametrize("stranger", ["5@1,1", "Row1", 3, None, []], ids=repr)
def test_what_is_not_a_move_has_no_index(game: Game, stranger: Any) -> None:
    with pytest.raises(ninefold.MalformedMove, match=game.title):
        game.index(stranger)


@every_table
def test_every_legal_move_is_among_the_moves_of_the_game_and_listed_once(
    game: Game, setup: Setup
) -> None:
    for state in all_positions(game, setup):
        for seat in state.movers:
            indices = [game.index(move) for move in state.moves(seat)]
            assert len(set(indices)) == len(indices)


# Endings


@every_table
def test_a_random_game_ends_with_exactly_one_winner(game: Game, setup: Setup) -> None:
    for played in games(game, setup):
        outcome = played[-1].outcome
        if outcome is None:
            assert game.endless
            assert len(played) == CAP + 1
        else:
            assert outcome.winner in SEATS
            assert outcome.reason in ninefold.Reason
        assert all(state.outcome is None for state in played[:-1])


@every_table
def test_a_dead_position_goes_on_and_stays_dead(game: Game, setup: Setup) -> None:
    for played in games(game, setup):
        dead = [state.dead for state in played]
        assert dead == sorted(dead)
        if any(dead):
            assert game.endless
            assert is_a_sentence(game.words.dead)
            assert played[-1].outcome is None


@every_table
def test_where_no_person_plays_every_match_ends(game: Game, setup: Setup) -> None:
    players = (Player("A", Seat.FIRST, "random"), Player("B", Seat.SECOND, "random"))
    for seed in range(5):
        match, rng = Match(start(game, setup), players), Random(seed)
        for _ in range(LIMIT):
            if not match.over:
                seat = match.state.movers[0]
                match.submit(seat, rng.choice(match.state.moves(seat)))
        assert match.over
        assert (match.stopped is None) == (match.outcome is not None)
        assert match.stopped is None or game.endless


@every_table
def test_the_last_turn_is_found_without_the_others(game: Game, setup: Setup) -> None:
    players = (Player("A", Seat.FIRST, "random"), Player("B", Seat.SECOND, "random"))
    match, rng = Match(start(game, setup), players), Random(game.slug)
    while not match.over and len(match.played) < 30:
        seat = rng.choice(match.state.movers)
        match.submit(seat, rng.choice(match.state.moves(seat)))
        assert match.last_turn == match.turns[-1]


@every_table
def test_after_the_end_nobody_moves(game: Game, setup: Setup) -> None:
    for played in games(game, setup):
        last = played[-1]
        if last.outcome is None:
            continue
        assert last.movers == ()
        assert last.moves() == ()
        for seat in (None, *SEATS):
            assert last.moves(seat) == ()
            for move in (*game.moves, str(game.moves[0]), "nonsense"):
                with pytest.raises(ninefold.GameOver):
                    last.play(move, seat)
        for viewer in (None, *SEATS):
            view = last.view(viewer)
            assert (view.phase, view.movers, view.moves, view.pending) == ("over", (), (), ())
            assert view.outcome == last.outcome


@every_table
def test_a_game_that_goes_on_has_somebody_to_move(game: Game, setup: Setup) -> None:
    for state in all_positions(game, setup):
        assert (state.outcome is None) == bool(state.movers)


@every_table
def test_the_same_seed_gives_the_same_game(game: Game, setup: Setup) -> None:
    one = list(positions(start(game, setup), Random(7)))
    same = list(positions(start(game, setup), Random(7)))
    assert one == same
    assert repr(one) == repr(same)


@every_game
def test_the_same_rng_seed_draws_the_same_setup(game: Game) -> None:
    for seed in range(20):
        assert game.start(rng=Random(seed)) == game.start(rng=Random(seed))


# Positions as values


@every_table
def test_positions_cannot_be_changed(game: Game, setup: Setup) -> None:
    for state in all_positions(game, setup):
        assert dataclasses.is_dataclass(state)
        names = [field.name for field in dataclasses.fields(state)]
        for name in [*names, "outcome", "game", "something_new"]:
            with pytest.raises((AttributeError, TypeError)):
                setattr(state, name, None)
        for name in names:
            with pytest.raises((AttributeError, TypeError)):
                delattr(state, name)


@every_game
def test_moves_cannot_be_changed(game: Game) -> None:
    for move in game.moves:
        assert dataclasses.is_dataclass(move)
        for field in dataclasses.fields(move):
            with pytest.raises(AttributeError):
                setattr(move, field.name, 0)


@every_table
def test_equal_positions_have_equal_hashes_and_equal_futures(game: Game, setup: Setup) -> None:
    for played in games(game, setup):
        again = copy.deepcopy(played)
        for state, same in zip(played, again, strict=True):
            assert state == same
            assert hash(state) == hash(same)
            assert state.movers == same.movers
            assert state.outcome == same.outcome
            assert [state.moves(seat) for seat in SEATS] == [same.moves(seat) for seat in SEATS]
        if not game.endless:
            assert len(set(played)) == len(played)


@every_table
def test_positions_and_their_outcomes_survive_copying_and_pickling(game: Game, setup: Setup) -> None:
    for state in all_positions(game, setup):
        for again in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
            assert again == state
            assert hash(again) == hash(state)
            assert repr(again) == repr(state)
            assert again.outcome == state.outcome
            for seat in state.movers:
                assert again.play(again.moves(seat)[-1], seat) == state.play(state.moves(seat)[-1], seat)


@every_game
def test_moves_survive_copying_and_pickling(game: Game) -> None:
    for move in game.moves:
        for again in (copy.copy(move), copy.deepcopy(move), pickle.loads(pickle.dumps(move))):
            assert again == move
            assert hash(again) == hash(move)
            assert str(again) == str(move)


# Views and secrets


@every_table
def test_a_view_lists_what_its_viewer_may_play(game: Game, setup: Setup) -> None:
    for state in all_positions(game, setup):
        for seat in SEATS:
            view = state.view(seat)
            assert view.moves == state.moves(seat)
            assert view.viewer == seat
        assert state.view(None).moves == ()
        assert state.view(None).viewer is None


@every_table
def test_a_view_names_the_game_the_movers_and_the_outcome(game: Game, setup: Setup) -> None:
    for state in all_positions(game, setup):
        for viewer in (None, *SEATS):
            view = state.view(viewer)
            assert view.game == game.slug
            assert view.movers == state.movers
            assert view.outcome == state.outcome
            assert (view.phase == "over") == (state.outcome is not None)
            assert view.boards
            for board in view.boards:
                assert {len(row) for row in board.rows} == {board.width}
                assert [cell for row in board.rows for cell in row] == list(board.cells)
                assert len({cell.label for cell in board.cells}) == len(board.cells)


@every_table
def test_the_players_see_the_setup(game: Game, setup: Setup) -> None:
    for state in all_positions(game, setup):
        assert state.setup == setup
        for seat in SEATS:
            assert state.view(seat).setup == setup


@every_table
def test_views_of_equal_positions_are_equal(game: Game, setup: Setup) -> None:
    for state in all_positions(game, setup):
        for viewer in (None, *SEATS):
            assert repr(state.view(viewer)) == repr(copy.deepcopy(state).view(viewer))


def test_no_spectator_sees_the_shadow_target_before_the_end() -> None:
    game = GAMES["shadow"]
    compared = 0
    for seed in range(30):
        rng = Random(seed)
        tables = [game.start(target=target) for target in range(10, 21)]
        while len(tables) > 1:
            views = {repr(state.view(None)) for state in tables}
            assert len(views) == 1
            for seat in SEATS:
                assert len({repr(state.view(seat)) for state in tables}) == len(tables)
            compared += 1
            move = rng.choice(tables[0].moves())
            tables = [later for state in tables if (later := state.play(move)).outcome is None]
    assert compared > 200


def test_no_spectator_learns_the_shadow_target_from_a_refusal() -> None:
    game = GAMES["shadow"]
    opening = ("5@1,1", "7@1,2", "6@2,2")
    heard = set()
    for target in range(10, 21):
        state = game.sequence(game.start(target=target), opening)
        heard.add(tuple(answer(state, move, seat) for move in game.moves for seat in SEATS))
    assert len(heard) == 1


SECRET_TABLES = [(GAMES[slug], setup) for slug, setup in TABLES if has_secrets(slug)]
every_secret_table = pytest.mark.parametrize(
    ("game", "setup"), SECRET_TABLES, ids=[name_of(game.slug, setup) for game, setup in SECRET_TABLES]
)


@every_secret_table
def test_no_one_else_sees_a_pending_choice(game: Game, setup: Setup) -> None:
    compared = 0
    for seed in range(12):
        for state in positions(start(game, setup), Random(seed)):
            if len(state.movers) < 2:
                continue
            for bidder in SEATS:
                pending = [state.play(bid, bidder) for bid in state.moves(bidder)]
                for viewer in (None, bidder.other):
                    assert len({repr(after.view(viewer)) for after in pending}) == 1
                assert len({tuple(game.numbers(after, bidder.other)) for after in pending}) == 1
                assert len({repr(after.view(bidder)) for after in pending}) == len(pending)
                compared += len(pending) > 1
    assert compared


@every_table
def test_a_seat_always_sees_as_many_numbers_and_no_more_than_its_view(game: Game, setup: Setup) -> None:
    count = len(game.numbers(start(game, setup), Seat.FIRST))
    seen: dict[str, list[int]] = {}
    for state in all_positions(game, setup):
        for seat in SEATS:
            numbers = game.numbers(state, seat)
            assert len(numbers) == count
            assert game.bounds[0] <= min(numbers) <= max(numbers) <= game.bounds[1]
            assert seen.setdefault(repr(state.view(seat)), numbers) == numbers


@every_secret_table
def test_no_one_learns_a_pending_choice_from_a_refusal(game: Game, setup: Setup) -> None:
    played = (state for seed in range(4) for state in positions(start(game, setup), Random(seed)))
    asked = [state for state in played if len(state.movers) == 2]
    assert asked
    for state, bidder in product(asked, SEATS):
        heard = set()
        for bid in state.moves(bidder):
            pending = state.play(bid, bidder)
            refused = [move for move in game.moves if move not in pending.moves(bidder.other)]
            answers = [answer(pending, move, bidder.other) for move in refused]
            answers += [answer(pending, move, bidder) for move in game.moves]
            heard.add(tuple(answers))
        assert len(heard) == 1


def answer(state: State[Any], move: object, seat: Seat) -> str:
    """What a seat is told that tries a move."""
    try:
        state.play(move, seat)
    except ninefold.NinefoldError as error:
        return f"{type(error).__name__}: {error}"
    return "accepted"


# Spots


def board_of(view: View, seat: Seat) -> Board:
    """The board that the seat plays on: its own, or the one that is shared."""
    return next(board for board in view.boards if board.owner in (None, seat))


@every_table
def test_no_two_moves_of_a_seat_are_made_at_the_same_spot(game: Game, setup: Setup) -> None:
    for state in all_positions(game, setup):
        for seat in state.movers:
            legal = state.moves(seat)
            assert len({game.spot(move) for move in legal}) == len(legal)


@every_table
def test_a_spot_points_at_cells_of_the_movers_board(game: Game, setup: Setup) -> None:
    for state in all_positions(game, setup):
        for seat in state.movers:
            board = board_of(state.view(seat), seat)
            for move in state.moves(seat):
                cells = game.spot(move).cells
                assert len(set(cells)) == len(cells)
                assert set(cells) <= set(range(len(board.cells)))


@every_table
def test_the_number_of_a_spot_is_one_the_mover_sees(game: Game, setup: Setup) -> None:
    for state in all_positions(game, setup):
        for seat in state.movers:
            view = state.view(seat)
            shown = {
                n for panel in view.panels if panel.seat in (None, seat) for n in as_numbers(panel.value)
            }
            numbers = {game.spot(move).number for move in state.moves(seat)}
            assert numbers <= shown or numbers == {None}


def as_numbers(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else ()


# Errors


def is_a_sentence(text: str) -> bool:
    return len(text.split()) > 2 and text.endswith(".") and text == text.strip() and "\n" not in text


NONSENSE = (
    "",
    "   ",
    "pass",
    "resign",
    "0",
    "5",
    "5@4,4",
    "9,9",
    "Row4",
    "claim:17",
    "bid:6",
    "5@",
    "@1,1",
)


@every_game
@pytest.mark.parametrize("text", NONSENSE)
def test_nonsense_is_a_malformed_move_and_the_message_shows_it(game: Game, text: str) -> None:
    state = game.start(rng=Random(0))
    for refuse in (game.parse, partial(state.play, seat=state.movers[0])):
        with pytest.raises(ninefold.MalformedMove) as error:
            refuse(text)
        assert is_a_sentence(str(error.value))
        assert shown_input(str(error.value)) in text
        assert shown_input(str(error.value)) or not text.strip()


def shown_input(message: str) -> str:
    """The part of the input that the message puts in quotes."""
    return message.split('"')[1]


@every_game
def test_a_move_of_another_game_is_a_malformed_move(game: Game) -> None:
    state = game.start(rng=Random(0))
    for other in GAMES.values():
        if other not in editions_of(game):
            for move in other.moves:
                with pytest.raises(ninefold.MalformedMove) as error:
                    state.play(move, state.movers[0])
                assert repr(move) in str(error.value)


@every_game
@pytest.mark.parametrize("stranger", [None, 3, []], ids=repr)
def test_what_is_not_even_a_move_is_malformed(game: Game, stranger: Any) -> None:
    state = game.start(rng=Random(0))
    with pytest.raises(ninefold.MalformedMove, match=game.title):
        state.play(stranger, state.movers[0])


@pytest.mark.parametrize("slug", GAMES)
def test_a_move_beyond_the_game_is_malformed(slug: str) -> None:
    state = GAMES[slug].start(rng=Random(0))
    real = state.moves()[0]
    beyond = dataclasses.replace(real, **{field.name: 99 for field in dataclasses.fields(real)})
    with pytest.raises(ninefold.MalformedMove, match=GAMES[slug].title):
        state.play(beyond, state.movers[0])


@every_game
def test_a_message_shows_hostile_input_short_and_on_one_line(game: Game) -> None:
    with pytest.raises(ninefold.MalformedMove) as error:
        game.parse("hello\x1b[31m\nworld" + "!" * 10_000)
    assert "hello?[31m?world" in str(error.value)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 250


def test_every_error_is_a_ninefold_error_and_a_value_error() -> None:
    errors = (
        ninefold.GameOver,
        ninefold.IllegalMove,
        ninefold.MalformedMove,
        ninefold.NotYourTurn,
        ninefold.SetupError,
    )
    for error in errors:
        assert issubclass(error, ninefold.NinefoldError)
        assert issubclass(error, ValueError)
        assert not any(issubclass(error, other) for other in errors if other is not error)


@every_game
def test_an_error_in_a_written_sequence_names_the_move_and_its_place(game: Game) -> None:
    state, texts = game.start(rng=Random(0)), list[str]()
    while set(state.moves()) == set(game.moves):  # until there is a move that is not legal
        texts.append(str(state.moves()[0]))
        state = state.play(texts[-1], state.movers[0])
    first, count = game.start(rng=Random(0)), len(texts) + 1
    with pytest.raises(ninefold.MalformedMove, match=f'^Move {count}, "gibberish": '):
        game.sequence(first, [*texts, "gibberish"])
    illegal = next(str(move) for move in game.moves if move not in state.moves())
    with pytest.raises(ninefold.IllegalMove, match=f'^Move {count}, "{illegal}": '):
        game.sequence(first, [*texts, illegal])


@every_table
def test_a_written_sequence_is_replayed_with_the_first_mover_first(game: Game, setup: Setup) -> None:
    state, rng = start(game, setup), Random(11)
    texts: list[str] = []
    while state.outcome is None and len(texts) < CAP:
        move = rng.choice(state.moves())
        texts.append(str(move))
        state = state.play(move, state.movers[0])
    assert game.sequence(start(game, setup), texts) == state
    if state.outcome is not None:
        with pytest.raises(ninefold.GameOver, match=f"^Move {len(texts) + 1}, "):
            game.sequence(start(game, setup), [*texts, texts[0]])


# Setups


@every_table
def test_a_position_knows_the_setup_that_begins_its_game_again(game: Game, setup: Setup) -> None:
    first = start(game, setup)
    assert start(game, dict(first.setup)) == first
    for state in all_positions(game, setup):
        assert state.setup == first.setup


@every_table
def test_a_setup_may_be_given_as_text_with_blanks_around_it(game: Game, setup: Setup) -> None:
    assert start(game, {name: f" {value} " for name, value in setup.items()}) == start(game, setup)


@every_game
def test_a_missing_setting_without_an_rng_is_refused_and_says_what_is_allowed(game: Game) -> None:
    open_settings = [option for option in game.options if option.default is None]
    if not open_settings:
        assert game.start() == game.start(rng=Random(0))
        return
    with pytest.raises(ninefold.SetupError) as error:
        game.start()
    assert open_settings[0].name in str(error.value)
    assert open_settings[0].allowed in str(error.value)
    assert is_a_sentence(str(error.value))


@every_game
def test_an_unknown_setting_is_refused_and_the_known_ones_are_named(game: Game) -> None:
    with pytest.raises(ninefold.SetupError) as error:
        game.start(rng=Random(0), colour="red")
    assert '"colour"' in str(error.value)
    for option in game.options:
        assert option.name in str(error.value)
    if not game.options:
        assert "no settings" in str(error.value)


BAD_VALUES = (
    "",
    "x",
    "0",
    "-1",
    "1",
    "9",
    "210",
    "15.0",
    "1e1",
    "12345678",
    "1234567890",
    "112345678",
    "None",
)


@every_game
@pytest.mark.parametrize("value", BAD_VALUES)
def test_a_bad_setting_is_refused_and_says_what_is_allowed(game: Game, value: str) -> None:
    refused = []
    for option in game.options:
        with pytest.raises(ninefold.SetupError) as error:
            game.start(rng=Random(0), **{option.name: value})
        assert option.name in str(error.value)
        assert option.allowed in str(error.value)
        assert f'"{value}"' in str(error.value)
        refused.append(option.name)
    assert refused == [option.name for option in game.options]


def test_a_game_is_loaded_by_its_slug_in_any_letter_case() -> None:
    for slug, game in GAMES.items():
        assert ninefold.load(f" {slug.upper()} ") is game
        assert game.slug == slug
    assert list(GAMES) == list(ninefold.SLUGS)


def test_a_game_can_be_a_key() -> None:
    assert [{game: game.slug for game in GAMES.values()}[game] for game in GAMES.values()] == list(GAMES)


@pytest.mark.parametrize("name", ["", "chess", "shadow grid duel", "../shadow", "shadow.rules"])
def test_an_unknown_game_is_refused_and_the_games_are_listed(name: str) -> None:
    with pytest.raises(ninefold.SetupError) as error:
        ninefold.load(name)
    assert f'"{name}"' in str(error.value)
    for slug in ninefold.SLUGS:
        assert slug in str(error.value)


# Words


@every_game
def test_a_game_has_rules_for_players(game: Game) -> None:
    assert game.rules.strip()
    assert game.title in game.rules


@every_game
def test_the_rules_say_who_starts_and_that_a_player_may_resign(game: Game) -> None:
    rules = " ".join(game.rules.split())
    assert ("who starts" if game.starter is not None else "at the same time") in rules
    assert "resign at any time" in rules


@every_game
def test_a_game_has_a_title_and_a_summary_of_one_line(game: Game) -> None:
    assert game.title.strip() == game.title != ""
    assert is_a_sentence(game.summary)


CAST = Cast(("Ann", "Ben"))
PAINTED = CAST.with_paint(lambda seat, text: f"<{seat}:{text}>")


@every_table
def test_who_is_to_move_is_told_what_to_choose(game: Game, setup: Setup) -> None:
    for state in all_positions(game, setup):
        for seat in state.movers:
            said = game.words.choose(state.view(seat), CAST)
            assert is_a_sentence(said), said
            assert CAST.names[seat] not in said
            # Also where the other player reads it, who looks for a better move in a review.
            assert game.words.choose(state.view(seat), CAST.for_reader(seat.other)) == said
            assert not named(game.words.choose(state.view(seat), PAINTED))


@every_table
def test_the_news_of_a_move_are_one_sentence_and_the_same_for_everybody(game: Game, setup: Setup) -> None:
    for seed in SEEDS:
        for states, played in lines(start(game, setup), Random(seed)):
            told = {tell_last(states, played, viewer, CAST) for viewer in (None, *SEATS)}
            assert len(told) == 1
            (said,) = told
            assert is_a_sentence(said), said
            assert CAST.names[played[-1].seat] in said


@every_table
def test_the_news_paint_every_name(game: Game, setup: Setup) -> None:
    for seed in SEEDS:
        for states, played in lines(start(game, setup), Random(seed)):
            seat = played[-1].seat
            plain, painted = (tell_last(states, played, None, cast) for cast in (CAST, PAINTED))
            assert f"<{seat}:{CAST.names[seat]}>" in painted
            assert not named(painted)
            assert re.sub("<[a-z]+:|>", "", painted) == plain


def named(painted: str) -> bool:
    """Whether a name stands there without its color."""
    return any(name in re.sub("<[^>]*>", "", painted) for name in CAST.names)


@every_secret_table
def test_no_one_else_is_told_of_a_pending_choice(game: Game, setup: Setup) -> None:
    compared = 0
    for seed in range(12):
        for state in positions(start(game, setup), Random(seed)):
            if len(state.movers) < 2:
                continue
            for bidder in SEATS:
                other = bidder.other
                pending = {bid: state.play(bid, bidder) for bid in state.moves(bidder)}
                for viewer in (None, other):
                    heard = {
                        tell_last([state, after], [Played(bidder, bid)], viewer, CAST)
                        for bid, after in pending.items()
                    }
                    assert heard == {f"{CAST.names[bidder]} has chosen."}
                asked = {game.words.choose(after.view(other), CAST) for after in pending.values()}
                assert asked == {game.words.choose(state.view(other), CAST)}
                compared += len(pending) > 1
    assert compared


# Examples


@every_game
def test_an_example_is_a_whole_game_that_can_be_played(game: Game) -> None:
    example = game.example
    state = game.sequence(game.set_up(example.setup), [text for text, _ in example.moves])
    assert state.outcome is not None
    assert state.setup == example.setup
    assert [str(game.parse(text)) for text, _ in example.moves] == [text for text, _ in example.moves]


@every_game
def test_an_example_has_a_word_on_every_move(game: Game) -> None:
    for _, word in game.example.moves:
        assert is_a_sentence(word), word
    assert all(any(name in word for _, word in game.example.moves) for name in game.example.names)
