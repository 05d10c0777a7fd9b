"""A match on a server, played or watched at this terminal."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from queue import Empty

from ninefold.cli import program
from ninefold.cli.command_words import NOT_NOW
from ninefold.cli.console import Console, EndOfInput, Interrupted
from ninefold.cli.prompt import (
    Command,
    MatchChanged,
    Quit,
    ask_move,
    ask_yes_no,
    confirm_move,
    play_to_end,
    run_command,
)
from ninefold.cli.reviewing import ask_moments
from ninefold.cli.seated import Seated
from ninefold.cli.voice import Voice
from ninefold.client import Link, RemoteError, Unreachable, fetch_info
from ninefold.client.events import Connection, News
from ninefold.client.seat import GONE
from ninefold.core.cast import Cast
from ninefold.core.seat import Seat
from ninefold.match import Match, events
from ninefold.match.kinds import Action, Offer
from ninefold.match.sitting import Deed
from ninefold.show.moves import cast_of
from ninefold.show.offers import CANCELED, DECLINED, say_event, say_offer, say_score
from ninefold.show.scene import Scene, scene_at, scene_of_match
from ninefold.show.status import CLOCKS
from ninefold.table.server import ServerTable

ANSWERS = {  # how to answer an offer that comes while a question is open
    Offer.TAKEBACK: "Type accept or decline.",
    Offer.STOP: "Type stop to agree, or play on.",
    Offer.REMATCH: "Type y or n.",
}
STOP_OR_PLAY_ON = "Type y to stop, or n to play on."
TO_WIN = "If they stay away on their turn for 10 minutes, type win."
POLL = 0.1  # seconds between checks for what is typed, while waiting for an event


class Aborted(Exception):
    """The player canceled the match."""


class OnlineMatch:
    """A match on a server at this terminal: what is shown of it, to a player or to a spectator."""

    table: ServerTable
    match: Match  # as it was shown last

    def __init__(self, console: Console) -> None:
        self.console = console
        self.voice = Voice(console.screen)

    def _sit_down(self, table: ServerTable) -> None:
        self.table, self.match = table, table.match
        table.paint = self.console.painter(self.match.players[0].seat)

    @property
    def cast(self) -> Cast:
        return self.table.cast

    @property
    def viewer(self) -> Seat | None:
        return self.table.you

    @property
    def scene(self) -> Scene:
        """The match as it was shown last."""
        return scene_at(replace(self.table.sitting, match=self.match), self.cast)

    def _show_match(self) -> None:
        """Show the position, with what the game is about if it has not begun."""
        begin = self.voice.board if self.match.played else self.voice.opening
        self.console.say(*begin(self.scene))

    def _show_ending(self) -> None:
        self.console.say("", *self.voice.ending(self.scene))

    def _tell_moves(self) -> bool:
        """Say what was played since the match was shown last. Returns whether anything was."""
        before, after = self.match, self.table.match
        self.match = after
        shown = len(before.played)
        known = before.played[: before.ply]  # one's own secret number may come to stand after the other's
        if after.played[: len(known)] != known or len(after.played) < shown:  # something was taken back
            pairs = zip(before.played, after.played, strict=False)
            shown = next((k for k, (old, new) in enumerate(pairs) if old != new), len(after.played))
            scene = scene_of_match(after, self.viewer, self.cast, shown)
            self.console.say("", *self.voice.board(scene))
        end = len(after.played)
        for count in range(shown + 1, end + 1):
            if count == end or not after.states[count].pending:  # else it has been revealed since
                states, played = after.states[: count + 1], after.played[:count]
                self.console.say(*self.voice.told(states, played, self.viewer, self.cast))
        return after.played != before.played


class OnlineSeat(OnlineMatch, Seated):
    """A player at this terminal, in one seat of a match on a server."""

    table: ServerTable
    refusals = RemoteError  # any other trouble ends the match here

    def __init__(self, console: Console, link: Link) -> None:
        super().__init__(console)
        self._typing = False  # whether a question is open, so that news must interrupt it
        table = ServerTable(link, "", lambda said: console.notify(f"ninefold: {said}"), self._announce)
        self._sit_down(table)

    def run(self) -> None:
        """Play to the end. Raises Quit, EndOfInput or KeyboardInterrupt before that."""
        self._wait_for_opponent()
        self._show_match()
        said_waiting = False
        while not self.match.over:
            if self.seat in self.match.state.movers:
                with suppress(MatchChanged):
                    self._play_move()
            else:
                if not said_waiting:
                    self.console.say("", f"Waiting for {self.cast.name(self.seat.other)}...")
                with suppress(MatchChanged):
                    self._handle(self._next_event())
            said_waiting = not self._refresh()
        self._show_ending()
        if (score := self.table.sitting.score) is not None:
            self.console.say("", say_score(score, cast_of(self.match)))
        ask_moments(self.console, self.table)
        self.console.say(*self.table.suggest_level(), "")
        self.console.recite(f"To review it: {program()} review {self.table.remote.address}")

    def arrange_rematch(self) -> bool:
        """Ask both players for a rematch, and sit down at it. Returns whether both want one."""
        self._typing = True
        try:
            wanted = self._ask_rematch()
        finally:
            self._typing = False
        if not wanted:
            self.table.remote.decline_rematch()
            return False
        try:
            following = self.table.follow() or self._wait_for_rematch()
        except RemoteError as error:
            self.console.say(str(error))
            return False
        if following is not None:
            self._sit_down(following)
        return following is not None

    def _wait_for_rematch(self) -> ServerTable | None:
        """Wait for the other player's answer. The table of the next game; None if there is none."""
        name = self.cast.name(self.seat.other)
        self.console.say(f"Asked {name}. Press Ctrl-C to stop waiting.")
        try:
            with suppress(MatchChanged):
                self._wait_for(events.Rematch, events.Declined)
        except (Quit, EndOfInput):
            self.table.remote.decline_rematch()
            return None
        except KeyboardInterrupt:
            self.table.remote.decline_rematch()
            raise
        if self.table.sitting.following:
            return self.table.follow()
        self.console.say(DECLINED[Offer.REMATCH].format(name=name))
        return None

    def _ask_rematch(self) -> bool:
        self.console.say("")
        try:
            again = "Type y to play again, or n to stop."
            return ask_yes_no(self.console, self.scene.after, again, no="q quit exit")
        except EndOfInput:
            return False

    def _wait_for_opponent(self) -> None:
        if self.table.sitting.waiting:
            self.console.say(self.scene.status)
            while self.table.sitting.waiting:
                with suppress(MatchChanged):
                    self._wait_for(events.Joined)
            self.console.say(f"{self.cast.name(self.seat.other)} has joined.", "")
        self.match = self.table.match

    def _play_move(self) -> None:
        match = self.match
        for seconds, words in CLOCKS.items():
            if match.clock == seconds:
                self.console.say(f"You have {words} for this move.")
        self._typing = True
        try:
            self._check_events()
            move = ask_move(
                self.console,
                self.voice,
                self.scene,
                match.state,
                self._own_commands(),
                self._check_events,
            )
        except Interrupted:
            raise MatchChanged from None
        finally:
            self._typing = False
        if confirm_move(self.console, self.table, self.seat, move):
            self._try(lambda: self.table.play(self.seat, move, match.ply))

    def _check_events(self) -> None:
        """Handle what has happened and does not concern the move. Raises MatchChanged for the rest."""
        others = []
        while not self.table.heard.empty():
            news = self.table.heard.get()
            if isinstance(news, events.Away | events.Here | events.Hinted):
                self._handle(news)
            else:
                others.append(news)
        for news in others:
            self.table.heard.put(news)
        if others:
            raise MatchChanged

    def _refresh(self) -> bool:
        """Handle all events, and say what was played. Returns whether anything was."""
        while not self.table.heard.empty():
            self._handle(self.table.heard.get())
        return self._tell_moves()

    def _wait_for(self, *kinds: type[events.Event]) -> None:
        """Handle events up to the first of one of these kinds."""
        while not isinstance(news := self._next_event(), kinds):
            self._handle(news)
        self._handle(news)

    def _next_event(self) -> News:
        """Wait for the next event. Meanwhile a player at a terminal can type commands."""
        while self.console.terminal:
            with suppress(Empty):
                return self.table.heard.get(timeout=POLL)
            if (typed := self.console.read_typed()) is not None:
                self._run_typed(typed.strip().lower())
        return self.table.heard.get()

    def _run_typed(self, word: str) -> None:
        """Run a command typed while waiting. Raises MatchChanged if it changes the match."""
        if not run_command(self.console, word, self.match.game, self._own_commands()) and word:
            self.console.say("It is not your turn yet. Type help to see what you can do meanwhile.")

    def _handle(self, news: News) -> None:
        """Say what happened, and ask the player if it needs an answer."""
        match news:
            case Connection.GONE:
                raise Unreachable(GONE)
            case events.Offered(seat=self.seat.other, offer=offer):
                if self.table.sitting.offered is offer:
                    self._answer(offer)
            case events.SeatEvent(seat=self.seat.other) if said := self._say_event(news):
                self.console.say("", said)

    def _answer(self, offer: Offer) -> None:
        """Ask the player to accept or decline an offer."""
        match offer:
            case Offer.TAKEBACK:
                self.console.say("", say_offer(offer, self.seat.other, self.cast))
                again = "Type y to let them take it back, or n."
                agrees = ask_yes_no(self.console, "Let them?", again, yes="accept", no="decline")
            case Offer.STOP:
                question, again = say_offer(offer, self.seat.other, self.cast), STOP_OR_PLAY_ON
                agrees = ask_yes_no(self.console, question, again, yes="stop")
            case Offer.REMATCH:
                return  # asked for after every game
        self._try(lambda: self.table.answer(agree=agrees))

    def _announce(self, news: News) -> bool:
        """Interrupt an open question to say what happened; returns whether that was all there is to do.

        Called in the thread that reads the events.
        """
        if _is_connection(news):
            return True  # it has been reported
        if not self._typing:
            return False
        match news:
            case events.Away(seat=self.seat.other) | events.Here(seat=self.seat.other):
                self.console.notify(self._say_event(news))
                return True
            case events.Over() if not self.match.over:
                said, ends = "", True  # the question: what is typed now answers the next one
            case events.Offered(seat=self.seat.other, offer=offer):
                said, ends = f"{say_offer(offer, self.seat.other, self.cast)} {ANSWERS[offer]}", False
            case _:
                return False
        self.table.heard.put(news)  # first: whoever types in answer looks for it
        self.console.notify(said, ends=ends)
        return True

    def _say_event(self, event: events.Event) -> str:
        if isinstance(event, events.Joined) or event == events.Declined(self.seat.other, Offer.REMATCH):
            return ""  # said by whatever waits for it
        said = say_event(event, self.cast.name(self.seat.other))
        return f"{said} {TO_WIN}" if isinstance(event, events.Away) else said

    def _own_commands(self) -> dict[str, Command]:
        offer, accept, decline = (partial(self._take_back, action) for action in Action)
        allows = self.table.allows
        undo = Command(offer, "ask to take back your last turn" if allows(Deed.UNDO) else NOT_NOW)
        stop = Command(self._offer_stop, "offer to stop, or agree to it; nobody wins then")
        return {
            **self._commands(undo, stop, "leave; the match stays on the server"),
            "accept": Command(accept, "let your opponent take back a turn, if they ask"),
            "decline": Command(decline, "refuse that"),
            "win": Command(self._win, "win the game when your opponent has been away too long"),
            "abort": Command(self._abort, "cancel the match" if allows(Deed.ABORT) else NOT_NOW),
        }

    def _take_back(self, action: Action) -> None:
        """Ask the opponent for a takeback, or accept or decline theirs."""
        if self._try(lambda: self.table.act(Offer.TAKEBACK, action)):
            if Offer.TAKEBACK in self.table.sitting.offers:  # a computer has agreed at once
                self.console.say(f"Asked {self.cast.name(self.seat.other)}. Waiting for an answer...")
                self._wait_for(
                    events.TakenBack, events.Declined, events.Moved, events.Chosen, events.Over
                )
            raise MatchChanged

    def _offer_stop(self) -> None:
        if self._try(lambda: self.table.stop(self.seat)):
            if self.table.over:
                raise MatchChanged
            name = self.cast.name(self.seat.other)
            self.console.say(f"{name} has been asked. You can play on meanwhile.")

    def _win(self) -> None:
        if self._try(self.table.claim):
            raise MatchChanged

    def _abort(self) -> None:
        if self._try(self.table.abort):
            raise Aborted


