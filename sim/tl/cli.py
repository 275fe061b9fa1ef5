"""`python -m sim kernel FILE …`: run the matrix product of a kernel file, print the trace of one program and what is
wrong with it."""

import argparse
import importlib
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sim.inputs import distinct_a, distinct_b, formula_a, formula_b
from sim.tiling import Tiling
from sim.tl.api import LEAVES_OUT, Run
from sim.tl.machine import MODES
from sim.tl.matmul import run_matmul, wrong_outputs
from sim.tl.recorder import Plain, Step, number
from sim.tl.source import plain_import

INPUTS = {"formula": (formula_a, formula_b), "distinct": (distinct_a, distinct_b)}
DTYPES = ("fp16", "bf16", "fp32", "int8")
MOST_SHOWN = 8
MOST_ELEMENTS = 1_000_000  # of A, B or C


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    out = argparse.ArgumentParser("python -m sim kernel", description=__doc__, epilog=LEAVES_OUT)
    out.add_argument("file", type=Path, help="a Python file with a @triton.jit kernel of a matrix product")
    out.add_argument("--shape", nargs=3, type=_size, default=(5, 7, 5), metavar=("M", "N", "K"), help="sizes")
    out.add_argument("--tile", nargs=3, type=_size, default=(2, 3, 2), metavar=("BM", "BN", "BK"), help="tile sizes")
    out.add_argument("--group", type=_size, default=1, metavar="GROUP_M", help="row tiles walked together")
    out.add_argument("--dtype", choices=DTYPES, default="fp16", help="type of A and B")
    out.add_argument("--inputs", choices=tuple(INPUTS), default="formula", help="numbers in A and B")
    out.add_argument("--program", type=int, default=0, help="the program that is traced")
    out.add_argument("--kernel", default=None, help="name of the kernel (default: the last that fits)")
    out.add_argument("--mode", choices=MODES, default="lesson", help="strict refuses what the compiler refuses")
    out.add_argument(
        "--steps", type=_size, default=1_000_000, help="loop passes, calls and programs before it is stopped"
    )
    out.add_argument("--json", action="store_true", help="print the whole run as JSON")
    return out


