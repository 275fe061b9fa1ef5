"""Measure one shape in one type: verify every kernel, then time all of them and torch.mm in turns."""

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch

from gpu import checks, matmul
from gpu.bench import inputs, judge, ptx, timing
from gpu.bench.shapes import Limits, Shape, tile_intensity
from gpu.bench.verify import Checker
from gpu.ladder import RUNGS, autotuned
from gpu.ladder.plan import Config, Plan
from gpu.tuning import table

Row = dict[str, Any]
Say = Callable[[str], None]
LONGEST_MS = 1200.0  # of replays for one shape in one type


@dataclass(frozen=True)
class Request:
    """What to measure and how: kernels by name ("best" or a rung), configs "fixed" or "autotuned"."""

    kernels: tuple[str, ...]
    config: str
    precision: str
    repeats: int
    seed: int
    flush: bool
    ptx_folder: Path | None
    limits: Limits | None


def configure(name: str, config: str, shape: Shape, dtype: str, precision: str) -> tuple[str, Config | None]:
    """(rung, config) for a kernel's name; None as a config means that `autotuned` must search."""
    torch_dtype = inputs.DTYPES[dtype]
    if name == "best":
        return matmul.choose(shape.M, shape.N, shape.K, torch_dtype, precision)
    if name == "autotuned":
        return name, None
    if config == "fixed" or name in ("tiled", "grouped"):
        return name, RUNGS[name].default
    known = table.listed(table.load(), shape.M, shape.N, shape.K, dtype, checks.precision(torch_dtype, precision), name)
    return known or (name, RUNGS[name].default)


@dataclass
class Entry:
    """One kernel while it is being measured."""

    row: Row
    rung: str
    config: Config
    plan: Plan | None = None


def measure(shape: Shape, dtype: str, request: Request, say: Say) -> list[Row]:
    """Rows for every kernel of the request and for torch.mm, in that order, torch first."""
    precision = checks.precision(inputs.DTYPES[dtype], request.precision)
    say(f"{shape} {dtype} {precision}: right answers in float64")
    checker = Checker(shape, dtype, precision, "cuda", request.seed)
    a, b = checker.normal
    c = torch.empty((shape.M, shape.N), dtype=a.dtype, device=a.device)
    entries = []
    for name in request.kernels:
        say(f"{shape} {dtype} {precision}: verify {name}")
        entries.append(prepare(name, shape, dtype, precision, request, checker, c))
    del checker
    say(f"{shape} {dtype} {precision}: time, {request.repeats} repeats in turns")
    torch_row = base_row("torch", shape, dtype, precision)
    time_all(torch_row, entries, a, b, c, request)
    rows = [torch_row, *(entry.row for entry in entries)]
    judge.judge(rows, shape, a.element_size(), request.limits, request.flush)
    return rows


def base_row(kernel: str, shape: Shape, dtype: str, precision: str) -> Row:
    """The part of a row that needs no measuring."""
    itemsize = inputs.DTYPES[dtype].itemsize
    return {
        "kernel": kernel, "M": shape.M, "N": shape.N, "K": shape.K, "dtype": dtype, "precision": precision,
        "accumulator": "float32" if kernel != "torch" else "torch's default", "flops": shape.flops,
        "bytes": shape.bytes(itemsize), "intensity": shape.intensity(itemsize), "skipped": "", "warnings": [],
    }  # fmt: skip


def prepare(
    name: str, shape: Shape, dtype: str, precision: str, request: Request, checker: Checker, c: torch.Tensor
) -> Entry:
    """Find the config (tuning time apart), compile (time apart), verify; a refusal becomes the row's `skipped`."""
    row = base_row(name, shape, dtype, precision)
    a, b = checker.normal
    try:
        rung, config = configure(name, request.config, shape, dtype, precision)
        begun = time.perf_counter()
        if config is None:
            config = autotuned.search(a, b, c, precision)
            row["tune_ms"] = (time.perf_counter() - begun) * 1e3
        row |= {"rung": rung, "config": config}
        if {"BM", "BN", "BK"} <= set(config):
            row["tile_intensity"] = tile_intensity(config["BM"], config["BN"], config["BK"], a.element_size())
        begun = time.perf_counter()
        plan = matmul.plan(a, b, c, rung=rung, config=config, precision=precision)
        compiled = plan.compile()
        row["compile_ms"] = (time.perf_counter() - begun) * 1e3
        row["verify"] = checker.check(
            lambda x, y, z: matmul.run(
                matmul.plan(x, y, z, rung=rung, config=config, precision=precision), x.element_size()
            )
        )
    except checks.Refused as refusal:
        row["skipped"] = str(refusal)
        return Entry(row, name, {})
    row["resources"] = [ptx.resources(kernel) for kernel in compiled]
    if request.ptx_folder is not None:
        stem = f"{name}-{shape.M}x{shape.N}x{shape.K}-{dtype}-{precision}"
        row["ptx"] = ptx.save(compiled, request.ptx_folder, stem)
    return Entry(row, rung, config, plan if row["verify"]["passed"] else None)


def time_all(
    torch_row: Row, entries: Iterable[Entry], a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, request: Request
) -> None:
    """Replay graphs in turns and make whole calls in turns; writes "replay" and "call" into the rows."""
    rows = {"torch": torch_row}
    graphs = {"torch": timing.capture(lambda: torch.mm(a, b, out=c))}
    calls: dict[str, timing.Call] = {"torch": lambda: torch.mm(a, b, out=c)}
    for entry in entries:
        if entry.plan is None:
            continue
        name = entry.row["kernel"]
        rows[name] = entry.row
        graphs[name] = timing.capture(entry.plan.run)
        calls[name] = call_of(entry, a, b, c, request.precision)
    graphs["empty"] = timing.capture(lambda: timing.empty_launch(c))
    repeats = affordable(graphs, request)
    replays = timing.replays_ms(graphs, repeats, flush=request.flush)
    whole = timing.calls_ms(calls, max(repeats // 2, 5), flush=request.flush)
    empty_ms = timing.median(replays.pop("empty"))
    for name, row in rows.items():
        row["replay"] = timing.summary(replays[name])
        row["call"] = timing.summary(whole[name])
        row["empty_replay_ms"] = empty_ms


def affordable(graphs: dict[str, timing.Recording], request: Request) -> int:
    """As many repeats as asked for, fewer (10 at least) where a round of all kernels takes very long."""
    once = timing.replays_ms(graphs, 1, warm_ups=1, flush=request.flush)
    round_ms = math.fsum(values[0] for values in once.values())
    return min(request.repeats, max(10, int(LONGEST_MS / round_ms)))


def call_of(entry: Entry, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, precision: str) -> timing.Call:
    """A call as a person makes it: checks, descriptors, workspace and the look-up of `best` are all included."""
    if entry.row["kernel"] == "best":
        return partial(matmul.best, a, b, c, precision=precision)

    def call() -> None:
        matmul.matmul(a, b, c, rung=entry.rung, config=entry.config, precision=precision)

    return call
