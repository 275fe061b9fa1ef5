"""kernel-bench as a person meets it without a GPU."""

import argparse

import pytest
import torch

from gpu import checks
from gpu.bench import arguments, cli
from gpu.bench.cli import RUNG_NAMES, kernels, main, parser
from gpu.ladder import RUNGS
from tests.gpu.helpers import ROOT, python

SHAPE = ["--shape", "5", "7", "5"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "the following arguments are required: --shape"),
        (["--shape", "5", "7"], "expected 3 arguments"),
        (["--shape", "5", "7", "0"], "0 is not from 1 to 2146435072"),
        (["--shape", "5", "7", "-2"], "-2 is not from 1 to 2146435072"),
        (["--shape", "5", "7", "2147483647"], "2147483647 is not from 1 to 2146435072"),
        (["--shape", "5", "7", "k"], "'k' is not a whole number"),
        ([*SHAPE, "--dtype", "int8"], "invalid choice: 'int8'"),
        ([*SHAPE, "--op", "conv"], "invalid choice: 'conv'"),
        ([*SHAPE, "--kernel", "fast"], "invalid choice: 'fast'"),
        ([*SHAPE, "--repeats", "0"], "0 is not from 1"),
        ([*SHAPE, "--seed", "9" * 30], "9 is not from 0 to 9223372036854775806"),
        ([*SHAPE, "--seed", "1.5"], "'1.5' is not a whole number"),
        ([*SHAPE, "--output", "gpu"], "'gpu' is a folder; a file is wanted"),
        ([*SHAPE, "--output", ""], "'' is a folder; a file is wanted"),
        ([*SHAPE, "--plot", "README.md/a/b.svg"], "README.md' is a file; a folder is wanted"),
        ([*SHAPE, "--save-ptx", "README.md"], "README.md' is a file; a folder is wanted"),
        ([*SHAPE, "--interpret", "--plot", "x.svg"], "--plot and --save-ptx need times"),
    ],
)
def test_bad_arguments_show_usage_and_exit_2(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    with pytest.raises(SystemExit) as stop:
        main(arguments)

    error = capsys.readouterr().err
    assert stop.value.code == 2
    assert error.startswith("usage: kernel-bench")
    assert words in error
    assert "Traceback" not in error


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_without_a_gpu_it_says_so_in_one_sentence() -> None:
    done = python("-m", "gpu.bench.cli", *SHAPE, interpret=False)

    assert done.returncode == 1
    assert done.stderr == (
        "no NVIDIA GPU here (torch.cuda.is_available() is false); --interpret verifies on the CPU without times\n"
    )


def test_sizes_of_the_command_are_those_of_the_kernels() -> None:
    assert arguments.LARGEST == checks.LARGEST_SIZE


def test_what_is_asked_for_twice_is_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file with a row twice would not be read again: neither row would be the one."""
    asked = []

    def run(options: argparse.Namespace, command: str) -> int:
        asked.append((options, command))
        return 0

    monkeypatch.setattr(cli, "run", run)

    main([*SHAPE, "--shape", "1", "2", "3", *SHAPE, "--dtype", "float32", "--dtype", "float32", "--output", "a b.json"])

    ((options, command),) = asked
    assert (options.shape, options.dtype) == ([[5, 7, 5], [1, 2, 3]], ["float32"])
    assert command.endswith("--output 'a b.json'")


@pytest.mark.parametrize("module", ["torch", "triton"])
def test_where_torch_or_triton_is_missing_it_says_so_in_one_sentence(module: str) -> None:
    program = f"""
import sys
sys.modules[{module!r}] = None
from gpu.bench.cli import main
sys.exit(main(["--shape", "5", "7", "5", "--interpret"]))
"""
    done = python("-c", program, interpret=False)

    assert done.returncode == 1
    assert done.stderr.startswith(f"{module} is not installed here, and kernel-bench needs it; python -m gpu.doctor ")
    assert done.stderr.count("\n") == 1


def test_interpreter_left_on_is_refused_not_timed() -> None:
    done = python("-m", "gpu.bench.cli", *SHAPE, interpret=True)

    assert done.returncode == 1
    assert done.stderr.startswith("TRITON_INTERPRET=1 is set")


def test_interpret_verifies_and_gives_no_times() -> None:
    done = python("-m", "gpu.bench.cli", *SHAPE, "--shape", "33", "17", "40", "--interpret", interpret=False)

    assert done.returncode == 0, done.stderr
    assert "M=5 N=7 K=5  float16  tiled: right (exact on whole numbers;" in done.stdout
    assert "tolerance 0.001" in done.stdout
    assert " us" not in done.stdout
    assert "TFLOP" not in done.stdout


def test_interpret_refuses_bfloat16_by_name_and_fails() -> None:
    done = python("-m", "gpu.bench.cli", *SHAPE, "--dtype", "bfloat16", "--interpret", interpret=False)

    assert done.returncode == 1
    assert "refused: A is bfloat16; allowed under TRITON_INTERPRET=1: float16 or float32" in done.stdout


def test_help_names_the_order_and_every_kernel() -> None:
    text = " ".join(parser().format_help().split())

    assert "The order is M N K" in text
    assert ", ".join(RUNG_NAMES) in text


def test_the_command_knows_every_rung() -> None:
    assert set(RUNG_NAMES) == set(RUNGS)


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ([], ("tiled", "grouped", "autotuned", "best")),
        (["--config", "fixed"], ("tiled",)),
        (["--config", "autotuned"], ("autotuned",)),
        (["--kernel", "best", "--kernel", "row"], ("row", "best")),
        (["--kernel", "all"], (*RUNG_NAMES, "best")),
    ],
)
def test_kernels_are_chosen_by_name_or_by_config(arguments: list[str], names: tuple[str, ...]) -> None:
    assert kernels(parser().parse_args([*SHAPE, *arguments])) == names
