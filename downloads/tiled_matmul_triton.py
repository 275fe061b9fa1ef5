"""C = A x B in Triton: the teaching kernel of the lab, with a main that checks it, counts for it and times it.

Run it:    python tiled_matmul_triton.py                       with an NVIDIA GPU
Without:   TRITON_INTERPRET=1 python tiled_matmul_triton.py    on a CPU, in Triton's interpreter; nothing is timed
Needs:     Python 3.10 or newer, PyTorch, Triton and NumPy (pip install torch triton numpy), on Linux or in WSL.

    python tiled_matmul_triton.py M N K [BM BN BK [GROUP_M]]

A is M x K and B is K x N, in float16, each size from 1 to 8192; BM, BN and BK are powers of two from 16 to 256.
Without arguments a ragged product of 127 x 255 x 65 is checked, and with a GPU one of 4096 x 4096 x 4096 is checked and
timed.

The numbers in A and B are small and whole, so every sum is exact in the kernel's float32 accumulator, and C must be
equal to a product in float64, element by element, after rounding to float16.
Exit status: 0 right, 1 wrong result, 2 bad arguments, 3 cannot run here (no PyTorch, no Triton or no GPU, for one).
"""

import sys


def stop(status, sentence):
    """End with a status and one sentence."""
    print(f"tiled_matmul_triton: {sentence}", file=sys.stderr)
    sys.exit(status)


try:
    import numpy  # noqa: F401  Triton's interpreter needs it
    import torch
    import triton
    import triton.language as tl  # noqa: F401
except ImportError as error:
    stop(3, f"{error.name or error} is missing. This program needs: pip install torch triton numpy (Linux or WSL)")

# %% The kernel
# One program owns one BM x BN tile of C and walks K in phases of BK. A, B and C are contiguous, row by row.

from gpu.teaching import matmul_kernel  # noqa: E402  The build puts the kernel's own text in the place of this line.

# %% What the model counts


