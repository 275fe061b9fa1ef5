"""The teaching kernel on Triton's CPU interpreter, against literal numbers (cases A02, A10, B02)."""

import pytest

from tests.gpu.helpers import TOY_A, TOY_B, TOY_C, answers

PROGRAM = """
import torch
from gpu.bench import inputs
from gpu.matmul import best, matmul
tile = dict(BM={BM}, BN={BN}, BK={BK}, GROUP_M={GROUP_M}, num_warps=4, num_stages=1)
a, b = inputs.formula({M}, {N}, {K}, torch.{dtype}, "cpu")
out = torch.full(({M}, {N}), float("nan"), dtype=torch.{dtype})
c = matmul(a, b, out, config=tile)
print({show})
"""


def shown(
    M: int,
    N: int,
    K: int,
    show: str,
    *,
    tile: tuple[int, int, int] = (16, 16, 16),
    group_m: int = 1,
    dtype: str = "float16",
) -> str:
    BM, BN, BK = tile
    return answers(PROGRAM.format(M=M, N=N, K=K, BM=BM, BN=BN, BK=BK, GROUP_M=group_m, dtype=dtype, show=show))[0]


def test_one_row_and_one_k_gives_the_formula_pattern() -> None:
    assert shown(1, 128, 1, "c[0, :6].int().tolist()") == "[2, 0, -2, 2, 0, -2]"


def test_a_single_output_is_the_sum_over_k() -> None:
    assert shown(1, 1, 64, "c.int().tolist()") == "[[1]]"


def test_three_by_three() -> None:
    assert shown(3, 3, 3, "c.int().tolist()") == "[[2, -1, -1], [2, -1, -1], [2, -1, -1]]"


@pytest.mark.parametrize("group_m", [1, 2, 8])
def test_all_three_dimensions_ragged_in_any_order_of_programs(group_m: int) -> None:
    show = "[c[0].int().tolist(), c[4].int().tolist()]"

    assert (
        shown(5, 7, 5, show, tile=(2, 4, 2), group_m=group_m) == "[[1, 1, -2, 1, 1, -2, 1], [-3, 0, 3, -3, 0, 3, -3]]"
    )


def test_float32_is_the_same() -> None:
    assert shown(5, 7, 5, "c[0].int().tolist()", tile=(4, 2, 4), dtype="float32") == "[1, 1, -2, 1, 1, -2, 1]"


def test_the_result_has_the_inputs_type() -> None:
    assert shown(3, 3, 3, "c.dtype") == "torch.float16"


def test_toy_matrices() -> None:
    program = f"""
import torch
from gpu.matmul import matmul
a, b = torch.tensor({TOY_A}).half(), torch.tensor({TOY_B}).half()
print(matmul(a, b, rung="grouped").int().tolist())
"""
    assert answers(program) == [str(TOY_C)]


@pytest.mark.parametrize(
    ("M", "N", "K", "expected"),
    [(0, 255, 65, "(0, 255) 0"), (127, 0, 65, "(127, 0) 0"), (127, 255, 0, "(127, 255) 32385")],
)
def test_an_empty_dimension_gives_an_empty_or_a_zero_result(M: int, N: int, K: int, expected: str) -> None:
    assert shown(M, N, K, "tuple(c.shape), int((c == 0).sum()), sep=' '") == expected


def test_a_half_precision_running_sum_would_stall_at_2048() -> None:
    program = """
import torch
from gpu.matmul import matmul
ones = torch.ones(16, 3000).half(), torch.ones(3000, 16).half()
print(matmul(*ones, config=dict(BM=16, BN=16, BK=256, GROUP_M=1)).unique().tolist())
"""
    assert answers(program) == ["[3000.0]"]


@pytest.mark.parametrize("rung", ["separate", "tiled", "grouped", "hinted"])
def test_rungs_that_the_interpreter_runs_agree_with_torch_on_whole_numbers(rung: str) -> None:
    program = f"""
import torch
from gpu.bench import inputs
from gpu.matmul import matmul
a, b = inputs.integers(37, 24, 40, torch.float16, "cpu", 3)
print(torch.equal(matmul(a, b, rung={rung!r}), (a.double() @ b.double()).half()))
"""
    assert answers(program) == ["True"]
