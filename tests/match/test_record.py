"""The record: it round-trips, it replays through the rules, and it tells nobody's secret."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ninefold import SEATS, NinefoldError, Reason, Seat
from ninefold.match import Match, Player, Record, RecordError, Series
from ninefold.match.record import NAME_LIMIT, clean_name
from ninefold.players import kind
from tests.match.tables import (
    ALICE_FIRST,
    BOB_FIRST,
    new_match,
    noon,
    play,
    play_at_random,
    ticking,
)
from tests.setups import Setup, every_table


def read(text: str) -> Match:
    return Match.of(Record.from_json(text))


def assert_round_trip(match: Match) -> None:
    record = match.shared_record()
    text = record.to_json()
    again = Record.from_json(text)
    assert again == record
    assert again.to_json() == text
    replayed = Match.of(again)
    for before, after in zip(match.states, replayed.states, strict=False):
        assert after == before or (after.pending and before.pending)  # the challenger's number is first
    assert replayed.played == record.moves
    assert replayed.players == match.players
    assert replayed.started == match.started
    assert replayed.series == match.series
    assert replayed.hints == match.hints
    assert replayed.shared_record().to_json() == text


# Writing and reading


@every_table
@pytest.mark.parametrize("seed", range(3))
def test_a_random_game_round_trips_at_its_end(slug: str, setup: Setup, seed: int) -> None:
    match = play_at_random(new_match(slug, setup, now=ticking()), Random(seed))
    assert_round_trip(match)
    again = read(match.shared_record().to_json())
    assert again.outcome == match.outcome
    assert again.state == match.state


@every_table
def test_an_unfinished_game_round_trips_after_every_move(slug: str, setup: Setup) -> None:
    match = new_match(slug, setup, players=BOB_FIRST, now=ticking())
    rng = Random(slug)
    assert_round_trip(match)
    for _ in range(25):
        if match.outcome is not None:
            break
        play_at_random(match, rng, 1)
        assert_round_trip(match)


@every_table
@pytest.mark.parametrize("loser", SEATS)
def test_a_resigned_game_round_trips(slug: str, setup: Setup, loser: Seat) -> None:
    match = play_at_random(new_match(slug, setup), Random(3), 2)
    match.resign(loser)
    assert_round_trip(match)
    outcome = read(match.shared_record().to_json()).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (loser.other, Reason.RESIGNED)


@settings(deadline=None)
@given(st.text(max_size=5000))
@example("python3 -u -c '\nimport sys\nfor line in sys.stdin:\n\tprint(1)\n'")
@example("x" * 4000)
def test_every_command_that_can_be_seated_round_trips(command: str) -> None:
    try:
        program = kind(f"program:{command}")
    except NinefoldError:
        return
    players = (Player("Alice", Seat.FIRST, program), Player("Bob", Seat.SECOND))
    assert_round_trip(new_match("cross", {"grid": "123456789"}, players=players))


def test_a_match_without_hints_stays_one() -> None:
    match = new_match("cross", {"grid": "123456789"}, hints=False)
    assert_round_trip(match)
    assert read(match.shared_record().to_json()).hints is False


def test_a_record_that_says_nothing_of_hints_allows_them() -> None:
    assert read(json.dumps(going_on())).hints is True
    assert "hints" not in new_match("cross", {"grid": "123456789"}).shared_record().to_json()


def test_a_forfeited_game_round_trips() -> None:
    match = play(new_match("cross", {"grid": "123456789"}), "Row1")
    match.forfeit(Seat.SECOND, "the program stopped answering")
    assert_round_trip(match)
    outcome = read(match.shared_record().to_json()).outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (Seat.FIRST, Reason.FORFEIT)


@pytest.mark.parametrize("wins", [(0, 0), (1, 0), (1, 1), (0, 1)])
@every_table
def test_a_game_of_a_series_round_trips(slug: str, setup: Setup, wins: tuple[int, int]) -> None:
    series = Series(3, wins)
    match = play_at_random(new_match(slug, setup, series=series), Random(5), 3)
    assert_round_trip(match)
    assert read(match.shared_record().to_json()).series == series


def test_names_in_any_script_round_trip() -> None:
    players = (Player("Zoë Ångström", Seat.SECOND), Player("山田 太郎", Seat.FIRST))
    text = new_match("pattern", {}, players=players).shared_record().to_json()
    assert "山田 太郎" in text
    assert read(text).players == players


def test_the_record_holds_moves_and_no_positions() -> None:
    match = play(new_match("shadow", {"target": 15}, now=noon), "5@1,1", "9@2,2")
    assert json.loads(match.shared_record().to_json()) == {
        "ninefold": 1,
        "game": "shadow",
        "setup": {"target": 15},
        "players": [
            {"name": "Alice", "seat": "first", "kind": "person"},
            {"name": "Bob", "seat": "second", "kind": "person"},
        ],
        "started": noon(),
        "moves": [
            {"seat": "first", "move": "5@1,1", "at": noon()},
            {"seat": "second", "move": "9@2,2", "at": noon()},
        ],
        "result": None,
    }


def test_the_numbers_of_a_challenge_are_written_with_the_challengers_first() -> None:
    match = play(new_match("conquest", {"size": 2}), "claim:1", "challenge:1")
    match.submit(Seat.FIRST, "bid:5")
    told = {
        viewer: [str(one.move) for one in match.record(viewer).moves][2:] for viewer in (*SEATS, None)
    }
    assert told == {Seat.FIRST: ["bid:5"], Seat.SECOND: [], None: []}
    match.submit(Seat.SECOND, "bid:3")
    for viewer in (*SEATS, None):
        moves = [str(one.move) for one in match.record(viewer).moves]
        assert moves == ["claim:1", "challenge:1", "bid:3", "bid:5"]
        assert match.game.sequence(match.states[0], moves) == match.state
    assert_round_trip(match)


def test_a_finished_game_may_leave_its_result_to_the_moves() -> None:
    data = finished()
    data["result"] = None
    match = read(json.dumps(data))
    assert match.outcome is not None
    assert match.outcome.winner is Seat.SECOND


def test_moves_are_read_as_forgivingly_as_they_are_typed_and_kept_in_their_own_text() -> None:
    data = going_on()
    data["moves"][0]["move"] = "row 1"
    assert [str(played.move) for played in read(json.dumps(data)).played] == ["Row1", "Col2"]


# Damage


def going_on() -> dict[str, Any]:
    """A match of two moves in a series. The first player is to move."""
    match = play(new_match("cross", {"grid": "123456789"}, series=Series(3, (1, 0))), "Row1", "Col2")
    data: dict[str, Any] = json.loads(match.shared_record().to_json())
    return data


def finished() -> dict[str, Any]:
    """Row1 + Row2 + Col1 = 33 against Row3 + Col2 + Col3 = 57."""
    match = play(
        new_match("cross", {"grid": "123456789"}), "Row1", "Row3", "Row2", "Col3", "Col1", "Col2"
    )
    data: dict[str, Any] = json.loads(match.shared_record().to_json())
    return data


def challenged() -> dict[str, Any]:
    """A challenge with the challenger's number in, as the challenger has it."""
    match = play(new_match("conquest", {"size": 2}), "claim:1", "challenge:1", "bid:3")
    data: dict[str, Any] = json.loads(match.record(Seat.SECOND).to_json())
    return data


