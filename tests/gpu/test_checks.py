"""What is refused before a launch, and in which words."""

import pytest
import torch

from gpu import checks
from gpu.matmul import plan
from tests.gpu.helpers import answers


@pytest.mark.parametrize(
    ("tile", "sentence"),
    [
        ((3, 16, 16), "BM is 3; allowed: a power of two, as tl.arange needs; the nearest is 2 or 4"),
        ((16, 48, 16), "BN is 48; allowed: a power of two, as tl.arange needs; the nearest is 32 or 64"),
        ((16, 16, 8), "BK is 8; allowed: a power of two from 16, the matrix instruction's minimum; the nearest is 16"),
        ((0, 16, 16), "BM is 0; allowed: a power of two from 1; the nearest is 1"),
        ((2.0, 16, 16), "BM is 2.0; allowed: a whole number that is a power of two"),
        ((True, 16, 16), "BM is True; allowed: a whole number that is a power of two"),
        ((2048, 1024, 16), "BM x BN is 2097152 elements; allowed: at most 1048576 in one tile of Triton's"),
    ],
)
def test_an_illegal_tile_is_refused_with_the_rule_and_the_nearest_legal_choice(
    tile: tuple[int, int, int], sentence: str
) -> None:
    with pytest.raises(checks.Refused) as refusal:
        checks.tile(*tile)
    assert str(refusal.value) == sentence


def test_group_m_must_be_a_positive_whole_number() -> None:
    with pytest.raises(checks.Refused, match="GROUP_M is 0; allowed: a whole number from 1"):
        checks.tile(16, 16, 16, 0)


def test_cpu_matrices_are_refused_with_both_ways_out() -> None:
    with pytest.raises(checks.Refused, match="A is on cpu; allowed: an NVIDIA GPU, or the CPU with TRITON_INTERPRET=1"):
        checks.inputs(torch.ones(2, 3).half(), torch.ones(3, 2).half())


@pytest.mark.parametrize(
    ("needed", "tile", "stages", "advice"),
    [
        (294912, (128, 256, 64), 3, "num_stages = 2 with the same tile"),
        (786432, (128, 640, 256), 1, "BK = 64 with num_stages = 1"),
    ],
)
def test_too_much_shared_memory_is_refused_with_a_choice_that_fits(
    needed: int, tile: tuple[int, int, int], stages: int, advice: str
) -> None:
    words = f"needs {needed} bytes of shared memory; .* at most 232448 .* try {advice}"
    with pytest.raises(checks.Refused, match=words):
        checks.shared_memory(needed, 232448, *tile, stages, 4)


def test_shared_memory_that_fits_is_not_refused() -> None:
    checks.shared_memory(232448, 232448, 128, 256, 64, 4, 2)


@pytest.mark.parametrize(
    ("M", "N", "K", "wide"), [(32769, 16, 65536, True), (8192, 8192, 8192, False), (1, 1, 1, False)]
)
def test_offsets_get_wide_from_two_to_the_31_elements(M: int, N: int, K: int, wide: bool) -> None:
    assert checks.wide_offsets(M, N, K) is wide


def test_a_precision_is_named_or_refused() -> None:
    assert checks.precision(torch.float32, "tf32") == "tf32"
    assert checks.precision(torch.float16, "tf32") == "ieee"
    with pytest.raises(checks.Refused, match="precision 'fast' is not known; allowed: ieee or tf32"):
        checks.precision(torch.float32, "fast")


def test_an_unknown_rung_is_refused_with_the_ones_there_are() -> None:
    a = torch.ones(2, 2).half()
    with pytest.raises(checks.Refused, match="no rung named 'fastest'; there are: separate, tiled, grouped"):
        plan(a, a, a, rung="fastest", config=None, precision="ieee")


INTERPRETED = """
import torch
from gpu import checks
from gpu.matmul import matmul
a, b = torch.ones(5, 3).half(), torch.ones(3, 7).half()
tile = {"BM": 16, "BN": 16, "BK": 16, "GROUP_M": 1}
square, long = torch.ones(3, 3).half(), torch.ones(18).half()
for attempt in (
    lambda: matmul(a, torch.ones(4, 7).half()),
    lambda: matmul(a.t(), torch.ones(5, 7).half()),
    lambda: matmul(torch.ones(5, 8).half()[:, :3], b),
    lambda: matmul(a, b.float()),
    lambda: matmul(a.int(), b),
    lambda: matmul(a[0], b),
    lambda: matmul(a, b, torch.empty(7, 5).half()),
    lambda: matmul(a, b, torch.empty(5, 7)),
    lambda: matmul(a.bfloat16(), b.bfloat16()),
    lambda: matmul(a, b, rung="persistent"),
    lambda: matmul(a, b, config={"BM": 16, "BN": 16}),
    lambda: matmul(a, b, config={}),
    lambda: matmul(a, b, config={**tile, "num_warps": 3}),
    lambda: matmul(a, b, config={**tile, "num_stages": 0}),
    lambda: matmul(a.numpy(), b),
    lambda: matmul(a.to_sparse(), b),
    lambda: matmul(square, square, square),
    lambda: matmul(long[:9].view(3, 3), square, long[8:17].view(3, 3)),
    lambda: matmul(long[:9].view(3, 3), square, long[9:18].view(3, 3)),
):
    try:
        attempt()
        print("ran")
    except checks.Refused as refusal:
        print(refusal)
"""


def test_every_refusal_says_what_was_given_and_what_is_allowed() -> None:
    found = answers(INTERPRETED)

    assert found == [
        "A has shape (5, 3) and B has shape (4, 7); allowed: as many rows in B as columns in A (3)",
        "A has shape (3, 5) and strides (1, 3), so it is not contiguous (transposed, sliced or padded); "
        "allowed: rows one after another; A.contiguous() makes such a copy",
        "A has shape (5, 3) and strides (8, 1), so it is not contiguous (transposed, sliced or padded); "
        "allowed: rows one after another; A.contiguous() makes such a copy",
        "A is float16 and B is float32; allowed: the same type for both",
        "A is int32; allowed: float16, bfloat16 or float32",
        "A has shape (3,); allowed: a matrix, with two dimensions",
        "C has shape (7, 5); allowed: (5, 7), the rows of A and the columns of B",
        "C is float32 on cpu; allowed: float16 on cpu, as A",
        "A is bfloat16; allowed under TRITON_INTERPRET=1: float16 or float32 "
        "(the interpreter computes with the raw bits of bfloat16, so its results are wrong)",
        "rung 'persistent' needs a GPU; allowed under TRITON_INTERPRET=1: separate, tiled, grouped, hinted",
        "the config has no BK, GROUP_M; needed: BM, BN, BK, GROUP_M",
        "the config has no BM, BN, BK, GROUP_M; needed: BM, BN, BK, GROUP_M",
        "num_warps is 3; allowed: a power of two up to 32: 1, 2, 4, 8, 16, 32",
        "num_stages is 0; allowed: a whole number from 1",
        "A is ndarray; allowed: a dense torch.Tensor",
        "A is torch.sparse_coo; allowed: a dense torch.Tensor",
        "C shares memory with A; allowed: memory of its own, as A is read while C is written",
        "C shares memory with A; allowed: memory of its own, as A is read while C is written",
        "ran",
    ]
