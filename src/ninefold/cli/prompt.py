"""Asking a person: yes or no, or a move by one question after the other, with commands at each."""

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
from ninefold.show.commands import PURPOSES, command_word, letter_of
from ninefold.show.layout import width_of
from ninefold.show.talk import find_pointed_at


@dataclass(frozen=True, slots=True)
class Command:
    """A word that can be typed instead of an answer. It may raise to leave the question."""

    run: Callable[[], None]
    purpose: str = ""  # where it is not the usual one


def ask_yes_no(console: Console, question: str, otherwise: str, yes: str = "", no: str = "") -> bool:
    """The answer to a question of yes or no, which an empty line is. Raises EndOfInput.

    `otherwise` is said to anything else; `yes` and `no` are words that mean the same there.
    """
    while True:
        answer = ask_line(console, f"{question} [y/N] ").strip().lower()
        if answer in ("y", "yes", *yes.split()):
            return True
        if answer in ("", "n", "no", *no.split()):
            return False
        console.say(otherwise)


def ask_line(console: Console, question: str) -> str:
    """What is typed after a question, which has lines of its own if it is long. Raises EndOfInput."""
    if console.width is None or width_of(question) < console.width - 10:
        return console.ask(question)
    console.say(question.rstrip(" >"))
    return console.ask("> ")


def confirm_resignation(console: Console) -> bool:
    """Whether somebody means it. It is asked at a terminal; what comes from a pipe was meant."""
    if not console.interactive:
        return True
    try:
        return ask_yes_no(console, "Resign this game?", "Type y to resign, or n to play on.")
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
    speak = console.recite if script is state.game.script else console.say
    speak("", *script.turn(view, cast))
    console.announce_help()
    legal = frozenset(state.moves(seat))
    named = state.game.moves
    chosen: tuple[Hashable, ...] = ()
    while True:
        step = script.step(view, cast, chosen)
        try:
            typed = _answer(
                console, step, state.game, {**commands, **_BACK} if chosen else commands, idle
            )
            value, fitting = _understand(state, seat, step, typed, named, begun=bool(chosen))
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
_BACK = {word: Command(_start_over, "start this move over") for word in ("undo", "back")}


# What was chosen gives way only to a move that can mean nothing else, like 3@1,1 or claim 5. Numbers
# alone, like 3,3 1, may be a slip in the answer to the question.
_WHOLE = re.compile(r"@|at|^\s*[a-z]", re.IGNORECASE)


def _understand(
    state: State[Any], seat: Seat, step: Step, typed: str, named: tuple[Any, ...], *, begun: bool
) -> tuple[Hashable, tuple[Any, ...]]:
    """What was answered, and the moves it names: a part of a move, a whole one, or a cell alone.

    Raises MalformedMove. Where only a part of what was typed is wrong, the reason is about that part.
    """
    refusal = MalformedMove(f"There is no move with {quoted(typed)}.")
    read: Hashable = None
    fitting: tuple[Any, ...] = ()
    try:
        read = step.read(typed)
        fitting = tuple(move for move in named if step.part(move) == read)
    except MalformedMove as error:
        refusal = error
    if begun and fitting:
        return read, fitting
    try:
        whole = state.game.parse(typed)
    except MalformedMove as error:
        if not fitting and not str(error).startswith(quoted(typed)):
            refusal = error
    else:
        if whole in named or _WHOLE.search(typed):
            return whole, (whole,)
    if not (fitting or begun or step.secret):
        fitting = find_pointed_at(state, seat, typed)
    if not fitting:
        raise refusal
    return read, fitting


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
        elif not run_command(console, word, game, commands, step.allowed):
            return typed


def run_command(
    console: Console, typed: str, game: Game, commands: Mapping[str, Command], *allowed: str
) -> bool:
    """Whether what was typed is a command, now carried out. Help begins with what is allowed."""
    word = command_word(typed)
    every = {
        "help": Command(lambda: _say_help(console, every, allowed)),
        "rules": Command(lambda: console.say_rules(game)),
        **commands,
    }
    if (command := every.get(word)) is None:
        return False
    command.run()
    return True


def _say_help(console: Console, commands: Mapping[str, Command], allowed: tuple[str, ...]) -> None:
    order = [*PURPOSES, *commands]
    rows = []
    for word in sorted(commands, key=order.index):
        purpose = commands[word].purpose or PURPOSES[word]
        rows.append((f"  {letter_of(word) or ' '}", word, purpose))
    console.say(*allowed, "You can also type a letter or a word:")
    console.say_columns(rows)