def put(*path: str | int, value: object) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        data[path[-1]] = value

    return change


def drop(*path: str | int) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        del data[path[-1]]

    return change


def move(seat: object, text: object, at: object = "2025-01-01T12:00:00+00:00") -> dict[str, object]:
    return {"seat": seat, "move": text, "at": at}


def append(*moves: object) -> Callable[[Any], None]:
    return lambda data: data["moves"].extend(moves)


Change = Callable[[Any], None]

# What is done to the record of a going match, and what the refusal has to mention.
DAMAGE: dict[str, tuple[Change, tuple[str, ...]]] = {
    "no version": (drop("ninefold"), ("not a match record",)),
    "version 0": (put("ninefold", value=0), ("version", '"0"', "reads version 1.")),
    "version 2": (put("ninefold", value=2), ("version", '"2"', "reads version 1.")),
    "version as text": (put("ninefold", value="1"), ("version",)),
    "version null": (put("ninefold", value=None), ("version",)),
    "version a list": (put("ninefold", value=[1]), ("version",)),
    "no game": (drop("game"), ('"game"',)),
    "game a number": (put("game", value=4), ('"game"',)),
    "unknown game": (put("game", value="chess"), ('"chess"', "shadow, battle")),
    "empty game": (put("game", value=""), ("no game",)),
    "a module for a game": (put("game", value="cross.rules"), ('"cross.rules"',)),
    "no setup": (drop("setup"), ('"setup"',)),
    "setup a list": (put("setup", value=[]), ('"setup"',)),
    "setting missing": (put("setup", value={}), ("setup is not valid", "grid")),
    "setting out of range": (
        put("setup", "grid", value="123456788"),
        ("setup is not valid", "123456788"),
    ),
    "setting too long": (put("setup", "grid", value="1" * 500), ("setup is not valid", "grid")),
    "setting a list": (put("setup", "grid", value=[1]), ('"setup"',)),
    "setting true": (put("setup", "grid", value=True), ('"setup"',)),
    "setting a fraction": (put("setup", "grid", value=1.5), ('"setup"',)),
    "another game's setting": (put("setup", "target", value=15), ("no setting", '"target"', "grid")),
    "setup for the rng": (put("setup", "rng", value=3), ("no setting", '"rng"')),
    "setup for self": (put("setup", "self", value=3), ("no setting", '"self"')),
    "setting with control characters": (put("setup", "\x1b[2J", value=3), ("no setting", '"?[2J"')),
    "no players": (drop("players"), ('"players"',)),
    "players an object": (put("players", value={}), ('"players"',)),
    "one player": (drop("players", 1), ("two players",)),
    "three players": (lambda d: d["players"].append(d["players"][0]), ("two players",)),
    "player a name only": (put("players", 0, value="Alice"), ("two players",)),
    "player without a name": (drop("players", 0, "name"), ('"name"',)),
    "player without a seat": (drop("players", 1, "seat"), ('"seat"',)),
    "player without a kind": (drop("players", 1, "kind"), ('"kind"',)),
    "both on one seat": (put("players", 1, "seat", value="first"), ("the same seat",)),
    "a third seat": (put("players", 1, "seat", value="third"), ('"third"', "first or second")),
    "seat a number": (put("players", 1, "seat", value=1), ('"seat"',)),
    "empty name": (put("players", 0, "name", value=""), (f"1 to {NAME_LIMIT}",)),
    "blank name": (put("players", 0, "name", value="   "), (f"1 to {NAME_LIMIT}",)),
    "long name": (put("players", 0, "name", value="x" * (NAME_LIMIT + 1)), (f"1 to {NAME_LIMIT}",)),
    "very long name": (put("players", 0, "name", value="x" * 500), ('"name"',)),
    "escape sequence in a name": (put("players", 0, "name", value="\x1b[31mAl"), ('"name"',)),
    "two lines in a name": (put("players", 0, "name", value="Al\nice"), ('"name"',)),
    "half a character in a name": (put("players", 0, "name", value="Al\ud800"), ('"name"',)),
    "writing direction in a name": (put("players", 0, "name", value="Al\u202eice"), ('"name"',)),
    "an unknown kind of player": (put("players", 0, "kind", value="wizard"), ('"wizard"', "person")),
    "escape sequence in a kind": (put("players", 0, "kind", value="\x07"), ("players", "person")),
    "escape sequence in a command": (put("players", 0, "kind", value="program:\x1b"), ("command",)),
    "endless command": (put("players", 0, "kind", value="program:" + "x" * 9999), ("command",)),
    "hints in words": (put("hints", value="no"), ('"hints"',)),
    "no start": (drop("started"), ('"started"',)),
    "start a number": (put("started", value=0), ('"started"',)),
    "escape sequence in the start": (put("started", value="\x1b[2J"), ('"started"',)),
    "no moves": (drop("moves"), ('"moves"',)),
    "moves an object": (put("moves", value={"0": {}}), ('"moves"',)),
    "moves a text": (put("moves", value="Row1"), ('"moves"',)),
    "move a text only": (put("moves", 1, value="Row3"), ("Move 2",)),
    "move null": (put("moves", 0, value=None), ("Move 1",)),
    "move without a seat": (drop("moves", 1, "seat"), ("Move 2", '"seat"')),
    "move of a third seat": (put("moves", 1, "seat", value="third"), ("Move 2", '"third"')),
    "move without its text": (drop("moves", 0, "move"), ("Move 1", '"move"')),
    "move a number": (put("moves", 0, "move", value=1), ("Move 1", '"move"')),
    "move without a time": (drop("moves", 0, "at"), ("Move 1", '"at"')),
    "escape sequence in a move": (put("moves", 0, "move", value="\x1b[2JRow1"), ("Move 1", '"move"')),
    "endless move": (put("moves", 0, "move", value="Row1" + " " * 200), ("Move 1", '"move"')),
    "malformed move": (put("moves", 1, "move", value="Row4"), ("Move 2", "Row4", "numbered 1 to 3")),
    "nonsense for a move": (put("moves", 1, "move", value="hello"), ("Move 2", "hello", "not a line")),
    "illegal move": (put("moves", 1, "move", value="Row1"), ("Move 2", "Row1", "already been claimed")),
    "out of turn": (put("moves", 1, "seat", value="first"), ("Move 2", "Col2", "'s turn")),
    "a move left out": (drop("moves", 0), ("Move 1", "Col2", "'s turn")),
    "moves the wrong way round": (lambda d: d["moves"].reverse(), ("Move 1", "'s turn")),
    "result without an end": (
        put("result", value={"winner": "first", "reason": "sum"}),
        ("result", "do not end the game"),
    ),
    "result a text": (put("result", value="first"), ('"result"',)),
    "result true": (put("result", value=True), ('"result"',)),
    "result an empty object": (put("result", value={}), ('"result"',)),
    "result without a winner": (put("result", value={"reason": "resigned"}), ('"winner"',)),
    "result without a reason": (put("result", value={"winner": "first"}), ('"result"',)),
    "unknown reason": (put("result", value={"winner": "first", "reason": "luck"}), ('"result"',)),
    "reason a list": (put("result", value={"winner": "first", "reason": ["sum"]}), ('"result"',)),
    "a third winner": (put("result", value={"winner": "both", "reason": "resigned"}), ('"both"',)),
    "series a number": (put("series", value=3), ('"series"',)),
    "series a list": (put("series", value=[]), ('"series"',)),
    "series without a score": (drop("series", "wins"), ('"series"',)),
    "series without a length": (drop("series", "best_of"), ('"series"',)),
    "best of four": (put("series", "best_of", value=4), ('"series"',)),
    "best of zero": (put("series", "best_of", value=0), ('"series"',)),
    "best of minus one": (put("series", value={"best_of": -1, "wins": [0, 0]}), ('"series"',)),
    "best of three and a half": (put("series", "best_of", value=3.5), ('"series"',)),
    "series with three scores": (put("series", "wins", value=[0, 0, 0]), ('"series"',)),
    "a score below zero": (put("series", "wins", value=[-1, 0]), ('"series"',)),
    "a score in words": (put("series", "wins", value=["1", "0"]), ('"series"',)),
    "a series that was decided": (put("series", "wins", value=[2, 0]), ('"series"',)),
    "a series without settings": (drop("series", "setup"), ('"series"',)),
    "settings of a series a list": (put("series", "setup", value=[]), ('"series"',)),
    "a series for the rng": (put("series", "setup", value={"rng": 3}), ('"rng"',)),
    "a series of another game": (put("series", "setup", value={"target": 15}), ('"target"',)),
    "a series out of range": (put("series", "setup", value={"grid": "11"}), ("grid",)),
}

