"""The kernels and the bench on a real GPU: `python3 -m pytest -m gpu tests/gpu`.

Cases A01, A02, A05, A07, A10, A13 and E01 to E03.
"""

from collections.abc import Iterator

import pytest
import torch

from gpu import checks
from gpu.bench import ceilings, inputs, timing
from gpu.bench.shapes import KNOWN
from gpu.ladder import RUNGS
from gpu.matmul import best, matmul
from gpu.tuning import table

pytestmark = pytest.mark.gpu
HALVES = (torch.float16, torch.bfloat16)
SMALL = {"BM": 16, "BN": 16, "BK": 16, "GROUP_M": 1, "num_warps": 4, "num_stages": 2}


@pytest.fixture(autouse=True)
def a_gpu() -> Iterator[None]:
    """These tests need one."""
    if not torch.cuda.is_available():
        pytest.skip("no NVIDIA GPU here")
    yield


def poisoned(M: int, N: int, dtype: torch.dtype) -> torch.Tensor:
    """A C that shows what was not written."""
    return torch.full((M, N), float("nan"), dtype=dtype, device="cuda")


def formula_product(M: int, N: int, K: int, dtype: torch.dtype, **options: object) -> torch.Tensor:
    a, b = inputs.formula(M, N, K, dtype, "cuda")
    return matmul(a, b, poisoned(M, N, dtype), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("dtype", HALVES)
def test_every_dimension_ragged_is_exact(dtype: torch.dtype) -> None:
    c = formula_product(1000, 999, 1001, dtype)

    assert (c[0, 0].item(), c[999, 998].item(), c.double().abs().sum().item()) == (-1, 1, 1_864_800)


@pytest.mark.parametrize(
    "config", [None, {"BM": 128, "BN": 32, "BK": 64, "GROUP_M": 1, "num_warps": 4, "num_stages": 3}]
)
@pytest.mark.parametrize("dtype", HALVES)
def test_a_half_empty_last_phase_is_exact(dtype: torch.dtype, config: dict[str, int] | None) -> None:
    c = formula_product(511, 1024, 96, dtype, config=config)

    assert (c[0, 0].item(), c[510, 1023].item(), c.double().abs().sum().item()) == (-1, -1, 1_115_887)


@pytest.mark.parametrize(
    ("shape", "expected"),
    [((1, 1, 64), [[1]]), ((3, 3, 3), [[2, -1, -1]] * 3), ((1, 4, 1), [[2, 0, -2, 2]])],
)
def test_shapes_smaller_than_a_tile(shape: tuple[int, int, int], expected: list[list[int]]) -> None:
    assert formula_product(*shape, torch.float16, config=SMALL).int().tolist() == expected


def test_offsets_past_two_to_the_31_elements() -> None:
    c = formula_product(32769, 16, 65536, torch.float16)

    assert c[32768, 0:3].tolist() == [-1, 0, 1]
    assert not c.isnan().any()


def test_float32_is_ieee_unless_tf32_is_named() -> None:
    a = torch.eye(46, device="cuda")
    b = torch.arange(46 * 46, device="cuda", dtype=torch.float32).reshape(46, 46)

    ieee, tf32 = matmul(a, b), matmul(a, b, precision="tf32")

    assert (ieee[44, 25].item(), ieee[45, 45].item(), ieee.double().sum().item()) == (2049, 2115, 2_237_670)
    assert int((tf32 != b).sum()) == 34


@pytest.mark.parametrize(("dtype", "K", "value"), [
    (torch.float16, 3000, 3000.0), (torch.bfloat16, 3000, 3008.0), (torch.bfloat16, 65536, 65536.0),
    (torch.float16, 65536, float("inf")),
])  # fmt: skip
def test_sums_are_kept_in_float32_and_rounded_once(dtype: torch.dtype, K: int, value: float) -> None:
    a, b = torch.ones(16, K, dtype=dtype, device="cuda"), torch.ones(K, 16, dtype=dtype, device="cuda")

    assert matmul(a, b).unique().tolist() == [value]
    assert best(a, b).unique().tolist() == [value]


def test_a_zero_k_gives_zeros_not_memory() -> None:
    c = poisoned(127, 255, torch.float16)

    matmul(torch.empty(127, 0, device="cuda").half(), torch.empty(0, 255, device="cuda").half(), c)

    assert int((c == 0).sum()) == 32_385


RAGGED = {
    "hinted": (123, 136, 200), "descriptors": (123, 136, 200), "persistent": (1023, 1032, 200),
    "specialised": (300, 520, 1000),
    "split_k": (300, 520, 1000), "split_specialised": (300, 520, 1000), "thin": (13, 520, 1000), "row": (1, 517, 1003),
    "packed": (301, 517, 1003), "aligned": (296, 520, 1000),
}  # fmt: skip


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("rung", RAGGED)
def test_every_rung_is_exact_on_ragged_shapes_twenty_times(rung: str, dtype: torch.dtype) -> None:
    M, N, K = RAGGED[rung]
    a, b = inputs.integers(M, N, K, dtype, "cuda", seed=7)
    right = (a.double() @ b.double()).to(dtype)

    same = [torch.equal(matmul(a, b, poisoned(M, N, dtype), rung=rung), right) for _ in range(20)]

    assert same == [True] * 20


def test_transposed_is_exact_on_ragged_shapes() -> None:
    a, b = inputs.integers(300, 520, 1000, torch.float32, "cuda", seed=7)

    c = matmul(a, b, poisoned(300, 520, torch.float32), rung="transposed", precision="tf32")

    assert torch.equal(c, (a.double() @ b.double()).float())


@pytest.mark.parametrize("shape", [(2, 512, 512), (64, 512, 512), (128, 384, 4096), (640, 2048, 136), (129, 257, 4099)])
def test_an_unlisted_shape_gets_an_exact_product(shape: tuple[int, int, int]) -> None:
    a, b = inputs.integers(*shape, torch.float16, "cuda", seed=5)

    assert torch.equal(best(a, b, poisoned(*shape[:2], torch.float16)), (a.double() @ b.double()).half())


@pytest.mark.parametrize("shape", [(1, 512, 512), (16, 4096, 4096), (512, 512, 512), (4097, 4099, 4101)])
def test_matrices_that_start_anywhere_get_an_exact_product(shape: tuple[int, int, int]) -> None:
    a, b = inputs.integers(*shape, torch.float16, "cuda", seed=5)
    right = (a.double() @ b.double()).half()
    for odd in range(3):
        placed = [displaced(each) if at == odd else each for at, each in enumerate((a, b, right))]
        c = placed[2].fill_(float("nan")) if odd == 2 else poisoned(*shape[:2], torch.float16)
        assert torch.equal(best(placed[0], placed[1], c), (a.double() @ b.double()).half())


def displaced(matrix: torch.Tensor) -> torch.Tensor:
    """A copy that starts one element past the beginning of its memory."""
    return torch.cat([matrix.new_zeros(1), matrix.flatten()])[1:].view(matrix.shape)


def test_a_gpu_that_is_not_the_current_one() -> None:
    if torch.cuda.device_count() < 2:
        pytest.skip("there is one GPU here")
    a, b = inputs.integers(300, 520, 1000, torch.float16, "cuda:1", seed=5)
    assert torch.equal(best(a, b), (a.double() @ b.double()).half())


def test_a_recorded_call_gives_the_new_product_of_new_numbers() -> None:
    a, b = inputs.integers(300, 520, 1000, torch.float16, "cuda", seed=7)
    c = poisoned(300, 520, torch.float16)
    plan = RUNGS["split_specialised"].prepare(a, b, c, RUNGS["split_specialised"].default, "ieee")
    recording = timing.capture(plan.run)

    a.neg_()
    recording.graph.replay()

    assert torch.equal(c, (a.double() @ b.double()).half())


def test_too_much_shared_memory_is_refused_before_the_launch() -> None:
    a, b = inputs.integers(256, 256, 512, torch.float16, "cuda", seed=0)
    config = {"BM": 128, "BN": 256, "BK": 128, "GROUP_M": 1, "num_warps": 8, "num_stages": 4}

    with pytest.raises(checks.Refused, match=r"needs \d+ bytes of shared memory; allowed on this GPU: at most \d+"):
        matmul(a, b, config=config)


def median_ms(size: int, flush: bool, warm_ups: int = 3) -> float:
    """Of the teaching kernel on size cubed, replayed."""
    a, b = inputs.normal(size, size, size, torch.float16, "cuda", seed=0)
    c = poisoned(size, size, torch.float16)
    plan = RUNGS["grouped"].prepare(a, b, c, table.large_tile(), "ieee")
    return timing.median(timing.replays_ms({"it": timing.capture(plan.run)}, 15, warm_ups, flush)["it"])


def test_eight_times_the_work_takes_well_over_four_times_as_long() -> None:
    assert median_ms(8192, flush=True) > 5 * median_ms(4096, flush=True)


def test_a_longer_warm_up_does_not_change_the_median() -> None:
    assert median_ms(2048, flush=True, warm_ups=30) == pytest.approx(median_ms(2048, flush=True), rel=0.05)


def test_hot_and_cold_caches_converge_where_nothing_fits() -> None:
    assert median_ms(8192, flush=True) == pytest.approx(median_ms(8192, flush=False), rel=0.1)


def test_ceilings_lie_below_the_vendors_figures_and_not_far_below() -> None:
    limits = KNOWN.get(torch.cuda.get_device_name(0))
    if limits is None:
        pytest.skip("this GPU's figures are not known here")
    found = ceilings.measure([("float16", "ieee")], seed=0)

    assert 0.5 * limits.memory_tb_s < found["copy"]["tb_s"] < limits.memory_tb_s
    assert 0.4 * limits.tflops["float16"] < found["products"][0]["tflops"] < limits.tflops["float16"]
