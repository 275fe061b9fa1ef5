"""Loops with something wrong in them: the parts of the wrong models of ``matmul``."""

from collections.abc import Callable, Iterable
from typing import Any

Grid = list[list[Any]]
Term = Callable[[int, int, int], Any]


def sizes(a: Grid, b: Grid) -> tuple[int, int, int]:
    """(M, N, K) of A and B."""
    return len(a), len(b[0]), len(b)


def filled(m: int, n: int, inner: Iterable[int], term: Term) -> Grid:
    """M rows of N sums of ``term(row, column, inner)`` over ``inner``."""
    steps = tuple(inner)
    return [[total(term(i, j, k) for k in steps) for j in range(n)] for i in range(m)]


def total(values: Iterable[Any]) -> Any:
    """Their sum, added one by one."""
    so_far = 0
    for value in values:
        so_far += value
    return so_far


def usual(a: Grid, b: Grid, inner: Callable[[int], range] = range) -> Grid:
    """The right product, or over other K indices: ``inner`` gives them for K."""
    m, n, k = sizes(a, b)
    return filled(m, n, inner(k), lambda i, j, x: a[i][x] * b[x][j])


def with_term(a: Grid, b: Grid, term: Term) -> Grid:
    """Right sizes, another term."""
    m, n, k = sizes(a, b)
    return filled(m, n, range(k), term)


def shared(a: Grid, b: Grid, add: bool) -> Grid:
    """All rows are one list, written (or added) to."""
    m, n, k = sizes(a, b)
    rows = [[0] * n] * m
    for i in range(m):
        for j in range(n):
            value = total(a[i][x] * b[x][j] for x in range(k))
            rows[i][j] = rows[i][j] + value if add else value
    return rows


def running(a: Grid, b: Grid, each_row: bool) -> Grid:
    """The sum goes on from output to output."""
    m, n, k = sizes(a, b)
    so_far = 0
    rows = []
    for i in range(m):
        so_far = 0 if each_row else so_far
        row = []
        for j in range(n):
            for x in range(k):
                so_far += a[i][x] * b[x][j]
            row.append(so_far)
        rows.append(row)
    return rows


def stored_turned(a: Grid, b: Grid) -> Grid:
    """C[i][j] is stored as C[j][i]."""
    m, n, _ = sizes(a, b)
    right = usual(a, b)
    rows = [[0] * n for _ in range(m)]
    for i in range(m):
        for j in range(n):
            rows[j][i] = right[i][j]
    return rows


def sized(m: int, n: int, k: int, a: Grid, b: Grid) -> Grid:
    """Right terms, other sizes."""
    return filled(m, n, range(k), lambda i, j, x: a[i][x] * b[x][j])


def reversed_product(a: Grid, b: Grid) -> Grid:
    """B @ A."""
    return filled(len(b), len(a[0]), range(len(b[0])), lambda i, j, x: b[i][x] * a[x][j])


def elementwise(a: Grid, b: Grid) -> Grid:
    """Products of elements in the same place."""
    return [[a[i][j] * b[i][j] for j in range(len(a[0]))] for i in range(len(a))]


def early(a: Grid, b: Grid, rows: int, columns: int, filled: bool) -> Grid:
    """Only the first rows and columns are computed."""
    right = usual(a, b)
    if not filled:
        return [row[:columns] for row in right[:rows]]
    return [[value if i < rows and j < columns else 0 for j, value in enumerate(row)] for i, row in enumerate(right)]


def each(a: Grid, b: Grid, change: Callable[[Any], Any]) -> Grid:
    """Every output of the right product, changed."""
    return [[change(value) for value in row] for row in usual(a, b)]
