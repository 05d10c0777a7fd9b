"""The examples do what they say."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import StringIO
from pathlib import Path
from threading import Thread
from typing import Any
from xml.etree import ElementTree

import pytest

from ninefold.envs import evaluate_agent

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def test_the_learner_learns_and_draws_its_regret(tmp_path: Path) -> None:
    plot = tmp_path / "regret.svg"
    done = subprocess.run(
        [sys.executable, EXAMPLES / "learn.py", "--games", "2400", "--plot", plot],
        capture_output=True,
        text=True,
        check=True,
    )
    values = [float(line.split("regret")[1].split()[0]) for line in done.stdout.splitlines()[:-1]]
    assert len(values) == 13
    assert values[-1] < values[0] / 2
    assert ElementTree.parse(plot).getroot().tag.endswith("svg")


class Model(BaseHTTPRequestHandler):
    """A stand-in for a chat model: it answers as `reply` says and remembers what it was asked."""

    asked: list[dict[str, Any]]
    keys: list[str | None]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(body)
        self.keys.append(self.headers["Authorization"])
        assert self.path == "/v1/chat/completions"
        content = self.reply(body["messages"])
        answer = json.dumps(
            {"choices": [{"message": {"role": "assistant", "content": content}}]}
        ).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def reply(self, messages: list[dict[str, str]]) -> str:
        """The first move of the list; without one, the move it was shown as an example."""
        text = messages[1]["content"]
        if "Your legal moves: " in text:
            return f"Let me think.\n\n**{json.loads(text.split('Your legal moves: ')[1])[0]}**"
        return f"`{text.split('A move is written like ')[1]}`"

    def log_message(self, format: str, *args: Any) -> None:
        """Be quiet."""


class Stubborn(Model):
    def reply(self, messages: list[dict[str, str]]) -> str:
        return "I resign myself to Row9."


class Corrigible(Model):
    def reply(self, messages: list[dict[str, str]]) -> str:
        return super().reply(messages) if len(messages) > 2 else "Row9"


@pytest.fixture
def served() -> Iterator[Any]:
    servers = []

    def serve(kind: type[Model]) -> str:
        kind.asked, kind.keys = [], []
        server = HTTPServer(("127.0.0.1", 0), kind)
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        servers.append((server, thread))
        player = f"program:{sys.executable} {EXAMPLES / 'chat_player.py'} --model stand-in"
        return f"{player} --url http://127.0.0.1:{server.server_port}/v1"

    yield serve
    for server, thread in servers:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_chat_model_plays_whole_games(served: Any) -> None:
    report = evaluate_agent(served(Model), "cross", 2, "random", positions=0)
    assert (report.games, report.moves, report.illegal) == (2, 6, 0)
    assert len(Model.asked) == 6
    assert Model.asked[0]["model"] == "stand-in"
    assert "You are the first player." in Model.asked[0]["messages"][1]["content"]


@pytest.mark.parametrize("slug", ["shadow", "conquest"])
def test_it_plays_other_games_and_sees_only_its_own_view(served: Any, slug: str) -> None:
    assert evaluate_agent(served(Model), slug, 1, "random", positions=0).illegal == 0
    if slug == "conquest":
        for body in Model.asked:
            view = json.loads(body["messages"][1]["content"].splitlines()[1])
            assert view["viewer"] == "first"
            assert [p for p in view["panels"] if p["key"] == "secret" and p["seat"] == "second"] == []


def test_the_list_of_legal_moves_can_be_kept_back(served: Any) -> None:
    report = evaluate_agent(served(Model) + " --no-list", "cross", 1, "random", positions=0)
    assert report.illegal == 0
    for body in Model.asked:
        assert "Your legal moves" not in body["messages"][1]["content"]
        assert '"moves"' not in body["messages"][1]["content"]


def test_an_illegal_answer_is_sent_back_once(served: Any) -> None:
    assert evaluate_agent(served(Corrigible), "cross", 1, "random", positions=0).illegal == 0
    assert len(Corrigible.asked) == 6
    assert "'Row9' is not a legal move here" in Corrigible.asked[1]["messages"][-1]["content"]


def test_a_second_illegal_answer_loses(served: Any) -> None:
    report = evaluate_agent(served(Stubborn), "cross", 1, "random", positions=0)
    assert (report.wins, report.illegal, len(Stubborn.asked)) == (0, 1, 2)


def test_the_key_is_sent_and_only_if_there_is_one(served: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    player = served(Model)
    evaluate_agent(player, "cross", 1, "random", positions=0)
    monkeypatch.setenv("A_KEY", "abc")
    evaluate_agent(player + " --key A_KEY", "cross", 1, "random", positions=0)
    assert Model.keys == [None] * 3 + ["Bearer abc"] * 3


class Odd(BaseHTTPRequestHandler):
    """No chat model: it answers with a page."""

    asked: list[dict[str, Any]]
    keys: list[str | None]

    def do_POST(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<p>Hello</p>")

    def log_message(self, format: str, *args: Any) -> None:
        """Be quiet."""


@pytest.mark.parametrize(
    ("kind", "why"), [(None, "could not be reached"), (Odd, "not answer like a chat model")]
)
def test_an_endpoint_that_is_none_is_told_of_in_a_sentence(served: Any, kind: Any, why: str) -> None:
    command = served(kind or Model).removeprefix("program:")
    if kind is None:
        command = re.sub("http://.*", "http://127.0.0.1:9/v1", command)
    asked = {"game": "cross", "seat": "first", "view": {}, "moves": ["Row1"]}
    done = subprocess.run(
        command.split(), input=json.dumps(asked), capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1
    assert done.stderr.startswith("chat_player: http://127.0.0.1:")
    assert why in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_notebook_prints_what_it_shows() -> None:
    notebook = json.loads((EXAMPLES / "exact.ipynb").read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    printed = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            out = StringIO()
            with redirect_stdout(out):
                exec("".join(cell["source"]), names)
            shown = "".join(line for output in cell["outputs"] for line in output["text"])
            assert out.getvalue() == shown
            printed += bool(shown)
    assert printed == 3
