"""What people read is plain American English: no phrase that sounds translated, no British spelling."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "ninefold"
CODE = [SOURCE, ROOT / "benchmarks", ROOT / "examples", ROOT / "peers"]

# Each phrase, and a sentence that has it.
PHRASES = {
    r"(?<!player )\bwho filled it\b": "who filled it loses",
    r"\bonly who\b": "only who holds the seat",
    r"\bhow .{1,30} is called\b": "how Player 1 is called",
    r"\bhangs? on\b": "hangs on the seed",
    r"\banew\b": "choose this move anew",
    r"\b(go|goes|gone|went) astray\b": "goes astray",
    r"\b(throws?|threw) \w+ away\b": "throws something away",
    r"\bthe other one starting\b": "Play again, the other one starting?",
    r"\blook(s|ed|ing)? on at\b": "look on at a match",
    r"\bby lot\b": "Draw by lot: bid:5 30.3%",
    r"\bnothing to decide\b": "Eve had nothing to decide",
    r"\bcontrol as many\b": "Both control as many cells.",
    r"\bis not it\b": "5@1,1 is not it.",
    r"\bas it should be\b": "The form is not as it should be.",
    r"\ba second and client\b": "requests a second and client",
    r"\bonce for all\b": "told soon, once for all that come together",
    r"\bput into words\b": "it is put into words once",
    r"\blooking for cycles\b": "looking for cycles",
    r"\bbelongs? into\b": "Timings belong into `benchmarks/`",
    r"\bputs? up with\b": "What it puts up with",
    r"\bmoves from now\b": "the first player wins by 4, 6 moves from now",
    r"players' counted\b": "(both players' counted)",
    r"colour": "its colour",
    r"\bcentre": "in the centre",
    r"licence": "the licence is MIT",
    r"favour": "in favour of",
    r"behaviour": "no change of behaviour",
    r"neighbour": "a neighbour",
    r"\bgrey\b": "grey",
    r"judgement": "Judgement",
    r"\banalys(e|ed|ing|er)\b": "analyse a position",
    r"\b(recogni|organi|optimi|initiali|normali|reali|capitali)s(e|es|ed|ing|ation)\b": "recognise",
    r"\b(cancel|label|model|travel|signal)l(ed|ing)\b": "cancelled",
}
PATTERNS = {phrase: re.compile(phrase, re.IGNORECASE) for phrase in PHRASES}

TEXTS = [  # read as they are; each place has at least one file
    (ROOT, "README.md"),
    (ROOT, "CONTRIBUTING.md"),
    (ROOT, "CHANGELOG.md"),
    (ROOT / "docs", "*.md"),
    (SOURCE / "games", "*/help.md"),
    (SOURCE / "web/page/templates", "*.html"),
    (SOURCE / "web/page/static", "*.js"),
]


def texts() -> list[Path]:
    found = []
    for folder, names in TEXTS:
        here = sorted(folder.glob(names))
        assert here, f"no {names} in {folder}"
        found += here
    return found


def modules() -> list[Path]:
    found = []
    for folder in CODE:
        here = sorted(folder.rglob("*.py"))
        assert here, f"no modules in {folder}"
        found += here
    return found


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def strings(source: str) -> Iterator[tuple[int, str]]:
    """Every string of a module, docstrings too, and its line. In f-strings, `_` stands for each value."""
    tree = ast.parse(source)
    passed_over = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            pieces = [piece for piece in node.values if isinstance(piece, ast.Constant)]
            passed_over.update(pieces)
            yield node.lineno, "".join(str(p.value) if p in pieces else "_" for p in node.values)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in passed_over:
            yield node.lineno, node.value


def comments(source: str) -> Iterator[tuple[int, str]]:
    """Every comment of a module with its line; lines that follow each other are one comment."""
    before, first, text = -1, -1, ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            line = token.start[0]
            if line != before + 1:
                yield first, text
                first, text = line, ""
            before, text = line, f"{text} {token.string.lstrip('#')}"
    yield first, text


def faults(text: str) -> list[str]:
    """The phrases that occur in a text. Lines are joined first: a phrase may be broken over two."""
    joined = " ".join(text.split())
    return [found[0] for pattern in PATTERNS.values() if (found := pattern.search(joined))]


@pytest.mark.parametrize("path", texts(), ids=name)
def test_no_text_has_a_phrase_that_sounds_translated(path: Path) -> None:
    assert faults(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", modules(), ids=name)
def test_no_string_or_comment_of_the_program_has_a_phrase_that_sounds_translated(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    found = [*strings(source), *comments(source)]
    assert {line: wrong for line, text in found if (wrong := faults(text))} == {}


@pytest.mark.parametrize(("phrase", "sentence"), PHRASES.items(), ids=PHRASES.values())
def test_each_phrase_is_found_where_it_is_broken_over_lines(phrase: str, sentence: str) -> None:
    found = PATTERNS[phrase].search(sentence)
    assert found is not None
    assert found[0] in faults("So:\n" + sentence.replace(" ", "\n  "))


def test_strings_and_comments_are_read_in_full() -> None:
    module = '''
"""A docstring: anew."""
PLAIN = "choose " "anew"  # drawn by
# lot

# again
def say(name: str) -> str:
    """By lot."""
    return f"{name} has nothing to {name!r:>{len('colour')}} decide" + str({"key": "grey"})
'''
    found = [text for _, text in strings(module)]
    assert {"A docstring: anew.", "By lot.", "choose anew", "_ has nothing to _ decide"} <= set(found)
    assert {"key", "grey", "colour"} <= set(found)
    assert [(line, text.split()) for line, text in comments(module) if text] == [
        (3, ["drawn", "by", "lot"]),
        (6, ["again"]),
    ]
