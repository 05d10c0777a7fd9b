"""The server's log: lines for people at a terminal, JSON for programs; no secret in either."""

from __future__ import annotations

import json
import logging
import re
import sys

import pytest

from ninefold.commands import main
from ninefold.web.launch import _JsonFormatter, _TextFormatter

REQUEST = {"method": "GET", "path": "/m/{match}", "status": 200, "ms": 4.1}


def record(message: str, *args: object, level: int = logging.INFO) -> logging.LogRecord:
    return logging.LogRecord("ninefold.web", level, "app.py", 1, message, args, None)


def test_a_request_is_a_sentence_for_people_and_an_object_for_programs() -> None:
    line = record("%(method)s %(path)s: %(status)s in %(ms)s ms", REQUEST)
    assert re.fullmatch(
        r"\d\d:\d\d:\d\d  GET /m/\{match\}: 200 in 4\.1 ms", _TextFormatter().format(line)
    )
    assert json.loads(json.loads(_JsonFormatter().format(line))["message"]) == REQUEST


def test_a_warning_says_so_and_a_trace_has_no_message() -> None:
    line = record("The disk is full: %s", "/data", level=logging.WARNING)
    assert _TextFormatter().format(line).endswith("  Warning: The disk is full: /data")
    assert json.loads(_JsonFormatter().format(line))["message"] == "The disk is full: /data"
    try:
        raise ValueError("".join("cba"[::-1]))  # the trace quotes this line, not the message
    except ValueError as error:
        line.exc_info = (ValueError, error, error.__traceback__)
    for formatter in (_TextFormatter(), _JsonFormatter()):
        assert "ValueError" in formatter.format(line)
        assert "abc" not in formatter.format(line)


@pytest.mark.parametrize("words", [["serve"], ["admin", "stats"]], ids=" ".join)
def test_without_the_extra_it_says_how_to_get_it(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "ninefold.web.launch")
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.setenv("COLUMNS", "500")
    assert main(words) == 1
    said = capsys.readouterr().err
    assert f"ninefold {words[0]} needs uvicorn. In " in said
    assert "`make serve` installs it, and so does `pip install '.[web]'`." in said
