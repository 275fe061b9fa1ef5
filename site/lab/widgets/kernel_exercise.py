"""`kernel-exercise`: the reader writes a Triton kernel; the checker answers with the smallest launch that fails."""

from lab.controls import Choice, Code
from lab.exercises import exercise_scene
from lab.figures import Grid, matrix, visible
from lab.kernel_view import told_report, with_code
from lab.markup import Html, tag
from lab.widget import Frame, Scene, Widget
from sim.tl.api import LEAVES_OUT, REFUSES
from sim.tl.exercises import KERNEL_EXERCISES, KernelExercise, KernelVerdict, check_kernel
from sim.tl.exercises.records import Rows

ORDER = ("vector_add", "tile_load", "k_loop", "grouped_order")
NAMES = Choice("name", "exercise", ORDER[0], tuple((name, KERNEL_EXERCISES[name].title) for name in ORDER))
MOST_REPORTS = 4


def scene(settings: dict[str, str]) -> Scene:
    """One frame: what the checker says of the text. Nothing is run before the reader asks for it."""
    exercise = KERNEL_EXERCISES[settings["name"]]
    return exercise_scene(
        settings,
        exercise,
        lambda source: check_kernel(source, exercise.name),
        lambda verdict, source: _frame(exercise, verdict, source),
    )


def _frame(exercise: KernelExercise, verdict: KernelVerdict | None, source: str) -> Frame:
    parts = [tag("p", part) for part in exercise.task.split("\n\n")]
    if verdict is None:
        told = f"Nothing has been checked yet: this is the starter. Write {exercise.kernel}, then press Check."
        return Frame(tag("div", tag("h4", exercise.title), *parts, class_="task"), told)
    body = (_line(verdict, source), _naming(verdict), _reports(verdict), _launch(verdict))
    again = tag("details", tag("summary", f"{exercise.title}: the task"), *parts)
    return Frame(tag("div", *body, again, class_="across"), verdict.sentence)


def _naming(verdict: KernelVerdict) -> Html | None:
    return tag("p", with_code(verdict.naming), class_="meaning") if verdict.naming else None


def _line(verdict: KernelVerdict, source: str) -> Html | None:
    """The line to blame; reports bring their own."""
    lines = source.split("\n")
    if verdict.line is None or verdict.line > len(lines) or verdict.reports:
        return None
    code = tag("code", lines[verdict.line - 1].strip())
    return tag("p", f"Line {verdict.line}: ", code, class_="meaning", data_line=verdict.line)


def _reports(verdict: KernelVerdict) -> Html | None:
    if not verdict.reports:
        return None
    more = len(verdict.reports) - MOST_REPORTS
    items = [told_report(report) for report in verdict.reports[:MOST_REPORTS]]
    return tag("ul", *items, tag("li", f"and {more} more") if more > 0 else None, class_="needs")


def _launch(verdict: KernelVerdict) -> Html | None:
    """The smallest failing launch: sizes, inputs, what was due and what came."""
    if verdict.launch is None:
        return None
    heading = tag("h4", f"Launch {verdict.number} of {verdict.total}, the smallest that fails: {verdict.launch.sizes}")
    drawn = [_array(name, rows) for name, rows in verdict.inputs]
    drawn.append(_array(verdict.result, verdict.launch.expected, "expected"))
    if verdict.got is not None:
        drawn.append(_array(verdict.result, verdict.got, "yours", verdict.launch.expected))
    return tag("div", heading, tag("div", *drawn, class_="wholes"))


def _array(name: str, rows: Rows, what: str = "", right: Rows | None = None) -> Html:
    """An array as a matrix, a vector as its one row; where ``right`` differs it is marked."""

    def value(row: int, column: int) -> str:
        shown = "∅" if rows[row][column] is None else str(rows[row][column])
        return f"{shown} ✗" if classes(row, column) else shown

    def classes(row: int, column: int) -> str:
        return "wrong" if right is not None and rows[row][column] != right[row][column] else ""

    size = (len(rows), len(rows[0]))
    return matrix(Grid(name, size, value, classes, what), visible(size[0], (0, 1)), visible(size[1], (0, 1)))


WIDGET = Widget(
    name="kernel-exercise",
    title="Write the kernel yourself",
    question="Write the kernel, then press Check. It runs here, in Python; your text stays in this browser.",
    controls=(NAMES, Code("source", "your kernel", "")),
    assumptions=(
        LEAVES_OUT,
        REFUSES,
        "Outputs must be right and nothing must be reported: no lane outside of its array, none that relies on an "
        "undefined one, no element written twice.",
        "A loop that does not end is stopped after a number of steps. Stop ends everything at once.",
        "Passing every launch is strong evidence, not a proof.",
    ),
    scene=scene,
    listed=tuple({"name": name} for name in ORDER),
    panel_titles={"hints": "Hints, and a solution"},
    run_label="Check",
    steps=False,
    fixed=("name",),
)
