"""A solution of the exercise: matrix multiplication in three loops.

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
