"""`exercise`: the reader writes a function; the checker answers with the smallest case that fails and the mistake."""

from lab.controls import Choice, Code
from lab.exercises import exercise_scene
from lab.figures import whole
from lab.markup import Html, join, tag
from lab.widget import Frame, Scene, Widget
from sim.check import EXERCISES, Exercise, Verdict, check
from sim.matmul import Rows

ORDER = ("matmul", "tile_ranges", "tiled_matmul")
NAMES = Choice("name", "exercise", "matmul", tuple((name, EXERCISES[name].title) for name in ORDER))


def scene(settings: dict[str, str]) -> Scene:
    """One frame: what the checker says of the text. Nothing is run before the reader asks for it."""
    exercise = EXERCISES[settings["name"]]
    return exercise_scene(
        settings,
        exercise,
        lambda source: check(source, exercise.name),
        lambda verdict, source: _frame(exercise, verdict),
    )


def _frame(exercise: Exercise, verdict: Verdict | None) -> Frame:
    task = tag("div", *(tag("p", part) for part in exercise.task.split("\n\n")), class_="task")
    if verdict is None:
        return Frame(
            task, f"Nothing has been checked yet: this is the starter. Write {exercise.signature}, then press Check."
        )
    body = join(_naming(verdict), _where(verdict), _case(verdict), _printed(verdict))
    return Frame(body if body else task, verdict.sentence)


def _naming(verdict: Verdict) -> Html | None:
    return tag("p", verdict.naming, class_="meaning") if verdict.naming else None


def _where(verdict: Verdict) -> Html | None:
    if verdict.line is None:
        return None
    return tag(
        "p", f"Line {verdict.line}: ", tag("code", verdict.line_text.strip()), class_="meaning", data_line=verdict.line
    )


def _case(verdict: Verdict) -> Html | None:
    """The smallest failing case: its arguments, what was due and what came."""
    if verdict.case is None or verdict.passed:
        return None
    heading = tag("h4", f"Case {verdict.number} of {verdict.total}, the smallest that fails")
    pairs = zip(verdict.parameters, verdict.case.arguments, strict=True)
    drawn = [_argument(name, value) for name, value in pairs]
    expected = _result("expected", verdict.case.expected, verdict.expected, verdict)
    got = _result("yours", verdict.got_rows, verdict.got, verdict) if verdict.got else None
    return tag("div", heading, tag("div", *drawn, expected, got, class_="wholes"))


def _argument(name: str, value: object) -> Html:
    if _is_matrix(value):
        return whole(name.upper(), _texts(value))
    return tag("p", f"{name} = {value}", class_="argument")


def _result(what: str, rows: object, text: str, verdict: Verdict) -> Html:
    if EXERCISES[verdict.exercise].result == "C" and _is_matrix(rows):
        return whole("C", _texts(rows), what)
    return tag("p", f"{what}: ", tag("code", text), class_="argument")


def _is_matrix(value: object) -> bool:
    """Rows of equal length, at least one number in each."""
    if not isinstance(value, tuple) or not value or not all(isinstance(row, tuple) and row for row in value):
        return False
    return len({len(row) for row in value}) == 1


def _texts(rows: object) -> tuple[tuple[str, ...], ...]:
    matrix: Rows = rows  # type: ignore[assignment]  # _is_matrix has looked
    return tuple(tuple(str(value) for value in row) for row in matrix)


def _printed(verdict: Verdict) -> Html | None:
    if not verdict.printed:
        return None
    output = tag(
        "pre", verdict.printed, class_="printed", tabindex="0", role="group", aria_label="What your code printed"
    )
    return tag("div", tag("h4", "Your code printed"), output)


WIDGET = Widget(
    name="exercise",
    title="Write it yourself",
    question="Write the function, then press Check. Your text stays in this browser and is sent nowhere.",
    controls=(NAMES, Code("source", "your code", "")),
    assumptions=(
        "Your code runs in this page, in Python compiled to WebAssembly, on inputs that known mistakes do not survive.",
        "A loop that does not end is stopped after a number of steps. Stop ends everything at once.",
        "Passing every case is strong evidence, not a proof. Only results are compared, not how they were made.",
    ),
    scene=scene,
    listed=tuple({"name": name} for name in ORDER),
    panel_titles={"hints": "Hints, and a solution"},
    run_label="Check",
    steps=False,
    fixed=("name",),
)
