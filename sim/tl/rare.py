"""Names of `tl` that many kernels do without: imported when the first is asked for, so that a page starts sooner."""

import functools
from collections.abc import Callable
from typing import Any

from sim.tl import atomics, philox, reductions, scans
from sim.tl.machine import Machine


def rare_names(machine: Machine) -> dict[str, Any]:
    """Reductions, scans, random numbers and atomic operations."""
    taking_machine: dict[str, Callable[..., Any]] = {
        "atomic_add": atomics.atomic_add, "atomic_max": atomics.atomic_max, "atomic_min": atomics.atomic_min,
        "atomic_and": atomics.atomic_and, "atomic_or": atomics.atomic_or, "atomic_xor": atomics.atomic_xor,
        "atomic_xchg": atomics.atomic_xchg, "atomic_cas": atomics.atomic_cas,
    }  # fmt: skip
    return {
        **{name: functools.partial(function, machine) for name, function in taking_machine.items()},
        "sum": reductions.sum_, "max": reductions.max_, "min": reductions.min_, "argmax": reductions.argmax,
        "argmin": reductions.argmin, "xor_sum": reductions.xor_sum, "reduce_or": reductions.reduce_or,
        "reduce": reductions.reduce, "associative_scan": reductions.associative_scan, "cumsum": scans.cumsum,
        "cumprod": scans.cumprod, "sort": scans.sort, "topk": scans.topk, "histogram": scans.histogram,
        "softmax": scans.softmax, "swizzle2d": scans.swizzle2d, "rand": philox.rand, "randn": philox.randn,
        "randint": philox.randint, "randint4x": philox.randint4x, "rand4x": philox.rand4x, "randn4x": philox.randn4x,
        "philox": philox.philox, "uint_to_uniform_float": philox.uniform, "pair_uniform_to_normal": philox.normal_pair,
    }  # fmt: skip
