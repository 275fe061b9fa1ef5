"""Find the fastest rung and config for each shape on this GPU, and write them to a table.

    python -m gpu.tuning.search --output gpu/tuning/h200.json

Three steps: compile every candidate in parallel processes; on random integers keep those whose C is exactly right and
time each a few times; then time the best few again, in turns with torch.mm, on random normal numbers.  float16 and
bfloat16 share the first pass; float32 is searched in IEEE and in TF32 precision.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import torch
import triton

from gpu.bench import timing
from gpu.bench.compiling import Kind, Shape, compiled, workers_pool
from gpu.bench.inputs import DTYPES
from gpu.ladder import RUNGS
from gpu.tuning.candidates import Candidate, candidates, candidates32

SHAPES: tuple[Shape, ...] = (
    (127, 255, 65), (512, 512, 512), (1000, 1000, 1000), (1024, 1024, 1024), (2048, 2048, 2048), (4096, 4096, 4096),
    (8192, 8192, 8192), (4096, 11008, 4096), (16, 4096, 4096), (1, 4096, 4096), (8192, 8192, 1024), (1024, 1024, 65536),
    (4095, 4097, 4099),
)  # fmt: skip
SEARCHED: tuple[Kind, ...] = (("float16", "ieee"), ("float32", "ieee"), ("float32", "tf32"))
BFLOAT16: Kind = ("bfloat16", "ieee")  # timed with the candidates that were fastest in float16


def operands(shape: Shape, dtype: str, kind: str, seed: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    """A and B on the GPU: "integers" from -3 to 3, or "normal" numbers."""
    M, N, K = shape
    generator = torch.Generator(device="cuda").manual_seed(seed)
    if kind == "integers":
        a = torch.randint(-3, 4, (M, K), generator=generator, device="cuda").to(DTYPES[dtype])
        return a, torch.randint(-3, 4, (K, N), generator=generator, device="cuda").to(DTYPES[dtype])
    a = torch.randn((M, K), generator=generator, device="cuda", dtype=torch.float32).to(DTYPES[dtype])
    return a, torch.randn((K, N), generator=generator, device="cuda", dtype=torch.float32).to(DTYPES[dtype])


def first_pass(shape: Shape, entries: list[Candidate], kind: Kind, repeats: int) -> list[tuple[float, Candidate]]:
    """(median ms, candidate) of those whose C is exactly right, fastest first."""
    dtype, precision = kind
    a, b = operands(shape, dtype, "integers")
    exact = torch.mm(a.double(), b.double()).to(DTYPES[dtype])
    c = torch.empty((shape[0], shape[1]), dtype=DTYPES[dtype], device="cuda")
    x, y = operands(shape, dtype, "normal")
    found: list[tuple[float, Candidate]] = []
    for rung, config in entries:
        try:
            c.fill_(float("nan"))
            RUNGS[rung].prepare(a, b, c, config, precision).run()
            if not torch.equal(c, exact):
                print("   WRONG", shape, rung, config, flush=True)
                continue
            graph = timing.capture(RUNGS[rung].prepare(x, y, c, config, precision).run, warm_ups=1)
            times = timing.replays_ms({"it": graph}, 1, warm_ups=1)["it"]
            if not found or times[0] < 2 * min(pair[0] for pair in found):
                times = timing.replays_ms({"it": graph}, repeats, warm_ups=0)["it"]
        except (triton.runtime.errors.OutOfResources, RuntimeError) as problem:
            if "CUDA error" in str(problem) or "Triton Error" in str(problem):
                raise
            continue
        found.append((timing.median(times), (rung, config)))
    return sorted(found, key=lambda pair: pair[0])


def final_pass(shape: Shape, entries: list[Candidate], kind: Kind, repeats: int) -> dict[str, Any]:
    """Time entries and torch.mm in turns; the record that goes into the table."""
    dtype, precision = kind
    torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"
    a, b = operands(shape, dtype, "normal")
    c = torch.empty((shape[0], shape[1]), dtype=DTYPES[dtype], device="cuda")
    graphs = {"torch": timing.capture(lambda: torch.mm(a, b, out=c))}
    for index, (rung, config) in enumerate(entries):
        graphs[str(index)] = timing.capture(RUNGS[rung].prepare(a, b, c, config, precision).run)
    times = {name: timing.median(values) for name, values in timing.replays_ms(graphs, repeats).items()}
    torch_ms = times.pop("torch")
    order = sorted(times, key=lambda name: times[name])
    rung, config = entries[int(order[0])]
    others = [{"rung": entries[int(i)][0], "config": entries[int(i)][1], "time_ms": times[i]} for i in order[1:]]
    best_ms = times[order[0]]
    return {
        "M": shape[0], "N": shape[1], "K": shape[2], "dtype": dtype, "precision": precision,
        "rung": rung, "config": config,
        "time_ms": best_ms, "torch_ms": torch_ms, "ratio": torch_ms / best_ms, "others": others,
    }  # fmt: skip


def by_rung(ranked: list[tuple[float, Candidate]], keep: int) -> list[Candidate]:
    """The fastest `keep`, and the fastest of every other rung, so that each rung has a config for the table."""
    chosen = [candidate for _, candidate in ranked[:keep]]
    seen = {rung for rung, _ in chosen}
    for _, (rung, config) in ranked[keep:]:
        if rung not in seen:
            seen.add(rung)
            chosen.append((rung, config))
    return chosen


def search(
    shapes: tuple[Shape, ...], workers: int, keep: int, repeats: int, without: tuple[str, ...] = ()
) -> list[dict[str, Any]]:
    """Search all shapes; returns the table's entries and prints each as it is found."""
    entries: list[dict[str, Any]] = []
    with workers_pool(workers) as pool:
        pairs = [(shape, kind, *pair) for shape in shapes for kind in SEARCHED for pair in tried(shape, kind)]
        usable = compiled([pair for pair in pairs if pair[2] not in without], pool)
        chosen: dict[tuple[Shape, Kind], list[Candidate]] = {}
        for shape in shapes:
            for kind in SEARCHED:
                begun = time.perf_counter()
                mine = [(rung, config) for one, its_kind, rung, config in usable if (one, its_kind) == (shape, kind)]
                chosen[shape, kind] = by_rung(first_pass(shape, mine, kind, 7), keep)
                print(f"{shape} {kind}: {len(mine)} tried in {time.perf_counter() - begun:.1f} s", flush=True)
            chosen[shape, BFLOAT16] = chosen[shape, SEARCHED[0]]
        compiled([(shape, BFLOAT16, *candidate) for shape in shapes for candidate in chosen[shape, BFLOAT16]], pool)
    for (shape, kind), candidates_left in chosen.items():
        entries.append(final_pass(shape, candidates_left, kind, repeats))
        show(entries[-1])
    return entries


