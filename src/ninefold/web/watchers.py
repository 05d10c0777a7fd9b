"""How many spectators a match has, over all processes of the server."""

from __future__ import annotations

import secrets
import time
from collections import Counter, defaultdict
from collections.abc import Callable

FORGOTTEN = 35.0  # seconds without a word from a process until its spectators count no more


class Watchers:
    """Each process counts its own streams and hears of the others' counts now and then."""

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

    def told(self) -> list[str]:
        """What to tell the other processes."""
        return [self.telling(match_id) for match_id in self._here]

    def telling(self, match_id: str) -> str:
        return f"{match_id} {self.process} {self._here[match_id]}"

    def heard(self, telling: str) -> str | None:
        """What another process told; the match whose count changed. Raises ValueError."""
        match_id, process, number = telling.split(" ")
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
