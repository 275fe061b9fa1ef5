"""The object that rewritten kernel code calls: Triton's meaning of what Python would do otherwise."""

import builtins
import functools
from collections.abc import Iterator
from typing import Any

from sim.tl import elementwise
from sim.tl.constexpr import constexpr, plain
from sim.tl.dtypes import DType, int32, literal_type, promote_ints
from sim.tl.errors import KernelError
from sim.tl.machine import Machine
from sim.tl.merging import BranchState, kind
from sim.tl.rounding import wrapped
from sim.tl.tile import Tile, constant, spread, tile

Names = dict[str, Any]


class LoopState:
    """A loop that runs: its line, its passes so far and the types of the names that it carries."""

    def __init__(self, line: int, carried: tuple[str, ...], types: dict[str, str]) -> None:
        self.line, self.carried, self.types = line, carried, types
        self.passes = 0


class Range:
    """`range` and tl.range: yields scalar tiles of the bounds' common type."""

    def __init__(
        self, machine: Machine, arg1: Any, arg2: Any = None, step: Any = None, num_stages: Any = None,
        loop_unroll_factor: Any = None, disallow_acc_multi_buffer: Any = False, flatten: Any = False,
        warp_specialize: Any = False, disable_licm: Any = False,
    ) -> None:  # fmt: skip
        """What stands behind ``step`` are hints to the compiler, which change no value."""
        parts = [*((0, arg1) if arg2 is None else (arg1, arg2)), *(() if step is None else (step,))]
        self.dtype: DType = int32
        for part in parts:
            bound = tile(part)
            if bound.dtype.family not in "iu":
                raise KernelError(f"a loop's bounds must be whole numbers, not {bound.dtype}", kind="refused")
            self.dtype = promote_ints(self.dtype, bound.dtype)
        self.places = builtins.range(*(int(part) for part in parts))

    def __iter__(self) -> Iterator[Tile]:
        for place in self.places:
            yield Tile(wrapped([place], self.dtype)[0], (), self.dtype)


