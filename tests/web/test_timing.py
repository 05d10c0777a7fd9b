"""What has been worked out already, and so is answered sooner, depends on nobody's secret."""

from __future__ import annotations

import threading
from multiprocessing import Pipe
from typing import Any

import pytest

from ninefold import Seat, load
from ninefold.analysis import evaluate, shadow
from ninefold.analysis.placing import tablebase
from ninefold.games import GAMES
from ninefold.games.shadow.rules import TARGETS
from ninefold.study.hints import find_hint
from ninefold.web.computers import _choose_move
from ninefold.web.jobs import do_jobs


def test_a_worker_prepares_every_target_before_its_first_job_and_none_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So a stranger's evaluations take the same work, whatever target others play."""
    made: list[bytes] = []
    solve = tablebase.solve

    def recorded(job: Any, progress: Any) -> Any:
        made.append(job.fits)
        return solve(job, progress)

    monkeypatch.setattr(shadow, "solve", recorded)
    monkeypatch.setattr(shadow, "_tablebases", {})
    ours, theirs = Pipe()
    worker = threading.Thread(target=do_jobs, args=(theirs, GAMES), daemon=True)
    worker.start()

    def run(work: Any, *given: Any) -> Any:
        ours.send((work, given))
        succeeded, answer = ours.recv()
        assert succeeded, answer
        return answer

    run(str, "the first job")
    prepared = list(made)
    assert prepared, "it needs tablebases"
    for target in (10, 13, 15, 18):
        state = load("shadow").start(target=target)
        run(find_hint, state, Seat.FIRST)
        run(_choose_move, "perfect", state, Seat.FIRST)
        for other in TARGETS:
            run(evaluate, load("shadow").start(target=other))
    ours.close()
    worker.join()
    assert made == prepared
