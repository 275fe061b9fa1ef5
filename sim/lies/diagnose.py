"""The faults by name, in the order in which a cause comes before its symptoms, and which of them a report shows."""

from collections.abc import Callable
from dataclasses import dataclass

from sim.lies import looks
from sim.lies.looks import Finding
from sim.lies.report import Report

NONE = "none"


@dataclass(frozen=True)
class Fault:
    """A way in which benchmarks lie: what it is called, and how kernel-bench keeps it out."""

    label: str
    guard: str
    look: Callable[[Report], Finding]


FAULTS: dict[str, Fault] = {
    "no-sync": Fault(
        "no synchronisation: the clock stops before the GPU does",
        "kernel-bench times with CUDA events on the GPU’s own queue, and whole calls up to torch.cuda.synchronize().",
        looks.synchronised,
    ),
    "order": Fault(
        "order effects: who runs first has the cooler chip",
        "In kernel-bench the kernels take turns within each repeat, and the clocks before and after are stored.",
        looks.in_turns,
    ),
    "best-of-n": Fault(
        "the best of n against a median",
        "kernel-bench gives the median and its spread, for all alike.",
        looks.like_statistics,
    ),
    "no-warm-up": Fault(
        "no warm-up: the first call is in it",
        "kernel-bench does not count its warm-up rounds, and gives the times of compiling and tuning apart.",
        looks.warmed_up,
    ),
    "unlike": Fault(
        "TF32 against IEEE float32",
        "kernel-bench sets torch to the precision of the kernels and names it in every row.",
        looks.like_arithmetic,
    ),
    "zeros": Fault(
        "inputs of zeros",
        "kernel-bench fills A and B with random numbers, checks whole numbers exactly too, and starts C as NaN.",
        looks.filled,
    ),
    "formula": Fault(
        "a wrong FLOP formula or unit",
        "kernel-bench stores M, N, K, operations and bytes in every row, for anybody to divide again.",
        looks.formula,
    ),
    "hot-cache": Fault(
        "inputs that still lie in the L2 cache",
        "kernel-bench overwrites 256 MiB before every repeat, for all alike, and says so.",
        looks.cold,
    ),
    "launch-bound": Fault(
        "a size at which the launch is most of it",
        "kernel-bench times an empty launch too, and gives no rate where that takes more than half.",
        looks.large_enough,
    ),
    "peak": Fault(
        "a rate above the peak, whatever the cause",
        "kernel-bench compares each rate with the vendor’s peak and calls one above it a measuring fault.",
        looks.below_the_peak,
    ),
}


def findings(report: Report) -> dict[str, Finding]:
    """What the report shows of every fault, and of none at all."""
    found = {name: fault.look(report) for name, fault in FAULTS.items()}
    clean = not any(finding.seen for finding in found.values())
    return found | {NONE: Finding(clean, HONEST if clean else "there is something to find in these rows")}


def diagnose(report: Report) -> str:
    """The fault that a report shows, or ``none``. Of several it is the first, a cause and not its symptom."""
    return next(name for name, finding in findings(report).items() if finding.seen)


def label(name: str) -> str:
    """A fault, or its absence, as a reader may choose it."""
    return FAULTS[name].label if name in FAULTS else "nothing: this report is honest"


def explain(report: Report, chosen: str) -> str:
    """Why the report shows the chosen fault, or why it does not. No full stop. Raises KeyError for an unknown one."""
    finding, right = findings(report)[chosen], diagnose(report)
    if not finding.seen or chosen == right:
        return finding.sentence
    return f"{finding.sentence}; so far right, but {BESIDES.get((right, chosen), 'the rows also show why')}"


HONEST = (
    "repeats agree, the error is that of rounding, rates follow from the times and lie below every peak, and the "
    "kernels took turns; a row that loses and is left in is a good sign"
)
BESIDES = {("hot-cache", "launch-bound"): "launching makes a time too long, and this one is too short"}
