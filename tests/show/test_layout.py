"""Text that is fitted to a width keeps its words."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from ninefold.show.layout import beside, columns, table, width_of, wrap

texts = st.lists(st.text("abcdefgh,.é漢", min_size=1, max_size=12), max_size=20).map(" ".join)
widths = st.integers(20, 100)


def test_characters_take_the_columns_that_a_terminal_gives_them() -> None:
    assert [width_of(text) for text in ("abc", "\x1b[36mabc\x1b[0m", "漢字", "e\u0301")] == [3, 3, 4, 1]


@given(texts, widths, st.integers(0, 8), st.integers(0, 4))
def test_wrapped_lines_fit_and_hold_the_same_words(text: str, width: int, indent: int, hang: int) -> None:
    lines = wrap(" " * indent + text, width, hang)
    assert " ".join(lines).split() == text.split()
    for line in lines:
        assert width_of(line) <= width or len(line.split()) == 1
    for line, following in pairwise(lines):
        first = following.split()[0]
        assert width_of(f"{line} {first}") > width, "a line ends only where the next word does not fit"


def test_without_a_width_a_line_stays_as_it_is() -> None:
    assert wrap("  two  blanks " * 20, None) == ["  two  blanks " * 20]


@settings(max_examples=30)
@given(st.lists(st.tuples(texts, texts, texts), min_size=1, max_size=5), widths)
def test_columns_hold_the_same_words(rows: list[tuple[str, str, str]], width: int) -> None:
    found = sorted(" ".join(columns(rows, width)).split())
    assert found == sorted(word for row in rows for text in row for word in text.split())


def test_a_table_that_does_not_fit_is_told_row_by_row() -> None:
    head, rows = ("ID", "GAME", "NOTHING"), [("a1", "battle of numbers", ""), ("b2", "cross", "")]
    assert table(head, rows, 40) == ["ID  GAME", "a1  battle of numbers", "b2  cross"]
    assert table(head, rows, 20) == [
        "id a1, game battle",
        "  of numbers",
        "id b2, game cross",
    ]
    assert table(head, rows, None, plain=True)[0] == "id a1, game battle of numbers"


def test_a_table_leaves_out_what_matters_least_and_then_cuts_the_widest() -> None:
    head = ("ID", "WHEN", "WHO", "RESULT")
    rows = [("a1", "yesterday", "Bartholomew - Ferdinand", "Bartholomew won by 18 points")]
    assert table(head, rows, 70) == [
        "ID  WHEN       WHO                      RESULT",
        "a1  yesterday  Bartholomew - Ferdinand  Bartholomew won by 18 points",
    ]
    assert table(head, rows, 60, spare=["WHEN"]) == [
        "ID  WHEN       WHO                      RESULT",
        "a1  yesterday  Bartholomew - Ferdinand  Bartholomew won by",
        "                                        18 points",
    ]
    assert table(head, rows, 50, spare=["WHEN"]) == [
        "ID  WHO                      RESULT",
        "a1  Bartholomew - Ferdinand  Bartholomew won by 18",
        "                             points",
    ]
    assert table(head, rows, 50) == [
        "ID  WHEN       WHO               RESULT",
        "a1  yesterday  Bartholomew -...  Bartholomew won",
        "                                 by 18 points",
    ]


@given(
    st.lists(st.tuples(*[texts.filter(bool)] * 4), min_size=1, max_size=4),
    st.sampled_from([60, 80, 90, 120]),
)
def test_a_table_stays_a_table_that_fits(rows: list[tuple[str, ...]], width: int) -> None:
    lines = table(("A", "B", "C", "D"), rows, width, spare=["B"])
    for line in lines:
        assert width_of(line) <= width or len(line.split()) == 1
    assert lines[0].split() in (list("ABCD"), list("ACD"))


def test_blocks_stand_side_by_side_where_they_fit() -> None:
    blocks = [["ab", "c"], ["d"]]
    assert beside(blocks, 7) == ["ab    d", "c"]
    assert beside(blocks, 6) == ["ab", "c", "", "d"]
