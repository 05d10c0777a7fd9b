"""Every figure of a report equals its computation by hand, whoever answers and however often it stops."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from signal import SIGINT, default_int_handler, pthread_kill, signal
from threading import Event, Semaphore, main_thread
from typing import Any, cast

import pytest

import ninefold
from ninefold import Seat, State
from ninefold.commands import main
from ninefold.players import Failure, PlayerFailed, policy_of, seat_player
from ninefold.study import SetPosition, chance, position_set, regrets, score_positions
from ninefold.study.contests import score_game
from ninefold.study.episode import Episode as Game
from ninefold.study.reports import Report
from ninefold.text import runs
from ninefold.text.endpoint import Endpoint
from ninefold.text.episode import TextEpisode
from ninefold.text.prompt import TextTask
from ninefold.text.report import RunReport
from tests.ports import free_port
from tests.text.conftest import COUNT, GAMES, SECRET

Evaluate = Callable[..., Any]
NONE = Fraction(0)
ROOT = Path(__file__).parent.parent.parent


def asked(games: list[str] = GAMES, count: int = COUNT) -> list[SetPosition]:
    return [one for slug in games for one in position_set(slug, count).positions]


def mean(values: list[Fraction]) -> Fraction:
    return sum(values, NONE) / len(values)


def whole() -> list[Fraction]:
    return [chance(one.state, one.seat) for one in asked()]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def timeless(data: Any) -> Any:
    """A report without what depends on the clock."""
    if isinstance(data, dict):
        return {key: timeless(value) for key, value in data.items() if key != "seconds"}
    return data


@pytest.mark.parametrize("player", ["perfect", "chat:perfect", "chat:thinking", "chat:flooding"])
def test_perfect_answers_give_nothing_away(evaluate: Evaluate, player: str) -> None:
    found = evaluate(player)
    assert (found["player"], found["set"]) == (player, f"ninefold/2026.11 count={COUNT} seed=0")
    assert (found["regret"], found["exact"], found["interval"]) == (0, "0", [0, 0])
    assert (found["decisions"], found["only_moves_found"]) == (COUNT * len(GAMES), 1)
    assert sum(found[name] for name in ("illegal", "unreadable", "unanswered", "late")) == 0
    for groups in ("by_game", "by_stage", "by_seat"):
        assert {one["exact"] for one in found[groups].values()} == {"0"}
    assert found["against"]["random"]["regret"] == float(mean([one.random_regret for one in asked()]))


@pytest.mark.parametrize("player", ["random", "greedy", "level:5", "program:false"])
def test_our_players_have_their_exact_scores(evaluate: Evaluate, player: str) -> None:
    found = evaluate(player, games=["shadow", "battle"])
    chooser = seat_player(player, Random(0))
    assert chooser is not None
    costs: list[Fraction] = []
    for slug in ("shadow", "battle"):
        scored = score_positions(chooser, position_set(slug, COUNT))
        costs += scored.costs
        assert found["by_game"][slug]["exact"] == str(scored.regret)
    assert found["exact"] == str(mean(costs))
    assert found["unanswered"] == (len(costs) if player == "program:false" else 0)
    if policy_of(player):
        assert found["against"]["random"]["regret"] >= 0
        if player != "level:5":
            assert found["against"][player]["difference"] == 0


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("unreadable", "unreadable"),
        ("silent", "unanswered"),
        ("refusing", "unanswered"),
        ("filtered", "unanswered"),
        ("illegal", "illegal"),
        ("slow", "late"),
    ],
)
def test_an_answer_that_fails_costs_the_whole_chance(evaluate: Evaluate, model: str, name: str) -> None:
    found = evaluate(f"chat:{model}", *(["--seconds", "0.2"] if model == "slow" else []))
    counts = {one: found[one] for one in ("illegal", "unreadable", "unanswered", "late")}
    every = COUNT * len(GAMES)
    if model == "illegal":  # where every move is legal, the stand-in passes
        always = sum(len(one.state.moves(one.seat)) == len(one.state.game.moves) for one in asked())
        assert counts == {"illegal": every - always, "unreadable": always, "unanswered": 0, "late": 0}
    else:
        assert counts == dict.fromkeys(counts, 0) | {name: every}
    assert found["exact"] == str(mean(whole()))
    assert found["only_moves_found"] == 0


def test_a_random_model_is_scored_by_the_moves_it_named(evaluate: Evaluate, tmp_path: Path) -> None:
    out = tmp_path / "random.jsonl"
    found = evaluate("chat:random", "--out", str(out), "--temperature", "0.5")
    assert found["player"] == "chat:random --temperature 0.5"
    costs: list[Fraction] = []
    seats: dict[str, list[Fraction]] = {"first": [], "second": []}
    stages: dict[int, list[Fraction]] = {}
    only = []
    saved = {(one["game"], one["number"]): one for one in lines(out)}
    assert len(saved) == len(lines(out)) == COUNT * len(GAMES)
    for slug in GAMES:
        for number, one in enumerate(position_set(slug, COUNT).positions):
            line = saved[slug, number]
            (text,) = line["answers"]
            lost, move = one.regrets, one.state.game.parse(text.removeprefix("Answer: "))
            cost = lost[one.state.game.index(move)]
            assert line["choice"] == {str(move): "1"}
            assert Fraction(line["regret"]) == cost
            assert [message["role"] for message in line["prompt"]] == ["system", "user"]
            assert line["tokens"] == [sum(len(m["content"].split()) for m in line["prompt"]), 2]
            costs.append(cost)
            seats[str(one.seat)].append(cost)
            stages.setdefault(one.stage, []).append(cost)
            if [*lost.values()].count(NONE) == 1:
                only.append(not cost)
    assert found["exact"] == str(mean(costs))
    assert found["only_moves_found"] == sum(only) / len(only)
    assert {name: one["exact"] for name, one in found["by_seat"].items()} == {
        name: str(mean(part)) for name, part in seats.items() if part
    }
    assert [one["exact"] for one in found["by_stage"].values()] == [
        str(mean(stages[stage])) for stage in sorted(stages)
    ]
    assert found["answer_tokens"] == 2
    # The interval, by the textbook.
    spread = (
        1.959964
        * float(sum((c - mean(costs)) ** 2 for c in costs) / (len(costs) - 1) / len(costs)) ** 0.5
    )
    low, high = float(mean(costs)) - spread, float(mean(costs)) + spread
    assert found["interval"] == pytest.approx([max(0, low), min(1, high)])
    assert SECRET not in out.read_text()


def test_retries_say_why_and_are_counted(evaluate: Evaluate, tmp_path: Path) -> None:
    out = tmp_path / "retried.jsonl"
    found = evaluate("chat:unreadable", "--retries", "2", "--out", str(out), games=["cross"])
    assert (found["unreadable"], found["retries"], found["exact"]) == (COUNT, 2 * COUNT, "1")
    said = lines(out)[0]["prompt"]
    assert [one["role"] for one in said] == ["system", "user", *["assistant", "user"] * 2]
    assert "is not a move" in said[3]["content"]


def test_twins_and_lists_are_figures_of_their_own(evaluate: Evaluate) -> None:
    plain = evaluate("chat:level:3")
    found = evaluate("chat:level:3", "--twins", "turned", "neutral", "--list", "both")
    assert found["exact"] == plain["exact"]
    assert found["decisions"] == plain["decisions"]
    assert {name: one["pairs"] for name, one in found["twins"].items()} == {"turned": 8, "neutral": 8}
    assert found["listed"]["pairs"] == 8
    off, on = found["by_task"].values()
    assert (off["exact"], on["decisions"]) == (plain["exact"], 8)
    assert found["listed"]["difference"] == pytest.approx(on["regret"] - off["regret"])


def test_what_is_remembered_shows_in_twins(evaluate: Evaluate, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that knows the set by heart, and nothing else, does worse in every turned twin."""
    known = {
        TextEpisode.of(one.position, one.task).messages[1]["content"]: one.position
        for one in runs.questions(["battle"], 6, 0, [TextTask()], [])
    }

    def recall(self: Any, messages: Any, seconds: float) -> Any:
        position = known.get(messages[1]["content"])
        if position is None:
            return Endpoint._read(self, b'{"choices": [{"message": {"content": "?"}}]}')
        best = min(position.regrets, key=position.regrets.__getitem__)
        said = {"choices": [{"message": {"content": f"{position.state.game.moves[best]}"}}]}
        return Endpoint._read(self, json.dumps(said).encode())

    monkeypatch.setattr(Endpoint, "ask", recall)
    found = evaluate("chat:parrot", "--twins", "turned", games=["battle"], count=6)
    assert found["regret"] == 0
    assert found["twins"]["turned"]["difference"] == 1
    assert found["twins"]["turned"]["interval"] == [1, 1]


