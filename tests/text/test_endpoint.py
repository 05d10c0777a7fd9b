"""The endpoint's ways to fail, and the key, which nobody sees."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from time import sleep
from typing import Any, ClassVar

import pytest

from ninefold.players import Failure, PlayerFailed
from ninefold.text import endpoint
from ninefold.text.endpoint import Endpoint, EndpointError

KEY = "sk-very-secret-1234"
ASKED = [{"role": "user", "content": "?"}]


class Odd(BaseHTTPRequestHandler):
    """Answers with what `replies` has next: a status, headers and a body, or None to drip."""

    replies: ClassVar[list[tuple[int, dict[str, str], bytes] | None]] = []
    keys: ClassVar[list[str | None]] = []

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.keys.append(self.headers["Authorization"])
        reply = self.replies.pop(0)
        if reply is None:
            self.send_response(200)
            self.end_headers()
            try:
                for _ in range(40):
                    self.wfile.write(b" ")
                    self.wfile.flush()
                    sleep(0.05)
            except OSError:
                pass
            return
        status, headers, body = reply
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Be quiet."""


@pytest.fixture(scope="module")
def server() -> Iterator[ThreadingHTTPServer]:
    found = ThreadingHTTPServer(("127.0.0.1", 0), Odd)
    thread = Thread(target=found.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield found
    found.shutdown()
    thread.join()
    found.server_close()


@pytest.fixture
def model(server: ThreadingHTTPServer, monkeypatch: pytest.MonkeyPatch) -> Endpoint:
    monkeypatch.setattr(endpoint, "PAUSES", (0.0, 0.0))
    Odd.keys.clear()
    return Endpoint("m", f"http://127.0.0.1:{server.server_port}/v1", KEY)


def said(content: Any, **more: Any) -> tuple[int, dict[str, str], bytes]:
    return 200, {}, json.dumps({"choices": [{"message": {"content": content}}], **more}).encode()


def test_an_answer_and_its_tokens(model: Endpoint) -> None:
    usage = {"prompt_tokens": 3, "completion_tokens": 4}
    Odd.replies[:] = [said("Row1", usage=usage), said([{"type": "text", "text": "Row2"}]), said(None)]
    assert model.ask(ASKED, 5) == endpoint.Reply("Row1", (3, 4))
    assert [model.ask(ASKED, 5).text for _ in range(2)] == ["Row2", ""]
    assert Odd.keys == [f"Bearer {KEY}"] * 3
    Odd.replies[:] = [said("Row1")]
    Endpoint("m", model.url).ask(ASKED, 5)
    assert Odd.keys[-1] is None


def test_a_busy_endpoint_is_asked_again(model: Endpoint) -> None:
    Odd.replies[:] = [(429, {}, b"slow down"), (503, {}, b""), said("Row1")]
    assert model.ask(ASKED, 5).text == "Row1"
    Odd.replies[:] = [(429, {}, b"slow down")] * 3
    with pytest.raises(EndpointError, match="429"):
        model.ask(ASKED, 5)


def test_that_the_endpoint_is_busy_takes_none_of_the_models_time(
    model: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(endpoint, "PAUSES", (4.0, 8.0))
    monkeypatch.setattr(endpoint, "monotonic", lambda: now[0])
    monkeypatch.setattr(endpoint, "sleep", lambda seconds: now.append(now.pop() + seconds))
    Odd.replies[:] = [(429, {}, b""), (429, {}, b""), said("Row1")]
    reply = model.ask(ASKED, 5)
    assert (reply.text, reply.seconds, now) == ("Row1", 0, [12])
    Odd.replies[:] = [(429, {}, b"")] * 3
    with pytest.raises(EndpointError, match="429"):
        model.ask(ASKED, 5)


@pytest.mark.parametrize("status", endpoint.REFUSED)
def test_messages_that_alone_are_refused_are_not_answered(model: Endpoint, status: int) -> None:
    Odd.replies[:] = [(status, {}, f"content filter {KEY}".encode()), said("OK")]
    with pytest.raises(PlayerFailed, match=f"answered {status}: .*content filter") as caught:
        model.ask(ASKED, 5)
    assert caught.value.failure is Failure.UNANSWERED
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("after", [(400, {}, b"no temperature, please"), (401, {}, b""), (200, {}, b"?")])
def test_an_endpoint_that_refuses_everything_stops_the_run(model: Endpoint, after: Any) -> None:
    Odd.replies[:] = [(400, {}, b"first words"), after]
    with pytest.raises(EndpointError, match="first words"):
        model.ask(ASKED, 5)


@pytest.mark.parametrize("status", [401, 402, 404])
def test_a_bad_key_or_model_stops_the_run_at_once(model: Endpoint, status: int) -> None:
    Odd.replies[:] = [(status, {}, b"no")]
    with pytest.raises(EndpointError, match=str(status)):
        model.ask(ASKED, 5)
    assert len(Odd.keys) == 1


def test_nobody_sees_the_key(model: Endpoint) -> None:
    assert KEY not in repr(model)
    Odd.replies[:] = [(401, {}, f"bad key {KEY}".encode()), said(f"Your key is {KEY}. Row1")]
    with pytest.raises(EndpointError) as caught:
        model.ask(ASKED, 5)
    assert KEY not in str(caught.value)
    assert model.ask(ASKED, 5).text == "Your key is ***. Row1"


def test_the_key_does_not_follow_a_redirect(model: Endpoint) -> None:
    for status in (302, 307):
        Odd.replies[:] = [(status, {"Location": f"{model.url}/elsewhere"}, b"")]
        with pytest.raises(EndpointError, match=str(status)):
            model.ask(ASKED, 5)
    assert len(Odd.keys) == 2


@pytest.mark.parametrize("body", [b"<p>Hello</p>", b"[]", b'{"choices": []}', b"[" * 100_000])
def test_what_is_no_chat_model_is_told_in_a_sentence(model: Endpoint, body: bytes) -> None:
    Odd.replies[:] = [(200, {}, body)]
    with pytest.raises(EndpointError, match="does not answer like a chat model"):
        model.ask(ASKED, 5)


def test_late_and_endless_answers(model: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    Odd.replies[:] = [None]
    with pytest.raises(PlayerFailed) as caught:
        model.ask(ASKED, 0.2)
    assert caught.value.failure is Failure.LATE
    monkeypatch.setattr(endpoint, "MOST", 1000)
    Odd.replies[:] = [said("x" * 5000)]
    with pytest.raises(PlayerFailed) as caught:
        model.ask(ASKED, 5)
    assert caught.value.failure is Failure.UNREADABLE
