// tiled_matmul.cu: C = A x B for N x N matrices, twice: each output on its own, and in T x T tiles.
//
// Build and run (one command; any CUDA toolkit from 9 on; an NVIDIA GPU is needed to run, not to build):
//
//     nvcc -o tiled_matmul tiled_matmul.cu && ./tiled_matmul 8 4
//
// If it says that there is no kernel image for your GPU, name the GPU to nvcc: for an H200 add -arch=sm_90.
//
//     tiled_matmul N T            the tiled kernel: blocks of T x T threads that share their inputs
//     tiled_matmul N T separate   the separate-output kernel, also in blocks of T x T threads, sharing nothing
//     tiled_matmul N T KERNEL R   the same, then R more launches, each timed
//
// N is 1 to 2048, T is 1 to 32, and N need not be a multiple of T. Without R the kernel is launched once, so
// what a profiler or a simulator counts is that one launch.
//
// In both kernels one thread owns one output. What differs is how often an input is loaded from global memory:
// 2 N^3 times in all for separate outputs, 2 N^3 / T for tiles when T divides N. "Input loads" are elements asked
// for by threads, not memory transactions and not time: caches and coalescing come after them.
//
// Every printed line starts with RESULT. The result is checked on the CPU, exactly: all values are small integers.
// Exit status: 0 right, 1 wrong result, 2 bad arguments, 3 CUDA error (no GPU, for one).

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

// A and B are row-major, N x N. One thread reads a whole row of A and a whole column of B: 2 N loads.
__global__ void matmul_separate(const float *A, const float *B, float *C, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;  // the last blocks hang over the edge when T does not divide N
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += A[row * n + k] * B[k * n + col];
  C[row * n + col] = sum;
}

// A block of T x T threads owns a T x T tile of C and walks K in phases of T. In a phase each thread loads one
// element of A and one of B, and the block uses each of them T times.
// A thread outside C must not return early: the others wait for it at the barriers, and its loads are theirs.
__global__ void matmul_tiled(const float *A, const float *B, float *C, int n) {
  extern __shared__ float shared[];  // 2 T^2 floats, given at launch
  const int T = blockDim.x;
  float *a = shared;          // T x T, row-major: this phase's tile of A
  float *b = shared + T * T;  // T x T, row-major: this phase's tile of B
  int ty = threadIdx.y, tx = threadIdx.x;
  int row = blockIdx.y * T + ty;
  int col = blockIdx.x * T + tx;
  float sum = 0.0f;
  for (int start = 0; start < n; start += T) {
    int a_col = start + tx, b_row = start + ty;
    // Outside the matrix nothing is loaded and a zero stands in: it adds nothing to a sum.
    a[ty * T + tx] = (row < n && a_col < n) ? A[row * n + a_col] : 0.0f;
    b[ty * T + tx] = (b_row < n && col < n) ? B[b_row * n + col] : 0.0f;
    __syncthreads();  // protects the reads below: no thread uses a tile before every thread has stored its part
    for (int k = 0; k < T; ++k) sum += a[ty * T + k] * b[k * T + tx];
    __syncthreads();  // protects the next phase's stores: no tile is overwritten while a thread still reads it
  }
  if (row < n && col < n) C[row * n + col] = sum;
}

static void check(cudaError_t code, const char *what) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "tiled_matmul: %s failed: %s (error %d)\n", what, cudaGetErrorString(code), (int)code);
  std::exit(3);
}

// Small, different in rows and columns and not symmetric, so that a swapped index or a lost phase shows.
static int input_a(int row, int k) { return (3 * row + 5 * k + row * k) % 11 - 5; }
static int input_b(int k, int col) { return (7 * k + 2 * col + k * col) % 13 - 6; }

struct Run {
  int n, tile, repeats;
  bool tiled;
};

static void launch(const Run &run, const float *A, const float *B, float *C) {
  int blocks = (run.n + run.tile - 1) / run.tile;
  dim3 grid(blocks, blocks), block(run.tile, run.tile);
  if (run.tiled) {
    size_t shared_bytes = 2 * sizeof(float) * run.tile * run.tile;
    matmul_tiled<<<grid, block, shared_bytes>>>(A, B, C, run.n);
  } else {
    matmul_separate<<<grid, block>>>(A, B, C, run.n);
  }
  check(cudaGetLastError(), "the kernel's launch");
}

// How many input elements the model says the launch loads. Each element of A is loaded once for every column of
// tiles, each of B once for every row of tiles; a separate output is a tile of one.
static long long model_loads(const Run &run) {
  long long n = run.n, tiles = run.tiled ? (n + run.tile - 1) / run.tile : n;
  return 2 * n * n * tiles;
}

static std::vector<int> expected_product(int n) {
  std::vector<int> product((size_t)n * n, 0);
  for (int row = 0; row < n; ++row)
    for (int k = 0; k < n; ++k) {
      int a = input_a(row, k);
      for (int col = 0; col < n; ++col) product[(size_t)row * n + col] += a * input_b(k, col);
    }
  return product;
}

static size_t count_wrong(const std::vector<float> &C, const std::vector<int> &expected) {
  size_t wrong = 0;
  for (size_t i = 0; i < C.size(); ++i)
    if (!(C[i] == (float)expected[i])) ++wrong;  // written so that a NaN counts as wrong
  return wrong;
}

