"""``check_kernel``: run a reader's kernel on every launch of an exercise; say what the smallest failing one shows."""

from dataclasses import dataclass, replace
from typing import Any

from sim.check.records import Named
from sim.tl.api import Failure, Run, load_kernel, run
from sim.tl.errors import KernelError
from sim.tl.exercises.library import KERNEL_EXERCISES
from sim.tl.exercises.records import KernelExercise, KernelVerdict, Launch, Rows, Slip
from sim.tl.memory import Array

STEP_LIMIT = 100_000
MOST_GUESSES = 2
KINDS = {"syntax": "syntax", "step limit": "steps"}


def check_kernel(source: str, exercise: str, step_limit: int = STEP_LIMIT) -> KernelVerdict:
    """Judge the reader's kernel file ``source``.

    A step is a turn of a loop, a call or a program; each launch may take ``step_limit`` of them. Raises ValueError for
    an exercise that does not exist; every trouble of the reader's is in the verdict.
    """
    if exercise not in KERNEL_EXERCISES:
        raise ValueError(f"exercise: given {exercise}; allowed: {', '.join(KERNEL_EXERCISES)}")
    asked = KERNEL_EXERCISES[exercise]
    launches = asked.launches()
    blank = KernelVerdict(exercise, False, "", "", len(launches), asked.array_name(asked.output))
    trouble = _no_kernel(source, asked, step_limit)
    if trouble:
        return replace(blank, **trouble)
    found = []
    for launch in launches:
        found.append(launched(source, asked, launch, step_limit))
        if found[-1].failure is not None and found[-1].failure.kind == "step limit":
            break
    failing = next((place for place, each in enumerate(found) if not each.right), None)
    if failing is None:
        sentence = f"Passed: {asked.kernel} is right in all {len(launches)} launches, and there is nothing to report."
        return replace(blank, passed=True, kind="passed", sentence=sentence)
    return _failed(asked, found, failing, blank)


@dataclass(frozen=True)
class Outcome:
    """What one launch gave."""

    launch: Launch
    done: Run
    got: Rows

    @property
    def failure(self) -> Failure | None:
        """Why it ended early, or None."""
        return self.done.failure

    @property
    def right(self) -> bool:
        """Whether it ran to its end, gave the right output and nothing had to be reported."""
        return self.failure is None and self.got == self.launch.expected and not self.done.reports

    @property
    def keys(self) -> tuple[Any, ...]:
        """What is compared with a known mistake, closely first: every report, the kinds of report, the output only."""
        ended = None if self.failure is None else (self.failure.kind, self.failure.text)
        reports = self.done.reports
        every = frozenset((one.kind, one.array, one.element, one.program, one.lanes) for one in reports)
        kinds = frozenset(report.kind for report in reports)
        return (self.got, every, ended), (self.got, kinds, ended), (self.got, ended)


def launched(source: str, exercise: KernelExercise, launch: Launch, step_limit: int = STEP_LIMIT) -> Outcome:
    """Run ``source`` once, in strict mode."""
    arguments: dict[str, Any] = dict(launch.numbers)
    for parameter, dtype in exercise.arrays.items():
        name = exercise.array_name(parameter)
        if parameter == exercise.output:
            arguments[parameter] = _output(name, dtype, launch.expected)
        else:
            rows = launch.inputs[parameter]
            arguments[parameter] = Array(name, dtype, _shape(rows), _nested(rows))
    done = run(source, arguments, launch.grid, kernel=exercise.kernel, mode="strict", step_limit=step_limit)
    output = done.arrays[exercise.output]
    found = output if len(launch.expected) > 1 else [output]
    return Outcome(launch, done, tuple(tuple(_whole(value) for value in row) for row in found))


