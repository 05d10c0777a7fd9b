"""A few hundred answers as models write them: the move they choose is read, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ninefold
from ninefold import SLUGS, Seat, State
from ninefold.players import Failure, PlayerFailed
from ninefold.study import position_set
from ninefold.text.reading import read_answer

# {m} is the move that is chosen, {o} another legal one that is only mentioned.
CHOSEN = [
    "{m}",
    "  {m}  \n",
    "Answer: {m}",
    "answer: {m}.",
    "**Answer: {m}**",
    "**Answer:** {m}",
    "Answer: **{m}**",
    "Answer: `{m}`",
    'Answer: "{m}"',
    "Answer:\n{m}",
    "**Final Answer:**\n\n{m}",
    "Final answer: {m}",
    "**Final answer**: `{m}`",
    "My final answer is {m}.",
    "The answer is {m}.",
    "### Final Answer\n{m}",
    "Final move: {m}",
    "Move: {m}",
    "My move is {m}.",
    "My move: {m}",
    "Best move: **{m}**",
    "**{m}**",
    "`{m}`",
    "```\n{m}\n```",
    "```text\nAnswer: {m}\n```",
    '{{"move": "{m}"}}',
    '```json\n{{"move": "{m}"}}\n```',
    "$\\boxed{{{m}}}$",
    "\\[ \\boxed{{\\text{{{m}}}}} \\]",
    "The answer is \\boxed{{{m}}}. I hope that helps!",
    "I'll play {m}.",
    "I will go with {m}.",
    "I choose {m}",
    "Therefore, I choose {m}.",
    "So I play {m}!",
    "Let's play {m}.",
    "Play {m}.",
    "I\u2019ll take {m} because it keeps the win.",
    "<think>Maybe {o}? No.</think>\n{m}",
    "<think>\n{o} wins?\nAnswer: {o}\n</think>\n\nAnswer: {m}",
    "Hmm, {o} looks good.\nAnswer: {o}\n</think>\nAnswer: {m}",
    "<thinking>Answer: {o}</thinking>**{m}**",
    "<|channel|>analysis<|message|>Answer: {o}<|end|><|channel|>final<|message|>Answer: {m}",
    "At first {o} looks strong, but the reply refutes it.\n\nAnswer: {m}",
    "If I play {o}, I lose. So the answer is {m}.",
    "If I play {o}, my opponent wins.\nI will play {m}.",
    "Candidates:\n- {o}\n- {m}\n\nI choose {m}.",
    "Candidates:\n1. {m}\n2. {o}\n\nAnswer: {m}",
    "I'll play {m}, since {o} gives my opponent a free hand.",
    "I choose {m}.\n\nOther moves:\n- {o}\n- {o}",
    "I choose {m}.\n\nOther moves:\n* {o}\n* **{o}**",
    "**{o}** is tempting. However:\n\n**{m}**",
    "Answer: {o}\n\nWait, that loses. Let me correct myself.\n\nAnswer: {m}",
    "My first idea was `{o}`.\n\n`{m}`",
    "{o}\n\nNo, better:\n\n{m}",
    "\\boxed{{{o}}}? No: \\boxed{{{m}}}",
    "Final answer: {m} (and not {o})",
    "Is the answer: {o}? No. Final answer: {m}",
    "Answer: {m}\n\nGood luck!",
    "Answer: {m}\n\nThis blocks the threat and keeps the larger sum.",
    "The opponent will probably reply {o}.\n\nAnswer: {m}",
    "After careful thought, the strongest option is **{m}**.",
    "It is {m} that keeps the win.",
    "Step 1: look at the board.\nStep 2: compare.\n\n{m}",
    "| move | value |\n|---|---|\n| {o} | loses |\n\nAnswer: {m}",
    "Sure! Here is my move:\n\n> {m}",
]
UNREADABLE = [
    "I am sorry, but I cannot help with that.",
    "I don't know.",
    "Answer: pass",
    "Final answer: none of them",
    "\\boxed{{42x}}",
    "I would like more information first.",
    "Both {m} and {o} look fine to me.",
    "Final answer: pass. Earlier I thought of a move.",
    "It could be anything!",
]
EMPTY = ["", "   \n\n", "<think>Let me see: {m}", "<think>{m}</think>", "``` ```", "****", "\x1c\u2028"]
RESIGNED = ["I resign.", "Answer: resign", "I give up", "resign"]


def positions(slug: str) -> list[tuple[State[Any], Seat]]:
    return [(one.state, one.seat) for one in position_set(slug, 10).positions]


def two_moves(state: State[Any], seat: Seat) -> tuple[Any, Any]:
    moves = state.moves(seat)
    return moves[0], moves[-1]


def failure_of(state: State[Any], seat: Seat, text: str | None) -> Failure:
    with pytest.raises(PlayerFailed) as caught:
        read_answer(state, seat, text)
    assert str(caught.value)
    return caught.value.failure


@pytest.mark.parametrize("slug", SLUGS)
def test_the_move_that_is_chosen_is_read(slug: str) -> None:
    asked = [(state, seat, *two_moves(state, seat)) for state, seat in positions(slug)[:4]]
    for template in CHOSEN:
        for state, seat, m, o in (*asked, *((state, seat, m, o) for state, seat, o, m in asked)):
            answer = template.format(m=m, o=o)
            assert read_answer(state, seat, answer) == m, answer
            assert read_answer(state, seat, answer.replace("\n", "\r\n")) == m, answer


@pytest.mark.parametrize("slug", SLUGS)
def test_four_failures_are_told_apart(slug: str) -> None:
    for state, seat in positions(slug):
        m, o = two_moves(state, seat)
        for template in UNREADABLE:
            if m != o:
                assert failure_of(state, seat, template.format(m=m, o=o)) is Failure.UNREADABLE, template
        for template in EMPTY:
            assert failure_of(state, seat, template.format(m=m)) is Failure.UNANSWERED, template
        assert failure_of(state, seat, None) is Failure.UNANSWERED
        for text in RESIGNED:
            assert failure_of(state, seat, text) is Failure.RESIGNED, text
        legal = set(state.moves(seat))
        for move in [move for move in state.game.moves if move not in legal][:20]:
            assert failure_of(state, seat, f"Answer: {move}") is Failure.ILLEGAL
            assert failure_of(state, seat, f"I like {m}.\n\nI'll play {move}.") is Failure.ILLEGAL


def test_every_move_is_read_as_it_is_written_and_as_it_is_said() -> None:
    for slug in SLUGS:
        for state, seat in positions(slug):
            for move in state.moves(seat):
                said = state.game.words.move(state.view(seat), move)
                for text in (f"Answer: {move}", f"**{said}**", f"So I'll play {move} here."):
                    assert read_answer(state, seat, text) == move, text


FORGIVING = [
    ("shadow", {"target": 15}, [], "I'll put 5 at (1, 1).", "5@1,1"),
    ("shadow", {"target": 15}, [], "Answer: 5 1 1", "5@1,1"),
    ("shadow", {"target": 15}, [], "I place 5 at 2, 2, so that 5 + 6 + 4 = 15 later.", "5@2,2"),
    ("battle", {"grid": "792415863"}, [], "Answer: (0, 1)", "0,1"),
    ("battle", {"grid": "792415863"}, [], "I take 0, 1 because 9 > 8.", "0,1"),
    ("battle", {"grid": "792415863"}, [], "Answer: 9", "0,1"),
    ("battle", {"grid": "792415863"}, [], "The total is 45, half is 22.5.\n\nAnswer: row 2 col 1", "2,1"),
    ("cross", {"grid": "792415863"}, [], "I'll claim column 3.", "Col3"),
    ("cross", {"grid": "792415863"}, [], "Rows sum to 18, 10, 17.\nAnswer: row 1", "Row1"),
    ("cross", {"grid": "792415863"}, [], "The best line is **Row 1** (18).", "Row1"),
    ("conquest", {}, [], "I claim 5.", "claim:5"),
    ("conquest", {}, [], "Answer: 5", "claim:5"),
    ("conquest", {}, ["claim:5"], "I will challenge cell 5 now.", "challenge:5"),
    ("conquest", {}, ["claim:5", "challenge:5"], "Answer: 4", "bid:4"),
    ("conquest", {}, ["claim:5", "challenge:5"], "I bid 3, since 5 is too precious.", "bid:3"),
    ("pattern", {}, [], "Answer: 5 at 2,2", "5@2,2"),
]


@pytest.mark.parametrize(("slug", "setup", "moves", "answer", "meant"), FORGIVING)
def test_it_is_forgiving(slug: str, setup: Any, moves: list[str], answer: str, meant: str) -> None:
    game = ninefold.load(slug)
    state = game.sequence(game.set_up(setup), moves)
    assert str(read_answer(state, state.movers[0], answer)) == meant


def test_a_flood_is_read_from_its_end() -> None:
    state = ninefold.load("cross").start(grid="792415863")
    flood = "Row2 and Col1 and so on. " * 100_000
    assert str(read_answer(state, Seat.FIRST, flood + "\nAnswer: Row3")) == "Row3"
    assert failure_of(state, Seat.FIRST, flood) is Failure.UNREADABLE
    for flood in ("answer: ", "<think>", "I play ", "\\boxed{", "**", "Row", "\n", "`", "final "):
        read_answer(state, Seat.FIRST, flood * 30_000 + "</think>\nAnswer: Row3")
        assert failure_of(state, Seat.FIRST, flood * 30_000)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300))
def test_no_text_crashes_it_or_yields_an_illegal_move(text: str) -> None:
    for slug in ("shadow", "conquest"):
        state, seat = positions(slug)[0]
        try:
            assert read_answer(state, seat, text) in state.moves(seat)
        except PlayerFailed:
            continue