class Spectator(OnlineMatch):
    """Somebody at this terminal who watches a match on a server."""

    def __init__(self, console: Console, link: Link) -> None:
        super().__init__(console)
        table = ServerTable(link, "", lambda said: console.warn(f"ninefold: {said}"), _is_connection)
        self._sit_down(table)

    def run(self, read_keys: Callable[[], str]) -> None:
        """Show the match until it is over or `q` is pressed."""
        console, names = self.console, self.cast.names
        console.say(f"{self.match.game.title}: {names[0]} against {names[1]}")
        if console.interactive:
            console.say("(Press q to leave.)")
        if self.table.sitting.waiting:
            console.say(self.scene.status)
        console.say("", *self.voice.board(self.scene))
        while not self.match.over:
            while (news := self._next_event()) is None:
                if "q" in read_keys().lower():
                    return
            match news:
                case Connection.GONE:
                    raise Unreachable(GONE)
                case events.SeatEvent(seat=seat) if said := say_event(news, self.cast.names[seat]):
                    console.say("", said)
            self._tell_moves()
        self._show_ending()

    def _next_event(self) -> News | None:
        """The next event. At a terminal, None after a moment without one, so that keys can be read."""
        try:
            return self.table.heard.get(timeout=POLL if self.console.terminal else None)
        except Empty:
            return None


