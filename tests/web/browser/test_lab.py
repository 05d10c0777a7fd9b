"""The laboratory's report in a browser: axe finds nothing, and it fits on a phone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.browser.support import People
from tests.web.browser.test_accessible import flaws

DOCS = Path(__file__).parents[3] / "docs" / "lab"


@pytest.mark.parametrize("name", ["report", "conquest", "cross"])
def test_a_report_is_accessible(people: People, name: str) -> None:
    one = people()
    one.page.set_content((DOCS / f"{name}.html").read_text(encoding="utf-8"))
    assert flaws(one) == []
