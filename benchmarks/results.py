"""Writes the table in docs/results.md: what perfect play makes of every game.

python -m benchmarks.results
"""

from __future__ import annotations

from pathlib import Path

from ninefold import every_game
from ninefold.analysis.solve import Solved, solve
from ninefold.show.moves import say_move
from ninefold.show.solutions import best_openings, openings_text, result, setup_name

PAGE = Path(__file__).parent.parent / "docs" / "results.md"

BEGIN, END = "<!-- the table: python -m benchmarks.results -->", "<!-- end -->"
HEAD = """
| game | setup | under perfect play | moves | best first moves | positions |
|---|---|---|---|---|---|
"""


def page() -> str:
    """The page as it stands, with a new table."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    rows = [row(solved) for game in every_game() for solved in solve(game, {})]
    return f"{before}{BEGIN}\n{HEAD}{''.join(rows)}\n{END}{after}"


def row(solved: Solved) -> str:
    start = solved.game.set_up(solved.setup) if solved.survey is None else None
    openings = ", ".join(say_move(start, move) for move in best_openings(solved)) if start else ""
    columns = (
        solved.game.title,
        setup_name(solved),
        result(solved),
        "" if solved.plies is None else str(solved.plies),
        openings_text(solved) or openings,
        f"{solved.positions:,}",
    )
    return f"| {' | '.join(columns)} |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
