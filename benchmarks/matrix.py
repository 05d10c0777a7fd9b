"""5x5 matrix games per second: exact, in integers, against scipy's linprog in floats.

python -m benchmarks.matrix
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from random import Random
from time import perf_counter
from typing import Any

from ninefold.analysis.matrix import Matrix, certificate, solve

SIDE = 5


def games(count: int, rng: Random) -> list[list[list[int]]]:
    """Random games without a saddle point, which would make them trivial."""
    found: list[list[list[int]]] = []
    while len(found) < count:
        matrix = [[rng.randint(0, 1000) for _ in range(SIDE)] for _ in range(SIDE)]
        if max(map(min, matrix)) < min(map(max, zip(*matrix, strict=True))):
            found.append(matrix)
    return found


def linear_program(linprog: Callable[..., Any], matrix: Matrix) -> float:
    """The value of the game: the largest v that some mixture of rows gets from every column."""
    columns = list(zip(*matrix, strict=True))
    found = linprog(
        c=[0] * len(matrix) + [-1],
        A_ub=[[-entry for entry in column] + [1] for column in columns],
        b_ub=[0] * len(columns),
        A_eq=[[1] * len(matrix) + [0]],
        b_eq=[1],
        bounds=[(0, None)] * len(matrix) + [(None, None)],
    )
    return float(-found.fun)


def rate(work: Callable[[Matrix], object], matrices: Iterable[Matrix]) -> float:
    """Games per second."""
    count = 0
    began = perf_counter()
    for matrix in matrices:
        work(matrix)
        count += 1
    return count / (perf_counter() - began)


def run(count: int = 5000, peer_count: int = 500, seed: int = 1) -> dict[str, float | int | None]:
    """Games per second of both, and the ratio; None for the peer if scipy is not installed."""
    matrices = games(count, Random(seed))
    for matrix in matrices[:peer_count]:
        assert certificate(matrix, solve(matrix))
    ours = rate(solve, matrices)
    checked = rate(lambda matrix: certificate(matrix, solve(matrix)), matrices)
    result: dict[str, float | int | None] = {
        "games": count,
        "exact_per_second": ours,
        "exact_with_certificate_per_second": checked,
        "linprog_per_second": None,
        "ratio": None,
        "largest_difference": None,
    }
    try:
        linprog = import_module("scipy.optimize").linprog
    except ImportError:
        return result
    linear_program(linprog, matrices[0])
    peer = rate(lambda matrix: linear_program(linprog, matrix), matrices[:peer_count])
    differences = []
    for matrix in matrices[:peer_count]:
        solution = solve(matrix)
        differences.append(abs(linear_program(linprog, matrix) - solution.value / solution.total))
    return result | {
        "linprog_per_second": peer,
        "ratio": ours / peer,
        "largest_difference": max(differences),
    }


def main() -> None:
    found = run()
    print(f"exact                  {found['exact_per_second']:10,.0f} games/s")
    print(f"exact, and certified   {found['exact_with_certificate_per_second']:10,.0f} games/s")
    if found["ratio"] is None:
        print("To compare with scipy.optimize.linprog, install scipy.")
        return
    print(f"scipy.optimize.linprog {found['linprog_per_second']:10,.0f} games/s")
    print(f"ratio                  {found['ratio']:10.1f}")
    print(f"largest difference of values {found['largest_difference']:.1e}")


if __name__ == "__main__":
    main()
