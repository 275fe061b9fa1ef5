"""`kernel-stepper`: the Triton kernel of `gpu/`, line by line, with every tile, address, mask, load, dot and store."""

from dataclasses import dataclass

from lab.controls import Choice, Integer
from lab.figures import Grid, matrix, numbers
from lab.kernel_view import Touched, changed_names, operations, plain_number, source_pane, touched_after, touched_board
from lab.kernels import teaching_source
from lab.markup import Html, join, number, some, tag
from lab.widget import Ask, Frame, Scene, Shortcut, Widget, bounded
from sim.cost import tiled_loads
from sim.inputs import distinct_a, distinct_b, formula_a, formula_b
from sim.matmul import Rows
from sim.mistakes import Mistake
from sim.order import program_tile
from sim.tiling import Tiling
from sim.tl.api import LEAVES_OUT, Run
from sim.tl.faults import FAULTS, Fault
from sim.tl.matmul import Wrong, run_matmul, wrong_outputs
from sim.tl.recorder import Step

NONE = Fault("none", "nothing")
BREAKS = (NONE, *FAULTS)
DTYPES = Choice("dtype", "input type", "fp16", (("fp16", "float16"), ("bf16", "bfloat16"), ("fp32", "float32")))
SIDE, WIDTH = 12, 8


@dataclass(frozen=True)
class Launch:
    """One launch: the source that ran, the run with the chosen program's steps, and what came out wrong."""

    source: str
    fault: Fault
    a: Rows
    b: Rows
    tiling: Tiling
    program: int
    run: Run
    wrong: tuple[Wrong, ...]
    touched: tuple[Touched, ...]


def scene(settings: dict[str, str]) -> Scene:
    """One frame for each line that the chosen program executes, and a last one with C after all programs."""
    launch = _launch(settings)
    count = len(launch.run.steps) + 1
    return Scene(
        settings=settings,
        count=count,
        frame=lambda step: _outcome(launch) if step == count - 1 else _line(launch, step),
        asks=_asks(launch),
        shortcuts=_shortcuts(settings),
        note=_bent(launch.run),
    )


def _launch(settings: dict[str, str]) -> Launch:
    m, n, k, bm, bn, bk = (int(settings[name]) for name in ("m", "n", "k", "bm", "bn", "bk"))
    tiling = Tiling(m, n, k, bm, bn, bk)
    reason = f"{tiling.tiles_m} × {tiling.tiles_n} tiles make {some(tiling.programs, 'program')}, counted from 0"
    program = bounded(settings, "program", "program", tiling.programs - 1, reason)
    fault = next(each for each in BREAKS if each.name == settings["fault"])
    a, b = (
        (formula_a(m, k), formula_b(k, n)) if settings["inputs"] == "formula" else (distinct_a(m, k), distinct_b(k, n))
    )
    source = fault.apply(teaching_source())
    grid = fault.grid(tiling)
    done = run_matmul(
        source,
        a,
        b,
        tiling,
        group_m=int(settings["group_m"]),
        dtype=settings["dtype"],
        grid=max(grid, 1),
        program=min(program, max(grid, 1) - 1),
        mode="lesson",
    )
    return Launch(source, fault, a, b, tiling, program, done, wrong_outputs(done, a, b), touched_after(done.steps))


def _kernel_lines(source: str) -> tuple[list[str], int]:
    """The lines from the kernel's decorator on, and the number of the first of them."""
    lines = source.splitlines()
    first = next(index for index, line in enumerate(lines) if line.startswith("@triton.jit"))
    return lines[first:], first + 1


def _line(launch: Launch, index: int) -> Frame:
    step = launch.run.steps[index]
    lines, first = _kernel_lines(launch.source)
    t = launch.tiling
    side = tag(
        "div",
        changed_names(step),
        operations(step),
        touched_board(launch.a, launch.b, [], launch.touched[index], (t.BM, t.BN, t.tiles_n)),
        class_="kernel-side",
    )
    pane = source_pane(lines, first, step, "gpu/teaching.py, the kernel")
    return Frame(tag("div", pane, side, class_="kernel across"), _say(step, launch.source))


