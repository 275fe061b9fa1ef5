"""``check``: run a reader's text on every case and say what the smallest failing one shows."""

from dataclasses import replace
from typing import Any

from sim.check.exercises import EXERCISES
from sim.check.records import Case, Exercise, Named, Rows, Verdict, Wrong, shown
from sim.check.results import first_difference, rows_of, same, shares_rows, wrong_shape, wrong_type
from sim.check.runner import Outcome, Program, Trouble, arity_trouble

STEP_LIMIT = 100_000
MOST_GUESSES = 2
SHARED = Named(
    "rows that share one list",
    "two rows of the result are one and the same list, so that writing to one writes to the other; "
    "make a new list for every row",
)


def check(source: str, exercise: str = "matmul", step_limit: int = STEP_LIMIT) -> Verdict:
    """Judge the reader's text ``source``.

    A step is one turn of a loop or one call of a function of the text; loading it, and each case, may take
    ``step_limit`` of them. What one built-in function does inside, such as sum(range(10**12)), is one step
    and cannot be stopped from here. Raises ValueError for an exercise that does not exist; every trouble of
    the reader's is in the verdict.
    """
    if exercise not in EXERCISES:
        raise ValueError(f"exercise: given {exercise}; allowed: {', '.join(EXERCISES)}")
    asked = EXERCISES[exercise]
    cases = asked.cases()
    program = Program(source, step_limit)
    trouble = program.loaded.trouble or _name_trouble(program, asked)
    if trouble:
        return _told(_blank(asked, len(cases)), trouble, program.loaded.printed)
    results = []
    for case in cases:
        results.append(_Result(case, program, asked))
        if results[-1].stopped:
            break
    failing = next((number for number, result in enumerate(results) if result.kind), None)
    if failing is None:
        sentence = f"Passed: {asked.signature} is right in all {len(cases)} cases."
        printed = program.loaded.printed + "".join(result.outcome.printed for result in results)
        return replace(_blank(asked, len(cases)), passed=True, kind="passed", sentence=sentence, printed=printed)
    return _failed(asked, results, failing, program.loaded.printed, len(cases))


class _Result:
    """One case, run. ``kind`` is empty when the result is right."""

    def __init__(self, case: Case, program: Program, exercise: Exercise) -> None:
        arguments = [as_lists(argument) for argument in case.arguments]
        self.case = case
        self.outcome: Outcome = program.call(exercise.name, arguments)
        self.trouble = self.outcome.trouble
        self.stopped = bool(self.trouble and self.trouble.kind == "steps")
        self.rows: Rows | None = None
        self.kind, self.direct, self.sentence = self._judged(arguments, exercise)

    def _judged(self, arguments: list[Any], exercise: Exercise) -> tuple[str, Named | None, str]:
        if self.trouble:
            return self.trouble.kind, None, self.trouble.sentence
        value = self.outcome.value
        self.rows = rows_of(value)
        changed = _changed(self.case, arguments, exercise)
        named = wrong_type(value, exercise)
        if named:
            right = self.rows is not None and self.rows == self.case.expected
            return "type", named, f"{_sentence(named)}{' The numbers are right.' if right else ''}"
        if changed:
            return "changed", changed, _sentence(changed)
        named = wrong_shape(self.rows or (), self.case.expected, exercise)
        if named:
            return "shape", named, _sentence(named)
        difference = first_difference(self.rows or (), self.case, exercise)
        if difference:
            return "value", SHARED if shares_rows(value) and not exercise.pairs else None, _capital(difference) + "."
        return "", None, ""

    @property
    def key(self) -> object:
        """What is compared with a wrong model: the rows, or the exception's name."""
        if self.trouble:
            return self.trouble.error
        return self.rows if self.rows is not None else type(self.outcome.value).__name__


def _failed(exercise: Exercise, results: list[_Result], number: int, loaded: str, total: int) -> Verdict:
    result = results[number]
    mistakes, sure = _recognised(exercise, results, number)
    if result.direct and (result.kind in ("type", "changed") or result.direct is SHARED or not mistakes):
        mistakes, sure = (result.direct,), True
    verdict = replace(
        _blank(exercise, total),
        number=number + 1,
        case=result.case,
        expected=shown(result.case.expected, 1 if exercise.pairs else 2),
        got="" if result.trouble else shown(result.outcome.value, 0),
        got_rows=result.rows,
        mistakes=mistakes,
        sure=sure,
    )
    printed = loaded + result.outcome.printed
    if result.trouble:
        return _told(verdict, result.trouble, printed)
    return replace(verdict, kind=result.kind, sentence=result.sentence, printed=printed)


def _recognised(exercise: Exercise, results: list[_Result], number: int) -> tuple[tuple[Named, ...], bool]:
    """The wrong models that answer as the reader does: in every case, or else in the failing one (then unsure)."""
    if results[number].stopped:
        return (), False
    here = [wrong for wrong in exercise.wrongs() if model_answer(wrong, results[number].case) == results[number].key]
    everywhere = [wrong for wrong in here if all(model_answer(wrong, result.case) == result.key for result in results)]
    if not everywhere and results[number].trouble:
        return (), False
    found = everywhere or here
    case, got = results[number].case, results[number].rows
    named = {wrong.name: Named(wrong.name, wrong.sentence(case, got)) for wrong in found}
    if not everywhere and len(named) > MOST_GUESSES:
        return (), False
    return tuple(named.values()), bool(everywhere)


def model_answer(wrong: Wrong, case: Case) -> object:
    """The rows that a wrong model gives for one case, or the name of the exception that it raises."""
    try:
        return rows_of(wrong.run(*map(as_lists, case.arguments)))
    except Exception as error:
        return type(error).__name__


def _name_trouble(program: Program, exercise: Exercise) -> Trouble | None:
    function = program.names.get(exercise.name)
    if callable(function):
        return arity_trouble(function, exercise.name, exercise.parameters, program.source)
    wanted = f"a function named {exercise.name}, as in def {exercise.signature}:"
    if exercise.name in program.names:
        return Trouble("name", f"{exercise.name} is {type(function).__name__}, not a function; wanted: {wanted}")
    made = [name for name, value in program.names.items() if callable(value) and not name.startswith("__")]
    given = f"functions named {', '.join(made[:5])}" if made else "no function"
    return Trouble("name", f"The text has {given}; wanted: {wanted}")


def _changed(case: Case, arguments: list[Any], exercise: Exercise) -> Named | None:
    for name, before, after in zip(exercise.parameters, case.arguments, arguments, strict=True):
        if not same(as_lists(before), after):
            return Named("inputs changed", f"the function changes its input {name}, which belongs to the caller")
    return None


def _blank(exercise: Exercise, total: int) -> Verdict:
    return Verdict(exercise.name, False, "", "", total, parameters=exercise.parameters)


def _told(verdict: Verdict, trouble: Trouble, printed: str) -> Verdict:
    return replace(
        verdict,
        kind=trouble.kind,
        sentence=trouble.sentence,
        line=trouble.line,
        line_text=trouble.line_text,
        printed=printed,
    )


def _sentence(named: Named) -> str:
    return f"{_capital(named.name)}: {named.sentence}."


def _capital(text: str) -> str:
    return text if text[:2].isupper() or "[" in text[:3] else text[:1].upper() + text[1:]


def as_lists(value: Any) -> Any:
    """Tuples of rows as fresh lists, which the reader's code may do with as it likes; numbers as they are."""
    return [as_lists(item) for item in value] if isinstance(value, tuple) else value
