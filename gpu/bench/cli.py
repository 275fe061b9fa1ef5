"""The kernel-bench command."""

import argparse
import os
import shlex
import sys
from typing import TypeVar

from gpu.bench.arguments import file_to_write, folder_to_write, seed, size

EPILOG = """examples:
  kernel-bench --op matmul --dtype float16 --shape 127 255 65 --output results/local/my-gemm.json
  kernel-bench --dtype float32 --precision tf32 --shape 2048 2048 2048 --kernel best --kernel tiled
  kernel-bench --interpret --dtype float16 --shape 5 7 5        (no GPU: correctness only)

The order is M N K: A is M x K, B is K x N, C is M x N.  Exit status: 0 all right, 1 a wrong result or no GPU, 2 bad
arguments."""
RUNG_NAMES = (
    "separate", "tiled", "grouped", "autotuned", "hinted", "descriptors", "persistent", "specialised", "split_k",
    "split_specialised", "thin", "row", "packed", "aligned", "transposed",
)  # fmt: skip
Value = TypeVar("Value")


def parser() -> argparse.ArgumentParser:
    """The command's arguments; importing nothing heavy, so that --help works anywhere."""
    made = argparse.ArgumentParser(
        prog="kernel-bench",
        description="Verify matrix-multiplication kernels, time them beside torch.mm, and write down what was seen.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--op", choices=["matmul"], default="matmul", help="the operation (only matmul)")
    made.add_argument(
        "--shape", type=size, nargs=3, action="append", required=True, metavar=("M", "N", "K"), help="repeatable"
    )
    made.add_argument(
        "--dtype", choices=["float16", "bfloat16", "float32"], action="append", help="repeatable; default float16"
    )
    made.add_argument(
        "--precision",
        choices=["ieee", "tf32"],
        default="ieee",
        help="for float32, ours and torch's alike; default ieee",
    )
    made.add_argument(
        "--kernel", choices=[*RUNG_NAMES, "best", "all"], action="append", metavar="NAME",
        help=f"repeatable; default tiled, grouped, autotuned and best; one of best, all, {', '.join(RUNG_NAMES)}",
    )  # fmt: skip
    made.add_argument(
        "--config", choices=["fixed", "autotuned"],
        help="fixed: the teaching kernel's fixed tile, GROUP_M = 1 (with --kernel: each rung's own default); "
        "autotuned: the teaching kernel's fastest tile, GROUP_M = 8 "
        "(with --kernel: each rung's stored winner; the default)",
    )  # fmt: skip
    made.add_argument("--repeats", type=size, default=30, help="timed repeats of each kernel; default 30")
    made.add_argument("--seed", type=seed, default=0, help="of the random inputs; default 0")
    made.add_argument("--no-flush", action="store_true", help="do not empty the L2 cache between repeats")
    made.add_argument("--interpret", action="store_true", help="verify on Triton's CPU interpreter; no times")
    made.add_argument("--output", type=file_to_write, help="JSON file to write")
    made.add_argument("--plot", type=file_to_write, help="SVG file to write: ratio to torch for each kernel and shape")
    made.add_argument(
        "--save-ptx", type=folder_to_write, metavar="DIR", help="write each kernel's PTX there and say what it shows"
    )
    return made


def kernels(options: argparse.Namespace) -> tuple[str, ...]:
    """The kernels to run, each once, in the ladder's order."""
    if options.kernel is None:
        if options.config is None:
            return ("tiled", "best") if options.interpret else ("tiled", "grouped", "autotuned", "best")
        return ("tiled",) if options.config == "fixed" else ("autotuned",)
    if "all" in options.kernel:
        return (*RUNG_NAMES, "best")
    return tuple(name for name in (*RUNG_NAMES, "best") if name in options.kernel)


def main(arguments: list[str] | None = None) -> int:
    """Parse, then hand over to the part that imports torch and Triton."""
    made = parser()
    given = sys.argv[1:] if arguments is None else arguments
    options = made.parse_args(given)
    options.shape, options.dtype = once(options.shape), once(options.dtype or ["float16"])
    if options.interpret and (options.plot or options.save_ptx):
        made.error("--plot and --save-ptx need times or compiled code, which --interpret does not make")
    if not options.interpret and os.environ.get("TRITON_INTERPRET") == "1":
        print(
            "TRITON_INTERPRET=1 is set, so kernels would run on the CPU: unset it, or ask for --interpret",
            file=sys.stderr,
        )
        return 1
    try:
        return run(options, shlex.join(["kernel-bench", *given]))
    except ModuleNotFoundError as missing:
        if (missing.name or "").split(".")[0] not in ("torch", "triton"):
            raise
        print(
            f"{missing.name} is not installed here, and kernel-bench needs it; python -m gpu.doctor says what this "
            "machine can run and how to come by the rest",
            file=sys.stderr,
        )
        return 1


def once(values: list[Value]) -> list[Value]:
    """Each value once, in the order given: a shape that is asked for twice is measured once."""
    return [value for at, value in enumerate(values) if value not in values[:at]]


def run(options: argparse.Namespace, command: str) -> int:
    """Import what is heavy, and run."""
    if options.interpret:
        os.environ["TRITON_INTERPRET"] = "1"  # before Triton decorates a kernel
        from gpu.bench import interpret

        return interpret.run(options, kernels(options))
    from gpu.bench import session

    return session.run(options, kernels(options), command)


if __name__ == "__main__":
    raise SystemExit(main())
