"""A contest survives whatever stops it, and its result depends only on its plan."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from ninefold import SLUGS
from ninefold.analysis import NoValues
from ninefold.arena import plan as plans
from ninefold.arena.folder import PAIRS, Folder, read_pairs
from ninefold.arena.plan import Plan
from ninefold.arena.run import run_contest
from ninefold.commands import main
from ninefold.core.errors import NinefoldError
from ninefold.match import Match, Record
from ninefold.study.scores import score
from tests.arena.contests import FIRST_MOVE, results, start
from tests.spread.test_spread import cluster


def make_plan(**more: Any) -> Plan:
    return Plan.of({"players": ["level:2", "random"], "games": [*SLUGS], "pairs": 4, "seed": 7, **more})


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A contest that nothing has interrupted."""
    path = tmp_path_factory.mktemp("whole")
    assert run_contest(make_plan(), path).over
    return path


def test_a_pair_is_one_deal_with_the_seats_swapped(whole: Path) -> None:
    lines = [*read_pairs(whole)]
    assert len(lines) == 4 * len(SLUGS)
    for line in lines:
        one, other = (Record.from_json(json.dumps(game["record"])) for game in line["games"])
        assert one.setup == other.setup
        assert [player.name for player in one.players] == line["players"]
        assert [player.name for player in other.players] == line["players"][::-1]
        for record, own in ((one, 0), (other, 1)):
            outcome = Match.of(record).outcome
            score = 0.5 if outcome is None else float(outcome.winner == own)
            assert score == line["scores"][own]


def test_regret_is_that_of_the_record(whole: Path) -> None:
    for line in read_pairs(whole):
        for game in line["games"]:
            found = score(Record.from_json(json.dumps(game["record"])))
            assert game["regret"] == pytest.approx([float(one) for one in found.regret], abs=1e-9)


def test_results_depend_neither_on_chunks_nor_on_openings_of_others(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plans, "OURS", 3)
    run_contest(make_plan(), tmp_path)
    assert results(tmp_path) == results(whole)


def test_a_run_goes_on_wherever_it_was_cut_off(whole: Path, tmp_path: Path) -> None:
    written = (whole / PAIRS).read_bytes()
    rng = random.Random(1)
    for at, cut in enumerate([0, 1, len(written) - 1, *(rng.randrange(len(written)) for _ in range(5))]):
        path = tmp_path / str(at)
        path.mkdir()
        Folder(path, make_plan()).close()
        (path / PAIRS).write_bytes(written[:cut])
        assert run_contest(make_plan(), path).over
        assert results(path) == results(whole)


def test_a_finished_contest_is_left_as_it_is(whole: Path) -> None:
    before = (whole / PAIRS).read_bytes()
    assert run_contest(make_plan(), whole).over
    assert (whole / PAIRS).read_bytes() == before


def test_a_different_plan_is_refused_with_the_difference(whole: Path) -> None:
    with pytest.raises(NinefoldError, match="pairs: 4 there, 5 here; seed: 7 there, 8 here"):
        run_contest(make_plan(pairs=5, seed=8), whole)


def test_two_runs_cannot_write_to_one_folder(tmp_path: Path) -> None:
    folder = Folder(tmp_path, make_plan())
    with pytest.raises(NinefoldError, match="Another run"):
        run_contest(make_plan(), tmp_path)
    folder.close()


def test_openings_vary_and_are_shared_by_a_pair(tmp_path: Path) -> None:
    run_contest(make_plan(games=["conquest"], pairs=8, opening=2), tmp_path)
    openings = set()
    for line in read_pairs(tmp_path):
        one, other = ([move["move"] for move in game["record"]["moves"]] for game in line["games"])
        assert line["opening"] >= 2
        assert one[: line["opening"]] == other[: line["opening"]]
        openings.add(tuple(one[: line["opening"]]))
    assert len(openings) > 4


