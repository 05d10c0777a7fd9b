"""A review in sentences: what a move gave away, what was better, and what decided the match."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ninefold.analysis import Result
from ninefold.core.cast import Cast
from ninefold.core.outcome import Stop
from ninefold.core.seat import SEATS, Seat
from ninefold.core.turns import turn_number
from ninefold.core.words import pluralize
from ninefold.match import Match
from ninefold.show.endings import describe_ending
from ninefold.show.moves import capitalize, say_move, say_moves, say_news
from ninefold.show.values import clause, percent, points
from ninefold.study.facts import chance_of
from ninefold.study.reviews import Judged, Mark, Review

NOT_YET = "This match is still being played. You can review it when it is over."

# What is wrong with a move, as a clause that follows it.
REMARKS = {
    Mark.NONE: "",
    Mark.GIVES_AWAY: "gives the win away",
    Mark.LETS_SLIP: "turns an endless game into a lost one",
    Mark.CHANCE: "gives away chances",
    Mark.SLOWER: "wins more slowly",
    Mark.SOONER: "loses more quickly",
}


def remark(match: Match, judged: Sequence[Judged], cast: Cast) -> str:
    """What is wrong with a turn, what was better and how lucky it was; empty where all is well."""
    (*_, last) = judged
    said = []
    for one in judged:
        if one.mark is not Mark.NONE:
            which = f"{name_move(match, one, cast)} " if len(judged) > 1 else ""
            said.append(f"{which}{REMARKS[one.mark]}{_cost(one)}; better: {_better_moves(match, one)}")
    if last.luck:
        said.append(f"Luck: {points(abs(last.luck))} for {cast.who(_lucky(last))}")
    return ". ".join(said)


def _cost(one: Judged) -> str:
    """How far the chance to win fell, where it was not simply a win turned into a loss."""
    between = one.cost not in (0, 1) and Result.ENDLESS not in (one.before.result, one.after.result)
    return f" ({points(one.cost)})" if between else ""


def _lucky(one: Judged) -> Seat:
    return SEATS[one.luck is not None and one.luck < 0]


def judgment(match: Match, one: Judged, cast: Cast) -> list[str]:
    """The judgment of a move, in sentences."""
    said = [_judgment(match, one)]
    if one.luck:
        lucky, share = cast.who(_lucky(one)), points(abs(one.luck))
        said.append(f"The rest was luck: it gained {lucky} {share}.")
    return said


def judge_turn(match: Match, judged: Sequence[Judged], cast: Cast) -> list[str]:
    """The judgment of a turn, in sentences that leave the better moves to be found."""
    (*_, last) = judged
    if len(judged) == 1:
        said = [_judgment(match, last, tell=not last.mistake)]
    else:
        wrong = [one for one in judged if one.mistake]
        said = [f"{name_move(match, one, cast)} {REMARKS[one.mark]}{_cost(one)}." for one in wrong]
    if last.luck:
        said.append(f"Luck gained {cast.who(_lucky(last))} {points(abs(last.luck))}.")
    return said


def name_move(match: Match, one: Judged, cast: Cast) -> str:
    """A move as the subject of a sentence: `Challenge cell 7`, or `Your 5` if it was a secret choice."""
    state = match.states[one.number - 1]
    number = match.game.spot(one.move).number
    if state.secret and number is not None:
        return f"{cast.subject_whose(one.seat)} {number}"
    return capitalize(say_move(state, one.move))


def _judgment(match: Match, one: Judged, *, tell: bool = True) -> str:
    if one.mark is Mark.NONE:
        if one.equal:
            return "Every move was equally good here."
        if one.move in one.best:
            return "One of the best moves." if len(one.best) > 1 else "The best move."
        return f"It gives nothing away. Even better: {_better_moves(match, one)}."
    better = f" Better: {_better_moves(match, one)}." if tell else ""
    return f"{capitalize(REMARKS[one.mark])}{_cost(one)}.{better}"


def _better_moves(match: Match, one: Judged) -> str:
    """The moves that were best in the position of this one."""
    return say_moves(match.states[one.number - 1], one.best)


def _turn_of(match: Match, one: Judged) -> int:
    """The number of the turn in which a move was made, as lists of what was played count them."""
    return turn_number(match.turns, one.number)


def _decided_by(match: Match, one: Judged, cast: Cast) -> str:
    """The move that lost a match, as a sentence."""
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
    said = say_move(match.states[one.number - 1], one.move)
    return f"{lost} on turn {_turn_of(match, one)}: {said}. {better}: {_better_moves(match, one)}."


def say_decision(match: Match, found: Review, cast: Cast) -> str:
    """The move that lost a finished match, or why none did."""
    one = found.deciding
    return say_undecided(match, found, cast) if one is None else _decided_by(match, one, cast)


def ask_better_move(match: Match, one: Judged, cast: Cast) -> str:
    """A mistake of a match, as a puzzle."""
    said = say_move(match.states[one.number - 1], one.move)
    turn = _turn_of(match, one)
    return f"{cast.subject_whose(one.seat)} move on turn {turn}: {said}. What is better?"


def say_undecided(match: Match, found: Review, cast: Cast) -> str:
    """The summary of a finished match that no move of the loser decided."""
    if match.outcome is None:
        return "Nobody lost, so no move decided it."
    loser = match.outcome.winner.other
    if match.state.outcome is None:  # somebody gave up
        chance = chance_of(found.values[-1], loser)
        if chance > Fraction(1, 2):
            return f"{cast.subject_does(loser, 'were')} still winning."
        return f"{cast.subject(loser)} {'could still have won' if chance else 'had given nothing away'}."
    if any(one.luck for one in found.moves):
        return f"{cast.subject(loser)} gave nothing away: luck decided."
    if cast.you is loser.other:
        return "You were winning from the start and gave nothing away."
    return f"No single move lost it: {cast.does(loser.other, 'were')} winning from the start."


def summary(match: Match, found: Review, cast: Cast) -> list[str]:
    """Who won, and what decided it."""
    outcome = match.outcome
    if outcome is None:
        said = [describe_ending(match, cast).headline]
    else:
        turns = pluralize(len(match.turns_of(match.ply)), "turn")
        said = [f"{cast.subject(outcome.winner)} won after {turns}."]
    return [*said, say_decision(match, found, cast)]


def say_open(match: Match, found: Review, cast: Cast) -> list[str]:
    """Who was winning when a match ended before its game did; nothing about other matches."""
    if match.state.outcome is not None or match.stopped is Stop.DEAD:
        return []
    return [f"At that point: {clause(found.values[-1], cast)}"]


def count_mistakes(found: Review, cast: Cast) -> str:
    """How many mistakes the reader made, or both players: `You made 2 mistakes.`"""
    seats = cast.players if cast.you is None else (cast.you,)
    counts = {seat: len(found.mistakes([seat])) for seat in seats}
    if len(seats) > 1 and not any(counts.values()):
        return "Neither player made a mistake."
    said = (
        f"{cast.subject(seat)} made {pluralize(count, 'mistake') if count else 'no mistakes'}"
        for seat, count in counts.items()
    )
    return f"{' and '.join(said)}."


def explain_mistake(match: Match, one: Judged, cast: Cast) -> str:
    """A move that gave something away: what was played, what is wrong with it, and what was better."""
    news = say_news(match, one.number, one.seat, cast)
    if match.states[one.number - 1].secret:  # two numbers met
        wrong = f"{name_move(match, one, cast)} {REMARKS[one.mark]}{_cost(one)}."
        return f"Turn {_turn_of(match, one)}: {news} {wrong} Better: {_better_moves(match, one)}."
    return f"Turn {_turn_of(match, one)}: {news} {_judgment(match, one)}"


# The chart


def chart_seat(cast: Cast) -> Seat:
    """Whose chances a chart shows: the reader's, else Player 1's."""
    return cast.players[0] if cast.you is None else cast.you


def chances_of(found: Review, seat: Seat) -> list[Fraction | None]:
    """A seat's chance to win with best play, at the start and after each move; None: endless."""
    return [None if one.result is Result.ENDLESS else chance_of(one, seat) for one in found.values]


