"""What a client understands of a server's messages, and what it makes of the rest."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass, replace
from typing import Any, get_type_hints

import msgspec
import pytest

from ninefold import Game, Seat, Stop, load
from ninefold.client import wire
from ninefold.client.wire import read, read_event
from ninefold.core.view import as_data
from ninefold.match.events import EVENTS, Away, Event, Joined, Moved, Offered, Over, Reload
from ninefold.match.kinds import Clock, EventKind, Offer, Status
from tests.setups import every_game

FIRST, SECOND = Seat
PLAYER = wire.SeatInfo("person", "Ann", 0, 1)
MATCH = wire.MatchInfo(
    match="m",
    game="pattern",
    title="Pattern Match",
    status=Status.OVER,
    you="second",
    version=3,
    ply=2,
    setup={"target": 15, "grid": "123"},
    first=PLAYER,
    second=replace(PLAYER, name="Ben"),
    started="",
    moves=[wire.MoveInfo("first", "8@1,1", "")],
    view=read(wire.ViewInfo, as_data(load("pattern").start().play("8@1,1").view(Seat.SECOND))),
    outcome=None,
    stopped=Stop.DEAD,
    hints=True,
    coach=False,
    clock=Clock.DAY,
    best_of=3,
    unwon=0,
    deadline=None,
    away=["first"],
    claim=None,
    offers={Offer.REMATCH: "second"},
    cancels=False,
    next=None,
)


def sent(message: object) -> Any:
    """A message as the server encodes it."""
    return json.loads(msgspec.json.encode(message))


def test_a_message_comes_back_as_it_was_sent() -> None:
    found = read(wire.MatchInfo, sent(MATCH))
    assert found == MATCH
    assert (found.status, found.stopped) == (Status.OVER, Stop.DEAD)
    assert found.player(SECOND).name == "Ben"
    assert read(list[wire.SeatInfo], [sent(PLAYER)] * 2) == [PLAYER, PLAYER]


@every_game
def test_a_view_of_every_game_is_understood(game: Game) -> None:
    state = game.set_up(game.example.setup)
    for text, _ in game.example.moves:
        for viewer in (None, *Seat):
            view = state.view(viewer)
            found = read(wire.ViewInfo, sent(as_data(view)))
            assert found.moves == [str(move) for move in view.moves]
            assert [one.width for one in found.boards] == [one.width for one in view.boards]
        state = state.play(text, state.movers[0])


def test_fields_of_a_newer_server_are_ignored_and_those_with_a_default_may_be_missing() -> None:
    newer = sent(MATCH)
    newer["mood"] = newer["first"]["mood"] = newer["moves"][0]["mood"] = "good"
    assert read(wire.MatchInfo, newer) == MATCH
    assert read(wire.Done, {"version": 4}) == wire.Done(4, None)


def broken() -> list[Any]:
    """A match without one of its fields, or with one of another type, everywhere a message has fields."""
    found = []
    for name in sent(MATCH):
        found.append({key: value for key, value in sent(MATCH).items() if key != name})
        if name != "view":
            found.append({**sent(MATCH), name: {"another": ["type"]}})
    found += [{**sent(MATCH), "first": {}}, {**sent(MATCH), "moves": [{}]}, {**sent(MATCH), "ply": True}]
    found += [{**sent(MATCH), "status": "asleep"}, {**sent(MATCH), "offers": {"wish": "first"}}]
    return [*found, None, [], "m"]


@pytest.mark.parametrize("data", broken(), ids=str)
def test_an_answer_that_is_not_understood_is_refused(data: Any) -> None:
    with pytest.raises(ValueError, match=r" is not | has no |not a valid"):
        read(wire.MatchInfo, data)


def test_every_type_in_every_message_can_be_read() -> None:
    """The reader knows all that the messages are made of: no field is of a type that nothing fits."""
    messages = [one for one in vars(wire).values() if is_dataclass(one) and isinstance(one, type)]
    assert len(messages) > 20
    samples: list[object] = [None, "first", "dead", "waiting", "open", "offer", "moves", 30, True, [], {}]
    samples += [sent(one) for one in (MATCH, MATCH.view, PLAYER, wire.SeatRequest())]
    for message in messages:
        for name, hint in get_type_hints(message).items():
            if name == "kind" and issubclass(message, Event):
                continue
            assert any(_fits(hint, sample) for sample in samples), (message, name)


def _fits(hint: Any, sample: object) -> bool:
    try:
        read(hint, sample)
    except ValueError:
        return False
    return True


# Events


def test_an_event_comes_back_with_its_number() -> None:
    for event in (
        Joined(SECOND, "Ben", None),
        Moved(FIRST, "Row2", 1, "2026-01-01T00:00:00+00:00"),
        Over(None, Stop.AGREED),
        Over(FIRST, "line"),
        Offered(SECOND, Offer.STOP),
        Away(FIRST),
        Reload(),
    ):
        assert read_event(sent({"number": 7, **event.data()})) == (7, event)


def test_seats_are_sent_by_their_names() -> None:
    assert sent(Moved(SECOND, "Row2", 1).data()) == {
        "kind": "move", "seat": "second", "move": "Row2", "ply": 1, "deadline": None
    }  # fmt: skip


@pytest.mark.parametrize(
    "data",
    [
        {"number": 9, "kind": "danced", "seat": "first"},
        {"number": 9},
        {"number": 9, "kind": ["move"]},
        *({"number": 9, "kind": str(kind)} for kind in EventKind if fields(EVENTS[kind])),
    ],
    ids=str,
)
def test_an_event_that_is_not_understood_means_that_the_match_has_to_be_read_again(data: Any) -> None:
    assert read_event(data) == (9, Reload())


@pytest.mark.parametrize("data", [{}, [], None, {"number": "9", "kind": "away", "seat": "first"}])
def test_without_a_number_it_is_no_event(data: Any) -> None:
    with pytest.raises(ValueError, match="not"):
        read_event(data)