def _whole(value: Any) -> Any:
    """A whole number as int, whatever the array's type."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _shape(rows: Rows) -> tuple[int, ...]:
    """A single row is a vector."""
    return (len(rows[0]),) if len(rows) == 1 else (len(rows), len(rows[0]))


def _nested(rows: Rows) -> list[Any]:
    return list(rows[0]) if len(rows) == 1 else [list(row) for row in rows]


def _output(name: str, dtype: str, expected: Rows) -> Array:
    return Array.empty(name, dtype, _shape(expected))


def _no_kernel(source: str, exercise: KernelExercise, step_limit: int) -> dict[str, Any] | None:
    """Fields of a verdict where the file cannot be executed or does not have the kernel."""
    try:
        kernels = load_kernel(source, step_limit=step_limit).kernels
    except KernelError as error:
        line = error.line or None
        return {"kind": KINDS.get(error.kind, "error"), "sentence": _placed(line, error.text), "line": line}
    wanted = f"wanted: a @triton.jit function {exercise.signature}"
    if exercise.kernel not in kernels:
        made = f"the kernels {', '.join(kernels)}" if kernels else "no kernel"
        return {"kind": "name", "sentence": f"The text has {made}; {wanted}."}
    names = tuple(kernels[exercise.kernel].arg_names)
    if names != exercise.parameters:
        line = kernels[exercise.kernel].first_line
        sentence = f"{exercise.kernel} takes {', '.join(names) or 'nothing'}; {wanted}."
        return {"kind": "name", "sentence": _placed(line, sentence), "line": line}
    return None


def _failed(exercise: KernelExercise, found: list[Outcome], place: int, blank: KernelVerdict) -> KernelVerdict:
    outcome = found[place]
    mistakes, sure = _recognised(exercise, found, place)
    verdict = replace(
        blank,
        number=place + 1,
        launch=outcome.launch,
        inputs=tuple((exercise.array_name(name), rows) for name, rows in outcome.launch.inputs.items()),
        reports=outcome.done.reports,
        mistakes=mistakes,
        sure=sure,
    )
    failure = outcome.failure
    if failure is not None:
        line = failure.line or None
        return replace(verdict, kind=KINDS.get(failure.kind, "error"), sentence=_placed(line, failure.text), line=line)
    line = next((report.line for report in outcome.done.reports if report.line), None)
    wrong = _first_wrong(exercise, outcome)
    if wrong:
        return replace(verdict, kind="value", sentence=wrong, got=outcome.got, line=line)
    count = len(outcome.done.reports)
    told = "1 thing is" if count == 1 else f"{count} things are"
    sentence = f"Every output is right, by luck: {told} reported."
    return replace(verdict, kind="report", sentence=sentence, got=outcome.got, line=line)


def _first_wrong(exercise: KernelExercise, outcome: Outcome) -> str:
    """A sentence on the first output that is wrong or missing; empty when all are right."""
    vector = len(outcome.launch.expected) == 1
    for i, (row, wanted) in enumerate(zip(outcome.got, outcome.launch.expected, strict=True)):
        for j, (got, right) in enumerate(zip(row, wanted, strict=True)):
            if got is None or got != right:
                where = f"{exercise.array_name(exercise.output)}[{j if vector else f'{i},{j}'}]"
                said = "was written by nobody" if got is None else f"is {got}"
                return f"{where} {said}; it should be {right}."
    return ""


def _recognised(exercise: KernelExercise, found: list[Outcome], place: int) -> tuple[tuple[Named, ...], bool]:
    """The known mistakes that end as the reader's kernel does: in every launch, or else in this one (then unsure)."""
    mine = found[place]
    if mine.failure is not None and mine.failure.kind == "step limit":
        return (), False
    models = [_Model(exercise, slip) for slip in exercise.slips]
    for level in range(len(mine.keys)):
        here = [model for model in models if model.ends_alike(mine, level)]
        everywhere = [model for model in here if all(model.ends_alike(each, level) for each in found)]
        if everywhere:
            return tuple(model.named for model in everywhere), True
    if mine.failure is not None or not 0 < len(here) <= MOST_GUESSES:
        return (), False
    return tuple(model.named for model in here), False


class _Model:
    """A known mistake, run on a launch when it is asked about."""

    def __init__(self, exercise: KernelExercise, slip: Slip) -> None:
        self.named = Named(slip.name, slip.sentence)
        self._exercise, self._source = exercise, slip.apply(exercise.solution)
        self._outcomes: dict[int, Outcome] = {}

    def ends_alike(self, outcome: Outcome, level: int) -> bool:
        """Whether the mistake ends as ``outcome`` does, compared as ``Outcome.keys[level]`` says."""
        place = id(outcome)
        if place not in self._outcomes:
            self._outcomes[place] = launched(self._source, self._exercise, outcome.launch)
        return bool(self._outcomes[place].keys[level] == outcome.keys[level])


def _placed(line: int | None, text: str) -> str:
    """The text with its line before it and an end."""
    told = f"Line {line}: {text}" if line else text[:1].upper() + text[1:]
    return told if told.endswith((".", "?", "!")) else f"{told}."
