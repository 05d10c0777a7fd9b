"""Questions to a person: a line, yes or no, or a move step by step, with commands at each step."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from ninefold.cli.command_words import PURPOSES, command_word, letter_of
from ninefold.cli.console import Console, EndOfInput, show_progress
from ninefold.cli.voice import Voice
from ninefold.core.errors import MalformedMove, NinefoldError, quote
from ninefold.core.game import Game
from ninefold.core.move import Move
from ninefold.core.reading import find_pointed_at
from ninefold.core.script import Question
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.show.board_text import write_board
from ninefold.show.coach import TAKE_BACK
from ninefold.show.layout import width_of
from ninefold.show.scene import Scene, scene_of
from ninefold.table.table import Table

T = TypeVar("T")


class Quit(Exception):
    """Somebody typed quit."""


class MatchChanged(Exception):
    """The match has changed or ended since the question was asked, so an answer no longer counts."""


def leave() -> NoReturn:
    raise Quit


def play_to_end(console: Console, play: Callable[[], None], say_how: Callable[[], None]) -> int | None:
    """Play a match. Returns None at its end; if it is left before, the exit status.

    `say_how` then says how to continue.
    """
    try:
        play()
    except (Quit, EndOfInput) as left:
        if isinstance(left, EndOfInput):
            console.warn("ninefold: input ended before the game did.")
        say_how()
        return int(isinstance(left, EndOfInput))
    except KeyboardInterrupt:
        console.finish_line()
        say_how()
        raise
    return None


@dataclass(frozen=True, slots=True)
class Command:
    """A word that can be typed instead of an answer. `run` may raise to end the question."""

    run: Callable[[], object]
    purpose: str = ""  # what help says about it; empty for the usual text, in PURPOSES


def ask_until(console: Console, ask: Callable[[], str], read: Callable[[str], T]) -> T:
    """Ask until the answer can be read. `read` raises NinefoldError with the reason if it cannot."""
    while True:
        try:
            return read(ask())
        except NinefoldError as error:
            console.say(str(error))


def ask_yes_no(
    console: Console, question: str, otherwise: str, yes: str = "", no: str = "", *, default: bool = False
) -> bool:
    """Ask a question whose answer is yes or no; an empty line is the default. Raises EndOfInput.

    `yes` and `no` are more words for each, separated by spaces. After anything else, `otherwise` is said.
    """
    while True:
        answer = ask_line(console, f"{question} {'[Y/n]' if default else '[y/N]'} ").strip().lower()
        if not answer:
            return default
        if answer in ("y", "yes", *yes.split()):
            return True
        if answer in ("n", "no", *no.split()):
            return False
        console.say(otherwise)


def ask_line(console: Console, question: str) -> str:
    """Ask for a line. A question too long for the prompt goes on lines of its own. Raises EndOfInput."""
    if console.width is None or width_of(question) < console.width - 10:
        return console.ask(question)
    console.say(question.rstrip(" >"))
    return console.ask("> ")


def confirm_move(console: Console, table: Table, seat: Seat, move: Move) -> bool:
    """Whether a move is to be made, after what the coach has to say about it."""
    match = table.match
    if not match.coach:
        return True
    show_progress()
    warned = table.warn(seat, move)
    if warned is None:
        return True
    if warned.path:
        state = match.game.sequence(match.open_state, warned.path)
        shown = scene_of([state], [], seat, table.cast)
        console.say("", *write_board(shown, console.screen), "")
    console.say(*warned.said)
    again = "Type y to choose another move, or n to play on."
    if not ask_yes_no(console, TAKE_BACK, again, default=True):
        return True
    console.say("", *write_board(table.scene(), console.screen), "")
    return False


class _StartOver(Exception):
    """The player wants to start this move over."""


def ask_move(
    console: Console,
    voice: Voice,
    scene: Scene,
    state: State[Any],
    commands: Mapping[str, Command],
    idle: Callable[[], None] = lambda: None,
) -> Any:
    """Ask the viewer of a scene for a legal move, in as many steps as it takes to name one: the move.

    `idle` is called when an empty line is typed. It may raise to end the question.
    """
    seat = scene.view.viewer
    assert seat is not None
    voice.speak(console, "", *voice.turn(scene))
    console.announce_help()
    legal = frozenset(state.moves(seat))
    named = state.game.moves
    chosen: tuple[Hashable, ...] = ()
    while True:
        question = voice.question(scene, chosen)
        try:
            every = {**commands, **_BACK} if chosen else commands
            typed = _ask_question(console, question, state.game, every, idle)
            value, fitting = _understand(state, seat, question, typed, named, begun=bool(chosen))
            if legal.isdisjoint(fitting):
                # Refuse a move of a kind that is legal now: the reason is about what is asked here.
                kinds = {type(move) for move in legal}
                meant = next((move for move in fitting if type(move) in kinds), fitting[0])
                state.play(meant, seat)  # raises IllegalMove, which names the rule
        except _StartOver:
            named, chosen = state.game.moves, ()
            continue
        except MalformedMove as error:
            # The error may quote what was typed, and that may be close to the secret.
            reason = "That is not one of the numbers." if question.secret else str(error)
            console.say(question.refused(reason), question.allowed)
            if chosen:
                console.say("Type back to start this move over.")
            continue
        except NinefoldError as error:
            console.say(question.refused(str(error)))
            continue
        spots, allowed = map(state.game.spot, fitting), [move for move in fitting if move in legal]
        if len(allowed) == 1 and len({(spot.number, spot.cells) for spot in spots}) == 1:
            return allowed[0]
        named, chosen = fitting, (*chosen, value)


def _start_over() -> NoReturn:
    raise _StartOver


# For every step but the first. There, undo takes back only what was typed for this move.
_BACK = {word: Command(_start_over, "start this move over") for word in ("undo", "back")}


# In a later step, a whole move replaces what was chosen so far only if it can mean nothing else, like
# 3@1,1 or claim 5. Numbers alone, like 3,3 1, may be a typing error in the answer to this step.
_WHOLE = re.compile(r"@|at|^\s*[a-z]", re.IGNORECASE)


def _understand(
    state: State[Any], seat: Seat, question: Question, typed: str, named: tuple[Any, ...], *, begun: bool
) -> tuple[Hashable, tuple[Any, ...]]:
    """The answer to a step, and the moves that fit it.

    The answer may be a part of a move, a whole move, or a cell. `named` are the moves that fit earlier
    steps, and `begun` says whether there were any. Raises MalformedMove; where only a part of what was
    typed is wrong, the reason is about that part.
    """
    refusal = MalformedMove(f"{quote(typed)} is not a move here.")
    read: Hashable = None
    fitting: tuple[Any, ...] = ()
    try:
        read = question.read(typed)
        fitting = tuple(move for move in named if question.part(move) == read)
    except MalformedMove as error:
        refusal = error
    if begun and fitting:
        return read, fitting
    number = question.numbered and typed.strip().isdigit()
    if _WHOLE.search(typed) or not (begun or number):
        try:
            whole = state.game.parse(typed)
        except MalformedMove as error:
            if not str(error).startswith(quote(typed)):
                refusal = error
        else:
            if _WHOLE.search(typed) or type(whole) in map(type, state.moves(seat)):
                return whole, (whole,)
    if not (fitting or begun or question.secret):
        fitting = find_pointed_at(state, seat, typed)
    if not fitting:
        raise refusal
    return read, fitting


def _ask_question(
    console: Console,
    question: Question,
    game: Game,
    commands: Mapping[str, Command],
    idle: Callable[[], None],
) -> str:
    """Ask one step of a move, running commands until something else is typed."""
    while True:
        typed = console.ask(question.prompt, secret=question.secret)
        word = typed.strip().lower()
        if word == "":
            idle()
            console.say(question.allowed)
        elif not run_command(console, word, game, commands, question.allowed):
            return typed


def run_command(
    console: Console, typed: str, game: Game, commands: Mapping[str, Command], *allowed: str
) -> bool:
    """Run a command, if one was typed, and return whether it was. Help starts with `allowed`."""
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
