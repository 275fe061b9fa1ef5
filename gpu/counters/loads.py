"""The `loads` study: downloads/tiled_matmul.cu under Nsight Compute, for several N, T and kernels."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpu.counters.profiler import Launch, Unmeasured, profile, run, tool

REPEATS = 50

THREADS_BY_OPCODE = "sass__thread_inst_executed_true_per_opcode"
WARP_LOADS = "smsp__inst_executed_op_global_ld.sum"
L1_SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
L2_SECTORS = "lts__t_sectors_srcunit_tex_op_read.sum"
DRAM_READ = "dram__bytes_read.sum"
DRAM_WRITE = "dram__bytes_write.sum"
TIME = "gpu__time_duration.sum"
METRICS = (THREADS_BY_OPCODE, WARP_LOADS, L1_SECTORS, L2_SECTORS, DRAM_READ, DRAM_WRITE, TIME)


@dataclass(frozen=True)
class Case:
    """One launch: N × N matrices, blocks of T × T threads, and which of the two kernels."""

    n: int
    tile: int
    kernel: str

    @property
    def blocks(self) -> int:
        """Blocks in the grid: one for each T × T tile of C, the ragged ones included."""
        return (-(-self.n // self.tile)) ** 2

    @property
    def model_loads(self) -> int:
        """Input loads by the closed form, in elements: each input once for every tile that needs it.

        2 N**3 for separate outputs; 2 N**2 times the number of tiles along a side for tiles, which is 2 N**3 / T where
        T divides N.
        """
        uses = self.n if self.kernel == "separate" else -(-self.n // self.tile)
        return 2 * self.n**2 * uses


CASES = (
    *(Case(n, tile, "tiled") for n in (64, 512) for tile in (1, 2, 4, 8, 16, 32)),
    *(Case(n, tile, "separate") for n in (64, 512) for tile in (1, 8, 32)),
    Case(8, 4, "tiled"),
    Case(100, 16, "tiled"),
    Case(65, 32, "tiled"),
)


def build(source: Path, folder: Path, capability: str) -> Path:
    """Compile the program for this GPU (`capability` as in '9.0') and return the program's path."""
    program = folder / "tiled_matmul"
    arch = f"sm_{capability.replace('.', '')}"
    run([tool("nvcc"), f"-arch={arch}", "-o", str(program), str(source)], f"building {source.name}")
    return program


def measure(program: Path, reports: Path) -> Iterator[dict[str, Any]]:
    """One record for each case: the model's loads, the counters of one launch, the time with and without the profiler.

    One process for each case, all of them under one profiler. The program checks its own product and ends with an
    error when it is wrong, here too.
    """
    commands = [[str(program), str(case.n), str(case.tile), case.kernel] for case in CASES]
    script = program.with_name("cases.sh")
    script.write_text("set -e\n" + "".join(f"{shlex.join(command)}\n" for command in commands), encoding="utf-8")
    launches = profile(["sh", str(script)], METRICS, reports / "loads.ncu-rep")
    seen = [(launch.kernel, launch.blocks) for launch in launches]
    if seen != [(f"matmul_{case.kernel}", case.blocks) for case in CASES]:
        raise Unmeasured(f"loads: the profiler saw the launches {seen}; expected one for each case, in their order")
    for case, command, launch in zip(CASES, commands, launches, strict=True):
        yield record(case, launch, printed_times(run([*command, str(REPEATS)], "timing")))


def record(case: Case, launch: Launch, timing: dict[str, float]) -> dict[str, Any]:
    """What is stored for one case. Loads are elements, sectors are 32 bytes, times are milliseconds."""
    opcodes = launch.instances.get(THREADS_BY_OPCODE, {})
    return {
        "n": case.n,
        "tile": case.tile,
        "kernel": case.kernel,
        "blocks": launch.blocks,
        "threads_per_block": case.tile**2,
        "model_loads": case.model_loads,
        "counted_loads": sum(count for opcode, count in opcodes.items() if opcode.split(".")[0] == "LDG"),
        "warp_loads": launch.count(WARP_LOADS),
        "l1_sectors": launch.count(L1_SECTORS),
        "l2_sectors": launch.count(L2_SECTORS),
        "dram_read_bytes": launch.count(DRAM_READ),
        "dram_write_bytes": launch.count(DRAM_WRITE),
        "profiled_ms": launch.values[TIME] / 1e6,
        "time_ms": timing,
    }


def printed_times(text: str) -> dict[str, float]:
    """The times that the program printed, in milliseconds: minimum, quartiles, median, and the number of launches."""
    found = dict(re.findall(r"(\w+?)(?:_ms)?=([\d.]+)", text))
    names = ("min", "first_quartile", "median", "third_quartile")
    for name in (*names, "launches"):
        if name not in found:
            raise Unmeasured(f"timing: the program printed no {name}; it printed {text[:200]!r}")
    return {name: float(found[name]) for name in names} | {"launches": int(found["launches"])}