def _size(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9 or int(text) < 1:
        raise argparse.ArgumentTypeError(f"given {text}; allowed: a whole number from 1 to 999999999")
    return int(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns 0 when C is right and nothing was found, 1 when something was, 2 for a wrong command."""
    try:
        asked = parser().parse_args(arguments)
    except SystemExit as stop:
        return int(stop.code or 0)
    try:
        source = read(asked.file)
        m, n, k = asked.shape
        for name, elements in (("A", m * k), ("B", k * n), ("C", m * n)):
            if elements > MOST_ELEMENTS:
                raise ValueError(f"--shape: {name} has {elements} elements; allowed: at most {MOST_ELEMENTS}")
        tiling = Tiling(m, n, k, *asked.tile)
        if not 0 <= asked.program < tiling.programs:
            allowed = f"a whole number from 0 to {tiling.programs - 1}"
            raise ValueError(f"--program: given {asked.program}; allowed: {allowed}")
        make_a, make_b = INPUTS[asked.inputs]
        a, b = make_a(m, k), make_b(k, n)
        done = run_matmul(
            source, a, b, tiling, group_m=asked.group, dtype=asked.dtype,
            out_dtype="int32" if asked.dtype == "int8" else "fp32", program=asked.program, mode=asked.mode,
            kernel=asked.kernel, filename=str(asked.file), step_limit=asked.steps, importer=installed_import,
        )  # fmt: skip
    except ValueError as error:
        print(f"python -m sim kernel: {error}", file=sys.stderr)
        return 2
    wrong = () if done.failure else wrong_outputs(done, a, b)
    if asked.json:
        print(json.dumps(done.json()))
    else:
        for line in told(done, source.splitlines()):
            print(line)
        for output in wrong[:MOST_SHOWN]:
            got = "was written by nobody" if output.got is None else f"is {_lane(number(output.got), False)}"
            print(f"C[{output.row},{output.column}] {got}; it should be {output.want}")
        if not done.failure:
            count = "1 output of C is" if len(wrong) == 1 else f"{len(wrong)} outputs of C are"
            print(f"{count} wrong" if wrong else "C is right")
    return 1 if wrong or done.failure or done.reports else 0


def installed_import(name: str) -> Any:
    """Modules that are installed here, as a kernel file's own program would import them (torch, say).

    Raises KernelError where there is none.
    """
    try:
        return importlib.import_module(name)
    except ImportError:
        return plain_import(name)


def read(file: Path) -> str:
    """The text of a kernel file. Raises ValueError with a sentence where it cannot be read."""
    try:
        return file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ValueError(f"{file}: {error.strerror or type(error).__name__}; allowed: a Python file") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{file}: byte {error.start} is not UTF-8; allowed: a Python file in UTF-8") from None


def told(done: Run, source: Sequence[str]) -> Iterator[str]:
    """The run as lines of text: trace, rules, reports, counts."""
    for step in done.steps:
        yield from _step(step, source)
    for bent in done.bent:
        yield f"rule bent, line {bent.line}: {bent.text}; legal: {bent.legal}"
    for report in done.reports:
        yield f"{report.kind}: {report.where}{report.text}"
    if done.reports_left_out:
        yield f"{done.reports_left_out} more reports"
    yield from (*done.notes, *done.printed)
    counts = done.counts
    for what, table in (("loads", counts.loads), ("stores", counts.stores), ("atomics", counts.atomics)):
        for name, elements in table.items():
            yield f"{what} of {name}: {elements} {'element' if elements == 1 else 'elements'}"
    if done.failure:
        where = f"line {done.failure.line}, " if done.failure.line else ""
        yield f"{done.failure.kind}: {where}program {done.failure.program[0]}: {done.failure.text}"


def _step(step: Step, source: Sequence[str]) -> Iterator[str]:
    text = source[step.line - 1].strip() if step.line <= len(source) else ""
    passes = "".join(f" [pass {count} of line {line}]" for line, count in step.loops)
    yield f"{step.line:4}  {'  ' * step.depth}{text}{passes}"
    for name, value in step.changed.items():
        yield f"        {name} = {shown(value)}"
    for operation in step.operations:
        yield f"        {_operation(operation)}"


def shown(value: Plain) -> str:
    """A name's value as one line."""
    if value["kind"] == "constant":
        return str(value["text"])
    if value["kind"] == "tuple":
        return "(" + ", ".join(shown(part) for part in value["items"]) + ")"
    lanes = [_lane(lane, place in value["undefined"]) for place, lane in enumerate(value["values"])]
    where = f" into {value['array']}" if value["kind"] == "pointer" else ""
    kind = f"{value['dtype']}{where}"
    if not value["shape"]:
        return f"{lanes[0]}  ({kind})"
    width = value["shape"][-1]
    rows = [" ".join(lanes[start : start + width]) for start in range(0, len(lanes), width)]
    return f"{kind} {value['shape']}: {' | '.join(rows) if rows else 'too many lanes to show'}"


def _lane(lane: Any, undefined: bool) -> str:
    if undefined:
        return "?"
    if isinstance(lane, float):
        return str(int(lane)) if lane == int(lane) and abs(lane) < 1e15 else f"{lane:.6g}"
    return "yes" if lane is True else "no" if lane is False else str(lane)


def _operation(operation: Plain) -> str:
    if operation["kind"] == "dot":
        sizes = f"{operation['m']} x {operation['n']} x {operation['k']}"
        return f"dot {sizes}, {operation['operand']} to {operation['accumulator']}, {operation['flops']} FLOPs"
    size = 1
    for part in operation["shape"]:
        size *= part
    pairs = zip(operation["elements"], operation["values"], strict=True)
    lanes = " ".join(f"[{element}]={_lane(value, False)}" for element, value in pairs)
    return f"{operation['kind']} {operation['array']}: {operation['active']} of {size} lanes {lanes}".rstrip()
