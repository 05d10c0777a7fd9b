"""Writes the table in docs/results.md: what perfect play makes of every game.

python -m benchmarks.results
"""

from __future__ import annotations

from pathlib import Path

from ninefold import every_game
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
    many = solved.grids > 1
    setup = f"all {solved.grids:,} grids" if many else solved.settings
    openings = " ".join(f"`{move}`" for move in solved.openings)
    columns = (
        solved.game.title,
        setup,
        solved.result,
        "" if solved.plies is None else str(solved.plies),
        "the largest" if many else "any" if solved.any_opening else openings,
        f"{solved.positions:,}",
    )
    return f"| {' | '.join(columns)} |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
