"""The texts of the kernel exercises: task, starter, hints from gentle to plain, and a solution."""

HEAD = "import triton\nimport triton.language as tl\n\n\n@triton.jit\n"

ADD_TASK = (
    "Write add_kernel: out[i] = x[i] + y[i] for every i below N. Each program adds BLOCK elements, and BLOCK is a "
    "power of two. N need not be a multiple of BLOCK, so the last program has lanes that belong to no element.\n\n"
    "Load and store through pointers: tl.load(x_ptr + i, mask=…), tl.store(out_ptr + i, value, mask=…). "
    "tl.arange(0, BLOCK) is the tile of the numbers 0 to BLOCK - 1."
)
ADD_STARTER = (
    HEAD
    + '''def add_kernel(x_ptr, y_ptr, out_ptr, N, BLOCK: tl.constexpr):
    """out[i] = x[i] + y[i] for every i below N; each program adds BLOCK elements."""
    program = tl.program_id(0)
    # Which elements are this program's? Which of them lie below N?
    # Load them from x and from y, add them, and store the sums in out.
'''
)
ADD_HINTS = (
    "Program 0 adds the elements 0 to BLOCK - 1, program 1 those from BLOCK on. Where does program p begin?",
    "i = program * BLOCK + tl.arange(0, BLOCK) is the tile of this program's element numbers. All loads and the store "
    "use it: x_ptr + i is a tile of addresses.",
    "The last block may run past the end. mask = i < N says which lanes do not; give it to both loads and the store.",
    "A masked lane of a load is undefined unless other=… says otherwise. That does no harm here, because the same mask "
    "keeps it from being stored.",
)
ADD_SOLUTION = (
    HEAD
    + '''def add_kernel(x_ptr, y_ptr, out_ptr, N, BLOCK: tl.constexpr):
    """out[i] = x[i] + y[i] for every i below N; each program adds BLOCK elements."""
    program = tl.program_id(0)
    i = program * BLOCK + tl.arange(0, BLOCK)
    mask = i < N
    x = tl.load(x_ptr + i, mask=mask)
    y = tl.load(y_ptr + i, mask=mask)
    tl.store(out_ptr + i, x + y, mask=mask)
'''
)

TILE_TASK = (
    "Write the load of tile_kernel. A has shape [M, N] and lies row by row. The program at (row_tile, col_tile) loads "
    "the BM × BN tile that starts at row row_tile · BM and column col_tile · BN. Lanes outside of A must hold 0: they "
    "are stored as well, since out has room for whole tiles."
)
TILE_STARTER = (
    HEAD
    + '''def tile_kernel(a_ptr, out_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    """out is A, filled up with zeros to whole tiles of BM x BN; each program makes one tile of it."""
    row_tile = tl.program_id(0)
    col_tile = tl.program_id(1)
    rows = row_tile * BM + tl.arange(0, BM)
    cols = col_tile * BN + tl.arange(0, BN)
    # Load the tile of A at these rows and columns, 0 where they lie outside.
    tile = tl.zeros((BM, BN), dtype=tl.float32)
    width = tl.num_programs(1) * BN  # a row of out
    tl.store(out_ptr + rows[:, None] * width + cols[None, :], tile)
'''
)
TILE_HINTS = (
    "Where does element (row, col) of A lie? A row has N elements, so it is row * N + col elements behind the first.",
    "rows[:, None] is a column and cols[None, :] a row. Put together they are broadcast to a whole tile: "
    "a_ptr + rows[:, None] * N + cols[None, :] has BM × BN addresses.",
    "The mask is made the same way, of two conditions that must both hold: rows below M, columns below N. Join them "
    "with &, each in parentheses.",
    "A masked lane is undefined unless other says what it holds: tl.load(…, mask=mask, other=0.0).",
)
TILE_SOLUTION = (
    HEAD
    + '''def tile_kernel(a_ptr, out_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    """out is A, filled up with zeros to whole tiles of BM x BN; each program makes one tile of it."""
    row_tile = tl.program_id(0)
    col_tile = tl.program_id(1)
    rows = row_tile * BM + tl.arange(0, BM)
    cols = col_tile * BN + tl.arange(0, BN)
    mask = (rows[:, None] < M) & (cols[None, :] < N)
    tile = tl.load(a_ptr + rows[:, None] * N + cols[None, :], mask=mask, other=0.0)
    width = tl.num_programs(1) * BN  # a row of out
    tl.store(out_ptr + rows[:, None] * width + cols[None, :], tile)
'''
)

