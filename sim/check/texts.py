"""The texts of the exercises: task, starter, hints from gentle to plain, and a solution."""

MATMUL_TASK = (
    "Write matmul(a, b) with three loops. a is A [M, K] and b is B [K, N], both as lists of rows; "
    "return C [M, N] as a new list of rows. Every size is at least 1."
)
MATMUL_STARTER = '''"""Exercise: matrix multiplication in three loops.

Write the body of matmul. a is A [M, K] and b is B [K, N], both as lists of rows, such as
[[1, 2, 3], [4, 5, 6]] for two rows of three. Return C [M, N] as a new list of rows; leave a and b
as they are. Every size is at least 1. Output C[i][j] is the sum of a[i][k] * b[k][j] over all k.

Try it:    python matmul_exercise.py
Check it:  python -m sim check matmul matmul_exercise.py   (in the folder that holds sim)
Needs:     Python 3.11 or newer, nothing else.
"""


def matmul(a, b):
    """Put your loops here: one over the rows of C, one over its columns, one over K. Then return C."""


if __name__ == "__main__":
    print(matmul([[1, 2, 3], [4, 5, 6]], [[7, 8], [9, 10], [11, 12]]))
    print("should be [[58, 64], [139, 154]]")
'''
MATMUL_HINTS = (
    "Lists are read row by row: a[i] is row i of A, and a[i][k] its element k. "
    "Three sizes matter: M = len(a), K = len(b), N = len(b[0]). Which of your loops uses which?",
    "Think of one output first. C[0][0] of the example is 1*7 + 2*9 + 3*11: a row of A walks to the right "
    "while a column of B walks down. One loop over k adds these products to a sum that starts at 0.",
    "Now put that loop into two others: i over the rows of A, j over the columns of B. The sum has to start at 0 "
    "again for every output, so its first line stands inside both, but before the loop over k.",
    "Make the rows of C one at a time: row = [] before the loop over j, row.append(total) in it, "
    "C.append(row) after it. ([[0] * N] * M looks shorter, but all of its rows are one and the same list.)",
)
MATMUL_SOLUTION = '''"""A solution of the exercise: matrix multiplication in three loops.

Run it:    python matmul_solution.py
Check it:  python -m sim check matmul matmul_solution.py   (in the folder that holds sim)
Needs:     Python 3.11 or newer, nothing else.
"""


# region matmul
def matmul(a, b):
    """C [M, N] of A [M, K] and B [K, N], all as lists of rows."""
    M, K, N = len(a), len(b), len(b[0])
    c = []
    for i in range(M):
        row = []
        for j in range(N):
            total = 0
            for k in range(K):
                total += a[i][k] * b[k][j]
            row.append(total)
        c.append(row)
    return c


# endregion matmul


if __name__ == "__main__":
    print(matmul([[1, 2, 3], [4, 5, 6]], [[7, 8], [9, 10], [11, 12]]))
    print("should be [[58, 64], [139, 154]]")
'''

RANGES_TASK = (
    "Write tile_ranges(size, width): cut the indices 0 to size - 1 into ranges of width; the last may be shorter. "
    "Return a list of (start, stop) pairs, half-open: stop is the first index that is outside. Size 0 gives []."
)
RANGES_STARTER = """def tile_ranges(size, width):
    ranges = []
    # tile_ranges(7, 3) is [(0, 3), (3, 6), (6, 7)].
    return ranges
"""
RANGES_HINTS = (
    "Where does each range start? For size 7 and width 3: at 0, 3 and 6. range() can count in steps.",
    "A range stops where the next one starts, start + width. What about the last one?",
    "min(start + width, size) is never past the end. A size of 0 needs no rule of its own: the loop never turns.",
)
RANGES_SOLUTION = """def tile_ranges(size, width):
    ranges = []
    for start in range(0, size, width):
        ranges.append((start, min(start + width, size)))
    return ranges
"""

TILED_TASK = (
    "Write tiled_matmul(a, b, BM, BN, BK): the product of A [M, K] and B [K, N], one output tile of BM rows and "
    "BN columns at a time, and within a tile one K phase of BK at a time. Tiles at the edges may be shorter."
)
TILED_STARTER = """def tiled_matmul(a, b, BM, BN, BK):
    M, K, N = len(a), len(b), len(b[0])
    c = [[0] * N for _ in range(M)]
    for i in range(0, M, BM):
        for j in range(0, N, BN):
            # One program: its tile of C starts at row i and column j.
            # Walk through K in phases of BK and add what each phase gives to an accumulator.
            # At the end, store the accumulator in c.
            pass
    return c
"""
TILED_HINTS = (
    "A program needs an accumulator with one number for each of its outputs. It is made once, "
    "before the first K phase, and holds zeros.",
    "A phase covers the K indices from start to min(start + BK, K). In each phase every output of the tile adds "
    "its products of these indices. With BK = 2 the toy product gets 25 in the first phase and 33 in the second.",
    "The tile covers rows i to min(i + BM, M) and columns j to min(j + BN, N): at the edges it is shorter. "
    "Index the accumulator from 0: element [row - i][column - j].",
)
TILED_SOLUTION = """def tiled_matmul(a, b, BM, BN, BK):
    M, K, N = len(a), len(b), len(b[0])
    c = [[0] * N for _ in range(M)]
    for i in range(0, M, BM):
        for j in range(0, N, BN):
            rows = range(i, min(i + BM, M))
            columns = range(j, min(j + BN, N))
            accumulator = [[0] * len(columns) for _ in rows]
            for start in range(0, K, BK):
                for row in rows:
                    for column in columns:
                        for k in range(start, min(start + BK, K)):
                            accumulator[row - i][column - j] += a[row][k] * b[k][column]
            for row in rows:
                for column in columns:
                    c[row][column] = accumulator[row - i][column - j]
    return c
"""
