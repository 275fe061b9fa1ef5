"""The ladder: one kernel a file, each with a docstring that says what it adds and what to look for next."""

from gpu.ladder import (
    aligned,
    autotuned,
    descriptors,
    grouped,
    hinted,
    packed,
    persistent,
    row,
    separate,
    specialised,
    split_k,
    split_specialised,
    thin,
    tiled,
    transposed,
)
from gpu.ladder.plan import Rung

RUNGS: dict[str, Rung] = {
    module.RUNG.name: module.RUNG
    for module in (
        separate,
        tiled,
        grouped,
        autotuned,
        hinted,
        descriptors,
        persistent,
        specialised,
        split_k,
        split_specialised,
        thin,
        row,
        packed,
        aligned,
        transposed,
    )
}
