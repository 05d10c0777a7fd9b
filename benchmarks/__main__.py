"""All benchmarks, one after the other: `make bench`."""

from __future__ import annotations

from benchmarks import computer, matrix, solve_shadow

for title, main in (
    ("Exact matrix games against scipy", matrix.main),
    ("Shadow solved, against OpenSpiel's tic-tac-toe", solve_shadow.main),
    ("The computer as an opponent", computer.main),
):
    print(f"== {title}")
    main()
    print()
