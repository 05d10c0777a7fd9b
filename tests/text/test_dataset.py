"""A data set holds what exact play says, and no twin is in two splits."""

from __future__ import annotations

import json
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import ninefold
from ninefold import SLUGS, Seat
from ninefold.commands import main
from ninefold.study import chance, optimal_distribution, regrets

SPLITS = ("train", "validation", "test")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("data")
    assert main(["dataset", str(found), "--positions", "12", "--twins"]) == 0
    return found


def rows(folder: Path, split: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / f"{split}.jsonl").read_text().splitlines()]


def test_no_class_and_no_twin_is_in_two_splits(folder: Path) -> None:
    classes = [{row["class"] for row in rows(folder, split)} for split in SPLITS]
    pairs = [{"-".join(row["id"].split("-")[:2]) for row in rows(folder, split)} for split in SPLITS]
    for one in (classes, pairs):
        assert sum(map(len, one)) == len(set().union(*one))
    assert len(set().union(*pairs)) >= 12 * 5
    assert all(classes)


def test_every_row_is_what_exact_play_says(folder: Path) -> None:
    for row in [row for split in SPLITS for row in rows(folder, split)]:
        game, seat = ninefold.load(row["game"]), Seat[row["seat"].upper()]
        state = game.sequence(game.set_up(row["setup"]), row["moves"])
        lost = regrets(state, seat)
        assert row["legal"] == [str(move) for move in state.moves(seat)]
        assert Fraction(row["chance"]) == chance(state, seat)
        found = {game.index(game.parse(one["move"])): one for one in row["options"]}
        assert {action: Fraction(one["regret"]) for action, one in found.items()} == lost
        if state.secret:
            mixed = {action: Fraction(one["mix"]) for action, one in found.items() if one["mix"] != "0"}
            assert mixed == optimal_distribution(state, seat)
        assert game.title in row["rules"]
        assert "Your turn." in row["position"]
        assert not row["themes"] or [*lost.values()].count(Fraction(0)) == 1


def test_checksums_and_card(folder: Path, tmp_path: Path) -> None:
    listed = [line.split("  ") for line in (folder / "SHA256SUMS").read_text().splitlines()]
    assert {name for _, name in listed} == {"README.md", *(f"{split}.jsonl" for split in SPLITS)}
    for digest, name in listed:
        assert sha256((folder / name).read_bytes()).hexdigest() == digest
    card = (folder / "README.md").read_text()
    for slug in SLUGS:
        counts = [sum(row["game"] == slug for row in rows(folder, split)) for split in SPLITS]
        assert f"| {slug} | {' | '.join(map(str, counts))} |" in card
    assert main(["dataset", str(tmp_path / "again"), "--positions", "12", "--twins"]) == 0
    assert (tmp_path / "again" / "SHA256SUMS").read_text() == (folder / "SHA256SUMS").read_text()
