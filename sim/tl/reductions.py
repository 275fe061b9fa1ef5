"""Reductions along an axis. Sums are exact and rounded once; a GPU adds in a tree and may differ in the last place."""

import functools
import math
import operator
from collections.abc import Callable
from typing import Any

from sim.tl.dtypes import DType, float32, int32, uint32
from sim.tl.dtypes import bfloat16 as bf16
from sim.tl.errors import KernelError
from sim.tl.lane_functions import larger, smaller
from sim.tl.lanes import Lanes, from_lines, lines
from sim.tl.rearrange import stacked
from sim.tl.rounding import once, rounded, wrapped
from sim.tl.shapes import expand_dims, ravel, reshape
from sim.tl.tile import Tile, retyped, tile

Combine = Callable[..., Any]


def reduced(value: Tile, axis: Any, line: Callable[[Lanes], Any], keep_dims: Any, dtype: DType | None = None) -> Tile:
    """``line`` maps the lanes of one line to one value of ``dtype``."""
    rank = len(value.shape)
    if rank == 0:
        raise KernelError("a reduction needs a tile, not a scalar", kind="refused")
    flat, place = (ravel(value), 0) if axis is None else (value, _axis(axis, rank))
    dtype = dtype or value.dtype
    out = [line(lane) for lane in lines(flat.data, flat.shape, place)]
    data = rounded(out, dtype) if dtype.family == "f" else wrapped(out, dtype)[0]
    marks = None
    if flat.marks is not None:
        marks = [max(lane) for lane in lines(flat.marks, flat.shape, place)]
    shape = flat.shape[:place] + flat.shape[place + 1 :]
    if keep_dims:
        shape = (1,) * rank if axis is None else (*flat.shape[:place], 1, *flat.shape[place + 1 :])
    return Tile(data, shape, dtype, marks)


def _axis(axis: Any, rank: int) -> int:
    place = int(axis)
    if not -rank <= place < rank:
        raise KernelError(f"axis {place} of a tile with {rank} axes; allowed: {-rank} to {rank - 1}", kind="refused")
    return place % rank


def _at_least_32_bits(value: Tile) -> Tile:
    if value.dtype.family in "iub" and value.dtype.bits < 32:
        return retyped(value, int32 if value.dtype.family == "i" else uint32)
    return value


def _without_bf16(value: Tile) -> Tile:
    return retyped(value, float32) if value.dtype is bf16 else value


def _line_sum(dtype: DType) -> Callable[[Lanes], Any]:
    def total(line: Lanes) -> Any:
        try:
            whole = math.fsum(line)
            return whole if dtype.bits == 64 else once([whole], dtype, lambda _: line)[0]
        except (OverflowError, ValueError):
            return functools.reduce(operator.add, line)

    return total if dtype.family == "f" else sum


def sum_(input: Any, axis: Any = None, keep_dims: Any = False, dtype: Any = None) -> Tile:
    """The sum; whole numbers of less than 32 bits are added as 32-bit ones."""
    value = tile(input)
    value = _at_least_32_bits(value) if dtype is None else retyped(value, dtype)
    return reduced(value, axis, _line_sum(value.dtype), keep_dims)


def xor_sum(input: Tile, axis: Any = None, keep_dims: Any = False) -> Tile:
    """Exclusive or of all."""
    return reduced(input, axis, functools.partial(functools.reduce, operator.xor), keep_dims)


def reduce_or(input: Tile, axis: Any, keep_dims: Any = False) -> Tile:
    """Bitwise or of all."""
    return reduced(input, axis, functools.partial(functools.reduce, operator.or_), keep_dims)