// Each launch has its own pair of events; the caches are warm, as the launch before left them.
static std::vector<float> time_launches(const Run &run, const float *A, const float *B, float *C) {
  cudaEvent_t start, stop;
  check(cudaEventCreate(&start), "cudaEventCreate");
  check(cudaEventCreate(&stop), "cudaEventCreate");
  std::vector<float> times_ms(run.repeats);
  for (int i = 0; i < run.repeats; ++i) {
    check(cudaEventRecord(start), "cudaEventRecord");
    launch(run, A, B, C);
    check(cudaEventRecord(stop), "cudaEventRecord");
    check(cudaEventSynchronize(stop), "a timed launch");
    check(cudaEventElapsedTime(&times_ms[i], start, stop), "cudaEventElapsedTime");
  }
  check(cudaEventDestroy(start), "cudaEventDestroy");
  check(cudaEventDestroy(stop), "cudaEventDestroy");
  std::sort(times_ms.begin(), times_ms.end());
  return times_ms;
}

// A whole number from low to high, or an end with a sentence that says what was given and what is allowed.
static int whole_number(const char *name, const char *text, int low, int high) {
  char *end = 0;
  long value = std::strtol(text, &end, 10);
  if (end == text || *end != '\0' || value < low || value > high) {
    std::fprintf(stderr, "tiled_matmul: %s: given '%s'; allowed: a whole number from %d to %d\n", name, text, low,
                 high);
    std::exit(2);
  }
  return (int)value;
}

static Run parse(int argc, char **argv) {
  if (argc < 3 || argc > 5) {
    std::fprintf(stderr, "usage: tiled_matmul N T [separate|tiled] [REPEATS]   (N 1 to 2048, T 1 to 32)\n");
    std::exit(2);
  }
  Run run;
  run.n = whole_number("N", argv[1], 1, 2048);
  run.tile = whole_number("T", argv[2], 1, 32);
  const char *kernel = argc > 3 ? argv[3] : "tiled";
  run.tiled = std::strcmp(kernel, "tiled") == 0;
  if (!run.tiled && std::strcmp(kernel, "separate") != 0) {
    std::fprintf(stderr, "tiled_matmul: kernel: given '%s'; allowed: separate, tiled\n", kernel);
    std::exit(2);
  }
  run.repeats = argc > 4 ? whole_number("REPEATS", argv[4], 0, 100000) : 0;
  return run;
}

static void require_gpu() {
  int devices = 0;
  cudaError_t code = cudaGetDeviceCount(&devices);
  if (code == cudaSuccess && devices > 0) return;
  std::fprintf(stderr, "tiled_matmul: this program needs an NVIDIA GPU and its driver, and can use none here: %s\n",
               code == cudaSuccess ? "no device found" : cudaGetErrorString(code));
  std::exit(3);
}

int main(int argc, char **argv) {
  Run run = parse(argc, argv);
  require_gpu();

  size_t count = (size_t)run.n * run.n, bytes = count * sizeof(float);
  std::vector<float> A(count), B(count), C(count);
  for (int i = 0; i < run.n; ++i)
    for (int j = 0; j < run.n; ++j) {
      A[(size_t)i * run.n + j] = (float)input_a(i, j);
      B[(size_t)i * run.n + j] = (float)input_b(i, j);
    }

  float *dA, *dB, *dC;
  check(cudaMalloc((void **)&dA, bytes), "cudaMalloc for A");
  check(cudaMalloc((void **)&dB, bytes), "cudaMalloc for B");
  check(cudaMalloc((void **)&dC, bytes), "cudaMalloc for C");
  check(cudaMemcpy(dA, &A[0], bytes, cudaMemcpyHostToDevice), "the copy of A to the GPU");
  check(cudaMemcpy(dB, &B[0], bytes, cudaMemcpyHostToDevice), "the copy of B to the GPU");
  check(cudaMemset(dC, 0xFF, bytes), "cudaMemset");  // all bits set is NaN: an output nobody writes shows

  launch(run, dA, dB, dC);
  check(cudaDeviceSynchronize(), "the kernel");
  std::vector<float> times_ms = time_launches(run, dA, dB, dC);
  check(cudaMemcpy(&C[0], dC, bytes, cudaMemcpyDeviceToHost), "the copy of C from the GPU");

  size_t wrong = count_wrong(C, expected_product(run.n));
  int blocks = (run.n + run.tile - 1) / run.tile;
  std::printf("RESULT n=%d tile=%d kernel=%s blocks=%dx%d threads_per_block=%d\n", run.n, run.tile,
              run.tiled ? "tiled" : "separate", blocks, blocks, run.tile * run.tile);
  std::printf("RESULT model_input_loads=%lld separate_input_loads=%lld\n", model_loads(run),
              2LL * run.n * run.n * run.n);
  if (run.repeats > 0)
    std::printf("RESULT launches=%d min_ms=%.6f first_quartile_ms=%.6f median_ms=%.6f third_quartile_ms=%.6f\n",
                run.repeats, times_ms[0], times_ms[run.repeats / 4], times_ms[run.repeats / 2],
                times_ms[(3 * run.repeats) / 4]);
  std::printf("RESULT wrong=%zu of %zu: %s\n", wrong, count, wrong ? "MISMATCH" : "OK");

  check(cudaFree(dA), "cudaFree");
  check(cudaFree(dB), "cudaFree");
  check(cudaFree(dC), "cudaFree");
  if (wrong) {
    std::fprintf(stderr, "tiled_matmul: %zu of %zu outputs differ from the CPU's product\n", wrong, count);
    return 1;
  }
  return 0;
}
