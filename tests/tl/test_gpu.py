"""On a GPU: the same kernels give the same whole numbers, and floats within a stated bound (`pytest -m gpu`).

What results that are stored already settle, without a GPU, is in test_stored_results.py.
"""

import os

import pytest
import torch

from sim.inputs import distinct_a, distinct_b
from sim.tiling import Tiling
from sim.tl.matmul import run_matmul
from tests.tl.kernels import TEACHING

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="needs an NVIDIA GPU"),
    pytest.mark.skipif(os.environ.get("TRITON_INTERPRET") == "1", reason="TRITON_INTERPRET=1: not the GPU"),
]
SOURCE = TEACHING.read_text(encoding="utf-8")


def on_gpu(a: torch.Tensor, b: torch.Tensor, tile: tuple[int, int, int], precision: str = "ieee") -> torch.Tensor:
    """C (float32) of the teaching kernel on the GPU."""
    from gpu.teaching import matmul_kernel

    (m, k), n = a.shape, b.shape[1]
    c = torch.full((m, n), float("nan"), dtype=torch.float32, device="cuda")
    bm, bn, bk = tile
    grid = (-(-m // bm) * -(-n // bn),)
    constants = {"BM": bm, "BN": bn, "BK": bk, "GROUP_M": 2, "INPUT_PRECISION": precision}
    matmul_kernel[grid](a.cuda(), b.cuda(), c, m, n, k, **constants)
    return c.cpu()


def simulated(a: torch.Tensor, b: torch.Tensor, tile: tuple[int, int, int], precision: str = "ieee") -> torch.Tensor:
    (m, k), n = a.shape, b.shape[1]
    name = {torch.float16: "fp16", torch.bfloat16: "bf16", torch.float32: "fp32"}[a.dtype]
    done = run_matmul(
        SOURCE, a.tolist(), b.tolist(), Tiling(m, n, k, *tile), group_m=2, dtype=name, mode="strict",
        extra={"INPUT_PRECISION": precision},
    )  # fmt: skip
    assert done.failure is None
    return torch.tensor(done.arrays["C"])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_whole_numbers_are_equal(dtype: torch.dtype) -> None:
    a = torch.tensor(distinct_a(9, 7), dtype=torch.float32).to(dtype)
    b = torch.tensor(distinct_b(7, 11), dtype=torch.float32).to(dtype)
    assert torch.equal(on_gpu(a, b, (16, 16, 16)), simulated(a, b, (16, 16, 16)))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_floats_are_within_the_instructions_error(dtype: torch.dtype) -> None:
    torch.manual_seed(11)
    a, b = torch.randn(32, 64).to(dtype), torch.randn(64, 32).to(dtype)
    bound = 64 * 2.0**-23 * (a.double().abs() @ b.double().abs())
    difference = (on_gpu(a, b, (16, 16, 16)).double() - simulated(a, b, (16, 16, 16)).double()).abs()
    assert bool((difference <= bound).all()), (difference / bound).max()


def test_tf32_ignores_the_13_low_bits() -> None:
    low = torch.tensor([[2.0**-11, 2.0**-12, 2.0**-11 + 2.0**-23, 2.0**-10 - 2.0**-23]])
    a = torch.zeros(16, 16)
    a[0, :4] = 1.0 + low
    eye = torch.eye(16)
    gpu = on_gpu(a, eye, (16, 16, 16), "tf32")
    assert torch.equal(gpu, simulated(a, eye, (16, 16, 16), "tf32")), gpu[0, :4].tolist()
