"""Compile many kernels at once, in processes, into Triton's cache on disk: later launches find them there."""

import json
import multiprocessing
import os
import time
from multiprocessing.pool import Pool

import torch

from gpu.bench.inputs import DTYPES
from gpu.ladder import RUNGS
from gpu.ladder.plan import Config, Plan

Shape = tuple[int, int, int]  # M, N, K
Kind = tuple[str, str]  # type and precision
Task = tuple[Shape, Kind, str, Config]


def workers_pool(workers: int) -> Pool:
    """Processes that compile; each finds the GPU for itself, so they are spawned."""
    return multiprocessing.get_context("spawn").Pool(workers, initializer=quiet_worker)


def plan_for(shape: Shape, kind: Kind, rung: str, config: Config, device: str = "meta") -> Plan:
    """A plan on empty matrices: on "meta" good for compiling only."""
    M, N, K = shape
    a, b, c = (torch.empty(size, dtype=DTYPES[kind[0]], device=device) for size in ((M, K), (K, N), (M, N)))
    return RUNGS[rung].prepare(a, b, c, config, kind[1])


def compile_one(task: Task) -> str:
    """Compile a candidate into Triton's cache on disk; returns what went wrong, or ""."""
    try:
        plan_for(*task).compile()
    except Exception as problem:  # the compiler's own errors are of many kinds; each is reported with its candidate
        return f"{type(problem).__name__}: {str(problem)[:200]}"
    return ""


def quiet_worker() -> None:
    """Send the compiler's dumps about refused candidates nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def compiled(tasks: list[Task], pool: Pool) -> list[Task]:
    """Those tasks that compile; says how many did not, and why the first did not."""
    begun = time.perf_counter()
    first = {code_key(task): task for task in reversed(tasks)}  # one task for each different piece of code
    problems = dict(zip(first, pool.map(compile_one, list(first.values()), chunksize=2), strict=True))
    bad = [(first[key], problem) for key, problem in problems.items() if problem]
    seconds = time.perf_counter() - begun
    print(
        f"compiled {len(first) - len(bad)} of {len(first)} for {len(tasks)} candidates in {seconds:.1f} s", flush=True
    )
    for task, problem in bad[:6]:
        print("  ", task, problem, flush=True)
    return [task for task in tasks if not problems[code_key(task)]]


def code_key(task: Task) -> str:
    """Tasks with equal keys compile to the same code: Triton looks at a size only for being 1 or a multiple of 16."""
    shape, kind, rung, config = task
    sizes = [(size == 1, size % 16 == 0, size // 8 % 16 == 0) for size in shape]
    return json.dumps([kind, rung, sorted(config.items()), sizes])
