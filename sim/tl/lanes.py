"""Tiles are flat row-major lists of lanes; these functions move lanes about and compute nothing."""

import math
from collections.abc import Iterable
from itertools import product
from operator import mul
from typing import Any

from sim.tl.errors import KernelError

Lanes = list[Any]
Shape = tuple[int, ...]


def strides(shape: Shape) -> Shape:
    """Lanes to step over for one step along each axis."""
    out: list[int] = []
    count = 1
    for size in reversed(shape):
        out.append(count)
        count *= size
    return tuple(reversed(out))


def common_shape(a: Shape, b: Shape) -> Shape:
    """The shape that ``a`` and ``b`` broadcast to; axes are added in front. Raises KernelError when there is none."""
    if a == b:
        return a
    if len(a) == len(b) == 2 and (a[0] == b[0] or a[0] == 1 or b[0] == 1) and (a[1] == b[1] or a[1] == 1 or b[1] == 1):
        return (a[0] if b[0] == 1 else b[0], a[1] if b[1] == 1 else b[1])
    rank = max(len(a), len(b))
    long_a, long_b = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    if any(x != y and 1 not in (x, y) for x, y in zip(long_a, long_b, strict=True)):
        raise KernelError(
            f"shapes {list(a)} and {list(b)} do not fit together; sizes must be equal or 1", kind="refused"
        )
    return tuple(max(x, y) if 0 not in (x, y) else 0 for x, y in zip(long_a, long_b, strict=True))


def broadcast(data: Lanes, shape: Shape, to: Shape) -> Lanes:
    """Lanes of a tile of ``shape`` repeated to fill ``to``."""
    if shape == to:
        return data
    if len(data) == 1:
        return data * math.prod(to)
    have = (1,) * (len(to) - len(shape)) + shape
    for axis in range(len(to)):
        if have[axis] != to[axis]:
            inner, times = math.prod(have[axis + 1 :]), to[axis]
            if inner == 1:
                data = [lane for lane in data for _ in range(times)]
            else:
                data = [x for start in range(0, len(data), inner) for x in data[start : start + inner] * times]
            have = (*have[:axis], times, *have[axis + 1 :])
    return data


def permute(data: Lanes, shape: Shape, order: Shape) -> Lanes:
    """Lanes with the axes in a new order."""
    if order == (1, 0):
        return [lane for column in range(shape[1]) for lane in data[column :: shape[1]]]
    steps = [strides(shape)[axis] for axis in order]
    places = product(*[range(shape[axis]) for axis in order])
    return [data[sum(map(mul, place, steps))] for place in places]


def lines(data: Lanes, shape: Shape, axis: int) -> list[Lanes]:
    """Every line along ``axis``, in row-major order of the other axes."""
    inner, size = math.prod(shape[axis + 1 :]), shape[axis]
    if inner == 1:
        return [data[start : start + size] for start in range(0, len(data), size)]
    block = inner * size
    return [
        data[start + offset : start + block : inner] for start in range(0, len(data), block) for offset in range(inner)
    ]


def from_lines(rows: Iterable[Lanes], shape: Shape, axis: int) -> Lanes:
    """The inverse of ``lines`` for a tile of ``shape``."""
    inner, size = math.prod(shape[axis + 1 :]), shape[axis]
    out: Lanes = [None] * math.prod(shape)
    for index, row in enumerate(rows):
        block, offset = divmod(index, inner)
        start = block * size * inner
        out[start + offset : start + size * inner : inner] = row
    return out


def nested(data: Lanes, shape: Shape) -> Any:
    """Lists within lists, one level an axis; the bare lane for a scalar."""
    if not shape:
        return data[0]
    for size in reversed(shape[1:]):
        data = [data[start : start + size] for start in range(0, len(data), size)] if size else []
    return list(data)
