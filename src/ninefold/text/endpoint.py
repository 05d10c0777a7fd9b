"""Asks a model at an address that speaks OpenAI's chat completions.

The address and the key come from the environment alone, so neither stands in a command line, a record or
a log; whatever the endpoint says is cleared of the key before anybody sees it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPMessage
from time import monotonic, sleep
from typing import IO, Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from ninefold.core.errors import NinefoldError, quote
from ninefold.players import Failure, PlayerFailed
from ninefold.text.prompt import Message

ADDRESS, KEY = "OPENAI_BASE_URL", "OPENAI_API_KEY"  # the variables of the environment
MOST = 5_000_000  # bytes of an answer
PAUSES = (1.0, 3.0, 8.0, 20.0)  # seconds before an endpoint that is busy is asked again
BUSY = (408, 409, 429, 500, 502, 503, 504, 529)
REFUSED = (400, 403, 413, 422, 451)  # perhaps because of what was asked: its content, or its length
PROBE = ({"role": "system", "content": "Be brief."}, {"role": "user", "content": "Say OK."})


class EndpointError(NinefoldError):
    """The endpoint does not work; the message says why. It says nothing about the model."""


class _RefusedError(EndpointError):
    """The endpoint does not take the messages."""


@dataclass(frozen=True, slots=True)
class Reply:
    text: str
    tokens: tuple[int, int]  # of the prompt and of the answer; 0 if the endpoint does not say
    seconds: float = field(default=0.0, compare=False)  # that the model took


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model at an address."""

    model: str
    url: str
    key: str = field(default="", repr=False)
    temperature: float | None = None  # None leaves it to the endpoint

    @classmethod
    def from_environment(cls, model: str, temperature: float | None = None) -> Endpoint:
        """The model at the address that the environment names. Raises EndpointError if it names none."""
        url = os.environ.get(ADDRESS, "").strip().rstrip("/")
        if not url.startswith(("http://", "https://")):
            raise EndpointError(
                f"Set {ADDRESS} to the address of an OpenAI-compatible endpoint, like "
                f"http://localhost:8000/v1, and {KEY} to its key if it needs one."
            )
        return cls(model, url, os.environ.get(KEY, "").strip(), temperature)

    def ask(self, messages: Sequence[Message], seconds: float) -> Reply:
        """What the model answers. Raises PlayerFailed if it is late or refuses, and EndpointError.

        Waiting for an endpoint that is busy does not count as the model's time. An endpoint that refuses
        these messages and yet answers a harmless one works: then it is an answer that is missing.
        """
        try:
            return self._ask(messages, seconds)
        except _RefusedError as error:
            try:
                self._ask(PROBE, seconds)
            except PlayerFailed:
                pass  # late, perhaps, but not refused
            except EndpointError:
                raise error from None
            raise PlayerFailed(str(error), Failure.UNANSWERED) from None

    def _ask(self, messages: Sequence[Message], seconds: float) -> Reply:
        body: dict[str, Any] = {"model": self.model, "messages": list(messages)}
        if self.temperature is not None:
            body["temperature"] = self.temperature
        headers = {"Content-Type": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        request = Request(f"{self.url}/chat/completions", json.dumps(body).encode(), headers)
        for pause in (*PAUSES, None) if seconds > 0 else ():
            began = monotonic()
            try:
                with build_opener(_NoRedirect).open(request, timeout=seconds) as reply:
                    return self._read(_receive(reply, began + seconds), monotonic() - began)
            except HTTPError as error:
                if error.code not in BUSY or pause is None:
                    said = self._clear(error.read(2000).decode(errors="replace"))
                    what = f"answered {error.code}: {quote(said, 300)}"
                    raise self._error(what, error.code in REFUSED) from None
                error.close()
            except TimeoutError:
                break
            except (OSError, HTTPException) as error:
                if isinstance(getattr(error, "reason", None), TimeoutError):
                    break
                if pause is None or pause > PAUSES[0]:  # nobody is there
                    raise self._error(f"could not be reached: {self._clear(str(error))}") from None
            sleep(pause or 0.0)
        raise PlayerFailed(f"The model did not answer within {seconds:g} seconds.", Failure.LATE)

    def _read(self, data: bytes, seconds: float = 0.0) -> Reply:
        try:
            answer = json.loads(data)
            message = answer["choices"][0]["message"]
            content, usage = message.get("content") or "", answer.get("usage") or {}
            if isinstance(content, list):  # of parts, some of which are text
                content = "".join(str(part.get("text", "")) for part in content)
            tokens = (int(usage.get("prompt_tokens") or 0), int(usage.get("completion_tokens") or 0))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise self._error("does not answer like a chat model") from None
        return Reply(self._clear(str(content)), tokens, seconds)

    def _clear(self, text: str) -> str:
        return text.replace(self.key, "***") if self.key else text

    def _error(self, what: str, refused: bool = False) -> EndpointError:
        return (_RefusedError if refused else EndpointError)(f"The endpoint {self.url} {what}.")


def _receive(reply: Any, until: float) -> bytes:
    """The whole answer. Raises PlayerFailed if it is too long, and TimeoutError if it takes too long."""
    data = b""
    while part := reply.read1(65536):
        data += part
        if len(data) > MOST:
            raise PlayerFailed(f"The answer is longer than {MOST:,} bytes.", Failure.UNREADABLE)
        if monotonic() > until:
            raise TimeoutError
    return data


class _NoRedirect(HTTPRedirectHandler):
    """Follows no redirect: the key is for the address that was given, and for no other."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        return None