AFTER_THE_END: dict[str, tuple[Change, tuple[str, ...]]] = {
    "one move more": (append(move("first", "Row1")), ("Move 7", "Row1", "over")),
    "the other one won": (
        put("result", "winner", value="first"),
        ("result", "does not follow from its moves"),
    ),
    "for another reason": (
        put("result", "reason", value="tie"),
        ("result", "does not follow from its moves"),
    ),
    "resigned after the end": (
        put("result", "reason", value="resigned"),
        ("result", "does not follow from its moves"),
    ),
    "the last move left out": (drop("moves", 5), ("result", "do not end the game")),
    "the moves left out": (put("moves", value=[]), ("result", "do not end the game")),
}

IN_A_CHALLENGE: dict[str, tuple[Change, tuple[str, ...]]] = {
    "a second number": (append(move("second", "bid:4")), ("Move 4", "bid:4", "'s turn")),
    "a claim in between": (append(move("first", "claim:2")), ("Move 4", "claim:2", "challenged")),
    "a number nobody has": (append(move("first", "bid:6")), ("Move 4", "bid:6")),
    "one's own cell": (put("moves", 1, value=move("second", "challenge:2")), ("Move 2", "challenge:2")),
    "a cell too far": (put("moves", 0, "move", value="claim:5"), ("Move 1", "claim:5", "1 to 4")),
    "a number without a challenge": (drop("moves", 1), ("Move 2", "bid:3", "only in a challenge")),
}


