"""Exercise: matrix multiplication in three loops.

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
