"""Every kind of question of every game: what can be typed there, what is refused, how to leave."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from ninefold import SEATS, NinefoldError, Reason
from ninefold.cli.markdown import render
from ninefold.match import Match
from tests.cli.questions import Question, candidates, questions
from tests.cli.session import CONQUEST, CROSS, id_in, moves_of, only_id, only_saved, run

QUESTIONS = dict(questions())
every_question = pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)

NONSENSE = (
    "xyzzy",
    "quit now",
    "x" * 1000,
    "-1",
    "77",
    "1,1,1",
    "9@9,9",
    "\uff11",
    "\x00",
    "None",
    "3 or 4",
)


def shared_moves(match: Match) -> list[str]:
    """The moves that both players may know."""
    return [str(one.move) for one in match.shared_record().moves]


@every_question
def test_what_is_wrong_is_refused_with_a_reason_and_asked_again(question: Question) -> None:
    wrong = [t for t in (*NONSENSE, *candidates(question.match.state)) if not question.takes(t)]
    session = question.session(*wrong)
    asked, _ = question.asked
    assert len(session.exchanges) == len(wrong) + 1  # and the end of the input
    for text, exchange in zip(wrong, session.exchanges, strict=False):
        echo = f"{asked.prompt}{'' if asked.secret else text}\n"
        assert exchange.startswith(echo)
        answer = exchange.removeprefix(echo)
        assert re.search(r"\w.*\.$", answer, re.MULTILINE)
        assert len(answer) < 700
        assert text not in NONSENSE[:4] or asked.allowed in answer
        assert not asked.secret or not re.search("xyzzy|xxx|77|3 or 4", answer)
    match = only_saved()
    assert (moves_of(match), match.outcome) == (shared_moves(question.match), None)


def reasons(question: Question) -> Iterator[tuple[str, str]]:
    """Wrong answers to a question, each with the reason that has to be given for it."""
    asked, _ = question.asked
    state, seat = question.match.state, question.seat
    view, legal = state.view(seat), [state.game.spot(move) for move in state.moves(seat)]
    kinds = {type(move) for move in state.moves(seat)}
    numbers = {state.game.spot(move).number for move in state.game.moves if type(move) in kinds}
    if asked.secret:
        yield from ((text, "is not one of the numbers") for text in ("xyzzy", "0", "6", "1 2", "1" * 99))
        left = {spot.number for spot in legal}
        yield from ((str(one), f"{one} has already been used") for one in numbers - left)
        return
    for text in ("xyzzy", "x" * 1000):
        yield text, f'"{text[:40]}.*" is not '
    board = view.boards[seat if len(view.boards) > 1 else 0]
    if None not in numbers and not question.begun:
        for text in ("2,2", "0,0", "4,1", "12", "0", "1 2 3 4"):
            yield text, f'"{text}" is not a number from 1 to 9'
        yield "5@4,1", '"4,1" is not on the grid'
        yield "12@1,1", '"12" is not a number from 1 to 9'
        yield "5@1,1,1", '"1,1,1" is more than a row and a column'
        for one in numbers - {spot.number for spot in legal}:
            yield str(one), "You have already used your|no longer in the pool"
    elif len(legal[0].cells) > 1:
        yield from ((text, f'"{text}" is not on the grid') for text in ("Row4", "c0", "column 77"))
        taken = [str(m) for m in state.game.moves if m not in state.moves(seat)]
        yield from ((text, f"{text} has already been claimed") for text in taken)
    elif "," in board.cells[0].label:
        low, high = board.cells[0].label[0], board.cells[-1].label[0]
        for text in (f"{int(high) + 1},{low}", "9 9", "12,1"):
            yield text, f'"{text}" is not on the grid'
        for text in ("1,1,1", "1 1 1", "1,1 1"):
            yield text, f'"{text}" is more than a row and a column'
        if asked.numbered:  # a number, where the board shows no rows and columns
            yield from ((text, f'"{text}" is not a number on the grid') for text in ("10", "99", "111"))
        else:
            yield "99", '"99" is not on the grid'
            yield "111", '"111" is more than a row and a column'
        free = {board.cells[spot.cells[0]].label for spot in legal}
        for cell in board.cells:
            if cell.label not in free:
                full = "is taken|has already been claimed"
                yield cell.label, full if cell.number else f"You have no number at {cell.label}"
                if cell.number and None in numbers:
                    yield str(cell.number), full
        if board.owner is not None and None in numbers:
            shown = {cell.number for cell in board.cells}
            for one in set(range(1, 10)) - shown:
                yield str(one), f"(There is|You have) no {one} on your grid"
    else:
        for text in (str(len(board.cells) + 1), "99", "0"):
            yield text, f'"{text}" is not on the grid|There is no cell "?{text}'
        for cell in board.cells:
            if question.begun and not question.takes(cell.label):
                claims = "claim" in question.begun
                mine = "is yours|is your own" if cell.owner is seat else "is your opponent's|is empty"
                yield cell.label, f"Cell {cell.label} is not empty. It {mine}" if claims else mine


@every_question
def test_a_refusal_gives_the_true_reason(question: Question) -> None:
    if question.match.game.script is None:
        pytest.skip("a game without a rule book refuses in words of its own")
    wrong = list(reasons(question))
    session = question.session(*(text for text, _ in wrong))
    for (text, reason), exchange in zip(wrong, session.exchanges, strict=False):
        assert re.search(reason, exchange), (text, exchange)
        assert not re.search("Type one of [^,]*\\.", exchange), exchange
    assert moves_of(only_saved()) == shared_moves(question.match)


@every_question
def test_help_rules_and_board_are_there_and_change_nothing(question: Question) -> None:
    typed = ["help", "?", " Help ", "", "   ", "\t", "rules", "Board", "r", "B"]
    session = question.session(*typed)
    asked, _ = question.asked
    assert all(exchange.startswith(asked.prompt) for exchange in session.exchanges)
    said = dict(zip(typed, session.exchanges[:-1], strict=True))
    for word in typed[:3]:
        assert asked.allowed in said[word]
        for name in ("rules", "board", "undo", "resign", "quit"):
            assert re.search(rf"^  [a-z ]  {name}\b", said[word], re.MULTILINE)
        assert bool(re.search("  back +start this move over", said[word])) == bool(question.begun)
    for blank in typed[3:6]:
        assert said[blank].endswith(f"\n{asked.allowed}\n")
    assert "\n".join(render(question.match.game.rules, None, str)) in said["rules"]
    assert question.board in said["Board"]
    for letter, word in (("r", "rules"), ("B", "Board")):
        answers = [said[typed].removeprefix(f"{asked.prompt}{typed}\n") for typed in (letter, word)]
        assert asked.secret or answers[0] == answers[1]
    match = only_saved()
    assert (moves_of(match), match.outcome) == (shared_moves(question.match), None)


@every_question
def test_the_example_of_a_whole_move_is_legal(question: Question) -> None:
    asked, _ = question.asked
    for example in re.findall(r"the whole move, like (.*)\.", asked.allowed):
        assert question.match.state.play(example, question.seat)


@every_question
def test_undo_takes_back_the_last_turn(question: Question) -> None:
    match = question.match.copy()
    answer = "The last turn was taken back."
    try:
        match.undo([question.seat] if question.alone else SEATS, by=question.seat)
    except NinefoldError as error:
        answer = str(error)
    session = question.session(*["undo"] * (len(question.begun) + 1))  # the others only start over
    assert answer in session.out
    assert moves_of(only_saved()) == shared_moves(match)


@every_question
def test_resign_gives_the_game_to_the_other(question: Question) -> None:
    session = question.session("resign")
    assert session.status == 0
    loser, winner = (question.match.player(s).name for s in (question.seat, question.seat.other))
    said = "You lose.\nYou resigned.\n" if question.alone else f"{winner} wins.\n{loser} resigned.\n"
    assert f"\n{said}\n" in session.out
    outcome = only_saved().outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (question.seat.other, Reason.RESIGNED)


@every_question
@pytest.mark.parametrize("last", [["quit"], []], ids=["quit", "end of input"])
def test_a_game_that_is_left_is_saved_resumed_and_replayed(question: Question, last: list[str]) -> None:
    session = question.session(*last)
    assert session.status == (0 if last else 1)
    assert ("input ended before the game did" in session.err) == (not last)
    assert f"The match is saved. To continue: ninefold resume {only_id()}\n" in session.err
    assert "ninefold resume" not in session.out
    moves = shared_moves(question.match)
    assert question.board in run("resume", id_in(session.err), typed=["quit"]).out
    assert moves_of(only_saved()) == moves
    replayed = run("replay", only_id())
    turns = len(only_saved().turns)
    assert re.findall(r"^Turn (\d+): ", replayed.out, re.MULTILINE) == [
        str(count) for count in range(1, turns + 1)
    ]
    assert not re.search(r"\bwins?\b", replayed.out.split(f"Turn {turns}:")[-1])
    assert run("replay", only_id(), "--json").out == only_saved().shared_record().to_json()


# A move in several answers


def moves_typed(*words: str, typed: list[str]) -> list[str]:
    """The moves that were saved by a session whose input ends there."""
    run("play", *words, "--name1", "Ann", "--name2", "Ben", typed=typed)
    return moves_of(only_saved())


@pytest.mark.parametrize("word", ["back", "BACK", " undo "])
def test_a_move_half_typed_is_started_over(word: str) -> None:
    typed = ["5", word, "7", "2,2", "4@1,1", "6", word, "3", "3,3"]
    assert moves_typed("shadow", "--target", "15", typed=typed) == ["7@2,2", "4@1,1", "3@3,3"]


def test_a_whole_move_takes_the_place_of_what_was_begun() -> None:
    typed = ["5", "3@1,1", "4", "2,2"]
    assert moves_typed("shadow", "--target", "15", typed=typed) == ["3@1,1", "4@2,2"]


@pytest.mark.parametrize("slug", ["shadow", "pattern"])
@pytest.mark.parametrize(
    "slip", ["3,3 1", "2 2 2", "3 3 3", "1, 1, 1", "3;1,1", "3:1 1", "3 row 1 col 1", "111"]
)
@pytest.mark.parametrize("alone", [False, True], ids=["two", "alone"])
def test_a_chosen_number_is_not_replaced_by_a_slip_in_the_position(
    slug: str, slip: str, alone: bool
) -> None:
    question = QUESTIONS[f"{slug} placing{', alone' if alone else ''}, place"]
    refused, asked = question.session(slip).exchanges
    assert re.search(f'"{slip}" is (not|more than) a row and a column', refused)
    assert "Type back to start this move over." in refused
    assert asked.startswith(question.asked[0].prompt)
    assert moves_of(only_saved()) == shared_moves(question.match)


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("2 2", "5@2,2"),
        ("22", "5@2,2"),
        ("5@2,2", "5@2,2"),
        ("5 at (2, 2)", "5@2,2"),
        ("3@1,1", "3@1,1"),
        ("3 @ 1 1", "3@1,1"),
        ("3 at 1,1", "3@1,1"),
        ("3 AT (1, 1)", "3@1,1"),
    ],
)
def test_a_whole_move_in_place_of_a_position_is_spelled_out(typed: str, move: str) -> None:
    assert moves_typed("pattern", typed=["5", typed]) == [move]


def test_a_chosen_action_is_replaced_by_a_whole_move() -> None:
    typed = ["claim 1", "challenge", "claim 2"]
    assert moves_typed("conquest", typed=typed) == ["claim:1", "claim:2"]


def test_a_cell_is_a_cell_even_where_it_could_be_a_whole_move() -> None:
    assert moves_typed("conquest", typed=["claim 1", "challenge", "1"]) == ["claim:1", "challenge:1"]


def test_a_challenge_that_was_a_slip_becomes_a_claim() -> None:
    typed = ["claim 1", "challenge", "claim", "back", "claim", "2"]
    session = run(*CONQUEST, typed=typed)
    assert "Type back to start this move over." in session.out
    assert moves_of(only_saved()) == ["claim:1", "claim:2"]


# Taking back


def test_nothing_can_be_taken_back_at_the_start() -> None:
    assert "There is no move to take back yet." in run(*CROSS, typed=["undo"]).out
    assert moves_of(only_saved()) == []


def test_a_challenge_that_was_seen_cannot_be_taken_back() -> None:
    typed = ["claim 1", "challenge 1", "3", "2", "undo", "claim 2", "undo", "undo"]
    session = run(*CONQUEST, typed=typed)
    assert session.out.count("A turn cannot be taken back once its secret choices are revealed.") == 2
    assert session.out.count("The last turn was taken back.") == 1
    assert moves_of(only_saved()) == ["claim:1", "challenge:1", "bid:3", "bid:2"]


def test_nobody_takes_back_the_challenge_of_the_other_player() -> None:
    session = run(*CONQUEST, typed=["claim 1", "challenge 1", "3", "undo"])
    assert "Only the player who began this turn can take it back." in session.out
    assert moves_of(only_saved()) == ["claim:1", "challenge:1"]


def test_another_move_may_be_played_after_taking_one_back() -> None:
    run(*CROSS, typed=["Row1", "Row2", "undo", "Col3"])
    assert moves_of(only_saved()) == ["Row1", "Col3"]


# What the books say


def test_an_open_challenge_says_which_cell() -> None:
    session = run(*CONQUEST, typed=["claim 1", "challenge 1", "board", "3", "board"])
    said = "Player 2 challenges cell 1.\n"
    assert all(said in exchange for exchange in session.exchanges[1:3] + session.exchanges[4:5])
    assert said in run("resume", typed=["quit"]).out


@pytest.mark.parametrize("name", ["pattern returning", "pattern swapping"])
def test_a_number_that_is_not_ones_own_is_not_recycled(name: str) -> None:
    question = QUESTIONS[name]
    theirs = question.match.state.view(None).boards[question.seat.other].cells
    number = next(cell.number for cell in theirs if cell.number)
    refused, _ = question.session(str(number)).exchanges
    assert f"You have no {number} on your grid.\nType where it stands" in refused


def test_a_number_already_spent_is_refused_in_the_words_of_the_book() -> None:
    typed = ["claim 1", "challenge 1", "4", "3", "challenge 1", "3", "2", "4", "5"]
    session = run(*CONQUEST, typed=typed)
    said = "Error: Number {} has already been used. Please select a valid number."
    assert said.format(3) in session.out  # the first player spent 3
    assert said.format(4) in session.out  # and the second 4
    assert moves_of(only_saved())[-2:] == ["bid:2", "bid:5"]
