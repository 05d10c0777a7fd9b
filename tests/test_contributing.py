"""What CONTRIBUTING.md says of the code is so: the layers, and the words we use."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import pytest

from ninefold import Game, State
from tests.test_english import ROOT, SOURCE, modules, name, strings, texts

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
GLOSSARY = PAGE.split("## The words we use")[1].split("\n## ")[0]
FOR_PLAYERS = ("cli", "games", "show", "tui")  # packages whose sentences players read


class Entry(NamedTuple):
    words: str
    meaning: str
    code: str
    wrong: str


def entries() -> list[Entry]:
    rows = re.findall(r"^\|(.*)\|$", GLOSSARY, flags=re.MULTILINE)[2:]
    return [Entry(*(column.strip() for column in row.split("|"))) for row in rows]


def named() -> list[str]:
    return [found for entry in entries() for found in re.findall(r"`([\w.]+)`", entry.code)]


def listed(words: str) -> list[str]:
    return [word.strip() for word in words.split(",") if word.strip()]


def find(dotted: str) -> Any:
    """What a dotted name under `ninefold` stands for, a module or something in one."""
    found: Any = import_module("ninefold")
    for part in dotted.split("."):
        if not hasattr(found, part):
            import_module(f"{found.__name__}.{part}")
        found = getattr(found, part)
    return found


@cache
def user_text() -> dict[str, str]:
    """What people read, by file: the documents, the page, and the strings of the program."""
    found = {name(path): path.read_text(encoding="utf-8") for path in texts()}
    found["CONTRIBUTING.md"] = PAGE.replace(GLOSSARY, "")
    for path in modules():
        found[name(path)] = "\n".join(text for _, text in strings(path.read_text(encoding="utf-8")))
    return found


def test_the_layers_are_those_of_the_contract() -> None:
    picture = next(line for line in PAGE.splitlines() if line.startswith("core <- "))
    here = {path.stem for path in SOURCE.iterdir()}
    drawn = [
        [package for package in layer.split(" | ") if package in here] for layer in picture.split(" <- ")
    ]
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "importlinter"
    ]
    layers = [layer.split(" | ") for layer in contract["contracts"][0]["layers"] if layer != "__main__"]
    assert [sorted(layer) for layer in reversed(drawn)] == [sorted(layer) for layer in layers]


def test_the_table_of_layers_has_every_package_once_from_the_bottom() -> None:
    picture = next(line for line in PAGE.splitlines() if line.startswith("core <- "))
    table = PAGE.split("| layer |")[1].split("\n\n")[0]
    rows = [row.split("|")[2] for row in table.splitlines()[2:]]
    assert re.findall(r"`(\w+)`", "".join(rows)) == re.findall(r"\w+", picture)


@pytest.mark.parametrize("dotted", named())
def test_each_word_of_the_glossary_has_its_name_in_the_code(dotted: str) -> None:
    assert find(dotted) is not None


def test_each_word_of_the_glossary_is_used_and_in_one_entry_only() -> None:
    words = [word for entry in entries() for word in listed(entry.words)]
    assert len(set(words)) == len(words) > 30
    everything = "\n".join(user_text().values()).lower()
    assert [word for word in words if not re.search(rf"\b{word}s?\b", everything)] == []


@pytest.mark.parametrize("wrong", [word for entry in entries() for word in listed(entry.wrong)])
def test_nobody_reads_another_word_for_one_of_the_glossary(wrong: str) -> None:
    pattern = re.compile(rf"\b{wrong}s?\b", re.IGNORECASE)
    found = [file for file, text in user_text().items() if pattern.search(text)]
    assert [file for file in found if not file.endswith("/script.py")] == []  # the rule books' own lines


def test_the_tree_of_the_readme_has_every_package_in_that_order() -> None:
    picture = next(line for line in PAGE.splitlines() if line.startswith("core <- "))
    tree = (
        (ROOT / "README.md")
        .read_text(encoding="utf-8")
        .split("src/ninefold/\n")[1]
        .split("commands.py")[0]
    )
    drawn = re.findall(r"^  (\w+)/", tree, flags=re.MULTILINE)
    assert [*drawn, "commands"] == re.findall(r"\w+", picture)


def test_players_read_of_moves_and_never_of_plies() -> None:
    found = {name(path): path.read_text(encoding="utf-8") for path in SOURCE.glob("games/*/help.md")}
    for path in SOURCE.glob("web/page/templates/*.html"):
        page = path.read_text(encoding="utf-8")
        found[name(path)] = re.sub(r"{{.*?}}|{%.*?%}|{#.*?#}", " ", page, flags=re.DOTALL)
    for package in FOR_PLAYERS:
        for path in SOURCE.glob(f"{package}/**/*.py"):
            texts = [text for _, text in strings(path.read_text(encoding="utf-8")) if " " in text]
            found[name(path)] = "\n".join(texts)
    assert len(found) > 50
    assert [file for file, text in found.items() if re.search(r'(?<![-"])\bpl(y|ies)\b', text)] == []


def test_all_that_a_game_can_give_is_listed() -> None:
    """A field that somebody adds to `Game` or `State` is explained to whoever writes a game."""
    table = PAGE.split("## Adding a game")[1].split("\n## ")[0]
    told = {word.rpartition(".")[2] for word in re.findall(r"`([\w.]+)`", table)}
    given = {field.name for field in fields(Game)}
    given |= {name for name in vars(State) if not name.startswith("_")} - {"play", "view"}
    assert given <= told
