"""Line mode in our own voice: a script made from a game's words and its board.

Two people at one screen get the rule book's own script instead, if the game has one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ninefold.core.cast import Cast
from ninefold.core.errors import MalformedMove, quote
from ninefold.core.game import Game
from ninefold.core.move import Move
from ninefold.core.reading import names_cells, read_label
from ninefold.core.script import Lines, Question, Script, ranges
from ninefold.core.seat import Seat
from ninefold.core.state import State
from ninefold.core.turns import Played
from ninefold.core.view import Spot, View, board_of
from ninefold.core.words import comma_list, one_of
from ninefold.match import Match
from ninefold.players import PERSON
from ninefold.show.board import Drawing, Grid, Part, describe_settings, draw
from ninefold.show.endings import describe_ending, ending_of
from ninefold.show.layout import Screen, beside
from ninefold.show.moves import tell

Board = Callable[[View, Cast], Lines]
SCREEN = Screen()  # with the default width
LINES, SCORE = "Lines", "Score"  # the titles of panels


def own_voice(game: Game, screen: Screen = SCREEN) -> Script:
    """The script in our own voice: to one person, or about two by name."""
    board = partial(_board, game, screen)
    return Script(
        opening=partial(_opening, game, board),
        board=board,
        turn=partial(_turn, game),
        question=partial(_question, game),
        made=partial(_made, game, board),
        revealed=partial(_revealed, game, board),
        ending=partial(_ending, game),
    )


def _opening(game: Game, board: Board, view: View, cast: Cast) -> Lines:
    starts = f"{cast.subject_does(view.movers[0], 'start')}." if len(view.movers) == 1 else "Both choose."
    return [f"{game.title}. {game.summary}", "", *board(view, cast), "", starts]


def _turn(game: Game, view: View, cast: Cast) -> Lines:
    seat = view.movers[0] if view.viewer is None else view.viewer
    yours = "Your turn." if seat is cast.you else f"{cast.name(seat)}, your turn."
    away = f" {cast.name(seat.other)}, please look away." if cast.you is None and _secret(view) else ""
    return [f"{yours} {game.words.choose(view, cast)}{away}"]


def _secret(view: View) -> bool:
    """Whether both choose in secret now."""
    return bool(view.pending or view.movers[1:])


def _made(
    game: Game, board: Board, before: View, seat: Seat, move: Move, after: View, cast: Cast
) -> Lines:
    drawn = [] if _secret(after) else board(after, cast)
    return _below(game.words.news(before, seat, move, after, cast), drawn)


def _revealed(
    game: Game, board: Board, before: View, choices: Mapping[Seat, Move], after: View, cast: Cast
) -> Lines:
    return _below(game.words.revealed(before, choices, after, cast), board(after, cast))


def _below(news: str, board: Lines) -> Lines:
    return ["", news, *(["", *board] if board else [])]


def _ending(game: Game, view: View, cast: Cast) -> Lines:
    return ending_of(game.words, view, cast).lines


# The board


def _board(game: Game, screen: Screen, view: View, cast: Cast) -> Lines:
    """The boards as text, with the panels below; a cell shows its number and its owner's mark."""
    drawing = draw(game, view, cast, moves=())
    panels = _panel_lines(game, view, drawing, cast)
    if screen.plain:
        return [line for grid in drawing.grids for line in _describe_grid(grid, cast)] + panels[1:]
    blocks = [
        [*([grid.title] if grid.title else []), *_grid(grid, cast, screen)] for grid in drawing.grids
    ]
    return [*beside(blocks, screen.width()), *panels]


def _describe_grid(grid: Grid, cast: Cast) -> Lines:
    """A grid in words, one line per row, for a screen reader."""
    lines = [f"{grid.title}:"] if grid.title else []
    for number, row in enumerate(grid.rows, 1):
        head, _, column = row[0].label.partition(",")
        begin = f"Row {head or number}" if column or not head else f"Cells {head} to {row[-1].label}"
        lines.append(f"{begin}: {', '.join(_describe_part(part, cast) for part in row)}.")
    return [*lines, *(f"{part.says}." for part in (*grid.row_lines, *grid.column_lines))]