def cases(table: dict[str, tuple[Change, tuple[str, ...]]]) -> pytest.MarkDecorator:
    params = [pytest.param(*case, id=name.replace(" ", "_")) for name, case in table.items()]
    return pytest.mark.parametrize(("change", "mentions"), params)


def assert_refused(data: object, mentions: tuple[str, ...]) -> None:
    with pytest.raises(RecordError) as refusal:
        read(json.dumps(data))
    sentence = str(refusal.value)
    for text in mentions:
        assert text in sentence
    assert sentence.isprintable()
    assert len(sentence) < 300
    assert sentence.endswith(".")


@cases(DAMAGE)
def test_a_damaged_record_is_refused_with_the_place_and_the_reason(
    change: Change, mentions: tuple[str, ...]
) -> None:
    data = going_on()
    read(json.dumps(data))
    change(data)
    assert_refused(data, mentions)


@cases(AFTER_THE_END)
def test_a_finished_record_is_refused_if_its_end_is_not_its_own(
    change: Change, mentions: tuple[str, ...]
) -> None:
    data = finished()
    read(json.dumps(data))
    change(data)
    assert_refused(data, mentions)


@cases(IN_A_CHALLENGE)
def test_a_challenge_is_replayed_by_the_rules(change: Change, mentions: tuple[str, ...]) -> None:
    data = challenged()
    read(json.dumps(data))
    change(data)
    assert_refused(data, mentions)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "null",
        "1",
        '"ninefold"',
        "[]",
        "{}",
        "{",
        '{"ninefold": 1',
        "{'ninefold': 1}",
        "\x00",
        "\ufeff{}",
        "NaN",
        '{"ninefold": ' + "9" * 5000 + "}",
        "[" * 100_000,
        "[" * 100_000 + "]" * 100_000,
        '{"ninefold": ' * 50_000 + "1" + "}" * 50_000,
        "not a record at all",
    ],
    ids=lambda text: repr(text[:20]),
)
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(RecordError, match="not a match record"):
        Record.from_json(text)


