"""A review in sentences: what a move gave away, what was better, and what decided the match."""

from __future__ import annotations

from ninefold.analysis import Result
from ninefold.core.cast import Cast
from ninefold.core.outcome import Stop
from ninefold.core.seat import SEATS, Seat
from ninefold.core.words import counted
from ninefold.match import Match
from ninefold.show.endings import describe_ending
from ninefold.show.moves import capitalize, say_move, say_moves
from ninefold.show.values import percent, points, verdict
from ninefold.study.facts import chance_of
from ninefold.study.reviews import Judged, Mark, Review

# What is wrong with a move, as a clause that goes on from it.
REMARKS = {
    Mark.NONE: "",
    Mark.GIVES_AWAY: "gives the win away",
    Mark.LETS_SLIP: "turns an endless game into a lost one",
    Mark.CHANCE: "gives away chances",
    Mark.SLOWER: "wins more slowly",
    Mark.SOONER: "loses sooner",
}


def remark(one: Judged, cast: Cast) -> str:
    """What is wrong with a move and how lucky it was, in a few words; empty where all is well."""
    said = [REMARKS[one.mark]] if one.mark is not Mark.NONE else []
    if said:
        said[0] += _cost(one)
    if one.luck:
        said.append(f"luck: {points(abs(one.luck))} for {cast.who(_lucky(one))}")
    return "; ".join(said)


def _cost(one: Judged) -> str:
    """How far the chance to win fell, where there was more than winning and losing."""
    between = one.cost not in (0, 1) and Result.ENDLESS not in (one.before.result, one.after.result)
    return f" ({points(one.cost)})" if between else ""


def _lucky(one: Judged) -> Seat:
    return SEATS[one.luck is not None and one.luck < 0]


def judgment(match: Match, one: Judged, cast: Cast) -> list[str]:
    """What is to be said of a move, in sentences."""
    said = [_judgment(match, one)]
    if one.luck:
        lucky, share = cast.who(_lucky(one)), points(abs(one.luck))
        said.append(f"The rest was luck: the way the two numbers met was worth {share} to {lucky}.")
    return said


def _judgment(match: Match, one: Judged) -> str:
    if one.mark is Mark.NONE:
        if one.equal:
            return "Every move was equally good here."
        if one.move in one.best:
            return "One of the best moves." if len(one.best) > 1 else "The best move."
        return f"It gives nothing away. Even better: {better_moves(match, one)}."
    return f"{capitalize(REMARKS[one.mark])}{_cost(one)}. Better: {better_moves(match, one)}."


def better_moves(match: Match, one: Judged) -> str:
    """The best moves instead of this one."""
    return say_moves(match.states[one.number - 1], one.best)


def decided_by(match: Match, one: Judged, cast: Cast, move: str | None = None) -> str:
    """The move that lost a match, as a sentence; `move` are words for it where it must stay hidden."""
    who, better = cast.subject(one.seat), "Better"
    match one.mark:
        case Mark.GIVES_AWAY:
            lost = f"{who} lost the game" if one.cost == 1 else f"{who} gave the win away"
            better = "The winning move" if len(one.best) == 1 else "The winning moves"
        case Mark.LETS_SLIP:
            lost, better = f"{who} lost the game", "To keep it going"
        case _:
            chance = chance_of(one.before, one.seat)
            fell = f"fell from {percent(chance)} to {percent(chance - one.cost)}"
            lost = f"{cast.subject_whose(one.seat)} chances {fell}"
    said = say_move(match.states[one.number - 1], one.move) if move is None else move
    return f"{lost} on move {one.number}: {said}. {better}: {better_moves(match, one)}."


def ask_better_move(match: Match, one: Judged, cast: Cast) -> str:
    """The move that lost a match, as a puzzle."""
    said = say_move(match.states[one.number - 1], one.move)
    return f"{cast.subject_whose(one.seat)} move {one.number}: {said}. What is better?"


def undecided(match: Match, found: Review, cast: Cast) -> str:
    """What there is to say of a finished match in which no move of the loser decided it."""
    if match.outcome is None:
        return "Nobody lost, so no move decided it."
    loser = match.outcome.winner.other
    if match.state.outcome is None:
        return f"{cast.subject(loser)} had given nothing away."
    if any(one.luck for one in found.moves):
        return f"{cast.subject(loser)} gave nothing away: luck decided."
    return f"No single move lost it: {cast.does(loser.other, 'were')} winning from the start."


def summary(match: Match, found: Review, cast: Cast, hidden: str | None = None) -> list[str]:
    """Who won, and what decided it. `hidden` are words for a deciding move that is still secret."""
    outcome = match.outcome
    if outcome is None:
        said = [describe_ending(match, cast).headline]
    else:
        said = [f"{cast.subject(outcome.winner)} won after {counted(match.ply, 'move')}."]
    if found.deciding is not None:
        said.append(decided_by(match, found.deciding, cast, hidden))
    else:
        said.append(undecided(match, found, cast))
    if match.state.outcome is None and match.stopped is not Stop.DEAD:
        then = verdict(found.values[-1], cast)
        said.append(f"At that point: {then[0].lower()}{then[1:]}" if then.startswith("With") else then)
    return said


def accuracy(found: Review, seat: Seat) -> str:
    """How much of what was at stake a seat kept, or that nothing was."""
    share = found.accuracy[seat]
    if share is not None:
        return percent(share)
    judged = any(one.seat is seat for one in found.moves)
    return "every move was equally good" if judged else "no move to judge"
