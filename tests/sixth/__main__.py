"""`python -m tests.sixth`: the program with two more games in it."""

import sys

import tests.sixth.register  # noqa: F401
from ninefold.commands import main

sys.exit(main())
