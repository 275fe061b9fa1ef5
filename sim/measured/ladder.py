"""The ladder's kernels by name, in their order, each with what it adds to the one before."""

LADDER = {
    "separate": "one program, one output",
    "tiled": "one program, one tile of C; row-major order",
    "grouped": "GROUP_M = 8",
    "autotuned": "the fastest of a list of tiles, tried on the machine",
    "hinted": "sizes counted in eights, so that loads are wide",
    "descriptors": "the tensor memory accelerator (TMA) brings the tiles",
    "persistent": "one program a multiprocessor, many tiles each",
    "specialised": "one warp loads, the others multiply",
    "split_k": "several programs share a tile of C",
    "split_specialised": "both of the last two",
    "thin": "for few rows of A",
    "row": "for one row of A",
    "packed": "rows are copied to aligned places first",
    "aligned": "rows that start alike go together",
    "transposed": "for TF32: B is transposed first",
    "best": "the rung that a table names for the shape",
}