def counts(M, N, K, BM, BN, BK):
    """(programs, K phases of each, elements of A loaded, elements of B loaded); masked lanes are not loaded."""
    tiles_m, tiles_n, phases = -(-M // BM), -(-N // BN), -(-K // BK)
    return tiles_m * tiles_n, phases, M * K * tiles_n, K * N * tiles_m


def tell_counts(M, N, K, BM, BN, BK, GROUP_M):
    """Print them."""
    programs, phases, loads_a, loads_b = counts(M, N, K, BM, BN, BK)
    print(f"C is {M} x {N} in tiles of {BM} x {BN}; K is {K} in phases of {BK}; GROUP_M is {GROUP_M}.")
    print(f"programs: {programs}")
    print(f"K phases of each program: {phases}")
    print(f"input loads: {loads_a + loads_b} ({loads_a} of A, {loads_b} of B)")
    print(f"input loads of separate outputs: {2 * M * N * K}")


# %% Run it, and check the result


def inputs(M, N, K, device):
    """A [M, K] and B [K, N]: whole, small, and different in rows and columns, so that a swapped index shows."""
    r, k, col = (torch.arange(size, device=device, dtype=torch.int32) for size in (M, K, N))
    r, col = r[:, None], col[None, :]
    a = (3 * r + 5 * k + r * k) % 11 - 5
    b = (7 * k[:, None] + 2 * col + k[:, None] * col) % 13 - 6
    return a.half(), b.half()


def launch(a, b, c, BM, BN, BK, GROUP_M):
    """One launch of the kernel: C is written."""
    (M, K), N = a.shape, b.shape[1]
    programs = counts(M, N, K, BM, BN, BK)[0]
    warps = 8 if BM * BN >= 128 * 128 else 4
    matmul_kernel[(programs,)](a, b, c, M, N, K, BM=BM, BN=BN, BK=BK, GROUP_M=GROUP_M, num_warps=warps, num_stages=3)


def check(a, b, *tiles):
    """Run the kernel and compare; C."""
    c = torch.full((a.shape[0], b.shape[1]), float("nan"), dtype=torch.float16, device=a.device)
    try:
        launch(a, b, c, *tiles)
        if a.is_cuda:
            torch.cuda.synchronize()
    except Exception as error:  # whatever Triton or the driver has to say, a reader gets it as a sentence
        stop(3, f"the kernel did not run here: {' '.join(str(error).split())[:300]}")
    expected = (a.double() @ b.double()).half()
    wrong = int((c != expected).sum())  # a NaN, an output that nobody wrote, differs from everything
    if wrong:
        stop(1, f"{wrong} of {c.numel()} outputs differ from the product in float64.")
    print(f"C is right: all {c.numel()} outputs are equal to the product in float64, rounded to float16.")
    return c


# %% Time it, where there is a GPU


def tell_times(a, b, c, *tiles, repeats=100):
    """Print the median time of a launch, this kernel's and torch's in turns, both with warm caches."""
    launches = {"this kernel": lambda: launch(a, b, c, *tiles), "torch.mm": lambda: torch.mm(a, b, out=c)}
    for _ in range(20):  # the first launches compile, choose and warm up
        for work in launches.values():
            work()
    events = {name: [] for name in launches}
    for _ in range(repeats):
        for name, work in launches.items():
            start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            start.record()
            work()
            end.record()
            events[name].append((start, end))
    torch.cuda.synchronize()
    medians = {}
    for name, pairs in events.items():
        times = sorted(start.elapsed_time(end) for start, end in pairs)
        low, medians[name], high = (times[repeats * quarter // 4] for quarter in (1, 2, 3))
        print(f"{name}: median {medians[name]:.3f} ms, quartiles {low:.3f} and {high:.3f}, {repeats} launches")
    print(f"torch's time over this kernel's: {medians['torch.mm'] / medians['this kernel']:.2f}")
    print(f"Timed on {torch.cuda.get_device_name()}: float16 in and out, caches warm, launch included. A product that")
    print("takes less than about 0.1 ms is mostly launch.")


# %% The whole program


def numbers(arguments):
    """M, N, K, BM, BN, BK, GROUP_M of the command line."""
    names = ("M", "N", "K", "BM", "BN", "BK", "GROUP_M")
    for name, text in zip(names, arguments, strict=False):
        value = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
        if name.startswith("B"):
            if value not in (16, 32, 64, 128, 256):
                stop(2, f"{name}: given {text!r}; allowed: 16, 32, 64, 128, 256")
        elif not 1 <= value <= 8192:
            stop(2, f"{name}: given {text!r}; allowed: a whole number from 1 to 8192")
    return [int(text) for text in arguments]


def main(arguments):
    """Check, and time where there is a GPU; the exit status."""
    if len(arguments) not in (0, 3, 6, 7):
        stop(2, "usage: python tiled_matmul_triton.py M N K [BM BN BK [GROUP_M]]")
    given = numbers(arguments)
    interpreted = type(matmul_kernel).__name__ == "InterpretedFunction"
    if not interpreted and not torch.cuda.is_available():
        stop(3, "PyTorch finds no NVIDIA GPU here. To run on the CPU, in Triton's interpreter, set TRITON_INTERPRET=1.")
    device = "cpu" if interpreted else "cuda"
    where = "the CPU, in Triton's interpreter (TRITON_INTERPRET=1)" if interpreted else torch.cuda.get_device_name()
    print(f"Running on {where}; torch {torch.__version__}, triton {triton.__version__}.")
    cases = [[*given, *[32, 32, 32, 8][len(given) - 3 :]]] if given else [[127, 255, 65, 32, 32, 32, 8]]
    if not given and not interpreted:
        edge = 128 if torch.cuda.get_device_capability() >= (8, 0) else 64  # older GPUs lack the units for wide tiles
        cases.append([4096, 4096, 4096, edge, edge, 32, 8])
    for M, N, K, *tiles in cases:
        tell_counts(M, N, K, *tiles)
        try:
            a, b = inputs(M, N, K, device)
            c = check(a, b, *tiles)
            if not interpreted and (given or M == 4096):
                tell_times(a, b, c, *tiles)
        except torch.cuda.OutOfMemoryError:
            stop(3, f"there is no room for {M} x {N} x {K} in the GPU's memory. Take smaller sizes, or free some.")
    if interpreted:
        print("Nothing was timed: how long the interpreter takes says nothing about a GPU.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
