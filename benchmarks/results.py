"""Writes the table in docs/results.md: what perfect play makes of every game.

python -m benchmarks.results
"""

from __future__ import annotations

from pathlib import Path

from ninefold import every_game
from ninefold.analysis.advice import percent
from ninefold.analysis.solve import Solved, solve

PAGE = Path(__file__).parent.parent / "docs" / "results.md"

BEGIN, END = "<!-- the table: python -m benchmarks.results -->", "<!-- end -->"
HEAD = """
| game | setup | under perfect play | moves | best first moves | positions |
|---|---|---|---|---|---|
"""


def page() -> str:
    """The page as it stands, with the table made anew."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    rows = [row(solved) for game in every_game() for solved in solve(game, {})]
    return f"{before}{BEGIN}\n{HEAD}{''.join(rows)}\n{END}{after}"


def row(solved: Solved) -> str:
    setup = ", ".join(f"{name} {value}" for name, value in solved.setup.items())
    value = solved.value
    if solved.grids > 1:
        setup = f"all {solved.grids:,} grids"
    if value is None:
        result, plies = (
            f"first wins {solved.first:,} ({percent(solved.first_share)}), second the rest",
            "6",
        )
    elif value.plies is None:
        assert value.first_wins is not None
        result, plies = f"first wins {percent(value.first_wins)}", ""
    else:
        margin = f" by {abs(value.margin)}" if value.margin else ""
        result, plies = f"{value.result} wins{margin}", str(value.plies)
    if solved.setup and len(solved.openings) == len(solved.game.set_up(solved.setup).moves()):
        openings = "any"
    else:
        openings = " ".join(f"`{move}`" for move in solved.openings) or "the largest"
    positions = f"{solved.positions:,}"
    return f"| {solved.game.title} | {setup} | {result} | {plies} | {openings} | {positions} |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
