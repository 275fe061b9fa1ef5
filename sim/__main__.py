"""The model from a terminal: ``python -m sim check …``, ``python -m sim explain …``, ``python -m sim kernel …``.

What has to do with Triton kernels is imported when it is asked for: a copy of sim may come without it.

Exit status: 0 it is right, 1 the checked file is not, 2 the command was not understood or a file not read.
"""

import argparse
import importlib
import importlib.util
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from sim.check import EXERCISES, STEP_LIMIT, check
from sim.check.exercises import TOY_A, TOY_B
from sim.explain import explain_loops, explain_tiles
from sim.inputs import distinct_a, distinct_b, formula_a, formula_b
from sim.matmul import Rows
from sim.tiling import Tiling

MOST = 16
EPILOG = "Statuses: 0 right, 1 the checked file is not right, 2 the command was not understood or a file not read."
KERNEL = "sim.tl.cli"
KERNEL_CHECKER = "sim.tl.exercises"
KERNEL_EXERCISES = ("vector_add", "tile_load", "k_loop", "grouped_order")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; everything goes to standard output, errors to standard error."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        return _kernel(given[1:]) if given[:1] == ["kernel"] else _command(given)
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 0


def _command(given: Sequence[str]) -> int:
    try:
        asked = _parser().parse_args(given)
    except SystemExit as stop:
        return int(stop.code or 0)
    return _check(asked) if asked.command == "check" else _explain(asked)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m sim", description="The model of GPU Lab.", epilog=EPILOG)
    commands = parser.add_subparsers(dest="command", required=True, metavar="check | explain | kernel")
    checked = commands.add_parser("check", help="check an exercise", description="Check a file against an exercise.")
    checked.add_argument("exercise", choices=(*EXERCISES, *KERNEL_EXERCISES), help="the exercise")
    checked.add_argument("file", type=Path, nargs="?", help="a Python file with the function or the kernel")
    checked.add_argument("--starter", action="store_true", help="print the text to start from, and check nothing")
    limit = f"steps of one case before it is stopped (default {STEP_LIMIT})"
    checked.add_argument("--steps", type=_positive, default=STEP_LIMIT, metavar="N", help=limit)
    shown = commands.add_parser("explain", help="print a trace", description="Print the trace of a product as text.")
    shown.add_argument("what", choices=("matmul",), help="what to explain")
    shape = f"sizes, 1 to {MOST} (default: the toy product, 2 2 3)"
    shown.add_argument("--shape", nargs=3, type=_size, metavar=("M", "N", "K"), help=shape)
    tile = "tile sizes; without them the three loops of C[0,0] are shown"
    shown.add_argument("--tile", nargs=3, type=_size, metavar=("BM", "BN", "BK"), help=tile)
    inputs = "the numbers of --shape: small and repeating, or all different (default: formula)"
    shown.add_argument("--inputs", choices=("formula", "distinct"), default="formula", help=inputs)
    commands.add_parser("kernel", help="run a Triton kernel in plain Python", add_help=False)
    return parser


def _check(asked: argparse.Namespace) -> int:
    kernels = asked.exercise in KERNEL_EXERCISES
    if kernels and _missing(KERNEL_CHECKER):
        return _refused(f"check: this copy of sim has no kernel runner; allowed here: {', '.join(EXERCISES)}")
    checker = importlib.import_module(KERNEL_CHECKER) if kernels else None
    if asked.starter:
        found = checker.KERNEL_EXERCISES if checker else EXERCISES
        _print(found[asked.exercise].starter.splitlines())
        return 0
    if asked.file is None:
        return _refused("check: no file given; allowed: a Python file, or --starter")
    try:
        source = asked.file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        return _refused(f"{asked.file}: {error.strerror or type(error).__name__}; allowed: a Python file")
    except UnicodeDecodeError as error:
        return _refused(f"{asked.file}: byte {error.start} is not UTF-8; allowed: a Python file in UTF-8")
    verdict = (checker.check_kernel if checker else check)(source, asked.exercise, asked.steps)
    _print(verdict.words().splitlines())
    return 0 if verdict.passed else 1


def _explain(asked: argparse.Namespace) -> int:
    a: Rows = TOY_A
    b: Rows = TOY_B
    if asked.shape:
        m, n, k = asked.shape
        make_a, make_b = (formula_a, formula_b) if asked.inputs == "formula" else (distinct_a, distinct_b)
        a, b = make_a(m, k), make_b(k, n)
    if not asked.tile:
        _print(explain_loops(a, b))
        return 0
    _print(explain_tiles(a, b, Tiling(len(a), len(b[0]), len(b), *asked.tile)))
    return 0


def _kernel(arguments: list[str]) -> int:
    if _missing(KERNEL):
        return _refused("kernel: this copy of sim has no kernel runner; allowed here: check, explain")
    return int(importlib.import_module(KERNEL).main(arguments) or 0)


def _missing(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is None
    except ModuleNotFoundError:
        return True


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)
    sys.stdout.flush()


def _refused(sentence: str) -> int:
    print(f"python -m sim: {sentence}", file=sys.stderr)
    return 2


def _size(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) <= MOST:
        raise argparse.ArgumentTypeError(f"given {text}; allowed: a whole number from 1 to {MOST}")
    return int(text)


def _positive(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9 or int(text) < 1:
        raise argparse.ArgumentTypeError(f"given {text}; allowed: a whole number from 1 to 999999999")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