def say_accuracy(found: Review, seat: Seat, cast: Cast) -> str:
    """A seat's accuracy as a sentence, with an explanation where the figure alone would confuse."""
    said = f"{cast.subject_whose(seat)} accuracy: {accuracy(found, seat)}"
    if found.accuracy[seat] == 0:
        said += f" (whenever the choice mattered, {cast.who(seat)} made one of the worst moves)"
    return said


def accuracy(found: Review, seat: Seat) -> str:
    """How much of what was at stake a seat kept, or that nothing was at stake."""
    share = found.accuracy[seat]
    if share is not None:
        return percent(share)
    own = [one for one in found.moves if one.seat is seat]
    if not own:
        return "no move to judge"
    points = any(one.before.margin is not None and not one.equal for one in own)
    return "no result at stake" if points else "every move was equally good"


def say_insight(match: Match, found: Review, cast: Cast) -> str:
    """What a finished match shows at a glance: `Accuracy 100%. The computer's 7 lost it.`"""
    seats = cast.players if cast.you is None else (cast.you,)
    shares = [(seat, share) for seat in seats if (share := found.accuracy[seat]) is not None]
    named = (
        f"{'' if seat is cast.you else f'{cast.name(seat)} '}{percent(share)}" for seat, share in shares
    )
    said = [f"Accuracy {', '.join(named)}."] if shares else []
    one = found.deciding
    said.append(say_undecided(match, found, cast) if one is None else _say_deciding(match, one, cast))
    return " ".join(said)


def _say_deciding(match: Match, one: Judged, cast: Cast) -> str:
    """The move that lost a match, briefly: `Your 7 in the center lost it.`"""
    lost = one.mark in (Mark.GIVES_AWAY, Mark.LETS_SLIP)
    move = say_move(match.states[one.number - 1], one.move).removeprefix("the ")
    if move[0].islower():  # it is said with a verb
        does = "lost it" if lost else f"gave away {points(one.cost)}"
        return f"{cast.subject(one.seat)} {does} on turn {_turn_of(match, one)}: {move}."
    return f"{cast.subject_whose(one.seat)} {move} {'lost it' if lost else f'cost {points(one.cost)}'}."


def say_points_lost(found: Review, cast: Cast) -> str:
    """Where points decide, how many each player gave away, as a sentence; empty in other games."""
    if found.values[0].margin is None or not found.moves:
        return ""
    lost = dict.fromkeys(cast.players, 0)
    for one in found.moves:
        lost[one.seat] += abs((one.before.margin or 0) - (one.after.margin or 0))
    shares = (f"{lost[seat] or 'none'} by {cast.who(seat)}" for seat in cast.players)
    return f"Points given away: {', '.join(shares)}."
