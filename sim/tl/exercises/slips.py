"""Well-known mistakes in the kernel exercises: what each does to the solution, and what to say of it."""

from sim.tl.exercises.records import Slip

MASKS = ", mask=mask"


def _one(name: str, before: str, after: str, sentence: str) -> Slip:
    return Slip(name, sentence, ((before, after),))


ADD = (
    _one("no mask", MASKS, "", "lanes past N reach outside of the arrays; mask both loads and the store with i < N"),
    Slip(
        "loads without mask",
        "lanes past N read outside of x and y; nothing of that is stored, so it shows in the report only",
        (("x_ptr + i, mask=mask", "x_ptr + i"), ("y_ptr + i, mask=mask", "y_ptr + i")),
    ),
    _one(
        "store without mask", "x + y, mask=mask", "x + y", "lanes past N write outside of out; mask the store as well"
    ),
    _one(
        "mask one too long", "i < N", "i <= N", "element N does not exist; the last one is N - 1, so the test is i < N"
    ),
    _one("mask one too short", "i < N", "i < N - 1", "the last element, N - 1, is masked; the test is i < N"),
    _one(
        "mask by lane, not by element",
        "i < N",
        "tl.arange(0, BLOCK) < N",
        "the mask compares the number of the lane with N; it has to be the number of the element, i",
    ),
    _one(
        "mask turned round",
        "i < N",
        "i >= N",
        "the mask is on where it should be off; it says which lanes may load and store",
    ),
    _one(
        "program number left out",
        "program * BLOCK + ",
        "",
        "every program adds the first BLOCK elements; program p begins at p * BLOCK",
    ),
    _one(
        "program number without BLOCK",
        "program * BLOCK",
        "program",
        "a program begins one element after the one before it, so that they overlap; it has to be BLOCK elements",
    ),
    _one(
        "program number times N", "program * BLOCK", "program * N", "only program 0 begins inside; use program * BLOCK"
    ),
    _one("nothing stored", "    tl.store(out_ptr + i, x + y, mask=mask)\n", "", "no program stores anything in out"),
    _one("x added to itself", "tl.load(y_ptr", "tl.load(x_ptr", "both loads read x"),
    _one("subtracted", "x + y", "x - y", "y is taken away; it has to be added"),
    _one("multiplied", "x + y", "x * y", "the elements are multiplied; they have to be added"),
    _one("stored over x", "tl.store(out_ptr", "tl.store(x_ptr", "the sums are stored in x, and nobody writes out"),
    _one("y left out", "x + y", "x", "x is stored as it was loaded; y has to be added"),
)

WHOLE_MASK = "mask = (rows[:, None] < M) & (cols[None, :] < N)"
TILE = (
    _one("no mask", ", mask=mask, other=0.0", "", "lanes outside of A are loaded: other elements, or none"),
    _one(
        "no mask on columns",
        WHOLE_MASK,
        "mask = (rows[:, None] < M) & (cols[None, :] >= 0)",
        "columns from N on are not masked: they are the first elements of the next row",
    ),
    _one(
        "no mask on rows",
        WHOLE_MASK,
        "mask = (rows[:, None] >= 0) & (cols[None, :] < N)",
        "rows from M on are not masked: they lie behind the end of A",
    ),
    _one(
        "guard with | for &",
        ") & (",
        ") | (",
        "a lane is let through when one of the two conditions holds; both must, which is &",
    ),
    _one(
        "other left off",
        ", other=0.0",
        "",
        "masked lanes are undefined; that they hold 0 here and on today's GPUs is nobody's promise",
    ),
    _one("masked lanes hold 1", "other=0.0", "other=1.0", "masked lanes are filled with 1; they must hold 0"),
    _one("mask one too long", "< N)", "<= N)", "column N does not exist; the last one is N - 1"),
    _one("rows and columns of the mask exchanged", WHOLE_MASK, "mask = (rows[:, None] < N) & (cols[None, :] < M)",
         "rows are compared with N and columns with M"),
    _one("row stride M", "rows[:, None] * N", "rows[:, None] * M", "a row of A has N elements, not M"),
    _one("row stride BN", "rows[:, None] * N", "rows[:, None] * BN", "a row of A has N elements, not BN"),
    _one("no row stride", "rows[:, None] * N + cols", "rows[:, None] + cols", "the next row begins N elements later"),
    _one("A read by columns", "a_ptr + rows[:, None] * N + cols[None, :]", "a_ptr + cols[None, :] * M + rows[:, None]",
         "A lies row by row: row * N + col"),
    _one(
        "every program loads the first tile",
        "a_ptr + rows[:, None] * N + cols[None, :]",
        "a_ptr + tl.arange(0, BM)[:, None] * N + tl.arange(0, BN)[None, :]",
        "the addresses do not depend on the program; its rows and columns do",
    ),
    _one("nothing loaded", "tl.load(a_ptr + rows[:, None] * N + cols[None, :], mask=mask, other=0.0)",
         "tl.zeros((BM, BN), dtype=tl.float32)", "the tile is still all zeros"),
)  # fmt: skip

