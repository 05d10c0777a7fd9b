"""The examples do what they say."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def test_the_learner_learns_and_draws_its_regret(tmp_path: Path) -> None:
    plot = tmp_path / "regret.svg"
    done = subprocess.run(
        [sys.executable, EXAMPLES / "learn.py", "--games", "2400", "--plot", plot],
        capture_output=True,
        text=True,
        check=True,
    )
    values = [float(line.split("regret")[1].split()[0]) for line in done.stdout.splitlines()[:-1]]
    assert len(values) == 13
    assert values[-1] < values[0] / 2
    assert ElementTree.parse(plot).getroot().tag.endswith("svg")


@pytest.mark.parametrize(("name", "shows"), [("exact", 3), ("models", 4)])
def test_a_notebook_prints_what_it_shows(name: str, shows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "")  # which a notebook may set
    notebook = json.loads((EXAMPLES / f"{name}.ipynb").read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    printed = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            out = StringIO()
            with redirect_stdout(out):
                exec("".join(cell["source"]), names)
            shown = "".join(line for output in cell["outputs"] for line in output["text"])
            assert out.getvalue() == shown
            printed += bool(shown)
    assert printed == shows
