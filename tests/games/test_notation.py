"""Text to move: forgiving where it is clear what is meant, and a plain refusal everywhere else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ninefold
from ninefold import Game, MalformedMove

GAMES = {game.slug: game for game in ninefold.every_game()}
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())

# fmt: off
# What people type, by the move they mean.
TYPED = {
    "shadow": {
        "5@1,1": ["5@1,1", "5 1 1", "5 1,1", "5,1,1", "5 11", "5@(1, 1)", "5 at (1,1)", "5 AT 1 1",
                  "5: 1,1", "  5@1,1  ", "5 @ 1,1", "5@[1,1]", "5 row 1 col 1", "5 at Row 1, Column 1",
                  "5@r1c1", "5;1;1"],
        "9@3,2": ["9@3,2", "9 3 2", "9 32", "9\t3\t2", "9at3,2"],
    },
    "battle": {
        "0,1": ["0,1", "0 1", "(0, 1)", "(0,1)", "01", " 0 , 1 ", "[0 1]", "0;1", "row 0 col 1", "r0c1",
                "R0 C1"],
        "2,2": ["2,2", "2 2", "22", "Row 2, Column 2"],
    },
    "pattern": {
        "5@2,2": ["5@2,2", "5 2 2", "5 at 2,2", "5 22", " 5 @ (2, 2) ", "5,2,2", "5 row 2 column 2"],
        "return@2,3": ["return@2,3", "return 2,3", "Return 2 3", "RETURN AT (2, 3)", " return: 2,3",
                       "return 23"],
        "swap@3,1": ["swap@3,1", "swap 3 1", "Swap at (3,1)", "SWAP 31", "swap row 3 col 1"],
    },
    "conquest": {
        "claim:5": ["claim:5", "claim 5", "Claim 5", "CLAIM: 5", " claim  5 ", "claim cell 5", "claim #5",
                    "claim@5"],
        "claim:16": ["claim:16", "claim 16"],
        "challenge:5": ["challenge:5", "challenge 5", "Challenge Cell 5", "challenge,5"],
        "bid:4": ["bid:4", "bid 4", "BID 4", "Bid: 4"],
    },
    "cross": {
        "Row2": ["Row2", "row2", "ROW2", "Row 2", "r2", "R 2", " row  2 "],
        "Col3": ["Col3", "col3", "COL 3", "Column 3", "column3", "c3", "C 3"],
    },
}

# What is no move of the game, or not clearly one.
REFUSED = {
    "shadow": ["5", "5@", "@1,1", "1,1", "5@0,1", "5@1,4", "0@1,1", "10@1,1", "x@1,1", "5@1", "5@1,1,1",
               "511", "-5@1,1", "5@-1,1", "5@1,1 please", "return@1,1", "\u2075@1,1", "5@\u0661,\u0661",
               "5.0@1,1"],
    "battle": ["0", "0,3", "3,0", "-1,0", "0,1,2", "a,b", "5@0,1", "0@1", "\u00bd", "0,,1", "0 1 X"],
    "pattern": ["5", "return", "swap", "return@", "return@4,1", "swap@0,0", "5@2", "0@2,2", "12@2,2",
                "place@2,2", "return5@2,2", "swap 5", "take@1,1", "returns@2,2"],
    "conquest": ["5", "claim", "claim:", "claim:0", "claim:17", "claim:-1", "bid:0", "bid:6", "bid:10",
                 "claim5", "attack:5", "claim:five", "claim:5,6", "challenge:100", "bid", "claim:\u00b2",
                 "clam 5", "ch 5", "bid:4.0"],
    "cross": ["Row", "Col", "2", "Row0", "Row4", "Col12", "Diagonal1", "Row2 Col3", "Row-2", "rw2",
              "Row\u00b2", "Row,2"],
}

# Pieces of moves, and characters that look or fold like some of them.
PIECES = [
    *"0123456789", "10", "16", "17", *"@,;:/.-()[]# \t\n", "at", "AT", "r", "c", "row", "Col", "column",
    "claim", "Challenge", "bid", "cell", "return", "SWAP", "swap@",
    "\u00b2", "\u0663", "\u0131", "\u0130", "\u017f", "\u212a", "\u00a0", "\x00",
]
# fmt: on


@pytest.mark.parametrize(
    ("slug", "text", "meant"),
    [
        (slug, text, move)
        for slug, moves in TYPED.items()
        for move, texts in moves.items()
        for text in texts
    ],
)
def test_a_move_is_read_as_people_type_it(slug: str, text: str, meant: str) -> None:
    assert str(GAMES[slug].parse(text)) == meant


@pytest.mark.parametrize(
    ("slug", "text"), [(slug, text) for slug, texts in REFUSED.items() for text in texts]
)
def test_what_is_not_clearly_a_move_is_refused(slug: str, text: str) -> None:
    with pytest.raises(MalformedMove):
        GAMES[slug].parse(text)


@every_game
@pytest.mark.parametrize("blanks", ["{} ", " {}", "\t{}\t", "  {}  "])
def test_blanks_around_a_move_do_not_matter(game: Game, blanks: str) -> None:
    for move in game.moves:
        assert game.parse(blanks.format(move)) == move


@every_game
def test_a_line_end_after_a_move_does_not_matter(game: Game) -> None:
    for move in game.moves:
        assert game.parse(f"{move}\n") == move
        assert game.parse(f"{move}\r\n") == move


@every_game
def test_letter_case_does_not_matter(game: Game) -> None:
    for move in game.moves:
        for text in (str(move).upper(), str(move).lower(), str(move).title()):
            assert game.parse(text) == move


@pytest.mark.parametrize("text", ["cla\u0131m 5", "CLA\u0130M 5", "b\u0131d 4", "B\u0130D 4"])
def test_a_word_with_a_turkish_i_is_never_taken_for_a_challenge(text: str) -> None:
    try:
        move = GAMES["conquest"].parse(text)
    except MalformedMove:
        return
    assert str(move) in ("claim:5", "bid:4")


@pytest.mark.parametrize(
    ("slug", "text"), [("battle", "0 -1"), ("shadow", "5@1 -1"), ("pattern", "swap 1 -1")]
)
def test_a_negative_column_is_refused(slug: str, text: str) -> None:
    with pytest.raises(MalformedMove):
        GAMES[slug].parse(text)


def test_battle_counts_from_0_and_the_others_from_1() -> None:
    for slug, text in (("battle", "0 0"), ("shadow", "5 1 1"), ("pattern", "5 1 1")):
        game = GAMES[slug]
        assert game.spot(game.parse(text)).cells == (0,)


# Nonsense


NONSENSE = st.one_of(st.text(max_size=20), st.lists(st.sampled_from(PIECES), max_size=8).map("".join))


def assert_a_move_or_malformed(game: Game, text: str) -> None:
    try:
        move = game.parse(text)
    except MalformedMove:
        return
    assert move is game.moves[game.index(move)]
    assert game.parse(str(move)) == move


@every_game
@given(text=NONSENSE)
@settings(max_examples=400, deadline=None, derandomize=True, database=None)
def test_any_text_is_a_move_of_the_game_or_malformed(game: Game, text: str) -> None:
    assert_a_move_or_malformed(game, text)


@every_game
@given(data=st.data())
@settings(max_examples=200, deadline=None, derandomize=True, database=None)
def test_a_move_with_a_character_changed_is_a_move_or_malformed(game: Game, data: st.DataObject) -> None:
    text = str(data.draw(st.sampled_from(game.moves)))
    place = data.draw(st.integers(0, len(text)))
    mangled = text[:place] + data.draw(st.text(max_size=2)) + text[place + data.draw(st.integers(0, 1)) :]
    assert_a_move_or_malformed(game, mangled)
