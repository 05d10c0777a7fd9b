"""The messages of `client.wire` for msgspec: requests are read strictly, and events are described."""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, Union, cast, get_type_hints

import msgspec

from ninefold.client.wire import Problem, SeatName
from ninefold.core.seat import Seat
from ninefold.match.events import EVENTS

T = TypeVar("T")


def decode(content: bytes, message: type[T]) -> T:
    """Read a request. Raises msgspec.ValidationError, also for a field that the message does not have."""
    strict, plain = _decoders(cast(Any, message))
    strict.decode(content)  # msgspec would ignore the unknown fields of a dataclass
    found: T = plain.decode(content)
    return found


def encode_problem(problem: Problem) -> bytes:
    return msgspec.json.encode({n: value for n, value in vars(problem).items() if value is not None})


@cache
def _decoders(message: Any) -> tuple[msgspec.json.Decoder[Any], msgspec.json.Decoder[Any]]:
    return msgspec.json.Decoder(strict_type(message)), msgspec.json.Decoder(message)


@cache
def strict_type(message: Any) -> type[msgspec.Struct]:
    """A request as a type that refuses unknown fields."""
    return msgspec.defstruct(
        message.__name__,
        _struct_fields(message),
        namespace={"__doc__": message.__doc__},
        forbid_unknown_fields=True,
        kw_only=True,
    )


@cache
def event_type() -> Any:
    """All events as they are sent: a union that is told apart by `kind`."""
    return Union[  # noqa: UP007 - made of a tuple
        tuple(
            msgspec.defstruct(
                event.__name__,
                [("number", int), *_struct_fields(event)],
                namespace={"__doc__": event.__doc__},
                tag_field="kind",
                tag=str(kind),
            )
            for kind, event in EVENTS.items()
        )
    ]


def _struct_fields(message: Any) -> list[Any]:
    hints = get_type_hints(message)
    found: list[Any] = []
    for one in fields(message):
        hint = _struct_type(hints[one.name])
        if one.default_factory is not MISSING:
            default = msgspec.field(default_factory=one.default_factory)
            found.append((one.name, hint, default))
        else:
            found.append((one.name, hint) if one.default is MISSING else (one.name, hint, one.default))
    return found


def _struct_type(hint: Any) -> Any:
    """A seat is sent by its name, and a message within a request is as strict as the request."""
    if hint in (Seat, Seat | None):
        return SeatName if hint is Seat else SeatName | None
    return strict_type(cast(Any, hint)) if is_dataclass(hint) else hint
