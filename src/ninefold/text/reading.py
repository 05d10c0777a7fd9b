"""Which move a model's answer means.

The last answer counts, and thinking before it does not. An answer is, in any order:

    \\boxed{...}, or what follows `Answer:`, `Final answer`, `Move:` or `"move":`
    a line that is a move and nothing else, perhaps bold or in code
    a sentence that says what is chosen: "I'll play Row2."

If there is none, bold text or code inside a sentence is one, and then the last line that mentions a move,
if it mentions no other. Whatever was named only along the way is never taken for the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from ninefold.core.errors import MalformedMove, NinefoldError, quote
from ninefold.core.game import Game
from ninefold.core.move import Move
from ninefold.core.reading import read_move
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.games import load
from ninefold.players import Failure, PlayerFailed

LIMIT = 100_000  # characters that are read of an answer: its end
NEAR = 300  # characters in which a move follows what announces it
QUOTES = str.maketrans("\u2018\u2019\u201c\u201d", "''\"\"")  # typographic ones as they are typed
_TAGS = "think|thinking|thought|reasoning|reflection|scratchpad|analysis"
_THOUGHT_END = re.compile(rf"</(?:{_TAGS})>|<\|channel\|>\s*final\s*<\|message\|>", re.IGNORECASE)
_THOUGHT_OPEN = re.compile(rf"<(?:{_TAGS})>", re.IGNORECASE)
_BOXED = r"\\boxed\s*\{+(?:\\(?:text|mathrm|texttt|textbf)\s*\{)?(?P<boxed>[^{}]*)\}"
_FINAL = r"final\W{0,4}(?:answer|move|choice|decision)\b\W{0,4}(?:is\b)?"
_MARKED = (
    r"(?:\b(?:answer|move|choice)\b\W{0,4}?(?:is\b\W{0,4}?)?[:=]|\b(?:answer|(?:my|best)\s+move)\s+is\b)"
)
_MARK = re.compile(
    rf"{_BOXED}|(?:(?P<final>{_FINAL})|{_MARKED})(?=(?P<said>\W{{0,20}}.{{0,{NEAR}}}))", re.IGNORECASE
)
_CHOICE = re.compile(
    r"(?<!\bif )(?<!\bwhen )(?<!\bonce )"
    r"(?:(?<![\w'])(?:I|we)(?:'ll| will| am going to|'m going to|'d| would)?"
    r"(?: (?:now|therefore|thus|then|so|simply|finally|have to|must|should|decide to))*"
    r"|^(?:so|therefore|thus|hence|then)?,? ?(?:let me|let's)?)[ ,]*"
    r"\b(?:play|choose|pick|select|take|place|put|go with|settle on|use|make|claim|challenge|bid)\b",
    re.IGNORECASE | re.MULTILINE,
)
_SPAN = re.compile(r"\*\*(.+?)\*\*|__(.+?)__|`([^`\n]+)`")
_BULLET = re.compile(r"\s*(?:[-*+•]\s|\d{1,2}[.)]\s)")
_RESIGNED = re.compile(
    r"(?:(?:final )?answer\W+)?(?:I )?(?:resign|give up|quit|forfeit)\b.{0,30}", re.IGNORECASE
)
_EDGES = " \t\r\n*_`\"'$.!<>{}#|:"


def read_answer(state: State[Any], seat: Seat, text: str | None) -> Move:
    """The legal move that an answer means. Raises PlayerFailed, which says how it failed and why."""
    found = find_answer(state, seat, text)
    try:
        state.play(found, seat)
    except NinefoldError as error:
        raise PlayerFailed(f"{found} is not legal here. {error}", Failure.ILLEGAL) from None
    return found


def find_answer(state: State[Any], seat: Seat, text: str | None) -> Move:
    """The move that an answer means, legal or not. Raises PlayerFailed if it means none."""
    said = strip_thinking((text or "")[-LIMIT:].translate(QUOTES))
    if not _last_line(said):
        raise PlayerFailed("There was no answer.", Failure.UNANSWERED)
    found = _last_answer(state, seat, said)
    if found is None and _RESIGNED.fullmatch(_last_line(said)):
        raise PlayerFailed("The player resigned.", Failure.RESIGNED)
    if found is None:
        why = f"{quote(_last_line(said), 80)} is not a move."
        raise PlayerFailed(why, Failure.UNREADABLE)
    return found


def _last_line(text: str) -> str:
    lines = [line.strip(_EDGES) for line in text.splitlines()]
    return next((line for line in reversed(lines) if line), "")


def strip_thinking(text: str) -> str:
    """What a model says after its thinking; nothing if its thinking never ended."""
    after = _THOUGHT_END.split(text)[-1]
    return _THOUGHT_OPEN.split(after, maxsplit=1)[0]


def _last_answer(state: State[Any], seat: Seat, text: str) -> Move | None:
    answers = [*_marked(state, seat, text), *_lines(state, seat, text), *_choices(state, seat, text)]
    if answers:
        return max(answers, key=lambda one: one[0])[1]
    lines = [line for line in text.splitlines() if not _BULLET.match(line)]
    spans = (next(filter(None, span.groups())) for line in lines for span in _SPAN.finditer(line))
    if bold := [move for move in (_whole(state, seat, span) for span in spans) if move is not None]:
        return bold[-1]
    for line in reversed(lines):
        if moves := {*_mentions(state.game, line)}:
            return moves.pop() if len(moves) == 1 else None
    return None


def _marked(state: State[Any], seat: Seat, text: str) -> Iterator[tuple[int, Move | None]]:
    """Where an answer is marked as one, and its move. A final answer counts even if it has none."""
    for mark in _MARK.finditer(text):
        said = (
            mark["boxed"] if mark["said"] is None else mark["said"].lstrip(_EDGES + "=,").split("\n")[0]
        )
        move = _whole(state, seat, said)
        if move is None:
            move = next(_mentions(state.game, said), None)
        if move is not None or mark["boxed"] is not None or mark["final"]:
            yield mark.start(), move


def _lines(state: State[Any], seat: Seat, text: str) -> Iterator[tuple[int, Move]]:
    """Where a line is a move and nothing else."""
    for line in re.finditer(r"[^\n]+", text):
        if not _BULLET.match(line[0]) and (move := _whole(state, seat, line[0])) is not None:
            yield line.start(), move


def _choices(state: State[Any], seat: Seat, text: str) -> Iterator[tuple[int, Move]]:
    """Where a sentence says what is chosen, and the first move in it from there on."""
    for choice in _CHOICE.finditer(text):
        sentence = re.split(r"(?<=[.!?;])\s|\n", text[choice.end() : choice.end() + NEAR], maxsplit=1)[0]
        verb = choice[0].split()[-1]
        for said in (f"{verb} {sentence}", sentence):  # the verb may be part of the move: "I claim 5"
            if (move := next(_mentions(state.game, said), None)) is not None:
                yield choice.start(), move
                break


def _whole(state: State[Any], seat: Seat, text: str) -> Move | None:
    """The move that a text is, as it is written, as people type it, or as we say it."""
    bare = re.sub(r"^\((.*)\)$", r"\1", text.strip(_EDGES)).strip(_EDGES)
    if not bare or len(bare) > 60:
        return None
    view = state.view(seat)
    by_words = [move for move in view.moves if state.game.words.move(view, move).lower() == bare.lower()]
    if len(by_words) == 1:
        return by_words[0]
    try:
        return read_move(state, seat, bare)
    except MalformedMove:
        return None


def _mentions(game: Game, text: str) -> Iterator[Move]:
    """The moves that a text mentions, in order."""
    pattern, moves = _pattern(game.slug)
    for found in pattern.finditer(text):
        yield moves[int((found.lastgroup or "m0")[1:])]


@lru_cache(maxsize=32)
def _pattern(slug: str) -> tuple[re.Pattern[str], tuple[Move, ...]]:
    """A pattern that finds every move of a game in a sentence, with a group for each."""
    moves = load(slug).moves
    forms = (f"(?P<m{k}>{_form(str(move))})" for k, move in enumerate(moves))
    return re.compile(rf"(?<![\w@:,.])(?:{'|'.join(forms)})(?![\w@:]|[,.]\d)", re.IGNORECASE), moves


def _form(text: str) -> str:
    """A pattern for the text of a move, as it may stand in a sentence: `5 at (1, 1)`, `column 3`."""
    parts = []
    for part in re.findall(r"[A-Za-z]+|\d+|[^\w\s]", text):
        if part == "@":
            parts.append(r"\s*(?:@|\bat\b|\bon\b)\s*[\[(]?\s*")
        elif part == ":":
            parts.append(r"\s*[:\s]\s*(?:cell\s*)?")
        elif part == ",":
            parts.append(r"\s*,\s*")
        else:
            parts.append(f"{part}[a-z]*\\s*" if part.isalpha() else re.escape(part))
    return "".join(parts).removesuffix(r"\s*")