def _extreme(better: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def extreme(
        input: Any, axis: Any = None, return_indices: Any = False, return_indices_tie_break_left: Any = True,
        keep_dims: Any = False,
    ) -> Any:  # fmt: skip
        value = _without_bf16(tile(input))
        line = functools.partial(functools.reduce, better)
        if return_indices:
            return reduced(value, axis, line, keep_dims), _index(value, axis, line, keep_dims)
        if value.dtype.bits < 32:
            value = retyped(value, float32 if value.dtype.family == "f" else int32)
        return reduced(value, axis, line, keep_dims)

    return extreme


def _index(value: Tile, axis: Any, line: Callable[[Lanes], Any], keep_dims: Any) -> Tile:
    def first(lanes: Lanes) -> int:
        best = line(lanes)
        return lanes.index(best) if best == best else 0

    return reduced(value, axis, first, keep_dims, int32)


max_ = _extreme(larger)
min_ = _extreme(smaller)


def argmax(input: Tile, axis: Any, tie_break_left: Any = True, keep_dims: Any = False) -> Tile:
    """Index of the largest lane; the first of equal ones."""
    out: Tile = max_(input, axis, True, tie_break_left, keep_dims)[1]
    return out


def argmin(input: Tile, axis: Any, tie_break_left: Any = True, keep_dims: Any = False) -> Tile:
    """Index of the smallest lane; the first of equal ones."""
    out: Tile = min_(input, axis, True, tie_break_left, keep_dims)[1]
    return out


def _slices(value: Tile, axis: int, places: range) -> Tile:
    """The lanes at ``places`` along ``axis``."""
    shape = (*value.shape[:axis], len(places), *value.shape[axis + 1 :])
    picked = [[line[i] for i in places] for line in lines(value.data, value.shape, axis)]
    marks = None
    if value.marks is not None:
        marks = from_lines([[line[i] for i in places] for line in lines(value.marks, value.shape, axis)], shape, axis)
    return Tile(from_lines(picked, shape, axis), shape, value.dtype, marks)


def _combined(combine: Combine, left: tuple[Tile, ...], right: tuple[Tile, ...]) -> tuple[Tile, ...]:
    out = combine(*left, *right)
    parts = tuple(map(tile, out if isinstance(out, tuple) else (out,)))
    for part, old in zip(parts, left, strict=True):
        if part.dtype != old.dtype:
            told = f"the function that combines lanes returns {part.dtype} for {old.dtype}"
            raise KernelError(f"{told}; it must return the type that it is given", kind="refused")
    return parts


def reduce(input: Any, axis: Any, combine_fn: Combine, keep_dims: Any = False) -> Any:
    """Lanes combined by a kernel function, neighbours first, in order; several tiles at once when given a tuple."""
    many = isinstance(input, tuple)
    parts = tuple(input) if many else (input,)
    rank = len(parts[0].shape)
    flat = tuple(ravel(part) for part in parts) if axis is None else parts
    place = 0 if axis is None else _axis(axis, rank)
    while (size := flat[0].shape[place]) > 1:
        even = tuple(_slices(part, place, range(0, size - size % 2, 2)) for part in flat)
        odd = tuple(_slices(part, place, range(1, size, 2)) for part in flat)
        done = _combined(combine_fn, even, odd)
        if size % 2:
            rest = tuple(_slices(part, place, range(size - 1, size)) for part in flat)
            done = tuple(stacked(p, q, place) for p, q in zip(done, rest, strict=True))
        flat = done
    out = []
    for part in flat:
        shape = part.shape[:place] + part.shape[place + 1 :]
        single = Tile(part.data, shape, part.dtype, part.marks)
        if keep_dims:
            single = reshape(single, (1,) * rank) if axis is None else expand_dims(single, place)
        out.append(single)
    return tuple(out) if many else out[0]


def associative_scan(input: Any, axis: Any, combine_fn: Combine, reverse: Any = False) -> Any:
    """Running combination along ``axis``; several tiles at once when given a tuple."""
    many = isinstance(input, tuple)
    parts = tuple(input) if many else (input,)
    place = _axis(axis, len(parts[0].shape))
    size = parts[0].shape[place]
    order = range(size - 1, -1, -1) if reverse else range(size)
    parts = tuple(_slices(part, place, order) for part in parts)
    reach = 1
    while reach < size:
        before = tuple(_slices(part, place, range(size - reach)) for part in parts)
        here = tuple(_slices(part, place, range(reach, size)) for part in parts)
        done = _combined(combine_fn, before, here)
        kept = tuple(_slices(part, place, range(reach)) for part in parts)
        parts = tuple(stacked(p, q, place) for p, q in zip(kept, done, strict=True))
        reach *= 2
    parts = tuple(_slices(part, place, order) for part in parts)
    return parts if many else parts[0]
