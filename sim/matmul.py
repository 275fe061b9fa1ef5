"""Matrix multiplication in three loops, and the products of one output, one step each.

Elements are Python integers, so every sum is exact at any size. Decimals are integers in
disguise: ``inputs.Operand`` says how many decimal places they carry.
"""

from collections.abc import Sequence
from dataclasses import dataclass

Matrix = Sequence[Sequence[int]]
Rows = tuple[tuple[int, ...], ...]


def shape(matrix: Matrix) -> tuple[int, int]:
    """(rows, columns). An empty matrix is (0, 0)."""
    return len(matrix), len(matrix[0]) if matrix else 0


def matmul(a: Matrix, b: Matrix) -> Rows:
    """C [M, N] of A [M, K] and B [K, N], in plain loops. Exact.

    Raises ValueError when A's columns and B's rows differ in number.
    """
    check_inner(a, b)
    (m, k), (_, n) = shape(a), shape(b)
    result = []
    for row in range(m):
        out = []
        for column in range(n):
            total = 0
            for inner in range(k):
                total += a[row][inner] * b[inner][column]
            out.append(total)
        result.append(tuple(out))
    return tuple(result)


def check_inner(a: Matrix, b: Matrix) -> None:
    """Raise ValueError unless A [M, K] and B [K, N] share K."""
    (m, k), (rows_b, n) = shape(a), shape(b)
    if k != rows_b:
        raise ValueError(
            f"A has shape [{m}, {k}] and B has shape [{rows_b}, {n}]; B needs as many rows as A has columns, {k}"
        )


@dataclass(frozen=True)
class Product:
    """One step of an output: a pair of inputs, their product, and the running sum after it."""

    k: int
    a: int
    b: int
    product: int
    partial: int


def products(a: Matrix, b: Matrix, row: int, column: int) -> tuple[Product, ...]:
    """The K products of C[row, column], in the order k = 0, 1, …, each with the running sum."""
    check_inner(a, b)
    steps = []
    partial = 0
    for k in range(len(b)):
        product = a[row][k] * b[k][column]
        partial += product
        steps.append(Product(k, a[row][k], b[k][column], product, partial))
    return tuple(steps)


def transpose(matrix: Matrix) -> Rows:
    """Rows become columns: an [M, N] matrix gives an [N, M] one."""
    rows, columns = shape(matrix)
    return tuple(tuple(matrix[row][column] for row in range(rows)) for column in range(columns))
