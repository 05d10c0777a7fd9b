"""How many spectators a match has, summed over all processes of the server."""

from __future__ import annotations

import secrets
import time
from collections import Counter, defaultdict
from collections.abc import Callable

FORGOTTEN = 35.0  # seconds after which another process's number no longer counts


class Spectators:
    """Each process counts its own streams, and sends its numbers to the others every few seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self.process = secrets.token_hex(4)
        self._here: Counter[str] = Counter()
        self._elsewhere: defaultdict[str, dict[str, tuple[int, float]]] = defaultdict(dict)

    def count(self, match_id: str) -> int:
        now = self._clock()
        others = self._elsewhere.get(match_id, {})
        for process in [process for process, (_, at) in others.items() if now - at >= FORGOTTEN]:
            del others[process]
        if not others:
            self._elsewhere.pop(match_id, None)
        return self._here[match_id] + sum(count for count, _ in others.values())

    def change(self, match_id: str, by: int) -> None:
        self._here[match_id] += by
        if not self._here[match_id]:
            del self._here[match_id]

    def payloads(self) -> list[str]:
        """Our numbers for all matches, for the other processes."""
        return [self.payload(match_id) for match_id in self._here]

    def payload(self, match_id: str) -> str:
        """Our number for one match, for the other processes."""
        return f"{match_id} {self.process} {self._here[match_id]}"

    def receive(self, payload: str) -> str | None:
        """Take another process's number. Returns the match if its sum changed. Raises ValueError."""
        match_id, process, number = payload.split(" ")
        count = int(number)
        if process == self.process:
            return None
        before = self.count(match_id)
        others = self._elsewhere[match_id]
        if count > 0:
            others[process] = (count, self._clock())
        else:
            others.pop(process, None)
            if not others:
                del self._elsewhere[match_id]
        return match_id if self.count(match_id) != before else None
