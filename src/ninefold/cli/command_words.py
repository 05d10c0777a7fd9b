"""The words and letters of the commands at a prompt."""

from __future__ import annotations

LETTERS = {"?": "help", "h": "hint", "e": "eval", "u": "undo", "b": "board", "r": "rules", "q": "quit"}

# In the order in which help lists them.
PURPOSES = {
    "help": "show this list",
    "hint": "the best move, and why",
    "eval": "who is winning",
    "undo": "take back the last turn",
    "board": "show the position again",
    "rules": "the rules of this game",
    "stop": "offer to stop; nobody wins then",
    "resign": "resign this game",
    "quit": "leave; the match is saved",
}

# What help says instead about a command that would be refused.
NOT_NOW = "not possible now"
OFF = "off in this game"


def command_word(typed: str) -> str:
    """The command that a letter or a word stands for; any other text comes back in lower case."""
    word = typed.strip().lower()
    return "quit" if word == "exit" else LETTERS.get(word, word)


def letter_of(word: str) -> str:
    """The letter of a command; empty if it has none."""
    return next((letter for letter, named in LETTERS.items() if named == word), "")