def _is_connection(news: News) -> bool:
    return news in (Connection.LOST, Connection.RESTORED)


def watch(console: Console, link: Link) -> None:
    """Show a match as a spectator may see it, until it is over or `q` is pressed."""
    fetch_info(link.without_token)  # a match that is not there is told at once
    with console.keys() as read_keys:
        Spectator(console, link.without_token).run(read_keys)


def play_online(console: Console, link: Link) -> int:
    """Play a seat on a server, and then its rematches. Returns the exit status."""
    online = OnlineSeat(console, link)
    while (status := _play(online)) is None:
        if not online.arrange_rematch():
            return 0
        console.say("")
    return status


def _play(online: OnlineSeat) -> int | None:
    """Play one match. Returns None at its end, and the exit status if it was left before that."""
    try:
        return play_to_end(online.console, online.run, lambda: _say_how_to_continue(online))
    except Aborted:
        online.console.say(CANCELED)
        return 0


def _say_how_to_continue(online: OnlineSeat) -> None:
    """Say the command to return to the seat.

    It holds the token only if that could not be saved: other users of this machine can see commands.
    """
    remote = online.table.remote
    back = remote.address if online.table.remembered else f"'{remote.link}'"
    online.console.warn(f"The match stays on the server. To continue:\n{program()} join {back}")
