"""The words of Grid Conquest's rule book, with the board and both hands."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from ninefold.core.cast import Cast
from ninefold.core.outcome import Reason
from ninefold.core.script import Lines, Question, Script
from ninefold.core.seat import Seat
from ninefold.core.view import View
from ninefold.core.words import comma_list
from ninefold.games.conquest.notation import read_action, read_bid, read_cell
from ninefold.games.conquest.rules import Bid, Challenge, Claim, Holdings
from ninefold.games.conquest.view import challenger_of, settled_challenge, spot


def opening(view: View, cast: Cast) -> Lines:
    return ["Welcome to Grid Conquest!", "", *board(view, cast)]


def board(view: View, cast: Cast) -> Lines:
    hands = (f"{cast.label(s)}: {comma_list(view.numbers('hand', s)) or 'none'}" for s in cast.players)
    lines = [*_grid(view, cast), "", "Challenge numbers left:", *hands]
    if view.phase == "bidding":
        challenger = challenger_of(view)
        cell = view.number("challenged", challenger)
        lines += ["", f"{cast.name(challenger)} challenges cell {cell}."]
    return lines


def _grid(view: View, cast: Cast) -> Lines:
    rows = view.boards[0].rows
    width = len(rows[-1][-1].label)
    rule = "+".join("-" * (width + 1 if k in (0, len(rows) - 1) else width + 2) for k in range(len(rows)))
    lines: Lines = []
    for row in rows:
        shown = (
            cell.label.rjust(width)
            if cell.owner is None
            else cast.paint(cell.owner, cast.mark(cell.owner).rjust(width))
            for cell in row
        )
        lines += ([rule] if lines else []) + [" | ".join(shown)]
    return lines


def turn(view: View, cast: Cast) -> Lines:
    seat = _asked(view)
    name = cast.name(seat)
    if view.phase == "bidding":
        return [f"{name}, choose your number in secret. {cast.name(seat.other)}, please look away."]
    if view.phase == "sudden death":
        return [
            "Sudden death: cells are equal. Each turn is a challenge until somebody has more.",
            f"It's your turn, {name}.",
            "Available actions: [challenge] an opponent's cell.",
        ]
    actions = ["[claim] an empty cell"]
    untouched = all(cell.owner is None for cell in view.boards[0].cells)
    if "challenge" in _actions(view) or untouched:  # the book names both at its first prompt
        actions.append("[challenge] an opponent's cell")
    return [f"It's your turn, {name}.", f"Available actions: {comma_list(actions)}."]


def _actions(view: View) -> tuple[str, ...]:
    """What the viewer, who is to move, may do now: claim, challenge or both."""
    kinds = ("challenge" if isinstance(move, Challenge) else "claim" for move in view.moves)
    return tuple(dict.fromkeys(kinds))


def _asked(view: View) -> Seat:
    return view.movers[0] if view.viewer is None else view.viewer


def question(view: View, cast: Cast, chosen: tuple[Hashable, ...]) -> Question:
    seat = _asked(view)
    if view.phase == "bidding":
        hand = comma_list(view.numbers("hand", seat))
        return Question(
            prompt=f"Select a challenge number from your available numbers [{hand}]: ",
            allowed=f"Type one of your numbers: {hand}. It stays hidden until both have chosen.",
            read=read_bid,
            part=lambda move: getattr(move, "number", None),
            secret=True,
            refused=lambda reason: f"Error: {reason} Please select a valid number.",
        )
    if not chosen:
        example = str(view.moves[0]).replace(":", " ")
        return Question(
            prompt="Enter your action: ",
            allowed=f"Type {' or '.join(_actions(view))}, or the whole move, like {example}.",
            read=read_action,
            part=lambda move: spot(move).kind,
        )
    action = chosen[0]
    owner = None if action == "claim" else seat.other
    cells = comma_list([cell.label for cell in view.boards[0].cells if cell.owner == owner])
    whose = "available cells" if action == "claim" else "opponent's cells"
    return Question(
        prompt=f"Enter the cell number you wish to {action} ({whose}: {cells}): ",
        allowed=f"Type the number of one of these cells: {cells}.",
        read=read_cell,
        part=lambda move: getattr(move, "cell", None),
    )


def made(before: View, seat: Seat, move: Claim | Challenge, after: View, cast: Cast) -> Lines:
    if isinstance(move, Claim):
        return [f"You have claimed cell {move.cell}.", "", *board(after, cast)]
    return [f"{cast.name(seat)} challenges cell {move.cell}."]


def chosen(view: View, seat: Seat, cast: Cast) -> Lines:
    return [f"Waiting for {cast.name(seat.other)} to select their challenge number..."]


def revealed(before: View, choices: Mapping[Seat, Bid], after: View, cast: Cast) -> Lines:
    """The challenge as the book words it, to the challenger. The book has no words for a failed one."""
    fight = settled_challenge(before, choices, after)
    challenger, defender = fight.challenger, fight.challenger.other
    attack, defense = fight.spent[challenger], fight.spent[defender]
    if fight.taken:
        said = [
            f"- Your number: {attack}",
            f"- Opponent's number: {defense}",
            f"You win the challenge and now control cell {fight.cell}.",
        ]
    else:
        why = "ties go to the defender" if attack == defense else f"{defense} beats {attack}"
        said = [
            f"- {cast.name(challenger)}'s number: {attack}",
            f"- {cast.name(defender)}'s number: {defense}",
            f"{cast.name(defender)} keeps cell {fight.cell}: {why}.",
        ]
    return ["Challenge results:", *said, "", *board(after, cast)]


def ending(view: View, cast: Cast) -> Lines:
    outcome = view.outcome
    assert outcome is not None
    assert isinstance(outcome.detail, Holdings)
    lines = ["All cells are claimed."]
    for seat in cast.players:
        cells = [cell.label for cell in view.boards[0].cells if cell.owner == seat]
        count = f"{len(cells)} cell{'' if len(cells) == 1 else 's'}"
        lines.append(f"{cast.name(seat)} controls cells: {comma_list(cells) or 'none'} ({count}).")
    if outcome.reason is not Reason.CELLS:
        lines += ["", "Both control the same number of cells. Unused challenge numbers:"]
        for seat in cast.players:
            hand = comma_list(view.numbers("hand", seat)) or "none"
            lines.append(f"{cast.name(seat)}: {hand} (sum = {outcome.detail.unused[seat]})")
    if outcome.reason is Reason.SPENT:
        lines.append(
            "Everything is equal and no numbers are left: "
            f"{cast.name(outcome.winner)} moved second and wins."
        )
    return [*lines, "", f"Winner: {cast.name(outcome.winner)}"]


SCRIPT = Script(
    opening,
    board,
    turn,
    question,
    made,
    ending,
    chosen=chosen,
    revealed=revealed,
    prompts={"size": "Size of the grid (2, 3 or 4, or press Enter for 3): "},
)
