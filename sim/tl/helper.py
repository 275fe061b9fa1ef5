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

    def __init__(self, machine: Machine, *bounds: Any, **hints: Any) -> None:
        if not 1 <= len(bounds) <= 3:
            raise KernelError(f"range takes 1 to 3 bounds, not {len(bounds)}", kind="refused")
        parts = bounds if len(bounds) > 1 else (0, bounds[0])
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
        return plain(value)

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
        return value == spread(constant(0, value.dtype), ()) if isinstance(value, Tile) else not value

    def branch(self, condition: Any, lost: list[tuple[str, int]], mixed: list[str], line: int) -> Any:
        """The condition of a branch that binds names on one side only, or to numbers of different types."""
        if isinstance(condition, Tile):
            for name, use in lost:
                text = f"{name} is used here, but only one side of the branch of line {line} binds it"
                self.machine.rule("name of one branch", text, f"bind {name} before the branch", line=use)
            for name in mixed:
                text = f"{name} gets numbers of different types in the two sides of the branch"
                self.machine.rule("equal branches", text, "numbers of one type, as 1.0 and 2.0", line=line)
        return condition

    def check(self, condition: Any, message: Any = "", mask: Any = None) -> None:
        """assert and tl.device_assert."""
        held = tile(condition)
        if mask is not None:
            held = held.logical_or(tile(mask) == 0)
        lanes = [i for i, lane in enumerate(held.data) if not lane]
        if lanes:
            self.machine.report("assertion", f"does not hold: {message}", lanes)

    def min_(self, *values: Any, **options: Any) -> Any:
        """The built-in min of numbers, or lane by lane."""
        return functools.reduce(elementwise.minimum, values[0] if len(values) == 1 else values)

    def max_(self, *values: Any, **options: Any) -> Any:
        """The built-in max of numbers, or lane by lane."""
        return functools.reduce(elementwise.maximum, values[0] if len(values) == 1 else values)

    def print_(self, *values: Any, **options: Any) -> None:
        """print and tl.device_print: kept in the run, with the program's number."""
        text = " ".join(str(value) for value in values)
        if len(self.machine.printed) < 1000:
            self.machine.printed.append(f"program {self.machine.program}: {text}")

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


def kind(value: Any) -> str:
    """Type and shape of a value, for sentences and comparison."""
    if isinstance(value, Tile):
        return f"{value.dtype}{list(value.shape)}" if value.shape else f"{value.dtype} scalar"
    return type(value).__name__
