"""The ladder: one kernel a file, each with a docstring that says what it adds and what to look for next."""

from gpu.ladder import (
    autotuned,
    descriptors,
    grouped,
    packed,
    persistent,
    row,
    separate,
    specialised,
    split_k,
    thin,
    tiled,
)
from gpu.ladder.plan import Rung

RUNGS: dict[str, Rung] = {
    module.RUNG.name: module.RUNG
    for module in (
        separate,
        tiled,
        grouped,
        autotuned,
        descriptors,
        persistent,
        specialised,
        split_k,
        thin,
        row,
        packed,
    )
}