def _describe_part(part: Part, cast: Cast) -> str:
    """`empty`, `5`, `5 yours`, and where cells have numbers of their own `cell 3 free`."""
    holds = [part.text] if part.text else []
    if part.owner is not None:
        holds.append(cast.owner(part.owner))
    if "," in part.label or not part.label:
        return " ".join(holds) or "empty"
    return f"{part.label} {' '.join(holds) or 'free'}"


def _panel_lines(game: Game, view: View, drawing: Drawing, cast: Cast) -> Lines:
    settings = describe_settings(game, view.setup)
    said = [f"{title}: {text}" for title, text in settings]
    scores = {cast.mark(seat): view.panel("score", seat) for seat in cast.players}
    merged = {one.mark for one in drawing.panels if one.title == LINES and scores[one.mark] is not None}
    for one in drawing.panels:
        if one.mark in merged and one.title == LINES:  # with the score that they make
            said.append(f"{one.name} ({one.mark}) {scores[one.mark]}: {one.text}")
        if one.mark in merged and one.title in (LINES, SCORE):
            continue
        if one.key == "turns" and settings:  # on one line, because a large board leaves few
            said[0] += f"   {one.title}: {one.text}"
            continue
        whose = f"{one.name} ({one.mark}), " if one.mark else ""
        title = one.title[0].lower() + one.title[1:] if whose else one.title
        said.append(f"{whose}{title}: {one.text}")
    return ["", *said] if said else []


def _grid(grid: Grid, cast: Cast, screen: Screen) -> Lines:
    """A grid with its rows and columns labeled the way cells are typed."""
    width = max(5, *(len(_face(part)) + 2 for row in grid.rows for part in row))
    rule = "  +" + "+".join("-" * width for _ in range(grid.width)) + "+"
    heads = [part.label.partition(",")[2] for part in grid.rows[0]]
    lines = ["   " + " ".join(head.center(width) for head in heads).rstrip()] if any(heads) else []
    lines.append(rule)
    for number, row in enumerate(grid.rows):
        head = row[0].label.partition(",")[0] if any(heads) else ""
        cells = "|".join(_paint(part, _face(part).center(width), cast) for part in row)
        claimed = f"  {_line(grid.row_lines[number])}" if grid.row_lines else ""
        lines += [f"{head:2}|{cells}|{claimed}".rstrip(), rule]
    sums = [f"   {_line(part)}" for part in grid.column_lines]
    return [*lines, *(["".join(sums)] if sums and len("".join(sums)) <= screen.width() else sums)]


def _face(part: Part) -> str:
    return f"{part.text} {part.mark}".strip() or ("." if "," in part.label else part.label)


def _line(part: Part) -> str:
    return f"{part.label} = {part.text}" + (f" {part.mark}" if part.mark else "")


def _paint(part: Part, text: str, cast: Cast) -> str:
    return text if part.owner is None else cast.paint(part.owner, text)


# The questions


