"""The fields of a file of the load counters, and the Counters that they make."""

from sim.measured.fields import Fields
from sim.measured.read_bench import picoseconds
from sim.measured.records import Counted, Counters, Launch, Spread

COUNTERS_SCHEMA = "gpu/counters/schema.json"
MOST_LAUNCHES = 2_000
_TIMES = {"first_quartile": None, "median": None, "third_quartile": None, "launches": None}
COUNTERS_KEPT = {
    "schema": None,
    "provenance": {"device": None, "date": None, "driver": None, "command": None},
    "kernel": {"BM": None, "BN": None, "BK": None},
    "loads": [
        {
            "n": None, "tile": None, "kernel": None, "threads_per_block": None, "model_loads": None,
            "counted_loads": None, "warp_loads": None, "l1_sectors": None, "l2_sectors": None, "dram_read_bytes": None,
            "dram_write_bytes": None, "profiled_ms": None, "time_ms": _TIMES,
        }
    ],
    "grouping": [
        {
            "m": None, "n": None, "k": None, "group_m": None, "dram_read_bytes": None, "dram_write_bytes": None,
            "profiled_ms": None, "time_ms": {"median": None},
        }
    ],
}  # fmt: skip


def read_counters(top: Fields, name: str) -> Counters:
    """The counters that a file tells of. Raises Unreadable."""
    source = top.inner("provenance")
    kernel = top.inner("kernel") if top.has("kernel") else None
    loads = top.items("loads", MOST_LAUNCHES) if top.value.get("loads") != [] else []
    grouping = top.items("grouping", MOST_LAUNCHES) if top.value.get("grouping") != [] else []
    if not loads and not grouping:
        raise top.wrong("loads", "at least one launch")
    return Counters(
        name=name,
        device=source.text("device"),
        date=source.text("date")[:10],
        driver=source.text("driver", ""),
        command=source.text("command", ""),
        launches=tuple(_launch(Fields(each, f"{name}: loads {at}")) for at, each in enumerate(loads, 1)),
        counted=tuple(_counted(Fields(each, f"{name}: grouping {at}")) for at, each in enumerate(grouping, 1)),
        tile=(kernel.whole("BM"), kernel.whole("BN"), kernel.whole("BK")) if kernel else None,
    )


def _launch(fields: Fields) -> Launch:
    times = fields.inner("time_ms")
    low, median, high = (picoseconds(times, key) for key in ("first_quartile", "median", "third_quartile"))
    return Launch(
        n=fields.whole("n", 1, 65_536),
        tile=fields.whole("tile", 1, 32),
        kernel=fields.choice("kernel", ("tiled", "separate")),
        threads=fields.whole("threads_per_block", 1, 1024),
        model_loads=fields.whole("model_loads"),
        counted_loads=fields.whole("counted_loads"),
        warp_loads=fields.whole("warp_loads"),
        l1_sectors=fields.whole("l1_sectors"),
        l2_sectors=fields.whole("l2_sectors"),
        dram_bytes=_dram(fields),
        profiled=picoseconds(fields, "profiled_ms"),
        time=Spread(low, median, high, times.whole("launches")),
    )


def _counted(fields: Fields) -> Counted:
    m, n, k = (fields.whole(name, 1, 2**31 - 1) for name in ("m", "n", "k"))
    profiled, time = picoseconds(fields, "profiled_ms"), picoseconds(fields.inner("time_ms"), "median")
    return Counted((m, n, k), fields.whole("group_m"), _dram(fields), profiled, time)


def _dram(fields: Fields) -> int:
    """Bytes read and written; none of a launch's inputs can have come from elsewhere, so some are read."""
    return fields.whole("dram_read_bytes") + fields.whole("dram_write_bytes", 0)