def test_a_gauntlet_is_one_player_against_all_others() -> None:
    found = make_plan(players=["random", "greedy", "level:1"], gauntlet="greedy")
    assert found.pairings == [("greedy", "random"), ("greedy", "level:1")]


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"players": ["random"]}, "two players"),
        ({"players": ["random", "random"]}, "different names"),
        ({"players": ["random", "person"]}, "person cannot"),
        ({"players": ["random", "deep"]}, "not a player"),
        ({"games": ["chess"]}, "chess"),
        ({"games": ["shadow:target=99"]}, "target"),
        ({"pairs": 0}, "pairs must be"),
        ({"pears": 3}, 'no "pears"'),
        ({"gauntlet": "Ann"}, "not among"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused(wrong: dict[str, Any], why: str) -> None:
    with pytest.raises(NinefoldError, match=why):
        make_plan(**wrong)


def test_a_plan_is_read_from_toml_and_survives_its_data(tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text(
        'players = ["level:3", "mine=program:./a --b=c"]\ngames = ["shadow:target=15"]\npairs = 3\n'
    )
    found = Plan.read(file)
    assert found.players == {"level:3": "level:3", "mine": "program:./a --b=c"}
    assert found.games == {"shadow:target=15": ("shadow", {"target": 15})}
    Folder(tmp_path / "out", found).close()
    assert Plan.read(tmp_path / "out" / "plan.json") == found


def test_a_test_stops_when_it_is_decided_and_can_be_run_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["arena", "test", "perfect", "random", "--elo", "0,50", "--games", "battle,cross", "--json"]
    found = []
    for _ in range(2):
        assert main([*words, "--out", str(tmp_path)]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert found[0] == found[1]
    assert found[0]["decision"] == "H1"
    assert found[0]["pairs"] < 200


def plan_file(tmp_path: Path, pairs: int) -> Path:
    program = tmp_path / "first.py"
    program.write_text(FIRST_MOVE)
    file = tmp_path / "plan.toml"
    players = ["random", "greedy", f"first=program:{sys.executable} {program}"]
    file.write_text(f'players = {json.dumps(players)}\ngames = ["battle", "cross"]\npairs = {pairs}\n')
    return file


def test_ctrl_c_finishes_what_is_under_way_and_says_how_to_go_on(tmp_path: Path) -> None:
    file, out = plan_file(tmp_path, 30), tmp_path / "out"
    process = start("run", str(file), "--out", str(out))
    while not (out / PAIRS).exists() or not (out / PAIRS).stat().st_size:
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Run the same command again" in said
    assert 0 < len(results(out)) < 180


def check_killed_runs(tmp_path: Path, kills: int, workers: int, pairs: int) -> None:
    """Kill the whole run at many moments, always going on; the result is that of one run."""
    file, out, rng = plan_file(tmp_path, pairs), tmp_path / "out", random.Random(2)
    for _ in range(kills):
        process = start("run", str(file), "--out", str(out), "--workers", str(workers))
        before = size = (out / PAIRS).stat().st_size if (out / PAIRS).exists() else 0
        while size <= before + rng.randrange(3000) and process.poll() is None:
            size = (out / PAIRS).stat().st_size if (out / PAIRS).exists() else 0
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    assert run_contest(Plan.read(file), out).over
    assert run_contest(Plan.read(file), tmp_path / "whole").over
    assert results(out) == results(tmp_path / "whole")


def test_a_killed_run_loses_and_doubles_nothing(tmp_path: Path) -> None:
    check_killed_runs(tmp_path, kills=1, workers=1, pairs=2)


@pytest.mark.long
@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_that_is_killed_many_times_loses_and_doubles_nothing(tmp_path: Path, workers: int) -> None:
    check_killed_runs(tmp_path, kills=12, workers=workers, pairs=12)


@pytest.mark.long
def test_a_killed_worker_loses_and_doubles_nothing(tmp_path: Path) -> None:
    file, out = plan_file(tmp_path, 10), tmp_path / "out"
    process = start("run", str(file), "--out", str(out), "--workers", "2")
    killed: set[int] = set()
    while process.poll() is None and len(killed) < 4:
        with suppress(OSError):  # processes come and go
            for child in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
                work = b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
                if work and (out / PAIRS).stat().st_size > 8000 * len(killed):
                    os.kill(int(child), signal.SIGKILL)
                    killed.add(int(child))
    process.communicate(timeout=300)
    assert process.returncode == 0
    assert killed
    run_contest(Plan.read(file), tmp_path / "whole")
    assert results(out) == results(tmp_path / "whole")


@pytest.mark.long
def test_a_cluster_gives_the_same_even_if_worker_and_scheduler_are_killed(tmp_path: Path) -> None:
    file, out = plan_file(tmp_path, 12), tmp_path / "out"
    for victim in ("worker", "scheduler", "nobody"):
        with cluster(2) as (address, scheduler, workers):
            before = (out / PAIRS).stat().st_size if (out / PAIRS).exists() else 0
            process = start("run", str(file), "--out", str(out), "--cluster", address)
            while process.poll() is None and (
                not (out / PAIRS).exists() or (out / PAIRS).stat().st_size <= before
            ):
                pass
            {"worker": workers[0].kill, "scheduler": scheduler.kill}.get(victim, lambda: None)()
            if victim == "worker":
                process.kill()
            _, said = process.communicate(timeout=300)
            if victim == "scheduler":
                assert "run the same command again" in said
    assert process.returncode == 0
    run_contest(Plan.read(file), tmp_path / "whole")
    assert results(out) == results(tmp_path / "whole")


def test_a_damaged_file_is_said_so(whole: Path, tmp_path: Path) -> None:
    Folder(tmp_path, make_plan()).close()
    (tmp_path / PAIRS).write_bytes(b"not JSON\n" + (whole / PAIRS).read_bytes())
    with pytest.raises(NinefoldError, match="is damaged"):
        run_contest(make_plan(), tmp_path)


def test_a_game_without_exact_values_is_played_without_regret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(state: Any) -> None:
        raise NoValues("There are no exact values.")

    monkeypatch.setattr("ninefold.arena.play.evaluate", refuse)
    plan = make_plan(players=["random", "greedy"], games=["battle"], pairs=2)
    assert run_contest(plan, tmp_path).over
    games = [game for line in read_pairs(tmp_path) for game in line["games"]]
    assert [game["decisions"] for game in games] == [[0, 0]] * 4