def _question(game: Game, view: View, cast: Cast, chosen: tuple[Hashable, ...]) -> Question:
    """The next question: a number, then a cell or a line, then what to do, as far as a move needs it."""
    spots = [game.spot(move) for move in view.moves]
    numbers = sorted({spot.number for spot in spots if spot.number is not None})
    if numbers and not chosen:
        alone = not any(spot.cells for spot in spots)
        whole = "" if alone else f" Or type the whole move, like {view.moves[0]}."
        return Question(
            prompt=f"Number ({ranges(tuple(numbers))}): ",
            allowed=f"Type {one_of(numbers)}.{whole}",
            read=partial(_read_number, game),
            part=lambda move: game.spot(move).number,
            secret=alone and _secret(view),
        )
    if any(len(spot.cells) > 1 for spot in spots):
        return _ask_whole(game, "Line: ", view.moves)
    seat = view.movers[0] if view.viewer is None else view.viewer
    board = view.boards[board_of(view, seat)]
    free = sorted({spot.cells[0] for spot in spots if spot.cells})
    by_number = {} if numbers else {str(board.cells[place].number): place for place in free}
    names = [board.cells[place].label for place in free]
    if chosen and isinstance(chosen[-1], tuple):
        return _ask_kind(game, [spot.kind for spot in spots if _place(spot) == chosen[-1]])
    if not free:
        return _ask_whole(game, "Move: ", view.moves)
    number = chosen[0] if chosen else None
    others = [] if numbers else [move for move in view.moves if not game.spot(move).cells]
    also = "".join(f" or {move}" for move in others)
    named = names_cells(game, board)
    if named:
        what, typed = "Number", f"a number: {comma_list(sorted(by_number))}."
    else:
        what, typed = f"Cell{' (row,column)' if ',' in names[0] else ''}", f"a cell: {'  '.join(names)}."
        typed += " Or type the number on it." if any(map(str.isdigit, by_number)) else ""
    return Question(
        prompt=f"{what}{also}: ",
        allowed=f"Type {typed}" + (f" Or {comma_list(others)}." if others else ""),
        read=lambda text: (number, read_label(text, board, by_number, named=named)),
        part=lambda move: _place(game.spot(move)),
        numbered=named,
    )


def _place(spot: Spot) -> tuple[int | None, ...]:
    return (spot.number, *spot.cells)


def _ask_kind(game: Game, kinds: Sequence[str]) -> Question:
    """A question for what to do with a cell, where there are several ways."""
    return Question(
        prompt=f"What to do ({comma_list(kinds)}): ",
        allowed=f"Type {one_of(kinds)}, or the first letters of it.",
        read=lambda text: _read_kind(text, kinds),
        part=lambda move: game.spot(move).kind,
    )


def _read_kind(text: str, kinds: Sequence[str]) -> str:
    word = text.strip().lower()
    found = [kind for kind in kinds if word and kind.startswith(word)]
    if len(found) != 1:
        raise MalformedMove(f"{quote(text)} is not {one_of(kinds)}.")
    return found[0]


def _ask_whole(game: Game, prompt: str, moves: Sequence[Move]) -> Question:
    """A question for one of a few moves as a whole."""
    return Question(
        prompt=prompt,
        allowed=f"Type {one_of(moves)}.",
        read=game.parse,
        part=lambda move: move,
    )


def _read_number(game: Game, text: str) -> int:
    """A number that a move of the game has."""
    known = {spot.number for spot in map(game.spot, game.moves) if spot.number is not None}
    if re.fullmatch(r"\s*[0-9]{1,3}\s*", text, re.ASCII) and int(text) in known:
        return int(text)
    raise MalformedMove(f"{quote(text)} is not a number from {min(known)} to {max(known)}.")


def script_for(match: Match, screen: Screen = SCREEN, *, own: bool = False) -> Script:
    """The script for a match: the rule book's between two people at one screen, else our own.

    Two people can choose our `own`. The books draw boards, so with a screen reader it is always ours.
    """
    people = all(player.kind == PERSON for player in match.players)
    book = match.game.script if people and not (screen.plain or own) else None
    return own_voice(match.game, screen) if book is None else book


def without_board(game: Game, script: Script) -> Script:
    """A script in our own voice that tells what was played and does not draw the board after it."""

    def nothing(view: View, cast: Cast) -> Lines:
        return []

    return replace(script, made=partial(_made, game, nothing), revealed=partial(_revealed, game, nothing))


def ending_lines(match: Match, script: Script, cast: Cast) -> Lines:
    """The announcement of a finished match. The books have no lines for one that was cut short."""
    if match.state.outcome is None:
        return describe_ending(match, cast).lines
    return script.ending(match.state.view(match.state.outcome.winner), cast)


def tell_made(
    script: Script,
    states: Sequence[State[Any]],
    played: Sequence[Played],
    viewer: Seat | None,
    cast: Cast,
) -> Lines:
    """What a script says after the last of these moves. It gets secret choices when they are revealed."""
    return tell(states, played, viewer, cast, script.chosen, script.made, script.revealed)
