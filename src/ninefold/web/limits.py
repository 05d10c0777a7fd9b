"""Limits on what one client, and all clients together, may use."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address, ip_network

CLIENTS = 50_000  # whose buckets are remembered


@dataclass(frozen=True, slots=True)
class Limits:
    """What a server allows. 0 means no limit."""

    rate: float = 20.0  # requests per second per client, over time
    burst: int = 100  # requests that may come at once
    body: int = 16_384  # bytes of a request's body
    request_seconds: float = 20  # for a request to arrive
    matches: int = 50_000  # unfinished
    matches_each: int | None = None  # unfinished, per client; a tenth of `matches` unless set
    streams: int = 5_000  # open event streams per process
    streams_each: int = 40  # per client
    waiting_hours: float = 24  # after which a match with an open seat is removed
    idle_days: float = 30  # after which an unfinished match is removed
    kept_days: float = 365  # after which a finished match is removed

    @property
    def matches_per_client(self) -> int:
        """How many unfinished matches one client may have; 0 for no limit."""
        return -(-self.matches // 10) if self.matches_each is None else self.matches_each


@lru_cache(maxsize=10_000)
def network_of(address: str) -> str:
    """The client behind an address. One person usually has all of an IPv6 /64 network."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return address
    return str(found.ipv4_mapped or ip_network((found, 64), strict=False))


class RateLimiter:
    """A token bucket per client: it refills at the rate, and each request takes one token."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._rate = rate
        self._burst = burst
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    @property
    def remembered(self) -> int:
        return len(self._buckets)

    def admit(self, client: str) -> float:
        """Take a token for a request. Returns 0 if there was one, else the seconds until there is."""
        if not self._rate or not self._burst:
            return 0.0
        now = self._clock()
        level, since = self._buckets.get(client, (float(self._burst), now))
        level = min(self._burst, level + (now - since) * self._rate)
        allowed = level >= 1
        self._buckets[client] = (level - 1 if allowed else level, now)
        self._buckets.move_to_end(client)
        if len(self._buckets) > CLIENTS:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - level) / self._rate
