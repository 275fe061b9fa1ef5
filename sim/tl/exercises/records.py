"""What the checker of kernels talks about: a launch, a known mistake, an exercise, a verdict."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sim.check.records import Named, naming, shown
from sim.tl.reports import Report

Rows = tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Launch:
    """One launch of a reader's kernel.

    ``inputs`` maps array parameters to rows of whole numbers (a vector is one row), ``numbers`` the other parameters;
    ``grid`` is how many programs there are along each axis. ``expected`` are the rows that the output array must hold
    afterwards; before the launch it is undefined.
    """

    inputs: Mapping[str, Rows]
    numbers: Mapping[str, int]
    grid: tuple[int, ...]
    expected: Rows

    @property
    def sizes(self) -> str:
        """``N = 3, BLOCK = 4; 1 program``."""
        count = " × ".join(str(size) for size in self.grid)
        told = ", ".join(f"{name} = {value}" for name, value in self.numbers.items())
        return f"{told}; {'1 program' if set(self.grid) == {1} else f'{count} programs'}"


@dataclass(frozen=True)
class Slip:
    """A well-known mistake: what it does to the solution, and the clause that says what happened.

    ``edits`` are (before, after) texts; ``before`` is replaced wherever it stands in the solution.
    """

    name: str
    sentence: str
    edits: tuple[tuple[str, str], ...]

    def apply(self, solution: str) -> str:
        """The mistaken kernel. Raises ValueError when a text that is edited does not stand in ``solution``."""
        for before, after in self.edits:
            if before not in solution:
                raise ValueError(f"{self.name}: {before!r} does not stand in the solution")
            solution = solution.replace(before, after)
        return solution


@dataclass(frozen=True)
class KernelExercise:
    """One exercise: what the reader sees (``starter``, ``hints``, ``solution`` are texts) and how it is judged.

    ``kernel`` is the name of the function, ``parameters`` its parameters; those in ``constants`` are known when
    compiling. ``arrays`` maps the array parameters to their types, ``output`` is the one that is compared. ``launches``
    gives the launches, the smallest first; ``slips`` are the known mistakes.
    """

    name: str
    title: str
    kernel: str
    parameters: tuple[str, ...]
    constants: tuple[str, ...]
    arrays: Mapping[str, str]
    output: str
    task: str
    starter: str
    hints: tuple[str, ...]
    solution: str
    launches: Callable[[], tuple[Launch, ...]]
    slips: tuple[Slip, ...]

    @property
    def signature(self) -> str:
        """``add_kernel(x_ptr, y_ptr, out_ptr, N, BLOCK: tl.constexpr)``."""
        typed = (f"{name}: tl.constexpr" if name in self.constants else name for name in self.parameters)
        return f"{self.kernel}({', '.join(typed)})"

    def array_name(self, parameter: str) -> str:
        """``a_ptr`` is A, ``out_ptr`` is out: what pages and reports call an array."""
        name = parameter.removesuffix("_ptr")
        return name.upper() if name in ("a", "b", "c") else name


@dataclass(frozen=True)
class KernelVerdict:
    """What the checker found.

    ``kind`` is one of: passed, syntax, name, error, steps, value, report. ``sentence`` says what happened; ``launch``
    is the smallest failing one, ``number`` its place from 1 among ``total`` (0 when none was run). ``inputs`` and
    ``got`` are its arrays as rows, the output's with None where nobody wrote; ``result`` is the output's name.
    ``reports`` is what was found, ``mistakes`` are the known mistakes that end alike; ``sure`` says that they do in
    every launch. ``line`` counts from 1 in the reader's text.
    """

    exercise: str
    passed: bool
    kind: str
    sentence: str
    total: int
    result: str
    number: int = 0
    launch: Launch | None = None
    inputs: tuple[tuple[str, Rows], ...] = ()
    got: Rows | None = None
    reports: tuple[Report, ...] = ()
    mistakes: tuple[Named, ...] = ()
    sure: bool = False
    line: int | None = None

    @property
    def naming(self) -> str:
        """One sentence on the mistake; empty where the verdict needs none."""
        if self.kind not in ("value", "report", "error") or self.launch is None:
            return ""
        return naming(self.mistakes, self.sure, quiet=self.kind == "error")

    def words(self) -> str:
        """The whole verdict as lines of text, for a terminal."""
        lines = [self.sentence]
        if self.launch is not None and not self.passed:
            lines.append(f"Launch {self.number} of {self.total}, the smallest that fails: {self.launch.sizes}")
            lines += [f"  {name} = {shown(_bare(rows))}" for name, rows in self.inputs]
            lines.append(f"  expected: {shown(_bare(self.launch.expected))}")
            lines += [f"  got:      {shown(_bare(self.got))}"] if self.got is not None else []
        lines += [f"  {report.kind}: {report.where}{report.text}" for report in self.reports]
        lines += [self.naming] if self.naming else []
        return "\n".join(lines)


def _bare(rows: Rows) -> Any:
    """A vector without the brackets around its one row."""
    return rows[0] if len(rows) == 1 else rows
