"""What the tablebases of Shadow Grid Duel and Pattern Match are built on: outlines, fillings, codes."""

from __future__ import annotations

from itertools import permutations
from math import comb

from ninefold.analysis.evaluation import Result, worth
from ninefold.analysis.placing.buffers import RECORD, SIZES
from ninefold.analysis.placing.outlines import (
    INDEX,
    INDEX_AT,
    KINDS,
    OUTLINES,
    PLAN,
    TOKENS,
    WHERE,
    slots_of,
    weights,
)
from ninefold.analysis.placing.tablebase import ENDLESS_CODE, WIN_AT, decode, encode
from ninefold.core.grid import CELLS, SYMMETRIES
from ninefold.core.seat import SEATS, Seat


def test_codes_are_in_the_order_that_the_first_player_likes() -> None:
    codes = sorted({encode(seat, ply) for seat in SEATS for ply in range(5, 40)} | {ENDLESS_CODE})
    for ply in range(5):
        worths = [worth(decode(one, ply), Seat.FIRST) for one in codes]
        assert worths == sorted(worths)
        assert len(set(worths)) == len(worths)


def test_a_code_says_who_wins_and_in_how_many_plies() -> None:
    for ply in CELLS:
        for end in range(ply, 60):
            assert decode(encode(Seat.FIRST, end), ply).plies == end - ply
            assert decode(encode(Seat.FIRST, end), ply).result is Result.FIRST
            assert decode(encode(Seat.SECOND, end), ply).plies == end - ply
            assert decode(encode(Seat.SECOND, end), ply).result is Result.SECOND
        assert decode(WIN_AT[ply], ply).plies == 1
        assert decode(WIN_AT[ply], ply).result is (Result.SECOND if ply % 2 else Result.FIRST)


def test_every_outline_is_found_once_among_the_symmetric_ones() -> None:
    expected = sum(comb(9, ply) * comb(ply, ply // 2) for ply in range(10))
    assert len(WHERE) == sum(outline.images for outline in OUTLINES) == expected
    for masks, (index, symmetry) in WHERE.items():
        to = SYMMETRIES[symmetry]
        there = tuple(sum(1 << to[slot] for slot in slots_of(mask)) for mask in masks)
        assert there == OUTLINES[index].masks


def test_outlines_come_with_the_fullest_first() -> None:
    plies = [outline.ply for outline in OUTLINES]
    assert plies == sorted(plies, reverse=True)
    assert plies[-1] == 0


def test_every_filling_is_found_by_its_number() -> None:
    at = 0
    for k, size in enumerate(SIZES):
        for place, filling in enumerate(permutations(CELLS, k)):
            assert TOKENS[at : at + k] == bytes(filling)
            number = sum(token * 9**digit for digit, token in enumerate(filling))
            assert INDEX[INDEX_AT[k] + number] == place
            at += k
        assert place + 1 == size
    assert at == len(TOKENS)


def test_the_weights_follow_the_order_of_the_slots_after_the_symmetry() -> None:
    slots = (1, 3, 8)
    for symmetry, to in enumerate(SYMMETRIES):
        there = sorted(to[slot] for slot in slots)
        mask = sum(1 << slot for slot in there)
        assert weights(mask, symmetry, slots) == [9 ** there.index(to[slot]) for slot in slots]


def test_the_plan_has_a_record_for_each_outline_and_room_for_all_kinds() -> None:
    assert len(PLAN) == RECORD * len(OUTLINES)
    expected = sum(SIZES[mask.bit_count()] for outline in OUTLINES for mask in outline.masks)
    assert expected == KINDS
