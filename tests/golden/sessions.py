"""The golden sessions: a file a game, with what is typed, what the rule book prints, and all we print.

    $ play battle --grid 792415863          the command
    < 0 1                                   a line that is typed
    = Initial Grid:                         a line of the rule book's sample session
    ---
    the whole output

In `own` are sessions in our own voice, which no book prints. A match's id, which differs, is shown as ID.

`python -m tests.golden.sessions` writes the outputs again; look at the difference before you keep it.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent
OWN = FOLDER / "own"


@dataclass(frozen=True)
class Session:
    command: str
    typed: list[str]
    book: list[str]
    output: str

    def run(self, program: str = "ninefold") -> str:
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [sys.executable, "-m", program, *shlex.split(self.command)],
                input="".join(f"{line}\n" for line in self.typed),
                capture_output=True,
                text=True,
                env={**os.environ, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder},
                timeout=60,
                check=False,
            )
        return re.sub(r"(?<=ninefold review )\w+", "ID", done.stdout)


def read(path: Path) -> Session:
    head, _, output = path.read_text(encoding="utf-8").partition("---\n")
    lines = head.splitlines()
    return Session(
        command=next(line[2:] for line in lines if line.startswith("$ ")),
        typed=[line[2:] for line in lines if line.startswith("< ")],
        book=[line[2:] for line in lines if line.startswith("= ")],
        output=output,
    )


def main() -> None:
    for path in sorted([*FOLDER.glob("*.txt"), *OWN.glob("*.txt")]):
        head, mark, _ = path.read_text(encoding="utf-8").partition("---\n")
        path.write_text(head + (mark or "---\n") + read(path).run(), encoding="utf-8")


if __name__ == "__main__":
    main()
