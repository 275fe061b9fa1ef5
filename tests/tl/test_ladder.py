"""The ladder's kernels, descriptors, split-K and helper functions included, run in sim.tl from gpu/'s own files."""

import pytest
import torch

from tests.tl.ladder import Ladder

CONFIGS = {
    "separate": {"BK": 16},
    "tiled": {"BM": 16, "BN": 32, "BK": 16, "GROUP_M": 1},
    "grouped": {"BM": 16, "BN": 16, "BK": 32, "GROUP_M": 2},
    "descriptors": {"BM": 16, "BN": 32, "BK": 16, "GROUP_M": 2},
    "split_k": {"BM": 16, "BN": 32, "BK": 16, "GROUP_M": 2, "SPLIT_K": 2},
}


def whole_numbers(rows: int, columns: int, seed: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(-4, 5, (rows, columns), generator=generator).half()


@pytest.mark.parametrize("rung", CONFIGS)
def test_rung_multiplies_exactly_and_without_reports(rung: str) -> None:
    a, b = whole_numbers(24, 40, 1), whole_numbers(40, 48, 2)
    ladder = Ladder()
    assert torch.equal(ladder.run(rung, a, b, CONFIGS[rung]), (a.float() @ b.float()).half())
    assert ladder.machine.reports == []
    assert ladder.machine.bent == {}


def test_row_rung_multiplies_one_row() -> None:
    a, b = whole_numbers(1, 40, 3), whole_numbers(40, 50, 4)
    c = Ladder().run("row", a, b, {"BN": 16, "BK": 8, "SPLIT_K": 2})
    assert torch.equal(c, (a.float() @ b.float()).half())


def test_thin_rung_multiplies_few_rows() -> None:
    a, b = whole_numbers(5, 48, 5), whole_numbers(48, 40, 6)
    c = Ladder().run("thin", a, b, {"BM": 16, "BN": 16, "BK": 16, "SPLIT_K": 2, "SWAP": 1})
    assert torch.equal(c, (a.float() @ b.float()).half())
