"""All benchmarks, one after the other: `make bench`.

python -m benchmarks [a Python that has the peers: the Makefile says which]
"""

from __future__ import annotations

from benchmarks import computer, environments, matrix, page, server, solve_shadow

for title, main in (
    ("Exact matrix games against scipy", matrix.main),
    ("Shadow solved, against OpenSpiel's tic-tac-toe", solve_shadow.main),
    ("The computer as an opponent", computer.main),
    ("Environments and batched play, against peers", environments.main),
    ("The server under load, against boardgame.io", server.main),
    ("A move from browser to browser, while others play", page.main),
):
    print(f"== {title}")
    main()
    print()
