"""Rung 2, tiled: the teaching kernel with GROUP_M = 1 and one fixed tile.

One program owns BM x BN of C; each loaded element of A serves BN outputs and each element of B serves BM outputs, so
the loads fall from 2 * M * N * K to about M * N * K * (1/BN + 1/BM), and tl.dot can use the matrix instruction.

float32 in IEEE precision has no matrix instruction: tl.dot becomes ordinary multiply-adds, and on large
shapes of the stored H200 run the best of all rungs stays about a tenth behind torch, whatever else it does well.

Next: the programs that run together read the same few row tiles but ever new column tiles; order them better.
"""

import torch
import triton

from gpu import checks
from gpu.ladder.plan import Config, Launch, Plan, Rung, never
from gpu.teaching import matmul_kernel

FIXED: Config = {"BM": 128, "BN": 128, "BK": 32, "GROUP_M": 1, "num_warps": 4, "num_stages": 4}


def prepare(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, config: Config, precision: str) -> Plan:
    """The teaching kernel, a program for each tile of C."""
    (M, K), N = a.shape, b.shape[1]
    programs = triton.cdiv(M, config["BM"]) * triton.cdiv(N, config["BN"])
    constants = {**config, "INPUT_PRECISION": precision, "WIDE_OFFSETS": checks.wide_offsets(M, N, K)}
    return Plan((Launch(matmul_kernel, programs, (a, b, c, M, N, K), constants),))


RUNG = Rung("tiled", "one program, one tile of C; row-major order", prepare, FIXED, never)
