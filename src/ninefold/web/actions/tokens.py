"""Who may act: the tokens that hold seats, and the keys that make retries safe."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network

from ninefold.core.errors import NinefoldError
from ninefold.core.seat import SEATS, Seat
from ninefold.store.sql.database import Room, Transaction

TOKEN_BYTES = 24
KEYS = 8  # the latest idempotency keys that a match remembers
KEY_LENGTH = 12


class Forbidden(NinefoldError):
    """Only the seat's holder may do this."""


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


def hash_address(address: str) -> str:
    """A client's name for counting its matches: a hash too short to recover the address from.

    All of an IPv6 /64 network counts as one client, since one person usually has all of it.
    """
    with suppress(ValueError):
        found = ip_address(address)
        if isinstance(found, IPv6Address):
            address = str(ip_network((found, 64), strict=False))
    return token_hash(address)[:6]


def make_token(key: str | None = None, purpose: object = "") -> str:
    return secrets.token_urlsafe(TOKEN_BYTES) if key is None else derive(key, f"token {purpose}")


def derive(key: str, purpose: str) -> str:
    """A secret made from an idempotency key: the same one each time. It does not reveal the key."""
    found = hmac.digest(key.encode(), purpose.encode(), "sha256")
    return base64.urlsafe_b64encode(found[:TOKEN_BYTES]).decode()


def run_once(
    tx: Transaction, id: str, token: str | None, key: str | None, act: Callable[[Transaction], Room]
) -> Room:
    """Do something to a match, unless a request with the same idempotency key already did."""
    if key is None:
        return act(tx)
    room = tx.room(id)
    seat = require_seat(room, token)
    mark = derive(key, f"{id} {seat}")[:KEY_LENGTH]
    if mark in room.keys:
        return room
    return tx.save_keys(act(tx), (*room.keys, mark)[-KEYS:])
