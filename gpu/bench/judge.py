"""What to say about a row: rate, ratio to torch, and warnings about numbers that cannot be or need a reason."""

from typing import Any

from gpu.bench.shapes import Limits, Shape, floor_ms, number_format, tflops

Row = dict[str, Any]
SUSPECT_RATIO = 3.0


def judge(rows: list[Row], shape: Shape, itemsize: int, limits: Limits | None, flushed: bool) -> None:
    """Add tflops, ratios, launch_bound and warnings to the timed rows; the first row is torch's."""
    torch_row = rows[0]
    for row in rows:
        if "replay" not in row:
            row["warnings"] += failures(row)
            continue
        replay_ms = row["replay"]["median_ms"]
        row["launch_bound"] = 2 * row["empty_replay_ms"] > replay_ms
        row["tflops"] = None if row["launch_bound"] else tflops(shape, replay_ms)
        row["ratio"] = torch_row["replay"]["median_ms"] / replay_ms
        row["call_ratio"] = torch_row["call"]["median_ms"] / row["call"]["median_ms"]
        row["warnings"] += impossible(row, shape, itemsize, limits, flushed) + notable(row, shape, itemsize, limits)


def failures(row: Row) -> list[str]:
    """Why a row has no times, when it was not refused."""
    if row["skipped"] or row.get("verify", {}).get("passed", True):
        return []
    return ["wrong result: not timed"]


def impossible(row: Row, shape: Shape, itemsize: int, limits: Limits | None, flushed: bool) -> list[str]:
    """Numbers that no correct measurement on this chip can give."""
    if limits is None:
        return ["the chip's peak rate is not known here, so no rate was checked against it"]
    found = []
    replay_ms = row["replay"]["median_ms"]
    peak = limits.tflops[number_format(row["dtype"], row["precision"])]
    if tflops(shape, replay_ms) > peak:
        found.append(f"{tflops(shape, replay_ms):.0f} TFLOP/s is above the chip's peak of {peak}: a measuring fault")
    floor = floor_ms(shape, itemsize, peak, limits.memory_tb_s)
    if flushed and replay_ms < floor:
        found.append(f"faster than the floor of {floor * 1e3:.1f} us that memory and arithmetic set: a measuring fault")
    return found


def notable(row: Row, shape: Shape, itemsize: int, limits: Limits | None) -> list[str]:
    """Speed-ups to distrust and losses to explain."""
    if row["kernel"] == "torch":
        return []
    found = []
    if row["ratio"] > SUSPECT_RATIO:
        found.append(f"suspect: {row['ratio']:.2f} times as fast as torch; check that both compute the same thing")
    if row["ratio"] < 1:
        found.append(f"slower than torch ({row['ratio']:.3f}); {reason(shape, itemsize, limits, row)}")
    return found


def reason(shape: Shape, itemsize: int, limits: Limits | None, row: Row) -> str:
    """What bounds this shape by the vendor's figures, and how far off it was; why it was, no time can tell."""
    work = f"{shape.flops} operations on {shape.bytes(itemsize)} bytes, {shape.intensity(itemsize):.1f} a byte"
    if row["launch_bound"]:
        return f"launching takes as long as working here ({work})"
    if limits is None:
        return f"{work}; the rung's docstring says what it lacks"
    peak = limits.tflops[number_format(row["dtype"], row["precision"])]
    ridge = peak / limits.memory_tb_s
    roof = "memory" if shape.intensity(itemsize) < ridge else "arithmetic"
    least = floor_ms(shape, itemsize, peak, limits.memory_tb_s) * 1e3
    return (
        f"roof: {roof}, which allows {least:.2f} us ({work}; the chip can do {ridge:.0f}); "
        "the rung's docstring says what it lacks"
    )
