"""The state of one launch: which program runs, what was counted, what was found."""

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from sim.tl.errors import KernelError, StepLimit
from sim.tl.memory import AddressSpace, Array
from sim.tl.merging import Merges, specialised
from sim.tl.reports import LANES_TOLD, MOST_PRINTED, MOST_REPORTS, MOST_TOLD, Bent, Counts, Program, Report
from sim.tl.traffic import Traffic

if TYPE_CHECKING:
    from sim.tl.recorder import Recorder

MODES = ("strict", "lesson")


class Machine:
    """Runs programs one after another. ``mode`` "strict" refuses what Triton's compiler refuses; "lesson" lets tiles of
    any size run and notes each rule that is bent.

    ``step_limit`` bounds loop passes, calls and programs together. ``fp32_dot`` is what tl.dot does with fp32 inputs
    when the kernel does not say: "tf32", as on NVIDIA GPUs, or "ieee". ``undefined`` is the number that undefined lanes
    hold: 0 as NVIDIA GPUs happen to give it, or anything else to see who relies on that.
    """

    def __init__(
        self, mode: str = "strict", step_limit: int = 1_000_000, fp32_dot: str = "tf32", undefined: float = 0.0
    ) -> None:
        if mode not in MODES:
            raise ValueError(f"mode: given {mode!r}; allowed: {', '.join(MODES)}")
        self.mode, self.step_limit, self.fp32_dot = mode, step_limit, fp32_dot
        self.undefined = undefined
        self.space = AddressSpace()
        self.files: dict[str, Any] = {}  # file name -> text of every kernel file
        self.program: Program = (0, 0, 0)
        self.grid: Program = (1, 1, 1)
        self.recorder: Recorder | None = None
        self.printed: list[str] = []
        self.notes: list[str] = []
        self.checks = True  # look for races
        self.program_runs = False
        self.adopt: Callable[[Any], Any] = _as_it_is  # makes an Array of a host's own kind of array
        self.calls: list[tuple[Any, Mapping[str, Any]]] = []  # the functions that run now with their parameters
        self.start()

    def start(self) -> None:
        """Forget the last launch."""
        self.steps = 0
        self.counts = Counts()
        self.by_program: dict[Program, Counts] = {}
        self.reports: list[Report] = []
        self.reports_left_out = 0
        self.bent: dict[tuple[str, int], Bent] = {}
        self.traffic: dict[Array, Traffic] = {}
        self.known: set[Program] = set()
        self.merges = Merges()
        self.released: dict[tuple[int, int], set[Program]] = {}

    def enter(self, program: Program) -> None:
        """A program begins."""
        self.program = program
        self.known = set()
        self.by_program[program] = Counts()
        self.step()

    def leave(self) -> None:
        """The program has ended."""
        for traffic in self.traffic.values():
            traffic.finish(self.program)

    def step(self) -> None:
        """Count one loop pass, call or program. Raises StepLimit."""
        self.steps += 1
        if self.steps > self.step_limit:
            raise StepLimit(self.step_limit)

    def line(self) -> int:
        """The line of the kernel file that runs now; 0 outside of kernels."""
        frame = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_filename in self.files:
                return frame.f_lineno
            frame = frame.f_back  # type: ignore[assignment]
        return 0

    def report(
        self,
        kind: str,
        text: str,
        lanes: list[int] | tuple[int, ...] = (),
        array: str = "",
        element: tuple[int, ...] = (),
        line: int | None = None,
    ) -> None:
        """Keep a finding about the line that runs now; the 201st and later ones are only counted."""
        if len(self.reports) >= MOST_REPORTS:
            self.reports_left_out += 1
            return
        where = self.line() if line is None else line
        self.reports.append(Report(kind, text, self.program, where, tuple(lanes[:LANES_TOLD]), array, element))

    def rule(self, rule: str, text: str, legal: str = "", line: int | None = None) -> None:
        """A rule of the compiler is broken: strict mode raises KernelError, lesson mode notes it once a line."""
        where = self.line() if line is None else line
        if self.mode == "strict":
            raise KernelError(f"{text}{f'; legal: {legal}' if legal else ''}", kind="refused", line=where)
        self.bent.setdefault((rule, where), Bent(rule, text, where, legal))

    def meets(self, place: Any, value: Any) -> str:
        """See Merges.other: ``place`` is one of the function that runs now, for the types that it was called with."""
        function, values = self.calls[-1]
        return self.merges.other((function, specialised(values), place), value)

    def refuse(self, text: str) -> NoReturn:
        """What neither mode can run."""
        raise KernelError(text, kind="refused", line=self.line())

    def note(self, text: str) -> None:
        """Something that the reader should know about this launch, said once."""
        if text not in self.notes:
            self.notes.append(text)

    def say(self, text: str) -> None:
        """Something that the kernel prints: the first lines are kept, each up to a length."""
        if len(self.printed) < MOST_PRINTED:
            self.printed.append(text if len(text) <= MOST_TOLD else f"{text[:MOST_TOLD]}…")

    def count(self, what: str, array: Array, elements: int) -> None:
        """Add to the loads, stores or atomics of ``array``, for all programs and for this one."""
        for counts in (self.counts, self.by_program.setdefault(self.program, Counts())):
            table = getattr(counts, what)
            table[array.name] = table.get(array.name, 0) + elements

    def traffic_of(self, array: Array) -> Traffic:
        """The reads and writes of ``array`` in this launch."""
        traffic = self.traffic.get(array)
        if traffic is None:
            traffic = self.traffic[array] = Traffic(array)
        return traffic


def _as_it_is(value: Any) -> Any:
    return value
