"""All that an interface draws: a position as one viewer sees it, and what goes on in its match."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from ninefold.analysis import Value
from ninefold.core.cast import Cast
from ninefold.core.game import Game
from ninefold.core.move import Move
from ninefold.core.seat import SEATS, Seat
from ninefold.core.state import State
from ninefold.core.turns import Played, Turn, group_turns
from ninefold.core.view import View, board_of
from ninefold.match import Match, Series
from ninefold.match.kinds import Offer, Presence
from ninefold.match.sitting import Deed, Sitting
from ninefold.players import PERSON
from ninefold.show.board import Drawing, describe_settings, draw
from ninefold.show.choosing import tag_hint
from ninefold.show.endings import Ending, describe_ending
from ninefold.show.moves import capitalize, say_kind, tell_last
from ninefold.show.offers import ANSWERS, say_after, say_offer
from ninefold.show.sides import Preview, Side, preview_moves, side_of
from ninefold.show.status import say_note, say_status, say_terms, say_time, say_title
from ninefold.show.values import Bar, Tag, bar_of


@dataclass(frozen=True, slots=True)
class Revealed:
    """What was chosen in secret, a number or a few words, and whose it is."""

    name: str
    mark: str
    text: str


@dataclass(frozen=True, slots=True)
class Reveal:
    """Secret choices that have been revealed."""

    count: int  # how many moves had been made then
    choices: tuple[Revealed, ...]
    says: str  # what they led to, in a sentence


@dataclass(frozen=True, slots=True)
class PlayerNote:
    """What stands beside a player besides what they have."""

    seat: Seat
    name: str  # "You" for the reader
    about: str = ""  # the reader's own name, or a computer's level
    you: bool = False
    computer: bool = False
    free: bool = False  # nobody has taken the seat yet
    turn: bool = False
    presence: Presence | None = None  # None where it does not matter
    hints: int = 0  # given while another person plays
    left: int | None = None  # seconds for the move
    wins: int | None = None  # None before the second game of a series

    def __str__(self) -> str:
        """In one line, without the name: `level 3`, or `away, 1 hint, 0:29`."""
        return say_note(self.presence, self.hints, self.left) or ("" if self.you else self.about)


@dataclass(frozen=True, slots=True)
class StandingOffer:
    """What a player offers the other, in words for the reader."""

    offer: Offer
    seat: Seat  # whose it is
    says: str
    yes: str  # to accept it
    no: str


@dataclass(frozen=True, slots=True)
class Scene:
    """A position: the boards, what each player has, and the moves so far. In a match, also the rest."""

    game: Game
    view: View
    cast: Cast
    drawing: Drawing
    order: tuple[Seat, Seat]  # the seat at the far side of the table, then the near one
    sides: tuple[Side, Side]  # by seat
    pool: Side  # what both share
    settings: list[tuple[str, str]]
    moves: list[tuple[Seat, str]]  # those that the viewer may know, in words, perhaps only the latest
    turns: tuple[tuple[int, Seat, str], ...]  # the same as turns, each with the moves up to its end
    latest: str  # the last turn in a sentence; empty before the first, and if it is the reveal
    earlier: int = 0  # how many moves were made before those
    earlier_turns: int = 0  # and how many turns
    unfinished: bool = False  # whether the last turn still asks for secret choices
    reveal: Reveal | None = None  # secret choices of the last turn, or of the one before it
    preview: Mapping[str, Preview] = field(default_factory=dict)  # see `preview_moves`
    goal: str = ""  # what decides the game, in a few words

    # What goes on in the match
    title: str = ""  # how it stands, in a few words
    terms: str = ""  # what whoever takes the open seat agrees to; nothing to those who sit here
    status: str = ""  # whose turn it is and what to choose, or what is waited for
    ending: Ending | None = None
    after: str = ""  # what can come after the end
    notes: tuple[PlayerNote, ...] = ()  # by seat
    offers: tuple[StandingOffer, ...] = ()
    score: Series | None = None  # the games so far, from the second on
    deeds: frozenset[Deed] = frozenset()  # what can be done besides moving
    hints: bool = False  # whether hints may be asked for in this match
    clock: str = ""  # how long a move may take: "2:00"
    hint: str = ""  # in words
    tags: Mapping[str, Tag] = field(default_factory=dict)  # what is told of parts: where the hint is
    bar: Bar | None = None  # who is winning

    @property
    def news(self) -> list[str]:
        """What happened last, in a sentence or two, without what the status says, too.

        That is that somebody has chosen, or what the viewer is to choose in secret for.
        """
        known = self.status.startswith(self.latest) or (self.unfinished and self.turn)
        said = ["" if self.reveal is None else self.reveal.says, "" if known else self.latest]
        return list(filter(None, said))

    @property
    def question(self) -> str:
        """What the viewer has to choose, in the game's own words. Ask only while the game goes on."""
        return self.game.words.choose(self.view, self.cast)

    @property
    def turn(self) -> bool:
        """Whether it is the viewer's turn in this match."""
        viewer = self.view.viewer
        return viewer is not None and bool(self.notes) and self.notes[viewer].turn

    @property
    def near(self) -> int:
        """The near player's board, where each has one."""
        return board_of(self.view, self.order[1])

    @property
    def active(self) -> int:
        """The board on which the viewer moves; a spectator looks at the near one."""
        viewer = self.view.viewer
        return self.near if viewer is None else board_of(self.view, viewer)


