"""The fields of a kernel-bench file, and the Run that they make."""

from fractions import Fraction

from sim.measured.fields import Fields, Unreadable, rounded
from sim.measured.records import FORMATS, Copy, Product, Row, Run, Shape, Spread

MOST_ROWS = 5_000
LARGEST = 2**31 - 1
DTYPES = ("float16", "bfloat16", "float32")
TILE = ("BM", "BN", "BK")
_SPREAD = {"median_ms": None, "low_ms": None, "high_ms": None, "repeats": None}
# What is read, and so what a slim file keeps; rows that are refused or were never timed have fewer fields.
BENCH_KEPT = {
    "format": None,
    "device": {"name": None, "l2_bytes": None},
    "driver": None,
    "versions": {"torch": None, "triton": None},
    "date": None,
    "command": None,
    "method": {"cache": None},
    "limits": {"tflops": None, "memory_tb_s": None, "source": None},
    "clocks": {"start": {"sm_mhz": None}, "end": {"sm_mhz": None}},
    "ceilings": {
        "copy": {"moved_bytes": None, "replay": _SPREAD},
        "products": [{"dtype": None, "precision": None, "M": None, "N": None, "K": None, "replay": _SPREAD}],
    },
    "rows": [
        {
            "kernel": None, "M": None, "N": None, "K": None, "dtype": None, "precision": None, "skipped": None,
            "rung": None, "config": dict.fromkeys(TILE), "verify": {"passed": None, "random": {"error": None}},
            "replay": _SPREAD, "call": _SPREAD, "empty_replay_ms": None, "tune_ms": None,
        }
    ],
}  # fmt: skip


def read_bench(top: Fields, name: str) -> Run:
    """The run that a file tells of. Raises Unreadable."""
    device, method = top.inner("device"), top.inner("method")
    versions = top.inner("versions") if top.has("versions") else Fields({}, name)
    peaks, peak_tb_s, source = _limits(top)
    copy, products = _ceilings(top)
    return Run(
        name=name,
        device=device.text("name"),
        date=top.text("date"),
        driver=top.text("driver", ""),
        command=top.text("command", ""),
        torch=versions.text("torch", ""),
        triton=versions.text("triton", ""),
        l2_bytes=device.whole("l2_bytes", 0) if device.has("l2_bytes") else 0,
        flushed="overwritten before each repeat" in method.text("cache", ""),
        clocks_mhz=_clocks(top),
        rows=_rows(top),
        peaks=peaks,
        peak_tb_s=peak_tb_s,
        peak_source=source,
        copy=copy,
        products=products,
    )


def picoseconds(fields: Fields, key: str) -> int:
    """A time that a file has in milliseconds."""
    found = round(round(fields.number(key), 9) * 10**9)
    if not 1 <= found <= 10**16:
        raise fields.wrong(key, "milliseconds, from 0.000000001 to 10,000,000")
    return found


def spread(fields: Fields) -> Spread:
    """A median between its low and its high."""
    low, median, high = (picoseconds(fields, key) for key in ("low_ms", "median_ms", "high_ms"))
    if not low <= median <= high:
        what = "low_ms, median_ms and high_ms out of order"
        raise Unreadable(f"{fields.where}: given {what}; allowed: low ≤ median ≤ high")
    return Spread(low, median, high, fields.whole("repeats"))


def shape_of(fields: Fields) -> Shape:
    """M, N and K."""
    return fields.whole("M", 1, LARGEST), fields.whole("N", 1, LARGEST), fields.whole("K", 1, LARGEST)


def _rows(top: Fields) -> tuple[Row, ...]:
    rows, first = [], dict[tuple[str, str, Shape], int]()
    for number, value in enumerate(top.items("rows", MOST_ROWS), 1):
        fields = Fields(value, f"{top.where}: row {number}")
        row = _row(fields)
        place = (row.kernel, row.format, row.shape)
        if place in first:
            what = f"the kernel, shape and number format of row {first[place]} again"
            raise Unreadable(f"{fields.where}: given {what}; allowed: each once")
        first[place] = number
        rows.append(row)
    if not any(row.replay for row in rows):
        what = "1 row, and it is not timed" if len(rows) == 1 else f"{len(rows)} rows, none of them timed"
        raise Unreadable(f"{top.where}: given {what}; allowed: at least one row with replay and call")
    return tuple(rows)


def _row(fields: Fields) -> Row:
    kernel = fields.text("kernel")
    fields.where += f" ({kernel[:40]})"
    dtype, precision = fields.choice("dtype", DTYPES), fields.choice("precision", ("ieee", "tf32"))
    shape, skipped = shape_of(fields), fields.text("skipped")
    timed = fields.has("replay") or fields.has("call")
    verify = fields.inner("verify") if fields.has("verify") else None
    random = verify.inner("random") if verify and verify.has("random") else None
    return Row(
        kernel=kernel,
        shape=shape,
        dtype=dtype,
        precision=precision,
        skipped=skipped,
        rung=fields.text("rung", ""),
        tile=_tile(fields),
        replay=spread(fields.inner("replay")) if timed else None,
        call=spread(fields.inner("call")) if timed else None,
        empty=picoseconds(fields, "empty_replay_ms") if timed else None,
        tune=picoseconds(fields, "tune_ms") if fields.has("tune_ms") else None,
        error=Fraction(rounded(random.number("error", None))) if random and random.has("error") else None,
        right=verify.flag("passed") if verify else True,
    )


def _tile(fields: Fields) -> tuple[int, int, int] | None:
    config = fields.inner("config") if fields.has("config") else None
    if config is None or not all(config.has(name) for name in TILE):
        return None
    bm, bn, bk = (config.whole(name, 1, 2**20) for name in TILE)
    return bm, bn, bk


def _limits(top: Fields) -> tuple[dict[str, Fraction], Fraction | None, str]:
    if not top.has("limits"):
        return {}, None, ""
    limits = top.inner("limits")
    rates = limits.inner("tflops")
    peaks = {key: _decimal(rates, key) for key in FORMATS if rates.has(key)}
    return peaks, _decimal(limits, "memory_tb_s"), limits.text("source", "")


def _decimal(fields: Fields, key: str) -> Fraction:
    """A number as it is written, not as it is stored: 4.8 is 24/5."""
    return Fraction(str(fields.number(key)))


def _clocks(top: Fields) -> tuple[Fraction | None, Fraction | None]:
    if not top.has("clocks"):
        return None, None
    ends = (top.inner("clocks").inner(end) for end in ("start", "end"))
    start, end = (Fraction(fields.number("sm_mhz")) if fields.has("sm_mhz") else None for fields in ends)
    return start, end


def _ceilings(top: Fields) -> tuple[Copy | None, tuple[Product, ...]]:
    if not top.has("ceilings"):
        return None, ()
    ceilings = top.inner("ceilings")
    found = ceilings.inner("copy") if ceilings.has("copy") else None
    copy = Copy(found.whole("moved_bytes"), spread(found.inner("replay"))) if found else None
    listed = ceilings.items("products", 20) if ceilings.has("products") else []
    where = f"{ceilings.where}: product"
    return copy, tuple(_product(Fields(value, f"{where} {number}")) for number, value in enumerate(listed, 1))


def _product(fields: Fields) -> Product:
    dtype, precision = fields.choice("dtype", DTYPES), fields.choice("precision", ("ieee", "tf32"))
    name = f"{dtype} {precision}" if dtype == "float32" else dtype
    return Product(name, shape_of(fields), spread(fields.inner("replay")))
