"""`ninefold completion SHELL`: print a script that lets a shell complete our commands.

The scripts call `ninefold --complete` with the words typed so far. The candidates come from the parser
that reads the command line, for all shells alike. A last line `:files` says that a file fits, too.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence

from ninefold.games import GAMES, VARIANTS
from ninefold.store.files.matches import Matches, OnlineMatches

SCRIPTS = {
    "bash": """\
_ninefold() {
    local IFS=$'\\n' found word
    found=$(ninefold --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
    case $found in *:files) compopt -o default 2>/dev/null; found=${found%:files} ;; esac
    COMPREPLY=()
    for word in $found; do COMPREPLY+=("$(printf %q "$word")"); done
}
complete -F _ninefold ninefold
""",
    "zsh": """\
#compdef ninefold
_ninefold() {
    local -a found
    found=(${(f)"$(ninefold --complete "${(@)words[2,CURRENT]}" 2>/dev/null)"})
    if [[ $found[-1] == :files ]]; then shift -p found; _files; fi
    compadd -a found
}
compdef _ninefold ninefold
""",
    "fish": """\
function __ninefold_words
    ninefold --complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null
end
complete -c ninefold -f -a '(__ninefold_words | string match -v :files)'
complete -c ninefold -n '__ninefold_words | string match -q :files' -F
""",
}

EPILOG = """\
examples:
  ninefold completion bash > ~/.local/share/bash-completion/completions/ninefold
  ninefold completion zsh > "${fpath[1]}/_ninefold"
  ninefold completion fish > ~/.config/fish/completions/ninefold.fish
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EPILOG
    parser.add_argument("shell", choices=tuple(SCRIPTS), metavar="SHELL", help=", ".join(SCRIPTS))


def run(arguments: argparse.Namespace) -> int:
    print(SCRIPTS[arguments.shell], end="")
    return 0


def complete(
    words: list[str],
    commands: Sequence[str],
    build_parser: Callable[[str | None], argparse.ArgumentParser],
) -> list[str]:
    """The words that the last one, which may be empty, can be completed to."""
    *before, last = words or [""]
    command = next((word for word in before if word in commands), None)
    parser = build_parser(command)
    found = [] if command else list(commands)
    if command:
        subparsers = next(a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
        parser = subparsers.choices[command]
    flags = {flag: action for action in parser._actions for flag in action.option_strings}
    flag_before = flags.get(before[-1]) if before else None
    files = False
    if flag_before is not None and _takes_value(flag_before):
        found, files = _values(flag_before), _takes_file(flag_before)
    elif last.startswith("-"):
        found = list(flags)
    elif command:
        typed = before[before.index(command) + 1 :]
        given = [
            word
            for previous, word in zip([command, *typed], typed, strict=False)
            if not word.startswith("-") and not _takes_value(flags.get(previous))
        ]
        positional = [a for a in parser._actions if not a.option_strings]
        if len(given) < len(positional):
            found, files = _values(positional[len(given)]), _takes_file(positional[len(given)])
    return [*(word for word in found if word.startswith(last)), *([":files"] if files else [])]


def _takes_file(action: argparse.Action) -> bool:
    return action.metavar in ("FILE", "MATCH")


def _takes_value(action: argparse.Action | None) -> bool:
    return action is not None and action.nargs != 0


def _values(action: argparse.Action) -> list[str]:
    match action.metavar:
        case "GAME":
            return list(GAMES | VARIANTS)
        case "ID":  # of a match to resume
            return [entry.id for entry in Matches().entries() if entry.unfinished]
        case "MATCH":
            return [entry.id for entry in (*Matches().entries(), *OnlineMatches().entries())]
        case "SHELL":
            return list(SCRIPTS)
        case "PLAYER":
            from ninefold.players import LEVELS, PERSON

            graded = [f"{kind}:{n}" for kind in ("level", "sight") for n in LEVELS]
            return [PERSON, "random", "greedy", *graded, "perfect"]
        case _ if action.dest in ("task", "theme", "grade"):
            from ninefold.core.puzzles import POSED, Theme
            from ninefold.study.puzzles.tasks import GRADES

            kinds: dict[str, Iterable[object]] = {"task": POSED, "theme": Theme, "grade": GRADES}
            return [str(one) for one in kinds[action.dest]]
        case _:
            return list(action.choices or ())
