r"""Lets a chat model play: any endpoint that speaks OpenAI's chat completions, seated as `program:`.

ninefold play shadow \
    --p2 "program:python3 examples/chat_player.py --url http://localhost:8000/v1 --model NAME"

It reads one JSON object per line and answers each with a move, as docs/players.md explains. With
`--no-list` the model gets the position but not its legal moves. If its answer is not a legal move, the
model is asked once more; a second such answer is passed on as it is, and loses the game. The key for the
endpoint comes from the environment variable that `--key` names. Standard library only.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from http.client import HTTPException
from typing import Any
from urllib.request import Request, urlopen

RULES = "You play a game on a small grid. Answer with your move on the last line, and nothing after it."
Message = dict[str, str]


def question(asked: dict[str, Any], listed: bool) -> str:
    """The position as its seat sees it, in words."""
    view = {name: part for name, part in asked["view"].items() if name != "moves"}
    lines = [f"The game is {asked['game']}. You are the {asked['seat']} player.", json.dumps(view)]
    if listed:
        lines.append(f"Your legal moves: {json.dumps(asked['moves'])}")
    else:
        lines.append(f"A move is written like {asked['moves'][0]}")
    return "\n".join(lines)


def ask(url: str, model: str, key: str, messages: list[Message], seconds: float) -> str:
    """What the model answers. If the endpoint fails, the program exits with the reason."""
    body = json.dumps({"model": model, "messages": messages, "temperature": 0}).encode()
    headers = {"Content-Type": "application/json"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    request = Request(f"{url.rstrip('/')}/chat/completions", body, headers)
    try:
        with urlopen(request, timeout=seconds) as reply:
            return str(json.load(reply)["choices"][0]["message"]["content"])
    except (OSError, HTTPException) as error:
        sys.exit(f"chat_player: {request.full_url} could not be reached: {error}")
    except (ValueError, LookupError, TypeError):
        sys.exit(f"chat_player: {request.full_url} does not answer like a chat model.")


def move_in(answer: str) -> str:
    """The last line that is not empty, without the marks that models like to put around a move."""
    lines = [line.strip(" \t`*.\"'") for line in answer.splitlines()]
    said = [line for line in lines if line]
    return said[-1] if said else ""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--url", required=True, help="the endpoint, up to and including /v1")
    options.add_argument("--model", required=True)
    options.add_argument("--key", default="OPENAI_API_KEY", help="the variable that holds the key")
    options.add_argument("--no-list", action="store_true", help="do not tell the model its legal moves")
    options.add_argument(
        "--seconds", type=float, default=4.5, help="limit per answer; a move may take ten"
    )
    given = options.parse_args()
    key = os.environ.get(given.key, "")
    for line in sys.stdin:
        asked = json.loads(line)
        messages = [
            {"role": "system", "content": RULES},
            {"role": "user", "content": question(asked, not given.no_list)},
        ]
        answer = ask(given.url, given.model, key, messages, given.seconds)
        if move_in(answer) not in asked["moves"]:
            messages += [
                {"role": "assistant", "content": answer},
                {
                    "role": "user",
                    "content": f"{move_in(answer)!r} is not a legal move here. Choose another.",
                },
            ]
            answer = ask(given.url, given.model, key, messages, given.seconds)
        print(move_in(answer), flush=True)


if __name__ == "__main__":
    main()
