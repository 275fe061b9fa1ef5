"""Is C right?  Exactly on whole numbers, within a stated tolerance on random ones; NaN never passes."""

import math
from collections.abc import Callable
from typing import Any

import torch

from gpu.bench import inputs
from gpu.bench.shapes import Shape, number_format

Product = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], None]  # (A, B, C): fills C

# Of the norm of C - R over that of R, R in float64.  Rounding C alone gives about 2e-4 (float16) and 1.7e-3 (bfloat16);
# TF32 keeps 10 bits of each factor; float32 sums of up to 65536 products drift by some 1e-6.
TOLERANCE = {"float16": 1e-3, "bfloat16": 6e-3, "float32 tf32": 2e-3, "float32 ieee": 2e-5}
WORST_ELEMENT = 16  # an element may be off by this many tolerances of (its size + the typical size)


def reference(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """A @ B in float64 from the same rounded inputs."""
    return torch.mm(a.double(), b.double())


def exact(product: Product, a: torch.Tensor, b: torch.Tensor, right: torch.Tensor) -> dict[str, Any]:
    """Compare with `right` (float64, exact) rounded once to the output's type; C starts as NaN, so a gap shows."""
    c = torch.full(right.shape, float("nan"), dtype=a.dtype, device=a.device)
    product(a, b, c)
    expected = right.to(a.dtype)
    overflow = torch.isinf(expected)
    same = (c == expected) & ~torch.isnan(c)
    difference = torch.where(overflow & same, 0.0, (c.double() - expected.double()).abs())
    largest = float(difference.max()) if difference.numel() else 0.0
    return {
        "passed": bool(same.all()),
        "largest_difference": None if math.isnan(largest) or math.isinf(largest) else largest,
        "unwritten_or_nan": int(torch.isnan(c).sum()),
        "matching_overflow": int((overflow & same).sum()),
        "tolerance": 0,
    }


def close(product: Product, a: torch.Tensor, b: torch.Tensor, right: torch.Tensor, tolerance: float) -> dict[str, Any]:
    """Compare random numbers by norm and by worst element; both must be within what `tolerance` allows."""
    c = torch.full(right.shape, float("nan"), dtype=a.dtype, device=a.device)
    product(a, b, c)
    size = float(right.norm())
    error = float((c.double() - right).norm()) / size if size else float(c.double().norm())
    typical = size / math.sqrt(max(right.numel(), 1))
    worst = float(((c.double() - right).abs() / (right.abs() + typical)).max()) if size else error
    passed = error <= tolerance and worst <= WORST_ELEMENT * tolerance  # false for NaN
    return {
        "passed": passed,
        "error": error if math.isfinite(error) else None,
        "worst_element": worst if math.isfinite(worst) else None,
        "tolerance": tolerance,
        "measure": "norm of C - R over norm of R, R in float64",
    }


class Checker:
    """The right answers for one shape and type, made once and used for every kernel."""

    def __init__(self, shape: Shape, dtype: str, precision: str, device: str, seed: int) -> None:
        """Builds the inputs and float64 references on `device`."""
        M, N, K = shape.M, shape.N, shape.K
        torch_dtype = inputs.DTYPES[dtype]
        self.tolerance = TOLERANCE[number_format(dtype, precision)]
        self.formula = inputs.formula(M, N, K, torch_dtype, device)
        self.integers = inputs.integers(M, N, K, torch_dtype, device, seed)
        self.normal = inputs.normal(M, N, K, torch_dtype, device, seed)
        self.right = [reference(*pair) for pair in (self.formula, self.integers, self.normal)]

    def check(self, product: Product) -> dict[str, Any]:
        """All three comparisons; "passed" only when each passed."""
        found = {
            "formula": exact(product, *self.formula, self.right[0]),
            "integers": exact(product, *self.integers, self.right[1]),
            "random": close(product, *self.normal, self.right[2], self.tolerance),
        }
        return {"passed": all(one["passed"] for one in found.values()), **found}
