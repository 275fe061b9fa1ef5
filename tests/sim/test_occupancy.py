"""Resident blocks: by hand, and against NVIDIA's own cuda_occupancy.h."""

import importlib.util
import itertools
import shutil
import subprocess
from pathlib import Path

import pytest

from sim.gpus import CAPABILITIES
from sim.occupancy import allocated_shared_bytes, resident_blocks


@pytest.mark.parametrize(
    ("capability", "threads", "registers", "shared", "blocks", "limiting"),
    [
        # 2048 threads hold 16 blocks of 128; a warp takes 64 × 32 registers, so 8 fit into each quarter of 16,384;
        # 49,152 + 1,024 bytes go 4 times into 233,472.
        ("9.0", 128, 64, 49_152, 4, ("shared memory",)),
        ("9.0", 128, 64, 0, 8, ("registers",)),
        ("9.0", 128, 16, 0, 16, ("threads",)),
        ("9.0", 32, 16, 0, 32, ("blocks",)),
        ("7.5", 128, 32, 0, 8, ("threads",)),
        ("7.5", 32, 32, 0, 16, ("blocks",)),
        ("8.9", 32, 16, 0, 24, ("blocks",)),
        ("8.6", 512, 32, 0, 3, ("threads",)),
        # 255 × 32 rounds up to 8,192 registers a warp: 2 in each quarter, 8 warps in all, one block of 8 warps.
        ("8.0", 256, 255, 0, 1, ("registers",)),
        ("8.0", 1024, 65, 0, 0, ("registers",)),
        ("7.0", 128, 32, 98_304, 1, ("shared memory",)),
        ("7.0", 128, 32, 98_305, 0, ("shared memory",)),
        ("9.0", 128, 32, 232_448, 1, ("shared memory",)),
        ("9.0", 128, 32, 232_449, 0, ("shared memory",)),
        ("8.0", 1025, 0, 0, 0, ("threads",)),
        ("8.0", 128, 256, 0, 0, ("registers",)),
    ],
)
def test_resident_blocks_by_hand(capability, threads, registers, shared, blocks, limiting):
    found = resident_blocks(CAPABILITIES[capability], threads, registers, shared)
    assert (found.blocks, found.limiting) == (blocks, limiting)


def test_every_limit_is_told():
    found = resident_blocks(CAPABILITIES["9.0"], 128, 64, 49_152)
    assert dict(found.limits) == {"threads": 16, "blocks": 32, "shared memory": 4, "registers": 8}
    assert (found.warps, found.most_warps) == (16, 64)


def test_two_resources_may_limit_together():
    assert resident_blocks(CAPABILITIES["9.0"], 128, 32).limiting == ("threads", "registers")


def test_shared_memory_is_handed_out_in_units_with_the_drivers_part():
    assert allocated_shared_bytes(CAPABILITIES["9.0"], 1) == 1152
    assert allocated_shared_bytes(CAPABILITIES["7.5"], 257) == 512


@pytest.mark.parametrize(
    ("threads", "registers", "shared", "words"),
    [
        (0, 0, 0, "threads: given 0; allowed: 1 or more"),
        (32, -1, 0, "registers per thread: given -1; allowed: 0 or more"),
        (32, 0, -1, "shared bytes: given -1; allowed: 0 or more"),
    ],
)
def test_impossible_amounts_are_refused_in_words(threads, registers, shared, words):
    with pytest.raises(ValueError, match=words):
        resident_blocks(CAPABILITIES["9.0"], threads, registers, shared)


def _header() -> Path | None:
    found = importlib.util.find_spec("triton")
    places = list(found.submodule_search_locations or ()) if found else []
    headers = [Path(place) / "backends" / "nvidia" / "include" / "cuda_occupancy.h" for place in places]
    return next((header for header in headers if header.is_file()), None)


def test_nvidias_own_header_agrees(tmp_path: Path):
    header, compiler = _header(), shutil.which("g++") or shutil.which("clang++")
    if not header or not compiler:
        pytest.skip("no cuda_occupancy.h (it comes with Triton) or no C++ compiler")
    program = tmp_path / "referee"
    source = Path(__file__).with_name("occupancy_referee.cpp")
    subprocess.run([compiler, "-w", "-I", str(header.parent), str(source), "-o", str(program)], check=True)
    asked = list(
        itertools.product(
            CAPABILITIES.values(),
            (32, 64, 96, 128, 160, 256, 384, 512, 1024),
            (16, 33, 40, 64, 65, 96, 128, 168, 255),
            (0, 1, 1024, 6144, 18_432, 32_768, 49_152, 65_536, 98_304, 101_376, 166_912, 232_448, 240_000),
        )
    )
    lines = [
        f"{c.name.replace('.', ' ')} {c.threads} {c.shared_bytes} {c.reserved_bytes} {c.registers} {t} {r} {s}"
        for c, t, r, s in asked
    ]
    told = subprocess.run([str(program)], input="\n".join(lines), capture_output=True, text=True, check=True).stdout
    ours = [resident_blocks(*each).blocks for each in asked]
    assert len(asked) == 7371
    assert [int(word) for word in told.split()] == ours