@pytest.mark.parametrize("key", ["ninefold", "setup", "players", "moves", "result", "series"])
def test_a_record_nested_to_any_depth_is_refused(key: str) -> None:
    """Around the limit of Python's own recursion, reading may work and showing may not."""
    for depth in (10, 200, *range(850, 1010, 3), 5000):
        data = going_on()
        data[key] = "here"
        text = json.dumps(data).replace('"here"', "[" * depth + "]" * depth)
        with pytest.raises(RecordError):
            read(text)


@pytest.mark.parametrize("version", ["true", "1.0"])
def test_a_version_that_only_equals_one_is_refused(version: str) -> None:
    text = json.dumps(going_on()).replace('"ninefold": 1', f'"ninefold": {version}')
    with pytest.raises(RecordError, match="version"):
        read(text)


@pytest.mark.parametrize("series", [{"best_of": True, "wins": [0, 0]}, {"best_of": 3, "wins": [True, 0]}])
def test_a_series_counts_in_numbers(series: object) -> None:
    data = going_on()
    data["series"] = series
    assert_refused(data, ('"series"',))


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["first", "second", "shadow", "conquest", "cross", "Row1", "Row3", "resigned"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
KEYS = ("ninefold", "game", "setup", "players", "started", "moves", "result", "series", "hints")


def assert_a_match_or_a_refusal(text: str) -> None:
    """And a match that loads can be written and read again."""
    try:
        match = read(text)
    except NinefoldError as error:
        sentence = str(error)
    else:
        assert_round_trip(match)
        return
    assert sentence.isprintable()


@UNHURRIED
@given(json_values | st.dictionaries(st.sampled_from(KEYS), json_values))
def test_any_json_is_a_match_or_refused(value: object) -> None:
    assert_a_match_or_a_refusal(json.dumps(value))


@UNHURRIED
@given(st.text())
def test_any_text_is_a_match_or_refused(text: str) -> None:
    assert_a_match_or_a_refusal(text)


def places(data: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The way to every value in a record."""
    found = [path] if path else []
    steps = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, value in steps:
        found += places(value, (*path, step))
    return found


@settings(UNHURRIED, max_examples=300)
@given(
    st.sampled_from([going_on, finished, challenged]).flatmap(
        lambda make: st.tuples(st.just(make), st.sampled_from(places(make())))
    ),
    st.none() | st.tuples(json_values),
)
def test_a_record_with_one_field_changed_is_a_match_or_refused(
    where: tuple[Callable[[], dict[str, Any]], tuple[str | int, ...]], instead: tuple[object] | None
) -> None:
    make, path = where
    data = make()
    change = drop(*path) if instead is None else put(*path, value=instead[0])
    change(data)
    assert_a_match_or_a_refusal(json.dumps(data))


@settings(UNHURRIED, max_examples=300)
@given(st.data())
def test_a_record_with_a_piece_of_its_text_changed_is_a_match_or_refused(data: st.DataObject) -> None:
    text = json.dumps(data.draw(st.sampled_from([going_on, finished, challenged]))())
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 8)))
    assert_a_match_or_a_refusal(text[:start] + data.draw(st.text(max_size=3)) + text[end:])


# Secrets


def test_a_spectators_record_of_a_shadow_match_is_the_same_for_every_target() -> None:
    texts = set()
    for target in range(10, 21):
        match = play(new_match("shadow", {"target": target}), "1@1,1", "2@2,2", "3@3,3")
        record = match.record(None)
        assert "target" not in record.setup
        assert "target" not in record.to_json()
        texts.add(record.to_json())
        assert all(match.record(seat).setup == {"target": target} for seat in SEATS)
    assert len(texts) == 1


def test_a_spectator_does_not_learn_the_target_from_the_settings_of_a_series() -> None:
    texts = set()
    for target in range(10, 21):
        setup: Setup = {"target": target}
        match = play(new_match("shadow", setup, series=Series(3, (1, 0), setup)), "1@1,1", "2@2,2")
        texts.add(match.record(None).to_json())
        assert all(read(match.record(seat).to_json()).series == match.series for seat in SEATS)
    assert len(texts) == 1


def test_a_spectator_learns_the_target_when_the_game_has_ended() -> None:
    match = play(new_match("shadow", {"target": 15}), "1@1,1", "2@2,2")
    match.resign(Seat.FIRST)
    assert match.record(None).setup == {"target": 15}
    won = play(new_match("shadow", {"target": 15}), "5@1,1", "9@2,2", "6@1,2", "8@3,3", "4@1,3")
    assert won.outcome is not None
    assert won.record(None).setup == {"target": 15}


def with_one_number_in(owner: Seat, number: int) -> Match:
    """The second player challenges; only `owner` has chosen."""
    match = play(new_match("conquest", {"size": 3}), "claim:1", "challenge:1")
    match.submit(owner, f"bid:{number}")
    return match


@pytest.mark.parametrize("owner", SEATS)
def test_a_pending_number_is_in_its_owners_record_only(owner: Seat) -> None:
    seen_by_others = set()
    for number in (1, 2, 3, 4, 5):
        match = with_one_number_in(owner, number)
        others = [match.record(owner.other), match.record(None), match.shared_record()]
        for record in others:
            assert [str(played.move) for played in record.moves] == ["claim:1", "challenge:1"]
            assert "bid" not in record.to_json()
            seen_by_others.add(record.to_json())
        own = match.record(owner)
        assert str(own.moves[-1].move) == f"bid:{number}"
        assert own.moves[-1].seat is owner
    assert len(seen_by_others) == 1


@pytest.mark.parametrize("owner", SEATS)
@pytest.mark.parametrize("loser", SEATS)
def test_a_number_never_revealed_stays_hidden_when_somebody_resigns(owner: Seat, loser: Seat) -> None:
    seen_by_others = set()
    for number in (1, 2, 3, 4, 5):
        match = with_one_number_in(owner, number)
        match.resign(loser)
        seen_by_others |= {match.record(viewer).to_json() for viewer in (owner.other, None)}
        assert_round_trip(match)
    assert len(seen_by_others) == 1


@pytest.mark.parametrize("owner", SEATS)
def test_both_numbers_are_in_every_record_once_both_are_in(owner: Seat) -> None:
    match = with_one_number_in(owner, 4)
    match.submit(owner.other, "bid:2")
    records = [match.record(viewer) for viewer in (*SEATS, None)] + [match.shared_record()]
    for record in records:
        bids = {m.seat: str(m.move) for m in record.moves[2:]}
        assert bids == {owner: "bid:4", owner.other: "bid:2"}
    assert len({record.to_json() for record in records}) == 1


@pytest.mark.parametrize("owner", SEATS)
def test_the_owners_record_goes_on_where_it_was_left(owner: Seat) -> None:
    match = with_one_number_in(owner, 4)
    again = read(match.record(owner).to_json())
    assert again.state == match.state
    assert again.state.movers == (owner.other,)
    again.submit(owner.other, "bid:2")
    match.submit(owner.other, "bid:2")
    assert again.state == match.state


def test_what_others_have_of_a_challenge_loads_with_the_choice_still_open() -> None:
    again = read(with_one_number_in(Seat.SECOND, 4).shared_record().to_json())
    assert again.state.movers == (Seat.SECOND, Seat.FIRST)
    assert again.players == ALICE_FIRST


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("  Ann   Lee ", "Ann Lee"),
        ("A\u3164nn\u2800\u034f", "Ann"),
        ("Zoe\u0308", "Zo\u00eb"),
        ("\u0e01\u0e34\u0e48", "\u0e01\u0e34\u0e48"),  # Thai, with a vowel and a tone above
        ("\u2764\ufe0f", "\u2764"),
        ("Zoe\u034f\u0308", "Zo\u00eb"),  # which would look like another name, and not be it
        ("A\U0001d159nn", "Ann"),
    ],
)
def test_names_are_cleaned(text: str, cleaned: str) -> None:
    assert clean_name(text) == cleaned


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\u3164",
        "\u2800\u2800",
        "\ufe0f",
        "A" + "\u0335\u0336\u0337\u0338",
        "\u0301Ann",
        "A\u202en",
        "x" * 25,
    ],
)
def test_names_of_invisible_or_stacked_characters_are_refused(text: str) -> None:
    with pytest.raises(NinefoldError, match="1 to 24 printable characters"):
        clean_name(text)
