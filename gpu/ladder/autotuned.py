"""Rung 4, autotuned: the teaching kernel with GROUP_M = 8 and the fastest of a list of tiles, tried on the machine
itself.

triton.autotune times every entry once for each new (M, N, K) and type, and remembers the winner.  That first call is
slow; the bench reports it apart.  A large tile reuses more and needs more registers and shared memory; a small one
makes more programs for small shapes.  Which wins is not something to guess.

Next: for a size like 1000 the loads are two bytes wide, because the compiler does not know better; see `hinted`.
"""

from typing import Any

import torch
import triton

from gpu import checks
from gpu.ladder import tiled
from gpu.ladder.plan import Config, Plan, Rung, never
from gpu.teaching import matmul_kernel

TILES = (
    # BM, BN, BK, num_warps, num_stages
    (128, 256, 64, 8, 3),
    (128, 128, 64, 4, 3),
    (128, 128, 32, 4, 4),
    (128, 64, 64, 4, 4),
    (64, 128, 64, 4, 4),
    (64, 64, 64, 4, 4),
    (32, 64, 64, 4, 4),
    (16, 64, 128, 4, 4),
    (16, 32, 128, 2, 3),
)


def configs(itemsize: int) -> list[Config]:
    """The tiles to try for elements of `itemsize` bytes; float32 halves BK, so that a tile has as many bytes.

    In float32 the largest tile is left out: without a matrix instruction its loop is unrolled for minutes.
    """
    shorter = itemsize // 2
    return [
        {"BM": BM, "BN": BN, "BK": BK // shorter, "GROUP_M": 8, "num_warps": warps, "num_stages": stages}
        for BM, BN, BK, warps, stages in TILES
        if BM * BN * shorter <= 2**15
    ]


def tuned_kernel(itemsize: int) -> Any:
    """The teaching kernel under triton.autotune; it keeps its own record of winners, so make one and keep it."""
    configs_to_try = [
        triton.Config(
            {key: config[key] for key in ("BM", "BN", "BK", "GROUP_M")},
            num_warps=config["num_warps"],
            num_stages=config["num_stages"],
        )
        for config in configs(itemsize)
    ]
    return triton.autotune(configs=configs_to_try, key=["M", "N", "K", "INPUT_PRECISION"], cache_results=False)(
        matmul_kernel
    )


def prepare(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, config: Config, precision: str) -> Plan:
    """The winner's launch; with an empty config every entry is tried first, which launches on A, B and C."""
    return tiled.prepare(a, b, c, config or search(a, b, c, precision), precision)


def search(a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, precision: str) -> Config:
    """Time every tile of TILES on these matrices (C is overwritten) and return the fastest as a config."""
    (M, K), N = a.shape, b.shape[1]
    kernel = tuned_kernel(a.element_size())
    grid = lambda meta: (triton.cdiv(M, meta["BM"]) * triton.cdiv(N, meta["BN"]),)  # noqa: E731
    wide = checks.wide_offsets(M, N, K)
    kernel[grid](a, b, c, M, N, K, INPUT_PRECISION=precision, WIDE_OFFSETS=wide)
    best = kernel.best_config
    return {**best.kwargs, "num_warps": best.num_warps, "num_stages": best.num_stages}


RUNG = Rung("autotuned", "GROUP_M = 8 and the fastest of a list of tiles", prepare, {}, never)
