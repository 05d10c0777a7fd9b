"""Writes the tables in docs/ladder.md: how strong our players are in every game.

python -m benchmarks.ladder [FOLDER]

It takes a few minutes, and goes on where it was stopped. The contests are kept in the folder
(build/ladder). Whatever docs/ladder.md says about results comes from here.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill

from ninefold import SLUGS, load
from ninefold.arena.exact import find_score
from ninefold.arena.plan import Plan
from ninefold.arena.report import (
    ContestReport,
    PairingScore,
    make_report,
    say_cell,
    say_elo,
    say_interval,
)
from ninefold.arena.run import run_contest
from ninefold.players import LEVELS
from ninefold.show.values import percent
from ninefold.spread import spread

PAGE = Path(__file__).parent.parent / "docs" / "ladder.md"
BEGIN, END = "<!-- the tables: python -m benchmarks.ladder -->", "<!-- end -->"
FAMILIES = ("level", "sight")
PLAYERS = ["random", "greedy", *(f"{family}:{n}" for family in FAMILIES for n in LEVELS), "perfect"]
SIGHTED = ("sight:5", "sight:9", "level:5", "pattern")  # where a longer sight is worse: see `_sighted`
PAIRS = 2000  # for each score that cannot be computed
WORKERS = 2


def main(folder: Path) -> None:
    plan = Plan.of({"players": PLAYERS, "games": [*SLUGS], "pairs": 20, "seed": 1})
    run_contest(plan, folder / "all", WORKERS)
    report = make_report(folder / "all", "level:5", exact=False)
    questions = [
        (f"{family}:{n}", f"{family}:{n - 1}", slug)
        for family in FAMILIES
        for n in LEVELS[1:]
        for slug in SLUGS
    ]
    exact = dict(spread(_exact, questions, workers=WORKERS))
    steps: dict[tuple[str, str], dict[str, PairingScore]] = {}
    for high, low, slug in questions:
        known = exact[high, low, slug]
        found = PairingScore(known, None) if known is not None else _sample(folder, high, low, slug)
        steps.setdefault((high, low), {})[slug] = found
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    short, long, against, slug = SIGHTED
    sighted = [_sample(folder, one, against, slug) for one in (short, long)]
    said = fill(" ".join((_levels(steps), *_sighted(*sighted))), 130)
    tables = f"{said}\n\n{_ratings(report)}\n{_steps(steps)}"
    PAGE.write_text(f"{before}{BEGIN}\n\n{tables}\n{END}{after}", encoding="utf-8")


Question = tuple[str, str, str]  # two players and a game


def _exact(question: Question) -> tuple[Question, float | None]:
    high, low, slug = question
    found = find_score(high, low, slug, {}, most=0)
    return question, None if found is None else float(found.score)


def _sample(folder: Path, high: str, low: str, slug: str) -> PairingScore:
    """The score of a player against another, from many pairs."""
    path = folder / f"{slug}-{high.replace(':', '')}-{low.replace(':', '')}"
    run_contest(Plan.of({"players": [high, low], "games": [slug], "pairs": PAIRS}), path)
    return make_report(path, exact=False).scores[slug, high, low]


def _is_better(cell: PairingScore) -> bool:
    return (cell.score if cell.interval is None else cell.interval[0]) > 0.5


def _levels(steps: dict[tuple[str, str], dict[str, PairingScore]]) -> str:
    """Whether each level beats the one below it."""
    worse = [
        f"{high} in {load(slug).title}"
        for (high, _), cells in steps.items()
        for slug, cell in cells.items()
        if high.startswith("level") and not _is_better(cell)
    ]
    if worse:
        return f"Not every level is shown to beat the one below it: {', '.join(worse)}."
    return "Every level beats the one below it in every game."


def _sighted(near: PairingScore, far: PairingScore) -> Iterator[str]:
    """Where a longer sight is worse, if it still is."""
    short, long, against, slug = SIGHTED
    assert near.interval is not None
    assert far.interval is not None
    yield "A longer sight stops paying where it reaches to the end of the game."
    if far.interval[1] < near.interval[0]:
        yield (
            f"In {load(slug).title} it even costs points against players who make mistakes: a player "
            "that sees that every move loses chooses evenly among all of them, and the longer its sight, "
            f"the sooner it does. In % against `{against}`, `{short}` scores {say_cell(near)} there, and "
            f"`{long}` {say_cell(far)}, in {PAIRS:,} pairs each."
        )


def _ratings(report: ContestReport) -> str:
    rows = [("player", "all games", *(load(slug).title for slug in SLUGS), "regret per decision")]
    by_game = {(slug, one.player): one for slug in SLUGS for one in report.by_game[slug].players}
    for one in report.joint.players:
        each = (say_elo(by_game[slug, one.player]) for slug in SLUGS)
        rating = f"{say_elo(one)} ({say_interval(one)})"
        rows.append((one.player, rating, *each, percent(report.regret[one.player].mean)))
    said = [f"- {sentence}" for sentence in report.disagreements]
    first = [f"{load(game).title} {percent(share)}" for game, (share, _) in report.first_move.items()]
    lines = [
        f"{report.games.total():,} games. {report.say_stopped()}",
        f"Between equals, the first player scores: {', '.join(first)}.",
        "",
        *(["Where the order by rating and by regret differ:", "", *said, ""] if said else []),
    ]
    return _table(rows) + "\n" + "\n".join(lines)


def _steps(steps: dict[tuple[str, str], dict[str, PairingScore]]) -> str:
    rows = [("score in % of", *(load(slug).title for slug in SLUGS))]
    rows += [
        (f"{high} against {low}", *(say_cell(cells[slug]) for slug in SLUGS))
        for (high, low), cells in steps.items()
    ]
    not_better = [
        f"- {high} against {low}: {', '.join(games)}"
        for (high, low), cells in steps.items()
        if (games := [load(slug).title for slug, cell in cells.items() if not _is_better(cell)])
    ]
    said = ["", "Not shown to be better than the one below:", "", *not_better, ""] if not_better else []
    return _table(rows) + "\n".join(said)


def _table(rows: list[tuple[str, ...]]) -> str:
    head, *rest = (f"| {' | '.join(row)} |\n" for row in rows)
    return head + "|---" * len(rows[0]) + "|\n" + "".join(rest)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/ladder"))
