"""Resident blocks: by hand, and against NVIDIA's cuda_occupancy.h and Nsight Compute's occupancy calculator."""

import importlib.util
import itertools
import shutil
import subprocess
from pathlib import Path

import pytest

from sim.gpus import CAPABILITIES
from sim.occupancy import allocated_shared_bytes, resident_blocks
from tests.sim.nsight import Answers, ask_calculator, calculator_folder, disagreements, launches


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


# (threads, blocks, shared KB, reserved bytes) of one multiprocessor, read in NVIDIA's arch_traits.h of nvidia-cuda-cccl
# 13.2.86: max_threads_per_multiprocessor, max_blocks_per_multiprocessor, max_shared_memory_per_multiprocessor and
# reserved_shared_memory_per_block.
PUBLISHED = {
    "7.0": (2048, 32, 96, 0),
    "7.5": (1024, 16, 64, 0),
    "8.0": (2048, 32, 164, 1024),
    "8.6": (1536, 16, 100, 1024),
    "8.9": (1536, 24, 100, 1024),
    "9.0": (2048, 32, 228, 1024),
    "10.0": (2048, 32, 228, 1024),
}


def test_limits_are_those_that_nvidia_publishes():
    ours = {
        name: (found.threads, found.blocks, found.shared_bytes // 1024, found.reserved_bytes)
        for name, found in CAPABILITIES.items()
    }
    assert ours == PUBLISHED
    for found in CAPABILITIES.values():
        common = (found.registers, found.thread_registers, found.block_threads, found.warp)
        assert common == (64 * 1024, 255, 1024, 32)
        assert found.shared_bytes % 1024 == 0


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


@pytest.fixture(scope="module")
def nsight_compute() -> Answers:
    """What Nsight Compute's occupancy calculator says, asked once."""
    folder = calculator_folder()
    if not folder:
        pytest.skip("Nsight Compute with its occupancy calculator for Python is not installed")
    return ask_calculator(folder)


@pytest.mark.parametrize("capability", CAPABILITIES)
def test_nsight_computes_occupancy_calculator_agrees(nsight_compute: Answers, capability: str):
    told = nsight_compute[capability]
    if told is None:
        pytest.skip(f"this Nsight Compute does not know compute capability {capability}")
    assert disagreements(CAPABILITIES[capability], told) == []


def stood_in(folder: Path, right: str = "", wrong: str = "") -> Answers:
    """The answers of the stand-in, with one place in it made wrong."""
    text = Path(__file__).with_name("ncu_occupancy_stand_in.py").read_text(encoding="utf-8")
    assert right in text
    (folder / "ncu_occupancy.py").write_text(text.replace(right, wrong) if right else text, encoding="utf-8")
    return ask_calculator(folder)


def test_the_comparison_with_nsight_compute_runs_through(tmp_path: Path):
    told = stood_in(tmp_path)
    known = {name: answers for name, answers in told.items() if answers}
    assert set(known) == {"8.9", "9.0"} and set(told) == set(CAPABILITIES)
    assert len(known["9.0"]["blocks"]) == len(launches(CAPABILITIES["9.0"])) == 9 * 9 * 12
    assert [disagreements(CAPABILITIES[name], answers) for name, answers in known.items()] == [[], []]


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        ("(9, 0): 32}", "(9, 0): 16}", "max_thread_blocks_per_sm: sim has 32, Nsight Compute 16"),
        # 32,768 + 512 bytes go 7 times into 233,472, 32,768 + 1,024 only 6 times.
        ("RESERVED, UNIT = 1024", "RESERVED, UNIT = 512", "(32, 16, 32768): sim has 6, Nsight Compute 7"),
        # 21 warps of 96 × 32 registers go into 65,536, but only 5 into each quarter of 16,384.
        ("4 * quarter // warps", "65_536 // 3072 // warps", "(32, 96, 0): sim has 20, Nsight Compute 21"),
        ("by_warps, self", "self", "(96, 16, 0): sim has 21, Nsight Compute 32"),
    ],
    ids=["a limit", "the driver's part", "registers not parted", "warps"],
)
def test_the_comparison_with_nsight_compute_tells_a_difference(tmp_path: Path, right: str, wrong: str, sentence: str):
    told = stood_in(tmp_path, right, wrong)["9.0"]
    assert told and sentence in disagreements(CAPABILITIES["9.0"], told)


def test_a_calculator_that_fails_is_no_agreement(tmp_path: Path):
    (tmp_path / "ncu_occupancy.py").write_text("raise ImportError('no libstdc++')\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="no libstdc"):
        ask_calculator(tmp_path)


def test_nsight_computes_calculator_is_found_beside_its_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "cuda" / "nsight-compute-2025.3.1" / "extras" / "python"
    program = tmp_path / "cuda" / "bin" / "ncu"
    for path in (folder / "ncu_occupancy.py", program):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    assert calculator_folder() == folder