class Helper:
    """Bound to one machine; the names match what ``rewrite`` writes."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.range_ = functools.partial(Range, machine)

    def assigned(self, value: Any) -> Any:
        """What a name gets: numbers become scalar tiles, as the compiler makes them."""
        if type(value) is Tile:
            return value
        if isinstance(value, (bool, int, float)):
            return constant(value, literal_type(value))
        if type(value) is tuple or type(value) is list:
            return tuple(self.assigned(part) for part in value)
        if isinstance(value, str):
            self.machine.rule("text in a name", f"a name cannot hold the text {value!r}", "name: tl.constexpr = ...")
        held = plain(value)
        if callable(held) and not isinstance(held, DType):
            what = getattr(held, "__name__", type(held).__name__)
            self.machine.rule("function in a name", f"a name cannot hold the function {what}", f"{what} itself")
        return held

    def known(self, value: Any) -> Any:
        """What ``name: tl.constexpr = value`` gets; the compiler lets a tile pass here and may refuse its use later."""
        return plain(value)

    def plain(self, value: Any) -> Any:
        """A global name's value."""
        return plain(value)

    def value_of(self, value: Any) -> Any:
        """x.value: of a constexpr the value itself."""
        return value if isinstance(value, (bool, int, float, str, DType)) or value is None else value.value

    def more_and(self, value: Any) -> bool:
        """Whether `and` has to look at its next operand."""
        return isinstance(value, Tile) or bool(value)

    def more_or(self, value: Any) -> bool:
        """Whether `or` has to look at its next operand."""
        return isinstance(value, Tile) or not bool(value)

    def both_and(self, left: Any, right: Any) -> Any:
        """left and right."""
        if isinstance(left, Tile) and isinstance(right, Tile):
            return left.logical_and(right)
        return left if isinstance(left, Tile) and bool(right) else right

    def both_or(self, left: Any, right: Any) -> Any:
        """left or right."""
        if isinstance(left, Tile) and isinstance(right, Tile):
            return left.logical_or(right)
        return left if isinstance(left, Tile) and not bool(right) else right

    def negation(self, value: Any) -> Any:
        """not value."""
        if isinstance(value, Tile) and value.dtype.family != "b":
            text = f"`not` of {value.dtype}: the compiler has it for int1 only"
            self.machine.rule("not of int1", text, "value == 0")
        return value == spread(constant(0, value.dtype), ()) if isinstance(value, Tile) else not value

    def branch_start(
        self, condition: Any, lost: list[tuple[str, int]], mixed: list[str], live: list[str], both: list[str],
        line: int, names: Names,
    ) -> BranchState:  # fmt: skip
        """A branch that binds names: ``lost`` on one side only, ``mixed`` to numbers of different types.

        ``live`` of them hold a value already; ``both`` are new on both sides.
        """
        if not isinstance(condition, Tile):
            return BranchState(condition, line)
        for name, use in lost:
            text = f"{name} is used here, but only one side of the branch of line {line} binds it"
            self.machine.rule("name of one branch", text, f"bind {name} before the branch", line=use)
        for name in mixed:
            text = f"{name} gets numbers of different types in the two sides of the branch"
            self.machine.rule("equal branches", text, "numbers of one type, as 1.0 and 2.0", line=line)
        before = {name: kind(names[name]) for name in live if isinstance(names.get(name), Tile)}
        return BranchState(condition, line, before, tuple(both))

    def branch_end(self, state: BranchState, names: Names) -> None:
        """The sides meet again: each name must have one type, whichever side was taken."""
        for name, before, now in state.changed(names):
            text = f"{name} is {before} before the branch of line {state.line} and {now} behind it"
            self.machine.rule("equal branches", text, f"one type of {name} on every way", line=state.line)
        for name in state.both:
            other = self.machine.meets((state.line, name), names[name]) if name in names else ""
            if other:
                text = f"{name} is {other} after one side of the branch of line {state.line}, "
                text += f"{kind(names[name])} after the other"
                self.machine.rule("equal branches", text, f"one type of {name} on both sides", line=state.line)

    def ternary(self, condition: Any, mixed: bool, line: int, column: int) -> BranchState:
        """`a if condition else b`; ``mixed`` says that both are numbers, of different types."""
        if mixed and isinstance(condition, Tile):
            text = "the two sides of `if … else …` are numbers of different types"
            self.machine.rule("equal branches", text, "numbers of one type, as 1.0 and 2.0", line=line)
        return BranchState(condition, line, {}, (f"column {column}",))

    def one_way(self, state: BranchState, value: Any) -> Any:
        """The side of a ternary that was taken."""
        if not isinstance(state.condition, Tile):
            return value
        made = self.assigned(value)
        other = self.machine.meets((state.line, *state.both), made)
        if other:
            text = f"`if … else …` gives {other} on one side and {kind(made)} on the other"
            self.machine.rule("equal branches", text, "one type on both sides", line=state.line)
        return made

    def check(self, cond: Any, msg: Any = "", mask: Any = None) -> None:
        """assert and tl.device_assert."""
        held = tile(cond)
        if mask is not None:
            held = held.logical_or(tile(mask) == 0)
        lanes = [i for i, lane in enumerate(held.data) if not lane]
        if lanes:
            self.machine.report("assertion", f"does not hold: {msg}", lanes)

    def assume(self, cond: Any) -> None:
        """tl.assume: what the compiler builds on has to be true."""
        self.check(cond, "tl.assume, on which the compiler builds")

    def min_(self, *values: Any) -> Any:
        """The built-in min of numbers, or lane by lane."""
        return functools.reduce(elementwise.minimum, values[0] if len(values) == 1 else values)

    def max_(self, *values: Any) -> Any:
        """The built-in max of numbers, or lane by lane."""
        return functools.reduce(elementwise.maximum, values[0] if len(values) == 1 else values)

    def print_(self, prefix: Any, *args: Any, hex: Any = False) -> None:
        """print and tl.device_print: kept in the run, with the program's number."""
        if not isinstance(prefix, str):
            self.machine.rule("print begins with a text", "the first that is printed is no text", "print('x', x)")
        self.static_print(prefix, *args)

    def static_print(self, *values: Any, sep: str = " ", end: str = "\n", file: Any = None, flush: Any = False) -> None:
        """tl.static_print: here it prints when the line runs, once a program."""
        text = sep.join(str(value) for value in values)
        self.machine.say(f"program {self.machine.program}: {text}")

    def abs_(self, value: Any) -> Any:
        """abs: the compiler knows tl.abs only."""
        if isinstance(value, Tile):
            self.machine.rule("names it knows", "abs is not defined for the compiler", "tl.abs")
        return builtins.abs(value)

    def isinstance_(self, value: Any, kinds: Any) -> bool:
        """isinstance; in a kernel everything that is not a tile is a tl.constexpr."""
        if constexpr in (kinds if isinstance(kinds, tuple) else (kinds,)):
            return not isinstance(value, Tile)
        return isinstance(value, kinds)

    def int_(self, value: Any = 0) -> Any:
        """int of a number that is known when compiling."""
        return int(self._number(value, "int"))

    def float_(self, value: Any = 0.0) -> Any:
        """float of a number or text that is known when compiling."""
        return float(self._number(value, "float"))

    def _number(self, value: Any, name: str) -> Any:
        if isinstance(value, Tile):
            self.machine.rule("numbers when compiling", f"{name}() of a value in a kernel", f".to(tl.{name}32)")
        return value

    def loop_start(self, line: int, carried: tuple[str, ...], names: Names) -> LoopState:
        """A loop begins."""
        state = LoopState(line, carried, {name: kind(names[name]) for name in carried if name in names})
        if self.machine.recorder is not None:
            self.machine.recorder.passes[line] = 0
        return state

    def turn(self, state: LoopState, names: Names) -> None:
        """A pass of the loop begins."""
        self.machine.step()
        if state.passes:
            self.same_types(state, names)
        if self.machine.recorder is not None:
            self.machine.recorder.passes[state.line] = state.passes
        state.passes += 1

    def loop_end(self, state: LoopState, names: Names) -> None:
        """The loop is over."""
        if state.passes:
            self.same_types(state, names)

    def same_types(self, state: LoopState, names: Names) -> None:
        """A name that a loop carries must come back with its type and shape."""
        for name, before in list(state.types.items()):
            now = kind(names[name]) if name in names else before
            if now != before:
                del state.types[name]  # told once
                text = f"{name} enters the loop as {before} and comes back as {now}; the compiler refuses that"
                if self.machine.mode == "strict":
                    raise KernelError(text, kind="refused", line=state.line)
                self.machine.report("loop-carried type", text, line=state.line)

    def frame(self, names: Names) -> Any:
        """A traced function begins."""
        return None if self.machine.recorder is None else self.machine.recorder.frame(names)

    def at(self, frame: Any, number: int, names: Names) -> None:
        """A statement of a traced function begins (−1: the function ends)."""
        if frame is not None:
            frame.at(number, names)
