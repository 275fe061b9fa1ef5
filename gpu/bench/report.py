"""The terminal's table, also of a stored result:

python -m gpu.bench.report gpu/results/h200-matmul-half.json
"""

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from gpu.bench import ptx
from gpu.bench.shapes import ratio_text

Row = dict[str, Any]
HEAD = ("kernel", "replay us", "spread us", "call us", "TFLOP/s", "x torch", "x torch, call", "error", "tolerance")
APART = {"compile_ms": "compiling, or finding it compiled,", "tune_ms": "tuning"}


def table(result: dict[str, Any]) -> str:
    """All rows, grouped by shape and type, with warnings under them."""
    lines = [heading(result)]
    last = None
    for row in result["rows"]:
        group = (row["M"], row["N"], row["K"], row["dtype"], row["precision"])
        if group != last:
            named = f"M={row['M']} N={row['N']} K={row['K']} {row['dtype']}"
            precision = f" precision={row['precision']}" if row["dtype"] == "float32" else ""
            counts = f"{row['flops']} operations, {row['bytes']} bytes, {row['intensity']:.2f} a byte"
            lines += ["", f"{named}{precision}: {counts}", "  " + columns(HEAD)]
            last = group
        lines += body(row)
    lines += ["", *(total(one) for one in result["summary"])]
    if "ceilings" in result:
        lines += ["", *ceiling_lines(result["ceilings"])]
    return "\n".join(lines)


def heading(result: dict[str, Any]) -> str:
    """What the times are."""
    method = result["method"]
    return "\n".join([
        f"{result['device']['name']}, driver {result['driver']}, "
        f"torch {result['versions']['torch']}, triton {result['versions']['triton']}",
        f"order: {result['order']}",
        f"replay: {method['replay']}",
        f"call: {method['call']}",
        f"cache: {method['cache']}",
        f"clocks: start {result['clocks']['start']}, end {result['clocks']['end']}",
    ])  # fmt: skip


def columns(cells: tuple[str, ...]) -> str:
    """A line of the table."""
    return f"{cells[0]:<18}" + "".join(f"{cell:>15}" for cell in cells[1:])


def body(row: Row) -> list[str]:
    """One kernel's lines."""
    if row["skipped"]:
        return [f"  {row['kernel']:<18} not run: {row['skipped']}"]
    lines = []
    if "replay" in row:
        replay, call = row["replay"], row["call"]
        rate = "launch-bound" if row["launch_bound"] else f"{row['tflops']:.1f}"
        spread = f"{replay['low_ms'] * 1e3:.1f}-{replay['high_ms'] * 1e3:.1f}"
        cells = [row["kernel"], f"{replay['median_ms'] * 1e3:.1f}", spread, f"{call['median_ms'] * 1e3:.1f}", rate]
        cells += [ratio_text(row["ratio"]), ratio_text(row["call_ratio"]), *error(row)]
        lines.append("  " + columns(tuple(cells)))
    else:
        lines.append("  " + columns((row["kernel"], *["-"] * 6, *error(row))))
    overflow = row.get("verify", {}).get("integers", {}).get("matching_overflow", 0)
    if overflow:
        lines.append(f"    matching overflow: {overflow} elements are infinite in ours and in the reference alike")
    if "ptx" in row:
        lines += [f"    {one['kernel']}: {ptx.sentence(one['instructions'])}" for one in row["resources"]]
    times = [f"{what} {row[name]:.0f} ms" for name, what in APART.items() if name in row]
    if times:
        lines.append(f"    apart from the times above: {', '.join(times)}")
    return lines + [f"    {warning}" for warning in row["warnings"]]


def error(row: Row) -> tuple[str, str]:
    """Random-data error and tolerance, as words."""
    if "verify" not in row:
        return "-", "-"
    random = row["verify"]["random"]
    words = "NaN" if random["error"] is None else f"{random['error']:.1e}"
    return words if row["verify"]["passed"] else f"WRONG {words}", f"{random['tolerance']:.0e}"


def ceiling_lines(found: dict[str, Any]) -> list[str]:
    """What the GPU was seen to do at best, apart from any kernel of ours."""
    copied = found["copy"]
    moved = f"a copy that moves {copied['moved_bytes']} bytes ({copied['way']})"
    lines = [f"ceiling, memory: {copied['tb_s']:.2f} TB/s, {moved}"]
    for one in found["products"]:
        named = f"{one['dtype']} {one['precision']}" if one["dtype"] == "float32" else one["dtype"]
        shape = f"M={one['M']} N={one['N']} K={one['K']}"
        lines.append(f"ceiling, {named}: {one['tflops']:.1f} TFLOP/s, torch.mm of {shape}")
    return lines


def total(one: dict[str, Any]) -> str:
    """A kernel's line at the end."""
    return (
        f"{one['kernel']} {one['dtype']} {one['precision']}: torch time / ours, geometric mean "
        f"{one['geometric_mean_ratio']:.3f} over {one['shapes']} shapes, least {one['least_ratio']:.3f}; "
        f"as called {one['geometric_mean_call_ratio']:.3f}"
    )


def main(arguments: list[str] | None = None) -> int:
    """Print the table of a stored kernel-bench result."""
    parser = argparse.ArgumentParser(prog="python -m gpu.bench.report", description="Print a stored result's table.")
    parser.add_argument("file", type=Path, help="a JSON file that kernel-bench or gpu.run_all wrote")
    options = parser.parse_args(arguments)
    try:
        result = json.loads(options.file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        parser.error(f"{options.file}: {problem}")
    found = result.get("format") if isinstance(result, dict) else None
    if found != "gpu-lab kernel-bench 1":
        parser.error(f"{options.file}: format {found!r}; allowed: a result of kernel-bench")
    try:
        text = table(result)
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        parser.error(f"{options.file}: not a whole result: {type(problem).__name__} {problem}")
    return shown(text)


def shown(text: str) -> int:
    """Print; a reader such as `head` that has seen enough is no error."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the flush at Python's end
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
