"""Who may act: the tokens that hold seats, and the keys that make retries safe."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from ninefold.core.errors import NinefoldError
from ninefold.core.seat import SEATS, Seat
from ninefold.store.sql.database import Room, Transaction

TOKEN_BYTES = 24
KEYS = 8  # the latest idempotency keys that a match remembers
KEY_LENGTH = 12


class Forbidden(NinefoldError):
    """Only the seat's holder may do this."""


class KeyReused(NinefoldError):
    """An idempotency key came again with another request."""

    def __init__(self) -> None:
        super().__init__("This Idempotency-Key was used for another request. Choose a new one.")


@dataclass(frozen=True, slots=True)
class Ticket:
    """A seat's token, which exists in plain text only here and with its owner."""

    match_id: str
    seat: Seat
    token: str


def token_hash(token: str) -> str:
    """Tokens are long and random, so a plain hash is enough to make a stolen table useless."""
    return hashlib.sha256(token.encode()).hexdigest()


def find_seat(room: Room, token: str | None) -> Seat | None:
    """The seat that a token holds; None without a token. Raises Forbidden for a wrong one."""
    if token is None:
        return None
    offered = token_hash(token)
    held = [seat for seat in SEATS if hmac.compare_digest(room.hashes[seat] or "", offered)]
    if not held:
        raise Forbidden("This token does not hold a seat in this match.")
    return held[0]


def require_seat(room: Room, token: str | None, wanted: Seat | None = None) -> Seat:
    """The seat that a token holds; the wanted one if it holds both. Raises Forbidden if none."""
    seat = find_seat(room, token)
    if seat is None:
        raise Forbidden("This needs a seat's token.")
    return wanted if wanted is not None and is_shared(room) else seat


def is_shared(room: Room) -> bool:
    """Whether one token holds both seats: two people at one screen."""
    return room.hashes[0] is not None and room.hashes[0] == room.hashes[1]


def hash_client(client: str) -> str:
    """A client's name for counting its matches: a hash too short to recover the address from."""
    return token_hash(client)[:6]


def make_token(tx: Transaction, key: str | None = None, *purpose: object) -> str:
    return secrets.token_urlsafe(TOKEN_BYTES) if key is None else derive(tx, key, "token", *purpose)


def derive(tx: Transaction, key: str, *purpose: object) -> str:
    """A secret made from an idempotency key: the same one each time, for the same purpose.

    The server's own secret is mixed in, so that nobody else can make it, even who knows the key.
    """
    found = hmac.digest(tx.secret.encode(), repr((key, *map(str, purpose))).encode(), "sha256")
    return base64.urlsafe_b64encode(found[:TOKEN_BYTES]).decode()


def run_once(
    tx: Transaction,
    id: str,
    token: str | None,
    key: str | None,
    act: Callable[[Transaction], Room],
    request: object = "",
) -> Room:
    """Do something to a match, unless a request with the same idempotency key already did.

    Raises KeyReused if that was another request.
    """
    if key is None:
        return act(tx)
    room = tx.room(id)
    seat = require_seat(room, token)
    mark, same = derive(tx, key, id, seat)[:KEY_LENGTH], derive(tx, key, id, seat, request)[:KEY_LENGTH]
    for known in room.keys:
        if known.startswith(mark):
            if known != mark + same:
                raise KeyReused
            return room
    return tx.save_keys(act(tx), (*room.keys, mark + same)[-KEYS:])
