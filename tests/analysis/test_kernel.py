"""The C kernel and its plain twin: which is used, and that both give the same."""

from __future__ import annotations

import os
import subprocess
import sys
from array import array
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from ninefold.analysis import pattern, shadow
from ninefold.analysis.placing import kernel, plain
from ninefold.analysis.placing.buffers import Job
from ninefold.analysis.placing.tablebase import make_job

needs_c = pytest.mark.skipif(
    kernel.NAME != "C kernel", reason="the C extension was not built, or NINEFOLD_KERNEL says python"
)


GAMES = ["pattern", *(f"shadow {target}" for target in range(10, 16))]
FEW = ("pattern", "shadow 10", "shadow 15")


def job(game: str) -> Job:
    if game == "pattern":
        return make_job(pattern.fits, pattern.solve_full)
    return make_job(shadow.fits(int(game.removeprefix("shadow "))), shadow.solve_full)


@cache
def filled_by_the_twin(game: str) -> tuple[bytes, Job, list[float]]:
    """The bytes, the job after it, and how far the twin said that it was."""
    done, told = job(game), list[float]()
    return plain.fill(done, told.append), done, told


@needs_c
@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[] if game in FEW else [pytest.mark.long]) for game in GAMES]
)
def test_the_kernel_and_its_twin_fill_in_the_same_bytes(game: str) -> None:
    """Every position's value is in these bytes, so they agree on all positions."""
    one, (other_bytes, other, _) = job(game), filled_by_the_twin(game)
    assert kernel.c_fill(one) == other_bytes
    assert one.kinds == other.kinds
    assert one.counts == other.counts


def test_the_twin_tells_how_far_it_is() -> None:
    _, _, told = filled_by_the_twin("shadow 15")
    assert told == sorted(told)
    assert 0 < told[0] < 0.01
    assert told[-1] == 1
    assert len(told) > 100


@needs_c
def test_the_kernel_tells_that_it_is_done() -> None:
    told: list[float] = []
    kernel.c_fill(job("shadow 15"), told.append)
    assert told == [1]


@needs_c
def test_the_kernel_fills_several_tables_at_once() -> None:
    """It lets go of the interpreter and shares nothing between its calls."""
    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(kernel.c_fill, map(job, GAMES * 3)))
    assert together == [kernel.c_fill(job(game)) for game in GAMES] * 3


@needs_c
@pytest.mark.parametrize(
    "change",
    [
        {"plan": array("i", [0])},
        {"plan": array("i")},
        {"tokens": b""},
        {"index": array("H")},
        {"fits": bytes(728)},
        {"win_at": bytes(10)},
        {"kinds": array("H", [0])},
        {"counts": array("i", [1, 1])},
        {"codes": b""},
    ],
    ids=lambda change: next(iter(change)),
)
def test_the_kernel_refuses_buffers_that_do_not_belong_together(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"bytes, not|records"):
        kernel.c_fill(replace(job("shadow 15"), **change))


def name_in_use(wanted: str, before: str = "") -> str:
    """What a fresh process says that it uses."""
    code = f"{before}\nfrom ninefold.analysis.placing import kernel\nprint(kernel.NAME)"
    environment = {**os.environ, "NINEFOLD_KERNEL": wanted}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_the_environment_can_ask_for_plain_python() -> None:
    assert name_in_use("python") == "pure Python"


@needs_c
def test_the_kernel_is_used_where_it_was_built() -> None:
    assert name_in_use("") == "C kernel"


def test_without_the_extension_plain_python_is_used() -> None:
    missing = "import sys; sys.modules['ninefold.analysis.placing._kernel'] = None"
    assert name_in_use("", missing) == "pure Python"
