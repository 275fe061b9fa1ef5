"""Writes down what one chosen program does: a step for every statement that ran."""

import math
from dataclasses import dataclass, field
from typing import Any

from sim.tl.access import Reach
from sim.tl.dtypes import PointerType
from sim.tl.lanes import Shape
from sim.tl.machine import Machine
from sim.tl.reports import Program
from sim.tl.rewrite import Statement
from sim.tl.tile import UNDEFINED, Tile

MOST_STEPS = 4000
MOST_LANES = 4096  # of one tile
MOST_VALUES = 1_000_000  # lanes of all steps together
MOST_TEXT = 200

Plain = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """One statement that ran.

    ``line`` and ``end_line`` are lines of the kernel file; ``loops`` are (line, pass) of the loops around the
    statement, outermost first, passes counted from 0; ``depth`` is 0 in the kernel, 1 in a function that it calls.
    ``changed`` maps names to what they hold now, ``operations`` are the loads, stores, atomics and dots
    (see ``sim.tl.schema``).
    """

    line: int
    end_line: int
    function: str
    depth: int
    loops: tuple[tuple[int, int], ...]
    changed: Plain
    operations: tuple[Plain, ...]

    def json(self) -> Plain:
        """Plain data."""
        return {
            "line": self.line, "end_line": self.end_line, "function": self.function, "depth": self.depth,
            "loops": [list(loop) for loop in self.loops], "changed": self.changed,
            "operations": list(self.operations),
        }  # fmt: skip


@dataclass
class Frame:
    """A function of the traced program that is running."""

    recorder: "Recorder"
    function: str
    first_line: int
    statements: tuple[Statement, ...]
    depth: int
    current: Statement | None = None
    loops: tuple[tuple[int, int], ...] = ()
    seen: Plain = field(default_factory=dict)
    operations: list[Plain] = field(default_factory=list)

    def at(self, number: int, names: Plain) -> None:
        """The statement before has ended and statement ``number`` begins."""
        self.close(names)
        self.current = None if number < 0 else self.statements[number]
        passes = self.recorder.passes
        self.loops = () if self.current is None else tuple((line, passes[line]) for line in self.current.loops)

    def close(self, names: Plain | None) -> None:
        """Write the statement before down."""
        if self.current is None:
            return
        changed: Plain = {}
        if names is not None:
            new = {name: value for name, value in names.items() if not name.startswith("__sim")}
            for name, value in new.items():
                if self.seen.get(name, self) is not value:
                    changed[name] = described(self.recorder, value)
            self.seen = new
        statement = self.current
        where = (statement.line, statement.end_line, self.function, self.depth, self.loops)
        self.recorder.add(Step(*where, changed, tuple(self.operations)))
        self.current, self.operations = None, []


class Recorder:
    """Records ``program`` of one launch; other programs run unrecorded. ``cut`` says that there were too many steps.

    Tiles of more than MOST_LANES lanes, and all that come after MOST_VALUES lanes, are named with their type and shape
    and not written out: their own ``cut`` says so.
    """

    def __init__(self, machine: Machine, program: Program) -> None:
        self.machine, self.program = machine, program
        self.steps: list[Step] = []
        self.stack: list[Frame] = []
        self.passes: dict[int, int] = {}
        self.cut = False
        self.values = 0  # lanes that were written down

    def enter(self, function: str, first_line: int, statements: tuple[Statement, ...]) -> None:
        """A function is called."""
        self.stack.append(Frame(self, function, first_line, statements, len(self.stack)))

    def leave(self) -> None:
        """It returns (or fails): its last statement is closed."""
        self.stack.pop().close(None)

    def frame(self, names: Plain) -> Frame:
        """The function has its parameters: they are the first step."""
        frame = self.stack[-1]
        frame.current = Statement(frame.first_line, frame.first_line, ())
        frame.close(names)
        return frame

    def fits(self, lanes: int) -> bool:
        """Whether so many more lanes may be written down; then they count."""
        if lanes > MOST_LANES or self.values + lanes > MOST_VALUES:
            return False
        self.values += lanes
        return True

    def add(self, step: Step) -> None:
        """Keep a step, unless there are too many already."""
        if len(self.steps) < MOST_STEPS:
            self.steps.append(step)
        else:
            self.cut = True

    def operation(self, what: Plain) -> None:
        """Something happened in the statement that runs now."""
        if self.stack:
            self.stack[-1].operations.append({**what, "line": self.machine.line()})

    def access(self, kind: str, pointer: Tile, found: Reach, values: list[Any]) -> None:
        """A load, store or atomic operation: where every active lane of ``pointer`` went."""
        names = {found.array_of(i).name for i in range(len(found.lanes))}
        if not names and pointer.dtype.origin is not None:
            names = {pointer.dtype.origin.name}
        cut = not self.fits(len(pointer.data))
        self.operation({
            "kind": kind, "array": ", ".join(sorted(names)), "shape": list(pointer.shape),
            "active": len(found.lanes), "cut": cut,
            "outside": [] if cut else list(found.outside),
            "lanes": [] if cut else list(found.lanes),
            "elements": [] if cut else list(found.elements),
            "values": [] if cut else [number(values[lane]) for lane in found.lanes],
        })  # fmt: skip

    def dot(self, sizes: Shape, operand: str, accumulator: str, precision: str, flops: int) -> None:
        """A tl.dot of sizes M, N, K."""
        self.operation({
            "kind": "dot", "m": sizes[0], "n": sizes[1], "k": sizes[2], "operand": operand,
            "accumulator": accumulator, "precision": precision, "flops": flops,
        })  # fmt: skip


def number(value: Any) -> Any:
    """A lane as JSON has it: "nan", "inf" and "-inf" are text, bools are bools."""
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if value != value else "inf" if value > 0 else "-inf"
    return value


def described(recorder: Recorder, value: Any) -> Plain:
    """What a name holds: a tile, pointers into an array, or a value known when compiling."""
    if not isinstance(value, Tile):
        if isinstance(value, tuple):
            return {"kind": "tuple", "items": [described(recorder, part) for part in value]}
        return {"kind": "constant", "text": _text(value)}
    out: Plain = {"kind": "tile", "dtype": str(value.dtype), "shape": list(value.shape), "cut": False, "undefined": []}
    if not recorder.fits(len(value.data)):
        return {**out, "values": [], "cut": True}
    if value.marks is not None:
        out["undefined"] = [i for i, mark in enumerate(value.marks) if mark & UNDEFINED]
    if isinstance(value.dtype, PointerType):
        array = value.dtype.origin or recorder.machine.space.find(value.data[0])
        base, size = (0, 1) if array is None else (array.base, value.dtype.element_ty.itemsize)
        name = "" if array is None else array.name
        return {**out, "kind": "pointer", "array": name, "values": [(lane - base) // size for lane in value.data]}
    return {**out, "values": [number(lane) for lane in value.data]}


def _text(value: Any) -> str:
    if isinstance(value, (bool, int, float, str)) or value is None:
        return repr(value)[:MOST_TEXT]
    return str(getattr(value, "__name__", None) or type(value).__name__)[:MOST_TEXT]
