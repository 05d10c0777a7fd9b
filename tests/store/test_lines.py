"""What was appended is kept whatever cuts the file off, and damage is never skipped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ninefold.core.errors import NinefoldError
from ninefold.store.files.lines import append_lines, cut_torn_line, open_lines, read_lines

LINES = [{"number": 1}, {"text": "a\nb"}, {}, {"number": 4}]
TEXTS = [json.dumps(line) for line in LINES]


def test_cut_off_anywhere_the_whole_lines_stay_and_the_rest_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "new" / "lines.jsonl"
    assert [*read_lines(path)] == []
    with open_lines(path) as file:
        append_lines(file, TEXTS)
    written = path.read_bytes()
    for cut in range(len(written) + 1):
        path.write_bytes(written[:cut])
        whole = written[:cut].count(b"\n")
        assert [*read_lines(path)] == LINES[:whole]
        with open_lines(path) as file:
            cut_torn_line(file)
            append_lines(file, TEXTS[whole:])
        assert path.read_bytes() == written


@pytest.mark.parametrize("damage", [b"not JSON", b"[1]", b"", b"\xff", b'{"a": 1}{"b": 2}'])
def test_damage_in_the_middle_is_refused_with_file_and_line(damage: bytes, tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes(b"{}\n" + damage + b"\n{}\n")
    with pytest.raises(NinefoldError, match=r"lines\.jsonl is damaged: line 2 is not"):
        list(read_lines(path))