A_MASK = "a_mask = (rows[:, None] < M) & (k[None, :] < K)"
B_MASK = "b_mask = (k[:, None] < K) & (cols[None, :] < N)"
OPEN_A = "a_mask = (rows[:, None] < M) & (k[None, :] >= 0)"
OPEN_B = "b_mask = (k[:, None] >= 0) & (cols[None, :] < N)"
LOOP_BODY = f"""\
    for phase in range(tl.cdiv(K, BK)):
        k = phase * BK + tl.arange(0, BK)
        {A_MASK}
        {B_MASK}
        a = tl.load(a_ptr + rows[:, None] * K + k[None, :], mask=a_mask, other=0.0)
        b = tl.load(b_ptr + k[:, None] * N + cols[None, :], mask=b_mask, other=0.0)
        acc = tl.dot(a, b, acc)
"""
LOOP = (
    _one(
        "accumulator zeroed in each phase",
        "        k = phase",
        "        acc = tl.zeros((BM, BN), dtype=tl.float32)\n        k = phase",
        "acc is set to zero inside the loop, so that only the last phase is left",
    ),
    _one("accumulator replaced by each phase", "tl.dot(a, b, acc)", "tl.dot(a, b)",
         "each phase replaces the sum of the phases before it; tl.dot(a, b, acc) adds to it"),
    _one("accumulator added twice", "acc = tl.dot(a, b, acc)", "acc += tl.dot(a, b, acc)",
         "tl.dot(a, b, acc) holds acc already; adding it to acc counts the phases before twice"),
    _one("only the first phase", "range(tl.cdiv(K, BK))", "range(1)", "the loop ends after its first turn"),
    _one("shorter last phase left out", "tl.cdiv(K, BK)", "K // BK",
         "K // BK counts full phases only; what is left over needs a phase of its own: tl.cdiv(K, BK)"),
    _one("last phase left out", "tl.cdiv(K, BK)", "tl.cdiv(K, BK) - 1", "the loop ends one turn early"),
    _one("every phase the same", "phase * BK + tl.arange", "tl.arange",
         "k does not depend on the phase, so that the first BK are added again and again"),
    _one("phases overlap", "phase * BK +", "phase +",
         "a phase begins one index after the one before it; it has to be BK indices"),
    Slip("no K mask", "k past K is not masked: in A it reaches the next row, in B it lies behind the end",
         ((A_MASK, OPEN_A), (B_MASK, OPEN_B))),
    _one("no K mask on A", A_MASK, OPEN_A,
         "k past K reaches the next row of A; zeros of B hide it, but behind the last row there is nothing to reach"),
    _one("no K mask on B", B_MASK, OPEN_B, "k past K lies behind the end of B; zeros of A hide what it holds"),
    _one("no mask on rows", A_MASK, "a_mask = (rows[:, None] >= 0) & (k[None, :] < K)",
         "rows from M on lie behind the end of A; the store masks them, the load has to as well"),
    _one("no mask on columns", B_MASK, "b_mask = (k[:, None] < K) & (cols[None, :] >= 0)",
         "columns from N on are the next row of B, or nothing; the store masks them, the load has to as well"),
    _one("other left off", ", other=0.0", "",
         "masked lanes are undefined and are multiplied and added; that they hold 0 today is nobody's promise"),
    _one("row stride of A wrong", "rows[:, None] * K", "rows[:, None] * N", "a row of A has K elements, not N"),
    _one("row stride of B wrong", "k[:, None] * N", "k[:, None] * K", "a row of B has N elements, not K"),
    _one("no loop", LOOP_BODY, "", "acc is stored as it was made, all zeros"),
)  # fmt: skip

ORDER = (
    Slip("row-major order", "GROUP_M plays no part; this is the order for GROUP_M = 1",
         (("first + place % group_rows", "program // tiles_n"), ("place // group_rows", "program % tiles_n"))),
    Slip("column-major order", "programs walk down all rows of tiles, not only GROUP_M of them",
         (("first + place % group_rows", "program % tiles_m"), ("place // group_rows", "program // tiles_m"))),
    _one("place not made local", "place = program % in_group", "place = program",
         "the place counts from the first program of all; in a group it counts from the group's own first"),
    _one("last group not shortened", "min(tiles_m - first, GROUP_M)", "GROUP_M",
         "the last group may have fewer rows of tiles: min(tiles_m - first, GROUP_M)"),
    _one("older formula", "first + place % group_rows", "first + program % group_rows",
         "the remainder is taken of the program's number, not of its place: another order in a short last group"),
    _one("first row of the group left out", "first + place", "place", "every group begins in row 0 again"),
    _one("groups of columns", "GROUP_M * tiles_n", "GROUP_M * tiles_m",
         "a group has GROUP_M rows of tiles_n tiles; tiles_m is how many rows there are"),
    _one("row and column exchanged", "row_tile * tiles_n + col_tile", "col_tile * tiles_n + row_tile",
         "the number is stored at [col_tile, row_tile]"),
    _one("columns rounded down", "tl.cdiv(N, BN)", "N // BN",
         "N // BN counts full tiles only; the last column is left out"),
    _one("rows rounded down", "tl.cdiv(M, BM)", "M // BM", "M // BM counts full tiles only; the last row is left out"),
    _one("group by program", "group = program // in_group", "group = program // GROUP_M",
         "a group has GROUP_M * tiles_n programs, not GROUP_M"),
)  # fmt: skip
