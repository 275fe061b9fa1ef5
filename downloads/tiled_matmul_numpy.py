"""C = A x B in tiles, with NumPy: a slice is a tile, and @ multiplies two of them.

Run it:    python tiled_matmul_numpy.py
Needs:     Python 3.10 or newer and NumPy (pip install numpy).

    python tiled_matmul_numpy.py M N K BM BN BK     A is M x K, B is K x N; sizes from 1 to 1024

Slices end at the edge of a matrix by themselves, so the last tile is shorter. On a GPU it keeps its size, and a mask
does that work. The program takes no times: NumPy has a faster way, a @ b, and neither says anything about a GPU.
Exit status: 0 right, 1 wrong result, 2 bad arguments, 3 cannot run here (no NumPy).
"""

import sys


def stop(status, sentence):
    """End with a status and one sentence."""
    print(f"tiled_matmul_numpy: {sentence}", file=sys.stderr)
    sys.exit(status)


try:
    import numpy
except ImportError:
    stop(3, "NumPy is missing. This program needs: pip install numpy")

# %% The tiled product


def tiled_matmul(a, b, BM, BN, BK):
    """C, what the first program held after each K phase, and how many elements of A and of B were loaded."""
    (M, K), N = a.shape, b.shape[1]
    c = numpy.empty((M, N), dtype=a.dtype)
    history, loads_a, loads_b = [], 0, 0
    for top in range(0, M, BM):  # one program for each tile of C
        for left in range(0, N, BN):
            rows, cols = slice(top, top + BM), slice(left, left + BN)
            total = numpy.zeros_like(c[rows, cols])  # set to zero once, before the first phase
            for start in range(0, K, BK):  # the K phases
                inner = slice(start, start + BK)
                a_tile, b_tile = a[rows, inner], b[inner, cols]
                loads_a += a_tile.size
                loads_b += b_tile.size
                total += a_tile @ b_tile
                if top == left == 0:
                    history.append(total.tolist())
            c[rows, cols] = total
    return c, history, loads_a, loads_b


# %% Inputs


def inputs(M, N, K):
    """A and B as integers: small, and different in rows and columns, so that a swapped index shows."""
    r, k = numpy.indices((M, K))
    a = (3 * r + 5 * k + r * k) % 11 - 5
    k, col = numpy.indices((K, N))
    return a, (7 * k + 2 * col + k * col) % 13 - 6


# %% Run it, and check the result


def sizes(arguments, names, high):
    """Whole numbers from 1 to `high`."""
    for name, text in zip(names, arguments, strict=True):
        if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= high):
            stop(2, f"{name}: given {text!r}; allowed: a whole number from 1 to {high}")
    return [int(text) for text in arguments]


def main(arguments):
    """Multiply, compare with a @ b, print what was counted; the exit status."""
    names = ("M", "N", "K", "BM", "BN", "BK")
    if len(arguments) not in (0, 6):
        stop(2, "usage: python tiled_matmul_numpy.py M N K BM BN BK   (each 1 to 1024)")
    M, N, K, BM, BN, BK = sizes(arguments or ["5", "7", "5", "2", "3", "2"], names, 1024)
    a, b = inputs(M, N, K)
    c, history, loads_a, loads_b = tiled_matmul(a, b, BM, BN, BK)

    tiles_m, tiles_n = -(-M // BM), -(-N // BN)
    print(f"C is {M} x {N} in tiles of {BM} x {BN}; K is {K} in phases of {BK}. NumPy {numpy.__version__}.")
    print(f"programs: {tiles_m * tiles_n} ({tiles_m} x {tiles_n})")
    print(f"K phases of each program: {len(history)}")
    for phase, tile in enumerate(history) if BM * BN <= 64 else ():
        print(f"program (0, 0) after phase {phase}: {tile}")
    print(f"input loads: {loads_a + loads_b} ({loads_a} of A, {loads_b} of B)")
    print(f"input loads of separate outputs: {2 * M * N * K}")
    if not numpy.array_equal(c, a @ b):
        stop(1, "C differs from a @ b.")
    print("C is what a @ b gives.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
