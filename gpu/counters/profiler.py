"""Run a program under Nsight Compute and read its counters back, one record for each kernel launch."""

import csv
import io
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


class Unmeasured(Exception):
    """Nothing was measured; the message says in one sentence what is missing or what went wrong."""


@dataclass(frozen=True)
class Launch:
    """The counters of one kernel launch.

    `kernel` is the function's name, `blocks` the number of blocks, `values` the metrics in base units (bytes,
    nanoseconds, plain counts), `instances` what instanced metrics are made of, by instance name (an opcode, here).
    """

    kernel: str
    blocks: int
    values: dict[str, float]
    instances: dict[str, dict[str, int]]

    def count(self, metric: str) -> int:
        """A metric that counts things; Unmeasured when it is missing or not whole."""
        value = self.values.get(metric)
        if value is None or value != int(value):
            raise Unmeasured(f"{self.kernel}: metric {metric}: given {value}; expected a whole number")
        return int(value)


def run(command: Sequence[str], what: str) -> str:
    """Standard output of a command that must succeed; Unmeasured with its last words when it does not."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise Unmeasured(f"{what}: {command[0]} cannot be started: {error}") from error
    if done.returncode:
        words = (done.stderr.strip() or done.stdout.strip() or "no message").splitlines()
        raise Unmeasured(f"{what}: {command[0]} ended with status {done.returncode}: {' / '.join(words[-3:])}")
    return done.stdout


def tool(name: str) -> str:
    """The path of a CUDA tool; Unmeasured when it is not installed."""
    found = shutil.which(name) or shutil.which(f"/usr/local/cuda/bin/{name}")
    if not found:
        raise Unmeasured(f"{name} is not on the PATH; it comes with the CUDA toolkit")
    return found


def profile(command: Sequence[str], metrics: Sequence[str], report: Path) -> list[Launch]:
    """The counters of every launch of a kernel named matmul_… that `command` and its children make, in launch order.

    The clocks are left as they are; the caches are flushed before every pass, so a launch starts cold. Nsight Compute
    runs each kernel in several passes, one for every group of counters, and puts the memory back in between: counters
    of different passes are of different runs of the same launch. The report stays at `report`, a .ncu-rep file.
    """
    ncu = tool("ncu")
    run([ncu, "--clock-control", "none", "--cache-control", "all", "--target-processes", "all",
         "--kernel-name", "regex:^matmul_", "--metrics", ",".join(metrics), "--force-overwrite",
         "--export", str(report), *command], "profiling")
    text = run([ncu, "--import", str(report), "--csv", "--page", "raw", "--print-units", "base",
                "--print-metric-instances", "details"], "reading the report")
    launches = launches_of(text, metrics)
    if not launches:
        raise Unmeasured(f"profiling: {' '.join(command)} launched no kernel named matmul_…")
    return launches


def launches_of(text: str, metrics: Sequence[str]) -> list[Launch]:
    """Parse Nsight Compute's raw page in CSV: a row of names, a row of units, then a row for each launch.

    Raises Unmeasured when a metric is missing or its unit is not a base unit.
    """
    lines = [line for line in text.splitlines() if line and not line.startswith("==")]
    rows = list(csv.DictReader(io.StringIO("\n".join(lines))))
    if not rows:
        return []
    units, launches = rows[0], rows[1:]
    for metric in metrics:
        if metric not in units:
            raise Unmeasured(f"metric {metric} is not in the report; this GPU or this Nsight Compute does not have it")
        if re.match(r"[KMGTu]", units[metric]):
            raise Unmeasured(f"metric {metric}: given in {units[metric]}; expected a base unit")
    return [_launch(row, metrics) for row in launches]


def _launch(row: dict[str, str], metrics: Sequence[str]) -> Launch:
    values, instances = {}, {}
    for metric in metrics:
        total, parts = _number_and_instances(row[metric], metric)
        values[metric] = total
        if parts:
            instances[metric] = parts
    sizes = [int(size) for size in re.findall(r"\d+", row["Grid Size"])]
    blocks = sizes[0] * sizes[1] * sizes[2]
    return Launch(row["Kernel Name"].split("(")[0].split("<")[0].strip(), blocks, values, instances)


def _number_and_instances(text: str, metric: str) -> tuple[float, dict[str, int]]:
    """'64 (LDG: 40; STG: 24)' is (64.0, {'LDG': 40, 'STG': 24}); a plain '64' has no instances."""
    match = re.fullmatch(r"\s*([\d.,]+)(?:\s*\((.*)\))?\s*", text, re.DOTALL)
    if not match:
        raise Unmeasured(f"metric {metric}: given {text[:60]!r}; expected a number")
    total = float(match[1].replace(",", ""))
    parts: dict[str, int] = {}
    for item in (match[2] or "").split(";"):
        name, found, value = item.rpartition(":")
        if found:
            parts[name.strip()] = parts.get(name.strip(), 0) + int(float(value.replace(",", "")))
    if parts and sum(parts.values()) != total:
        raise Unmeasured(f"metric {metric}: its instances add up to {sum(parts.values())}; expected {total:.0f}")
    return total, parts
