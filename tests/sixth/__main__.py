"""`python -m tests.sixth`: the program with a sixth game in it."""

import sys

import tests.sixth.register  # noqa: F401
from ninefold.commands import main

sys.exit(main())
