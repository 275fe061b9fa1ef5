"""Functions of `tl` that are also methods of a tile: x.sum(axis=0) is tl.sum(x, axis=0)."""

from collections.abc import Callable
from typing import Any

from sim.tl import elementwise, rearrange, reductions, scans, shapes
from sim.tl.tile import cast

MEMBERS: dict[str, Callable[..., Any]] = {
    "abs": abs, "argmax": reductions.argmax, "argmin": reductions.argmin, "broadcast_to": shapes.broadcast_to,
    "cast": cast, "cdiv": elementwise.cdiv, "ceil": elementwise.ceil, "cos": elementwise.cos,
    "cumprod": scans.cumprod, "cumsum": scans.cumsum, "erf": elementwise.erf, "exp": elementwise.exp,
    "exp2": elementwise.exp2, "expand_dims": shapes.expand_dims, "flip": rearrange.flip, "floor": elementwise.floor,
    "gather": rearrange.gather, "histogram": scans.histogram, "log": elementwise.log, "log2": elementwise.log2,
    "max": reductions.max_, "min": reductions.min_, "permute": shapes.permute, "ravel": shapes.ravel,
    "reduce": reductions.reduce, "associative_scan": reductions.associative_scan, "reshape": shapes.reshape,
    "rsqrt": elementwise.rsqrt, "sigmoid": elementwise.sigmoid, "sin": elementwise.sin, "softmax": scans.softmax,
    "sort": scans.sort, "split": rearrange.split, "sqrt": elementwise.sqrt, "sqrt_rn": elementwise.sqrt_rn,
    "sum": reductions.sum_, "trans": shapes.trans, "view": shapes.view, "xor_sum": reductions.xor_sum,
    "reduce_or": reductions.reduce_or,
}  # fmt: skip