def _say(step: Step, source: str) -> str:
    text = source.splitlines()[step.line - 1].strip()
    passes = f" (pass {step.loops[-1][1]} of the loop in line {step.loops[-1][0]})" if step.loops else ""
    happened = [_told(operation) for operation in step.operations]
    happened += [f"{name} is set" for name in step.changed if not step.operations]
    what = ", ".join(happened[:3]) or "nothing changes"
    short = text if len(text) <= 60 else f"{text[:59]}…"
    return f"Line {step.line}{passes}: {short} — {what}."


def _told(operation: dict[str, object]) -> str:
    if operation["kind"] == "dot":
        return f"a {operation['m']} × {operation['n']} × {operation['k']} dot is added to the accumulator"
    done = {"load": "loaded", "store": "stored"}.get(str(operation["kind"]), str(operation["kind"]))
    return f"{operation['active']} elements of {operation['array']} are {done}"


def _outcome(launch: Launch) -> Frame:
    bad = {(each.row, each.column) for each in launch.wrong}
    c = launch.run.arrays.get("C") or []
    t = launch.tiling

    def value(row: int, column: int) -> str:
        found = c[row][column] if c else None
        shown = "∅" if found is None else plain_number(found)
        return f"{shown} ✗" if (row, column) in bad else shown

    grid = Grid(
        "C",
        (t.M, t.N),
        value,
        lambda row, column: "wrong" if (row, column) in bad else "out",
        "after all programs",
        lambda row, column: f"program={row // t.BM * t.tiles_n + column // t.BN}",
    )
    counts = launch.run.counts
    figures = numbers(
        ("programs launched", str(launch.run.grid[0])),
        ("elements of A loaded", number(counts.loads.get("A", 0))),
        ("elements of B loaded", number(counts.loads.get("B", 0))),
        ("elements of C stored", number(counts.stores.get("C", 0))),
        ("outputs wrong or missing", f"{len(bad)} of {t.M * t.N}"),
    )
    drawn = matrix(grid, tuple(range(t.M)), tuple(range(t.N)))
    return Frame(join(drawn, figures, _diff(launch.fault), _reports(launch.run)), _summary(launch, len(bad)))


def _summary(launch: Launch, bad: int) -> str:
    if launch.run.failure:
        return f"The launch ended early: {launch.run.failure.text}."
    reports = len(launch.run.reports) + launch.run.reports_left_out
    found = f"{some(reports, 'report')}." if reports else "nothing to report."
    if launch.fault is not NONE and not bad:
        luck = launch.fault.lucky or "with these numbers"
        return f"All programs are done and every output is right, by luck: {luck}. {found}"
    return f"All programs are done: {bad} of {launch.tiling.M * launch.tiling.N} outputs are wrong or missing; {found}"


def _diff(fault: Fault) -> Html:
    """The edit that breaks the kernel, as before and after."""
    lines = [line for before, after in fault.edits for line in (f"- {before.strip()}", f"+ {after.strip()}")]
    if fault.floor_grid:
        lines = ["- grid = cdiv(M, BM) * cdiv(N, BN)", "+ grid = (M // BM) * (N // BN)"]
    if not lines:
        return Html("")
    return tag("pre", "\n".join(lines), class_="printed", tabindex="0", role="group", aria_label="The edit")


def _reports(run: Run) -> Html:
    if not run.reports:
        return Html("")
    items = (
        tag("li", tag("strong", f"{report.kind}: "), f"program {report.program[0]}, line {report.line}: {report.text}.")
        for report in run.reports[:8]
    )
    more = len(run.reports) - 8 + run.reports_left_out
    return tag("ul", *items, tag("li", f"and {more} more") if more > 0 else None, class_="needs")