# Interrupted and resumed


@pytest.fixture
def whole_run(evaluate: Evaluate, tmp_path: Path) -> tuple[Path, Any]:
    out = tmp_path / "whole.jsonl"
    return out, timeless(evaluate("chat:level:1", "--twins", "neutral", "--out", str(out)))


def test_cut_anywhere_and_resumed_the_report_is_the_same(
    evaluate: Evaluate, whole_run: tuple[Path, Any], tmp_path: Path
) -> None:
    data = whole_run[0].read_bytes()
    for k, cut in enumerate(
        (0, 1, len(data) // 3, len(data) // 2, data.rindex(b"\n", 0, -1) + 1, len(data) - 1)
    ):
        part = tmp_path / f"part{k}.jsonl"
        part.write_bytes(data[:cut])
        found = evaluate("chat:level:1", "--twins", "neutral", "--out", str(part))
        assert timeless(found) == whole_run[1]
        assert part.read_bytes().startswith(data[: data.rfind(b"\n", 0, cut) + 1])  # the whole lines
        assert len(lines(part)) == len(data.splitlines())  # and what was cut off spoils nothing


def test_ctrl_c_loses_nothing(
    evaluate: Evaluate,
    whole_run: tuple[Path, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Whatever has been answered is kept, also what came while the first answer was written."""
    out, add, ask = tmp_path / "interrupted.jsonl", runs.Saved.add, Endpoint.ask
    answered, parallel = 7, 3
    allowed, waiting, end = Semaphore(answered), Semaphore(0), Event()

    def ask_some(self: Endpoint, *words: Any) -> Any:
        if not allowed.acquire(blocking=False):
            waiting.release()
            end.wait(60)
        return ask(self, *words)

    def interrupt(self: runs.Saved, line: runs.Line) -> None:
        if not self.lines:
            for _ in range(parallel):  # every thread has delivered what it has, and waits for more
                assert waiting.acquire(timeout=60)
            pthread_kill(cast("int", main_thread().ident), SIGINT)
        add(self, line)

    monkeypatch.setattr(Endpoint, "ask", ask_some)
    monkeypatch.setattr(runs.Saved, "add", interrupt)
    words = ["--player", "chat:level:1", "--games", *GAMES, "--positions", str(COUNT), "--out", str(out)]
    words += ["--twins", "neutral", "--parallel", str(parallel)]
    before = signal(SIGINT, default_int_handler)  # a process of a parallel test run ignores it
    try:
        assert main(["evaluate", *words]) == 130
    finally:
        signal(SIGINT, before)
        end.set()
    assert f"{answered} answers" in capsys.readouterr().err
    assert len(lines(out)) == answered
    monkeypatch.setattr(runs.Saved, "add", add)
    monkeypatch.setattr(Endpoint, "ask", ask)
    assert timeless(evaluate("chat:level:1", "--twins", "neutral", "--out", str(out))) == whole_run[1]
    assert len(lines(out)) == len(lines(whole_run[0]))


def test_two_runs_at_once_do_not_share_a_file(
    evaluate: Evaluate, whole_run: tuple[Path, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    out = whole_run[0]
    kept = out.read_bytes()
    words = ["--player", "chat:level:2", "--games", "cross", "--positions", "1", "--out", str(out)]
    with runs.open_run(out):
        assert main(["evaluate", *words]) == 1
    assert f"Another run is writing to {out}." in capsys.readouterr().err
    assert out.read_bytes() == kept
    assert main(["evaluate", *words]) == 0


def test_an_endpoint_that_breaks_down_is_not_the_models_fault(
    endpoint: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setattr("ninefold.text.endpoint.PAUSES", (0.0, 0.1))
    out = tmp_path / "none.jsonl"
    assert main(["evaluate", "--player", "chat:x", "--positions", "2", "--out", str(out)]) == 1
    assert "could not be reached" in capsys.readouterr().err
    assert not out.read_bytes()
    monkeypatch.delenv("OPENAI_BASE_URL")
    assert main(["evaluate", "--player", "chat:x", "--positions", "2"]) == 1
    assert "Set OPENAI_BASE_URL" in capsys.readouterr().err


# Whole games


def test_two_workers_find_the_same_as_one(evaluate: Evaluate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ninefold.text.ours.CHUNK", 3)
    words = ["--pairs", "4", "--against", "random", "--twins", "turned"]
    one, two = (evaluate("level:2", *words, "--workers", n, games=["battle"]) for n in "12")
    assert timeless(one) == timeless(two)
    assert one["games"]["battle against random, seed=0"]["games"] == 8


def test_workers_are_for_players_of_ours(capsys: pytest.CaptureFixture[str]) -> None:
    ours = ["--player", "random", "--pairs", "1", "--against", "program:false"]
    for words in (["--player", "program:false"], ours):
        assert main(["evaluate", *words, "--workers", "2"]) == 1
        assert "use --parallel" in capsys.readouterr().err


def test_games_in_pairs_are_resumed_in_the_middle(evaluate: Evaluate, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    words = ["--list", "on", "--pairs", "2", "--against", "level:3"]
    first = evaluate("chat:random", *words, "--out", str(out), count=0)
    (name, other) = first["games"]
    assert name == "conquest against level:3, seed=0"
    assert first["games"][other]["games"] == 4
    kept = lines(out)
    assert sum(one["kind"] == "game" for one in kept) == 8
    for line in kept:
        if line["kind"] == "decision":
            game = ninefold.load(line["game"])
            state = game.sequence(game.set_up(line["setup"]), line["moves"])
            lost, (text,) = regrets(state, Seat[line["seat"].upper()]), line["choice"]
            assert Fraction(line["regret"]) == lost[game.index(game.parse(text))]
    half = tmp_path / "half.jsonl"
    half.write_text("".join(json.dumps(one) + "\n" for one in kept[: len(kept) // 2]))
    assert timeless(evaluate("chat:random", *words, "--out", str(half), count=0)) == timeless(first)
    assert len(lines(half)) == len(kept)


@pytest.mark.parametrize("player", ["chat:random", "level:2"])
def test_games_with_and_without_the_list_are_figures_of_their_own(
    evaluate: Evaluate, tmp_path: Path, capsys: pytest.CaptureFixture[str], player: str
) -> None:
    out = str(tmp_path / "both.jsonl")
    words = ["--pairs", "2", "--against", "random", "--out", out]
    alone = [evaluate(player, *words, "--list", one, games=["cross"], count=0) for one in ("off", "on")]
    name = "cross against random, seed=0"
    tasks = [TextTask(listed).name for listed in (False, True)]
    both = evaluate(player, *words, "--list", "both", games=["cross"], count=0)["games"]
    expected = zip(tasks, alone, strict=True)
    assert both == {f"{name} ({task})": found["games"][name] for task, found in expected}
    assert main(["evaluate", "--show", out, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == both


def test_a_model_plays_against_itself(evaluate: Evaluate, tmp_path: Path) -> None:
    words = [
        "--list",
        "on",
        "--pairs",
        "1",
        "--against",
        "chat:random",
        "--out",
        str(tmp_path / "a.jsonl"),
    ]
    (found,) = evaluate("chat:random", *words, games=["cross"], count=0)["games"].values()
    assert (found["games"], found["cut_off"]) == (2, 0)


# Cheating does not pay


class Cheat:
    """Plays while `plays` says so, and then fails."""

    def __init__(self, plays: Callable[[State[Any], Seat], bool], failure: Failure) -> None:
        self.plays, self.failure = plays, failure

    def choose(self, state: State[Any], seat: Seat, record: Any = None) -> Any:
        if not self.plays(state, seat):
            raise PlayerFailed("no more", self.failure)
        return state.moves(seat)[0]

    def close(self) -> None:
        """Nothing to close."""


@pytest.mark.parametrize("failure", Failure)
def test_giving_up_stalling_and_silence_cost_or_are_shown_apart(failure: Failure) -> None:
    """Whoever plays only forced moves, or only where nothing can be lost, gives away what was left."""
    opponent = seat_player("perfect", Random(0))
    assert opponent is not None
    cheats = [
        Cheat(lambda state, seat: len(state.moves(seat)) == 1, failure),
        Cheat(lambda state, seat: not any(regrets(state, seat).values()), failure),
        Cheat(lambda state, seat: chance(state, seat) > 0, failure),
    ]
    for cheat in cheats:
        for number in range(4):
            scored = score_game((cheat, opponent), (Random(), Random()), Game("battle"), number, 3)
            report = Report((scored,))
            if scored.failure is None:
                continue
            assert (report.wins, report.forfeits) == (0, 1)
            if scored.failed_lost:
                assert report.failed_lost == 1  # it costs nothing, and so it is counted apart
                assert "failed when lost" in str(report)
                assert scored.regret == scored.par
            else:
                assert scored.regret == scored.par  # all that there was to begin with is gone
                assert report.regret_per_decision > 0


def test_there_are_only_real_decisions_with_something_to_lose() -> None:
    for slug in ninefold.SLUGS:
        for one in position_set(slug, 20).positions:
            assert chance(one.state, one.seat) > 0
            assert any(one.regrets.values())


# What is shown


def test_a_report_is_read_from_its_file_and_two_stand_side_by_side(
    evaluate: Evaluate, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [str(tmp_path / f"{name}.jsonl") for name in ("one", "other")]
    reports = [
        evaluate(player, "--out", path) for player, path in zip(("random", "level:9"), paths, strict=True)
    ]
    assert main(["evaluate", "--show", paths[0], "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == reports[0]
    page = tmp_path / "report.html"
    assert main(["evaluate", "--show", *paths, "--html", str(page)]) == 0
    shown = capsys.readouterr().out
    difference = Fraction(reports[1]["exact"]) - Fraction(reports[0]["exact"])
    assert f"{float(difference):+.4f}" in shown
    assert "random  level:9  pairs" in shown
    html = page.read_text()
    assert f"{float(difference):+.4f}" in html
    assert html.count("<svg") == 8
    for outside in ("http", "src=", "href=", "url(", "@import", "<script"):
        assert outside not in html
    assert main(["evaluate", "--show", str(tmp_path / "missing.jsonl")]) == 1


@pytest.mark.parametrize("words", [["--seed", "1"], ["--list", "on"]])
def test_what_was_not_asked_alike_is_not_compared(
    evaluate: Evaluate, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    paths = [str(tmp_path / name) for name in ("one", "other")]
    evaluate("random", "--out", paths[0], games=["cross"])
    evaluate("random", "--out", paths[1], *words, games=["cross"])
    assert main(["evaluate", "--show", *paths]) == 1
    assert "asked alike" in capsys.readouterr().err
    evaluate("random", "--out", paths[1], games=["cross"])
    assert main(["evaluate", "--show", *paths]) == 0  # now there is something


def test_what_two_runs_have_both_written_counts_once(
    evaluate: Evaluate, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "twice.jsonl"
    found = evaluate("random", "--out", str(out), games=["cross"])
    out.write_bytes(out.read_bytes() * 2)
    assert main(["evaluate", "--show", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == found
    assert evaluate("random", "--out", str(out), games=["cross"]) == found


@pytest.mark.parametrize(
    ("player", "words", "status"),
    [
        ("chat:m", ["--retries", "-1"], 2),
        ("chat:m", ["--seconds", "nan"], 2),
        ("chat:m", ["--seconds", "0"], 1),
        ("chat:m", ["--temperature", "-1"], 2),
        ("chat:it's", [], 1),
        ("chat:m --list", [], 1),
        ("person", [], 1),
    ],
)
def test_nonsense_is_refused_before_anybody_is_asked(
    endpoint: str, tmp_path: Path, player: str, words: list[str], status: int
) -> None:
    out = tmp_path / "none.jsonl"
    command = ["evaluate", "--player", player, *words, "--positions", "1", "--out", str(out)]
    if status == 1:
        assert main(command) == 1
    else:
        with pytest.raises(SystemExit, match="2"):
            main(command)
    assert not out.exists()


def test_lines_in_any_order_make_the_same_report(whole_run: tuple[Path, Any]) -> None:
    found = lines(whole_run[0])
    Random(1).shuffle(found)
    assert timeless(json.loads(json.dumps(RunReport("chat:level:1", found).data()))) == whole_run[1]


def test_the_five_minutes_of_the_documents(tmp_path: Path) -> None:
    """The commands that docs/models.md begins with, as they stand there, with another port."""
    page = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    block = page.split("```sh\n")[1].split("```")[0]
    block = block.replace("8001", str(free_port()))
    block = block.replace("examples/stand_in.py", f"{ROOT}/examples/stand_in.py")
    wait = "until (echo > /dev/tcp/127.0.0.1/{}) 2> /dev/null; do sleep 0.1; done"
    block = re.sub("sleep .*", wait.format(*re.findall(r"--port (\d+)", block)), block)
    block = block.replace("python3 ", f'"{sys.executable}" ')
    ours = f'ninefold() {{ "{sys.executable}" -m ninefold "$@"; }}'
    done = subprocess.run(
        ["bash", "-c", f"{ours}\n{block}\nkill %1"],
        cwd=tmp_path,
        env=os.environ | {"XDG_DATA_HOME": str(tmp_path), "PYTHONPATH": f"{ROOT}/src:{ROOT}"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert "chat:level:3 on ninefold/2026.11 count=5 seed=0" in done.stdout, done.stderr
    assert " wins, " in done.stdout
    assert "<svg" in (tmp_path / "report.html").read_text()