LOOP_TASK = (
    "Write the loop of loop_kernel: C [M, N] = A [M, K] · B [K, N], one BM × BN tile a program, in K phases of BK. "
    "Each phase loads a BM × BK tile of A and a BK × BN tile of B and adds their product to acc. "
    "M, N and K need not be multiples of the tile. BK is at least 16, which tl.dot needs; A and B are float16."
)
LOOP_STARTER = (
    HEAD
    + '''def loop_kernel(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """C = A @ B; one program, one BM x BN tile of C, in K phases of BK."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    # Walk through K: load a tile of A and a tile of B, and add their product to acc with tl.dot(a, b, acc).
    c_mask = (rows[:, None] < M) & (cols[None, :] < N)
    tl.store(c_ptr + rows[:, None] * N + cols[None, :], acc, mask=c_mask)
'''
)
LOOP_HINTS = (
    "How many phases are there? K / BK, rounded up: range(tl.cdiv(K, BK)).",
    "In phase p the inner indices are k = p * BK + tl.arange(0, BK). The tile of A has rows[:, None] and k[None, :], "
    "that of B k[:, None] and cols[None, :].",
    "A's rows are K elements long and B's are N: a_ptr + rows[:, None] * K + k[None, :], "
    "b_ptr + k[:, None] * N + cols[None, :].",
    "Two masks a phase: rows below M and k below K for A, k below K and cols below N for B; other=0.0 in both, because "
    "what a masked lane holds is multiplied and added. Last line of the loop: acc = tl.dot(a, b, acc).",
)
LOOP_SOLUTION = (
    HEAD
    + '''def loop_kernel(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """C = A @ B; one program, one BM x BN tile of C, in K phases of BK."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for phase in range(tl.cdiv(K, BK)):
        k = phase * BK + tl.arange(0, BK)
        a_mask = (rows[:, None] < M) & (k[None, :] < K)
        b_mask = (k[:, None] < K) & (cols[None, :] < N)
        a = tl.load(a_ptr + rows[:, None] * K + k[None, :], mask=a_mask, other=0.0)
        b = tl.load(b_ptr + k[:, None] * N + cols[None, :], mask=b_mask, other=0.0)
        acc = tl.dot(a, b, acc)
    c_mask = (rows[:, None] < M) & (cols[None, :] < N)
    tl.store(c_ptr + rows[:, None] * N + cols[None, :], acc, mask=c_mask)
'''
)

ORDER_TASK = (
    "Write the grouped order. The tiles of C form a grid of cdiv(M, BM) rows and cdiv(N, BN) columns. Take GROUP_M "
    "rows of tiles as a group: programs walk down the rows of a group before they move one column to the right, and a "
    "group is finished before the next one begins. The last group may have fewer rows.\n\n"
    "Each program writes its own number into owner[row_tile, col_tile]. The starter is row-major order, which is right "
    "for GROUP_M = 1 only."
)
ORDER_STARTER = (
    HEAD
    + '''def order_kernel(owner_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr, GROUP_M: tl.constexpr):
    """owner[i, j] is the program that owns tile (i, j): down GROUP_M rows of tiles, then one column to the right."""
    program = tl.program_id(0)
    tiles_m = tl.cdiv(M, BM)
    tiles_n = tl.cdiv(N, BN)
    # Row-major order; make it walk down GROUP_M rows of tiles first.
    row_tile = program // tiles_n
    col_tile = program % tiles_n
    tl.store(owner_ptr + row_tile * tiles_n + col_tile, program)
'''
)
ORDER_HINTS = (
    "Draw 3 × 2 tiles and number them for GROUP_M = 2. Programs 0 and 1 stand one above the other; where is program 2?",
    "A whole group has GROUP_M * tiles_n programs. Divide the program's number by that: the quotient is the group, "
    "the remainder its place in the group.",
    "The group begins in row first = group * GROUP_M. It has group_rows = min(tiles_m - first, GROUP_M) rows, fewer in "
    "the last one.",
    "Inside the group, going down is fastest: row_tile = first + place % group_rows, col_tile = place // group_rows.",
)
ORDER_SOLUTION = (
    HEAD
    + '''def order_kernel(owner_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr, GROUP_M: tl.constexpr):
    """owner[i, j] is the program that owns tile (i, j): down GROUP_M rows of tiles, then one column to the right."""
    program = tl.program_id(0)
    tiles_m = tl.cdiv(M, BM)
    tiles_n = tl.cdiv(N, BN)
    in_group = GROUP_M * tiles_n
    group = program // in_group
    first = group * GROUP_M
    group_rows = min(tiles_m - first, GROUP_M)
    place = program % in_group
    row_tile = first + place % group_rows
    col_tile = place // group_rows
    tl.store(owner_ptr + row_tile * tiles_n + col_tile, program)
'''
)