def _bent(run: Run) -> str:
    """Which rules of real Triton these sizes bend, and the legal version."""
    if not run.bent:
        return ""
    told = "; ".join(f"{bent.text} (legal: {bent.legal})" if bent.legal else bent.text for bent in run.bent[:3])
    return f"These tiles bend rules of real Triton: {told}."


def _asks(launch: Launch) -> tuple[Ask, ...]:
    t = launch.tiling
    bad, total, loads = len(launch.wrong), t.M * t.N, tiled_loads(t)
    counted = launch.run.counts.loads
    found = counted.get("A", 0) + counted.get("B", 0)
    padded = t.programs * t.k_phases * (t.BM * t.BK + t.BK * t.BN)
    wrong = Ask(
        "bad",
        "how many outputs go wrong or missing?",
        str(bad),
        _why(launch),
        (
            (str(total), Mistake("all", total, "that is every output; few faults reach all of them")),
            ("0", Mistake("none", 0, "that is none; step to the end and look")),
        ),
    )
    asked = Ask(
        "loads",
        "how many elements do all programs load?",
        str(found),
        f"{counted.get('A', 0)} of A and {counted.get('B', 0)} of B.",
        (
            (str(padded), Mistake("masked lanes", padded, "that counts the masked lanes as well")),
            (str(loads), Mistake("unbroken", loads, "that is what the unbroken kernel loads")),
        ),
    )
    return wrong, asked


def _why(launch: Launch) -> str:
    if launch.fault is NONE:
        return "Nothing is broken."
    return f"Broken: {launch.fault.title}." + (
        f" Right by luck when {launch.fault.lucky}." if launch.fault.lucky else ""
    )


def _shortcuts(settings: dict[str, str]) -> tuple[tuple[str, tuple[Shortcut, ...]], ...]:
    t = Tiling(*(int(settings[name]) for name in ("m", "n", "k", "bm", "bn", "bk")))
    places = ((0, "first"), (t.programs - 1, "last"))
    programs = tuple(
        Shortcut(
            f"{word}, tile {_tile(index, t, settings)}", {"program": str(index)}, settings["program"] == str(index)
        )
        for index, word in places
    )
    broken = tuple(
        Shortcut(each.title.replace("`", ""), {"fault": each.name}, settings["fault"] == each.name) for each in BREAKS
    )
    return (("Program", programs), ("Break", broken))


def _tile(index: int, tiling: Tiling, settings: dict[str, str]) -> str:
    i, j = program_tile(index, tiling, int(settings["group_m"]))
    return f"({i},{j})"


def _size(name: str, label: str, default: int, high: int) -> Integer:
    return Integer(name, label, default, 1, high)


WIDGET = Widget(
    name="kernel-stepper",
    title="The real kernel, line by line",
    question="Before you step: how many outputs go wrong, and how many elements do all programs load?",
    controls=(
        _size("m", "M", 5, SIDE),
        _size("n", "N", 7, SIDE),
        _size("k", "K", 5, SIDE),
        _size("bm", "BM", 2, WIDTH),
        _size("bn", "BN", 3, WIDTH),
        _size("bk", "BK", 2, WIDTH),
        _size("group_m", "GROUP_M", 1, 8),
        Integer("program", "program", 0, 0, SIDE * SIDE - 1),
        DTYPES,
        Choice("fault", "break", "none", tuple((each.name, each.title.replace("`", "")) for each in BREAKS)),
        Choice("inputs", "inputs", "formula", (("formula", "small repeating integers"), ("distinct", "all different"))),
    ),
    assumptions=(
        LEAVES_OUT,
        "C holds float32 here, so that whole numbers stay exact.",
        "Undefined lanes hold 0 here. On a GPU nobody promises what they hold.",
    ),
    scene=scene,
    listed=({}, {"program": "8"}),
)