def scene_at(
    sitting: Sitting,
    cast: Cast,
    *,
    hint: tuple[Move, str] | None = None,
    value: Value | None = None,
    listed: int | None = None,
) -> Scene:
    """A match as those who sit there see it, with a hint and the value of the position if they asked.

    `listed` is the most moves that are said, the latest ones.
    """
    match, mover = sitting.match, sitting.mover
    scene = scene_of_match(match, sitting.viewer, cast, choosing=mover is not None, listed=listed)
    drawing = scene.drawing
    return replace(
        scene,
        preview={} if mover is None else preview_moves(match.state, mover, drawing, cast),
        title=say_title(sitting, cast),
        terms=say_terms(sitting, cast) if sitting.waiting and not sitting.seats else "",
        status=say_status(sitting, cast),
        ending=describe_ending(match, cast) if match.over else None,
        after=say_after(match.game, sitting.score, cast) if match.over and sitting.seats else "",
        notes=tuple(_note(sitting, cast, seat) for seat in SEATS),
        offers=tuple(
            StandingOffer(offer, seat, say_offer(offer, seat, cast), *ANSWERS[offer])
            for offer, seat in sitting.offers.items()
            if sitting.seats
        ),
        score=sitting.score,
        deeds=sitting.deeds,
        hints=match.hints,
        clock="" if match.clock is None else say_time(match.clock),
        hint="" if hint is None else hint[1],
        tags={} if hint is None or mover is None else tag_hint(match.game, scene.view, mover, hint[0]),
        bar=None if value is None else bar_of(value, cast),
    )


def _note(sitting: Sitting, cast: Cast, seat: Seat) -> PlayerNote:
    match, name, you = sitting.match, cast.name(seat), sitting.you is seat
    kind, turn = match.player(seat).kind, sitting.playing and seat in match.state.movers
    wins = None if sitting.score is None else sitting.score.wins[cast.players.index(seat)]
    return PlayerNote(
        seat=seat,
        name="You" if you else name,
        about=name if you else say_kind(kind) if kind != PERSON else "",
        you=you,
        computer=kind != PERSON,
        free=seat in sitting.free,
        turn=turn,
        presence=sitting.presence.get(seat),
        hints=sitting.hinted[seat],
        left=sitting.left if turn else None,
        wins=wins,
    )


