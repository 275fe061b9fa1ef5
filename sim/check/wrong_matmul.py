"""Well-known mistakes in ``matmul(a, b)``, each as a model that answers, or fails, as the mistake does."""

from collections.abc import Callable
from typing import Any

from sim.check.records import Case, Rows, Wrong
from sim.check.wrong_loops import (
    Grid,
    each,
    early,
    elementwise,
    filled,
    reversed_product,
    running,
    shared,
    sized,
    stored_turned,
    total,
    usual,
    with_term,
)
from sim.check.wrong_sizes import mixed_sizes


def wrong_matmuls() -> tuple[Wrong, ...]:
    """All models; several may share one name, as ways to make one mistake."""
    models = (*_SUMS, *_INDICES, *_SIZES, *mixed_sizes(), *_VALUES)
    return tuple(Wrong(name, _says(sentence), run) for name, sentence, run in models)


def _says(sentence: str) -> Callable[[Case, Rows | None], str]:
    return lambda case, got: sentence


_Table = tuple[tuple[str, str, Callable[[Grid, Grid], Any]], ...]
_LAST = "only the last of the K products is left"
_SUMS: _Table = (
    (
        "rows that share one list",
        "[[0] * N] * M repeats one list M times; make a new list for every row",
        lambda a, b: shared(a, b, False),
    ),
    (
        "rows that share one list",
        "[[0] * N] * M repeats one list M times, and all rows add into it; make a new list for every row",
        lambda a, b: shared(a, b, True),
    ),
    (
        "accumulator reset in the inner loop",
        f"{_LAST}: the sum is set to zero in every turn of the loop over K; set it once, before that loop",
        lambda a, b: usual(a, b, lambda k: range(k - 1, k)),
    ),
    (
        "result overwritten instead of added",
        f"{_LAST}: each product replaces the one before it (=); it has to be added (+=)",
        lambda a, b: usual(a, b, lambda k: range(k - 1, k)),
    ),
    (
        "accumulator never reset",
        "the sum is set to zero once, before all loops, so that every output contains all outputs before it",
        lambda a, b: running(a, b, False),
    ),
    (
        "accumulator reset once a row",
        "the sum is set to zero for each row of C, so that an output contains those to its left",
        lambda a, b: running(a, b, True),
    ),
    (
        "last K left out",
        "the loop over K ends one turn early; range(K) already ends at K - 1",
        lambda a, b: usual(a, b, lambda k: range(k - 1)),
    ),
    (
        "first K left out",
        "the loop over K starts at 1; the first product has index 0",
        lambda a, b: usual(a, b, lambda k: range(1, k)),
    ),
    (
        "only the first product",
        "the loop over K stops after its first turn; look for a return or break inside it",
        lambda a, b: usual(a, b, lambda k: range(min(1, k))),
    ),
)
_INDICES: _Table = (
    (
        "A transposed",
        "A is read as a[k][i]; its first index is the row, a[i][k]",
        lambda a, b: with_term(a, b, lambda i, j, x: a[x][i] * b[x][j]),
    ),
    (
        "B transposed",
        "B is read as b[j][k], a row of B where a column is needed; write b[k][j]",
        lambda a, b: with_term(a, b, lambda i, j, x: a[i][x] * b[j][x]),
    ),
    (
        "B transposed",
        "rows of A meet rows of B; a row of A has to meet a column of B, b[k][j] for all k",
        lambda a, b: [[total(x * y for x, y in zip(row, other, strict=False)) for other in b] for row in a],
    ),
    (
        "A and B transposed",
        "both are read as a[k][i] and b[j][k], as if the inner lists were columns; they are rows",
        lambda a, b: with_term(a, b, lambda i, j, x: a[x][i] * b[j][x]),
    ),
    (
        "A and B transposed",
        "the inner lists are read as columns; they are rows, so that a[i] is row i of A",
        lambda a, b: filled(len(a[0]), len(b), range(len(a)), lambda i, j, x: a[x][i] * b[j][x]),
    ),
    (
        "C transposed",
        "rows and columns of the result are exchanged; C[i][j] belongs to row i of A and column j of B",
        lambda a, b: [list(column) for column in zip(*usual(a, b), strict=True)],
    ),
    ("C transposed", "the result is stored as C[j][i]; row i of A belongs into row i of C, C[i][j]", stored_turned),
    ("B @ A", "rows of B meet columns of A; the order matters, and A comes first", reversed_product),
    (
        "element-wise product",
        "elements in the same place are multiplied; a row of A has to meet a whole column of B",
        elementwise,
    ),
    (
        "element-wise product",
        "elements in the same place are multiplied; a row of A has to meet a whole column of B",
        lambda a, b: [[x * y for x, y in zip(row, other, strict=False)] for row, other in zip(a, b, strict=False)],
    ),
)
_ROWS = "rows missing"
_SIZES: _Table = (
    (
        "sizes from the wrong matrix: M for N",
        "C gets as many columns as A has rows; N is the number of columns of B, len(b[0])",
        lambda a, b: sized(len(a), len(a), len(b), a, b),
    ),
    (
        "sizes from the wrong matrix: K for N",
        "C gets K columns, as from len(b) or len(a[0]); N is the number of columns of B, len(b[0])",
        lambda a, b: sized(len(a), len(b), len(b), a, b),
    ),
    (
        "sizes from the wrong matrix: K for M",
        "C gets K rows, as from len(b) or len(a[0]); M is the number of rows of A, len(a)",
        lambda a, b: sized(len(b), len(b[0]), len(b), a, b),
    ),
    (
        "sizes from the wrong matrix: N for M",
        "C gets as many rows as B has columns; M is the number of rows of A, len(a)",
        lambda a, b: sized(len(b[0]), len(b[0]), len(b), a, b),
    ),
    (
        "sizes from the wrong matrix: M for K",
        "the inner loop runs over the rows of A; K is the number of columns of A, len(a[0])",
        lambda a, b: sized(len(a), len(b[0]), len(a), a, b),
    ),
    (
        "sizes from the wrong matrix: N for K",
        "the inner loop runs over the columns of B; K is the number of rows of B, len(b)",
        lambda a, b: sized(len(a), len(b[0]), len(b[0]), a, b),
    ),
    (
        "sizes from the wrong matrix: M and N exchanged",
        "C gets N rows and M columns; M is len(a) and N is len(b[0])",
        lambda a, b: sized(len(b[0]), len(a), len(b), a, b),
    ),
    (_ROWS, "the function returns after the first row; return belongs behind the loops", lambda a, b: usual(a[:1], b)),
    (_ROWS, "the last row is left out; range(M) already ends at M - 1", lambda a, b: usual(a, b)[:-1]),
    (
        "rows left at zero",
        "only the first row is computed; return stands inside the loop over rows",
        lambda a, b: early(a, b, 1, len(b[0]), True),
    ),
    (
        "outputs left at zero",
        "only the first output is computed; return stands inside the loop over columns",
        lambda a, b: early(a, b, 1, 1, True),
    ),
    (
        "last row left out",
        "the last row stays zero; range(M) already ends at M - 1",
        lambda a, b: early(a, b, len(a) - 1, len(b[0]), True),
    ),
    (
        "last column left out",
        "the last column stays zero; range(N) already ends at N - 1",
        lambda a, b: early(a, b, len(a), len(b[0]) - 1, True),
    ),
    (
        "columns missing",
        "the last column is left out; range(N) already ends at N - 1",
        lambda a, b: early(a, b, len(a), len(b[0]) - 1, False),
    ),
    ("all zeros", "nothing is stored in the result", lambda a, b: [[0] * len(b[0]) for _ in a]),
)
_VALUES: _Table = (
    (
        "added, not multiplied",
        "the pairs are added; each pair is multiplied, and then the products are added",
        lambda a, b: with_term(a, b, lambda i, j, x: a[i][x] + b[x][j]),
    ),
    (
        "signs lost",
        "the products count as positive; a negative product makes the sum smaller",
        lambda a, b: with_term(a, b, lambda i, j, x: abs(a[i][x] * b[x][j])),
    ),
    (
        "rounded",
        "sums lose what stands behind the decimal point, as with int() or round(); elements need not be whole",
        lambda a, b: each(a, b, int),
    ),
    ("rounded", "sums are rounded by round(); elements need not be whole", lambda a, b: each(a, b, round)),
    (
        "rounded",
        "products lose what stands behind the decimal point before they are added; elements need not be whole",
        lambda a, b: with_term(a, b, lambda i, j, x: int(a[i][x] * b[x][j])),
    ),
    (
        "rounded",
        "elements lose what stands behind the decimal point before they are multiplied",
        lambda a, b: with_term(a, b, lambda i, j, x: int(a[i][x]) * int(b[x][j])),
    ),
    (
        "rounded",
        "sums are cut down by //; elements need not be whole",
        lambda a, b: each(a, b, lambda value: value // 1),
    ),
    (
        "mean instead of sum",
        "the sum is divided by K; nothing is divided in a matrix product",
        lambda a, b: each(a, b, lambda value: value / len(b)),
    ),
    (
        "mean instead of sum",
        "the sum is divided by K with //; nothing is divided in a matrix product",
        lambda a, b: each(a, b, lambda value: value // len(b)),
    ),
)
