"""`sim` against Triton: the same products, loads, order and partial sums, on the CPU interpreter and on a GPU."""