def scene_of_match(
    match: Match,
    viewer: Seat | None,
    cast: Cast,
    count: int | None = None,
    *,
    choosing: bool = True,
    listed: int | None = None,
) -> Scene:
    """The position of a match as a viewer may see it, now or after `count` of its moves.

    Moves can be chosen only now, and only while the viewer is `choosing`.
    """
    count = len(match.played) if count is None else count
    moves = () if match.over or count < len(match.played) or not choosing else None
    scene = scene_of(match.states[: count + 1], match.played[:count], viewer, cast, moves, listed)
    if not match.over:
        return scene
    # However a match ended, what was secret in it is known to everybody now.
    return replace(scene, settings=describe_settings(match.game, match.state.setup))


def scene_of(
    states: Sequence[State[Any]],
    played: Sequence[Played],
    viewer: Seat | None,
    cast: Cast,
    moves: Sequence[Move] | None = None,
    listed: int | None = None,
) -> Scene:
    """The last of these positions, with the moves that led there, at most `listed` of them, the latest.

    `moves` are the moves that can be chosen, by default the viewer's legal ones.
    """
    state = states[-1]
    view, turns = state.view(viewer), group_turns(states, played)
    # What secret choices led to stays in the news for one more turn, until others are revealed.
    shown = next((one for one in turns[:-3:-1] if one.secrets), None)
    hidden = {seat for seat in state.pending if seat is not viewer}
    known = [one for turn in turns for one in turn.known(hidden)]
    earlier = 0 if listed is None else max(0, len(known) - listed)

    @cache
    def phrase(place: int) -> str:
        one = known[place]
        return state.game.words.move(states[place].view(one.seat), one.move)

    def tell(turn: Turn) -> str:
        return tell_last(states[: turn.stop + 1], played[: turn.stop], viewer, cast)

    start, last = states[0].view(viewer), turns[-1] if turns else None
    drawing = draw(state.game, view, cast, last=last, moves=moves)
    near = Seat.FIRST if cast.you is None else cast.you
    first, second = (side_of(state.game, start, view, drawing, seat, cast) for seat in Seat)
    return Scene(
        game=state.game,
        view=view,
        cast=cast,
        drawing=drawing,
        order=(near.other, near),
        sides=(first, second),
        pool=side_of(state.game, start, view, drawing, None, cast),
        settings=describe_settings(state.game, view.setup),
        moves=[(known[place].seat, capitalize(phrase(place))) for place in range(earlier, len(known))],
        turns=tuple(
            (turn.stop, (turn.written or turn.moves)[0].seat, _say_turn(states, turn, phrase))
            for turn in turns
            if turn.stop > earlier
        ),
        latest="" if last is None or last is shown else tell(last),
        earlier=earlier,
        earlier_turns=sum(turn.stop <= earlier for turn in turns),
        goal=state.game.words.goal(view, cast),
        unfinished=last is not None and not last.revealed,
        reveal=None
        if shown is None
        else Reveal(shown.stop, _find_revealed(states, shown, cast), tell(shown)),
    )


def _say_turn(states: Sequence[State[Any]], turn: Turn, phrase: Callable[[int], str]) -> str:
    """A turn as one row of a list: `Challenge 7: 5 beats 1`. Choices still secret are not told.

    `phrase` says a move by its number, from 0.
    """
    words, asked = states[0].game.words, states[turn.start + turn.public]
    opened = (
        phrase(place) if words.row is None else words.row(states[place].view(None), played.move)
        for place, played in enumerate(turn.moves[: turn.public], turn.start)
    )
    choices = {one.seat: one.move for one in turn.secrets}
    against = words.settled(asked.view(None), choices, states[turn.stop].view(None)) if choices else ""
    return capitalize(": ".join(filter(None, [*opened, against])) or "both choose in secret")


def _find_revealed(states: Sequence[State[Any]], turn: Turn, cast: Cast) -> tuple[Revealed, ...]:
    """The secret choices of a turn, if it has revealed them."""
    game, asked = states[0].game, states[turn.start + turn.public]

    def say(one: Played) -> str:
        number = game.spot(one.move).number
        return game.words.move(asked.view(one.seat), one.move) if number is None else str(number)

    return tuple(Revealed(cast.subject(one.seat), cast.mark(one.seat), say(one)) for one in turn.secrets)
