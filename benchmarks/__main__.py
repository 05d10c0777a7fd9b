"""All benchmarks, one after the other: `make bench`.

python -m benchmarks [a Python that has the peers, which the Makefile installs]
"""

from __future__ import annotations

from benchmarks import (
    arena,
    attack,
    computer,
    environments,
    matrix,
    page,
    plumbing,
    server,
    solve_shadow,
    workers,
)

for title, main in (
    ("Exact matrix games against scipy", matrix.main),
    ("Shadow solved, against OpenSpiel's tic-tac-toe", solve_shadow.main),
    ("The computer as an opponent", computer.main),
    ("Environments and batched play, against peers", environments.main),
    ("The server under load, against boardgame.io", server.main),
    ("The server's own plumbing, against libraries'", plumbing.main),
    ("The server on PostgreSQL, as one process and as two", workers.main),
    ("The server while one client asks for a lot", attack.main),
    ("A move from browser to browser, while others play", page.main),
    ("Contests in batches, one by one, and over workers", arena.main),
):
    print(f"== {title}")
    main()
    print()
