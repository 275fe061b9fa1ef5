"""The kernel exercises: solutions pass and compile, planted mistakes are caught, named and placed."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import sim.__main__ as program
from sim.tl.exercises import KERNEL_EXERCISES, check_kernel
from tests.tl.processes import ask, needs_triton

NAMES = tuple(KERNEL_EXERCISES)


@dataclass(frozen=True)
class Mutant:
    """A change of a solution, the kind of verdict, its launch, words of the sentence, and the mistakes named."""

    exercise: str
    change: str
    old: str
    new: str
    kind: str
    number: int
    words: str
    names: tuple[str, ...]


def mutant(*fields: Any) -> Any:
    made = Mutant(*fields)
    return pytest.param(made, id=f"{made.exercise}: {made.change}")


@pytest.mark.parametrize("name", NAMES)
def test_the_solution_passes(name: str) -> None:
    verdict = check_kernel(KERNEL_EXERCISES[name].solution, name)
    assert (verdict.passed, verdict.kind) == (True, "passed"), verdict.words()
    assert verdict.words().endswith("launches, and there is nothing to report.")


@pytest.mark.parametrize("name", NAMES)
def test_the_starter_is_a_kernel_that_is_not_right_yet(name: str) -> None:
    verdict = check_kernel(KERNEL_EXERCISES[name].starter, name)
    assert verdict.kind == "value", verdict.words()


MUTANTS = [
    mutant(
        "vector_add", "offsets written in another way, no mask anywhere",
        "    i = program * BLOCK + tl.arange(0, BLOCK)\n"
        "    mask = i < N\n    x = tl.load(x_ptr + i, mask=mask)\n    y = tl.load(y_ptr + i, mask=mask)\n"
        "    tl.store(out_ptr + i, x + y, mask=mask)\n",
        "    start = BLOCK * program\n    here = tl.arange(0, BLOCK)\n"
        "    total = tl.load(x_ptr + start + here) + tl.load(y_ptr + start + here)\n"
        "    tl.store(out_ptr + start + here, total)\n",
        "report", 2, "Every output is right, by luck: 3 things are reported.", ("no mask",),
    ),
    mutant(
        "vector_add", "store unmasked", "x + y, mask=mask", "x + y", "report", 2, "1 thing is", ("store without mask",),
    ),
    mutant(
        "vector_add", "condition with <=", "mask = i < N", "mask = N >= i", "report", 2, "3 things are",
        ("mask one too long",),
    ),
    mutant(
        "vector_add", "last element masked", "i < N", "i < (N - 1)", "value", 1,
        "out[3] was written by nobody; it should be 89.", ("mask one too short",),
    ),
    mutant(
        "vector_add", "all programs at the start", "program * BLOCK + tl", "tl", "value", 3,
        "out[4] was written by nobody; it should be 85.", ("program number left out",),
    ),
    mutant(
        "vector_add", "programs one element apart", "program * BLOCK", "program", "value", 3,
        "out[5] was written by nobody; it should be 81.", ("program number without BLOCK",),
    ),
    mutant("vector_add", "times", "x + y", "y * x", "value", 1, "out[0] is 100; it should be 101.", ("multiplied",)),
    mutant(
        "vector_add", "result in y", "tl.store(out_ptr", "tl.store(y_ptr", "value", 1, "out[0] was written by nobody",
        ("nothing stored", "stored over x"),
    ),
    mutant(
        "tile_load", "columns not masked", "(rows[:, None] < M) & (cols[None, :] < N)", "rows[:, None] < M", "value", 2,
        "out[0,3] is 4; it should be 0.", ("no mask on columns",),
    ),
    mutant(
        "tile_load", "rows not masked", "(rows[:, None] < M) & (cols[None, :] < N)", "cols[None, :] < N", "report", 3,
        "by luck: 2 things are", ("no mask on rows",),
    ),
    mutant(
        "tile_load", "no other", ", other=0.0", "", "report", 2, "by luck: 1 thing is reported", ("other left off",)
    ),
    mutant(
        "tile_load", "or", ") & (cols", ") | (cols", "value", 2, "out[0,3] is 4; it should be 0.",
        ("guard with | for &",),
    ),
    mutant(
        "tile_load", "stride of the wrong matrix side", "rows[:, None] * N", "M * rows[:, None]", "value", 2,
        "out[1,0] is 3; it should be 4.", ("row stride M",),
    ),
    mutant(
        "tile_load", "always the first tile", "a_ptr + rows[:, None] * N + cols[None, :]",
        "a_ptr + (rows - row_tile * BM)[:, None] * N + (cols - col_tile * BN)[None, :]", "value", 2,
        "out[0,2] is 1; it should be 3.", ("every program loads the first tile",),
    ),
    mutant(
        "k_loop", "zeroed in the loop", "        k = phase * BK", "        acc *= 0.0\n        k = phase * BK",
        "value", 3, "C[0,0] is -172; it should be -115.",
        ("accumulator zeroed in each phase", "accumulator replaced by each phase"),
    ),
    mutant(
        "k_loop", "floor for ceil", "tl.cdiv(K, BK)", "K // BK", "value", 2, "C[0,0] is 0; it should be 100.",
        ("shorter last phase left out",),
    ),
    mutant(
        "k_loop", "k stands still", "phase * BK + tl.arange(0, BK)", "tl.arange(0, BK)", "value", 3,
        "C[0,0] is 114; it should be -115.", ("every phase the same",),
    ),
    mutant(
        "k_loop", "no other", ", other=0.0", "", "report", 2, "by luck: 1 thing is reported", ("other left off",)
    ),
    mutant(
        "k_loop", "K not masked in A", "(rows[:, None] < M) & (k[None, :] < K)", "rows[:, None] < M", "report", 2,
        "by luck", ("no K mask on A",),
    ),
    mutant(
        "k_loop", "stride of B", "k[:, None] * N", "k[:, None] * K", "value", 1, "C[0,0] is -103; it should be -69.",
        ("row stride of B wrong",),
    ),
    mutant(
        "grouped_order", "column-major", "first + place % group_rows\n    col_tile = place // group_rows",
        "program % tiles_m\n    col_tile = program // tiles_m", "value", 1, "owner[0,1] is 2; it should be 1.",
        ("column-major order",),
    ),
    mutant(
        "grouped_order", "group not shortened", "min(tiles_m - first, GROUP_M)", "GROUP_M", "value", 5,
        "owner[2,1] was written by nobody; it should be 5.", ("last group not shortened",),
    ),
    mutant(
        "grouped_order", "pid % group_rows", "first + place % group_rows", "first + program % group_rows", "value", 6,
        "owner[3,0] is 22; it should be 21.", ("older formula",),
    ),
    mutant(
        "grouped_order", "place not local", "place = program % in_group", "place = program", "value", 1,
        "owner[1,0] was written by nobody; it should be 2.", ("place not made local",),
    ),
    mutant(
        "grouped_order", "stored at [col, row]", "row_tile * tiles_n + col_tile", "col_tile * tiles_n + row_tile",
        "value", 1, "owner[0,1] is 2; it should be 1.", ("row and column exchanged",),
    ),
]  # fmt: skip


@pytest.mark.parametrize("planted", MUTANTS)
def test_a_planted_mistake_is_caught_and_named(planted: Mutant) -> None:
    solution = KERNEL_EXERCISES[planted.exercise].solution
    assert planted.old in solution
    verdict = check_kernel(solution.replace(planted.old, planted.new), planted.exercise)
    assert not verdict.passed
    assert (verdict.kind, verdict.number) == (planted.kind, planted.number), verdict.words()
    assert planted.words in verdict.sentence
    assert tuple(mistake.name for mistake in verdict.mistakes) == planted.names
    assert all(mistake.sentence in verdict.words() for mistake in verdict.mistakes)


@pytest.mark.parametrize("name", NAMES)
def test_every_known_mistake_is_caught_and_is_among_those_named(name: str) -> None:
    exercise = KERNEL_EXERCISES[name]
    for slip in exercise.slips:
        verdict = check_kernel(slip.apply(exercise.solution), name)
        assert not verdict.passed, slip.name
        assert slip.name in {mistake.name for mistake in verdict.mistakes}, slip.name
        assert verdict.sure and len(verdict.mistakes) <= 2, (slip.name, verdict.mistakes)


def test_a_right_kernel_may_look_quite_different() -> None:
    text = KERNEL_EXERCISES["vector_add"].starter + (
        "    first = program * BLOCK\n    for lane in range(BLOCK):\n        if first + lane < N:\n"
        "            tl.store(out_ptr + first + lane, tl.load(x_ptr + first + lane) + tl.load(y_ptr + first + lane))\n"
    )
    assert check_kernel(text, "vector_add").passed


HEAD = (
    "import triton\nimport triton.language as tl\n\n@triton.jit\n"
    "def add_kernel(x_ptr, y_ptr, out_ptr, N, BLOCK: tl.constexpr):\n"
)


@pytest.mark.parametrize(
    ("text", "kind", "line", "words"),
    [
        (
            "",
            "name",
            None,
            "The text has no kernel; wanted: a @triton.jit function add_kernel(x_ptr, y_ptr, out_ptr, N,",
        ),
        ("import triton\n\n@triton.jit\ndef other(x):\n    pass\n", "name", None, "The text has the kernels other;"),
        (
            "import triton\n\n@triton.jit\ndef add_kernel(x, N):\n    pass\n",
            "name",
            3,
            "add_kernel takes x, N; wanted:",
        ),
        ("def f(:\n    pass\n", "syntax", 1, "Line 1: not valid Python"),
        ("import numpy\n", "error", 1, "Line 1: no module numpy here"),
        ("while True:\n    pass\n", "steps", 1, "Line 1: stopped after 100000 steps"),
        ("raise SystemExit\n", "error", 1, "Line 1: SystemExit."),
        ("x = [n for n in iter(int, 1)]\n", "steps", 1, "stopped after 100000 steps"),
        (HEAD + "    while True:\n        pass\n", "steps", 7, "stopped after 100000 steps"),
        (HEAD + "    i = tl.arange(0, 3)\n", "error", 6, "Line 6: tl.arange: the length 3 is not a power of two"),
        (HEAD + "    x = tl.lood(x_ptr)\n", "error", 6, "Line 6: triton.language has no lood here."),
        (HEAD + "    for i in range(3):\n        break\n", "error", 7, "Line 7"),
        (HEAD + "    exit()\n", "error", 6, "Line 6"),
    ],
)
def test_trouble_is_told_by_the_readers_own_line(text: str, kind: str, line: int | None, words: str) -> None:
    verdict = check_kernel(text, "vector_add")
    assert (verdict.passed, verdict.kind, verdict.line) == (False, kind, line), verdict.words()
    assert words in verdict.sentence
    assert "Traceback" not in verdict.words()


def test_an_outcome_that_no_known_mistake_gives_is_said_so() -> None:
    solution = KERNEL_EXERCISES["vector_add"].solution.replace("x + y", "x + y + 1")
    verdict = check_kernel(solution, "vector_add")
    assert (verdict.mistakes, verdict.naming) == ((), "No mistake that this checker knows gives this answer.")


def test_the_smallest_failing_launch_is_shown_with_what_was_expected() -> None:
    solution = KERNEL_EXERCISES["tile_load"].solution.replace("other=0.0", "other=1.0")
    assert check_kernel(solution, "tile_load").words().splitlines() == [
        "out[0,3] is 1; it should be 0.",
        "Launch 2 of 7, the smallest that fails: M = 2, N = 3, BM = 2, BN = 2; 1 × 2 programs",
        "  A = [[1, 2, 3], [4, 5, 6]]",
        "  expected: [[1, 2, 3, 0], [4, 5, 6, 0]]",
        "  got:      [[1, 2, 3, 1], [4, 5, 6, 1]]",
        "A known mistake gives exactly these answers, “masked lanes hold 1”: masked lanes are filled with 1; they must "
        "hold 0.",
    ]


def test_an_unknown_exercise_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="exercise: given sort; allowed: vector_add, tile_load, k_loop, grouped_order"):
        check_kernel("", "sort")


def test_solutions_and_starters_compile_with_the_real_compiler(tmp_path: Path) -> None:
    needs_triton()
    jobs: list[dict[str, Any]] = []
    for name, exercise in KERNEL_EXERCISES.items():
        numbers = exercise.launches()[-1].numbers
        constants = {key: value for key, value in numbers.items() if key in exercise.constants}
        kinds = {**{key: f"*{dtype.replace('int32', 'i32')}" for key, dtype in exercise.arrays.items()}, "N": "i32"}
        signature = {key: "constexpr" if key in constants else kinds.get(key, "i32") for key in exercise.parameters}
        for which in ("solution", "starter"):
            path = tmp_path / f"{name}_{which}.py"
            path.write_text(getattr(exercise, which), encoding="utf-8")
            job = {"path": str(path), "kernel": exercise.kernel, "constexprs": constants, "signature": signature}
            jobs += [{**job, "arch": arch, "full": True} for arch in (80, 90)]
    results = ask("compile_worker.py", jobs, tmp_path / "cache")
    assert [(job["path"], result) for job, result in zip(jobs, results, strict=True) if not result["ok"]] == []
    loops = [found["ptx"] for job, found in zip(jobs, results, strict=True) if "k_loop_solution" in job["path"]]
    assert len(loops) == 2 and all("mma.sync" in ptx for ptx in loops)


def test_the_terminal_says_what_the_checker_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.py"
    path.write_text(KERNEL_EXERCISES["vector_add"].solution, encoding="utf-8")
    assert program.main(["check", "vector_add", str(path)]) == 0
    assert capsys.readouterr().out == check_kernel(path.read_text(encoding="utf-8"), "vector_add").words() + "\n"
    path.write_text(KERNEL_EXERCISES["vector_add"].solution.replace("x + y", "x - y"), encoding="utf-8")
    assert program.main(["check", "vector_add", str(path)]) == 1
    assert "“subtracted”: y is taken away; it has to be added." in capsys.readouterr().out


@pytest.mark.parametrize("name", NAMES)
def test_the_terminal_gives_the_text_to_start_from(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["check", name, "--starter"]) == 0
    assert capsys.readouterr().out == KERNEL_EXERCISES[name].starter


def test_the_terminal_knows_every_exercise_and_wants_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.KERNEL_EXERCISES == NAMES
    assert program.main(["check", "k_loop"]) == 2
    assert "check: no file given; allowed: a Python file, or --starter" in capsys.readouterr().err
