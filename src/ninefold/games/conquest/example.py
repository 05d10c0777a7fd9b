"""A short game to learn from: a challenge that fails, one that succeeds, and what each of them costs."""

from __future__ import annotations

from ninefold.core.game import Example

EXAMPLE = Example(
    setup={"size": 3},
    names=("Ann", "Ben"),
    moves=(
        (
            "claim:5",
            "Ann claims an empty cell. It does not matter which one: in the end only the number of cells "
            "counts.",
        ),
        (
            "claim:1",
            "Ben claims one too. If both did nothing but claim, Ann would end up with five cells and Ben "
            "with four.",
        ),
        (
            "claim:3",
            "Ann could have challenged Ben's cell instead. But a challenge takes the whole turn, and "
            "a claim is better here.",
        ),
        (
            "challenge:5",
            "Ben is behind, and another claim would make it worse. He challenges Ann's cell 5, and now "
            "both choose one of their numbers from 1 to 5 in secret.",
        ),
        (
            "bid:4",
            "Ben, the challenger, needs a higher number than Ann. She learns that he has chosen, but "
            "not what.",
        ),
        (
            "bid:4",
            "Ann has chosen too, and both numbers are revealed. Equal numbers leave the cell with its "
            "owner: the challenge fails, and both 4s are used up.",
        ),
        (
            "claim:2",
            "Ben has wasted his turn, and Ann claims her third cell. Each has 1, 2, 3 and 5 "
            "left: a challenge costs both players a number.",
        ),
        (
            "challenge:5",
            "Ben has to try again. If he claimed a cell instead, Ann could win whatever he did.",
        ),
        ("bid:5", "Ben plays his highest number. Only Ann's own 5 could keep the cell."),
        (
            "bid:1",
            "Ann gives up the cell at the cost of her lowest number. 5 beats 1, and cell 5 is Ben's. But "
            "Ann has 2, 3 and 5 left, and Ben has only 1, 2 and 3.",
        ),
        (
            "claim:4",
            "It was two cells each, and now Ann leads again. From here she can always win: her 5 and her "
            "3 both keep a cell against anything Ben has left.",
        ),
        ("claim:6", "Three cells each, and three are empty. If both just claim, two of them go to Ann."),
        ("claim:7", "Four to three for Ann, and two cells are left."),
        (
            "claim:8",
            "Four each. Ben could have challenged once more, but against her 3 or her 5 he would have "
            "gained nothing.",
        ),
        (
            "claim:9",
            "The last empty cell ends the game at once: five cells to four. Unused numbers would count "
            "only if both had the same number of cells, and nine cells cannot be split evenly.",
        ),
    ),
)
