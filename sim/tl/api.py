"""Run the text of a kernel file and get everything that happened as one frozen record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.tl.constexpr import plain
from sim.tl.errors import KernelError
from sim.tl.jit import Kernel, argument
from sim.tl.machine import Machine
from sim.tl.memory import Array
from sim.tl.modules import modules
from sim.tl.recorder import Recorder, Step, number
from sim.tl.reports import Bent, Counts, Program, Report
from sim.tl.source import Importer, executed, plain_import
from sim.tl.tuning import Wrapped

SCHEMA_VERSION = 1
LEAVES_OUT = (
    "Programs run one after another; nothing here says anything about time, caches, coalescing, registers, warps or "
    "shared memory. Loads and stores are elements that the kernel asks for, not transactions."
)

REFUSES = (
    "What Triton's compiler refuses in the language is refused here as well, with the line, on every way that a "
    "program takes."
)


@dataclass(frozen=True)
class Failure:
    """Why the launch ended early: ``kind`` as in KernelError, one sentence, the line, the program that ran."""

    kind: str
    text: str
    line: int
    program: Program

    def json(self) -> dict[str, Any]:
        """Plain data."""
        return {"kind": self.kind, "text": self.text, "line": self.line, "program": list(self.program)}


@dataclass(frozen=True)
class Run:
    """One launch. ``arrays`` maps every array to its elements afterwards, nested lists (None: nobody wrote it).

    ``steps`` are those of ``program`` (empty when none was chosen); ``cut`` says that there were more than are kept.
    ``counts`` are for all programs, ``by_program`` for each. ``failure`` is None when the launch ran to its end.
    """

    kernel: str
    mode: str
    grid: Program
    program: Program | None
    steps: tuple[Step, ...]
    cut: bool
    reports: tuple[Report, ...]
    reports_left_out: int
    bent: tuple[Bent, ...]
    counts: Counts
    by_program: Mapping[Program, Counts]
    arrays: Mapping[str, Any]
    printed: tuple[str, ...]
    notes: tuple[str, ...]
    failure: Failure | None

    def json(self) -> dict[str, Any]:
        """Plain data that ``schema.json`` describes."""
        return {
            "version": SCHEMA_VERSION, "kernel": self.kernel, "mode": self.mode, "grid": list(self.grid),
            "program": None if self.program is None else list(self.program),
            "steps": [step.json() for step in self.steps], "cut": self.cut,
            "reports": [report.json() for report in self.reports], "reports_left_out": self.reports_left_out,
            "bent": [bent.json() for bent in self.bent], "counts": self.counts.json(),
            "by_program": [{"program": list(program), **counts.json()} for program, counts in self.by_program.items()],
            "arrays": {name: _numbers(value) for name, value in self.arrays.items()},
            "printed": list(self.printed), "notes": list(self.notes),
            "failure": None if self.failure is None else self.failure.json(), "leaves_out": LEAVES_OUT,
        }  # fmt: skip


@dataclass(frozen=True)
class KernelFile:
    """A kernel file that was executed: its machine, its module and its kernels in the order of the file."""

    machine: Machine
    module: Any
    kernels: Mapping[str, Any]


def load_kernel(
    source: str, filename: str = "kernel.py", *, mode: str = "strict", step_limit: int = 1_000_000
) -> KernelFile:
    """Execute ``source`` with this package as `triton`. Raises KernelError with the line.

    A real Triton in the same process is not touched.
    """
    machine = Machine(mode, step_limit)
    module = executed(machine, source, filename, modules(machine))
    found = {name: value for name, value in vars(module).items() if isinstance(value, (Kernel, Wrapped))}
    own = {name: value for name, value in found.items() if value.machine is machine}
    return KernelFile(machine, module, dict(sorted(own.items(), key=lambda item: item[1].first_line)))


def run(
    source: str,
    arguments: Mapping[str, Any],
    grid: int | Sequence[int],
    *,
    kernel: str | None = None,
    filename: str = "kernel.py",
    program: int | Sequence[int] | None = None,
    mode: str = "strict",
    step_limit: int = 1_000_000,
    undefined: float = 0.0,
    spare: bool = False,
    importer: Importer = plain_import,
) -> Run:
    """Launch one kernel of ``source`` on ``grid``.

    ``arguments`` maps parameter names to Arrays and numbers, known-when-compiling ones included. ``kernel`` is the
    name of the function; by default the last one of the file that takes a pointer or whose name nobody calls.
    ``program`` is the one to record. ``undefined`` is the number that undefined lanes hold. With ``spare`` the kernel
    need not take every argument. ``importer`` gives the modules that the file imports besides triton. What is wrong
    with the kernel comes back in ``failure`` and ``reports``.
    Raises ValueError for a caller's mistake: an unknown kernel, a missing or unknown argument, a program outside of
    the grid.
    """
    axes = tuple(grid) if isinstance(grid, Sequence) else (grid,)
    whole: Program = (*axes, 1, 1, 1)[:3]  # type: ignore[assignment]
    chosen = _program(program, whole)
    arrays = {name: value for name, value in arguments.items() if isinstance(value, Array)}
    machine = Machine(mode, step_limit, undefined=undefined)
    name, failure = kernel or "", None
    recorder = None if chosen is None else Recorder(machine, chosen)
    try:
        module = executed(machine, source, filename, modules(machine), importer)
        found = {key: value for key, value in vars(module).items() if isinstance(value, (Kernel, Wrapped))}
        name = _kernel_name(found, kernel, arguments)
        values = _bound(found[name], arguments, spare)
        machine.recorder = recorder
        prepared = {key: _prepared(machine, found[name], key, value) for key, value in values.items()}
        _kernel_of(found[name]).run_grid(whole, prepared)
        _never_written(machine, set(arrays.values()))
    except KernelError as error:
        failure = Failure(error.kind, error.text, error.line or 0, machine.program)
    return Run(
        name, mode, whole, chosen, () if recorder is None else tuple(recorder.steps),
        recorder is not None and recorder.cut, tuple(machine.reports), machine.reports_left_out,
        tuple(machine.bent.values()), machine.counts, machine.by_program,
        {key: _elements(array) for key, array in arrays.items()}, tuple(machine.printed), tuple(machine.notes), failure,
    )  # fmt: skip


def _numbers(value: Any) -> Any:
    """Nested lists in which infinities and NaN are text, as JSON has none."""
    return [_numbers(part) for part in value] if isinstance(value, list) else number(value)


def _program(program: int | Sequence[int] | None, grid: Program) -> Program | None:
    if program is None:
        return None
    parts = tuple(program) if isinstance(program, Sequence) else (program,)
    chosen: Program = (*parts, 0, 0, 0)[:3]  # type: ignore[assignment]
    if not all(0 <= place < size for place, size in zip(chosen, grid, strict=True)):
        raise ValueError(f"program: given {chosen}; allowed: inside of the grid {grid}")
    return chosen


def _kernel_of(value: Any) -> Kernel:
    return value.kernel if isinstance(value, Wrapped) else value


def _kernel_name(found: Mapping[str, Any], wanted: str | None, arguments: Mapping[str, Any]) -> str:
    names = sorted(found, key=lambda name: found[name].first_line)
    if wanted is not None:
        if wanted not in found:
            raise ValueError(f"kernel: given {wanted!r}; the file has: {', '.join(names) or 'none'}")
        return wanted
    if not names:
        raise KernelError("the file has no @triton.jit function", kind="unknown name", line=0)
    fitting = [name for name in names if "missing" not in _unfit(found[name], arguments)]
    return (fitting or names)[-1]


def _unfit(kernel: Any, arguments: Mapping[str, Any]) -> str:
    signature = _kernel_of(kernel).signature
    missing = [n for n, p in signature.parameters.items() if n not in arguments and p.default is p.empty]
    unknown = [n for n in arguments if n not in signature.parameters]
    parts = [f"{what} {', '.join(names)}" for what, names in (("missing", missing), ("unknown", unknown)) if names]
    return "; ".join(parts)


def _bound(kernel: Any, arguments: Mapping[str, Any], spare: bool) -> dict[str, Any]:
    names = _kernel_of(kernel).signature.parameters
    problem = _unfit(kernel, {key: value for key, value in arguments.items() if not spare or key in names})
    if problem:
        raise ValueError(f"arguments of {kernel.__name__}: {problem}; it takes {', '.join(kernel.arg_names)}")
    parameters = _kernel_of(kernel).signature.parameters
    return {name: plain(arguments.get(name, parameter.default)) for name, parameter in parameters.items()}


def _prepared(machine: Machine, kernel: Any, name: str, value: Any) -> Any:
    return value if name in kernel.constexprs else argument(machine, value)


def _never_written(machine: Machine, arrays: Any) -> None:
    for array in sorted(arrays, key=lambda array: array.base):
        if array.unwritten:
            first = min(array.unwritten)
            count = len(array.unwritten)
            which = "1 element" if count == 1 else f"{count} elements"
            machine.report(
                "never written",
                f"{which} of {array.name} that no program wrote; first: {list(array.index(first))}",
                array=array.name,
                element=array.index(first),
                line=0,
            )


def _elements(array: Array) -> Any:
    shown = Array(array.name, array.dtype, array.shape, array.data)
    shown.data = [None if place in array.unwritten else value for place, value in enumerate(shown.data)]
    return shown.tolist()
