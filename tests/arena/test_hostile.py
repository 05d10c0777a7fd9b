"""Whatever a program does, it costs that program the game and nothing else."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from time import monotonic, sleep

import pytest

from ninefold.arena.folder import read_pairs
from ninefold.arena.plan import Plan
from ninefold.arena.report import make_report
from ninefold.arena.run import run_contest
from tests.arena.contests import FIRST_MOVE, start

HOSTILE = {
    "silent": ("import time; time.sleep(100)", "late"),
    "flooding": ('while True: print(\'{"id": 0, "move": 1}\', flush=True)', "unreadable"),
    "repeating": (
        "import json\nprint(json.loads(input())['moves'][0], flush=True)\ninput()\n"
        """while True: print('{"id": 1, "move": 1}')""",
        "late",
    ),
    "never reading": ("import time\nwhile True: print('0,0', flush=True); time.sleep(0.01)", "illegal"),
    "one endless line": ("import sys\nwhile True: sys.stdout.write('x' * 10000)", "unreadable"),
    "logging without end": ("import sys\nwhile True: sys.stderr.write('words ' * 100 + '\\n')", "late"),
    "crashing": ("import sys; sys.exit('goodbye')", "crashed"),
    "garbage": ("import sys; sys.stdout.buffer.write(bytes(range(256)) + b'\\n'); input()", "unreadable"),
    "eating memory": ("x = bytearray(1 << 40)", "crashed"),
    "eating memory slowly": ("x = []\nwhile True: x.append(bytearray(1 << 24))", "crashed"),
    "ignoring signals": (
        "import signal, time\nfor n in set(signal.Signals) - {9, 19}: signal.signal(n, signal.SIG_IGN)\n"
        "time.sleep(100)",
        "late",
    ),
    "forking": (
        "import os, time\nfor _ in range(5):\n if not os.fork(): time.sleep(100)\ntime.sleep(100)",
        "late",
    ),
    "leaving the group": (
        "import os, time\nif not os.fork():\n os.setsid()\n if not os.fork(): time.sleep(100)\n"
        " os._exit(0)\ntime.sleep(100)",
        "late",
    ),
}
QUICK = ("flooding", "repeating", "crashing", "eating memory", "leaving the group")


def left_behind(path: Path, *but: int) -> list[str]:
    """Processes that name this path, and zombies."""
    found = []
    for folder in {*Path("/proc").glob("[0-9]*")} - {Path("/proc", str(pid)) for pid in but}:
        try:
            status = (folder / "stat").read_text().rpartition(")")[2].split()
            zombie = status[0] == "Z" and int(status[1]) == os.getpid()
            if zombie or str(path).encode() in (folder / "cmdline").read_bytes():
                found.append(folder.name)
        except OSError:
            pass
    return found


@pytest.mark.parametrize(
    "how", [how if how in QUICK else pytest.param(how, marks=pytest.mark.long) for how in HOSTILE]
)
def test_a_hostile_program_loses_and_leaves_nothing_behind(how: str, tmp_path: Path) -> None:
    body, failure = HOSTILE[how]
    for name, text in (("bad", body), ("good", FIRST_MOVE)):
        (tmp_path / f"{name}.py").write_text(text)
    seconds = {"bad": 1 if failure == "late" else 60, "good": 60}
    players = [f"{name}=program@{n}:{sys.executable} {tmp_path / name}.py" for name, n in seconds.items()]
    plan = Plan.of({"players": players, "games": ["battle"], "pairs": 1, "memory": 300})
    assert run_contest(plan, tmp_path / "out").over
    (line,) = read_pairs(tmp_path / "out")
    assert line["scores"] == [0.0, 0.0]
    for game, seat in zip(line["games"], ("first", "second"), strict=True):
        assert (game["failed"]["player"], game["failed"]["seat"]) == ("bad", seat)
        assert game["failed"]["failure"] == failure
    report = make_report(tmp_path / "out", exact=False)
    assert report.failures == {("bad", "first", failure): 1, ("bad", "second", failure): 1}
    assert left_behind(tmp_path) == []


def test_last_words_are_reported(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("import sys; sys.exit('goodbye, cruel world')")
    bad = f"bad=program:{sys.executable} {tmp_path}/bad.py"
    run_contest(Plan.of({"players": ["random", bad], "games": ["cross"], "pairs": 1}), tmp_path / "out")
    report = make_report(tmp_path / "out", exact=False)
    assert "goodbye, cruel world" in report.last_words["bad"]
    assert "bad, first player: crashed in 1 of its games." in report.to_text()


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.long)])
def test_nothing_outlives_a_run_that_is_killed(workers: str, tmp_path: Path) -> None:
    body, _ = HOSTILE["leaving the group"]
    (tmp_path / "bad.py").write_text(body)
    bad = f"bad=program:{sys.executable} {tmp_path}/bad.py"
    words = ["--players", f"random,{bad}", "--games", "battle", "--out", str(tmp_path / "out")]
    run = start("run", *words, "--workers", workers)
    others = partial(left_behind, tmp_path / "bad.py", run.pid)
    while len(others()) < 2:  # the program, and the process that has left its group
        assert run.poll() is None
        sleep(0.01)
    run.kill()
    run.communicate()
    until = monotonic() + 120
    while others():
        assert monotonic() < until
        sleep(0.01)
