"""Matrix products with the kernels of this package: the functions to call.

    from gpu.matmul import matmul, best
    c = matmul(a, b)                 # the teaching kernel, fixed tile, GROUP_M = 1
    c = matmul(a, b, rung="grouped") # a rung of the ladder
    c = best(a, b)                   # the rung and config that were fastest for this shape on the stored GPU

A has shape (M, K), B has shape (K, N), C has shape (M, N); all contiguous, of one type, on one device.  What cannot
run is refused with a `gpu.checks.Refused` before anything is launched.
"""

from contextlib import AbstractContextManager, nullcontext

import torch
import triton

from gpu import checks
from gpu.ladder import RUNGS
from gpu.ladder.plan import Config, Plan
from gpu.tuning import table

Sizes = tuple[int, int, int]  # M, N, K
INTERPRETABLE = ("separate", "tiled", "grouped", "hinted")  # rungs that Triton's CPU interpreter runs


def matmul(
    a: torch.Tensor,
    b: torch.Tensor,
    out: torch.Tensor | None = None,
    *,
    rung: str = "tiled",
    config: Config | None = None,
    precision: str = "ieee",
) -> torch.Tensor:
    """C = A @ B on one rung.  `precision` ("ieee" or "tf32") matters for float32 only; the result has A's type."""
    return multiply_checked(a, b, out, checks.inputs(a, b, out), rung, config, precision)


def best(a: torch.Tensor, b: torch.Tensor, out: torch.Tensor | None = None, *, precision: str = "ieee") -> torch.Tensor:
    """C = A @ B on the rung and config that the stored table, or a rule for unlisted shapes, names."""
    M, N, K = sizes = checks.inputs(a, b, out)
    if not (M and N and K):
        return multiply_checked(a, b, out, sizes, "tiled", None, precision)
    with device_of(a):
        rung, config = choose(M, N, K, a.dtype, precision)
        if misplaced(rung, a, b, out):
            rung, config = table.plain(M, N)
        return multiply_checked(a, b, out, sizes, rung, config, precision)


def multiply_checked(
    a: torch.Tensor, b: torch.Tensor, out: torch.Tensor | None, sizes: Sizes, rung: str, config: Config | None,
    precision: str,
) -> torch.Tensor:  # fmt: skip
    """C = A @ B for matrices that `checks.inputs` has let through, which gave M, N and K."""
    M, N, K = sizes
    c = torch.empty((M, N), dtype=a.dtype, device=a.device) if out is None else out
    if not M or not N:
        return c
    if not K:
        return c.zero_()
    with device_of(a):
        run(plan_checked(a, b, c, sizes, rung, config, precision), a.element_size())
    return c


def device_of(matrix: torch.Tensor) -> AbstractContextManager[object]:
    """Makes the matrix's GPU the current one, on which Triton launches; nothing to do where it is that already."""
    if matrix.device.type != "cuda" or matrix.device.index == torch.cuda.current_device():
        return nullcontext()
    return torch.cuda.device(matrix.device)


def misplaced(rung: str, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor | None) -> str:
    """Why the rung cannot read or write one of the matrices where it lies in memory, or "". C may still be to come."""
    matrices = {"A": a, "B": b, "C": c}
    described = {name: each for name in RUNGS[rung].described if (each := matrices[name]) is not None}
    return checks.no_descriptor(**described)


def choose(M: int, N: int, K: int, dtype: torch.dtype, precision: str = "ieee") -> tuple[str, Config]:
    """(rung, config) for a shape."""
    if checks.interpreting():
        return "tiled", table.INTERPRETER
    name = str(dtype).removeprefix("torch.")
    hopper = torch.cuda.get_device_capability()[0] == 9
    named = checks.precision(dtype, precision)
    listed = table.listed(table.load(), M, N, K, name, named) if hopper else None
    return listed or table.rule(M, N, K, dtype.itemsize, hopper, named)


def plan(
    a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, *, rung: str, config: Config | None, precision: str
) -> Plan:
    """What will be launched, after the checks; M, N and K are not zero."""
    known(rung)
    return plan_checked(a, b, c, checks.inputs(a, b, c), rung, config, precision)


def plan_checked(
    a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, sizes: Sizes, rung: str, config: Config | None, precision: str
) -> Plan:
    """The same for matrices that `checks.inputs` has let through: what a call checks once need not be checked twice."""
    known(rung)
    M, N, K = sizes
    reason = RUNGS[rung].refuses(M, N, K, a.element_size())
    if reason:
        raise checks.Refused(f"rung {rung!r} does not run M = {M}, N = {N}, K = {K}: {reason}")
    reason = misplaced(rung, a, b, c)
    if reason:
        allowed = f"multiples of {checks.DESCRIPTOR_BYTES} bytes for a rung that uses tensor descriptors"
        raise checks.Refused(f"rung {rung!r}: {reason}; allowed: {allowed}; rung 'grouped' runs it as it is")
    chosen = RUNGS[rung].default if config is None else config
    checks.config(chosen, needed(rung) if chosen or RUNGS[rung].default else ())
    if {"BM", "BN", "BK"} <= set(chosen):
        checks.tile(chosen["BM"], chosen["BN"], chosen["BK"], chosen.get("GROUP_M", 1))
    made = RUNGS[rung].prepare(a, b, c, chosen, checks.precision(a.dtype, precision))
    for launch in made.launches:
        checks.programs(launch.programs)
    return made


def known(rung: str) -> None:
    """Refuse a rung that is not there, or that the interpreter does not run."""
    if rung not in RUNGS:
        raise checks.Refused(f"no rung named {rung!r}; there are: {', '.join(RUNGS)}")
    if checks.interpreting() and rung not in INTERPRETABLE:
        raise checks.Refused(f"rung {rung!r} needs a GPU; allowed under TRITON_INTERPRET=1: {', '.join(INTERPRETABLE)}")


def needed(rung: str) -> tuple[str, ...]:
    """What a config of the rung must name; `autotuned` ends as the teaching kernel."""
    default = RUNGS[rung].default or RUNGS["tiled"].default
    return tuple(name for name in ("BM", "BN", "BK", "GROUP_M") if name in default)


def run(ready: Plan, itemsize: int) -> None:
    """Launch a plan; too much shared memory is refused with the rule and a choice that fits."""
    try:
        ready.run()
    except triton.runtime.errors.OutOfResources as problem:
        constants = ready.launches[-1].constants
        if "shared" in problem.name and {"BM", "BN", "BK"} <= set(constants):
            stages = constants.get("num_stages", constants.get("STAGES", 1))
            tile = constants["BM"], constants["BN"], constants["BK"]
            checks.shared_memory(problem.required, problem.limit, *tile, stages, itemsize)
        raise checks.Refused(
            f"the kernel needs {problem.required} of {problem.name}; allowed on this GPU: at most {problem.limit}"
        ) from problem
