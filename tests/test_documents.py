"""What the documents show is what happens: Python by doctest, commands by running them."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks import results

HOMES = ("XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
ROOT = Path(__file__).parent.parent
ALONE = ("environments.md", "cheating.md")  # every block of these runs alone
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def fences(language: str) -> list[tuple[str, str]]:
    fence = re.compile(rf"^```{language}\n(.*?)^```", re.DOTALL | re.MULTILINE)
    return [
        (path.name, block)
        for path in DOCUMENTS
        for block in fence.findall(path.read_text(encoding="utf-8"))
    ]


def commands() -> list[tuple[str, str]]:
    """Each `$ command` of a console block with the output shown under it."""
    found = []
    for _, block in fences("console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def examples() -> list[tuple[str, str]]:
    """What to run, by document. People paste the blocks of some of them one by one."""
    found = [(name, block) for name, block in fences("python") if name in ALONE]
    for path in DOCUMENTS:
        blocks = [block for name, block in fences("python") if name == path.name]
        if path.name not in ALONE and blocks:
            found.append((path.name, "\n".join(blocks)))
    return found


@pytest.mark.parametrize(("name", "code"), examples(), ids=[name for name, _ in examples()])
def test_python_in_the_documents_does_what_they_say(name: str, code: str) -> None:
    example = doctest.DocTestParser().get_doctest(code, {}, name, name, 0)
    failed, _ = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(example)
    assert failed == 0


@pytest.mark.parametrize(("command", "shown"), commands(), ids=[command for command, _ in commands()])
def test_commands_in_the_documents_print_what_they_say(command: str, shown: str, tmp_path: Path) -> None:
    run = subprocess.run(
        ["bash", "-c", f'ninefold() {{ "{sys.executable}" -m ninefold "$@"; }}; {command}'],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
        env=os.environ | dict.fromkeys(HOMES, str(tmp_path)),
    )
    if shown.rstrip().endswith("..."):
        shown = shown.rstrip().removesuffix("...")
        assert run.stdout.startswith(shown)
    else:
        assert run.stdout.rstrip() == shown.rstrip()


def test_the_readme_is_run_at_all() -> None:
    assert fences("python")
    assert commands()


def test_the_page_of_results_is_what_its_command_writes() -> None:
    assert results.PAGE.read_text(encoding="utf-8") == results.page()
