"""Answers that have been worked out, and a cache of those that everybody may see."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass

from starlette.responses import Response

CACHE = 20_000_000  # bytes of answers that are kept, with their keys
REST = 600  # bytes that an answer takes beside its body and key


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes

    def response(self) -> Response:
        response = Response(self.body, self.status)
        response.raw_headers = list(self.headers)
        return response


class Answers:
    """The latest answers that everybody may see, up to a number of bytes."""

    def __init__(self) -> None:
        self._answers: OrderedDict[Hashable, Answer] = OrderedDict()
        self._bytes = 0

    def find(self, key: Hashable) -> Answer | None:
        found = self._answers.get(key)
        if found is not None:
            self._answers.move_to_end(key)
        return found

    def keep(self, key: Hashable, answer: Answer) -> None:
        if key not in self._answers:
            self._answers[key] = answer
            self._bytes += _size(key, answer)
        while self._bytes > CACHE:
            self._bytes -= _size(*self._answers.popitem(last=False))


def _size(key: Hashable, answer: Answer) -> int:
    return len(answer.body) + len(repr(key)) + REST  # a client chooses the URL, which is in the key
