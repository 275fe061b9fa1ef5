"""C = A x B in tiles, in plain Python: one program after another, each in its K phases, every input load counted.

Run it:    python tiled_matmul_python.py
Needs:     Python 3.10 or newer, nothing else.

    python tiled_matmul_python.py M N K BM BN BK     A is M x K, B is K x N; sizes from 1 to 64

On a GPU the programs run side by side and each works on its whole tile at once. Here everything is a loop. It takes no
times: how long loops take in Python says nothing about a GPU.
Exit status: 0 right, 1 wrong result, 2 bad arguments.
"""

import sys

# %% The tiled product


def tiled_matmul(a, b, BM, BN, BK):
    """C, what the first program held after each K phase, and how many elements of A and of B were loaded."""
    M, K, N = len(a), len(b), len(b[0])
    c = [[None] * N for _ in range(M)]
    history, loads_a, loads_b = [], 0, 0
    for top in range(0, M, BM):  # one program for each tile of C
        for left in range(0, N, BN):
            rows = range(top, min(top + BM, M))  # the last tile may be shorter: a mask, on a GPU
            cols = range(left, min(left + BN, N))
            total = [[0 for _ in cols] for _ in rows]  # set to zero once, before the first phase
            for start in range(0, K, BK):  # the K phases
                inner = range(start, min(start + BK, K))
                a_tile = [[a[r][k] for k in inner] for r in rows]
                b_tile = [[b[k][col] for col in cols] for k in inner]
                loads_a += len(rows) * len(inner)
                loads_b += len(inner) * len(cols)
                for r in range(len(rows)):
                    for col in range(len(cols)):
                        for k in range(len(inner)):
                            total[r][col] += a_tile[r][k] * b_tile[k][col]
                if top == left == 0:
                    history.append([list(row) for row in total])
            for r in rows:
                for col in cols:
                    c[r][col] = total[r - top][col - left]
    return c, history, loads_a, loads_b


# %% Inputs, and the three loops that it is compared with


def inputs(M, N, K):
    """A and B: small, and different in rows and columns, so that a swapped index shows."""
    a = [[(3 * r + 5 * k + r * k) % 11 - 5 for k in range(K)] for r in range(M)]
    b = [[(7 * k + 2 * col + k * col) % 13 - 6 for col in range(N)] for k in range(K)]
    return a, b


def matmul(a, b):
    """C in three loops."""
    return [[sum(row[k] * b[k][col] for k in range(len(b))) for col in range(len(b[0]))] for row in a]


# %% Run it, and check the result


def stop(status, sentence):
    """End with a status and one sentence."""
    print(f"tiled_matmul_python: {sentence}", file=sys.stderr)
    sys.exit(status)


def sizes(arguments, names, high):
    """Whole numbers from 1 to `high`."""
    for name, text in zip(names, arguments, strict=True):
        if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= high):
            stop(2, f"{name}: given {text!r}; allowed: a whole number from 1 to {high}")
    return [int(text) for text in arguments]


def main(arguments):
    """Multiply, compare with three loops, print what was counted; the exit status."""
    names = ("M", "N", "K", "BM", "BN", "BK")
    if len(arguments) not in (0, 6):
        stop(2, "usage: python tiled_matmul_python.py M N K BM BN BK   (each 1 to 64)")
    M, N, K, BM, BN, BK = sizes(arguments or ["5", "7", "5", "2", "3", "2"], names, 64)
    a, b = inputs(M, N, K)
    c, history, loads_a, loads_b = tiled_matmul(a, b, BM, BN, BK)

    tiles_m, tiles_n = -(-M // BM), -(-N // BN)
    print(f"C is {M} x {N} in tiles of {BM} x {BN}; K is {K} in phases of {BK}.")
    print(f"programs: {tiles_m * tiles_n} ({tiles_m} x {tiles_n})")
    print(f"K phases of each program: {len(history)}")
    for phase, tile in enumerate(history):
        print(f"program (0, 0) after phase {phase}: {tile}")
    print(f"input loads: {loads_a + loads_b} ({loads_a} of A, {loads_b} of B)")
    print(f"input loads of separate outputs: {2 * M * N * K}")
    if c != matmul(a, b):
        stop(1, "C differs from what three loops give.")
    print("C is what three loops give.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
