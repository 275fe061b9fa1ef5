"""Which PTX instructions each line of the teaching kernel became: compiled, not run. Needs Triton, but no GPU.

python -m gpu.bench.line_map --output gpu/compiled/teaching-lines.json
"""

import argparse
import hashlib
import platform
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gpu.bench import store

FORMAT = "gpu-lab line map 1"
SOURCE = Path(__file__).resolve().parents[1] / "teaching.py"
ARGUMENTS = ("a_ptr", "b_ptr", "c_ptr", "M", "N", "K")
ELEMENTS = {"float16": "fp16", "float32": "fp32"}
PLACES = ("before", "loop", "after")
NOTE = "compiled, not run: instructions in the code, which is not how often they execute"


def config(
    arch: int, dtype: str, tile: tuple[int, int, int], precision: str = "ieee", whole: bool = True
) -> dict[str, Any]:
    """One configuration; ``whole``: M, N, K and the addresses are multiples of 16, and the compiler knows it."""
    sizes = dict(zip(("BM", "BN", "BK"), tile, strict=True))
    fixed = {"GROUP_M": 8, "num_warps": 4, "num_stages": 3}
    return {"arch": arch, "dtype": dtype, "precision": precision, "multiples_of_16": whole, **sizes, **fixed}


CONFIGS = (
    config(80, "float16", (16, 16, 16)),
    config(80, "float16", (64, 64, 32)),
    config(80, "float32", (64, 64, 32), "tf32"),
    config(90, "float16", (16, 16, 16)),
    config(90, "float16", (64, 64, 32)),
    config(90, "float16", (64, 64, 32), whole=False),
    config(90, "float32", (16, 16, 16)),
)


def compiled(wanted: dict[str, Any]) -> Any:
    """The compiled kernel; no GPU is needed or asked."""
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    from gpu.teaching import matmul_kernel

    constants = {name: wanted[name] for name in ("BM", "BN", "BK", "GROUP_M")}
    constants |= {"INPUT_PRECISION": wanted["precision"], "WIDE_OFFSETS": False}
    pointer = f"*{ELEMENTS[wanted['dtype']]}"
    kinds = {name: pointer if name.endswith("_ptr") else "i32" for name in ARGUMENTS}
    known = {(place,): [["tt.divisibility", 16]] for place in range(len(ARGUMENTS))}
    source = ASTSource(
        fn=matmul_kernel,
        constexprs=constants,
        signature=kinds | dict.fromkeys(constants, "constexpr"),
        attrs=known if wanted["multiples_of_16"] else {},
    )
    options = {name: wanted[name] for name in ("num_warps", "num_stages")}
    return triton.compile(source, target=GPUTarget("cuda", wanted["arch"], 32), options=options)


def instructions(ptx: str, file: str) -> list[tuple[int, str, str]]:
    """(line of ``file``, place, text) of every instruction, in the order of the code.

    The line is the compiler's own `.loc`: 0 where it names none; of a function that was inlined, the line that called
    it. The place is before the loop, in it or after it. Raises ValueError when there is no loop or no `.loc`.
    """
    found: list[tuple[int, str]] = []
    labels: dict[str, int] = {}
    line = None
    for text in _body(ptx):
        if text.startswith(".loc"):
            line = _line(text, file)
        elif text.endswith(":"):
            labels[text[:-1]] = len(found)
        elif not text.startswith("."):
            if line is None:
                raise ValueError(f"no .loc before {text!r}")
            found.append((line, text.rstrip(";")))
    first, last = _loop([text for _, text in found], labels)
    places = [PLACES[(index >= first) + (index > last)] for index in range(len(found))]
    return [(line, place, text) for (line, text), place in zip(found, places, strict=True)]


def _body(ptx: str) -> Iterator[str]:
    """The lines between the braces of the one function, comments gone but for those of `.loc`."""
    body = ptx[ptx.index("\n{\n") : ptx.index("\n}\n")]
    for raw in body.split("\n")[2:]:
        text = " ".join((raw if ".loc" in raw else raw.partition("//")[0]).split())
        if text:
            yield text


def _line(loc: str, file: str) -> int:
    """``.loc 2 43 17 // standard.py:43:17 @[ teaching.py:36:25 ]`` is line 36 of teaching.py."""
    outermost = re.findall(rf"{re.escape(file)}:(\d+)", loc)
    if not outermost:
        raise ValueError(f"{loc!r} names no line of {file}")
    return int(outermost[-1])


def _loop(texts: list[str], labels: dict[str, int]) -> tuple[int, int]:
    """The first and last instruction of the loop: from a label to the last branch back to it."""
    for index in range(len(texts) - 1, -1, -1):
        target = re.search(r"\bbra(?:\.uni)? (\S+)$", texts[index])
        if target and labels.get(target.group(1), index + 1) <= index:
            return labels[target.group(1)], index
    raise ValueError("no branch leads back: there is no loop")


def resources(kernel: Any) -> dict[str, int]:
    """Registers a thread and bytes of stack (0: nothing was spilled), as `cuobjdump` of Triton's wheel reads them."""
    from triton import knobs

    with TemporaryDirectory() as folder:
        cubin = Path(folder) / "kernel.cubin"
        cubin.write_bytes(kernel.asm["cubin"])
        command = [knobs.nvidia.cuobjdump.path, "--dump-resource-usage", str(cubin)]
        found = subprocess.run(command, capture_output=True, text=True)
    told = dict(re.findall(r"\b(REG|STACK):(\d+)", found.stdout))
    if found.returncode or len(told) < 2:
        raise RuntimeError(f"cuobjdump: {found.stdout}{found.stderr}")
    return {"registers": int(told["REG"]), "stack_bytes": int(told["STACK"]), "shared_bytes": kernel.metadata.shared}


def row(wanted: dict[str, Any]) -> dict[str, Any]:
    """One configuration with its resources and instructions."""
    kernel = compiled(wanted)
    return {**wanted, **resources(kernel), "instructions": instructions(kernel.asm["ptx"], SOURCE.name)}


def line_map(command: str) -> dict[str, Any]:
    """Every configuration, with where it comes from."""
    import triton
    from triton import knobs

    versions = {"python": platform.python_version(), "triton": triton.__version__, "ptxas": knobs.nvidia.ptxas.version}
    return {
        "format": FORMAT,
        "note": NOTE,
        "versions": versions,
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "command": command,
        "kernel": "matmul_kernel of gpu/teaching.py",
        "source": {"file": "gpu/teaching.py", "sha256": hashlib.sha256(SOURCE.read_bytes()).hexdigest()},
        "rows": [row(each) for each in CONFIGS],
    }


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m gpu.bench.line_map", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--output", type=Path, required=True, help="the JSON file to write")
    output = parser.parse_args(arguments).output
    try:
        made = line_map(f"python -m gpu.bench.line_map --output gpu/compiled/{output.name}")
    except ImportError as error:
        print(f"this needs Triton, which has wheels for Linux on x86-64: {error}", file=sys.stderr)
        return 1
    store.write(output, made)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
