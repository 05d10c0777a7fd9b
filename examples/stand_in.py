r"""A stand-in for a language model: an OpenAI-compatible endpoint on this machine, without a model.

    python3 examples/stand_in.py --port 8001 &
    export OPENAI_BASE_URL=http://127.0.0.1:8001/v1
    ninefold evaluate --player chat:level:5 --positions 10

The name of the "model" says how it answers: as one of our players (perfect, level:5, random), or badly:
illegal, unreadable, silent, refusing, slow, flooding; filtered, whose endpoint takes no position; or
thinking, which names a bad move before the best one. It knows the positions of the sets with up to
`--positions` positions per game and seed 0; elsewhere, it needs the list of legal moves. It answers a
question always alike. Standard library only, besides Ninefold.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import Any, ClassVar

from ninefold import SLUGS
from ninefold.players import policy_of
from ninefold.players.policy import draw
from ninefold.study import SetPosition
from ninefold.text.prompt import TextTask
from ninefold.text.runs import TextQuestion, questions
from ninefold.text.twins import TWINS

PLAIN = "Answer: {}"
ODD = {  # how it answers with the best move, or with the worst
    "thinking": "<think>Perhaps {worst}?\nAnswer: {worst}\n</think>\nSo it is:\n\n**Answer: {best}**",
    "flooding": "I could play {worst}. " * 20_000 + "\n\nAnswer: {best}",
    "unreadable": "What a lovely position! I would rather not say.",
    "silent": "",
}


class StandIn(BaseHTTPRequestHandler):
    """Answers chat completions. `known` are the positions by the text that asks about them."""

    known: ClassVar[dict[str, SetPosition]] = {}
    pause: ClassVar[float] = 5.0  # seconds before the slow one answers
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if body["model"] == "filtered" and body["messages"][1]["content"] in self.known:
            self.send(400, {"error": {"code": "content_filter"}})
            return
        content = self.answer(body["model"], body["messages"])
        message: dict[str, Any] = {"role": "assistant", "content": content}
        if body["model"] == "refusing":
            message = {"role": "assistant", "content": None, "refusal": "I cannot help with that."}
        asked = sum(len(one["content"].split()) for one in body["messages"])
        usage = {"prompt_tokens": asked, "completion_tokens": len(content.split())}
        self.send(200, {"choices": [{"index": 0, "message": message}], "usage": usage})

    def send(self, status: int, data: dict[str, Any]) -> None:
        said = json.dumps(data).encode()
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)
        except OSError:
            self.close_connection = True  # whoever asked has stopped waiting

    def answer(self, model: str, messages: list[dict[str, str]]) -> str:
        text = messages[1]["content"]
        position = self.known.get(text)
        about = text if position is None else " ".join(str(one.move) for one in position.played)
        rng = Random(f"{model} {len(messages)} {about}")
        if model == "slow":
            time.sleep(self.pause)
        if position is None:
            listed = re.search(r"Your legal moves: (.*)", text)
            return (
                PLAIN.format(rng.choice(listed[1].split())) if listed else "I do not know this position."
            )
        state, seat, lost = position.state, position.seat, position.regrets
        if model == "illegal":
            wrong = [move for move in state.game.moves if move not in state.moves(seat)]
            return PLAIN.format(rng.choice(wrong or ["pass"]))  # at times every move is legal
        if model in ODD:
            best, worst = (state.game.moves[find(lost, key=lost.__getitem__)] for find in (min, max))
            return ODD[model].format(best=best, worst=worst)
        policy = policy_of(model if model not in ("slow", "refusing") else "random")
        assert policy is not None
        return PLAIN.format(draw(policy(state, seat), rng))

    def log_message(self, format: str, *args: Any) -> None:
        """Be quiet."""


def asked_text(question: TextQuestion) -> str:
    """The message that asks about a position."""
    from ninefold.text.episode import TextEpisode

    return TextEpisode.of(question.position, question.task, question.twin).messages[1]["content"]


def serve(port: int, positions: int, slugs: list[str]) -> ThreadingHTTPServer:
    """An endpoint that listens; call its `serve_forever`."""
    tasks = [TextTask(listed, board=board) for listed in (False, True) for board in ("drawn", "words")]
    counts = range(1, positions + 1) if positions <= 10 else (positions,)
    found = [one for count in counts for one in questions(slugs, count, 0, tasks, TWINS)]
    known = {asked_text(one): one.position for one in found}
    handler = type("Handler", (StandIn,), {"known": known})
    return ThreadingHTTPServer(("127.0.0.1", port), handler)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--port", type=int, default=8001)
    options.add_argument("--positions", type=int, default=10)
    options.add_argument("--games", nargs="+", default=[*SLUGS])
    given = options.parse_args()
    server = serve(given.port, given.positions, given.games)
    print(f"Listening on http://127.0.0.1:{server.server_port}/v1", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.server_close()


if __name__ == "__main__":
    main()