def tried(shape: Shape, kind: Kind) -> list[Candidate]:
    """The candidates for a shape in a type, without those that their rung refuses."""
    found = candidates32(*shape, kind[1]) if kind[0] == "float32" else candidates(*shape)
    itemsize = DTYPES[kind[0]].itemsize
    return [(rung, config) for rung, config in found if not RUNGS[rung].refuses(*shape, itemsize)]


def show(entry: dict[str, Any]) -> None:
    """Print an entry and what it was timed beside."""
    summary = {key: entry[key] for key in ("rung", "config", "time_ms", "torch_ms")}
    shape = entry["M"], entry["N"], entry["K"]
    print(f"{shape} {entry['dtype']} {entry['precision']} ratio {entry['ratio']:.3f}", summary, flush=True)
    for other in entry["others"]:
        print(f"      {other['time_ms']:.5f}", other["rung"], other["config"], flush=True)


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m gpu.tuning.search", description=__doc__)
    parser.add_argument("--output", type=Path, required=True, help="the JSON file to write")
    parser.add_argument("--shape", type=int, nargs=3, action="append", metavar=("M", "N", "K"), help="only these")
    parser.add_argument("--workers", type=int, default=16, help="processes that compile")
    parser.add_argument("--keep", type=int, default=4, help="candidates timed again beside torch")
    parser.add_argument("--repeats", type=int, default=25, help="timed repeats in the last step")
    parser.add_argument("--without", action="append", default=[], metavar="RUNG", help="leave this rung out")
    options = parser.parse_args(arguments)
    if not torch.cuda.is_available():
        print("no NVIDIA GPU here: the search times kernels, so it needs one", file=sys.stderr)
        return 1
    shapes = tuple(tuple(shape) for shape in options.shape) if options.shape else SHAPES
    entries = search(shapes, options.workers, options.keep, options.repeats, tuple(options.without))
    table = {
        "device": torch.cuda.get_device_name(), "torch": torch.__version__, "triton": triton.__version__,
        "method": timing.METHOD, "entries": entries,
    }  # fmt: skip
    options.output.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
