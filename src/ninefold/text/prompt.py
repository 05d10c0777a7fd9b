"""A position as text for a model, made from what its seat may see.

The first message is the same for every position of a game and task, so that providers can cache it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ninefold.core.cast import Cast
from ninefold.core.errors import SetupError
from ninefold.core.game import Game
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.turns import Played
from ninefold.core.words import comma_list
from ninefold.show.board_text import write_board
from ninefold.show.layout import Screen
from ninefold.show.moves import tell_last
from ninefold.show.scene import scene_of

Message = dict[str, str]  # with a `role` and its `content`
RULES = ("short", "whole")
BOARDS = ("drawn", "words")
NEUTRAL = "Game A"  # what a game is called where its name must not help
TYPING = "How to type a move"  # the chapter of the rules about input
RULINGS = "Rulings"  # the chapter that the short rules leave out
SHOWN = 20  # moves that are told; in a longer game, the last ones


@dataclass(frozen=True, slots=True)
class TextTask:
    """What a model is told, and how often it may correct an answer that failed. Raises SetupError."""

    listed: bool = False  # whether the legal moves are listed
    rules: str = "short"
    board: str = "drawn"
    retries: int = 0

    def __post_init__(self) -> None:
        if self.rules not in RULES or self.board not in BOARDS or self.retries < 0:
            raise SetupError(f"There is no task {self.name}: see docs/models.md.")

    @property
    def name(self) -> str:
        """The task in one line: figures are comparable only if it is the same."""
        listed = "on" if self.listed else "off"
        return f"list={listed} rules={self.rules} board={self.board} retries={self.retries}"


def write_prompt(
    states: Sequence[State[Any]],
    played: Sequence[Played],
    seat: Seat,
    task: TextTask,
    *,
    neutral: bool = False,
) -> list[Message]:
    """The messages that ask for a move. `states` are the positions before the moves and after each."""
    game = states[0].game
    said = [write_rules(game, task.rules), _write_position(states, played, seat, task)]
    if neutral:
        said = [text.replace(game.title, NEUTRAL) for text in said]
    return [{"role": role, "content": text} for role, text in zip(("system", "user"), said, strict=True)]


def write_rules(game: Game, rules: str = "short") -> str:
    """The rules, how a move is written, and how to answer: the same for every position."""
    chapters = _chapters(game)
    intro, typing = chapters.pop(""), chapters.pop(TYPING, "").split("\n\n")[0]
    if rules == "short":
        chapters.pop(RULINGS, None)
    kinds = {type(move): str(move) for move in reversed(game.moves)}
    forms = comma_list(f"`{text}`" for text in reversed(kinds.values()))
    return "\n\n".join(
        [
            f"You are playing {game.title}, a game for two players. These are its rules.",
            intro,
            *(f"## {title}\n{text}" for title, text in chapters.items()),
            f"## How to write a move\nA move is written like {forms}. {typing}",
            "## How to answer\nThink as long as you like. End with a line that has only the word Answer, "
            "a colon and your move:\n\nAnswer: MOVE\n\n"
            "The last answer counts. You cannot pass, and an answer that is not a legal move loses.",
        ]
    )


def _chapters(game: Game) -> dict[str, str]:
    """The chapters of a game's rules by title; what stands before the first has none."""
    parts = re.split(r"^## (.*)\n", game.rules.partition("\n")[2], flags=re.MULTILINE)
    return dict(zip(("", *parts[1::2]), (text.strip() for text in parts[::2]), strict=True))


def _write_position(
    states: Sequence[State[Any]], played: Sequence[Played], seat: Seat, task: TextTask
) -> str:
    game = states[0].game
    cast = Cast(("Opponent", "Opponent"), you=seat)
    lines = [f"You are the {seat} player. Your mark is {cast.mark(seat)}."]
    told = [
        tell_last(states[: count + 1], played[:count], seat, cast)
        for count in range(1, len(played) + 1)
        if count == len(played) or not states[count].pending
    ]
    if told:
        left_out = len(told) > SHOWN
        lines += ["", "What was played, the last moves only:" if left_out else "What was played:"]
        lines += [f"- {one}" for one in told[-SHOWN:]]
    scene = scene_of(states[-1:], [], seat, cast)
    view = scene.view
    lines += [
        "",
        "The position now:",
        "",
        *write_board(scene, Screen(plain=task.board == "words")),
        "",
        f"Your turn. {game.words.choose(view, cast)}",
    ]
    if task.listed:
        lines.append(f"Your legal moves: {' '.join(map(str, view.moves))}")
    return "\n".join(lines)
