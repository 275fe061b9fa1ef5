"""`kernel-editor`: the reader's own kernel, run against the model on inputs that known faults do not survive."""

from lab.controls import Code
from lab.figures import Grid, matrix, numbers
from lab.kernel_view import plain_number, told_report
from lab.kernels import teaching_source
from lab.markup import Html, join, some, tag
from lab.widget import Frame, Scene, Widget
from sim.inputs import distinct_a, distinct_b
from sim.matmul import Rows
from sim.tiling import Tiling
from sim.tl.api import LEAVES_OUT, REFUSES, Run
from sim.tl.matmul import Wrong, run_matmul, wrong_outputs

STEP_LIMIT = 200_000
CASES = (
    (Tiling(16, 16, 16, 16, 16, 16), 1),
    (Tiling(16, 32, 48, 16, 16, 16), 1),
    (Tiling(17, 16, 16, 16, 16, 16), 1),
    (Tiling(16, 19, 16, 16, 16, 16), 1),
    (Tiling(16, 16, 21, 16, 16, 16), 1),
    (Tiling(19, 35, 37, 16, 16, 16), 1),
    (Tiling(70, 33, 18, 16, 16, 16), 3),
)


def scene(settings: dict[str, str]) -> Scene:
    """One frame: what became of the reader's kernel. The unchanged kernel is not run before the reader asks."""
    starter = teaching_source()
    source = settings["source"] or starter
    untouched = source.strip() == starter.strip()
    return Scene(
        settings={**settings, "source": source},
        count=1,
        frame=lambda step: _untouched() if untouched else _checked(source),
        unlinked=("source",),
    )


def _untouched() -> Frame:
    plan = "whole tiles, one ragged dimension at a time, all three, and a ragged last group"
    body = tag("p", f"{len(CASES)} launches, the smallest first: {plan}.", class_="task")
    return Frame(body, "This is the kernel of gpu/, unchanged. Break it or mend it, then press Check.")


def _checked(source: str) -> Frame:
    """The first launch that goes wrong, or that all went right."""
    for place, (tiling, group_m) in enumerate(CASES, 1):
        a, b = distinct_small(tiling)
        try:
            done = run_matmul(source, a, b, tiling, group_m=group_m, dtype="fp32", mode="strict", step_limit=STEP_LIMIT)
        except ValueError as problem:
            return Frame(Html(""), f"{problem}.")
        if done.failure:
            line = tag("p", f"Line {done.failure.line}", class_="meaning", data_line=done.failure.line)
            return Frame(join(line, _sizes(tiling, group_m, place)), sentence(done.failure.line, done.failure.text))
        wrong = wrong_outputs(done, a, b)
        serious = [report for report in done.reports if report.kind != "benign race"]
        if wrong or serious:
            return Frame(
                join(_drawn(done, tiling, wrong), _sizes(tiling, group_m, place), _reports(done)),
                _failed(place, tiling, wrong, len(serious)),
            )
    return Frame(
        tag("p", "Integers in float32, tiles of 16, GROUP_M 1 and 3.", class_="task"),
        f"All {len(CASES)} launches are right, and there is nothing to report.",
    )


def sentence(line: int, text: str) -> str:
    """What ended a launch, with its line where there is one."""
    told = f"Line {line}: {text}" if line else text[:1].upper() + text[1:]
    return told if told.endswith(("?", ".", "!")) else f"{told}."


def distinct_small(tiling: Tiling) -> tuple[Rows, Rows]:
    """Asymmetric integers small enough that float32 adds them exactly, even with TF32's short factors."""
    a = tuple(tuple(value % 23 - 11 for value in row) for row in distinct_a(tiling.M, tiling.K))
    b = tuple(tuple(value % 19 - 9 for value in row) for row in distinct_b(tiling.K, tiling.N))
    return a, b


def _failed(place: int, tiling: Tiling, wrong: tuple[Wrong, ...], reports: int) -> str:
    where = f"Launch {place} of {len(CASES)}"
    if not wrong:
        return f"{where}: every output is right, by luck; {some(reports, 'report')} below."
    first = wrong[0]
    got = "nothing" if first.got is None else plain_number(first.got)
    total = tiling.M * tiling.N
    example = f"C[{first.row},{first.column}] is {got}, not {first.want}"
    return f"{where}: {len(wrong)} of {total} outputs are wrong; {example}."


def _sizes(t: Tiling, group_m: int, place: int) -> Html:
    return numbers(
        ("launch", f"{place} of {len(CASES)}"),
        ("M, N, K", f"{t.M}, {t.N}, {t.K}"),
        ("BM, BN, BK", f"{t.BM}, {t.BN}, {t.BK}"),
        ("GROUP_M", str(group_m)),
        ("programs", str(t.programs)),
    )


def _drawn(done: Run, t: Tiling, wrong: tuple[Wrong, ...]) -> Html | None:
    """C, with the wrong outputs marked, where it is small enough to look at."""
    if t.N > 20 or not wrong:
        return None
    bad = {(each.row, each.column) for each in wrong}
    c = done.arrays["C"]

    def value(row: int, column: int) -> str:
        return "✗" if (row, column) in bad else plain_number(c[row][column])

    def classes(row: int, column: int) -> str:
        return "wrong" if (row, column) in bad else ""

    grid = Grid("C", (t.M, t.N), value, classes, "wrong outputs marked")
    return matrix(grid, tuple(range(t.M)), tuple(range(t.N)))


def _reports(done: Run) -> Html | None:
    if not done.reports:
        return None
    return tag("ul", *(told_report(report) for report in done.reports[:6]), class_="needs")


WIDGET = Widget(
    name="kernel-editor",
    title="Your own kernel",
    question="Change the kernel, then press Check. It runs here, in Python; no GPU, and your text is sent nowhere.",
    controls=(Code("source", "your kernel", ""),),
    assumptions=(
        LEAVES_OUT,
        REFUSES,
        "A loop that does not end is stopped after a number of steps. Stop ends everything at once.",
    ),
    scene=scene,
    listed=({},),
    run_label="Check",
    steps=False,
)
