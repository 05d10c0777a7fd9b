"""The laboratory's work in pieces that can be spread, and what is already known."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from ninefold.core.edits import find_edits
from ninefold.core.game import Game
from ninefold.games import load
from ninefold.lab.claims import claims_of
from ninefold.lab.edits import Version, pick_fairest, solve_version
from ninefold.lab.measures import follow_games, measure, perfect_value
from ninefold.lab.walk import is_small
from ninefold.show.progress import ProgressLine
from ninefold.spread import spread
from ninefold.store.files.atomic import replace_file

FILE = ".lab.json"  # the results of jobs by their keys, until all are done


class LabJob(NamedTuple):
    """A piece of work: one version of a game; for a report, all there is to know about the book's."""

    slug: str
    names: tuple[str, ...] = ()  # of the edits
    levels: bool = False  # whether to find its chances by level
    report: bool = False  # whether to add measures, claims and sample games

    @property
    def key(self) -> str:
        return " ".join(("report" if self.report else "version", self.slug, *self.names))


def do_job(job: LabJob) -> tuple[str, Any]:
    """What a job finds, as plain data, after its key."""
    found: dict[str, Any] = {}
    if job.report:
        game = load(job.slug)
        found["measured"] = measure(game, {})
        found["claims"] = [one.to_data() for one in claims_of(job.slug)]
        found["paths"] = follow_games(game)
    return job.key, found | solve_version(job.slug, job.names, job.levels)


def do_jobs(
    jobs: Iterable[LabJob],
    folder: Path | None = None,
    workers: int = 1,
    cluster: str = "",
    plain: bool = False,
) -> dict[str, Any]:
    """The results of jobs by their keys. What is done is kept in the folder at once, not done again."""
    results: dict[str, Any] = {}
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / FILE).exists():
            results = json.loads((folder / FILE).read_text(encoding="utf-8"))
    missing = [job for job in jobs if job.key not in results]
    with ProgressLine(0, plain) as line:
        line.show(f"0 of {len(missing)} computed")
        for done, (key, found) in enumerate(spread(do_job, missing, workers=workers, cluster=cluster), 1):
            results[key] = found
            if folder:
                replace_file(folder / FILE, json.dumps(results, indent=1))
            line.show(f"{done} of {len(missing)} computed")
    return results


def forget_jobs(folder: Path | None) -> None:
    """Remove what was kept: all is done, and the next time it is computed again."""
    if folder:
        (folder / FILE).unlink(missing_ok=True)


def version_jobs(game: Game, report: bool = False) -> Iterator[LabJob]:
    """The work that a search takes: the book and every edit by level, pairs of edits in perfect play.

    Where perfect play is always decided, as in battle, a pair is worth looking at by level, too. For a
    report, the first job also measures the book's game and checks its claims.
    """
    solved = [edit for edit in game.edits if edit.changes]
    decided = is_small(game, {}) and perfect_value(game, {}) in (0, 1)
    for edits in ((), *((edit,) for edit in solved)):
        yield LabJob(game.slug, tuple(edit.name for edit in edits), True, report and not edits)
    for one, other in combinations(solved, 2):
        if not one.changes.keys() & other.changes.keys():
            yield LabJob(game.slug, (one.name, other.name), decided)


def find_versions(game: Game, jobs: Iterable[LabJob], results: Mapping[str, Any]) -> list[Version]:
    """The versions of these jobs, which are done. Those that nobody has solved come last.

    The most even one has its chances by level, whether they were asked for or not.
    """

    def read(names: tuple[str, ...], found: Mapping[str, Any]) -> Version:
        perfect, curve = Fraction(found["perfect"]), tuple(found["curve"])
        return Version(game, find_edits(game, *names), perfect, curve, found["exact"])

    versions = [read(job.names, results[job.key]) for job in jobs]
    versions += [Version(game, (edit,), None) for edit in game.edits if not edit.changes]
    best = pick_fairest(versions)
    if not best.curve:
        names = tuple(edit.name for edit in best.edits)
        versions[versions.index(best)] = read(names, solve_version(game.slug, names, levels=True))
    return versions
