"""What stored results of an H200 already settle about the dot, with no GPU here. `test_gpu.py` asks for the rest.

kernel-bench keeps for each row how far C is from the exact product of its random inputs: the norm of the difference
over the norm of the product, and the worst element. Its inputs are torch's normal numbers on that GPU (seed 1), which
are drawn again here, so that the errors of a simulated rule can be set beside the stored ones.

Settled by it: on that GPU, with Triton 3.6.0, the matrix instructions cut the 13 low bits of TF32 factors and do not
round them; one rounding per K phase in full float32 is nearer to the product than the GPU's own sums are. Not settled,
as 16-bit products are stored in 16 bits: the last places of a float32 sum on tensor cores, element by element. On an
H200 they lay within the bound of `test_gpu.py`, which passed there.
"""

import json
import math
from collections.abc import Mapping
from typing import Any

import pytest
import torch

from sim.tl.philox import words
from sim.tl.rounding import tf32
from tests.tl.kernels import ROOT

M, N, K = 127, 255, 65
Row = Mapping[str, Any]


def stored(name: str, **wanted: Any) -> list[Row]:
    """The verified rows of a result file that tile the product: not those of one output or one row a program."""
    rows = json.loads((ROOT / "gpu" / "results" / f"h200-matmul-{name}.json").read_text(encoding="utf-8"))["rows"]
    made = [row for row in rows if row.get("verify") and row["kernel"] not in ("separate", "row")]
    return [row for row in made if all(row[key] == value for key, value in wanted.items())]


def normal(count: int, offset: int) -> torch.Tensor:
    """torch's CUDA generator for up to 270336 numbers on 132 multiprocessors: thread i draws number i (Box-Muller)."""
    drawn = [words(1, (offset // 4, 0, i, 0), 10)[:2] for i in range(count)]
    u, v = (torch.tensor(part, dtype=torch.float32) * 2.0**-32 + 2.0**-33 for part in zip(*drawn, strict=True))
    return torch.sqrt(-2 * torch.log(u)) * torch.sin(2 * math.pi * v)


@pytest.fixture(scope="module")
def inputs() -> tuple[torch.Tensor, torch.Tensor]:
    """A and B of the rows of 127 x 255 x 65, up to the last places of logarithm and sine."""
    return normal(M * K, 0).reshape(M, K), normal(K * N, 4).reshape(K, N)


def rounded_to_tf32(x: torch.Tensor) -> torch.Tensor:
    """To nearest, ties away from zero: what the other rule would do."""
    return ((x.view(torch.int32) + 0x1000) & ~0x1FFF).view(torch.float32)


def cut_to_tf32(x: torch.Tensor) -> torch.Tensor:
    """The rule of sim.tl."""
    return torch.tensor(tf32(x.flatten().tolist())).reshape(x.shape)


def error(c: torch.Tensor, a: torch.Tensor, b: torch.Tensor) -> tuple[float, float]:
    """As kernel-bench says it: by norm, and the worst element."""
    right = a.double() @ b.double()
    difference, size = c.double() - right, right.norm()
    typical = size / math.sqrt(right.numel())
    return float(difference.norm() / size), float((difference.abs() / (right.abs() + typical)).max())


def once(a: torch.Tensor, b: torch.Tensor, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """The exact product, rounded to float32 and then to the type of C."""
    return (a.double() @ b.double()).float().to(dtype)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_the_inputs_are_those_of_the_stored_rows(dtype: torch.dtype, inputs: tuple[torch.Tensor, torch.Tensor]) -> None:
    a, b = (part.to(dtype) for part in inputs)
    norm, worst = error(once(a, b, dtype), a, b)
    found = stored("half", M=M, N=N, K=K, dtype=str(dtype).removeprefix("torch."))
    assert len(found) >= 4
    for row in found:
        random = row["verify"]["random"]
        assert random["error"] == pytest.approx(norm, rel=1e-3)
        assert random["worst_element"] == pytest.approx(worst, rel=1e-5)


def test_tf32_factors_were_cut_and_not_rounded(inputs: tuple[torch.Tensor, torch.Tensor]) -> None:
    a, b = inputs
    cut = error(once(cut_to_tf32(a), cut_to_tf32(b)), a, b)
    near = error(once(rounded_to_tf32(a), rounded_to_tf32(b)), a, b)
    found = stored("float32-tf32", M=M, N=N, K=K)
    used = {name for row in found for part in row["resources"] for name in part["instructions"]}
    assert {"wgmma.mma_async", "mma.sync"} <= used
    for row in found:
        random = row["verify"]["random"]
        assert random["error"] == pytest.approx(cut[0], rel=1e-3)
        assert random["worst_element"] == pytest.approx(cut[1], rel=1e-3)
    assert near[0] < 0.4 * cut[0] and near[1] < 0.97 * cut[1]


def test_at_every_stored_shape_the_error_is_that_of_cut_factors() -> None:
    found = [row for row in stored("float32-tf32") if "mma" in str(row["resources"])]
    assert len({(row["M"], row["N"], row["K"]) for row in found}) >= 10
    for row in found:  # rounded factors give 2.9e-4; long sums on tensor cores add a little of their own
        most = 8e-4 if row["K"] <= 8192 else 9.1e-4
        assert 7.6e-4 < row["verify"]["random"]["error"] < most, (row["kernel"], row["K"])


def test_one_rounding_a_k_phase_is_nearer_than_the_gpus_own_sums(inputs: tuple[torch.Tensor, torch.Tensor]) -> None:
    a, b = inputs
    c = torch.zeros(M, N)
    for start in range(0, K, 32):
        phase = slice(start, start + 32)
        c = (c.double() + a[:, phase].double() @ b[phase].double()).float()
    ours = error(c, a, b)[0]
    found = stored("float32-ieee", M=M, N=N, K=K)
    assert len(found) >= 4
    for row in found:
        assert ours < row["verify"]["random"]["error"] < 8 * ours
        assert row["verify"]["integers"]["largest_difference"] == 0.0
