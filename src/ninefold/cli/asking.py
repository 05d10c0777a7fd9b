"""Asking a person for a move: one question after the other, with commands at each of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from ninefold.cli.console import Console, EndOfInput
from ninefold.core.cast import Cast
from ninefold.core.errors import MalformedMove, NinefoldError, quoted
from ninefold.core.game import Game
from ninefold.core.script import Script, Step
from ninefold.core.seat import Seat
from ninefold.core.state import State


@dataclass(frozen=True, slots=True)
class Command:
    """A word that can be typed instead of an answer. It may raise to leave the question."""

    help: str
    run: Callable[[], None]


def agreed(console: Console, question: str, otherwise: str, yes: str = "", no: str = "") -> bool:
    """The answer to a question of yes or no, which an empty line is. Raises EndOfInput.

    `otherwise` is said to anything else; `yes` and `no` are words that mean the same there.
    """
    while True:
        answer = console.ask(question).strip().lower()
        if answer in ("y", "yes", *yes.split()):
            return True
        if answer in ("", "n", "no", *no.split()):
            return False
        console.say(otherwise)


def want_rematch(console: Console, starts: str) -> bool:
    """Whether somebody wants another game; `starts` says who starts it. The end of input is a no."""
    console.say("")
    try:
        question = f"Rematch? {starts} [y/N] "
        return agreed(console, question, "Type y for a rematch, or n to stop.", no="quit exit")
    except EndOfInput:
        return False


class _StartOver(Exception):
    """Somebody wants to start their move over."""


def ask_move(
    console: Console,
    state: State[Any],
    seat: Seat,
    cast: Cast,
    script: Script,
    commands: Mapping[str, Command],
    idle: Callable[[], None] = lambda: None,
) -> Any:
    """A legal move, by as many questions as it takes to name one move of the game.

    `idle` is called when an empty line is typed. It may raise to leave the question.
    """
    view = state.view(seat)
    console.say("", *script.turn(view, cast))
    legal = frozenset(state.moves(seat))
    named = state.game.moves
    chosen: tuple[Hashable, ...] = ()
    while True:
        step = script.step(view, cast, chosen)
        try:
            typed = _answer(
                console, step, state.game, {**commands, **_BACK} if chosen else commands, idle
            )
            whole = None if chosen and _reads(step, typed) else _whole_move(state.game, typed)
            if whole not in named and _WHOLE.search(typed) is None:
                whole = None
            value = step.read(typed) if whole is None else whole
            fitting = tuple(m for m in named if step.part(m) == value) if whole is None else (whole,)
            if not fitting:
                raise MalformedMove(f"There is no move with {quoted(typed)}.")
            if legal.isdisjoint(fitting):
                state.play(fitting[0], seat)  # raises, with the rule that forbids it
        except _StartOver:
            named, chosen = state.game.moves, ()
            continue
        except MalformedMove as error:
            # What was typed may be close to a secret: say only that it will not do.
            reason = "You cannot choose that number." if step.secret else str(error)
            console.say(step.refused(reason), step.allowed)
            if chosen:
                console.say("Type back to start this move over.")
            continue
        except NinefoldError as error:
            console.say(step.refused(str(error)))
            continue
        if len({state.game.spot(move) for move in fitting}) == 1:
            return next(move for move in fitting if move in legal)
        named, chosen = fitting, (*chosen, value)


def _start_over() -> None:
    raise _StartOver


# At every question but the first; undo takes back no more than what was typed for this move.
_BACK = {word: Command("start this move over", _start_over) for word in ("undo", "back")}


# What was chosen gives way only to a move that can mean nothing else, like 3@1,1 or claim 5. Numbers
# alone, like 3,3 1, may be a slip in the answer to the question.
_WHOLE = re.compile(r"@|at|^\s*[a-z]", re.IGNORECASE)


def _reads(step: Step, typed: str) -> bool:
    try:
        step.read(typed)
    except MalformedMove:
        return False
    return True


def _whole_move(game: Game, typed: str) -> Any:
    try:
        return game.parse(typed)
    except MalformedMove:
        return None


def _answer(
    console: Console,
    step: Step,
    game: Game,
    commands: Mapping[str, Command],
    idle: Callable[[], None],
) -> str:
    """What was typed, once it is no command."""
    while True:
        typed = console.ask(step.prompt, secret=step.secret)
        word = typed.strip().lower()
        if word == "":
            idle()
            console.say(step.allowed)
        elif not obeyed(console, word, game, commands, step.allowed):
            return typed


def obeyed(
    console: Console, word: str, game: Game, commands: Mapping[str, Command], *allowed: str
) -> bool:
    """Whether a word was a command, which has been carried out then. Help begins with what is allowed."""
    if word in ("help", "?"):
        console.say(*allowed, "You can also type:", "  rules    the rules of this game")
        console.say(*(f"  {name:8} {command.help}" for name, command in commands.items()))
    elif word == "rules":
        console.say("", *game.rules.splitlines(), "")
    elif (command := commands.get("quit" if word == "exit" else word)) is not None:
        command.run()
    else:
        return False
    return True
